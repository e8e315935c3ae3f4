"""Plans of movement carried out: marches, voyages, retreats, regions gained; and production."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice, Pick, placed
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds import NotYet
from referee.games.war.deeds.marching import March
from referee.games.war.events.combat import FleetsMoved, OrderFellShort, UnitsRaised, fell_short
from referee.games.war.events.economy import ChitDrawn, IncomeCollected
from referee.games.war.events.moving import FleetsHeld
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.base import MOVEMENT
from referee.games.war.orders.building import NOTHING, BuildAction, BuildOrder, Works
from referee.games.war.orders.carry import Landing
from referee.games.war.orders.move import Voyage
from referee.games.war.orders.movement_base import MoveOrder
from referee.games.war.orders.standing_battles import RetreatRule
from referee.games.war.orders.standing_home import EvacuateTo, PickRule
from referee.games.war.phases import all_leave, consult, decide, leave_region, revert
from referee.games.war.phases.alliances import take_cession
from referee.games.war.phases.movement import left_empty, settled
from referee.games.war.phases.naval_battle import Announced, Gunnery, Outcome, intercepted, leave_to_pass, naval_battle
from referee.games.war.position import DONE, Fleet, Land
from referee.games.war.position.state import War
from referee.games.war.reckoning import Way
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.games.war.rulebook import BOARD, BRIGADES, CHIT_VALUES
from referee.games.war17.events import BlockadeRolled, PassageDenied, RegionGained
from referee.games.war17.orders import BOOK17, BuildUnits17
from referee.games.war17.orders.standing import (
    PLAN,
    CrossRule,
    DeployRule,
    FeedRule,
    LeadersRule,
    LossOrder17,
    PursueRule,
    ReserveRule,
    RetreatRule17,
    StanceRule,
)
from referee.games.war17.reckoning import DEFAULT, SECTORS, BattlePlan, besiegers, cap_of, income
from referee.games.war17.rulebook import free_for, school_drm
from referee.kit.refused import Refused

# ---------------------------------------------------------------- regions gained
# The marker goes, chits are drawn and one is kept, free brigades come (17.explore.gain.1).


def gain(table: Table[War], seat: Seat, region: str, how: str) -> Script[None]:
    """17.explore.gain.1, 17.combat.natives.3, 17.combat.land.2: a region is his, by `conquest` or `explorer`."""
    land = table.state.lands[region]
    marker, before = land.marker, land.owner
    shown = marker.name if marker is not None else ""
    table.emit(RegionGained(seat, region, before, how, shown))
    if marker is not None:
        free = free_for(marker.strength, marker.plus)
        if how == "explorer":
            for kind, number in free.brigades:
                table.emit(UnitsRaised(region, seat, kind, number, "the natives join his empire", "17.explore.gain.1"))
        yield from _chit(table, seat, region, free.chits)
    for rival in table.state.lands[region].present:
        if rival != seat:
            yield from leave_region(table, rival, region, (), f"{region}/{rival}/way out")


def ceded_to(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """17.move.cede.1, R17-13"""
    table.emit(RegionGained(seat, region, table.state.lands[region].owner, "cession"))
    yield from ()


def _chit(table: Table[War], seat: Seat, region: str, number: int) -> Script[None]:
    """17.explore.gain.1, 17.move.cede.3, R17-13"""
    if table.state.lands[region].chit is not None:
        return
    why = f"resource chits of {region}"
    drawn = table.draw("the resource chits", table.state.chits, number, why, "R17-13", seen_by=(seat,))
    if not drawn:
        return
    best = max(drawn, key=lambda chit: CHIT_VALUES[chit])
    names = tuple(dict.fromkeys(drawn))
    kept = best
    if len(names) > 1:
        menu = OneOf([Choice(name, name, f"worth {CHIT_VALUES[name]}") for name in names], best)

        def wanted(sheet: Sequence[Intent]) -> str | None:
            listed = [name for rule in sheet if isinstance(rule, PickRule) for name in rule.resources]
            return next((name for name in listed if name in names), None)

        text = f"{region} is yours. Which resource chit do you keep there?"
        kept = yield from decide(table, seat, f"{region}/chit", text, menu, "R17-13", wanted)
    table.emit(ChitDrawn(seat, region, kept))


# ---------------------------------------------------------------- the sea in Version 1.7
# Interception on arrival ends the move; fleets hit with 9 or more on two dice.


def _schools(war: War, sea: str, seat: Seat, enemy: Seat) -> tuple[tuple[str, int], ...]:
    """17.pieces.5: what schools add to fleets' dice."""
    drm = school_drm("fleet", war.schools(seat))
    return (("schools", drm),) if drm else ()


