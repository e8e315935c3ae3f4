"""Orders between countries: control, seizure, exchange, relations, splitting off, and readings of doubtful lines."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import Goods, cargo, which
from referee.games.empire.portions import Some

__all__ = [
    "Balkanize",
    "GiveControl",
    "GiveCountry",
    "GiveGoods",
    "Seize",
    "SeizeGoods",
]


class GiveControl(Intent, frozen=True):
    """Self-mobile pieces handed to another country, without condition (P12)."""

    units: tuple[int, ...]
    to: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Hand {which(self.units, self.some)} to {self.to}."


class GiveCountry(Intent, frozen=True):
    """A whole country handed to a player, named by himself or by a country of his, without condition (P12)."""

    country: str
    to: str

    def meaning(self) -> str:
        return f"Hand the whole country {self.country} to {self.to}."


class GiveGoods(Intent, frozen=True):
    """Goods given to another country in the same square or ship (H-23)."""

    goods: tuple[Goods, ...]
    to: str
    at: str

    def meaning(self) -> str:
        return f"Give {cargo(self.goods, ())} to {self.to} in {self.at}."


class Seize(Intent, frozen=True):
    """A unit seized by another in the same square (P13 to P15), or the building `what` that stands there alone."""

    unit: int
    by: int
    what: str = ""

    def meaning(self) -> str:
        if self.what:
            return f"Seize the {self.what} where unit {self.by} is."
        return f"Seize unit {self.unit} with unit {self.by}."


class SeizeGoods(Intent, frozen=True):
    """Goods taken by force from a country in the square of a unit (P16); `of` is empty where only one has any."""

    goods: tuple[Goods, ...]
    by: int
    of: str = ""

    def meaning(self) -> str:
        return f"Take {cargo(self.goods, ())}{f' of {self.of}' if self.of else ''} by force with unit {self.by}."


class Balkanize(Intent, frozen=True):
    """A new country split off: its name, its cities and units, and its government coolie (P18, H-06)."""

    name: str
    cities: tuple[str, ...]
    units: tuple[int, ...] = ()
    government: int = 0
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Split off the country {self.name} with {', '.join(self.cities) or 'no city'}."
