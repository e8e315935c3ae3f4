"""The tests an IF may make of the position."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Condition, Predicate
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import RESOURCES, TECHNOLOGIES, card_named
from referee.kit.conditions import compares, satisfied


def holds(world: World, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is true now; tests without a subject are about `seat` itself."""
    return satisfied(condition, lambda test: _true(world, seat, test))


def _true(world: World, seat: Seat, test: Predicate) -> bool:
    sides = [Seat(thing.name) for thing in test.subject if thing.kind == "side"]
    subject = sides[0] if sides else seat
    if test.verb == "CONTROLS":
        return _controls(world, subject, test)
    return compares(test, _measured(world, subject, test))


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
