"""What readers were told is carried on from one phase of a match to the next, and never from what was rewound."""

from __future__ import annotations

import pytest

from referee.core.event import Event
from referee.core.game import AnyGame
from referee.core.names import Reader, Role
from referee.core.position import knowledge, start, told
from referee.games import GAMES
from referee.service.turns import hearing
from referee.service.turns.hearing import Hearing, Table
from referee.service.turns.told_pages import pages_and_sheets
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


def phases(anns_card: int = 1) -> tuple[Table, tuple[tuple[Event, ...], ...]]:
    """A match of the toy game and the events of its phases."""
    match = played(anns_card, 3, 1)
    return Table(TOY, match.created.seats, match.created.options), tuple(ended.events for ended in match.ended)


def heard(
    table: Table, earlier: tuple[Event, ...], events: tuple[Event, ...], readers: tuple[Reader, ...] = READERS
) -> Hearing:
    """What the readers of match t1 heard, which must be what they hear when all is folded from the beginning."""
    found = Hearing(table, earlier, events, readers, "t1")
    assert tuple(found.before) == tuple(found.after) == readers
    for known, history in ((found.before, earlier), (found.after, (*earlier, *events))):
        for reader, what in known.items():
            assert what.told == told(history, reader)
            assert what.position(table) == knowledge(table.game, table.seats, table.options, history, reader)
            assert what.whole == all(event.told_to(reader) is event for event in history)
    return found


def test_each_phase_goes_on_from_what_was_heard_before() -> None:
    table, (first, second, *_) = phases()
    heard(table, (), first)
    heard(table, first, second)


def test_nothing_is_folded_twice() -> None:
    table, (first, second, *_) = phases()
    game = Counting()
    table = table._replace(game=game)
    Hearing(table, (), first, READERS, "t1")
    game.folded = 0
    Hearing(table, first, second, READERS, "t1")
    news = sum(len(told(second, reader)) for reader in READERS)
    assert 0 < game.folded <= news
    game.folded = 0
    Hearing(table, first, second, READERS, "t2")
    assert game.folded > news


def test_after_a_rewind_nobody_knows_what_was_rewound() -> None:
    table, (first, second, *_) = phases()
    heard(table, (), first)
    heard(table, first, second)
    _, (other, *_) = phases(anns_card=5)
    assert other != first
    heard(table, (), other)
    heard(table, other, second)
    heard(table, (), first)


def test_a_match_of_the_same_name_with_other_options_begins_anew() -> None:
    table, (first, second, *_) = phases()
    heard(table, (), first)
    heard(table._replace(options={**table.options, "rounds": "9"}), first, second)


def test_who_comes_later_hears_it_all() -> None:
    table, (first, second, *_) = phases()
    heard(table, (), first, (ANN, Role.OBSERVER))
    heard(table, first, second, (BOB, ANN, Role.OBSERVER))


def test_those_who_were_told_the_same_share_what_they_heard() -> None:
    table, (first, *_) = phases()
    found = Hearing(table, (), first, (ANN, BOB, CYD, Role.OBSERVER, Role.REFEREE))
    one = {id(what) for what in found.after.values()}
    assert len(one) == len({repr(what.told) for what in found.after.values()})


def test_a_bounded_number_of_matches_is_kept() -> None:
    table, (first, *_) = phases()
    for number in range(hearing._KEPT // 100):
        Hearing(table, (), first, READERS, f"t{number}")
    assert 10 < len(hearing._LEFT) < 100


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_reports_are_the_same_whether_carried_on_or_made_from_the_beginning(game: AnyGame) -> None:
    first = created(game, 4)
    table = BotTable(game, start(game, first))
    table.play(16)
    earlier: tuple[Event, ...] = ()
    readers: tuple[Reader, ...] = (Role.OBSERVER, *first.seats)
    for ended in table.ended:
        carried = pages_and_sheets(game, first.options, first.seats, earlier, ended, readers, "g1")
        for reader in readers:
            alone = pages_and_sheets(game, first.options, first.seats, earlier, ended, (reader,))
            assert carried[reader] == alone[reader]
        earlier = (*earlier, *ended.events)
