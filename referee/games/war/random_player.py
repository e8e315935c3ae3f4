"""Sheets for nobody: random but purposeful orders, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.war.deeds import Lot, granted
from referee.games.war.deeds.marching import GIFT_PRICE, PROSPECTING_PRICE
from referee.games.war.orders import BOOK, in_play
from referee.games.war.orders.attack import AttackFleets, DeclareWar
from referee.games.war.orders.base import COMBAT, CONSTRUCTION, DIPLOMACY, MOVEMENT, NATIVE_DIPLOMACY, STANDING
from referee.games.war.orders.building import NOTHING, BuildBuilding, BuildOrder, BuildUnits
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.combat import DestroyWorks, ExploreRegion, ProspectRegion, works
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.natives import InciteRevolt, RemoveSphere, WesternizeRegion
from referee.games.war.orders.production import BidForOrder, BuildCanal, BuyDiplomacy, DevelopResource, InsertInOrder
from referee.games.war.orders.setup import (
    BuyPieces,
    DraftRegions,
    FreeBuilding,
    FreeResource,
    NameCapital,
    PlacePieces,
    SwapRegions,
)
from referee.games.war.orders.standing_home import DisbandOrder
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import carriers, friends
from referee.games.war.reckoning.income import income
from referee.games.war.reckoning.scoring import is_power
from referee.games.war.rulebook import BOARD, BRIGADES, BUILDINGS, CHIT_VALUES, KINDS, LEADERS, PARTIES

# ---------------------------------------------------------------- movement: marches, landings, explorers, wars


_ALL = Quantity(Portion.ALL)
_ENOUGH = 4
"""Brigades with which a bot dares to attack."""


def moves(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """A war at times; then every region with troops to spare sends them out by land or sea, and explorers go exploring."""
    # Seldom against somebody new; at sea whenever the enemy is met.
    others = war.after(seat)
    neighbours = [other for other in others if _meets(war, seat, other)]
    peaceful = [other for other in neighbours if DeclareWar(other).lawful(war, seat)]
    if peaceful and len(war.enemies(seat)) < 2 and not pick(3):
        yield DeclareWar(peaceful[pick(len(peaceful))])
    poor = war.units_of(seat) > war.treasuries[seat].pp + income(war, seat).pp
    # Units still aboard land where they can, though a player who cannot feed them lets them go; empty fleets cruise at times.
    for sea in dict.fromkeys(fleet.sea for fleet in war.fleets_of(seat)):
        aboard = {load.kind for fleet in war.fleets_of(seat, sea) for load in fleet.cargo}
        armed = not aboard.isdisjoint(BRIGADES)
        coasts = [name for name in BOARD.seas[sea].coasts if war.lands[name].owner == seat]
        coasts += [name for name in BOARD.seas[sea].coasts if armed and _goal(war, seat, name)]
        if aboard and coasts and pick(3) and not poor:
            kinds = tuple(kind for kind in (*BRIGADES, *PARTIES) if kind in aboard)
            yield LandUnits(tuple(Lot(kind, _ALL) for kind in kinds), sea, coasts[pick(len(coasts))])
        elif not coasts and not pick(3):
            ways = BOARD.adjacent_seas(sea)
            yield SailFleets(_ALL, sea, ways[pick(len(ways))][0])
    yield from _attacks(war, seat, pick)
    yield from _scorching(war, seat, pick)
    yield from _guests(war, seat, pick)
    used = set[str]()
    for land in war.regions_of(seat):
        if land.revolt is None and land.brigades(seat) > 1 and pick(4):
            order = _march(war, seat, land.name, pick)
            voyage = _voyage(war, seat, land.name, pick, used, poor)
            yield from voyage if voyage and (poor or pick(3)) else order
        yield from _explorer(war, seat, land.name, pick)
        rich = war.treasuries[seat].pp >= PROSPECTING_PRICE
        if rich and land.count(seat, "engineer") and not land.developed and land.chit and not pick(3):
            yield ProspectRegion(land.name)
    yield from unplanned(war, seat, pick, MOVEMENT, COMBAT)


_PLANNED = frozenset(
    order.words.verb
    for order in (
        *(DeclareWar, LandUnits, SailFleets, AttackFleets, DestroyWorks, MoveUnits, EmbarkUnits, ExploreRegion),
        *(ProspectRegion, BuyDiplomacy, WesternizeRegion, RemoveSphere, InciteRevolt),
        *(BuildUnits, BuildBuilding, DevelopResource, BuildCanal),
    )
)
"""The verbs of which bots have a purpose."""


def unplanned(war: War, seat: Seat, pick: Pick, *phases: str) -> Iterator[Intent]:
    """All other orders of these phases, chosen at random."""
    verbs = (verb for verb in in_play(war, *phases) if verb not in _PLANNED)
    yield from BOOK.suggest(lambda _: war, seat, verbs, pick)


def _attacks(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """27.move.naval.2: fleets that lie beside an enemy's."""
    for other in war.after(seat):
        for sea in dict.fromkeys(fleet.sea for fleet in war.fleets_of(other)):
            if war.may_attack(seat, other) and war.fleets_of(seat, sea) and pick(2):
                yield AttackFleets(other, sea)


