"""What goes down with a plane or a ship: itself, everybody and everything aboard, and what is booked for them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from referee.games.empire.position.countries import Booking
from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.lots import flows_of, in_words, withdrawn
from referee.games.empire.reckoning.ownership import with_all_aboard
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.ledger import Flow
from referee.kit.stock import gathered
from referee.kit.wording import in_a_row

Named = tuple[tuple[int, str], ...]
"""Units by number and kind."""


def names(units: Iterable[tuple[int, str]]) -> str:
    """`fighter 5 and TAC 6`."""
    return in_a_row([f"{kind} {number}" for number, kind in units])


class Losses(msgspec.Struct, frozen=True):
    """Units that are gone, with number, kind and country, and the goods that were aboard."""

    units: tuple[tuple[int, str, str], ...] = ()
    lots: tuple[Lot, ...] = ()

    def removed(self, empire: Empire) -> Empire:
        """The position without them."""
        numbers = frozenset(number for number, _, _ in self.units)
        units = {number: unit for number, unit in empire.units.items() if number not in numbers}
        dry = {number: turns for number, turns in empire.dry.items() if number in units}
        return withdrawn(replace(empire, units=units, dry=dry), self.lots)

    def flows(self) -> tuple[Flow, ...]:
        """Out of the accounts of those who owned them."""
        gone = gathered(f"{country} {kind}" for _, kind, country in self.units)
        return (*(Flow(name, -number) for name, number in gone.items()), *flows_of(self.lots, -1))

    def books(self) -> tuple[tuple[str, Booking], ...]:
        """Land military is paid for this turn although it is gone (I.I d)."""
        troops = gathered(country for _, kind, country in self.units if KINDS[kind].land_military)
        return tuple((country, Booking(paid=number)) for country, number in troops.items())

    def aboard(self, vessels: Iterable[tuple[int, str]]) -> str:
        """What was aboard these vessels, in words; empty for nothing."""
        outside = [number for number, _ in vessels]
        people = gathered(kind for number, kind, _ in self.units if number not in outside)
        parts = [f"{number} {kind}" for kind, number in people.items()]
        return in_a_row([*parts, *([in_words(self.lots)] if self.lots else [])])


NONE = Losses()
"""Nothing was lost."""


def losses_of(empire: Empire, numbers: Iterable[int]) -> Losses:
    """What goes with these units: the units, what they carry or tow, and what that carries."""
    group = dict.fromkeys(n for number in numbers for n in with_all_aboard(empire, empire.units[number]))
    units = tuple((number, empire.units[number].kind, empire.units[number].country) for number in group)
    return Losses(units, tuple(lot for lot in empire.lots if lot.aboard in group))
