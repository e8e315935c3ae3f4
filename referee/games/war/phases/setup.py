"""Set-up: the draft, the sealed purchase, and placing in turns (27.setup, R27-80, R27-81)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Option, Orders, Pace, Pick, Question
from referee.core.table import Script, Table
from referee.games.war.board import BOARD
from referee.games.war.bots import suggest
from referee.games.war.decisions import decide
from referee.games.war.events.course import OrderOfPlaySet, StageBegan
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.setup import PiecePlaced, PieceReturned, PiecesBought, RegionPicked, StartPaid
from referee.games.war.intents import AskPlacement, BuyPieces, DraftRegions, PlacePieces
from referee.games.war.pieces import EXCLUSIVE, LAND_UNITS
from referee.games.war.state import War

__all__ = ["affordable", "default_pick", "draft", "equip", "places_for", "set_up"]

_PURCHASE: Any = reduce(or_, (BuyPieces, PlacePieces, AskPlacement))


def set_up(table: Table[War]) -> Script[None]:
    """27.setup.1 to 27.setup.10."""
    drawn = table.draw(
        "the seats", dict.fromkeys(table.state.seats, 1), len(table.state.seats), "Set-up order", "27.setup.1"
    )
    table.emit(OrderOfPlaySet(tuple(Seat(name) for name in drawn), first=True))
    yield from draft(table)
    yield from equip(table)
    order = table.state.seats
    table.emit(StageBegan("movement", 1, 1, 1, order[0], order[1:]))


def _sheets(table: Table[War], name: str, text: str, verbs: tuple[str, ...]) -> Script[dict[Seat, tuple[Intent, ...]]]:
    """Everybody's order sheet for one window."""
    war = table.state
    questions = [
        Question(
            f"{table.phase}/{name}/{seat}",
            seat,
            text,
            Orders(verbs, DraftRegions if name == "draft" else _PURCHASE, _suggesting(war, seat)),
            Pace.WINDOW,
            "27.setup.2" if name == "draft" else "27.setup.4",
        )
        for seat in war.seats
    ]
    answers = yield from table.ask_all(questions)
    return {seat: answer.value for seat, answer in zip(war.seats, answers, strict=True)}


def _suggesting(war: War, seat: Seat) -> Any:
    def pick_one(pick: Pick) -> tuple[Intent, ...]:
        return suggest(war, seat, pick)

    return pick_one


# ---------------------------------------------------------------- the draft


def draft(table: Table[War]) -> Script[None]:
    """R27-80: round after round each takes the highest region of his list that is still free."""
    text = "Rank the regions you want to start in, best first: DRAFT Egypt, India, ..."
    sheets = yield from _sheets(table, "draft", text, ("DRAFT",))
    lists = {
        seat: tuple(region for order in sheet if isinstance(order, DraftRegions) for region in order.regions)
        for seat, sheet in sheets.items()
    }
    for number in range(table.state.start.regions):
        for seat in table.state.seats:
            region = yield from _pick(table, seat, lists[seat], number + 1)
            table.emit(RegionPicked(seat, region))


def _pick(table: Table[War], seat: Seat, wanted: tuple[str, ...], number: int) -> Script[str]:
    free = [land.name for land in table.state.regions_of(None)]
    first = next((region for region in wanted if region in free), None)
    if first is not None:
        return first
    menu = OneOf([Option(name, name, BOARD.regions[name].zone) for name in free], default_pick(table.state, seat))

    def listed(sheet: Sequence[Intent]) -> str | None:
        names = (region for order in sheet if isinstance(order, DraftRegions) for region in order.regions)
        return next((name for name in names if name in free), None)

    text = f"Which region do you pick (number {number})?"
    return (yield from decide(table, seat, f"pick {number}/{seat}", text, menu, "27.setup.2", listed))


def default_pick(war: War, seat: Seat) -> str:
    """The free coastal region beside most of one's own, then the order of the map (R27-80)."""
    free = [land.name for land in war.regions_of(None)]

    def rank(name: str) -> tuple[bool, int, int]:
        region = BOARD.regions[name]
        own = sum(war.lands[other].owner == seat for other in region.borders)
        return (not region.coastal, -own, BOARD.position(name))

    return min(free, key=rank)


# ---------------------------------------------------------------- purchase


