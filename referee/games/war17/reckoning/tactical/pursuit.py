"""Pursuit: the winner's brigades strike once at those who leave (17.tactical.12, 17.combat.fleets.2). Pure."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.war.rulebook.pieces import BRIGADES, PARTIES
from referee.games.war17.reckoning.tactical.blows import MISS, PURSUIT, Blow
from referee.games.war17.reckoning.tactical.field import Force, changed
from referee.games.war17.reckoning.tactical.plan import BattlePlan


def shield(loser: Force, afloat: bool) -> int:
    """17.tactical.12: the loser's cavalry outside his box, which must be removed first; none when he boards fleets."""
    return 0 if afloat else loser.in_action.get("cavalry", 0)


def pursuers(winner: Force, loser: Force, afloat: bool) -> Mapping[str, int]:
    """Who may pursue: brigades on line or in the middle; cavalry alone where cavalry shields the loser."""
    forward = winner.forward
    kinds = ("cavalry",) if shield(loser, afloat) else ("cavalry", "infantry")
    return {kind: forward[kind] for kind in kinds if forward.get(kind)}


def number_for(kind: str, afloat: bool) -> int:
    """17.combat.fleets.2: infantry pursues those who board with cavalry's number."""
    return PURSUIT["cavalry"] if afloat else PURSUIT[kind]


def pursue(
    left: dict[str, int], screen: int, faces: tuple[int, int], drm: int, needed: int, plan: BattlePlan
) -> tuple[dict[str, int], int, Blow]:
    """One roll: who is left of the loser, how much cavalry still shields him, and the blow."""
    natural = sum(faces)
    if natural == MISS or natural + drm < needed or not left:
        return left, screen, Blow(faces, drm, needed)
    first = ("artillery", "cavalry", "infantry") if plan.pursue == "artillery" else ("cavalry", "artillery", "infantry")
    order = ("cavalry",) if screen else (*first, *BRIGADES, *reversed(PARTIES))
    struck = next(kind for kind in order if left.get(kind))
    return changed(left, struck, -1), max(0, screen - 1), Blow(faces, drm, needed, "lost", struck)
