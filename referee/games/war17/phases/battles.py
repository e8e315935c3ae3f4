"""Battles of Version 1.7, and natives explored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, OneOf, Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import battles_of
from referee.games.war.events.combat import BattleBegan, BattleEnded, UnitsLost
from referee.games.war.orders.combat import CombatOrder, ResolveInOrder
from referee.games.war.phases import decision, leave_region, reveal_marker
from referee.games.war.phases.land_battle import act, who_runs_natives
from referee.games.war.position import Marker
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.games.war.rulebook import BRIGADES
from referee.games.war17.events import ExplorationRolled
from referee.games.war17.orders import ExploreRegion17, explorers_in
from referee.games.war17.phases.movement import PlanMenu, army_of, gain, goal_of, leave, plan_of, ways_back, ways_home
from referee.games.war17.phases.tactical import ATTACKER, Army, Decision, Step, fight, pursuit
from referee.games.war17.reckoning import DEFAULT, SECTORS, BattlePlan, Force, feeds, natives_of, retreats
from referee.games.war17.rulebook import LED, SECOND, school_drm

T = TypeVar("T")


def battle(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """17.combat.land.1: the mover's brigades against the owner of the region, or its natives."""
    reveal_marker(table, region)
    owner = table.state.lands[region].owner
    armies = yield from _armies(table, seat, region, owner)
    attack, defence = (tuple(army.troops.items()) for army in armies)
    table.emit(BattleBegan(region, seat, attack, owner, defence))

    def lost(side: int, kind: str) -> None:
        """17.tactical.4: an eliminated unit leaves the map; natives stand up again if they win (17.combat.natives.4)."""
        stacks = [s for s in table.state.lands[region].stacks if (s.owner, s.kind) == (armies[side].who, kind)]
        if stacks:
            table.emit(UnitsLost(region, replace(stacks[0], number=1), "eliminated in battle", "17.tactical.4"))

    def choose(turn: int, forces: tuple[Force, Force]) -> Script[tuple[Decision, Decision]]:
        return _choices(table, region, armies, turn, forces)

    result = yield from fight(table, region, armies, choose, lost)
    winner, loser = armies[1 - result.loser].who, armies[result.loser].who
    if loser is not None:
        goals = (ways_back if result.loser == ATTACKER else ways_home)(table.state, loser, region)
        goal = yield from goal_of(table, loser, region, goals)
        afloat = bool(goal) and goal not in table.state.lands
        yield from pursuit(table, region, armies, result, afloat, lost)
        beaten = "17.combat.land.4" if result.loser != ATTACKER else "17.combat.land.3" if winner else "R17-09"
        rule = "17.combat.fleets.1" if afloat else beaten
        leave(table, loser, region, goal, rule)
    table.emit(BattleEnded(region, winner, loser, result.turns))
    if winner == seat:
        yield from gain(table, seat, region, "conquest")


# ---------------------------------------------------------------- armies


def _armies(table: Table[War], seat: Seat, region: str, owner: Seat | None) -> Script[tuple[Army, Army]]:
    """17.tactical.8: troops, plans and modifiers of both; both plans are read before either is shown."""
    land = table.state.lands[region]
    leader = owner or (yield from who_runs_natives(table, seat, region, "17.combat.natives.2"))
    sides = [who for who in (seat, leader) if who is not None]
    answers: tuple[Answer[BattlePlan], ...] = yield from table.ask_all([_plan(table, who, region) for who in sides])
    plans = [answer.value for answer in answers]
    landed = any(stack.landed for stack in land.stacks if stack.owner == seat)
    hindered = int(landed) + int(owner is not None and land.has("fort"))
    ours, theirs = _skills(table.state, seat, owner)
    troops = army_of(land, owner) if owner else natives_of(land.marker or Marker(4))
    attacker = Army(seat, army_of(land, seat), plans[0], {k: n - hindered for k, n in ours.items()}, ours)
    return attacker, Army(owner, troops, plans[1] if len(plans) > 1 else DEFAULT, theirs, theirs)


def _skills(war: War, seat: Seat, owner: Seat | None) -> tuple[dict[str, int], dict[str, int]]:
    """17.pieces.5; 17.tactical.plan.4: with `net_schools` what both have cancels out."""
    ours = {kind: school_drm(kind, war.schools(seat)) for kind in BRIGADES}
    theirs = {kind: school_drm(kind, war.schools(owner)) if owner else 0 for kind in BRIGADES}
    if war.options.get("net_schools") != "yes":
        return ours, theirs
    both = {kind: min(ours[kind], theirs[kind]) for kind in BRIGADES}
    return {k: ours[k] - both[k] for k in BRIGADES}, {k: theirs[k] - both[k] for k in BRIGADES}


