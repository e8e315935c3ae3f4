"""Lawful orders as Empire understands them. A sheet is carried out in the order written; see steps/."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from referee.core.order import Intent, Quantity
from referee.games.empire.feeding import Mouths
from referee.games.empire.intents_air import Bomb, Engage, Plunder, Scramble, TurnPirate
from referee.games.empire.intents_war import Arm, Attack, Disarm, Retreat
from referee.games.empire.portions import Some, amount

__all__ = [
    "ASIDES", "ASSAULTS", "Abandon", "AcceptControl", "Appoint", "Balkanize", "Build", "Burn", "Consume", "Destroy",
    "Develop", "Disembark", "DrawLine", "Exchange", "Execute", "Feed", "Found", "GiveControl", "GiveCountry",
    "GiveGoods", "Goods", "Interpret", "Load", "MoveUnits", "PetitionFor", "PlaceCapital", "PostSuspension",
    "Produce", "PumpOil", "RollOut", "RollWind", "SHEET", "Scrap", "Seize", "SeizeGoods", "SetBirths",
    "SetRelation", "StandDown", "TakePicks", "Tow", "Unload", "Vote",
]  # fmt: skip


class Goods(msgspec.Struct, frozen=True):
    """So much of a kind of goods."""

    what: str
    quantity: Quantity


def _hand(unit: int, some: tuple[Some, ...]) -> str:
    """Who does it: a unit by number, or one of a kind in a square."""
    return _some((unit,) if unit else (), some)


def _some(units: tuple[int, ...], some: tuple[Some, ...]) -> str:
    """Units by number and so many of a kind, in words."""
    return " and ".join(([_numbered(units)] if units else []) + [part.words() for part in some])


def _numbered(units: tuple[int, ...]) -> str:
    return f"unit {units[0]}" if len(units) == 1 else f"units {', '.join(map(str, units))}"


# ---------------------------------------------------------------- zero turn, and picks


class PlaceCapital(Intent, frozen=True):
    """Squares wanted for the capital, best first, and its name (P3)."""

    squares: tuple[str, ...]
    name: str = ""

    def meaning(self) -> str:
        return f"Place your capital on the first of these that is lawful: {', '.join(self.squares)}."


class TakePicks(Intent, frozen=True):
    """The two picks of the start (P5)."""

    picks: tuple[str, ...]
    path: tuple[str, ...] = ()

    def meaning(self) -> str:
        return f"Take {' and '.join(self.picks)} as your picks."


# ---------------------------------------------------------------- moving and carrying


class MoveUnits(Intent, frozen=True):
    """Units, by number or so many of a kind in a square, go to a square, through `via` where named."""

    units: tuple[int, ...]
    target: str
    via: tuple[str, ...] = ()
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        way = f" through {', '.join(self.via)}" if self.via else ""
        return f"Move {_some(self.units, self.some)} to {self.target}{way}."


class Load(Intent, frozen=True):
    """Goods or units taken aboard a carrier in the same square."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Load {_cargo(self.goods, self.units, self.some)} aboard unit {self.carrier}."


