"""What is reckoned of a position once, though many maps of it are drawn: each of its readers has another window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from referee.games.empire.position.state import Empire

T = TypeVar("T")


def once_a_position(make: Callable[[Empire], T]) -> Callable[[Empire], T]:
    """A function that remembers what it made of the position it was asked for last."""
    last: list[tuple[Empire, T]] = []

    def made(empire: Empire) -> T:
        for known, value in last:
            if known is empire:
                return value
        value = make(empire)
        last[:] = [(empire, value)]
        return value

    return made
