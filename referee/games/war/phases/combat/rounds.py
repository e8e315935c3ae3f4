"""One round of a land battle: modifiers, the generals' turn of them, dice, hits, losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.order import Intent
from referee.core.question import Amount
from referee.core.table import Script, Table
from referee.games.war.events.combat import RoundFought, Volley
from referee.games.war.orders.standing.land import ShiftRule
from referee.games.war.phases.combat.losses import ROLES, casualties
from referee.games.war.phases.decisions import consult
from referee.games.war.position.state import War
from referee.games.war.reckoning.battle import Battle, Role, opposite
from referee.games.war.reckoning.drm import Force, Reckoning, hits, transferred
from referee.kit.fields import meant


def fight_round(table: Table[War], battle: Battle, fleeing: Role | None = None) -> Script[Battle]:
    """27.combat.land.1 to 27.combat.land.3: both sides roll, both lose; a side that boards its fleets does not roll."""
    battle = replace(battle, round=battle.round + 1)
    reckonings = yield from _turned(table, battle, fleeing)
    volleys = {role: _volley(table, battle, role, reckonings[role]) for role in ROLES if role != fleeing}
    table.emit(RoundFought(battle.region, battle.round, tuple(volleys.values())))
    scored: dict[Role, int] = {role: volleys[role].hits if role in volleys else 0 for role in ROLES}
    return (yield from casualties(table, battle, scored))


def _turned(table: Table[War], battle: Battle, fleeing: Role | None) -> Script[Mapping[Role, Reckoning]]:
    """27.combat.drm.2, R27-50, R27-51: the only general turns what his owner wants of his side's modifier."""
    war = table.state
    reckonings = battle.reckonings(war)
    led = [role for role in ROLES if battle.force(war, role).has("general")]
    if len(led) != 1 or fleeing == opposite(led[0]):
        return reckonings
    role, enemy = led[0], opposite(led[0])
    points = yield from _points(table, battle, role, min(reckonings[role].drm, reckonings[enemy].drm))
    ours, theirs = transferred(reckonings[role], reckonings[enemy], points)
    return {role: ours, enemy: theirs}


def _points(table: Table[War], battle: Battle, role: Role, most: int) -> Script[int]:
    """Q17: how many points his owner turns; all by default, and no letter is sent."""
    seat = battle.seat(role)
    if seat is None or most <= 0:
        return 0

    def wanted(sheet: Sequence[Intent]) -> int | None:
        rule = next((rule for rule in sheet if isinstance(rule, ShiftRule)), None)
        if rule is None or rule.points is None:
            return None if rule is None else most
        return meant(rule.points, most) if rule.points else 0

    name = f"{battle.name}/round {battle.round}/shift"
    return (yield from consult(table, seat, name, "", Amount(0, most, most), "27.combat.drm.2", wanted))


def _volley(table: Table[War], battle: Battle, role: Role, reckoning: Reckoning) -> Volley:
    """27.combat.land.1, 27.combat.amphibious.2: a die a brigade; landed ones are rolled apart while it matters."""
    ashore, landed = _dice(battle.force(table.state, role), reckoning)
    faces = _roll(table, battle, role, "brigades", ashore)
    beach = _roll(table, battle, role, "landed brigades", landed)
    scored = sum(hits(face, reckoning.drm) for face in faces)
    scored += sum(hits(face, reckoning.drm - reckoning.landed) for face in beach)
    return Volley(battle.seat(role), reckoning.drm, reckoning.lines, faces, scored, reckoning.landed, beach)


def _dice(force: Force, reckoning: Reckoning) -> tuple[int, int]:
    ashore, landed = sum(force.ashore.values()), sum(force.landed.values())
    return (ashore, landed) if reckoning.landed else (ashore + landed, 0)


def _roll(table: Table[War], battle: Battle, role: Role, what: str, count: int) -> tuple[int, ...]:
    seat = battle.seat(role)
    whose = f"{seat}'s" if seat else "the natives'"
    why = f"{battle.region}, round {battle.round}: {whose} {what}"
    return table.roll(count, 6, why, "27.combat.land.1") if count else ()
