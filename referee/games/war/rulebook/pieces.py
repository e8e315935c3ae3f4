"""The pieces: kinds of unit and building with their prices and powers, read from units.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files

import msgspec

from referee.kit.wording import in_a_row


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
    """What every player starts with, by the number of players (27.setup.3)."""

    regions: int
    pp: int
    dp: int


_RAW = tomllib.loads(files(__package__).joinpath("units.toml").read_text("utf-8"))

KINDS: Mapping[str, Kind] = {name: Kind(name, **entry) for name, entry in _RAW["unit"].items()}
"""Every kind of unit by its name in the singular."""

BRIGADES = ("infantry", "cavalry", "artillery")
"""From the cheapest to the dearest, which is the order in which they are lost by default (R27-56)."""

LEADERS = ("general", "leader")
"""What leads brigades: a general in Version 27, a leader in Version 1.7 (R17-22)."""

PARTIES = ("engineer", "explorer", *LEADERS)
"""In the order in which they are lost by default (R27-56); each edition has one kind of leader."""

LAND_UNITS = (*BRIGADES, *PARTIES)
"""All kinds that stand on land, of every edition."""

BUILDINGS: Mapping[str, int] = _RAW["building"]
"""Every kind of building and its full price in PP."""

EXCLUSIVE = ("city", "factory", "port", "railroad")
"""At most one of these in a region (27.pieces.4)."""

SETUP: Mapping[int, Start] = {int(players): Start(**entry) for players, entry in _RAW["setup"].items()}
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
