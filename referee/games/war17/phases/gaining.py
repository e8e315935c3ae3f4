"""Regions gained: the marker goes, chits are drawn and one is kept, free brigades come (17.explore.gain.1)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.events.forces import UnitsRaised
from referee.games.war.events.markers import ChitDrawn
from referee.games.war.orders.standing.home import PickRule
from referee.games.war.phases.decisions import decide
from referee.games.war.phases.wayout import leave_region
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import CHIT_VALUES
from referee.games.war17.events.affairs import RegionGained
from referee.games.war17.rulebook.pieces import free_for


def gain(table: Table[War], seat: Seat, region: str, how: str) -> Script[None]:
    """17.explore.gain.1, 17.combat.natives.3, 17.combat.land.2: a region is his, by `conquest` or `explorer`."""
    land = table.state.lands[region]
    marker, before = land.marker, land.owner
    shown = marker.name if marker is not None else ""
    table.emit(RegionGained(seat, region, before, how, shown))
    if marker is not None:
        free = free_for(marker.strength, marker.plus)
        if how == "explorer":
            for kind, number in free.brigades:
                table.emit(UnitsRaised(region, seat, kind, number, "the natives join his empire", "17.explore.gain.1"))
        yield from _chit(table, seat, region, free.chits)
    for rival in table.state.lands[region].present:
        if rival != seat:
            yield from leave_region(table, rival, region, (), f"{region}/{rival}/way out")


def ceded_to(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """17.move.cede.1, R17-13"""
    table.emit(RegionGained(seat, region, table.state.lands[region].owner, "cession"))
    yield from ()


def _chit(table: Table[War], seat: Seat, region: str, number: int) -> Script[None]:
    """17.explore.gain.1, 17.move.cede.3, R17-13"""
    if table.state.lands[region].chit is not None:
        return
    why = f"resource chits of {region}"
    drawn = table.draw("the resource chits", table.state.chits, number, why, "R17-13", seen_by=(seat,))
    if not drawn:
        return
    best = max(drawn, key=lambda chit: CHIT_VALUES[chit])
    names = tuple(dict.fromkeys(drawn))
    kept = best
    if len(names) > 1:
        menu = OneOf([Choice(name, name, f"worth {CHIT_VALUES[name]}") for name in names], best)

        def wanted(sheet: Sequence[Intent]) -> str | None:
            listed = [name for rule in sheet if isinstance(rule, PickRule) for name in rule.resources]
            return next((name for name in listed if name in names), None)

        text = f"{region} is yours. Which resource chit do you keep there?"
        kept = yield from decide(table, seat, f"{region}/chit", text, menu, "R17-13", wanted)
    table.emit(ChitDrawn(seat, region, kept))
