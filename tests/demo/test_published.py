"""What the archive shows while a match is still played, and what receipts are about."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.adapters.pages.render import VERIFIER
from referee.adapters.pages.site import Site
from referee.bootstrap.ways import publish
from tests.world import World

GINA = "gina@players.example"
PLAYERS = tuple(f"{name}@players.example" for name in ("anna", "ben", "carla", "dan"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A match of New World of which two turns were played."""
    world = World(tmp_path)
    world.write(GINA, "CREATE newworld AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    for _ in range(2):
        play(world)
    return world


def play(world: World) -> str:
    """The player on turn ends his slot; the subject of his receipt."""
    player = next(p for p in PLAYERS if re.search("You owe orders|Your orders for .* are on file", world.last(p).flat))
    letters = world.reply(player, "COLONIZE any\nROLL OUT")
    return next(letter.subject for letter in letters if letter.is_a("receipt"))


def test_nothing_secret_is_published_while_the_match_is_played(world: World, tmp_path: Path) -> None:
    index = publish(world.office, Site(tmp_path / "site"), "nw1")
    assert index is not None
    with world.store.look() as step:
        row = step.match("nw1")
    assert row is not None
    everything = b"".join(path.read_bytes() for path in index.parent.rglob("*") if path.is_file())
    assert row.secret.hex().encode() not in everything
    shown = [json.loads(line) for line in (index.parent / "log.jsonl").read_bytes().splitlines()]
    assert {entry["kind"] for entry in shown} >= {"created", "event", "answer", "filed"}
    assert {entry["kind"] for entry in shown if entry["payload"] is not None} == {
        "created",
        "event",
        "pledged",
        "sealed",
    }
    assert {path.name for path in index.parent.glob("verify*")} == set(VERIFIER)
    world.close()


def test_a_receipt_is_about_the_turn_the_letter_ended(world: World) -> None:
    assert play(world).startswith("[nw1] Turn 3: ")
    world.close()


def test_the_index_says_which_report_a_rewind_set_aside(world: World, tmp_path: Path) -> None:
    world.reply(GINA, 'REWIND TO TURN 2 BECAUSE "misread"')
    play(world)
    index = publish(world.office, Site(tmp_path / "site"), "nw1")
    assert index is not None
    assert index.read_text("utf-8").count("set aside by a rewind") == 1
    world.close()
