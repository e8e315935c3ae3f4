"""Production Phase: territories and technologies give resources."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from referee.core.names import Seat
from referee.core.table import Script, Table
from referee.games.newworld.events.economy import ResourcesProduced, Yield
from referee.games.newworld.position.state import Territory, World, yields
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import TABLES
from referee.kit.stock import gathered, more


def production_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.production.territories, nw.production.technologies, nw.production.colonies"""
    # nw.r7: colonies in revolt give nothing.
    world, seat = table.state, turn.seat
    territories = _territories(world.controlled(seat), world.options["coal"])
    yields = tuple(y for y in (*territories, *_technologies(world, seat)) if y.gives)
    gains: dict[str, int] = {}
    for source in yields:
        gains = more(gains, source.gives)
    table.emit(ResourcesProduced(turn.seat, gains, yields))
    yield from ()


@lru_cache(maxsize=256)
def _territories(held: tuple[Territory, ...], coal: str) -> tuple[Yield, ...]:
    """What these give; remembered, for every letter about a turn foresees its production."""
    each = {t.good if t.home else t.name: yields(t, coal) for t in held}
    numbers = gathered(t.good if t.home else t.name for t in held)
    return tuple(_several(number, name, each[name]) for name, number in numbers.items())


def _several(number: int, name: str, yields: Mapping[str, int]) -> Yield:
    gives = {resource: number * amount for resource, amount in yields.items()}
    return Yield(name if number == 1 else f"{number} {name}", gives)


def _technologies(world: World, seat: Seat) -> list[Yield]:
    levels = world.powers[seat].levels
    rates = TABLES.technology_yields.items()
    return [
        Yield(f"{name} {levels[name]}", {r: levels[name] * amount for r, amount in rate.items()})
        for name, rate in rates
        if levels[name]
    ]
