"""Fleets sail, seek, are intercepted, and fight (27.combat.naval)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, OneOf, Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.war.events.combat import FleetLost, FleetsMoved
from referee.games.war.events.course import FleetsJoined
from referee.games.war.events.moving import (
    FleetsHeld,
    FleetsIntercepted,
    InterceptionTried,
    NavalBattleBrokenOff,
    NavalBattleEnded,
    NavalBattleJoined,
    NavalRoundFought,
    PassageRefused,
)
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.move import Voyage
from referee.games.war.orders.standing_battles import BreakOffRule, FleetLossOrder, InterceptRule, StraitsRule
from referee.games.war.phases import decide, decision
from referee.games.war.position import Fleet
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import CANAL, allies, gate_between, gate_rule, gate_shut, gate_words
from referee.games.war.rulebook import BOARD, Gate, plural
from referee.kit.refused import Refused
from referee.kit.wording import are, counted, in_a_row

# ---------------------------------------------------------------- naval battles
# Rounds of one die a fleet, hits that sink, and breaking off (27.combat.naval).


HIT = 5
"""The least modified die that hits (27.combat.naval.1)."""


class Outcome(msgspec.Struct, frozen=True):
    """The rest of the moving player's fleets and of the enemy's, and the side that broke off, if one did."""

    movers: tuple[int, ...]
    enemies: tuple[int, ...]
    broke_off: Seat | None = None
    mover_stopped: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether the moving player completes his move."""
        return bool(self.movers) and not self.mover_stopped


Fight = Callable[[Table[War], str, Seat, tuple[int, ...], Seat, tuple[int, ...], str], Script[Outcome]]
"""How fleets of two players fight in a sea area, the moving player's named first."""


class Gunnery(msgspec.Struct, frozen=True):
    """How fleets shoot: dice each, the least total that hits, what helps a whole side, and what a load costs."""

    dice: int
    hit: int
    helps: Callable[[War, str, Seat, Seat], tuple[tuple[str, int], ...]]
    burden: Callable[[Fleet], int]


def naval_battle(
    table: Table[War],
    sea: str,
    mover: Seat,
    his_fleets: tuple[int, ...],
    enemy: Seat,
    fleets: tuple[int, ...],
    name: str,
    gunnery: Gunnery | None = None,
) -> Script[Outcome]:
    """27.combat.naval, R27-101: rounds until a side is gone or breaks off; `mover` is held up by breaking off."""
    guns = gunnery or GUNNERY
    table.emit(NavalBattleJoined(sea, mover, his_fleets, enemy, fleets))
    number = 0
    while True:
        number += 1
        ours, theirs = _alive(table.state, his_fleets), _alive(table.state, fleets)
        if _hopeless(table.state, sea, mover, enemy, ours, theirs, guns):
            table.emit(NavalBattleBrokenOff(sea, number - 1, None))
            return Outcome(ours, theirs)
        yield from _round(table, sea, number, mover, enemy, ours, theirs, f"{name}/round {number}", guns)
        ours, theirs = _alive(table.state, his_fleets), _alive(table.state, fleets)
        if not ours or not theirs:
            table.emit(NavalBattleEnded(sea, mover if ours else enemy if theirs else None))
            return Outcome(ours, theirs)
        sides = [(mover, ours, theirs), (enemy, theirs, ours)]
        for seat, own, other in sides if table.state.active != enemy else reversed(sides):
            if (yield from _breaks_off(table, seat, sea, len(own), len(other), f"{name}/round {number}/{seat}")):
                table.emit(NavalBattleBrokenOff(sea, number, seat))
                if seat == mover:
                    own_left = tuple(number for number in ours if table.state.fleets[number].owner == mover)
                    table.emit(FleetsHeld(mover, own_left, sea))
                return Outcome(ours, theirs, seat, seat == mover)


def _alive(war: War, fleets: tuple[int, ...]) -> tuple[int, ...]:
    """Those still afloat, by number: in this order they roll."""
    return tuple(sorted(number for number in fleets if number in war.fleets))


