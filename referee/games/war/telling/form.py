"""The next order sheet, half filled in: what there is to spend, what can move where, lines to be edited; and money left idle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, Portion, Quantity, bare
from referee.games.war.deeds import Lot, line_of
from referee.games.war.deeds.marching import affordable
from referee.games.war.orders import BOOK, in_play
from referee.games.war.orders.attack import ApproveRule, DeclareWar, JoinRule
from referee.games.war.orders.base import COMBAT, CONSTRUCTION, DIPLOMACY, MOVEMENT, NATIVE_DIPLOMACY
from referee.games.war.orders.building import BuildBuilding, BuildOrder, BuildUnits
from referee.games.war.orders.combat import DestroyWorks
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.natives import LOWERED, RemoveSphere, WesternizeRegion
from referee.games.war.orders.production import (
    BidForOrder,
    BuildCanal,
    BuyDiplomacy,
    DevelopResource,
    diplomacy_for_sale,
)
from referee.games.war.orders.setup import (
    GIFTS,
    AskPlacement,
    BuyPieces,
    NameCapital,
    SwapRegions,
    lots_bought,
)
from referee.games.war.position import Fleet, Land
from referee.games.war.position.state import War, in_order, maintained_before, plays
from referee.games.war.reckoning import alliances_in_words, friends
from referee.games.war.reckoning.scoring import card_in_words, in_force
from referee.games.war.rulebook import (
    BOARD,
    BUILDINGS,
    CHIT_VALUES,
    EXCLUSIVE,
    KINDS,
    LAND_UNITS,
)
from referee.games.war.steady_player import steady
from referee.games.war.telling.forecast import (
    after_construction,
    after_maintenance,
    ahead,
)
from referee.kit.declared import Ahead
from referee.kit.wording import counted, in_a_row

MOST_LINES = 60


def order_form(war: War, seat: Seat) -> tuple[str, ...]:
    """Lines to be edited and sent back; those that begin with # are only advice."""
    if seat in war.out:
        return ()
    match war.stage:
        case "setup":
            lines = _set_up(war, seat)
        case "production":
            lines = _bids(war, seat) if plays(war, "auction") and war.bid_in != war.turn else _production(war, seat)
        case "movement":
            lines = _movement(war, seat)
        case "over":
            return ()
    return (*_card(war, seat), *tuple(lines)[:MOST_LINES], *offers(war, seat))


def _card(war: War, seat: Seat) -> Iterator[str]:
    """His own card."""
    if war.cards.get(seat):
        yield f"# Your secret card: {card_in_words(war.cards[seat])}."


def _bids(war: War, seat: Seat) -> Iterator[str]:
    """27.opt.auction: what is bid for the order of the turn."""
    yield f"# You have {war.treasuries[seat].pp} PP. All bids are paid; from the lowest up each takes his place."
    yield f"# The order so far: {', '.join(war.living)}. Without a bid you bid 0 and go last."
    yield "# BID 1 PP"
    yield "# INSERT FIRST"


_BY_HAND = frozenset(
    order.words.verb
    for order in (
        *(MoveUnits, DestroyWorks, DeclareWar, BuyDiplomacy, WesternizeRegion, RemoveSphere),
        *(DevelopResource, BuildBuilding, BuildCanal, BuildUnits),
    )
)
"""The verbs whose lines stand here where they are told of."""


def _others(war: War, seat: Seat, foreseen: Ahead[War], *phases: str) -> Iterator[str]:
    """Lines of all other orders of these phases, as they are declared."""
    yield from BOOK.form(foreseen, seat, (verb for verb in in_play(war, *phases) if verb not in _BY_HAND))


# ---------------------------------------------------------------- set-up


def _set_up(war: War, seat: Seat) -> Iterator[str]:
    """The lines that are due: the draft, swaps of dealt regions, or the purchase."""
    own = [land.name for land in war.regions_of(seat)]
    if war.treasuries[seat].pp:
        yield from _purchase(war, seat)
        return
    yield from _swaps(war, seat, own) if own else _draft(war, seat)
    if plays(war, "capital_only"):
        yield "# Only your capital may hold several buildings; without a word it is your first region."
        yield from (f"# {line_of(order)}" for order in NameCapital.proposed(war, seat))


