"""Orders of a movement phase -> intents (27.move, 27.war, 27.combat.explorer, 27.combat.prospect)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from referee.core.names import Seat
from referee.core.order import Intent, Order, Quantity, Thing
from referee.games.war.board import BOARD
from referee.games.war.hopes import beyond_hope
from referee.games.war.intents import (
    AttackFleets,
    DeclareWar,
    DestroyWorks,
    EmbarkUnits,
    ExploreRegion,
    LandUnits,
    Lot,
    MoveUnits,
    ProspectRegion,
    ResolveInOrder,
    SailFleets,
    named_fleets,
)
from referee.games.war.lines import line_of
from referee.games.war.muster import exactly
from referee.games.war.naming import ALL, after, lots_of, one, opponent, says, ships_named, units
from referee.games.war.pieces import KIND_OF, SHIP
from referee.games.war.refused import NotYet
from referee.games.war.state import War
from referee.games.war.steps.embarking import check_embark
from referee.games.war.steps.entry import ceded, cession_of, declaration
from referee.games.war.steps.exploring import check_explore
from referee.games.war.steps.landing import check_land
from referee.games.war.steps.marching import check_march
from referee.games.war.steps.sailing import check_attack_fleets, check_sail
from referee.games.war.steps.scorched import ABLE, check_destroy
from referee.games.war.steps.war_and_peace import check_declare
from referee.kit.refused import Refused

__all__ = [
    "bind_attack",
    "bind_declare",
    "bind_destroy",
    "bind_embark",
    "bind_explore",
    "bind_land",
    "bind_move",
    "bind_prospect",
    "bind_resolve",
    "bind_sail",
]

T = TypeVar("T", bound=Intent)

_OF_THE_MAP = frozenset({"27.board.3", "27.board.6", "27.board.7", "27.move.carry.3", "27.move.carry.4"})
"""Refusals under these rules rest on the map and the kinds of unit, whatever the position will be."""


def _now(war: War, seat: Seat) -> bool:
    """Whether the position is the one that the order is written for: the player's own share of movement."""
    return war.stage == "movement" and war.active == seat


def _check(war: War, seat: Seat, intent: T, check: Callable[[War, Seat, T], None]) -> None:
    """Refuse what no earlier line of the sheet can mend; in another's share only what the map forbids."""
    try:
        check(war, seat, intent)
    except NotYet:
        if _now(war, seat) and beyond_hope(war, seat, intent):
            raise
    except Refused as refused:
        if refused.illegal.rule in _OF_THE_MAP or (_now(war, seat) and not _mended_by_cession(war, seat, intent, check)):
            raise


def _mended_by_cession(war: War, seat: Seat, intent: T, check: Callable[[War, Seat, T], None]) -> bool:
    """27.move.cede.2: whether it would be lawful once all that is offered to this player is his."""
    offered = [o.region for o in war.offers if o.kind == "cede" and cession_of(war, seat, o.region) == o]
    for region in offered:
        war = war if war.lands[region].revolt else ceded(war, seat, region)
    try:
        check(war, seat, intent)
    except NotYet:
        return bool(offered)
    except Refused:
        return False
    return bool(offered)


# ---------------------------------------------------------------- by land


def bind_move(war: War, seat: Seat, order: Order) -> Intent:
    """MOVE 3 infantry FROM Egypt TO Palestine VIA ...; fleets are sailed, and the shore is crossed by other verbs."""
    rule = "27.move.land.2"
    origin, target = one(order, rule, "FROM"), one(order, rule, "TO")
    fleets = any(thing.name == "fleets" or thing.kind == SHIP for thing in order.things)
    if fleets or (BOARD.is_sea(origin) and BOARD.is_sea(target)):
        return bind_sail(war, seat, order)
    via = tuple(thing.name for thing in after(order, "VIA"))
    lots = units(order, _held(war, seat, origin), rule)
    if BOARD.is_sea(origin):
        instead = (line_of(LandUnits(lots, origin, target)),)
        raise Refused("From a sea area units are put ashore with LAND.", "27.move.carry.4", origin, instead)
    if BOARD.is_sea(target):
        instead = (line_of(EmbarkUnits(lots, origin, target)),)
        raise Refused("Units go to sea with EMBARK.", "27.move.carry.3", target, instead)
    intent = MoveUnits(lots, origin, target, via)
    _check(war, seat, intent, check_march)
    return intent


def _held(war: War, seat: Seat, place: str) -> tuple[str, ...]:
    """Kinds of land unit that a player has in a region, or aboard in a sea area."""
    if BOARD.is_sea(place):
        return tuple(load.kind for fleet in war.fleets_of(seat, place) for load in fleet.cargo if load.owner == seat)
    return tuple(stack.kind for stack in war.lands[place].stacks if stack.owner == seat)


