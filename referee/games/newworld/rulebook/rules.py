"""The numbered rules and rulings, read from rules.toml, and the page players read."""

from __future__ import annotations

from referee.core.game import Rule
from referee.games.newworld.rulebook.tables import (
    COLONIAL_CARDS,
    TABLES,
    TECHNOLOGIES,
    advance_price,
    goods_in_words,
)
from referee.kit.rulebook import read_rules, under_headings
from referee.kit.wording import in_a_row, stock_in_words

RULES = read_rules(
    "referee.games.newworld",
    figures=TABLES.figures,
    prices=TABLES.prices,
    names=TABLES.names,
    set_up=TABLES.set_up,
    holdings=stock_in_words(TABLES.set_up.resources),
    levels=in_a_row(TABLES.set_up.technologies),
    technologies=len(TECHNOLOGIES),
    colonies=COLONIAL_CARDS,
    colony=goods_in_words(TABLES.prices.colony),
    worker=goods_in_words(TABLES.prices.worker),
    fleet=goods_in_words(TABLES.prices.fleet),
    army=goods_in_words(TABLES.prices.army),
    first=advance_price(1),
    second=advance_price(2),
)

SECTIONS = {
    "setup": "Set-up",
    "event": "Event",
    "revolution": "Event",
    "upkeep": "Upkeep",
    "production": "Production",
    "trade": "Trade",
    "research": "Research",
    "worker": "Worker",
    "ship": "Ship Building",
    "army": "Raise Armies",
    "exploration": "Exploration",
    "colonization": "Colonization",
    "transport": "Transport",
    "war": "War",
    "victory": "End of the turn",
    "end": "End of the turn",
    "turn": "End of the turn",
}
"""The phase a rule belongs to, by the second part of its id."""

_HEADINGS = {
    "victory": "Winning and the end",
    "setup": "Set-up",
    "turn": "The turn",
    "revolution": "Revolution",
    "cards": "The cards",
    "nation": "Nationalities (optional)",
    "rulings": "Rulings where the rulebook is silent",
}


def section_of(rule: str) -> str | None:
    """The phase under which a report tells of a rule; None for rulings that belong to whatever is going on."""
    return SECTIONS.get(rule.split(".")[1]) if "." in rule else None


def _heading(rule: Rule) -> str:
    part = rule.id.split(".")[1]
    if part == "end":
        part = "victory"
    if rule.id.count(".") == 1:
        part = "rulings"
    return _HEADINGS.get(part) or f"{SECTIONS[part]} Phase"


def rules_markdown() -> str:
    """docs/rules/newworld.md: every rule with its id, its source, and whether it is the text's or ours."""
    lines = [
        "# New World: rules and rulings",
        "",
        "The rules of a card and record-keeping game of European powers, about 1500 to 1750, published by Warpspawn",
        "(page NWE), in our own words. **TEXT** is what the rulebook says; **HOUSE** is what this referee decided",
        "where the rulebook is silent. Every report, question and refusal cites these ids. The page is generated from",
        "`referee/games/newworld/rules.toml`.",
    ]
    lines += under_headings(RULES, _heading)
    return "\n".join(lines) + "\n"
