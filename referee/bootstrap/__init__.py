"""The only place where real things meet: settings, database, mail, templates, clock, games.

Read in this order: data_folder, mail_ways, offices, service, backups_and_moves, restoration, health.
"""
