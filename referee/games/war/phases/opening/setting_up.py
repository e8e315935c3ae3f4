"""Set-up: the draft, the sealed purchase; how the pieces are placed is in placing.py (27.setup, R27-80, R27-81)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.equipping import affordable
from referee.games.war.events.cards import CardDrawn
from referee.games.war.events.course import OrderOfPlaySet, StageBegan
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.setup import PiecesBought, RegionPicked, StartPaid
from referee.games.war.orders.opening.optional import FreeBuilding, FreeResource, NameCapital
from referee.games.war.orders.opening.setting_up import AskPlacement, BuyPieces, DraftRegions, PlacePieces, lots_bought
from referee.games.war.phases.decisions import decide
from referee.games.war.phases.opening.dealing import deal, name_capitals
from referee.games.war.phases.opening.homelands import draw_colony, place_gifts, raise_powers
from referee.games.war.phases.opening.placing import Basket, place_one
from referee.games.war.phases.windows import Sheets, sealed_sheets
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.cards import cards_in_cup
from referee.games.war.reckoning.historical import COLONY, colonies_left, may_pick
from referee.games.war.rulebook.board import BOARD


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
    """What may be picked: any native region, or what the historical rules leave (27.opt.historical.setup.1)."""
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


def equip(table: Table[War]) -> Script[None]:
    """R27-81: all are paid; sealed purchases, revealed together; then one piece each in set-up order."""
    start = table.state.start
    table.emit(StartPaid(table.state.seats, start.pp, start.dp))
    pp = table.state.treasuries[table.state.seats[0]].pp
    text = f"Buy your starting pieces for up to {pp} PP (BUY) and say where they stand (PLACE)."
    sheets = yield from _purchases(table, text)
    if plays(table.state, "historical"):
        for seat, sheet in sheets.items():
            place_gifts(table, seat, sheet)
    baskets = {seat: Basket(seat, sheet, _buy(table, seat, sheet)) for seat, sheet in sheets.items()}
    while any(basket.pieces for basket in baskets.values()):
        for seat in table.state.seats:
            if baskets[seat].pieces:
                yield from place_one(table, baskets[seat])
    yield from raise_powers(table)


def _purchases(table: Table[War], text: str) -> Script[Sheets]:
    """27.opt.simultaneous.1: where all is revealed together nobody waits to see the others' pieces."""
    free = ("FREE", "FREE RESOURCE") if plays(table.state, "historical") else ()
    if plays(table.state, "simultaneous"):
        kinds, rule = (BuyPieces, PlacePieces, FreeBuilding, FreeResource), "27.opt.simultaneous.1"
        return (yield from sealed_sheets(table, "purchase", text, ("BUY", "PLACE", *free), kinds, rule))
    more = (BuyPieces, PlacePieces, AskPlacement, FreeBuilding, FreeResource)
    return (yield from sealed_sheets(table, "purchase", text, ("BUY", "PLACE", "ASK", *free), more, "27.setup.4"))


def _buy(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> dict[str, int]:
    bought, short = affordable(table.state, seat, lots_bought(sheet))
    for why in short:
        table.emit(OrderFellShort(seat, "BUY", f"{why[0].upper()}{why[1:]}", "27.setup.4"))
    table.emit(
        PiecesBought(seat, tuple(bought.items()), sum(table.state.price(kind) * n for kind, n in bought.items()))
    )
    return dict(bought)
