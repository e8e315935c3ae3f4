"""New World as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from referee.core.chance import Chance
from referee.core.choices import Picked, Step
from referee.core.event import Event
from referee.core.game import Options, Phase, Rule
from referee.core.names import Reader, Seat
from referee.core.order import Condition, Doubt, Illegal, Intent, Order
from referee.core.page import Drawing, Page, Sheet, Tally
from referee.core.rehearsal import Fortune, Odds
from referee.core.table import Script, Table
from referee.core.vocabulary import Setting, Vocabulary
from referee.games.newworld import accounts, conditions, course, forecast, rehearsal, report, scoring, seating
from referee.games.newworld.choices import AT_ONCE_VERBS, ahead, examples, order_form
from referee.games.newworld.events import EVENTS
from referee.games.newworld.orders import BOOK, bind, bound_by, do_at_once, is_aside
from referee.games.newworld.rulebook import RULES
from referee.games.newworld.sheets import logs, sheets
from referee.games.newworld.state import World, first_position
from referee.games.newworld.words import vocabulary_of

__all__ = ["SETTINGS", "NewWorld"]

SETTINGS = (
    Setting("nationalities", ("no", "yes"), "Players play countries with their bonuses.", "nw.nation.choice"),
    Setting("coal", ("gold", "nothing", "metal"), "What a Coal territory yields.", "nw.r11"),
    Setting("finish_round", ("no", "yes"), "The round is played out after the last claim.", "nw.r30"),
    Setting("mode", ("lists", "two_step"), "Whether cards are seen before deciding.", "nw.h8"),
    Setting("last_round", ("60", "20", "30", "40", "100"), "The round after which a match ends.", "nw.h1"),
)


class NewWorld:
    """The card and record-keeping game of European powers in the New World, 1500 to 1750."""

    name = "newworld"
    title = "New World"
    one_report = True
    judges_in_time = True
    settings: tuple[Setting, ...] = SETTINGS
    events: tuple[type[Event], ...] = EVENTS
    intents: tuple[type[Intent], ...] = BOOK.intents
    rules: tuple[Rule, ...] = RULES

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

    def evolve(self, state: World, event: Event) -> World:
        return forecast.evolve(state, event)

    def vocabulary(self, state: World) -> Vocabulary:
        return vocabulary_of(state)

    def examples(self, state: World, seat: Seat) -> Mapping[str, str]:
        return examples(state, seat)

    def bind(self, state: World, seat: Seat, order: Order) -> Intent | Illegal:
        return bind(state, seat, order)

    def bind_later(self, state: World, seat: Seat, order: Order) -> Intent | Illegal:
        return bind(state, seat, order)

    def bound_by(self, state: World, seat: Seat) -> Hashable:
        return bound_by(state, seat)

    def aside_verbs(self) -> tuple[str, ...]:
        return AT_ONCE_VERBS

    def step(
        self, state: World, seat: Seat, verb: str, picked: Sequence[Picked] = (), sheet: Sequence[Intent] = ()
    ) -> Step | Intent | None:
        return BOOK.step(ahead(state, seat, sheet), seat, verb, picked)

    def line(self, state: World, intent: Intent) -> str:
        return BOOK.line(state, intent)

    def nearest(self, state: World, seat: Seat, order: Order, sheet: Sequence[Intent] = ()) -> tuple[str, ...]:
        return BOOK.nearest(ahead(state, seat, sheet), seat, order)

    def is_aside(self, intent: Intent) -> bool:
        return is_aside(intent)

    def doubts(self, state: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return forecast.doubts(state, seat, sheet)

    def holds(self, state: World, seat: Seat, condition: Condition) -> bool:
        return conditions.holds(state, seat, condition)

    def aside(self, table: Table[World], seat: Seat, intent: Intent) -> None:
        do_at_once(table, seat, intent)

    def order_form(self, state: World, seat: Seat) -> tuple[str, ...]:
        return order_form(state, seat)

    def report(self, before: World, events: Sequence[Event], after: World, reader: Reader) -> Page:
        return report.report(before, events, after)

    def sheets(self, history: Sequence[Event], state: World, reader: Reader) -> tuple[Sheet, ...]:
        return sheets(state)

    def logs(self, history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
        return logs(history)

    def chart(self, state: World, reader: Reader) -> Drawing | None:
        return None

    def score(self, state: World) -> Tally:
        return scoring.tally(state)

    def living(self, state: World) -> tuple[Seat, ...]:
        return state.living

    def audit(self, before: World, events: Sequence[Event], after: World) -> tuple[str, ...]:
        return accounts.audit(before, events, after)

    def rehearse(self, table: Table[World], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
        return rehearsal.rehearse(table, seat, sheet)

    def fortunes(self, seat: Seat, before: World, events: Sequence[Event], after: World) -> Iterable[Fortune]:
        return rehearsal.fortunes(seat, before, events, after)

    def holdings(self, state: World, seat: Seat) -> Mapping[str, int]:
        return rehearsal.holdings(state, seat)

    def odds(self, state: World, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
        return rehearsal.odds(state, seat, sheet, standing)
