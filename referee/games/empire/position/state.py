"""Countries, and all that stands on the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.position import Arming, Board, City, Factory, Gone, Lot, Position, Run, Unit, Work, Worked

# ---------------------------------------------------------------- countries
# Countries, and what stands open between their players.
#
# The bookings of an event for a country until it rolls out: cost, EDU, investment, exchange, debts, losses (emp.H-12 to emp.H-18).
# Its order of feeding: who eats before others, who after them, and out of which stores.


class Booking(msgspec.Struct, frozen=True):
    """Points and losses of a turn. `oil` and `chemicals` fell due, in parts of a unit (kinds.DEBT).

    `paid`: land units that are gone and must be paid all the same; `fuelled`: ships and planes whose oil of this turn is
    booked already. `sent` and `received` are foreign exchange.
    """

    cost: int = 0
    edu: int = 0
    investment: int = 0
    sent: int = 0
    received: int = 0
    oil: int = 0
    chemicals: int = 0
    paid: int = 0
    starved: int = 0
    cities_lost: int = 0
    capital_lost: bool = False
    fuelled: tuple[int, ...] = ()

    def __add__(self, other: Booking) -> Booking:
        return Booking(
            **{name: getattr(self, name) + getattr(other, name) for name in _COUNTED},
            capital_lost=self.capital_lost or other.capital_lost,
        )

    @property
    def exchange(self) -> int:
        """Foreign exchange received less what was sent (I.I d)."""
        return self.received - self.sent


_COUNTED = tuple(name for name in Booking.__struct_fields__ if name != "capital_lost")

NOTHING = Booking()
"""The bookings of a turn that has just begun."""


def together(bookings: tuple[tuple[str, Booking], ...], country: str) -> Booking:
    """The sum of several bookings for a country."""
    total = NOTHING
    for name, booking in bookings:
        total = total + booking if name == country else total
    return total


class Mouths(msgspec.Struct, frozen=True):
    """Persons meant: one by its number, or so many of a kind (0: all), in one square or everywhere."""

    unit: int = 0
    kind: str = ""
    at: str = ""
    number: int = 0

    def words(self) -> str:
        """As it is said: `unit 14`, `coolie in c4r4`, `3 of kind coolie in c4r4`."""
        if self.unit:
            return f"unit {self.unit}"
        how_many = f"{self.number} of" if self.number else "all of"
        return f"{how_many} kind {self.kind}{f' in {self.at}' if self.at else ''}"


class Feeding(msgspec.Struct, frozen=True):
    """The eaters who come first and those who come last, each in the order named; stores to be emptied first, and those not to be
    touched."""

    first: tuple[Mouths, ...] = ()
    last: tuple[Mouths, ...] = ()
    stores: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()

    def eats_first(self, who: tuple[Mouths, ...]) -> Feeding:
        """With these before the others; the last word on a person holds."""
        return replace(self, first=(*_without(self.first, who), *dict.fromkeys(who)), last=_without(self.last, who))

    def eats_last(self, who: tuple[Mouths, ...]) -> Feeding:
        """With these after the others."""
        return replace(self, last=(*_without(self.last, who), *dict.fromkeys(who)), first=_without(self.first, who))

    def out_of(self, places: tuple[str, ...]) -> Feeding:
        """With these stores before all others; the last word on a place holds."""
        return replace(self, stores=places, spared=tuple(at for at in self.spared if at not in places))

    def sparing(self, places: tuple[str, ...]) -> Feeding:
        """With these places, too, not to be touched."""
        stores = tuple(at for at in self.stores if at not in places)
        return replace(self, stores=stores, spared=tuple(dict.fromkeys((*self.spared, *places))))


def _without(old: tuple[Mouths, ...], new: Iterable[Mouths]) -> tuple[Mouths, ...]:
    gone = [(part.unit, part.kind, part.at) for part in new]
    return tuple(part for part in old if (part.unit, part.kind, part.at) not in gone)


class Country(msgspec.Struct, frozen=True):
    """One country. Funds are in quarters (tax is a fourth), debts in parts of a unit (kinds.DEBT).

    `owner` runs it since turn `owned_since`; `origin`: starting, created or traded. `suppressed`: sites without births.
    `stances`: countries it treats as "hostile" or "friendly"; those not named as the house rules say (emp.H-27). `leaderless`:
    its government coolie is dead and the loss is booked. `slot` is the one in which it last moved; `held` a turn in which it
    has moved under another owner.

    `feeding`: who eats first, and from where. `booked`: what it booked since it last rolled out; `band`: what its confidence
    was called when its turn began. `retreat` is the square towards which its beaten formations go back, "" the nearest own
    city. `scramble`: whether its fighters start against intruders, "always" or "never", by airport, "" for all others.
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
        """Whether its military, or its coolies, are hostile to another country's."""
        default = "hostile" if military else "neutral"
        return other != self.name and self.stances.get(other, default) == "hostile"


class Petition(msgspec.Struct, frozen=True):
    """A petition: clarification, change or suspension; its votes; `hours` of a suspension; `posted`: time and date.

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
    posted: int = 0


class Transfer(msgspec.Struct, frozen=True):
    """Units, goods, or itself `whole`, that a country has said it gives up, until the other accepts (emp.H-23).

    A whole country goes to a player, `seat`, who may run none; it is to move after his country `to`, where that is his.
    """

    number: int
    giver: str
    to: str
    at: Position
    units: tuple[int, ...] = ()
    goods: tuple[tuple[str, int], ...] = ()
    whole: bool = False
    seat: Seat = Seat("")


class Doubtful(msgspec.Struct, frozen=True):
    """An order carried out that could be read in several ways; `taken` is the reading that holds, from 1.

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

    `slot` numbers the player-turns; `active` whose slot it is. `lines` are networks: road, rail, power line, pipeline, canal,
    mountain road, bridge, by edge or cell. `lines["c3r4N"]` lists the kinds there. `sites` of destroyed cities stay
    reproductive; `born` is the turn of the last birth by site. `developed` names who first invested by "c3r4 Fe". `dry` counts
    turns without water by person.

    `polluted` food squares: the turn they are clean again, 0 while a factory stands. `trails`: the squares each unit was in
    this turn, in order. `handled` counts what ships, docks and airports did this turn, by words such as "loaded 14"
    (reckoning/carrying.py). `houses`: house rules that petitions put in force, by set (reckoning/ownership.py).

    `runs`: factories told to run this turn. `watering`: the turn at whose end a distillery gave fresh water, by square.
    `arming`: who waits for arms of this turn. `stage`: board, capitals, play. `walked`: where a country's coolies went on turn
    1; `picks` and `pick_paths`: what it picked and where it shall lie, ("taken",) afterwards. `gone`: units that are no more.
    """

    options: dict[str, str]
    seats: tuple[Seat, ...]
    order: tuple[Seat, ...]
    board: Board
    countries: dict[str, Country] = {}
    units: dict[int, Unit] = {}
    gone: dict[int, Gone] = {}
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

    def accepts(self, transfer: Transfer) -> Seat:
        """The player whose word a transfer waits for."""
        return transfer.seat if transfer.whole else self.countries[transfer.to].owner

    def friendly(self, mine: str, other: str) -> bool:
        """Whether a country lets another use what is its own: one owner, or declared friendly."""
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
        alike = (old for old in self.lots if old.at == lot.at and old.what == lot.what)
        found = next((old for old in alike if replace(old, number=lot.number) == lot), None)
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