def _swaps(war: War, seat: Seat, own: list[str]) -> Iterator[str]:
    """27.opt.random_regions.2: what was dealt to whom."""
    yield f"# You were dealt {in_a_row(own)}."
    for other in war.after(seat):
        theirs = [land.name for land in war.regions_of(other)]
        yield f"# {other} was dealt {in_a_row(theirs)}."
    yield "# A swap is done if its holder offers the same, or in a ring of such offers."
    yield from (f"# {line_of(order)}" for order in SwapRegions.proposed(war, seat))


def _draft(war: War, seat: Seat) -> Iterator[str]:
    """Some coasts to begin with: ports stand there and fleets reach them."""
    number = war.start.regions
    if plays(war, "historical"):
        yield "# You pick European regions, regions next to your own of them, or a random colony (DRAFT colony)."
    yield f"# You pick {counted(number, 'regions')} in turns with the others: rank as many as you like, best first."
    yield "# At each pick you get the first that is still free."
    yield from _sound(war, seat)


def _purchase(war: War, seat: Seat) -> Iterator[str]:
    pp, own = war.treasuries[seat].pp, war.regions_of(seat)
    yield f"# You have {pp} PP and hold {in_a_row([land.name for land in own])}."
    yield f"# Prices: {_prices()}; any building {BUILDINGS['city']}. PP that you do not spend are saved."
    yield f"# A school needs a city in its region; {_room_in_words(war)} of city, factory, port, railroad in a region."
    yield "# Each unit costs 1 PP a turn. This is a sound beginning, for you to change:"
    if plays(war, "historical"):
        yield "# Buildings stand in Europe only, and five units in a colony. Free: a building and a resource of 10 in Europe."
        yield from (f"# {line_of(order)}" for gift in GIFTS for order in gift.proposed(war, seat))
    yield from _sound(war, seat)
    yield from (f"# {line_of(order)}" for order in AskPlacement.proposed(war, seat))


def _room_in_words(war: War) -> str:
    """How many kinds of building a region holds."""
    words = {"no": "one", "2": "two", "3": "three", "4": "each", "each": "each"}
    several = words[war.options.get("multiple_buildings", "no")]
    return f"{several}, but one outside your capital," if plays(war, "capital_only") else several


def _prices() -> str:
    return ", ".join(f"{kind} {data.price}" for kind, data in KINDS.items())


# ---------------------------------------------------------------- production


def _production(war: War, seat: Seat) -> Iterator[str]:
    """The lines that the sheet now due takes: in order, native diplomacy and construction are sheets of their own."""
    yield from _purse(war, seat)
    live = tuple(_sound(war, seat))
    yield from live
    yield from (line for line in _more(war, seat, ahead(war, seat)) if line.removeprefix("# ") not in live)


def due(war: War, seat: Seat) -> tuple[Reasoned, ...]:
    """A steady player's orders, as far as the sheet now due takes them: in order, construction comes after natives."""
    sound = steady(war, seat)
    if war.stage != "production" or not in_order(war):
        return sound
    return tuple(one for one in sound if isinstance(one.order, BuildOrder) == war.constructing)


def _sound(war: War, seat: Seat) -> Iterator[str]:
    return live(due(war, seat))


def live(sheet: Iterable[Reasoned]) -> Iterator[str]:
    """The lines of a sheet, each below its reason."""
    for one in sheet:
        yield from (f"# {one.why}", line_of(one.order))


def _more(war: War, seat: Seat, foreseen: Ahead[War]) -> Iterator[str]:
    """Further orders that can be given, as advice."""
    if not war.constructing:
        yield from (
            f"# {line_of(BuyDiplomacy(most))}" for most in (diplomacy_for_sale(foreseen("BUY DP"), seat),) if most
        )
        yield from _natives(war, seat, foreseen)
        yield from _others(war, seat, foreseen, DIPLOMACY, NATIVE_DIPLOMACY)
    if war.constructing or not in_order(war):
        then = foreseen("BUILD")
        yield from _buildings(war, then, seat)
        yield from _canal(war, then, seat)
        yield from _units(then, seat)
        yield from _others(war, seat, foreseen, CONSTRUCTION)


