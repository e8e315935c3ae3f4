"""The position: countries, units, goods, cities, works, networks, petitions, and whose slot it is. Everything is open."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.position.board import Board
from referee.games.empire.position.countries import Country, Doubtful, Petition, Transfer
from referee.games.empire.position.pieces import Arming, City, Factory, Gone, Lot, Position, Run, Unit, Work, Worked


class Empire(msgspec.Struct, frozen=True):
    """The whole position. `order` is the movement order of the seats, `turn` counts rounds of the table from 1 (0: zero turn).

    `slot` numbers the player-turns; `active` whose slot it is. `lines` are networks: road, rail, power line, pipeline,
    canal, mountain road, bridge, by edge or cell. `lines["c3r4N"]` lists the
    kinds there. `sites` of destroyed cities stay reproductive; `born` is the turn of the last birth by site. `developed`
    names who first invested by "c3r4 Fe". `dry` counts turns without water by person. `polluted` food squares: the turn
    they are clean again, 0 while a factory stands. `trails`: the squares each unit was in this turn, in order.
    `handled` counts what ships, docks and airports did this turn, by words such as "loaded 14" (reckoning/movement/carrying.py).
    `houses`: house rules that petitions put in force, by set (reckoning/in_force.py). `runs`: factories told to run this turn.
    `watering`: the turn at whose end a distillery gave fresh water, by square. `arming`: who waits for arms of this turn.
    `stage`: board, capitals, play. `walked`: where a country's coolies went on turn 1; `picks` and
    `pick_paths`: what it picked and where it shall lie, ("taken",) afterwards. `gone`: units that are no more.
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
        """Whose word a transfer waits for."""
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
