"""Record sheets of Version 1.7: those of War!, with the treasury of this edition."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.page import Grid, Sheet
from referee.games.war.position.state import War
from referee.games.war.telling.by_value import ByValue
from referee.games.war.telling.sheets import sheets_with
from referee.games.war17.reckoning.income import besiegers, cap_of, income


def sheets(history: Sequence[Event], war: War, reader: Reader) -> tuple[Sheet, ...]:
    """All record sheets, made of what this reader knows."""
    return sheets_with(_treasury, ByValue(war))


def _treasury(war: War, seat: Seat) -> Sheet:
    """What he has, what he would collect now, and what a blockade could take."""
    due = income(war, seat)
    grids = [Grid(("What", "Number"), (("PP in hand", war.treasuries[seat].pp),), "In hand")]
    would = tuple((line.what, line.amount, line.rule) for line in due.lines)
    total = ("Together", due.pp, "17.production.1")
    grids.append(Grid(("Source", "PP", "Rule"), would, "Next income, if nothing changed", total))
    enemies = "; ".join(f"{enemy} with {number}" for enemy, number in besiegers(war, seat))
    note = (
        f"Fleets beside your ports: {enemies}; they could take {cap_of(due.pp)} PP."
        if enemies
        else "No port is blockaded."
    )
    return Sheet("treasury", f"Treasury of {seat}", tuple(grids), seat, (note,))
