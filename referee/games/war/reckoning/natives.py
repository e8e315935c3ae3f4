"""What natives are worth: their armies, how strong they are after westernizing, and who modifies a roll among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position.options import plays
from referee.games.war.position.places import Army, Land, Marker, Side
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD

WESTERN = 4
"""A native strength below this is no more: the region is westernized (27.markers.3)."""

Outcome = Literal["control", "sphere", "retreat", "lost"]
"""What an explorer's roll comes to."""

_REDUCERS = ("city", "factory", "railroad", "port", "school")


def native_army(marker: Marker) -> Army:
    """27.combat.natives.2, R27-20: infantry by strength; a third of all to horse with +; one of the rest to guns with ++."""
    cavalry = marker.strength // 3 if marker.plus else 0
    artillery = 1 if marker.plus > 1 else 0
    return Army(marker.strength - cavalry - artillery, cavalry, artillery)


def marker_named(name: str) -> Marker:
    """The marker that the cup calls `9++`, face down and unseen."""
    strength = name.rstrip("+")
    return Marker(int(strength), len(name) - len(strength))


def known_marker(land: Land, seat: Seat) -> Marker | None:
    """The marker as far as a seat has seen it: strength 0 if he has not, None if none lies there."""
    marker = land.marker
    if marker is None or marker.face_up or seat in marker.seen_by:
        return marker
    return Marker(0)


def automatic_reduction(land: Land) -> int:
    """27.production.natives.westernize.2, R27-19: one for each such building and each explorer; forts do not count."""
    explorers = land.count(land.owner, "explorer") if land.owner else 0
    return explorers + sum(building in _REDUCERS for building in land.buildings)


def reduced(marker: Marker, points: int) -> Marker | None:
    """27.production.natives.westernize.1: the marker so much weaker, signs kept; None once below four."""
    left = marker.strength - points
    if left < WESTERN:
        return None
    return replace(marker, strength=left, drawn=marker.drawn or marker.strength)


def put_off(war: War, land: Land) -> bool:
    """27.opt.simultaneous.3: it rose in this very phase, whose sheets are read together."""
    fresh = plays(war, "simultaneous") and land.revolt is not None and land.tried == war.turn
    return fresh and land.marker is not None


def revolt_modifier(land: Land, sides: Mapping[Seat, Side], bribe: bool = False) -> int:
    """27.production.revolt.4, 27.production.revolt.6: +1 a suppressing sphere, -1 a supporting one, -3 for a bribe."""
    spheres = sum(n if sides.get(seat) == "suppress" else -n for seat, n in land.spheres.items())
    return spheres - 3 * bribe


def signs_modifier(marker: Marker) -> int:
    """27.combat.explorer.3: -2 for +, -4 for ++."""
    return -2 * marker.plus


def diplomacy_modifiers(war: War, seat: Seat, region: str, friends: tuple[Seat, ...]) -> tuple[tuple[str, int], ...]:
    """27.combat.explorer.3: what an explorer's roll gets from fleets, regions and spheres; `friends` favour him."""
    place, land = BOARD.regions[region], war.lands[region]
    fleets = any(war.fleets_of(seat, sea) for sea in place.seas)
    regions = sum(war.lands[name].owner == seat for name in place.borders)
    helpful = sum(n for owner, n in land.spheres.items() if owner == seat or owner in friends)
    hostile = sum(land.spheres.values()) - helpful
    lines = (
        ("own regions adjacent", regions),
        ("fleets adjacent", int(fleets)),
        ("spheres for him", helpful),
        ("spheres against him", -hostile),
    )
    return tuple((name, value) for name, value in lines if value)


def outcome(total: int, strength: int, natural: bool) -> Outcome:
    """27.combat.explorer.3: `control`, `sphere`, `retreat` or `lost`; natural lowest dice lose the explorer anyway."""
    if natural or total < strength - 6:
        return "lost"
    if total >= strength:
        return "control"
    return "sphere" if total >= strength - 3 else "retreat"


def third(die: int) -> int:
    """27.dice.2: 1d3 from a d6."""
    return (die + 1) // 2
