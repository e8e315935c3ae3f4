"""The numbered rules and rulings of Version 1.7, read from rules.toml, and the page players read."""

from __future__ import annotations

from importlib.resources import files
from itertools import groupby

import msgspec

from referee.core.game import Rule

__all__ = ["RULES", "rules_markdown", "section_of"]


class _File(msgspec.Struct, frozen=True):
    rule: tuple[Rule, ...]


def _read() -> tuple[Rule, ...]:
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=_File).rule


RULES = _read()
"""In the order of the rulebook, the rulings of the house after it."""

_SECTIONS = {
    "board": "The board",
    "pieces": "Pieces",
    "setup": "Set-up",
    "turn": "Order of play",
    "move": "Movement",
    "combat.naval": "Movement",
    "combat": "Land battles",
    "tactical": "Tactical Combat",
    "explore": "Exploration",
    "war": "War and peace",
    "production.blockade": "Blockade",
    "production.build": "Construction",
    "production": "Production",
    "victory": "The end",
}
"""Headings by the beginning of an id after `17.`; the longest beginning counts."""

_RULINGS = "Rulings where the rulebook is silent"


def section_of(rule: str) -> str:
    """The heading under which a rule stands; "" for rulings, which belong to whatever is going on."""
    steps = rule.removeprefix("17.").split(".") if rule.startswith("17.") else []
    starts = (".".join(steps[:size]) for size in range(len(steps), 0, -1))
    return next((_SECTIONS[start] for start in starts if start in _SECTIONS), "")


def rules_markdown() -> str:
    """docs/rules/war17.md: every rule with its id, its source, and whether it is the text's or ours."""
    lines = [
        "# War! Age of Imperialism, Version 1.7: rules and rulings",
        "",
        "The earlier variant by Jonathan Entner for the board game of Eagle Games, in our own words. **TEXT** is what the",
        "rulebook says; **HOUSE** is what this referee decided where the rulebook is silent. Its Tactical Combat is lost: the",
        "one that is played here is ours, built on what was found of it. Every report, question and refusal cites these ids.",
        "The page is generated from `referee/games/war17/rules.toml`.",
        "",
        "PP production points, MP movement points, RC resource chit, DRM dice roll modifier, VP victory points. The mover is",
        "the player whose share of a movement round it is. Leaders are the pieces that Version 27 calls generals.",
    ]
    for heading, rules in groupby(RULES, lambda rule: section_of(rule.id) or _RULINGS):
        lines += ["", f"## {heading}", ""]
        lines += [f"- `{rule.id}` ({rule.mark}; {rule.citation}) {rule.text}" for rule in rules]
    return "\n".join(lines) + "\n"
