"""Regions and sea areas with their pieces and holders, and the relations of players: the whole of the table is in state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.rulebook import BRIGADES, CHIT_VALUES, KINDS, Kind, units_in_words

# ---------------------------------------------------------------- places
# Regions, sea areas, and how powers stand to each other.


Side = Literal["support", "suppress"]


class Marker(msgspec.Struct, frozen=True):
    """A native marker: strength (NL), plus signs, and who has seen it. `strength` 0: this reader has not seen it.

    `drawn`: the strength it came out of the cup with; 0: the one it has.
    """

    strength: int
    plus: int = 0
    face_up: bool = False
    seen_by: tuple[Seat, ...] = ()
    drawn: int = 0

    def __str__(self) -> str:
        return f"{self.strength}{'+' * self.plus}" if self.strength else "?"

    @property
    def name(self) -> str:
        """Its name in the cup, however far its strength has fallen: `9++`; `?` if unseen."""
        return f"{self.drawn or self.strength}{'+' * self.plus}" if self.strength else "?"


class Army(msgspec.Struct, frozen=True):
    """A native army (27.combat.natives.2)."""

    infantry: int
    cavalry: int = 0
    artillery: int = 0

    @property
    def brigades(self) -> int:
        """All of them."""
        return self.infantry + self.cavalry + self.artillery

    def count(self, kind: str) -> int:
        """How many of a kind of brigade."""
        return {"infantry": self.infantry, "cavalry": self.cavalry, "artillery": self.artillery}.get(kind, 0)


class Stack(msgspec.Struct, frozen=True):
    """So many equal land units of one owner in one region.

    `spent`: MP used in this movement phase (DONE: may move no more); `origin`: the place they came from in this phase,
    "" for those that did not move; `landed`: put ashore by fleets this phase; `late`: retreated into a region that is
    under attack, so that they sit out the first round there (27.combat.retreat.5); `idle`: destroyed something in this
    phase, and neither move nor fight in it (R27-96).
    """

    owner: Seat
    kind: str
    number: int
    spent: int = 0
    origin: str = ""
    landed: bool = False
    late: bool = False
    idle: bool = False

    def __str__(self) -> str:
        return units_in_words(self.kind, self.number)


DONE = 99
"""MP spent by a unit that may move no more this phase."""


class Load(msgspec.Struct, frozen=True):
    """Equal land units aboard one fleet. `spent` and `origin` as in Stack; `owner` is the fleet's unless allied."""

    owner: Seat
    kind: str
    number: int
    spent: int = 0
    origin: str = ""

    def __str__(self) -> str:
        return units_in_words(self.kind, self.number)


class Fleet(msgspec.Struct, frozen=True):
    """One fleet, numbered through the match, in a sea area. `spent`: MP used in this movement phase."""

    number: int
    owner: Seat
    sea: str
    spent: int = 0
    cargo: tuple[Load, ...] = ()

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The units table of its edition."""
        return KINDS

    @property
    def points(self) -> int:
        """Portage points aboard (27.move.carry.2)."""
        return sum(self.kinds[load.kind].portage * load.number for load in self.cargo)

    @property
    def room(self) -> int:
        """Portage points it could still take aboard (27.move.carry.1)."""
        return self.kinds["fleet"].carries - self.points

    def loading(self, load: Load) -> Fleet:
        """A copy with so many more aboard (number below 0: fewer of the first that are alike). Equal loads are one load."""
        place = next((at for at, c in enumerate(self.cargo) if replace(c, number=load.number) == load), len(self.cargo))
        there = self.cargo[place].number if place < len(self.cargo) else 0
        now = (replace(load, number=there + load.number),) if there + load.number > 0 else ()
        return replace(self, cargo=(*self.cargo[:place], *now, *self.cargo[place + 1 :]))


class Land(msgspec.Struct, frozen=True):
    """The contents of a region. `owner` None: its natives. `marker` None: never drawn, or westernized if owned.

    `chit` None: none there yet; "dot" worth nothing; "?" a chit this reader has not seen. `revolt`: the native army in
    a region in revolt; `sides` what each sphere does in it. `tried`: the last turn in whose production phase a revolt
    was incited or attempted here; `won_in`: the last share in which it was won or pacified; `searched`: the last share
    in which engineers prospected here, and how many of them.
    """

    name: str
    owner: Seat | None = None
    marker: Marker | None = None
    chit: str | None = None
    developed: bool = False
    buildings: tuple[str, ...] = ()
    spheres: dict[Seat, int] = {}
    revolt: Army | None = None
    sides: dict[Seat, Side] = {}
    stacks: tuple[Stack, ...] = ()
    tried: int = -1
    won_in: str = ""
    searched: tuple[str, int] = ("", 0)

    @property
    def westernized(self) -> bool:
        """A player's region without marker (27.markers.3)."""
        return self.owner is not None and self.marker is None

    @property
    def resource(self) -> int:
        """The pay of its resource, in PP: 0 while undeveloped."""
        return CHIT_VALUES[self.chit] if self.developed and self.chit else 0

    def has(self, building: str) -> bool:
        """Whether such a building stands here."""
        return building in self.buildings

    def count(self, owner: Seat, *kinds: str) -> int:
        """How many units of these kinds (none named: of any) an owner has here."""
        number = 0
        for stack in self.stacks:  # far more often asked than there is anything, so without a generator
            if stack.owner == owner and (not kinds or stack.kind in kinds):
                number += stack.number
        return number

    def brigades(self, owner: Seat) -> int:
        """How many brigades an owner has here."""
        return self.count(owner, *BRIGADES)

    @property
    def present(self) -> tuple[Seat, ...]:
        """Owners of units here, the region's own first, the others in the order they came."""
        seats = dict.fromkeys(stack.owner for stack in self.stacks)
        return tuple(sorted(seats, key=lambda seat: seat != self.owner))


# ---------------------------------------------------------------- what players have, and how they stand to each other
# Money, wars, alliances, offers.


class Treasury(msgspec.Struct, frozen=True):
    """Production points and diplomacy points in hand."""

    pp: int = 0
    dp: int = 0


class Feud(msgspec.Struct, frozen=True):
    """A war between two players. `ready`: who may attack by now (27.war.5)."""

    declarer: Seat
    victim: Seat
    ready: tuple[Seat, ...] = ()

    def between(self, one: Seat, other: Seat) -> bool:
        """Whether these two are its parties."""
        return {one, other} == {self.declarer, self.victim}


class Coalition(msgspec.Struct, frozen=True):
    """A war with its two sides, the declarer's first; each begins with who declared it or was declared it.

    `turn`: in which it was declared.
    """

    number: int
    turn: int
    sides: tuple[tuple[Seat, ...], tuple[Seat, ...]]

    def side(self, seat: Seat) -> int | None:
        """The side of a player, 0 or 1; None for neither."""
        declarers, victims = self.sides
        return 0 if seat in declarers else 1 if seat in victims else None


class Offer(msgspec.Struct, frozen=True):
    """A standing word: `peace` with somebody, or `cede` a region to him (27.move.cede.1)."""

    number: int
    kind: Literal["peace", "cede"]
    maker: Seat
    to: Seat
    region: str = ""
    accepted: bool = False
