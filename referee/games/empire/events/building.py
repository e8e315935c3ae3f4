"""Works that go on and are finished: buildings, lines, vehicles; cities founded and filled."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent
from referee.games.empire.position.board import Lot, Position, Unit, Work
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.ownership import flows_of, in_words, stored, withdrawn
from referee.games.empire.reckoning.work import with_building, with_new_city, without_work
from referee.games.empire.rulebook.plans import PLANS, a
from referee.kit.stock import Flow


def booked(cost: int, edu: int) -> str:
    """Cost and EDU in brackets, empty when there are none."""
    return f" (cost {cost}, EDU {edu})" if cost or edu else ""


# ---------------------------------------------------------------- works


class WorkOrdered(OpenEvent, frozen=True):
    """A coolie was told to build, scrap or destroy over the end of the turn; or to go on with an unfinished work."""

    rule = "emp.board.construction"
    work: Work

    def change(self, empire: Empire) -> Empire:
        others = tuple(work for work in empire.works if work.number != self.work.number)
        return replace(empire, works=(*others, self.work), next_work=max(empire.next_work, self.work.number + 1))

    def sentence(self) -> str:
        work = self.work
        doing = work.what if work.what.startswith(("scrap ", "destroy ", "appoint ")) else f"build {a(work.what)}"
        where = f"along {work.detail}" if work.detail and work.what != "city" else f"in {work.at}"
        return f"Coolie {work.unit} of {work.country} is to {doing} {where}."


class MaterialsUsed(OpenEvent, frozen=True):
    """The materials of a work went into it, at the end of its first turn."""

    rule = "emp.board.construction"
    country: str
    number: int
    what: str
    at: Position
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        works = tuple(replace(w, begun=empire.turn) if w.number == self.number else w for w in empire.works)
        return replace(withdrawn(empire, self.lots), works=works)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, -1)

    def sentence(self) -> str:
        return f"The {self.what} in {self.at} takes {in_words(self.lots)} of {self.country}."


class WorkWent(OpenEvent, frozen=True):
    """A work of several turns went on."""

    rule = "emp.board.construction"
    number: int
    what: str
    at: Position
    left: int

    def change(self, empire: Empire) -> Empire:
        works = tuple(replace(w, left=self.left) if w.number == self.number else w for w in empire.works)
        return replace(empire, works=works)

    def sentence(self) -> str:
        return f"The {self.what} in {self.at} needs {self.left} more turn{'s' if self.left > 1 else ''}."


class WorkHalted(OpenEvent, frozen=True):
    """A work stood still this turn; it can go on later."""

    rule = "emp.board.construction"
    says = "The {what} in {at} stands still: {why}."
    number: int
    what: str
    at: Position
    why: str


class WorkDropped(OpenEvent, frozen=True):
    """A work that had not begun was dropped."""

    rule = "emp.board.construction"
    number: int
    what: str
    at: Position
    why: str

    def change(self, empire: Empire) -> Empire:
        return without_work(empire, self.number)

    def sentence(self) -> str:
        return f"{self.what[0].upper()}{self.what[1:]} in {self.at} is dropped: {self.why}."


class WorkFinished(OpenEvent, frozen=True):
    """A building or city was finished; its cost and EDU are booked."""

    rule = "emp.H-12"
    country: str
    number: int
    what: str
    at: Position
    cost: int
    edu: int
    name: str = ""

    def change(self, empire: Empire) -> Empire:
        empire = without_work(empire, self.number)
        if self.what == "city":
            return with_new_city(empire, self.country, self.at, self.name)
        return with_building(empire, self.at, self.what, empire.turn, self.country)

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(self.cost, self.edu)),)

    def sentence(self) -> str:
        named = f" {self.name}" if self.name else ""
        return f"{self.country} has built {a(self.what)}{named} in {self.at}{booked(self.cost, self.edu)}."


class BuildingSeized(OpenEvent, frozen=True):
    """A country took control of what stands alone in a square, by a person of its own there."""

    rule = "emp.H-35"
    country: str
    victim: str
    what: str
    at: Position
    by: int

    def change(self, empire: Empire) -> Empire:
        taken = tuple(replace(factory, country=self.country) for factory in empire.factories.get(self.at, ()))
        return replace(empire, factories={**empire.factories, self.at: taken}) if taken else empire

    def sentence(self) -> str:
        whose = f"{self.victim}'s {self.what}" if self.victim else f"the {self.what}"
        return f"{self.country} takes {whose} in {self.at} by unit {self.by}."


class VehicleBuilt(OpenEvent, frozen=True):
    """A cargo ship or plane was scratch-built; a ship lies on the beach."""

    rule = "emp.H-21"
    says = "{country} has scratch-built {kind} {unit} in {at}."
    country: str
    number: int
    kind: str
    unit: int
    at: Position
    status: str = ""

    def change(self, empire: Empire) -> Empire:
        new = Unit(self.unit, self.kind, self.country, self.at, status=self.status, since=empire.turn)
        return without_work(empire, self.number).with_unit(new)

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} {self.kind}", 1),)


class LineLaid(OpenEvent, frozen=True):
    """Road, railroad, power line, pipeline, canal, bridge or the like was laid on these borders or squares."""

    rule = "emp.board.lines"
    country: str
    number: int
    what: str
    places: tuple[str, ...]
    cost: int = 0
    edu: int = 0

    def change(self, empire: Empire) -> Empire:
        new = {place: (*empire.lines.get(place, ()), self.what) for place in self.places}
        return replace(without_work(empire, self.number), lines={**empire.lines, **new})

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(self.cost, self.edu)),)

    def sentence(self) -> str:
        return f"{self.country} has built {self.what} at {', '.join(self.places)}{booked(self.cost, self.edu)}."


class AmbassadorNamed(OpenEvent, frozen=True):
    """A regular coolie in a city became an ambassador; what he had in hand stays in the city."""

    rule = "emp.H-07"
    says = "Coolie {unit} of {country} in {city} is now an ambassador."
    country: str
    number: int
    unit: int
    at: Position
    city: str

    def change(self, empire: Empire) -> Empire:
        empire = without_work(empire, self.number)
        unit = empire.units.get(self.unit)
        if unit is None:
            return empire
        lots = tuple(lot for lot in empire.lots if lot.aboard == self.unit)
        put_down = tuple(replace(lot, aboard=0, inside=self.city) for lot in lots)
        return stored(withdrawn(empire, lots), put_down).with_unit(replace(unit, kind="ambassador coolie"))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} coolie", -1), Flow(f"{self.country} ambassador coolie", 1))


class LoadPutDown(OpenEvent, frozen=True):
    """A coolie who runs a machine put down what he carried: on the square, in the city `into`, or aboard `carrier`."""

    rule = "emp.C6"
    country: str
    unit: int
    at: Position
    lots: tuple[Lot, ...]
    carrier: int = 0
    carrier_kind: str = ""
    into: str = ""

    def change(self, empire: Empire) -> Empire:
        down = tuple(replace(lot, aboard=self.carrier, inside=self.into) for lot in self.lots)
        return stored(withdrawn(empire, self.lots), down)

    def sentence(self) -> str:
        where = f"inside {self.into} " if self.into else ""
        where = f"aboard {self.carrier_kind} {self.carrier} " if self.carrier else where
        return f"Coolie {self.unit} of {self.country} runs a machine and puts down {in_words(self.lots)} {where}in {self.at}."


# ---------------------------------------------------------------- cities


class CityFounded(OpenEvent, frozen=True):
    """A colony was planted: a city at once, for no cost (III A, emp.H-21)."""

    rule = "emp.C2"
    says = "{country} founds {name} in {at}."
    country: str
    at: Position
    name: str
    piece: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return with_new_city(withdrawn(empire, self.piece), self.country, self.at, self.name)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.piece, -1)


class CityFilled(OpenEvent, frozen=True):
    """A minor square of a new city was filled with a dock, an airport or a warehouse, for nothing."""

    rule = "emp.C1"
    country: str
    city: str
    at: Position
    what: str

    def change(self, empire: Empire) -> Empire:
        return with_building(empire, self.at, self.what, empire.turn)

    def sentence(self) -> str:
        return f"{self.country} fills {PLANS[self.what].squares} of {self.city}'s minor squares: {a(self.what)}."
