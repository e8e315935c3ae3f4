"""The decisions that are open next, as data: step by step in an order, or in answer to a question.

An order is asked for by a script, the idiom of a phase: it yields a step, is sent what was picked, and returns the order.
Forms, HELP, boards, bots and clients of others all walk through the same script.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.order import Portion, Quantity

T = TypeVar("T")
C = TypeVar("C", covariant=True)

Picked = tuple[str, ...]
"""The answer to a step, in the words a player writes."""

Asking = Generator["Step", Picked, T]
"""A script that asks step by step, and returns the order."""

Pick = Callable[[int], int]
"""pick(n) gives a number from 0 to n - 1: how bots choose without the core knowing chance."""


class Choice(msgspec.Struct, Generic[C], frozen=True):
    """One thing to choose: the word typed, the value it stands for, what it means, and where on the map it lies."""

    word: str
    value: C
    meaning: str = ""
    at: str = ""


def placed(name: str, meaning: str = "") -> Choice[str]:
    """A place on the map by its name."""
    return Choice(name, name, meaning, name)


class Step(msgspec.Struct, frozen=True):
    """The next decision: from `least` to `most` of the choices, each once; or, where `counts` names a noun, a number.

    `usual` is what most would write. Instead of a number one of the choices may be given, such as `all`.
    """

    field: str
    choices: tuple[Choice[Any], ...] = ()
    least: int = 1
    most: int = 1
    counts: str = ""
    usual: Picked = ()

    def taken(self, picked: Picked) -> Picked:
        """The thing that was picked, if it is on offer. Raises Unknown."""
        if self.counts and len(picked) == 1 and picked[0].isdecimal():
            if len(picked[0]) > 9 or not self.least <= int(picked[0]) <= self.most:
                raise Unknown(f"{self.field} goes from {self.least} to {self.most}, not {picked[0][:20]}.")
            return picked
        words = [choice.word for choice in self.choices]
        strange = [word for word in picked if word not in words]
        if strange:
            raise Unknown(f"{self.field} is not {strange[0][:40]}; it is one of {', '.join(words) or 'none'}.")
        most, least = (1, 1) if self.counts else (self.most, self.least)
        if len(set(picked)) < len(picked) or not least <= len(picked) <= most:
            raise Unknown(f"{self.field} takes {least} to {most} of its choices, each once, not {len(picked)}.")
        return picked


class Nothing(Exception):
    """There is nothing to choose from: the order cannot be given in this position."""


class Unknown(ValueError):
    """A pick that is not on offer; the text names those that are."""


# ---------------------------------------------------------------- what a script asks


def one(field: str, choices: Iterable[Choice[T]], usual: str = "") -> Asking[T]:
    """Ask for exactly one. Raises Nothing where there is none."""
    offered = tuple(choices)
    if not offered:
        raise Nothing
    (word,) = yield Step(field, offered, usual=(usual or offered[0].word,))
    return _valued(offered)[word]


def nothing() -> Asking[Any]:
    """A choice that cannot be given now. Raises Nothing."""
    yield from ()
    raise Nothing


def alone(order: T, possible: bool) -> Asking[T]:
    """An order of which nothing is left to decide. Raises Nothing where it is not possible."""
    if not possible:
        yield from nothing()
    return order


def either(askings: Iterable[Asking[T]]) -> Asking[T]:
    """One of several scripts that each begin with one thing to choose: those are one step, and the answer tells which goes on.

    Raises Nothing where none can begin.
    """
    begun: dict[str, tuple[Asking[T], Choice[Any]]] = {}
    steps: list[Step] = []
    for asking in askings:
        with suppress(Nothing):
            steps.append(next(asking))
            for choice in steps[-1].choices:
                begun.setdefault(choice.word, (asking, choice))
    if not steps:
        raise Nothing
    picked = yield replace(steps[0], choices=tuple(choice for _, choice in begun.values()))
    asking, _ = begun[picked[0]]
    try:
        while True:
            picked = yield asking.send(picked)
    except StopIteration as done:
        found: T = done.value
        return found


def several(
    field: str, choices: Iterable[Choice[T]], least: int = 0, most: int | None = None, usual: Picked = ()
) -> Asking[tuple[T, ...]]:
    """Ask for some, in the order of preference. Raises Nothing where there are too few."""
    offered = tuple(choices)
    most = len(offered) if most is None else min(most, len(offered))
    if most < least:
        raise Nothing
    words = yield Step(field, offered, least, most, usual=usual or tuple(choice.word for choice in offered[:least]))
    values = _valued(offered)
    return tuple(values[word] for word in words)


def number(field: str, noun: str, least: int, most: int, usual: int | None = None) -> Asking[int]:
    """Ask for a number of a noun. Raises Nothing where the most is less than the least."""
    if most < least:
        raise Nothing
    (word,) = yield Step(field, (), least, most, noun, (str(least if usual is None else usual),))
    return int(word)


ALL = Choice("all", Quantity(Portion.ALL), "as many as possible")


def quantity(field: str, noun: str, most: int, of: int | None = None) -> Asking[Quantity]:
    """Ask for a number from 1 to `most` of a noun, or `all` where that is all `of` them. Raises Nothing where there is none."""
    if most < 1:
        raise Nothing
    (word,) = yield Step(field, (ALL,) if of in (None, most) else (), 1, most, noun, ("1",))
    return ALL.value if word == ALL.word else Quantity(Portion.EXACTLY, int(word))


def most_that(fits: Callable[[int], bool], most: int) -> int:
    """The greatest number up to `most` that fits, where whatever is less fits too; 0 where 1 does not."""
    if most < 1 or fits(most):
        return max(0, most)
    least, beyond = 0, most
    while beyond - least > 1:
        middle = (least + beyond) // 2
        least, beyond = (middle, beyond) if fits(middle) else (least, middle)
    return least


def _valued(choices: Sequence[Choice[T]]) -> dict[str, T]:
    return {choice.word: choice.value for choice in choices}


# ---------------------------------------------------------------- walking through a script


def walk(asking: Asking[T], answer: Callable[[Step], Picked]) -> T | None:
    """The order that such answers lead to; None where there is nothing to choose."""
    try:
        step = next(asking)
        while True:
            step = asking.send(step.taken(answer(step)))
    except StopIteration as done:
        found: T = done.value
        return found
    except Nothing:
        return None


def after(asking: Asking[T], so_far: Sequence[Picked]) -> Step | T | None:
    """The step after these answers, or the order where they are all there is to say; None where there is nothing to choose.

    Raises Unknown for an answer that is not on offer, or one too many.
    """
    try:
        step = next(asking)
        for picked in so_far:
            step = asking.send(step.taken(picked))
        return step
    except StopIteration as done:
        found: T = done.value
        return found
    except Nothing:
        return None


def every(ask: Callable[[tuple[Picked, ...]], Step | T | None], so_far: tuple[Picked, ...] = ()) -> Iterator[T]:
    """Every order that single choices lead to, the usual first; of numbers the usual alone. `ask` tells the step after answers."""
    found = ask(so_far)
    if isinstance(found, Step):
        singles = () if found.counts or found.least > 1 else tuple((choice.word,) for choice in found.choices)
        for picked in dict.fromkeys((found.usual, *singles)):
            yield from every(ask, (*so_far, picked))
    elif found is not None:
        yield found
