"""The end of a match: who won, how it went, what is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from referee.core.event import Event, PhaseEnded
from referee.core.game import colours_of
from referee.core.names import Role, Seat
from referee.core.page import Drawing, Page, Paragraph, Tally
from referee.core.position import evolved
from referee.core.question import Source
from referee.core.record import Answered, Live
from referee.kit.drawing import FACE, SHAPES, Type, is_light, words
from referee.kit.wording import capital, in_a_row
from referee.mail import Attachment
from referee.service.base import notes
from referee.service.base.letter_facts import Farewell, Frame
from referee.service.base.office import Office
from referee.service.base.ports import Step
from referee.service.match.history import history
from referee.service.match.members import everybody, who_played
from referee.service.match.open_log import proof_of, with_new_key
from referee.service.match.playing import BareHand, Playing, alive_in
from referee.service.match.suspension import end_clock
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.reports import chart_now, map_in_words, reader_of

# ---------------------------------------------------------------- a chart of points over the phases of a match
# Each line is told by its colour, dashes and shape, and by the name beside it.


_COLOURS = ("#1b6ca8", "#b3261e", "#2e7d32", "#8e5a00", "#6a3fa0", "#00838f", "#ad1457", "#455a64")
_DASHES = ("", "8 4", "2 4", "10 3 2 3")
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BELOW = 290, 190, 46, 32, 150, 18
_TYPE = Type("cv-t", 14)
_STYLE = (
    f".cv-t{{{_TYPE.rule};fill:#222}}.cv-g{{stroke:#ddd}}.cv-p{{fill:#fff}}"
    "@media(prefers-color-scheme:dark){.cv-t{fill:#e6e2d6}.cv-g{stroke:#39424a}.cv-p{fill:#1e2429}}"
)
_SHARP = 2
"""Dots of the picture for each unit of the drawing: it is small, so that its letters can be read on a telephone."""
_LINE = 15
"""Pixels that a name needs below the one above it."""
_APART = 30
"""Pixels, at least, from a shape on a line to the next one."""


def curve(points: Mapping[str, Sequence[int]], unit: str, colours: Mapping[str, str] | None = None) -> Drawing:
    """The points of each seat after every phase, in the order of the last ones; as many for each seat, at least two.

    Seats have their `colours` of the game, and the shapes of their places among them; where it gives none, those of this chart.
    """
    seats = sorted(points, key=lambda seat: (-points[seat][-1], seat))
    every = [value for seat in seats for value in points[seat]]
    low, high = min(0, *every), max(1, *every)
    steps = max(1, len(points[seats[0]]) - 1)

    def y(value: float) -> float:
        return round(_TOP + _HEIGHT - (value - low) * _HEIGHT / (high - low), 1)

    marks = sorted({low + (high - low) * part // 4 for part in range(5)})
    drawn = [
        f'<path d="M{_LEFT} {y(mark)}h{_WIDTH}" class="cv-g"/>{words(f"{mark}", _LEFT - 6, y(mark) + 4, _TYPE, anchor=1)}'
        for mark in marks
    ]
    names, shown = _apart([y(points[seat][-1]) for seat in seats]), list[str]()
    known, shapes = [*(colours or {})], [*SHAPES.values()]
    for at, (seat, name) in enumerate(zip(seats, names, strict=True)):
        places = " ".join(
            f"{round(_LEFT + number * _WIDTH / steps, 1)},{y(value)}" for number, value in enumerate(points[seat])
        )
        colour = (colours or {}).get(seat) or _COLOURS[at % len(_COLOURS)]
        shape = shapes[(known.index(seat) if seat in known else at) % len(shapes)]
        drawn.append(
            f'<polyline points="{places}" fill="none" stroke="#777" stroke-width="4.5"/>'
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="3" '
            f'stroke-dasharray="{_DASHES[at % len(_DASHES)]}"/>'
            f'<rect x="{_LEFT + _WIDTH + 9}" y="{name - 7}" width="16" height="14" rx="3" fill="{colour}" stroke="#777"/>'
            f'<path d="{shape}" transform="translate({_LEFT + _WIDTH + 17} {name})" fill="{_ink(colour)}"/>'
            f"{words(f'{seat} {points[seat][-1]}', _LEFT + _WIDTH + 30, name + 4, _TYPE)}"
        )
        shown += [
            f'<path d="{shape}" transform="translate({place.replace(",", " ")})" fill="{colour}" stroke="#333" stroke-width="0.8"/>'
            for place in _every(places.split(), at)
        ]
    wide, tall = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BELOW
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SHARP * wide}" height="{_SHARP * tall}" viewBox="0 0 {wide} {tall}" '
        f'font-family="{FACE}" role="img"><style>{_STYLE}</style>'
        f'<rect width="{wide}" height="{tall}" class="cv-p"/>{words(unit, _LEFT, 18, _TYPE)}'
        f"{''.join((*drawn, *shown))}</svg>"
    )
    ways = "; ".join(f"{seat} {points[seat][0]} to {points[seat][-1]}" for seat in seats)
    return Drawing(svg, f"The course of the match in {unit}: {ways}.")


def _ink(colour: str) -> str:
    return "#000" if is_light(colour) else "#fff"


def _every(places: Sequence[str], first: int) -> Sequence[str]:
    """Some of the places of a line, and its last; on lines that lie on each other the shapes begin at different ones."""
    by = -(-_APART * max(1, len(places) - 1) // _WIDTH)
    return (*places[first % by : -1 : by], places[-1])


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of names, those given or as little below as keeps each readable; they come from the top down."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + _LINE) if placed else height)
    return placed


# ---------------------------------------------------------------- retrospect
# How a match went, worked out from its log when it is over: the points after each phase, where it turned, honours.


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
    """The changes of the lead, the last ones, with their times; the greatest gain and the greatest loss of one phase."""
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
    """Honours that the records that count prove: longest in the lead, never late, most letters to the others."""
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


# ---------------------------------------------------------------- the last letter of a match
# The winner, the course of the match, the last map, honours, the secret of the dice, another match.


def farewell(hand: BareHand, ended: str = "") -> None:
    """Tell everybody how the match went. All that was hidden in it may be told now.

    One that somebody `ended` before its game was over has no winner, and the hand has his reason.
    """
    tally = hand.playing.game.score(hand.playing.outcome.state)
    played = who_played(hand.step, hand.match)
    said = ended or f"{capital(_outcome(tally, played))}."
    why = (Paragraph(f"The reason given: {hand.reason}"),) if ended and hand.reason else ()
    proof = proof_of(hand, hand.playing.outcome.ended[-1].chance if hand.playing.outcome.ended else ())
    moments = course_of(hand.step, hand.playing)
    chart = curve_of(hand.playing, moments, tally.unit)
    told = Farewell(
        frame=Frame("", "", "", ""),
        page=Page(f"{hand.playing.game.title}: the end", said, why),
        tally=tally,
        secret=hand.playing.row.secret.hex(),
        verify=_VERIFY,
        players=played,
        turns=turning_points(moments, tally.unit),
        honours=honours(hand.step, hand.playing, moments, alive_in(hand, hand.playing.row)),
        curve=chart.instead if chart else "",
        diaries=len(notes.DIARY.every(hand.step, hand.match)),
        rematch="REMATCH",
        proof=with_new_key(hand, hand.match, proof),
    )
    subject = "the match is ended" if ended else f"the end: {_outcome(tally, ())}"
    public, files = chart_now(hand.step, hand.playing, Role.OBSERVER), _picture(hand.office, chart)
    for member, player in everybody(hand.step, hand.match):
        framed, seen = frame(hand, member, player), chart_now(hand.step, hand.playing, reader_of(member))
        letter = msgspec.structs.replace(told, frame=framed, map=map_in_words(seen, public))
        mail = Mail("farewell", subject, letter, f"end.{hand.playing.head.seq}", chart=seen, shown=public, files=files)
        post(hand, player, mail, About(hand.playing, member))
    end_clock(hand.step, hand.playing.row)


_VERIFY = (
    "SEND archive brings the whole log; the command 'referee verify FOLDER' checks it, and names what it cannot check.",
    "Any SHA-256 program tells that the fingerprint is that of the secret.",
)


def _outcome(tally: Tally, played: tuple[tuple[str, str], ...]) -> str:
    """The winners, with the names of the persons if they are given."""
    persons = {seat: person.replace(" (", ", ").removesuffix(")") for seat, person in played}
    winners = [f"{seat} ({persons[seat]})" if seat in persons else str(seat) for seat in tally.winners()]
    return f"{in_a_row(winners)} won" if winners else "nobody is ranked"


def _picture(office: Office, chart: Drawing | None) -> tuple[Attachment, ...]:
    if chart is None:
        return ()
    return (Attachment("curve.png", "image/png", office.renderer.picture(chart.svg), "curve@letter"),)
