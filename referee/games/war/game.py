"""War! Age of Imperialism, Version 27, as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from referee.core.choices import Asking, nothing
from referee.core.event import Event
from referee.core.game import Rule
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, Setting
from referee.games.war import course
from referee.games.war.edition import Edition
from referee.games.war.orders import BOOK, in_play, vocabulary_of
from referee.games.war.position.state import OPTIONAL, War, first_position
from referee.games.war.rulebook import RULES
from referee.games.war.steady import steady
from referee.games.war.telling import choices, forecast, form, rehearsal, report, sheets
from referee.games.war.telling.forecast import odds
from referee.games.war.telling.form import order_form
from referee.kit.declared import Book, Declared
from referee.kit.game import events_in
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
    events: tuple[type[Event], ...] = events_in("referee.games.war.events")
    book: ClassVar[Book[War]] = BOOK
    rules: tuple[Rule, ...] = RULES

    setup = staticmethod(first_position)
    next_phase = staticmethod(course.next_phase)
    vocabulary = staticmethod(vocabulary_of)
    ahead = staticmethod(choices.ahead)
    order_form = staticmethod(order_form)
    report = staticmethod(report.report)
    sheets = staticmethod(sheets.sheets)
    rehearse = staticmethod(rehearsal.rehearse)
    fortunes = staticmethod(rehearsal.fortunes)
    holdings = staticmethod(rehearsal.holdings)
    odds = staticmethod(odds)
    steady = staticmethod(steady)

    def asking(self, state: War, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Declared[War]]:
        return super().asking(state, seat, verb, sheet) if verb in in_play(state) else nothing()

    def doubts(self, state: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return (*forecast.doubts(state, seat, sheet), *form.idle_money(state, seat, sheet))


GAME = War27()
