"""Places in a ranking: best first, equals share a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["placed"]

T = TypeVar("T")


def placed(contenders: Sequence[T], merit: Callable[[T], tuple[Any, ...]]) -> tuple[tuple[int, T], ...]:
    """(place, contender) by falling merit; equals keep their order and share the place, as in 1, 2, 2, 4."""
    ordered = sorted(contenders, key=merit, reverse=True)
    return tuple((1 + sum(merit(other) > merit(one) for other in ordered), one) for one in ordered)
