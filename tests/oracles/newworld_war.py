"""Oracles of New World's War Phase and of its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.newworld.events import (
    AttackBeaten,
    AttackLaunched,
    GameEnded,
    PowerEliminated,
    RebelsDestroyed,
    TerritoryTaken,
    TurnPassed,
    UnitsLost,
)
from tests.oracles.audit import Line, Stretch, at_most

ARTS = ("Infantry", "Cavalry", "Artillery", "Fortifications", "Sea Power")


def _side(power: Any, foe: Any, region: str, fleets: int) -> dict[str, int]:
    """Armies, Fleets and each superior technology."""
    higher = [art for art in ARTS if power.levels[art] > (foe.levels[art] if foe else 0)]
    extra = {art: 1 for art in higher if art != "Sea Power" or fleets}
    return {name: dice for name, dice in {"armies": power.armies[region], "fleets": fleets, **extra}.items() if dice}


def attack_dice(stretch: Stretch) -> Iterator[Line]:
    """War Phase: a roll for each Army and Fleet, one for each superiority, two more for the Defender; none without Armies."""
    for fact in stretch.of(AttackLaunched):
        event, powers = fact.event, fact.before.powers
        told, met = dict(event.strength), dict(event.defence)
        foe = powers.get(event.foe)
        foe = None if foe is None or foe.out else foe
        defenders = foe.armies[event.region] if foe else met.get("armies", 0) if event.foe == "rebels" else 0
        yield Line("it is fought", bool(met), defenders > 0)
        yield at_most("an army to attack with", 1, powers[event.seat].armies[event.region])
        if met:
            fleets = told.get("fleets", 0)
            yield Line("attack", told, _side(powers[event.seat], foe, event.region, fleets))
            own = _side(foe, powers[event.seat], event.region, foe.fleets) if foe else {"armies": defenders}
            yield Line("defence", met, {**own, "defence": 2})
        thrown = stretch.dice(fact.place, TerritoryTaken, AttackBeaten)
        yield Line("dice", [len(faces) for faces in thrown], [sum(told.values()), sum(met.values())] if met else [])


def attacks(stretch: Stretch) -> Iterator[Line]:
    """War Phase, ruling 21: one attack in a Region a turn, and a Fleet rolls for one attack only."""
    launched = list(stretch.of(AttackLaunched))
    regions = [fact.event.region for fact in launched]
    yield Line("regions attacked once", len(regions), len(set(regions)))
    if launched:
        rolled = sum(dict(fact.event.strength).get("fleets", 0) for fact in launched)
        yield at_most("fleets attacking", rolled, launched[0].before.powers[launched[0].event.seat].fleets)


def losses(stretch: Stretch) -> Iterator[Line]:
    """War Phase: for every 6 one opposing Army or Fleet of those in the battle is destroyed, and nobody else's."""
    for fact in stretch.of(AttackLaunched):
        event = fact.event
        thrown = [faces.count(6) for faces in stretch.dice(fact.place, TerritoryTaken, AttackBeaten)] or [0, 0]
        ours, theirs = dict(event.strength), dict(event.defence)
        lost = {str(event.seat): 0, event.foe: 0}
        for found in stretch.since(fact.place, TerritoryTaken, AttackBeaten):
            if isinstance(found.event, UnitsLost):
                lost[found.event.seat] += found.event.fleets + found.event.armies.get(event.region, 0)
                yield Line("only armies of the Region", set(found.event.armies) <= {event.region}, True)
            elif isinstance(found.event, RebelsDestroyed):
                lost["rebels"] += found.event.amount
        for seat, hits, side in ((str(event.seat), thrown[1], ours), (event.foe, thrown[0], theirs)):
            there = side.get("armies", 0) + side.get("fleets", 0)
            yield Line(f"{seat} loses", lost[seat], min(hits, there))


def prize(stretch: Stretch) -> Iterator[Line]:
    """War Phase: with an Army left against none the attacker takes one territory of that opponent in that Region."""
    for fact in stretch.of(AttackLaunched):
        event = fact.event
        end = next(f for f in stretch.facts[fact.place :] if isinstance(f.event, TerritoryTaken | AttackBeaten))
        ours = end.before.powers[event.seat].armies[event.region]
        foe = end.before.powers.get(event.foe)
        theirs = (
            foe.armies[event.region] if foe else dict(event.defence).get("armies", 0) if event.foe == "rebels" else 0
        )
        if event.foe == "rebels":
            between = stretch.facts[fact.place : end.place]
            theirs -= sum(f.event.amount for f in between if isinstance(f.event, RebelsDestroyed))
        yield Line("a territory is taken", isinstance(end.event, TerritoryTaken), ours > 0 and theirs == 0)
        if isinstance(end.event, TerritoryTaken):
            (taken,) = [t for t in end.before.territories if t.number == end.event.number]
            yield Line("in that Region", taken.region, event.region)
            yield Line(
                "whose", taken.rebels is not None or taken.owner == (foe.seat if foe and not foe.out else None), True
            )


def _culture(world: Any, seat: Any) -> tuple[int, int, int]:
    """Most Culture: 1 for each territory controlled, each level of Law and Humanities; ruling 31: gold, then colonies."""
    held = [t for t in world.territories if t.owner == seat and t.rebels is None]
    power = world.powers[seat]
    points = len(held) + power.levels["Law"] + power.levels["Humanities"]
    return points, power.stock["gold"], sum(t.home is None for t in held)


def elimination(stretch: Stretch) -> Iterator[Line]:
    """Victory: who has lost 7 or more of his European territories loses the game."""
    for fact in stretch.any_of(TurnPassed, GameEnded):
        for seat, power in fact.before.powers.items():
            lost = sum(t.home == seat and t.owner != seat for t in fact.before.territories)
            yield Line(f"{seat} is out", power.out, lost >= 7)
    for gone in stretch.of(PowerEliminated):
        lost = sum(t.home == gone.event.seat != t.owner for t in gone.before.territories)
        yield Line("territories lost", gone.event.lost, lost)


def ending(stretch: Stretch) -> Iterator[Line]:
    """Game End: with the turn in which all colonies are claimed; the most Culture wins."""
    finish = stretch.options["finish_round"] == "yes"
    for fact in stretch.any_of(TurnPassed, GameEnded):
        world = fact.before
        living = [seat for seat in world.order if not world.powers[seat].out]
        claimed = sum(t.home is None for t in world.territories) == 40
        last = world.active is not None and not set(living) & set(world.order[world.order.index(world.active) + 1 :])
        over = (
            len(living) == 1
            or (claimed and (last or not finish))
            or (last and world.round >= int(stretch.options["last_round"]))
        )
        yield Line("the game is over", isinstance(fact.event, GameEnded), over)
        if isinstance(fact.event, GameEnded):
            best = max(_culture(world, seat) for seat in living)
            yield Line("winners", set(fact.event.winners), {seat for seat in living if _culture(world, seat) == best})
        elif world.active is not None:
            yield Line("round", fact.event.round, world.round + last)
