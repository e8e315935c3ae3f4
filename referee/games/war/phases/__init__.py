"""The scripts that ask and emit, a file for each part of the turn; what all share: decisions, ways out, who holds a region."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TypeVar

from msgspec.structs import replace

from referee.core.choices import Choice, Pick, placed
from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Menu, OneOf, Orders, Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import Embarkation, allot
from referee.games.war.events.combat import UnitsEmbarked, UnitsLost, UnitsMoved
from referee.games.war.events.economy import ChitDrawn, MarkerDrawn, MarkerSeen
from referee.games.war.events.natives import (
    DiplomacyGained,
    How,
    NativesReduced,
    RegionReverted,
    RegionTaken,
    RegionWesternized,
    RevoltSuppressed,
    SpheresRemoved,
)
from referee.games.war.orders.standing_home import EvacuateTo, PointsRule, StrikeOrder
from referee.games.war.position import DONE, Fleet, Land, Load, Marker, Stack
from referee.games.war.position.state import War
from referee.games.war.random_player import suggest
from referee.games.war.reckoning import allied, carriers, friends, heir
from referee.games.war.reckoning.income import marker_named, reduced, third
from referee.games.war.reckoning.scoring import in_force
from referee.games.war.rulebook import BOARD, LAND_UNITS, PARTIES
from referee.kit.fields import meant
from referee.kit.wording import counted, in_a_row, in_number

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
"""The lines of each player's sheet."""


Proposing = Callable[[War, Seat], Sequence[Reasoned]]
"""The proposals to a seat in a position."""


Suggesting = Callable[[War, Seat, Pick], tuple[Intent, ...]]
"""The orders of a player who chooses at random."""


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
    suggest: Suggesting = suggest,
) -> Script[Sheets]:
    """Everybody's order sheet of these verbs and intents, read when all are in; then each IF in them is judged."""
    questions = [
        order_sheet(table, f"{name}/{seat}", seat, text, verbs, kinds, Pace.WINDOW, rule, suggest, sound)
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
    suggest: Suggesting = suggest,
    sound: Proposing = nothing_proposed,
) -> Question[tuple[Intent, ...]]:
    """A question to a player for an order sheet of these verbs and intents; `sound` gives the orders of a player who sends
    none."""
    war, allowed = table.state, reduce(or_, kinds)

    def some(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(war, seat, pick) if isinstance(intent, kinds))

    menu = Orders(verbs, allowed, some, tuple(one.order for one in sound(war, seat) if isinstance(one.order, kinds)))
    return Question(f"{table.phase}/{name}", seat, text, menu, pace, war.cite(rule))


# ---------------------------------------------------------------- the way out
# Where units go that must leave a region without a battle: a friendly neighbour, else a fleet, else they are lost.


