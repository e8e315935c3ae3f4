"""The parts of a step, which say what the service can ask of the store: each turns a family of verbs into statements built once.

Read in this order: matches_and_people, log, letters_in, letters_out, reports_and_notes, statements, ahead.
"""
