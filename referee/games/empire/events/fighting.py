"""Fights on land, and units armed for them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent
from referee.games.empire.events.dealing import Handing, both_ways, handed, listed
from referee.games.empire.events.economy import Named, names
from referee.games.empire.position import Arming, Lot, Position
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.budget import fuel_of_attack
from referee.games.empire.reckoning.combat import RESULTS, Factor, Fighter, Sides
from referee.games.empire.reckoning.ownership import flows_of, in_words, stored, withdrawn
from referee.games.empire.rulebook import PER_ATTACK, SURE
from referee.games.empire.rulebook.kinds import FORMATIONS, in_bta
from referee.kit.stock import Flow, gathered
from referee.kit.wording import are, in_a_row

# ---------------------------------------------------------------- events of land war
# Battles, retreats, and what falls to the victor (emp.H-28 to emp.H-30).


def _numbers(units: Named) -> list[int]:
    return [number for number, _ in units]


def _removed(empire: Empire, units: Named) -> Empire:
    """The position without units; what they carried is put down."""
    empire = _put_down(empire, _numbers(units))
    for number, _ in units:
        empire = empire.without_unit(number)
    return replace(empire, dry={number: turns for number, turns in empire.dry.items() if number in empire.units})


def _put_down(empire: Empire, numbers: Sequence[int]) -> Empire:
    """Loads of units lie where the units are, or are aboard their carrier."""
    for lot in empire.lots:
        if lot.aboard in numbers:
            carrier = empire.units[lot.aboard].aboard
            empire = stored(withdrawn(empire, (lot,)), (replace(lot, aboard=0 if carrier in numbers else carrier),))
    for unit in empire.units.values():
        if unit.aboard in numbers:
            carrier = empire.units[unit.aboard].aboard
            empire = empire.with_unit(replace(unit, aboard=0 if carrier in numbers else carrier))
    return empire


# ---------------------------------------------------------------- battles


def attacked_key(number: int) -> str:
    """The count that tells that a unit has attacked this turn."""
    return f"attacked/{number}"


def _side(fighters: Sequence[Fighter]) -> str:
    """`infantry regiment 5 (2) and SAC 6 (1 x 1/2 far from food)`."""
    told = []
    for fighter in fighters:
        times = "".join(f" x {factor.times} {factor.why}" for factor in fighter.factors)
        told.append(f"{fighter.name} ({fighter.points}{times})")
    return in_a_row(told)


def _times(total: Fraction, factors: Sequence[Factor]) -> str:
    return "".join(f" x {factor.times} {factor.why}" for factor in factors) + f" = {total}"


class BattleFought(OpenEvent, frozen=True):
    """An attack was made, with all figures from which its odds follow (emp.H-28). `die` is 0 where none was needed.

    `units` are those that attacked, with their countries: they have attacked this turn and owe chemicals (emp.H-29).
    """

    rule = "emp.H-28"
    country: str
    at: Position
    units: tuple[tuple[int, str], ...]
    sides: Sides
    odds: str
    die: int
    result: str

    def change(self, empire: Empire) -> Empire:
        marks = {attacked_key(number): 1 for number, _ in self.units}
        return replace(empire, handled={**empire.handled, **marks})

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        owing = gathered(country for _, country in self.units)
        chemicals = ((country, Booking(chemicals=PER_ATTACK * number)) for country, number in owing.items())
        return (*chemicals, *fuel_of_attack(empire, (number for number, _ in self.units)))

    def sentence(self) -> str:
        attack = f"{self.country} attacks {self.at} with {_side(self.sides.attack)} = {self.sides.attacking}"
        if not self.sides.defence:
            return f"{attack} against nobody who defends: {self._outcome()}."
        total = _times(self.sides.defending, self.sides.factors)
        die = f"die {self.die}" if self.die else "no die needed"
        column = f"{SURE} or more" if self.odds == SURE else self.odds
        return f"{attack} against {_side(self.sides.defence)}{total}; odds {column}, {die}: {self._outcome()}."

    def _outcome(self) -> str:
        return f"{self.result}, {RESULTS[self.result]}" if self.result in RESULTS else self.result


class FormationsDestroyed(OpenEvent, frozen=True):
    """Formations of a country in a square were destroyed; half of their arms are left lying, what they carried too.

    They must be paid for this turn all the same (I.I d).
    """

    rule = "emp.H-28"
    country: str
    at: Position
    units: Named
    why: str
    weapons: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return stored(_removed(empire, self.units), self.weapons)

    def flows(self) -> tuple[Flow, ...]:
        return (*_lost(self.country, self.units), *flows_of(self.weapons, 1))

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(paid=len(self.units))),)

    def sentence(self) -> str:
        left = f", leaving {in_words(self.weapons)}" if self.weapons else ""
        return f"{self.country}'s {names(self.units)} in {self.at} {are(len(self.units))} destroyed{self.why}{left}."


def _lost(country: str, units: Named) -> tuple[Flow, ...]:
    kinds = gathered(kind for _, kind in units)
    return tuple(Flow(f"{country} {kind}", -number) for kind, number in kinds.items())


class FormationRetreated(OpenEvent, frozen=True):
    """A beaten formation went back, with what it carries; no BTA is spent."""

    rule = "emp.H-28"
    country: str
    unit: int
    kind: str
    start: Position
    way: tuple[Position, ...]
    status: str

    def change(self, empire: Empire) -> Empire:
        return _gone(empire, (self.unit,), self.way, self.status)

    def sentence(self) -> str:
        through = f" through {self.way[0]}" if len(self.way) > 1 else ""
        return f"{self.country}'s {self.kind} {self.unit} goes back from {self.start}{through} to {self.way[-1]}."


def _gone(empire: Empire, numbers: Sequence[int], way: Sequence[Position], status: str) -> Empire:
    """Units ashore in another square with what they carry, without cost."""
    units, trails, target = dict(empire.units), dict(empire.trails), way[-1]
    for number in numbers:
        trails[number] = (*(trails.get(number) or (units[number].at,)), *way)
        units[number] = replace(units[number], at=target, status=status, aboard=0)
    lots = tuple(replace(lot, at=target) if lot.aboard in numbers else lot for lot in empire.lots)
    return replace(empire, units=units, trails=trails, lots=lots)


class FormationsAdvanced(OpenEvent, frozen=True):
    """One group of the victor's formations went into the square it attacked; no BTA is spent."""

    rule = "emp.H-28"
    country: str
    units: Named
    start: Position
    at: Position
    status: str

    def change(self, empire: Empire) -> Empire:
        return _gone(empire, _numbers(self.units), (self.at,), self.status)

    def sentence(self) -> str:
        verb = "advances" if len(self.units) == 1 else "advance"
        return f"{self.country}'s {names(self.units)} {verb} from {self.start} to {self.at}."


