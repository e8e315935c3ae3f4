"""What several orders do, what goes by dice, and what the course does of itself. What one order does stands in its class.

In rooms by subject: movement, work, war, dealing. Here lies what several of them need: rehearsal, by which a deed is done whole
or not at all, what confidence forbids, debts, deaths, picks.
"""
