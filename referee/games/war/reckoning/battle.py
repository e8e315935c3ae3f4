"""Battles reckoned: assignment, die modifiers, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position import Army
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import EUROPEAN, is_power
from referee.games.war.rulebook import BRIGADES, LAND_UNITS

# ---------------------------------------------------------------- assignment
# The best assignment of factories and resources to ports and factories (R27-13, R27-14).


_PORT_CAP = 15
_FACTORY_BASE = 10
_FACTORY_ROOM = 10
_ADJACENT_EACH = 5

Links = Sequence[tuple[int, ...]]
"""For each factory the resources, by number, that are adjacent to it."""

Given = dict[int, int]
"""To which factory each resource is given; both by number."""


def port_income(ports: int, counted: int, objects: int) -> int:
    """The pay of `ports` open ports when `counted` ports count and `objects` factories and resources serve (R27-13).

    A port takes objects at 2 PP while two are missing to the cap, then one at 1 PP.
    """
    start = min(_PORT_CAP, 2 * counted)
    at_two, at_one = divmod(_PORT_CAP - start, 2)
    full = min(objects, ports * at_two)
    return ports * start + 2 * full + min(objects - full, ports * at_one)


def factory_income(paying: int, resources: int, links: Links) -> int:
    """The pay of the best `paying` of the factories with so many resources (R27-14): 10n + min(10n, R + A)."""
    paying = min(paying, len(links))
    room = paying * _FACTORY_ROOM
    if resources >= room:
        return paying * _FACTORY_BASE + room
    return paying * _FACTORY_BASE + min(room, resources + most_adjacent(paying, links))


def most_adjacent(paying: int, links: Links) -> int:
    """Most resources that `paying` of the factories can take as adjacent ones, each resource once, five a factory."""
    useful = [factory for factory, near in enumerate(links) if near]
    limit = min(paying * _ADJACENT_EACH, len({resource for near in links for resource in near}))
    return _most(min(paying, len(useful)), useful, links, {}, 0, limit)


def _most(left: int, among: Sequence[int], links: Links, given: Given, found: int, limit: int) -> int:
    """The most over all choices of `left` more factories of `among`; `found` was reached elsewhere.

    A factory's addition can only shrink as others are chosen, so the `left` largest gains bound what is still to be had.
    """
    found = max(found, len(given))
    offers = sorted(((_joined(factory, links, given), factory) for factory in among), key=_largest_first)
    gains = [len(offer) - len(given) for offer, _ in offers]
    for place, (offer, _) in enumerate(offers):
        if found >= limit or len(given) + sum(gains[place : place + left]) <= found:
            break
        found = _most(left - 1, [factory for _, factory in offers[place + 1 :]], links, offer, found, limit)
    return found


def _largest_first(offer: tuple[Given, int]) -> tuple[int, int]:
    return -len(offer[0]), offer[1]


def _joined(factory: int, links: Links, given: Given) -> Given:
    """The resources that can be given when one more factory takes part, others passing theirs on where that helps."""
    more = dict(given)
    taken = 0
    while taken < _ADJACENT_EACH and _takes_one(factory, links, more, []):
        taken += 1
    return more


def _takes_one(factory: int, links: Links, given: Given, tried: list[int]) -> bool:
    """Give the factory one more of its resources, if need be from another that finds itself a new one."""
    for resource in links[factory]:
        if resource in tried or given.get(resource) == factory:
            continue
        tried.append(resource)
        if resource not in given or _takes_one(given[resource], links, given, tried):
            given[resource] = factory
            return True
    return False


# ---------------------------------------------------------------- die roll modifiers of a land battle
# The additions of each side to its dice in one round, and the faces that hit.


Line = tuple[str, int]
"""A reason and what it adds."""


class Force(msgspec.Struct, frozen=True):
    """One side as it fights a round. `ashore` and `landed` roll dice; `parties` are the kinds present; no seat: natives."""

    seat: Seat | None
    ashore: Mapping[str, int]
    landed: Mapping[str, int] = {}
    parties: tuple[str, ...] = ()
    schools: int = 0

    def types(self) -> int:
        """Kinds of brigades on the whole side, landed or not (R27-52)."""
        return sum(self.ashore.get(kind, 0) + self.landed.get(kind, 0) > 0 for kind in BRIGADES)

    def has(self, kind: str) -> bool:
        """Whether such a unit takes part."""
        return kind in self.parties or self.ashore.get(kind, 0) + self.landed.get(kind, 0) > 0


class Reckoning(msgspec.Struct, frozen=True):
    """The additions of one side in a round: `drm` after all shifts, `lines` how it came about.

    `landed` is what the dice of landed brigades have less where others of their side came by land (R27-53).
    """

    lines: tuple[Line, ...]
    drm: int
    landed: int = 0


def force_of(war: War, region: str, seat: Seat, first_round: bool, seats: Sequence[Seat] = ()) -> Force:
    """A player's side in a region, but for those that sit out: late ones the first round, idle ones all (R27-60, R27-96)."""
    owners = seats or (seat,)
    stacks = [s for s in war.lands[region].stacks if s.owner in owners and not (s.idle or (s.late and first_round))]
    numbers: dict[bool, dict[str, int]] = {False: {}, True: {}}
    for stack in stacks:
        if stack.kind in BRIGADES:
            side = numbers[stack.landed]
            side[stack.kind] = side.get(stack.kind, 0) + stack.number
    present = {stack.kind for stack in stacks}
    parties = tuple(kind for kind in LAND_UNITS if kind in present and kind not in BRIGADES)
    if region in EUROPEAN and is_power(war, region):  # 27.opt.historical.powers.6
        parties = tuple(kind for kind in parties if kind != "explorer")
    return Force(seat, numbers[False], numbers[True], parties, war.schools(seat))


