"""The way a unit takes: the cheapest through the squares named, within what it and its load have left of their 12 BTA."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from referee.games.empire.position import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.carrying import goods_aboard
from referee.games.empire.reckoning.distance import reach, spread, steps
from referee.games.empire.reckoning.movement_rates import barrier, controllers, entered, fare, land_zone, steps_of
from referee.games.empire.reckoning.ownership import check_square, named, with_all_aboard
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS, in_bta
from referee.kit.refused import Refused

_FAR = 5 * ALLOWANCE
"""How far a search goes that only explains a refusal."""

_HALF, _THIRD = BTA // 2, BTA // 3


class Left(NamedTuple):
    """The allowance left to a unit with its load, and the unit of them that it hangs on, in words."""

    bta: int
    who: str


class Route(NamedTuple):
    """The squares entered and what each border costs, in thirtieths of a BTA."""

    way: tuple[str, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        """The cost of all borders."""
        return sum(self.costs)

    def within(self, limit: int) -> tuple[str, ...]:
        """The squares of it that a limit reaches."""
        spent, found = 0, []
        for square, cost in zip(self.way, self.costs, strict=True):
            spent += cost
            if spent > limit:
                break
            found.append(square)
        return tuple(found)


def left_for(empire: Empire, unit: Unit) -> Left:
    """The least that a unit and what it carries have left (emp.H-11: every object has its own 12 BTA)."""
    group = with_all_aboard(empire, unit)
    spent = [(empire.units[number].spent, named(empire.units[number])) for number in group]
    if empire.lots:
        inside = (lot for number in group for lot in goods_aboard(empire, number))
        spent += [(lot.spent, f"the {lot.what} aboard {named(unit)}") for lot in inside]
    most, who = max(spent, key=lambda pair: pair[0])
    return Left(ALLOWANCE - most, who)


class NoWay(Refused):
    """Refused because no way leads there, or a dearer one than what is left pays for."""


def too_dear(left: Left, over: str, cost: int, at: str, instead: tuple[str, ...] = ()) -> NoWay:
    """Why nothing goes over what costs more than is left."""
    return NoWay(
        f"{left.who} has {in_bta(left.bta)} BTA left; {over} costs {in_bta(cost)}.", "emp.move.bta", at, instead
    )


def route_for(empire: Empire, unit: Unit, target: str, via: tuple[str, ...], left: Left, tanked: bool = False) -> Route:
    """The way of a unit, or a refusal that says what is too dear, what stops it and how far it gets.

    `tanked`: the plane flies on a drop tank, a third of a BTA for every border.
    """
    for name in (*via, target):
        check_square(empire, name)
    if all(name == unit.at for name in (*via, target)):
        raise NoWay(f"{named(unit)} is in {target} already.", "emp.move.bta", target)
    limit = left.bta // _THIRD * _HALF if tanked else left.bta
    found = _through(empire, unit, (*via, target), limit)
    if found is None:
        raise _explained(empire, unit, target, via, left, tanked)
    return _priced(found, tanked)


def reach_for(empire: Empire, unit: Unit, left: int) -> dict[str, int]:
    """Every square within what a unit has left, with its cost, the nearest first; without a drop tank."""
    return reach(steps_of(empire, unit), (unit.at,), left)


def near_for(empire: Empire, unit: Unit, left: int) -> dict[str, int]:
    """Those of them that border on where a unit is."""
    return {there: cost for there, cost in steps_of(empire, unit)(unit.at) if cost <= left}


def _priced(route: Route, tanked: bool) -> Route:
    return Route(route.way, tuple(_THIRD for _ in route.costs)) if tanked else route


def _through(empire: Empire, unit: Unit, goals: tuple[str, ...], limit: int, zones: bool = True) -> Route | None:
    """Leg after leg, each the cheapest; without `zones` as if nobody controlled any."""
    step = steps_of(empire, unit) if zones else steps(empire, KINDS[unit.kind])
    way: list[str] = []
    costs: list[int] = []
    here = unit.at
    for goal in goals:
        reached, came = spread(step, {here: 0}, limit - sum(costs), goal=goal)
        if goal not in reached:
            return None
        leg = [goal]
        while came[leg[-1]]:
            leg.append(came[leg[-1]])
        leg.reverse()
        costs += [reached[after] - reached[before] for before, after in pairwise(leg)]
        way += leg[1:]
        here = goal
    return Route(tuple(way), tuple(costs))


def _explained(empire: Empire, unit: Unit, target: str, via: tuple[str, ...], left: Left, tanked: bool) -> Refused:
    found = _through(empire, unit, (*via, target), _FAR)
    if found is None:
        held = _through(empire, unit, (*via, target), _FAR, zones=False) if KINDS[unit.kind].land_military else None
        return _blocked(empire, unit, target) if held is None else _controlled(empire, unit, held, left)
    wide = _priced(found, tanked)
    far = wide.within(left.bta)
    over = f"the way to {target}"
    if len(wide.way) == 1:
        border = fare(empire, unit, unit.at, empire.board.grid.direction(unit.at, target) or "N")
        over = f"the {border.over}" if border is not None else over
    return too_dear(left, over, wide.cost, target, (f"MOVE {named(unit)} TO {far[-1]}",) if far else ())


def _controlled(empire: Empire, unit: Unit, free: Route, left: Left) -> Refused:
    """Why zones of control stop a formation on a way that would be free without them, and how far it may go (emp.H-26)."""
    zone, inside = land_zone(empire, unit.country), controllers(empire, unit.country, unit.at)
    if inside and entered(empire, unit):
        words = f"{named(unit)} entered {_zone_of(inside[0])} this turn and stops there."
        return Refused(words, "emp.H-26", unit.at)
    first = next((at for at in free.way if at in zone), free.way[-1])
    guard = controllers(empire, unit.country, first)[0]
    if inside and first == free.way[0]:
        words = (
            f"{named(unit)} stands in {_zone_of(inside[0])} and cannot go straight into {first}, in {_zone_of(guard)}."
        )
        return Refused(words, "emp.H-26", first)
    near = free.way[: free.way.index(first) + 1]
    reached = [at for at in free.within(left.bta) if at in near]
    words = f"{named(unit)} must stop in {first}, in {_zone_of(guard)}."
    return Refused(words, "emp.H-26", first, (f"MOVE {named(unit)} TO {reached[-1]}",) if reached else ())


def _zone_of(guard: Unit) -> str:
    return f"the zone of control of {guard.country}'s {named(guard)}"


def _blocked(empire: Empire, unit: Unit, target: str) -> Refused:
    way = empire.board.grid.direction(unit.at, target)
    what = barrier(empire, unit, unit.at, way) if way else ""
    if what:
        return NoWay(f"{named(unit)} cannot go from {unit.at} to {target}: {what}.", "emp.move.barrier", target)
    here, there, why = _first_barrier(empire, unit, target)
    stops = f": from {here} to {there} bars it {why}" if why else ""
    return NoWay(f"{named(unit)} finds no way from {unit.at} to {target}{stops}.", "emp.move.barrier", target)


def _first_barrier(empire: Empire, unit: Unit, target: str) -> tuple[str, str, str]:
    """The border next to the target, of those that can be reached, at which a unit is stopped, and by what."""
    grid = empire.board.grid
    reached, _ = spread(steps_of(empire, unit), {unit.at: 0}, _FAR)
    ends = (
        (grid.apart(there, target), reached[here], here, there, why)
        for here in reached
        for way, there in grid.around(here)
        if there not in reached and (why := barrier(empire, unit, here, way))
    )
    _, _, here, there, why = min(ends, default=(0, 0, "", "", ""))
    return here, there, why
