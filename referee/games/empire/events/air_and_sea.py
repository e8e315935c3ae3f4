"""Fights in the air and at sea."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent
from referee.games.empire.events.dealing import both_ways, handed, listed
from referee.games.empire.events.economy import NONE, Costing, Losses, Named, names
from referee.games.empire.events.fighting import BattleFought, attacked_key
from referee.games.empire.events.moving import merged
from referee.games.empire.position import Lot, Position
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.budget import fuel_of_stance
from referee.games.empire.reckoning.ownership import flows_of, in_words, with_all_aboard, withdrawn
from referee.games.empire.reckoning.work import without_building
from referee.games.empire.rulebook import BOMBS, FLAK_HITS, HITS, HITS_FIGHTER, LOSES, PER_ATTACK, TAKES, faces
from referee.games.empire.rulebook.plans import a
from referee.kit.stock import Flow
from referee.kit.wording import counted, in_a_row, in_number

# ---------------------------------------------------------------- events of air war
# Scrambling, interception, flak, bombs (emp.H-31).


_Dice = tuple[int, ...]


def _faces(dice: _Dice) -> str:
    return ", ".join(map(str, dice)) or "none"


def intercepted_key(number: int) -> str:
    """The count that tells that a fighter has intercepted since its country's turn began."""
    return f"intercepted/{number}"


class ScrambleSet(OpenEvent, frozen=True):
    """A country said whether its fighters scramble, from one airport or from all; it holds until said otherwise."""

    rule = "emp.H-31"
    country: str
    at: Position
    always: bool

    def change(self, empire: Empire) -> Empire:
        own, word = empire.countries[self.country], "always" if self.always else "never"
        told = {**own.scramble, self.at: word} if self.at else {"": word}
        return empire.with_country(replace(own, scramble=told))

    def sentence(self) -> str:
        where = f" in {self.at}" if self.at else ""
        return f"{self.country}'s fighters{where} {'always' if self.always else 'never'} scramble from now on."


class PlanesIntercepted(Costing, OpenEvent, frozen=True):
    """Fighters met a flight on its way, with all dice: the escort's first, then those of the fighters that are left.

    `hunters` with where each came from; `downed` of both sides. Planes that intercept, and planes shot down, have flown: oil is
    due.
    """

    rule = "emp.H-31"
    country: str
    by: str
    at: Position
    flight: Named
    hunters: tuple[tuple[int, str], ...]
    answers: _Dice
    dice: _Dice
    downed: Named = ()
    losses: Losses = NONE

    def change(self, empire: Empire) -> Empire:
        met = {intercepted_key(number): 1 for number, _ in self.hunters}
        return replace(self.losses.removed(empire), handled={**empire.handled, **met})

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        flown = dict.fromkeys([*(number for number, _ in self.hunters), *(number for number, _ in self.downed)])
        oil = (entry for number in flown for entry in fuel_of_stance(empire, number, "air"))
        return (*oil, *self.losses.books())

    def sentence(self) -> str:
        hunters = in_a_row([f"fighter {number} ({where})" for number, where in self.hunters])
        met = f"{self.by}'s {hunters} {in_number(len(self.hunters), 'intercept')}"
        escort = f"; the escort's dice {_faces(self.answers)} ({faces(HITS_FIGHTER)} hits)" if self.answers else ""
        hits = f"{faces(HITS)} hit, a fighter only {faces(HITS_FIGHTER)}"
        dice = f"; the interceptors' dice {_faces(self.dice)} ({hits})" if self.dice else ""
        return f"{met} {self.country}'s {names(self.flight)} over {self.at}{escort}{dice}: {_fate(self.downed)}."


def _fate(downed: Named) -> str:
    return f"{names(downed)} shot down" if downed else "nobody is hit"


class FlakFired(Costing, OpenEvent, frozen=True):
    """The ack-ack sites of a square fired at the planes of a raid, a die each."""

    rule = "emp.H-31"
    country: str
    by: str
    at: Position
    raid: Named
    dice: _Dice
    downed: Named = ()
    losses: Losses = NONE

    def sentence(self) -> str:
        sites = counted(len(self.dice), "ack-ack sites")
        fires = in_number(len(self.dice), "fire")
        at = f"{self.country}'s {names(self.raid)}"
        dice = f"dice {_faces(self.dice)} ({faces(FLAK_HITS)} hits)"
        return f"{self.by}'s {sites} in {self.at} {fires} at {at}; {dice}: {_fate(self.downed)}."


class SquareBombed(OpenEvent, frozen=True):
    """Bombers dropped what they carried on a building or worked resource; `drops`: bomber, munition, die.

    `gone` so many of it are destroyed; `burnt` and `losses` are what a warehouse lost with it.
    """

    rule = "emp.H-31"
    country: str
    victim: str
    at: Position
    what: str
    drops: tuple[tuple[int, str, int], ...]
    used: tuple[Lot, ...]
    gone: int = 0
    burnt: tuple[Lot, ...] = ()
    losses: Losses = NONE
    resource: bool = False

    def change(self, empire: Empire) -> Empire:
        marks = {attacked_key(number): 1 for number, _, _ in self.drops}
        empire = self.losses.removed(withdrawn(empire, (*self.used, *self.burnt)))
        empire = replace(empire, handled={**empire.handled, **marks})
        if self.resource:
            hit = (self.at, self.what) if self.gone else None
            return replace(empire, worked=tuple(w for w in empire.worked if (w.at, w.kind) != hit))
        for _ in range(self.gone):
            empire = without_building(empire, self.at, self.what)
        return empire

    def flows(self) -> tuple[Flow, ...]:
        return (*flows_of((*self.used, *self.burnt), -1), *self.losses.flows())

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(chemicals=PER_ATTACK * len(self.drops))), *self.losses.books())

    def sentence(self) -> str:
        drops = in_a_row([f"strategic bomber {n} (a {what}, die {die})" for n, what, die in self.drops])
        fate = f"{self._gone()}{self._contents()}" if self.gone else "it stands"
        need = f"a bomb hits on {faces(BOMBS['bomb'])}, a light bomb on {faces(BOMBS['light bomb'])}"
        return f"{self.country} bombs {self.victim}'s {self.what} in {self.at} with {drops}; {need}: {fate}."

    def _gone(self) -> str:
        if self.resource:
            return f"the work on {self.what} is destroyed"
        return f"{a(self.what) if self.gone == 1 else self.gone} destroyed"

    def _contents(self) -> str:
        lost = [*([in_words(self.burnt)] if self.burnt else []), *(f"{kind} {n}" for n, kind, _ in self.losses.units)]
        return f", with {in_a_row(lost)} in it" if lost else ""


