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
from referee.games.newworld.orders.attack import Aim, AttackRegion
from referee.games.newworld.phases.battle import Force, attacking_force, defending_force, exchange, rebel_force
from referee.games.newworld.position.state import Territory, World
from referee.games.newworld.reckoning.turn import Turn, of_kind
from referee.kit.fields import ANY
from referee.kit.wording import counted


def war_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.war.attack, nw.r21"""
    fought: set[str] = set()
    fleets, rolled = turn.power(table).fleets, 0
    for order, later in _in_turn(table, turn):
        why = _obstacle(table.state, turn, order, fought)
        if why is not None:
            order.fell_short(table, turn, *why)
            continue
        force = yield from _attack(table, turn, order, _committed(order, later, fleets - rolled))
        if force is not None:
            fought.add(order.region)
            rolled += force


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
    """What stands against attacks now: an obstacle, or more dice on the other side."""
    turn, fought, found = Turn("", seat), set[str](), list[Doubt]()
    fleets = world.powers[seat].fleets
    for place, order in enumerate(orders):
        why = _obstacle(world, turn, order, fought)
        if why is not None:
            sentence = f"As things stand this attack is not made, because {why[0]}: {order.meaning()}"
            found.append(Doubt(sentence, why[1], True))
            continue
        fought.add(order.region)
        committed = _committed(order, orders[place + 1 :], fleets)
        ours, theirs = _forces(world, turn, order, committed, open_to_attack(world, order)[0])
        if theirs is None:
            continue
        fleets -= committed
        if ours.dice < theirs.dice:
            odds = f"{counted(ours.dice, 'dice')} against {theirs.dice}"
            found.append(Doubt(f"Your attack in {order.region} would roll {odds}.", "nw.war.rolls"))
    return found


def _obstacle(world: World, turn: Turn, order: AttackRegion, fought: set[str]) -> tuple[str, str] | None:
    """Why an attack cannot be made, and the rule."""
    if order.region in fought:
        return f"there was an attack in {order.region} already", "nw.r21"
    if not world.powers[turn.seat].armies[order.region]:
        return f"no army of {turn.seat} is in {order.region}", "nw.war.attack"
    if not open_to_attack(world, order):
        # nw.h4, nw.h5: the foe has nothing there that is wanted; what is in revolt there is the rebels'.
        if order.foe == "rebels":
            whose = f" in a colony of {order.owner}" if order.owner else ""
            return f"there are no rebels{whose} in {order.region}", "nw.h4"
        seat = next((seat for seat in world.living if seat == order.foe), None)
        risen = [t for t in world.sheet_of(seat, order.region) if not t.quiet and _fits(t, order)]
        if risen:
            foe = "nobody" if seat is None else seat
            return f"what {foe} has in {order.region} is in revolt, so it is ATTACK rebels that takes it", "nw.h5"
        if seat is None:
            return f"no such territory in {order.region} is neutral", "nw.h4"
        return f"{order.foe} has no such territory in {order.region}", "nw.h4"
    return None


def _fits(territory: Territory, order: AttackRegion) -> bool:
    return any(_is_meant(territory, aim) for aim in order.wishes)


def _is_meant(territory: Territory, aim: Aim) -> bool:
    return aim.good in (ANY, territory.good) and aim.home in (None, territory.home)


def open_to_attack(world: World, order: AttackRegion) -> tuple[Territory, ...]:
    """The territories an attack could win, in its order of preference."""
    return tuple(dict.fromkeys(t for aim in order.wishes for t in _meant(world, order, aim)))


def _meant(world: World, order: AttackRegion, aim: Aim) -> list[Territory]:
    """Those one aim means, the default first (nw.r26)."""
    fitting = [t for t in _exposed(world, order) if _is_meant(t, aim)]
    if order.foe == "rebels":
        return fitting
    if aim.good == ANY:
        return sorted(fitting, key=lambda t: (-world.worth(t), t.number))
    return sorted(fitting, key=lambda t: (t.home != world.active, t.number))


def _exposed(world: World, order: AttackRegion) -> list[Territory]:
    """Everything the foe has there (nw.h5, nw.r28)."""
    if order.foe == "rebels":
        risen = [t for t in world.territories if t.region == order.region and t.rebels is not None]
        named = [t for t in risen if order.owner in (None, t.owner)]
        return sorted(named, key=lambda t: (t.rebels, t.number))
    owner = next((seat for seat in world.living if seat == order.foe), None)
    return list(world.controlled(owner, order.region))


def _committed(order: AttackRegion, later: Sequence[AttackRegion], fleets: int) -> int:
    """nw.h6: the Fleets an attack has."""
    if order.fleets is not None:
        return min(order.fleets.of(fleets), fleets)
    reserved = sum(other.fleets.of(fleets) for other in later if other.fleets is not None)
    return max(0, fleets - reserved)


def _attack(table: Table[World], turn: Turn, order: AttackRegion, fleets: int) -> Script[int | None]:
    """One attack: how many Fleets rolled in it; None when its own caution calls it off."""
    target = open_to_attack(table.state, order)[0]
    ours, theirs = _forces(table.state, turn, order, fleets, target)
    if order.unless_outnumbered and theirs is not None and ours.dice < theirs.dice:
        order.fell_short(table, turn, f"{ours.dice} dice against {theirs.dice}", "nw.h6")
        return None
    defence = theirs.strength if theirs is not None else ()
    table.emit(AttackLaunched(turn.seat, order.foe, order.region, ours.strength if defence else (), defence))
    if theirs is not None:
        yield from exchange(table, turn, ours, theirs)
    yield from _aftermath(table, turn, order, target)
    return fleets if theirs is not None else 0


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
    """nw.r26"""
    prizes = next(filter(None, (_meant(table.state, order, aim) for aim in order.wishes)))
    distinct = [t for i, t in enumerate(prizes) if t.name not in [other.name for other in prizes[:i]]]
    if len(distinct) == 1:
        return prizes[0]
    options = [Choice(t.name, t.number, f"worth {table.state.worth(t)} gold a turn", order.region) for t in distinct]
    text = f"Your attack in {order.region} has succeeded: which territory do you take?"
    menu = OneOf(options, prizes[0].number)
    question = Question(f"{turn.key}/war/{order.region}/prize", turn.seat, text, menu, Pace.REPLY, "nw.r26")
    answer = yield from table.ask(question)
    return table.state.territory(answer.value)
