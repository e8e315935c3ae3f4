"""The benchmark: the referee measured beside baselines in the same run, so that only ratios count.

Read in this order: measure, sheets, databases, house, then the cases (ingest, parsing, commits, herd, reports, turns, ahead,
memory, mail_lmtp, mail_imap), then catalogue, runner, figures. `load`, `mail_load` and `ringer` run in processes of their own,
and so does the Dovecot of `mail_server`, which other tests start, too. The tests beside them look at structure only; nothing
is timed in them.
"""
