"""The world outside: the store (SQLite or PostgreSQL), letters in and out, clock, secrets, templates, site.

Each module fulfils one port of the service or stands at one edge of the system; bootstrap joins them. Rooms: `processes`, `store`,
then `incoming`, `outgoing` and `pages`, which know nothing of each other.
"""
