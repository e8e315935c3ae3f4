"""Blocks of free text in a letter: PRESS TO list, BROADCAST, DIARY, OFFER TO list, each up to a line END.

They are taken out before the orders are read, so that nothing a player writes to another is ever read as an order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from referee.orders import did_you_mean

Tone = Literal["", "signed", "grey"]

EVERYBODY = ("all", "everybody", "everyone")
GAME_MASTER = "game master"
NOBODY: Mapping[str, str] = MappingProxyType({})
_MASTERS = ("game master", "gm", "master", "referee")

_HEAD = re.compile(
    r"\s*(?P<kind>PRESS|BROADCAST|DIARY|OFFER)(?:\s+(?P<tone>GREY|GRAY|SIGNED))?(?:\s+TO\b(?P<to>[^:]*))?\s*:?\s*", re.I
)
_END = re.compile(r"\s*END[\s.!:]*", re.I)
_OPENS = re.compile(r"\s*(STANDING|IF|PREVIEW|FOR\s+TURN)\b", re.I)


class Block(msgspec.Struct, frozen=True):
    """A block as written. `kind`: press, broadcast, diary, offer; `number` and `heading` are those of its first line."""

    kind: str
    tone: Tone
    to: str
    text: str
    number: int
    heading: str
    closed: bool


class Addressed(msgspec.Struct, frozen=True):
    """Whom a list names: seats in the order of play, perhaps with the game master; or what is `wrong` with it."""

    to: tuple[str, ...] = ()
    wrong: str = ""


def _head(line: str, kinds: Collection[str]) -> tuple[str, Tone, str] | None:
    """Kind, tone and addressees of a heading; None for any other line, which is left to the reader of orders."""
    found = _HEAD.fullmatch(line)
    kind = found["kind"].lower() if found else ""
    if found is None or kind not in kinds or (kind in ("press", "offer")) != (found["to"] is not None):
        return None
    written = (found["tone"] or "").lower()
    tone: Tone = "" if not written else "signed" if written == "signed" else "grey"
    return kind, tone, (found["to"] or "").strip()


def blocks_apart(text: str, kinds: Collection[str]) -> tuple[tuple[Block, ...], str]:
    """The blocks of these kinds, and the rest of the text with their lines emptied, so that line numbers stay true.

    A block that no END closes goes on to the end of the letter: nothing of it is carried out unasked.
    After the END that ends the letter there are none.
    """
    small = text.lower()
    if not any(kind in small for kind in kinds):
        return (), text
    lines, found, rest = text.split("\n"), [], []
    depth = at = 0
    while at < len(lines):
        head = _head(lines[at], kinds) if depth >= 0 else None
        if head is None:
            depth += bool(_OPENS.match(lines[at])) - bool(_END.fullmatch(lines[at]))
            rest.append(lines[at])
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if _END.fullmatch(lines[n])), len(lines))
        body = "\n".join(line.rstrip() for line in lines[at + 1 : end]).strip("\n")
        found.append(Block(*head, body, at + 1, lines[at].strip(), end < len(lines)))
        rest += [""] * (min(end + 1, len(lines)) - at)
        at = end + 1
    return tuple(found), "\n".join(rest)


def addressed(written: str, seats: Collection[str], own: str, people: Mapping[str, str] = NOBODY) -> Addressed:
    """Whom a list of seats, ALL or the game master means; shortened names while they stay unique.

    `people` are names of persons that may be used for their seats.
    """
    others = [seat for seat in seats if seat != own]
    chosen: set[str] = set()
    for name in filter(None, (" ".join(part.split()) for part in re.split(r",|;|\band\b", written, flags=re.I))):
        if name.casefold() in EVERYBODY:
            chosen |= set(others)
        elif name.casefold() in _MASTERS:
            chosen.add(GAME_MASTER)
        else:
            near = [s for s in seats if s.casefold() == name.casefold()] or [
                s for s in seats if s.casefold().startswith(name.casefold())
            ]
            near = [people[name.casefold()]] if len(near) != 1 and name.casefold() in people else near
            if len(near) != 1:
                return Addressed((), _unknown(name, near, seats))
            if near[0] == own:
                return Addressed((), f"{own} is your own seat; name another, or write DIARY for a note to yourself.")
            chosen.add(near[0])
    if not chosen:
        return Addressed((), f"Name whom it is for after TO: {', '.join(others)}, ALL or game master.")
    return Addressed(tuple(s for s in (*seats, GAME_MASTER) if s in chosen))


def _unknown(name: str, near: list[str], seats: Collection[str]) -> str:
    if near:
        return f"{name} may mean {' or '.join(near)}; write the name out."
    guess = did_you_mean(name, list(seats))
    hint = f"Did you mean {' or '.join(guess)}?" if guess else f"The seats are {', '.join(seats)}."
    return f"{name} is no seat of this match. {hint} ALL and game master are known too."
