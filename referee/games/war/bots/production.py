"""What a bot buys and builds, and how it is set up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.war.bots.movement import moves, unplanned
from referee.games.war.deeds.muster import Lot, granted
from referee.games.war.orders import BOOK, in_play
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, NATIVE_DIPLOMACY, STANDING
from referee.games.war.orders.buildings import NOTHING, BuildBuilding, BuildOrder
from referee.games.war.orders.natives import InciteRevolt, RemoveSphere, WesternizeRegion
from referee.games.war.orders.opening import (
    BuyPieces,
    DraftRegions,
    FreeBuilding,
    FreeResource,
    NameCapital,
    PlacePieces,
    SwapRegions,
)
from referee.games.war.orders.production import BidForOrder, BuildCanal, BuyDiplomacy, DevelopResource, InsertInOrder
from referee.games.war.orders.standing_home import DisbandOrder
from referee.games.war.orders.units import BuildUnits
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning.income import income
from referee.games.war.rulebook import BOARD, BUILDINGS, CHIT_VALUES, KINDS, LEADERS

_TOO_MANY = 4
"""Units beyond its income that a horde has at least."""


def builds(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """DP at times, natives at times, and as many pieces as the PP left after maintenance pay for.

    The first seat saves all its PP until they buy more infantry than its income can keep.
    """
    cities = war.buildings_of(seat, "city")
    left = war.treasuries[seat].pp - war.units_of(seat)
    if cities and left >= 10 and not pick(2):
        yield BuyDiplomacy(1)
        left -= 10
    if left < 0:
        # 27.production.maintain.2: what is aboard goes first, for it holds no region.
        aboard = {(load.kind, fleet.sea, 0): None for fleet in war.fleets_of(seat) for load in fleet.cargo}
        if aboard:
            yield DisbandOrder(tuple(aboard))
    dp = war.treasuries[seat].dp
    for land in war.regions_of(seat):
        if land.revolt is None and land.marker is not None and dp and not pick(3):
            dp -= 1
            yield WesternizeRegion(land.name, min(pick(2), land.spheres.get(seat, 0)))
        for owner in land.spheres:
            order = RemoveSphere(land.name, owner)
            hostile = war.at_war(seat, owner)
            if granted(order.permit, war, seat) and (hostile or (dp and not pick(4))):
                dp -= not order.free(war, seat)
                yield replace(order, number=order.most(war, seat))
    for other in war.after(seat):
        for land in war.regions_of(other):
            attempt = InciteRevolt(land.name, not pick(2), not pick(2))
            if dp > attempt.bribe and granted(attempt.permit, war, seat) and pick(3):
                dp -= 1 + attempt.bribe
                yield attempt
    if war.units_of(seat) + left // KINDS["infantry"].price > income(war, seat).pp + _TOO_MANY:
        # Infantry in one region for all there is, which the next turns must keep.
        own = war.regions_of(seat)
        price = KINDS["infantry"].price
        if own and left >= price:
            yield BuildUnits("infantry", left // price, own[pick(len(own))].name)
    elif seat != war.seats[0]:
        yield from _pieces(war, seat, left, pick)


def _pieces(war: War, seat: Seat, left: int, pick: Pick) -> Iterator[Intent]:
    """Lines tried at random against the rules of building, until the money or the patience is gone."""
    own = [land.name for land in war.regions_of(seat)]
    done = NOTHING
    if plays(war, "suez") and granted(BuildCanal().permit, war, seat) and left >= BuildCanal().price(war):
        left -= BuildCanal().price(war)
        done = BuildCanal().adds(done)
        yield BuildCanal()
    for _ in range(12 if own else 0):
        order = _line(war, seat, own, pick)
        price = order.price(war)
        if 0 < price <= left and granted(order.permit, war, seat, done):
            left -= price
            done = order.adds(done)
            yield order
    if own and left >= KINDS["infantry"].price and pick(3):
        yield BuildUnits("infantry", left // KINDS["infantry"].price, own[pick(len(own))])


def _line(war: War, seat: Seat, own: Sequence[str], pick: Pick) -> BuildOrder:
    region = own[pick(len(own))]
    land = war.lands[region]
    if land.chit and not land.developed and CHIT_VALUES.get(land.chit):
        return DevelopResource(region)
    if not pick(4):
        kinds = tuple(BUILDINGS)
        return BuildBuilding(kinds[pick(len(kinds))], region)
    kinds = tuple(kind for kind, data in KINDS.items() if not data.built_in or land.has(data.built_in))
    kind = kinds[pick(len(kinds))]
    order = BuildUnits(kind, 1 + pick(2) if kind in ("infantry", "fleet", "explorer") else 1, region)
    seas = BOARD.regions[region].seas
    return replace(order, sea=seas[pick(len(seas))]) if kind == "fleet" and seas else order


# ---------------------------------------------------------------- stages
# Random but purposeful order sheets for every stage, for bots that test the rules and for tables that want a dummy.


_ALL = Quantity(Portion.ALL)


def suggest(war: War, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A sheet, mostly lawful, for the stage that is being played."""
    match war.stage:
        case "setup":
            return tuple(_set_up(war, seat, pick))
        case "production":
            sheet = (*_bid(war, seat, pick), *builds(war, seat, pick))
            more = unplanned(war, seat, pick, DIPLOMACY, NATIVE_DIPLOMACY, CONSTRUCTION)
            return (*sheet, *more, *_rules(war, seat, pick))
        case "movement":
            return (*moves(war, seat, pick), *_rules(war, seat, pick))
        case "over":
            return ()