class MunitionSpent(OpenEvent, frozen=True):
    """A plane dropped its light bomb, or a submarine fired a torpedo, in an attack."""

    rule = "emp.H-31"
    unit: int
    kind: str
    at: Position
    lot: Lot

    def cites(self) -> str:
        return "emp.H-32" if self.lot.what == "torpedo" else self.rule

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, (self.lot,))

    def flows(self) -> tuple[Flow, ...]:
        return flows_of((self.lot,), -1)

    def sentence(self) -> str:
        did = "fires a torpedo at" if self.lot.what == "torpedo" else f"drops a {self.lot.what} on"
        return f"{self.lot.country}'s {self.kind} {self.unit} {did} {self.at}."


# ---------------------------------------------------------------- events of war at sea
# Battles, ships sunk and driven off, pirates (emp.H-32, emp.H-33).


class SeaBattleFought(BattleFought, frozen=True):
    """An attack on ships was made, with all figures from which its odds follow."""

    rule = "emp.H-32"


class ShipsSunk(Costing, OpenEvent, frozen=True):
    """Ships of a country, or planes that attacked alone, went down with all aboard."""

    rule = "emp.H-32"
    country: str
    at: Position
    ships: Named
    why: str
    losses: Losses

    def sentence(self) -> str:
        cargo = self.losses.aboard(self.ships)
        goes = "goes down" if len(self.ships) == 1 else "go down"
        return f"{self.country}'s {names(self.ships)} in {self.at} {goes}{self.why}{f' with {cargo}' if cargo else ''}."


class ShipWithdrew(OpenEvent, frozen=True):
    """A beaten ship went back one square, with all aboard; no BTA is spent."""

    rule = "emp.H-32"
    country: str
    unit: int
    kind: str
    start: Position
    at: Position
    status: str

    def change(self, empire: Empire) -> Empire:
        group = with_all_aboard(empire, empire.units[self.unit])
        units, trails = dict(empire.units), dict(empire.trails)
        for number in group:
            trails[number] = (*(trails.get(number) or (self.start,)), self.at)
            units[number] = replace(units[number], at=self.at)
        units[self.unit] = replace(units[self.unit], status=self.status)
        lots = merged([replace(lot, at=self.at) if lot.aboard in group else lot for lot in empire.lots])
        return replace(empire, units=units, trails=trails, lots=lots)

    def sentence(self) -> str:
        docked = ", into dock" if self.status == "dock" else ""
        return f"{self.country}'s {self.kind} {self.unit} goes back from {self.start} to {self.at}{docked}."


# ---------------------------------------------------------------- pirates


class PirateTurned(OpenEvent, frozen=True):
    """A cargo ship at sea with a SAC aboard became a pirate ship."""

    rule = "emp.H-33"
    says = "{country}'s cargo ship {unit} in {at} turns pirate ship."
    was: ClassVar[str] = "cargo ship"
    is_now: ClassVar[str] = "pirate ship"
    country: str
    unit: int
    at: Position

    def change(self, empire: Empire) -> Empire:
        return empire.with_unit(replace(empire.units[self.unit], kind=self.is_now))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} {self.was}", -1), Flow(f"{self.country} {self.is_now}", 1))


class PirateReverted(PirateTurned, frozen=True):
    """A pirate ship that came into a dock is a cargo ship again."""

    says = "{country}'s pirate ship {unit} is a cargo ship again in the dock of {at}."
    was, is_now = "pirate ship", "cargo ship"


class ShipPlundered(Costing, OpenEvent, frozen=True):
    """Pirates tried to take a ship with its cargo, or lost their SAC. For the trade sheet when taken (emp.P16).

    `units` and `lots` pass over, people aboard stay whose they are; `losses` is the SAC.
    """

    rule = "emp.H-33"
    unit: int
    kind: str
    by: int
    giver: str
    to: str
    at: Position
    die: int
    taken: bool
    units: tuple[int, ...] = ()
    lots: tuple[Lot, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    losses: Losses = NONE

    def change(self, empire: Empire) -> Empire:
        empire = replace(empire, handled={**empire.handled, attacked_key(self.by): 1})
        return self.losses.removed(handed(empire, self.to, self.units, self.lots))

    def flows(self) -> tuple[Flow, ...]:
        return (*both_ways(self.giver, self.to, self.counts), *self.losses.flows())

    def sentence(self) -> str:
        lost = f"SAC {self.losses.units[0][0]} is lost" if self.losses.units else "the pirates are beaten off"
        fate = f"{self.to} takes {listed(self.counts)}" if self.taken else lost
        tried = f"{self.to}'s pirate ship {self.by} falls upon {self.giver}'s {self.kind} {self.unit} in {self.at}"
        return f"{tried}; die {self.die} ({faces(TAKES)} takes it, {LOSES} costs a SAC): {fate}."
