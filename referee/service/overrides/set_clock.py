"""CLOCK, DAYS, GRACE and HOLIDAYS: a game master changes the clock of a match; deadlines that were told stay."""

from __future__ import annotations

import re

import msgspec

from referee.moments import hour_at, span_at, words_of
from referee.service.clock.clock_words import CLOCK_WORDS, clock_sentences, read_clock
from referee.service.match.hidden_lateness import refuse_hiding
from referee.service.match.house_rules import refuse_beacon
from referee.service.match.result import Told, heed, need
from referee.service.overrides.hand import Hand


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


def set_clock(hand: Hand, written: str) -> Told:
    """Change settings of the clock for deadlines to come; everybody is told what holds from then on."""
    before = hand.playing.settings
    settings = read_clock(before, pieces_of(written), hand.player.zone, hand.now)
    heed(refuse_hiding(hand.playing.game, settings) or refuse_beacon(hand.office, settings, before))
    same = settings.manners.anonymous == before.manners.anonymous
    need(same, "Whether a match is anonymous is settled when it is created, and cannot be changed once it has begun.")
    hand.save(settings=msgspec.to_builtins(settings))
    hand.log(f"CLOCK {written}")
    odd = settings.slots.odd_ends(hand.now)
    sentences = (*clock_sentences(settings), *odd, "Deadlines that were told already stay as they are.")
    return hand.tell("the clock is set", sentences)
