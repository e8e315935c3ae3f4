"""War Phase: attacks, one a Region, in the order written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, due
from referee.core.question import OneOf, Pace, Question
from referee.core.table import Script, Table
from referee.games.newworld.events.war import AttackBeaten, AttackLaunched, TerritoryTaken
from referee.games.newworld.orders.attack import AttackRegion
from referee.games.newworld.phases.battle import Force, attacking_force, defending_force, exchange, rebel_force
from referee.games.newworld.position.state import Territory, World
from referee.games.newworld.reckoning.turn import Turn, of_kind
from referee.kit.refused import Refused
from referee.kit.wording import counted


def war_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.war.attack, nw.r21"""
    fleets, launched = turn.power(table).fleets, list[AttackLaunched]()
    for order, later in _in_turn(table, turn):
        refused = order.refused(table.state, turn.seat, launched)
        if refused:
            order.fell_short(table, turn, refused)
        else:
            rolled = sum(dict(attack.strength).get("fleets", 0) for attack in launched)
            launched += yield from _attack(table, turn, order, _committed(order, later, fleets - rolled))


def _in_turn(table: Table[World], turn: Turn) -> Iterator[tuple[AttackRegion, tuple[AttackRegion, ...]]]:
    """Each attack as it comes to be made, with those that are to follow it as things stand then."""
    written = turn.written(AttackRegion)
    judged: dict[int, bool] = {}

    def now(orders: Sequence[Intent], known: dict[int, bool]) -> tuple[AttackRegion, ...]:
        return of_kind(tuple(due(orders, partial(turn.holds, table), known)), AttackRegion)

    for place, order in enumerate(written):
        for attack in now((order,), judged):
            yield attack, now(written[place + 1 :], dict(judged))


def attack_doubts(world: World, seat: Seat, orders: Sequence[AttackRegion]) -> list[Doubt]:
    """What stands against attacks now: what the order says itself, or more dice on the other side."""
    launched, found, fleets = list[AttackLaunched](), list[Doubt](), world.powers[seat].fleets
    for place, order in enumerate(orders):
        refused = order.refused(world, seat, launched)
        if refused:
            sentence = f"As things stand this attack is not made, because {refused}: {order.meaning()}"
            found.append(Doubt(sentence, refused.illegal.rule, True))
            continue
        committed = _committed(order, orders[place + 1 :], fleets)
        ours, theirs = _forces(world, seat, order, committed, order.open(world)[0])
        launched.append(_launched(seat, order, ours, theirs))
        fleets -= committed if theirs else 0
        if theirs and ours.dice < theirs.dice:
            odds = f"{counted(ours.dice, 'dice')} against {theirs.dice}"
            found.append(Doubt(f"Your attack in {order.region} would roll {odds}.", "nw.war.rolls"))
    return found


def _committed(order: AttackRegion, later: Sequence[AttackRegion], fleets: int) -> int:
    """nw.h6: the Fleets an attack has."""
    if order.fleets is not None:
        return min(order.fleets.of(fleets), fleets)
    reserved = sum(other.fleets.of(fleets) for other in later if other.fleets is not None)
    return max(0, fleets - reserved)


def _attack(table: Table[World], turn: Turn, order: AttackRegion, fleets: int) -> Script[tuple[AttackLaunched, ...]]:
    """One attack, unless its own caution calls it off."""
    target = order.open(table.state)[0]
    ours, theirs = _forces(table.state, turn.seat, order, fleets, target)
    if order.unless_outnumbered and theirs is not None and ours.dice < theirs.dice:
        order.fell_short(table, turn, Refused(f"{ours.dice} dice against {theirs.dice}", "nw.h6"))
        return ()
    launched = _launched(turn.seat, order, ours, theirs)
    table.emit(launched)
    if theirs is not None:
        yield from exchange(table, turn, ours, theirs)
    yield from _aftermath(table, turn, order, target)
    return (launched,)


def _launched(seat: Seat, order: AttackRegion, ours: Force, theirs: Force | None) -> AttackLaunched:
    strength, defence = (ours.strength, theirs.strength) if theirs else ((), ())
    return AttackLaunched(seat, order.foe, order.region, strength, defence)


def _forces(
    world: World, seat: Seat, order: AttackRegion, fleets: int, target: Territory
) -> tuple[Force, Force | None]:
    """Both sides; None for a defender whom the attack beats by itself (nw.war.automatic, nw.r24)."""
    if order.foe == "rebels":
        theirs = rebel_force(target) if target.rebels else None
        return attacking_force(world, seat, order.region, fleets, None), theirs
    if target.owner is None or not world.powers[target.owner].armies[order.region]:
        return attacking_force(world, seat, order.region, fleets, None), None
    foe = target.owner
    ours = attacking_force(world, seat, order.region, fleets, world.powers[foe])
    return ours, defending_force(world, foe, order.region, world.powers[seat], fleets)


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
    """nw.r26"""
    prizes = next(filter(None, (order.meant(table.state, aim) for aim in order.wishes)))
    distinct = [t for i, t in enumerate(prizes) if t.name not in [other.name for other in prizes[:i]]]
    if len(distinct) == 1:
        return prizes[0]
    options = [Choice(t.name, t.number, f"worth {table.state.worth(t)} gold a turn", order.region) for t in distinct]
    text = f"Your attack in {order.region} has succeeded: which territory do you take?"
    menu = OneOf(options, prizes[0].number)
    question = Question(f"{turn.key}/war/{order.region}/prize", turn.seat, text, menu, Pace.REPLY, "nw.r26")
    answer = yield from table.ask(question)
    return table.state.territory(answer.value)
