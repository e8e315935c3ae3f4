"""What each reader of a match was told so far, and the position he knows by it, carried on from phase to phase.

A match has hundreds of events behind it when a phase ends, and many readers know the position only by what they were told:
to fold all that anew for each of them took longer than their letters. So the last phase of a match leaves here what its
readers know, and the next goes on from there, if it stands in the log behind just that phase. After a rewind, a renewal or a
transaction that was undone it does not, and everything is folded from the beginning again. What they were told stays unread
until somebody looks, and of a match of which everybody was told everything nothing is left, as all know the position itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import is_
from typing import Any, NamedTuple

from cachetools import LRUCache

from referee.core.amend import evolved
from referee.core.event import Event
from referee.core.game import Game, Options
from referee.core.names import Reader, Seat
from referee.core.position import told
from referee.core.record import Entry
from referee.service.match.history import Earlier, Unread


class Table(NamedTuple):
    """What knowledge begins with: a game, who plays it, and by which options."""

    game: Game[Any]
    seats: tuple[Seat, ...]
    options: Options


class Heard(NamedTuple):
    """Events as a reader learnt of them, and the position they fold to.

    `whole`: he learnt all there was, so what he knows is the position itself, and none is folded for him.
    """

    told: Sequence[Event]
    state: Any
    whole: bool

    def position(self, table: Table) -> Any:
        """The position that he knows."""
        return _folded(table, table.game.setup(table.seats, table.options), self.told) if self.whole else self.state


class _Left(NamedTuple):
    """What the readers knew at the end of a phase, which is this entry of the log; what they were told is not in it."""

    table: Table
    boundary: Entry
    heard: Mapping[Reader, Heard]


_KEPT = 300
"""So many positions are kept in memory: of some sixty matches."""


def _weight(left: _Left) -> int:
    return min(len({id(heard) for heard in left.heard.values()}), _KEPT)


_LEFT: LRUCache[str, _Left] = LRUCache(_KEPT, _weight)
"""By match; the one used longest ago goes first."""

_NOTHING = Heard((), None, True)


class Hearing:
    """What some readers heard before a phase and after it; those who were told the same share one of each."""

    def __init__(self, table: Table, earlier: Earlier, readers: Iterable[Reader], match: str = "") -> None:
        """`match`: where to go on from what the phase before has left; "": nowhere."""
        self.table, self._match = table, match
        self.before = self.after = self._so_far(earlier, tuple(readers))

    def _so_far(self, earlier: Earlier, readers: tuple[Reader, ...]) -> dict[Reader, Heard]:
        events = earlier.events
        if earlier.open:
            return dict.fromkeys(readers, Heard(events, None, True))
        left = _LEFT.get(self._match)
        since = earlier.since(left.boundary) if left is not None and left.table == self.table else None
        found: dict[Reader, Heard] = {}
        if left is not None and since is not None:
            until, known = (
                -len(since) or None,
                {reader: left.heard[reader] for reader in readers if reader in left.heard},
            )
            known = _telling(known, lambda reader: Unread(lambda: told(events[:until], reader)))
            found = _gone_on(self.table, known, since)
        if anew := [reader for reader in readers if reader not in found]:
            found |= _gone_on(self.table, dict.fromkeys(anew, _NOTHING), tuple(events))
        return {reader: found[reader] for reader in readers}

    def hear(self, events: tuple[Event, ...]) -> None:
        """Go on to the end of the next phase, in which this has happened."""
        self.before, self.after = self.after, _gone_on(self.table, self.after, events)

    def leave(self, boundary: Entry) -> None:
        """Leave what is known now for the next phase of the match; the last one ended with this entry."""
        if all(heard.whole for heard in self.after.values()):
            _LEFT.pop(self._match, None)
        else:
            _LEFT[self._match] = _Left(self.table, boundary, _telling(self.after, lambda _: ()))


def _telling(heard: Mapping[Reader, Heard], tell: Callable[[Reader], Sequence[Event]]) -> dict[Reader, Heard]:
    """The same, by what each was told instead; who shares one still does."""
    made: dict[int, Heard] = {}
    for reader, was in heard.items():
        if id(was) not in made:
            made[id(was)] = was._replace(told=tell(reader))
    return {reader: made[id(was)] for reader, was in heard.items()}


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
    return Heard(Unread(lambda: (*was.told, *learnt)), state, whole)


def _folded(table: Table, state: Any, events: Iterable[Event]) -> Any:
    for event in events:
        state = evolved(table.game, state, event)
    return state
