"""Coolies take up arms and lay them down (emp.H-25)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.pieces import Arming, Lot, Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.lots import flows_of, in_words, stored, withdrawn
from referee.games.empire.rulebook.kinds import in_bta
from referee.kit.ledger import Flow


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
    """Who waited for arms could not be armed at the end of the turn."""

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
