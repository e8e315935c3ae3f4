"""Petitions: posted, voted on, settled, and house rules that they change."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.countries import Petition
from referee.games.empire.position.state import Empire
from referee.kit.wording import counted, in_utc

_NEEDS = {
    "clarification": "It passes with more yes than no",
    "suspension": "It passes with more yes than no",
    "change": "It passes with the yes of more than half of all bona fide players",
    "end": "It passes with the yes of more than half of all bona fide players",
}
"""The majority that each kind of petition needs (emp.P11, emp.P19, emp.H-36)."""

_FOLLOWS = {
    "clarification": " It binds from now on and changes nothing that is past.",
    "change": " It binds from now on and changes nothing that is past.",
    "end": " The game ends when the slot that is open is over.",
}
"""What comes of a petition that has passed."""


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
        vote = f"VOTE yes ON {p.number} or VOTE no ON {p.number}; who rolls out without a vote has voted quorum"
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
