"""Rounds of a battle: how hits are used, and who is lost in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Amount, Answer, OneOf, Pace, Question
from referee.core.table import Script, Table
from referee.games.war.events.combat import HitsFused, NativesLost, OrderFellShort, RoundFought, UnitsLost, Volley
from referee.games.war.orders.standing import FuseRule, LossOrder
from referee.games.war.orders.standing_battles import ShiftRule
from referee.games.war.phases import consult, decision
from referee.games.war.phases.movement import Lots, Split, lots_named
from referee.games.war.position import Army, Land, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.battle import Battle, Force, Reckoning, Role, hits, opposite, transferred
from referee.games.war.rulebook import BRIGADES, PARTIES
from referee.kit.fields import meant
from referee.kit.wording import counted

# ---------------------------------------------------------------- losses of a round
# Hits fused by the scorer, then what each owner gives up, brigades before parties.


ROLES: tuple[Role, Role] = ("attacker", "defender")
"""The attacker comes first wherever an order matters."""


# ---------------------------------------------------------------- whom it strikes


def losses_by_default(pool: Mapping[str, int], hits: int) -> dict[str, int]:
    """R27-56: the cheapest brigade of which there are two or more, else the cheapest; then engineer, explorer, general."""
    return losses_in_order(pool, hits, ())


def losses_in_order(pool: Mapping[str, int], hits: int, order: Sequence[str]) -> dict[str, int]:
    """27.combat.losses.1: what goes by an owner's order of kinds, brigades before parties; the default for the rest."""
    left, lost = dict(pool), dict[str, int]()
    for _ in range(min(hits, sum(pool.values()))):
        kind = _next(left, order)
        left[kind] -= 1
        lost[kind] = lost.get(kind, 0) + 1
    return lost


def _next(left: Mapping[str, int], order: Sequence[str]) -> str:
    kinds = [kind for kind in BRIGADES if left.get(kind)] or [kind for kind in PARTIES if left.get(kind)]
    wanted = [kind for kind in order if kind in kinds]
    plenty = [kind for kind in kinds if kind in BRIGADES and left[kind] > 1]
    return (wanted or plenty or kinds)[0]


def loss_order(sheet: Sequence[Intent], region: str) -> tuple[str, ...] | None:
    """The kinds in the order in which a sheet loses them here: its word for the region, else its word for all."""
    rules = [rule for rule in sheet if isinstance(rule, LossOrder)]
    return next((rule.kinds for where in (region, "") for rule in rules if rule.region == where), None)


# ---------------------------------------------------------------- a round's losses


def casualties(table: Table[War], battle: Battle, scored: Mapping[Role, int]) -> Script[Battle]:
    """27.combat.land.3, R27-55: fused hits first, then both owners' choices at once; returns the battle after them."""
    fused = yield from _fused(table, battle, scored)
    left = {role: scored[role] - 3 * sum(n for _, n in fused[role]) for role in ROLES}
    for role in ROLES:
        if fused[role]:
            table.emit(HitsFused(battle.region, battle.seat(role), fused[role]))
            battle = remove_units(table, battle, opposite(role), dict(fused[role]), spare_the_best=False)
    suffered: dict[Role, int] = {role: left[opposite(role)] for role in ROLES}
    chosen = yield from _given_up(table, battle, suffered)
    for role in ROLES:
        battle = remove_units(table, battle, role, chosen[role])
    return battle


def _fused(table: Table[War], battle: Battle, scored: Mapping[Role, int]) -> Script[dict[Role, Lots]]:
    """27.combat.losses.2, R27-55, Q18: what each scorer picks."""
    asked = [role for role in ROLES if _may_fuse(table.state, battle, role, scored[role])]
    questions = [_fuse_question(table, battle, role, seat, scored[role]) for role, seat in _led(battle, asked)]
    answers: tuple[Answer[Lots], ...] = yield from table.ask_all(questions)
    yield from _not_fused(table, battle, scored)
    fused: dict[Role, Lots] = {role: () for role in ROLES}
    fused.update(zip((role for role, _ in _led(battle, asked)), (answer.value for answer in answers), strict=True))
    return fused


