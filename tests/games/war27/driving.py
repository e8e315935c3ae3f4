"""Drives scripts without a desk: questions are settled by given answers, by orders, or by the menu's default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from referee.core.chance import Chance, Scripted
from referee.core.choices import Pick
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Question, Source
from referee.core.table import Script, Table
from referee.games.war.position import Marker, Stack, Treasury
from referee.games.war.position.state import War, first_position
from referee.kit.game import evolve

T = TypeVar("T")
E = TypeVar("E", bound=Event)

RED, BLUE, GREEN = Seat("Red"), Seat("Blue"), Seat("Green")

OPTIONS: Mapping[str, str] = {"decisions": "interactive", "force_pool": "no", "native_landing": "no"}
"""The options of a match in which everybody is asked."""


def play(
    script: Script[T],
    answers: Mapping[str, Any] | None = None,
    orders: Mapping[Seat, Sequence[Intent]] | None = None,
    asked: list[Question[Any]] | None = None,
    pick: Pick | None = None,
) -> T:
    """Run a script to its end and return its value.

    `answers` maps the end of a question's key to the answer; what they leave open is found in the seat's `orders`,
    else the default is taken, or with `pick` anything on the menu. Every answer passes through the log's form, in which
    orders give it. `asked` collects what nobody had settled.
    """
    given, sheets, open_ = answers or {}, orders or {}, asked if asked is not None else []

    def settle(question: Question[Any]) -> Answer[Any]:
        for ending, value in given.items():
            if question.key.endswith(ending):
                return Answer(question.menu.decode(question.menu.encode(value)), Source.PLAYER)
        found = question.recognise(sheets.get(question.seat, ()))
        if found is not None:
            assert question.menu.decode(question.menu.encode(found)) == found, question.key
            return Answer(found, Source.STANDING)
        open_.append(question)
        value = question.menu.default if pick is None else question.menu.sample(pick)
        return Answer(question.menu.decode(question.menu.encode(value)), Source.DEFAULT)

    try:
        questions = next(script)
        while True:
            questions = script.send(tuple(settle(question) for question in questions))
    except StopIteration as end:
        result: T = end.value
        return result


def position(*seats: Seat, **options: str) -> War:
    """An empty map in the first round of movement: `seats` (default Red, Blue) in this order, the first one active."""
    sides = seats or (RED, BLUE)
    war = first_position(sides, {**OPTIONS, **options})
    return replace(
        war, stage="movement", turn=1, round=1, slot=1, active=sides[0], waiting=sides[1:],
        treasuries={seat: Treasury(100, 3) for seat in sides},
    )  # fmt: skip


def holding(war: War, owner: Seat, region: str, buildings: Iterable[str] = (), **units: int) -> War:
    """The position with a westernized region of `owner` in it: `holding(war, RED, "Egypt", ("fort",), infantry=3)`."""
    stacks = tuple(Stack(owner, kind, number) for kind, number in units.items() if number)
    return war.with_land(region, owner=owner, chit="dot", buildings=tuple(buildings), stacks=stacks)


def native(war: War, region: str, marker: str) -> War:
    """The position with a drawn, face-down marker in a native region: `native(war, "Sudan", "9++")`."""
    strength = marker.rstrip("+")
    return war.with_land(region, marker=Marker(int(strength), len(marker) - len(strength)))


def table(war: War, *faces: int, chance: Chance | None = None, phase: str = "test") -> tuple[Table[War], list[Event]]:
    """A table with scripted dice, then those of `chance` if given, and the list that fills with what happens."""
    made: Table[War] = Table(phase, war, Scripted(faces, chance), evolve)
    events: list[Event] = []
    made.heard = events.append
    return made, events


def told(events: Sequence[Event], kind: type[E]) -> list[E]:
    """The events of one class, in order."""
    return [event for event in events if isinstance(event, kind)]
