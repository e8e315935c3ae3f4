"""What players are shown. After a phase: report with its sections, the record sheets, the chart (drawing).

Before one: form and examples, and what a sheet would come to: forecast, choices (with the audit of all that was told), rehearsal.
"""
