"""Ways over land and sea: the cheapest lawful route, and which straits lie on it (27.move.land.2, 27.move.naval.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import groupby, pairwise

import msgspec

from referee.core.names import Seat
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import friends
from referee.games.war.rulebook.board import BOARD, Gate

CANAL = "suez_canal"
"""The gate that is not there until it is built (27.board.7, 27.opt.suez.4)."""

Cost = tuple[int, int, int]
Steps = Callable[[str], Iterator[tuple[str, Cost]]]
"""From a place the places one step away, each with what the step costs, weightiest first."""


class Way(msgspec.Struct, frozen=True):
    """A route from its first place to its last. `cost`: MP."""

    places: tuple[str, ...]
    cost: int

    @property
    def target(self) -> str:
        """Where it ends."""
        return self.places[-1]

    @property
    def entered_from(self) -> str:
        """The last place before the end."""
        return self.places[-2]

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Its steps, each as from and to."""
        return tuple(pairwise(self.places))


class _Position:
    """One position as a key: choices, forms and refusals ask for the same ways in it again and again."""

    def __init__(self, war: War) -> None:
        self.war = war

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Position) and other.war is self.war

    def __hash__(self) -> int:
        return id(self.war)


def exit_cost(land: Land, *owners: Seat) -> int:
    """MP for leaving a region by land or onto a fleet: nothing from one's own railroad, or a friend's (R27-31, R27-32)."""
    return 0 if land.owner in owners and land.has("railroad") else 1


def land_way(war: War, seat: Seat, origin: str, target: str, via: tuple[str, ...] = ()) -> Way | None:
    """R27-30: the best route by land. None: there is none."""
    return _land_way(_Position(war), seat, origin, target, via)


@lru_cache(maxsize=1024)
def _land_way(position: _Position, seat: Seat, origin: str, target: str, via: tuple[str, ...]) -> Way | None:
    war = position.war
    company = friends(war, seat)

    def steps(here: str, goal: str) -> Iterator[tuple[str, Cost]]:
        land = war.lands[here]
        fare = exit_cost(land, *company)
        garrison = 0 if land.revolt is None else 1
        for there in BOARD.regions[here].borders:
            owner = war.lands[there].owner
            if there == goal or owner in company:
                yield there, (fare, garrison + (owner != seat), 1)

    return _through((origin, *via, target), lambda goal: lambda here: steps(here, goal))


def land_reach(war: War, seat: Seat, origin: str, points: int, native: bool) -> Mapping[str, tuple[str, ...]]:
    """Every region that so many MP reach, with the native regions on the way.

    Through those, units go only where `native`, and to those of others only to stay.
    """
    return _land_reach(_Position(war), seat, origin, points, native)


@lru_cache(maxsize=1024)
def _land_reach(
    position: _Position, seat: Seat, origin: str, points: int, native: bool
) -> Mapping[str, tuple[str, ...]]:
    war = position.war
    company, found = friends(war, seat), dict[str, tuple[str, ...]]()
    ahead: list[tuple[int, int, tuple[str, ...], str]] = [(0, 0, (), origin)]
    while ahead:
        spent, _, via, here = heappop(ahead)
        land = war.lands[here]
        if here in found:
            continue
        found[here] = via
        home = here == origin or land.owner in company
        cost, through = spent + exit_cost(land, *company), via if home else (*via, here)
        if cost <= points and (home or (native and land.owner is None)):
            for there in BOARD.regions[here].borders:
                heappush(ahead, (cost, len(through), through, there))
    return {place: way for place, way in found.items() if place != origin}


def any_land_way(war: War, seat: Seat, origin: str, target: str) -> Way | None:
    """The route over anybody's land that enters the fewest regions of others: what a refusal speaks of."""

    def steps(here: str) -> Iterator[tuple[str, Cost]]:
        for there in BOARD.regions[here].borders:
            yield there, (int(war.lands[there].owner != seat), 1, 0)

    return _cheapest(origin, target, steps)


def sea_way(war: War, seat: Seat, origin: str, target: str, via: tuple[str, ...] = ()) -> Way | None:
    """R27-30: the best route by sea."""
    return _sea_way(_Position(war), seat, origin, target, via)


@lru_cache(maxsize=1024)
def _sea_way(position: _Position, seat: Seat, origin: str, target: str, via: tuple[str, ...]) -> Way | None:
    war = position.war
    hostile = frozenset(f.sea for f in war.fleets.values() if f.owner != seat and war.at_war(seat, f.owner))

    def steps(here: str) -> Iterator[tuple[str, Cost]]:
        danger = int(here in hostile)
        for there, gate in BOARD.adjacent_seas(here):
            if gate is None or not gate_shut(war, gate):
                leave = int(gate is not None and war.lands[gate.region].owner != seat)
                yield there, (1, leave, danger)

    return _through((origin, *via, target), lambda goal: steps)


def sea_reach(war: War, origin: str, points: int) -> tuple[str, ...]:
    """The sea areas that so many MP reach, the nearest first."""
    found, edge = {origin: 0}, [origin]
    for _ in range(points):
        steps = ((there, gate) for here in edge for there, gate in BOARD.adjacent_seas(here))
        edge = list(
            dict.fromkeys(t for t, gate in steps if t not in found and (gate is None or not gate_shut(war, gate)))
        )
        found |= dict.fromkeys(edge, 0)
    return tuple(sea for sea in found if sea != origin)


def gate_between(here: str, there: str) -> Gate | None:
    """The gate between two adjacent sea areas, if one lies there."""
    return next((gate for gate in BOARD.gates if set(gate.between) == {here, there}), None)


def gate_shut(war: War, gate: Gate) -> bool:
    """Whether nobody at all may pass: the canal is not built, or natives hold the gate (27.board.7, R27-03)."""
    return (gate.name == CANAL and len(war.canal) < 2) or war.lands[gate.region].owner is None


def gate_words(gate: Gate) -> str:
    """What a gate is called in a sentence."""
    return "the Suez Canal" if gate.name == CANAL else f"the strait of {gate.region}"


def gate_rule(gate: Gate) -> str:
    """The rule by which its owner lets fleets through."""
    return "27.opt.suez.4" if gate.name == CANAL else "27.board.5"


def _through(stops: tuple[str, ...], steps_to: Callable[[str], Steps]) -> Way | None:
    """Leg after leg from stop to stop; a stop named twice running is one."""
    stops = tuple(place for place, _ in groupby(stops))
    places: tuple[str, ...] = stops[:1]
    cost = 0
    for here, goal in pairwise(stops):
        leg = _cheapest(here, goal, steps_to(goal))
        if leg is None:
            return None
        places, cost = (*places, *leg.places[1:]), cost + leg.cost
    return Way(places, cost)


def _cheapest(origin: str, goal: str, steps: Steps) -> Way | None:
    """Dijkstra (R27-30)."""
    ahead: list[tuple[Cost, tuple[int, ...], tuple[str, ...]]] = [((0, 0, 0), (), (origin,))]
    seen: dict[str, bool] = {}
    while ahead:
        cost, order, places = heappop(ahead)
        here = places[-1]
        if here == goal and len(places) > 1:
            return Way(places, cost[0])
        if here in seen:
            continue
        seen[here] = True
        for there, fare in steps(here):
            if there not in seen:
                total = (cost[0] + fare[0], cost[1] + fare[1], cost[2] + fare[2])
                heappush(ahead, (total, (*order, BOARD.position(there)), (*places, there)))
    return None
