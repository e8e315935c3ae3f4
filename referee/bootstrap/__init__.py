"""The only place where real things meet: settings, database, mail, templates, clock, games.

Read in this order: folder, ways, offices, backups, restoring, monitor, running.
"""

from referee.bootstrap.folder import MEND_DAMAGE, database_files, made, running_service, sqlite_file
from referee.bootstrap.monitor import health_at_the_counter
from referee.bootstrap.offices import (
    clock_of,
    mailbag,
    opened,
    place_of,
    publish,
    publish_home,
    signing_key,
    store_of,
    take_letter,
)
from referee.bootstrap.running import Service
from referee.bootstrap.ways import accepts, dkim_keys, imap_account, relay_sender

__all__ = [
    "MEND_DAMAGE",
    "Service",
    "accepts",
    "clock_of",
    "database_files",
    "dkim_keys",
    "health_at_the_counter",
    "imap_account",
    "made",
    "mailbag",
    "opened",
    "place_of",
    "publish",
    "publish_home",
    "relay_sender",
    "running_service",
    "signing_key",
    "sqlite_file",
    "store_of",
    "take_letter",
]
