"""Places in a ranking: best first, equals share a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


def placed(contenders: Sequence[T], merit: Callable[[T], tuple[Any, ...]]) -> tuple[tuple[int, T], ...]:
    """(place, contender) by falling merit; equals keep their order and share the place, as in 1, 2, 2, 4."""
    rated = sorted(((merit(one), one) for one in contenders), key=lambda entry: entry[0], reverse=True)
    places: dict[tuple[Any, ...], int] = {}
    for number, (worth, _) in enumerate(rated, 1):
        places.setdefault(worth, number)
    return tuple((places[worth], one) for worth, one in rated)
