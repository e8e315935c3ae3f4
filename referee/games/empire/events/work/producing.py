"""Factories and power stations at work, fresh water, and consumer goods that are consumed (emp.H-19, emp.H-20, emp.H-22)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.countries import Booking
from referee.games.empire.position.pieces import Lot, Position, Run, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.lots import flows_of, in_words, stored, withdrawn
from referee.kit.ledger import Flow
from referee.kit.wording import counted, in_a_row


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
