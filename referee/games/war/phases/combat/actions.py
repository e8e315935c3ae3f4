"""The combat phase of one player: his battles and other actions, in the order he wants."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.deeds.combat import battles_of, regions_to_explore, revolts_of
from referee.games.war.events.forces import fell_short
from referee.games.war.orders.combat import ExploreRegion, ProspectRegion, ResolveInOrder
from referee.games.war.phases.combat.explorer import explore
from referee.games.war.phases.combat.land_battle import land_battle, revolt_battle
from referee.games.war.phases.combat.prospecting import prospect
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.kit.refused import Refused


def combat_phase(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None) -> Script[None]:
    """27.move.order.2, R27-63: what his list names, then own revolts, battles, explorers, prospecting.

    A revolt that breaks out now, by another's victory next door, waits for the next combat phase (R27-68).
    R27-40: an IF over such orders alone is judged when combat begins.
    """
    sheet = in_force(table.state, seat, sheet, (ResolveInOrder, ExploreRegion, ProspectRegion), judged)
    revolts = revolts_of(table.state, seat)
    fights = (*revolts, *battles_of(table.state, seat))
    listed = dict.fromkeys(region for order in sheet if isinstance(order, ResolveInOrder) for region in order.regions)
    explored, searched = set[str](), set[str]()
    for region in (*listed, *(region for region in fights if region not in listed)):
        if region in fights:
            yield from _fight(table, seat, region, sheet, explored, rising=region in revolts)
        if region in listed:
            yield from _explore(table, seat, region, sheet, explored)
            yield from _prospect(table, seat, region, sheet, searched)
    for region in _to_explore(table.state, seat, sheet):
        yield from _explore(table, seat, region, sheet, explored)
    _tell_unexplored(table, seat, sheet, explored)
    for region in dict.fromkeys(order.region for order in sheet if isinstance(order, ProspectRegion)):
        yield from _prospect(table, seat, region, sheet, searched)


def _fight(
    table: Table[War], seat: Seat, region: str, sheet: Sequence[Intent], explored: set[str], rising: bool
) -> Script[None]:
    """R27-63: one region's battle; an explorer who came with brigades may talk to the natives first, if ordered."""
    if rising:
        yield from revolt_battle(table, seat, region, region)
        return
    early = [order for order in _explorations(sheet, region) if order.before_battle]
    if early and table.state.lands[region].owner is None:
        explored.add(region)
        yield from explore(table, seat, region, *early)
    if region in battles_of(table.state, seat):
        yield from land_battle(table, seat, region, region)


def _explorations(sheet: Sequence[Intent], region: str) -> list[ExploreRegion]:
    return [order for order in sheet if isinstance(order, ExploreRegion) and order.region == region]


def _to_explore(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[str, ...]:
    """R27-63: regions with his explorers."""
    here = regions_to_explore(war, seat)
    named = dict.fromkeys(order.region for order in sheet if isinstance(order, ExploreRegion))
    return (*(region for region in named if region in here), *(region for region in here if region not in named))


def _explore(table: Table[War], seat: Seat, region: str, sheet: Sequence[Intent], explored: set[str]) -> Script[None]:
    """27.combat.explorer.1, R27-72: each explorer rolls once a phase."""
    if region not in explored and region in regions_to_explore(table.state, seat):
        explored.add(region)
        yield from explore(table, seat, region, *_explorations(sheet, region))


def _tell_unexplored(table: Table[War], seat: Seat, sheet: Sequence[Intent], explored: set[str]) -> None:
    """27.combat.explorer.1: each order for a region where no explorer of his has rolled, with the reason."""
    for order in sheet:
        if isinstance(order, ExploreRegion) and order.region not in explored:
            where = order.region
            sentence = f"Your brigades stand in {where}; explorers roll where there is no battle, or BEFORE it."
            why = Refused(sentence, "27.combat.explorer.1")
            try:
                order.permit(table.state, seat)
            except Refused as refused:
                why = refused
            table.emit(fell_short(table.state, seat, order, why))


def _prospect(table: Table[War], seat: Seat, region: str, sheet: Sequence[Intent], searched: set[str]) -> Script[None]:
    """27.combat.prospect.1: as many searches as the sheet orders there."""
    orders = [order for order in sheet if isinstance(order, ProspectRegion) and order.region == region]
    if region not in searched:
        searched.add(region)
        for _ in orders:
            yield from prospect(table, seat, region)
