"""Everything on the board and its owners: the board and the pieces on it here, countries and the whole of it in state.

Units are individuals with a number, goods are lots.
"""

from __future__ import annotations

from functools import cached_property

import msgspec

from referee.kit.hexes import DIRECTIONS, Grid, grid_of, opposite

# ---------------------------------------------------------------- the board, and the pieces on it


WATERS = ("sea", "lake")
"""Kinds of water square."""

RESOURCES = ("delta", "Fe", "C", "O", "X", "Cu", "Rr", "Bx", "power")
"""Kinds of resource square."""

FOODS = ("farm", "fish")
"""Kinds of food square."""

BORDERS = ("river", "double river", "mountain", "reef", "falls", "divided")
"""The features that may lie on a border between two squares; `divided` makes both sides sub-squares of one square (II.D)."""


class Resource(msgspec.Struct, frozen=True):
    """A resource of a square: 1 single, 2 double, 3 triple."""

    kind: str
    grade: int = 1


class Square(msgspec.Struct, frozen=True):
    """One square: its land or water, whether farm or fish are there, its resources."""

    terrain: str
    food: str = ""
    resources: tuple[Resource, ...] = ()

    @property
    def water(self) -> bool:
        """Whether it is sea or lake."""
        return self.terrain in WATERS


def edge(grid: Grid, here: str, direction: str) -> str:
    """The name of a border, the same from both sides: the cell on whose N, E or Q side it lies, and that side."""
    if direction in DIRECTIONS[:3]:
        return f"{here}{direction}"
    there = grid.step(here, direction)
    return f"{there}{opposite(direction)}" if there else f"{here}{direction}"


class Board(msgspec.Struct, frozen=True, dict=True):
    """A whole board. `squares` by cell name, `borders` by edge name; what is not listed is bare.

    `starts` are the natural start areas, best first, each by the cell of its heart.
    """

    name: str
    columns: int
    rows: int
    wraps: bool
    squares: dict[str, Square]
    borders: dict[str, tuple[str, ...]] = {}
    starts: tuple[str, ...] = ()

    @cached_property
    def grid(self) -> Grid:
        """The cells and who borders whom."""
        return grid_of(self.columns, self.rows, self.wraps)

    @cached_property
    def waters(self) -> frozenset[str]:
        """Every square of sea or lake."""
        return frozenset(name for name, square in self.squares.items() if square.water)

    def border(self, here: str, direction: str) -> tuple[str, ...]:
        """The features of a border."""
        key = (here, direction)
        found = self._bordering.get(key)
        if found is None:
            found = self._bordering[key] = self.borders.get(edge(self.grid, here, direction), ())
        return found

    @cached_property
    def _bordering(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Borders that were asked for before, from the side they were asked from."""
        return {}

    def coastal(self, here: str) -> bool:
        """A land square with water on any side: a water square next to it, or a river on a border (rulebook I.J)."""
        if self.squares[here].water:
            return False
        around = self.grid.around(here)
        wet = any(self.squares[there].water for _, there in around)
        return wet or any("river" in feature for way, _ in around for feature in self.border(here, way))


# ---------------------------------------------------------------- what stands, lies and moves on the board
# Units, goods, factories, cities.
#
# The work under way over the end of a turn: squares worked, construction, factories told to run, arms waited for.


Position = str
"""A cell such as c12r7."""


class Unit(msgspec.Struct, frozen=True):
    """One self-mobile thing (or rolling stock, barge), numbered through the match.

    `aboard` is the number of the unit that carries it, 0 for none; `spent` in thirtieths of a BTA this turn. `status`:
    "" ashore or at sea, "dock", "beach", "air", "submerged", "city", "warehouse". `parts` are the weapons of a formation.
    `held` is a turn for which it has no fresh allowance, because it had one under another owner (Blitz).
    """

    number: int
    kind: str
    country: str
    at: Position
    aboard: int = 0
    spent: int = 0
    status: str = ""
    since: int = 0
    parts: tuple[str, ...] = ()
    held: int = 0


class Gone(msgspec.Struct, frozen=True):
    """A unit that is no more: what it was, when it went, and how it died, such as `in c8r12 of hunger`, where it did."""

    kind: str
    turn: int
    died: str = ""


class Lot(msgspec.Struct, frozen=True):
    """Equal goods of one country in one place: lying in a square, inside its city (`inside`), or aboard a unit.

    `held` as for a unit.
    """

    what: str
    number: int
    country: str
    at: Position
    inside: str = ""
    aboard: int = 0
    spent: int = 0
    held: int = 0


class Factory(msgspec.Struct, frozen=True):
    """A factory of a kind, and the turn it was finished. `country` owns it where it stands in no city."""

    kind: str
    built: int
    country: str = ""


class City(msgspec.Struct, frozen=True):
    """A city on its site. `factories` and the counted works fill its nine minor squares (IV, Cities)."""

    name: str
    at: Position
    country: str
    built: int
    capital: bool = False
    factories: tuple[Factory, ...] = ()
    docks: int = 0
    airports: int = 0
    warehouses: int = 0


class Worked(msgspec.Struct, frozen=True):
    """A food or resource of a square being worked: by which unit, as which grade, since which turn.

    `invested` is the last turn at whose end investment was made; its output appears the turn after.
    """

    at: Position
    kind: str
    grade: int
    country: str
    unit: int
    since: int
    invested: int = -1


class Work(msgspec.Struct, frozen=True):
    """Construction that lasts: what, where, by which coolie, and how many turns are left.

    `begun` is the turn at whose end its materials went in, -1 before. `left` 0 with salvage in `detail`: what a scrapped
    building gives back next turn.
    """

    number: int
    what: str
    at: Position
    country: str
    unit: int
    left: int
    detail: str = ""
    begun: int = -1


class Run(msgspec.Struct, frozen=True):
    """A factory that is to make so many of a product over the end of the turn (emp.H-20)."""

    country: str
    at: Position
    factory: str
    product: str
    number: int


class Arming(msgspec.Struct, frozen=True):
    """A coolie or formation that waits for what this turn produces, to be armed at its end."""

    unit: int
    formation: str
    at: Position
    country: str
