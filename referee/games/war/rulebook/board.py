"""The map: regions, sea areas, borders, coasts, zones and gates, read from map.toml. Places go by their names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files

import msgspec


class Region(msgspec.Struct, frozen=True):
    """A land area. `x`, `y` place its label on a plane of 0..100 each, y grows southward."""

    name: str
    zone: str
    x: float
    y: float
    borders: tuple[str, ...]
    seas: tuple[str, ...]

    @property
    def coastal(self) -> bool:
        """Whether a port may stand there and fleets may land (ruling R27-22)."""
        return bool(self.seas)


class Sea(msgspec.Struct, frozen=True):
    """A sea area. `borders` leaves out the gates."""

    name: str
    x: float
    y: float
    borders: tuple[str, ...]
    coasts: tuple[str, ...]


class Gate(msgspec.Struct, frozen=True):
    """A passage between two sea areas that whoever controls `region` opens (27.board.5, 27.board.7)."""

    name: str
    between: tuple[str, str]
    region: str


class Board(msgspec.Struct, frozen=True, dict=True):
    """Everything that never changes on the map, in the order of the map."""

    regions: dict[str, Region]
    seas: dict[str, Sea]
    zones: dict[str, tuple[str, ...]]
    gates: tuple[Gate, ...]

    def is_sea(self, place: str) -> bool:
        """Whether the place is a sea area."""
        return place in self.seas

    def adjacent_seas(self, sea: str) -> tuple[tuple[str, Gate | None], ...]:
        """The sea areas one step away, each with the gate that lies between, if one does."""
        return self._beside[sea]

    def position(self, place: str) -> int:
        """The place of a region or sea area in the order of the map, which breaks ties."""
        return self._order[place]

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate((*self.regions, *self.seas))}

    @cached_property
    def _beside(self) -> Mapping[str, tuple[tuple[str, Gate | None], ...]]:
        free = {name: tuple((other, None) for other in sea.borders) for name, sea in self.seas.items()}
        return {name: (*steps, *self._through_gates(name)) for name, steps in free.items()}

    def _through_gates(self, sea: str) -> Iterator[tuple[str, Gate]]:
        for gate in self.gates:
            if sea in gate.between:
                yield gate.between[1 - gate.between.index(sea)], gate


_RAW = tomllib.loads(files(__package__).joinpath("map.toml").read_text("utf-8"))
_NAMES = {entry["id"]: entry["name"] for kind in ("zone", "region", "sea") for entry in _RAW[kind]}


def _named(ids: list[str]) -> tuple[str, ...]:
    return tuple(_NAMES[id] for id in ids)


def _board() -> Board:
    regions = {
        r["name"]: Region(r["name"], _NAMES[r["zone"]], r["x"], r["y"], _named(r["land"]), _named(r["seas"]))
        for r in _RAW["region"]
    }
    seas = {s["name"]: Sea(s["name"], s["x"], s["y"], _named(s["seas"]), _named(s["coasts"])) for s in _RAW["sea"]}
    zones = {
        z["name"]: tuple(name for name, region in regions.items() if region.zone == z["name"]) for z in _RAW["zone"]
    }
    gates = tuple(
        Gate(g["id"], (_NAMES[g["between"][0]], _NAMES[g["between"][1]]), _NAMES[g["gate_region"]])
        for g in _RAW["special_link"]
        if g["kind"] == "sea"
    )
    return Board(regions, seas, zones, gates)


BOARD = _board()
"""The map of both editions."""

MARKERS: Mapping[str, int] = {f"{m['strength']}{m['plus']}": m["count"] for m in _RAW["native_marker"]}
"""The cup of native markers: `9++` and how many there are."""

CHITS: Mapping[str, int] = {c["name"] or "dot": c["count"] for c in _RAW["resource_chit"]}
"""The cup of resource chits by resource; `dot` is worth nothing."""

CHIT_VALUES: Mapping[str, int] = {c["name"] or "dot": c["value"] for c in _RAW["resource_chit"]}
"""What a chit is worth when developed, in PP a turn."""

COLOURS: Mapping[str, str] = {c["name"]: c["rgb"] for c in _RAW["player_colour"]}
"""The seats in their order, each with its colour."""

POOL: Mapping[str, int] = {name: n for name, n in _RAW["force_pool"].items() if isinstance(n, int)}
"""How many pieces of a kind a colour has in the box; a limit only with the option `force_pool`."""
