"""Orders of the set-up -> intents (27.setup, R27-80, R27-81)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion
from referee.games.war.board import BOARD
from referee.games.war.historical import EUROPEAN
from referee.games.war.intents import (
    AskPlacement,
    BuyPieces,
    DraftRegions,
    FreeBuilding,
    FreeResource,
    Lot,
    NameCapital,
    PlacePieces,
    SwapRegions,
)
from referee.games.war.lines import line_of
from referee.games.war.naming import ALL, lots_of, one
from referee.games.war.options import plays
from referee.games.war.orders.units import BuyDiplomacy
from referee.games.war.pieces import KIND_OF, LAND_UNITS, plural
from referee.games.war.state import War
from referee.kit.fields import Said
from referee.kit.refused import Refused

__all__ = ["bind_ask", "bind_buy", "bind_capital", "bind_draft", "bind_free", "bind_place", "bind_swap"]


def bind_draft(war: War, seat: Seat, order: Order) -> Intent:
    """DRAFT Egypt, India ..."""
    _only_before_play(war, "DRAFT", "27.setup.2")
    return DraftRegions(tuple(dict.fromkeys(thing.name for thing in order.things)))


def bind_buy(war: War, seat: Seat, order: Order) -> Intent:
    """BUY pieces before play, or BUY n DP in production."""
    if any(thing.kind in ("money", "number") for thing in order.things):
        points = BuyDiplomacy.read(Said(order, war, seat))
        points.check(war, seat)
        return points
    lots = lots_of(order, "27.setup.4")
    place = one(order, "27.setup.4", "IN", "AT")
    if war.stage != "setup":
        raise _build_instead(war, seat, lots[0], place)
    if place:
        instead = (f"{line_of(BuyPieces(lots))}; {line_of(PlacePieces(lots, place))}",)
        raise Refused("BUY names pieces, PLACE says where they stand.", "27.setup.7", place, instead)
    held = war.treasuries[seat].pp or war.start.pp
    spent = 0
    for lot in lots:
        spent += _affordable(lot, lots, war.price(lot.kind), held - spent)
    return BuyPieces(lots)


def _affordable(lot: Lot, lots: tuple[Lot, ...], price: int, left: int) -> int:
    """What a lot costs at least; exact numbers must be covered, and a school needs a city. Raises Refused."""
    if lot.quantity.portion is not Portion.EXACTLY:
        return 0
    cost = price * lot.quantity.number
    if cost > left:
        most = left // price
        fewer = tuple(Lot(old.kind, old.quantity) if old is not lot else _some(lot, most) for old in lots)
        instead = (line_of(BuyPieces(tuple(old for old in fewer if old.quantity.number or old.quantity == ALL))),)
        verb = "costs" if lot.quantity.number == 1 else "cost"
        sentence = f"{lot.words()} {verb} {cost} PP; you have {left} PP left for {'it' if verb == 'costs' else 'them'}."
        raise Refused(sentence, "27.setup.4", plural(lot.kind), instead if most else ())
    return cost


def _some(lot: Lot, number: int) -> Lot:
    return Lot(lot.kind, type(lot.quantity)(Portion.EXACTLY, number))


def _build_instead(war: War, seat: Seat, lot: Lot, named: str = "") -> Refused:
    sentence = "Pieces are bought with BUY before play only; in production they are built in a region."
    regions = war.regions_of(seat)
    needed = war.kinds[lot.kind].built_in if lot.kind in war.kinds else ""
    able = [land.name for land in regions if not needed or land.has(needed)]
    place = named if named in able else next(iter(able), "")
    number = lot.quantity.number or 1
    words = lot.kind if number == 1 else plural(lot.kind)
    instead = (f"BUILD {number} {words} IN {place}",) if place else ()
    return Refused(sentence, "27.turn.2", plural(lot.kind), instead)


def bind_place(war: War, seat: Seat, order: Order) -> Intent:
    """PLACE pieces IN a region or, fleets, in a sea area."""
    _only_before_play(war, "PLACE", "27.setup.7")
    place = one(order, "27.setup.7", "IN", "INTO")
    sea = BOARD.is_sea(place)
    if any(thing.kind == "any" for thing in order.things):
        kinds = ("fleet",) if sea else LAND_UNITS
        return PlacePieces(tuple(Lot(kind, ALL) for kind in kinds), place)
    lots = lots_of(order, "27.setup.7")
    for lot in lots:
        _fits(war, seat, lot, lots, place, sea)
    return PlacePieces(lots, place)


def _fits(war: War, seat: Seat, lot: Lot, lots: tuple[Lot, ...], place: str, sea: bool) -> None:
    """27.board.3, 27.setup.6, 27.production.build.7: raises Refused for a piece that can never stand there."""
    own = war.regions_of(seat)
    seas = tuple(dict.fromkeys(name for land in own for name in BOARD.regions[land.name].seas))
    if (lot.kind == "fleet") != sea:
        good = seas if lot.kind == "fleet" else tuple(land.name for land in own)
        sentence = "Fleets stand in sea areas." if lot.kind == "fleet" else f"{plural(lot.kind).capitalize()} stand on land."
        raise Refused(sentence, "27.board.3", place, _placed((lot,), good))
    if sea and own and place not in seas:
        raise Refused(f"{place} touches none of your regions.", "27.setup.6", place, _placed(lots, seas))
    if not sea and own and war.lands[place].owner != seat:
        names = tuple(land.name for land in own)
        raise Refused(f"{place} is not one of your regions.", "27.setup.7", place, _placed(lots, names))
    if lot.kind == "port" and not BOARD.regions[place].coastal:
        coasts = tuple(land.name for land in own if BOARD.regions[land.name].coastal)
        raise Refused(f"{place} has no coast; ports stand on coasts.", "27.production.build.7", place, _placed((lot,), coasts))


def _placed(lots: tuple[Lot, ...], places: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line_of(PlacePieces(lots, place)) for place in places[:2])


def bind_ask(war: War, seat: Seat, order: Order) -> Intent:
    """ASK placement."""
    _only_before_play(war, "ASK", "R27-81")
    if plays(war, "simultaneous"):
        raise Refused("All is revealed together: nobody waits to ASK.", "27.opt.simultaneous.1", "ASK")
    return AskPlacement()


def bind_swap(war: War, seat: Seat, order: Order) -> Intent:
    """SWAP Egypt FOR India."""
    rule = "27.opt.random_regions.2"
    _only_before_play(war, "SWAP", rule)
    intent = SwapRegions(order.things[0].name, one(order, rule, "FOR"))
    held = {name: war.lands[name].owner for name in (intent.region, intent.wanted)}
    if war.regions_of(seat) and held[intent.region] != seat:
        raise Refused(f"{intent.region} is not yours to swap.", rule, intent.region)
    if war.regions_of(seat) and held[intent.wanted] in (None, seat):
        whose = "yours already" if held[intent.wanted] else "nobody's: only dealt regions are in play"
        raise Refused(f"{intent.wanted} is {whose}.", "27.opt.random_regions.3", intent.wanted)
    return intent


def bind_free(war: War, seat: Seat, order: Order) -> Intent:
    """FREE 1 city IN France, FREE RESOURCE IN France (27.opt.historical.setup.4)."""
    rule = "27.opt.historical.setup.4"
    _only_before_play(war, "FREE", rule)
    region, own = one(order, rule, "IN"), war.regions_of(seat)
    kinds = [KIND_OF[thing.name] for thing in order.things]
    intent = FreeBuilding(kinds[0], region) if kinds else FreeResource(region)
    if region not in EUROPEAN or (own and war.lands[region].owner != seat):
        home = war.homes.get(seat)
        instead = (line_of(replace(intent, region=home)),) if home else ()
        raise Refused(f"{region} is no European region of yours.", rule, region, instead)
    return intent


def bind_capital(war: War, seat: Seat, order: Order) -> Intent:
    """CAPITAL Egypt."""
    rule = "27.opt.multiple_buildings.3"
    _only_before_play(war, "CAPITAL", rule)
    region, own = order.things[0].name, war.regions_of(seat)
    if own and war.lands[region].owner != seat:
        instead = tuple(line_of(NameCapital(land.name)) for land in own[:2])
        raise Refused(f"{region} is not yours.", rule, region, instead)
    return NameCapital(region)


def _only_before_play(war: War, verb: str, rule: str) -> None:
    if war.stage != "setup":
        raise Refused(f"{verb} belongs to the set-up, which is over.", rule, verb)
