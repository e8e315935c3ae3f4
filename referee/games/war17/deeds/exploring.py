"""Explorers: where they may try the natives, and who goes with them (17.explore)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.position.state import War


def explorers_in(war: War, seat: Seat) -> tuple[str, ...]:
    """17.explore.1: native regions where his explorers stand, in the order of the map."""
    return tuple(land.name for land in war.regions_of(None) if land.count(seat, "explorer"))


def companions(war: War, seat: Seat, region: str) -> tuple[tuple[str, int], ...]:
    """17.explore.3, 17.explore.4, R17-08: a second explorer +1 once, a leader +2 once."""
    land = war.lands[region]
    second, leader = land.count(seat, "explorer") > 1, land.count(seat, "leader") > 0
    return (*((("second explorer", 1),) if second else ()), *((("leader", 2),) if leader else ()))
