"""Dealings between countries: control offered, passed and seized, stances, split countries."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.handing import both_ways, handed, listed
from referee.games.empire.position.countries import Booking, Country, Transfer
from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.ledger import Flow
from referee.kit.wording import capital, in_a_row


class TransferOffered(OpenEvent, frozen=True):
    """A country gave up control of units or goods in favour of another, which has to accept (emp.P12, emp.H-23)."""

    rule = "emp.P12"
    transfer: Transfer
    what: str

    def change(self, empire: Empire) -> Empire:
        transfers = (*empire.transfers, self.transfer)
        return replace(empire, transfers=transfers, next_transfer=self.transfer.number + 1)

    def cites(self) -> str:
        return "emp.H-23" if self.transfer.goods else self.rule

    def sentence(self) -> str:
        t = self.transfer
        if t.whole:
            return f"{capital(self.what)} is given up to {t.seat} (transfer {t.number}); {t.seat} has to accept."
        return f"{t.giver} gives up {self.what} in {t.at} to {t.to} (transfer {t.number}); {t.to} has to accept."


class TransferLapsed(OpenEvent, frozen=True):
    """A transfer can no longer be accepted: what was given up is not there any more."""

    rule = "emp.P12"
    says = "Transfer {number} came to nothing: {why}"
    number: int
    why: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, transfers=tuple(t for t in empire.transfers if t.number != self.number))


def _still_paid(giver: str, counts: tuple[tuple[str, int], ...]) -> tuple[tuple[str, Booking], ...]:
    """Land units that change hands are paid by both for that turn (I.I d)."""
    troops = sum(number for kind, number in counts if kind in KINDS and KINDS[kind].land_military)
    return ((giver, Booking(paid=troops)),) if troops else ()


class ControlPassed(OpenEvent, frozen=True):
    """Both statements are made: control passed, with what is aboard. For the trade sheets of both (emp.P12, emp.H-23)."""

    rule = "emp.P12"
    number: int
    giver: str
    to: str
    at: str
    units: tuple[int, ...]
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]
    held: int = 0

    def change(self, empire: Empire) -> Empire:
        passed = handed(empire, self.to, self.units, self.lots, self.held)
        return replace(passed, transfers=tuple(t for t in passed.transfers if t.number != self.number))

    def flows(self) -> tuple[Flow, ...]:
        return both_ways(self.giver, self.to, self.counts)

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return _still_paid(self.giver, self.counts)

    def sentence(self) -> str:
        return f"Control of {listed(self.counts)} in {self.at} passed from {self.giver} to {self.to}."


class CountryPassed(OpenEvent, frozen=True):
    """Both statements are made: a whole country is run by another player from now on (emp.P12, emp.P18)."""

    rule = "emp.P12"
    number: int
    country: str
    giver: Seat
    to: str
    seat: Seat
    turn: int
    held: int = 0

    def change(self, empire: Empire) -> Empire:
        """It moves in his slot after the country that took it; what has moved this turn waits for the next (emp.P17)."""
        country = replace(empire.countries[self.country], owner=self.seat, origin="traded", owned_since=self.turn)
        country = replace(country, held=self.held)
        countries: dict[str, Country] = {}
        for name, other in empire.countries.items():
            if name != self.country:
                countries |= {name: other, self.country: country} if name == self.to else {name: other}
            elif not self.to:
                countries[name] = country
        transfers = tuple(t for t in empire.transfers if t.number != self.number)
        order = empire.order if empire.owned(self.seat) else self._order(empire, country.parent)
        return replace(empire, countries=countries, transfers=transfers, order=order)

    def _order(self, empire: Empire, parent: str) -> tuple[Seat, ...]:
        """Who runs nothing else has his slot right after that of the country it was split from (emp.P18)."""
        before = empire.countries[parent].owner if parent in empire.countries else self.seat
        if before == self.seat:
            return empire.order
        others = [seat for seat in empire.order if seat != self.seat]
        place = others.index(before) + 1
        return (*others[:place], self.seat, *others[place:])

    def sentence(self) -> str:
        after = f"it moves after {self.to}" if self.to else "it is the only one he runs"
        return f"The whole country {self.country} passed from {self.giver} to {self.seat}; {after}."


class UnitSeized(OpenEvent, frozen=True):
    """A unit was seized with what it carries. For the trade sheet of the victim (emp.P13 to emp.P16)."""

    rule = "emp.P16"
    unit: int
    kind: str
    by: int
    giver: str
    to: str
    at: str
    units: tuple[int, ...]
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]

    def change(self, empire: Empire) -> Empire:
        return handed(empire, self.to, self.units, self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return both_ways(self.giver, self.to, self.counts)

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return _still_paid(self.giver, self.counts)

    def sentence(self) -> str:
        others = [(what, number - 1 if what == self.kind else number) for what, number in self.counts]
        aboard = tuple((what, number) for what, number in others if number)
        also = f", and {listed(aboard)} aboard" if aboard else ""
        return f"{self.to} seized {self.giver}'s {self.kind} {self.unit} in {self.at} with unit {self.by}{also}."


class GoodsTaken(OpenEvent, frozen=True):
    """Goods were taken by force in a square: an involuntary trade, for the trade sheets of both (emp.P16)."""

    rule = "emp.P16"
    by: int
    giver: str
    to: str
    at: str
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]

    def change(self, empire: Empire) -> Empire:
        return handed(empire, self.to, (), self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return both_ways(self.giver, self.to, self.counts)

    def sentence(self) -> str:
        return f"{self.to} took {listed(self.counts)} from {self.giver} by force in {self.at} with unit {self.by}."


class StanceTaken(OpenEvent, frozen=True):
    """Countries treat another as hostile or friendly from now on (emp.H-27)."""

    rule = "emp.H-27"
    countries: tuple[str, ...]
    toward: str
    stance: str

    def change(self, empire: Empire) -> Empire:
        for name in self.countries:
            country = empire.countries[name]
            empire = empire.with_country(replace(country, stances={**country.stances, self.toward: self.stance}))
        return empire

    def sentence(self) -> str:
        verb = "treats" if len(self.countries) == 1 else "treat"
        return f"{in_a_row(self.countries)} {verb} {self.toward} as {self.stance}."


class CountrySplit(OpenEvent, frozen=True):
    """A country was split; the new one moves right after it, with its share of funds and debts (emp.P18, emp.H-06)."""

    rule = "emp.P18"
    parent: str
    country: Country
    cities: tuple[str, ...]
    government: int
    units: tuple[int, ...]
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]

    def change(self, empire: Empire) -> Empire:
        new, parent = self.country, empire.countries[self.parent]
        left = replace(
            parent,
            popular_fund=parent.popular_fund - new.popular_fund,
            oil_due=parent.oil_due - new.oil_due,
            chemicals_due=parent.chemicals_due - new.chemicals_due,
            pay_due=parent.pay_due - new.pay_due,
        )
        countries: dict[str, Country] = {}
        for name, country in empire.countries.items():
            stance = country.stances.get(self.parent)  # who was hostile to the whole is so to each part (emp.H-06)
            kept = replace(country, stances={**country.stances, new.name: stance}) if stance else country
            countries |= {name: left, new.name: new} if name == self.parent else {name: kept}
        cities = {n: replace(c, country=new.name) if n in self.cities else c for n, c in empire.cities.items()}
        empire = handed(replace(empire, countries=countries, cities=cities), new.name, self.units, self.lots)
        return empire.with_unit(replace(empire.units[self.government], kind="government coolie"))

    def flows(self) -> tuple[Flow, ...]:
        name = self.country.name
        crowned = (Flow(f"{name} coolie", -1), Flow(f"{name} government coolie", 1))
        return (*both_ways(self.parent, name, self.counts), *crowned)

    def sentence(self) -> str:
        cities = (
            f"the {'city' if len(self.cities) == 1 else 'cities'} {in_a_row(self.cities)}" if self.cities else "no city"
        )
        name = self.country.name
        return f"{self.parent} was split: {name} begins with {cities} and {listed(self.counts)}, moving after {self.parent}."
