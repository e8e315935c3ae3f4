"""Everything of Version 1.7 that is printed and never changes: its pieces, and the rules by number."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.core.game import Rule
from referee.games.war.rulebook import Kind, Start
from referee.kit.rulebook import part_of, read_rules

# ---------------------------------------------------------------- pieces
# Units, buildings and starts of Version 1.7; leaders are the pieces that Version 27 calls generals (R17-22).


KINDS17: Mapping[str, Kind] = {
    "infantry": Kind("infantry", 10, 1, "", portage=4),
    "cavalry": Kind("cavalry", 15, 2, "city", portage=6),
    "artillery": Kind("artillery", 20, 1, "city", portage=4),
    "leader": Kind("leader", 25, 2, "city", portage=2),
    "explorer": Kind("explorer", 10, 2, "city", portage=1),
    "engineer": Kind("engineer", 15, 2, "city", portage=2),
    "fleet": Kind("fleet", 25, 3, "port", carries=20),
}
"""The units table."""

BUILDING_PRICE = 25
"""Every building costs the same."""

RESOURCE_FACTOR = 2
"""Developing a resource costs twice its value."""

SECOND, LED = 1, 2
"""The additions of a second explorer and of a leader to the dice of an explorer (17.explore.3, 17.explore.4)."""


def start_for(players: int) -> Start:
    """17.setup.1, 17.setup.4: 24 regions shared out, up; 150 PP."""
    return Start(-(-24 // players), 150, 0)


class Free(msgspec.Struct, frozen=True):
    """The gifts of a native region: brigades, and the number of chits that are drawn; one of them is kept."""

    brigades: tuple[tuple[str, int], ...]
    chits: int


FREE: Mapping[tuple[int, bool], Free] = {
    (4, False): Free((("infantry", 1),), 1),
    (4, True): Free((("infantry", 1),), 2),
    (7, False): Free((("infantry", 1),), 2),
    (7, True): Free((("cavalry", 1),), 3),
    (10, False): Free((("infantry", 2),), 3),
    (10, True): Free((("infantry", 1), ("cavalry", 1)), 4),
}
"""By the lowest rating of the row, and whether the marker has a sign."""


def free_for(rating: int, signs: int) -> Free:
    """17.explore.gain.1: the row and column of a marker."""
    row = max(low for low in (4, 7, 10) if low <= max(4, rating))
    return FREE[row, signs > 0]


_FIRST = {"infantry": 3, "cavalry": 2, "artillery": 1, "fleet": 0}


def school_drm(kind: str, schools: int) -> int:
    """17.pieces.5: what so many schools add to the dice of a kind; parties get nothing."""
    return (schools + _FIRST[kind]) // 4 if kind in _FIRST and schools else 0


# ---------------------------------------------------------------- rules
# The numbered rules and rulings of Version 1.7, read from rules.toml, and the page players read.


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


def heading(rule: Rule) -> str:
    """Under which a rule stands on the page of the rules."""
    return section_of(rule.id) or _RULINGS
