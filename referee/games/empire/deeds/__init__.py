"""What orders do: check_ and plan_ say whether it can be, do_ emits the facts. No deed knows which order asked for it.

In rooms by subject: movement, work, war, dealing. Here lies what several of them need: rehearsal, by which a deed is done whole
or not at all, what confidence forbids, debts, deaths, picks.
"""
