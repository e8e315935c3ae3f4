"""The movement order bid for: sealed bids, all paid; from the lowest up each chooses his place (27.opt.auction, R27-94)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.events.course import BidsRevealed, OrderBidFor
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.orders.production.auction import BIDS, BidForOrder, InsertInOrder
from referee.games.war.phases.windows import sealed_sheets
from referee.games.war.position.state import War


def auction(table: Table[War]) -> Script[None]:
    """27.opt.auction.1 to .3."""
    text = "Bid PP for your place in the order of this turn (BID 5 PP), and say which you take (INSERT FIRST)."
    sheets = yield from sealed_sheets(
        table, "bids", text, tuple(order.words.verb for order in BIDS), BIDS, "27.opt.auction.1"
    )
    bids = {seat: bid_of(table, seat, sheet) for seat, sheet in sheets.items()}
    table.emit(BidsRevealed(tuple(bids.items()), table.state.turn))
    line: list[Seat] = []
    for seat in _from_the_lowest(table, bids):
        line.insert(_place(line, sheets[seat]), seat)
    table.emit(OrderBidFor((*line, *table.state.out)))


def bid_of(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> int:
    """R27-94"""
    bids = [order for order in sheet if isinstance(order, BidForOrder)]
    pp = table.state.treasuries[seat].pp
    if bids and bids[-1].pp > pp:
        why = f"You have {pp} PP in hand after maintenance, and bid all of them."
        table.emit(OrderFellShort(seat, bids[-1].meaning(), why, "R27-94", partly=True))
    return min(bids[-1].pp, pp) if bids else 0


def _from_the_lowest(table: Table[War], bids: dict[Seat, int]) -> list[Seat]:
    """Bidders by their bids; those who bid the same in an order drawn at random (27.opt.auction.2)."""
    ranked: list[Seat] = []
    for bid in sorted(set(bids.values())):
        equal = dict.fromkeys((seat for seat in bids if bids[seat] == bid), 1)
        if len(equal) > 1:
            holds = {str(seat): 1 for seat in equal}
            why = f"Order of those who bid {bid} PP"
            ranked += map(Seat, table.draw("the seats with one bid", holds, len(holds), why, "27.opt.auction.2"))
        else:
            ranked += equal
    return ranked


def _place(line: Sequence[Seat], sheet: Sequence[Intent]) -> int:
    """27.opt.auction.3, R27-94: where a player goes into the line so far."""
    for order in sheet:
        if isinstance(order, InsertInOrder):
            if order.how in ("first", "last"):
                return 0 if order.how == "first" else len(line)
            if order.seat in line:
                return line.index(order.seat) + (order.how == "after")
    return len(line)