def _plan(table: Table[War], who: Seat, region: str) -> Question[BattlePlan]:
    """17.tactical.plan.1, Q28: never mailed; who is asked each turn (R17-23) need not be told which plan that leaves."""
    text = "" if table.state.decisions.get(who) == "interactive" else f"Your battle plan for {region}."
    name = f"{table.phase}/{region}/{who}/plan"
    return Question(name, who, text, PlanMenu(), Pace.AUTO, "17.tactical.plan.1", lambda sheet: plan_of(sheet, region))


# ---------------------------------------------------------------- decisions of a turn


class _Turn(NamedTuple):
    """A turn of a battle as one side sees it."""

    table: Table[War]
    region: str
    number: int
    army: Army
    own: Force
    enemy: Force

    def asks(self, what: str, text: str, menu: OneOf[T] | Several[T], rule: str) -> Question[Any]:
        """A question of this turn; who has a plan on file, whatever it says, answers it as the plan does."""
        who, battle = self.army.who or Seat(""), f"Battle of {self.region}, turn {self.number}"
        name = f"{self.region}/turn {self.number}/{self.army.who}/{what}"

        def wanted(sheet: Sequence[Intent]) -> Any:
            return None if plan_of(sheet, self.region) is None else menu.default

        return decision(self.table, who, name, f"{battle}{text}", menu, rule, wanted)

    def stance(self) -> Question[str]:
        """R17-23"""
        leaves = retreats(self.army.plan, self.number, self.own, self.enemy)
        options = [
            Choice("plan", "plan", "as your plan says"),
            Choice("assault", "assault", "charge wherever an enemy is"),
            Choice("stand", "stand", "hold the line and fire"),
            *([Choice("retreat", "retreat", "leave the battle")] if self.number > 1 else []),
        ]
        posts = self.own.posts.items()
        seen = [f"{s}: {post.brigades} of yours against {self.enemy.posts[s].brigades}" for s, post in posts]
        text = f". {'; '.join(seen).capitalize()}. What do you do?"
        return self.asks("stance", text, OneOf(options, "retreat" if leaves else "plan"), "R17-23")

    def feed(self) -> Question[str]:
        """17.tactical.7"""
        menu = OneOf([Choice(sector, sector) for sector in self.own.posts], feeds(self.army.plan, self.own, self.enemy))
        return self.asks("reserve", ": to which sector do your reserves go?", menu, "17.tactical.7")

    def step(self) -> Question[tuple[Step, ...]]:
        """17.tactical.7"""
        menu = Several(_steps(self.own), min(3, len(_steps(self.own))))
        text = f": which brigades step instead of fighting (up to {menu.at_most}, or none)?"
        return self.asks("steps", text, menu, "17.tactical.7")


def _choices(
    table: Table[War], region: str, armies: tuple[Army, Army], turn: int, forces: tuple[Force, Force]
) -> Script[tuple[Decision, Decision]]:
    """R17-23"""
    turns = [_Turn(table, region, turn, army, forces[side], forces[1 - side]) for side, army in enumerate(armies)]
    choices = [Decision(), Decision()]
    asked = [side for side in (0, 1) if table.state.decisions.get(armies[side].who or Seat("")) == "interactive"]
    for side, answer in zip(asked, (yield from table.ask_all([turns[s].stance() for s in asked])), strict=True):
        kept = "" if answer.value in ("retreat", "plan") else answer.value
        choices[side] = Decision(retreat=answer.value == "retreat", stance=kept, asked=True)
    feeding = [side for side in asked if forces[side].reserve and len(forces[side].posts) > 1]
    for side, fed in zip(feeding, (yield from table.ask_all([turns[s].feed() for s in feeding])), strict=True):
        choices[side] = replace(choices[side], feed=fed.value)
    stepping = [side for side in asked if _steps(forces[side])]
    for side, picked in zip(stepping, (yield from table.ask_all([turns[s].step() for s in stepping])), strict=True):
        choices[side] = replace(choices[side], steps=picked.value)
    return choices[0], choices[1]