# ---------------------------------------------------------------- by sea


def bind_embark(war: War, seat: Seat, order: Order) -> Intent:
    """EMBARK 3 infantry FROM Egypt IN Red Sea; where one sea area alone touches the region it need not be named."""
    rule = "27.move.carry.3"
    origin = one(order, rule, "FROM")
    places = after(order, "IN", "INTO", "TO")
    fleets = ships_named((*after(order, "ABOARD"), *places), rule)
    sea = _one_place(order, rule, places) or _sea_of(war, fleets, BOARD.regions[origin].seas)
    lots = units(order, _held(war, seat, origin), rule)
    intent = EmbarkUnits(lots, origin, sea or _only_sea(war, seat, lots, origin), fleets)
    _check(war, seat, intent, check_embark)
    return intent


def _only_sea(war: War, seat: Seat, lots: tuple[Lot, ...], origin: str) -> str:
    seas = BOARD.regions[origin].seas
    ours = [sea for sea in seas if war.fleets_of(seat, sea)] if len(seas) > 1 else seas
    if len(ours) == 1:
        return ours[0]
    instead = tuple(line_of(EmbarkUnits(lots, origin, sea)) for sea in ours or seas)
    raise Refused(f"Say in which sea area the units of {origin} board.", "27.move.carry.3", origin, instead)


def bind_land(war: War, seat: Seat, order: Order) -> Intent:
    """LAND 2 infantry FROM Red Sea IN Egypt."""
    rule = "27.move.carry.4"
    target, fleets = one(order, rule, "IN", "INTO", "TO"), ships_named(after(order, "FROM", "ABOARD"), rule)
    sea = _one_place(order, rule, after(order, "FROM"))
    sea = sea or _sea_of(war, fleets, BOARD.regions[target].seas if target else tuple(BOARD.seas))
    if not sea:
        ships = named_fleets(fleets)
        raise Refused(f"Say where {ships} lands them: FROM the sea area ABOARD {ships}.", rule, "FROM")
    lots = units(order, _held(war, seat, sea), rule)
    if not target:
        coasts = BOARD.seas[sea].coasts
        instead = tuple(line_of(LandUnits(lots, sea, coast)) for coast in coasts[:3])
        raise Refused("Say in which region the units land.", rule, sea, instead)
    intent = LandUnits(lots, sea, target, fleets)
    _check(war, seat, intent, check_land)
    return intent


def _one_place(order: Order, rule: str, things: Sequence[Thing]) -> str:
    """The only sea area among things that may be fleets as well, "" for none. Raises Refused when there are several."""
    places = [thing.name for thing in things if thing.kind != SHIP]
    if len(places) > 1:
        raise Refused(f"{order.verb} takes one sea area.", rule, places[1])
    return places[0] if places else ""


def _sea_of(war: War, fleets: Sequence[int], seas: Sequence[str]) -> str:
    """Where fleets lie, if that is one of these sea areas, or the only one that there is; "" where that is open."""
    lie = {war.fleets[number].sea for number in fleets if number in war.fleets}
    found = [sea for sea in seas if sea in lie] or (list(seas) if fleets else [])
    return found[0] if len(found) == 1 else ""


def bind_sail(war: War, seat: Seat, order: Order) -> Intent:
    """SAIL 2 fleets, or fleet 1, fleet 2, FROM Red Sea TO Arabian Sea VIA ... WITH cargo."""
    rule = "27.move.naval.1"
    origin, target = one(order, rule, "FROM"), one(order, rule, "TO")
    for place in (origin, target, *(thing.name for thing in after(order, "VIA"))):
        if not BOARD.is_sea(place):
            raise Refused(f"Fleets sail from sea area to sea area; {place} is land.", "27.board.3", place)
    others = [thing.name for thing in order.things if thing.kind == "unit" and thing.name != "fleets"]
    if others:
        raise Refused("Fleets sail; land units go with them once they are aboard.", "27.board.3", others[0])
    fleets = ships_named(order.things, rule)
    if fleets and any(thing.kind != SHIP for thing in order.things):
        raise Refused("Name fleets by their numbers, or say how many sail, not both.", rule, "fleets")
    quantity = _how_many_sail(order, rule) if not fleets else exactly("fleet", len(fleets)).quantity
    via = tuple(thing.name for thing in after(order, "VIA"))
    if origin == target and not via:
        raise Refused(f"The fleets are in {target} already.", rule, target)
    loaded = True if after(order, "WITH") else False if after(order, "WITHOUT") else None
    intent = SailFleets(quantity, origin, target, via, None if fleets else loaded, fleets)
    _check(war, seat, intent, check_sail)
    return intent