def _purse(war: War, seat: Seat) -> Iterator[str]:
    """The points to spend; maintenance is paid after the sheet is asked for, or was paid before."""
    purse, units = war.treasuries[seat], war.units_of(seat)
    have = f"# You have {purse.pp} PP and {purse.dp} DP;"
    if maintained_before(war):
        yield f"{have} the maintenance of this turn is paid."
        return
    left = max(0, purse.pp - units)
    yield f"{have} {counted(units, 'units')} cost {units} PP: {left} PP are left."
    if units > purse.pp:
        yield f"# {counted(units - purse.pp, 'units')} cannot be kept: say which go first."
        yield "# DISBAND explorers, infantry"


def _natives(war: War, seat: Seat, foreseen: Ahead[War]) -> Iterator[str]:
    """The spheres, revolts and native levels in one's regions, each with the order that can be given about it."""
    westernizing = {order.region: order for order in WesternizeRegion.proposed(foreseen("WESTERNIZE"), seat)}
    removing = {(order.region, order.owner): order for order in RemoveSphere.proposed(foreseen("REMOVE"), seat)}
    for land in war.regions_of(seat):
        if land.revolt is not None:
            yield f"# {land.name} is in revolt: {counted(land.revolt.brigades, 'native brigades')}."
        elif land.marker is not None:
            yield f"# {land.name}: natives of strength {land.marker}; 1 DP lowers it by {LOWERED}."
            yield from _advised(westernizing.get(land.name))
        for owner, number in land.spheres.items():
            if owner != seat and number:
                price = "taking them off is free" if war.at_war(seat, owner) else "taking one off costs 1 DP"
                yield f"# {owner} has {counted(number, 'spheres')} in {land.name}; {price}."
                yield from _advised(removing.get((land.name, owner)))


def _advised(order: Intent | None) -> Iterator[str]:
    if order is not None:
        yield f"# {line_of(order)}"


def _buildings(war: War, then: War, seat: Seat) -> Iterator[str]:
    """Resources worth developing, and one region that has room for a building; `then`: when they are built."""
    for land in war.regions_of(seat):
        value = CHIT_VALUES.get(land.chit or "dot", 0)
        if value and not land.developed and land.revolt is None:
            order = DevelopResource(land.name)
            yield f"# {land.name}: {land.chit} {value}, developed for {order.price(war)} PP."
            yield from _advised(order if order.lawful(then, seat) else None)
    orders = [BuildBuilding(kind, land.name) for land in then.regions_of(seat) for kind in EXCLUSIVE]
    able = [order for order in orders if order.lawful(then, seat)]
    if able:
        sites = in_a_row(list(dict.fromkeys(order.region for order in able)))
        yield f"# Sites for a city, factory, port or railroad at {BUILDINGS['city']} PP: {sites}."
        yield from _advised(able[0])


def _canal(war: War, then: War, seat: Seat) -> Iterator[str]:
    """27.opt.suez.1: what is still to be paid for the canal."""
    halves = 2 - len(war.canal)
    if plays(war, "suez") and halves and war.lands[BuildCanal().region].owner == seat:
        yield f"# The Suez Canal: {counted(halves, 'halves')} to pay, 30 PP each, one in a turn; an engineer saves a third."
        yield from _advised(BuildCanal() if BuildCanal().lawful(then, seat) else None)


