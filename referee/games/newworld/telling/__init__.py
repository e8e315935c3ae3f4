"""What players are shown: report and sheets after a turn; choices, forecast and rehearsal before it.

accounts is the audit of all that was told.
"""
