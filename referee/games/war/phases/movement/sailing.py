"""Sailing: fleets go from sea area to sea area, step by step, through straits and past enemies (27.move.naval)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.events.forces import FleetsMoved
from referee.games.war.events.moving import PassageRefused
from referee.games.war.orders.movement.attack import AttackFleets
from referee.games.war.orders.movement.sail import Voyage
from referee.games.war.orders.standing.sea import StraitsRule
from referee.games.war.phases.decisions import decide
from referee.games.war.phases.movement.interception import Announced, companions, intercepted
from referee.games.war.phases.movement.naval_battle import naval_battle
from referee.games.war.phases.movement.seeking import found
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import CANAL, gate_between, gate_rule, gate_shut, gate_words
from referee.games.war.rulebook.board import Gate
from referee.kit.refused import Refused

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
