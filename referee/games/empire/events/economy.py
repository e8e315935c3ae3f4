"""Debts, pay, the budget and confidence at the end of a country's turn; foreign exchange (I.I d, emp.H-12 to emp.H-18)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.countries import NOTHING, Booking
from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.lots import flows_of, in_words, withdrawn
from referee.games.empire.rulebook.kinds import DEBT, in_parts
from referee.kit.ledger import Flow
from referee.kit.wording import counted

_CALLED = {
    "strong": "strong",
    "normal": "normal",
    "shaky": "shaky: no new factory may be started",
    "crisis": "in crisis: no new factory may be started, and half of its factories at most may run",
    "collapse": "in collapse: no factory runs, nothing is built, nobody is born and nothing is attacked this turn",
}


class BandJudged(OpenEvent, frozen=True):
    """What a country's confidence allows it this turn, judged when the turn began (emp.H-16)."""

    rule = "emp.H-16"
    country: str
    band: str
    confidence: int

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], band=self.band))

    def sentence(self) -> str:
        return f"{self.country} is {_CALLED[self.band]} (confidence {self.confidence})."


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


class DebtPaid(OpenEvent, frozen=True):
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

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, -1)

    def sentence(self) -> str:
        return f"{self.country} pays {in_words(self.lots)} of what it owes."


class TroopsPaid(OpenEvent, frozen=True):
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

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, -1)

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
