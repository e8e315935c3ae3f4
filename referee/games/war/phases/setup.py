"""The set-up: cards dealt, homelands, units placed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import affordable, places_for
from referee.games.war.events.combat import OrderFellShort
from referee.games.war.events.course import (
    CapitalNamed,
    FreeBuildingPlaced,
    FreeResourcePlaced,
    OrderOfPlaySet,
    PiecePlaced,
    PieceReturned,
    PiecesBought,
    PowerRaised,
    RegionDealt,
    RegionPicked,
    RegionsSwapped,
    StageBegan,
    StartPaid,
)
from referee.games.war.events.economy import CardDrawn, MarkerDrawn
from referee.games.war.orders.building import check_building
from referee.games.war.orders.setup import (
    AskPlacement,
    BuyPieces,
    DraftRegions,
    FreeBuilding,
    FreeResource,
    NameCapital,
    PlacePieces,
    SwapRegions,
    lots_bought,
)
from referee.games.war.phases import Proposing, Sheets, Suggesting, decide, sealed_sheets
from referee.games.war.phases.construction import agreed
from referee.games.war.position.state import War, plays
from referee.games.war.random_player import suggest
from referee.games.war.reckoning.income import has_room, marker_named
from referee.games.war.reckoning.scoring import (
    COLONIAL_POWERS,
    COLONY,
    EUROPEAN,
    cards_in_cup,
    colonies_left,
    is_colony,
    is_power,
    may_pick,
    ten_worth,
)
from referee.games.war.rulebook import BOARD, BUILDINGS, EXCLUSIVE, LAND_UNITS, plural
from referee.games.war.steady_player import steady
from referee.kit.refused import Refused

# ---------------------------------------------------------------- dealing
# Starting regions dealt by cards, and swapped by agreement (27.opt.random_regions); capitals (R27-92).


def deal(table: Table[War]) -> Script[None]:
    """27.opt.random_regions: so many cards each, dealt round after round; then one window for swaps (R27-90)."""
    seats, each = table.state.seats, table.state.start.regions
    cards = dict.fromkeys(BOARD.regions, 1)
    dealt = table.draw("the region cards", cards, each * len(seats), "Starting regions", "27.opt.random_regions.1")
    for place, region in enumerate(dealt):
        table.emit(RegionDealt(seats[place % len(seats)], region))
    capital = ("CAPITAL",) if plays(table.state, "capital_only") else ()
    text = "Swap dealt regions, if somebody agrees to the same swap: SWAP Egypt FOR India."
    sheets = yield from sealed_sheets(
        table, "swaps", text, ("SWAP", *capital), (SwapRegions, NameCapital), "27.opt.random_regions.2"
    )
    _swap(table, sheets)
    name_capitals(table, sheets)


def _swap(table: Table[War], sheets: Sheets) -> None:
    """R27-90: a ring of regions, each offered for the next by the player who holds it, changes hands whole."""
    offered = {region: wanted for region, (_, wanted) in _offers(table.state, sheets).items()}
    done: set[str] = set()
    for region in sorted(offered, key=BOARD.position):
        ring = _ring(offered, region)
        if ring and region not in done:
            done.update(ring)
            holders = [_holder(table.state, name) for name in ring]
            table.emit(RegionsSwapped(tuple(zip(holders, ring, (*ring[1:], ring[0]), strict=True))))
    for seat, sheet in sheets.items():
        for order in sheet:
            if isinstance(order, SwapRegions) and order.region not in done:
                why = f"Nobody offers {order.wanted} for it so that all agree."
                table.emit(OrderFellShort(seat, order.meaning(), why, "R27-90"))


def _offers(war: War, sheets: Sheets) -> Mapping[str, tuple[Seat, str]]:
    """R27-90"""
    found: dict[str, tuple[Seat, str]] = {}
    for seat, order in _all(sheets):
        if isinstance(order, SwapRegions) and war.lands[order.region].owner == seat:
            found.setdefault(order.region, (seat, order.wanted))
    return found


def _all(sheets: Sheets) -> Iterator[tuple[Seat, Intent]]:
    return ((seat, order) for seat, sheet in sheets.items() for order in sheet)


def _ring(offered: Mapping[str, str], region: str) -> tuple[str, ...]:
    """From a region along what each is offered for, back to the first; nothing if it does not come back."""
    ring = [region]
    while (following := offered.get(ring[-1])) is not None and following not in ring:
        ring.append(following)
    return tuple(ring) if following == region and len(ring) > 1 else ()


def _holder(war: War, region: str) -> Seat:
    owner = war.lands[region].owner
    assert owner is not None  # only what somebody holds is offered
    return owner


def name_capitals(table: Table[War], sheets: Sheets, firsts: Mapping[Seat, str] | None = None) -> None:
    """27.opt.multiple_buildings.3, R27-92"""
    if not plays(table.state, "capital_only"):
        return
    for seat, sheet in sheets.items():
        own = [land.name for land in table.state.regions_of(seat)]
        first = (firsts or {}).get(seat, own[0])
        named = (order.region for order in sheet if isinstance(order, NameCapital) and order.region in own)
        table.emit(CapitalNamed(seat, next(named, first)))


# ---------------------------------------------------------------- the set-up of the pseudo-historical rules
# Random colonies, free gifts in Europe, local powers (R27-99).


_STRONG = 7


def draw_colony(table: Table[War], seat: Seat, left: int) -> str:
    """27.opt.historical.setup.1: one of the colonies that are still free, by card."""
    holds = dict.fromkeys(colonies_left(table.state, seat, left), 1)
    rule = "27.opt.historical.setup.1"
    (region,) = table.draw("the colony cards", holds, 1, f"Colony of {seat}, {left} to pick", rule)
    return region


def place_gifts(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> None:
    """27.opt.historical.setup.4: a building and a resource in Europe; by default a city, and both in the first pick."""
    war, home = table.state, table.state.homes[seat]
    wish = next((order for order in sheet if isinstance(order, FreeBuilding)), FreeBuilding(kind="city", region=home))
    land = war.lands[wish.region]
    if wish.region not in EUROPEAN or land.owner != seat or not has_room(war, land, wish.kind):
        _fell_short(table, seat, wish)
        wish = FreeBuilding(kind="city", region=home)
    table.emit(FreeBuildingPlaced(seat, wish.region, wish.kind))
    place = next((order for order in sheet if isinstance(order, FreeResource)), FreeResource(home))
    if place.region not in EUROPEAN or war.lands[place.region].owner != seat:
        _fell_short(table, seat, place)
        place = FreeResource(home)
    resource = ten_worth(war)
    if resource is not None:
        table.emit(FreeResourcePlaced(seat, place.region, resource))


def _fell_short(table: Table[War], seat: Seat, order: Intent) -> None:
    why = "It cannot stand there; it goes to your home country."
    table.emit(OrderFellShort(seat, order.meaning(), why, "27.opt.historical.setup.4"))


def raise_powers(table: Table[War]) -> Script[None]:
    """27.opt.historical.powers.1 to .3: buildings, then the strongest markers, before any other is drawn."""
    for region in (name for name in BOARD.regions if is_power(table.state, name)):
        table.emit(PowerRaised(region, _building(table, region)))
        strong = strong_ones(table.state.markers)
        why = f"native marker of {region}"
        (name,) = table.draw("the strong native markers", strong, 1, why, "27.opt.historical.powers.3", seen_by=())
        table.emit(MarkerDrawn(region, marker_named(name)))
    yield from ()


def strong_ones(cup: Mapping[str, int]) -> dict[str, int]:
    """27.opt.historical.powers.3: the markers of a cup that a local power may have."""
    return {name: n for name, n in cup.items() if n and name.endswith("++") and int(name[:-2]) >= _STRONG}


def _building(table: Table[War], region: str) -> str:
    if region in COLONIAL_POWERS:
        return "city"
    kinds = tuple(kind for kind in EXCLUSIVE if kind != "port" or BOARD.regions[region].coastal)
    return table.choose(kinds, f"building of {region}", "27.opt.historical.powers.2")


# ---------------------------------------------------------------- placing
# Starting pieces placed, one after the other in set-up order: by their buyer's list, else asked or by default (R27-81).


class Basket:
    """A player's pieces that are bought and not yet placed, his wishes for them, and the wishes that could not be granted."""

    def __init__(self, seat: Seat, sheet: Sequence[Intent], bought: Mapping[str, int], trial: bool = False) -> None:
        self.seat, self.trial = seat, trial
        self.pieces = dict(bought)
        self.wishes = _wished(sheet, dict(bought))
        self.asked = any(isinstance(order, AskPlacement) for order in sheet)
        self.unlawful: list[tuple[str, str, Refused]] = []

    def take(self, kind: str) -> None:
        """One piece less."""
        self.pieces[kind] -= 1
        if not self.pieces[kind]:
            del self.pieces[kind]

    def misplaced(self, kind: str) -> tuple[str, str, Refused] | None:
        """The first wish for such a piece that could not be granted, and is settled now."""
        found = next((entry for entry in self.unlawful if entry[0] == kind), None)
        if found is not None:
            self.unlawful.remove(found)
        return found


