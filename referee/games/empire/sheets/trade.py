"""Sheet e, Trade: every transfer of control, willing or not, with its place and its time within the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events.affairs import ControlPassed, CountryPassed, CountrySplit, GoodsTaken, UnitSeized
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.sea import ShipPlundered
from referee.games.empire.events.war import CityFell, CooliesCaptured
from referee.games.empire.sheets.naming import counts_in_words, numbers_in_words
from referee.games.empire.sheets.slots import Slot
from referee.games.empire.state import Empire

__all__ = ["Trade", "trade_of", "trade_sheet"]


class Trade(NamedTuple):
    """Units and goods that went from one country to another, counted by kind."""

    giver: str
    to: str
    at: str
    counts: tuple[tuple[str, int], ...]
    how: str


def trade_sheet(slots: Sequence[Slot], empire: Empire, country: str) -> Sheet:
    """Rulebook I.I e."""
    open_now = tuple(
        (t.number, t.giver, t.to, t.at, _offered(t.units, t.goods))
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
        for time, event in enumerate(slot.events):
            trade = trade_of(event)
            if trade and country in (trade.giver, trade.to):
                when = (slot.turn, f"{slot.number} ({slot.seat})", time)
                what = counts_in_words(trade.counts)
                yield (*when, trade.at, trade.giver, trade.to, what, trade.how, event.cites())


def trade_of(event: OpenEvent) -> Trade | None:
    """What an event takes from one country and gives to another; None for one that is no transfer of control."""
    match event:
        case ControlPassed():
            return Trade(event.giver, event.to, event.at, event.counts, "given and accepted")
        case CountryPassed():
            how = f"the whole country, from {event.giver} to {event.seat}"
            return Trade(event.country, event.country, "", (), how)
        case UnitSeized():
            return Trade(event.giver, event.to, event.at, event.counts, f"seized by unit {event.by}")
        case GoodsTaken():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken by force by unit {event.by}")
        case CooliesCaptured():
            return Trade(event.giver, event.to, event.at, event.counts, "captured in an attack")
        case CityFell():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken with the city {event.city}")
        case ShipPlundered() if event.taken:
            how = f"plundered by pirate ship {event.by}"
            return Trade(event.giver, event.to, event.at, event.counts, how)
        case CountrySplit():
            return Trade(event.parent, event.country.name, "", event.counts, "Balkanization")
        case _:
            return None
