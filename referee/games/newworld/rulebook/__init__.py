"""Everything that is printed and never changes: the tables of data.toml and the rules by number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from referee.core.game import Rule
from referee.kit.rulebook import read_rules
from referee.kit.stock import more
from referee.kit.wording import in_a_row, stock_in_words

# ---------------------------------------------------------------- tables
# The printed tables of the rulebook, read once from data.toml.


T = TypeVar("T")


class Holdings(msgspec.Struct, frozen=True):
    """The start of a seat besides territories: a level of each technology that is named, and Armies in Europe."""

    resources: dict[str, int] = {}
    fleets: int = 0
    armies: int = 0
    technologies: tuple[str, ...] = ()


class Start(Holdings, frozen=True, kw_only=True):
    """The start of everybody."""

    territories: tuple[str, ...]
    rolled: int


class Names(msgspec.Struct, frozen=True):
    """Names in the order in which the rulebook lists them; our own order for the Regions."""

    resources: tuple[str, ...]
    regions: tuple[str, ...]
    technologies: tuple[str, ...]
    copies_of_research_card: int


class Prices(msgspec.Struct, frozen=True):
    """Everything that can be paid for. `bank` is gold for one unit; an advance costs base + per_level * level."""

    bank: int
    bank_sells: tuple[str, ...]
    worker: dict[str, int]
    fleet: dict[str, int]
    army: dict[str, int]
    colony: dict[str, int]
    advance_base: int
    advance_per_level: int


class Figures(msgspec.Struct, frozen=True):
    """The least face of an event, the face that hits, a defender's extra dice, home territories whose loss eliminates,
    offers that one seat may have open.
    """

    event: int
    hit: int
    defence: int
    home_lost: int
    offers: int


class Terrain(msgspec.Struct, frozen=True):
    """A European terrain type and what it yields in Production."""

    name: str
    yields: dict[str, int]


class Events(msgspec.Struct, frozen=True):
    """The event table, from face 1."""

    names: tuple[str, ...]


class Nation(Holdings, frozen=True):
    """A country's bonuses on top of the common start. `rolled` replaces the number of rolled territories."""

    rolled: int | None = None
    rerolled: dict[str, str] = {}


class Tables(msgspec.Struct, frozen=True):
    """All of data.toml."""

    set_up: Start
    names: Names
    prices: Prices
    figures: Figures
    terrain: tuple[Terrain, ...]
    technology_yields: dict[str, dict[str, int]]
    events: Events
    adjectives: dict[str, str]
    cards: dict[str, tuple[tuple[str, int, str, int], ...]]
    nations: dict[str, Nation]


class Starts(msgspec.Struct, frozen=True):
    """The start of everybody, and the additions of each nation."""

    set_up: Holdings
    nations: dict[str, Holdings]


class Card(msgspec.Struct, frozen=True):
    """A kind of colonial territory: `Canadian Furs`, its Region, how many copies there are, what one yields."""

    name: str
    good: str
    region: str
    copies: int
    resource: str
    amount: int


def _read(name: str, kind: type[T]) -> T:
    return msgspec.toml.decode(files(__package__).joinpath(name).read_text(encoding="utf-8"), type=kind)


TABLES = _read("data.toml", Tables)
RESOURCES = TABLES.names.resources
REGIONS = TABLES.names.regions
EUROPE = REGIONS[0]
COLONIES = REGIONS[1:]
TECHNOLOGIES = TABLES.names.technologies
TERRAINS = tuple(terrain.name for terrain in TABLES.terrain)
CARDS = tuple(
    Card(f"{TABLES.adjectives[region]} {good}", good, region, copies, resource, amount)
    for region in COLONIES
    for good, copies, resource, amount in TABLES.cards[region]
)
COLONIAL_CARDS = sum(card.copies for card in CARDS)
"""How many colonial territories there are."""

SEATS = (*TABLES.nations, "Sweden")
"""The five countries, and a neutral sixth name for games without nationalities."""

COLOURS: Mapping[str, str] = dict(
    zip(SEATS, ("#b5261e", "#f0e442", "#0072b2", "#e69f00", "#009e73", "#cc79a7"), strict=True)
)
"""The colour of each seat, of those that the colour-blind tell apart best."""

_PLAIN = Nation()


@cache
def _by_name() -> Mapping[str, Card]:
    return {card.name: card for card in CARDS}


def card_named(name: str) -> Card:
    """The kind of card with this full name. Raises KeyError."""
    return _by_name()[name]


def nation(seat: str, nationalities: bool) -> Nation:
    """The bonuses of a seat: none without nationalities (Optional Rules)."""
    return TABLES.nations.get(seat, _PLAIN) if nationalities else _PLAIN


def start(seat: str, nationalities: bool) -> Holdings:
    """The start of a seat, with the bonuses of its country (Set-up; Optional Rules)."""
    return _together(TABLES.set_up, nation(seat, nationalities))


@cache
def former_start(seat: str, nationalities: bool) -> Holdings:
    """The start of a seat while logs did not say it."""
    former = _read("former.toml", Starts)
    return _together(former.set_up, former.nations.get(seat, _PLAIN) if nationalities else _PLAIN)


def _together(common: Holdings, own: Holdings) -> Holdings:
    resources, technologies = more(common.resources, own.resources), (*common.technologies, *own.technologies)
    return Holdings(resources, common.fleets + own.fleets, common.armies + own.armies, technologies)


def terrain_yield(name: str, coal: str) -> dict[str, int]:
    """The yield of a European terrain; `coal` is the setting of nw.r11: gold, metal or nothing."""
    if name == "Coal":
        return {} if coal == "nothing" else {coal: 1}
    return next(terrain.yields for terrain in TABLES.terrain if terrain.name == name)


def advance_price(level: int) -> int:
    """Gold for reaching a technology level (Research Phase; nw.r13)."""
    return TABLES.prices.advance_base + TABLES.prices.advance_per_level * level


def in_gold(yields: Mapping[str, int]) -> int:
    """A yield valued in gold, other goods at the bank's price (nw.h3)."""
    return sum(number if name == "gold" else number * TABLES.prices.bank for name, number in yields.items())


def goods_in_words(stock: Mapping[str, int]) -> str:
    """Resources in the order of the rulebook's list, whatever the order of the mapping: `2 food and 1 cloth`."""
    return stock_in_words({name: stock[name] for name in RESOURCES if name in stock})


# ---------------------------------------------------------------- rules
# The numbered rules and rulings, read from rules.toml, and the page players read.


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


def heading(rule: Rule) -> str:
    """Under which a rule stands on the page of the rules."""
    part = rule.id.split(".")[1]
    if part == "end":
        part = "victory"
    if rule.id.count(".") == 1:
        part = "rulings"
    return _HEADINGS.get(part) or f"{SECTIONS[part]} Phase"