def affordable(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[dict[str, int], tuple[str, ...]]:
    """What of the purchase can be paid for and placed, in the order written, and why the rest cannot."""
    own = war.regions_of(seat)
    coastal = sum(BOARD.regions[land.name].coastal for land in own)
    left, bought, short = war.treasuries[seat].pp, dict[str, int](), list[str]()
    for lot in (lot for order in sheet if isinstance(order, BuyPieces) for lot in order.lots):
        wanted = lot.quantity.of(left // war.price(lot.kind))
        most = min(wanted, left // war.price(lot.kind), _room(lot.kind, bought, len(own), coastal))
        if most < wanted:
            why = _why_short(lot.kind, (most + 1) * war.price(lot.kind), left)
            short.append(f"{wanted - most} of {lot.words()}: {why}")
        bought[lot.kind] = bought.get(lot.kind, 0) + most
        left -= most * war.price(lot.kind)
    return {kind: number for kind, number in bought.items() if number}, tuple(short)


def _room(kind: str, bought: dict[str, int], regions: int, coastal: int) -> int:
    """How many more of a piece the rules leave room for (27.setup.5)."""
    taken = sum(bought.get(other, 0) for other in EXCLUSIVE)
    match kind:
        case "school":
            return bought.get("city", 0) - bought.get("school", 0)
        case "fort":
            return regions - bought.get("fort", 0)
        case "port":
            return min(coastal - bought.get("port", 0), regions - taken)
        case "city" | "factory" | "railroad":
            return regions - taken
        case "fleet":
            return 10_000 if coastal else 0
    return 10_000


def _why_short(kind: str, one_more: int, left: int) -> str:
    if one_more > left:
        return f"{left} PP are not enough."
    if kind == "school":
        return "a school needs a city of its own."
    if kind == "fleet":
        return "none of your regions has a coast."
    return "there is no region left for it."


def equip(table: Table[War]) -> Script[None]:
    """R27-81: all are paid; sealed purchases, revealed together; then one piece each in set-up order."""
    start = table.state.start
    table.emit(StartPaid(table.state.seats, start.pp, start.dp))
    pp = table.state.treasuries[table.state.seats[0]].pp
    text = f"Buy your starting pieces for up to {pp} PP (BUY) and say where they stand (PLACE)."
    sheets = yield from _sheets(table, "purchase", text, ("BUY", "PLACE", "ASK"))
    baskets = {seat: _buy(table, seat, sheet) for seat, sheet in sheets.items()}
    wishes = {seat: _wished(sheet, dict(baskets[seat])) for seat, sheet in sheets.items()}
    asked = {seat: any(isinstance(order, AskPlacement) for order in sheet) for seat, sheet in sheets.items()}
    while any(baskets.values()):
        for seat in table.state.seats:
            if baskets[seat]:
                yield from _place_one(table, seat, baskets[seat], wishes[seat], asked[seat])


def _buy(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> dict[str, int]:
    bought, short = affordable(table.state, seat, sheet)
    for why in short:
        table.emit(OrderFellShort(seat, "BUY", f"{why[0].upper()}{why[1:]}", "27.setup.4"))
    table.emit(PiecesBought(seat, tuple(bought.items()), sum(table.state.price(kind) * n for kind, n in bought.items())))
    return dict(bought)


def _wished(sheet: Sequence[Intent], bought: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Kind and place of piece after piece, in the order written."""
    for order in sheet:
        if isinstance(order, PlacePieces):
            for lot in order.lots:
                for _ in range(min(lot.quantity.of(bought.get(lot.kind, 0)), bought.get(lot.kind, 0))):
                    yield lot.kind, order.place


# ---------------------------------------------------------------- placing


def _place_one(
    table: Table[War], seat: Seat, basket: dict[str, int], wishes: Iterator[tuple[str, str]], asked: bool
) -> Script[None]:
    wish = _next_wish(table, seat, basket, wishes)
    if wish is not None:
        kind, place = wish
    else:
        kind = next(kind for kind in _PLACING if basket.get(kind))
        lawful = places_for(table.state, seat, kind)
        if not lawful:
            table.emit(PieceReturned(seat, kind, table.state.price(kind) * basket.pop(kind)))
            return
        place = lawful[0]
        if asked:
            menu = OneOf([Option(name, name) for name in lawful], place)
            left = sum(basket.values())
            place = yield from decide(
                table, seat, f"place {left}/{seat}", f"Where does your next {kind} stand?", menu, "27.setup.7", _silent
            )
    table.emit(PiecePlaced(seat, kind, place))
    basket[kind] -= 1
    if not basket[kind]:
        del basket[kind]


def _silent(_: Sequence[Intent]) -> None:
    return None


_PLACING = ("city", "port", "factory", "railroad", "school", "fort", *LAND_UNITS, "fleet")
"""The order in which pieces nobody placed are put on the map: what needs room first."""


def _next_wish(
    table: Table[War], seat: Seat, basket: dict[str, int], wishes: Iterator[tuple[str, str]]
) -> tuple[str, str] | None:
    """The next piece of the player's own list that is in the basket and may stand there."""
    for kind, place in wishes:
        if not basket.get(kind):
            continue
        if place in places_for(table.state, seat, kind):
            return kind, place
        why = f"A {kind} cannot stand in {place}; it is placed by default."
        table.emit(OrderFellShort(seat, f"PLACE 1 {kind} IN {place}", why, "27.setup.5"))
    return None


def places_for(war: War, seat: Seat, kind: str) -> tuple[str, ...]:
    """Where a piece may stand at the start, the default first (27.setup.5, 27.setup.6, R27-81)."""
    own = war.regions_of(seat)
    if kind == "fleet":
        seas = dict.fromkeys(sea for land in own for sea in BOARD.regions[land.name].seas)
        return tuple(sorted(seas, key=BOARD.position))
    if kind in LAND_UNITS:
        return tuple(land.name for land in sorted(own, key=lambda land: _exposure(war, seat, land.name)))
    return tuple(land.name for land in own if _may_stand(war, seat, kind, land.name))


def _exposure(war: War, seat: Seat, region: str) -> tuple[int, int]:
    foreign = sum(war.lands[other].owner not in (None, seat) for other in BOARD.regions[region].borders)
    units = war.lands[region].brigades(seat)
    return (units - 2 * foreign, BOARD.position(region))


def _may_stand(war: War, seat: Seat, kind: str, region: str) -> bool:
    land = war.lands[region]
    if land.has(kind) or (kind in EXCLUSIVE and any(land.has(other) for other in EXCLUSIVE)):
        return False
    return (kind != "port" or BOARD.regions[region].coastal) and (kind != "school" or land.has("city"))
