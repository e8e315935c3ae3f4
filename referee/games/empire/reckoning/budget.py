"""A country's power to pay, burn and arm, and what its confidence comes to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from referee.games.empire.position import Board, City, Position, Unit
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.ownership import parts_of
from referee.games.empire.rulebook import AT_SEA, BANDS, CAPITAL_LOST, FLIGHT, LUCK, PER_BTA, STARVED
from referee.games.empire.rulebook.kinds import BTA, KINDS
from referee.games.empire.rulebook.plans import Confidence

QUARTERS = 4
"""Funds are counted in quarters of a point, since tax is a fourth."""


class Budget(msgspec.Struct, frozen=True):
    """A country's bookings in a turn: `edu` is the current popular fund, `fund` the popular fund before it, in quarters."""

    edu: int
    cost: int
    investment: int
    received: int = 0
    sent: int = 0
    fund: int = 0

    @property
    def tax(self) -> int:
        """A fourth of the current popular fund, in quarters: as many as it has points (I.I d)."""
        return self.edu

    @property
    def new_fund(self) -> int:
        """emp.H-13: previous fund, current fund and cost together, less the tax; in quarters."""
        return self.fund + QUARTERS * (self.edu + self.cost) - self.tax

    def balance(self, share: Fraction) -> Fraction:
        """emp.H-14: what is in the black above 0, in the red below; `share` of the investment weighs on it."""
        return (
            self.edu + Fraction(self.tax, QUARTERS) + self.received - self.sent - self.cost - share * self.investment
        )  # fmt: skip

    def economy(self, house: Confidence) -> int:
        """emp.H-15: what the balance does to confidence, measured in steps that grow with the fund."""
        step = house.scale + Fraction(self.fund, QUARTERS * house.fund)
        steps = self.balance(house.share) * Fraction(step.denominator, step.numerator)
        return min(house.black, math.ceil(steps)) if steps >= 0 else max(-house.red, math.floor(steps))


class Losses(msgspec.Struct, frozen=True):
    """The further weights on confidence: military units beside regular coolies, the starved, and cities lost this turn."""

    military: int = 0
    coolies: int = 0
    starved: int = 0
    cities: int = 0
    capital: bool = False

    @property
    def change(self) -> int:
        """emp.H-15: nothing or below 0."""
        arms = 2 if 2 * self.military > self.coolies else 1 if 4 * self.military > self.coolies else 0
        hunger = -(-self.starved // STARVED)
        return -(arms + hunger + self.cities + (CAPITAL_LOST if self.capital else 0))


def luck_of(roll: int, house: Confidence) -> int:
    """emp.H-15: what the modified roll does to confidence."""
    return house.luck[sum(roll > highest for highest in LUCK)]


def confidence_change(roll: int, budget: Budget, losses: Losses, house: Confidence) -> int:
    """emp.H-15: luck, economy and losses together, before confidence is kept between 0 and 20."""
    return luck_of(roll, house) + budget.economy(house) + losses.change


def band_of(confidence: int) -> str:
    """emp.H-16: what a confidence is called at the start of a turn."""
    return next(band for band, highest in BANDS.items() if confidence <= highest)


# ---------------------------------------------------------------- oil that military planes, ships and transport use
# Booked when they move, exact (I.I d).


IN_PORT = ("dock", "beach", "warehouse")
_FLYING = ("air", "patrol")

_Books = tuple[tuple[str, Booking], ...]


def at_sea(unit: Unit) -> bool:
    """Whether a ship is at sea: not in a dock, on a beach or aboard."""
    return KINDS[unit.kind].category == "naval" and unit.status not in IN_PORT and not unit.aboard


def _of_the_turn(empire: Empire, unit: Unit) -> int:
    """The fuel of a plane or ship for the turn, if that is not booked yet."""
    country = empire.countries.get(unit.country)
    if country is None or unit.number in country.booked.fuelled:
        return 0
    kind = KINDS[unit.kind]
    return FLIGHT if kind.military and kind.category == "air" else AT_SEA.get(unit.kind, 0)


def _booked(unit: Unit, oil: int, once: bool) -> _Books:
    return ((unit.country, Booking(oil=oil, fuelled=(unit.number,) if once else ())),) if oil else ()


def fuel_of_move(empire: Empire, number: int, cost: int) -> _Books:
    """Oil for a unit that moves by itself, at a cost in thirtieths of a BTA."""
    unit = empire.units.get(number)
    if unit is None:
        return ()
    turn = _of_the_turn(empire, unit)
    supplied = parts_of(unit).count("T&S") * cost * PER_BTA // BTA
    return _booked(unit, turn + supplied, turn > 0)


def fuel_of_stance(empire: Empire, number: int, status: str) -> _Books:
    """Oil for a plane that takes off, and for a ship that was at sea until now or puts to sea."""
    unit = empire.units.get(number)
    if unit is None or not (status in _FLYING or at_sea(unit) or at_sea(replace(unit, status=status))):
        return ()
    return _booked(unit, _of_the_turn(empire, unit), True)


def fuel_of_attack(empire: Empire, numbers: Iterable[int]) -> _Books:
    """Oil of the ships at sea that attack, with their guns or by themselves."""
    ships = (unit for number in numbers if (unit := empire.units.get(number)) is not None and at_sea(unit))
    return tuple(entry for unit in ships for entry in _booked(unit, _of_the_turn(empire, unit), True))


def unfuelled(empire: Empire, country: str) -> tuple[tuple[int, int], ...]:
    """Warships at sea and patrols in the air at the end of a turn whose oil is not booked yet: their numbers, and oil."""
    found = [unit for unit in empire.units_of(country) if at_sea(unit) or unit.status == "patrol"]
    due = [(unit.number, _of_the_turn(empire, unit)) for unit in found]
    return tuple((number, oil) for number, oil in due if oil)


# ---------------------------------------------------------------- arsenal
# A capital's further stock, besides emp.P4, in a match created with start armed: the same small force for everybody (emp.H-37).


STARTS = ("standard", "armed")
"""How a country may begin: with the goods of the rulebook alone, or with a force of every arm besides."""

ARMED = "emp.H-37"
"""The house rule of the armed start."""


AT_ONCE = 1
"""So many airports, and on the coast so many docks, stand in an armed capital."""


def begins_armed(empire: Empire) -> bool:
    """Whether the match was created with start armed."""
    return empire.options.get("start", STARTS[0]) == STARTS[1]


def harbour(board: Board, capital: Position) -> Position:
    """Where the ships of a capital lie: itself on the coast, else the nearest land beside the sea or a lake."""
    for at in _rings(board, capital):
        # Rivers do not count: not every ship sails on one.
        if not board.squares[at].water and any(board.squares[there].water for _, there in board.grid.around(at)):
            return at
    return capital


def _rings(board: Board, here: Position) -> Iterator[Position]:
    """Every square, nearest first, in an order that never changes."""
    seen, ring = {here: None}, [here]
    while ring:
        yield from ring
        beyond = dict.fromkeys(there for at in ring for _, there in board.grid.around(at) if there not in seen)
        seen |= beyond
        ring = list(beyond)


def with_berths(city: City, docked: bool) -> dict[str, int]:
    """The fields of a capital's airport, and of its dock where the fleet lies in it."""
    return {"airports": city.airports + AT_ONCE, "docks": city.docks + (AT_ONCE if docked else 0)}
