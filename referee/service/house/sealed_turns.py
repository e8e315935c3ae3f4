"""The turn of every seat, sealed, in one file beside the archive of its match; who has the key of a slot reads his.

All slots are as large as the smallest class that holds the largest of them, and lie in an order that nobody can reckon who has
not the secret. All of them are there, of those too who owe nothing; the file is written once, when something is asked, and not
touched when somebody files, for it holds nothing that came in since. So its size, its time, and that it is fetched tell nothing.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.service.base.office import At, Encrypt
from referee.service.base.ports import MatchRow, Member, Player
from referee.service.house.choices import TableFile
from referee.service.house.proofs import table_of
from referee.service.match.members import owner_of
from referee.service.match.playing import BareHand, Playing, load, when_asked
from referee.service.post.post import address_for
from referee.service.post.turn_link import Place, is_beside, key_to, number_for, place_of, tag_of, whose

FOLDER = "turns"
"""Where it lies in the folder of the match."""

_CLASSES = [kilobytes * 1024 for kilobytes in (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096)]
_LENGTH = 4
"""Bytes before what is in a slot, that tell how long it is."""

_PRESS = 8 * 1024
"""Bytes that are kept for press in every slot, however much there is: a size tells nobody how much was written."""


class Beside(NamedTuple):
    """The file to be written, if any, by its path in the folder of the match; and those that are of no use any more."""

    files: dict[str, bytes]
    over: frozenset[str]


def _packed(table: TableFile) -> bytes:
    return gzip.compress(msgspec.json.encode(table), 9, mtime=0)


class _Seat(NamedTuple):
    """Whose a slot is, by his seat and reply address, and who that is; None where nobody plays it."""

    whose: str
    owner: tuple[Member, Player] | None


def turns_beside(at: At, row: MatchRow, there: Mapping[str, bytes]) -> Beside:
    """What is to lie beside the archive of a match now, where these files lie already, of which the beginnings are given."""
    playing, encrypt = load(at, row), at.office.encrypt
    place = place_of(at, playing) if encrypt and at.office.site else None
    if place is None or encrypt is None:
        return Beside({}, frozenset(there))
    path = f"{FOLDER}/{place.mark}.js"
    over = frozenset(there) - {path}
    seats = _seats(at, playing, place)
    head = _head(at, playing, place, seats)
    if not is_beside(playing) or there.get(path, b"").startswith(head):
        return Beside({}, over)
    slots = _slots(BareHand(at.office, at.step, when_asked(playing)), place, seats, encrypt)
    return Beside({path: head + slots + b'");\n'}, over)


def _head(at: At, playing: Playing, place: Place, seats: Sequence[_Seat]) -> bytes:
    """How the file begins: of which turn it is, and of which making: another where a seat changes hands, or the program."""
    made = place.mark, playing.game.version, playing.game.build, *(seat.whose for seat in seats)
    return f'sealedTurn("{playing.row.name}.{place.mark}", "{tag_of(at, playing, made)}", {len(seats)}, "'.encode()


def _seats(at: At, playing: Playing, place: Place) -> list[_Seat]:
    owners = [(seat, owner_of(at.step, playing.row.name, seat)) for seat in place.seats]
    return [_Seat(whose(seat, address_for(at, playing, *owner) if owner else ""), owner) for seat, owner in owners]


def _slots(hand: BareHand, place: Place, seats: Sequence[_Seat], encrypt: Encrypt) -> bytes:
    """All slots, one after the other, in Base64: a number, then the seat's turn under its key."""
    tables = [table_of(hand, *seat.owner) if seat.owner else None for seat in seats]
    bare = [_packed(replace(table, press=None)) if table else b"" for table in tables]
    most = _LENGTH + _PRESS + max(map(len, bare))
    room = next((size for size in _CLASSES if size >= most), most)
    whole = [_packed(table) if table and table.press else without for table, without in zip(tables, bare, strict=True)]
    packed = [full if _LENGTH + len(full) <= room else without for full, without in zip(whole, bare, strict=True)]
    digest = hashlib.sha256(b"".join(packed)).digest()
    slots = []
    for slot, seat in enumerate(seats):
        key = key_to(hand, hand.playing, place, seat.whose)
        number = number_for(hand, hand.playing, place, seat.whose, digest)
        text = (len(packed[slot]).to_bytes(_LENGTH, "big") + packed[slot]).ljust(room, b"\0")
        slots.append(number + encrypt(key, number, text, f"{hand.match}/{place.mark}/{slot}".encode()))
    return base64.b64encode(b"".join(slots))
