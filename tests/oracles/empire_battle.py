"""Oracles of battles in Empire: printed strengths, odds, the table, what remains of arms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from referee.games.empire.events.air_and_sea import SeaBattleFought
from referee.games.empire.events.fighting import BattleFought
from tests.oracles.audit import Line, Stretch

LAND = {
    "SAC": (1, 1), "recon": (1, 1), "infantry regiment": (2, 3), "airborne regiment": (2, 2), "support regiment": (3, 3),
    "motor regiment": (2, 3), "artillery": (4, 2), "armour": (6, 5),
}  # fmt: skip
"""H-25: attack and defence of formations."""

SEA = {
    "battleship": (6, 6), "carrier": (1, 4), "cruiser": (4, 3), "destroyer": (2, 2), "submarine": (3, 1), "pirate ship": (2, 2),
}  # fmt: skip
"""H-32: attack and defence of ships; every other 0 and 1."""

TABLES = {
    "standard": {
        "1:2": "AE AE AE AR AR EX", "1:1": "AE AR AR EX DR DR", "2:1": "AR AR EX DR DR DE",
        "3:1": "AR EX DR DR DE DE", "4:1": "EX DR DE DE DE DE", "5:1": "DR DE DE DE DE DE",
    },
    "mild": {
        "1:2": "AE AE AR AR AR DR", "1:1": "AE AR AR AR DR DR", "2:1": "AR AR DR DR DR DE",
        "3:1": "AR DR DR DR DR DE", "4:1": "AR DR DR DR DE DE", "5:1": "DR DR DR DE DE DE",
    },
}  # fmt: skip
"""H-28: the table of odds, by the die."""


def battles(stretch: Stretch) -> Iterator[Line]:
    """H-28, H-32: strengths added up with what multiplies them, odds rounded for the defender, the die on the table."""
    for fact in stretch.any_of(BattleFought, SeaBattleFought):
        event, sides = fact.event, fact.event.sides
        printed = LAND if isinstance(event, BattleFought) else SEA
        for side, place in ((sides.attack, 0), (sides.defence, 1)):
            for fighter in side:
                kind = fact.before.units[fighter.number].kind if fighter.number in fact.before.units else ""
                if kind in printed and not fighter.supports:
                    yield Line(f"strength of {fighter.name}", fighter.points, printed[kind][place])
        attack, defence = _strength(sides.attack), _strength(sides.defence) * _times(sides.factors)
        yield Line("odds", event.odds, _odds(attack, defence))
        yield from _decided(stretch, fact.place, event, fact.before)


def _decided(stretch: Stretch, place: int, event: Any, empire: Any) -> Iterator[Line]:
    table = TABLES[empire.houses.get("combat", empire.options["combat"])]
    if not event.die or event.odds not in table:
        yield Line("no die is needed", (event.odds, event.die), ("7:1", 0))
        return
    thrown = sum(stretch.thrown(place)[:1])
    yield Line("the die shown", event.die, thrown)
    yield Line("result", event.result, table[event.odds].split()[event.die - 1])


def _strength(side: Any) -> Fraction:
    return sum((fighter.points * _times(fighter.factors) for fighter in side), Fraction(0))


def _times(factors: Any) -> Fraction:
    product = Fraction(1)
    for factor in factors:
        product *= Fraction(factor.times)
    return product


def _odds(attack: Fraction, defence: Fraction) -> str:
    if not defence or attack >= 7 * defence:
        return "7:1"
    if attack < defence:
        return "1:2" if 2 * attack >= defence else ""
    return f"{min(5, int(attack / defence))}:1"
