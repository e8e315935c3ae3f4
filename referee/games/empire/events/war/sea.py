"""Events of war at sea: battles, ships sunk and driven off, pirates (emp.H-32, emp.H-33)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.handing import both_ways, handed, listed
from referee.games.empire.events.losses import NONE, Losses, Named, names
from referee.games.empire.events.moving import merged
from referee.games.empire.events.war.land import BattleFought, attacked_key
from referee.games.empire.position.countries import Booking
from referee.games.empire.position.pieces import Lot, Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import with_all_aboard
from referee.games.empire.reckoning.war.combat import LOSES, TAKES, faces
from referee.kit.ledger import Flow


class SeaBattleFought(BattleFought, frozen=True):
    """An attack on ships was made, with all figures from which its odds follow."""

    rule = "emp.H-32"


class ShipsSunk(OpenEvent, frozen=True):
    """Ships of a country, or planes that attacked alone, went down with all aboard."""

    rule = "emp.H-32"
    country: str
    at: Position
    ships: Named
    why: str
    losses: Losses

    def change(self, empire: Empire) -> Empire:
        return self.losses.removed(empire)

    def flows(self) -> tuple[Flow, ...]:
        return self.losses.flows()

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return self.losses.books()

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
    country: str
    unit: int
    at: Position

    def change(self, empire: Empire) -> Empire:
        return empire.with_unit(replace(empire.units[self.unit], kind="pirate ship"))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} cargo ship", -1), Flow(f"{self.country} pirate ship", 1))


class PirateReverted(OpenEvent, frozen=True):
    """A pirate ship that came into a dock is a cargo ship again."""

    rule = "emp.H-33"
    says = "{country}'s pirate ship {unit} is a cargo ship again in the dock of {at}."
    country: str
    unit: int
    at: Position

    def change(self, empire: Empire) -> Empire:
        return empire.with_unit(replace(empire.units[self.unit], kind="cargo ship"))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} pirate ship", -1), Flow(f"{self.country} cargo ship", 1))


class ShipPlundered(OpenEvent, frozen=True):
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

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return self.losses.books()

    def sentence(self) -> str:
        lost = f"SAC {self.losses.units[0][0]} is lost" if self.losses.units else "the pirates are beaten off"
        fate = f"{self.to} takes {listed(self.counts)}" if self.taken else lost
        tried = f"{self.to}'s pirate ship {self.by} falls upon {self.giver}'s {self.kind} {self.unit} in {self.at}"
        return f"{tried}; die {self.die} ({faces(TAKES)} takes it, {LOSES} costs a SAC): {fate}."