def ways_out(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """R27-02, R27-58: all ways, the default first."""
    place = BOARD.regions[region]
    company = friends(war, seat)
    friendly = [war.lands[name] for name in place.borders if war.lands[name].owner in company]
    friendly.sort(
        key=lambda land: (land.owner != seat, land.revolt is not None, -land.brigades(seat), BOARD.position(land.name))
    )
    seas = [sea for sea in place.seas if any(fleet.room for fleet in carriers(war, seat, sea))]
    return (*(land.name for land in friendly), *seas)


_NOWHERE = ("there is nowhere to go", "27.combat.retreat.2")
"""Why a party is lost, and the rule."""


def leave_region(
    table: Table[War], seat: Seat, region: str, kinds: tuple[str, ...], name: str, number: int = 0
) -> Script[None]:
    """27.combat.explorer.3, R27-02: a seat's parties (`kinds`; none named: all) leave together, or `number` of them.

    Their owner picks where; who has nowhere to go, or finds no room aboard, is lost.
    """
    stacks = _leaving(table.state, seat, region, kinds or PARTIES, number)
    if not stacks:
        return
    text, rule = f"Your parties must leave {region}. Where do they go?", "27.combat.explorer.3"
    goal = yield from goal_of(table, seat, region, name, text, rule)
    for stack in stacks:
        if goal in BOARD.seas:
            board(table, region, stack, carriers(table.state, seat, goal), _NOWHERE)
        elif goal:
            after = Stack(seat, stack.kind, stack.number, DONE)
            table.emit(UnitsMoved(region, stack, goal, after, "retreat", rule))
        else:
            table.emit(UnitsLost(region, stack, *_NOWHERE))


def _leaving(war: War, seat: Seat, region: str, kinds: tuple[str, ...], number: int) -> tuple[Stack, ...]:
    stacks = [s for s in war.lands[region].stacks if s.owner == seat and s.kind in kinds]
    left = number or sum(s.number for s in stacks)
    leaving = []
    for stack in stacks:
        if left > 0:
            leaving.append(replace(stack, number=min(left, stack.number)))
            left -= stack.number
    return tuple(leaving)


def goal_of(table: Table[War], seat: Seat, region: str, name: str, text: str, rule: str) -> Script[str]:
    """R27-58: where they go who leave, as EVACUATE says or their owner answers; "" for nowhere."""
    goals = ways_out(table.state, seat, region)
    if len(goals) < 2:
        return goals[0] if goals else ""

    def wanted(sheet: Sequence[Intent]) -> str | None:
        listed = [place for order in sheet if isinstance(order, EvacuateTo) for place in order.places]
        return next((place for place in listed if place in goals), None)

    menu = OneOf([placed(goal) for goal in goals], goals[0])
    return (yield from decide(table, seat, name, text, menu, rule, wanted))


def all_leave(
    table: Table[War], seat: Seat, region: str, goal: str, fleets: Sequence[Fleet], spent: int, rule: str, lost: str
) -> None:
    """All who are left go to one region, MP `spent`, or onto these fleets, the dearest first; others are `lost`, and why."""
    stacks = tuple(stack for stack in table.state.lands[region].stacks if stack.owner == seat)
    if goal in BOARD.seas:
        dearest = sorted(stacks, key=lambda stack: -table.state.kinds[stack.kind].price)
        for boarded in Embarkation(region, allot(dearest, fleets), how="retreat").brings(table.state, seat):
            table.emit(boarded)
    elif goal:
        for stack in stacks:
            after = Stack(seat, stack.kind, stack.number, spent)
            table.emit(UnitsMoved(region, stack, goal, after, "retreat" if spent else "leave", rule))
    for stack in table.state.lands[region].stacks:
        if stack.owner == seat:
            table.emit(UnitsLost(region, stack, lost, rule))


def board(
    table: Table[War], region: str, stack: Stack, fleets: Sequence[Fleet], lost: tuple[str, str]
) -> tuple[int, ...]:
    """As many as find room board, fleet by fleet; the rest is `lost`: why, by which rule. Returns the fleets that took some."""
    points, left, boarded = table.state.kinds[stack.kind].portage, stack.number, list[int]()
    for fleet in fleets:
        if boarding := min(left, fleet.room // points):
            load = Load(stack.owner, stack.kind, boarding, DONE)
            table.emit(UnitsEmbarked(region, replace(stack, number=boarding), fleet.number, load, "retreat"))
            boarded.append(fleet.number)
            left -= boarding
    if left:
        table.emit(UnitsLost(region, replace(stack, number=left), *lost))
    return tuple(boarded)


# ---------------------------------------------------------------- regions won and lost
# Markers and chits drawn, pacified, westernized, and who must leave.


def draw_marker(table: Table[War], region: str) -> Script[None]:
    """27.setup.9, R27-05: the first entry draws a marker, face down, that nobody sees; one that lies there stays."""
    yield from ()
    _draw_marker(table, region)


def _draw_marker(table: Table[War], region: str) -> None:
    if table.state.lands[region].marker is None:
        why = f"native marker of {region}"
        (name,) = table.draw("the native markers", table.state.markers, 1, why, "27.setup.9", seen_by=())
        table.emit(MarkerDrawn(region, marker_named(name)))


def draw_chit(table: Table[War], region: str, owner: Seat) -> Script[None]:
    """R27-65: a region without chit draws one, face down, that its owner alone sees; a chit that lies there stays."""
    yield from ()
    if table.state.lands[region].chit is None:
        why = f"resource chit of {region}"
        drawn = table.draw("the resource chits", table.state.chits, 1, why, "R27-65", seen_by=(owner,))
        for chit in drawn:
            table.emit(ChitDrawn(owner, region, chit))


def reveal_marker(table: Table[War], region: str, to: Seat | None = None) -> None:
    """R27-05: the marker is shown to one seat after his roll, or, with None, to all in a battle; who knows it is not told."""
    marker = table.state.lands[region].marker
    seats = table.state.seats if to is None else (to,)
    if marker is None or marker.face_up or all(seat in marker.seen_by for seat in seats):
        return
    known = tuple(seat for seat in table.state.seats if seat in marker.seen_by or seat in seats)
    table.emit(MarkerSeen(region, replace(marker, seen_by=known), seats, public=to is None))


def take_region(table: Table[War], seat: Seat, region: str, how: How) -> Script[None]:
    """27.combat.results.1, R27-64, R27-65, R27-73: a region changes hands, marker up; conquest pays 1 DP.

    Explorers of others must leave (not after a cession, whose guests have left already).
    """
    land = table.state.lands[region]
    marker = land.marker and replace(land.marker, face_up=True, seen_by=())
    table.emit(RegionTaken(seat, region, land.owner, how, marker, land.chit))
    yield from draw_chit(table, region, seat)
    if how == "conquest":
        table.emit(DiplomacyGained(seat, 1, region))
    for rival in table.state.lands[region].present:
        if rival != seat and not allied(table.state, seat, rival) and (how != "cession" or table.state.coalitions):
            kinds = LAND_UNITS if table.state.coalitions or table.state.parted else ("explorer",)
            yield from leave_region(table, rival, region, kinds, f"{region}/{rival}/way out")


def inherit(table: Table[War], region: str) -> Script[None]:
    """27.board.8, R27-98: a region whose owner has no brigade left there, but an ally has, is the ally's."""
    seat = heir(table.state, region)
    if seat is not None:
        yield from take_region(table, seat, region, "alliance")


def revert(table: Table[War], region: str, after_revolt: bool = False) -> Script[None]:
    """27.combat.results.4, 27.combat.natives.9, R27-02, R27-67: a region without brigade is native again.

    Its owner's parties leave first; an old marker keeps its strength. After a won revolt suppressing spheres go.
    """
    owner = table.state.lands[region].owner
    if owner is None:
        return
    if heir(table.state, region) is not None:
        yield from inherit(table, region)
        return
    yield from leave_region(table, owner, region, (), f"{region}/{owner}/way out")
    for guest in table.state.lands[region].present if table.state.coalitions or table.state.parted else ():
        yield from leave_region(table, guest, region, LAND_UNITS, f"{region}/{guest}/way out")
    if after_revolt:
        land = table.state.lands[region]
        for seat, number in land.spheres.items():
            if land.sides.get(seat) == "suppress":
                why = "it stood against the revolt"
                table.emit(SpheresRemoved(region, seat, number, why, "27.combat.natives.9"))
    table.emit(RegionReverted(region, owner, table.state.lands[region].buildings, after_revolt))
    _draw_marker(table, region)


# ---------------------------------------------------------------- native strength


def weaken(table: Table[War], region: str, points: int, why: str, rule: str) -> None:
    """27.markers.3, R27-19: native strength falls by so much; below four the region is westernized at once."""
    land = table.state.lands[region]
    marker, owner = land.marker, land.owner
    if marker is None or owner is None or points <= 0:
        return
    left = max(0, marker.strength - points)
    table.emit(NativesReduced(region, marker.strength, left, why, rule))
    if reduced(marker, points) is None:
        table.emit(RegionWesternized(region, owner, Marker(marker.drawn or marker.strength, marker.plus).name))


def pacify(table: Table[War], seat: Seat, region: str, revolt: bool) -> Script[None]:
    """27.combat.natives.7, R27-66: 1d3 points go after a won battle; after a revolt supporting spheres may go instead."""
    land = table.state.lands[region]
    put_off = table.state.put_off.get(region, 0)
    if revolt:
        table.emit(RevoltSuppressed(region, seat))
    if land.marker is None:
        return
    (die,) = table.roll(1, 6, f"{region}: how much the natives lose (1d3)", "27.combat.natives.7")
    points = third(die)
    if revolt:
        points -= yield from _points_off_spheres(table, seat, land, points)
    weaken(table, region, points, "after the battle", "27.combat.natives.7")
    weaken(table, region, put_off, "westernized before the revolt", "27.opt.simultaneous.3")
    yield from trim_spheres(table, region)


def _points_off_spheres(table: Table[War], seat: Seat, land: Land, points: int) -> Script[int]:
    """Q21: how many of the points go to spheres that supported the revolt; those are taken off."""
    rebels = {owner: n for owner, n in land.spheres.items() if land.sides.get(owner) == "support"}
    if not rebels:
        return 0
    every = _spheres_in_order(rebels, strike_order(table.state, seat, tuple(rebels)))

    def wanted(sheet: Sequence[Intent]) -> tuple[Seat, ...] | None:
        rule = next((rule for rule in sheet if isinstance(rule, PointsRule)), None)
        return None if rule is None else _sorted_out(_by_rule(rule, every, points))

    text = f"The revolt in {land.name} is put down. Where {in_number(points, 'do')} the {counted(points, 'points')} go?"
    menu = OneOf(_divisions(every, points), ())
    gone = yield from decide(table, seat, f"{land.name}/points", text, menu, "27.combat.natives.7", wanted)
    _take_off(table, land.name, gone, "it supported the revolt", "27.combat.natives.7")
    return len(gone)


def _sorted_out(owners: Sequence[Seat]) -> tuple[Seat, ...]:
    return tuple(sorted(owners))


def _by_rule(rule: PointsRule, every: Sequence[Seat], points: int) -> tuple[Seat, ...]:
    """R27-66: as many spheres as the order means, those of the player it names first; the rest comes off the strength."""
    first = meant(rule.number, points)
    if rule.first == "strength":
        return tuple(every[: points - first])
    return tuple([owner for owner in every if rule.of in (None, owner)][:first])


def _divisions(every: tuple[Seat, ...], points: int) -> list[Choice[tuple[Seat, ...]]]:
    """All ways to divide points among spheres, by owner, and strength."""
    first = _sorted_out(every[:points])
    options: list[Choice[tuple[Seat, ...]]] = [
        Choice("strength", (), "all points off the native strength"),
        Choice(
            "spheres",
            first,
            f"the spheres that supported the revolt ({_owners_words(first)}), the rest off the strength",
        ),
    ]
    sizes = range(1, min(points, len(every)) + 1)
    ways = dict.fromkeys(_sorted_out(way) for size in sizes for way in combinations(every, size))
    return options + [
        Choice(_owners_words(way), way, f"{counted(points - len(way), 'points')} off the strength") for way in ways
    ]


def _owners_words(owners: Sequence[Seat]) -> str:
    """`1 Blue and 2 Green`, short enough to be an answer."""
    numbers = {owner: owners.count(owner) for owner in dict.fromkeys(owners)}
    return in_a_row([f"{number} {owner}" for owner, number in numbers.items()])


# ---------------------------------------------------------------- spheres over the limit


def strike_order(war: War, seat: Seat, owners: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """R27-66: whose spheres a region's owner strikes first: enemies', others', his own; each group in movement order."""

    def rank(owner: Seat) -> int:
        return 2 if owner == seat else 0 if war.at_war(seat, owner) else 1

    return tuple(sorted((s for s in war.order if s in owners), key=rank))


def trim_spheres(table: Table[War], region: str) -> Script[None]:
    """27.combat.explorer.5, Q9: in a player's region the owner strikes the spheres above the native strength."""
    land = table.state.lands[region]
    if land.owner is None or land.marker is None:
        return
    surplus = sum(land.spheres.values()) - land.marker.strength
    if surplus <= 0:
        return
    gone = yield from _struck(table, land.owner, land, surplus)
    _take_off(table, region, gone, "there are more than the natives' strength", "27.combat.explorer.5")


def _struck(table: Table[War], seat: Seat, land: Land, surplus: int) -> Script[tuple[Seat, ...]]:
    every = _spheres_in_order(land.spheres, strike_order(table.state, seat, tuple(land.spheres)))
    options = [Choice(_word(every, i), i, f"a sphere of {owner}") for i, owner in enumerate(every)]
    menu = Several(options, surplus, tuple(range(surplus)))

    def wanted(sheet: Sequence[Intent]) -> tuple[int, ...] | None:
        named = next((order.seats for order in sheet if isinstance(order, StrikeOrder)), None)
        if named is None:
            return None
        places = range(len(every))
        rank = {owner: place for place, owner in reversed(list(enumerate(named)))}
        return tuple(sorted(places, key=lambda i: (rank.get(every[i], len(named)), i))[:surplus])

    text = f"{land.name} holds {counted(surplus, 'spheres')} more than its natives' strength. Which do you strike?"
    name = f"{land.name}/spheres to strike"
    chosen = yield from decide(table, seat, name, text, menu, "27.combat.explorer.5", wanted)
    rest = [i for i in range(len(every)) if i not in chosen]
    return tuple(every[i] for i in (*chosen, *rest)[:surplus])


def _spheres_in_order(spheres: dict[Seat, int], owners: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """One entry for each single sphere."""
    return tuple(owner for owner in owners for _ in range(spheres.get(owner, 0)))


def _word(every: tuple[Seat, ...], place: int) -> str:
    copy = every[: place + 1].count(every[place])
    return every[place] if copy == 1 else f"{every[place]} {copy}"


def _take_off(table: Table[War], region: str, owners: tuple[Seat, ...], why: str, rule: str) -> None:
    for owner in dict.fromkeys(owners):
        table.emit(SpheresRemoved(region, owner, owners.count(owner), why, rule))