def _steps(own: Force) -> list[Choice[Step]]:
    """17.tactical.7: one brigade of each kind from a line to a neighbour line, or back from the middle."""
    options: list[Choice[Step]] = []
    for sector, post in own.posts.items():
        near = [s for s in own.posts if abs(SECTORS.index(s) - SECTORS.index(sector)) == 1]
        for kind in BRIGADES:
            if post.middle.get(kind):
                step = Step(kind, ("middle", sector), ("line", sector))
                options.append(Choice(f"{kind} back {sector}", step, "from the middle to the line"))
            if post.line.get(kind) and post.brigades > 1:
                steps = [(s, Step(kind, ("line", sector), ("line", s))) for s in near]
                options += [Choice(f"{kind} {sector} to {s}", step, "along the line") for s, step in steps]
    return options


# ---------------------------------------------------------------- exploration at the table
# Two dice against the natives' rating, and what comes of it (17.explore).


def explore(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """17.explore.1, 17.explore.2, R17-08"""
    # 17.explore.3, 17.explore.4, R17-08: a second explorer +1 once, a leader +2 once.
    land = table.state.lands[region]
    company = (
        ("second explorer", SECOND, land.count(seat, "explorer") > 1),
        ("leader", LED, land.count(seat, "leader") > 0),
    )
    modifiers = tuple((who, value) for who, value, there in company if there)
    faces = table.roll(2, 6, f"{region}: {seat}'s explorer among the natives", "17.explore.1")
    rating = land.marker.strength if land.marker is not None else 0
    success = sum(faces) + sum(value for _, value in modifiers) >= rating
    reveal_marker(table, region, None if success else seat)
    table.emit(ExplorationRolled(seat, region, sum(faces), modifiers, rating, success))
    if success:
        yield from gain(table, seat, region, "explorer")
        return
    for stack in table.state.lands[region].stacks:
        if stack.owner == seat and stack.kind == "explorer":
            table.emit(UnitsLost(region, replace(stack), "the natives do not join him", "17.explore.2"))
    if not table.state.lands[region].brigades(seat):
        yield from leave_region(table, seat, region, ("leader",), f"{region}/{seat}/leader")


# ---------------------------------------------------------------- combat
# A player's battles and explorations, in his order; then parties left in foreign land are lost (17.combat.order.1).


def combat_phase(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None) -> Script[None]:
    """17.combat.order.1, R17-25: what his list names, then battles, explorers, other orders; 17.move.land.5 at the end (R17-06)."""
    sheet = in_force(table.state, seat, sheet, (ResolveInOrder, ExploreRegion17, CombatOrder), judged)
    listed = dict.fromkeys(region for order in sheet if isinstance(order, ResolveInOrder) for region in order.regions)
    ordered = dict.fromkeys(order.region for order in sheet if isinstance(order, ExploreRegion17))
    early = {order.region for order in sheet if isinstance(order, ExploreRegion17) and order.before_battle}
    explored = {order.region for order in sheet if isinstance(order, ExploreRegion17) and order.wait}
    others = [order for order in sheet if isinstance(order, CombatOrder) and not isinstance(order, ExploreRegion17)]
    acted = set[str]()
    for region in dict.fromkeys((*listed, *battles_of(table.state, seat))):
        if region in early:
            yield from _explore(table, seat, region, explored)
        if region in battles_of(table.state, seat):
            yield from battle(table, seat, region)
        if region in listed:
            yield from _explore(table, seat, region, explored)
            yield from act(table, seat, region, others, acted)
    for region in dict.fromkeys((*ordered, *explorers_in(table.state, seat))):
        yield from _explore(table, seat, region, explored)
    for order in sheet:
        if isinstance(order, ExploreRegion17) and order.region not in explored:  # its writer is told why
            yield from act(table, seat, order.region, (order,), set())
    for region in dict.fromkeys(order.region for order in others):
        yield from act(table, seat, region, others, acted)
    # 17.move.land.5, R17-06: parties in land that is not his are lost, but explorers and leaders among natives stay.
    for land in table.state.lands.values():
        if land.owner == seat:
            continue
        explorer = land.owner is None and land.count(seat, "explorer") > 0
        for stack in land.stacks:
            spared = stack.kind in BRIGADES or (explorer and stack.kind in ("explorer", "leader"))
            if stack.owner == seat and not spared:
                table.emit(UnitsLost(land.name, stack, "the region is not his", "17.move.land.5"))


def _explore(table: Table[War], seat: Seat, region: str, explored: set[str]) -> Script[None]:
    """17.explore.1, R17-25"""
    if region not in explored and region in explorers_in(table.state, seat):
        explored.add(region)
        yield from explore(table, seat, region)
