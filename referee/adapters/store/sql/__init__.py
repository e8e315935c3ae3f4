"""The parts of a step, which say what the service can ask of the store: each turns a family of verbs into statements built once.

Read in this order: matches, log, letters_in, letters_out, reports, part (a statement is prepared and run), ahead.
"""
