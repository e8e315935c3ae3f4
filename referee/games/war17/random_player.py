"""Random but purposeful order sheets for Version 1.7, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.war.deeds import Lot, granted
from referee.games.war.orders.base import COMBAT, CONSTRUCTION, MOVEMENT, STANDING
from referee.games.war.orders.building import NOTHING, BuildOrder
from referee.games.war.orders.combat import DestroyWorks, ExploreRegion, ProspectRegion
from referee.games.war.position.state import War
from referee.games.war.random_player import moves
from referee.games.war.random_player import suggest as suggest27
from referee.games.war.rulebook import BOARD, BUILDINGS, CHIT_VALUES
from referee.games.war17.orders import (
    BOOK17,
    BuildBuilding17,
    BuildUnits17,
    DeclareWar17,
    DevelopResource17,
    ExploreRegion17,
    MoveUnits17,
    explorers_in,
    here,
    own_verbs,
)
from referee.kit.declared import Declared


def suggest(war: War, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A sheet, mostly lawful, for the stage that is being played."""
    match war.stage:
        case "setup":
            return tuple(here(order) for order in suggest27(war, seat, pick) if isinstance(order, Declared))
        case "production":
            return (*_builds(war, seat, pick), *_others(war, seat, pick, CONSTRUCTION), *_rules(war, seat, pick))
        case "movement":
            return (*_moves(war, seat, pick), *_rules(war, seat, pick))
        case "over":
            return ()


def _moves(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """The marches and voyages of bots, wars that cost nothing, and at times a region razed, left or crossed."""
    others = [other for other in war.after(seat) if not war.at_war(seat, other)]
    if others and len(war.enemies(seat)) < 2 and not pick(4):
        yield DeclareWar17(others[pick(len(others))])
    for order in moves(war, seat, pick):
        if isinstance(order, ExploreRegion):
            yield ExploreRegion17(order.region, *((True, False), (False, True), (False, False))[pick(3)])
        elif isinstance(order, Declared) and not isinstance(order, ProspectRegion):
            yield here(order)
    yield from (ExploreRegion17(region, wait=True) for region in explorers_in(war, seat) if pick(3))
    yield from _oddities(war, seat, pick)
    yield from _others(war, seat, pick, MOVEMENT, COMBAT)


def _others(war: War, seat: Seat, pick: Pick, *phases: str) -> Iterator[Intent]:
    """Orders of this edition alone that no bot has a purpose for, chosen at random."""
    return BOOK17.suggest(lambda _: war, seat, own_verbs(*phases), pick)


def _oddities(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    own = war.regions_of(seat)
    if len(own) < 2 or pick(5):
        return
    land = own[pick(len(own))]
    if land.developed or land.buildings:
        yield DestroyWorks(land.name, "resource" if land.developed else land.buildings[pick(len(land.buildings))])
    near = [name for name in BOARD.regions[land.name].borders if war.lands[name].owner == seat]
    everything = Quantity(Portion.ALL)
    if near and not pick(3):
        yield MoveUnits17((Lot("infantry", everything),), land.name, near[pick(len(near))])
    for name in BOARD.regions[land.name].borders:
        owner = war.lands[name].owner
        beyond = [far for far in BOARD.regions[name].borders if war.lands[far].owner == seat and far != land.name]
        if owner not in (None, seat) and beyond and land.count(seat, "cavalry"):
            yield MoveUnits17((Lot("cavalry", everything),), land.name, beyond[0], (name,))


# ---------------------------------------------------------------- production


def _builds(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """Lines tried at random against the rules of building, until the money or the patience is gone."""
    own = [land.name for land in war.regions_of(seat)]
    left, done = war.treasuries[seat].pp, NOTHING
    for _ in range(14 if own else 0):
        order = _line(war, seat, own[pick(len(own))], pick)
        price = order.price(war)
        if 0 < price <= left and granted(order.permit, war, seat, done):
            left -= price
            done = order.adds(done)
            yield order
    if own and (many := left // war.price("infantry")) and pick(3):
        yield BuildUnits17("infantry", many, own[pick(len(own))])


def _line(war: War, seat: Seat, region: str, pick: Pick) -> BuildOrder:
    land = war.lands[region]
    if land.count(seat, "engineer") and pick(4):
        if land.chit and not land.developed and CHIT_VALUES.get(land.chit):
            return DevelopResource17(region)
        return BuildBuilding17(tuple(BUILDINGS)[pick(len(BUILDINGS))], region)
    kinds = [kind for kind, data in war.kinds.items() if not data.built_in or land.has(data.built_in)]
    kind = kinds[pick(len(kinds))]
    order = BuildUnits17(kind, 1 + pick(2), region)
    seas = BOARD.regions[region].seas
    return replace(order, sea=seas[pick(len(seas))]) if kind == "fleet" and seas else order


# ---------------------------------------------------------------- rules


def _rules(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """Now and then a line of a battle plan, or another rule that answers a question of the turn."""
    if pick(2) or not war.after(seat):
        return
    verbs = BOOK17.verbs_of(STANDING)
    yield from BOOK17.suggest(lambda _: war, seat, [verbs[pick(len(verbs))] for _ in range(2 + pick(4))], pick)