def army_force(army: Army) -> Force:
    """The natives' side: brigades only, and no schools (27.combat.natives.3)."""
    return Force(None, {kind: army.count(kind) for kind in BRIGADES if army.count(kind)})


def landing_malus(war: War, defender: Seat | None, round: int) -> int:
    """27.combat.amphibious.1: 2 in round 1, 1 in round 2; none against natives (R27-54), unless the match says so."""
    if defender is None and war.options["native_landing"] != "yes":
        return 0
    return max(0, 3 - round)


def reckon(attack: Force, defence: Force, fort: bool, malus: int) -> tuple[Reckoning, Reckoning]:
    """27.combat.drm.1, R27-50: both sides' modifiers, a side below zero brought to zero at the enemy's profit.

    A malus that all brigades of the attacker have is the side's; one that only some have stays with them (R27-53).
    """
    ours = _common(attack, defence) + _storming(attack, fort)
    theirs = _common(defence, attack) + _holding(defence, fort)
    landed = malus if any(attack.landed.values()) else 0
    if landed and not any(attack.ashore.values()):
        ours, landed = [*ours, ("landed", -landed)], 0
    ours, theirs = _balanced(ours, theirs), _balanced(theirs, ours)
    return Reckoning(tuple(ours), _sum(ours), landed), Reckoning(tuple(theirs), _sum(theirs))


def _common(side: Force, enemy: Force) -> list[Line]:
    """Modifiers that either side may have: kinds of brigades, a general, an explorer against natives, technology."""
    natives = enemy.seat is None
    lines = (
        (f"{side.types()} types of brigades", max(0, side.types() - 1)),
        ("general", int(side.has("general"))),
        ("explorer against natives", int(natives and side.has("explorer"))),
        ("more schools", int(side.schools > enemy.schools)),
    )
    return [line for line in lines if line[1]]


def _storming(side: Force, fort: bool) -> list[Line]:
    """Against a fort: 2 less, artillery and engineers each make up for one."""
    if not fort:
        return []
    lines = (
        ("against a fort", -2),
        ("artillery against a fort", int(side.has("artillery"))),
        ("engineer against a fort", int(side.has("engineer"))),
    )
    return [line for line in lines if line[1]]


def _holding(side: Force, fort: bool) -> list[Line]:
    """In a fort: 1, with artillery 2."""
    if not fort:
        return []
    return [("fort with artillery", 2)] if side.has("artillery") else [("fort", 1)]


