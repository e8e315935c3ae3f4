"""PETITION, SUSPEND, VOTE: what the players decide together, at any time (emp.P11, emp.P19)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, most_that, number
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.debts_and_petitions import VOTES, bona_fide, settle_petitions
from referee.games.empire.events.dealing import PetitionPosted, VoteCast
from referee.games.empire.orders.base import AsideOrder
from referee.games.empire.position.state import Empire, Petition
from referee.games.empire.reckoning.ownership import check_choice
from referee.games.empire.rulebook.plans import SETS
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Joint, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import counted

_HOUR, _USUAL, _LONGEST = 3600, 48, 14 * 24
"""Seconds of an hour; so many hours does a suspension usually last, and so many at the longest."""

_KINDS = ("clarification", "change", "end")
"""The purposes of a petition; "end" ends the game."""

_TEXTS = {"clarification": "How is this to be read?", "change": "This shall hold from now on.", "end": ""}
"""The text offered with each kind; a player says whatever he wants instead."""


def _check_player(empire: Empire, seat: Seat) -> None:
    if seat not in bona_fide(empire):
        raise Refused(f"{seat} is no bona fide player now.", "emp.P2", str(seat))


def _post(stage: Stage, petition: Petition) -> None:
    """Posted with effect on what comes; who posts it votes for it."""
    stage.emit(PetitionPosted(replace(petition, posted=stage.at)))
    stage.emit(VoteCast(petition.number, petition.by, "yes"))
    settle_petitions(stage)


# ---------------------------------------------------------------- a petition


class _Request(Joint):
    """The purpose of a petition, its text, and the set of house rules and the choice of it that a change names."""

    most, joins = None, ("kind", "text", "house", "choice")

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

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Any, ...]]]:
        """Changes of house rules, combat first; any other change, a clarification, the end."""
        for house in reversed(tuple(SETS.values())):
            for choice, text in house.choices.items():
                yield Choice(f"{house.name} to {choice}", ("change", "", house.name, choice), text)
        for kind in ("change", "clarification", "end"):
            yield Choice(kind, (kind, _TEXTS[kind], "", ""), "or in other words" if _TEXTS[kind] else "")

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        kind, text, house, choice = value
        words = (Thing("text", text),) if text else ()
        yield Clause("FOR", (Thing("petition", kind), *(() if house else words)))
        if house:
            yield Clause("OF", (Thing("house", house),))
            yield Clause("TO", (Thing("choice", choice), *words))


def _named(things: Sequence[Thing]) -> str:
    """The name of a set of house rules or of a choice, as the player wrote it. Raises Refused where there are several."""
    known = [thing.name for thing in things if thing.kind in ("house", "choice")]
    if len(known) > 1:
        raise Refused("A petition changes one set of house rules to one choice.", "emp.P19", known[1])
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
    plain = Plain("Ask for a change")
    fields = (_Request("request", (), "FOR"),)

    def meaning(self) -> str:
        change = f" of {self.house} to {self.choice}" if self.house else ""
        return f"Post a petition for {'the' if self.kind == 'end' else 'a'} {self.kind}{change}: {self.text}"

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, kind, text, house, choice = stage.state, self.kind, self.text, self.house, self.choice
        _check_player(empire, seat)
        if kind not in _KINDS:
            raise Refused(f"A petition is for one of {', '.join(_KINDS)}.", "emp.P19", kind)
        if house or choice:
            if kind != "change":
                line = f'PETITION FOR change OF {house} TO {choice} "..."'
                raise Refused("House rules are changed by a petition for a change.", "emp.P19", kind, (line,))
            check_choice(empire, house, choice)
            text = text or SETS[house].choices[choice]
        elif not text.strip() and kind != "end":
            raise Refused("Say in quotation marks what the petition asks for.", "emp.P19", kind)
        text = text or "The game ends."
        _post(stage, Petition(empire.next_petition, kind, text, seat, empire.turn, house=house, choice=choice))


# ---------------------------------------------------------------- a suspension


class _Hours(Field[int]):
    """A length of time, in hours."""

    def read(self, said: Said) -> int:
        return said.after(self.under)[0].count() // _HOUR

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[int]]:
        yield Choice("1", 1)

    def asked(self, state: Empire, seat: Seat, got: Mapping[str, Any], leads: Callable[[int], bool]) -> Asking[int]:
        return (yield from number(self.name, "hours", 1, most_that(leads, _LONGEST), _USUAL))

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return (Thing("duration", counted(value, "hours"), exact(value * _HOUR)),)


class PostSuspension(AsideOrder, frozen=True):
    """A petition to suspend the 24-hour rule for a stated length (emp.P11)."""

    hours: int

    words = Words(
        "SUSPEND", "post a petition to suspend the 24-hour rule; done at once", "emp.P11", "SUSPEND FOR 48 hours",
        ("SUSPEND DEADLINES", "SUSPEND THE 24-HOUR RULE"),
    )  # fmt: skip
    plain = Plain("Ask for a pause")
    fields = (_Hours("hours", ("duration",), "FOR"),)
    says = "Post a petition to suspend the 24-hour rule for {hours} hours."

    def act(self, stage: Stage, seat: Seat) -> None:
        _check_player(stage.state, seat)
        if not 0 < self.hours <= _LONGEST:
            nearest = f"SUSPEND FOR {1 if self.hours < 1 else _LONGEST} hours"
            raise Refused(f"A suspension lasts from 1 to {_LONGEST} hours.", "emp.P11", str(self.hours), (nearest,))
        empire, text = stage.state, f"suspend the 24-hour rule for {self.hours} hours"
        _post(stage, Petition(empire.next_petition, "suspension", text, seat, empire.turn, self.hours))


# ---------------------------------------------------------------- a vote


class _Petition(Field[int]):
    """A petition by its number."""

    def read(self, said: Said) -> int:
        first, *more = said.after(self.under)
        if more:
            lines = tuple(f"VOTE {said.order.things[0].name} ON {thing.count()}" for thing in (first, *more)[:3])
            raise Refused("Say on which petition.", "emp.P19", said.order.verb, lines)
        return first.count()

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[int]]:
        """Those first on which no vote was cast yet."""
        first = sorted(state.petitions, key=lambda petition: seat in petition.votes)
        return (Choice(str(p.number), p.number, f"{p.kind}: {p.text}") for p in first)

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return (Thing("number", str(value), exact(value)),)


class _Vote(Field[str]):
    def read(self, said: Said) -> str:
        return said.order.things[0].name

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        return (Choice(vote, vote) for vote in VOTES)

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("vote", value),)


class Vote(AsideOrder, frozen=True):
    """A vote on a petition: yes, no, quorum."""

    number: int
    vote: str

    words = Words("VOTE", "vote on a petition; done at once", "emp.P19", "VOTE yes ON 1")
    plain = Plain("Vote", theme="Other countries")
    fields = (_Vote("vote", ("vote",)), _Petition("number", ("number",), "ON"))
    says = "Vote {vote} on petition {number}."

    def act(self, stage: Stage, seat: Seat) -> None:
        """One vote each, while the petition is open; it may be changed."""
        _check_player(stage.state, seat)
        petitions, number = stage.state.petitions, self.number
        petition = next((p for p in petitions if p.number == number), None)
        still = tuple(f"VOTE {self.vote} ON {p.number}" for p in petitions if not p.result)
        if petition is None:
            raise Refused(f"There is no petition {number}.", "emp.P19", str(number), still[:3])
        if petition.result:
            raise Refused(f"Petition {number} has {petition.result}.", "emp.P19", str(number), still[:3])
        if self.vote not in VOTES:
            raise Refused(f"A vote is one of {', '.join(VOTES)}.", "emp.P19", self.vote)
        stage.emit(VoteCast(number, seat, self.vote))
        settle_petitions(stage)
