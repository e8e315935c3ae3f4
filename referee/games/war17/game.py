"""War! Age of Imperialism, Version 1.7, as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from referee.core.event import Event
from referee.core.game import Odds, Rule
from referee.core.names import Seat
from referee.core.order import Intent, Setting
from referee.core.table import Table
from referee.games.war.edition import Edition
from referee.games.war.orders.base import STANDING
from referee.games.war.position.state import War
from referee.games.war17 import course, telling
from referee.games.war17.events import EVENTS, in_edition
from referee.games.war17.orders import BOOK17, vocabulary_of
from referee.games.war17.position import first_position
from referee.games.war17.rulebook import RULES
from referee.games.war17.steady import steady
from referee.games.war17.telling import order_form
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

    setup = staticmethod(first_position)
    next_phase = staticmethod(course.next_phase)
    vocabulary = staticmethod(vocabulary_of)
    doubts = staticmethod(telling.doubts)
    order_form = staticmethod(order_form)
    report = staticmethod(telling.report)
    sheets = staticmethod(telling.sheets)
    rehearse = staticmethod(telling.rehearse)
    fortunes = staticmethod(telling.fortunes)
    holdings = staticmethod(telling.holdings)
    steady = staticmethod(steady)

    def ahead(self, state: War, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[War]:
        match state.stage:
            case "movement":
                later = cache(lambda: telling.after_moves(state, seat, sheet))
            case "production":
                later = cache(lambda: telling.after_production(state, seat, sheet))
            case _:
                return lambda _: state
        return lambda verb: state if BOOK17.orders[verb].phase in (AT_ONCE, STANDING) else later()

    def aside(self, table: Table[War], seat: Seat, intent: Intent) -> None:
        super().aside(in_edition(table), seat, intent)

    def odds(self, state: War, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
        return ()


GAME = War17()
