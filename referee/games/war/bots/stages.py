"""Random but purposeful order sheets for every stage, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.war.bots.movement import moves, unplanned
from referee.games.war.bots.production import builds
from referee.games.war.deeds.lots import Lot
from referee.games.war.orders import BOOK, in_play
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, NATIVE_DIPLOMACY, STANDING
from referee.games.war.orders.opening.optional import FreeBuilding, FreeResource, NameCapital, SwapRegions
from referee.games.war.orders.opening.setting_up import BuyPieces, DraftRegions, PlacePieces
from referee.games.war.orders.production.auction import BidForOrder, InsertInOrder
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BUILDINGS, LEADERS

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
