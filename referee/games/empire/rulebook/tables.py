"""The tables that belong to the rules: sets of house rules, and what factories make of what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.core.page import Block, Cell, Grid, Heading, Paragraph
from referee.games.empire.rulebook.houses import SETS
from referee.games.empire.rulebook.plans import FACTORIES, FACTORY_POWER, STATION_POWER
from referee.kit.wording import in_a_row

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
    """What RULES shows after the numbered rules; `force` tells of a set and a choice since when it is in force in a match."""
    columns = ("Set", "Choice", "Mark", "Rule", "What it says")
    kept = ("Set", "Choice", "In force", *columns[2:]) if force else columns
    return (
        Heading("House rules that a match may switch"),
        Paragraph(_HOW),
        Grid(kept, tuple(_with_force(force, row) for row in house_rows())),
        Heading("What factories make"),
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
