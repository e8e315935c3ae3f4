"""Works that go on and are finished, what they produce, and what is torn down; cities founded and filled."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent, Spending
from referee.games.empire.position import Lot, Position, Run, Unit, Work
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.ownership import flows_of, in_words, stored, withdrawn
from referee.games.empire.reckoning.work import with_building, with_new_city, without_building, without_work
from referee.games.empire.rulebook.plans import PLANS, a
from referee.kit.stock import Flow
from referee.kit.wording import capital, counted, in_a_row

# ---------------------------------------------------------------- works that go on and are finished
# Buildings, lines, vehicles; cities founded and filled.


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


class MaterialsUsed(Spending, OpenEvent, frozen=True):
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
        return f"The {self.what} in {self.at} needs {counted(self.left, 'more turns')}."


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


class GoodsConsumed(Spending, OpenEvent, frozen=True):
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
    """The materials saved of a scrapped building lie on its site."""

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


class GoodsDestroyed(Spending, OpenEvent, frozen=True):
    """Goods were burnt or thrown into water."""

    rule = "emp.board.destruction"
    country: str
    at: Position
    how: str
    lots: tuple[Lot, ...]

    def sentence(self) -> str:
        return f"{in_words(self.lots)} of {self.country} in {self.at} {self.how}."
