"""Sea paths and blockade: which of a player's ports are open (27.production.blockade, rulings R27-03, R27-11, R27-12)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import allied
from referee.games.war.reckoning.paths import gate_shut
from referee.games.war.rulebook.board import BOARD, Gate


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
