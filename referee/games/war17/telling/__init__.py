"""What players of Version 1.7 are shown: report and sheets after a phase; form, forecast and rehearsal before it."""
