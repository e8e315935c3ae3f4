"""A player's battles and explorations, in his order; then parties left in foreign land are lost (17.combat.order.1)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.deeds.combat import battles_of
from referee.games.war.events.forces import UnitsLost
from referee.games.war.orders.combat import ResolveInOrder
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.rulebook.pieces import BRIGADES
from referee.games.war17.orders.movement import ExploreRegion17, explorers_in
from referee.games.war17.phases.battles import battle
from referee.games.war17.phases.exploring import explore


def combat_phase(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None) -> Script[None]:
    """17.combat.order.1, R17-25: what his list names, then battles, then explorers; 17.move.land.5 at the end (R17-06)."""
    sheet = in_force(table.state, seat, sheet, (ResolveInOrder, ExploreRegion17), judged)
    listed = dict.fromkeys(region for order in sheet if isinstance(order, ResolveInOrder) for region in order.regions)
    ordered = dict.fromkeys(order.region for order in sheet if isinstance(order, ExploreRegion17))
    early = {order.region for order in sheet if isinstance(order, ExploreRegion17) and order.before_battle}
    explored = {order.region for order in sheet if isinstance(order, ExploreRegion17) and order.wait}
    for region in dict.fromkeys((*listed, *battles_of(table.state, seat))):
        if region in early:
            yield from _explore(table, seat, region, explored)
        if region in battles_of(table.state, seat):
            yield from battle(table, seat, region)
        if region in listed:
            yield from _explore(table, seat, region, explored)
    for region in dict.fromkeys((*ordered, *explorers_in(table.state, seat))):
        yield from _explore(table, seat, region, explored)
    # 17.move.land.5, R17-06: parties in land that is not his are lost, but explorers and leaders among natives stay.
    for land in table.state.lands.values():
        if land.owner == seat:
            continue
        explorer = land.owner is None and land.count(seat, "explorer") > 0
        for stack in land.stacks:
            spared = stack.kind in BRIGADES or (explorer and stack.kind in ("explorer", "leader"))
            if stack.owner == seat and not spared:
                table.emit(UnitsLost(land.name, stack, "the region is not his", "17.move.land.5"))


def _explore(table: Table[War], seat: Seat, region: str, explored: set[str]) -> Script[None]:
    """17.explore.1, R17-25"""
    if region not in explored and region in explorers_in(table.state, seat):
        explored.add(region)
        yield from explore(table, seat, region)
