"""Marching: land units go from region to region on their movement points (27.move.land)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.entry import cession_of, check_entry, declaration
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot
from referee.games.war.deeds.muster import Written, brigades_among, exactly, kinds_of, merged, muster
from referee.games.war.deeds.ordered import Marching
from referee.games.war.deeds.refused import NotYet
from referee.games.war.events.forces import UnitsMoved
from referee.games.war.position.places import DONE, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import friends
from referee.games.war.reckoning.paths import Way, any_land_way, land_way
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.kit.refused import Refused


class March(msgspec.Struct, frozen=True):
    """Which units go which way. `ceded`: they take the region at its end by cession."""

    way: Way
    stacks: tuple[Stack, ...]
    ceded: bool = False

    @property
    def origin(self) -> str:
        """Where they start."""
        return self.way.places[0]


def plan_march(war: War, seat: Seat, order: Marching, strict: bool) -> March:
    """The march that an order means; with `strict` off it makes do with the units that can go."""
    lots = merged(order.lots)
    way = _way(war, seat, order)
    _check_steps(war, seat, order, way)
    # 27.move.land.5, 27.move.cede.2: parties that need a brigade are offered one of those that stand beside them.
    try:
        check_entry(war, seat, way.target, [lot.kind for lot in order.lots])
    except NotYet as alone:
        land = war.lands[order.origin]
        able = [kind for kind in BRIGADES if land.count(seat, kind) and war.kinds[kind].moves >= way.cost]
        if land.owner == seat and land.brigades(seat) < 2:
            able = []
        escorted = [order.but(lots=(exactly(kind, 1), *order.lots)) for kind in able[:1]]
        why, instead = alone.illegal, tuple(line for o in escorted for line in _if_lawful(war, seat, o))
        raise NotYet(why.sentence, why.rule, why.at, instead) from None
    _check_points(war, seat, order, way)

    def written(left: Sequence[Lot]) -> str:
        return line_of(order.but(lots=tuple(left)))

    stacks = muster(war, seat, order.origin, lots, way.cost, strict, written)
    stacks = stacks if strict else spared(war, seat, way.places[:-1], stacks)
    check_entry(war, seat, way.target, kinds_of(stacks))
    # At the start and at each own region passed (R27-68).
    going = brigades_among(stacks)
    for place in way.places[:-1]:
        arrived = 0 if place == way.places[0] else going
        check_garrison(war, seat, place, stacks, arrived, written)
    owner = war.lands[way.target].owner
    ceded = owner not in (None, seat) and cession_of(war, seat, way.target) is not None
    return March(way, stacks, ceded)


def marched(war: War, seat: Seat, plan: March) -> tuple[UnitsMoved, ...]:
    """What happens: brigades and their parties stop in foreign land, explorers may go on in native land.

    27.move.land.4, R27-32; each unit remembers the last region it came from.
    """
    target, company = war.lands[plan.way.target], friends(war, seat)
    return tuple(
        UnitsMoved(plan.origin, stack, target.name, _arrived(stack, plan.way, target.owner, company))
        for stack in plan.stacks
    )


def _arrived(stack: Stack, way: Way, owner: Seat | None, open_to: Sequence[Seat]) -> Stack:
    goes_on = owner in open_to or (owner is None and stack.kind == "explorer")
    return replace(stack, spent=stack.spent + way.cost if goes_on else DONE, origin=way.entered_from)


# ---------------------------------------------------------------- the way


def _way(war: War, seat: Seat, order: Marching) -> Way:
    """27.board.3, 27.board.6, R27-30."""
    for place in (order.origin, order.target, *order.via):
        if BOARD.is_sea(place):
            raise Refused(f"Land units go to sea only aboard fleets: {place}.", "27.board.3", place)
    if {order.origin, *order.via} == {order.target}:
        raise Refused(f"The units are in {order.target} already.", "27.move.land.2", order.target)
    way = land_way(war, seat, order.origin, order.target, order.via)
    if way is None:
        raise _no_way(war, seat, order)
    return way


def _no_way(war: War, seat: Seat, order: Marching) -> Refused:
    """Why there is no way: the strait of Gibraltar, the sea, or land of others that was not named."""
    origin, target = order.origin, order.target
    if {origin, target} == {"Spain", "Morocco"}:
        return Refused("There is no passage by land between Spain and Morocco.", "27.board.6", target)
    stops = tuple(place for place, _ in groupby((origin, *order.via, target)))
    legs = tuple(pairwise(stops))
    ways = [any_land_way(war, seat, here, there) for here, there in legs]
    for (here, there), way in zip(legs, ways, strict=True):
        if way is None:
            why = f"No way by land leads from {here} to {there}; fleets may carry the units."
            return Refused(why, "27.board.3", there)
    return _through_others(war, seat, order, [way for way in ways if way is not None])


def _through_others(war: War, seat: Seat, order: Marching, legs: Sequence[Way]) -> Refused:
    """27.move.land.3, 27.move.land.4, 27.move.land.6: whose land lies between the places named."""
    company = friends(war, seat)
    foreign = [war.lands[p] for leg in legs for p in leg.places[1:-1] if war.lands[p].owner not in company]
    first = foreign[0]
    if all(lot.kind == "explorer" for lot in order.lots) and all(land.owner is None for land in foreign):
        places = [place for leg in legs for place in leg.places[1:]][:-1]
        through = tuple(p for p in places if war.lands[p].owner != seat or p in order.via)
        named = ", ".join(land.name for land in foreign)
        further = _hindered(war, seat, order.but(via=through))
        if further is not None:
            return further
        why = f"The way leads through {named}, which is native; name it to send explorers through."
        return Refused(why, "27.move.land.6", order.target, (line_of(order.but(via=through)),))
    if first.owner is not None and not war.at_war(seat, first.owner):
        why = f"The way to {order.target} leads through {first.name}, which is {first.owner}'s, with whom you are at peace."
        return Refused(why + declaration(war, seat, first.owner), "27.move.land.3", order.target)
    whose = f"{first.owner}'s" if first.owner else "native"
    why = f"The way to {order.target} leads through {first.name}, which is {whose}; units stop there."
    stop = _if_lawful(war, seat, order.but(target=first.name, via=()))
    return Refused(why, "27.move.land.4", order.target, stop)


def _if_lawful(war: War, seat: Seat, order: Marching) -> tuple[str, ...]:
    """The line of an order that can be done now, to be offered; nothing else is worth offering."""
    try:
        plan_march(war, seat, order, strict=True)
    except Refused:
        return ()
    return (line_of(order),)


def _hindered(war: War, seat: Seat, order: Marching) -> Refused | None:
    """Why an order cannot be done, unless an earlier line may mend it."""
    try:
        plan_march(war, seat, order, strict=True)
    except NotYet:
        return None
    except Refused as why:
        return why
    return None


def _check_steps(war: War, seat: Seat, order: Marching, way: Way) -> None:
    """27.move.land.3 to 27.move.land.6: what lies between the ends must let the units go on."""
    for place in way.places[1:-1]:
        owner = war.lands[place].owner
        if owner in friends(war, seat):
            continue
        if owner is not None:
            # 27.move.land.3: an enemy's region may be entered at all, be it with a brigade.
            check_entry(war, seat, place, BRIGADES)
        instead = _if_lawful(war, seat, order.but(target=place, via=()))
        if owner is not None:
            raise Refused(
                f"Units that enter {place}, which is {owner}'s, stop there.", "27.move.land.4", place, instead
            )
        for lot in order.lots:
            if lot.kind in BRIGADES:
                why = f"Brigades that enter {place}, which is native, stop there."
                raise Refused(why, "27.move.land.4", place, instead)
            if lot.kind != "explorer":
                why = f"Only explorers go through {place}, which is native; {plural(lot.kind)} do not."
                raise Refused(why, "27.move.land.6", lot.kind)


def _check_points(war: War, seat: Seat, order: Marching, way: Way) -> None:
    """27.move.land.2: a way that even fresh units of the kind cannot go."""
    for lot in order.lots:
        moves = war.kinds[lot.kind].moves
        if way.cost > moves:
            others = [other for other in order.lots if war.kinds[other.kind].moves >= way.cost]
            instead = _if_lawful(war, seat, order.but(lots=tuple(others))) if others else ()
            nearer = ""
            for end in range(2, len(way.places)):
                part = land_way(war, seat, way.places[0], way.places[end - 1], way.places[1 : end - 1])
                if part is None or part.cost > moves:
                    break
                nearer = part.target
            instead += _if_lawful(war, seat, order.but(lots=(lot,), target=nearer, via=())) if nearer else ()
            why = f"The way to {order.target} costs {way.cost} MP; {plural(lot.kind)} have {moves}."
            raise Refused(why, "27.move.land.2", lot.kind, instead)


# ---------------------------------------------------------------- a region in revolt


def check_garrison(war: War, seat: Seat, region: str, stacks: Sequence[Stack], arrived: int, written: Written) -> None:
    """27.production.revolt.8: out of a region in revolt go only brigades beyond the number of native ones.

    `arrived` counts brigades that come through and are not there yet.
    """
    land, going = war.lands[region], brigades_among(stacks)
    if land.revolt is None or land.owner != seat or not going:
        return
    spare = max(0, land.brigades(seat) + arrived - land.revolt.brigades)
    if going > spare:
        left = _first(stacks, spare)
        why = f"{region} is in revolt with {land.revolt.brigades} native brigades: {spare} of yours may leave it."
        raise NotYet(why, "27.production.revolt.8", region, (written(left),) if left else ())


def spared(war: War, seat: Seat, places: Sequence[str], stacks: Sequence[Stack]) -> tuple[Stack, ...]:
    """27.production.revolt.8, R27-30: those that may leave the first place, and pass the others, in revolt."""
    left = tuple(stacks)
    for place in places:
        land = war.lands[place]
        if land.revolt is not None and land.owner == seat:
            spare = land.brigades(seat) - land.revolt.brigades
            if place == places[0] or spare < 0:
                left = _without(left, max(0, spare))
    return left or tuple(stacks)


def _without(stacks: Sequence[Stack], brigades: int) -> tuple[Stack, ...]:
    """All parties, and so many of the brigades in the order written."""
    left: list[Stack] = []
    for stack in stacks:
        number = min(stack.number, brigades) if stack.kind in BRIGADES else stack.number
        brigades -= number if stack.kind in BRIGADES else 0
        left += [replace(stack, number=number)] if number else []
    return tuple(left)


def _first(stacks: Sequence[Stack], brigades: int) -> list[Lot]:
    """The same as lots of an order."""
    return [exactly(stack.kind, stack.number) for stack in _without(stacks, brigades)]
