"""The command line: the same words as by mail, for whoever keeps the machine.

Read in this order: speaking (how commands answer), counter, showing, records, keeping, keys, forgetting, desk_letters,
setting_up, serving, examine, simulate, then whole, which joins them.
"""

from referee.cli.whole import app, main

__all__ = ["app", "main"]