# ---------------------------------------------------------------- dice


def modifiers(
    war: War, sea: str, seat: Seat, enemy: Seat, fleets: Sequence[int], gunnery: Gunnery | None = None
) -> tuple[int, ...]:
    """The DRM of each fleet: its load, more schools than the enemy, own ports beside the sea area (naval chart)."""
    guns = gunnery or GUNNERY
    helped = sum(value for _, value in guns.helps(war, sea, seat, enemy))
    return tuple(helped - guns.burden(war.fleets[number]) for number in fleets)


def _helps(war: War, sea: str, seat: Seat, enemy: Seat) -> tuple[tuple[str, int], ...]:
    """The modifiers of every fleet of a side, by name."""
    ports = sum(war.lands[name].owner == seat and war.lands[name].has("port") for name in BOARD.seas[sea].coasts)
    technology = int(war.schools(seat) > war.schools(enemy))
    helps = (("own port there" if ports == 1 else "own ports there", ports), ("more schools", technology))
    return tuple((why, value) for why, value in helps if value)


def _reasons(
    war: War, sea: str, seat: Seat, enemy: Seat, fleets: Sequence[int], guns: Gunnery
) -> tuple[tuple[str, int], ...]:
    """Why the dice are changed: what helps all, and the heaviest load, which weighs on its own fleet alone."""
    burden = max((guns.burden(war.fleets[number]) for number in fleets), default=0)
    return (*guns.helps(war, sea, seat, enemy), *((("loaded, up to", -burden),) if burden else ()))


def _burden(fleet: Fleet) -> int:
    """27.combat.naval.1"""
    return 0 if not fleet.points else 1 if fleet.points <= 4 else 2


GUNNERY = Gunnery(1, HIT, _helps, _burden)
"""The naval chart of the standard game (27.combat.naval.1)."""


def _hopeless(
    war: War, sea: str, mover: Seat, enemy: Seat, ours: Sequence[int], theirs: Sequence[int], guns: Gunnery
) -> bool:
    """R27-101: whether no die of either side can hit."""
    best = (*modifiers(war, sea, mover, enemy, ours, guns), *modifiers(war, sea, enemy, mover, theirs, guns))
    return 6 * guns.dice + max(best) < guns.hit


def _round(
    table: Table[War],
    sea: str,
    number: int,
    mover: Seat,
    enemy: Seat,
    ours: tuple[int, ...],
    theirs: tuple[int, ...],
    name: str,
    guns: Gunnery,
) -> Script[None]:
    """Both sides roll before either removes what was sunk (27.combat.naval.1, 27.combat.naval.2)."""
    against_enemy = _volley(table, sea, number, mover, enemy, ours, guns)
    against_mover = _volley(table, sea, number, enemy, mover, theirs, guns)
    struck = [(mover, enemy, ours, against_mover), (enemy, mover, theirs, against_enemy)]
    orders = [_which_sink(table, seat, sea, fleets, hits, name) for seat, _, fleets, hits in struck]
    answers: tuple[Answer[tuple[int, ...]], ...] = yield from table.ask_all([asked for asked in orders if asked])
    said = iter(answers)
    for (_, by, fleets, hits), asked in zip(struck, orders, strict=True):
        usual = first_to_sink(table.state, fleets)
        order = (*next(said).value, *usual) if asked else usual
        for gone in tuple(dict.fromkeys(order))[:hits]:
            fleet = table.state.fleets[gone]
            table.emit(FleetLost(gone, fleet.owner, sea, f"sunk by {by}", fleet.cargo))


def _volley(
    table: Table[War], sea: str, number: int, side: Seat, other: Seat, fleets: tuple[int, ...], guns: Gunnery
) -> int:
    drm = modifiers(table.state, sea, side, other, fleets, guns)
    purpose = f"{sea}, round {number}: {side}'s fleets against {other}"
    dice = table.roll(guns.dice * len(fleets), 6, purpose, "27.combat.naval.1")
    faces = tuple(sum(dice[place : place + guns.dice]) for place in range(0, len(dice), guns.dice))
    hits = sum(face + more >= guns.hit for face, more in zip(faces, drm, strict=True))
    why = _reasons(table.state, sea, side, other, fleets, guns)
    table.emit(NavalRoundFought(sea, number, side, fleets, faces, drm, hits, why))
    return hits


