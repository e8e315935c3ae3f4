"""The numbered rules and rulings of Version 1.7, read from rules.toml, and the page players read."""

from __future__ import annotations

from collections.abc import Mapping

from referee.kit.rulebook import part_of, read_rules, under_headings

RULES = read_rules("referee.games.war17")
"""In the order of the rulebook, the rulings of the house after it."""

_CITES: Mapping[str, str] = {elder: rule.id for rule in RULES for elder in rule.stands_for}
"""By the rule of Version 27, or the beginning of its id, the rule of this edition that stands for it."""


def cite(rule: str) -> str:
    """The id of Version 1.7 for one of Version 27, by its longest known beginning; what is unknown stays."""
    found = rule
    while found:
        if found in _CITES:
            return _CITES[found]
        found = found.rpartition(".")[0]
    return rule


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
    return (part_of(rule.removeprefix("17."), _SECTIONS) or "") if rule.startswith("17.") else ""


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
    lines += under_headings(RULES, lambda rule: section_of(rule.id) or _RULINGS)
    return "\n".join(lines) + "\n"
