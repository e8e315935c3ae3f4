"""The command line: the same words as by mail, for the keeper of the machine.

Read in this order: speaking (how commands answer), quick, counter, records, safekeeping, setting_up, serving, trying, then whole,
which joins them.
"""