# ---------------------------------------------------------------- losses


def first_to_sink(war: War, fleets: Collection[int], loaded_first: bool = False) -> tuple[int, ...]:
    """Q14, R27-39: fleets in the usual order; `loaded_first` turns empty and loaded about."""

    def worth(number: int) -> tuple[bool, int, int, int]:
        fleet = war.fleets[number]
        value = sum(war.kinds[load.kind].price * load.number for load in fleet.cargo)
        return bool(fleet.cargo) != loaded_first, value, -fleet.spent, number

    return tuple(sorted(fleets, key=worth))


def _which_sink(
    table: Table[War], owner: Seat, sea: str, fleets: Collection[int], hits: int, name: str
) -> Question[tuple[int, ...]] | None:
    """27.combat.naval.2, R27-100: in which order an owner loses his fleets; None where there is nothing to choose."""
    war, usual = table.state, first_to_sink(table.state, fleets)
    if not 0 < hits < len(fleets):
        return None
    menu = Several([Choice(f"fleet {number}", number, _state_of(war, number)) for number in usual], len(usual), usual)

    def wanted(sheet: Sequence[Intent]) -> tuple[int, ...] | None:
        rules = [rule for rule in sheet if isinstance(rule, FleetLossOrder) and rule.sea in ("", sea)]
        rules.sort(key=lambda rule: not rule.sea)
        named = [number for rule in rules for number in rule.fleets if number in fleets]
        loaded_first = next((rule.first for rule in rules if rule.first), "") == "loaded"
        return tuple(dict.fromkeys((*named, *first_to_sink(war, fleets, loaded_first)))) if rules else None

    alike = len({(fleet.owner, fleet.cargo, fleet.spent) for fleet in map(war.fleets.__getitem__, fleets)}) == 1
    text = f"Naval battle in {sea}, {counted(hits, 'hits')}: which of your fleets go down first, with all they carry?"
    asked = decision(
        table, owner, f"{name}/fleets lost by {owner}", "" if alike else text, menu, "27.combat.naval.2", wanted
    )
    asked.pace = Pace.AUTO if alike else asked.pace
    return asked


def _state_of(war: War, number: int) -> str:
    """A fleet's cargo, and whether it has moved."""
    fleet = war.fleets[number]
    load = in_a_row([counted(load.number, plural(load.kind)) for load in fleet.cargo]) or "nothing aboard"
    return f"{load}, has moved" if fleet.spent else load


# ---------------------------------------------------------------- breaking off


def _breaks_off(table: Table[War], seat: Seat, sea: str, own: int, his: int, name: str) -> Script[bool]:
    """27.combat.naval.3, R27-101, Q13"""
    options = [Choice("fight", False, "another round"), Choice("break off", True, "all fleets stay where they are")]
    menu = OneOf(options, own * 2 < his)

    def wanted(sheet: Sequence[Intent]) -> bool | None:
        ratio = next((rule.ratio for rule in sheet if isinstance(rule, BreakOffRule)), None)
        return None if ratio is None else bool(ratio) and his > ratio * own

    text = (
        f"Naval battle in {sea}: you have {counted(own, 'fleets')} left, the enemy has {his}. Fight on, or break off?"
    )
    return (yield from decide(table, seat, f"{name}/break off", text, menu, "27.combat.naval.3", wanted))


# ---------------------------------------------------------------- seeking
# The throw by which fleets meet an enemy's at sea, in matches that play naval interception (27.opt.interception, R27-97).


