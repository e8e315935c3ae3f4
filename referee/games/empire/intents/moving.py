"""Orders that move, load, carry and put off."""

from __future__ import annotations

from referee.core.order import Intent, Quantity
from referee.games.empire.intents.naming import Goods, cargo, which
from referee.games.empire.portions import Some

__all__ = ["Disembark", "Load", "PumpOil", "RollWind", "StandDown", "Tow", "Unload"]


class Load(Intent, frozen=True):
    """Goods or units taken aboard a carrier in the same square."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Load {cargo(self.goods, self.units, self.some)} aboard unit {self.carrier}."


class Unload(Intent, frozen=True):
    """Goods or units put off a carrier where it is; `into` "city", "warehouse" or ""."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    into: str = ""
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Unload {cargo(self.goods, self.units, self.some)} from unit {self.carrier}."


class Disembark(Intent, frozen=True):
    """A carried unit goes ashore by itself into a neighbouring square."""

    units: tuple[int, ...]
    target: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Put {which(self.units, self.some)} ashore in {self.target}."


class Tow(Intent, frozen=True):
    """Barges, rolling stock or a sailplane taken in tow; none named: all let go."""

    carrier: int
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Unit {self.carrier} tows {which(self.units, self.some) or 'nothing'}."


class StandDown(Intent, frozen=True):
    """Ships beach, dock or put to sea; planes land or start; submarines dive or surface."""

    units: tuple[int, ...]
    how: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Let {which(self.units, self.some)} {'take off' if self.how == 'start' else self.how}."


class PumpOil(Intent, frozen=True):
    """Oil through a pipeline from one square to another."""

    start: str
    target: str
    quantity: Quantity

    def meaning(self) -> str:
        return f"Pump {self.quantity.number or self.quantity.portion.value} O from {self.start} to {self.target}."


class RollWind(Intent, frozen=True):
    """The die of the wind, before sailboats and sailplanes move."""

    def meaning(self) -> str:
        return "Roll for the wind."
