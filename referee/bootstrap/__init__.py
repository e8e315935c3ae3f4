"""The only place where real things meet: settings, database, mail, templates, clock, games.

Read in this order: ways, offices, running.
"""

from referee.bootstrap.offices import mailbag, opened, publish, take_letter
from referee.bootstrap.running import Service
from referee.bootstrap.ways import accepts, imap_account, relay_sender

__all__ = ["Service", "accepts", "imap_account", "mailbag", "opened", "publish", "relay_sender", "take_letter"]
