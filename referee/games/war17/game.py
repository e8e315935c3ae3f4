"""War! Age of Imperialism, Version 1.7, as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import ClassVar

from referee.core.event import Event
from referee.core.game import Options, Phase, Rule
from referee.core.names import Reader, Seat
from referee.core.order import Doubt, Intent
from referee.core.page import Page, Sheet, Tally
from referee.core.rehearsal import Fortune, Odds
from referee.core.table import Script, Table
from referee.core.vocabulary import Setting, Vocabulary
from referee.games.war.edition import Edition
from referee.games.war.orders.base import STANDING
from referee.games.war.position.state import War
from referee.games.war.telling.examples import examples
from referee.games.war17 import course
from referee.games.war17.events import EVENTS, in_edition
from referee.games.war17.orders import BOOK17
from referee.games.war17.orders.words import vocabulary_of
from referee.games.war17.position import first_position
from referee.games.war17.reckoning import scoring
from referee.games.war17.rulebook.rules import RULES
from referee.games.war17.telling import forecast, rehearsal, report, sheets
from referee.games.war17.telling.form import order_form
from referee.kit.declared import AT_ONCE, Ahead, Book
from referee.kit.rulebook import read_guide, read_revisions

SETTINGS = (
    Setting("decisions", ("standing", "interactive"), "Whether players are asked in the middle of a turn.", "R17-23"),
    Setting("end", ("turns", "hour", "3d6"), "How the end is agreed: a last turn, an hour, or three dice.", "R17-11"),
    Setting(
        "last_turn", ("12", "2", "3", "5", "8", "20", "40"), "The turn after which a match ends in any case.", "R17-11"
    ),
    Setting("dealt", ("no", "yes"), "Whether starting regions are dealt at random.", "17.setup.random.1"),
    Setting(
        "net_schools", ("no", "yes"), "Whether equal schools of both sides cancel in battle.", "17.tactical.plan.4"
    ),
)


class War17(Edition):
    """The game of colonial empires, as its Version 1.7 plays it."""

    name = "war17"
    title = "War! Age of Imperialism, Version 1.7"
    about = (
        "The same map in an older, leaner edition that is won by points. Its battles are fought in sectors, by a plan that you "
        "leave beforehand or turn by turn by letter."
    )
    aim = (
        "Most victory points win at the turn agreed: 10 for a region, 50 for a whole zone, 5 for a building, 10 for a full set of "
        "them, 1 for a unit, and a developed resource its value."
    )
    guide = read_guide("referee.games.war17")
    revisions = read_revisions("referee.games.war17")
    settings: tuple[Setting, ...] = SETTINGS
    events: tuple[type[Event], ...] = EVENTS
    book: ClassVar[Book[War]] = BOOK17
    rules: tuple[Rule, ...] = RULES

    @property
    def intents(self) -> tuple[type[Intent], ...]:
        return BOOK17.intents

    def setup(self, sides: tuple[Seat, ...], options: Options) -> War:
        return first_position(sides, options)

    def next_phase(self, state: War) -> Phase[War] | None:
        return course.next_phase(state)

    def vocabulary(self, state: War) -> Vocabulary:
        return vocabulary_of(state)

    def examples(self, state: War, seat: Seat) -> Mapping[str, str]:
        known = {verb.word for verb in (*vocabulary_of(state).verbs, *vocabulary_of(state).predicates)}
        found = examples(state, seat)
        found = found and {**found, **self.own_examples(state, seat)}
        return {word: line for word, line in found.items() if word in known}

    def ahead(self, state: War, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[War]:
        match state.stage:
            case "movement":
                later = cache(lambda: forecast.after_moves(state, seat, sheet))
            case "production":
                later = cache(lambda: forecast.after_production(state, seat, sheet))
            case _:
                return lambda _: state
        return lambda verb: state if BOOK17.orders[verb].phase in (AT_ONCE, STANDING) else later()

    def doubts(self, state: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return forecast.doubts(state, seat, sheet)

    def aside(self, table: Table[War], seat: Seat, intent: Intent) -> None:
        super().aside(in_edition(table), seat, intent)

    def order_form(self, state: War, seat: Seat) -> tuple[str, ...]:
        return order_form(state, seat)

    def report(self, before: War, events: Sequence[Event], after: War, reader: Reader) -> Page:
        return report.report(before, events, after, reader)

    def sheets(self, history: Sequence[Event], state: War, reader: Reader) -> tuple[Sheet, ...]:
        return sheets.sheets(history, state, reader)

    def score(self, state: War) -> Tally:
        return scoring.tally(state)

    def rehearse(self, table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
        return rehearsal.rehearse(table, seat, sheet)

    def fortunes(self, seat: Seat, before: War, events: Sequence[Event], after: War) -> Iterable[Fortune]:
        return rehearsal.fortunes(seat, before, events, after)

    def holdings(self, state: War, seat: Seat) -> Mapping[str, int]:
        return rehearsal.holdings(state, seat)

    def odds(self, state: War, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
        return ()


GAME = War17()
