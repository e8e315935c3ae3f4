"""What is printed and never changes: the rules by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from referee.core.game import Rule
from referee.core.page import Grid, Heading, Paragraph
from referee.games.empire.rulebook.figures import FIGURES
from referee.games.empire.rulebook.plans import rule_tables
from referee.kit.rulebook import read_rules, under_headings

# ---------------------------------------------------------------- rules
# The numbered rules and rulings, read from rules.toml with the figures in their blanks, and the page players read.


RULES = read_rules("referee.games.empire", **FIGURES)

SECTIONS = {
    "P": "Procedure",
    "sheet": "Records",
    "board": "Squares and works",
    "terrain": "Terrain",
    "move": "Movement",
    "L": "Loading",
    "F": "Food",
    "C": "Cities",
    "economy": "Debts and the popular fund",
    "H": "Rulings where the rulebook is silent",
}
"""The part of the rules by the second part of an id, without its number."""


def section_of(rule: str) -> str | None:
    """The part of the rules under which a report tells of a rule; None for rulings, which belong to whatever is going on."""
    part = _part(rule)
    return SECTIONS.get(part) if part != "H" else None


def _part(rule: str) -> str:
    """`P` for emp.P12, `move` for emp.move.bta, `H` for emp.H-08."""
    parts = rule.split(".")
    return parts[1].rstrip("0123456789-") if len(parts) > 1 and parts[0] == "emp" else ""


def _heading(rule: Rule) -> str:
    return SECTIONS[_part(rule.id)]


def rules_markdown() -> str:
    """docs/rules/empire.md: every rule with its id, its source, and whether it is the text's or ours."""
    lines = [
        "# Empire: rules and rulings",
        "",
        "The board game of the Reed College players (first at Berkeley, 1938), whose rules Andrew Nisbet compiled, in our",
        "own words. **TEXT** is what the rulebook says; **HOUSE** is what this referee decided where it is silent. Every",
        "report, question and refusal cites these ids. The page is generated from `referee/games/empire/rules.toml`.",
        "",
        "BTA is the basic turn allowance; Bm building materials, delta raw material, St steel, Fe iron, C coal, O oil,",
        "X chemicals, Cu copper, Al aluminum, Rr rubber, Bx bauxite; cmx, hmx and t&d construction machines, heavy machines,",
        "tools and dies; SAC a small armed coolie, SAU and HAU small and heavy arms, T&S transport and supply.",
    ]
    lines += under_headings(RULES, _heading)
    return "\n".join([*lines, *_tables()]) + "\n"


def _tables() -> Iterator[str]:
    """Sets of house rules and recipes, as tables of the page."""
    for block in rule_tables():
        yield ""
        match block:
            case Heading():
                yield f"## {block.text}"
            case Paragraph():
                yield from wrap(block.text, 118)
            case Grid():
                yield _row(block.columns)
                yield _row(["---"] * len(block.columns))
                yield from map(_row, block.rows)


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
