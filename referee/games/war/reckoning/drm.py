"""Die roll modifiers of a land battle: what each side adds to its dice in one round, and what a die then hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position.places import Army
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import EUROPEAN, is_power
from referee.games.war.rulebook.pieces import BRIGADES, LAND_UNITS

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
    """What one side adds in a round: `drm` after all shifts, `lines` how it came about.

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
    """What either side may have: kinds of brigades, a general, an explorer against natives, technology."""
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
