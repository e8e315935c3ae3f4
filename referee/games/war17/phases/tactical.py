"""A tactical battle turn by turn: cavalry, artillery, infantry, leaders; retreat and pursuit (17.tactical.3). A script."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from referee.core.names import Seat
from referee.core.table import Script, Table
from referee.games.war.position.state import War
from referee.games.war.rulebook import BRIGADES
from referee.games.war17.events import (
    ArmyDeployed,
    ArmyPursued,
    ArmyRetreated,
    BlowsStruck,
    LeaderRallied,
    ReserveFed,
    UnitStepped,
)
from referee.games.war17.reckoning import (
    Action,
    BattlePlan,
    Blow,
    Force,
    brigades_in,
    deployed,
    feeds,
    moved,
    number_for,
    pursue,
    pursuers,
    retreats,
    sectors_of,
    shield,
    stance_of,
    strike,
)

ATTACKER, DEFENDER = 0, 1
NIGHTFALL = 12
"""The turn after which the attacker must retreat in any case (17.tactical.11)."""
_PHASES = ("cavalry", "artillery", "infantry")

Losses = Callable[[int, str], None]
"""Told at once of each brigade eliminated: of which side, of which kind."""


class Step(msgspec.Struct, frozen=True):
    """A step ordered by hand: a brigade from a place to another; places as in field.moved."""

    kind: str
    origin: tuple[str, str]
    target: tuple[str, str]


class Decision(msgspec.Struct, frozen=True):
    """A player's decision for one turn by hand; `asked`: his word goes before the plan (R17-23)."""

    asked: bool = False
    retreat: bool = False
    stance: str = ""
    feed: str = ""
    steps: tuple[Step, ...] = ()


class Army(msgspec.Struct, frozen=True):
    """One side of a battle. `who` None: natives. `drm`: by kind, on charge and fire; `skill`: by kind, on pursuit."""

    who: Seat | None
    troops: dict[str, int]
    plan: BattlePlan
    drm: dict[str, int] = {}
    skill: dict[str, int] = {}


class Result(msgspec.Struct, frozen=True):
    """The side that must leave (ATTACKER or DEFENDER), after how many turns, and both armies as they stand."""

    loser: int
    turns: int
    forces: tuple[Force, Force]


Choosing = Callable[[int, tuple[Force, Force]], Script[tuple[Decision, Decision]]]
"""Both sides' decisions for a turn, given its number and how the armies stand."""


def fight(table: Table[War], region: str, armies: tuple[Army, Army], choose: Choosing, lost: Losses) -> Script[Result]:
    """17.tactical.3: turn after turn until an army must retreat."""
    sectors = sectors_of(brigades_in(armies[ATTACKER].troops), brigades_in(armies[DEFENDER].troops))
    field = _Field(table, region, armies, sectors, lost)
    turn = 0
    while field.loser is None:
        turn += 1
        choices = yield from choose(turn, field.forces)
        field.turn(turn, choices)
    return Result(field.loser, turn, field.forces)


