"""CLOCK, DAYS, GRACE and HOLIDAYS: a game master changes the clock of a match; deadlines that were told stay."""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace

from referee.moments import hour_at, span_at, words_of
from referee.service.clock.clock_words import CLOCK_WORDS, clock_sentences, read_clock
from referee.service.match.beacons import refuse_beacon
from referee.service.match.hidden_lateness import refuse_hiding
from referee.service.match.playing import Playing
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.overrides.base import log, notify
from referee.service.ports import Player, Step


def pieces_of(written: str) -> list[str]:
    """The settings in a line: `slot 48h, days Mon, Tue and Fri, 18:00` are three. A bare hour is the clock."""
    pieces: list[str] = []
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", written))):
        part = re.sub(r"^at\s+(?=\d)", "", part, flags=re.IGNORECASE)
        if _is_hour(part):
            part = f"clock {part}"
        if part.partition(" ")[0].casefold() in CLOCK_WORDS or not pieces:
            pieces.append(part)
        else:
            pieces[-1] += f" {part}"
    return pieces


def _is_hour(part: str) -> bool:
    """A fixed hour, which no `12h` is and no date."""
    words = words_of(part)
    found = hour_at(words, 0)
    return found is not None and (found[1] > 1 or ("." not in words[0] and span_at(words, 0) is None))


def set_clock(office: Office, step: Step, playing: Playing, by: Player, reason: str, written: str) -> Result:
    """Change settings of the clock for deadlines to come; everybody is told what holds from then on."""
    now = office.clock.now()
    settings = read_clock(playing.settings, pieces_of(written), by.zone, now)
    if isinstance(settings, Denied):
        return settings
    if unfit := refuse_hiding(playing.game, settings) or refuse_beacon(office, settings, playing.settings):
        return unfit
    if settings.manners.anonymous != playing.settings.manners.anonymous:
        return Denied(
            "Whether a match is anonymous is settled when it is created, and cannot be changed once it has begun."
        )
    row = replace(playing.row, settings=msgspec.to_builtins(settings))
    step.save_match(row)
    playing = log(office, step, replace(playing, row=row), f"CLOCK {written}", by.name, reason)
    odd = settings.slots.odd_ends(now)
    sentences = (*clock_sentences(settings), *odd, "Deadlines that were told already stay as they are.")
    notify(office, step, playing, "the clock is set", sentences, by.name, reason)
    return Done(sentences, playing)
