"""Where a beaten army goes: an origin, a friendly neighbour, fleets; who finds no way is lost (17.combat.land.3 to .4)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.embarking import Embarkation, allot
from referee.games.war.events.forces import UnitsLost, UnitsMoved
from referee.games.war.orders.standing.home import EvacuateTo
from referee.games.war.orders.standing.land import RetreatRule
from referee.games.war.phases.decisions import decide
from referee.games.war.position.places import DONE, Land, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD


def army_of(land: Land, seat: Seat) -> dict[str, int]:
    """Everybody a player has in a region, by kind."""
    counts: dict[str, int] = {}
    for stack in land.stacks:
        if stack.owner == seat:
            counts[stack.kind] = counts.get(stack.kind, 0) + stack.number
    return counts


def ways_back(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """17.combat.land.3, 17.combat.fleets.1, R17-26: where attackers may go."""
    stacks = [stack for stack in war.lands[region].stacks if stack.owner == seat]
    origins = dict.fromkeys(stack.origin for stack in stacks if stack.origin)
    lands = [name for name in origins if name in war.lands and war.lands[name].owner == seat]
    lands.sort(key=lambda name: (-war.lands[name].brigades(seat), BOARD.position(name)))
    landed = any(stack.landed for stack in stacks)
    return (*lands, *(_afloat(war, seat, region) if landed else ()))


def ways_home(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """17.combat.land.4, 17.combat.fleets.1, R17-26: where defenders may go."""
    near = [war.lands[name] for name in BOARD.regions[region].borders if war.lands[name].owner == seat]
    free = [land for land in near if land.present in ((seat,), ())]
    free.sort(key=lambda land: (-land.brigades(seat), BOARD.position(land.name)))
    return tuple(land.name for land in free) or _afloat(war, seat, region)


def _afloat(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    seas = BOARD.regions[region].seas
    return tuple(sea for sea in seas if any(fleet.room for fleet in war.fleets_of(seat, sea)))


def goal_of(table: Table[War], seat: Seat, region: str, goals: Sequence[str]) -> Script[str]:
    """R17-26: the place they all go to; "" for nowhere."""
    if len(goals) < 2:
        return goals[0] if goals else ""

    def wanted(sheet: Sequence[Intent]) -> str | None:
        rules = [rule for rule in sheet if isinstance(rule, RetreatRule) and rule.region in (region, "")]
        listed = [place for rule in sorted(rules, key=lambda rule: not rule.region) for place in rule.to]
        listed += [place for rule in sheet if isinstance(rule, EvacuateTo) for place in rule.places]
        return next((place for place in listed if place in goals), None)

    menu = OneOf([placed(goal) for goal in goals], goals[0])
    text = f"Your army must leave {region}. Where does it go?"
    return (yield from decide(table, seat, f"{region}/{seat}/retreat", text, menu, "17.combat.land.3", wanted))


def leave(table: Table[War], seat: Seat, region: str, goal: str, rule: str) -> None:
    """R17-26: all who are left go together."""
    stacks = tuple(stack for stack in table.state.lands[region].stacks if stack.owner == seat)
    if goal in BOARD.seas:
        dearest = sorted(stacks, key=lambda stack: -table.state.kinds[stack.kind].price)
        boardings = allot(dearest, table.state.fleets_of(seat, goal))
        for boarded in Embarkation(region, boardings, how="retreat").brings(table.state, seat):
            table.emit(boarded)
    elif goal:
        for stack in stacks:
            after = Stack(seat, stack.kind, stack.number, DONE)
            table.emit(UnitsMoved(region, stack, goal, after, "retreat", rule))
    for stack in table.state.lands[region].stacks:
        if stack.owner == seat:
            table.emit(UnitsLost(region, stack, "there is no way out", rule))
