"""BOMB, from the air; TURN PIRATE and PLUNDER, at sea (emp.H-31, emp.H-33)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.air_and_sea import flak, flak_ahead
from referee.games.empire.deeds.building import standing
from referee.games.empire.deeds.debts_and_petitions import check_band
from referee.games.empire.deeds.fighting import check_fresh, check_means
from referee.games.empire.events.air_and_sea import PirateReverted, PirateTurned, ShipPlundered, SquareBombed
from referee.games.empire.events.economy import NONE, Losses, losses_of
from referee.games.empire.orders.attack import Force
from referee.games.empire.orders.base import Assault, Deed
from referee.games.empire.orders.fields import OneUnit, Place
from referee.games.empire.orders.units import of_seat, single
from referee.games.empire.position import FOODS, Lot, Position, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.budget import at_sea
from referee.games.empire.reckoning.carrying import aboard, goods_aboard
from referee.games.empire.reckoning.combat import chance
from referee.games.empire.reckoning.ownership import Some, cargo_of, check_square, counts_of, flies, named, unit_of
from referee.games.empire.reckoning.work import owner_of
from referee.games.empire.rulebook import BOMBS, LOSES, TAKES, faces
from referee.games.empire.rulebook.kinds import GOODS_WORDS, KINDS, word_for
from referee.games.empire.rulebook.plans import PLANS
from referee.kit.declared import Words
from referee.kit.fields import Field, Got, Said
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

_BOMBER, _PIRATE = "strategic bomber", "pirate ship"


def _of_kind(empire: Empire, seat: Seat, kind: str) -> list[Unit]:
    return [unit for unit in of_seat(empire, seat) if unit.kind == kind]


# ---------------------------------------------------------------- bombs


class _Target(Field[str]):
    """A building, a resource, or a farm or fish, which are worked alike."""

    def read(self, said: Said) -> str:
        (thing,) = said.order.things
        return GOODS_WORDS[thing.name] if thing.kind == "goods" else thing.name

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        """The buildings and works below bombers of one's own."""
        below = dict.fromkeys(unit.at for unit in _of_kind(state, seat, _BOMBER))
        worked = (work.kind for work in state.worked if work.at in below)
        targets = dict.fromkeys((*(what for at in below for what in standing(state, at)), *worked))
        return (Choice(word_for(what), what) for what in targets)

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        kind = "plan" if value in PLANS else "crop" if value in FOODS else "goods"
        return (Thing(kind, word_for(value)),)


