"""Petitions: who is a bona fide player, quorum, majorities, what a petition that has passed brings (emp.P2, emp.P19, emp.H-05)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.petitions import HouseRuleChanged, PetitionSettled, VoteCast
from referee.games.empire.position.countries import Petition
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.in_force import waiting
from referee.games.empire.rulebook.houses import SETS

VOTES = ("yes", "no", "quorum")
"""What one may vote."""


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
