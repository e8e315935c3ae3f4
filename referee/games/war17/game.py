"""The course of a match, and War! Version 1.7 as a Game: the value that the service is handed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

from referee.core.event import Event
from referee.core.game import Phase, Rigour, Rule
from referee.core.names import Seat
from referee.core.order import Intent, Setting
from referee.core.question import Pace
from referee.core.table import Script, Table
from referee.games.war.edition import Edition, phase_of
from referee.games.war.events.course import (
    GameEnded,
    OrderOfPlaySet,
    PlayerEliminated,
    RegionPicked,
    ShareOpened,
    StageBegan,
)
from referee.games.war.orders.base import COMBAT, CONSTRUCTION, MOVEMENT, STANDING
from referee.games.war.phases import order_sheet
from referee.games.war.phases.alliances import make_peace
from referee.games.war.phases.setup import draft, equip
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import Judged, points, tally
from referee.games.war.rulebook import BRIGADES, BUILDINGS
from referee.games.war17 import strong_player, telling
from referee.games.war17.events import EVENTS, EndRolled, MarkersLaid, in_edition
from referee.games.war17.orders import BOOK17, BuyPieces17, vocabulary_of
from referee.games.war17.phases.battles import combat_phase
from referee.games.war17.phases.movement import add_points, construct, movement_orders
from referee.games.war17.position import Position, first_position
from referee.games.war17.random_player import suggest
from referee.games.war17.rulebook import BUILDING_PRICE, KINDS17, RULES
from referee.games.war17.steady_player import steady
from referee.games.war17.telling import order_form
from referee.kit.declared import AT_ONCE, Ahead, Book
from referee.kit.rulebook import read_guide, read_revisions

# ---------------------------------------------------------------- the course of a match of Version 1.7
# Set-up, then two rounds of movement and a production, turn after turn (17.turn).


MOVING = BOOK17.verbs_of(MOVEMENT, COMBAT)
PRODUCING = BOOK17.verbs_of(CONSTRUCTION)
"""Verbs of the sheets."""

_MOVEMENT: tuple[type[Intent], ...] = BOOK17.kinds_of(MOVEMENT, COMBAT, STANDING)
_PRODUCTION: tuple[type[Intent], ...] = BOOK17.kinds_of(CONSTRUCTION, STANDING)


def next_phase(war: War) -> Phase[War] | None:
    """The set-up, shares of movement and productions; None when the game is over."""
    return phase_of(war, set_up, production, movement_share, in_edition)


# ---------------------------------------------------------------- set-up


def set_up(table: Table[War]) -> Script[None]:
    """17.setup: order, regions, pieces, then a marker on every native region."""
    seats = table.state.seats
    drawn = table.draw("the seats", dict.fromkeys(seats, 1), len(seats), "Set-up order", "17.setup.2")
    table.emit(OrderOfPlaySet(tuple(Seat(name) for name in drawn), first=True))
    if table.state.options["dealt"] == "yes":
        _deal(table)
    else:
        yield from draft(table)
    yield from equip(table, steady, suggest, BuyPieces17)
    _lay_markers(table)
    _begin_turn(table, 1)


def _deal(table: Table[War]) -> None:
    """17.setup.random.1: regions by cards, one each in turn, with their free infantry."""
    seats, cards = table.state.seats, {land.name: 1 for land in table.state.regions_of(None)}
    number = table.state.start.regions * len(seats)
    drawn = table.draw("the region cards", cards, number, "Starting regions", "17.setup.random.1")
    for place, region in enumerate(drawn):
        table.emit(RegionPicked(seats[place % len(seats)], region))


def _lay_markers(table: Table[War]) -> None:
    """17.setup.7: nobody sees what is drawn."""
    native = [land.name for land in table.state.regions_of(None)]
    drawn = table.draw(
        "the native markers", table.state.markers, len(native), "Native markers", "17.setup.7", seen_by=()
    )
    table.emit(MarkersLaid(tuple(zip(native, drawn, strict=True))))


def _begin_turn(table: Table[War], turn: int) -> None:
    """17.turn.2: the order of the turn is drawn at its start."""
    living = table.state.living
    drawn = table.draw(
        "the fleets of the players", dict.fromkeys(living, 1), len(living), f"Order of turn {turn}", "17.turn.2"
    )
    order = tuple(Seat(name) for name in drawn)
    table.emit(OrderOfPlaySet((*order, *table.state.out)))
    table.emit(StageBegan("movement", turn, 1, table.state.slot + 1, order[0], order[1:]))


# ---------------------------------------------------------------- movement


def movement_share(table: Table[War], seat: Seat) -> Script[None]:
    """17.turn.3: a player moves, then he fights and explores."""
    table.emit(ShareOpened(seat))
    make_peace(table, seat)
    text = f"Your orders for movement, turn {table.state.turn}, round {table.state.round}."
    sheet = order_sheet(table, "orders", seat, text, MOVING, _MOVEMENT, Pace.SLOT, "17.turn.3", suggest)
    answer = yield from table.ask(sheet)
    make_peace(table, seat)
    judged: Judged = {}
    yield from movement_orders(table, seat, answer.value, judged)
    yield from combat_phase(table, seat, answer.value, judged)
    make_peace(table, seat)
    _pass_on(table)


def _pass_on(table: Table[War]) -> None:
    """The next player's share, the second round, or production (17.turn.1)."""
    war = table.state
    waiting = tuple(seat for seat in war.waiting if _plays(war, seat))
    if waiting:
        table.emit(StageBegan("movement", war.turn, war.round, war.slot + 1, waiting[0], waiting[1:]))
        return
    moving = tuple(seat for seat in war.living if _plays(war, seat))
    if war.round == 1 and moving:
        table.emit(StageBegan("movement", war.turn, 2, war.slot + 1, moving[0], moving[1:]))
    else:
        table.emit(StageBegan("production", war.turn, 0, war.slot + 1))


