"""War! Age of Imperialism, Version 27, as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from referee.core.choices import Asking, nothing
from referee.core.event import Event
from referee.core.game import Options, Phase, Rule
from referee.core.names import Reader, Seat
from referee.core.order import Doubt, Intent
from referee.core.page import Page, Sheet, Tally
from referee.core.rehearsal import Fortune, Odds
from referee.core.table import Script, Table
from referee.core.vocabulary import Setting, Vocabulary
from referee.games.war import course
from referee.games.war.edition import Edition
from referee.games.war.events import EVENTS
from referee.games.war.orders import BOOK, in_play
from referee.games.war.orders.words import vocabulary_of
from referee.games.war.position.options import OPTIONAL
from referee.games.war.position.state import War, first_position
from referee.games.war.reckoning import scoring
from referee.games.war.rulebook.rules import RULES
from referee.games.war.telling import choices, forecast, idle, rehearsal, report, sheets
from referee.games.war.telling.examples import examples
from referee.games.war.telling.form import order_form
from referee.games.war.telling.odds import odds
from referee.kit.declared import Ahead, Book, Declared
from referee.kit.rulebook import read_guide, read_revisions

SETTINGS = (
    Setting("decisions", ("standing", "interactive"), "Whether players are asked in the middle of a turn.", "R27-82"),
    Setting(
        "production",
        ("together", "in_order"),
        "Whether all production sheets are due at once.",
        "27.production.order.2",
    ),
    Setting("force_pool", ("no", "yes"), "Whether the pieces of the box limit how many units one may have.", "R27-06"),
    Setting("native_landing", ("no", "yes"), "Whether landing among natives has the malus of an invasion.", "R27-54"),
    Setting(
        "last_turn",
        ("40", "2", "3", "5", "8", "12", "20", "30", "60", "100"),
        "The turn after which a match ends.",
        "R27-83",
    ),
    *OPTIONAL,
)


class War27(Edition):
    """The game of colonial empires, as its Version 27 plays it."""

    name = "war27"
    title = "War! Age of Imperialism, Version 27"
    about = (
        "The great powers of the nineteenth century divide the globe: armies and fleets on a map of the world, natives, "
        "factories, alliances, and battles by dice that you may lead round by round. Long and rich: for who likes a big board."
    )
    aim = (
        "Most victory points win: 10 for a region, 50 for a whole zone, 5 for a building, 1 for a unit or a sphere, and more for "
        "sets of buildings and developed resources."
    )
    guide = read_guide("referee.games.war")
    revisions = read_revisions("referee.games.war")
    settings: tuple[Setting, ...] = SETTINGS
    events: tuple[type[Event], ...] = EVENTS
    book: ClassVar[Book[War]] = BOOK
    rules: tuple[Rule, ...] = RULES

    @property
    def intents(self) -> tuple[type[Intent], ...]:
        return BOOK.intents

    def setup(self, sides: tuple[Seat, ...], options: Options) -> War:
        return first_position(sides, options)

    def next_phase(self, state: War) -> Phase[War] | None:
        return course.next_phase(state)

    def vocabulary(self, state: War) -> Vocabulary:
        return vocabulary_of(state)

    def examples(self, state: War, seat: Seat) -> Mapping[str, str]:
        known = examples(state, seat)
        if not known:
            return {}
        return known | {verb: line for verb, line in self.own_examples(state, seat).items() if verb in in_play(state)}

    def asking(self, state: War, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Declared[War]]:
        return super().asking(state, seat, verb, sheet) if verb in in_play(state) else nothing()

    def ahead(self, state: War, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[War]:
        return choices.ahead(state, seat, sheet)

    def doubts(self, state: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return (*forecast.doubts(state, seat, sheet), *idle.doubts(state, seat, sheet))

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
        return odds(state, seat, sheet, standing)


GAME = War27()
