"""Collect PP and DP Income (27.production.income), and the extra diplomacy points paid after maintenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.events.economy import DiplomacyBought, IncomeCollected
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.income import income
from referee.games.war.intents import BuyDiplomacy
from referee.games.war.state import War

__all__ = ["DIPLOMACY_PRICE", "buy_diplomacy", "diplomacy_for_sale", "income_phase"]

DIPLOMACY_PRICE = 10
"""PP for one more DP (27.production.income.3)."""


def income_phase(table: Table[War]) -> Script[None]:
    """27.production.income: everybody's income of one and the same position (R27-10)."""
    war = table.state
    for seat in war.living:
        collected = income(war, seat)
        table.emit(IncomeCollected(seat, collected.lines, collected.pp, collected.dp))
    yield from ()


def diplomacy_for_sale(war: War, seat: Seat) -> int:
    """27.production.income.3: how many DP a player may buy now, one a city and as far as his PP go (R27-15)."""
    return min(war.buildings_of(seat, "city"), war.treasuries[seat].pp // DIPLOMACY_PRICE)


def buy_diplomacy(table: Table[War], sheets: Mapping[Seat, Sequence[Intent]]) -> Script[None]:
    """27.production.income.3: the extra DP that the sheets name, after maintenance (R27-15)."""
    for seat in table.state.living:
        orders = [intent for intent in sheets.get(seat, ()) if isinstance(intent, BuyDiplomacy)]
        if orders:
            _buy(table, seat, orders)
    yield from ()


def _buy(table: Table[War], seat: Seat, orders: Sequence[BuyDiplomacy]) -> None:
    wanted, on_sale = sum(order.number for order in orders), diplomacy_for_sale(table.state, seat)
    bought = min(wanted, on_sale)
    if bought:
        table.emit(DiplomacyBought(seat, bought, bought * DIPLOMACY_PRICE))
    if bought < wanted:
        why = f"One DP a city for {DIPLOMACY_PRICE} PP each: {bought or 'none'} could be bought."
        table.emit(OrderFellShort(seat, orders[-1].meaning(), why, "27.production.income.3"))