def place_all(table: Table[War], seat: Seat, sheet: Sequence[Intent], bought: Mapping[str, int]) -> Script[None]:
    """All of one player's pieces, as if nobody else placed any."""
    basket = Basket(seat, sheet, bought, trial=True)
    while basket.pieces:
        yield from place_one(table, basket)


def placed_by(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position when the pieces stand that a sheet buys and places, with those that it still has to place."""
    basket = Basket(seat, sheet, affordable(war, seat, lots_bought(sheet))[0])
    while wish := _next_wish(war, basket):
        war = PiecePlaced(seat, *wish).change(war)
        basket.take(wish[0])
    return replace(war, unplaced=basket.pieces)


def _wished(sheet: Sequence[Intent], bought: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Kind and place of piece after piece, in the order written."""
    for order in sheet:
        if isinstance(order, PlacePieces):
            for lot in order.lots:
                for _ in range(min(lot.quantity.of(bought.get(lot.kind, 0)), bought.get(lot.kind, 0))):
                    yield lot.kind, order.place


def place_one(table: Table[War], basket: Basket) -> Script[None]:
    """27.setup.7: the next piece of the list; after the list in the order of need for room, asked for or by default."""
    seat, simultaneous = basket.seat, plays(table.state, "simultaneous")
    wish = (yield from _agreed_wish(table, basket)) if simultaneous else _next_wish(table.state, basket)
    if not basket.pieces:
        return
    kind, place = wish or (yield from _unlisted(table, basket))
    if place:
        table.emit(PiecePlaced(seat, kind, place))
        basket.take(kind)
    else:
        table.emit(PieceReturned(seat, kind, table.state.price(kind) * basket.pieces.pop(kind)))
    if wish is None and (wrong := basket.misplaced(kind)) is not None:
        where = "You are asked where it stands." if basket.trial and basket.asked else f"It stands in {place} instead."
        _explain(table, seat, wrong, where if place else "It is paid back.")


def _explain(table: Table[War], seat: Seat, wrong: tuple[str, str, Refused], instead: str) -> None:
    """Why a piece is not where its owner wanted it, and where it is."""
    kind, place, refused = wrong
    why = refused.illegal
    table.emit(OrderFellShort(seat, _line(kind, place), f"{why.sentence} {instead}", why.rule))


def _line(kind: str, place: str) -> str:
    return f"PLACE 1 {kind} IN {place}"


def _unlisted(table: Table[War], basket: Basket) -> Script[tuple[str, str]]:
    """The next piece without a lawful wish, and its place; "" for nowhere."""
    kind = next(kind for kind in _PLACING if basket.pieces.get(kind))
    lawful = places_for(table.state, basket.seat, kind)
    if not lawful or not basket.asked:
        return kind, lawful[0] if lawful else ""
    menu = OneOf([placed(name) for name in lawful], lawful[0])
    name = f"place {sum(basket.pieces.values())}/{basket.seat}"
    text = f"Where does your next {kind} stand?"
    return kind, (yield from decide(table, basket.seat, name, text, menu, "27.setup.7", _silent))


def _silent(_: Sequence[Intent]) -> None:
    return None


_PLACING = ("port", "city", "factory", "railroad", "school", "fort", *LAND_UNITS, "fleet")
"""R27-81: the order in which pieces nobody placed are put on the map."""


def _next_wish(war: War, basket: Basket) -> tuple[str, str] | None:
    """The next piece of the player's own list that is in the basket and may stand there."""
    for kind, place in basket.wishes:
        if not basket.pieces.get(kind):
            continue
        if place in places_for(war, basket.seat, kind):
            return kind, place
        basket.unlawful.append((kind, place, _why_not(war, basket.seat, kind, place)))
    return None


def _agreed_wish(table: Table[War], basket: Basket) -> Script[tuple[str, str] | None]:
    """27.opt.simultaneous.2: an unlawful placement is mended to the default if all agree, else the piece is paid back."""
    for kind, place in basket.wishes:
        if not basket.pieces.get(kind):
            continue
        lawful = places_for(table.state, basket.seat, kind)
        if place in lawful:
            return kind, place
        name = f"{basket.seat}/mend {sum(basket.pieces.values())}/{kind}"
        was = f"{_line(kind, place)}: {_why_not(table.state, basket.seat, kind, place).illegal.sentence}"
        now = f"It stands in {lawful[0]}." if lawful else ""
        if now and (yield from agreed(table, basket.seat, was, now, name)):
            return kind, lawful[0]
        table.emit(PieceReturned(basket.seat, kind, table.state.price(kind)))
        basket.take(kind)
    return None


def _why_not(war: War, seat: Seat, kind: str, place: str) -> Refused:
    """Why a piece may not stand there at the start."""
    land = war.lands.get(place)
    if land is None:
        return Refused(f"{place} touches none of your regions.", "27.setup.6", place)
    if land.owner != seat:
        return Refused(f"{place} is not one of your regions.", "27.setup.7", place)
    if is_colony(war, place) and kind in BUILDINGS:
        return Refused(
            f"{place} is a colony; at the set-up buildings stand in Europe.", "27.opt.historical.setup.3", place
        )
    if kind not in BUILDINGS:
        why = f"{place} is a colony and has the five units that may be placed there, besides its free infantry."
        return Refused(why, "27.opt.historical.setup.5", place)
    try:
        check_building(war, land, kind)
    except Refused as refused:
        return refused
    return Refused(f"{place} has no room for {plural(kind)}.", "27.setup.5", place)


# ---------------------------------------------------------------- set-up
# The draft, the sealed purchase; how the pieces are placed is in placing.py (27.setup, R27-80, R27-81).


def set_up(table: Table[War]) -> Script[None]:
    """27.setup.1 to 27.setup.10."""
    drawn = table.draw(
        "the seats", dict.fromkeys(table.state.seats, 1), len(table.state.seats), "Set-up order", "27.setup.1"
    )
    table.emit(OrderOfPlaySet(tuple(Seat(name) for name in drawn), first=True))
    _draw_cards(table)
    if plays(table.state, "random_regions"):
        yield from deal(table)
    else:
        yield from draft(table)
    yield from equip(table)
    order = table.state.seats
    table.emit(StageBegan("movement", 1, 1, 1, order[0], order[1:]))


def _draw_cards(table: Table[War]) -> None:
    """27.opt.hidden_victory.1: one card each, seen by its owner alone."""
    if not plays(table.state, "hidden_victory"):
        return
    for seat in table.state.seats:
        bag = cards_in_cup(table.state)
        (card,) = table.draw("the victory cards", bag, 1, f"Card of {seat}", "27.opt.hidden_victory.1", seen_by=(seat,))
        table.emit(CardDrawn(seat, card))


# ---------------------------------------------------------------- the draft


def draft(table: Table[War]) -> Script[None]:
    """R27-80: round after round each takes the highest region of his list that is still free."""
    text = "Rank the regions you want to start in, best first: DRAFT Egypt, India, ..."
    capital = ("CAPITAL",) if plays(table.state, "capital_only") else ()
    sheets = yield from sealed_sheets(
        table, "draft", text, ("DRAFT", *capital), (DraftRegions, NameCapital), "27.setup.2"
    )
    lists = {
        seat: tuple(region for order in sheet if isinstance(order, DraftRegions) for region in order.regions)
        for seat, sheet in sheets.items()
    }
    firsts: dict[Seat, str] = {}
    for number in range(table.state.start.regions):
        for seat in table.state.seats:
            left = table.state.start.regions - number
            region = yield from _pick(table, seat, lists[seat], number + 1, left)
            table.emit(RegionPicked(seat, region))
            firsts.setdefault(seat, region)
    name_capitals(table, sheets, firsts)


def _free(war: War, seat: Seat, left: int) -> tuple[str, ...]:
    """The regions that may be picked: any native region, or what the historical rules leave (27.opt.historical.setup.1)."""
    if not plays(war, "historical"):
        return tuple(land.name for land in war.regions_of(None))
    return (*may_pick(war, seat, left), *((COLONY,) if colonies_left(war, seat, left) else ()))


def _pick(table: Table[War], seat: Seat, wanted: tuple[str, ...], number: int, left: int) -> Script[str]:
    region = yield from _choice(table, seat, wanted, number, _free(table.state, seat, left))
    return draw_colony(table, seat, left) if region == COLONY else region


def _choice(table: Table[War], seat: Seat, wanted: tuple[str, ...], number: int, free: tuple[str, ...]) -> Script[str]:
    first = next((region for region in wanted if region in free), None)
    if first is not None:
        return first
    options = [
        Choice(COLONY, COLONY, "drawn by card") if name == COLONY else placed(name, BOARD.regions[name].zone)
        for name in free
    ]
    menu = OneOf(options, default_pick(table.state, seat, free))

    def listed(sheet: Sequence[Intent]) -> str | None:
        names = (region for order in sheet if isinstance(order, DraftRegions) for region in order.regions)
        return next((name for name in names if name in free), None)

    text = f"Which region do you pick (number {number})?"
    return (yield from decide(table, seat, f"pick {number}/{seat}", text, menu, "27.setup.2", listed))


def default_pick(war: War, seat: Seat, free: Sequence[str] = ()) -> str:
    """R27-80"""
    named = [name for name in free or _free(war, seat, 0) if name != COLONY]
    if not named:
        return COLONY

    def rank(name: str) -> tuple[bool, int, int]:
        region = BOARD.regions[name]
        own = sum(war.lands[other].owner == seat for other in region.borders)
        return (not region.coastal, -own, BOARD.position(name))

    return min(named, key=rank)


# ---------------------------------------------------------------- purchase


def equip(
    table: Table[War],
    sound: Proposing = steady,
    suggest: Suggesting = suggest,
    buy: type[BuyPieces] = BuyPieces,
) -> Script[None]:
    """R27-81: all are paid; sealed purchases, by the BUY of the edition, revealed together; then one piece each in set-up order.

    A purchase that somebody misses would lose him the match: he buys and places what is proposed to him.
    """
    start = table.state.start
    table.emit(StartPaid(table.state.seats, start.pp, start.dp))
    pp = table.state.treasuries[table.state.seats[0]].pp
    text = f"Buy your starting pieces for up to {pp} PP (BUY) and say where they stand (PLACE)."
    sheets = yield from _purchases(table, text, sound, suggest, buy)
    if plays(table.state, "historical"):
        for seat, sheet in sheets.items():
            place_gifts(table, seat, sheet)
    baskets = {seat: Basket(seat, sheet, _buy(table, seat, sheet)) for seat, sheet in sheets.items()}
    while any(basket.pieces for basket in baskets.values()):
        for seat in table.state.seats:
            if baskets[seat].pieces:
                yield from place_one(table, baskets[seat])
    yield from raise_powers(table)


def _purchases(
    table: Table[War], text: str, sound: Proposing, suggest: Suggesting, buy: type[BuyPieces]
) -> Script[Sheets]:
    """27.opt.simultaneous.1: where all is revealed together nobody waits to see the others' pieces."""
    free = ("FREE", "FREE RESOURCE") if plays(table.state, "historical") else ()
    if plays(table.state, "simultaneous"):
        kinds, rule = (buy, PlacePieces, FreeBuilding, FreeResource), "27.opt.simultaneous.1"
        return (yield from sealed_sheets(table, "purchase", text, ("BUY", "PLACE", *free), kinds, rule, sound, suggest))
    more = (buy, PlacePieces, AskPlacement, FreeBuilding, FreeResource)
    verbs = ("BUY", "PLACE", "ASK", *free)
    return (yield from sealed_sheets(table, "purchase", text, verbs, more, "27.setup.4", sound, suggest))


def _buy(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> dict[str, int]:
    bought, short = affordable(table.state, seat, lots_bought(sheet))
    for why in short:
        table.emit(OrderFellShort(seat, "BUY", f"{why[0].upper()}{why[1:]}", "27.setup.4"))
    table.emit(
        PiecesBought(seat, tuple(bought.items()), sum(table.state.price(kind) * n for kind, n in bought.items()))
    )
    return dict(bought)
