"""Collect PP and DP Income (27.production.income)."""

from __future__ import annotations

from referee.core.table import Script, Table
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import income


def income_phase(table: Table[War]) -> Script[None]:
    """27.production.income: everybody's income of one and the same position (R27-10)."""
    war = table.state
    for seat in war.living:
        collected = income(war, seat)
        table.emit(IncomeCollected(seat, collected.lines, collected.pp, collected.dp))
    yield from ()
