"""An auditor reads the record of a game, fact by fact with the positions around it, and works the numbers out again.

An oracle is a small function written from a paragraph of a rulebook, which its docstring names. It is given a stretch of
play and says of each number it knows something about what the record tells and what is due by the rulebook. It may read
events and positions; it never calls a rule of the referee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from referee.core.event import Event, Rolled
from referee.core.stage import Ended
from tests.contract.bots import GameRecord

E = TypeVar("E", bound=Event)


class Line(NamedTuple):
    """One number: what it is, what the record tells and what is due."""

    what: str
    told: object
    due: object


def at_most(what: str, told: int, limit: int) -> Line:
    """A number that may be anything up to a limit."""
    return Line(f"{what}, at most", told, min(told, limit))


@dataclass(frozen=True)
class Fact(Generic[E]):
    """An event, its place in its stretch, and the positions before and after it."""

    place: int
    before: Any
    event: E
    after: Any


@dataclass(frozen=True)
class Stretch:
    """A phase of a game as the record tells it: the positions published before and after it, and its facts in order."""

    key: str
    options: Mapping[str, str]
    before: Any
    after: Any
    facts: tuple[Fact[Any], ...]

    def of(self, kind: type[E]) -> Iterator[Fact[E]]:
        """The facts of a kind, in order."""
        return (fact for fact in self.facts if isinstance(fact.event, kind))

    def any_of(self, *kinds: type[Event]) -> Iterator[Fact[Any]]:
        """The facts of several kinds, in order."""
        return (fact for fact in self.facts if isinstance(fact.event, kinds))

    def since(self, place: int, *until: type[Event]) -> Iterator[Fact[Any]]:
        """The facts after a place, up to the first of these kinds."""
        for fact in self.facts[place + 1 :]:
            if isinstance(fact.event, until):
                return
            yield fact

    def back(self, place: int, *until: type[Event]) -> Iterator[Fact[Any]]:
        """The facts before a place, the nearest first, back to the first of these kinds."""
        for fact in reversed(self.facts[:place]):
            if isinstance(fact.event, until):
                return
            yield fact

    def dice(self, place: int, *until: type[Event]) -> list[tuple[int, ...]]:
        """The throws after a place, up to the first fact of these kinds."""
        return [fact.event.faces for fact in self.since(place, *until) if isinstance(fact.event, Rolled)]

    def thrown(self, place: int) -> tuple[int, ...]:
        """The last dice before a place; none where nothing was thrown."""
        return next((fact.event.faces for fact in self.back(place) if isinstance(fact.event, Rolled)), ())


Oracle = Callable[[Stretch], Iterator[Line]]
"""Written from one paragraph of a rulebook."""


def stretches(record: GameRecord) -> Iterator[Stretch]:
    """The phases of a game, every event with the positions around it."""
    for ended in record.ended:
        yield _stretch(record, ended, ended.events)


def _stretch(record: GameRecord, ended: Ended[Any], events: Sequence[Event]) -> Stretch:
    state, facts = ended.before, []
    for place, event in enumerate(events):
        after = record.game.evolve(state, event)
        facts.append(Fact(place, state, event, after))
        state = after
    return Stretch(ended.phase.key, record.created.options, ended.before, ended.after, tuple(facts))


@dataclass
class Audit:
    """How many numbers each oracle looked at, and which were not what the rulebook makes them."""

    games: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def read(self, record: GameRecord, oracles: Sequence[Oracle]) -> None:
        """Look at a whole game."""
        self.games += 1
        for stretch in stretches(record):
            for oracle in oracles:
                self.note(str(record.created.options), stretch, oracle)

    def note(self, game: str, stretch: Stretch, oracle: Oracle) -> None:
        """Look at one stretch with one oracle."""
        for line in oracle(stretch):
            self.checks[oracle.__name__] += 1
            if line.told != line.due:
                told = f"the record tells {line.told}, the rulebook makes it {line.due}"
                self.differences.append(f"{oracle.__name__}: {stretch.key}: {line.what}: {told} ({game})")

    def __str__(self) -> str:
        looked = ", ".join(f"{name} {number}" for name, number in sorted(self.checks.items()))
        return f"{self.games} games, {self.checks.total()} numbers, {len(self.differences)} differences: {looked}"


def audit(records: Sequence[GameRecord], oracles: Sequence[Oracle]) -> Audit:
    """Look at games with oracles."""
    found = Audit()
    for record in records:
        found.read(record, oracles)
    return found


def plant(record: GameRecord, kind: type[E], change: Callable[[E], Event | None]) -> Iterator[Stretch]:
    """The phases of a game, each with one event of a kind forged in the log; events are passed over that `change` leaves."""
    for ended in record.ended:
        for place, event in enumerate(ended.events):
            forged = change(event) if isinstance(event, kind) else None
            if forged is not None:
                told = (*ended.events[:place], forged, *ended.events[place + 1 :])
                yield _stretch(record, ended, told)
