"""Where a match stands between two phases: folded from its log, with every order sheet on file; and what a reader knows of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import count as numbers_from
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from referee.core.amend import evolved
from referee.core.event import Event, PhaseEnded
from referee.core.game import Game, JudgesInTime, Options
from referee.core.names import Reader, Seat
from referee.core.order import Hinge, Intent, Under, due
from referee.core.question import Question
from referee.core.record import Codec, Created, Filed, Given, Happened, If, Record, Sheet

S = TypeVar("S")

Drawers = Mapping[tuple[Seat, str], Sheet]
"""Order sheets on file by (seat, drawer); the drawers are named at core.record.Filed."""


class Diverged(Exception):
    """A script did not repeat what the log says it did. Nothing may be written; a person must look."""


class Unfoldable(Exception):
    """These rules cannot take in an event of the log. `reached` is how far they get: the last boundary before it."""

    def __init__(self, why: str, reached: Folded[Any]) -> None:
        super().__init__(why)
        self.reached = reached


class Position(msgspec.Struct, Generic[S], frozen=True):
    """A match between two phases, with all sheets on file: enough to run its next phase again."""

    state: S
    drawers: dict[tuple[Seat, str], Sheet]
    count: int
    """How many live records lie before it."""


class Folded(NamedTuple, Generic[S]):
    """The last boundary between phases in live records, the records since, and all events."""

    position: Position[S]
    tail: tuple[Record, ...]
    events: tuple[Event, ...]


def start(game: Game[S], created: Created) -> Position[S]:
    """The position before the first phase."""
    created = completed(game, created)
    return Position(game.setup(created.seats, created.options), {}, 1)


def completed(game: Game[S], created: Created) -> Created:
    """The first record with the default of every setting that the game has got since."""
    options = {setting.name: setting.default for setting in game.settings} | created.options
    return msgspec.structs.replace(created, options=options)


def intents_in(game: Game[S], codec: Codec, state: S, seat: Seat, sheet: Sheet) -> tuple[Intent, ...]:
    """The intents of a sheet. Its conditions go with them where the game judges them in time; else they are judged now."""
    found = tuple(_hung(codec, sheet, (), numbers_from()))
    return found if _judges_in_time(type(game)) else in_force(game, state, seat, found)


@cache
def _judges_in_time(kind: type[Any]) -> bool:
    """Asked of its class, once; an object is looked through anew each time."""
    return isinstance(kind, JudgesInTime)


def in_force(game: Game[S], state: S, seat: Seat, intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """Those of some orders that stand, their conditions judged now."""
    return tuple(due(intents, partial(game.holds, state, seat)))


def _hung(codec: Codec, sheet: Sheet, hinges: tuple[Hinge, ...], numbers: Iterator[int]) -> list[Intent]:
    found: list[Intent] = []
    for item in sheet:
        if isinstance(item, Given):
            intent = codec.intent(item.intent)
            found.append(Under(hinges, intent) if hinges else intent)
            continue
        number = next(numbers)
        for branch, holds in ((item.then, True), (item.otherwise, False)):
            found += _hung(codec, branch, (*hinges, Hinge(number, item.condition, holds)), numbers)
    return found


def parted(codec: Codec, sheet: Sheet, question: Question[Any]) -> tuple[Sheet, Sheet]:
    """The lines of a sheet that an orders question asks for, and those that belong to another."""
    fits: list[Given | If] = []
    rest: list[Given | If] = []
    for item in sheet:
        if isinstance(item, Given):
            (fits if question.takes(codec.intent(item.intent)) else rest).append(item)
            continue
        then, otherwise = parted(codec, item.then, question), parted(codec, item.otherwise, question)
        for place, part in ((fits, 0), (rest, 1)):
            if then[part] or otherwise[part]:
                place.append(msgspec.structs.replace(item, then=then[part], otherwise=otherwise[part]))
    return tuple(fits), tuple(rest)


def told(events: Iterable[Event], reader: Reader) -> tuple[Event, ...]:
    """The events as this reader learnt of them: whole, redacted, or left out."""
    return tuple(learnt for event in events if (learnt := event.told_to(reader)) is not None)


def knowledge(game: Game[S], sides: tuple[Seat, ...], options: Options, events: Iterable[Event], reader: Reader) -> S:
    """The position as this reader knows it: the set-up, then every event he was told of, as far as he was told."""
    state = game.setup(sides, options)
    for event in told(events, reader):
        state = evolved(game, state, event)
    return state


def fold(game: Game[S], codec: Codec, records: Sequence[Record]) -> Folded[S]:
    """Where live records that begin with Created lead, by folding alone; no script is run. Raises Diverged, Unfoldable."""
    created = records[0]
    if not isinstance(created, Created):
        raise Diverged(f"the log begins with {created!r}")
    return fold_on(game, codec, start(game, created), records[1:])


def fold_on(game: Game[S], codec: Codec, position: Position[S], records: Sequence[Record]) -> Folded[S]:
    """Where the live records since a position lead. Raises Unfoldable."""
    boundary = position
    state, drawers = boundary.state, dict(boundary.drawers)
    events: list[Event] = []
    for count, record in enumerate(records, start=position.count + 1):
        if isinstance(record, Filed):
            drawers.pop((record.seat, record.drawer), None)
            if record.sheet:
                drawers[record.seat, record.drawer] = record.sheet
        elif isinstance(record, Happened):
            try:
                event = codec.event(record.event)
                state = evolved(game, state, event)
            except Exception as problem:  # whatever mended rules make of an event of before
                reached = Folded(boundary, tuple(records[boundary.count - position.count :]), tuple(events))
                why = f"{type(problem).__name__}: {problem}, at {bytes(record.event).decode()[:200]}"
                raise Unfoldable(why, reached) from problem
            events.append(event)
            if isinstance(event, PhaseEnded):
                drawers = {place: s for place, s in drawers.items() if not place[1].startswith("orders:")}
                boundary = Position(state, dict(drawers), count)
    return Folded(boundary, tuple(records[boundary.count - position.count :]), tuple(events))
