"""Orders to coolies at work: squares, buildings, lines, cities, factories."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import Goods, cargo, who
from referee.games.empire.portions import Some

__all__ = [
    "Burn",
    "Destroy",
    "Scrap",
]


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
