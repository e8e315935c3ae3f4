"""Oracles of War!, Version 27."""

from __future__ import annotations

from tests.oracles import war_income, war_land, war_natives, war_purse, war_sea
from tests.oracles.audit import Oracle

WAR27: tuple[Oracle, ...] = (
    war_purse.start,
    war_income.income,
    war_income.diplomacy_points,
    war_purse.maintenance,
    war_purse.prices,
    war_purse.building,
    war_purse.colonies,
    war_purse.purse,
    war_land.armies,
    war_land.modifiers,
    war_land.hits,
    war_land.losses,
    war_land.victors,
    war_sea.marches,
    war_sea.portage,
    war_sea.sailing,
    war_sea.reinforcements,
    war_sea.naval_dice,
    war_sea.naval_losses,
    war_natives.explorers,
    war_natives.revolts,
    war_natives.westernizing,
    war_natives.prospecting,
    war_natives.conquests,
    war_natives.victory,
)
"""Every oracle of Version 27."""
