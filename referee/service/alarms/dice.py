"""The dice of a sealed match fall: its round was found, or was waited for long enough."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from referee.core.record import Opened, Record, Sealed
from referee.service.clock.slot_life import DICE
from referee.service.clock.standing_still import go_on
from referee.service.office import At, Office
from referee.service.overrides.hand import Hand
from referee.service.people.abandonment import look_after
from referee.service.ports import Alarm
from referee.service.turns.advance import run
from referee.service.turns.awaiting import Underway, look_after_then, look_again, underway
from referee.service.turns.halting import release

_AHEAD = timedelta(days=1)
"""Looks for rounds that lie further ahead than this are due when they are."""


def found_now(at: At, limit: int) -> list[Alarm]:
    """The looks for rounds that are due later, of which the round was found meanwhile."""
    if at.office.randomness is None:
        return []
    beacon, now = at.office.randomness.beacon, at.now
    later = (alarm for alarm in at.step.due_alarms(now + _AHEAD, limit, DICE) if alarm.due_at > now)
    return [alarm for alarm in later if beacon.found(int(alarm.key))]


def dice_fall(hand: Hand, alarm: Alarm) -> None:
    """Open the seal by its round, or without it after the longest wait, and run on; else look again soon."""
    seal, before = hand.playing.outcome.sealed, underway(alarm).looks(hand.now.timestamp())
    opened = _opened(hand.office, seal, before) if seal else None
    if seal and opened is None:
        look_again(hand.step, alarm, seal.round, before, hand.now)
    else:
        _fall(hand, [opened] if opened else [], before)


def _fall(hand: Hand, opened: Sequence[Record], before: Underway) -> None:
    """The clock goes on, letters that were held come back, and what was under way is run to its end."""
    go_on(hand)
    hand.save(status="running")
    release(hand.step, hand.match)
    run(hand, opened, before.cause, at_deadline=before.at_deadline, by=before.by, asked=set(before.asked))
    for key, seat in before.seats.items():
        if hand.waits:
            look_after_then(hand.step, hand.match, seat, key)
        else:
            look_after(hand, seat, key)


def _opened(office: Office, seal: Sealed, so_far: Underway) -> Opened | None:
    """The round, or why there is none; None while it may still come."""
    number = seal.again or seal.number
    if office.randomness is None:
        return Opened(number, why="the beacon is set up no longer")
    beacon, longest = office.randomness.beacon, office.randomness.longest
    beacon.seek(seal.round)
    signature = beacon.found(seal.round)
    if signature is not None:
        return Opened(number, signature.hex())
    if not so_far.waited or timedelta(seconds=so_far.waited) < longest:
        return None
    minutes = longest.total_seconds() / 60
    return Opened(number, why=f"no relay of {beacon.name} brought round {seal.round} within {minutes:g} minutes")
