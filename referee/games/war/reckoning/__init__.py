"""Pure rules that orders and phases share: a position in, an answer out; nothing is rolled, asked or changed.

Here who is allied, and ways over land and sea, past whom, and with whose leave. Then read scoring (points, cards, goals, the tests
of an IF), battle (die modifiers, tables), and income (sites, natives, what is disbanded).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import groupby, pairwise

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position import Coalition, Feud, Fleet, Land
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, Gate
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- who is allied


def common_enemies(war: War, coalition: Coalition, one: Seat, other: Seat) -> tuple[Seat, ...]:
    """The enemies whom two players on one side of a war both still fight there; nobody if they are not on one side of it."""
    side = coalition.side(one)
    if side is None or one == other or coalition.side(other) != side:
        return ()
    return tuple(foe for foe in coalition.sides[1 - side] if war.at_war(one, foe) and war.at_war(other, foe))


def allied(war: War, one: Seat, other: Seat) -> bool:
    """27.opt.alliances.5: allies as long as they fight a common enemy of the war that made them so."""
    return any(common_enemies(war, coalition, one, other) for coalition in war.coalitions)


def allies(war: War, seat: Seat) -> tuple[Seat, ...]:
    """A player's allies, in movement order."""
    return tuple(other for other in war.order if allied(war, seat, other)) if war.coalitions else ()


def partners(war: War, seat: Seat) -> tuple[Seat, ...]:
    """27.opt.alliances.3: himself, his allies, theirs, and so on."""
    found = [seat]
    for one in found:
        found += [other for other in allies(war, one) if other not in found]
    return tuple(found)


def alliances_in_words(war: War) -> tuple[str, ...]:
    """The allies and the reasons, a sentence for each pair and war."""
    said: list[str] = []
    for coalition in war.coalitions:
        began = f"the war that {coalition.sides[0][0]} declared on {coalition.sides[1][0]} in turn {coalition.turn}"
        for side in coalition.sides:
            for one, other in ((one, other) for place, one in enumerate(side) for other in side[place + 1 :]):
                foes = common_enemies(war, coalition, one, other)
                if foes:
                    said.append(f"{one} and {other} are allies against {in_a_row(list(foes))}, since {began}.")
    shut = {owner: tuple(s for s in refused if allied(war, owner, s)) for owner, refused in war.shut.items()}
    said += [f"{owner} keeps {in_a_row(list(out))} out of his land." for owner, out in shut.items() if out]
    return tuple(said)


# ---------------------------------------------------------------- joining


def joined(war: War, seat: Seat, coalition: Coalition, side: int) -> War:
    """The position once a player is on a side: at war with all on the other."""
    sides = (
        (coalition.sides[0], (*coalition.sides[1], seat)) if side else ((*coalition.sides[0], seat), coalition.sides[1])
    )
    grown = replace(coalition, sides=sides)
    feuds = tuple(Feud(seat, foe) for foe in coalition.sides[1 - side] if not war.at_war(seat, foe))
    coalitions = tuple(grown if old.number == coalition.number else old for old in war.coalitions)
    return replace(war, coalitions=coalitions, feuds=(*war.feuds, *feuds))


def bar_to_joining(war: War, seat: Seat, coalition: Coalition, side: int) -> tuple[Seat, Seat] | None:
    """27.opt.alliances.3: two players who would be allies, be it through others, and are at war; None if nothing bars it."""
    together = partners(joined(war, seat, coalition, side), seat)
    after = joined(war, seat, coalition, side)
    pairs = ((one, other) for place, one in enumerate(together) for other in together[place + 1 :])
    return next((pair for pair in pairs if after.at_war(*pair)), None)


def trimmed(war: War) -> tuple[Coalition, ...]:
    """27.opt.alliances.5: the wars that go on, without those who have made peace with everybody on the other side."""
    return tuple(left for coalition in war.coalitions if all((left := _still(war, coalition)).sides))


def _still(war: War, coalition: Coalition) -> Coalition:
    one, other = coalition.sides
    left = tuple(seat for seat in one if any(war.at_war(seat, foe) for foe in other))
    return replace(coalition, sides=(left, tuple(foe for foe in other if any(war.at_war(foe, seat) for seat in one))))


# ---------------------------------------------------------------- what it opens


def friends(war: War, seat: Seat) -> tuple[Seat, ...]:
    """27.opt.alliances.6: whose land and fleets are open to a player: his own, and those of allies who let him in."""
    return (seat, *(ally for ally in allies(war, seat) if seat not in war.shut.get(ally, ())))


