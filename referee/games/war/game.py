"""The course of a match, turn after turn (27.turn), and War! Age of Imperialism, Version 27, as a Game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from referee.core.choices import Asking, nothing
from referee.core.event import Event
from referee.core.game import Phase, Rigour, Rule
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, Setting
from referee.core.question import Pace, Question
from referee.core.table import Script, Table
from referee.games.war import strong_player
from referee.games.war.edition import Edition, phase_of
from referee.games.war.events.course import (
    ConstructionBegan,
    GameEnded,
    OrderOfPlaySet,
    PlayerEliminated,
    ShareOpened,
    StageBegan,
)
from referee.games.war.events.economy import CardsShown
from referee.games.war.orders import BOOK, in_play, vocabulary_of
from referee.games.war.orders.base import COMBAT, CONSTRUCTION, DIPLOMACY, MOVEMENT, NATIVE_DIPLOMACY, STANDING
from referee.games.war.orders.natives import RemoveSphere
from referee.games.war.phases import order_sheet
from referee.games.war.phases.alliances import make_peace
from referee.games.war.phases.construction import buy_diplomacy, construction_share, incitements, native_diplomacy_share
from referee.games.war.phases.land_battle import combat_phase
from referee.games.war.phases.movement import movement_orders
from referee.games.war.phases.production import auction, income_phase, maintenance_phase
from referee.games.war.phases.reinforce_and_retreat import reinforcements
from referee.games.war.phases.setup import set_up
from referee.games.war.position.state import OPTIONAL, War, first_position, in_order, plays
from referee.games.war.reckoning.scoring import Judged, card_points, end_of_round, points, tally
from referee.games.war.rulebook import BUILDINGS, KINDS, RULES
from referee.games.war.steady_player import steady
from referee.games.war.telling import forecast, form, rehearsal, report, sheets
from referee.games.war.telling.forecast import odds
from referee.games.war.telling.form import order_form
from referee.kit.declared import Book, Declared
from referee.kit.game import events_in
from referee.kit.rulebook import read_guide, read_revisions

# ---------------------------------------------------------------- the course of a match
# Set-up, then turn after turn a production phase and two rounds of movement (27.turn).


_PRODUCTION = {
    "production": (DIPLOMACY, NATIVE_DIPLOMACY, CONSTRUCTION),
    "natives": (DIPLOMACY, NATIVE_DIPLOMACY),
    "construction": (CONSTRUCTION,),
}
"""The phases of each production sheet: one sheet for all, or two in a match that has them in order."""

_MOVING: tuple[type[Intent], ...] = (*BOOK.kinds_of(MOVEMENT, COMBAT, STANDING), RemoveSphere)


def next_phase(war: War) -> Phase[War] | None:
    """The set-up, productions and shares of movement; None when the game is over."""
    return phase_of(war, set_up, production, movement_share)


# ---------------------------------------------------------------- production


def production(table: Table[War]) -> Script[None]:
    """27.production.order: income, maintenance, native diplomacy, construction, each in movement order."""
    if not plays(table.state, "auction"):
        # 27.production.order.1
        seats: dict[str, int] = dict.fromkeys(table.state.living, 1)
        drawn = table.draw("the living seats", seats, len(seats), "Movement order", "27.production.order.1")
        table.emit(OrderOfPlaySet((*(Seat(name) for name in drawn), *table.state.out)))
    make_peace(table, None)
    yield from income_phase(table)
    if plays(table.state, "auction"):
        yield from maintenance_phase(table, {})
        yield from auction(table)
    if in_order(table.state):
        yield from _in_order(table)
    else:
        # R27-102
        text = "Your production sheet: diplomacy points, natives, units, buildings, resources."
        questions = [_sheet(table, seat, "production", text, Pace.WINDOW) for seat in table.state.living]
        answers = yield from table.ask_all(questions)
        sheets = {question.seat: answer.value for question, answer in zip(questions, answers, strict=True)}
        make_peace(table, None)
        if not plays(table.state, "auction"):
            yield from maintenance_phase(table, sheets)
        judged: dict[Seat, Judged] = {seat: {} for seat in table.state.living}
        yield from buy_diplomacy(table, sheets, judged)
        if plays(table.state, "simultaneous"):
            for seat in table.state.living:
                yield from incitements(table, seat, sheets[seat], judged[seat])
        for seat in table.state.living:
            yield from native_diplomacy_share(table, seat, sheets[seat], judged[seat])
        for seat in table.state.living:
            yield from construction_share(table, seat, sheets[seat], judged[seat])
    make_peace(table, None)
    war = table.state
    table.emit(StageBegan("movement", war.turn, 1, war.slot + 1, war.living[0], war.living[1:]))


def _in_order(table: Table[War]) -> Script[None]:
    """R27-102"""
    if not plays(table.state, "auction"):
        yield from maintenance_phase(table, {})
    for seat in table.state.living:
        text = "Native diplomacy, and diplomacy points bought before it."
        answer = yield from table.ask(_sheet(table, seat, "natives", text, Pace.SLOT))
        make_peace(table, None)
        judged: Judged = {}
        yield from buy_diplomacy(table, {seat: answer.value}, {seat: judged})
        yield from native_diplomacy_share(table, seat, answer.value, judged)
    table.emit(ConstructionBegan())
    for seat in table.state.living:
        answer = yield from table.ask(_sheet(table, seat, "construction", "Units, buildings, resources.", Pace.SLOT))
        yield from construction_share(table, seat, answer.value)


def _sheet(table: Table[War], seat: Seat, name: str, text: str, pace: Pace) -> Question[tuple[Intent, ...]]:
    kinds, words = BOOK.kinds_of(*_PRODUCTION[name], STANDING), in_play(table.state, *_PRODUCTION[name])
    return order_sheet(table, f"{name}/{seat}", seat, text, words, kinds, pace, "27.production.order.2")


# ---------------------------------------------------------------- movement


def movement_share(table: Table[War], seat: Seat) -> Script[None]:
    """27.turn.3: a player moves, the others reinforce, then he fights and acts.

    R27-70: peace agreed before his sheet closes holds for it; what is agreed later waits for the end of his combat.
    """
    table.emit(ShareOpened(seat))
    make_peace(table, seat)
    verbs = (*in_play(table.state, MOVEMENT, COMBAT), RemoveSphere.words.verb)
    text = f"Your orders for movement, turn {table.state.turn}, round {table.state.round}."
    answer = yield from table.ask(
        order_sheet(table, "orders", seat, text, verbs, _MOVING, Pace.SLOT, "27.move.order.1")
    )
    make_peace(table, seat)
    judged: Judged = {}
    yield from movement_orders(table, seat, answer.value, judged)
    yield from reinforcements(table, seat)
    yield from combat_phase(table, seat, answer.value, judged)
    make_peace(table, seat)
    _pass_on(table)


def _shown(war: War) -> CardsShown:
    """R27-93: everybody's card, judged on the final position."""
    return CardsShown(tuple((seat, war.cards[seat], card_points(war, seat)) for seat in war.order))


