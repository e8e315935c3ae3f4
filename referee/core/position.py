"""Where a match stands between two phases; which sheet closes a slot, orders, standing or late; and figures of it that a ruling
sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import count as numbers_from
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from referee.core.event import Amended, Event, PhaseEnded
from referee.core.game import Game, JudgesInTime, Options
from referee.core.names import Reader, Seat
from referee.core.order import Hinge, Intent, Under, due
from referee.core.question import Answer, Question, Source
from referee.core.record import Codec, Created, Filed, Given, Happened, If, Record, Sheet

# ---------------------------------------------------------------- figures of a position that a ruling sets
# Found by name in any state, changed by an event that everybody is told.
#
# Every fold of events goes through `evolved`, so a ruling works in games that have never heard of it, and a replay, a rewind
# and every reader's knowledge have it at the same place.


S = TypeVar("S")

Path = tuple[str, ...]


def evolved(game: Game[S], state: S, event: Event) -> S:
    """The state after an event: a ruling's figures are set here, all else is the game's."""
    if not isinstance(event, Amended):
        return game.evolve(state, event)
    for edit in event.edits:
        state = _set(state, edit.path, edit.after)
    return state


def figures(state: Any, seats: tuple[str, ...]) -> dict[Path, int]:
    """Every whole number that stands under the name of a seat, with the path to it.

    Others, such as the number of the turn, are never offered: the course of a game hangs on them.
    """
    return {path: number for path, number in _numbers(state, ()) if any(seat in path for seat in seats)}


def named(found: Mapping[Path, int], words: str) -> list[Path]:
    """The figures whose path has all these words in this order, as `Spain gold` finds powers, Spain, stock, gold."""
    wanted = words.casefold().split()
    return [path for path in found if _in_order(wanted, " ".join(path).casefold().split())]


def _in_order(wanted: list[str], have: list[str]) -> bool:
    rest = iter(have)
    return bool(wanted) and all(word in rest for word in wanted) and wanted[-1] == have[-1]


def _numbers(value: Any, path: Path) -> Iterator[tuple[Path, int]]:
    if type(value) is int:
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from _numbers(inner, (*path, key))
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _numbers(getattr(value, name), (*path, name))


def _set(value: Any, path: Path, number: int) -> Any:
    """The value with one figure set; as it is where a reader's knowledge has no such figure."""
    if not path:
        return number if type(value) is int else value
    first, rest = path[0], path[1:]
    if isinstance(value, dict) and first in value:
        return {**value, first: _set(value[first], rest, number)}
    if isinstance(value, msgspec.Struct) and first in value.__struct_fields__:
        return msgspec.structs.replace(value, **{first: _set(getattr(value, first), rest, number)})
    return value


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


def closing_sheet(
    game: Game[Any],
    codec: Codec,
    state: Any,
    drawers: Mapping[tuple[Seat, str], Sheet],
    question: Question[Any],
    at_deadline: bool,
) -> tuple[Any, Source]:
    """The value that closes a question now, and its source: the draft, the late instruction, standing orders, the default."""
    if not question.wants_orders:
        return question.menu.default, Source.DEFAULT
    late = (("late", Source.LATE_INSTRUCTION),) if at_deadline else ()
    for drawer, source in ((f"orders:{question.key}", Source.PLAYER), *late, ("standing", Source.STANDING)):
        sheet = drawers.get((question.seat, drawer))
        # A sheet on file may hold lines meant for another phase; a draft without one of this phase is a draft.
        fitting = parted(codec, sheet, question)[0] if sheet else ()
        if fitting or (sheet is not None and source is Source.PLAYER):
            return intents_in(game, codec, state, question.seat, fitting), source
    return question.menu.default, Source.DEFAULT if at_deadline else Source.PLAYER


def played_otherwise(question: Question[Any], answer: Answer[Any], may_be: Sequence[tuple[Any, Source]]) -> str:
    """The fault of a sheet that was played and is none that it `may_be` (`closing_sheet`), the first of them for a player who is
    late, nor a bot's where that is the default; else ""."""
    if answer.source is Source.BOT and may_be[0][1] is Source.DEFAULT:
        return ""
    if (answer.value, answer.source) in may_be:
        return ""
    return f"the sheet of {question.seat} that was played is not the one that was on file"
