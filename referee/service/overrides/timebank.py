"""EXTEND: each player has so much time of his own in a match, and spends it on his deadlines as he likes."""

from __future__ import annotations

from datetime import timedelta

from referee.service import notes
from referee.service.clock.away import player_of
from referee.service.clock.clocks import move, table_of, too_far
from referee.service.clock.slot_life import DEADLINE, Happening
from referee.service.match.playing import Playing
from referee.service.match.result import Told, heed, need
from referee.service.overrides.hand import Hand
from referee.service.ports import Step
from referee.service.times import both_stamps, length, stamp

_USUAL = timedelta(hours=24)


def _spent(step: Step, playing: Playing, seat: str) -> timedelta:
    return _bank(step, playing.row.name, seat).read(step) or timedelta()


def _bank(step: Step, match: str, seat: str) -> notes.Slip[timedelta]:
    return notes.TIME_BANK.of(match, seat, player_of(step, match, seat))


def left_in_bank(step: Step, playing: Playing, seat: str) -> timedelta:
    """What is left of the time of a seat's player."""
    return max(timedelta(hours=playing.settings.bank_hours) - _spent(step, playing, seat), timedelta())


def extend(hand: Hand, wanted: timedelta | None) -> Told:
    """Move a player's own deadlines later at the cost of his bank; a day, or what is left of it, when he names no time."""
    step, playing, seat = hand.step, hand.playing, hand.seat
    left = left_in_bank(step, playing, seat)
    mine = [a for a in step.alarms(hand.match) if a.kind == DEADLINE and a.seat == seat]
    need(playing.settings.bank_hours, "There is no time bank in this match; ask the game master for more time.")
    need(mine, "No deadline of yours is running, so there is none to extend.")
    span = min(_USUAL, left) if wanted is None else wanted
    need(timedelta() < span <= left, f"Your time bank has {_said(left)} left; write EXTEND and no more than that.")
    tables = {alarm.key: table_of(playing, alarm.key) for alarm in mine}
    moved = [(alarm, tables[alarm.key].pushed(tables[alarm.key].later(alarm.due_at, span))) for alarm in mine]
    heed(too_far((due for _, due in moved), hand.now))
    for alarm, due in moved:
        move(step, playing, alarm, due, hand.now, Happening.EXTENDED)
    _bank(step, hand.match, seat).keep(step, _spent(step, playing, seat) + span)
    rest = _said(left - span)

    def told(zone: str) -> tuple[str, ...]:
        times = tuple(
            f"{seat} now has until {both_stamps(due, zone)}; it was {stamp(alarm.due_at, zone)}."
            for alarm, due in moved
        )
        return (f"{seat} spends {length(span)} of a time bank; {rest} is left in it.", *times)

    with hand.signing(seat):
        hand.log(f"EXTEND {seat} {length(span)}", f"player of {seat}")
        return hand.tell(f"{seat} takes more time", told, about=seat, zone=hand.player.zone)


def _said(span: timedelta) -> str:
    return length(span) if span >= timedelta(minutes=1) else "nothing"
