"""Who sits where: first come, first served."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat


def first_come(names: Sequence[str], wishes: Sequence[Sequence[str]]) -> tuple[Seat, ...]:
    """Each applicant's seat; who names no free one gets the first that nobody else has."""
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
