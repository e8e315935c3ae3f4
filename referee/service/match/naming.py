"""What somebody is called: by the name he writes, where it passes for nobody else's."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterator

import msgspec

from referee.core.normal import fold
from referee.mail.characters import one_line
from referee.service.office import At, Office
from referee.service.ports import Player, Step
from referee.service.settings import settings_of

_LONGEST = 60
_LINK = re.compile(r"://|\bwww\.|@|\w\.(?:[a-z]{2,}|[A-Z]{2,})\b")
_OFFICES = ("referee", "game master", "gm")
_SHORT = 6
"""What is shorter may be part of an honest name, as the house "Ann" is of "Annemarie"."""

_PAIRS = (
    ("αβεικνορτυχωϲ", "abeikvoptuxwc"),
    ("авгеікмнопрстухьѕјһԁԛԝӏ", "abreikmhonpctyxbsjhdqwl"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɡɑ", "abcdefghijklmnoprstuvwyzga"),
    ("01345|!i", "oleasll" + "l"),
)
_ALIKE = str.maketrans({a: b for these, those in _PAIRS for a, b in zip(these, those, strict=True)})
"""Letters that look like others, once case, accents and styles are folded; "i" and "l" are one, as "I" and "l" are."""


def name_from(written: str, address: str) -> str:
    """The name of somebody new, as it may stand in letters to others: one line, cut on a word, no link.

    By default the part of his address before the @.
    """
    name = one_line(written)
    return _cut(name) if name and not _LINK.search(name) else _cut(address.partition("@")[0])


def _cut(name: str) -> str:
    return textwrap.shorten(name, _LONGEST, placeholder="") or name[:_LONGEST]


def _looks(name: str) -> str:
    """What names have in common that a hurried reader takes for the same."""
    plain = fold(name).translate(_ALIKE).replace("rn", "m").replace("vv", "w")
    return "".join(letter for letter in plain if letter.isalnum()) or plain


def _pretends(office: Office, name: str) -> bool:
    """Whether a name could be taken for the referee's or for a game master's office."""
    looks = _looks(name)
    known = [_looks(each) for each in (office.name, *_OFFICES)]
    return any(each == looks or (len(each) >= _SHORT and each in looks) for each in known)


def _others(step: Step, match: str, player: int) -> Iterator[Player]:
    """Those of a match whose names others read; players of an anonymous one are known to nobody."""
    row = step.match(match)
    hidden = row is not None and row.status != "over" and settings_of(row.settings).manners.anonymous
    for member in step.members(match):
        if (
            member.player != player
            and member.status not in ("left", "replaced")
            and (member.role == "gm" or not hidden)
        ):
            found = step.player(member.player)
            if found is not None:
                yield found


def _mistaken(at: At, player: int, name: str, matches: Iterator[str]) -> str:
    """Why a name is not taken, as half a sentence; "" where it is."""
    if _pretends(at.office, name):
        return f'"{name}" could be taken for the referee or a game master'
    for match in matches:
        if any(_looks(other.name) == _looks(name) for other in _others(at.step, match, player)):
            return f'"{name}" could be taken for another member of {match}'
    return ""


def refuse_name(at: At, player: Player, name: str) -> str:
    """Why somebody cannot be called so in his matches; "" where he can."""
    if not name or _LINK.search(name):
        return "A name is words alone, without an address; write SET name Anna Smith."
    mine = (member.match for member in at.step.memberships(player.id) if member.status not in ("left", "replaced"))
    why = _mistaken(at, player.id, name, mine)
    return why and f"You are still called {player.name}, for {why}; SET name and another one changes that."


def call_otherwise(at: At, match: str, player: Player) -> tuple[Player, str]:
    """Somebody who takes part in a match now, under a name that passes for nobody else's; the sentence that tells him."""
    why = _mistaken(at, player.id, player.name, iter((match,)))
    if not why:
        return player, ""
    local = _cut(player.addresses[0].partition("@")[0])
    base = "player" if _pretends(at.office, local) else local
    names = itertools.chain((local,), (f"{base} {number}" for number in itertools.count(2)))
    name = next(name for name in names if not _mistaken(at, player.id, name, iter((match,))))
    named = at.step.save_player(msgspec.structs.replace(player, name=name))
    return named, f"You are called {name} here, for {why}; SET name and another one changes that."
