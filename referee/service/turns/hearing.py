"""What each reader of a match was told so far, and the position he knows by it, carried on from phase to phase.

A match has hundreds of events behind it when a phase ends, and most readers know the position only by what they were told:
to fold all that anew for each of them took longer than their letters. So the last phase of a match leaves here what its
readers had heard, and the next goes on from there, if the history before it begins with just the events that were heard. After
a rewind, a renewal or a transaction that was undone it does not, and everything is folded from the beginning again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import is_
from typing import Any, NamedTuple

from cachetools import LRUCache

from referee.core.amend import evolved
from referee.core.event import Event
from referee.core.game import Game, Options
from referee.core.names import Reader, Seat
from referee.core.position import told


class Table(NamedTuple):
    """What knowledge begins with: a game, who plays it, and by which options."""

    game: Game[Any]
    seats: tuple[Seat, ...]
    options: Options


class Heard(NamedTuple):
    """Events as a reader learnt of them, and the position they fold to.

    `whole`: he learnt all there was, so what he knows is the position itself, and none is folded for him.
    """

    told: tuple[Event, ...]
    state: Any
    whole: bool

    def position(self, table: Table) -> Any:
        """The position that he knows."""
        return _folded(table, table.game.setup(table.seats, table.options), self.told) if self.whole else self.state


class _Left(NamedTuple):
    """What a phase left: all events up to its end, and what each reader had heard of them."""

    table: Table
    events: tuple[Event, ...]
    heard: Mapping[Reader, Heard]


_KEPT = 30_000
"""So many events are kept in memory: of sixty young matches or five old ones."""


def _weight(left: _Left) -> int:
    return min(500 + len(left.events), _KEPT)


_LEFT: LRUCache[str, _Left] = LRUCache(_KEPT, _weight)
"""By match; the one used longest ago goes first."""

_NOTHING = Heard((), None, True)


class Hearing:
    """What some readers heard before a phase and after it; those who were told the same share one of each."""

    def __init__(
        self,
        table: Table,
        earlier: tuple[Event, ...],
        events: tuple[Event, ...],
        readers: Iterable[Reader],
        match: str = "",
    ) -> None:
        """`match`: where to go on from, and to leave what was heard for the next time; "" for neither."""
        readers, left = tuple(readers), _LEFT.get(match)
        if left is not None and not (left.table == table and left.events == earlier[: len(left.events)]):
            left = None
        known, since = (left.heard, earlier[len(left.events) :]) if left else ({}, earlier)
        again = {reader: known[reader] for reader in readers if reader in known}
        anew = {reader: _NOTHING for reader in readers if reader not in known}
        before = _gone_on(table, again, since) | _gone_on(table, anew, earlier)
        self.before = {reader: before[reader] for reader in readers}
        self.after = _gone_on(table, self.before, events)
        if match:
            _LEFT[match] = _Left(table, (*earlier, *events), self.after)


def _gone_on(table: Table, heard: Mapping[Reader, Heard], events: tuple[Event, ...]) -> dict[Reader, Heard]:
    """What each has heard after further events."""
    if not events:
        return dict(heard)
    found: dict[Reader, Heard] = {}
    made: list[tuple[Heard, tuple[Event, ...], Heard]] = []
    for reader, was in heard.items():
        learnt = told(events, reader)
        after = next((after for before, same, after in made if before is was and same == learnt), None)
        if after is None:
            after = _learnt(table, was, events, learnt)
            made.append((was, learnt, after))
        found[reader] = after
    return found


def _learnt(table: Table, was: Heard, events: tuple[Event, ...], learnt: tuple[Event, ...]) -> Heard:
    whole = was.whole and len(learnt) == len(events) and all(map(is_, learnt, events))
    state = None if whole else _folded(table, was.position(table), learnt)
    return Heard((*was.told, *learnt), state, whole)


def _folded(table: Table, state: Any, events: Iterable[Event]) -> Any:
    for event in events:
        state = evolved(table.game, state, event)
    return state
