"""What readers were told is carried on from one phase of a match to the next, and never from what was rewound."""

from __future__ import annotations

from hashlib import sha256

import pytest

from referee.core.event import Event
from referee.core.game import AnyGame
from referee.core.names import Reader, Role, Seat
from referee.core.position import knowledge, start, told
from referee.core.record import Entry
from referee.games import GAMES
from referee.service.match.history import Earlier, Unread
from referee.service.turn import knowledge as hearing
from referee.service.turn.knowledge import Hearing, Table
from referee.service.turn.reports import page_and_sheets, pages_and_sheets
from tests.bench.botplay import BotTable, created
from tests.core.test_knowledge import ANN, BOB, CYD, played
from tests.toy import TOY, Standoff, Toy

READERS: tuple[Reader, ...] = (ANN, BOB, CYD, Role.OBSERVER, Role.REFEREE)


@pytest.fixture(autouse=True)
def nothing_left() -> None:
    hearing._LEFT.clear()


class Counting(Toy):
    """The toy game, which counts the events that are folded."""

    def __init__(self) -> None:
        self.folded = 0

    def evolve(self, state: Standoff, event: Event) -> Standoff:
        self.folded += 1
        return super().evolve(state, event)


class Log:
    """A log in which phases end: after each, the entry with which it ended, and how often all before it was read."""

    def __init__(self) -> None:
        self.events: tuple[Event, ...] = ()
        self.ends: dict[str, int] = {}
        self.reads = 0

    def boundary(self) -> Entry:
        """The entry with which the last phase ended."""
        digest = sha256(repr(self.events).encode()).hexdigest()
        self.ends[digest] = len(self.events)
        return Entry("t1", len(self.events), "", "event", "", "", "", "", digest)

    def earlier(self) -> Earlier:
        """All events so far, to be read."""

        def read() -> tuple[Event, ...]:
            self.reads += 1
            return events

        def since(boundary: Entry) -> tuple[Event, ...] | None:
            begins = self.ends.get(boundary.hash, -1)
            return events[begins:] if 0 <= begins <= len(events) else None

        events = self.events
        return Earlier(Unread(read), all(event.told_to(Role.OBSERVER) is event for event in events), since)

    def back_to(self, number: int) -> None:
        """Rewind, so that only so many events have happened."""
        self.events = self.events[:number]
        self.ends = {digest: end for digest, end in self.ends.items() if end <= number}


def phases(anns_card: int = 1) -> tuple[Table, tuple[tuple[Event, ...], ...]]:
    """A match of the toy game and the events of its phases."""
    match = played(anns_card, 3, 1)
    return Table(TOY, match.created.seats, match.created.options), tuple(ended.events for ended in match.ended)


def heard(table: Table, log: Log, events: tuple[Event, ...], readers: tuple[Reader, ...] = READERS) -> None:
    """The readers of match t1 hear what they hear when all is folded from the beginning, and leave it."""
    found = Hearing(table, log.earlier(), readers, "t1")
    earlier, log.events = log.events, (*log.events, *events)
    found.hear(events)
    assert tuple(found.before) == tuple(found.after) == readers
    for known, history in ((found.before, earlier), (found.after, log.events)):
        for reader, what in known.items():
            assert tuple(what.told) == told(history, reader)
            assert what.position(table) == knowledge(table.game, table.seats, table.options, history, reader)
            assert what.whole == all(event.told_to(reader) is event for event in history)
    found.leave(log.boundary())


def test_each_phase_goes_on_from_what_was_heard_before() -> None:
    table, all_phases = phases()
    log = Log()
    for events in all_phases:
        heard(table, log, events)


def test_nothing_is_folded_twice_and_what_was_told_is_not_read() -> None:
    table, (first, second, *_) = phases()
    game = Counting()
    table = table._replace(game=game)
    log = Log()
    heard(table, log, first)
    game.folded = log.reads = 0
    found = Hearing(table, log.earlier(), READERS, "t1")
    found.hear(second)
    news = sum(len(told(second, reader)) for reader in READERS if not found.after[reader].whole)
    assert 0 < game.folded <= news and not log.reads
    game.folded = 0
    other = Log()
    other.events = log.events
    Hearing(table, other.earlier(), READERS, "t2").hear(second)
    assert game.folded > news and other.reads == 1


def test_a_phase_that_another_program_told_of_is_heard_before_the_next() -> None:
    """Several desks share a match: of one that was told of elsewhere only what is new is folded."""
    table, (first, second, *_) = phases()
    log = Log()
    heard(table, log, first[:2])
    log.events += first[2:]
    log.boundary()
    heard(table, log, second)


def test_after_a_rewind_nobody_knows_what_was_rewound() -> None:
    table, (first, second, *_) = phases()
    log = Log()
    heard(table, log, first)
    heard(table, log, second)
    _, (other, *_) = phases(anns_card=5)
    assert other != first
    for events in (other, first):
        log.back_to(0)
        heard(table, log, events)
        heard(table, log, second)


def test_a_match_of_the_same_name_with_other_options_begins_anew() -> None:
    table, (first, second, *_) = phases()
    log = Log()
    heard(table, log, first)
    heard(table._replace(options={**table.options, "rounds": "9"}), log, second)


def test_who_comes_later_hears_it_all() -> None:
    table, (first, second, *_) = phases()
    log = Log()
    heard(table, log, first, (ANN, Role.OBSERVER))
    heard(table, log, second, (BOB, ANN, Role.OBSERVER))


def test_those_who_were_told_the_same_share_what_they_heard() -> None:
    table, (first, second, *_) = phases()
    readers = (*READERS, Seat("Dan"), Seat("Eve"))
    log = Log()
    for events in (first, second):
        found = Hearing(table, log.earlier(), readers, "t1")
        found.hear(events)
        log.events += events
        found.leave(log.boundary())
        assert len({id(what) for what in found.after.values()}) == len(READERS)
        assert found.after[Seat("Eve")] is found.after[Seat("Dan")] is found.after[Role.OBSERVER]


def test_a_bounded_number_of_matches_is_kept() -> None:
    table, (first, *_) = phases()
    log = Log()
    for number in range(hearing._KEPT):
        found = Hearing(table, log.earlier(), READERS, f"t{number}")
        found.hear(first)
        found.leave(log.boundary())
    assert 10 < len(hearing._LEFT) < hearing._KEPT


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_reports_are_the_same_whether_carried_on_or_made_from_the_beginning(game: AnyGame) -> None:
    first = created(game, 4)
    bots = BotTable(game, start(game, first))
    bots.play(16)
    log, table = Log(), Table(game, first.seats, first.options)
    readers: tuple[Reader, ...] = (Role.OBSERVER, *first.seats)
    for ended in bots.ended:
        hearing = Hearing(table, log.earlier(), readers, "g1")
        carried = pages_and_sheets(hearing, ended)
        for reader in readers:
            assert carried[reader] == page_and_sheets(game, first.options, first.seats, log.events, ended, reader)
        log.events += ended.events
        hearing.leave(log.boundary())
