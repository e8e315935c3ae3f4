"""New World as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from referee.core.chance import Chance
from referee.core.event import Event
from referee.core.game import Options, Phase
from referee.core.names import Reader, Seat
from referee.core.order import Condition, Doubt, Illegal, Intent, Order
from referee.core.page import Drawing, Page, Sheet, Tally
from referee.core.rehearsal import Fortune, Odds
from referee.core.table import Script, Table
from referee.core.vocabulary import Setting, Vocabulary
from referee.games.newworld import course
from referee.games.newworld.events import EVENTS
from referee.games.newworld.orders import BOOK, bind, bound_by
from referee.games.newworld.orders.words import vocabulary_of
from referee.games.newworld.position import seating
from referee.games.newworld.position.state import World, first_position
from referee.games.newworld.reckoning import conditions, scoring
from referee.games.newworld.rulebook.rules import RULES
from referee.games.newworld.rulebook.tables import COLOURS
from referee.games.newworld.telling import accounts, choices, forecast, rehearsal, report
from referee.games.newworld.telling.drawing import chart
from referee.games.newworld.telling.sheets import logs, sheets
from referee.kit.declared import Ahead
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

    def refuse_options(self, options: Options, players: int) -> str | None:
        return seating.refuse_options(options, players)

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return seating.seat_names(options)

    def seat_players(self, wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
        return seating.seat_players(wishes, options, chance)

    def setup(self, sides: tuple[Seat, ...], options: Options) -> World:
        return first_position(sides, options)

    def next_phase(self, state: World) -> Phase[World] | None:
        return course.next_phase(state)

    def vocabulary(self, state: World) -> Vocabulary:
        return vocabulary_of(state)

    def bind(self, state: World, seat: Seat, order: Order) -> Intent | Illegal:
        return bind(state, seat, order)

    def bound_by(self, state: World, seat: Seat) -> Hashable:
        """All that binding looks at besides the order."""
        return bound_by(state, seat)

    def ahead(self, state: World, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[World]:
        return choices.ahead(state, seat, sheet)

    def examples(self, state: World, seat: Seat) -> Mapping[str, str]:
        return choices.examples(state, seat)

    def order_form(self, state: World, seat: Seat) -> tuple[str, ...]:
        return choices.order_form(state, seat)

    def doubts(self, state: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return forecast.doubts(state, seat, sheet)

    def holds(self, state: World, seat: Seat, condition: Condition) -> bool:
        return conditions.holds(state, seat, condition)

    def report(self, before: World, events: Sequence[Event], after: World, reader: Reader) -> Page:
        return report.report(before, events, after)

    def sheets(self, history: Sequence[Event], state: World, reader: Reader) -> tuple[Sheet, ...]:
        return sheets(state)

    def logs(self, history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
        return logs(history)

    def chart(self, state: World, reader: Reader, happened: Sequence[Event] = ()) -> Drawing:
        return chart.chart(state, happened)

    def score(self, state: World) -> Tally:
        return scoring.tally(state)

    def living(self, state: World) -> tuple[Seat, ...]:
        return state.living

    def audit(self, before: World, events: Sequence[Event], after: World) -> tuple[str, ...]:
        return accounts.audit(before, events, after)

    def charged(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Whether each thing had one price."""
        return accounts.charged(events)

    def rehearse(self, table: Table[World], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
        """Play a seat's next turn alone."""
        return rehearsal.rehearse(table, seat, sheet)

    def fortunes(self, seat: Seat, before: World, events: Sequence[Event], after: World) -> Iterable[Fortune]:
        """What a rehearsal brought by dice and cards."""
        return rehearsal.fortunes(seat, before, events, after)

    def holdings(self, state: World, seat: Seat) -> Mapping[str, int]:
        """What a seat has, in figures."""
        return rehearsal.holdings(state, seat)

    def odds(self, state: World, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
        """Chances that can be calculated."""
        return rehearsal.odds(state, seat, sheet, standing)


GAME = NewWorld()
