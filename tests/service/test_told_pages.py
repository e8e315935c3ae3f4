"""Reports for several readers: one for all who were told everything, one each for those who were not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.core.event import Event
from referee.core.names import Reader, Role
from referee.core.page import Drawing, Page
from referee.core.position import knowledge, told
from referee.games.newworld.game import NewWorld
from referee.games.newworld.position import World
from referee.service.match.history import Earlier
from referee.service.turn.knowledge import Hearing, Table
from referee.service.turn.reports import page_and_sheets, pages_and_sheets
from tests.core.test_knowledge import ANN, BOB, CYD, played
from tests.match import Match, create, secret_of
from tests.toy import TOY, Standoff, Toy


class Personal(NewWorld):
    """New World with reports that greet their reader."""

    one_report = False

    def report(self, before: World, events: Sequence[Event], after: World, reader: Reader) -> Page:
        return msgspec.structs.replace(super().report(before, events, after, reader), title=f"For {reader}")


def first_turn(game: NewWorld) -> Match:
    secret = secret_of("reports")
    match = Match(game, create(game, 2, {"nationalities": "no"}, secret), secret)
    match.answer(match.outcome.open[0], ())
    return match


def hearing_of(match: Match, readers: tuple[Reader, ...]) -> Hearing:
    """What they have heard before the first phase."""
    table = Table(match.game, match.created.seats, match.created.options)
    return Hearing(table, Earlier((), open=True), readers)


def test_all_who_were_told_everything_share_one_report() -> None:
    match = first_turn(NewWorld())
    ended = match.ended[-1]
    readers: tuple[Reader, ...] = (*match.created.seats, Role.OBSERVER)
    made = pages_and_sheets(hearing_of(match, readers), ended)
    assert tuple(made) == readers and len({id(one) for one in made.values()}) == 1


def test_a_game_that_writes_for_its_reader_is_asked_for_each() -> None:
    match = first_turn(Personal())
    ended = match.ended[-1]
    readers: tuple[Reader, ...] = (*match.created.seats, Role.OBSERVER)
    made = pages_and_sheets(hearing_of(match, readers), ended)
    assert [written.page.title for written in made.values()] == [f"For {reader}" for reader in readers]


class Drawn(Toy):
    """The toy game with a map that shows all its reader knows."""

    def chart(self, state: Standoff, reader: Reader, happened: Sequence[Event] = ()) -> Drawing | None:
        return Drawing(f"<svg>{reader} {state}</svg>", "")


def test_a_map_shows_what_its_reader_was_told() -> None:
    match = played(1, 3, 1)
    game, seats, options, ended = Drawn(), match.created.seats, match.created.options, match.ended[-1]
    earlier = tuple(event for phase in match.ended[:-1] for event in phase.events)
    for reader in (ANN, BOB, CYD, Role.OBSERVER):
        known = knowledge(game, seats, options, (*earlier, *ended.events), reader)
        assert page_and_sheets(game, options, seats, earlier, ended, reader).chart == game.chart(known, reader)


def test_who_was_not_told_everything_reads_what_he_was_told() -> None:
    match = played(1, 3, 1)
    seats, options, ended = match.created.seats, match.created.options, match.ended[-1]
    earlier = tuple(event for phase in match.ended[:-1] for event in phase.events)
    history = (*earlier, *ended.events)
    readers = (ANN, BOB, CYD, Role.OBSERVER, Role.REFEREE)
    made = pages_and_sheets(Hearing(Table(TOY, seats, options), Earlier(earlier), readers), ended)
    for reader, (page, sheets, chart) in made.items():
        before = knowledge(TOY, seats, options, earlier, reader)
        after = knowledge(TOY, seats, options, history, reader)
        assert page == TOY.report(before, told(ended.events, reader), after, reader)
        assert sheets == TOY.sheets(told(history, reader), after, reader)
        assert (page, sheets, chart) == page_and_sheets(TOY, options, seats, earlier, ended, reader)
    assert made[CYD] != made[ANN] != made[Role.REFEREE] and made[ANN] != made[BOB]
