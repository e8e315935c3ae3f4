"""Units without moving: DOCK, BEACH, PUT TO SEA, DIVE, SURFACE, TAKE OFF, LAND, PATROL, STORE, BRING OUT (II.A, emp.C4, emp.C5)."""

from __future__ import annotations

from typing import ClassVar

from referee.core.names import Seat
from referee.games.empire.deeds.movement.standing import do_stand, plan_standing
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import Group
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.kit.declared import Words


class Stance(Deed, frozen=True):
    """Units, by number or so many of a kind in a square, change how they stand; `how` is what the rules call it."""

    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    fields = (Group("who"),)
    how: ClassVar[str]

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether they do not all stand so already."""
        return any(
            plan_standing(empire, seat, number, self.how).status != empire.units[number].status for number in self.units
        )

    def act(self, stage: Stage, seat: Seat) -> None:
        do_stand(stage, seat, self.units, self.how)


# ---------------------------------------------------------------- ships


class Dock(Stance, frozen=True):
    """Ships lie in a dock."""

    words = Words("DOCK", "let ships lie in a dock of their square", "emp.C4", "DOCK cargo ship IN c12r7")
    says = "Let {who} dock."
    how = "dock"


class Beach(Stance, frozen=True):
    """Ships lie on a beach."""

    words = Words(
        "BEACH",
        "let ships lie on the beach of their square, where they can be seized",
        "emp.P13",
        "BEACH cargo ship IN c12r7",
    )
    says = "Let {who} beach."
    how = "beach"


class PutToSea(Stance, frozen=True):
    """Ships leave dock or beach."""

    words = Words("PUT TO SEA", "let ships leave the dock or the beach", "emp.C4", "PUT TO SEA cargo ship IN c12r7")
    says = "Let {who} put to sea."
    how = "put to sea"


class Dive(Stance, frozen=True):
    """Submarines go under water."""

    words = Words("DIVE", "let submarines go under water", "emp.move.submarine", "DIVE submarine IN c12r7")
    says = "Let {who} dive."
    how = "dive"


class Surface(Stance, frozen=True):
    """Submarines come up."""

    words = Words("SURFACE", "let submarines come up", "emp.move.submarine", "SURFACE submarine IN c12r7")
    says = "Let {who} surface."
    how = "surface"


# ---------------------------------------------------------------- planes


class TakeOff(Stance, frozen=True):
    """Planes start."""

    words = Words("TAKE OFF", "let planes start from an airport", "emp.move.airport", "TAKE OFF cargo plane IN c12r7")
    says = "Let {who} take off."
    how = "start"


class Land(Stance, frozen=True):
    """Planes land where they are."""

    words = Words("LAND", "let planes land where they are", "emp.move.airport", "LAND cargo plane IN c12r7")
    says = "Let {who} land."
    how = "land"


class Patrol(Stance, frozen=True):
    """Fighters stay in the air."""

    words = Words("PATROL", "let fighters stay in the air on patrol", "emp.move.aloft", "PATROL fighter IN c12r7")
    says = "Let {who} patrol."
    how = "patrol"


# ---------------------------------------------------------------- warehouses


class Store(Stance, frozen=True):
    """Units go into the warehouse of their city."""

    words = Words("STORE", "put units into the warehouse of their city", "emp.C5", "STORE SAC IN c12r7")
    says = "Put {who} into the warehouse."
    how = "store"


class BringOut(Stance, frozen=True):
    """Units come out of a warehouse."""

    words = Words("BRING OUT", "take units out of a warehouse", "emp.C5", "BRING OUT SAC IN c12r7")
    says = "Bring {who} out of the warehouse."
    how = "bring out"


STANCES: tuple[type[Stance], ...] = (
    Dock,
    Beach,
    PutToSea,
    Dive,
    Surface,
    TakeOff,
    Land,
    Patrol,
    Store,
    BringOut,
)
"""All of them, in the order of the vocabulary."""
