"""Ceded regions: a brigade takes the region, and the former owner's units leave at once (27.move.cede, R27-37)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.core.choices import placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.embarking import Embarkation, allot
from referee.games.war.events.forces import UnitsLost, UnitsMoved
from referee.games.war.events.moving import CessionTaken
from referee.games.war.orders.standing.home import EvacuateTo
from referee.games.war.phases.control import take_region
from referee.games.war.phases.decisions import decide
from referee.games.war.phases.wayout import ways_out
from referee.games.war.position.places import Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import carriers
from referee.games.war.rulebook.board import BOARD

Taking = Callable[[Table[War], Seat, str], Script[None]]
"""How a region gets its new owner; Version 1.7 has its own."""


def _take(table: Table[War], seat: Seat, region: str) -> Script[None]:
    yield from take_region(table, seat, region, "cession")


def take_cession(table: Table[War], seat: Seat, region: str, take: Taking = _take) -> Script[None]:
    """The receiver's brigade stands in the region: it is his, with its buildings and resource (27.move.cede.4)."""
    owner = table.state.lands[region].owner
    if owner is None or owner == seat:
        return
    table.emit(CessionTaken(owner, seat, region))
    yield from _evacuate(table, owner, region)
    yield from take(table, seat, region)


def _evacuate(table: Table[War], owner: Seat, region: str) -> Script[None]:
    """27.move.cede.3: all to one adjacent friendly region, or onto fleets in one sea area; who finds no place is lost."""
    guests = tuple(stack for stack in table.state.lands[region].stacks if stack.owner == owner)
    goal = (yield from _goal(table, owner, region)) if guests else ""
    if goal in BOARD.seas:
        dearest = sorted(guests, key=lambda stack: -table.state.kinds[stack.kind].price)
        boardings = allot(dearest, carriers(table.state, owner, goal))
        for event in Embarkation(region, boardings, how="retreat").brings(table.state, owner):
            table.emit(event)
    elif goal:
        for stack in guests:
            after = Stack(owner, stack.kind, stack.number)
            table.emit(UnitsMoved(region, stack, goal, after, "leave", "27.move.cede.3"))
    for stack in table.state.lands[region].stacks:
        if stack.owner == owner:
            table.emit(UnitsLost(region, stack, "no way out of the ceded region", "27.move.cede.3"))


def _goal(table: Table[War], owner: Seat, region: str) -> Script[str]:
    """Q15, R27-37, R27-58; "" for nowhere."""
    goals = ways_out(table.state, owner, region)
    if len(goals) < 2:
        return goals[0] if goals else ""

    def wanted(sheet: Sequence[Intent]) -> str | None:
        listed = [place for rule in sheet if isinstance(rule, EvacuateTo) for place in rule.places]
        return next((place for place in listed if place in goals), None)

    menu = OneOf([placed(goal) for goal in goals], goals[0])
    text = f"You have ceded {region}. Where do your units go?"
    return (yield from decide(table, owner, f"{region}/evacuate", text, menu, "27.move.cede.3", wanted))
