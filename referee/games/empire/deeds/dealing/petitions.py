"""Petitions: who is a bona fide player, votes, quorum, majorities, suspensions (emp.P2, emp.P11, emp.P19, emp.H-05)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.petitions import HouseRuleChanged, PetitionPosted, PetitionSettled, VoteCast
from referee.games.empire.position.countries import Petition
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.in_force import check_choice, waiting
from referee.games.empire.rulebook.houses import SETS
from referee.kit.refused import Refused

KINDS_OF_PETITION = ("clarification", "change", "end")
"""What a petition may be for; "end" ends the game (emp.H-36) and needs an absolute majority, as a change does."""

VOTES = ("yes", "no", "quorum")
"""What one may vote."""

LONGEST = 14 * 24
"""The longest suspension of the 24-hour rule, in hours."""


def bona_fide(empire: Empire) -> tuple[Seat, ...]:
    """emp.P2: who owns a starting country, or a country he has held for a full turn of the table."""
    return tuple(
        seat
        for seat in empire.order
        if any(c.origin == "starting" or empire.turn >= c.owned_since + 2 for c in empire.owned(seat))
    )


def _check_player(empire: Empire, seat: Seat) -> None:
    if seat not in bona_fide(empire):
        raise Refused(f"{seat} is no bona fide player now.", "emp.P2", str(seat))


def check_petition(empire: Empire, seat: Seat, kind: str, text: str, house: str = "", choice: str = "") -> None:
    """emp.P19. Raises Refused."""
    _check_player(empire, seat)
    if kind not in KINDS_OF_PETITION:
        raise Refused(f"A petition is for one of {', '.join(KINDS_OF_PETITION)}.", "emp.P19", kind)
    if house or choice:
        if kind != "change":
            line = f'PETITION FOR change OF {house} TO {choice} "..."'
            raise Refused("House rules are changed by a petition for a change.", "emp.P19", kind, (line,))
        check_choice(empire, house, choice)
    elif not text.strip() and kind != "end":
        raise Refused("Say in quotation marks what the petition asks for.", "emp.P19", kind)


def check_suspension(empire: Empire, seat: Seat, hours: int) -> None:
    """emp.P11: for a stated length. Raises Refused."""
    _check_player(empire, seat)
    if not 0 < hours <= LONGEST:
        nearest = f"SUSPEND FOR {1 if hours < 1 else LONGEST} hours"
        raise Refused(f"A suspension lasts from 1 to {LONGEST} hours.", "emp.P11", str(hours), (nearest,))


def check_vote(empire: Empire, seat: Seat, number: int, vote: str) -> Petition:
    """emp.P19, emp.H-05: one vote each, while the petition is open; it may be changed. Raises Refused."""
    _check_player(empire, seat)
    petition = next((p for p in empire.petitions if p.number == number), None)
    still = tuple(f"VOTE {vote} ON {p.number}" for p in empire.petitions if not p.result)
    if petition is None:
        raise Refused(f"There is no petition {number}.", "emp.P19", str(number), still[:3])
    if petition.result:
        raise Refused(f"Petition {number} has {petition.result}.", "emp.P19", str(number), still[:3])
    if vote not in VOTES:
        raise Refused(f"A vote is one of {', '.join(VOTES)}.", "emp.P19", vote)
    return petition


def post_petition(table: Table[Empire], seat: Seat, kind: str, text: str, house: str = "", choice: str = "") -> None:
    """emp.P19: posted now, with effect on what comes."""
    empire = table.state
    text = text or (SETS[house].choices[choice] if house else "The game ends.")
    _post(table, Petition(empire.next_petition, kind, text, seat, empire.turn, house=house, choice=choice))


def post_suspension(table: Table[Empire], seat: Seat, hours: int) -> None:
    """emp.P11: never with effect on the past."""
    empire, text = table.state, f"suspend the 24-hour rule for {hours} hours"
    _post(table, Petition(empire.next_petition, "suspension", text, seat, empire.turn, hours))


def _post(table: Table[Empire], petition: Petition) -> None:
    table.emit(PetitionPosted(replace(petition, posted=table.at)))
    table.emit(VoteCast(petition.number, petition.by, "yes"))
    settle_petitions(table)


def cast_vote(table: Table[Empire], seat: Seat, number: int, vote: str) -> None:
    """emp.P19, emp.H-05."""
    table.emit(VoteCast(number, seat, vote))
    settle_petitions(table)


def vote_quorum(table: Table[Empire], seat: Seat) -> None:
    """emp.P19: who rolls out without a vote on an open petition has voted quorum."""
    if seat not in bona_fide(table.state):
        return
    for petition in table.state.petitions:
        if not petition.result and seat not in petition.votes:
            table.emit(VoteCast(petition.number, seat, "quorum"))


def settle_petitions(table: Table[Empire]) -> None:
    """emp.H-05: a petition is settled when everybody has voted or rolled out, or when no vote to come can change it."""
    voters = bona_fide(table.state)
    for petition in table.state.petitions:
        passed = None if petition.result else _verdict(petition, voters)
        if passed is not None:
            yes, no = _count(petition, voters, "yes"), _count(petition, voters, "no")
            change = f"{petition.house} {petition.choice}" if petition.house else ""
            start = table.state.turn + 1 if change else 0
            settled = PetitionSettled(petition.number, petition.kind, passed, yes, no, petition.hours, change, start)
            table.emit(settled)


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
