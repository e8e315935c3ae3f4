"""The course of a match, turn after turn, and New World as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

from referee.core.event import Event
from referee.core.game import Phase, Rigour
from referee.core.names import Reader, Seat
from referee.core.order import Intent, Setting
from referee.core.page import Drawing, Page, Sheet
from referee.core.question import Orders, Pace, Question
from referee.core.table import Script, Table
from referee.games.newworld import drawing, forecast, position, report
from referee.games.newworld.events import (
    GameEnded,
    OrderOfPlaySet,
    PowerEliminated,
    TerritoriesSettled,
    TurnPassed,
)
from referee.games.newworld.forecast import suggest
from referee.games.newworld.orders import BOOK, FIRST_HALF, SECOND_HALF, bind, bound_by, vocabulary_of
from referee.games.newworld.phases import (
    TO_EXPLORATION,
    TO_RESEARCH,
    TO_THE_END,
    colonization_phase,
    event_phase,
    exploration_phase,
    research_phase,
)
from referee.games.newworld.position import Turn, World, all_claimed, first_position, winners
from referee.games.newworld.report import logs, sheets
from referee.games.newworld.rulebook import COLOURS, RULES, TABLES, TERRAINS, nation, start
from referee.games.newworld.steady_player import challenger, order_form, prospects, steady
from referee.kit.game import BaseGame, events_in
from referee.kit.rulebook import read_guide, read_revisions

# ---------------------------------------------------------------- the course of a match
# The set-up, then player after player his twelve phases, until the end.


_SHEET: Any = reduce(or_, BOOK.intents)


def next_phase(world: World) -> Phase[World] | None:
    """The set-up first, then a phase for each player-turn; None when the game has ended."""
    if world.ended:
        return None
    if world.active is None:
        return Phase("T0/Set-up", 0, "Set-up", set_up)
    title = f"Turn {world.turn}: {world.active} (round {world.round})"
    return Phase(f"T{world.turn}/{world.active}", world.turn, title, partial(play_turn, seat=world.active))


def set_up(table: Table[World]) -> Script[None]:
    """nw.r1, nw.setup.territories"""
    seats = {str(seat): 1 for seat in table.state.order}
    drawn = table.draw("the seats", seats, len(seats), "Order of play", "nw.r1")
    table.emit(OrderOfPlaySet(tuple(Seat(name) for name in drawn)))
    for seat in table.state.order:
        _settle(table, seat)
    table.emit(TurnPassed(table.state.order[0], 1, 1))
    yield from ()


def _settle(table: Table[World], seat: Seat) -> None:
    own = nation(seat, table.state.nationalities)
    count = TABLES.set_up.rolled if own.rolled is None else own.rolled
    faces = table.roll(count, len(TERRAINS), f"European territories of {seat}", "nw.setup.territories")
    rolled = tuple(own.rerolled.get(TERRAINS[face - 1], TERRAINS[face - 1]) for face in faces)
    begins = start(seat, table.state.nationalities)
    table.emit(TerritoriesSettled(seat, TABLES.set_up.territories, rolled, begins))


def play_turn(table: Table[World], seat: Seat) -> Script[None]:
    """nw.turn.phases, nw.r5, nw.r33: the twelve phases of one player, then what ends a turn."""
    sheet = yield from _orders(table, seat, "orders", (*FIRST_HALF, *SECOND_HALF), ())
    turn = Turn(table.phase, seat, sheet)
    yield from event_phase(table, turn)
    for phase in TO_RESEARCH:
        yield from phase(table, turn)
    if table.state.extra == "Invention":
        yield from research_phase(table, turn, "research-2")
    for phase in TO_EXPLORATION:
        yield from phase(table, turn)
    turn = yield from _second_half(table, turn)
    yield from colonization_phase(table, turn, seen=table.state.options["mode"] == "two_step")
    if table.state.extra == "Discovery":
        yield from exploration_phase(table, turn)
        yield from colonization_phase(table, turn, "colonize-2")
    for phase in TO_THE_END:
        yield from phase(table, turn)
    # nw.victory.elimination, then the end of the game, or the next player.
    for loser in table.state.living:
        lost = table.state.home_lost(loser)
        if lost >= TABLES.figures.home_lost:
            table.emit(PowerEliminated(loser, lost))
    after = table.state.others(seat)
    following = after[0] if after else seat
    order = table.state.order
    new_round = order.index(following) <= order.index(seat)
    end = _ending(table.state, new_round)
    if end is not None:
        table.emit(GameEnded(end[0], winners(table.state), end[1]))
    else:
        table.emit(TurnPassed(following, table.state.turn + 1, table.state.round + new_round))


def _orders(
    table: Table[World], seat: Seat, name: str, verbs: tuple[str, ...], default: tuple[Intent, ...]
) -> Script[tuple[Intent, ...]]:
    menu = Orders(verbs, _SHEET, partial(suggest, table.state, seat, verbs), default, own=True)
    text = f"Your orders for turn {table.state.turn}" + (", second half" if name != "orders" else "")
    question = Question(f"{table.phase}/{name}", seat, f"{text}.", menu, Pace.SLOT, "nw.turn.phases")
    answer = yield from table.ask(question)
    return answer.value


def _second_half(table: Table[World], turn: Turn) -> Script[Turn]:
    """nw.h8: in two steps, orders for Colonization, Transport and War are given with the cards in sight."""
    if table.state.options["mode"] != "two_step":
        return turn
    before = turn.written(*BOOK.kinds_of("Colonization", "Transport", "War"))
    sheet = yield from _orders(table, turn.seat, "orders-2", SECOND_HALF, before)
    return Turn(turn.key, turn.seat, sheet)


def _ending(world: World, new_round: bool) -> tuple[str, str] | None:
    """Why the game ends now, and by which rule; None when it goes on."""
    if len(world.living) == 1:
        return f"{world.living[0]} is the last power left", "nw.r29"
    if all_claimed(world) and world.options["finish_round"] == "no":
        return "all colonial territories are claimed", "nw.end.claimed"
    if all_claimed(world) and new_round:
        return "all colonial territories are claimed and the round is over", "nw.r30"
    if new_round and world.round >= int(world.options["last_round"]):
        return f"round {world.round} was the last", "nw.h1"
    return None


class NewWorld(BaseGame[World]):
    """The card and record-keeping game of European powers in the New World, 1500 to 1750."""

    name = "newworld"
    title = "New World"
    about = (
        "Powers of Europe send ships to a new world of cards: they explore, settle, trade, research and raid, round after round. "
        "It is the easiest to begin with: one page of orders a round, and the sheet that comes with each letter is filled in."
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
    events = events_in("referee.games.newworld.events")
    rules = RULES
    settings = (
        Setting("nationalities", ("no", "yes"), "Players play countries with their bonuses.", "nw.nation.choice"),
        Setting("coal", ("gold", "nothing", "metal"), "The yield of a Coal territory.", "nw.r11"),
        Setting("finish_round", ("no", "yes"), "The round is played out after the last claim.", "nw.r30"),
        Setting("mode", ("lists", "two_step"), "Whether cards are seen before deciding.", "nw.h8"),
        Setting("last_round", ("60", "20", "30", "40", "100"), "The round after which a match ends.", "nw.h1"),
    )

    colours = COLOURS

    refuse_options = staticmethod(position.refuse_options)
    seat_names = staticmethod(position.seat_names)
    seat_players = staticmethod(position.seat_players)
    setup = staticmethod(first_position)
    next_phase = staticmethod(next_phase)
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
    rigours = {"strong": Rigour(ahead=None)}
    prospects = staticmethod(prospects)
    challenger = staticmethod(challenger)

    def report(self, before: World, events: Sequence[Event], after: World, reader: Reader) -> Page:
        return report.report(before, events, after)

    def sheets(self, history: Sequence[Event], state: World, reader: Reader) -> tuple[Sheet, ...]:
        return sheets(state)

    def logs(self, history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
        return logs(history)

    def chart(self, state: World, reader: Reader, happened: Sequence[Event] = ()) -> Drawing:
        return drawing.chart(state, happened)

    def living(self, state: World) -> tuple[Seat, ...]:
        return state.living


GAME = NewWorld()
