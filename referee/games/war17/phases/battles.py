"""A land battle of Version 1.7: plans are read, the armies fight on the tactical field, somebody leaves (17.combat.land)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, OneOf, Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.war.events.combat import BattleBegan, BattleEnded
from referee.games.war.events.forces import UnitsLost
from referee.games.war.phases.combat.natives_run import who_runs_natives
from referee.games.war.phases.control import reveal_marker
from referee.games.war.phases.decisions import decision
from referee.games.war.position.places import Marker
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES
from referee.games.war17.phases.gaining import gain
from referee.games.war17.phases.plans import PlanMenu, plan_of
from referee.games.war17.phases.retreating import army_of, goal_of, leave, ways_back, ways_home
from referee.games.war17.phases.tactical import ATTACKER, Army, Decision, Step, fight, pursuit
from referee.games.war17.reckoning.tactical.field import SECTORS, Force
from referee.games.war17.reckoning.tactical.plan import DEFAULT, BattlePlan, feeds, retreats
from referee.games.war17.rulebook.pieces import school_drm


def natives_of(marker: Marker) -> dict[str, int]:
    """17.combat.natives.1: infantry of the rating; with a sign cavalry of half of it, up; with two signs one artillery."""
    army = {"infantry": marker.strength}
    if marker.plus:
        army["cavalry"] = (marker.strength + 1) // 2
    return army | ({"artillery": 1} if marker.plus > 1 else {})


def battle(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """17.combat.land.1: the mover's brigades against the owner of the region, or its natives."""
    reveal_marker(table, region)
    owner = table.state.lands[region].owner
    armies = yield from _armies(table, seat, region, owner)
    attack, defence = (tuple(army.troops.items()) for army in armies)
    table.emit(BattleBegan(region, seat, attack, owner, defence))

    def lost(side: int, kind: str) -> None:
        _fell(table, region, armies[side].who, kind)

    def choose(turn: int, forces: tuple[Force, Force]) -> Script[tuple[Decision, Decision]]:
        return _choices(table, region, armies, turn, forces)

    result = yield from fight(table, region, armies, choose, lost)
    winner, loser = armies[1 - result.loser].who, armies[result.loser].who
    if loser is not None:
        goals = (ways_back if result.loser == ATTACKER else ways_home)(table.state, loser, region)
        goal = yield from goal_of(table, loser, region, goals)
        afloat = bool(goal) and goal not in table.state.lands
        yield from pursuit(table, region, armies, result, afloat, lost)
        rule = "17.combat.fleets.1" if afloat else _way_rule(result.loser, winner)
        leave(table, loser, region, goal, rule)
    table.emit(BattleEnded(region, winner, loser, result.turns))
    if winner == seat:
        yield from gain(table, seat, region, "conquest")


def _way_rule(loser: int, winner: Seat | None) -> str:
    if loser == ATTACKER:
        return "17.combat.land.3" if winner else "R17-09"
    return "17.combat.land.4"


def _fell(table: Table[War], region: str, who: Seat | None, kind: str) -> None:
    """17.tactical.4: an eliminated unit of a player leaves the map; natives stand up again if they win (17.combat.natives.4)."""
    stacks = [s for s in table.state.lands[region].stacks if s.owner == who and s.kind == kind]
    if stacks:
        table.emit(UnitsLost(region, replace(stacks[0], number=1), "eliminated in battle", "17.tactical.4"))


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


def _choices(
    table: Table[War], region: str, armies: tuple[Army, Army], turn: int, forces: tuple[Force, Force]
) -> Script[tuple[Decision, Decision]]:
    """R17-23"""
    asked = [side for side in (0, 1) if table.state.decisions.get(_who(armies[side])) == "interactive"]
    stances = yield from table.ask_all([_stance(table, region, armies[s], turn, forces, s) for s in asked])
    feeding = [side for side in asked if forces[side].reserve and len(forces[side].posts) > 1]
    sectors = yield from table.ask_all([_feed(table, region, armies[s], turn, forces, s) for s in feeding])
    stepping = [side for side in asked if _steps(forces[side])]
    steps = yield from table.ask_all([_step(table, region, armies[s], turn, forces, s) for s in stepping])
    choices = [Decision(), Decision()]
    for side, answer in zip(asked, stances, strict=True):
        kept = "" if answer.value in ("retreat", "plan") else answer.value
        choices[side] = Decision(retreat=answer.value == "retreat", stance=kept, asked=True)
    for side, answer in zip(feeding, sectors, strict=True):
        choices[side] = replace(choices[side], feed=answer.value)
    for side, picked in zip(stepping, steps, strict=True):
        choices[side] = replace(choices[side], steps=picked.value)
    return choices[0], choices[1]


def _who(army: Army) -> Seat:
    return army.who or Seat("")


def _stance(
    table: Table[War], region: str, army: Army, turn: int, forces: tuple[Force, Force], side: int
) -> Question[str]:
    leaves = retreats(army.plan, turn, forces[side], forces[1 - side])
    options = [
        Choice("plan", "plan", "as your plan says"),
        Choice("assault", "assault", "charge wherever an enemy is"),
        Choice("stand", "stand", "hold the line and fire"),
        *([Choice("retreat", "retreat", "leave the battle")] if turn > 1 else []),
    ]

    def wanted(sheet: Sequence[Intent]) -> str | None:
        return None if plan_of(sheet, region) is None else "retreat" if leaves else "plan"

    text = f"Battle of {region}, turn {turn}. {_seen(forces, side)} What do you do?"
    menu = OneOf(options, "retreat" if leaves else "plan")
    name = f"{region}/turn {turn}/{army.who}/stance"
    return decision(table, _who(army), name, text, menu, "R17-23", wanted)


def _seen(forces: tuple[Force, Force], side: int) -> str:
    """How both armies stand, sector by sector."""
    parts = []
    for sector, post in forces[side].posts.items():
        his = forces[1 - side].posts[sector]
        parts.append(f"{sector}: {post.brigades} of yours against {his.brigades}")
    return f"{'; '.join(parts).capitalize()}."


def _feed(
    table: Table[War], region: str, army: Army, turn: int, forces: tuple[Force, Force], side: int
) -> Question[str]:
    own = forces[side]
    menu = OneOf([Choice(sector, sector) for sector in own.posts], feeds(army.plan, own, forces[1 - side]))
    text = f"Battle of {region}, turn {turn}: to which sector do your reserves go?"
    name = f"{region}/turn {turn}/{army.who}/reserve"
    return decision(
        table, _who(army), name, text, menu, "17.tactical.7", lambda sheet: _fed(sheet, region, menu.default)
    )


def _fed(sheet: Sequence[Intent], region: str, default: str) -> str | None:
    return None if plan_of(sheet, region) is None else default


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


def _step(
    table: Table[War], region: str, army: Army, turn: int, forces: tuple[Force, Force], side: int
) -> Question[tuple[Step, ...]]:
    options = _steps(forces[side])
    menu = Several(options, min(3, len(options)))
    text = f"Battle of {region}, turn {turn}: which brigades step instead of fighting (up to {menu.at_most}, or none)?"
    name = f"{region}/turn {turn}/{army.who}/steps"

    def wanted(sheet: Sequence[Intent]) -> tuple[Step, ...] | None:
        return None if plan_of(sheet, region) is None else ()

    return decision(table, _who(army), name, text, menu, "17.tactical.7", wanted)
