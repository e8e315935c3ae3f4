"""Starting regions dealt by cards, and swapped by agreement (27.opt.random_regions); capitals (R27-92)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.setup import CapitalNamed, RegionDealt, RegionsSwapped
from referee.games.war.orders.opening.optional import NameCapital, SwapRegions
from referee.games.war.phases.windows import Sheets, sealed_sheets
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD


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