class _Field:
    """A battle being fought: the armies, and who has lost, once somebody has."""

    def __init__(
        self, table: Table[War], region: str, armies: tuple[Army, Army], sectors: Sequence[str], lost: Losses
    ) -> None:
        self.table, self.region, self.armies, self.lost = table, region, armies, lost
        one, other = (deployed(army.troops, sectors, army.plan) for army in armies)
        self.forces: tuple[Force, Force] = (one, other)
        self.loser: int | None = None
        self.number = 0
        self.acted = False
        self.helped: dict[tuple[int, str], int] = {}
        for army, force in zip(armies, self.forces, strict=True):
            table.emit(ArmyDeployed(region, army.who, force))

    # -------------------------------------------------------- a turn

    def turn(self, number: int, choices: tuple[Decision, Decision]) -> None:
        """One battle turn (17.tactical.3, 17.tactical.10)."""
        self.number, self.acted = number, False
        self.helped = {
            (side, sector): post.line.get("leader", 0)
            for side, force in enumerate(self.forces)
            for sector, post in force.posts.items()
        }
        for side in (ATTACKER, DEFENDER):
            planned = not choices[side].asked and retreats(self.armies[side].plan, number, *self._both(side))
            if choices[side].retreat or planned:
                return self._leaves(side, "so it was decided", "17.tactical.10")
        for kind in _PHASES:
            for side in (ATTACKER, DEFENDER):
                self._phase(side, kind, choices[side])
                if self.loser is not None:
                    return None
        for side in (ATTACKER, DEFENDER):
            self._leaders(side)
        return self._close()

    def _both(self, side: int) -> tuple[Force, Force]:
        return self.forces[side], self.forces[1 - side]

    def _set(self, side: int, own: Force, enemy: Force) -> None:
        self.forces = (own, enemy) if side == ATTACKER else (enemy, own)

    def _leaves(self, side: int, why: str, rule: str) -> None:
        self.loser = side
        self.table.emit(ArmyRetreated(self.region, self.number, self.armies[side].who, why, rule))

    def _close(self) -> None:
        """17.tactical.11: a turn without fighting may end the battle, nightfall does."""
        quiet = not self.acted and not any(post.middle for force in self.forces for post in force.posts.values())
        if quiet:
            why = f"{self.region}, turn {self.number}: whether the attacker stays without a fight"
            (die,) = self.table.roll(1, 6, why, "17.tactical.11")
            if die < self.number:
                return self._leaves(ATTACKER, "nobody fought in this turn", "17.tactical.11")
        if self.number >= NIGHTFALL:
            return self._leaves(ATTACKER, "night falls", "17.tactical.11")
        return None

    # -------------------------------------------------------- brigades

    def _phase(self, side: int, kind: str, choice: Decision) -> None:
        """17.tactical.7"""
        tired = self._steps(side, kind, choice)
        for sector in self.forces[side].posts:
            if self.loser is None:
                self._sector(side, kind, sector, choice, tired)

    def _steps(self, side: int, kind: str, choice: Decision) -> dict[str, int]:
        """The brigades that have stepped, by the sector of the line where they arrived: they do nothing else in this phase."""
        tired: dict[str, int] = {}
        for step in choice.steps:
            if step.kind == kind and self._may_step(side, step):
                self._step(side, step)
                tired[step.target[1]] = tired.get(step.target[1], 0) + 1
        if self.forces[side].reserve.get(kind) and not any(s.origin[0] == "reserve" for s in choice.steps):
            own, enemy = self._both(side)
            sector = choice.feed if choice.feed in own.posts else feeds(self.armies[side].plan, own, enemy)
            self._step(side, Step(kind, ("reserve", ""), ("line", sector)))
            tired[sector] = tired.get(sector, 0) + 1
        return tired

    def _may_step(self, side: int, step: Step) -> bool:
        """17.tactical.2: the brigade is there, and its sector keeps one."""
        own = self.forces[side]
        where, sector = step.origin
        if where == "reserve":
            return bool(own.reserve.get(step.kind))
        post = own.posts[sector]
        there = post.line if where == "line" else post.middle
        return bool(there.get(step.kind)) and (sector == step.target[1] or post.brigades > 1)

    def _step(self, side: int, step: Step) -> None:
        own, enemy = self._both(side)
        self._set(side, moved(own, step.kind, step.origin, step.target), enemy)
        who, (where, sector) = self.armies[side].who, step.origin
        if where == "reserve":
            self.table.emit(ReserveFed(self.region, self.number, who, step.kind, step.target[1]))
        else:
            origin = f"the middle, {sector}," if where == "middle" else f"the line, {sector},"
            target = f"the line, {step.target[1]}"
            self.table.emit(UnitStepped(self.region, self.number, who, step.kind, origin, target))

    def _sector(self, side: int, kind: str, sector: str, choice: Decision, tired: dict[str, int]) -> None:
        own, enemy = self._both(side)
        line = max(0, own.posts[sector].line.get(kind, 0) - tired.get(sector, 0))
        middle = own.posts[sector].middle.get(kind, 0)
        stance = choice.stance if choice.stance in ("assault", "stand") else ""
        stance = stance or stance_of(self.armies[side].plan, sector, side == ATTACKER, own, enemy)
        if kind == "artillery":
            self._strike(side, kind, sector, "fire", line)
            return
        near = bool(enemy.posts[sector].middle)
        charging = line if stance == "assault" or (kind == "cavalry" and near) else 0
        own = moved(own, kind, ("line", sector), ("middle", sector), charging) if charging else own
        self._set(side, own, enemy)
        self._strike(side, kind, sector, "charge", middle + charging)
        if (
            kind == "infantry"
            and near
            and not charging
            and self.loser is None
            and self.forces[1 - side].posts[sector].middle
        ):
            self._strike(side, kind, sector, "fire", line)

    def _strike(self, side: int, kind: str, sector: str, action: Action, number: int) -> None:
        """17.tactical.7, 17.tactical.10: all dice of the group at once."""
        if not number:
            return
        self.acted = True
        army = self.armies[side]
        whose = f"{army.who}'s" if army.who else "natives'"
        why = f"{self.region}, turn {self.number}, {sector}: {whose} {kind} {action}"
        faces = self.table.roll(2 * number, 6, why, "17.tactical.4")
        blows: list[Blow] = []
        for place in range(number):
            if not self._goes_on(side, kind, sector, action):
                break
            blows.append(self._blow(side, kind, sector, action, faces[2 * place], faces[2 * place + 1]))
        self.table.emit(BlowsStruck(self.region, self.number, army.who, kind, sector, action, tuple(blows)))
        for blow in blows:
            if blow.deed == "lost":
                self.lost(1 - side, blow.struck)
        for beaten in (1 - side, side):
            if self.loser is None and self.forces[beaten].broken:
                self._leaves(beaten, f"no brigade is left in a sector ({sector})", "17.tactical.10")

    def _goes_on(self, side: int, kind: str, sector: str, action: Action) -> bool:
        """17.tactical.6, 17.tactical.10: somebody is left on both sides, and infantry fires only at the middle."""
        own, enemy = self.forces[side].posts[sector], self.forces[1 - side].posts[sector]
        if kind == "infantry" and action == "fire" and not enemy.middle:
            return False
        return bool(own.brigades and enemy.brigades)

    def _blow(self, side: int, kind: str, sector: str, action: Action, one: int, two: int) -> Blow:
        """17.tactical.8: a leader helps the first roll of his sector in a turn."""
        help_left = self.helped.get((side, sector), 0)
        self.helped[side, sector] = max(0, help_left - 1)
        drm = self.armies[side].drm.get(kind, 0) + (1 if help_left else 0)
        own, enemy = self._both(side)
        lose = self.armies[1 - side].plan.lose
        own, enemy, blow = strike(own, enemy, kind, sector, action, (one, two), drm, lose)
        self._set(side, own, enemy)
        return blow

    # -------------------------------------------------------- leaders

    def _leaders(self, side: int) -> None:
        """17.tactical.9"""
        who = self.armies[side].who
        for sector in self.forces[side].posts:
            own, enemy = self._both(side)
            number = own.posts[sector].line.get("leader", 0)
            if not number or not brigades_in(own.box):
                continue
            why = f"{self.region}, turn {self.number}, {sector}: {who}'s leaders rally"
            faces = self.table.roll(number, 6, why, "17.tactical.9")
            back: dict[str, int] = {}
            for _ in range(faces.count(6)):
                kind = next((kind for kind in reversed(BRIGADES) if own.box.get(kind)), None)
                if kind is not None:
                    own = moved(own, kind, ("box", ""), ("line", sector))
                    back[kind] = back.get(kind, 0) + 1
            self._set(side, own, enemy)
            self.table.emit(LeaderRallied(self.region, self.number, who, sector, faces, back))


# ---------------------------------------------------------------- pursuit


def pursuit(
    table: Table[War], region: str, armies: tuple[Army, Army], result: Result, afloat: bool, lost: Losses
) -> Script[None]:
    """17.tactical.12: one roll for each pursuing brigade; what is hit is eliminated, box and all others leave together."""
    yield from ()
    winner, loser = armies[1 - result.loser], result.forces[result.loser]
    left, screen = loser.all, shield(loser, afloat)
    for kind, number in pursuers(result.forces[1 - result.loser], loser, afloat).items():
        whose = f"{winner.who}'s" if winner.who else "natives'"
        faces = table.roll(2 * number, 6, f"{region}: {whose} {kind} pursue", "17.tactical.12")
        blows: list[Blow] = []
        for place in range(number):
            pair = (faces[2 * place], faces[2 * place + 1])
            needed = number_for(kind, afloat)
            left, screen, blow = pursue(left, screen, pair, winner.skill.get(kind, 0), needed, winner.plan)
            blows.append(blow)
        table.emit(ArmyPursued(region, winner.who, kind, tuple(blows)))
        for blow in blows:
            if blow.struck:
                lost(result.loser, blow.struck)
