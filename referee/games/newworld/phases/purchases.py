"""Worker, Ship Building and Raise Armies Phases: three prices, one way of buying."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.table import Script, Table
from referee.games.newworld.data import TABLES, goods_in_words
from referee.games.newworld.events import ArmiesRaised, FleetsBuilt, OpenEvent, WorkersHired
from referee.games.newworld.intents import BuildFleets, HireWorkers, RaiseArmies
from referee.games.newworld.phases.turn import Turn, fell_short
from referee.games.newworld.state import World
from referee.kit.stock import fewer, times_covered
from referee.kit.wording import counted

__all__ = ["Purchase", "armies_phase", "shipbuilding_phase", "worker_phase"]

Purchase = HireWorkers | BuildFleets | RaiseArmies


def worker_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.worker.price"""
    for order in turn.wanted(table, HireWorkers):
        _buy(table, turn, order, TABLES.prices.worker, "workers", "nw.worker.price", WorkersHired)
    yield from ()


def shipbuilding_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.ship.price"""
    for order in turn.wanted(table, BuildFleets):
        _buy(table, turn, order, TABLES.prices.fleet, "fleets", "nw.ship.price", FleetsBuilt)
    yield from ()


def armies_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.army.price"""
    for order in turn.wanted(table, RaiseArmies):
        _buy(table, turn, order, TABLES.prices.army, "armies", "nw.army.price", ArmiesRaised)
    yield from ()


def _buy(
    table: Table[World],
    turn: Turn,
    order: Purchase,
    price: Mapping[str, int],
    name: str,
    rule: str,
    bought: Callable[..., OpenEvent],
) -> None:
    """As many as ordered and as can be paid without touching what is to be kept (nw.h2)."""
    affordable = times_covered(fewer(turn.power(table).stock, order.keeping), price)
    wanted = order.quantity.of(affordable)
    amount = min(wanted, affordable)
    if amount:
        table.emit(bought(turn.seat, amount, {resource: number * amount for resource, number in price.items()}))
    if amount < wanted:
        why = f"one costs {goods_in_words(price)}, and that pays for {counted(amount, name)}"
        fell_short(table, turn, order, why, rule)