def _how_many_sail(order: Order, rule: str) -> Quantity:
    if order.things[0].kind == "any":
        return ALL
    lots = lots_of(order, rule)
    if len(lots) > 1:
        raise Refused("Write a line for each: SAIL names so many fleets, or fleets by their numbers.", rule, order.things[1].name)
    return lots[0].quantity


def bind_attack(war: War, seat: Seat, order: Order) -> Intent:
    """ATTACK Blue IN Red Sea WITH 2 fleets."""
    rule = "27.move.naval.2"
    enemy = opponent(war, seat, order.things[0].name, rule)
    sea = one(order, rule, "IN")
    if not BOARD.is_sea(sea):
        raise _by_marching(war, seat, sea)
    force = [thing for thing in after(order, "WITH") if thing.kind != SHIP]
    fleets = ships_named(after(order, "WITH"), rule)
    for thing in force:
        if thing.name != "fleets" or fleets:
            raise Refused("Fleets alone fight at sea.", rule, thing.name, (line_of(AttackFleets(enemy, sea)),))
    intent = AttackFleets(enemy, sea, force[0].quantity if force else None, fleets)
    _check(war, seat, intent, check_attack_fleets)
    return intent


def _by_marching(war: War, seat: Seat, region: str) -> Refused:
    """27.move.land.3: a region is attacked by entering it."""
    owner = war.lands[region].owner
    if owner not in (None, seat) and not war.at_war(seat, owner):
        why = f"{region} is {owner}'s, with whom you are not at war; regions are attacked by entering them."
        return Refused(why + declaration(war, seat, owner), "27.war.1", region)
    near = [name for name in BOARD.regions[region].borders if war.lands[name].brigades(seat)]
    instead = tuple(line_of(MoveUnits((Lot("infantry", ALL),), name, region)) for name in near[:2])
    return Refused(f"{region} is attacked by marching or landing there.", "27.move.land.3", region, instead)


def bind_declare(war: War, seat: Seat, order: Order) -> Intent:
    """DECLARE WAR ON Blue."""
    enemy = opponent(war, seat, one(order, "27.war.3", "ON"), "27.war.3")
    intent = DeclareWar(enemy)
    _check(war, seat, intent, check_declare)
    return intent


def bind_destroy(war: War, seat: Seat, order: Order) -> Intent:
    """DESTROY city IN Egypt WITH 1 infantry."""
    rule = "27.opt.scorched.1"
    (thing,) = order.things
    units = after(order, "WITH")
    kind = KIND_OF[units[0].name] if units else ""
    if len(units) > 1 or (units and units[0].quantity is not None and units[0].count() != 1):
        raise Refused("One unit destroys one thing; write a line for each.", rule, units[-1].name)
    if kind and kind not in ABLE:
        raise Refused(f"Brigades and engineers destroy, not {units[0].name}.", rule, units[0].name)
    intent = DestroyWorks(one(order, rule, "IN"), KIND_OF.get(thing.name, thing.name), kind)
    _check(war, seat, intent, check_destroy)
    return intent


# ---------------------------------------------------------------- combat and other actions


def bind_resolve(war: War, seat: Seat, order: Order) -> Intent:
    """RESOLVE Egypt, Sudan."""
    return ResolveInOrder(tuple(dict.fromkeys(thing.name for thing in order.things)))


def bind_explore(war: War, seat: Seat, order: Order) -> Intent:
    """EXPLORE Sudan WITH gift REMOVING Blue BEFORE battle."""
    rule = "27.combat.explorer.3"
    rival = one(order, rule, "REMOVING")
    intent = ExploreRegion(
        order.things[0].name,
        says(order, "GIFT") or says(order, "WITH"),
        opponent(war, seat, rival, rule) if rival else None,
        says(order, "BEFORE"),
    )
    _check(war, seat, intent, check_explore)
    if _now(war, seat) and intent.gift and not war.treasuries[seat].dp:
        instead = (line_of(ExploreRegion(intent.region, False, intent.remove, intent.before_battle)),)
        raise Refused("A gift costs 1 DP; you have none.", "27.combat.explorer.2", "gift", instead)
    return intent


def bind_prospect(war: War, seat: Seat, order: Order) -> Intent:
    """PROSPECT Egypt."""
    region = order.things[0].name
    land = war.lands[region]
    if _now(war, seat) and land.developed:
        raise Refused(f"The resource of {region} is developed; only an undeveloped one is replaced.", "R27-74", region)
    if _now(war, seat) and land.owner not in (None, seat):
        raise Refused(f"{region} is {land.owner}'s; you prospect in your own regions.", "R27-74", region)
    return ProspectRegion(region)
