"""Scrapping and destruction: buildings, cities, units and goods that are no more."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.work.building import booked
from referee.games.empire.position.countries import Booking
from referee.games.empire.position.pieces import Lot, Position, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.lots import flows_of, in_words, stored, withdrawn
from referee.games.empire.reckoning.work import without_building, without_work
from referee.games.empire.rulebook.plans import a
from referee.kit.ledger import Flow
from referee.kit.wording import capital


class CityGone(OpenEvent, frozen=True):
    """A city was destroyed; its square remains a reproductive site."""

    rule = "emp.C2"
    says = "{country} destroys the city {name} in {at}."
    country: str
    name: str
    at: Position
    number: int = 0

    def change(self, empire: Empire) -> Empire:
        cities = {name: city for name, city in empire.cities.items() if name != self.name}
        lots = tuple(replace(lot, inside="") if lot.at == self.at and not lot.aboard else lot for lot in empire.lots)
        bare = replace(without_work(empire, self.number), cities=cities, lots=(), sites=(*empire.sites, self.at))
        return stored(bare, lots)


class BuildingGone(OpenEvent, frozen=True):
    """A building was scrapped or destroyed; what scrapping saves appears at the beginning of the next turn."""

    country: str
    number: int
    what: str
    at: Position
    how: str
    saved: dict[str, int] = {}
    cost: int = 0
    edu: int = 0

    def cites(self) -> str:
        return "emp.board.scrapping" if self.how == "scrapped" else "emp.board.destruction"

    def change(self, empire: Empire) -> Empire:
        empire = without_building(without_work(empire, self.number), self.at, self.what)
        if not self.saved:
            return empire
        detail = ", ".join(
            f"{number} {what}" for what, number in sorted(self.saved.items(), key=lambda pair: pair[0].casefold())
        )
        left = Work(self.number, "salvage", self.at, self.country, 0, 0, detail, empire.turn)
        return replace(empire, works=(*empire.works, left))

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(self.cost, self.edu)),)

    def sentence(self) -> str:
        return f"{a(self.what).capitalize()} in {self.at} is {self.how} by {self.country}{booked(self.cost, self.edu)}."


class SalvageAppeared(OpenEvent, frozen=True):
    """What was saved of a scrapped building lies on its site."""

    rule = "emp.board.scrapping"
    country: str
    number: int
    at: Position
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return stored(without_work(empire, self.number), self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, 1)

    def sentence(self) -> str:
        return f"From what was scrapped in {self.at}, {self.country} has {in_words(self.lots)} back."


class UnitDestroyed(OpenEvent, frozen=True):
    """A vehicle, ship or plane was destroyed, with the goods aboard."""

    rule = "emp.board.destruction"
    country: str
    number: int
    kind: str
    at: Position
    how: str
    lost: tuple[Lot, ...] = ()

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, self.lost).without_unit(self.number)

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} {self.kind}", -1), *flows_of(self.lost, -1))

    def sentence(self) -> str:
        lost = f" with {in_words(self.lost)}" if self.lost else ""
        return f"{capital(self.kind)} {self.number} of {self.country} {self.how} in {self.at}{lost}."


class GoodsDestroyed(OpenEvent, frozen=True):
    """Goods were burnt or thrown into water."""

    rule = "emp.board.destruction"
    country: str
    at: Position
    how: str
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, -1)

    def sentence(self) -> str:
        return f"{in_words(self.lots)} of {self.country} in {self.at} {self.how}."