def _led(battle: Battle, roles: Sequence[Role]) -> list[tuple[Role, Seat]]:
    """The sides for which somebody decides: a player's own, or natives with a runner (27.combat.natives.4)."""
    led = [(role, battle.seat(role) or battle.runner) for role in roles]
    return [(role, seat) for role, seat in led if seat is not None]


def _may_fuse(war: War, battle: Battle, role: Role, hits: int) -> bool:
    kinds = [n for kind, n in battle.units(war, opposite(role)).items() if kind in BRIGADES]
    return hits >= 3 and len(kinds) > 1 and hits < sum(kinds)


def _not_fused(table: Table[War], battle: Battle, scored: Mapping[Role, int]) -> Script[None]:
    """R27-55: who ordered it, and kills every brigade anyway, is told that nothing was fused."""
    for role in ROLES:
        seat, units = battle.seat(role), battle.units(table.state, opposite(role))
        kinds = [kind for kind in BRIGADES if units.get(kind)]
        if seat is None or scored[role] < 3 or len(kinds) < 2 or scored[role] < sum(units[kind] for kind in kinds):
            continue
        menu = OneOf([Choice("no", ""), *(Choice(kind, kind) for kind in kinds)], "")
        name = f"{battle.name}/round {battle.round}/nothing to fuse for {seat}"
        kind = yield from consult(table, seat, name, "", menu, "R27-55", partial(_fused_for, kinds=kinds))
        if kind:
            why = f"Your {scored[role]} hits cost every brigade in {battle.region} anyway, so none were fused."
            table.emit(OrderFellShort(seat, FuseRule(kind).meaning().rstrip("."), why, "R27-55"))


def _fused_for(sheet: Sequence[Intent], kinds: Sequence[str]) -> str | None:
    return next((rule.kind for rule in sheet if isinstance(rule, FuseRule) and rule.kind in kinds), None)


def _fuse_question(table: Table[War], battle: Battle, role: Role, seat: Seat, hits: int) -> Question[Lots]:
    units = battle.units(table.state, opposite(role))
    pool = {kind: n for kind, n in units.items() if kind in BRIGADES}
    most = hits // 3

    def wanted(sheet: Sequence[Intent]) -> Lots | None:
        kind = next((rule.kind for rule in sheet if isinstance(rule, FuseRule)), None)
        number = min(most, pool.get(kind or "", 0))
        return None if kind is None else ((kind, number),) if number else ()

    scored = f"you scored {hits} hits on {lots_named(tuple(units.items()))}"
    text = f"{scored}. Three hits may become one that strikes the brigade you name. Which?"
    menu = Split(pool, 0, most, {})
    return _question(table, battle, (role, seat), "fuse", text, menu, "27.combat.losses.2", wanted)


def _given_up(table: Table[War], battle: Battle, suffered: Mapping[Role, int]) -> Script[dict[Role, dict[str, int]]]:
    """27.combat.losses.1, Q18: what each owner loses; asked only where there is a choice."""
    lost = {role: losses_by_default(battle.units(table.state, role), suffered[role]) for role in ROLES}
    asked = [role for role in ROLES if len(_choice(battle.units(table.state, role), suffered[role])[0]) > 1]
    led = _led(battle, asked)
    questions = [_loss_question(table, battle, role, seat, suffered[role]) for role, seat in led]
    answers: tuple[Answer[Lots], ...] = yield from table.ask_all(questions)
    for (role, _), answer in zip(led, answers, strict=True):
        fallen, _ = _certain(battle.units(table.state, role), suffered[role])
        lost[role] = {**fallen, **dict(answer.value)}
    return lost


def _certain(units: Mapping[str, int], hits: int) -> tuple[dict[str, int], int]:
    """The brigades that fall in any case, when hits go through to the parties, and the hits left."""
    brigades = {kind: n for kind, n in units.items() if kind in BRIGADES}
    if hits < sum(brigades.values()):
        return {}, hits
    return brigades, hits - sum(brigades.values())


