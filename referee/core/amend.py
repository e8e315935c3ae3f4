"""Figures of a position that a ruling sets: found by name in any state, changed by an event that everybody is told.

Every fold of events goes through `evolved`, so a ruling works in games that have never heard of it, and a replay, a
rewind and every reader's knowledge have it at the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from referee.core.event import Amended, Event
from referee.core.game import Game

S = TypeVar("S")

Path = tuple[str, ...]


def evolved(game: Game[S], state: S, event: Event) -> S:
    """The state after an event: a ruling's figures are set here, all else is the game's."""
    if not isinstance(event, Amended):
        return game.evolve(state, event)
    for edit in event.edits:
        state = _set(state, edit.path, edit.after)
    return state


def figures(state: Any, seats: tuple[str, ...]) -> dict[Path, int]:
    """Every whole number that stands under the name of a seat, with the path to it.

    Others, such as the number of the turn, are never offered: the course of a game hangs on them.
    """
    return {path: number for path, number in _numbers(state, ()) if any(seat in path for seat in seats)}


def named(found: Mapping[Path, int], words: str) -> list[Path]:
    """The figures whose path has all these words in this order, as `Spain gold` finds powers, Spain, stock, gold."""
    wanted = words.casefold().split()
    return [path for path in found if _in_order(wanted, " ".join(path).casefold().split())]


def _in_order(wanted: list[str], have: list[str]) -> bool:
    rest = iter(have)
    return bool(wanted) and all(word in rest for word in wanted) and wanted[-1] == have[-1]


def _numbers(value: Any, path: Path) -> Iterator[tuple[Path, int]]:
    if type(value) is int:
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from _numbers(inner, (*path, key))
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _numbers(getattr(value, name), (*path, name))


def _set(value: Any, path: Path, number: int) -> Any:
    """The value with one figure set; as it is where a reader's knowledge has no such figure."""
    if not path:
        return number if type(value) is int else value
    first, rest = path[0], path[1:]
    if isinstance(value, dict) and first in value:
        return {**value, first: _set(value[first], rest, number)}
    if isinstance(value, msgspec.Struct) and first in value.__struct_fields__:
        return msgspec.structs.replace(value, **{first: _set(getattr(value, first), rest, number)})
    return value
