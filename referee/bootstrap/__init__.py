"""The only place where real things meet: settings, database, mail, templates, clock, games.

Read in this order: folder, stores, taking, signatures, ways, offices, identity, publishing, backups, restoring, monitor, running.
"""
