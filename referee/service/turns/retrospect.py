"""How a match went, worked out from its log when it is over: the points after each phase, where it turned, honours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from referee.core.amend import evolved
from referee.core.event import Event, PhaseEnded
from referee.core.game import colours_of
from referee.core.names import Seat
from referee.core.page import Drawing, Tally
from referee.core.question import Source
from referee.core.record import Answered, Live
from referee.kit.wording import in_a_row
from referee.service import notes
from referee.service.match.history import history
from referee.service.match.playing import Playing
from referee.service.ports import Step
from referee.service.turns.curve import curve


class Moment(NamedTuple):
    """The end of a phase: its title, everybody's points, and who was first."""

    title: str
    points: Mapping[Seat, int]
    first: tuple[Seat, ...]


class Course(NamedTuple):
    """The phases that have ended, where everybody stands after the last, and the position that the events so far fold to.

    No moments where nobody is ranked.
    """

    moments: tuple[Moment, ...]
    tally: Tally
    state: Any


def course_of(step: Step, playing: Playing) -> tuple[Moment, ...]:
    """The match phase by phase; nothing where nobody is ranked."""
    return gone_on(playing, at_first(playing), history(step, playing)).moments


def at_first(playing: Playing) -> Course:
    """Before anything has happened."""
    state = playing.game.setup(playing.created.seats, playing.created.options)
    return Course((), playing.game.score(state), state)


def gone_on(playing: Playing, course: Course, events: Iterable[Event]) -> Course:
    """The course with what has happened next."""
    game, moments, tally, state = playing.game, list(course.moments), course.tally, course.state
    for event in events:
        state = evolved(game, state, event)
        if isinstance(event, PhaseEnded):
            tally = game.score(state)
            points = {standing.seat: standing.score for standing in tally.standings}
            if tally.ranked and set(points) >= set(playing.created.seats):
                moments.append(Moment(event.title, points, tally.winners()))
    return Course(tuple(moments), tally, state)


def curve_of(playing: Playing, moments: Sequence[Moment], unit: str) -> Drawing | None:
    """The chart of the points; None for a match too short to have a course."""
    if len(moments) < 2:
        return None
    points = {str(seat): [moment.points.get(seat, 0) for moment in moments] for seat in moments[-1].points}
    return curve(points, unit, colours_of(playing.game))


def turning_points(moments: Sequence[Moment], unit: str) -> tuple[str, ...]:
    """Who took the lead and when, the last times; the greatest gain and the greatest loss of one phase."""
    return (*_leads(moments, unit)[-_LEADS:], *_leap(moments, unit, 1), *_leap(moments, unit, -1))


_LEADS = 3
"""Changes of the lead that are told; there may be many, and the last ones decided."""


def _leads(moments: Sequence[Moment], unit: str) -> list[str]:
    """Each time that one seat came to lead alone whom another had led before it."""
    told, leader = [], ""
    for moment in moments:
        if len(moment.first) == 1 and moment.first[0] != leader:
            seat, before = moment.first[0], leader
            leader = seat
            if before:
                told.append(f"{seat} takes the lead from {before}, with {moment.points[seat]} {unit} ({moment.title}).")
    return told


def _leap(moments: Sequence[Moment], unit: str, sign: int) -> list[str]:
    leaps = [
        (sign * (now.points[seat] - before.points[seat]), now.title, seat)
        for before, now in pairwise(moments)
        for seat in now.points
        if before.points.get(seat)  # what the set-up brings is no turn of fortune
    ]
    most, title, seat = max(leaps, key=lambda leap: leap[0], default=(0, "", Seat("")))
    what = "gains" if sign > 0 else "loses"
    return [f"{seat} {what} {most} {unit}, the most of anybody at one go ({title})."] if most > 0 else []


def honours(step: Step, playing: Playing, moments: Sequence[Moment], alive: Sequence[Live]) -> tuple[str, ...]:
    """What the records that count prove to anybody's credit: longest in the lead, never late, most letters to the others."""
    led = Counter(moment.first[0] for moment in moments if len(moment.first) == 1)
    texts = notes.PRESS.every(step, playing.row.name)
    wrote = Counter({seat: sum(not text.grey for text in written) for seat, written in texts.items() if seat})
    told = []
    for leader, phases in led.most_common(1):
        told.append(f"Longest in the lead: {leader}, after {phases} of {len(moments)} phases.")
    if punctual := _punctual(playing, alive):
        everybody = len(punctual) == len(playing.created.seats)
        told.append(f"Never late: {'everybody' if everybody else in_a_row(punctual)}.")
    for writer, letters in wrote.most_common(1):
        told += [f"Most letters to the others: {writer}, {letters}."] if letters else []
    return tuple(told)


def _punctual(playing: Playing, alive: Sequence[Live]) -> list[Seat]:
    """The seats whose order sheets all came themselves and in time."""
    closed = [entry.record for entry in alive if isinstance(entry.record, Answered)]
    sheets = [answer for answer in closed if answer.key.rpartition("/")[2].startswith("orders")]
    missed = {a.seat for a in sheets if a.late_by or a.source is not Source.PLAYER}
    return [seat for seat in playing.created.seats if seat in {a.seat for a in sheets} - missed]
