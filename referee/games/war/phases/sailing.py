"""Fleets sail, seek, and are intercepted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.events.combat import FleetsMoved
from referee.games.war.events.course import FleetsJoined
from referee.games.war.events.moving import FleetsIntercepted, InterceptionTried, PassageRefused
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.sail import Voyage
from referee.games.war.orders.standing_sea import InterceptRule, StraitsRule
from referee.games.war.phases.naval_battle import Fight, naval_battle
from referee.games.war.phases.windows import decide
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning.paths import CANAL, allies, gate_between, gate_rule, gate_shut, gate_words
from referee.games.war.rulebook import BOARD, Gate
from referee.kit.refused import Refused
from referee.kit.wording import counted

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
    """What a player's fleets are about to do: `action` after "before they", `invaded` on whose land they would put units.

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
    """Who may intercept: enemies with fleets there whose time to attack has come (27.war.2, R27-71)."""
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
    text = (
        f"{whose} {'is' if his == 1 else 'are'} about to {plan.action}. Do you intercept with {counted(own, 'fleets')}?"
    )
    menu = OneOf(options, own if default else 0)
    return (yield from decide(table, enemy, f"{name}/intercept", text, menu, "27.move.naval.3", wanted))


def _by_rule(sheet: Sequence[Intent], plan: Announced, own: int, his: int, carrying: bool) -> int | None:
    """What the standing orders say (R27-82)."""
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


# ---------------------------------------------------------------- sailing
# Fleets go from sea area to sea area, step by step, through straits and past enemies (27.move.naval).


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


def attack_fleets(table: Table[War], seat: Seat, order: AttackFleets, name: str) -> Script[bool]:
    """27.move.naval.2: a battle against an enemy's resting fleets; False if they were not met (27.opt.interception.1)."""
    ours = order.plan(table.state, seat, False).fleets
    theirs = tuple(fleet.number for fleet in table.state.fleets_of(order.enemy, order.sea))
    if not found(table, seat, order.enemy, order.sea, ours, theirs, "at rest"):
        return False
    more, _ = yield from companions(table, order.enemy, seat, order.sea, len(ours), name)
    theirs = (*theirs, *more)
    yield from naval_battle(table, order.sea, seat, ours, order.enemy, theirs, name)
    return True