def _choice(units: Mapping[str, int], hits: int) -> tuple[dict[str, int], int]:
    """The units to choose from, and how many of them; nothing where nothing is open."""
    fallen, left = _certain(units, hits)
    pool = {kind: n for kind, n in units.items() if kind not in fallen and (bool(fallen) or kind in BRIGADES)}
    return (pool, left) if 0 < left < sum(pool.values()) else ({}, 0)


def _loss_question(table: Table[War], battle: Battle, role: Role, seat: Seat, hits: int) -> Question[Lots]:
    pool, number = _choice(battle.units(table.state, role), hits)
    menu = Split(pool, number, number, losses_by_default(pool, number))

    def wanted(sheet: Sequence[Intent]) -> Lots | None:
        order = loss_order(sheet, battle.region)
        return None if order is None else menu.lots(losses_in_order(pool, number, order))

    enemy = lots_named(tuple(battle.units(table.state, opposite(role)).items()))
    text = f"{counted(hits, 'hits')} by {enemy}. {number} of {lots_named(tuple(pool.items()))} must go. Which?"
    return _question(table, battle, (role, seat), "losses", text, menu, "27.combat.losses.1", wanted)


def _question(
    table: Table[War],
    battle: Battle,
    asked: tuple[Role, Seat],
    what: str,
    text: str,
    menu: Split,
    rule: str,
    wanted: Callable[[Sequence[Intent]], Lots | None],
) -> Question[Lots]:
    """A question to a side; who runs the natives gets no letters (R27-57)."""
    role, seat = asked
    place = f"{battle.name}/round {battle.round}/{what}/{role}"
    text = f"{battle.region}, round {battle.round}: {text}"
    if battle.seat(role) is None:
        return Question(f"{table.phase}/{place}", seat, text, menu, Pace.AUTO, rule, wanted)
    return decision(table, seat, place, text, menu, rule, wanted)


# ---------------------------------------------------------------- units taken off


def remove_units(
    table: Table[War], battle: Battle, role: Role, lost: Mapping[str, int], spare_the_best: bool = True
) -> Battle:
    """R27-56: take units off a side; the enemy picked them unless `spare_the_best`."""
    lots = tuple((kind, n) for kind, n in lost.items() if n)
    seat = battle.seat(role)
    if seat is None:
        return _thin_out(table, battle, lots)
    for kind, number in lots:
        for stack in _picked(table.state.lands[battle.region], battle.seats(role), kind, number, spare_the_best):
            table.emit(UnitsLost(battle.region, stack, f"hits of round {battle.round}"))
    return battle


def _thin_out(table: Table[War], battle: Battle, lots: Lots) -> Battle:
    army = battle.army
    if army is None or not lots:
        return battle
    lost = dict(lots)
    left = Army(*(army.count(kind) - lost.get(kind, 0) for kind in BRIGADES))
    table.emit(NativesLost(battle.region, lots, left))
    return replace(battle, army=left)


def _picked(land: Land, seats: Sequence[Seat], kind: str, number: int, worst_first: bool) -> list[Stack]:
    stacks = [s for s in land.stacks if s.owner in seats and s.kind == kind]
    stacks.sort(key=lambda s: (s.late, s.landed), reverse=worst_first)
    picked: list[Stack] = []
    for seat, share in _shares(land, seats, kind, number).items():
        for stack in stacks:
            part = min(share, stack.number) if stack.owner == seat else 0
            picked += [replace(stack, number=part)] if part else []
            share -= part
    return picked


def _shares(land: Land, seats: Sequence[Seat], kind: str, number: int) -> dict[Seat, int]:
    """R27-98: how many each loses: one after the other whoever has most of the kind left, guests before the owner."""
    left = {seat: land.count(seat, kind) for seat in reversed(seats)}
    had = dict(left)
    for _ in range(min(number, sum(left.values()))):
        left[max(left, key=lambda seat: left[seat])] -= 1
    return {seat: had[seat] - left[seat] for seat in seats}


# ---------------------------------------------------------------- one round of a land battle
# Modifiers, the generals' turn of them, dice, hits, losses.


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
