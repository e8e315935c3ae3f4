"""New World as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.order import Setting
from referee.core.page import Drawing, Page, Sheet
from referee.games.newworld import course, forecast, position, report
from referee.games.newworld.drawing import chart
from referee.games.newworld.events import EVENTS
from referee.games.newworld.orders import BOOK, bind, bound_by, vocabulary_of
from referee.games.newworld.position import World, first_position
from referee.games.newworld.report import logs, sheets
from referee.games.newworld.rulebook import COLOURS, RULES
from referee.games.newworld.steady import order_form, steady
from referee.kit.game import BaseGame
from referee.kit.rulebook import read_guide, read_revisions


class NewWorld(BaseGame[World]):
    """The card and record-keeping game of European powers in the New World, 1500 to 1750."""

    name = "newworld"
    title = "New World"
    about = (
        "Powers of Europe send ships to a new world of cards: they explore, settle, trade, research and raid, round after round. "
        "The easiest of all to begin with: one page of orders a round, and the sheet that comes with each letter is filled in."
    )
    aim = (
        "Most Culture wins: every territory that you hold at the end is worth 1, and so is every level of Law and of Humanities. "
        "The last player left wins at once."
    )
    guide = read_guide("referee.games.newworld")
    revisions = read_revisions("referee.games.newworld")
    book = BOOK
    one_report = True
    judges_in_time = True
    events = EVENTS
    rules = RULES
    settings = (
        Setting("nationalities", ("no", "yes"), "Players play countries with their bonuses.", "nw.nation.choice"),
        Setting("coal", ("gold", "nothing", "metal"), "What a Coal territory yields.", "nw.r11"),
        Setting("finish_round", ("no", "yes"), "The round is played out after the last claim.", "nw.r30"),
        Setting("mode", ("lists", "two_step"), "Whether cards are seen before deciding.", "nw.h8"),
        Setting("last_round", ("60", "20", "30", "40", "100"), "The round after which a match ends.", "nw.h1"),
    )

    colours = COLOURS

    refuse_options = staticmethod(position.refuse_options)
    seat_names = staticmethod(position.seat_names)
    seat_players = staticmethod(position.seat_players)
    setup = staticmethod(first_position)
    next_phase = staticmethod(course.next_phase)
    vocabulary = staticmethod(vocabulary_of)
    bind = staticmethod(bind)
    bound_by = staticmethod(bound_by)
    ahead = staticmethod(forecast.ahead)
    examples = staticmethod(forecast.examples)
    order_form = staticmethod(order_form)
    doubts = staticmethod(forecast.doubts)
    holds = staticmethod(position.holds)
    score = staticmethod(position.tally)
    audit = staticmethod(report.audit)
    charged = staticmethod(report.charged)
    rehearse = staticmethod(forecast.rehearse)
    fortunes = staticmethod(forecast.fortunes)
    holdings = staticmethod(forecast.holdings)
    odds = staticmethod(forecast.odds)
    steady = staticmethod(steady)

    def report(self, before: World, events: Sequence[Event], after: World, reader: Reader) -> Page:
        return report.report(before, events, after)

    def sheets(self, history: Sequence[Event], state: World, reader: Reader) -> tuple[Sheet, ...]:
        return sheets(state)

    def logs(self, history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
        return logs(history)

    def chart(self, state: World, reader: Reader, happened: Sequence[Event] = ()) -> Drawing:
        return chart.chart(state, happened)

    def living(self, state: World) -> tuple[Seat, ...]:
        return state.living


GAME = NewWorld()
