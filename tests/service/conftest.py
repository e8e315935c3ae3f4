"""A world for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world import World

ANNA, BEN, CARLA, DAN, GINA, OTTO = (
    f"{name}@players.example" for name in ("anna", "ben", "carla", "dan", "gina", "otto")
)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """An empty referee."""
    world = World(tmp_path)
    yield world
    world.close()


@pytest.fixture
def match(world: World) -> World:
    """A referee with the match nw1 of New World begun: Anna, Ben, Carla, Dan play, Gina is game master."""
    world.write(GINA, "CREATE newworld AS nw1")
    for player in (ANNA, BEN, CARLA, DAN):
        world.write(player, "JOIN nw1")
    world.write(GINA, "START nw1")
    world.reply(GINA, "yes, that was me", kind="refusal")
    return world
