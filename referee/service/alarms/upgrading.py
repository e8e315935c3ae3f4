"""Another program starts on what one before it left: each match is looked after at once, and what broke is tried again."""

from __future__ import annotations

import logging
from contextlib import suppress

from referee.kit.missing import why_missing
from referee.service import notes
from referee.service.match.playing import Playing, remember
from referee.service.match.result import Denial
from referee.service.office import At, Office
from referee.service.overrides.hand import Hand
from referee.service.overrides.moderate import resume_match
from referee.service.ports import NotNow
from referee.service.turns.halting import HELD, release
from referee.service.turns.renewing import ready

_log = logging.getLogger(__name__)
_BEFORE_THIS_PROGRAM = 1_000_000


def look_after_all(office: Office) -> int:
    """Once for each program that works here: how many matches were looked after.

    Open phases go on by the rules as they are, so that everybody hears at once what differs; matches that stood still for a
    fault go on where they can, with the letters that were kept for them; letters that broke the program before are tried again.
    """
    with office.store.look() as step:
        if not office.build or notes.BUILD.of().read(step) == office.build:
            return 0
        kept = {letter.match for letter in step.letters(HELD, limit=_BEFORE_THIS_PROGRAM)}
        begun = [row for row in step.matches() if row.status != "forming"]
        names = [
            row.name for row in begun if row.status in ("running", "paused", "sealed", "shunted") or row.name in kept
        ]
    for name in names:
        _look_after(office, name)
    with office.store.step() as step:
        for letter in step.letters("shunted", limit=_BEFORE_THIS_PROGRAM):
            step.finish_letter(letter.id, "new", f"tried again by another program: {letter.verdict}", was="shunted")
        notes.MISSING.of().keep(step, {name: why for name, game in office.games.items() if (why := why_missing(game))})
        notes.BUILD.of().keep(step, office.build)
    return len(names)


def _look_after(office: Office, match: str) -> None:
    try:
        with office.step() as at:
            playing = _gone_on(at, match)
    except NotNow:
        raise
    except Exception:  # of this match alone, and it stands as it stood: letters to it, and its deadlines, meet it again
        _log.exception("%s could not be looked after", match)
        return
    if playing is not None:
        remember(playing)
        office.ran(match)


def _gone_on(at: At, match: str) -> Playing | None:
    row = at.step.match(match)
    if row is None:
        return None
    playing = ready(at, row)
    if playing.fault:
        return None
    if row.status == "shunted":
        hand = Hand(at.office, at.step, playing, by=at.office.name, reason="a newer version of the referee runs")
        with suppress(Denial):
            resume_match(hand)
        return hand.playing
    release(at.step, match)
    return playing
