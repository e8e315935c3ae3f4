"""Petitions and votes."""

from __future__ import annotations

from referee.core.order import Intent

__all__ = ["PetitionFor", "PostSuspension", "Vote"]


class PetitionFor(Intent, frozen=True):
    """A petition posted: clarification, change or end (P19). A change may name a set of house rules and a choice of it."""

    kind: str
    text: str
    house: str = ""
    choice: str = ""

    def meaning(self) -> str:
        change = f" of {self.house} to {self.choice}" if self.house else ""
        return f"Post a petition for {'the' if self.kind == 'end' else 'a'} {self.kind}{change}: {self.text}"


class PostSuspension(Intent, frozen=True):
    """A petition to suspend the 24-hour rule for a stated length (P11)."""

    hours: int

    def meaning(self) -> str:
        return f"Post a petition to suspend the 24-hour rule for {self.hours} hours."


class Vote(Intent, frozen=True):
    """A vote on a petition: yes, no, quorum."""

    number: int
    vote: str

    def meaning(self) -> str:
        return f"Vote {self.vote} on petition {self.number}."
