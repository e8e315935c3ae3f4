"""No region is left without a brigade (R27-01)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.muster import brigades_among
from referee.games.war.state import War
from referee.games.war.steps.embarking import Embarkation
from referee.games.war.steps.marching import March

__all__ = ["empties"]


def empties(war: War, seat: Seat, plan: March | Embarkation) -> bool:
    """Whether the last brigades of an own region go."""
    land, going = war.lands[plan.origin], brigades_among(plan.stacks)
    return land.owner == seat and going > 0 and land.brigades(seat) <= going
