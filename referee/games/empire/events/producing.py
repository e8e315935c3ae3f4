"""What works produce, and what is torn down."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent
from referee.games.empire.events.building import booked
from referee.games.empire.position.board import Lot, Position, Run, Unit, Work
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.ownership import flows_of, in_words, stored, withdrawn
from referee.games.empire.reckoning.work import without_building, without_work
from referee.games.empire.rulebook.plans import a
from referee.kit.stock import Flow
from referee.kit.wording import capital, counted, in_a_row

# ---------------------------------------------------------------- producing
# Factories and power stations at work, fresh water, and consumer goods that are consumed (emp.H-19, emp.H-20, emp.H-22).


class RunOrdered(OpenEvent, frozen=True):
    """A factory is to run over the end of the turn."""

    rule = "emp.H-20"
    run: Run

    def change(self, empire: Empire) -> Empire:
        return replace(empire, runs=(*empire.runs, self.run))

    def sentence(self) -> str:
        run = self.run
        return f"{run.country} will run the {run.factory} in {run.at} for {run.number} {run.product}."


class StationRan(OpenEvent, frozen=True):
    """A power station gave its power, from what it burnt or from a power square."""

    rule = "emp.H-19"
    country: str
    at: Position
    power: int
    fuel: tuple[Lot, ...] = ()
    square: Position = ""

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, self.fuel)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.fuel, -1)

    def sentence(self) -> str:
        source = f"burns {in_words(self.fuel)}" if self.fuel else f"is fed from {self.square}"
        return f"The power station of {self.country} in {self.at} {source} and gives {self.power} power."


class GoodsMade(OpenEvent, frozen=True):
    """A factory ran: what went in, and what came out as goods and as units (number, kind, status)."""

    rule = "emp.H-20"
    country: str
    at: Position
    factory: str
    spent: tuple[Lot, ...]
    made: tuple[Lot, ...]
    units: tuple[tuple[int, str, str], ...] = ()
    cost: int = 0

    def change(self, empire: Empire) -> Empire:
        empire = stored(withdrawn(empire, self.spent), self.made)
        for number, kind, status in self.units:
            empire = empire.with_unit(Unit(number, kind, self.country, self.at, status=status, since=empire.turn))
        return replace(empire, runs=tuple(r for r in empire.runs if not self._did(r)))

    def _did(self, run: Run) -> bool:
        return (run.country, run.at, run.factory) == (self.country, self.at, self.factory) and run.product in (
            *(lot.what for lot in self.made),
            *(kind for _, kind, _ in self.units),
        )

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(cost=self.cost)),) if self.cost else ()

    def flows(self) -> tuple[Flow, ...]:
        units = tuple(Flow(f"{self.country} {kind}", 1) for _, kind, _ in self.units)
        return (*flows_of(self.spent, -1), *flows_of(self.made, 1), *units)

    def sentence(self) -> str:
        units = [f"{kind} {number}" for number, kind, _ in self.units]
        made = in_a_row([*([in_words(self.made)] if self.made else []), *units])
        cost = f" (cost {self.cost})" if self.cost else ""
        return f"The {self.factory} of {self.country} in {self.at} makes {made} of {in_words(self.spent)}{cost}."


class RunFellShort(OpenEvent, frozen=True):
    """A factory did not run, or not as often as it was told, and why."""

    rule = "emp.H-20"
    country: str
    at: Position
    factory: str
    product: str
    missing: int
    why: str

    def change(self, empire: Empire) -> Empire:
        ours = (self.country, self.at, self.factory, self.product)
        return replace(empire, runs=tuple(r for r in empire.runs if (r.country, r.at, r.factory, r.product) != ours))

    def sentence(self) -> str:
        what = f"{self.missing} {self.product}"
        return f"The {self.factory} of {self.country} in {self.at} does not make {what}: {self.why}."


class WaterDistilled(OpenEvent, frozen=True):
    """A distillery on salt water ran: it gives fresh water until the country's next turn ends."""

    rule = "emp.terrain.desert"
    says = "The water distillery of {country} in {at} gives fresh water."
    country: str
    at: Position

    def change(self, empire: Empire) -> Empire:
        return replace(empire, watering={**empire.watering, self.at: empire.turn})


class GoodsConsumed(OpenEvent, frozen=True):
    """Consumer goods were consumed in a city: EDU; what moves by itself may now be used (emp.H-22)."""

    rule = "emp.H-22"
    country: str
    at: Position
    lots: tuple[Lot, ...]
    units: tuple[tuple[int, str, str], ...]
    edu: int

    def change(self, empire: Empire) -> Empire:
        empire = withdrawn(empire, self.lots)
        for number, _, status in self.units:
            empire = empire.with_unit(replace(empire.units[number], status=status))
        return empire

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(edu=self.edu)),)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, -1)

    def sentence(self) -> str:
        units = [f"{kind} {number}" for number, kind, _ in self.units]
        what = in_a_row([*([in_words(self.lots)] if self.lots else []), *units])
        return f"{self.country} consumes {what} in {self.at}: {counted(self.edu, 'EDU')}."


# ---------------------------------------------------------------- scrapping and destruction
# Buildings, cities, units and goods that are no more.


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
