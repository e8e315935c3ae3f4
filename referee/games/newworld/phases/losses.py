"""Which units go when some must: the owner's order of losses, or the rulings' default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.order import Intent
from referee.games.newworld.orders.losses import ArmyFrom, DiscardUnits, LoseUnits
from referee.games.newworld.position.state import Power
from referee.games.newworld.rulebook.tables import REGIONS

FLEETS = "fleets"

Pool = Mapping[str, int]
"""Units that may be lost: FLEETS and Region names, with how many."""


def pool_of(power: Power) -> dict[str, int]:
    """All units of a seat."""
    return {**power.manned, FLEETS: power.fleets}


def most_armies(pool: Pool) -> str | None:
    """The Region with most Armies, the first in list order among equals (nw.r3); None without Armies."""
    regions = [region for region in REGIONS if pool.get(region, 0) > 0]
    return max(regions, key=lambda region: pool[region]) if regions else None


def stated_losses(sheet: Sequence[Intent], upkeep: bool = False) -> tuple[ArmyFrom | None, ...]:
    """The order of losses a sheet states: LOSE, or at Upkeep rather DISCARD where there is one."""
    lose = tuple(u for intent in sheet if isinstance(intent, LoseUnits) for u in intent.units)
    discard = tuple(u for intent in sheet if isinstance(intent, DiscardUnits) for u in intent.units)
    return (discard or lose) if upkeep else lose


def _next(pool: Pool, order: Sequence[ArmyFrom | None]) -> str | None:
    """The unit that goes next by an order of losses; None when it says nothing more."""
    for unit in order:
        place = FLEETS if unit is None else unit.region or most_armies(pool)
        if place is not None and pool.get(place, 0) > 0:
            return place
    return None


def picked(pool: Pool, order: Sequence[ArmyFrom | None], count: int) -> dict[str, int]:
    """`count` units in the stated order; what it leaves open as nw.r10 says."""
    left = dict(pool)
    taken: dict[str, int] = {}
    for _ in range(min(count, sum(pool.values()))):
        place = _next(left, order) or most_armies(left) or FLEETS
        left[place] -= 1
        taken[place] = taken.get(place, 0) + 1
    return taken