def _pass_on(table: Table[War]) -> None:
    """The next player's share, the next round, the next turn, or the end."""
    war = table.state
    waiting = tuple(seat for seat in war.waiting if war.regions_of(seat) or war.units_of(seat))
    if waiting:
        table.emit(StageBegan("movement", war.turn, war.round, war.slot + 1, waiting[0], waiting[1:]))
        return
    why = end_of_round(war)
    if why:
        for seat in war.living:
            if not war.regions_of(seat):
                table.emit(PlayerEliminated(seat))
        if plays(table.state, "hidden_victory"):
            table.emit(_shown(table.state))
        first = tally(table.state).winners()  # 27.victory.2
        table.emit(GameEnded(why, first, points(table.state, first[0])))
    elif war.round == 1:
        order = war.living
        table.emit(StageBegan("movement", war.turn, 2, war.slot + 1, order[0], order[1:]))
    else:
        table.emit(StageBegan("production", war.turn + 1, 0, war.slot + 1))


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
        "factories, alliances, and battles by dice that you may lead round by round. "
        "It is long and rich, for players who like a big board."
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
    kinds = KINDS
    buildings = BUILDINGS
    rules: tuple[Rule, ...] = RULES

    setup = staticmethod(first_position)
    next_phase = staticmethod(next_phase)
    vocabulary = staticmethod(vocabulary_of)
    ahead = staticmethod(forecast.ahead)
    order_form = staticmethod(order_form)
    report = staticmethod(report.report)
    sheets = staticmethod(sheets.sheets)
    rehearse = staticmethod(rehearsal.rehearse)
    fortunes = staticmethod(rehearsal.fortunes)
    holdings = staticmethod(rehearsal.holdings)
    odds = staticmethod(odds)
    steady = staticmethod(steady)
    rigours = {"strong": Rigour()}
    prospects = staticmethod(strong_player.prospects)
    challenger = staticmethod(strong_player.challenger)

    def asking(self, state: War, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Declared[War]]:
        return super().asking(state, seat, verb, sheet) if verb in in_play(state) else nothing()

    def doubts(self, state: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return (*forecast.doubts(state, seat, sheet), *form.idle_money(state, seat, sheet))


GAME = War27()
