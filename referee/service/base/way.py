"""A way as a table of steps: each says what it needs of those before it, what is known after it, and why it stands there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, Generic, TypeVar, cast

import msgspec

Of = TypeVar("Of")
End = TypeVar("End")
Found = TypeVar("Found")


class WayStep(msgspec.Struct, Generic[Of, Found], frozen=True):
    """A step of a way: its name, what it does, what it needs to know, what is known after it, and why it stands here."""

    name: str
    does: Callable[[Of], Found]
    needs: tuple[Enum, ...]
    finds: Enum | None
    why: str

    @property
    def says(self) -> str:
        """The deed, read aloud."""
        return " ".join((self.does.__doc__ or "").split())


def way_step(
    name: str, does: Callable[[Of], Found], *needs: Enum, finds: Enum | None, why: str = ""
) -> WayStep[Of, Found]:
    """A row of a table, with what it needs in the order in which that is told."""
    return WayStep(name, does, needs, finds, why)


def unmet(steps: Iterable[WayStep[Any, Any]]) -> list[str]:
    """The needs of steps, in this order, that none before them has found; a sentence each."""
    known: set[Enum | None] = set()
    found = []
    for step in steps:
        found += [f'"{step.name}" needs to know: {fact.value}.' for fact in step.needs if fact not in known]
        known.add(step.finds)
    return found


def go(steps: Sequence[WayStep[Of, Of | End]], so: Of, ends: type[End]) -> End:
    """Send something on its way: each step hands it on with what it found, or ends it."""
    for step in steps:
        found = step.does(so)
        if isinstance(found, ends):
            return found
        so = cast(Of, found)
    raise AssertionError("the last step always ends the way")
