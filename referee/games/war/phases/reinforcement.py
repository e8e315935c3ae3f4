"""The reinforcement move: generals hurry to attacked neighbours before any combat (27.move.reinforce, R27-38)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.events.combat import OrderFellShort, UnitsMoved
from referee.games.war.events.moving import ReinforcementAnnounced
from referee.games.war.orders.standing_land import ReinforceRule
from referee.games.war.phases.share import Company, Lots
from referee.games.war.phases.windows import consult, decide
from referee.games.war.position.places import Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import attackers, friends
from referee.games.war.rulebook import BOARD, BRIGADES, KINDS
from referee.kit.fields import Most, meant
from referee.kit.wording import counted

_FIRST = tuple(sorted(BRIGADES, key=lambda kind: KINDS[kind].reinforcement))
"""R27-38"""


def under_attack(war: War, owner: Seat) -> tuple[str, ...]:
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
        for region in (*under_attack(table.state, other), *_of_allies(table.state, other, seat)):
            if region not in helped and (yield from _reinforce(table, other, region)):
                helped.append(region)


def _of_allies(war: War, seat: Seat, mover: Seat) -> tuple[str, ...]:
    """R27-38, 27.opt.alliances.7: regions of allies who let him in, attacked by an enemy of his, or in revolt on their share."""
    own = [ally for ally in friends(war, seat) if ally != seat]
    attacked = [r for ally in own if ally != mover and war.at_war(seat, mover) for r in under_attack(war, ally)]
    rising = [land.name for land in war.regions_of(mover) if land.revolt is not None] if mover in own else []
    return (*attacked, *rising)


def _reinforce(table: Table[War], seat: Seat, region: str) -> Script[bool]:
    """27.move.reinforce.3, 27.move.reinforce.5: one general a region; once announced he goes, whatever the die."""
    # Adjacent own regions with a general and not themselves under attack or in revolt (27.move.reinforce.2).
    war = table.state
    attacked = under_attack(war, seat)
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

    text = f"{counted(attackers, 'brigades')} {'attacks' if attackers == 1 else 'attack'} {region}. Does a general reinforce it?"
    name = f"{region}/reinforce by {seat}"
    return (yield from decide(table, seat, name, text, OneOf(options, ""), "27.move.reinforce.2", wanted))


def _explained(table: Table[War], seat: Seat, region: str, near: tuple[str, ...]) -> Script[None]:
    """Who ordered reinforcement for an attacked region and gets none is told why."""

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
    """Which brigades he brings, after the die is known; fewer than the points allow if his owner likes."""
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