def _balanced(lines: list[Line], other: list[Line]) -> list[Line]:
    """27.combat.drm.3: below zero becomes zero, and the enemy gains the difference."""
    own, theirs = _sum(lines), _sum(other)
    below = [("brought up to zero", -own)] if own < 0 else []
    return [*lines, *below, *([("enemy brought up to zero", -theirs)] if theirs < 0 else [])]


def _sum(lines: list[Line]) -> int:
    return sum(value for _, value in lines)


def transferred(general: Reckoning, enemy: Reckoning, points: int) -> tuple[Reckoning, Reckoning]:
    """27.combat.drm.2: a general turns points of his side's modifier against the enemy's; neither side below zero."""
    most = max(0, min(points, general.drm, enemy.drm))
    return _lowered(general, "turned against the enemy", most), _lowered(enemy, "turned by the enemy's general", most)


def _lowered(side: Reckoning, why: str, points: int) -> Reckoning:
    if not points:
        return side
    return replace(side, lines=(*side.lines, (why, -points)), drm=side.drm - points)


def hits(face: int, drm: int) -> int:
    """27.combat.land.2: one hit from 6 to 9, two from 10."""
    total = face + drm
    return 2 if total >= 10 else int(total >= 6)


Role = Literal["attacker", "defender"]


def opposite(role: Role) -> Role:
    """The other side."""
    return "defender" if role == "attacker" else "attacker"


class Battle(msgspec.Struct, frozen=True):
    """The sides and the place of a battle. A seat of None is the natives', whose army is `army` and whom `runner` may lead.

    `name` begins the names of its questions; `round` counts from 1, 0 before the first. `origins`: the regions and seas
    from which the attacker entered, be those who came from there alive or not (27.combat.retreat.1).
    `allies`: who defends the region with its owner. `stuck`: sides that were told that they fight on.
    """

    region: str
    name: str
    attacker: Seat | None
    defender: Seat | None
    army: Army | None = None
    runner: Seat | None = None
    round: int = 0
    origins: tuple[str, ...] = ()
    allies: tuple[Seat, ...] = ()
    stuck: tuple[Role, ...] = ()

    def seat(self, role: Role) -> Seat | None:
        """The player of a side."""
        return self.attacker if role == "attacker" else self.defender

    def seats(self, role: Role) -> tuple[Seat, ...]:
        """The players whose units fight on a side; nobody for the natives' own."""
        seat = self.seat(role)
        return () if seat is None else (seat, *self.allies) if role == "defender" else (seat,)

    def entered_from(self, war: War) -> tuple[str, ...]:
        """The regions and seas from which the attacker entered, each once."""
        came = (s.origin for s in war.lands[self.region].stacks if s.owner == self.attacker and s.origin)
        return tuple(dict.fromkeys((*self.origins, *came)))

    def units(self, war: War, role: Role) -> dict[str, int]:
        """All land units a side has here, by kind."""
        seat = self.seat(role)
        if seat is None:
            army = self.army or Army(0)
            return {kind: army.count(kind) for kind in BRIGADES if army.count(kind)}
        land = war.lands[self.region]
        counts = {kind: sum(land.count(one, kind) for one in self.seats(role)) for kind in LAND_UNITS}
        return {kind: number for kind, number in counts.items() if number}

    def brigades(self, war: War, role: Role) -> int:
        """How many brigades a side has left."""
        seat = self.seat(role)
        if seat is not None:
            return sum(war.lands[self.region].brigades(one) for one in self.seats(role))
        return self.army.brigades if self.army else 0

    def force(self, war: War, role: Role) -> Force:
        """A side as it fights this round."""
        seat = self.seat(role)
        if seat is None:
            return army_force(self.army or Army(0))
        return force_of(war, self.region, seat, self.round == 1, self.seats(role))

    def reckonings(self, war: War) -> dict[Role, Reckoning]:
        """Both sides' modifiers at the start of this round, before a general turns them (27.combat.land.6)."""
        fort = war.lands[self.region].has("fort")
        malus = landing_malus(war, self.defender, self.round)
        attack, defence = reckon(self.force(war, "attacker"), self.force(war, "defender"), fort, malus)
        return {"attacker": attack, "defender": defence}
