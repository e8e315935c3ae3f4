"""RULING … SETTING figures: the difference is shown first, and a YES to exactly that carries it out."""

from __future__ import annotations

import hashlib
import re

from referee.core.amend import figures, named
from referee.core.event import Amended, Edit, Ruled
from referee.core.record import Happened
from referee.service.match.playing import Playing, play_on
from referee.service.match.result import Denied, Done
from referee.service.office import Office
from referee.service.overrides.base import notify
from referee.service.ports import Step

_ONE = re.compile(r"(.+?)\s*(?:=|\bto\b|\s)\s*(-?\d{1,9})", re.IGNORECASE)


def edits_of(playing: Playing, written: str) -> tuple[Edit, ...] | Denied:
    """`Spain gold 12, France gold 3` as edits of the position now."""
    if playing.outcome.over:
        return Denied("The match is over; nothing is left to rule on.")
    found = figures(playing.outcome.state, tuple(playing.created.seats))
    edits = []
    for part in filter(None, map(str.strip, re.split(r"[,;]", written))):
        match = _ONE.fullmatch(part)
        if match is None:
            return Denied(f'{part} names no figure and number; write SETTING "Spain gold 12".')
        paths = named(found, match[1])
        if len(paths) != 1:
            some = "; ".join(" ".join(path) for path in (paths or list(found))[:6])
            many = "more than one figure" if paths else "no figure of a seat"
            return Denied(f"{match[1]} names {many}; there are {some or 'none in this game, so REWIND is the way'}.")
        edits.append(Edit(paths[0], found[paths[0]], int(match[2])))
    if any(edit.after < 0 for edit in edits):
        return Denied("No figure of a seat goes below 0.")
    if len({edit.path for edit in edits}) < len(edits):
        return Denied("Each figure can be set once.")
    return tuple(edits) if edits else Denied('Say which figure and to what: SETTING "Spain gold 12".')


def fingerprint(playing: Playing, edits: tuple[Edit, ...]) -> str:
    """Stands for this difference and for no other: what was agreed to is what is done, or nothing is."""
    shown = f"{playing.row.name}/{playing.course}/{'; '.join(edit.sentence() for edit in edits)}"
    return hashlib.sha256(shown.encode()).hexdigest()[:8]


def amend(
    office: Office, step: Step, playing: Playing, by: str, text: str, citing: str, edits: tuple[Edit, ...]
) -> Done:
    """Publish a ruling and set its figures."""
    events = (Ruled(text, by, citing), Amended(by, edits))
    records = [Happened(playing.codec.raw(event)) for event in events]
    playing = play_on(office, step, playing, records, f"game master {by}")
    sentences = (text, *((f"It cites {citing}.",) if citing else ()), *(f"{edit.sentence()}." for edit in edits))
    notify(office, step, playing, "a ruling", sentences, by)
    return Done(("The ruling was published and the figures are set.",), playing)
