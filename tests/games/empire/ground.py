"""Ground for the tests of supply, cities and works: a plain board, two countries, and what is put on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Portion, Quantity
from referee.core.table import Table
from referee.games.empire.events import evolve
from referee.games.empire.orders.base import SlotOrder
from referee.games.empire.position import Board, City, Factory, Lot, Square, Unit
from referee.games.empire.position.state import Country, Empire, first_position
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.telling.report import audit
from referee.kit.refused import Refused

RED, BLUE = Seat("Red"), Seat("Blue")


def ground(columns: int = 12, rows: int = 9, /, terrain: str = "plain", **squares: str | Square) -> Board:
    """A board of one terrain that does not wrap; squares are named with their terrain or whole."""
    cells = {f"c{c}r{r}": Square(terrain) for r in range(1, rows + 1) for c in range(1, columns + 1)}
    cells |= {at: square if isinstance(square, Square) else Square(square) for at, square in squares.items()}
    return Board("ground", columns, rows, False, cells)


def field(board: Board, turn: int = 2) -> Empire:
    """Arcadia of Red and Boeotia of Blue, with nothing yet, in this turn."""
    bare = first_position((RED, BLUE), {}, board)
    for name, seat in (("Arcadia", RED), ("Boeotia", BLUE)):
        bare = bare.with_country(Country(name, seat))
    return replace(bare, turn=turn, active=RED)


def people(empire: Empire, kind: str, at: str, count: int = 1, country: str = "Arcadia", **more: Any) -> Empire:
    """So many units more, numbered on."""
    for _ in range(count):
        empire = empire.with_unit(Unit(empire.next_unit, kind, country, at, **more))
    return empire


def goods(empire: Empire, at: str, country: str = "Arcadia", aboard: int = 0, /, **stock: int) -> Empire:
    """So many goods more; `t_d` is t&d, `colony_piece` a colony piece."""
    names = {"t_d": "t&d", "colony_piece": "colony piece"}
    for what, number in stock.items():
        empire = empire.with_lot(Lot(names.get(what, what), number, country, at, aboard=aboard))
    return empire


def town(
    empire: Empire, at: str, *factories: str, name: str = "Tegea", country: str = "Arcadia", **more: Any
) -> Empire:
    """A city that has stood for long."""
    city = City(name, at, country, more.pop("built", -5), factories=tuple(Factory(f, 0) for f in factories), **more)
    return empire.with_city(city)


def much(what: str, number: int) -> Goods:
    """Exactly so many of a kind of goods."""
    return Goods(what, Quantity(Portion.EXACTLY, number))


class Slot:
    """One turn at a table: what is done, what happened, and that the accounts balance after each step."""

    def __init__(self, empire: Empire) -> None:
        self.table: Table[Empire] = Table("T2/Red", empire, Scripted(()), evolve)
        self.events: list[Event] = []
        self.table.heard = self.events.append

    @property
    def now(self) -> Empire:
        """The position as it stands."""
        return self.table.state

    def does(self, step: Callable[[Table[Empire], str], None], country: str = "Arcadia") -> list[str]:
        """A step of the turn done; the sentences of what happened."""
        before, start = self.now, len(self.events)
        step(self.table, country)
        assert audit(before, self.events[start:], self.now) == ()
        return [event.sentence() for event in self.events[start:]]

    def order(self, intent: Intent, seat: Seat = RED) -> list[str]:
        """An order carried out."""
        return self.does(lambda table, _: _done(table, seat, intent))

    def refused(self, intent: Intent, seat: Seat = RED) -> Illegal:
        """Why an order is not carried out; nothing has happened then."""
        before = self.now
        with pytest.raises(Refused) as caught:
            _done(self.table, seat, intent)
        assert self.now is before
        return caught.value.illegal

    def next_turn(self) -> None:
        """The turn counter goes on."""
        self.table.state = replace(self.now, turn=self.now.turn + 1, trails={})

    def stock(self, at: str = "", country: str = "Arcadia") -> dict[str, int]:
        """What a country has, somewhere or everywhere."""
        return {what: number for what, number in self.now.stock(country, at).items() if number}


def _done(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, SlotOrder)
    intent.do(table, seat)
