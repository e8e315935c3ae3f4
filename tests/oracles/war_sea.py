"""Oracles of movement and of naval battles in War!, Version 27, over the auditor's own map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.games.war.events.combat import FleetLost, FleetsMoved, UnitsEmbarked, UnitsLanded, UnitsMoved
from referee.games.war.events.course import FleetsJoined
from referee.games.war.events.moving import (
    NavalBattleBrokenOff,
    NavalBattleEnded,
    NavalBattleJoined,
    NavalRoundFought,
    ReinforcementAnnounced,
)
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.war_board import BORDERS, BRIGADES, COASTS, GATES, SEAS, enemies, has, several, shortest

MOVES_27 = {"infantry": 1, "cavalry": 2, "artillery": 1, "general": 2, "explorer": 2, "engineer": 2, "fleet": 4}
"""Unit Characteristics Table: movement points a phase."""

DONE = 99
"""How the record marks a unit that may move no more."""


def _friends(war: Any, seat: Any) -> set[Any]:
    """Oneself, and the allies of a war (27.opt.alliances.6)."""
    sides = [side for coalition in war.coalitions for side in coalition.sides if seat in side]
    return {seat, *(other for side in sides for other in side)}


def marches(stretch: Stretch) -> Iterator[Line]:
    """Land Movement: 1 MP to enter an adjacent region, none when leaving one's railroad; only one's own is walked through."""
    for fact in stretch.of(UnitsMoved):
        if fact.event.how == "march":
            yield from _march(fact)


def _march(fact: Fact[UnitsMoved]) -> Iterator[Line]:
    event, war = fact.event, fact.before
    company, moves = _friends(war, event.before.owner), MOVES_27
    fares = {name: 0 for name, land in war.lands.items() if has(land, "railroad") and land.owner in company}
    open_to = {name for name, land in war.lands.items() if land.owner in company}
    if event.before.kind == "explorer":
        open_to |= {name for name, land in war.lands.items() if land.owner is None}
    graph = {
        name: near & (open_to | {event.target}) if name in open_to | {event.origin} else frozenset()
        for name, near in BORDERS.items()
    }
    way = shortest(event.origin, fares, graph).get(event.target, DONE)
    yield at_most(f"{event.before.kind} to {event.target}", event.before.spent + way, moves[event.before.kind])
    owner = war.lands[event.target].owner
    if event.after.spent < DONE:
        yield at_most("MP spent", event.after.spent, moves[event.before.kind])
        yield at_most("the cheapest way", way, event.after.spent - event.before.spent)
        yield Line("goes on only in friendly land", owner in company or event.before.kind == "explorer", True)
    ceded = any(offer.kind == "cede" and offer.region == event.target for offer in war.offers)
    friendly = owner is None or owner in company or ceded
    yield Line("no enemy's land in peace", friendly or owner in enemies(war, event.before.owner), True)


def portage(stretch: Stretch) -> Iterator[Line]:
    """Naval Movement by Land Units: 8 portage points a fleet, a brigade 2, a party 1; boarding costs the unit 1 MP."""
    for fact in stretch.any_of(UnitsEmbarked, UnitsLanded, FleetsMoved):
        moved = fact.event.fleets if isinstance(fact.event, FleetsMoved) else (fact.event.fleet,)
        for number in moved:
            yield at_most("portage points", _points(fact.after.fleets[number]), 8)
    for board in stretch.of(UnitsEmbarked):
        event, war = board.event, board.before
        yield Line("beside the sea", war.fleets[event.fleet].sea in COASTS[event.region], True)
        if event.how == "board":
            land, seat = war.lands[event.region], event.before.owner
            fare = 0 if has(land, "railroad") and land.owner in _friends(war, seat) else 1
            yield at_most("MP to board", event.before.spent + fare, MOVES_27[event.before.kind])


def _points(fleet: Any) -> int:
    return sum((2 if load.kind in BRIGADES else 1) * load.number for load in fleet.cargo)


def sailing(stretch: Stretch) -> Iterator[Line]:
    """Naval Movement: 1 MP for an adjacent sea area or for a land area disembarked into, 4 in all; straits by leave."""
    for fact in stretch.any_of(FleetsMoved, UnitsLanded):
        if isinstance(fact.event, FleetsMoved):
            yield from _sailed(fact)
        else:
            yield from _landed(stretch, fact)


def _landing(stretch: Stretch, place: int) -> int:
    """The place of the first unit of a landing; what goes ashore without a pause is one (R27-35)."""
    event = stretch.facts[place].event
    while place and isinstance(stretch.facts[place - 1].event, UnitsLanded):
        before = stretch.facts[place - 1].event
        if before.region != event.region:
            break
        place -= 1
    return place


def first_ashore(stretch: Stretch, place: int) -> bool:
    """Whether units of a landing are the first from their fleet, which pays for all."""
    start, fleet = _landing(stretch, place), stretch.facts[place].event.fleet
    return all(fact.event.fleet != fleet for fact in stretch.facts[start:place])


def _sailed(fact: Fact[Any]) -> Iterator[Line]:
    event = fact.event
    gate = GATES.get(frozenset((event.origin, event.target)))
    yield Line("a step at sea", event.target in SEAS[event.origin] or gate is not None, True)
    if gate is not None:
        yield Line("natives keep a strait shut", fact.before.lands[gate].owner is not None, True)
        yield Line("the canal is built", gate != "Egypt" or len(fact.before.canal) >= 2, True)
    for number in event.fleets:
        spent = fact.after.fleets[number].spent
        yield Line("MP of a step", spent, fact.before.fleets[number].spent + 1)
        yield at_most("MP of a fleet", spent, MOVES_27["fleet"])


def _landed(stretch: Stretch, fact: Fact[Any]) -> Iterator[Line]:
    event = fact.event
    fleet = fact.before.fleets[event.fleet]
    yield Line("lands beside its sea", fleet.sea in COASTS[event.region], True)
    yield Line("MP of a landing", event.spent, fleet.spent + first_ashore(stretch, fact.place))
    yield at_most("MP of a fleet", event.spent, MOVES_27["fleet"])
    yield Line("ashore it moves no more", event.after.spent, DONE)


def reinforcements(stretch: Stretch) -> Iterator[Line]:
    """Reinforcement Move: schools + 1D6 points; cavalry 1, infantry 2, artillery 3; one brigade stays behind."""
    for fact in stretch.of(ReinforcementAnnounced):
        event = fact.event
        die = sum(stretch.thrown(fact.place)[:1])
        yield Line("points", event.points, several(fact.before, event.seat, "school") + die)
        came = [f for f in stretch.since(fact.place, ReinforcementAnnounced) if _reinforces(f.event, event)]
        spent = sum(
            {"cavalry": 1, "infantry": 2, "artillery": 3}.get(f.event.before.kind, 0) * f.event.before.number
            for f in came
        )
        yield at_most("points used", spent, event.points)
        yield Line("next door", event.region in BORDERS[event.origin], True)
        if came:
            left = [stack for stack in came[-1].after.lands[event.origin].stacks if stack.kind in BRIGADES]
            yield Line("one stays", bool(left), True)


def _reinforces(event: Any, announced: ReinforcementAnnounced) -> bool:
    if not isinstance(event, UnitsMoved) or event.how != "reinforce":
        return False
    return (event.before.owner, event.origin, event.target) == (announced.seat, announced.origin, announced.region)


def naval_dice(stretch: Stretch) -> Iterator[Line]:
    """Naval Battle Resolution Chart: 1d6 a fleet, 5 and more hits; -1 or -2 laden, +1 for schools, +1 for each port there."""
    for fact in stretch.of(NavalRoundFought):
        event, war = fact.event, fact.before
        helped = sum(
            has(land, "port") and land.owner == event.side and event.sea in COASTS[name]
            for name, land in war.lands.items()
        )
        helped += several(war, event.side, "school") > several(war, _enemy(stretch, fact), "school")
        burdens = [_points(war.fleets[number]) for number in event.fleets]
        due = tuple(helped - (0 if not points else 1 if points <= 4 else 2) for points in burdens)
        yield from gunnery(stretch, fact, due, 1, 5)


def _enemy(stretch: Stretch, fact: Fact[NavalRoundFought]) -> Any:
    sea = fact.event.sea
    joined = next(
        f.event for f in stretch.back(fact.place) if isinstance(f.event, NavalBattleJoined) and f.event.sea == sea
    )
    return joined.enemy if fact.event.side == joined.mover else joined.mover


def gunnery(
    stretch: Stretch, fact: Fact[NavalRoundFought], due: tuple[int, ...], dice: int, needed: int
) -> Iterator[Line]:
    """One side's round at sea: so many dice a fleet, this modifier for each, a hit from this number on."""
    event = fact.event
    yield Line("naval modifiers", event.modifiers, due)
    thrown = stretch.thrown(fact.place)
    sums = tuple(sum(thrown[place : place + dice]) for place in range(0, len(thrown), dice))
    yield Line("the dice shown", (event.faces, len(event.faces)), (sums, len(event.fleets)))
    scored = sum(face + drm >= needed for face, drm in zip(event.faces, due, strict=True))
    yield Line("naval hits", event.hits, scored)


def naval_losses(stretch: Stretch) -> Iterator[Line]:
    """Naval Battle Resolution: each hit sinks an opposing fleet, and no other, with all that it carries."""
    rounds = list(stretch.of(NavalRoundFought))
    for ours, theirs in zip(rounds[::2], rounds[1::2], strict=True):
        until = (NavalRoundFought, NavalBattleEnded, NavalBattleBrokenOff, NavalBattleJoined, FleetsJoined)
        sunk = Counter(f.event.number for f in stretch.since(theirs.place, *until) if isinstance(f.event, FleetLost))
        for hit, scored in ((ours.event.fleets, theirs.event.hits), (theirs.event.fleets, ours.event.hits)):
            yield Line("sunk", sum(sunk[number] for number in hit), min(scored, len(hit)))
        yield Line("nobody else", set(sunk) <= {*ours.event.fleets, *theirs.event.fleets}, True)