def _units(war: War, seat: Seat) -> Iterator[str]:
    own = war.regions_of(seat)
    for kind in ("cavalry", "artillery", "general", "explorer", "engineer", "fleet"):
        places = [land.name for land in own if BuildUnits(kind, 1, land.name).most(war, seat)]
        if places:
            yield f"# {kind.capitalize()}, {KINDS[kind].price} PP, can be built in {in_a_row(places, 'or')}."
            yield from _advised(BuildUnits(kind, 1, places[0]))
    many = {land.name: BuildUnits("infantry", 1, land.name).most(war, seat) for land in own}
    able = [land for land in own if many[land.name]]
    if able:
        place = max(able, key=lambda land: _threat(war, seat, land))
        yield f"# Infantry, {KINDS['infantry'].price} PP, can be built in any region of yours."
        yield from _advised(BuildUnits("infantry", many[place.name], place.name))


def _threat(war: War, seat: Seat, land: Land) -> int:
    near = [war.lands[name] for name in BOARD.regions[land.name].borders]
    return sum(other.brigades(stack.owner) for other in near for stack in other.stacks[:1] if stack.owner != seat)


# ---------------------------------------------------------------- movement


def _movement(war: War, seat: Seat) -> Iterator[str]:
    foreseen, purse, enemies = ahead(war, seat), war.treasuries[seat], war.enemies(seat)
    yield f"# You have {purse.pp} PP and {purse.dp} DP."
    for enemy in enemies:
        when = "and may attack" if war.may_attack(seat, enemy) else "and may attack from your next turn to move"
        yield f"# You are at war with {enemy} {when}."
    yield from _alliances(war, seat)
    live = tuple(_sound(war, seat))
    yield from live
    moving = {order.origin: order for order in MoveUnits.proposed(foreseen("MOVE"), seat)}
    burning = {order.region: order for order in DestroyWorks.proposed(war, seat)} if plays(war, "scorched") else {}
    yield from standing(war, seat, lambda name: (order for orders in (burning, moving) if (order := orders.get(name))))
    if not enemies:
        yield from (f"# {line_of(order)}" for order in DeclareWar.proposed(foreseen("DECLARE WAR"), seat))
    yield from _others(war, seat, foreseen, MOVEMENT, COMBAT)


def _alliances(war: War, seat: Seat) -> Iterator[str]:
    """27.opt.alliances: who his allies are, and what standing orders say for the next war."""
    if not plays(war, "alliances"):
        return
    yield from (f"# {sentence}" for sentence in alliances_in_words(war) if seat in sentence)
    if len(war.living) > 2:
        other = war.after(seat)[0]
        yield "# When war is declared everybody may ask to join a side. As STANDING orders:"
        yield f"# {line_of(JoinRule(other))}"
        yield f"# {line_of(ApproveRule((other,)))}"


def standing(war: War, seat: Seat, advice: Callable[[str], Iterable[Intent]] = lambda _: ()) -> Iterator[str]:
    """Units by region with the orders they could have, and fleets."""
    for land in war.lands.values():
        if land.count(seat, *LAND_UNITS):
            yield from _region(war, seat, land)
            for order in advice(land.name):
                yield from _advised(order)
    for sea in dict.fromkeys(fleet.sea for fleet in war.fleets_of(seat)):
        yield _sea(war, seat, sea)


def _region(war: War, seat: Seat, land: Land) -> Iterator[str]:
    """The units there, the neighbours, and a march of all that need not stay."""
    place = BOARD.regions[land.name]
    stand = in_a_row([_counted(kind, land.count(seat, kind)) for kind in LAND_UNITS if land.count(seat, kind)])
    around = ", ".join([f"{name} ({_whose(war, seat, name)})" for name in place.borders] + list(place.seas))
    yield f"# {land.name}: {stand}. Next to it: {around}."
    if land.revolt is not None:
        yield f"#   in revolt against {counted(land.revolt.brigades, 'native brigades')}: brigades beyond that number may leave."


def _counted(kind: str, number: int) -> str:
    return Lot(kind, Quantity(Portion.EXACTLY, number)).words()


def _whose(war: War, seat: Seat, region: str) -> str:
    owner = war.lands[region].owner
    if owner != seat and owner in friends(war, seat):
        return f"{owner}, your ally"
    return "yours" if owner == seat else owner or "native"


