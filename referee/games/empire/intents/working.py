"""Orders to coolies at work: squares, buildings, lines, cities, factories."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import Goods, cargo, who
from referee.games.empire.portions import Some

__all__ = [
    "Abandon",
    "Appoint",
    "Burn",
    "Consume",
    "Destroy",
    "Develop",
    "Found",
    "Produce",
    "Scrap",
]


class Develop(Intent, frozen=True):
    """A food or resource square worked by a unit, at a grade (0: the highest)."""

    unit: int
    kind: str
    grade: int = 0
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Work {self.kind} with {who(self.unit, self.some)}."


class Abandon(Intent, frozen=True):
    """A worked square given up."""

    at: str
    kind: str

    def meaning(self) -> str:
        return f"Give up working {self.kind} in {self.at}."


class Found(Intent, frozen=True):
    """A city founded where a coolie stands, by a colony piece (H-21)."""

    unit: int
    name: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Found the city {self.name} with {who(self.unit, self.some)}."


class Scrap(Intent, frozen=True):
    """A factory or other building scrapped over turn end, with a construction machine (T)."""

    unit: int
    what: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Scrap {self.what} with {who(self.unit, self.some)}."


class Destroy(Intent, frozen=True):
    """A building or city destroyed by a coolie, one a turn; with `what` "itself" the unit dies, crashes or scuttles."""

    what: str
    unit: int = 0
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        if self.what == "itself":
            return f"Kill, crash or scuttle {who(self.unit, self.some)}."
        return f"Destroy {self.what} with {who(self.unit, self.some)}."


class Burn(Intent, frozen=True):
    """Goods burnt, consumed or thrown into water."""

    goods: tuple[Goods, ...]
    at: str

    def meaning(self) -> str:
        return f"Burn, use up or throw away {cargo(self.goods, ())} in {self.at}."


class Produce(Intent, frozen=True):
    """A factory run for so many of a product, in a city or a square (H-20)."""

    city: str
    factory: str
    product: str
    number: int = 1

    def meaning(self) -> str:
        return f"Run the {self.factory} of {self.city} for {self.number} {self.product}."


class Consume(Intent, frozen=True):
    """Consumer goods consumed in a city, for EDU (H-22)."""

    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    at: str = ""
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Consume {cargo(self.goods, self.units, self.some)}{f' in {self.at}' if self.at else ''}."


class Appoint(Intent, frozen=True):
    """A regular coolie in a city becomes an ambassador over the end of the turn (H-07)."""

    unit: int
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Make {who(self.unit, self.some)} an ambassador."
