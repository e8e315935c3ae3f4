"""Sheet e, Trade: every transfer of control, willing or not, with its place and its time within the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.position.state import Empire
from referee.games.empire.telling.sheets.naming import counts_in_words, numbers_in_words
from referee.games.empire.telling.sheets.slots import Slot


def trade_sheet(slots: Sequence[Slot], empire: Empire, country: str) -> Sheet:
    """Rulebook I.I e."""
    open_now = tuple(
        (t.number, t.giver, t.seat or t.to, t.at, "the whole country" if t.whole else _offered(t.units, t.goods))
        for t in empire.transfers
        if country in (t.giver, t.to)
    )
    grids = (
        Grid(("Turn", "Slot", "Time in slot", "Place", "From", "To", "What", "How", "Rule"),
             tuple(_rows(slots, country)), "Transfers of control"),
        Grid(("Transfer", "Given up by", "To", "Place", "What"), open_now, "Given up and not yet accepted"),
    )  # fmt: skip
    note = "Time in slot counts everything that happened since the slot opened."
    return Sheet("e", f"{country}: e. Trade", grids, None, (note,))


def _offered(units: Sequence[int], goods: Sequence[tuple[str, int]]) -> str:
    parts = [f"units {numbers_in_words(units)}"] if units else []
    return ", ".join([*parts, *([counts_in_words(goods)] if goods else [])])


def _rows(slots: Sequence[Slot], country: str) -> Iterator[tuple[Cell, ...]]:
    for slot in slots:
        for time, event, trade in slot.trades:
            if country in (trade.giver, trade.to):
                when = (slot.turn, f"{slot.number} ({slot.seat})", time)
                what = counts_in_words(trade.counts) or "nothing besides"
                yield (*when, trade.at, trade.giver, trade.to, what, trade.how, event.cites())
