"""The tests an IF may make of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from referee.core.names import Seat
from referee.core.order import Condition, Intent, Predicate, bare, due
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import allied
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, BUILDINGS, KIND_OF
from referee.kit.conditions import compares, satisfied

Judged = dict[int, bool]
"""How the IFs of a sheet were judged so far, by their numbers: each once, so that never both of its branches are carried out."""


def in_force(
    war: War,
    seat: Seat,
    sheet: Iterable[Intent],
    kinds: type[Intent] | tuple[type[Intent], ...] = Intent,
    judged: Judged | None = None,
) -> tuple[Intent, ...]:
    """The orders of these kinds that stand now; an IF over them that was not judged before is judged now."""
    asked = (intent for intent in sheet if isinstance(bare(intent), kinds))
    return tuple(due(asked, partial(holds, war, seat), judged))


def holds(war: War, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is true now; tests without a subject are about `seat` itself."""
    return satisfied(condition, lambda test: _true(war, seat, test))


def _true(war: War, seat: Seat, test: Predicate) -> bool:
    subjects = [Seat(thing.name) for thing in test.subject if thing.kind == "side"] or [seat]
    if test.verb in _STATES:
        return all(_STATES[test.verb](war.lands[thing.name]) for thing in test.subject)
    if test.verb == "CONTROLS":
        return all(_controls(war, subject, test) for subject in subjects)
    if test.verb == "AT WAR WITH":
        return all(war.at_war(subject, Seat(thing.name)) for subject in subjects for thing in test.things)
    if test.verb == "ALLIED WITH":
        return all(allied(war, subject, Seat(thing.name)) for subject in subjects for thing in test.things)
    measured = sum(_measured(war, subject, test) for subject in subjects)
    return compares(test, measured)


_STATES: dict[str, Callable[[Land], bool]] = {
    "GONE": lambda land: land.owner is not None,
    "NATIVE": lambda land: land.owner is None,
    "IN REVOLT": lambda land: land.revolt is not None,
    "WESTERNIZED": lambda land: land.westernized,
}


def _controls(war: War, seat: Seat, test: Predicate) -> bool:
    """R27-40"""
    names = [name for thing in test.things for name in BOARD.zones.get(thing.name, (thing.name,))]
    return all(war.lands[name].owner == seat for name in names)


def _measured(war: War, seat: Seat, test: Predicate) -> int:
    places = tuple(thing.name for clause in test.clauses if clause.preposition == "IN" for thing in clause.things)
    match test.verb:
        case "PP":
            return war.treasuries[seat].pp
        case "DP":
            return war.treasuries[seat].dp
        case "turn":
            return war.turn
        case "round":
            return war.round
        case "regions":
            return len(war.regions_of(seat))
        case "fleets":
            return sum(fleet.sea in places or not places for fleet in war.fleets_of(seat))
        case _:
            return _pieces(war, seat, test.verb, places)


def _pieces(war: War, seat: Seat, word: str, places: tuple[str, ...]) -> int:
    """R27-40: units, buildings or spheres of a seat, in these places or anywhere."""
    lands = [war.lands[name] for name in places if name in war.lands] if places else list(war.lands.values())
    if word == "spheres":
        return sum(land.spheres.get(seat, 0) for land in lands)
    if word != "brigades" and KIND_OF[word] in BUILDINGS:
        return sum(land.owner == seat and land.has(KIND_OF[word]) for land in lands)
    kinds = BRIGADES if word == "brigades" else (KIND_OF[word],)
    fleets = [fleet for fleet in war.fleets.values() if not places or fleet.sea in places]
    loads = [load for fleet in fleets for load in fleet.cargo]
    aboard = sum(load.number for load in loads if load.owner == seat and load.kind in kinds)
    return aboard + sum(land.count(seat, *kinds) for land in lands)
