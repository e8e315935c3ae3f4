"""The course of a match, slot after slot in movement order (emp.P6 to emp.P10), and Empire as a Game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, reduce
from operator import or_
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.event import Event
from referee.core.game import Options, Phase, Rule
from referee.core.names import Seat
from referee.core.order import Intent, Setting, due
from referee.core.page import Block
from referee.core.question import Answer, Orders, Pace, Question, Source
from referee.core.table import Script, Table
from referee.games.empire.boards import survey
from referee.games.empire.bots import suggest
from referee.games.empire.deeds.debts_and_petitions import (
    bona_fide,
    change_house_rules,
    ends_the_game,
    judge_band,
    settle_dues,
    settle_petitions,
    vote_quorum,
)
from referee.games.empire.deeds.fighting import cities_fall
from referee.games.empire.deeds.moving import end_of_picks, show_picks
from referee.games.empire.deeds.works import end_turn
from referee.games.empire.events import evolve
from referee.games.empire.events.course import (
    ConfidenceRolled,
    CountryDissolved,
    GameEnded,
    GovernmentLost,
    GovernmentNamed,
    OrderRefused,
    RolledOut,
    SlotCame,
    SlotOpened,
)
from referee.games.empire.events.dealing import PetitionPosted, PetitionSettled
from referee.games.empire.orders import BOOK, vocabulary_of
from referee.games.empire.orders.arming import arm_the_waiting
from referee.games.empire.orders.base import SLOT, AsideOrder, Assault, Execute, RollOut, SlotOrder
from referee.games.empire.orders.binding import attempt, bind, bind_later
from referee.games.empire.orders.standing import BIRTHS
from referee.games.empire.phases.supply import begin_turn
from referee.games.empire.phases.turn_end import close_budget, end_moves, move_confidence
from referee.games.empire.phases.zero_turn import lay_board, zero_turn
from referee.games.empire.position import Board
from referee.games.empire.position.state import Country, Empire, first_position
from referee.games.empire.reckoning.budget import ARMED, STARTS
from referee.games.empire.reckoning.conditions import coming, holds, tally
from referee.games.empire.reckoning.ownership import since_when, with_kinds
from referee.games.empire.rulebook import CITY_POINTS, CONFIDENCE_POINTS, FIATS, FIGURES, RULES, TEN, plans
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import SETTINGS as HOUSES
from referee.games.empire.steady_player import STEADY, order_form, steady
from referee.games.empire.strong_player import NEAR, PATIENT, STRONG, challenger, prospects
from referee.games.empire.telling import forecast, report, sheets
from referee.games.empire.telling.drawing import chart
from referee.games.empire.telling.drawing.pieces import SEAT_COLOURS
from referee.games.empire.telling.sheets.slots import logs
from referee.kit.declared import Book
from referee.kit.game import BaseGame, events_in
from referee.kit.rulebook import read_guide, read_revisions

# ---------------------------------------------------------------- the course of a match
# The board, the zero turn, then slot after slot in movement order (emp.P6 to emp.P10).


_IN_SLOT = tuple(
    kind
    for kind in BOOK.intents
    if issubclass(kind, SlotOrder) and (kind in BIRTHS or not issubclass(kind, AsideOrder))
)
"""The contents of a sheet. A bot, who has no other place for a word on births, may have it in his."""

_SHEET: Any = reduce(or_, _IN_SLOT)

VERBS = BOOK.verbs_of(SLOT)
"""The verbs that may be ordered in one's own slot."""


def next_phase(empire: Empire) -> Phase[Empire] | None:
    """The board, the capitals, then a phase for each slot; None when the game is over."""
    if empire.ended:
        return None
    match empire.stage:
        case "board":
            return Phase("T0/board", 0, "The board", lay_board)
        case "capitals":
            return Phase("T0/capitals", 1, "Zero turn: capitals", partial(zero_turn, suggest=suggest, sound=steady))
    assert empire.active is not None  # in play a slot is always somebody's
    title = f"Turn {empire.turn}: {empire.active}"
    return Phase(f"T{empire.turn}/{empire.active}", empire.slot, title, partial(play_slot, seat=empire.active))


def living(empire: Empire) -> tuple[Seat, ...]:
    """Seats that run a country, in movement order; before capitals stand, everybody."""
    if empire.stage != "play":
        return empire.order
    return tuple(seat for seat in empire.order if empire.owned(seat))


def slots(empire: Empire, turn: int) -> tuple[Seat, ...]:
    """emp.P2: who has a slot in a turn, in movement order: bona fide players; everybody who runs a country where none is one."""
    return bona_fide(replace(empire, turn=turn)) or living(empire)


# ---------------------------------------------------------------- a slot


