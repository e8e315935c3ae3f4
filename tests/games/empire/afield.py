"""A stage for units on the move: plain boards of one terrain, two countries, and orders carried out as in a slot."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Portion, Quantity
from referee.core.table import Table
from referee.games.empire.boards.draft import read_board
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.orders.base import SlotOrder
from referee.games.empire.position import Board, City, Lot, Unit, edge
from referee.games.empire.position.state import Country, Empire, first_position
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

ARCADIA, BOHEMIA = Seat("Arcadia"), Seat("Bohemia")
_DEPOT = "c6r1"
"""Where the oil of a country lies, far from what is tried."""


def strip(sign: str, *walls: str, rows: int = 40) -> Board:
    """Six columns of one terrain, north to south."""
    lines = [" ".join(sign * 3)] * (2 * rows)
    return read_board("\n".join(["board: strip", f"size: columns 6, rows {rows}, wraps", *lines, *walls]))


def empire_on(board: Board) -> Empire:
    """Arcadia and Bohemia, with nothing yet, in turn 2."""
    empire = replace(first_position((ARCADIA, BOHEMIA), {}, board), turn=2, slot=3, active=ARCADIA, stage="play")
    for seat in (ARCADIA, BOHEMIA):
        empire = empire.with_country(Country(str(seat), seat))
    return empire


def having(empire: Empire, *units: Unit, lots: Sequence[Lot] = (), cities: Sequence[City] = ()) -> Empire:
    """With these units, goods and cities besides; who has warships or warplanes has oil for them, far away (H-18)."""
    for unit in units:
        empire = empire.with_unit(unit)
    for lot in lots:
        empire = empire.with_lot(lot)
    for city in cities:
        empire = empire.with_city(city)
    for country in dict.fromkeys(unit.country for unit in units if _burns(unit)):
        if "O" not in empire.stock(country):
            empire = empire.with_lot(Lot("O", 2, country, _DEPOT))
    return empire


def _burns(unit: Unit) -> bool:
    return KINDS[unit.kind].military and KINDS[unit.kind].category in ("naval", "air")


def lined(empire: Empire, what: str, *ways: tuple[str, str]) -> Empire:
    """With a line across these borders."""
    lines = {edge(empire.board.grid, here, way): (what,) for here, way in ways}
    return replace(empire, lines={**empire.lines, **lines})


def unit(number: int, kind: str, at: str = "c1r20", country: str = "Arcadia", **more: int | str) -> Unit:
    """A unit of Arcadia."""
    return replace(Unit(number, kind, country, at), **more)


def goods(what: str, number: int = 0) -> Goods:
    """So many goods, or all of them."""
    return Goods(what, Quantity(Portion.EXACTLY, number) if number else Quantity(Portion.ALL))


def carried_out(empire: Empire, *intents: Intent, seat: Seat = ARCADIA, dice: Sequence[int] = ()) -> Empire:
    """The position after these orders."""
    return watched(empire, *intents, seat=seat, dice=dice)[0]


def watched(
    empire: Empire, *intents: Intent, seat: Seat = ARCADIA, dice: Sequence[int] = ()
) -> tuple[Empire, list[Event]]:
    """The position after these orders and what happened; every event is proved to fold and to speak."""
    told: list[Event] = []
    table: Table[Empire] = Table("T2/Arcadia", empire, Scripted(dice), evolve)
    table.heard = told.append
    for intent in intents:
        carry(table, seat, intent)
    folded = empire
    for event in told:
        folded = evolve(folded, event)
        assert event.sentence() and event.cites()
        assert not isinstance(event, OpenEvent) or not any(flow.amount == 0 for flow in event.flows())
    assert folded == table.state
    return folded, told


def refused(empire: Empire, *intents: Intent, seat: Seat = ARCADIA) -> Illegal:
    """Why the last of these orders is refused; those before it must succeed."""
    before = carried_out(empire, *intents[:-1], seat=seat)
    with pytest.raises(Refused) as caught:
        carried_out(before, intents[-1], seat=seat)
    return caught.value.illegal


def carry(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """One order carried out, without what follows of itself."""
    assert isinstance(intent, SlotOrder)
    intent.do(table, seat)
