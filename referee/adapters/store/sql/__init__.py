"""The parts of a step, which say what the service can ask of the store: each turns a family of verbs into statements built once.

The questions: step, and the parts that it joins: letters_in, letters_out, answers, people, matches, log, alarms, reports,
tallies, forgetting. How it is done: statements, prepared, drivers, part, and ahead.
"""
