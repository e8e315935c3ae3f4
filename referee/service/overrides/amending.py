"""RULING … SETTING figures: the difference is shown first, and a YES to exactly that carries it out."""

from __future__ import annotations

import hashlib
import re

from referee.core.amend import figures, named
from referee.core.event import Amended, Edit, Ruled
from referee.core.record import Happened
from referee.service.match.playing import Playing
from referee.service.match.result import Denial, Told, need
from referee.service.overrides.hand import Hand

_ONE = re.compile(r"(.+?)\s*(?:=|\bto\b|\s)\s*(-?\d{1,9})", re.IGNORECASE)


def edits_of(playing: Playing, written: str) -> tuple[Edit, ...]:
    """`Spain gold 12, France gold 3` as edits of the position now."""
    need(not playing.outcome.over, "The match is over; nothing is left to rule on.")
    found = figures(playing.outcome.state, tuple(playing.created.seats))
    edits = []
    for part in filter(None, map(str.strip, re.split(r"[,;]", written))):
        match = _ONE.fullmatch(part)
        if match is None:
            raise Denial(f'{part} names no figure and number; write SETTING "Spain gold 12".')
        paths = named(found, match[1])
        if len(paths) != 1:
            some = "; ".join(" ".join(path) for path in (paths or list(found))[:6])
            many = "more than one figure" if paths else "no figure of a seat"
            raise Denial(f"{match[1]} names {many}; there are {some or 'none in this game, so REWIND is the way'}.")
        edits.append(Edit(paths[0], found[paths[0]], int(match[2])))
    need(all(edit.after >= 0 for edit in edits), "No figure of a seat goes below 0.")
    need(len({edit.path for edit in edits}) == len(edits), "Each figure can be set once.")
    need(edits, 'Say which figure and to what: SETTING "Spain gold 12".')
    return tuple(edits)


def fingerprint(playing: Playing, edits: tuple[Edit, ...]) -> str:
    """Stands for this difference and for no other: what was agreed to is what is done, or nothing is."""
    shown = f"{playing.row.name}/{playing.course}/{'; '.join(edit.sentence() for edit in edits)}"
    return hashlib.sha256(shown.encode()).hexdigest()[:8]


def amend(hand: Hand, text: str, citing: str, edits: tuple[Edit, ...]) -> Told:
    """Publish a ruling and set its figures."""
    events = (Ruled(text, hand.by, citing), Amended(hand.by, edits))
    records = [Happened(hand.playing.codec.raw(event)) for event in events]
    hand.add(records, f"game master {hand.by}")
    cites = (f"It cites {citing}.",) if citing else ()
    hand.tell("a ruling", (text, *cites, *(f"{edit.sentence()}." for edit in edits)))
    return ("The ruling was published and the figures are set.",)
