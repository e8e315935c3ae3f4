"""The change-of-mind delay: how long a complete order sheet waits before its turn runs, also while the clock stands."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.service import notes
from referee.service.clock.slot_life import MIND, Happening, happens, stands_still
from referee.service.match.hand import BareHand
from referee.service.ports import Alarm, Step
from referee.service.remembered import KeptAlarm

_NEXT = "next"


def kept_clock(step: Step, match: str) -> list[KeptAlarm]:
    """What a paused match will go on with."""
    return notes.PAUSED.of(match).read(step) or []


def keep_clock(step: Step, match: str, kept: list[KeptAlarm] | None) -> None:
    """Keep it, or forget it (None)."""
    notes.PAUSED.of(match).keep(step, kept)


def start_delay(hand: BareHand, key: str, seat: str, now: datetime) -> None:
    """The turn runs after the delay, unless WAIT holds it; in a match that stands still the delay runs from RESUME."""
    if hand.status == "over":
        return
    if is_held(hand, key, seat):
        stop_delay(hand, key)
        return
    match, minutes = hand.match, hand.playing.settings.mind_minutes
    if stands_still(hand.playing.row):
        happens(hand.step, hand.playing.row, key, Happening.COMPLETE)
        keep_clock(hand.step, match, [*_without_delay(hand.step, match, key), KeptAlarm(MIND, key, seat, minutes * 60)])
    else:
        runs = Alarm(match, MIND, key, now + timedelta(minutes=minutes), seat)
        happens(hand.step, hand.playing.row, key, Happening.COMPLETE, sets=[runs])


def stop_delay(hand: BareHand, key: str) -> None:
    """The turn does not run before its deadline; in a match that was ended no turn runs at all."""
    if hand.status == "over":
        return
    happens(hand.step, hand.playing.row, key, Happening.RECONSIDERED)
    if stands_still(hand.playing.row):
        keep_clock(hand.step, hand.match, _without_delay(hand.step, hand.match, key))


def _without_delay(step: Step, match: str, key: str) -> list[KeptAlarm]:
    return [k for k in kept_clock(step, match) if (k.kind, k.key) != (MIND, key)]


def hold(hand: BareHand, key: str, seat: str) -> None:
    """WAIT: this turn, or the seat's next one when it has none now (key ""), waits for its deadline."""
    notes.WAIT.of(hand.match, seat).keep(hand.step, key or _NEXT)
    if key:
        stop_delay(hand, key)


def release(hand: BareHand, seat: str) -> None:
    """NO WAIT: turns run after the delay again."""
    notes.WAIT.of(hand.match, seat).forget(hand.step)


def is_held(hand: BareHand, key: str, seat: str) -> bool:
    """Whether WAIT holds this turn; a WAIT written ahead is spent on it."""
    held = notes.WAIT.of(hand.match, seat).read(hand.step)
    if held == _NEXT:
        notes.WAIT.of(hand.match, seat).keep(hand.step, key)
    return held in (key, _NEXT)
