"""Sheet e, Trade: every transfer of control, willing or not, with its place and its time within the turn.

Sheet f, Had-Used-Produced: had + produced + traded - used = now, for every kind of unit and of goods, and the proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.position.countries import Country
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import GOODS, KINDS
from referee.games.empire.telling.accounts import held
from referee.games.empire.telling.sheets.naming import counts_in_words, numbers_in_words
from referee.games.empire.telling.sheets.slots import Slot, latest_of, trade_of
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row


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


class Line(msgspec.Struct, frozen=True):
    """One kind in one turn. `had` and `now` are counted in the positions, the others come from the events between."""

    what: str
    had: int
    produced: int
    traded: int
    used: int
    now: int

    @property
    def balances(self) -> bool:
        """Whether the events explain the change of the position."""
        return self.had + self.produced + self.traded - self.used == self.now


def produced_sheet(slots: Sequence[Slot], empire: Empire, country: Country) -> Sheet:
    """Rulebook I.I f, from the opening of the country's latest turn until now."""
    mine = latest_of(slots, country)
    lines = tuple(lines_of(mine[0].before, (e for slot in mine for e in slot.events), empire, country.name))
    rows = tuple((line.what, line.had, line.produced, line.traded, line.used, line.now) for line in lines)
    grid = Grid(("What", "Had", "Produced", "Traded", "Used", "Now"), rows, f"Since the opening of turn {mine[0].turn}")
    return Sheet("f", f"{country.name}: f. Had-Used-Produced", (grid,), None, (_proof(lines),))


def _proof(lines: Sequence[Line]) -> str:
    wrong = [line.what for line in lines if not line.balances]
    if wrong:
        return f"DOES NOT BALANCE: {in_a_row(wrong)}. Tell the game master."
    return f"Had + produced + traded - used = now, checked for {'each' if len(lines) != 1 else 'the one'} line."


def lines_of(before: Empire, events: Iterable[OpenEvent], after: Empire, country: str) -> Iterator[Line]:
    """A line for each kind that the country had, has, gained or lost; goods first, in the order of the kinds."""
    had, now = held(before), held(after)
    gained: dict[str, int] = {}
    lost: dict[str, int] = {}
    traded: dict[str, int] = {}
    for event in events:
        made = list(event.flows())
        for flow in _exchanged(event):
            made.remove(flow)
            traded[flow.account] = traded.get(flow.account, 0) + flow.amount
        for account, amount in made:
            side = gained if amount > 0 else lost
            side[account] = side.get(account, 0) + abs(amount)
    for what in (*GOODS, *KINDS):
        name = f"{country} {what}"
        line = Line(what, *(side.get(name, 0) for side in (had, gained, traded, lost, now)))
        if any((line.had, line.produced, line.traded, line.used, line.now)):
            yield line


def _exchanged(event: OpenEvent) -> Iterator[Flow]:
    """What a trade takes from one country and gives to another; a split also makes a coolie its government."""
    trade = trade_of(event)
    if trade is None or isinstance(event, ExchangeSent):  # foreign exchange is points, not goods
        return
    for what, number in trade.counts:
        yield Flow(f"{trade.giver} {what}", -number)
        yield Flow(f"{trade.to} {what}", number)
