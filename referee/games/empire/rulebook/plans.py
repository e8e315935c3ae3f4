"""Things to build and their needs: plans, houses, tables."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec

from referee.core.order import Setting
from referee.core.page import Block, Cell, Grid, Heading, Paragraph
from referee.kit.wording import in_a_row

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
        """The materials for so many borders of a line, each kind of goods rounded up."""
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
    """The goods that scrapping gives back: half of all that went in, rounded down, the machines first, never Bm or delta (IV
    C)."""
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


# ---------------------------------------------------------------- houses
# House rules that a match may switch, read from houses.toml: the choices of each set, their figures, and words with
# blanks for them.


STANDARD = "standard"
"""The choice of every set that holds unless a match or a petition says otherwise."""

_ABOUT = ("rule", "about")


class HouseSet(msgspec.Struct, frozen=True):
    """One set: the rule it replaces, what it is about, and what each choice says."""

    name: str
    rule: str
    about: str
    choices: Mapping[str, str]


class Confidence(msgspec.Struct, frozen=True):
    """The figures of emp.H-14 and emp.H-15: `luck` by band of the roll, the share of the investment, S = scale + fund / `fund`.

    `black` and `red` bound what the economy gives and takes.
    """

    luck: tuple[int, ...]
    investment: str
    scale: int
    fund: int
    black: int
    red: int

    @property
    def share(self) -> Fraction:
        """The part of the investment points that weighs on the balance."""
        return Fraction(self.investment)


_RAW: Mapping[str, dict[str, Any]] = tomllib.loads(files(__package__).joinpath("houses.toml").read_text("utf-8"))

SETS: Mapping[str, HouseSet] = {
    name: HouseSet(
        name,
        raw["rule"],
        raw["about"],
        {choice: body["text"].format(**body) for choice, body in raw.items() if choice not in _ABOUT},
    )
    for name, raw in _RAW.items()
}
"""Every set by its name; its first choice is the standard."""

SETTINGS = tuple(Setting(name, tuple(found.choices), found.about, found.rule) for name, found in SETS.items())
"""The choices of CREATE, a setting for each set."""

CONFIDENCE: Mapping[str, Confidence] = {
    choice: msgspec.convert(
        {what: value for what, value in _RAW["confidence"][choice].items() if what != "text"}, Confidence
    )
    for choice in SETS["confidence"].choices
}
"""The figures of confidence by choice (emp.H-14, emp.H-15)."""

COMBAT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    choice: {odds: tuple(row) for odds, row in _RAW["combat"][choice]["table"].items()}
    for choice in SETS["combat"].choices
}
"""By choice and odds such as `3:1`, what a die of 1 to 6 decides."""


def figure_of(house: str, choice: str, name: str) -> int:
    """A figure of a choice: `figure_of("goods", "standard", "edu")`."""
    value = _RAW[house][choice][name]
    assert isinstance(value, int)
    return value


# ---------------------------------------------------------------- the tables that belong to the rules
# Sets of house rules, and what factories make of what.


_HOW = (
    "CREATE chooses of each set; in a match PETITION FOR change OF combat TO mild replaces a choice from the next turn on "
    "when more than half of all bona fide players say yes."
)
_POWER = (
    f"Power stations give {STATION_POWER} power for 1 C or 1 O, or free from a power square that is worked (HOUSE, emp.H-19); "
    f"a running factory takes {FACTORY_POWER} and a coolie; so many batches a turn as it has runs. "
    "Goods lie where the factory stands; products appear at the end of the turn."
)


def rule_tables(force: Callable[[str, str], str] | None = None) -> tuple[Block, ...]:
    """The tables of RULES after the numbered rules; `force` tells of a set and a choice since when it is in force in a match."""
    columns = ("Set", "Choice", "Mark", "Rule", "Text")
    kept = ("Set", "Choice", "In force", *columns[2:]) if force else columns
    return (
        Heading("House rules that a match may switch"),
        Paragraph(_HOW),
        Grid(kept, tuple(_with_force(force, row) for row in house_rows())),
        Heading("Products of factories"),
        Paragraph(_POWER),
        Grid(("Factory, runs", "A batch takes", "and makes", "Cost", "Mark", "Source"), tuple(recipe_rows())),
    )


def house_rows() -> tuple[tuple[str, str, str, str, str], ...]:
    """Set, choice, mark, rule and what the choice says, for every choice of every set; the first is the standard."""
    return tuple(
        (name, choice, "HOUSE", found.rule, text)
        for name, found in SETS.items()
        for choice, text in found.choices.items()
    )


def _with_force(force: Callable[[str, str], str] | None, row: tuple[str, str, str, str, str]) -> tuple[Cell, ...]:
    return (*row[:2], force(row[0], row[1]), *row[2:]) if force else row


def recipe_rows() -> Iterator[tuple[str, str, str, int, str, str]]:
    """Every recipe of every factory: runs a turn, what it takes and makes, its cost, whose rule it is and where it stands."""
    for name, kind in FACTORIES.items():
        for recipe in kind.recipes:
            takes, makes = _listed(recipe.takes), _listed(recipe.makes)
            runs = f" ({recipe.runs} runs)" if recipe.runs > 1 else ""
            yield f"{name}, {kind.runs}", takes, f"{makes}{runs}", recipe.cost, recipe.mark, recipe.cites


def _listed(amounts: dict[str, int]) -> str:
    return in_a_row([f"{number} {what}" for what, number in amounts.items()])
