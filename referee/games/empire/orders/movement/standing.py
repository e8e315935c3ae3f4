"""Units without moving: DOCK, BEACH, PUT TO SEA, DIVE, SURFACE, TAKE OFF, LAND, PATROL, STORE, BRING OUT (II.A, emp.C4, emp.C5)."""

from __future__ import annotations

from typing import ClassVar

from referee.core.names import Seat
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.moving import StatusChanged
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import Group
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import berths, check_berth, check_use, use_key
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.ownership import flies, named, unit_of
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.declared import Words
from referee.kit.refused import Refused


class Stance(Deed, frozen=True):
    """Units, by number or so many of a kind in a square, change how they stand.

    `status`: how they stand then; `did`: what is told of it. `burns`: it makes a unit owe oil (emp.H-18); who owes it already
    may dock, land, dive and surface without. `flown`: an airport is used by who flies, or by who does not.
    """

    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    fields = (Group("who"),)
    status: ClassVar[str] = ""
    did: ClassVar[str]
    burns: ClassVar[bool] = False
    flown: ClassVar[bool | None] = None

    def may(self, empire: Empire, unit: Unit) -> None:
        """Raises Refused where a unit cannot."""
        raise NotImplementedError(type(self).__name__)

    def _changed(self, empire: Empire, seat: Seat, number: int) -> StatusChanged:
        unit = unit_of(empire, seat, number)
        self.may(empire, unit)
        counted = flies(unit) == self.flown and not unit.aboard and berths(empire, "airport", unit.at, unit.country)
        key, room = (use_key(unit, "airport"), KINDS[unit.kind].hangar) if counted else ("", 0)
        return StatusChanged(number, unit.kind, unit.country, unit.at, self.status, self.did, key, room)

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether they do not all stand so already."""
        return any(empire.units[number].status != self.status for number in self.units)

    def act(self, stage: Stage, seat: Seat) -> None:
        """Every one of these units does it, one after the other."""
        for number in self.units:
            changed = self._changed(stage.state, seat, number)
            if self.burns:
                check_debt(stage.state, changed.country, changed.books(stage.state))
            stage.emit(changed)


# ---------------------------------------------------------------- ships


class _OfShips(Stance, frozen=True):
    def may(self, empire: Empire, unit: Unit) -> None:
        if KINDS[unit.kind].category != "naval" and unit.kind != "barge":
            words = f"{named(unit)} is no ship and cannot {self.words.verb.lower()}."
            raise Refused(words, "emp.C4", str(unit.number))
        if unit.aboard:
            raise Refused(f"{named(unit)} is in tow.", "emp.move.hauled", str(unit.number))


class Dock(_OfShips, frozen=True):
    """Ships lie in a dock."""

    words = Words("DOCK", "let ships lie in a dock of their square", "emp.C4", "DOCK cargo ship IN c12r7")
    says = "Let {who} dock."
    status, did = "dock", "docked"

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        check_berth(empire, unit, "dock")


class Beach(_OfShips, frozen=True):
    """Ships lie on a beach."""

    words = Words(
        "BEACH",
        "let ships lie on the beach of their square, where they can be seized",
        "emp.P13",
        "BEACH cargo ship IN c12r7",
    )
    says = "Let {who} beach."
    status, did = "beach", "beached"

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if empire.board.squares[unit.at].water:
            raise Refused(f"There is no beach in {unit.at}.", "emp.move.beach", unit.at)


class PutToSea(_OfShips, frozen=True):
    """Ships leave dock or beach."""

    words = Words("PUT TO SEA", "let ships leave the dock or the beach", "emp.C4", "PUT TO SEA cargo ship IN c12r7")
    says = "Let {who} put to sea."
    did, burns = "put to sea", True

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if unit.status not in ("dock", "beach"):
            raise Refused(f"{named(unit)} is at sea already.", "emp.move.beach", str(unit.number))


class Dive(Stance, frozen=True):
    """Submarines go under water."""

    words = Words("DIVE", "let submarines go under water", "emp.move.submarine", "DIVE submarine IN c12r7")
    says = "Let {who} dive."
    status, did = "submerged", "dived"

    def may(self, empire: Empire, unit: Unit) -> None:
        if empire.board.squares[unit.at].terrain not in KINDS[unit.kind].submerged:
            raise Refused(f"{named(unit)} cannot dive in {unit.at}.", "emp.move.submarine", unit.at)


class Surface(Stance, frozen=True):
    """Submarines come up."""

    words = Words("SURFACE", "let submarines come up", "emp.move.submarine", "SURFACE submarine IN c12r7")
    says = "Let {who} surface."
    did = "surfaced"

    def may(self, empire: Empire, unit: Unit) -> None:
        if unit.status != "submerged":
            raise Refused(f"{named(unit)} is not under water.", "emp.move.submarine", str(unit.number))


# ---------------------------------------------------------------- planes


class _OfPlanes(Stance, frozen=True):
    def may(self, empire: Empire, unit: Unit) -> None:
        if KINDS[unit.kind].category != "air":
            words = f"{named(unit)} is no plane and cannot {self.words.verb.lower()}."
            raise Refused(words, "emp.move.airport", str(unit.number))


def _check_airport(empire: Empire, unit: Unit) -> None:
    if not berths(empire, "airport", unit.at, unit.country):
        raise Refused(f"There is no airport in {unit.at} that {named(unit)} may use.", "emp.move.airport", unit.at)


class TakeOff(_OfPlanes, frozen=True):
    """Planes start."""

    words = Words("TAKE OFF", "let planes start from an airport", "emp.move.airport", "TAKE OFF cargo plane IN c12r7")
    says = "Let {who} take off."
    status, did, burns, flown = "air", "took off", True, False

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if flies(unit) or unit.aboard:
            raise Refused(f"{named(unit)} is not on the ground.", "emp.move.airport", str(unit.number))
        if unit.kind == "sailplane":
            raise Refused(f"{named(unit)} must be towed into the air.", "emp.move.sailplane", str(unit.number))
        if unit.kind != "balloon":
            _check_airport(empire, unit)
            check_use(empire, unit, "airport")


class Land(_OfPlanes, frozen=True):
    """Planes land where they are: in any airport, a balloon on any land, a sailplane on open land without a city."""

    words = Words("LAND", "let planes land where they are", "emp.move.airport", "LAND cargo plane IN c12r7")
    says = "Let {who} land."
    did, flown = "landed", True

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if not flies(unit):
            raise Refused(f"{named(unit)} is not in the air.", "emp.move.airport", str(unit.number))
        square = empire.board.squares[unit.at]
        bare = square.terrain == "plain" and empire.city_at(unit.at) is None
        if not (unit.kind == "balloon" and not square.water) and not (unit.kind == "sailplane" and bare):
            _check_airport(empire, unit)
            check_berth(empire, unit, "airport")
            check_use(empire, unit, "airport")


class Patrol(TakeOff, frozen=True):
    """Fighters stay in the air."""

    words = Words("PATROL", "let fighters stay in the air on patrol", "emp.move.aloft", "PATROL fighter IN c12r7")
    says = "Let {who} patrol."
    status, did = "patrol", "went on patrol"

    def may(self, empire: Empire, unit: Unit) -> None:
        if unit.kind != "fighter":
            raise Refused("Only fighters fly a combat air patrol.", "emp.H-31", str(unit.number))
        if not flies(unit) and not unit.aboard:
            super().may(empire, unit)


# ---------------------------------------------------------------- warehouses


class Store(Stance, frozen=True):
    """Units go into the warehouse of their city."""

    words = Words("STORE", "put units into the warehouse of their city", "emp.C5", "STORE SAC IN c12r7")
    says = "Put {who} into the warehouse."
    status, did = "warehouse", "was stored"

    def may(self, empire: Empire, unit: Unit) -> None:
        city = empire.city_at(unit.at)
        if city is None or not city.warehouses or not empire.friendly(city.country, unit.country):
            raise Refused(f"There is no warehouse in {unit.at} that {named(unit)} may use.", "emp.C5", unit.at)
        if unit.aboard or flies(unit) or KINDS[unit.kind].category == "naval":
            raise Refused(f"{named(unit)} cannot be stored now.", "emp.C5", str(unit.number))


class BringOut(Stance, frozen=True):
    """Units come out of a warehouse."""

    words = Words("BRING OUT", "take units out of a warehouse", "emp.C5", "BRING OUT SAC IN c12r7")
    says = "Bring {who} out of the warehouse."
    did = "was brought out"

    def may(self, empire: Empire, unit: Unit) -> None:
        if unit.status != "warehouse":
            raise Refused(f"{named(unit)} is in no warehouse.", "emp.C5", str(unit.number))
        if KINDS[unit.kind].category == "air":
            check_berth(empire, unit, "airport")
        check_stack(empire, unit, unit.at)


STANCES: tuple[type[Stance], ...] = (Dock, Beach, PutToSea, Dive, Surface, TakeOff, Land, Patrol, Store, BringOut)
"""All of them, in the order of the vocabulary."""
