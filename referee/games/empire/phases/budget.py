"""The budget is made up and confidence moves: steps 7 and 8 of a turn (emp.H-13 to emp.H-16)."""

from __future__ import annotations

from referee.core.table import Table
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.budget import HIGHEST, Budget, Losses, confidence_change, luck_of
from referee.games.empire.rulebook.kinds import DEBT, KINDS

_AFTER_COLLAPSE = 4
"""The confidence after the turn of a collapse (emp.H-16)."""


def budget_of(empire: Empire, country: str) -> Budget:
    """What a country has booked in its turn so far."""
    own = empire.countries[country]
    booked = own.booked
    return Budget(booked.edu, booked.cost, booked.investment, booked.received, booked.sent, own.popular_fund)


def losses_of(empire: Empire, country: str) -> Losses:
    """What besides the budget weighs on a country's confidence as things stand."""
    booked = empire.countries[country].booked
    military = sum(KINDS[unit.kind].military for unit in empire.units_of(country))
    coolies = len(empire.units_of(country, "coolie"))
    return Losses(military, coolies, booked.starved, booked.cities_lost, booked.capital_lost)


def confidence_after(empire: Empire, country: str, roll: int, budget: Budget, losses: Losses) -> int:
    """emp.H-15, emp.H-16: what a modified roll makes of a country's confidence, with this budget and these losses."""
    own = empire.countries[country]
    if own.band == "collapse":
        return _AFTER_COLLAPSE
    change = confidence_change(roll, budget, losses, in_force.confidence(empire))
    return max(0, min(HIGHEST, own.confidence + change))


def close_budget(table: Table[Empire], country: str) -> tuple[Budget, Losses]:
    """Tax and popular fund; the budget and the losses that the roll will use."""
    budget, losses = budget_of(table.state, country), losses_of(table.state, country)
    table.emit(BudgetClosed(country, table.state.countries[country].booked, budget.tax, budget.new_fund))
    return budget, losses


def move_confidence(table: Table[Empire], country: str, roll: int, budget: Budget, losses: Losses) -> None:
    """emp.H-15 with the modified roll; a country in collapse rises to 4 (emp.H-16)."""
    house, own = in_force.confidence(table.state), table.state.countries[country]
    after = confidence_after(table.state, country, roll, budget, losses)
    balance = int(budget.balance(house.share) * DEBT)
    economy = budget.economy(house)
    table.emit(ConfidenceMoved(country, balance, luck_of(roll, house), economy, losses.change, own.confidence, after))