# ---------------------------------------------------------------- coolies and cities


class CooliesKilled(OpenEvent, frozen=True):
    """Coolies of a country without defenders were killed; government and ambassadors among them too (emp.H-30)."""

    rule = "emp.H-30"
    country: str
    by: str
    at: Position
    units: Named

    def change(self, empire: Empire) -> Empire:
        return _removed(empire, self.units)

    def flows(self) -> tuple[Flow, ...]:
        return _lost(self.country, self.units)

    def sentence(self) -> str:
        return f"{self.by} kills {self.country}'s {names(self.units)} in {self.at}."


class CooliesCaptured(Handing, OpenEvent, frozen=True):
    """Coolies without defenders were captured with what they carry. For the trade sheet of the victim (emp.H-30, emp.P16)."""

    rule = "emp.H-30"
    giver: str
    to: str
    at: Position
    units: tuple[int, ...]
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]

    def sentence(self) -> str:
        numbers = in_a_row([str(number) for number in self.units])
        return f"{self.to} captures {listed(self.counts)} of {self.giver} in {self.at} ({numbers})."


class CityFell(OpenEvent, frozen=True):
    """A city passed to whoever alone is there: buildings and goods whole, of each kind of vehicle half, the rest is lost.

    `units` and `lots` pass over, formations in its warehouse too; `lost` do not. For the trade sheet (emp.H-30, emp.P16, III.B).
    """

    rule = "emp.H-30"
    city: str
    at: Position
    giver: str
    to: str
    units: tuple[int, ...]
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]
    lost: Named
    capital: bool

    def change(self, empire: Empire) -> Empire:
        city = empire.cities[self.city]
        empire = empire.with_city(replace(city, country=self.to, capital=False))
        return _removed(handed(empire, self.to, self.units, self.lots), self.lost)

    def flows(self) -> tuple[Flow, ...]:
        return (*both_ways(self.giver, self.to, self.counts), *_lost(self.giver, self.lost))

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        troops = sum(number for kind, number in self.counts if kind in FORMATIONS)
        return ((self.giver, Booking(cities_lost=1, capital_lost=self.capital, paid=troops)),)

    def sentence(self) -> str:
        capital = ", the capital," if self.capital else ""
        lost = f"; {names(self.lost)} {are(len(self.lost))} lost" if self.lost else ""
        taken = f" with {listed(self.counts)}" if self.counts else ""
        return f"{self.city}{capital} in {self.at} falls from {self.giver} to {self.to}{taken}{lost}."


