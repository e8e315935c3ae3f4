"""The War Phase: whose units go, one exchange of a battle, and attacks in the order written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, due
from referee.core.question import OneOf, Pace, Question
from referee.core.table import Script, Table
from referee.games.newworld.events import (
    AttackBeaten,
    AttackLaunched,
    RebelsDestroyed,
    TerritoryTaken,
    UnitsLost,
)
from referee.games.newworld.orders.army import ArmyFrom, AttackRegion, DiscardUnits, LoseUnits
from referee.games.newworld.position import Power, Territory, Turn, World, of_kind
from referee.games.newworld.rulebook import REGIONS, TABLES
from referee.kit.refused import Refused
from referee.kit.wording import are, counted, in_a_row

# ---------------------------------------------------------------- which units go when some must
# The owner's order of losses, or the rulings' default.


FLEETS = "fleets"

Pool = Mapping[str, int]
"""Units that may be lost: FLEETS and Region names, with how many."""


def pool_of(power: Power) -> dict[str, int]:
    """All units of a seat."""
    return {**power.manned, FLEETS: power.fleets}


def most_armies(pool: Pool) -> str | None:
    """The Region with most Armies, the first in list order among equals (nw.r3); None without Armies."""
    regions = [region for region in REGIONS if pool.get(region, 0) > 0]
    return max(regions, key=lambda region: pool[region]) if regions else None


def stated_losses(sheet: Sequence[Intent], upkeep: bool = False) -> tuple[ArmyFrom | None, ...]:
    """The order of losses a sheet states: LOSE, or at Upkeep rather DISCARD where there is one."""
    lose = tuple(u for intent in sheet if isinstance(intent, LoseUnits) for u in intent.units)
    discard = tuple(u for intent in sheet if isinstance(intent, DiscardUnits) for u in intent.units)
    return (discard or lose) if upkeep else lose


def _next(pool: Pool, order: Sequence[ArmyFrom | None]) -> str | None:
    """The unit that goes next by an order of losses; None when it says nothing more."""
    for unit in order:
        place = FLEETS if unit is None else unit.region or most_armies(pool)
        if place is not None and pool.get(place, 0) > 0:
            return place
    return None


def picked(pool: Pool, order: Sequence[ArmyFrom | None], count: int) -> dict[str, int]:
    """`count` units in the stated order; what it leaves open as nw.r10 says."""
    left = dict(pool)
    taken: dict[str, int] = {}
    for _ in range(min(count, sum(pool.values()))):
        place = _next(left, order) or most_armies(left) or FLEETS
        left[place] -= 1
        taken[place] = taken.get(place, 0) + 1
    return taken


# ---------------------------------------------------------------- one exchange of a battle
# The dice of each side, and the units that sixes destroy.


_SUPERIOR = ("Infantry", "Cavalry", "Artillery", "Fortifications", "Sea Power")

Losses = tuple[int, int]
"""(Armies, Fleets) destroyed."""


class Force(msgspec.Struct, frozen=True):
    """One side of a battle: the units that take part and every die it rolls. `seat` None: rebels of `colony`."""

    seat: Seat | None
    region: str
    armies: int
    fleets: int
    strength: tuple[tuple[str, int], ...]
    colony: Territory | None = None

    @property
    def dice(self) -> int:
        """How many dice it rolls."""
        return sum(number for _, number in self.strength)

    @property
    def name(self) -> str:
        """Its name in the reasons for its dice."""
        return self.seat or "the rebels"


def _superiority(own: Power, foe: Power | None, fleets: int) -> list[tuple[str, int]]:
    """nw.war.superiority, nw.r25, nw.r8"""
    higher = [t for t in _SUPERIOR if own.levels[t] > (foe.levels[t] if foe is not None else 0)]
    return [(technology, 1) for technology in higher if technology != "Sea Power" or fleets]


def _counted(armies: int, fleets: int, extra: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple((n, d) for n, d in (("armies", armies), ("fleets", fleets), *extra) if d)


def attacking_force(world: World, seat: Seat, region: str, fleets: int, foe: Power | None) -> Force:
    """nw.war.rolls: all Armies in the Region, and the Fleets committed."""
    power = world.powers[seat]
    armies = power.armies[region]
    return Force(seat, region, armies, fleets, _counted(armies, fleets, _superiority(power, foe, fleets)))


def defending_force(world: World, seat: Seat, region: str, foe: Power, foe_fleets: int) -> Force:
    """nw.war.defence: all Armies in the Region, all Fleets, and the dice of the defence."""
    power = world.powers[seat]
    armies, fleets = power.armies[region], power.fleets
    extra = [*_superiority(power, foe, fleets), ("defence", TABLES.figures.defence)]
    return Force(seat, region, armies, fleets, _counted(armies, fleets, extra))


def rebel_force(colony: Territory) -> Force:
    """nw.r8: one die a rebel Army and those of the defence."""
    rebels = colony.rebels or 0
    return Force(None, colony.region, rebels, 0, _counted(rebels, 0, [("defence", TABLES.figures.defence)]), colony)


def exchange(table: Table[World], turn: Turn, ours: Force, theirs: Force) -> Script[None]:
    """nw.r22: both roll, then both remove their losses."""
    our_hits = _hits(table, ours, "attack")
    their_hits = _hits(table, theirs, "defence")
    sides = ((ours, their_hits), (theirs, our_hits))
    asked = [
        (force, _choice(turn, force, hits))
        for force, hits in sides
        if force.armies > 0 and force.fleets > 0 and 0 < hits < force.armies + force.fleets
    ]
    answers = yield from table.ask_all([question for _, question in asked])
    chosen = {force.name: answer.value for (force, _), answer in zip(asked, answers, strict=True)}
    for force, hits in sides:
        _remove(table, force, chosen.get(force.name) or casualty_default(force, hits))


def _hits(table: Table[World], force: Force, role: str) -> int:
    why = f"{force.name} rolls for {role} in {force.region}"
    return sum(map(is_hit, table.roll(force.dice, 6, why, "nw.war.rolls")))


def is_hit(face: int) -> bool:
    """nw.war.hits"""
    return face == TABLES.figures.hit


def casualty_default(force: Force, hits: int) -> Losses:
    """nw.r23"""
    armies = min(hits, max(0, force.armies - 1))
    fleets = min(hits - armies, force.fleets)
    return min(hits - fleets, force.armies), fleets


def _choice(turn: Turn, force: Force, hits: int) -> Question[Losses]:
    least, most = max(0, hits - force.fleets), min(hits, force.armies)
    splits = [(armies, hits - armies) for armies in range(most, least - 1, -1)]
    options = [Choice(_split_in_words(split), split) for split in splits]
    seat = force.seat or turn.seat

    def stated(sheet: Sequence[Intent]) -> Losses | None:
        order = [u for u in stated_losses(sheet) if u is None or u.region in ("", force.region)]
        lost = picked({force.region: force.armies, FLEETS: force.fleets}, order, hits)
        return (lost.get(force.region, 0), lost.get(FLEETS, 0)) if order else None

    text = f"{counted(hits, 'units')} of yours in {force.region} must go: which?"
    menu = OneOf(options, casualty_default(force, hits))
    key = f"{turn.key}/war/{force.region}/losses/{seat}"
    return Question(key, seat, text, menu, Pace.REPLY, "nw.r23", stated)


def _split_in_words(split: Losses) -> str:
    named = zip(split, ("armies", "fleets"), strict=True)
    return in_a_row([counted(number, name) for number, name in named if number])


def _remove(table: Table[World], force: Force, losses: Losses) -> None:
    armies, fleets = losses
    if not armies + fleets:
        return
    if force.colony is not None:
        left = force.armies - armies
        table.emit(RebelsDestroyed(force.colony.number, force.colony.name, armies, left))
    elif force.seat is not None:
        why = f"battle in {force.region}"
        table.emit(UnitsLost(force.seat, fleets, {force.region: armies} if armies else {}, why, "nw.war.hits"))


# ---------------------------------------------------------------- War Phase
# Attacks, one a Region, in the order written.


def war_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.war.attack, nw.r21"""
    fleets, launched = turn.power(table).fleets, list[AttackLaunched]()
    for order, later in _in_turn(table, turn):
        refused = order.refused(table.state, turn.seat, launched)
        if refused:
            order.fell_short(table, turn, refused)
        else:
            rolled = sum(dict(attack.strength).get("fleets", 0) for attack in launched)
            if missing := _missing(order, fleets - rolled):
                order.fell_short(table, turn, missing)
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
    """Obstacles to attacks now: the order's own words, or more dice on the other side."""
    launched, found, fleets = list[AttackLaunched](), list[Doubt](), world.powers[seat].fleets
    for place, order in enumerate(orders):
        refused = order.refused(world, seat, launched)
        if refused:
            sentence = f"As things stand this attack is not made, because {refused}: {order.meaning()}"
            found.append(Doubt(sentence, refused.illegal.rule, True))
            continue
        if missing := _missing(order, fleets):
            sentence = f"As things stand this attack has not all it asks for, because {missing}: {order.meaning()}"
            found.append(Doubt(sentence, missing.illegal.rule, True))
        committed = _committed(order, orders[place + 1 :], fleets)
        ours, theirs = _forces(world, seat, order, committed, order.open(world)[0])
        launched.append(_launched(seat, order, ours, theirs))
        fleets -= committed if theirs else 0
        if theirs and ours.dice < theirs.dice:
            roll, rule = ("be called off with", "nw.h6") if order.unless_outnumbered else ("roll", "nw.war.rolls")
            odds = f"{counted(ours.dice, 'dice')} against {theirs.dice}"
            found.append(Doubt(f"Your attack in {order.region} would {roll} {odds}.", rule))
    return found


def _committed(order: AttackRegion, later: Sequence[AttackRegion], fleets: int) -> int:
    """nw.h6: the Fleets an attack has."""
    if order.fleets is not None:
        return min(order.fleets.of(fleets), fleets)
    reserved = sum(other.fleets.of(fleets) for other in later if other.fleets is not None)
    return max(0, fleets - reserved)


def _missing(order: AttackRegion, fleets: int) -> Refused | None:
    """Why an attack has fewer Fleets than it tells off by number."""
    if order.fleets is None or order.fleets.of(fleets) <= fleets:
        return None
    return Refused(f"{counted(fleets, 'fleets')} {are(fleets)} left for it", "nw.h6", str(order.fleets.number))


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
