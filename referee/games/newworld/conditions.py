"""The tests an IF may make of the position."""

from __future__ import annotations

import operator

from referee.core.names import Seat
from referee.core.order import All, Any, Comparison, Condition, Not, Predicate
from referee.games.newworld.data import RESOURCES, TECHNOLOGIES, card_named
from referee.games.newworld.state import World

__all__ = ["holds"]

_COMPARE = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.EQUAL: operator.eq,
    Comparison.AT_LEAST: operator.ge,
    Comparison.MORE: operator.gt,
    Comparison.UNEQUAL: operator.ne,
}


def holds(world: World, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is true now; tests without a subject are about `seat` itself."""
    match condition:
        case Not(term=term):
            return not holds(world, seat, term)
        case All(terms=terms):
            return all(holds(world, seat, term) for term in terms)
        case Any(terms=terms):
            return any(holds(world, seat, term) for term in terms)
        case Predicate():
            return _true(world, seat, condition)


def _true(world: World, seat: Seat, test: Predicate) -> bool:
    sides = [Seat(thing.name) for thing in test.subject if thing.kind == "side"]
    subject = sides[0] if sides else seat
    if test.verb == "CONTROLS":
        return _controls(world, subject, test)
    compare = _COMPARE[test.comparison or Comparison.AT_LEAST]
    return bool(compare(_measured(world, subject, test), 1 if test.number is None else test.number))


def _controls(world: World, seat: Seat, test: Predicate) -> bool:
    regions = [thing.name for c in test.clauses if c.preposition == "IN" for thing in c.things]
    (wanted,) = test.things
    card = card_named(wanted.name) if wanted.kind == "card" else None
    good = card.good if card else wanted.name
    places = [card.region] if card else regions
    return any(t.good == good and (not places or t.region in places) for t in world.controlled(seat))


def _measured(world: World, seat: Seat, test: Predicate) -> int:
    power = world.powers[seat]
    if test.verb in RESOURCES:
        return power.stock[test.verb]
    if test.verb in TECHNOLOGIES:
        return power.levels[test.verb]
    match test.verb:
        case "fleets":
            return power.fleets
        case "armies":
            regions = [thing.name for c in test.clauses if c.preposition == "IN" for thing in c.things]
            return sum(number for region, number in power.armies.items() if not regions or region in regions)
        case "culture":
            return world.culture(seat)
        case "round":
            return world.round
        case _:
            return world.turn
