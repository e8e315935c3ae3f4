"""The map of War! as its file lists it, and what an auditor counts on it; both editions are played on it."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import referee.games.war

_RAW = tomllib.loads((Path(referee.games.war.__file__).parent / "rulebook/map.toml").read_text("utf-8"))
_NAMES = {entry["id"]: entry["name"] for kind in ("zone", "region", "sea") for entry in _RAW[kind]}

BORDERS: Mapping[str, frozenset[str]] = {r["name"]: frozenset(_NAMES[b] for b in r["land"]) for r in _RAW["region"]}
COASTS: Mapping[str, frozenset[str]] = {r["name"]: frozenset(_NAMES[s] for s in r["seas"]) for r in _RAW["region"]}
SEAS: Mapping[str, frozenset[str]] = {s["name"]: frozenset(_NAMES[b] for b in s["seas"]) for s in _RAW["sea"]}
ZONES: Mapping[str, frozenset[str]] = {
    _NAMES[z["id"]]: frozenset(r["name"] for r in _RAW["region"] if r["zone"] == z["id"]) for z in _RAW["zone"]
}
GATES: Mapping[frozenset[str], str] = {
    frozenset(_NAMES[sea] for sea in gate["between"]): _NAMES[gate["gate_region"]]
    for gate in _RAW["special_link"]
    if gate["kind"] == "sea"
}
"""Two sea areas and the region whose controller lets fleets through between them."""

CHIT_VALUES: Mapping[str, int] = {chit["name"] or "dot": chit["value"] for chit in _RAW["resource_chit"]}
BRIGADES = ("infantry", "cavalry", "artillery")


def lands_of(war: Any, seat: Any) -> dict[str, Any]:
    """The regions a player owns, by name; None: the natives'."""
    return {name: land for name, land in war.lands.items() if land.owner == seat}


def has(land: Any, building: str) -> bool:
    """Whether a building stands in a region."""
    return building in land.buildings


def several(war: Any, seat: Any, building: str) -> int:
    """How many buildings of a kind a player owns."""
    return sum(has(land, building) for land in lands_of(war, seat).values())


def enemies(war: Any, seat: Any) -> set[Any]:
    """Everybody a player is at war with."""
    pairs = [(feud.declarer, feud.victim) for feud in war.feuds]
    return {other for pair in pairs if seat in pair for other in pair if other != seat}


def force(land: Any, seats: Iterable[Any]) -> Counter[str]:
    """What some players have in a region, by kind."""
    owners, found = set(seats), Counter[str]()
    for stack in land.stacks:
        if stack.owner in owners:
            found[stack.kind] += stack.number
    return found


def brigades(units: Mapping[str, int]) -> int:
    """How many of the units are brigades."""
    return sum(units.get(kind, 0) for kind in BRIGADES)


def standing(war: Any, seat: Any) -> Counter[str]:
    """Every unit a player has on the board, by kind, those aboard fleets included."""
    found = Counter[str]()
    for land in war.lands.values():
        found.update(force(land, (seat,)))
    for fleet in war.fleets.values():
        found["fleet"] += fleet.owner == seat
        for load in fleet.cargo:
            found[load.kind] += load.number if load.owner == seat else 0
    return +found


def total(war: Any, seat: Any) -> int:
    """How many units a player has."""
    return standing(war, seat).total()


def shortest(start: str, fares: Mapping[str, int], graph: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """The fewest points to every place that can be come to, `fares` being what it costs to leave a place."""
    found, ahead = {start: 0}, [start]
    while ahead:
        here = min(ahead, key=lambda place: found[place])
        ahead.remove(here)
        for there in graph[here]:
            fare = found[here] + fares.get(here, 1)
            if fare < found.get(there, 99):
                found[there] = fare
                ahead.append(there)
    return found