class RetreatSet(OpenEvent, frozen=True):
    """A country said where its beaten formations go, from now on."""

    rule = "emp.H-28"
    country: str
    to: Position

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], retreat=self.to))

    def sentence(self) -> str:
        return f"Beaten formations of {self.country} go back towards {self.to or 'their nearest city'}."


# ---------------------------------------------------------------- coolies take up arms and lay them down (emp.H-25)


class FormationArmed(OpenEvent, frozen=True):
    """A coolie, or a formation for more arms, became a formation. `back` are the thirds left of a broken HAU.

    `spent` is what the formation has spent of its 12 BTA: the most of what the coolie and the parts had, and the arming.
    """

    rule = "emp.H-25"
    country: str
    unit: int
    before: str
    formation: str
    at: Position
    parts: tuple[str, ...]
    lots: tuple[Lot, ...]
    back: tuple[Lot, ...]
    cost: int
    spent: int

    def change(self, empire: Empire) -> Empire:
        old = empire.units[self.unit]
        armed = replace(old, kind=self.formation, parts=self.parts, spent=self.spent, since=empire.turn)
        waiting = tuple(arming for arming in empire.arming if arming.unit != self.unit)
        dry = stored(withdrawn(empire, self.lots), self.back)
        return replace(dry.with_unit(armed), arming=waiting)

    def flows(self) -> tuple[Flow, ...]:
        changed = (Flow(f"{self.country} {self.before}", -1), Flow(f"{self.country} {self.formation}", 1))
        return (*changed, *flows_of(self.lots, -1), *flows_of(self.back, 1))

    def sentence(self) -> str:
        left = f"; {in_words(self.back)} are left of the HAU broken up" if self.back else ""
        how = f"is armed with {in_words(self.lots)}" if self.lots else "is formed anew"
        what = f"{self.country}'s {self.before} {self.unit} in {self.at} {how}"
        return f"{what}: {self.formation} {self.unit}, {in_bta(self.cost)} BTA{left}."


class ArmingSet(OpenEvent, frozen=True):
    """Somebody waits for arms that this turn produces; he is armed at its end and moves or attacks from the next on."""

    rule = "emp.H-25"
    arming: Arming

    def change(self, empire: Empire) -> Empire:
        others = tuple(arming for arming in empire.arming if arming.unit != self.arming.unit)
        return replace(empire, arming=(*others, self.arming))

    def sentence(self) -> str:
        a = self.arming
        return (
            f"Unit {a.unit} of {a.country} waits in {a.at} to be armed as {a.formation} with what this turn produces."
        )


class ArmingLapsed(OpenEvent, frozen=True):
    """A unit that waited for arms could not be armed at the end of the turn."""

    rule = "emp.H-25"
    says = "Unit {unit} of {country} is not armed as {formation}: {why}"
    country: str
    unit: int
    formation: str
    why: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, arming=tuple(arming for arming in empire.arming if arming.unit != self.unit))


class FormationDisarmed(OpenEvent, frozen=True):
    """A formation laid down all its arms in its square and is a coolie again; it is not paid for this turn (I.I d)."""

    rule = "emp.H-25"
    country: str
    unit: int
    formation: str
    at: Position
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        plain = replace(empire.units[self.unit], kind="coolie", parts=())
        return stored(empire.with_unit(plain), self.lots)

    def flows(self) -> tuple[Flow, ...]:
        changed = (Flow(f"{self.country} {self.formation}", -1), Flow(f"{self.country} coolie", 1))
        return (*changed, *flows_of(self.lots, 1))

    def sentence(self) -> str:
        left = in_words(self.lots)
        return f"{self.country}'s {self.formation} {self.unit} in {self.at} disarms, laying down {left}: coolie {self.unit}."