def play_slot(table: Table[Empire], seat: Seat) -> Script[None]:
    """Yields, births, food; orders in parts until the roll; end-of-turn work; the roll of confidence."""
    table.emit(SlotOpened(seat))
    for country in _moving(table.state):
        _begin(table, country.name)
    cities_fall(table)
    last, rolls = yield from _orders(table, seat)
    for country in _moving(table.state):
        end_moves(table, country.name)
        end_turn(table, country.name)
        arm_the_waiting(table, country.name)
        end_of_picks(table, country.name)
    cities_fall(table)
    _roll_out(table, seat, last, rolls)
    _pass_on(table)


def _moving(empire: Empire) -> tuple[Country, ...]:
    """Countries whose turn this slot is, also those split off or handed on in it; not who has moved already."""
    return tuple(country for country in empire.countries.values() if country.slot == empire.slot and not country.dead)


def _begin(table: Table[Empire], country: str) -> None:
    judge_band(table, country)
    _name_government(table, country)
    show_picks(table, country)
    begin_turn(table, country)


def _name_government(table: Table[Empire], country: str) -> None:
    """At its own next turn a country without a government makes a coolie in a city its government."""
    empire = table.state
    if not empire.countries[country].leaderless:
        return
    cities = [city.at for city in empire.cities.values() if city.country == country]
    found = next((unit for unit in empire.units_of(country, "coolie") if unit.at in cities), None)
    if found is not None:
        table.emit(GovernmentNamed(country, found.number))


def _orders(table: Table[Empire], seat: Seat) -> Script[tuple[Answer[tuple[Intent, ...]], bool]]:
    """Sheet after sheet, each carried out as far as it goes, until one rolls out (True) or the time is over."""
    part, before = 1, 0
    while True:
        answer = yield from table.ask(_sheet(table, seat, part))
        own = _own_word(table.state, seat, answer)
        for line, intent in coming(table, seat, answer.value):
            if isinstance(intent, RollOut):
                return answer, True
            if isinstance(intent, Assault) and not own:
                order = with_kinds(table.state, intent.meaning())
                table.emit(OrderRefused(seat, before + line, order, _NOT_IMPLIED, "emp.P9"))
            elif not isinstance(intent, Execute):
                attempt(table, seat, before + line, intent)
        # A sheet without ROLL OUT ends the slot where somebody rolled out, where nobody wrote it, or with nothing in it.
        if answer.by or answer.source is not Source.PLAYER or not answer.value:
            return answer, False
        part, before = part + 1, before + len(answer.value)


def _own_word(empire: Empire, seat: Seat, answer: Answer[tuple[Intent, ...]]) -> bool:
    """Whether the player himself has the orders carried out: by ROLL OUT or EXECUTE in them, or a later letter (emp.P9)."""
    if answer.by:
        return False
    said = due(answer.value, lambda condition: holds(empire, seat, condition))
    return answer.source is Source.PLAYER or any(isinstance(intent, RollOut | Execute) for intent in said)


_NOT_IMPLIED = "An attack is never implied: only a player who rolls out himself, or writes EXECUTE, makes it."


def _sheet(table: Table[Empire], seat: Seat, part: int) -> Question[tuple[Intent, ...]]:
    empire = table.state

    def suggested(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(empire, seat, pick) if isinstance(intent, _IN_SLOT))

    more = f" {part}" if part > 1 else ""
    text = f"Your orders for turn {empire.turn}{f', part {part}' if part > 1 else ''}; ROLL OUT ends your slot."
    first = steady(empire, seat) if empire.turn == 1 and part == 1 else ()
    menu = Orders(VERBS, _SHEET, suggested, tuple(line.order for line in first if not line.order.closes))
    return Question(f"{table.phase}/orders{more}", seat, text, menu, Pace.SLOT, "emp.P6")


# ---------------------------------------------------------------- rolling out


def modified_roll(roll: int, late: int) -> int:
    """emp.P8: one less for every full day late, never below 2."""
    return max(2, roll - late)


def _roll_out(table: Table[Empire], seat: Seat, last: Answer[tuple[Intent, ...]], rolls: bool) -> None:
    """emp.P6 to emp.P10: the note, then each country's own roll; all of them are late alike."""
    by = last.by or (str(seat) if rolls or last.source is Source.PLAYER else "the referee")
    table.emit(RolledOut(seat, table.state.turn, by, last.late_by, table.at))
    for country in _moving(table.state):
        settle_dues(table, country.name)
        budget, losses = close_budget(table, country.name)
        first, second = table.roll(2, 6, f"Confidence of {country.name}", "emp.P6")
        roll = first + second
        modified = modified_roll(roll, last.late_by)
        table.emit(ConfidenceRolled(country.name, roll, last.late_by, modified))
        move_confidence(table, country.name, modified, budget, losses)
    vote_quorum(table, seat)
    settle_petitions(table)


def _losses(table: Table[Empire]) -> None:
    """Governments that died, and countries of which nothing is left."""
    for country in table.state.countries.values():
        empire = table.state
        people = [unit for unit in empire.units_of(country.name) if KINDS[unit.kind].person]
        if country.dead:
            continue
        if not people and all(city.country != country.name for city in empire.cities.values()):
            table.emit(CountryDissolved(country.name))
        elif not country.leaderless and not empire.units_of(country.name, "government coolie"):
            table.emit(GovernmentLost(country.name))