def _below(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    return map(placed, dict.fromkeys(unit.at for unit in _of_kind(empire, seat, _BOMBER)))


def _over(empire: Empire, seat: Seat, got: Got) -> list[Unit]:
    """The bombers that can drop something there."""
    bombers = [unit for unit in _of_kind(empire, seat, _BOMBER) if unit.at == got["at"]]
    return [unit for unit in bombers if Bomb(got["at"], got["what"], (unit.number,)).lawful(empire, seat)]


def _there(said: Said) -> str:
    at: str = said.got["at"]
    return at


class Raid(NamedTuple):
    """Bombers over a target that can be hit: what each drops, whose the target is."""

    bombers: tuple[Unit, ...]
    bombs: tuple[Lot, ...]
    victim: str
    resource: bool


class Bomb(Assault, frozen=True):
    """Bombers over a square drop what they carry on a building or worked resource of it (emp.H-31)."""

    at: str
    what: str
    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    words = Words(
        "BOMB",
        "drop the bombs of strategic bombers over a square on a building or worked resource of it",
        "emp.H-31",
        "BOMB steel mill IN c12r7 WITH strategic bomber",
    )
    fields = (
        _Target("what", ("plan", "goods", "crop")),
        Place("at", "IN", "AT", among=_below),
        Force("force", "WITH", "BY", (), _there, able=_over),
    )
    says = "Bomb {what} in {at} with {force}."

    def plan(self, empire: Empire, seat: Seat) -> Raid:
        rule, at, what = self.words.rule, self.at, self.what
        check_square(empire, at)
        bombers = tuple(unit_of(empire, seat, number) for number in dict.fromkeys(self.units))
        if not bombers:
            raise Refused("Say who bombs: BOMB steel mill IN c5r4 WITH strategic bomber 5.", rule, "BOMB")
        bombs = tuple(self._load(empire, bomber) for bomber in bombers)
        check_means(empire, bombers)
        worked = next((w for w in empire.worked if (w.at, w.kind) == (at, what)), None)
        if what in standing(empire, at):
            worked = None
        elif worked is None:
            others = tuple(f"BOMB {other} IN {at}" for other in dict.fromkeys(standing(empire, at)))
            raise Refused(f"There is no {what} to bomb in {at}.", rule, what, others[:3])
        victim = worked.country if worked else owner_of(empire, at)
        if empire.friendly(bombers[0].country, victim) or empire.same_owner(bombers[0].country, victim):
            raise Refused(f"The {what} in {at} is {victim}'s, who is no enemy.", rule, what)
        return Raid(bombers, bombs, victim, worked is not None)

    def _load(self, empire: Empire, bomber: Unit) -> Lot:
        """The bomb of a bomber that can drop it. Raises Refused."""
        rule, at, who = self.words.rule, self.at, named(bomber)
        if bomber.kind != _BOMBER:
            raise Refused(f"Only {_BOMBER}s bomb a square; {who} does not.", rule, str(bomber.number))
        check_fresh(empire, bomber, rule)
        if not flies(bomber) or bomber.at != at:
            raise Refused(f"{who} does not fly over {at}.", rule, at, (f"MOVE {who} TO {at}",))
        bomb = next((lot for lot in goods_aboard(empire, bomber.number) if lot.what in BOMBS), None)
        if bomb is None:
            raise Refused(f"{who} carries no bomb.", rule, str(bomber.number), (f"LOAD 1 bomb ABOARD {who}",))
        return replace(bomb, number=1)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """Flak first; then every bomber that is left drops its bomb and rolls a die."""
        raid, at, what = self.plan(table.state, seat), self.at, self.what
        flak(table, raid.bombers, at)
        empire = table.state
        pairs = [pair for pair in zip(raid.bombers, raid.bombs, strict=True) if pair[0].number in empire.units]
        if not pairs:
            return
        dice = table.roll(len(pairs), 6, f"Bombs on the {what} in {at}", self.words.rule)
        drops = tuple((unit.number, lot.what, die) for (unit, lot), die in zip(pairs, dice, strict=True))
        there = 1 if raid.resource else list(standing(empire, at)).count(what)
        gone = min(there, sum(die >= BOMBS[bomb] for _, bomb, die in drops))
        burnt, lost = _contents(empire, at) if what == "warehouse" and gone else ((), NONE)
        used, country = tuple(lot for _, lot in pairs), pairs[0][0].country
        table.emit(SquareBombed(country, raid.victim, at, what, drops, used, gone, burnt, lost, raid.resource))

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        """Flak, and what each bomber hits."""
        raid, at = self.plan(table.state, seat), self.at
        pairs = tuple(zip(raid.bombers, raid.bombs, strict=True))
        hits = in_a_row([f"{named(unit)} hits {chance(BOMBS[lot.what])}" for unit, lot in pairs])
        country, drops = raid.bombers[0].country, tuple((unit.number, lot.what, 0) for unit, lot in pairs)
        told = flak_ahead(table.state, country, at)
        table.emit(SquareBombed(country, raid.victim, at, self.what, drops, raid.bombs, resource=raid.resource))
        return (*told, f"Bombs on the {self.what} in {at}: {hits}.")


def _contents(empire: Empire, at: Position) -> tuple[tuple[Lot, ...], Losses]:
    """Half of what is in the warehouse, each kind rounded down: goods, and units stored there, the highest numbers."""
    stored = [lot for lot in empire.lots if lot.at == at and lot.inside == "warehouse" and not lot.aboard]
    burnt = tuple(replace(lot, number=lot.number // 2) for lot in stored if lot.number > 1)
    inside, lost = [unit for unit in empire.units_at(at) if unit.status == "warehouse"], list[int]()
    for kind in dict.fromkeys(unit.kind for unit in inside):
        alike = [unit.number for unit in inside if unit.kind == kind]
        lost += alike[len(alike) - len(alike) // 2 :]
    return burnt, losses_of(empire, lost)


# ---------------------------------------------------------------- pirates


def _crew(empire: Empire, ship: Unit) -> Unit:
    """The SAC of a ship at sea. Raises Refused."""
    rule, who = "emp.H-33", named(ship)
    if not at_sea(ship):
        raise Refused(f"{who} is not at sea.", rule, str(ship.number), (f"PUT TO SEA {who}",))
    for unit in aboard(empire, ship.number):
        if (unit.kind, unit.country) == ("SAC", ship.country):
            return unit
    raise Refused(f"{who} has no SAC aboard.", rule, str(ship.number), (f"LOAD SAC ABOARD {who}",))


class TurnPirate(Deed, frozen=True):
    """A cargo ship with a SAC aboard becomes a pirate ship (emp.H-33)."""

    unit: int

    words = Words(
        "TURN PIRATE",
        "make a cargo ship at sea with a SAC aboard a pirate ship; in a dock it is a cargo ship again",
        "emp.H-33",
        "TURN PIRATE cargo ship",
    )
    fields = (OneUnit("unit"),)
    says = "Turn unit {unit} pirate."

    def act(self, stage: Stage, seat: Seat) -> None:
        ship = unit_of(stage.state, seat, self.unit)
        if ship.kind != "cargo ship":
            words = f"Only cargo ships turn pirate; {named(ship)} does not."
            raise Refused(words, self.words.rule, str(ship.number))
        _crew(stage.state, ship)
        stage.emit(PirateTurned(ship.country, ship.number, ship.at))


def revert_pirates(table: Table[Empire]) -> None:
    """Every pirate ship that is in a dock is a cargo ship again."""
    for unit in tuple(table.state.units.values()):
        if unit.kind == _PIRATE and unit.status == "dock":
            table.emit(PirateReverted(unit.country, unit.number, unit.at))


def _pirates(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[int]]:
    return map(single, _of_kind(empire, seat, _PIRATE))


def _near(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[int]]:
    """The units where the pirates are."""
    return map(single, empire.units_at(empire.units[got["by"]].at))


class Plunder(Assault, frozen=True):
    """A pirate ship tries to take a ship of its square (emp.H-33)."""

    target: int
    by: int

    words = Words(
        "PLUNDER",
        "let a pirate ship try to take a ship of its square that no warship escorts: "
        f"{faces(TAKES)} takes it, {LOSES} costs the SAC",
        "emp.H-33",
        "PLUNDER cargo ship WITH pirate ship",
    )
    fields = (
        OneUnit("by", "WITH", "BY", needed=True, among=_pirates),
        OneUnit("target", whose="any", among=_near),
    )
    says = "Plunder unit {target} with unit {by}."

    def plan(self, empire: Empire, seat: Seat) -> tuple[Unit, Unit, Unit]:
        """The prey, the pirate ship and its SAC."""
        rule, pirate, prey = self.words.rule, unit_of(empire, seat, self.by), empire.units.get(self.target)
        if pirate.kind != _PIRATE:
            instead = (f"TURN PIRATE {named(pirate)}",)
            raise Refused(f"{named(pirate)} is no pirate ship.", rule, str(pirate.number), instead)
        if prey is None or KINDS[prey.kind].category != "naval":
            raise Refused(f"Unit {self.target} is no ship.", rule, str(self.target))
        if empire.same_owner(prey.country, pirate.country):
            raise Refused(f"{named(prey)} is yours.", rule, str(prey.number))
        if prey.at != pirate.at:
            instead = (f"MOVE {named(pirate)} TO {prey.at}",)
            raise Refused(f"{named(prey)} is in {prey.at}, not in {pirate.at}.", rule, prey.at, instead)
        if prey.aboard or prey.status in ("dock", "submerged"):
            raise Refused(f"{named(prey)} is out of reach of pirates.", rule, str(prey.number))
        check_band(empire, pirate.country, "attack")
        check_fresh(empire, pirate, rule)
        crew = _crew(empire, pirate)
        # The warship may be the prey itself.
        here = [unit for unit in empire.units_at(prey.at) if KINDS[unit.kind].military and at_sea(unit)]
        guard = next((u for u in here if empire.friendly(u.country, prey.country)), None)
        if guard is not None:
            raise Refused(f"{guard.country}'s {named(guard)} escorts {named(prey)}.", rule, str(prey.number))
        return prey, pirate, crew

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """A die for the ship, and for the SAC."""
        prey, pirate, crew = self.plan(table.state, seat)
        (die,) = table.roll(1, 6, f"{named(pirate)} plunders {named(prey)}", self.words.rule)
        taken = die >= TAKES
        units, lots = cargo_of(table.state, (prey.number,), persons=False) if taken else ((), ())
        lost = losses_of(table.state, (crew.number,)) if die <= LOSES else NONE
        counts = counts_of(table.state, units, lots)
        table.emit(_plundered(prey, pirate, die, taken, units, lots, counts, lost))

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        prey, pirate, _ = self.plan(table.state, seat)
        table.emit(_plundered(prey, pirate, 0, False))
        odds = f"{named(pirate)} takes it {chance(TAKES)}, loses its SAC {1 - chance(LOSES + 1)}"
        return (f"Plundering {named(prey)}: {odds}.",)


def _plundered(prey: Unit, pirate: Unit, *came: Any) -> ShipPlundered:
    return ShipPlundered(prey.number, prey.kind, pirate.number, prey.country, pirate.country, prey.at, *came)


def plunderings(empire: Empire, country: Country) -> Iterator[tuple[Plunder, str]]:
    """The plunder that the pirates of a country could take, with the odds in words."""
    for pirate in empire.units_of(country.name, _PIRATE):
        for prey in empire.units_at(pirate.at):
            order = Plunder(prey.number, pirate.number)
            if order.lawful(empire, country.owner):
                yield order, f"With a chance of {chance(TAKES)}"
