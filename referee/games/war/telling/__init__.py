"""Everything that players are shown. After a phase: report, the record sheets with the audit of all that was told, the map
(drawing).

Before one: rehearsal and forecast, what a sheet would come to; and form, the next sheet half filled in.
"""
