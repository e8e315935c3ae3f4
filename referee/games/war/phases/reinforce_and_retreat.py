"""Moves beside a battle: generals hurry to attacked neighbours before it (27.move.reinforce, R27-38), and sides retreat from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Several
from referee.core.table import Script, Table
from referee.games.war.events.combat import OrderFellShort, UnitsLost, UnitsMoved
from referee.games.war.events.moving import ReinforcementAnnounced
from referee.games.war.orders.standing_battles import ReinforceRule, RetreatRule
from referee.games.war.orders.standing_home import EvacuateTo
from referee.games.war.phases import board, consult, decide, ways_out
from referee.games.war.phases.battle_rounds import fight_round, loss_order
from referee.games.war.phases.movement import Company, Lots, lots_named
from referee.games.war.phases.naval_battle import Announced, intercepted
from referee.games.war.position import Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning import attackers, carriers, friends
from referee.games.war.reckoning.battle import Battle, Role, opposite
from referee.games.war.rulebook import BOARD, BRIGADES, KINDS
from referee.kit.fields import Most, meant
from referee.kit.wording import counted, in_number

# ---------------------------------------------------------------- the reinforcement move
# Generals hurry to attacked neighbours before any combat.


_FIRST = tuple(sorted(BRIGADES, key=lambda kind: KINDS[kind].reinforcement))
"""R27-38"""


def regions_under_attack(war: War, owner: Seat) -> tuple[str, ...]:
    """A player's regions in which brigades of somebody else stand, in the order of the map."""
    return tuple(land.name for land in war.contested() if land.owner == owner and _attackers(war, land.name))


