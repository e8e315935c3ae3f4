"""Money, population and confidence; what is lost; what is doubted."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.events import OpenEvent, Spending
from referee.games.empire.position import Lot
from referee.games.empire.position.state import NOTHING, Booking, Doubtful, Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.ownership import flows_of, in_words, read_as, with_all_aboard, withdrawn
from referee.games.empire.rulebook import FORBIDDEN, meaning_of
from referee.games.empire.rulebook.kinds import DEBT, KINDS, in_parts
from referee.kit.stock import Flow, gathered
from referee.kit.wording import counted, in_a_row


class BandJudged(OpenEvent, frozen=True):
    """The band of a country's confidence for this turn, judged when the turn began (emp.H-16)."""

    rule = "emp.H-16"
    country: str
    band: str
    confidence: int

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], band=self.band))

    def sentence(self) -> str:
        called, turn = (
            ("" if self.band == "shaky" else "in ") + self.band,
            " this turn" if self.band == "collapse" else "",
        )
        said = f"{called}: {meaning_of(self.band)}{turn}" if self.band in FORBIDDEN else self.band
        return f"{self.country} is {said} (confidence {self.confidence})."


class FuelDue(OpenEvent, frozen=True):
    """Warships at sea and patrols in the air at the end of a turn use oil though they did not move (I.I d)."""

    rule = "emp.economy.oil"
    country: str
    units: tuple[int, ...]
    oil: int

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(oil=self.oil, fuelled=self.units)),)

    def sentence(self) -> str:
        one = len(self.units) == 1
        out = f"{counted(len(self.units), 'warships')} at sea or {'plane' if one else 'planes'} on patrol of {self.country}"
        return f"{out} {'uses' if one else 'use'} {in_parts(self.oil)} O at the end of the turn."


class DuesCounted(OpenEvent, frozen=True):
    """Oil, chemicals and pay of the turn are added to what was due; all in parts of a unit (kinds.DEBT)."""

    rule = "emp.economy.debts"
    country: str
    oil: int
    chemicals: int
    pay: int

    def change(self, empire: Empire) -> Empire:
        country = empire.countries[self.country]
        due = replace(
            country,
            oil_due=country.oil_due + self.oil,
            chemicals_due=country.chemicals_due + self.chemicals,
            pay_due=country.pay_due + self.pay,
            booked=replace(country.booked, oil=0, chemicals=0, paid=0),
        )
        return empire.with_country(due)

    def sentence(self) -> str:
        parts = [f"{in_parts(number)} {what}" for number, what in self._dues() if number]
        return f"{self.country} owes for this turn {', '.join(parts)}." if parts else ""

    def _dues(self) -> tuple[tuple[int, str], ...]:
        return (self.oil, "O for movement"), (self.chemicals, "X for attacks"), (self.pay, "of pay")


class DebtPaid(Spending, OpenEvent, frozen=True):
    """Whole units of oil or chemicals that were owed are taken (I.I d)."""

    rule = "emp.economy.debts"
    country: str
    what: str
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        empire = withdrawn(empire, self.lots)
        country = empire.countries[self.country]
        paid = DEBT * sum(lot.number for lot in self.lots)
        if self.what == "O":
            return empire.with_country(replace(country, oil_due=country.oil_due - paid))
        return empire.with_country(replace(country, chemicals_due=country.chemicals_due - paid))

    def sentence(self) -> str:
        return f"{self.country} pays {in_words(self.lots)} of what it owes."


class TroopsPaid(Spending, OpenEvent, frozen=True):
    """Whole units of pay that were owed: each is a point of cost and a food (I.I d)."""

    rule = "emp.economy.pay"
    country: str
    points: int
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        empire = withdrawn(empire, self.lots)
        country = empire.countries[self.country]
        return empire.with_country(replace(country, pay_due=country.pay_due - DEBT * self.points))

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(cost=self.points)),)

    def sentence(self) -> str:
        return f"{self.country} pays its troops: {self.points} cost and {in_words(self.lots)}."


class BudgetClosed(OpenEvent, frozen=True):
    """The budget of a country's turn is made up and its popular fund counted; funds in quarters (I.I d, emp.H-13)."""

    rule = "emp.H-13"
    country: str
    booked: Booking
    tax: int
    fund: int

    def change(self, empire: Empire) -> Empire:
        country = empire.countries[self.country]
        return empire.with_country(replace(country, booked=NOTHING, popular_fund=self.fund))

    def sentence(self) -> str:
        booked, tax, fund = self.booked, Fraction(self.tax, QUARTERS), Fraction(self.fund, QUARTERS)
        exchange = f", foreign exchange {booked.exchange:+d}" if booked.sent or booked.received else ""
        return (
            f"{self.country}'s budget: EDU {booked.edu}, cost {booked.cost}, investment {booked.investment}{exchange}, "
            f"tax {_mixed(tax)}; popular fund {_mixed(fund)}."
        )


