"""The command line: the same words as by mail, for whoever keeps the machine.

Read in this order: speaking (how commands answer), counter, wellbeing, showing, records, keys, backups, moving, forgetting,
desk_letters, examining, setting_up, receiving, serving, examine, trying, then whole, which joins them.
"""
