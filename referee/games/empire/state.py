"""The position: countries, units, goods, cities, works, networks, petitions, and whose slot it is. Everything is open."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.board import Board
from referee.games.empire.booking import NOTHING, Booking
from referee.games.empire.feeding import Feeding

__all__ = [
    "Arming",
    "City",
    "Country",
    "Doubtful",
    "Empire",
    "Factory",
    "Lot",
    "Petition",
    "Position",
    "Run",
    "Transfer",
    "Unit",
    "Work",
    "Worked",
    "first_position",
]

Position = str
"""A cell such as c12r7."""


class Unit(msgspec.Struct, frozen=True):
    """One self-mobile thing (or rolling stock, barge), numbered through the match.

    `aboard` is the number of the unit that carries it, 0 for none; `spent` in thirtieths of a BTA this turn. `status`:
    "" ashore or at sea, "dock", "beach", "air", "submerged", "city", "warehouse". `parts` are the weapons of a formation.
    `held` is a turn for which it has no fresh allowance, because it had one under another owner (Blitz, P17).
    """

    number: int
    kind: str
    country: str
    at: Position
    aboard: int = 0
    spent: int = 0
    status: str = ""
    since: int = 0
    parts: tuple[str, ...] = ()
    held: int = 0


class Lot(msgspec.Struct, frozen=True):
    """Equal goods of one country in one place: lying in a square, inside its city (`inside`), or aboard a unit.

    `held` as for a unit.
    """

    what: str
    number: int
    country: str
    at: Position
    inside: str = ""
    aboard: int = 0
    spent: int = 0
    held: int = 0


class Factory(msgspec.Struct, frozen=True):
    """A factory of a kind, and the turn it was finished. `country` owns it where it stands in no city."""

    kind: str
    built: int
    country: str = ""


class City(msgspec.Struct, frozen=True):
    """A city on its site. `factories` and the counted works fill its nine minor squares (IV, Cities)."""

    name: str
    at: Position
    country: str
    built: int
    capital: bool = False
    factories: tuple[Factory, ...] = ()
    docks: int = 0
    airports: int = 0
    warehouses: int = 0


class Worked(msgspec.Struct, frozen=True):
    """A food or resource of a square being worked: by which unit, as which grade, since which turn.

    `invested` is the last turn at whose end investment was made; its output appears the turn after.
    """

    at: Position
    kind: str
    grade: int
    country: str
    unit: int
    since: int
    invested: int = -1


class Work(msgspec.Struct, frozen=True):
    """Construction that lasts: what, where, by which coolie, and how many turns are left.

    `begun` is the turn at whose end its materials went in, -1 before. `left` 0 with salvage in `detail`: what a scrapped
    building gives back next turn.
    """

    number: int
    what: str
    at: Position
    country: str
    unit: int
    left: int
    detail: str = ""
    begun: int = -1


class Run(msgspec.Struct, frozen=True):
    """A factory that is to make so many of a product over the end of the turn (H-20)."""

    country: str
    at: Position
    factory: str
    product: str
    number: int


class Arming(msgspec.Struct, frozen=True):
    """A coolie or formation that waits for what this turn produces, to be armed at its end (H-25)."""

    unit: int
    formation: str
    at: Position
    country: str


class Country(msgspec.Struct, frozen=True):
    """One country. Funds are in quarters (tax is a fourth), debts in parts of a unit (kinds.DEBT).

    `owner` runs it since turn `owned_since`; `origin`: starting, created or traded. `suppressed`: sites without births.
    `stances`: countries it treats as "hostile" or "friendly"; those not named as the house rules say (H-27).
    `leaderless`: its government coolie is dead and the loss is booked (H-07). `slot` is the one in which it last
    moved; `held` a turn in which it has moved under another owner (P17). `feeding`: who eats first, and from where.
    `booked`: what it booked since it last rolled out; `band`: what its confidence was called when its turn began (H-16).
    `retreat` is the square towards which its beaten formations go back, "" the nearest own city (H-28).
    `scramble`: whether its fighters start against intruders, "always" or "never", by airport, "" for all others (H-31).
    """

    name: str
    owner: Seat
    origin: str = "starting"
    parent: str = ""
    owned_since: int = 0
    confidence: int = 10
    popular_fund: int = 0
    oil_due: int = 0
    chemicals_due: int = 0
    pay_due: int = 0
    dead: bool = False
    suppressed: tuple[Position, ...] = ()
    stances: dict[str, str] = {}
    leaderless: bool = False
    slot: int = 0
    held: int = 0
    booked: Booking = NOTHING
    band: str = "normal"
    feeding: Feeding = Feeding()
    retreat: Position = ""
    scramble: dict[Position, str] = {}

    def hostile_to(self, other: str, military: bool) -> bool:
        """Whether its military, or its coolies, are hostile to another country's (H-27)."""
        default = "hostile" if military else "neutral"
        return other != self.name and self.stances.get(other, default) == "hostile"


