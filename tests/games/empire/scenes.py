"""Positions that bot games do not come to, so that no order is left unlooked at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from msgspec.structs import replace

from referee.games.empire.position.state import Empire
from tests.games.empire.staging import given, stage

_RAIDERS = (
    "c8r8, c8r9 are sea",
    "oil tanker 20 of Blue is in c8r9",
    "pirate ship 21 of Red is in c8r9",
    "SAC 22 of Red is in c8r9, aboard pirate ship 21",
    "cargo ship 23 of Red is in c8r8",
    "SAC 24 of Red is in c8r8, aboard cargo ship 23",
    "cargo ship 26 of Red is in c8r8",
    "barge 27 of Red is in c8r8, aboard cargo ship 26",
    "barge 28 of Red is in c8r8",
    "strategic bomber 25 of Red is in c14r8, in the air",
    "Red has 1 bomb aboard strategic bomber 25",
    "Blue has a city Works in c14r8 with 1 steel mill, 1 airport",
    "Red has 5 X, 5 O in c4r4",
)
"""Whoever can be told to bomb, to plunder, to turn pirate, to tow and to cast off."""


def scenes() -> Iterator[Empire]:
    """Submarines on and under water; a ship on the beach beside a free dock, a SAC in a warehouse; raiders, their prey, barges."""
    boats = ("submarine 20 of Red is in c6r4", "submarine 21 of Red is in c6r4, under water")
    empire = stage({"fiat": "none", "last_turn": "20"})
    for fact in (
        "c6r4 and c6r5 are sea",
        *boats,
        "cargo ship 22 of Red is in c4r4, on the beach",
        "SAC 23 of Red is in c4r4, in the warehouse",
        "Red has 6 O in c4r4",
    ):
        empire = given(empire, fact)
    yield empire.with_city(replace(empire.cities["Red City"], docks=1, warehouses=1))
    yield reduce(given, _RAIDERS, stage({"fiat": "none", "last_turn": "20"}))
