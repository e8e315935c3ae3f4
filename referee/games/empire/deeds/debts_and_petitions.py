"""Debts, what is taken for them; when a petition passes; and countries that die."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds import Stage
from referee.games.empire.events.dealing import HouseRuleChanged, PetitionSettled, VoteCast
from referee.games.empire.events.economy import BandJudged, DebtPaid, DuesCounted, FuelDue, TroopsPaid
from referee.games.empire.events.supply import PersonDied
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Booking, Country, Empire, Petition, together
from referee.games.empire.reckoning.budget import band_of, unfuelled
from referee.games.empire.reckoning.ownership import parts_of, waiting
from referee.games.empire.reckoning.supply import taken
from referee.games.empire.rulebook import ACTS, FORBIDDEN, PAY
from referee.games.empire.rulebook.kinds import DEBT, GOODS, KINDS, in_parts
from referee.games.empire.rulebook.plans import SETS
from referee.kit.refused import Refused

# ---------------------------------------------------------------- who dies, and what is left behind
# Weapons stay, goods that were carried are put down (IV C).


def death(empire: Empire, unit: Unit, why: str, rule: str) -> PersonDied:
    """The death of a person, such as `of hunger` by rule emp.F1; his weapons stay in the square."""
    return PersonDied(unit.country, unit.number, unit.kind, unit.at, why, rule, weapons_left(empire, unit))


def weapons_left(empire: Empire, unit: Unit) -> tuple[Lot, ...]:
    """The weapons military leaves when it dies, on the square or aboard what carried it; parts of a unit are lost."""
    whole = [part for part in parts_of(unit) if part in GOODS and KINDS[unit.kind].land_military]
    return tuple(Lot(p, whole.count(p), unit.country, unit.at, aboard=unit.aboard) for p in dict.fromkeys(whole))


def judge_band(table: Table[Empire], country: str) -> None:
    """At the start of its turn a country's confidence decides what it may do."""
    own = table.state.countries[country]
    band = band_of(own.confidence)
    if band != own.band:
        table.emit(BandJudged(country, band, own.confidence))


def forbids(empire: Empire, country: str, act: str) -> bool:
    """Whether the band of a country forbids an act: factory, start factory, build, births or attack."""
    return act in FORBIDDEN.get(empire.countries[country].band, ())


def check_band(empire: Empire, country: str, act: str) -> None:
    """Raises Refused where the band of a country forbids an act."""
    if forbids(empire, country, act):
        band = empire.countries[country].band
        called = band if band == "shaky" else f"in {band}"
        raise Refused(f"{country} is {called} this turn and cannot {ACTS[act][0]}.", "emp.H-16", country)


_NAMES = {"O": "oil", "X": "chemicals"}


