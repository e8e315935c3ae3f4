"""Use cases: letters in, turns run, letters out. Knows games only as values handed in.

One room for each part of the work, and none imports one above it. Bottom to top: `match`, `clock`, `outgoing`, `turns`,
`overrides`, `people`, `lobby`, `sheets`, `press`, `records`, `commands`, `answering`, `alarms`, `incoming`. Below them all lie
`ports` (what is needed of the world), `office` (what every use case is handed), `letters` (letters out as data), `notes` (what is
remembered beside the log; its values in `remembered`), `settings`, `manners`, `timetable` and `times`.
"""
