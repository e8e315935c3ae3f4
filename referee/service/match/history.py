"""A match as it was: its log read again up to a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial, reduce
from typing import Any, NamedTuple, overload

import msgspec
from cachetools import LRUCache

from referee.core.event import Event
from referee.core.names import Reader
from referee.core.position import evolved, knowledge, told
from referee.core.record import Codec, Entry, Forwarded, Happened, Record, Renewed, Rewound, Sealed, Tampered, counting
from referee.core.stage import Ended
from referee.service.base.ports import Step
from referee.service.match.playing import Playing, record_of


class _Past(NamedTuple):
    """The events that count up to the end of a phase, which is this entry of the log."""

    boundary: Entry
    events: tuple[Event, ...]


_KEPT = 30_000
"""So many events are kept in memory: some 15 MB."""


def _weight(past: _Past) -> int:
    return min(1 + len(past.events), _KEPT)


_PASTS: LRUCache[str, _Past] = LRUCache(_KEPT, _weight)
"""By match. The hash of the boundary says what came before it, so what a step that was undone has left does no harm."""


def past(step: Step, playing: Playing) -> tuple[Event, ...]:
    """The events of the phases that have ended."""
    known = _PASTS.get(playing.row.name)
    if known is None or known.boundary.hash != playing.boundary.hash:
        known = _PASTS[playing.row.name] = _Past(playing.boundary, _read(step, playing, known))
    return known.events


class Unread(Sequence[Event]):
    """Events that are read once somebody looks at them."""

    def __init__(self, read: Callable[[], Iterable[Event]]) -> None:
        self._read = read

    @cached_property
    def _events(self) -> tuple[Event, ...]:
        return tuple(self._read())

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, at: int) -> Event: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Event, ...]: ...

    def __getitem__(self, at: int | slice) -> Event | tuple[Event, ...]:
        return self._events[at]


class Earlier(NamedTuple):
    """The past before a phase. `open`: everybody was told all of it.

    `since` reads those events alone that came after the end of another phase; None where they do not go on from it.
    """

    events: Sequence[Event]
    open: bool = False
    since: Callable[[Entry], tuple[Event, ...] | None] = lambda _: None


def earlier_in(step: Step, playing: Playing) -> Earlier:
    """The events of the phases that have ended, not read yet; to be read while the step lasts."""
    return Earlier(Unread(partial(past, step, playing)), playing.open_information, partial(_since, step, playing))


def _read(step: Step, playing: Playing, known: _Past | None) -> tuple[Event, ...]:
    """The past from the log: of one that goes on from what is `known` only what has happened since."""
    since = _since(step, playing, known.boundary) if known is not None else None
    if known is not None and since is not None:
        return (*known.events, *since)
    return _events(playing, step.happenings(playing.row.name, 0, playing.boundary.seq))


def _since(step: Step, playing: Playing, boundary: Entry) -> tuple[Event, ...] | None:
    """The events since the phase that ended with this entry; None if the past does not go on from there."""
    if boundary.hash == playing.boundary.hash:
        return ()
    if boundary.seq > playing.boundary.seq:
        return None
    first, *since = step.happenings(playing.row.name, boundary.seq, playing.boundary.seq)
    if first.hash != boundary.hash or any(entry.kind != "event" for entry in since):
        return None
    return _events(playing, since)


def _events(playing: Playing, entries: Iterable[Entry]) -> tuple[Event, ...]:
    """The events among some entries. Each is read as it comes, so that of a long log little but its events is in memory."""
    codec = playing.codec
    events = [event for _, event in counting(_read_one(codec, entry) for entry in entries) if event is not None]
    return tuple(codec.event(event) if isinstance(event, msgspec.Raw) else event for event in events)


def _read_one(codec: Codec, entry: Entry) -> tuple[int, Record, Event | msgspec.Raw | None]:
    """An entry with its event, if it is of one; one that these rules do not know stays as it is, as a rewind may have left it."""
    record = record_of(codec, entry)
    if not isinstance(record, Happened):
        return entry.seq, record, None
    try:
        return entry.seq, record, codec.event(record.event)
    except msgspec.DecodeError:
        return entry.seq, record, record.event


def history(step: Step, playing: Playing) -> tuple[Event, ...]:
    """All events that count, those of the phase under way included."""
    return (*past(step, playing), *playing.outcome.events)


def earlier_than(step: Step, playing: Playing, later: Iterable[Ended[Any]]) -> tuple[Event, ...]:
    """The events before the first of some phases that are the last to have ended."""
    events = past(step, playing)
    return events[: len(events) - sum(len(ended.events) for ended in later)]


class _Knowledge(NamedTuple):
    """The position that a reader knows at the end of a phase, which is this entry of the log."""

    boundary: Entry
    state: Any


_KNOWLEDGE: LRUCache[tuple[str, Reader], _Knowledge] = LRUCache(300)
"""By match and reader; the hash of the boundary says what came before it, as in `_PASTS`."""


def known_to(step: Step, playing: Playing, reader: Reader) -> Any:
    """The position as a reader knows it."""
    if playing.open_information:
        return playing.outcome.state
    return _gone_on(playing, known_before(step, playing, reader), playing.outcome.events, reader)


def known_before(step: Step, playing: Playing, reader: Reader) -> Any:
    """The position at which the phase under way began, as a reader knew it then; of the log only what is new is read."""
    if playing.open_information:
        return playing.position.state
    whose = playing.row.name, reader
    kept = _KNOWLEDGE.get(whose)
    since = _since(step, playing, kept.boundary) if kept is not None else None
    if kept is not None and since is not None:
        state = _gone_on(playing, kept.state, since, reader)
    else:
        created = playing.created
        state = knowledge(playing.game, created.seats, created.options, past(step, playing), reader)
    _KNOWLEDGE[whose] = _Knowledge(playing.boundary, state)
    return state


def _gone_on(playing: Playing, state: Any, events: Iterable[Event], reader: Reader) -> Any:
    """A position after what a reader was told of some events."""
    return reduce(partial(evolved, playing.game), told(events, reader), state)


# ---------------------------------------------------------------- again
# The keys of dice that may serve again at a place of a log: docs/verify.md, section 4.


class Again:
    """The seals of a log as one goes through it, by the number of the first that has a key.

    A key may serve again as long as nothing came from outside since a seal that has it, and for mended rules if such a seal
    stood in the phase that they play anew.
    """

    def __init__(self) -> None:
        self._fresh = set[int]()
        self._anew = set[int]()
        self._alive: list[tuple[int, int]] = []
        self._before: dict[int, list[tuple[int, int]]] = {}

    def allows(self, number: int) -> bool:
        """Whether the key of this seal may serve again here."""
        return number in self._fresh or number in self._anew

    def sealed(self, seq: int, seal: Sealed) -> None:
        """A seal, by the number of its entry."""
        number = seal.again or seal.number
        self._fresh.add(number)
        self._alive.append((seq, number))

    def broken(self) -> None:
        """Something came from outside."""
        self._fresh.clear()

    def passed(self, seq: int, record: Record) -> None:
        """A record that sets others aside, or lets them count again. Raises Tampered for one that undoes no rewind."""
        match record:
            case Renewed(to=to):
                self._anew = {number for at, number in self._alive if at > to}
                self._keep(to)
            case Rewound(to=to):
                self._before[seq] = self._alive
                self._anew = set()
                self._keep(to)
            case Forwarded(undoes=undone):
                if undone not in self._before:
                    raise Tampered(seq, f"undoes entry {undone}, which is no rewind")
                self._anew = set()
                self._alive = list(self._before[undone])

    def _keep(self, to: int) -> None:
        self._alive = [(at, number) for at, number in self._alive if at <= to]
