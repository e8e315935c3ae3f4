"""What factories make, read from recipes.toml: inputs, products, runs a turn, and whose rule each recipe is (emp.H-20)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files

import msgspec

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