class Unload(Intent, frozen=True):
    """Goods or units put off a carrier where it is; `into` "city", "warehouse" or ""."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    into: str = ""
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Unload {_cargo(self.goods, self.units, self.some)} from unit {self.carrier}."


class Disembark(Intent, frozen=True):
    """A carried unit goes ashore by itself into a neighbouring square."""

    units: tuple[int, ...]
    target: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Put {_some(self.units, self.some)} ashore in {self.target}."


def _cargo(goods: tuple[Goods, ...], units: tuple[int, ...], some: tuple[Some, ...] = ()) -> str:
    return " and ".join([*(f"{amount(lot.quantity)} {lot.what}" for lot in goods), *filter(None, [_some(units, some)])])


class Tow(Intent, frozen=True):
    """Barges, rolling stock or a sailplane taken in tow; none named: all let go."""

    carrier: int
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Unit {self.carrier} tows {_some(self.units, self.some) or 'nothing'}."


class StandDown(Intent, frozen=True):
    """Ships beach, dock or put to sea; planes land or start; submarines dive or surface."""

    units: tuple[int, ...]
    how: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Let {_some(self.units, self.some)} {self.how}."


class PumpOil(Intent, frozen=True):
    """Oil through a pipeline from one square to another."""

    start: str
    target: str
    quantity: Quantity

    def meaning(self) -> str:
        return f"Pump {self.quantity.number or self.quantity.portion.value} O from {self.start} to {self.target}."


class RollWind(Intent, frozen=True):
    """The die of the wind, before sailboats and sailplanes move."""

    def meaning(self) -> str:
        return "Roll for the wind."


# ---------------------------------------------------------------- squares, works, factories


class Develop(Intent, frozen=True):
    """A food or resource square worked by a unit, at a grade (0: the highest)."""

    unit: int
    kind: str
    grade: int = 0
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Work {self.kind} with {_hand(self.unit, self.some)}."


class Abandon(Intent, frozen=True):
    """A worked square given up."""

    at: str
    kind: str

    def meaning(self) -> str:
        return f"Give up working {self.kind} in {self.at}."


class Build(Intent, frozen=True):
    """A construction machine with a coolie builds in its square: a factory, dock, airport, warehouse, installation.

    `detail` is the name of a city that is built. In a new city docks, airports and warehouses need no machine (C1).
    """

    unit: int
    what: str
    detail: str = ""
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Build a {self.what} with {_hand(self.unit, self.some)}."


class DrawLine(Intent, frozen=True):
    """Road, railroad, power line, pipeline, canal, bridge, mountain road, along a path."""

    unit: int
    what: str
    path: tuple[str, ...]
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Build {self.what} along {', '.join(self.path)} with {_hand(self.unit, self.some)}."


class Found(Intent, frozen=True):
    """A city founded where a coolie stands, by a colony piece (H-21)."""

    unit: int
    name: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Found the city {self.name} with {_hand(self.unit, self.some)}."


class Scrap(Intent, frozen=True):
    """A factory or other building scrapped over turn end, with a construction machine (T)."""

    unit: int
    what: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Scrap {self.what} with {_hand(self.unit, self.some)}."


class Destroy(Intent, frozen=True):
    """A building or city destroyed by a coolie, one a turn; with `what` "itself" the unit dies, crashes or scuttles."""

    what: str
    unit: int = 0
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        if self.what == "itself":
            return f"Let {_hand(self.unit, self.some)} die, crash or sink."
        return f"Destroy {self.what} with {_hand(self.unit, self.some)}."


class Burn(Intent, frozen=True):
    """Goods burnt, consumed or thrown into water."""

    goods: tuple[Goods, ...]
    at: str

    def meaning(self) -> str:
        return f"Get rid of {_cargo(self.goods, ())} in {self.at}."


class Produce(Intent, frozen=True):
    """A factory run for so many of a product, in a city or a square (H-20)."""

    city: str
    factory: str
    product: str
    number: int = 1

    def meaning(self) -> str:
        return f"Run the {self.factory} of {self.city} for {self.number} {self.product}."


class Consume(Intent, frozen=True):
    """Consumer goods consumed in a city, for EDU (H-22)."""

    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    at: str = ""
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Consume {_cargo(self.goods, self.units, self.some)}{f' in {self.at}' if self.at else ''}."


class Appoint(Intent, frozen=True):
    """A regular coolie in a city becomes an ambassador over the end of the turn (H-07)."""

    unit: int
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Make {_hand(self.unit, self.some)} an ambassador."


class SetBirths(Intent, frozen=True):
    """Whether coolies are born in a city (C3: voluntary, happens unless suppressed)."""

    city: str
    allowed: bool

    def meaning(self) -> str:
        return f"{'Allow' if self.allowed else 'Suppress'} births in {self.city}."


class Feed(Intent, frozen=True):
    """The order of feeding from now on (H-01): `how` is first, last, from, spare or usual.

    `mouths` eat before or after the others; `places` are stores to be emptied first, or not touched at all.
    """

    how: str
    mouths: tuple[Mouths, ...] = ()
    places: tuple[str, ...] = ()

    def meaning(self) -> str:
        who, where = ", ".join(part.words() for part in self.mouths), ", ".join(self.places)
        return {
            "first": f"Feed {who} before the others.",
            "last": f"Feed {who} after the others.",
            "from": f"Feed out of {where} before other stores.",
            "spare": f"Feed nobody out of {where}.",
        }.get(self.how, "Feed in the usual order.")


# ---------------------------------------------------------------- control, trade, relations


class GiveControl(Intent, frozen=True):
    """Self-mobile pieces handed to another country, without condition (P12)."""

    units: tuple[int, ...]
    to: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Hand {_some(self.units, self.some)} to {self.to}."


class GiveCountry(Intent, frozen=True):
    """A whole country handed to the player of another, without condition (P12)."""

    country: str
    to: str

    def meaning(self) -> str:
        return f"Hand the whole country {self.country} to the player of {self.to}."


class AcceptControl(Intent, frozen=True):
    """A transfer of control accepted."""

    number: int

    def meaning(self) -> str:
        return f"Accept transfer {self.number}."


class GiveGoods(Intent, frozen=True):
    """Goods given to another country in the same square or ship (H-23)."""

    goods: tuple[Goods, ...]
    to: str
    at: str

    def meaning(self) -> str:
        return f"Give {_cargo(self.goods, ())} to {self.to} in {self.at}."


class Seize(Intent, frozen=True):
    """A unit seized by another in the same square (P13 to P15), or the building `what` that stands there alone."""

    unit: int
    by: int
    what: str = ""

    def meaning(self) -> str:
        if self.what:
            return f"Seize the {self.what} where unit {self.by} is."
        return f"Seize unit {self.unit} with unit {self.by}."


class SeizeGoods(Intent, frozen=True):
    """Goods taken by force from a country in the square of a unit (P16); `of` is empty where only one has any."""

    goods: tuple[Goods, ...]
    by: int
    of: str = ""

    def meaning(self) -> str:
        return f"Take {_cargo(self.goods, ())}{f' of {self.of}' if self.of else ''} by force with unit {self.by}."


class Exchange(Intent, frozen=True):
    """Foreign exchange sent (H-17)."""

    points: int
    to: str

    def meaning(self) -> str:
        return f"Send {self.points} points of foreign exchange to {self.to}."


class SetRelation(Intent, frozen=True):
    """A country treated as hostile or friendly from now on (H-27)."""

    country: str
    hostile: bool

    def meaning(self) -> str:
        return f"Treat {self.country} as {'hostile' if self.hostile else 'friendly'}."


class Balkanize(Intent, frozen=True):
    """A new country split off: its name, its cities and units, and its government coolie (P18, H-06)."""

    name: str
    cities: tuple[str, ...]
    units: tuple[int, ...] = ()
    government: int = 0
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Split off the country {self.name} with {', '.join(self.cities) or 'no city'}."


class Interpret(Intent, frozen=True):
    """An ambiguous order of another player read as the interpreter says (P23)."""

    slot: int
    line: int
    reading: int

    def meaning(self) -> str:
        return f"Read line {self.line} of slot {self.slot} in the {self.reading}. way."


# ---------------------------------------------------------------- petitions


class PetitionFor(Intent, frozen=True):
    """A petition posted: clarification, change or end (P19). A change may name a set of house rules and a choice of it."""

    kind: str
    text: str
    house: str = ""
    choice: str = ""

    def meaning(self) -> str:
        change = f" of {self.house} to {self.choice}" if self.house else ""
        return f"Post a petition for {'the' if self.kind == 'end' else 'a'} {self.kind}{change}: {self.text}"


class PostSuspension(Intent, frozen=True):
    """A petition to suspend the 24-hour rule for a stated length (P11)."""

    hours: int

    def meaning(self) -> str:
        return f"Post a petition to suspend the 24-hour rule for {self.hours} hours."


class Vote(Intent, frozen=True):
    """A vote on a petition: yes, no, quorum."""

    number: int
    vote: str

    def meaning(self) -> str:
        return f"Vote {self.vote} on petition {self.number}."


# ---------------------------------------------------------------- parts of a slot


class Execute(Intent, frozen=True):
    """What is written so far is carried out now and stands (wind and attacks need their dice)."""

    closes: ClassVar[bool] = True

    def meaning(self) -> str:
        return "Carry out what is written above now; it stands."


class RollOut(Intent, frozen=True):
    """The slot ends: end-of-turn work and the roll of confidence (P6)."""

    closes: ClassVar[bool] = True

    def meaning(self) -> str:
        return "End your turn and roll for confidence."


SHEET: tuple[type[Intent], ...] = (
    PlaceCapital, TakePicks, MoveUnits, Load, Unload, Disembark, Tow, StandDown, PumpOil, RollWind,
    Develop, Abandon, Build,
    DrawLine, Found, Scrap, Destroy, Burn, Produce, Consume, Appoint, SetBirths, GiveControl, GiveGoods, GiveCountry,
    Seize, SeizeGoods, Exchange, SetRelation,
    Arm, Disarm, Attack, Engage, Bomb, TurnPirate, Plunder, Balkanize, Interpret, Execute, RollOut,
)  # fmt: skip
"""Orders carried out in one's own slot, in the order written."""

ASSAULTS = (Attack, Engage, Bomb, Plunder)
"""Orders of the sheet that are decided by dice at once; never implied (P9)."""

ASIDES = (AcceptControl, Feed, PetitionFor, PostSuspension, Retreat, Scramble, Vote)
"""Orders that act at once, at any time."""