def _sea(war: War, seat: Seat, sea: str) -> str:
    fleets = in_a_row([_ship(fleet) for fleet in war.fleets_of(seat, sea)])
    near = ", ".join(name for name, _ in BOARD.adjacent_seas(sea))
    others = [f for f in war.fleets_in(sea) if f.owner != seat]
    beside = f" Others there: {in_a_row([f'{o} {n}' for o, n in _by_owner(others)])}." if others else ""
    return f"# {sea}: {fleets}. Next to it: {near}; {', '.join(BOARD.seas[sea].coasts)}.{beside}"


def _ship(fleet: Fleet) -> str:
    """`fleet 2`, `fleet 3 (2 infantry aboard)`: the number by which orders may name it."""
    aboard = in_a_row([_counted(load.kind, load.number) for load in fleet.cargo])
    return f"fleet {fleet.number}{f' ({aboard} aboard)' if aboard else ''}"


def _by_owner(fleets: list[Fleet]) -> Iterator[tuple[Seat, int]]:
    for owner in dict.fromkeys(fleet.owner for fleet in fleets):
        yield owner, sum(fleet.owner == owner for fleet in fleets)


# ---------------------------------------------------------------- offers


def offers(war: War, seat: Seat) -> Iterator[str]:
    """Lines about the offers of others that a seat may still accept."""
    for offer in war.offers:
        if offer.to == seat and offer.kind == "peace" and not offer.accepted:
            yield f"# Offer {offer.number}: {offer.maker} offers you peace."
            yield f"# ACCEPT {offer.number}"
        elif offer.to == seat and offer.kind == "cede":
            yield f"# Offer {offer.number}: {offer.maker} cedes you {offer.region}; march a brigade in to take it."


# ---------------------------------------------------------------- money that a sheet leaves idle
# Most of the start money, or of what a careful player would spend in a production.


WORTH = 10
"""So many PP a careful player would spend, or nobody is asked whether he means to keep them."""


def idle_money(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """Whether more than half of what could be spent now is left, and would be of use."""
    if seat in war.out:
        return ()
    if war.stage == "setup":
        return tuple(idle_start_money(war, seat, sheet))
    return tuple(_left_idle(war, seat, sheet)) if war.stage == "production" else ()


def idle_start_money(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """R27-81: a purchase of less than half the start money; later it buys nothing that may be placed at will."""
    sheet, pp = in_force(war, seat, sheet), war.treasuries[seat].pp
    if not pp or not any(isinstance(intent, BuyPieces) for intent in sheet):
        return
    bought, _ = affordable(war, seat, lots_bought(sheet))
    spent = sum(war.price(kind) * number for kind, number in bought.items())
    if 0 < 2 * spent < pp:
        why = f"You spend {spent} of {pp} PP: {pp - spent} PP are saved, and the purchase of the set-up does not come again."
        yield Doubt(why, "R27-81", loss=True)


def _left_idle(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """The sheet beside the one that the form proposes, both carried out alone; nothing where nothing is built with it."""
    bids = plays(war, "auction") and war.bid_in != war.turn
    if bids or (in_order(war) and not war.constructing) or any(isinstance(bare(i), BidForOrder) for i in sheet):
        return
    careful = tuple(one.order for one in due(war, seat) if isinstance(one.order, BuildOrder))
    if careful:
        had = after_maintenance(war, seat).treasuries[seat].pp
        left, usual = (after_construction(war, seat, one).treasuries[seat].pp for one in (sheet, careful))
        yield from careful_doubt(had, had - left, had - usual, careful)


def careful_doubt(had: int, spent: int, usual: int, careful: Iterable[Intent]) -> Iterator[Doubt]:
    """27.money.1: that most of the money in hand is kept, and what it could buy; a careful player may keep it, too."""
    if usual >= WORTH and 2 * spent < min(had, usual):
        could = "; ".join(map(line_of, careful))
        why = f"You spend {spent} of {had} PP, and {had - spent} PP lie idle until your next production."
        yield Doubt(f"{why} With them you could: {could}.", "27.money.1", loss=True)
