"""Everything that is printed and never changes: the board, the pieces, the rules by number."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.resources import files

import msgspec

from referee.core.game import Rule
from referee.kit.rulebook import part_of, read_rules
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- the map
# Regions, sea areas, borders, coasts, zones and gates, read from map.toml. Places go by their names.


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
    """A passage between two sea areas that whoever controls `region` opens (27.board.7)."""

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


_MAP = tomllib.loads(files(__package__).joinpath("map.toml").read_text("utf-8"))
_NAMES = {entry["id"]: entry["name"] for kind in ("zone", "region", "sea") for entry in _MAP[kind]}


def _named(ids: list[str]) -> tuple[str, ...]:
    return tuple(_NAMES[id] for id in ids)


def _board() -> Board:
    regions = {
        r["name"]: Region(r["name"], _NAMES[r["zone"]], r["x"], r["y"], _named(r["land"]), _named(r["seas"]))
        for r in _MAP["region"]
    }
    seas = {s["name"]: Sea(s["name"], s["x"], s["y"], _named(s["seas"]), _named(s["coasts"])) for s in _MAP["sea"]}
    zones = {
        z["name"]: tuple(name for name, region in regions.items() if region.zone == z["name"]) for z in _MAP["zone"]
    }
    gates = tuple(
        Gate(g["id"], (_NAMES[g["between"][0]], _NAMES[g["between"][1]]), _NAMES[g["gate_region"]])
        for g in _MAP["special_link"]
        if g["kind"] == "sea"
    )
    return Board(regions, seas, zones, gates)


BOARD = _board()
"""The map of both editions."""

MARKERS: Mapping[str, int] = {f"{m['strength']}{m['plus']}": m["count"] for m in _MAP["native_marker"]}
"""The cup of native markers: `9++` and how many there are."""

CHITS: Mapping[str, int] = {c["name"] or "dot": c["count"] for c in _MAP["resource_chit"]}
"""The cup of resource chits by resource; `dot` is worth nothing."""

CHIT_VALUES: Mapping[str, int] = {c["name"] or "dot": c["value"] for c in _MAP["resource_chit"]}
"""The worth of a chit when developed, in PP a turn."""

COLOURS: Mapping[str, str] = {c["name"]: c["rgb"] for c in _MAP["player_colour"]}
"""The seats in their order, each with its colour."""

POOL: Mapping[str, int] = {name: n for name, n in _MAP["force_pool"].items() if isinstance(n, int)}
"""How many pieces of a kind a colour has in the box; a limit only with the option `force_pool`."""


# ---------------------------------------------------------------- the pieces
# Kinds of unit and building with their prices and powers, read from units.toml.


class Kind(msgspec.Struct, frozen=True):
    """A kind of unit. `moves`: MP a movement phase; `portage`: points it takes aboard; `per_phase` 0: no limit."""

    name: str
    price: int
    moves: int
    built_in: str
    portage: int = 0
    carries: int = 0
    per_phase: int = 0
    reinforcement: int = 0


class Start(msgspec.Struct, frozen=True):
    """The start of every player, by the number of players (27.setup.3)."""

    regions: int
    pp: int
    dp: int


_UNITS = tomllib.loads(files(__package__).joinpath("units.toml").read_text("utf-8"))

KINDS: Mapping[str, Kind] = {name: Kind(name, **entry) for name, entry in _UNITS["unit"].items()}
"""Every kind of unit by its name in the singular."""

BRIGADES = ("infantry", "cavalry", "artillery")
"""From the cheapest to the dearest, which is the order in which they are lost by default (R27-56)."""

LEADERS = ("general", "leader")
"""The leaders of brigades: a general in Version 27, a leader in Version 1.7 (R17-22)."""

PARTIES = ("engineer", "explorer", *LEADERS)
"""In the order in which they are lost by default (R27-56); each edition has one kind of leader."""

LAND_UNITS = (*BRIGADES, *PARTIES)
"""All kinds that stand on land, of every edition."""

BUILDINGS: Mapping[str, int] = _UNITS["building"]
"""Every kind of building and its full price in PP."""

EXCLUSIVE = ("city", "factory", "port", "railroad")
"""At most one of these in a region (27.pieces.4)."""

SETUP: Mapping[int, Start] = {int(players): Start(**entry) for players, entry in _UNITS["setup"].items()}
"""The setup table by the number of players."""

_PLURALS = {"infantry": "infantry", "cavalry": "cavalry", "artillery": "artillery", "city": "cities"}


WAR_PRICE = 1
"""DP that a declaration of war costs (27.war.3)."""


def plural(kind: str) -> str:
    """The word for several of a kind: `infantry`, `generals`, `cities`."""
    return _PLURALS.get(kind) or (f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s")


def units_in_words(kind: str, number: int) -> str:
    """`1 general`, `3 infantry`, `2 factories`."""
    return f"{number} {kind if number == 1 else plural(kind)}"


def pieces_in_words(lots: Iterable[tuple[str, int]], none: str = "nobody") -> str:
    """`5 infantry and 1 general`; what is said of `none`."""
    return in_a_row([units_in_words(kind, number) for kind, number in lots if number]) or none


KIND_OF = {plural(kind): kind for kind in (*KINDS, *LEADERS, *BUILDINGS)}
"""The kind of unit or building that a noun of the vocabulary names, which is its plural."""

SHIP = "numbered fleet"
"""The kind of a fleet named by its number, as the sheets show it: `fleet 2`."""


# ---------------------------------------------------------------- rules
# The numbered rules and rulings, read from rules.toml, and the page players read.


RULES = read_rules("referee.games.war")
"""In the order of the rulebook, the rulings of the house after it."""

SECTIONS = {
    "setup": "Set-up",
    "production.income": "Income",
    "production.blockade": "Income",
    "production.maintain": "Maintenance",
    "production.natives": "Native diplomacy",
    "production.revolt": "Native diplomacy",
    "production.build": "Construction",
    "production": "Production",
    "move.cede": "Ceding regions",
    "move.reinforce": "Reinforcements",
    "move": "Movement",
    "combat.naval": "Naval battles",
    "combat.explorer": "Explorers",
    "combat.prospect": "Prospecting",
    "combat": "Land battles",
    "war": "War and peace",
    "victory": "Victory",
    "opt.scorched": "Movement",
    "opt.interception": "Movement",
    "opt.alliances": "War and peace",
    "opt.random_regions": "Set-up",
    "opt.multiple_buildings": "Construction",
    "opt.hidden_victory": "Victory",
    "opt.simultaneous": "Production",
    "opt.historical": "Pseudo-historical rules",
    "opt.auction": "Production",
    "opt.suez.4": "Movement",
    "opt.suez": "Construction",
}
"""The part of a share a rule belongs to, by the beginning of its id after `27.`; the longest beginning counts."""

_BOARD = {
    "board": "The board",
    "pieces": "Pieces",
    "markers": "Markers",
    "dice": "Dice",
    "money": "Points and spheres",
    "turn": "The turn",
}

_RULINGS = "Rulings where the rulebook is silent"


def section_of(rule: str) -> str | None:
    """The part of a share under which a report tells of a rule; None for rulings, which belong to whatever is going on."""
    return part_of(rule.removeprefix("27."), SECTIONS) if rule.startswith("27.") else None


def heading(rule: Rule) -> str:
    """Under which a rule stands on the page of the rules."""
    if not rule.id.startswith("27."):
        return _RULINGS
    return part_of(rule.id.removeprefix("27."), {**_BOARD, **SECTIONS}) or _RULINGS
