"""Drives the course of Empire without a desk: phase after phase, each question answered by a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Question, Source
from referee.core.table import Table
from referee.games.empire.events import evolve
from referee.games.empire.game import GAME, next_phase
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.binding import carry_out
from referee.games.empire.position import Board, Unit
from referee.games.empire.position.state import Empire, first_position

A, B, C = Seat("Arcadia"), Seat("Borealis"), Seat("Cascadia")
OPTIONS = {"board": "small", "fiat": "none", "last_turn": "20"}

Told = list[Event]
Reply = Callable[[Question[Any]], Answer[Any]]


def first(players: int = 3, **options: str) -> Empire:
    """The position before anything has happened."""
    names = (A, B, C, Seat("Dorado"), Seat("Elysia"), Seat("Fenmark"), Seat("Galatia"), Seat("Hesperia"))
    return first_position(names[:players], {**OPTIONS, **options}, Board("none", 2, 1, True, {}))


def by_default(question: Question[Any]) -> Answer[Any]:
    """A sheet that only rolls out, or the default."""
    takes_roll = question.takes(RollOut())
    return Answer((RollOut(),) if takes_roll else question.menu.default)


def sheets(*parts: Sequence[Intent], source: Source = Source.PLAYER, late: int = 0) -> Reply:
    """One sheet after the other, as one player sends them; the last one with its source and lateness."""
    left = list(parts)

    def reply(question: Question[Any]) -> Answer[Any]:
        sheet = tuple(left.pop(0))
        value = question.menu.decode(question.menu.encode(sheet))
        return Answer(value, Source.PLAYER if left else source, 0 if left else late)

    return reply


def run_phase(
    empire: Empire, reply: Reply = by_default, dice: Chance | None = None, asked: list[str] | None = None
) -> tuple[Empire, Told]:
    """The position after the next phase, and what happened in it."""
    phase = next_phase(empire)
    assert phase is not None
    table, told = Table(phase.key, empire, dice or Keyed(b"empire", 0), evolve), Told()
    table.heard = told.append
    script = phase.script(table)
    try:
        questions = next(script)
        while True:
            if asked is not None:
                asked += [question.key for question in questions]
            questions = script.send(tuple(map(reply, questions)))
    except StopIteration:
        return table.state, told


@cache
def begun(players: int = 3) -> Empire:
    """The start of turn 1 on a generated board: every capital in its natural place, the seats in alphabetical order."""
    empire, _ = run_phase(first(players))
    empire, _ = run_phase(empire)
    order = tuple(sorted(empire.order))
    return replace(empire, order=order, active=order[0])


def _at_table(empire: Empire) -> tuple[Table[Empire], Told]:
    table, told = Table("test", empire, Keyed(b"empire", 0), evolve), Told()
    table.heard = told.append
    return table, told


def do(empire: Empire, seat: Seat, intent: Intent) -> tuple[Empire, Told]:
    """An order carried out. Raises Refused."""
    table, told = _at_table(empire)
    carry_out(table, seat, intent)
    return table.state, told


def aside(empire: Empire, seat: Seat, intent: Intent) -> tuple[Empire, Told]:
    """What is done at once."""
    table, told = _at_table(empire)
    GAME.aside(table, seat, intent)
    return table.state, told


def act(empire: Empire, part: Callable[[Table[Empire]], Any]) -> tuple[Empire, Told]:
    """A part of the procedure played by itself."""
    table, told = _at_table(empire)
    part(table)
    return table.state, told


def put(empire: Empire, kind: str, country: str, at: str, **more: Any) -> tuple[Empire, int]:
    """A unit more, and its number."""
    unit = Unit(empire.next_unit, kind, country, at, **more)
    return empire.with_unit(unit), unit.number
