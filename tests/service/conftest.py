"""A world for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world import World

ANNA, BEN, CARLA, DAN, GINA, OTTO = (
    f"{name}@players.example" for name in ("anna", "ben", "carla", "dan", "gina", "otto")
)
PLAYERS = (ANNA, BEN, CARLA, DAN)
_LETTERS_BEFORE = 1_000


def begin(world: World, options: str = "", match: str = "nw1") -> World:
    """Create and start a match of New World: Anna, Ben, Carla, Dan play, Gina is game master."""
    world.write(GINA, f"CREATE newworld AS {match} {options}")
    for player in PLAYERS:
        world.write(player, f"JOIN {match}")
    world.reply(GINA, f"START {match}", kind="receipt")
    return world


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two databases to copy: one empty, one with a match begun."""
    folder = tmp_path_factory.mktemp("databases")
    World(folder).close()
    shutil.copy(folder / "referee.sqlite", folder / "empty.sqlite")
    begun = World(folder)
    begin(begun)
    begun.close()
    shutil.copy(folder / "referee.sqlite", folder / "begun.sqlite")
    return folder


@pytest.fixture
def world(tmp_path: Path, databases: Path) -> Iterator[World]:
    """An empty referee."""
    shutil.copy(databases / "empty.sqlite", tmp_path / "referee.sqlite")
    world = World(tmp_path)
    yield world
    world.close()


@pytest.fixture
def match(tmp_path: Path, databases: Path) -> Iterator[World]:
    """A referee with the match nw1 of New World begun: Anna, Ben, Carla, Dan play, Gina is game master."""
    shutil.copy(databases / "begun.sqlite", tmp_path / "referee.sqlite")
    world = World(tmp_path, first=_LETTERS_BEFORE)
    world.new_mail()
    yield world
    world.close()


def begin_empire(world: World, capitals: str) -> None:
    """The match emp1 of Empire, with the capitals of Anna and Ben on the first of these squares that are free."""
    world.write(GINA, "CREATE empire AS emp1 WITH board drawn:two-isthmuses")
    for player in (ANNA, BEN):
        world.write(player, "JOIN emp1")
    world.reply(GINA, "START emp1", kind="receipt")
    for _ in range(2):
        world.reply(world.on_turn("emp1"), f"PLACE CAPITAL {capitals}\nROLL OUT")
