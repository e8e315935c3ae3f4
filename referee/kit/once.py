"""What is reckoned of a position once, though many ask for it: each of its readers, and both the end of a phase and the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


def once_a_position(keep: int = 1) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """A function that remembers what it made of so many positions, those that it was asked for first last."""

    def remembering(make: Callable[[S], T]) -> Callable[[S], T]:
        last: deque[tuple[S, T]] = deque(maxlen=keep)

        def made(position: S) -> T:
            for known, value in last:
                if known is position:
                    return value
            value = make(position)
            last.append((position, value))
            return value

        return made

    return remembering
