"""The command line: the same words as by mail, for the keeper of the machine.

Read in this order: dialogue, receive_and_desk, counter, records, safekeeping, setup, serve, trials, program.
"""