def carriers(war: War, seat: Seat, sea: str) -> tuple[Fleet, ...]:
    """27.opt.alliances.8: fleets that would take his units aboard in a sea area, his own first."""
    return tuple(fleet for owner in friends(war, seat) for fleet in war.fleets_of(owner, sea))


def guests(war: War, region: str, attacker: Seat | None) -> tuple[Seat, ...]:
    """27.opt.alliances.7: allies who defend a region with its owner, against natives (None) or an enemy of theirs too."""
    land = war.lands[region]
    return tuple(
        seat
        for seat in land.present
        if land.owner is not None and allied(war, seat, land.owner) and (attacker is None or war.at_war(seat, attacker))
    )


def attackers(war: War, land: Land) -> Iterator[Seat]:
    """The players who stand in somebody else's region to fight for it: not guests, nor those who were guests."""
    for seat in land.present:
        guest = war.coalitions or war.parted
        if seat != land.owner and (not guest or land.owner is None or _fights(war, seat, land.owner)):
            yield seat


def _fights(war: War, seat: Seat, owner: Seat) -> bool:
    return seat == war.active and war.at_war(seat, owner)


def heir(war: War, region: str) -> Seat | None:
    """R27-98: the ally who holds a region that its owner has no brigade left in."""
    land = war.lands[region]
    if land.owner is None or land.brigades(land.owner):
        return None
    there = [seat for seat in land.present if land.brigades(seat) and allied(war, seat, land.owner)]
    return max(there, key=land.brigades, default=None)


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
    """The name of a gate in a sentence."""
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


# ---------------------------------------------------------------- sea paths and blockade
# The open ports of a player (27.production.blockade, rulings R27-03, R27-11, R27-12).


def friendly_ports(war: War, seat: Seat) -> tuple[str, ...]:
    """Regions with a port of this player or of somebody he is not at war with, in the order of the map (R27-11)."""
    enemies = war.enemies(seat)
    return tuple(land.name for land in war.lands.values() if land.has("port") and land.owner not in enemies)


def path_free(war: War, seat: Seat, sea: str) -> bool:
    """Whether a sea path may lead through an area: 27.production.blockade.3, enemies counted together (R27-12)."""
    fleets = war.fleets_in(sea)
    hostile = sum(war.at_war(seat, fleet.owner) for fleet in fleets)
    return not hostile or sum(fleet.owner == seat or allied(war, seat, fleet.owner) for fleet in fleets) > hostile


def gate_open(war: War, seat: Seat, gate: Gate) -> bool:
    """Whether a sea path may lead through a gate: one's own, or of somebody one is not at war with (R27-03).

    Natives keep theirs shut; the canal is shut until it is built (27.board.7, 27.opt.suez.4).
    """
    owner = war.lands[gate.region].owner
    return not gate_shut(war, gate) and owner is not None and not war.at_war(seat, owner)


def open_ports(war: War, seat: Seat) -> tuple[str, ...]:
    """Regions of the player's ports from which a sea path leads to another own or neutral port (R27-12)."""
    own = [land.name for land in war.regions_of(seat) if land.has("port")]
    if not own:
        return ()
    waters = _waters(war, seat)
    reach = {port: _beside(port, waters) for port in friendly_ports(war, seat)}
    return tuple(port for port in own if any(reach[port] & reach[other] for other in reach if other != port))


def _beside(port: str, waters: dict[str, int]) -> frozenset[int]:
    """The waters that touch a region."""
    return frozenset(waters[sea] for sea in BOARD.regions[port].seas if sea in waters)


def _waters(war: War, seat: Seat) -> dict[str, int]:
    """Free sea areas, each with the number of the connected water it belongs to."""
    free = dict.fromkeys(BOARD.seas)
    for sea in dict.fromkeys(fleet.sea for fleet in war.fleets.values()):
        if not path_free(war, seat, sea):
            del free[sea]
    waters: dict[str, int] = {}
    for number, sea in enumerate(free):
        ahead = [sea] if sea not in waters else []
        while ahead:
            here = ahead.pop()
            waters[here] = number
            ahead += [step for step in _steps(war, seat, here) if step in free and step not in waters]
    return waters


def _steps(war: War, seat: Seat, sea: str) -> Iterator[str]:
    for step, gate in BOARD.adjacent_seas(sea):
        if gate is None or gate_open(war, seat, gate):
            yield step