def _mixed(number: Fraction) -> str:
    return in_parts(int(number * DEBT))


class ConfidenceMoved(OpenEvent, frozen=True):
    """Luck, the economy and losses moved a country's confidence; `balance` in parts of a point (emp.H-15)."""

    rule = "emp.H-15"
    country: str
    balance: int
    luck: int
    economy: int
    losses: int
    before: int
    confidence: int

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], confidence=self.confidence))

    def sentence(self) -> str:
        colour = "in the black" if self.balance > 0 else "in the red" if self.balance < 0 else "even"
        sums = f"luck {self.luck:+d}, economy {self.economy:+d}" + (
            f", losses and arms {self.losses:+d}" if self.losses else ""
        )
        balance = in_parts(abs(self.balance))
        by = f" by {balance}" if self.balance else ""
        return f"{self.country}'s balance is {colour}{by}; {sums}: confidence {self.before} --> {self.confidence}."


class ExchangeSent(OpenEvent, frozen=True):
    """Points of foreign exchange from one country to another; for both trade sheets (emp.H-17)."""

    rule = "emp.H-17"
    country: str
    to: str
    points: int

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return ((self.country, Booking(sent=self.points)), (self.to, Booking(received=self.points)))

    def sentence(self) -> str:
        return f"{self.country} sends {self.to} {counted(self.points, 'points')} of foreign exchange."


# ---------------------------------------------------------------- what goes down with a plane or a ship
# Itself, everybody and everything aboard, and what is booked for them.


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
        """The load of these vessels, in words; empty for nothing."""
        outside = [number for number, _ in vessels]
        people = gathered(kind for number, kind, _ in self.units if number not in outside)
        parts = [f"{number} {kind}" for kind, number in people.items()]
        return in_a_row([*parts, *([in_words(self.lots)] if self.lots else [])])


class Costing:
    """An event that costs units: its `losses` are gone, out of the accounts, and paid for."""

    __slots__ = ()
    losses: Losses

    def change(self, empire: Empire) -> Empire:
        return self.losses.removed(empire)

    def flows(self) -> tuple[Flow, ...]:
        return self.losses.flows()

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return self.losses.books()


NONE = Losses()
"""Nothing was lost."""


def losses_of(empire: Empire, numbers: Iterable[int]) -> Losses:
    """The losses that go with these units: the units, what they carry or tow, and what that carries."""
    group = dict.fromkeys(n for number in numbers for n in with_all_aboard(empire, empire.units[number]))
    units = tuple((number, empire.units[number].kind, empire.units[number].country) for number in group)
    return Losses(units, tuple(lot for lot in empire.lots if lot.aboard in group))


# ---------------------------------------------------------------- doubts
# Orders that could be read in several ways, and how an opponent settles which holds.


class LineDoubtful(OpenEvent, frozen=True):
    """An order could be read in several ways; the referee took one, and an opponent may take another (emp.P20, emp.P23)."""

    rule = "emp.P23"
    doubtful: Doubtful

    def change(self, empire: Empire) -> Empire:
        return replace(empire, doubtful=(*empire.doubtful, self.doubtful))

    def sentence(self) -> str:
        d = self.doubtful
        ways = "; ".join(f"{n}. {reading}" for n, reading in enumerate(d.readings, 1))
        could = f"{d.seat}'s line {d.line} in slot {d.slot} could be read in {len(d.readings)} ways: {ways}"
        other = f"INTERPRET LINE {d.line} OF {d.slot} AS {2 if d.taken == 1 else 1}"
        return f"{could}. It was read as {d.taken}; another player may say otherwise in his next slot: {other}."


class InterpretationPosted(OpenEvent, frozen=True):
    """An opponent settled for good how a doubtful order is to be read (emp.P23)."""

    rule = "emp.P23"
    by: Seat
    by_slot: int
    seat: Seat
    slot: int
    line: int
    reading: int
    text: str

    def change(self, empire: Empire) -> Empire:
        doubtful = []
        for found in empire.doubtful:
            if (found.slot, found.line) == (self.slot, self.line):
                empire = read_as(empire, found, self.reading)
                found = replace(found, taken=self.reading, by=self.by)
            doubtful.append(found)
        return replace(empire, doubtful=tuple(doubtful))

    def sentence(self) -> str:
        line = f"line {self.line} of {self.seat} (slot {self.slot})"
        return f"{self.by} (slot {self.by_slot}) interprets {line}, which settles it for good: {self.text}."