def interception_number(war: War, seat: Seat, sea: str, ours: int, theirs: int) -> tuple[tuple[str, int], ...]:
    """27.opt.interception.1: what is counted, each with its number; their sum must not be thrown over."""
    near = [war.lands[name] for name in BOARD.seas[sea].coasts if war.lands[name].owner == seat]
    return (
        ("own fleets", ours),
        ("enemy fleets", theirs),
        ("regions", len(near)),
        ("ports", sum(land.buildings.count("port") for land in near)),
        ("schools", war.schools(seat)),
    )


def found(
    table: Table[War], seat: Seat, enemy: Seat, sea: str, ours: Collection[int], theirs: Collection[int], what: str
) -> bool:
    """Whether fleets that seek battle meet the enemy: always in the standard game, by 2d6 with the option."""
    if not plays(table.state, "interception"):
        return True
    rule = "27.opt.interception.1"
    made_of = interception_number(table.state, seat, sea, len(ours), len(theirs))
    dice = sum(table.roll(2, 6, f"{sea}: {seat} seeks {enemy}'s fleets {what}", rule))
    event = InterceptionTried(seat, enemy, sea, dice, made_of)
    table.emit(event)
    return dice <= event.number


# ---------------------------------------------------------------- interception
# Before every movement point of fleets, enemies in their sea area may give battle (27.move.naval.3).


class Announced(msgspec.Struct, frozen=True):
    """The intentions of a player's fleets: `action` after "before they", `invaded` on whose land they would put units.

    `opponent`: against whom in a land battle they take units off or put brigades ashore (27.opt.interception.2).
    `quiet`: by default nobody intercepts (R17-12).
    """

    mover: Seat
    fleets: tuple[int, ...]
    sea: str
    action: str
    invaded: Seat | None = None
    opponent: Seat | None = None
    quiet: bool = False


def interceptors(war: War, mover: Seat, sea: str) -> tuple[Seat, ...]:
    """The enemies who may intercept: those with fleets there whose time to attack has come (27.war.2, R27-71)."""
    return tuple(seat for seat in war.enemies(mover) if war.may_attack(seat, mover) and war.fleets_of(seat, sea))


def intercepted(table: Table[War], plan: Announced, name: str, fight: Fight = naval_battle) -> Script[tuple[int, ...]]:
    """Let the enemies decide, in an order drawn by die, each battle for itself (27.move.naval.6, R27-34).

    Returns the fleets that may do what was announced; none if all are sunk or their owner broke off.
    """
    fleets, spoken = plan.fleets, list[Seat]()
    for enemy in _in_random_order(table, plan):
        if enemy in spoken or not table.state.fleets_of(enemy, plan.sea):
            continue
        force = yield from _force(table, enemy, plan, fleets, f"{name}/{enemy}")
        if not force:
            continue
        theirs = emptiest(table.state, enemy, plan.sea, force)
        more, joiners = yield from companions(table, enemy, plan.mover, plan.sea, len(fleets), f"{name}/{enemy}")
        theirs, spoken = (*theirs, *more), [*spoken, *joiners]
        sought = f"before they {plan.action}"
        if plan.opponent != enemy and not found(table, enemy, plan.mover, plan.sea, theirs, fleets, sought):
            continue
        table.emit(FleetsIntercepted(enemy, plan.mover, plan.sea, plan.action))
        helpers = yield from _helped(table, plan, enemy, fleets, theirs, f"{name}/{enemy}")
        ours = (*fleets, *helpers)
        outcome = yield from fight(table, plan.sea, plan.mover, ours, enemy, theirs, f"{name}/{enemy}")
        fleets = tuple(number for number in outcome.movers if number in fleets)
        if not fleets or not outcome.goes_on:
            return ()
    return fleets