def brought(war: War, owner: Seat, origin: str, wanted: Sequence[tuple[str, Most]], points: int) -> dict[str, int]:
    """How many brigades of each kind come along: by priority, as far as the points go, one staying behind.

    Of each kind as many at most as are named of those there (27.move.reinforce.4, 27.move.reinforce.6).
    """
    land = war.lands[origin]
    spare = land.brigades(owner) - 1
    coming: dict[str, int] = {}
    for kind, most in dict(wanted).items():
        cost = KINDS[kind].reinforcement
        number = max(0, min(meant(most, land.count(owner, kind)), points // cost, spare))
        coming[kind] = number
        points, spare = points - number * cost, spare - number
    return coming


def reinforcements(table: Table[War], seat: Seat) -> Script[None]:
    """After the mover's last move each other player, in movement order after him (R27-38)."""
    helped: list[str] = []
    for other in table.state.after(seat):
        for region in (*regions_under_attack(table.state, other), *_of_allies(table.state, other, seat)):
            if region not in helped and (yield from _reinforce(table, other, region)):
                helped.append(region)


def _of_allies(war: War, seat: Seat, mover: Seat) -> tuple[str, ...]:
    """R27-38, 27.opt.alliances.7: regions of allies who let him in, attacked by an enemy of his, or in revolt on their share."""
    own = [ally for ally in friends(war, seat) if ally != seat]
    attacked = [r for ally in own if ally != mover and war.at_war(seat, mover) for r in regions_under_attack(war, ally)]
    rising = [land.name for land in war.regions_of(mover) if land.revolt is not None] if mover in own else []
    return (*attacked, *rising)


def _reinforce(table: Table[War], seat: Seat, region: str) -> Script[bool]:
    """27.move.reinforce.3, 27.move.reinforce.5: one general a region; once announced he goes, whatever the die."""
    # Adjacent own regions with a general and not themselves under attack or in revolt (27.move.reinforce.2).
    war = table.state
    attacked = regions_under_attack(war, seat)
    neighbours = (war.lands[name] for name in BOARD.regions[region].borders)
    near = tuple(
        land.name
        for land in neighbours
        if land.owner == seat and land.count(seat, "general") and land.name not in attacked and land.revolt is None
    )
    origin = (yield from _announced(table, seat, region, near)) if near else ""
    if not origin:
        yield from _explained(table, seat, region, near)
        return False
    (die,) = table.roll(1, 6, f"{region}: reinforcement by {seat}", "27.move.reinforce.4")
    points = table.state.schools(seat) + die
    table.emit(ReinforcementAnnounced(seat, region, origin, points))
    coming = dict((yield from _companions(table, seat, region, origin, points)))
    for kind, number in {"general": 1, **coming}.items():
        for stack in _taken(table.state, seat, origin, kind, number):
            table.emit(UnitsMoved(origin, stack, region, _arrived(stack, origin), "reinforce", "27.move.reinforce.2"))
    return True


def _arrived(stack: Stack, origin: str) -> Stack:
    return Stack(stack.owner, stack.kind, stack.number, origin=origin)


def _taken(war: War, seat: Seat, region: str, kind: str, number: int) -> Iterator[Stack]:
    for stack in war.lands[region].stacks:
        part = min(number, stack.number) if (stack.owner, stack.kind) == (seat, kind) else 0
        number -= part
        if part:
            yield replace(stack, number=part)


# ---------------------------------------------------------------- decisions


def _attackers(war: War, region: str) -> int:
    land = war.lands[region]
    return sum(land.brigades(seat) for seat in attackers(war, land))


def _rule(sheet: Sequence[Intent], region: str, near: Sequence[str], attackers: int) -> ReinforceRule | None:
    """The first standing order for the region that can be followed."""
    rules = [rule for rule in sheet if isinstance(rule, ReinforceRule) and rule.region == region]
    fitting = (r for r in rules if r.origin in near and (not r.at_most or attackers <= r.at_most))
    return next(fitting, None)


def _announced(table: Table[War], seat: Seat, region: str, near: tuple[str, ...]) -> Script[str]:
    """Q16, R27-38: from where a general comes; "" for nobody."""
    attackers = _attackers(table.state, region)
    options = [Choice("nobody", "", "no reinforcement"), *(placed(o, f"a general from {o}") for o in near)]

    def wanted(sheet: Sequence[Intent]) -> str | None:
        rule = _rule(sheet, region, near, attackers)
        if rule is not None:
            return rule.origin
        spoken = any(isinstance(rule, ReinforceRule) and rule.region == region for rule in sheet)
        return "" if spoken else None

    text = f"{counted(attackers, 'brigades')} {in_number(attackers, 'attack')} {region}. Does a general reinforce it?"
    name = f"{region}/reinforce by {seat}"
    return (yield from decide(table, seat, name, text, OneOf(options, ""), "27.move.reinforce.2", wanted))


def _explained(table: Table[War], seat: Seat, region: str, near: tuple[str, ...]) -> Script[None]:
    """Tell the reason to a player who ordered reinforcement for an attacked region and gets none."""

    def ordered(sheet: Sequence[Intent]) -> str | None:
        return next((rule.origin for rule in sheet if isinstance(rule, ReinforceRule) and rule.region == region), None)

    menu = OneOf([Choice("nothing", ""), *map(placed, BOARD.regions[region].borders)], "")
    name = f"{region}/reinforcement ordered by {seat}"
    origin = yield from consult(
        table, seat, name, f"Was {region} to be reinforced?", menu, "27.move.reinforce.2", ordered
    )
    if origin:
        why = _why_not(table.state, seat, region, origin, near)
        table.emit(OrderFellShort(seat, ReinforceRule(region, origin).meaning(), why, "27.move.reinforce.2"))


def _why_not(war: War, seat: Seat, region: str, origin: str, near: tuple[str, ...]) -> str:
    land = war.lands[origin]
    if origin in near:
        return f"{counted(_attackers(war, region), 'brigades')} of the enemy stand in {region}, more than you named."
    if land.owner != seat:
        return f"{origin} is not yours."
    if not land.count(seat, "general"):
        return f"No general of yours is in {origin}."
    if land.revolt is not None:
        return f"{origin} is itself in revolt; its general stays."
    return f"{origin} is itself under attack; its general stays."


def _companions(table: Table[War], seat: Seat, region: str, origin: str, points: int) -> Script[Lots]:
    """The brigades that he brings, after the die is known; fewer than the points allow if his owner likes."""
    war = table.state
    here = tuple((kind, 0) for kind in _FIRST if war.lands[origin].count(seat, kind))
    most = brought(war, seat, origin, here, points)
    if not any(most.values()):
        return ()
    attackers = _attackers(war, region)

    def fitting(asked: Sequence[tuple[str, Most]]) -> Lots:
        coming = brought(war, seat, origin, asked, points)
        return tuple((kind, number) for kind, number in coming.items() if number)

    pool = {kind: war.lands[origin].count(seat, kind) for kind, _ in here}
    menu = Company(pool, {kind: KINDS[kind].reinforcement for kind in pool}, points, fitting)

    def wanted(sheet: Sequence[Intent]) -> Lots | None:
        rule = _rule(sheet, region, (origin,), attackers)
        return None if rule is None else menu.lots(dict(fitting(rule.brings or here)))

    text = f"Your general goes from {origin} to {region} with {points} points. Which brigades does he bring?"
    name = f"{region}/brought by {seat}"
    return (yield from decide(table, seat, name, text, menu, "27.move.reinforce.4", wanted))


STAY = "stay"
"""The answer of a side that fights on."""


# ---------------------------------------------------------------- where to


def retreat_goals(war: War, battle: Battle, role: Role) -> tuple[str, ...]:
    """R27-58: an attacker's origins; a defender's friendly neighbours and seas beside; land first, the best first."""
    seat = battle.seat(role)
    if seat is None:
        return ()
    return ways_out(war, seat, battle.region) if role == "defender" else _origins(war, battle, seat)


def _origins(war: War, battle: Battle, seat: Seat) -> tuple[str, ...]:
    """27.combat.retreat.1: regions that are still his, and seas in which a fleet of his has room."""
    places = battle.entered_from(war)
    company = friends(war, seat)
    lands = [war.lands[place] for place in places if place in war.lands and war.lands[place].owner in company]
    lands.sort(key=lambda land: (-land.brigades(seat), BOARD.position(land.name)))
    seas = [
        place for place in places if place in BOARD.seas and any(fleet.room for fleet in war.fleets_of(seat, place))
    ]
    return (*(land.name for land in lands), *sorted(seas, key=BOARD.position))


# ---------------------------------------------------------------- whether


def voluntary_retreat(table: Table[War], battle: Battle, role: Role) -> Script[Battle]:
    """27.combat.land.4, Q19: a side with brigades may leave, if it has anywhere to go; natives never do."""
    seat, goals = battle.seat(role), retreat_goals(table.state, battle, role)
    own, enemy = battle.units(table.state, role), battle.units(table.state, opposite(role))
    if seat is None:
        return battle
    if not goals:
        return (yield from _fights_on(table, battle, role, _brigades(own), _brigades(enemy)))

    def wanted(sheet: Sequence[Intent]) -> str | None:
        return retreat_wanted(sheet, battle, goals, _brigades(own), _brigades(enemy))

    have, face = lots_named(tuple(own.items())), lots_named(tuple(enemy.items()))
    text = f"{battle.region}, after round {battle.round}: you have {have} against {face}. Fight on or retreat?"
    options = [Choice(STAY, STAY, "fight on"), *_goal_options(goals)]
    name = f"{battle.name}/round {battle.round}/retreat/{role}"
    goal = yield from decide(table, seat, name, text, OneOf(options, STAY), "27.combat.land.4", wanted)
    if goal == STAY:
        return battle
    yield from _elsewhere(table, battle, role, goal)
    return (yield from _leave(table, battle, role, goal))


def _fights_on(table: Table[War], battle: Battle, role: Role, own: int, enemy: int) -> Script[Battle]:
    """R27-58: who ordered a retreat and has no way out fights on, and is told so once."""
    seat = battle.seat(role)
    if seat is None or role in battle.stuck or not own:
        return battle

    def wanted(sheet: Sequence[Intent]) -> bool | None:
        return any(_fires(rule, battle.round, own, enemy) for rule in _rules_for(sheet, battle)) or None

    name = f"{battle.name}/round {battle.round}/no way out of {seat}"
    menu = OneOf([Choice("no", False), Choice("yes", True)], False)
    if not (yield from consult(table, seat, name, "", menu, "R27-58", wanted)):
        return battle
    refuge = "a friendly region next door, or own fleets beside it"
    ways = "a region or fleets from which they came" if role == "attacker" else refuge
    why = f"There is no way out, which would be {ways}; your units fight on."
    table.emit(OrderFellShort(seat, f"Retreat from {battle.region}", why, "R27-58"))
    return replace(battle, stuck=(*battle.stuck, role))


def _elsewhere(table: Table[War], battle: Battle, role: Role, goal: str) -> Script[None]:
    """R27-58: who is sent another way than the one his order names is told why."""
    seat = battle.seat(role)
    places = (*BOARD.regions, *BOARD.seas)

    def wanted(sheet: Sequence[Intent]) -> str | None:
        named = [place for rule in _rules_for(sheet, battle) for place in rule.to]
        return named[0] if named and goal not in named else None

    menu = OneOf([Choice("no", ""), *map(placed, places)], "")
    name = f"{battle.name}/round {battle.round}/way named by {seat}"
    named = (yield from consult(table, seat, name, "", menu, "R27-58", wanted)) if seat is not None else ""
    if seat is not None and named:
        refuge = "a defender needs a friendly region or fleets"
        who = "an attacker goes back to where he came from" if role == "attacker" else refuge
        why = f"{named} is no way out of {battle.region}: {who}; your units go to {goal}."
        table.emit(OrderFellShort(seat, f"Retreat from {battle.region} to {named}", why, "R27-58", partly=True))


def _goal_options(goals: Sequence[str]) -> list[Choice[str]]:
    return [placed(goal, f"board your fleets in {goal}" if goal in BOARD.seas else "retreat there") for goal in goals]


def _brigades(units: Mapping[str, int]) -> int:
    return sum(units.get(kind, 0) for kind in BRIGADES)


def retreat_wanted(sheet: Sequence[Intent], battle: Battle, goals: Sequence[str], own: int, enemy: int) -> str | None:
    """The wish of standing orders after a round: a goal, to stay, or nothing. Words for the region beat those for all."""
    rules = _rules_for(sheet, battle)
    for rule in rules:
        if _fires(rule, battle.round, own, enemy):
            return _first(rule.to, goals) or goals[0]
    return STAY if rules else None


def _rules_for(sheet: Sequence[Intent], battle: Battle) -> list[RetreatRule]:
    rules = [rule for rule in sheet if isinstance(rule, RetreatRule)]
    return [rule for rule in rules if rule.region == battle.region] or [rule for rule in rules if not rule.region]


def _fires(rule: RetreatRule, round: int, own: int, enemy: int) -> bool:
    match rule.when:
        case "after":
            return round >= rule.number
        case "below":
            return own < rule.number
        case "outnumbered":
            return enemy > own and enemy >= rule.number * own
    return False


def _first(wishes: Sequence[str], goals: Sequence[str]) -> str | None:
    return next((wish for wish in wishes if wish in goals), None)


def forced_retreat(table: Table[War], battle: Battle, role: Role) -> Script[Battle]:
    """27.combat.land.5, R27-61: parties without brigades leave together, or are lost where nothing is left to them."""
    seat = battle.seat(role)
    if seat is None or not battle.units(table.state, role):
        return battle
    goals = retreat_goals(table.state, battle, role)
    if not goals:
        for stack in _force(table.state, battle, seat):
            table.emit(UnitsLost(battle.region, stack, "there is nowhere to retreat to", "27.combat.retreat.2"))
        return battle
    goal = goals[0] if len(goals) == 1 else (yield from _chosen_goal(table, battle, seat, goals))
    return (yield from _leave(table, battle, role, goal))


def _chosen_goal(table: Table[War], battle: Battle, seat: Seat, goals: Sequence[str]) -> Script[str]:
    def wanted(sheet: Sequence[Intent]) -> str | None:
        rules = [rule for rule in sheet if isinstance(rule, RetreatRule) and rule.region in ("", battle.region)]
        listed = [place for rule in rules for place in rule.to]
        listed += [place for rule in sheet if isinstance(rule, EvacuateTo) for place in rule.places]
        return _first(listed, goals)

    text = f"{battle.region}: your units must retreat. Where to?"
    menu = OneOf(_goal_options(goals), goals[0])
    return (yield from decide(table, seat, f"{battle.name}/way out of {seat}", text, menu, "27.combat.land.5", wanted))


def _force(war: War, battle: Battle, seat: Seat) -> tuple[Stack, ...]:
    """All who go with him: his units, and those of allies who defend with him."""
    seats = (seat, *battle.allies) if seat == battle.defender else (seat,)
    return tuple(stack for stack in war.lands[battle.region].stacks if stack.owner in seats)


# ---------------------------------------------------------------- going


def _leave(table: Table[War], battle: Battle, role: Role, goal: str) -> Script[Battle]:
    """27.combat.retreat.3: the whole force goes to one region, or to the fleets of one sea area."""
    if goal in BOARD.seas:
        return (yield from _to_the_fleets(table, battle, role, goal))
    seat = battle.seat(role)
    late = under_attack(table.state, goal)
    for stack in _force(table.state, battle, seat) if seat else ():
        after = replace(stack, origin="", landed=False, late=late)
        table.emit(UnitsMoved(battle.region, stack, goal, after, "retreat", "27.combat.retreat.3"))
    return battle


def under_attack(war: War, region: str) -> bool:
    """27.combat.retreat.5: whether a battle is still to be fought there in this combat phase."""
    land = war.lands[region]
    rising = land.revolt is not None and land.owner == war.active
    return rising or any(land.brigades(seat) for seat in attackers(war, land))


def _to_the_fleets(table: Table[War], battle: Battle, role: Role, sea: str) -> Script[Battle]:
    """27.combat.retreat.4, R27-59: one more attack by the enemy, boarding as far as there is room, interception of all there."""
    seat = battle.seat(role)
    if battle.brigades(table.state, opposite(role)):
        battle = yield from fight_round(table, battle, fleeing=role)
    if seat is None or not battle.units(table.state, role):
        return battle
    boarded = yield from _board(table, battle, seat, sea)
    if boarded:
        action = f"carry off the units from {battle.region}"
        escort = tuple(fleet.number for fleet in table.state.fleets_of(seat, sea) if fleet.number not in boarded)
        plan = Announced(seat, (*boarded, *escort), sea, action, opponent=battle.seat(opposite(role)))
        yield from intercepted(table, plan, f"{battle.name}/{role}/interception")
    return battle


def _board(table: Table[War], battle: Battle, seat: Seat, sea: str) -> Script[tuple[int, ...]]:
    """R27-59: what fits goes aboard, the last to be lost first; the rest is lost. Returns the fleets that took some."""
    order = yield from _behind_first(table, battle, seat, sea)
    boarded = dict[int, None]()
    for kind in reversed(order):
        for stack in _force(table.state, battle, seat):
            if stack.kind == kind:
                fleets = sorted(carriers(table.state, seat, sea), key=lambda fleet: fleet.room)
                lost = ("there is no room aboard", "27.combat.retreat.4")
                boarded.update(dict.fromkeys(board(table, battle.region, stack, fleets, lost)))
    return tuple(boarded)


def _behind_first(table: Table[War], battle: Battle, seat: Seat, sea: str) -> Script[tuple[str, ...]]:
    """R27-59: kinds in the order in which they stay behind."""
    war = table.state
    cheapest = tuple(sorted(war.land_units, key=lambda kind: war.kinds[kind].price))
    needed = sum(war.kinds[s.kind].portage * s.number for s in _force(war, battle, seat))
    if needed <= sum(fleet.room for fleet in carriers(war, seat, sea)):
        return cheapest

    def wanted(sheet: Sequence[Intent]) -> tuple[str, ...] | None:
        return loss_order(sheet, battle.region)

    menu = Several([Choice(kind, kind) for kind in cheapest], len(cheapest), cheapest)
    text = f"{battle.region}: your fleets cannot take everybody aboard. Who stays behind first?"
    place = f"{battle.name}/left behind by {seat}"
    named = yield from consult(table, seat, place, text, menu, "27.combat.retreat.4", wanted)
    return (*named, *(kind for kind in cheapest if kind not in named))