# ---------------------------------------------------------------- what comes next


def _pass_on(table: Table[Empire]) -> None:
    """The next slot of the turn, the next turn, or the end (emp.H-36)."""
    _losses(table)
    settle_petitions(table)  # who has lost his last country is no longer waited for
    empire = table.state
    assert empire.active is not None
    order = empire.order
    after = [seat for seat in order[order.index(empire.active) + 1 :] if seat in slots(empire, empire.turn)]
    why = _ending(empire, bool(after))
    if why:
        first = tally(empire)
        winners = first.winners()
        table.emit(GameEnded(why, winners, first.standings[0].score))
    elif after:
        table.emit(SlotCame(after[0], empire.turn, empire.slot + 1))
    else:
        table.emit(SlotCame(slots(empire, empire.turn + 1)[0], empire.turn + 1, empire.slot + 1))
        change_house_rules(table)


def _ending(empire: Empire, turn_goes_on: bool) -> str:
    """Why the game is over, empty when it goes on."""
    if not living(empire):
        return "no country is left"
    if ends_the_game(empire):
        return "the players have petitioned for it"
    last = int(empire.options["last_turn"])
    if not turn_goes_on and empire.turn >= last:
        return f"turn {last}, the last that was agreed, is over"
    return ""


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
        "Everybody sees everything, players move one after the other with a day each, and details decide. "
        "It is a game for the patient."
    )
    aim = (
        f"After the agreed turn countries are ranked: a point for every {TEN} of the popular fund, {CONFIDENCE_POINTS} for every "
        f"one of confidence, {CITY_POINTS} for a city and 1 for a military unit; a country that collapses counts half."
    )
    guide = read_guide("referee.games.empire", **FIGURES)
    revisions = read_revisions("referee.games.empire")
    one_report = True
    judges_in_time = True
    events: tuple[type[Event], ...] = events_in("referee.games.empire.events")
    book: ClassVar[Book[Empire]] = BOOK
    rules: tuple[Rule, ...] = RULES

    seat_players = staticmethod(survey.seat_players)
    next_phase = staticmethod(next_phase)
    evolve = staticmethod(evolve)
    living = staticmethod(living)
    score = staticmethod(tally)
    audit = staticmethod(report.audit)
    vocabulary = staticmethod(vocabulary_of)
    examples = staticmethod(forecast.examples)
    bind = staticmethod(bind)
    bind_later = staticmethod(bind_later)
    holds = staticmethod(holds)
    ahead = staticmethod(forecast.ahead)
    as_if_at = staticmethod(forecast.as_if_at)
    doubts = staticmethod(forecast.doubts)
    preview = staticmethod(forecast.preview)
    rehearse = staticmethod(forecast.rehearse)
    fortunes = staticmethod(forecast.fortunes)
    order_form = staticmethod(order_form)
    steady = staticmethod(steady)
    rigours = {"strong": STRONG, "patient": PATIENT}
    habits = STEADY
    other_habits = NEAR
    prospects = staticmethod(prospects)
    challenger = staticmethod(challenger)
    recount = staticmethod(report.recount)
    report = staticmethod(report.report)
    sheets = staticmethod(sheets.sheets)
    logs = staticmethod(logs)
    chart = staticmethod(chart)

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

    def setup(self, sides: tuple[Seat, ...], options: Options) -> Empire:
        return first_position(sides, options, _NO_BOARD)

    def suspends(self, event: Event) -> int:
        """emp.P11: a petition to suspend the 24-hour rule that has passed."""
        return event.hours if isinstance(event, PetitionSettled) and event.kind == "suspension" and event.passed else 0

    def at_once(self, event: Event) -> str:
        """The words to post at once; a suspension that passed is told with the deadlines it moves."""
        passed = isinstance(event, PetitionSettled) and event.kind == "suspension" and event.passed
        news = isinstance(event, PetitionPosted | PetitionSettled) and not passed
        return event.cited() if news else ""

    def phrase(self, state: Empire, intent: Intent) -> str:
        """An order with its units by their kind."""
        return with_kinds(state, intent.meaning())

    def clock(self, options: Options) -> Mapping[str, float | str]:
        """emp.P6, emp.P7: a slot lasts 24 hours; after that anybody may roll its player out."""
        return {"slot_hours": 24, "late": options["overdue"]}

    def lateness_rule(self) -> str:
        """emp.P8: days late modify the roll of confidence, which everybody reads."""
        return "emp.P8"

    def rule_tables(self, state: Empire | None) -> tuple[Block, ...]:
        """Sets of house rules with the choice in force, and the recipes of factories, each with its mark."""
        return plans.rule_tables(None if state is None else partial(since_when, state))


GAME = EmpireGame()
