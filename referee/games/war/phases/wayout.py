"""Where units go that must leave a region without a battle: a friendly neighbour, else a fleet, else they are lost."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.choices import placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.events.forces import UnitsEmbarked, UnitsLost, UnitsMoved
from referee.games.war.orders.standing.home import EvacuateTo
from referee.games.war.phases.decisions import decide
from referee.games.war.position.places import DONE, Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import carriers, friends
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import PARTIES


def ways_out(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """R27-02, R27-58: all ways, the default first."""
    place = BOARD.regions[region]
    company = friends(war, seat)
    friendly = [war.lands[name] for name in place.borders if war.lands[name].owner in company]
    friendly.sort(
        key=lambda land: (land.owner != seat, land.revolt is not None, -land.brigades(seat), BOARD.position(land.name))
    )
    seas = [sea for sea in place.seas if any(_room(fleet) for fleet in carriers(war, seat, sea))]
    return (*(land.name for land in friendly), *seas)


def _room(fleet: Fleet) -> int:
    return fleet.room


def leave_region(
    table: Table[War], seat: Seat, region: str, kinds: tuple[str, ...], name: str, number: int = 0
) -> Script[None]:
    """27.combat.explorer.3, R27-02: a seat's parties (`kinds`; none named: all) leave together, or `number` of them.

    Their owner picks where; who has nowhere to go, or finds no room aboard, is lost.
    """
    stacks = _leaving(table.state, seat, region, kinds or PARTIES, number)
    if not stacks:
        return
    goal = yield from _goal(table, seat, region, name)
    for stack in stacks:
        if goal in BOARD.seas:
            _embark(table, region, stack, goal)
        elif goal:
            after = Stack(seat, stack.kind, stack.number, DONE)
            table.emit(UnitsMoved(region, stack, goal, after, "retreat", "27.combat.explorer.3"))
        else:
            _lose(table, region, stack)


def _leaving(war: War, seat: Seat, region: str, kinds: tuple[str, ...], number: int) -> tuple[Stack, ...]:
    stacks = [s for s in war.lands[region].stacks if s.owner == seat and s.kind in kinds]
    left = number or sum(s.number for s in stacks)
    leaving = []
    for stack in stacks:
        if left > 0:
            leaving.append(replace(stack, number=min(left, stack.number)))
            left -= stack.number
    return tuple(leaving)


def _goal(table: Table[War], seat: Seat, region: str, name: str) -> Script[str]:
    goals = ways_out(table.state, seat, region)
    if len(goals) < 2:
        return goals[0] if goals else ""

    def wanted(sheet: Sequence[Intent]) -> str | None:
        listed = [place for order in sheet if isinstance(order, EvacuateTo) for place in order.places]
        return next((place for place in listed if place in goals), None)

    menu = OneOf([placed(goal) for goal in goals], goals[0])
    text = f"Your parties must leave {region}. Where do they go?"
    return (yield from decide(table, seat, name, text, menu, "27.combat.explorer.3", wanted))


def _embark(table: Table[War], region: str, stack: Stack, sea: str) -> None:
    """As many as find room board, fleet by fleet; the rest is lost."""
    points, left = table.state.kinds[stack.kind].portage, stack.number
    for fleet in carriers(table.state, stack.owner, sea):
        boarding = min(left, _room(fleet) // points)
        if boarding:
            load = Load(stack.owner, stack.kind, boarding, DONE)
            table.emit(UnitsEmbarked(region, replace(stack, number=boarding), fleet.number, load, "retreat"))
            left -= boarding
    if left:
        _lose(table, region, replace(stack, number=left))


def _lose(table: Table[War], region: str, stack: Stack) -> None:
    table.emit(UnitsLost(region, stack, "there is nowhere to go", "27.combat.retreat.2"))
