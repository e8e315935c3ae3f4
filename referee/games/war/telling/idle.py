"""Money that a sheet leaves idle: most of the start money, or of what a careful player would spend in a production."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.names import Seat
from referee.core.order import Doubt, Intent, bare
from referee.games.war.deeds.marching import affordable
from referee.games.war.deeds.muster import line_of
from referee.games.war.orders.opening import BuyPieces, lots_bought
from referee.games.war.orders.production import BidForOrder
from referee.games.war.position.state import War, in_order, plays
from referee.games.war.reckoning.scoring import in_force
from referee.games.war.telling.choices import ahead
from referee.games.war.telling.forecast import after_construction, after_maintenance
from referee.games.war.telling.form import spending

WORTH = 10
"""So many PP a careful player would spend, or nobody is asked whether he means to keep them."""


def doubts(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """Whether more than half of what could be spent now is left, and would be of use."""
    if seat in war.out:
        return ()
    if war.stage == "setup":
        return tuple(purchase(war, seat, sheet))
    return tuple(_production(war, seat, sheet)) if war.stage == "production" else ()


def purchase(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """R27-81: a purchase of less than half the start money; later it buys nothing that may be placed at will."""
    sheet, pp = in_force(war, seat, sheet), war.treasuries[seat].pp
    if not pp or not any(isinstance(intent, BuyPieces) for intent in sheet):
        return
    bought, _ = affordable(war, seat, lots_bought(sheet))
    spent = sum(war.price(kind) * number for kind, number in bought.items())
    if 0 < 2 * spent < pp:
        why = f"You spend {spent} of {pp} PP: {pp - spent} PP are saved, and the purchase of the set-up does not come again."
        yield Doubt(why, "R27-81", loss=True)


def _production(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """The sheet beside the one that the form proposes, both carried out alone; nothing where nothing is built with it."""
    bids = plays(war, "auction") and war.bid_in != war.turn
    if bids or (in_order(war) and not war.constructing) or any(isinstance(bare(i), BidForOrder) for i in sheet):
        return
    careful = tuple(spending(war, seat, ahead(war, seat)))
    if careful:
        had = after_maintenance(war, seat).treasuries[seat].pp
        left, usual = (after_construction(war, seat, one).treasuries[seat].pp for one in (sheet, careful))
        yield from unspent(had, had - left, had - usual, careful)


def unspent(had: int, spent: int, usual: int, careful: Iterable[Intent]) -> Iterator[Doubt]:
    """27.money.1: that most of the money in hand is kept, and what it could buy; a careful player may keep it, too."""
    if usual >= WORTH and 2 * spent < min(had, usual):
        could = "; ".join(map(line_of, careful))
        why = f"You spend {spent} of {had} PP, and {had - spent} PP lie idle until your next production."
        yield Doubt(f"{why} With them you could: {could}.", "27.money.1", loss=True)
