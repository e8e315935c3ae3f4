"""The parts of a step: each module turns one family of the store's verbs into statements built once.

Read in this order: statements, prepared, drivers, part, then letters_in, letters_out, people, matches, log, alarms, reports;
step joins them.
"""
