"""Record sheets of Version 1.7: those of War!, with the treasury and the standings of this edition."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.page import Grid, Sheet
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.position.state import War
from referee.games.war.telling.sheets import sheets as shared
from referee.games.war17.reckoning.income import besiegers, cap_of, income
from referee.games.war17.reckoning.scoring import points_by_line, tally


def sheets(history: Sequence[Event], war: War, reader: Reader) -> tuple[Sheet, ...]:
    """All record sheets, made of what this reader knows."""
    others = [sheet for sheet in shared(history, war, reader) if sheet.name not in ("treasury", "standings")]
    return (*(_treasury(history, war, seat) for seat in war.order), *others, _standings(war))


def _treasury(history: Sequence[Event], war: War, seat: Seat) -> Sheet:
    """What he has, what he collected last, what he would collect now, and what a blockade could take."""
    due = income(war, seat)
    last = next((e for e in reversed(history) if isinstance(e, IncomeCollected) and e.seat == seat), None)
    grids = [Grid(("What", "Number"), (("PP in hand", war.treasuries[seat].pp),), "In hand")]
    if last:
        collected = tuple((line.what, line.amount, line.rule) for line in last.lines)
        grids.append(Grid(("Source", "PP", "Rule"), collected, "Last income", ("Together", last.pp, last.cites())))
    would = tuple((line.what, line.amount, line.rule) for line in due.lines)
    total = ("Together", due.pp, "17.production.1")
    grids.append(Grid(("Source", "PP", "Rule"), would, "Next income, if nothing changed", total))
    scored = points_by_line(war, seat)
    summed = ("Together", "", sum(worth for _, _, worth in scored))
    grids.append(Grid(("What", "Number", "VP"), scored, "Victory points", summed))
    enemies = "; ".join(f"{enemy} with {number}" for enemy, number in besiegers(war, seat))
    note = (
        f"Fleets beside your ports: {enemies}; they could take {cap_of(due.pp)} PP."
        if enemies
        else "No port is blockaded."
    )
    return Sheet("treasury", f"Treasury of {seat}", tuple(grids), seat, (note,))


def _standings(war: War) -> Sheet:
    rows = tuple((s.rank, s.seat, s.score, s.how) for s in tally(war).standings)
    money = tuple((seat, war.treasuries[seat].pp) for seat in war.order)
    grids = (Grid(("Place", "Player", "VP", "Made of"), rows, "Standings"), Grid(("Player", "PP"), money, "In hand"))
    return Sheet("standings", "Standings", grids, on_request=True)