class Petition(msgspec.Struct, frozen=True):
    """A petition: clarification, change or suspension; its votes; `hours` of a suspension.

    A change may name a set of house rules and the `choice` that shall be in force; `since`: the turn from which it is.
    """

    number: int
    kind: str
    text: str
    by: Seat
    turn: int
    hours: int = 0
    votes: dict[Seat, str] = {}
    result: str = ""
    house: str = ""
    choice: str = ""
    since: int = 0


class Transfer(msgspec.Struct, frozen=True):
    """Units, goods, or itself `whole`, that a country has said it gives up, until the other accepts (P12, H-23)."""

    number: int
    giver: str
    to: str
    at: Position
    units: tuple[int, ...] = ()
    goods: tuple[tuple[str, int], ...] = ()
    whole: bool = False


class Doubtful(msgspec.Struct, frozen=True):
    """An order carried out that could be read in several ways; `taken` is the reading that holds, from 1 (P23).

    Readings differ in the `units` that obey, or in the `ways` they go; empty where they do not. `stood`: the units of all
    readings with the square and the carrier in which the order left them. `waived`: who has rolled out since.
    """

    slot: int
    line: int
    seat: Seat
    readings: tuple[str, ...]
    taken: int = 1
    by: Seat | None = None
    units: tuple[tuple[int, ...], ...] = ()
    ways: tuple[tuple[Position, ...], ...] = ()
    stood: tuple[tuple[int, Position, int], ...] = ()
    waived: tuple[Seat, ...] = ()


