"""The link that opens a turn: where the sealed turn lies beside the archive, and under which key."""

from __future__ import annotations

import base64
import hmac
import zlib
from collections.abc import Sequence

import msgspec

from referee.core.record import Answered
from referee.service.base.letter_facts import Drawer
from referee.service.base.office import At, page_of_match
from referee.service.base.ports import Alarm, Member, Player
from referee.service.match.members import keeps_quiet
from referee.service.match.playing import BareHand, Playing
from referee.service.post.delivery import wishes_of
from referee.service.post.post import address_for, turn_secret

# It says where the turn lies sealed beside the archive, in which slot, by which key, and what is filed since.
#
# Nothing of it is kept. All of it follows from the secret that reply addresses follow from, which the end of a match does not
# publish, as it does the secret of its dice: so it is the same after a restart, and nobody can reckon it who has only the archive.
# Browsers tell no server the part behind the # of an address.


PAGE, TABLE = "table.html", ".table.json"
"""The page on which one plays, in the folder of every match; how files of turns end."""

_MOST_FILED = 1_200
"""Characters that what is on file may take in a link: mail programs break what is longer than some 2,000."""
_TOO_LONG = "-"


class Place(msgspec.Struct, frozen=True):
    """The turn that waits beside the archive: the `mark` by which all know it, and the seats in the order of their slots."""

    mark: str
    seats: tuple[str, ...]


def place_of(at: At, playing: Playing) -> Place | None:
    """Where the turn that waits lies; None where nobody is asked anything.

    Each time that something is asked it is another one. Where nobody may know who is asked in the middle of a phase, one serves
    for the whole of it: that there is another would tell.
    """
    outcome, quiet = playing.outcome, keeps_quiet(playing)
    if outcome.phase is None or playing.row.status in ("over", "moved") or not (quiet or outcome.open):
        return None
    since = outcome.position.count if quiet else outcome.asked
    mark = base64.b32encode(_derived(at, playing, f"{playing.course}/{since}")[:5]).decode().lower()
    seats = sorted(playing.created.seats, key=lambda seat: _derived(at, playing, f"{mark}/slot of {seat}"))
    return Place(mark, tuple(seats))


def turn_mark(at: At, playing: Playing) -> str:
    """The mark of the turn that waits; "" where the archive is not on the web."""
    place = place_of(at, playing) if at.office.site else None
    return place.mark if place else ""


def is_beside(playing: Playing) -> bool:
    """Whether what is asked now lies beside the archive: not in the middle of a phase where nobody may know who is asked."""
    came = playing.tail[: playing.outcome.asked - playing.position.count]
    return not keeps_quiet(playing) or not any(isinstance(record, Answered) for record in came)


def whose(seat: str, address: str) -> str:
    """The owner of a slot: the next player of the seat has another reply address, and so another key."""
    return f"{seat}/{address}"


def key_to(at: At, playing: Playing, place: Place, whose: str) -> bytes:
    """The key to a slot: HKDF-Expand of RFC 5869, as the secret has its entropy already."""
    return _derived(at, playing, f"{place.mark}/key/{whose}\x01")


def number_for(at: At, playing: Playing, place: Place, whose: str, digest: bytes) -> bytes:
    """The nonce that AES-GCM wants used once for a key: where the sealed text reads otherwise in any place, it is another one."""
    return _derived(at, playing, f"{place.mark}/number/{whose}/{digest.hex()}")[:12]


def tag_of(at: At, playing: Playing, made: Sequence[str]) -> str:
    """The mark that tells one making of a sealed turn from another, and nothing else to a reader without the secret."""
    return _derived(at, playing, f"tag/{'/'.join(made)}")[:8].hex()


def _derived(at: At, playing: Playing, what: str) -> bytes:
    match = playing.row.name
    return hmac.digest(turn_secret(at, match, playing.turn), f"sealed turn/{match}/{what}".encode(), "sha256")


def link_for(hand: BareHand, member: Member, player: Player, due: Alarm | None, filed: Sequence[Drawer] = ()) -> str:
    """The link for a seat's player; "" if there is no page on the web, or he wished none."""
    home, playing = page_of_match(hand.office, hand.match), hand.playing
    place = place_of(hand, playing) if home and hand.office.encrypt and is_beside(playing) else None
    if place is None or member.status != "playing" or not wishes_of(hand.step, player).page:
        return ""
    mine = whose(member.seat, address_for(hand, playing, member, player))
    key = _written(key_to(hand, playing, place, mine))
    parts = [f"t={hand.match}.{place.mark}.{place.seats.index(member.seat)}", f"k={key}"]
    parts += [f"u={int(due.due_at.timestamp())}"] if due else []
    parts += [f"f={packed(filed[0])}"] if filed else []
    return f"{home}{PAGE}#{'&'.join(parts)}"


def packed(drawer: Drawer) -> str:
    """The lines of a sheet on file, as short as they can be; a sign where that is too long for a link."""
    text = "\n".join("  " * line.depth + line.text for line in drawer.lines)
    press = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    found = _written(press.compress(text.encode()) + press.flush())
    return found if len(found) <= _MOST_FILED else _TOO_LONG


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