def _burden(fleet: Fleet) -> int:
    """17.combat.naval.1: 2 for a fleet that carries brigades, 1 for one with parties only."""
    kinds = [load.kind for load in fleet.cargo]
    return 2 if any(kind in BRIGADES for kind in kinds) else 1 if kinds else 0


GUNNERY17 = Gunnery(2, 9, _schools, _burden)
"""17.combat.naval.1."""


def fight_at_sea(
    table: Table[War], sea: str, mover: Seat, his: tuple[int, ...], enemy: Seat, fleets: tuple[int, ...], name: str
) -> Script[Outcome]:
    """17.move.naval.3, R17-12: a naval battle; the mover's fleets stop, win or lose."""
    outcome = yield from naval_battle(table, sea, mover, his, enemy, fleets, name, GUNNERY17)
    going = tuple(number for number in outcome.movers if table.state.fleets[number].spent != DONE)
    if going:
        table.emit(FleetsHeld(mover, going, sea))
    return replace(outcome, mover_stopped=True)


def sail(table: Table[War], seat: Seat, plan: Voyage, name: str) -> Script[Refused | None]:
    """17.move.naval.1, 17.move.naval.2: step by step; enemies may intercept in each area entered."""
    for number, (here, there) in enumerate(plan.way.pairs(), 1):
        step = f"{name}/step {number}"
        if not (yield from leave_to_pass(table, seat, here, there, step)):
            return Refused(f"The strait to {there} was closed to your fleets.", "17.board.4")
        table.emit(FleetsMoved(seat, plan.fleets, here, there))
        met = Announced(seat, plan.fleets, there, "go on", quiet=True)
        if not (yield from intercepted(table, met, step, fight_at_sea)):
            last = there == plan.way.target
            return None if last else Refused(f"The fleets were stopped by battle in {there}.", "17.move.naval.3")
    return None


def attack(table: Table[War], seat: Seat, order: AttackFleets, name: str) -> Script[None]:
    """17.war.1: a battle against an enemy's resting fleets; those that fought move no more."""
    plan, missing = settled(order.plan, table.state, seat)
    _partly(table, seat, order, missing)
    theirs = tuple(fleet.number for fleet in table.state.fleets_of(order.enemy, order.sea))
    yield from fight_at_sea(table, order.sea, seat, plan.fleets, order.enemy, theirs, name)


MOVES: tuple[type[Intent], ...] = BOOK17.kinds_of(MOVEMENT)
"""The orders of movement."""


_COMPANY = frozenset({"17.move.land.5", "R17-24"})
"""The refusals of parties that go alone; units that come after them mend these."""