def check_debt(empire: Empire, country: str, books: Iterable[tuple[str, Booking]]) -> None:
    """Raises Refused when a country has not the whole units that what an act books, and what is due already, would take."""
    added = together(tuple(books), country)
    own, stock = empire.countries[country], empire.stock(country)
    due = {
        "O": (added.oil, own.oil_due + own.booked.oil + added.oil),
        "X": (added.chemicals, own.chemicals_due + own.booked.chemicals + added.chemicals),
    }
    for what, (new, total) in due.items():
        if new and -(-total // DEBT) > stock.get(what, 0):
            owes = f"{country} owes {in_parts(total)} {_NAMES[what]} with this and has {stock.get(what, 0)} {what}."
            raise Refused(f"{owes} {_whole(-(-total // DEBT))}", "emp.H-18", what)


def _whole(units: int) -> str:
    """How much must lie in the country, in words."""
    if units == 1:
        return "A whole unit must be in the country before any of it is used."
    return f"{units} whole units must be in the country before any of the last is used."


def settle_dues(table: Table[Empire], country: str) -> None:
    """Step 6 of a turn (emp.H-01): oil, chemicals and pay are counted, and whole units are taken."""
    out = unfuelled(table.state, country)
    if out:
        table.emit(FuelDue(country, tuple(number for number, _ in out), sum(oil for _, oil in out)))
    booked = table.state.countries[country].booked
    pay = PAY * (len(_troops(table.state, country)) + booked.paid)
    if booked.oil or booked.chemicals or pay:
        table.emit(DuesCounted(country, booked.oil, booked.chemicals, pay))
    for what in _NAMES:
        owed = _due(table.state.countries[country], what) // DEBT
        lots = taken(_stores(table.state, country, what), owed)
        if lots:
            table.emit(DebtPaid(country, what, lots))
    _pay_troops(table, country)


def _troops(empire: Empire, country: str) -> list[Unit]:
    return [unit for unit in empire.units_of(country) if KINDS[unit.kind].land_military]


def _due(country: Country, what: str) -> int:
    return country.oil_due if what == "O" else country.chemicals_due


def _stores(empire: Empire, country: str, what: str) -> list[Lot]:
    """Goods of a kind wherever they are, those in cities first."""
    found = [lot for lot in empire.lots if (lot.country, lot.what) == (country, what)]
    return sorted(found, key=lambda lot: (not lot.inside, lot.aboard, lot.at))


def _pay_troops(table: Table[Empire], country: str) -> None:
    """Each whole unit of pay is a cost and a food; where food lacks a land unit starves for it (emp.H-18)."""
    owed = table.state.countries[country].pay_due // DEBT
    if not owed:
        return
    lots = taken(_stores(table.state, country, "food"), owed)
    table.emit(TroopsPaid(country, owed, lots))
    for _ in range(owed - sum(lot.number for lot in lots)):
        troops = _troops(table.state, country)
        if troops:
            last = min(troops, key=lambda unit: (len(unit.parts), -unit.since, -unit.number))
            table.emit(death(table.state, last, "of hunger, since there is no food for its pay", "emp.H-18"))


# ---------------------------------------------------------------- petitions
# Bona fide players, quorum, majorities, and the effects of a petition that has passed (emp.P2, emp.P19, emp.H-05).


VOTES = ("yes", "no", "quorum")
"""The votes that a player may give."""


def bona_fide(empire: Empire) -> tuple[Seat, ...]:
    """emp.P2: who owns a starting country, or a country he has held for a full turn of the table."""
    return tuple(
        seat
        for seat in empire.order
        if any(c.origin == "starting" or empire.turn >= c.owned_since + 2 for c in empire.owned(seat))
    )


def vote_quorum(table: Table[Empire], seat: Seat) -> None:
    """emp.P19: who rolls out without a vote on an open petition has voted quorum."""
    if seat not in bona_fide(table.state):
        return
    for petition in table.state.petitions:
        if not petition.result and seat not in petition.votes:
            table.emit(VoteCast(petition.number, seat, "quorum"))


def settle_petitions(stage: Stage) -> None:
    """emp.H-05: a petition is settled when everybody has voted or rolled out, or when no vote to come can change it."""
    voters = bona_fide(stage.state)
    for petition in stage.state.petitions:
        passed = None if petition.result else _verdict(petition, voters)
        if passed is not None:
            yes, no = _count(petition, voters, "yes"), _count(petition, voters, "no")
            change = f"{petition.house} {petition.choice}" if petition.house else ""
            start = stage.state.turn + 1 if change else 0
            settled = PetitionSettled(petition.number, petition.kind, passed, yes, no, petition.hours, change, start)
            stage.emit(settled)


def change_house_rules(table: Table[Empire]) -> None:
    """emp.P19: with the new turn the choices that petitions passed before it have voted for come into force."""
    for petition in waiting(table.state):
        text = SETS[petition.house].choices[petition.choice]
        table.emit(HouseRuleChanged(petition.number, petition.house, petition.choice, text, table.state.turn))


def _count(petition: Petition, voters: tuple[Seat, ...], vote: str) -> int:
    return sum(petition.votes.get(seat) == vote for seat in voters)


def _verdict(petition: Petition, voters: tuple[Seat, ...]) -> bool | None:
    """Passed, failed, or None while it is open. A change or the end needs more than half of all bona fide players."""
    yes, no, quorum = (_count(petition, voters, vote) for vote in VOTES)
    waiting = len(voters) - yes - no - quorum
    if 2 * yes > len(voters):
        return True
    if petition.kind in ("change", "end"):
        return False if 2 * (yes + waiting) <= len(voters) else None
    if waiting == 0 or yes > no + waiting:
        return yes > no
    return False if yes + waiting <= no else None


def ends_the_game(empire: Empire) -> bool:
    """emp.H-36: whether a petition to end the game has passed."""
    return any(p.kind == "end" and p.result == "passed" for p in empire.petitions)
