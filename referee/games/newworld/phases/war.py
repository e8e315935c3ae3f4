"""War Phase: attacks, one a Region, in the order written."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Doubt
from referee.core.question import OneOf, Option, Pace, Question
from referee.core.table import Script, Table
from referee.games.newworld.events import AttackBeaten, AttackLaunched, TerritoryTaken
from referee.games.newworld.intents import ANY, AttackRegion
from referee.games.newworld.phases.battle import Force, attacking_force, defending_force, exchange, rebel_force
from referee.games.newworld.phases.turn import Turn, fell_short
from referee.games.newworld.state import Territory, World

__all__ = ["attack_doubts", "open_to_attack", "war_phase"]


def war_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.war.attack, nw.r21: one attack a Region; a Fleet serves one attack."""
    orders = turn.wanted(AttackRegion)
    fought: set[str] = set()
    fleets = turn.power(table).fleets
    for place, order in enumerate(orders):
        why = _obstacle(table.state, turn, order, fought)
        if why is not None:
            fell_short(table, turn, order, *why)
            continue
        committed = _committed(order, orders[place + 1 :], fleets)
        if (yield from _attack(table, turn, order, committed)):
            fought.add(order.region)
            fleets -= committed


def attack_doubts(world: World, seat: Seat, orders: Sequence[AttackRegion]) -> list[Doubt]:
    """What stands against attacks now: an obstacle, or more dice on the other side."""
    turn, fought, found = Turn("", seat), set[str](), list[Doubt]()
    for place, order in enumerate(orders):
        why = _obstacle(world, turn, order, fought)
        if why is not None:
            found.append(Doubt(f"As things stand this attack is not made, because {why[0]}: {order.meaning()}", why[1]))
            continue
        fought.add(order.region)
        fleets = _committed(order, orders[place + 1 :], world.powers[seat].fleets)
        ours, theirs = _forces(world, turn, order, fleets, open_to_attack(world, order)[0])
        if theirs is not None and ours.dice < theirs.dice:
            odds = f"{ours.dice} dice against {theirs.dice}"
            found.append(Doubt(f"Your attack in {order.region} would roll {odds}.", "nw.war.rolls"))
    return found


def _obstacle(world: World, turn: Turn, order: AttackRegion, fought: set[str]) -> tuple[str, str] | None:
    """Why an attack cannot be made, and the rule."""
    if order.region in fought:
        return f"there was an attack in {order.region} already", "nw.r21"
    if not world.powers[turn.seat].armies[order.region]:
        return f"no army of his is in {order.region}", "nw.war.attack"
    if not open_to_attack(world, order):
        return f"{order.foe} has no such territory in {order.region}", "nw.h4"
    return None


def open_to_attack(world: World, order: AttackRegion) -> tuple[Territory, ...]:
    """The territories an attack could win, in its order of preference; for `any` the highest yield first."""
    found: list[Territory] = []
    pool = _exposed(world, order)
    for wish in order.wishes:
        fitting = [t for t in pool if t not in found and wish in (ANY, t.good)]
        found += sorted(fitting, key=lambda t: (-world.worth(t), t.number)) if wish == ANY else fitting
    return tuple(found)


def _exposed(world: World, order: AttackRegion) -> list[Territory]:
    """Everything the foe has there: a colony in revolt is the rebels' alone (nw.h5), an eliminated seat's neutral."""
    if order.foe == "rebels":
        risen = [t for t in world.territories if t.region == order.region and t.rebels is not None]
        named = [t for t in risen if order.owner in (None, t.owner)]
        return sorted(named, key=lambda t: (t.rebels, t.number))
    owner = next((seat for seat in world.living if seat == order.foe), None)
    return list(world.controlled(owner, order.region))


def _committed(order: AttackRegion, later: Sequence[AttackRegion], fleets: int) -> int:
    """nw.h6: the Fleets an attack has: those it names, or all that no later attack names."""
    if order.fleets is not None:
        return min(order.fleets.of(fleets), fleets)
    reserved = sum(other.fleets.of(fleets) for other in later if other.fleets is not None)
    return max(0, fleets - reserved)


def _attack(table: Table[World], turn: Turn, order: AttackRegion, fleets: int) -> Script[bool]:
    """One attack; False when its own caution calls it off."""
    target = open_to_attack(table.state, order)[0]
    ours, theirs = _forces(table.state, turn, order, fleets, target)
    if order.unless_outnumbered and theirs is not None and ours.dice < theirs.dice:
        fell_short(table, turn, order, f"{ours.dice} dice against {theirs.dice}", "nw.h6")
        return False
    defence = theirs.strength if theirs is not None else ()
    table.emit(AttackLaunched(turn.seat, order.foe, order.region, ours.strength if defence else (), defence))
    if theirs is not None:
        yield from exchange(table, turn, ours, theirs)
    yield from _aftermath(table, turn, order, target)
    return True


def _forces(
    world: World, turn: Turn, order: AttackRegion, fleets: int, target: Territory
) -> tuple[Force, Force | None]:
    """Both sides; None for a defender whom the attack beats by itself (nw.war.automatic, nw.r24)."""
    if order.foe == "rebels":
        theirs = rebel_force(target) if target.rebels else None
        return attacking_force(world, turn.seat, order.region, fleets, None), theirs
    if target.owner is None or not world.powers[target.owner].armies[order.region]:
        return attacking_force(world, turn.seat, order.region, fleets, None), None
    foe = target.owner
    ours = attacking_force(world, turn.seat, order.region, fleets, world.powers[foe])
    return ours, defending_force(world, foe, order.region, world.powers[turn.seat], fleets)


def _aftermath(table: Table[World], turn: Turn, order: AttackRegion, target: Territory) -> Script[None]:
    """nw.war.capture: Armies left against none take one territory."""
    world = table.state
    if not world.powers[turn.seat].armies[order.region]:
        why = "no attacking army is left"
    elif _defended(world, order, target):
        why = "the defender still has armies"
    else:
        prize = target if order.foe == "rebels" else (yield from _prize(table, turn, order))
        rebels = order.foe == "rebels"
        table.emit(TerritoryTaken(turn.seat, prize.number, prize.name, prize.owner, rebels))
        return
    table.emit(AttackBeaten(turn.seat, order.foe, order.region, why))


def _defended(world: World, order: AttackRegion, target: Territory) -> bool:
    if order.foe == "rebels":
        return bool(world.territory(target.number).rebels)
    return target.owner is not None and world.powers[target.owner].armies[order.region] > 0


def _prize(table: Table[World], turn: Turn, order: AttackRegion) -> Script[Territory]:
    """nw.r26: the territory named; where only `any` is left to choose by, the player may choose."""
    prizes = open_to_attack(table.state, order)
    distinct = [t for i, t in enumerate(prizes) if t.name not in [other.name for other in prizes[:i]]]
    if prizes[0].good in order.wishes or len(distinct) == 1:
        return prizes[0]
    options = [Option(t.name, t.number, f"worth {table.state.worth(t)} gold a turn") for t in distinct]
    text = f"Your attack in {order.region} has succeeded: which territory do you take?"
    menu = OneOf(options, prizes[0].number)
    question = Question(f"{turn.key}/war/{order.region}/prize", turn.seat, text, menu, Pace.REPLY, "nw.r26")
    answer = yield from table.ask(question)
    return table.state.territory(answer.value)
