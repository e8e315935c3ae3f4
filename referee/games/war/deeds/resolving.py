"""What a player has to resolve in his combat phase, region by region (27.move.order.2)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.position.state import War


def revolts_of(war: War, seat: Seat) -> tuple[str, ...]:
    """His regions in revolt, in the order of the map."""
    return tuple(land.name for land in war.lands.values() if land.owner == seat and land.revolt is not None)


def battles_of(war: War, seat: Seat) -> tuple[str, ...]:
    """Native regions and regions of enemies in which his brigades stand, in the order of the map."""
    there = (land for land in war.contested() if land.owner != seat and land.brigades(seat))
    return tuple(land.name for land in there if land.owner is None or war.at_war(seat, land.owner))


def to_resolve(war: War, seat: Seat) -> tuple[str, ...]:
    """Revolts, battles, and native regions with his explorers, each once."""
    explored = (land.name for land in war.regions_of(None) if land.count(seat, "explorer"))
    return tuple(dict.fromkeys((*revolts_of(war, seat), *battles_of(war, seat), *explored)))