def companions(
    table: Table[War], leader: Seat, enemy: Seat, sea: str, faced: int, name: str
) -> Script[tuple[tuple[int, ...], tuple[Seat, ...]]]:
    """27.opt.alliances.9: the fleets of a leader's allies that fight the enemy with him, and whose they are."""
    fleets: list[int] = []
    joining: list[Seat] = []
    for ally in allies(table.state, leader):
        war = table.state
        there = war.fleets_of(ally, sea)
        if not there or not war.may_attack(ally, enemy):
            continue
        strength = len(there) + len(fleets) + len(war.fleets_of(leader, sea))
        force = yield from _joins(table, ally, leader, enemy, sea, (strength, faced), name)
        if force:
            fleets += emptiest(war, ally, sea, force)
            joining.append(ally)
            table.emit(FleetsJoined(ally, leader, sea, force))
    return tuple(fleets), tuple(joining)


def _helped(
    table: Table[War], plan: Announced, enemy: Seat, fleets: Sequence[int], theirs: Sequence[int], name: str
) -> Script[tuple[int, ...]]:
    """27.opt.alliances.9: allies of an intercepted player intercept in turn, each with a throw of his own (R27-98)."""
    name = f"{name}/help"
    more, helpers = yield from companions(table, plan.mover, enemy, plan.sea, len(theirs), name)
    war, coming = table.state, list[int]()
    for ally in helpers:
        force = [number for number in more if war.fleets[number].owner == ally]
        if found(table, ally, enemy, plan.sea, force, theirs, f"to help {plan.mover}"):
            coming += force
    return tuple(number for number in coming if number not in fleets)


def _joins(
    table: Table[War], ally: Seat, leader: Seat, enemy: Seat, sea: str, odds: tuple[int, int], name: str
) -> Script[int]:
    """R27-98: with how many fleets an ally joins a battle."""
    own, (strength, faced) = len(table.state.fleets_of(ally, sea)), odds
    menu = OneOf(
        [Choice("yes", own, "join the battle"), Choice("no", 0, "keep out of it")], own if strength >= faced else 0
    )
    plan = Announced(enemy, (), sea, "")

    def wanted(sheet: Sequence[Intent]) -> int | None:
        force = _by_rule(sheet, plan, own, faced, carrying=False)
        return None if force is None else own if force else 0

    text = f"{leader}, your ally, fights {enemy} in {sea}. Do you join with {counted(own, 'fleets')}?"
    return (yield from decide(table, ally, f"{name}/joined by {ally}", text, menu, "27.opt.alliances.9", wanted))


def _in_random_order(table: Table[War], plan: Announced) -> Iterator[Seat]:
    """One enemy after the other, drawn when his turn to decide comes; a single one costs no die."""
    left = list(interceptors(table.state, plan.mover, plan.sea))
    while left:
        why = f"{plan.sea}: which enemy of {plan.mover} decides next"
        enemy = table.choose(left, why, "27.move.naval.6")
        left.remove(enemy)
        yield enemy


def emptiest(war: War, seat: Seat, sea: str, number: int) -> tuple[int, ...]:
    """R27-39: so many of a player's fleets in a sea area."""
    fleets = sorted(war.fleets_of(seat, sea), key=lambda fleet: (fleet.points, fleet.number))
    return tuple(sorted(fleet.number for fleet in fleets[:number]))


def _force(table: Table[War], enemy: Seat, plan: Announced, fleets: Sequence[int], name: str) -> Script[int]:
    """Q12, R27-33, R27-34: with how many fleets; 0 lets them go."""
    war = table.state
    own, his = len(war.fleets_of(enemy, plan.sea)), len(fleets)
    carrying = any(war.fleets[number].cargo for number in fleets)
    default = not plan.quiet and (plan.invaded == enemy or (carrying and own >= his))
    options = [Choice("yes", own, "intercept and fight"), Choice("no", 0, "let them go")]
    options += [Choice(str(some), some, f"intercept with {some} of your {own}") for some in range(1, own)]

    def wanted(sheet: Sequence[Intent]) -> int | None:
        return _by_rule(sheet, plan, own, his, carrying)

    load = ", with units aboard" if carrying else ""
    whose = f"{plan.mover}'s {counted(his, 'fleets')} in {plan.sea}{load}"
    text = f"{whose} {are(his)} about to {plan.action}. Do you intercept with {counted(own, 'fleets')}?"
    menu = OneOf(options, own if default else 0)
    return (yield from decide(table, enemy, f"{name}/intercept", text, menu, "27.move.naval.3", wanted))