def _plays(war: War, seat: Seat) -> bool:
    """R17-24"""
    return bool(war.regions_of(seat)) or any(war.forces_of(seat).get(kind) for kind in BRIGADES)


# ---------------------------------------------------------------- production


def production(table: Table[War]) -> Script[None]:
    """17.turn.4, R17-15"""
    make_peace(table, None)
    for seat in table.state.living:
        add_points(table, seat)
    text = "Your production sheet: units, buildings, resources."
    questions = [
        order_sheet(table, f"production/{seat}", seat, text, PRODUCING, _PRODUCTION, Pace.WINDOW, "17.turn.4", suggest)
        for seat in table.state.living
    ]
    answers = yield from table.ask_all(questions)
    for question, answer in zip(questions, answers, strict=True):
        construct(table, question.seat, answer.value)
    make_peace(table, None)
    for seat in table.state.living:
        if not _plays(table.state, seat):
            table.emit(PlayerEliminated(seat))
    # R17-11: the agreed end, or the next turn.
    war = table.state
    why = _final(war)
    if not why and war.options["end"] == "3d6":
        total = sum(table.roll(3, 6, f"Whether turn {war.turn} is the last", "R17-11"))
        table.emit(EndRolled(war.turn, total))
        why = f"3d6 came to {total}, less than the turn number" if total < war.turn else ""
    if why:
        first = tally(table.state).winners()
        table.emit(GameEnded(why, first, points(table.state, first[0])))
    else:
        _begin_turn(table, war.turn + 1)


def _final(war: War) -> str:
    """R17-11, R17-24: why the game is over after a production, "" when it goes on; the roll of 3d6 apart."""
    last = int(war.options["last_turn"])
    if len(war.living) < 2:
        return "one player is left"
    if war.turn >= last:
        return f"turn {last}, the last that was agreed, is over"
    called = isinstance(war, Position) and all(seat in war.over_by for seat in war.living)
    return "the hour that was agreed has come" if war.options["end"] == "hour" and called else ""


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
        "It has the same map, in an older, leaner edition that is won by points. Battles are fought in sectors, by a plan that you "
        "leave beforehand, or turn by turn by letter."
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
    kinds = KINDS17
    buildings: ClassVar[Mapping[str, int]] = dict.fromkeys(BUILDINGS, BUILDING_PRICE)
    rules: tuple[Rule, ...] = RULES

    setup = staticmethod(first_position)
    next_phase = staticmethod(next_phase)
    vocabulary = staticmethod(vocabulary_of)
    doubts = staticmethod(telling.doubts)
    order_form = staticmethod(order_form)
    report = staticmethod(telling.report)
    sheets = staticmethod(telling.sheets)
    rehearse = staticmethod(telling.rehearse)
    fortunes = staticmethod(telling.fortunes)
    holdings = staticmethod(telling.holdings)
    steady = staticmethod(steady)
    rigours = {"strong": Rigour()}
    prospects = staticmethod(strong_player.prospects)
    challenger = staticmethod(strong_player.challenger)

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


GAME = War17()