def movement_orders(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """All orders of movement; then regions without a brigade are their natives' (17.move.cede.2, R17-10).

    R17-25: who goes after his company. R17-28: when an IF is judged.
    """
    alone: list[tuple[int, Intent]] = []
    known = judged if judged is not None else {}
    for line, written in enumerate(sheet, 1):
        (order,) = in_force(table.state, seat, (written,), MOVES, known) or (None,)
        if order is None:
            continue
        try:
            yield from _carry_out(table, seat, order, f"line {line}")
        except Refused as refusal:
            if isinstance(refusal, NotYet) and refusal.illegal.rule in _COMPANY:
                alone.append((line, order))
            else:
                table.emit(fell_short(table.state, seat, order, refusal))
    for line, order in alone:
        try:
            yield from _carry_out(table, seat, order, f"line {line}")
        except Refused as refusal:
            table.emit(fell_short(table.state, seat, order, refusal))
    for region in left_empty(table.state, seat):
        yield from revert(table, region)


def _carry_out(table: Table[War], seat: Seat, order: Intent, name: str) -> Script[None]:
    """One line. Raises Refused when it cannot be done at all."""
    if isinstance(order, AttackFleets):
        yield from attack(table, seat, order, name)
    elif isinstance(order, MoveOrder):
        yield from _move(table, seat, order, name)


def _partly(table: Table[War], seat: Seat, order: Intent, missing: Refused | None) -> None:
    if missing is not None:
        table.emit(fell_short(table.state, seat, order, missing, partly=True))


def _move(table: Table[War], seat: Seat, order: MoveOrder, name: str) -> Script[None]:
    """Carry out the planned move, unless something hinders it on the way."""
    plan, missing = settled(order.plan, table.state, seat)
    match plan:
        case March():
            yield from _crossing(table, seat, plan.way, name)
        case Landing():
            plan = yield from _landed(table, seat, plan, name)
    _partly(table, seat, order, missing)
    if isinstance(plan, Voyage):
        stopped = yield from sail(table, seat, plan, name)
        _partly(table, seat, order, stopped)
        return
    for event in plan.brings(table.state, seat):
        table.emit(event)
    if plan.taken:
        yield from take_cession(table, seat, plan.taken, ceded_to)


def _crossing(table: Table[War], seat: Seat, way: Way, name: str) -> Script[None]:
    """17.move.land.4, R17-07: leave of each owner on the way, by his standing list. Raises Refused where it is refused."""
    for place in way.places[1:-1]:
        owner = table.state.lands[place].owner
        if owner is None or owner == seat:
            continue
        if not (yield from _leave(table, owner, seat, place, f"{name}/{place}")):
            table.emit(PassageDenied(owner, seat, place))
            raise Refused(f"Your units were not let through {place}.", "17.move.land.4", place)


def _leave(table: Table[War], owner: Seat, mover: Seat, place: str, name: str) -> Script[bool]:
    menu = OneOf([Choice("yes", True, "let them cross"), Choice("no", False, "refuse")], False)

    def wanted(sheet: Sequence[Intent]) -> bool | None:
        rule = next((rule for rule in sheet if isinstance(rule, CrossRule)), None)
        return None if rule is None else mover in rule.seats

    text = f"{mover}'s units ask to cross {place}. Do you let them?"
    return (yield from consult(table, owner, f"{name}/leave", text, menu, "17.move.land.4", wanted))


def _landed(table: Table[War], seat: Seat, plan: Landing, name: str) -> Script[Landing]:
    """17.move.naval.4, R17-12: what is left of a landing; fleets that have not moved may be intercepted before it."""
    rested = tuple(number for number in plan.fleets if not table.state.fleets[number].spent)
    if rested:
        met = Announced(seat, rested, plan.sea, f"land in {plan.target}", plan.invaded, quiet=True)
        free = yield from intercepted(table, met, name, fight_at_sea)
        left = tuple(u for u in plan.unloadings if u.fleet not in rested or u.fleet in free)
        plan = replace(plan, unloadings=left)
    if not plan.unloadings:
        raise Refused(f"The fleets were stopped by battle in {plan.sea}.", "17.move.naval.3", plan.sea)
    return plan


# ---------------------------------------------------------------- from standing orders to a battle plan
# Lines that name the region go before those for everywhere (17.tactical.plan.1).


T = TypeVar("T", bound=Intent)


def plan_of(sheet: Sequence[Intent], region: str) -> BattlePlan | None:
    """The plan on file for a battle in this region; None when there is not a line of one."""
    lines = [line for line in sheet if isinstance(line, PLAN) and getattr(line, "region", "") in ("", region)]
    if not lines:
        return None
    deploy, reserve = _best(lines, DeployRule), _best(lines, ReserveRule)
    feed, retreat = _best(lines, FeedRule), _best(lines, RetreatRule17)
    lose, leaders, pursue = _best(lines, LossOrder17), _best(lines, LeadersRule), _best(lines, PursueRule)
    stances = [line for line in lines if isinstance(line, StanceRule)]
    stances.sort(key=lambda line: bool(line.region))
    return BattlePlan(
        deploy=dict(deploy.sectors) if deploy else {},
        reserve=reserve.number if reserve else 0,
        stances={line.sector: line.stance for line in stances},
        feed=feed.goal if feed else DEFAULT.feed,
        retreat=(retreat.when, retreat.number) if retreat else DEFAULT.retreat,
        lose=lose.kinds if lose else DEFAULT.lose,
        leaders=leaders.sectors if leaders else DEFAULT.leaders,
        pursue=pursue.kind if pursue else DEFAULT.pursue,
    )


def _best(lines: Sequence[Any], kind: type[T]) -> T | None:
    """17.tactical.plan.1: the first line of a kind for the region, else the first."""
    found = [line for line in lines if isinstance(line, kind)]
    found.sort(key=lambda line: not getattr(line, "region", ""))
    return found[0] if found else None


class PlanMenu:
    """The menu of battle plans: never read from a letter, only from orders on file."""

    @property
    def default(self) -> BattlePlan:
        return DEFAULT

    def words(self) -> tuple[str, ...]:
        """The verbs that make a plan."""
        return tuple(line.words.verb for line in PLAN)

    def read(self, text: str) -> BattlePlan | None:
        """Always None: plans are filed as orders."""
        return None

    def encode(self, value: Any) -> bytes:
        if not isinstance(value, BattlePlan):
            raise ValueError(f"{value!r} is no battle plan")
        return msgspec.json.encode(value, order="deterministic")

    def decode(self, raw: bytes) -> BattlePlan:
        return msgspec.json.decode(raw, type=BattlePlan)

    def sample(self, pick: Pick) -> BattlePlan:
        return BattlePlan(
            deploy={sector: pick(4) for sector in SECTORS} if pick(2) else {},
            reserve=pick(4),
            stances={"": ("assault", "stand", "auto")[pick(3)]},
            feed=("weakest", *SECTORS)[pick(4)],
            retreat=(("never", 0), ("after", 3), ("below", 2), ("outnumbered", 2))[pick(4)],
            pursue=("artillery", "cavalry")[pick(2)],
        )


# ---------------------------------------------------------------- where a beaten army goes
# An origin, a friendly neighbour, fleets; who finds no way is lost (17.combat.land.3 to .4).


def army_of(land: Land, seat: Seat) -> dict[str, int]:
    """Everybody a player has in a region, by kind."""
    counts: dict[str, int] = {}
    for stack in land.stacks:
        if stack.owner == seat:
            counts[stack.kind] = counts.get(stack.kind, 0) + stack.number
    return counts


def ways_back(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """17.combat.land.3, 17.combat.fleets.1, R17-26: where attackers may go."""
    stacks = [stack for stack in war.lands[region].stacks if stack.owner == seat]
    origins = dict.fromkeys(stack.origin for stack in stacks if stack.origin)
    lands = [name for name in origins if name in war.lands and war.lands[name].owner == seat]
    lands.sort(key=lambda name: (-war.lands[name].brigades(seat), BOARD.position(name)))
    landed = any(stack.landed for stack in stacks)
    return (*lands, *(_afloat(war, seat, region) if landed else ()))


def ways_home(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    """17.combat.land.4, 17.combat.fleets.1, R17-26: where defenders may go."""
    near = [war.lands[name] for name in BOARD.regions[region].borders if war.lands[name].owner == seat]
    free = [land for land in near if land.present in ((seat,), ())]
    free.sort(key=lambda land: (-land.brigades(seat), BOARD.position(land.name)))
    return tuple(land.name for land in free) or _afloat(war, seat, region)


def _afloat(war: War, seat: Seat, region: str) -> tuple[str, ...]:
    seas = BOARD.regions[region].seas
    return tuple(sea for sea in seas if any(fleet.room for fleet in war.fleets_of(seat, sea)))


def goal_of(table: Table[War], seat: Seat, region: str, goals: Sequence[str]) -> Script[str]:
    """R17-26: the place they all go to; "" for nowhere."""
    if len(goals) < 2:
        return goals[0] if goals else ""

    def wanted(sheet: Sequence[Intent]) -> str | None:
        rules = [rule for rule in sheet if isinstance(rule, RetreatRule) and rule.region in (region, "")]
        listed = [place for rule in sorted(rules, key=lambda rule: not rule.region) for place in rule.to]
        listed += [place for rule in sheet if isinstance(rule, EvacuateTo) for place in rule.places]
        return next((place for place in listed if place in goals), None)

    menu = OneOf([placed(goal) for goal in goals], goals[0])
    text = f"Your army must leave {region}. Where does it go?"
    return (yield from decide(table, seat, f"{region}/{seat}/retreat", text, menu, "17.combat.land.3", wanted))


def leave(table: Table[War], seat: Seat, region: str, goal: str, rule: str) -> None:
    """R17-26: all who are left go together."""
    all_leave(table, seat, region, goal, table.state.fleets_of(seat, goal), DONE, rule, "there is no way out")


# ---------------------------------------------------------------- the production round
# Points are added up, blockades rolled, units bought, then buildings (17.turn.4, 17.production).


def add_points(table: Table[War], seat: Seat) -> None:
    """17.production.1, 17.production.blockade.1: his income, less what blockading fleets take."""
    due = income(table.state, seat)
    table.emit(IncomeCollected(seat, due.lines, due.pp, 0))
    enemies = besiegers(table.state, seat)
    if not enemies:
        return
    rolls = tuple((enemy, _rolled(table, seat, enemy, number)) for enemy, number in enemies)
    cap = cap_of(due.pp)
    table.emit(BlockadeRolled(seat, rolls, cap, min(cap, sum(total for _, total in rolls))))


def _rolled(table: Table[War], seat: Seat, enemy: Seat, fleets: int) -> int:
    why = f"Blockade of {seat}'s ports by {enemy}"
    return sum(table.roll(2 * fleets, 6, why, "17.production.blockade.1"))


def construct(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Works:
    """17.production.build.2, R17-15: all units first, then buildings and developments, in the order written; who is at work."""
    done, known = NOTHING, Judged()
    units = [order for order in sheet if isinstance(bare(order), BuildUnits17)]
    works = [order for order in sheet if isinstance(bare(order), BuildAction)]
    for written in (*units, *works):
        for order in in_force(table.state, seat, (written,), judged=known):
            assert isinstance(order, BuildOrder)
            try:
                done = _build(table, seat, order, done, bool(units))
            except Refused as refused:
                table.emit(fell_short(table.state, seat, order, refused))
    return done


def _build(table: Table[War], seat: Seat, order: BuildOrder, done: Works, after_units: bool) -> Works:
    """One line, as far as the money goes; units of the sheet were paid before it. Raises Refused."""
    war = table.state
    order.permit(war, seat, done)
    pp, price = war.treasuries[seat].pp, order.price(war)
    match order:
        case BuildUnits17(kind, number):
            bought = min(number, pp // war.price(kind))
            if bought:
                fewer = replace(order, number=bought)
                table.emit(fewer.brings(war, seat, fewer.price(war)))
            if bought < number:
                short = f"{pp} PP pay for {bought or 'none'} of {number}."
                table.emit(OrderFellShort(seat, order.meaning(), short, "17.production.2", partly=bool(bought)))
        case _ if price > pp:
            first = " left, for units are paid before buildings and developments" if after_units else ""
            raise Refused(f"That costs {price} PP; you have {pp}{first}.", "17.production.2", order.site)
        case _:
            table.emit(order.brings(war, seat, price))
    return order.adds(done)
