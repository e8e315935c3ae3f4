"""A letter from a pipe, stored while the service runs or not."""

from __future__ import annotations

from typing import BinaryIO

from referee.adapters.incoming import pipe
from referee.adapters.incoming.arrival import Desk
from referee.adapters.incoming.room import NoRoom
from referee.adapters.unusable import told
from referee.bootstrap.folder import made
from referee.bootstrap.stores import clock_of, room_of, stored
from referee.config import Config


def desk_of(config: Config) -> Desk:
    """What letters are taken for, and how large they may be."""
    receive = config.receive
    return Desk(config.referee.address, receive.recipient_headers, receive.max_letter_mb * 1024 * 1024)


def take_letter(config: Config, source: BinaryIO, who: pipe.Envelope) -> None:
    """Store one letter while the service runs or not; it is handled at the service's next look. Raises if it cannot."""
    with told(config.database_url):
        made(config)
    if not room_of(config)():
        raise NoRoom(f"fewer than {config.limits.reserve_mb} MB are free under {config.data_folder}")
    with stored(config) as store:
        pipe.take(store, desk_of(config), clock_of(config), source, who)
