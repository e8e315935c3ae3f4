"""Kinds of unit and of goods with exact numbers, read from kinds.toml; what nouns of the vocabulary stand for.

Everything is whole: BTA in thirtieths (BTA), room in sixtieths of an object (OBJECT), debts in six-hundredths (DEBT).
Formations of land military, read from formations.toml: what arms them and what they are worth in battle.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec

BTA = 30
"""One point of the Basic Turn Allowance; every rate is a whole number of thirtieths."""

ALLOWANCE = 12 * BTA
"""The allowance of every self-mobile and movable object in a turn, in thirtieths of a BTA (II, Movement)."""

OBJECT = 60
"""The room of one object."""

DEBT = 600
"""One whole unit of oil, chemicals or pay owed: the least number in which every debt of the rules is whole.

A flight owes 1/50 of an oil, a destroyer at sea 1/40, transport and supply 1/10 for a BTA, so 1/300 for a thirtieth.
"""


class Kind(msgspec.Struct, frozen=True):
    """A kind of unit. Rates in thirtieths of a BTA by what is crossed; `carries` and `room` in sixtieths of an object.

    `category`: land, naval, air or hauled. `wind` above 0: what one border with the wind costs. `passengers` is how many
    persons of the kinds `riders` have a seat besides the hold; `only` the goods the hold takes (none named: all), `troops`
    the military it takes (None: all). `deck`: hangar room for the kinds `wings`. `heavy`: sixtieths of heavy arms in it.
    """

    name: str
    category: str
    rates: dict[str, int] = {}
    submerged: dict[str, int] = {}
    wind: int = 0
    carries: int = 0
    passengers: int = 0
    hauls: dict[str, int] = {}
    tows: dict[str, int] = {}
    room: int = OBJECT
    berth: int = OBJECT
    hangar: int = OBJECT
    person: bool = False
    military: bool = False
    consumer: bool = False
    aloft: bool = False
    riders: tuple[str, ...] = ("coolie", "government coolie", "ambassador coolie")
    only: tuple[str, ...] = ()
    troops: tuple[str, ...] | None = None
    deck: int = 0
    wings: tuple[str, ...] = ()
    heavy: int = 0

    @property
    def land_military(self) -> bool:
        """Whether it is a land military unit, which is paid (I.I d)."""
        return self.military and self.category == "land"

    @property
    def self_mobile(self) -> bool:
        """Whether it moves by itself; rolling stock and barges do not."""
        return self.category != "hauled"


def _whole(text: str, parts: int) -> int:
    exact = Fraction(text) * parts
    if exact.denominator != 1:
        raise ValueError(f"{text} is no whole number of {parts}ths")
    return exact.numerator


def _kind(name: str, raw: dict[str, Any]) -> Kind:
    return Kind(
        name,
        raw["class"],
        {way: _whole(rate, BTA) for way, rate in raw.get("rates", {}).items()},
        {way: _whole(rate, BTA) for way, rate in raw.get("submerged", {}).items()},
        _whole(raw.get("wind", "0"), BTA),
        _whole(raw.get("carries", "0"), OBJECT),
        raw.get("passengers", 0),
        raw.get("hauls", {}),
        raw.get("tows", {}),
        _whole(raw.get("room", "1"), OBJECT),
        _whole(raw.get("berth", "1"), OBJECT),
        _whole(raw.get("hangar", "1"), OBJECT),
        raw.get("person", False),
        raw.get("military", False),
        raw.get("consumer", False),
        raw.get("aloft", False),
        tuple(raw.get("riders", ("coolie", "government coolie", "ambassador coolie"))),
        tuple(raw.get("only", ())),
        tuple(raw["troops"]) if "troops" in raw else None,
        _whole(raw.get("deck", "0"), OBJECT),
        tuple(raw.get("wings", ())),
        _whole(raw.get("heavy", "0"), OBJECT),
    )


KINDS: Mapping[str, Kind] = {
    name: _kind(name, raw)
    for name, raw in tomllib.loads(files(__package__).joinpath("kinds.toml").read_text("utf-8")).items()
}
"""Every kind of unit by its name in the singular."""

GOODS: Mapping[str, int] = {
    **dict.fromkeys(
        ("Bm", "delta", "St", "Fe", "C", "O", "X", "Cu", "Al", "Rr", "Bx", "cmx", "hmx", "t&d", "beer", "colony piece",
         "SAU", "HAU", "T&S", "tank", "naval gun", "ack-ack"),
        OBJECT,
    ),
    "food": OBJECT // 5,
    "bomb": OBJECT // 4,
    "light bomb": OBJECT // 6,
    "torpedo": OBJECT // 4,
    "drop tank": OBJECT // 4,
    "HAU third": OBJECT // 3,
}  # fmt: skip
"""Every kind of movable goods and its room in sixtieths of an object."""


_PLURALS = {"rolling stock": "rolling stock", "artillery": "artillery", "armour": "armour", "torpedo": "torpedoes"}
_MADE_OF_PIECES = ("colony piece", "naval gun", "tank", "bomb", "light bomb", "torpedo", "drop tank")
"""Goods that are counted by the piece; the others are told by their signs."""


def plural(what: str) -> str:
    """The plural of a kind of unit or goods, as orders and reports have it: `bombs`, `artillery`, `St`."""
    return _PLURALS.get(what, f"{what}s") if what in KINDS or what in _MADE_OF_PIECES else what


def so_many(number: int, what: str) -> str:
    """A number of units or goods: `1 bomb`, `4 bombs`, `10 St`."""
    return f"{number} {what if number == 1 else plural(what)}"


def room_of(what: str) -> int:
    """The room of one of a kind of goods or unit, in sixtieths of an object."""
    return GOODS[what] if what in GOODS else KINDS[what].room


def in_bta(thirtieths: int) -> str:
    """BTA in words: `4`, `2/3`, `5 1/3`."""
    return _mixed(Fraction(thirtieths, BTA))


def in_objects(sixtieths: int) -> str:
    """Objects in words: `5`, `1 2/3`."""
    return _mixed(Fraction(sixtieths, OBJECT))


def objects(sixtieths: int) -> str:
    """Room with its noun: `1 object`, `1/4 object`, `1 2/3 objects`."""
    return f"{in_objects(sixtieths)} object{'s' if sixtieths > OBJECT or not sixtieths else ''}"


def in_parts(parts: int) -> str:
    """A debt kept in parts of a unit (DEBT), in units: `0`, `1/40`, `2 1/10`."""
    return _mixed(Fraction(parts, DEBT))


def _mixed(number: Fraction) -> str:
    whole, rest = divmod(number.numerator, number.denominator)
    part = f"{rest}/{number.denominator}" if rest else ""
    return f"{whole} {part}".strip() if whole and part else part or str(whole)


GRADES = {"single": 1, "double": 2, "triple": 3}
"""The grades a resource may be worked as."""

GOODS_WORDS = {"TD": "t&d", "TS": "T&S"} | {what: what for what in GOODS if "&" not in what} | {"power": "power"}
"""The goods that a noun of the vocabulary names; an ampersand would part a list."""

KIND_WORDS = {plural(kind): kind for kind in KINDS}
"""The kind of unit that a noun of the vocabulary names, which is its plural."""

_WORDS = {what: word for word, what in GOODS_WORDS.items()}


def word_for(what: str) -> str:
    """A kind of goods as an order names it."""
    return _WORDS.get(what, what)


PER_PART = 4 * BTA
"""The cost of arming for each part, in thirtieths of a BTA."""

THIRD = "HAU third"
"""A third of heavy arms: a HAU is broken into three when a support regiment is armed; three serve as one again."""

THIRDS = 3
"""So many thirds are a unit of heavy arms."""


class Formation(msgspec.Struct, frozen=True):
    """A formation: the arms of its one coolie, its printed factors, how far its zone reaches beyond its own square.

    `airport`: it is formed only where its country may use an airport.
    """

    parts: Mapping[str, int]
    attack: int
    defence: int
    zone: int
    airport: bool = False

    @property
    def arms(self) -> tuple[str, ...]:
        """Its parts one by one."""
        return tuple(part for part, number in self.parts.items() for _ in range(number))


FORMATIONS: Mapping[str, Formation] = msgspec.convert(
    tomllib.loads(files(__package__).joinpath("formations.toml").read_text("utf-8")), dict[str, Formation]
)
"""Every formation by its name, which is its kind of unit."""
