"""EXTEND: each player has so much time of his own in a match, and spends it on his deadlines as he likes."""

from __future__ import annotations

from datetime import timedelta

from referee.service import notes
from referee.service.clock.away import player_of
from referee.service.clock.clocks import move, table_of
from referee.service.clock.slot_life import DEADLINE, Happening
from referee.service.match.playing import Playing
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.overrides.base import TOO_FAR, is_too_far, log, notify
from referee.service.ports import Player, Step
from referee.service.times import both_stamps, length, stamp

_USUAL = timedelta(hours=24)


def _spent(step: Step, playing: Playing, seat: str) -> timedelta:
    return _bank(step, playing.row.name, seat).read(step) or timedelta()


def _bank(step: Step, match: str, seat: str) -> notes.Slip[timedelta]:
    return notes.TIME_BANK.of(match, seat, player_of(step, match, seat))


def left_in_bank(step: Step, playing: Playing, seat: str) -> timedelta:
    """What is left of the time of a seat's player."""
    return max(timedelta(hours=playing.settings.bank_hours) - _spent(step, playing, seat), timedelta())


def extend(office: Office, step: Step, playing: Playing, player: Player, seat: str, wanted: timedelta | None) -> Result:
    """Move a player's own deadlines later at the cost of his bank; a day, or what is left of it, when he names no time."""
    match, left = playing.row.name, left_in_bank(step, playing, seat)
    mine = [a for a in step.alarms(match) if a.kind == DEADLINE and a.seat == seat]
    if not playing.settings.bank_hours:
        return Denied("There is no time bank in this match; ask the game master for more time.")
    if not mine:
        return Denied("No deadline of yours is running, so there is none to extend.")
    span = min(wanted or _USUAL, left) if wanted is None else wanted
    if not timedelta() < span <= left:
        return Denied(f"Your time bank has {_said(left)} left; write EXTEND and no more than that.")
    now = office.clock.now()
    tables = {alarm.key: table_of(playing, alarm.key) for alarm in mine}
    moved = [(alarm, tables[alarm.key].pushed(tables[alarm.key].later(alarm.due_at, span))) for alarm in mine]
    if is_too_far((due for _, due in moved), now):
        return Denied(TOO_FAR)
    for alarm, due in moved:
        move(step, playing, alarm, due, now, Happening.EXTENDED)
    _bank(step, match, seat).keep(step, _spent(step, playing, seat) + span)
    rest = _said(left - span)

    def told(zone: str) -> tuple[str, ...]:
        times = tuple(
            f"{seat} now has until {both_stamps(due, zone)}; it was {stamp(alarm.due_at, zone)}."
            for alarm, due in moved
        )
        return (f"{seat} spends {length(span)} of a time bank; {rest} is left in it.", *times)

    playing = log(office, step, playing, f"EXTEND {seat} {length(span)}", seat, "", f"player of {seat}")
    notify(office, step, playing, f"{seat} takes more time", told, seat, about=seat)
    return Done(told(player.zone), playing)


def _said(span: timedelta) -> str:
    return length(span) if span >= timedelta(minutes=1) else "nothing"
