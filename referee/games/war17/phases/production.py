"""The production round: points are added up, blockades rolled, units bought, then buildings (17.turn.4, 17.production)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.table import Table
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.events.forces import OrderFellShort, fell_short
from referee.games.war.orders.production.works import NOTHING, Works
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war17.events.affairs import BlockadeRolled
from referee.games.war17.orders.production import Build, BuildBuilding17, BuildUnits17, DevelopResource17, worked
from referee.games.war17.reckoning.income import besiegers, cap_of, income
from referee.kit.refused import Refused


def add_points(table: Table[War], seat: Seat) -> None:
    """17.production.1, 17.production.blockade.1: his income, less what blockading fleets take."""
    due = income(table.state, seat)
    table.emit(IncomeCollected(seat, due.lines, due.pp, 0))
    enemies = besiegers(table.state, seat)
    if not enemies:
        return
    rolls = tuple((enemy, _rolled(table, seat, enemy, number)) for enemy, number in enemies)
    cap = cap_of(due.pp)
    table.emit(BlockadeRolled(seat, rolls, cap, min(cap, sum(total for _, total in rolls))))


def _rolled(table: Table[War], seat: Seat, enemy: Seat, fleets: int) -> int:
    why = f"Blockade of {seat}'s ports by {enemy}"
    return sum(table.roll(2 * fleets, 6, why, "17.production.blockade.1"))


def construct(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Works:
    """17.production.build.2, R17-15: all units first, then buildings and developments, in the order written; who is at work."""
    done, known = NOTHING, Judged()
    units = [order for order in sheet if isinstance(bare(order), BuildUnits17)]
    works = [order for order in sheet if isinstance(bare(order), BuildBuilding17 | DevelopResource17)]
    for written in (*units, *works):
        for order in in_force(table.state, seat, (written,), judged=known):
            assert isinstance(order, BuildUnits17 | BuildBuilding17 | DevelopResource17)
            try:
                done = _build(table, seat, order, done, bool(units))
            except Refused as refused:
                table.emit(fell_short(table.state, seat, order, refused))
    return done


def _build(table: Table[War], seat: Seat, order: Build, done: Works, after_units: bool) -> Works:
    """One line, as far as the money goes; units of the sheet were paid before it. Raises Refused."""
    war = table.state
    order.permit(war, seat, done)
    pp, price = war.treasuries[seat].pp, order.price(war)
    match order:
        case BuildUnits17(kind, number):
            bought = min(number, pp // war.price(kind))
            if bought:
                fewer = replace(order, number=bought)
                table.emit(fewer.brings(war, seat, fewer.price(war)))
            if bought < number:
                short = f"{pp} PP pay for {bought or 'none'} of {number}."
                table.emit(OrderFellShort(seat, order.meaning(), short, "17.production.2", partly=bool(bought)))
        case _ if price > pp:
            first = " left, for units are paid before buildings and developments" if after_units else ""
            raise Refused(f"That costs {price} PP; you have {pp}{first}.", "17.production.2", order.region)
        case _:
            table.emit(order.brings(war, seat, price))
    return worked(done, order)
