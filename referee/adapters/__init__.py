"""The world outside: the store (SQLite or PostgreSQL), letters in and out, clock, secrets, templates, site.

Each module fulfils one port of the service or stands at one edge of the system; bootstrap joins them.
Read in this order: tables, store, spool, smtp_in, maildir, smtp_out, postman, clock, secrets, wakeup, ending, child,
site.
"""
