"""The scripts that ask and emit, a file for each part of the turn; here what all share: decisions in mid-turn, and the way out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from msgspec.structs import replace

from referee.core.choices import Pick, placed
from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Menu, OneOf, Orders, Pace, Question
from referee.core.table import Script, Table
from referee.games.war.bots import suggest
from referee.games.war.events.combat import UnitsEmbarked, UnitsLost, UnitsMoved
from referee.games.war.orders.standing_home import EvacuateTo
from referee.games.war.position import DONE, Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import carriers, friends
from referee.games.war.reckoning.scoring import in_force
from referee.games.war.rulebook import BOARD, PARTIES

# ---------------------------------------------------------------- decisions in the middle of a turn
# Asked by mail, or settled at once by standing orders and defaults.


T = TypeVar("T")
Recognise = Callable[[Sequence[Intent]], T | None]
"""Finds the answer in a sheet or in standing orders; None when they say nothing of it."""


def decision(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Question[T]:
    """The question for one decision; `name` is unique in the phase ("Egypt/round 2/retreat"). R27-82: who is waited for."""
    pace = Pace.REPLY if table.state.decisions.get(seat) == "interactive" else Pace.AUTO
    return Question(f"{table.phase}/{name}", seat, text, menu, pace, table.state.cite(rule), recognise)


def decide(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Script[T]:
    """Ask one decision and return what was decided."""
    answer: Answer[T] = yield from table.ask(decision(table, seat, name, text, menu, rule, recognise))
    return answer.value


def consult(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Script[T]:
    """The same of something for which no letter is ever sent (R27-82)."""
    name, rule = f"{table.phase}/{name}", table.state.cite(rule)
    answer: Answer[T] = yield from table.ask(Question(name, seat, text, menu, Pace.AUTO, rule, recognise))
    return answer.value


Sheets = dict[Seat, tuple[Intent, ...]]
"""What each player's sheet says."""


Proposing = Callable[[War, Seat], Sequence[Reasoned]]
"""What is proposed to a seat in a position."""


def nothing_proposed(war: War, seat: Seat) -> tuple[Reasoned, ...]:
    """An empty sheet."""
    return ()


def sealed_sheets(
    table: Table[War],
    name: str,
    text: str,
    verbs: tuple[str, ...],
    kinds: tuple[type[Intent], ...],
    rule: str,
    sound: Proposing = nothing_proposed,
) -> Script[Sheets]:
    """Everybody's order sheet of these verbs and intents, read when all are in; then each IF in them is judged."""
    questions = [
        order_sheet(table, f"{name}/{seat}", seat, text, verbs, kinds, Pace.WINDOW, rule, sound=sound)
        for seat in table.state.living
    ]
    answers = yield from table.ask_all(questions)
    told, war = zip(questions, answers, strict=True), table.state
    return {question.seat: in_force(war, question.seat, answer.value) for question, answer in told}


def order_sheet(
    table: Table[War],
    name: str,
    seat: Seat,
    text: str,
    verbs: tuple[str, ...],
    kinds: tuple[type[Intent], ...],
    pace: Pace,
    rule: str,
    suggest: Callable[[War, Seat, Pick], tuple[Intent, ...]] = suggest,
    sound: Proposing = nothing_proposed,
) -> Question[tuple[Intent, ...]]:
    """What asks a player for an order sheet of these verbs and intents; `sound` says what is ordered for who sends none."""
    war, allowed = table.state, reduce(or_, kinds)

    def some(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(war, seat, pick) if isinstance(intent, kinds))

    menu = Orders(verbs, allowed, some, tuple(one.order for one in sound(war, seat) if isinstance(one.order, kinds)))
    return Question(f"{table.phase}/{name}", seat, text, menu, pace, war.cite(rule))


# ---------------------------------------------------------------- wayout
# Where units go that must leave a region without a battle: a friendly neighbour, else a fleet, else they are lost.


def ways_out(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """R27-02, R27-58: all ways, the default first."""
    place = BOARD.regions[region]
    company = friends(war, seat)
    friendly = [war.lands[name] for name in place.borders if war.lands[name].owner in company]
    friendly.sort(
        key=lambda land: (land.owner != seat, land.revolt is not None, -land.brigades(seat), BOARD.position(land.name))
    )
    seas = [sea for sea in place.seas if any(_room(fleet) for fleet in carriers(war, seat, sea))]
    return (*(land.name for land in friendly), *seas)


def _room(fleet: Fleet) -> int:
    return fleet.room


def leave_region(
    table: Table[War], seat: Seat, region: str, kinds: tuple[str, ...], name: str, number: int = 0
) -> Script[None]:
    """27.combat.explorer.3, R27-02: a seat's parties (`kinds`; none named: all) leave together, or `number` of them.

    Their owner picks where; who has nowhere to go, or finds no room aboard, is lost.
    """
    stacks = _leaving(table.state, seat, region, kinds or PARTIES, number)
    if not stacks:
        return
    goal = yield from _goal(table, seat, region, name)
    for stack in stacks:
        if goal in BOARD.seas:
            _embark(table, region, stack, goal)
        elif goal:
            after = Stack(seat, stack.kind, stack.number, DONE)
            table.emit(UnitsMoved(region, stack, goal, after, "retreat", "27.combat.explorer.3"))
        else:
            _lose(table, region, stack)


def _leaving(war: War, seat: Seat, region: str, kinds: tuple[str, ...], number: int) -> tuple[Stack, ...]:
    stacks = [s for s in war.lands[region].stacks if s.owner == seat and s.kind in kinds]
    left = number or sum(s.number for s in stacks)
    leaving = []
    for stack in stacks:
        if left > 0:
            leaving.append(replace(stack, number=min(left, stack.number)))
            left -= stack.number
    return tuple(leaving)


def _goal(table: Table[War], seat: Seat, region: str, name: str) -> Script[str]:
    goals = ways_out(table.state, seat, region)
    if len(goals) < 2:
        return goals[0] if goals else ""

    def wanted(sheet: Sequence[Intent]) -> str | None:
        listed = [place for order in sheet if isinstance(order, EvacuateTo) for place in order.places]
        return next((place for place in listed if place in goals), None)

    menu = OneOf([placed(goal) for goal in goals], goals[0])
    text = f"Your parties must leave {region}. Where do they go?"
    return (yield from decide(table, seat, name, text, menu, "27.combat.explorer.3", wanted))


def _embark(table: Table[War], region: str, stack: Stack, sea: str) -> None:
    """As many as find room board, fleet by fleet; the rest is lost."""
    points, left = table.state.kinds[stack.kind].portage, stack.number
    for fleet in carriers(table.state, stack.owner, sea):
        boarding = min(left, _room(fleet) // points)
        if boarding:
            load = Load(stack.owner, stack.kind, boarding, DONE)
            table.emit(UnitsEmbarked(region, replace(stack, number=boarding), fleet.number, load, "retreat"))
            left -= boarding
    if left:
        _lose(table, region, replace(stack, number=left))


def _lose(table: Table[War], region: str, stack: Stack) -> None:
    table.emit(UnitsLost(region, stack, "there is nowhere to go", "27.combat.retreat.2"))
