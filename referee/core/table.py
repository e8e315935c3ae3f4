"""The table: everything a rule may do. It cannot see the clock, the mail or the log."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from referee.core.chance import Chance
from referee.core.event import Drawn, Event, Rolled
from referee.core.names import Seat
from referee.core.question import Answer, Question

S = TypeVar("S")
T = TypeVar("T")

Script = Generator[tuple[Question[Any], ...], tuple[Answer[Any], ...], T]
"""A phase or a part of one: yields the questions it is stuck on, is sent their answers, returns a value."""


class Table(Generic[S]):
    """One phase's table: the state, which changes only by events, and the dice, keyed by purpose.

    `at` is when the last answer or act came, in seconds since 1970; 0 where no desk keeps the time. `told` makes of an event what
    an edition of the game calls it.
    """

    def __init__(self, phase: str, state: S, chance: Chance, evolve: Callable[[S, Event], S]) -> None:
        self.phase = phase
        self.state = state
        self.at = 0
        self.heard: Callable[[Event], None] = lambda _: None
        self.told: Callable[[Event], Event] = lambda event: event
        self._chance = chance
        self._evolve = evolve
        self._used: dict[str, int] = {}

    def emit(self, event: Event) -> None:
        """Record a fact and let the state follow it."""
        event = self.told(event)
        self.heard(event)
        self.state = self._evolve(self.state, event)

    def roll(
        self, count: int, sides: int, why: str, rule: str, seen_by: tuple[Seat, ...] | None = None
    ) -> tuple[int, ...]:
        """Roll `count` dice for a stated purpose under a rule; `seen_by` None tells everybody the faces."""
        purpose, first, faces = self._faces(why, [sides] * count, seen_by is not None)
        self.emit(Rolled(purpose, why, rule, sides, faces, first, seen_by))
        return faces

    def draw(
        self,
        bag: str,
        holds: Mapping[str, int],
        count: int,
        why: str,
        rule: str,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> tuple[str, ...]:
        """Draw up to `count` items at random without putting back. The game's own event must take them out."""
        left = {name: number for name, number in sorted(holds.items()) if number > 0}
        total = sum(left.values())
        sizes = [total - i for i in range(min(count, total))]
        purpose, first, faces = self._faces(why, sizes, seen_by is not None)
        items = tuple(_take(left, face) for face in faces)
        self.emit(Drawn(purpose, why, rule, bag, items, first, seen_by, total, faces))
        return items

    def choose(self, among: Sequence[T], why: str, rule: str) -> T:
        """One of several at random, by a rolled die of as many sides; a single one costs no die."""
        if len(among) == 1:
            return among[0]
        (face,) = self.roll(1, len(among), why, rule)
        return among[face - 1]

    def ask(self, question: Question[T]) -> Script[Answer[T]]:
        """Put one question and wait for its answer."""
        (answer,) = yield (question,)
        return answer

    def ask_all(self, questions: Sequence[Question[T]]) -> Script[tuple[Answer[T], ...]]:
        """Put several questions at once; nobody's answer is seen before all are in."""
        if not questions:
            return ()
        return (yield tuple(questions))

    def _faces(self, why: str, sizes: Sequence[int], hidden: bool) -> tuple[str, int, tuple[int, ...]]:
        purpose = f"{self.phase}/{why}"
        first = self._used.get(purpose, 0)
        self._used[purpose] = first + len(sizes)
        face = self._chance.face
        return purpose, first, tuple(face(purpose, first + i, size, hidden) for i, size in enumerate(sizes))


def _take(left: dict[str, int], face: int) -> str:
    """Take the face-th item (from 1) out of the bag, counting through it in order of name."""
    for name, number in left.items():
        if face <= number:
            left[name] -= 1
            return name
        face -= number
    raise AssertionError("the face is larger than the bag")
