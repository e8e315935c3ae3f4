"""Oracles of Empire."""

from __future__ import annotations

from tests.oracles import empire_battle, empire_budget, empire_food, empire_ground, empire_works
from tests.oracles.audit import Oracle

EMPIRE: tuple[Oracle, ...] = (
    empire_works.capitals,
    empire_works.picks,
    empire_food.output,
    empire_food.births,
    empire_food.feeding,
    empire_food.supply,
    empire_food.investment,
    empire_ground.land_moves,
    empire_ground.sea_moves,
    empire_ground.flights,
    empire_ground.pipelines,
    empire_ground.wind,
    empire_works.materials,
    empire_works.finished,
    empire_works.production,
    empire_works.power,
    empire_works.consumption,
    empire_works.salvage,
    empire_battle.battles,
    empire_budget.dues,
    empire_budget.pay,
    empire_budget.debts,
    empire_budget.bookings,
    empire_budget.fund,
    empire_budget.rolls,
    empire_budget.confidence,
)
"""Every oracle of Empire."""
