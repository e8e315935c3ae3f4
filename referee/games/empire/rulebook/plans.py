"""What construction machines build, read from works.toml: turns, materials, room, cost and EDU.

What factories make, read from recipes.toml: inputs, products, runs a turn, and whose rule each recipe is (emp.H-20).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from importlib.resources import files

import msgspec

NINE = 9
"""The minor squares of a city (III A)."""

SORTS = ("factory", "city work", "installation", "city", "line", "vehicle")
"""Sorts of plan: what fills minor squares, stands alone, founds a city, is drawn along a path, or sails away."""

_LOST = ("Bm", "delta")
"""Building materials never come back (IV C)."""


class Plan(msgspec.Struct, frozen=True):
    """A thing to build. `squares` are minor squares; `clean` things do not pollute.

    `afloat` things are built from a ship. Of a line, `materials` serve `steps` borders, and one machine draws `steps`
    borders of plain land a turn. Of a vehicle, `unit` is the kind that is scratch-built.
    """

    name: str
    sort: str
    materials: dict[str, int]
    turns: int = 1
    squares: int = 1
    coast: bool = False
    airport: bool = False
    clean: bool = False
    afloat: bool = False
    cost: int = 2
    edu: int = 4
    steps: int = 1
    unit: str = ""

    def needs(self, borders: int) -> dict[str, int]:
        """What so many borders of a line take, each kind of goods rounded up."""
        return {what: -(-number * borders // self.steps) for what, number in self.materials.items()}


def a(name: str) -> str:
    """A thing with its article: `a dock`, `an air works`."""
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _plan(name: str, raw: dict[str, object]) -> Plan:
    line = {"cost": 1, "edu": 1} if raw["sort"] == "line" else {}
    return msgspec.convert({"name": name, **line, **raw}, Plan)


PLANS: Mapping[str, Plan] = {
    name: _plan(name, raw)
    for name, raw in tomllib.loads(files(__package__).joinpath("works.toml").read_text("utf-8")).items()
}
"""Every plan by its name."""


def salvage(materials: Mapping[str, int]) -> dict[str, int]:
    """What scrapping gives back: half of all that went in, rounded down, the machines first, never Bm or delta (IV C)."""
    left = sum(materials.values()) // 2
    back: dict[str, int] = {}
    for what in _dearest(materials):
        number = min(left, materials[what])
        left -= number
        back |= {what: number} if number else {}
    return back


def _dearest(materials: Iterable[str]) -> list[str]:
    """Kinds of goods that may come back, those guns first (de-installed), then what takes most work to make."""
    worth = ("naval gun", "ack-ack", "hmx", "t&d", "St")
    return sorted((what for what in materials if what not in _LOST), key=lambda what: worth.index(what))


FACTORY_POWER = 1
"""Power that a running factory uses a turn (emp.H-19)."""

STATION_POWER = 5
"""Power that a station gives a turn, for one C or O or free from a power square (emp.H-19)."""

_FOOD = Fraction(1, 2)
"""Basic units of resources in one food (emp.H-22)."""


class Recipe(msgspec.Struct, frozen=True):
    """One batch: what it takes and makes, how many of the factory's runs it uses, and the cost booked for it (emp.H-12).

    `mark` is TEXT where the rulebook says so, HOUSE where this referee does; `cites` names the place.
    """

    makes: dict[str, int]
    takes: dict[str, int]
    mark: str
    cites: str
    cost: int = 0
    runs: int = 1


class FactoryKind(msgspec.Struct, frozen=True):
    """A kind of factory: runs a turn, and its recipes."""

    runs: int
    recipes: tuple[Recipe, ...]


FACTORIES: Mapping[str, FactoryKind] = {
    name: msgspec.convert(raw, FactoryKind)
    for name, raw in tomllib.loads(files(__package__).joinpath("recipes.toml").read_text("utf-8")).items()
}
"""Every factory that makes goods or units, by its name in works.toml."""

RECIPES: Mapping[str, tuple[str, Recipe]] = {
    product: (name, recipe)
    for name, kind in reversed(tuple(FACTORIES.items()))
    for recipe in reversed(kind.recipes)
    for product in recipe.makes
}
"""By product: the factory that makes it, and its recipe; the first one where several make it."""


def recipe_for(factory: str, product: str) -> Recipe | None:
    """A factory's recipe for a product, the one that makes it first of all where several do."""
    kind = FACTORIES.get(factory)
    found = [recipe for recipe in kind.recipes if product in recipe.makes] if kind else []
    return next((recipe for recipe in found if next(iter(recipe.makes)) == product), found[0] if found else None)


def basic_units(product: str) -> Fraction:
    """Basic resource units embodied in one of a product: St counts 2, Al 1, food a half (emp.H-22)."""
    if product == "food":
        return _FOOD
    made = RECIPES.get(product)
    if made is None:
        return Fraction(1)
    recipe = made[1]
    whole = sum((number * basic_units(what) for what, number in recipe.takes.items()), Fraction(0))
    return whole * Fraction(1, sum(recipe.makes.values()))
