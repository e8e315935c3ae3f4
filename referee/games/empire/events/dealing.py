"""Gifts and seizures between countries, petitions to the referee, and transfers of control."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.events import OpenEvent
from referee.games.empire.position import Lot
from referee.games.empire.position.state import Booking, Country, Empire, Petition, Transfer
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.stock import Flow
from referee.kit.wording import capital, counted, in_a_row, in_utc

# ---------------------------------------------------------------- handing
# Units and goods that pass from one country to another: where they then stand, what they count, and in words.


def handed(empire: Empire, to: str, numbers: tuple[int, ...], lots: tuple[Lot, ...], held: int | None = None) -> Empire:
    """Units and lots under another country; works and worked squares follow the unit that does them."""
    units = dict(empire.units)
    for number in numbers:
        unit = units[number]
        units[number] = replace(unit, country=to, held=unit.held if held is None else held)
    worked = tuple(replace(w, country=to) if w.unit in numbers else w for w in empire.worked)
    works = tuple(replace(w, country=to) if w.unit in numbers else w for w in empire.works)
    empire = replace(empire, units=units, worked=worked, works=works)
    for lot in lots:
        city = next((c.name for c in empire.cities.values() if c.at == lot.at and c.country == to), "")
        passed = replace(lot, country=to, inside="" if lot.aboard else city, held=lot.held if held is None else held)
        empire = empire.with_lot(replace(lot, number=-lot.number)).with_lot(passed)
    return empire


def both_ways(giver: str, to: str, counts: tuple[tuple[str, int], ...]) -> tuple[Flow, ...]:
    """The flows of units and goods from one country to another."""
    lost = tuple(Flow(f"{giver} {what}", -number) for what, number in counts)
    return (*lost, *(Flow(f"{to} {what}", number) for what, number in counts))


def listed(counts: tuple[tuple[str, int], ...]) -> str:
    """Units and goods in words: `2 coolies and 3 food`, or `nothing`."""
    return in_a_row([f"{number} {what if number == 1 else _many(what)}" for what, number in counts]) or "nothing"


def _many(what: str) -> str:
    """The plural of a kind of unit; goods have none."""
    return f"{what}s" if what in KINDS and what not in ("rolling stock", "artillery", "armour") else what


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


class Handing:
    """An event by which units and goods pass to another country."""

    __slots__ = ()
    giver: str
    to: str
    units: tuple[int, ...]
    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...]

    def change(self, empire: Empire) -> Empire:
        return handed(empire, self.to, self.units, self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return both_ways(self.giver, self.to, self.counts)

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        """Land units that change hands are paid by both for that turn (I.I d)."""
        troops = sum(number for kind, number in self.counts if kind in KINDS and KINDS[kind].land_military)
        return ((self.giver, Booking(paid=troops)),) if troops else ()


class ControlPassed(Handing, OpenEvent, frozen=True):
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
        """A player who runs nothing else has his slot right after that of the country it was split from (emp.P18)."""
        before = empire.countries[parent].owner if parent in empire.countries else self.seat
        if before == self.seat:
            return empire.order
        others = [seat for seat in empire.order if seat != self.seat]
        place = others.index(before) + 1
        return (*others[:place], self.seat, *others[place:])

    def sentence(self) -> str:
        after = f"it moves after {self.to}" if self.to else "it is the only one he runs"
        return f"The whole country {self.country} passed from {self.giver} to {self.seat}; {after}."


class UnitSeized(Handing, OpenEvent, frozen=True):
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


# ---------------------------------------------------------------- petitions
# Posted, voted on, settled, and house rules that they change.


_NEEDS = {
    "clarification": "It passes with more yes than no",
    "suspension": "It passes with more yes than no",
    "change": "It passes with the yes of more than half of all bona fide players",
    "end": "It passes with the yes of more than half of all bona fide players",
}
"""The majority that each kind of petition needs (emp.P11, emp.P19)."""

_FOLLOWS = {
    "clarification": " It binds from now on and changes nothing that is past.",
    "change": " It binds from now on and changes nothing that is past.",
    "end": " The game ends when the slot that is open is over.",
}
"""The consequence of a petition that has passed."""


class PetitionPosted(OpenEvent, frozen=True):
    """A petition was posted, never with effect on the past (emp.P19)."""

    rule = "emp.P19"
    petition: Petition

    def change(self, empire: Empire) -> Empire:
        return replace(empire, petitions=(*empire.petitions, self.petition), next_petition=self.petition.number + 1)

    def cites(self) -> str:
        return "emp.P11" if self.petition.kind == "suspension" else self.rule

    def sentence(self) -> str:
        p = self.petition
        stop = "" if p.text.endswith((".", "!", "?")) else "."
        vote = f"VOTE yes ON {p.number} or VOTE no ON {p.number}; a roll-out without a vote counts as quorum"
        kind = f"{p.kind} of {p.house} to {p.choice}" if p.house else p.kind
        when = f" Posted on {in_utc(p.posted)}." if p.posted else ""
        return f"{p.by} posted petition {p.number} ({kind}): {p.text}{stop}{when} {_NEEDS[p.kind]}: {vote}."


class VoteCast(OpenEvent, frozen=True):
    """A vote on a petition; who rolls out without a vote has voted quorum (emp.P19)."""

    rule = "emp.P19"
    says = "{seat} voted {vote} on petition {number}."
    number: int
    seat: Seat
    vote: str

    def change(self, empire: Empire) -> Empire:
        petitions = tuple(
            replace(p, votes={**p.votes, self.seat: self.vote}) if p.number == self.number else p
            for p in empire.petitions
        )
        return replace(empire, petitions=petitions)


class PetitionSettled(OpenEvent, frozen=True):
    """A petition passed or failed (emp.P19, emp.H-05); `house` is the set and the choice it names, in force from `since` on."""

    rule = "emp.H-05"
    number: int
    kind: str
    passed: bool
    yes: int
    no: int
    hours: int = 0
    house: str = ""
    since: int = 0

    def change(self, empire: Empire) -> Empire:
        result = "passed" if self.passed else "failed"
        petitions = tuple(replace(p, result=result) if p.number == self.number else p for p in empire.petitions)
        return replace(empire, petitions=petitions)

    def cites(self) -> str:
        return "emp.P11" if self.kind == "suspension" else self.rule

    def sentence(self) -> str:
        result = f"Petition {self.number} {'passed' if self.passed else 'failed'}, {self.yes} to {self.no}"
        if self.kind == "suspension" and self.passed:
            return f"{result}: the 24-hour rule is suspended for {counted(self.hours, 'hours')} from now."
        if self.house and self.passed:
            return f"{result}: {self.house} is in force from turn {self.since} on, and changes nothing that is past."
        return f"{result}.{_FOLLOWS[self.kind] if self.passed else ''}"


class HouseRuleChanged(OpenEvent, frozen=True):
    """With a new turn another choice of a set of house rules came into force, as a petition had it (emp.P19)."""

    rule = "emp.P19"
    says = "From turn {turn} on {house} is {choice} (petition {petition}): {text}"
    petition: int
    house: str
    choice: str
    text: str
    turn: int

    def change(self, empire: Empire) -> Empire:
        petitions = tuple(replace(p, since=self.turn) if p.number == self.petition else p for p in empire.petitions)
        return replace(empire, petitions=petitions, houses={**empire.houses, self.house: self.choice})