def _scorching(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """27.opt.scorched: now and then something burns, rather where an enemy is near."""
    if not plays(war, "scorched"):
        return
    for land in war.regions_of(seat):
        there = works(land)
        threatened = any(
            war.at_war(seat, s.owner) for n in BOARD.regions[land.name].borders for s in war.lands[n].stacks
        )
        if there and not pick(3 if threatened else 12):
            yield DestroyWorks(land.name, there[pick(len(there))], ("", "infantry", "engineer")[pick(3)])


def _meets(war: War, seat: Seat, other: Seat) -> bool:
    near = {name for land in war.regions_of(seat) for name in BOARD.regions[land.name].borders}
    seas = {fleet.sea for fleet in war.fleets_of(seat)}
    by_sea = any(sea in seas for land in war.regions_of(other) for sea in BOARD.regions[land.name].seas)
    return by_sea or any(land.name in near for land in war.regions_of(other))


# ---------------------------------------------------------------- by land


def _guests(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """Guests in an ally's land go on now and then: home, to another friend, or into battle."""
    for land in war.contested():
        kinds = tuple(kind for kind in (*BRIGADES, *PARTIES) if land.count(seat, kind))
        if not kinds or land.owner in (None, seat):
            continue
        open_to = friends(war, seat)
        goals = [n for n in BOARD.regions[land.name].borders if war.lands[n].owner in open_to or _goal(war, seat, n)]
        if goals and (land.owner not in open_to or pick(2)):
            yield MoveUnits(tuple(Lot(kind, _ALL) for kind in kinds), land.name, goals[pick(len(goals))])


def _march(war: War, seat: Seat, origin: str, pick: Pick) -> Iterator[Intent]:
    """All that can be spared go to one neighbour: into battle when they are many, else to the strongest own region."""
    lots = _spare(war, seat, origin)
    many = sum(lot.quantity.number for lot in lots if lot.kind in BRIGADES)
    near = BOARD.regions[origin].borders
    goals = [name for name in near if _goal(war, seat, name) and many >= _needed(war, seat, name)]
    own = [name for name in near if war.lands[name].owner in friends(war, seat)]
    goals = [name for name in goals if _ceded(war, seat, name)] or goals
    targets = goals or (
        [max(own, key=lambda name: war.lands[name].brigades(war.lands[name].owner or seat))] if own else []
    )
    if targets and lots:
        yield MoveUnits(lots, origin, targets[pick(len(targets))])


def _needed(war: War, seat: Seat, region: str) -> int:
    """Brigades with which a bot dares to enter; what is ceded is there for the taking."""
    owner = war.lands[region].owner
    if _ceded(war, seat, region):
        return 1
    return _ENOUGH if owner is None else war.lands[region].brigades(owner)


def _goal(war: War, seat: Seat, region: str) -> bool:
    """Whether troops may be sent there to take it: native land, an enemy's, or what is ceded."""
    owner, land = war.lands[region].owner, war.lands[region]
    if owner is None:
        return True
    return owner != seat and land.revolt is None and (war.may_attack(seat, owner) or _ceded(war, seat, region))


def _ceded(war: War, seat: Seat, region: str) -> bool:
    return any(offer.kind == "cede" and offer.region == region and offer.to == seat for offer in war.offers)


def _spare(war: War, seat: Seat, origin: str) -> tuple[Lot, ...]:
    """Everything but explorers and the last brigade."""
    land, left = war.lands[origin], war.lands[origin].brigades(seat) - 1
    lots: list[Lot] = []
    for kind in reversed(BRIGADES):
        number = min(left, land.count(seat, kind))
        left -= number
        lots += [Lot(kind, Quantity(Portion.EXACTLY, number))] if number else []
    parties = [kind for kind in PARTIES if kind in LEADERS and land.count(seat, kind)]
    return (*lots, *(Lot(kind, _ALL) for kind in parties)) if lots else ()


def _explorer(war: War, seat: Seat, origin: str, pick: Pick) -> Iterator[Intent]:
    """27.combat.explorer.1: into a native neighbour, with a gift if there are DP."""
    if not war.lands[origin].count(seat, "explorer"):
        return
    near = BOARD.regions[origin].borders
    natives = [name for name in near if war.lands[name].owner is None and not is_power(war, name)]
    own = [name for name in BOARD.regions[origin].borders if war.lands[name].owner == seat]
    if natives and pick(5):
        target = natives[pick(len(natives))]
        yield MoveUnits((Lot("explorer", Quantity(Portion.EXACTLY, 1)),), origin, target)
        yield ExploreRegion(target, gift=war.treasuries[seat].dp > GIFT_PRICE and not pick(2))
    elif own:
        yield MoveUnits((Lot("explorer", _ALL),), origin, own[pick(len(own))])


# ---------------------------------------------------------------- by sea


def _voyage(war: War, seat: Seat, origin: str, pick: Pick, used: set[str], poor: bool) -> tuple[Intent, ...]:
    """Troops to spare board a fleet, which takes them to another coast."""
    seas = [sea for sea in BOARD.regions[origin].seas if sea not in used and carriers(war, seat, sea)]
    lots = _spare(war, seat, origin)
    if not seas or not lots:
        return ()
    sea = seas[pick(len(seas))]
    ways = [sea, *BOARD.seas[sea].borders]
    target = ways[pick(len(ways))]
    coasts = [name for name in BOARD.seas[target].coasts if name != origin and _goal(war, seat, name)]
    if not coasts:
        return ()
    used.add(sea)
    room = (
        war.kinds["fleet"].carries // max(war.kinds[kind].portage for kind in BRIGADES) * len(carriers(war, seat, sea))
    )
    lots = tuple(_fewer(lots, room))
    sail: tuple[Intent, ...] = (SailFleets(_ALL, sea, target),) if target != sea else ()
    aboard = tuple(Lot(lot.kind, _ALL) for lot in lots)
    landing = (LandUnits(aboard, target, coasts[pick(len(coasts))]),) if pick(2) and not poor else ()
    return (EmbarkUnits(lots, origin, sea), *sail, *landing)


def _fewer(lots: tuple[Lot, ...], room: int) -> Iterator[Lot]:
    for lot in lots:
        if lot.kind in BRIGADES and room:
            number = min(room, lot.quantity.number)
            room -= number
            yield Lot(lot.kind, Quantity(Portion.EXACTLY, number))


# ---------------------------------------------------------------- what a bot buys and builds, and how it is set up


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
        # Units aboard go first, for they hold no region.
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
