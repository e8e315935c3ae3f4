"""Births, food, water, and the squares that are worked: what was fed, who died, what the land gave."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent, Spending
from referee.games.empire.position import Lot, Position, Unit, Worked
from referee.games.empire.position.state import Booking, Country, Empire, Feeding
from referee.games.empire.reckoning.ownership import flows_of, in_words, stored, withdrawn
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.stock import Flow
from referee.kit.wording import capital, counted


class OutputAppeared(OpenEvent, frozen=True):
    """A square worked over the end of the turn gave its yield at the beginning of the next."""

    rule = "emp.board.output"
    country: str
    at: Position
    kind: str
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return stored(empire, self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, 1)

    def sentence(self) -> str:
        return f"The {self.kind} in {self.at} gives {self.country} {in_words(self.lots)}."


class CooliesBorn(OpenEvent, frozen=True):
    """A coolie was born on a reproductive site."""

    rule = "emp.C3"
    says = "Coolie {number} of {country} is born in {at}."
    country: str
    at: Position
    number: int

    def change(self, empire: Empire) -> Empire:
        child = Unit(self.number, "coolie", self.country, self.at, since=empire.turn)
        return replace(empire.with_unit(child), born={**empire.born, self.at: empire.turn})

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} coolie", 1),)


class BirthsSet(OpenEvent, frozen=True):
    """A country allowed or suppressed births on a site."""

    rule = "emp.C3"
    country: str
    at: Position
    allowed: bool

    def change(self, empire: Empire) -> Empire:
        country: Country = empire.countries[self.country]
        others = tuple(site for site in country.suppressed if site != self.at)
        return empire.with_country(replace(country, suppressed=others if self.allowed else (*others, self.at)))

    def sentence(self) -> str:
        does = "allows" if self.allowed else "suppresses"
        return f"{self.country} {does} births in {self.at} from the start of its next turn on."


class FeedingSet(OpenEvent, frozen=True):
    """A country said who of it eats first or last, or from which stores, from now on."""

    rule = "emp.H-01"
    says = "{country} on its food: {said}"
    country: str
    feeding: Feeding
    said: str

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], feeding=self.feeding))


class FoodEaten(Spending, OpenEvent, frozen=True):
    """The mouths of a country were fed out of these stores."""

    rule = "emp.F1"
    country: str
    mouths: int
    lots: tuple[Lot, ...]

    def sentence(self) -> str:
        return f"{counted(self.mouths, 'mouths')} of {self.country} {'eats' if self.mouths == 1 else 'eat'} {self.mouths} food."


_HUNGER = ("emp.F1", "emp.F2")


class PersonDied(OpenEvent, frozen=True):
    """Somebody died; weapons stay where he was, and what he carried is put down. `lost` went down with him."""

    country: str
    number: int
    kind: str
    at: Position
    why: str
    by_rule: str
    weapons: tuple[Lot, ...] = ()
    lost: tuple[Lot, ...] = ()

    def cites(self) -> str:
        return self.by_rule

    def end(self) -> str:
        return f"in {self.at} {self.why}"

    def change(self, empire: Empire) -> Empire:
        empire = withdrawn(empire, self.lost)
        unit = empire.units.get(self.number)
        for lot in empire.lots if unit else ():
            if unit and lot.aboard == self.number:
                empire = stored(withdrawn(empire, (lot,)), (replace(lot, aboard=unit.aboard),))
        for other in empire.units.values() if unit else ():
            if unit and other.aboard == self.number:
                empire = empire.with_unit(replace(other, aboard=unit.aboard))
        dry = {number: turns for number, turns in empire.dry.items() if number != self.number}
        return replace(stored(empire.without_unit(self.number), self.weapons), dry=dry)

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} {self.kind}", -1), *flows_of(self.weapons, 1), *flows_of(self.lost, -1))

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        starved = int(self.by_rule in _HUNGER)
        paid = int(KINDS[self.kind].land_military)
        return ((self.country, Booking(starved=starved, paid=paid)),) if starved or paid else ()

    def sentence(self) -> str:
        left = f", leaving {in_words(self.weapons)}" if self.weapons else ""
        sunk = f"; {in_words(self.lost)} is lost" if self.lost else ""
        return f"{capital(self.kind)} {self.number} of {self.country} in {self.at} dies {self.why}{left}{sunk}."


class ThirstNoted(OpenEvent, frozen=True):
    """The persons of a country in the desert without water, and for how many turns; nobody else is thirsty."""

    rule = "emp.terrain.desert"
    country: str
    dry: tuple[tuple[int, int], ...]

    def change(self, empire: Empire) -> Empire:
        units = empire.units
        others = {n: turns for n, turns in empire.dry.items() if n in units and units[n].country != self.country}
        return replace(empire, dry=others | dict(self.dry))

    def sentence(self) -> str:
        thirsty = ", ".join(str(number) for number, _ in self.dry)
        return f"Without water in the desert: {thirsty} of {self.country}." if self.dry else ""


class SquareTaken(OpenEvent, frozen=True):
    """A unit was set to work a food or resource of a square, from the end of this turn on."""

    rule = "emp.board.develop"
    country: str
    at: Position
    kind: str
    grade: int
    unit: int

    def change(self, empire: Empire) -> Empire:
        old = next((w for w in empire.worked if (w.at, w.kind, w.country) == (self.at, self.kind, self.country)), None)
        since, invested = (old.since, old.invested) if old else (empire.turn, -1)
        others = tuple(w for w in empire.worked if (w.at, w.kind) != (self.at, self.kind))
        new = Worked(self.at, self.kind, self.grade, self.country, self.unit, since, invested)
        return replace(empire, worked=(*others, new))

    def sentence(self) -> str:
        return f"Unit {self.unit} of {self.country} works {self.kind} in {self.at}{_graded(self.grade)}."


def _graded(grade: int) -> str:
    return ("", "", " as a double", " as a triple")[min(grade, 3)]


class SquareGivenUp(OpenEvent, frozen=True):
    """A food or resource is worked no longer."""

    rule = "emp.board.develop"
    says = "{country} no longer works {kind} in {at}: {why}."
    country: str
    at: Position
    kind: str
    why: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, worked=tuple(w for w in empire.worked if (w.at, w.kind) != (self.at, self.kind)))


class SquareInvested(OpenEvent, frozen=True):
    """Investment was made in a worked square at the end of a turn; `edu` for the first country that ever did (IV A)."""

    rule = "emp.board.investment"
    country: str
    at: Position
    kind: str
    points: int
    edu: int
    seed: tuple[Lot, ...] = ()

    def change(self, empire: Empire) -> Empire:
        worked = tuple(
            replace(w, invested=empire.turn) if (w.at, w.kind) == (self.at, self.kind) else w for w in empire.worked
        )
        first = {f"{self.at} {self.kind}": self.country, **empire.developed}
        return replace(withdrawn(empire, self.seed), worked=worked, developed=first)

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(investment=self.points, edu=self.edu)),)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.seed, -1)

    def sentence(self) -> str:
        seed = ", with 1 food for seed" if self.seed else ""
        edu = f" and {self.edu} EDU" if self.edu else ""
        return f"{self.country} invests in {self.kind} in {self.at}{seed}: {counted(self.points, 'points')}{edu}."


class SquarePolluted(OpenEvent, frozen=True):
    """A factory ran in a food square; it gives nothing while a factory stands there."""

    rule = "emp.H-24"
    says = "The food in {at} is polluted by a factory."
    at: Position

    def change(self, empire: Empire) -> Empire:
        return replace(empire, polluted={**empire.polluted, self.at: 0})


class SquareCleared(OpenEvent, frozen=True):
    """The last factory of a polluted square was gone; food returns in turn `clean`."""

    rule = "emp.H-24"
    says = "No factory is left in {at}; its food returns in turn {clean}."
    at: Position
    clean: int

    def change(self, empire: Empire) -> Empire:
        return replace(empire, polluted={**empire.polluted, self.at: self.clean})
