"""No region is left without a brigade (R27-01)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.deeds.embarking import Embarkation
from referee.games.war.deeds.marching import March
from referee.games.war.deeds.muster import brigades_among
from referee.games.war.position.state import War


def empties(war: War, seat: Seat, plan: March | Embarkation) -> bool:
    """Whether the last brigades of an own region go."""
    going = brigades_among(plan.stacks)
    return going > 0 and leaves_none(war, seat, plan.origin, going)


def leaves_none(war: War, seat: Seat, region: str, going: int) -> bool:
    """Whether an own region is without a brigade once so many have gone."""
    land = war.lands[region]
    return land.owner == seat and land.brigades(seat) <= going