def _by_rule(sheet: Sequence[Intent], plan: Announced, own: int, his: int, carrying: bool) -> int | None:
    """The answer of the standing orders."""
    rules = [
        rule
        for rule in sheet
        if isinstance(rule, InterceptRule) and rule.enemy in (None, plan.mover) and rule.sea in ("", plan.sea)
    ]
    if not rules:
        return None
    rule = max(rules, key=lambda rule: (rule.enemy is not None) + bool(rule.sea))
    force = min(own, rule.fleets.of(own)) if rule.fleets else own
    goes = {"always": True, "never": False, "ratio": force >= rule.ratio * his, "carrying": carrying}[rule.when]
    return force if goes else 0


# ---------------------------------------------------------------- on the way


def sail(table: Table[War], seat: Seat, plan: Voyage, name: str) -> Script[Refused | None]:
    """Step by step: leave for a strait, interception, and only then the step. Returns why it ended early, if it did."""
    fleets = plan.fleets
    for number, (here, there) in enumerate(plan.way.pairs(), 1):
        step = f"{name}/step {number}"
        if not (yield from leave_to_pass(table, seat, here, there, step)):
            return _closed(here, there)
        action = f"sail to {there}"
        fleets = yield from intercepted(table, Announced(seat, fleets, here, action), step)
        if not fleets:
            return Refused(f"The fleets were stopped by battle in {here}.", "27.move.naval.5")
        table.emit(FleetsMoved(seat, fleets, here, there))
    return None


def _closed(here: str, there: str) -> Refused:
    gate = gate_between(here, there)
    if gate is None or gate.name != CANAL:
        return Refused(f"The strait to {there} was closed to your fleets.", "27.board.5")
    return Refused(f"The canal to {there} was closed to your fleets.", gate_rule(gate))


def leave_to_pass(table: Table[War], seat: Seat, here: str, there: str, name: str) -> Script[bool]:
    """27.board.5, R27-03: one's own strait is open, anybody else's by his leave at this moment."""
    gate = gate_between(here, there)
    if gate is None:
        return True
    owner = table.state.lands[gate.region].owner
    if gate_shut(table.state, gate) or owner is None:
        return False
    if owner == seat:
        return True
    granted = yield from _granted(table, owner, seat, gate, name)
    if not granted:
        table.emit(PassageRefused(owner, seat, here, there))
    return granted


def _granted(table: Table[War], owner: Seat, mover: Seat, gate: Gate, name: str) -> Script[bool]:
    """Q11, R27-03"""
    options = [Choice("yes", True, "let them pass"), Choice("no", False, "refuse; that is no act of war")]
    menu = OneOf(options, not table.state.at_war(owner, mover))

    def wanted(sheet: Sequence[Intent]) -> bool | None:
        rule = next((rule for rule in sheet if isinstance(rule, StraitsRule)), None)
        return None if rule is None else not rule.nobody and mover not in rule.refused

    text = f"{mover}'s fleets ask to pass {gate_words(gate)}. Do you let them?"
    return (yield from decide(table, owner, f"{name}/strait", text, menu, gate_rule(gate), wanted))


# ---------------------------------------------------------------- attack


def attack_fleets(table: Table[War], seat: Seat, order: AttackFleets, ours: tuple[int, ...], name: str) -> Script[bool]:
    """27.move.naval.2: a battle against an enemy's resting fleets; False if they were not met (27.opt.interception.1)."""
    theirs = tuple(fleet.number for fleet in table.state.fleets_of(order.enemy, order.sea))
    if not found(table, seat, order.enemy, order.sea, ours, theirs, "at rest"):
        return False
    more, _ = yield from companions(table, order.enemy, seat, order.sea, len(ours), name)
    theirs = (*theirs, *more)
    yield from naval_battle(table, order.sea, seat, ours, order.enemy, theirs, name)
    return True