# ---------------------------------------------------------------- set-up


def _set_up(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """A draft, swaps of what was dealt, or a purchase, whichever is due."""
    own = [land.name for land in war.regions_of(seat)]
    if plays(war, "capital_only") and not war.treasuries[seat].pp:
        names = own or list(BOARD.regions)
        yield NameCapital(names[pick(len(names))])
    if not own:
        drafted = _draft(pick)
        yield from (DraftRegions(("colony", *drafted[0].regions)),) if plays(war, "historical") and pick(2) else drafted
    elif not war.treasuries[seat].pp:
        others = [land.name for other in war.after(seat) for land in war.regions_of(other)]
        yield SwapRegions(own[pick(len(own))], others[pick(len(others))])
    else:
        yield from _purchase(war, seat, pick)
        if plays(war, "historical") and pick(2):
            yield FreeBuilding(kind=("city", "factory", "railroad", "fort")[pick(4)], region=war.homes[seat])
            yield FreeResource(war.homes[seat])


def _draft(pick: Pick) -> tuple[DraftRegions]:
    """A stretch of the map, shuffled a little, so that empires hang together."""
    names = list(BOARD.regions)
    first = pick(len(names))
    ranked = names[first:] + names[:first]
    picked: list[str] = []
    while ranked:
        picked.append(ranked.pop(pick(min(8, len(ranked)))))
    return (DraftRegions(tuple(picked)),)


_WANTED = (
    "city", "port", "infantry", "fleet", "fleet", "explorer", *LEADERS, "factory", "infantry", "cavalry", "school", "railroad"
)  # fmt: skip


def _purchase(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """Some of everything and infantry for the rest, placed in few regions; or a horde that it will be hard to keep."""
    left, bought, horde = war.treasuries[seat].pp, dict[str, int](), not pick(4)
    rest = ("infantry", "infantry" if horde else "artillery", "infantry", "engineer")
    wanted = (kind for kind in _WANTED if kind in war.kinds or kind in BUILDINGS)
    for kind in (*wanted, *(rest[pick(4)] for _ in range(40))):
        price = war.price(kind)
        if price <= left and (kind == "infantry" or pick(4)) and not (horde and kind in BUILDINGS):
            bought[kind] = bought.get(kind, 0) + 1
            left -= price
    yield BuyPieces(tuple(Lot(kind, Quantity(Portion.EXACTLY, number)) for kind, number in bought.items()))
    own = [land.name for land in war.regions_of(seat)]
    seas = list(dict.fromkeys(sea for name in own for sea in BOARD.regions[name].seas))
    for kind in bought:
        places = seas if kind == "fleet" else own
        if places and pick(3):
            share = Quantity(Portion.HALF) if kind == "infantry" else _ALL
            yield PlacePieces((Lot(kind, share),), places[pick(len(places))])


# ---------------------------------------------------------------- the auction


def _bid(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    others = war.after(seat)
    if plays(war, "auction") and others:
        yield BidForOrder(pick(4))
        yield (InsertInOrder("first"), InsertInOrder("after", others[pick(len(others))]))[pick(2)]
        yield InsertInOrder("before", others[pick(len(others))])


# ---------------------------------------------------------------- rules for decisions


def _rules(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """Now and then a rule that answers a question of the turn."""
    if pick(2) or not war.after(seat):
        return
    verbs = in_play(war, STANDING)
    yield from BOOK.suggest(lambda _: war, seat, [verbs[pick(len(verbs))] for _ in range(2 + pick(4))], pick)
