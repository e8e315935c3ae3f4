"""PETITION, SUSPEND, VOTE: what the players decide together, at any time (emp.P11, emp.P19, emp.H-05)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from referee.core.choices import Asking, Choice, number, one
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.core.table import Table
from referee.games.empire.deeds.dealing.petitions import (
    LONGEST,
    VOTES,
    bona_fide,
    cast_vote,
    check_petition,
    check_suspension,
    check_vote,
    post_petition,
    post_suspension,
)
from referee.games.empire.orders.base import AsideOrder, granted
from referee.games.empire.position.countries import Petition
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.in_force import check_choice
from referee.games.empire.rulebook.houses import SETS
from referee.kit.declared import Words
from referee.kit.fields import Field, Joint, One, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import counted

_HOUR, _USUAL = 3600, 48
"""Seconds of an hour; so many hours does a suspension usually last."""


# ---------------------------------------------------------------- a petition


class _Request(Joint):
    """What a petition is for, its text, and the set of house rules and the choice of it that a change names."""

    most, joins = 0, ("kind", "text", "house", "choice")

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"FOR": ("petition", "text"), "OF": ("house", "word"), "TO": ("choice", "word", "text")}

    def read(self, said: Said) -> tuple[Any, ...]:
        things, house, choice = said.after("FOR"), said.after("OF"), said.after("TO")
        kinds = [thing.name for thing in things if thing.kind == "petition"]
        if len(kinds) != 1:
            lines = tuple(f'PETITION FOR {kind} "..."' for kind in ("clarification", "change"))
            raise Refused("A petition is for a clarification, a change, or the end.", "emp.P19", said.order.verb, lines)
        text = " ".join(thing.name for thing in (*things, *house, *choice) if thing.kind == "text")
        return kinds[0], text, _named(house), _named(choice)

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        kind, text, house, choice = value
        words = (Thing("text", text),) if text else ()
        yield Clause("FOR", (Thing("petition", kind), *(() if house else words)))
        if house:
            yield Clause("OF", (Thing("house", house),))
            yield Clause("TO", (Thing("choice", choice), *words))


def _named(things: Sequence[Thing]) -> str:
    """The name of a set of house rules or of a choice, as the player wrote it."""
    return next((thing.name for thing in things if thing.kind != "text"), "")


class PetitionFor(AsideOrder, frozen=True):
    """A petition posted: clarification, change or end (emp.P19). A change may name a set of house rules and a choice of it."""

    kind: str
    text: str
    house: str = ""
    choice: str = ""

    words = Words(
        "PETITION",
        "post a petition for a clarification, a change of rules, or the end of the game; done at once. "
        "A change may name a set of house rules and a choice: PETITION FOR change OF combat TO mild",
        "emp.P19",
        'PETITION FOR change "Trucks may carry one SAC."',
    )
    fields = (_Request("request", (), "FOR"),)

    def meaning(self) -> str:
        change = f" of {self.house} to {self.choice}" if self.house else ""
        return f"Post a petition for {'the' if self.kind == 'end' else 'a'} {self.kind}{change}: {self.text}"

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """What for; a change of a set of house rules to a choice of it, or in words of one's own, as a clarification is."""
        kind = yield from one("for", [Choice(kind, kind) for kind in _kinds(empire, seat)])
        if kind == "end":
            return cls(kind, "")
        if kind == "change":
            house, choice = yield from one("change", _changes(empire))
            if house:
                return cls(kind, "", house, choice)
        text = "How is this to be read?" if kind == "clarification" else "This shall hold from now on."
        return cls(kind, (yield from one("text", [Choice(text, text, "or whatever you want to say")])))

    def check(self, empire: Empire, seat: Seat) -> None:
        check_petition(empire, seat, self.kind, self.text, self.house, self.choice)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        self.check(table.state, seat)
        post_petition(table, seat, self.kind, self.text, self.house, self.choice)


def _kinds(empire: Empire, seat: Seat) -> Iterator[str]:
    return (kind for kind in ("change", "clarification", "end") if granted(check_petition, empire, seat, kind, "why"))


def _changes(empire: Empire) -> Iterator[Choice[tuple[str, str]]]:
    """Choices of house rules that are not in force anyway, combat first; and a change in words."""
    for house in reversed(tuple(SETS.values())):
        for choice, text in house.choices.items():
            if granted(check_choice, empire, house.name, choice):
                yield Choice(f"{house.name} to {choice}", (house.name, choice), text)
    yield Choice("in words", ("", ""), "any other change")


# ---------------------------------------------------------------- a suspension


class _Hours(Field[int]):
    """A length of time, in hours."""

    def read(self, said: Said) -> int:
        return said.after(self.under)[0].count() // _HOUR

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return (Thing("duration", counted(value, "hours"), exact(value * _HOUR)),)


class PostSuspension(AsideOrder, frozen=True):
    """A petition to suspend the 24-hour rule for a stated length (emp.P11)."""

    hours: int

    words = Words(
        "SUSPEND", "post a petition to suspend the 24-hour rule; done at once", "emp.P11", "SUSPEND FOR 48 hours",
        ("SUSPEND DEADLINES", "SUSPEND THE 24-HOUR RULE"),
    )  # fmt: skip
    fields = (_Hours("hours", ("duration",), "FOR"),)
    says = "Post a petition to suspend the 24-hour rule for {hours} hours."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        most = LONGEST if seat in bona_fide(empire) else 0
        return cls((yield from number("for", "hours", 1, most, _USUAL)))

    def check(self, empire: Empire, seat: Seat) -> None:
        check_suspension(empire, seat, self.hours)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        self.check(table.state, seat)
        post_suspension(table, seat, self.hours)


# ---------------------------------------------------------------- a vote


class _Petition(Field[int]):
    """A petition by its number."""

    def read(self, said: Said) -> int:
        first, *more = said.after(self.under)
        if more:
            lines = tuple(f"VOTE {said.order.things[0].name} ON {thing.count()}" for thing in (first, *more)[:3])
            raise Refused("Say on which petition.", "emp.P19", said.order.verb, lines)
        return first.count()

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return (Thing("number", str(value), exact(value)),)


class Vote(AsideOrder, frozen=True):
    """A vote on a petition: yes, no, quorum."""

    number: int
    vote: str

    words = Words("VOTE", "vote on a petition; done at once", "emp.P19", "VOTE yes ON 1")
    fields = (One("vote", ("vote",), taken=str), _Petition("number", ("number",), "ON"))
    says = "Vote {vote} on petition {number}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """On which petition, those first on which no vote was cast yet, and how."""
        open_ones = [p for p in empire.petitions if granted(check_vote, empire, seat, p.number, VOTES[0])]
        first = sorted(open_ones, key=lambda petition: seat in petition.votes)
        petition = yield from one("on", [Choice(str(p.number), p.number, _about(p)) for p in first])
        return cls(petition, (yield from one("vote", [Choice(vote, vote) for vote in VOTES])))

    def check(self, empire: Empire, seat: Seat) -> None:
        check_vote(empire, seat, self.number, self.vote)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        self.check(table.state, seat)
        cast_vote(table, seat, self.number, self.vote)


def _about(petition: Petition) -> str:
    return f"{petition.kind}: {petition.text}"
