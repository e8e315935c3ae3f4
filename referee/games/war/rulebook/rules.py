"""The numbered rules and rulings, read from rules.toml, and the page players read."""

from __future__ import annotations

from referee.core.game import Rule
from referee.kit.rulebook import part_of, read_rules, under_headings

RULES = read_rules("referee.games.war")
"""In the order of the rulebook, the rulings of the house after it."""

SECTIONS = {
    "setup": "Set-up",
    "production.income": "Income",
    "production.blockade": "Income",
    "production.maintain": "Maintenance",
    "production.natives": "Native diplomacy",
    "production.revolt": "Native diplomacy",
    "production.build": "Construction",
    "production": "Production",
    "move.cede": "Ceding regions",
    "move.reinforce": "Reinforcements",
    "move": "Movement",
    "combat.naval": "Naval battles",
    "combat.explorer": "Explorers",
    "combat.prospect": "Prospecting",
    "combat": "Land battles",
    "war": "War and peace",
    "victory": "Victory",
    "opt.scorched": "Movement",
    "opt.interception": "Movement",
    "opt.alliances": "War and peace",
    "opt.random_regions": "Set-up",
    "opt.multiple_buildings": "Construction",
    "opt.hidden_victory": "Victory",
    "opt.simultaneous": "Production",
    "opt.historical": "Pseudo-historical rules",
    "opt.auction": "Production",
    "opt.suez.4": "Movement",
    "opt.suez": "Construction",
}
"""The part of a share a rule belongs to, by the beginning of its id after `27.`; the longest beginning counts."""

_BOARD = {
    "board": "The board",
    "pieces": "Pieces",
    "markers": "Markers",
    "dice": "Dice",
    "money": "Points and spheres",
    "turn": "The turn",
}

_RULINGS = "Rulings where the rulebook is silent"


def section_of(rule: str) -> str | None:
    """The part of a share under which a report tells of a rule; None for rulings, which belong to whatever is going on."""
    return part_of(rule.removeprefix("27."), SECTIONS) if rule.startswith("27.") else None


def _heading(rule: Rule) -> str:
    if not rule.id.startswith("27."):
        return _RULINGS
    return part_of(rule.id.removeprefix("27."), {**_BOARD, **SECTIONS}) or _RULINGS


def rules_markdown() -> str:
    """docs/rules/war27.md: every rule with its id, its source, and whether it is the text's or ours."""
    lines = [
        "# War! Age of Imperialism, Version 27: rules and rulings",
        "",
        "The house rules of Jonathan Entner for the board game of Eagle Games, in our own words. **TEXT** is what the",
        "rulebook says; **HOUSE** is what this referee decided where the rulebook is silent. Every report, question and",
        "refusal cites these ids. The page is generated from `referee/games/war/rules.toml`.",
        "",
        "PP production points, DP diplomacy points, MP movement points, RP reinforcement points, NL native level (the",
        "strength of a region's natives), DRM dice roll modifier, RC resource chit, ADR and NDR adjacent and not adjacent",
        "friendly developed resource, VP victory points. The mover is the player whose share of a movement phase it is.",
    ]
    lines += under_headings(RULES, _heading)
    return "\n".join(lines) + "\n"
