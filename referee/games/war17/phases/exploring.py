"""Exploration at the table: two dice against the natives' rating, and what comes of it (17.explore)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Script, Table
from referee.games.war.events.forces import UnitsLost
from referee.games.war.phases.control import reveal_marker
from referee.games.war.phases.wayout import leave_region
from referee.games.war.position.state import War
from referee.games.war17.events.affairs import ExplorationRolled
from referee.games.war17.phases.gaining import gain


def explore(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """17.explore.1, 17.explore.2, R17-08"""
    # 17.explore.3, 17.explore.4, R17-08: a second explorer +1 once, a leader +2 once.
    land = table.state.lands[region]
    company = (("second explorer", 1, land.count(seat, "explorer") > 1), ("leader", 2, land.count(seat, "leader") > 0))
    modifiers = tuple((who, value) for who, value, there in company if there)
    faces = table.roll(2, 6, f"{region}: {seat}'s explorer among the natives", "17.explore.1")
    rating = land.marker.strength if land.marker is not None else 0
    success = sum(faces) + sum(value for _, value in modifiers) >= rating
    reveal_marker(table, region, None if success else seat)
    table.emit(ExplorationRolled(seat, region, sum(faces), modifiers, rating, success))
    if success:
        yield from gain(table, seat, region, "explorer")
        return
    for stack in table.state.lands[region].stacks:
        if stack.owner == seat and stack.kind == "explorer":
            table.emit(UnitsLost(region, replace(stack), "the natives do not join him", "17.explore.2"))
    if not table.state.lands[region].brigades(seat):
        yield from leave_region(table, seat, region, ("leader",), f"{region}/{seat}/leader")
