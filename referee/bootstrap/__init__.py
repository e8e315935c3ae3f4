"""The only place where real things meet: settings, database, mail, templates, clock, games.

Read in this order: folder, ways, offices, service, backups, restoration, monitor.
"""