class Empire(msgspec.Struct, frozen=True):
    """The whole position. `order` is the movement order of the seats, `turn` counts rounds of the table from 1 (0: zero turn).

    `slot` numbers the player-turns; `active` whose slot it is. `lines` are networks: road, rail, power line, pipeline,
    canal, mountain road, bridge, by edge or cell. `lines["c3r4N"]` lists the
    kinds there. `sites` of destroyed cities stay reproductive; `born` is the turn of the last birth by site. `developed`
    names who first invested by "c3r4 Fe". `dry` counts turns without water by person. `polluted` food squares: the turn
    they are clean again, 0 while a factory stands. `trails`: the squares each unit was in this turn, in order.
    `handled` counts what ships, docks and airports did this turn, by words such as "loaded 14" (steps/berths.py).
    `houses`: house rules that petitions put in force, by set (houses.py). `runs`: factories told to run this turn.
    `watering`: the turn at whose end a distillery gave fresh water, by square. `arming`: who waits for arms of this turn.
    `stage`: board, capitals, play. `walked`: where a country's coolies went on turn 1; `picks` and
    `pick_paths`: what it picked and where it shall lie (P5), ("taken",) afterwards.
    """

    options: dict[str, str]
    seats: tuple[Seat, ...]
    order: tuple[Seat, ...]
    board: Board
    countries: dict[str, Country] = {}
    units: dict[int, Unit] = {}
    lots: tuple[Lot, ...] = ()
    cities: dict[str, City] = {}
    worked: tuple[Worked, ...] = ()
    works: tuple[Work, ...] = ()
    lines: dict[str, tuple[str, ...]] = {}
    factories: dict[str, tuple[Factory, ...]] = {}
    sites: tuple[Position, ...] = ()
    polluted: dict[str, int] = {}
    developed: dict[str, str] = {}
    born: dict[str, int] = {}
    dry: dict[int, int] = {}
    trails: dict[int, tuple[Position, ...]] = {}
    handled: dict[str, int] = {}
    petitions: tuple[Petition, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    doubtful: tuple[Doubtful, ...] = ()
    walked: dict[str, tuple[Position, ...]] = {}
    picks: dict[str, tuple[str, ...]] = {}
    pick_paths: dict[str, tuple[Position, ...]] = {}
    houses: dict[str, str] = {}
    runs: tuple[Run, ...] = ()
    arming: tuple[Arming, ...] = ()
    watering: dict[str, int] = {}
    stage: str = "board"
    next_transfer: int = 1
    next_unit: int = 1
    next_work: int = 1
    next_petition: int = 1
    turn: int = 0
    slot: int = 0
    active: Seat | None = None
    wind: str = ""
    ended: str = ""

    def owned(self, seat: Seat) -> tuple[Country, ...]:
        """The countries a seat runs, in the order they move."""
        return tuple(c for c in self.countries.values() if c.owner == seat and not c.dead)

    def same_owner(self, one: str, other: str) -> bool:
        """Whether one seat runs both countries, or they are one."""
        first, second = self.countries.get(one), self.countries.get(other)
        return one == other or (first is not None and second is not None and first.owner == second.owner)

    def friendly(self, mine: str, other: str) -> bool:
        """Whether a country lets another use what is its own: one owner, or declared friendly (H-27)."""
        country = self.countries.get(mine)
        return self.same_owner(mine, other) or (country is not None and country.stances.get(other) == "friendly")

    def units_of(self, country: str, *kinds: str) -> tuple[Unit, ...]:
        """A country's units of these kinds (none named: all), by number."""
        return tuple(u for u in self.units.values() if u.country == country and (not kinds or u.kind in kinds))

    def units_at(self, at: Position) -> tuple[Unit, ...]:
        """Every unit in a square, those aboard included, by number."""
        return tuple(unit for unit in self.units.values() if unit.at == at)

    def city_at(self, at: Position) -> City | None:
        """The city on a square."""
        return next((city for city in self.cities.values() if city.at == at), None)

    def stock(self, country: str, at: Position = "") -> dict[str, int]:
        """Goods of a country, in one square or everywhere."""
        held: dict[str, int] = {}
        for lot in self.lots:
            if lot.country == country and at in ("", lot.at):
                held[lot.what] = held.get(lot.what, 0) + lot.number
        return held

    # copies with a change

    def with_unit(self, unit: Unit) -> Empire:
        """A copy with a unit put in or replaced."""
        return replace(self, units={**self.units, unit.number: unit}, next_unit=max(self.next_unit, unit.number + 1))

    def without_unit(self, number: int) -> Empire:
        """A copy without a unit."""
        return replace(self, units={n: u for n, u in self.units.items() if n != number})

    def with_lot(self, lot: Lot) -> Empire:
        """A copy with so many goods more (number below 0: fewer). Equal lots are one lot."""
        found = next((old for old in self.lots if replace(old, number=lot.number) == lot), None)
        if found is None:
            return replace(self, lots=(*self.lots, lot)) if lot.number else self
        total = found.number + lot.number
        lots = tuple(
            replace(old, number=total) if old is found else old for old in self.lots if old is not found or total
        )
        return replace(self, lots=lots)

    def with_country(self, country: Country) -> Empire:
        """A copy with a country put in or replaced."""
        return replace(self, countries={**self.countries, country.name: country})

    def with_city(self, city: City) -> Empire:
        """A copy with a city put in or replaced."""
        return replace(self, cities={**self.cities, city.name: city})


def first_position(sides: tuple[Seat, ...], options: Mapping[str, str], board: Board) -> Empire:
    """The position before the zero turn: an empty board."""
    return Empire(options=dict(options), seats=sides, order=sides, board=board)
