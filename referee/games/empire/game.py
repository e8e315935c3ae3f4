"""Empire as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from msgspec.structs import replace

from referee.core.chance import Chance
from referee.core.event import Event
from referee.core.game import Fortune, Odds, Options, Phase, Rule
from referee.core.names import Reader, Seat
from referee.core.order import Condition, Doubt, Illegal, Intent, Order, Setting, Vocabulary
from referee.core.page import Block, Drawing, Page, Sheet, Tally
from referee.core.table import Script, Table
from referee.games.empire import course
from referee.games.empire.boards import survey
from referee.games.empire.events import evolve
from referee.games.empire.events.dealing import PetitionPosted, PetitionSettled
from referee.games.empire.orders import BOOK, vocabulary_of
from referee.games.empire.orders.binding import bind, bind_later
from referee.games.empire.position.board import Board
from referee.games.empire.position.state import Empire, first_position
from referee.games.empire.reckoning import conditions
from referee.games.empire.reckoning.budget import ARMED, STARTS
from referee.games.empire.reckoning.ownership import since_when, with_kinds
from referee.games.empire.rulebook import RULES, plans
from referee.games.empire.rulebook.figures import CITY_POINTS, CONFIDENCE_POINTS, FIATS, FIGURES, TEN
from referee.games.empire.rulebook.plans import SETTINGS as HOUSES
from referee.games.empire.telling import choices, forecast, report, sheets
from referee.games.empire.telling.drawing.chart import chart
from referee.games.empire.telling.drawing.pieces import SEAT_COLOURS
from referee.games.empire.telling.form import order_form
from referee.games.empire.telling.steady import steady
from referee.kit.declared import Ahead, Book
from referee.kit.game import BaseGame, events_in
from referee.kit.rulebook import read_guide, read_revisions

SETTINGS = (
    Setting("board", survey.boards({}), "The board: drawn by hand, or generated in a size.", "emp.H-08"),
    Setting("fiat", ("none", *FIATS), "A change of rules the Head announces; the players may reject it.", "emp.P1"),
    Setting(
        "last_turn",
        ("20", "2", "3", "4", "5", "6", "8", "10", "12", "15", "30", "40", "60", "100"),
        "The turn after which a match ends.",
        "emp.H-36",
    ),
    Setting(
        "overdue",
        ("on call", "auto"),
        "A slot whose 24 hours are over waits until any other player rolls its player out, or is played at once.",
        "emp.P7",
    ),
    Setting(
        "ranking", ("yes", "no"), "Whether points rank the players, or the game ends without a winner.", "emp.H-36"
    ),
    *HOUSES,
    Setting(
        "start", STARTS, "Whether a capital begins with the goods of P4, or with a force of every arm besides.", ARMED
    ),
)

_NO_BOARD = Board("none yet", 2, 1, True, {})


class EmpireGame(BaseGame[Empire]):
    """The game of logistics and economy under the 24-hour rule, with open records.

    `drawings` are the boards this house has drawn, by name; it is asked anew for every match.
    """

    name = "empire"
    title = "Empire"
    colours = SEAT_COLOURS
    about = (
        "You run a country square by square: food, roads and railways, mines and factories, cities, and armies that must be fed. "
        "Everybody sees everything, players move one after the other with a day each, and details decide: for the patient."
    )
    aim = (
        f"After the agreed turn countries are ranked: a point for every {TEN} of the popular fund, {CONFIDENCE_POINTS} for every "
        f"one of confidence, {CITY_POINTS} for a city and 1 for a military unit; who collapses counts half."
    )
    guide = read_guide("referee.games.empire", **FIGURES)
    revisions = read_revisions("referee.games.empire")
    one_report = True
    judges_in_time = True
    events: tuple[type[Event], ...] = events_in("referee.games.empire.events")
    book: ClassVar[Book[Empire]] = BOOK
    rules: tuple[Rule, ...] = RULES
    steady = staticmethod(steady)

    def __init__(self, drawings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._drawings = drawings

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The options of a match; the boards are those that come with the game and those of this house."""
        board, *others = SETTINGS
        return (replace(board, values=survey.boards(self._drawings)), *others)

    def complete(self, options: Options) -> dict[str, str] | str:
        """emp.H-08: a drawn board is kept with the match as it was drawn when the match was created."""
        return survey.with_drawing(options, self._drawings)

    def refuse_options(self, options: Options, players: int) -> str | None:
        whole = self.complete(options)
        return whole if isinstance(whole, str) else survey.refuse_options(whole, players)

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return survey.NAMES

    def seat_players(self, wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
        return survey.seat_players(wishes, options, chance)

    def setup(self, sides: tuple[Seat, ...], options: Options) -> Empire:
        return first_position(sides, options, _NO_BOARD)

    def next_phase(self, state: Empire) -> Phase[Empire] | None:
        return course.next_phase(state)

    def suspends(self, event: Event) -> int:
        """emp.P11: a petition to suspend the 24-hour rule that has passed."""
        return event.hours if isinstance(event, PetitionSettled) and event.kind == "suspension" and event.passed else 0

    def at_once(self, event: Event) -> str:
        """emp.P19: what is posted and what came of it; a suspension that passed is told with the deadlines it moves."""
        passed = isinstance(event, PetitionSettled) and event.kind == "suspension" and event.passed
        news = isinstance(event, PetitionPosted | PetitionSettled) and not passed
        return event.cited() if news else ""

    def recount(self, events: Sequence[Event], state: Empire) -> tuple[str, ...]:
        """What happened in the slot so far, as its report will have it."""
        return report.recount(events, state)

    def phrase(self, state: Empire, intent: Intent) -> str:
        """An order with its units by their kind."""
        return with_kinds(state, intent.meaning())

    def clock(self, options: Options) -> Mapping[str, float | str]:
        """emp.P6, emp.P7: a slot lasts 24 hours; after that anybody may roll its player out."""
        return {"slot_hours": 24, "late": options["overdue"]}

    def lateness_rule(self) -> str:
        """emp.P8: days late modify the roll of confidence, which everybody reads."""
        return "emp.P8"

    def evolve(self, state: Empire, event: Event) -> Empire:
        return evolve(state, event)

    def vocabulary(self, state: Empire) -> Vocabulary:
        return vocabulary_of(state)

    def examples(self, state: Empire, seat: Seat) -> Mapping[str, str]:
        return choices.examples(state, seat)

    def bind(self, state: Empire, seat: Seat, order: Order) -> Intent | Illegal:
        return bind(state, seat, order)

    def bind_later(self, state: Empire, seat: Seat, order: Order) -> Intent | Illegal:
        return bind_later(state, seat, order)

    def ahead(self, state: Empire, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[Empire]:
        return choices.ahead(state, seat, sheet)

    def as_if_at(self, state: Empire, piece: str, place: str) -> Empire | None:
        return choices.as_if_at(state, piece, place)

    def doubts(self, state: Empire, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return forecast.doubts(state, seat, sheet)

    def preview(self, state: Empire, seat: Seat, sheet: Sequence[Intent]) -> tuple[str, ...]:
        return forecast.preview(state, seat, sheet)

    def holds(self, state: Empire, seat: Seat, condition: Condition) -> bool:
        return conditions.holds(state, seat, condition)

    def order_form(self, state: Empire, seat: Seat) -> tuple[str, ...]:
        return order_form(state, seat)

    def report(self, before: Empire, events: Sequence[Event], after: Empire, reader: Reader) -> Page:
        return report.report(before, events, after, reader)

    def sheets(self, history: Sequence[Event], state: Empire, reader: Reader) -> tuple[Sheet, ...]:
        return sheets.sheets(history, state, reader)

    def logs(self, history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
        return sheets.logs(history, reader)

    def chart(self, state: Empire, reader: Reader, happened: Sequence[Event] = ()) -> Drawing | None:
        return chart(state, reader, happened)

    def rule_tables(self, state: Empire | None) -> tuple[Block, ...]:
        """Sets of house rules with the choice in force, and the recipes of factories, each with its mark."""
        return plans.rule_tables(None if state is None else partial(since_when, state))

    def score(self, state: Empire) -> Tally:
        return conditions.tally(state)

    def living(self, state: Empire) -> tuple[Seat, ...]:
        return course.living(state)

    def audit(self, before: Empire, events: Sequence[Event], after: Empire) -> tuple[str, ...]:
        return choices.audit(before, events, after)

    def rehearse(self, table: Table[Empire], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
        return forecast.rehearse(table, seat, sheet)

    def fortunes(self, seat: Seat, before: Empire, events: Sequence[Event], after: Empire) -> Iterable[Fortune]:
        return forecast.fortunes(seat, before, events, after)

    def holdings(self, state: Empire, seat: Seat) -> Mapping[str, int]:
        return {}

    def odds(self, state: Empire, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
        return ()


GAME = EmpireGame()
