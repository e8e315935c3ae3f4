"""Prospecting: where an engineer may look for another resource (27.combat.prospect)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.kit.refused import Refused

PRICE = 5
"""PP for one search (27.combat.prospect.1)."""

_RULE = "27.combat.prospect.1"


def check_prospect(war: War, seat: Seat, region: str) -> None:
    """R27-74: own region, an engineer who has not searched in this share, chit undeveloped, 5 PP. Raises Refused."""
    land = war.lands[region]
    if land.owner != seat:
        raise Refused(f"{region} is not yours.", "R27-74")
    if land.developed or land.chit is None:
        raise Refused(f"{region} has no undeveloped resource chit.", _RULE)
    share, times = land.searched
    able = sum(s.number for s in land.stacks if (s.owner, s.kind) == (seat, "engineer") and not s.idle)
    if able <= (times if share == war.share else 0):
        raise Refused(f"No engineer of yours in {region} is free to prospect.", "R27-74")
    if war.treasuries[seat].pp < PRICE:
        raise Refused(f"Prospecting costs {PRICE} PP; you have {war.treasuries[seat].pp}.", _RULE)
