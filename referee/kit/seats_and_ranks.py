"""Places: at the start who sits where, first come, first served; at the end a ranking, best first, in which equals share one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from referee.core.names import Seat

T = TypeVar("T")


def first_come(names: Sequence[str], wishes: Sequence[Sequence[str]]) -> tuple[Seat, ...]:
    """Each applicant's seat; one who names no free one gets the first that nobody else has."""
    free = list(names)
    seats = [first_free(wished, free) for wished in wishes]
    return tuple(seat or Seat(free.pop(0)) for seat in seats)


def first_free(wished: Sequence[str], free: list[str]) -> Seat:
    """The first seat wished for that is free, taken from `free`; an empty one where there is none."""
    for wish in wished:
        for name in free:
            if name.casefold() == wish.casefold():
                free.remove(name)
                return Seat(name)
    return Seat("")


def placed(contenders: Sequence[T], merit: Callable[[T], tuple[Any, ...]]) -> tuple[tuple[int, T], ...]:
    """(place, contender) by falling merit; equals keep their order and share the place, as in 1, 2, 2, 4."""
    rated = sorted(((merit(one), one) for one in contenders), key=lambda entry: entry[0], reverse=True)
    places: dict[tuple[Any, ...], int] = {}
    for number, (worth, _) in enumerate(rated, 1):
        places.setdefault(worth, number)
    return tuple((places[worth], one) for worth, one in rated)
