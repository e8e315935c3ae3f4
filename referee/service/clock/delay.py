"""The change-of-mind delay: how long a complete order sheet waits before its turn runs, also while the clock stands."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.service import notes
from referee.service.clock.slot_life import MIND, Happening, happens, stands_still
from referee.service.match.playing import Playing
from referee.service.ports import Alarm, Step
from referee.service.remembered import KeptAlarm

_NEXT = "next"


def kept_clock(step: Step, match: str) -> list[KeptAlarm]:
    """What a paused match will go on with."""
    return notes.PAUSED.of(match).read(step) or []


def keep_clock(step: Step, match: str, kept: list[KeptAlarm] | None) -> None:
    """Keep it, or forget it (None)."""
    notes.PAUSED.of(match).keep(step, kept)


def start_delay(step: Step, playing: Playing, key: str, seat: str, now: datetime) -> None:
    """The turn runs after the delay, unless WAIT holds it; in a match that stands still the delay runs from RESUME."""
    if playing.row.status == "over":
        return
    if is_held(step, playing, key, seat):
        stop_delay(step, playing, key)
        return
    match, minutes = playing.row.name, playing.settings.mind_minutes
    if stands_still(playing.row):
        happens(step, playing.row, key, Happening.COMPLETE)
        keep_clock(step, match, [*_without_delay(step, match, key), KeptAlarm(MIND, key, seat, minutes * 60)])
    else:
        runs = Alarm(match, MIND, key, now + timedelta(minutes=minutes), seat)
        happens(step, playing.row, key, Happening.COMPLETE, sets=[runs])


def stop_delay(step: Step, playing: Playing, key: str) -> None:
    """The turn does not run before its deadline; in a match that was ended no turn runs at all."""
    if playing.row.status == "over":
        return
    happens(step, playing.row, key, Happening.RECONSIDERED)
    if stands_still(playing.row):
        keep_clock(step, playing.row.name, _without_delay(step, playing.row.name, key))


def _without_delay(step: Step, match: str, key: str) -> list[KeptAlarm]:
    return [k for k in kept_clock(step, match) if (k.kind, k.key) != (MIND, key)]


def hold(step: Step, playing: Playing, key: str, seat: str) -> None:
    """WAIT: this turn, or the seat's next one when it has none now (key ""), waits for its deadline."""
    notes.WAIT.of(playing.row.name, seat).keep(step, key or _NEXT)
    if key:
        stop_delay(step, playing, key)


def release(step: Step, playing: Playing, seat: str) -> None:
    """NO WAIT: turns run after the delay again."""
    notes.WAIT.of(playing.row.name, seat).forget(step)


def is_held(step: Step, playing: Playing, key: str, seat: str) -> bool:
    """Whether WAIT holds this turn; a WAIT written ahead is spent on it."""
    held = notes.WAIT.of(playing.row.name, seat).read(step)
    if held == _NEXT:
        notes.WAIT.of(playing.row.name, seat).keep(step, key)
    return held in (key, _NEXT)
