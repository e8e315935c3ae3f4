"""Whole matches by taps alone: not a line is typed, the referee takes what the page foresaw, and every order is clicked.

    TABLE_MATCHES=10 python -m pytest -m slow -n 0 tests/table/test_whole_matches.py -s

plays 10 matches of New World and five turns of 20 matches of each other game, and prints what was clicked; without it 2 and 4.
Half of that takes an hour at a load of 15 (docs/benchmarks.md has what came of it). TABLE_FIRST says with which number it begins.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from referee.core.game import AnyGame
from referee.core.order import Intent
from referee.games import GAMES
from tests.browser import Browser
from tests.contract.bots import understood
from tests.service.test_table_file import sent_to
from tests.table.clicking import Player, Typist, served
from tests.table.positions import BELOW, positions, table_at
from tests.table.test_in_a_browser import Played, as_foreseen, complaints, play
from tests.table.test_other_programs import begun
from tests.world import World

pytestmark = pytest.mark.slow

MATCHES, FIRST = (int(os.environ.get(name, usual)) for name, usual in (("TABLE_MATCHES", "2"), ("TABLE_FIRST", "0")))
TURNS = 5


def told(seen: Played, player: Player, chromium: Browser) -> None:
    """Print what came of a match in one line of JSON, and look that it was foreseen, and that nothing went wrong on the page."""
    print(json.dumps(vars(seen) | {"taps": player.taps, "taps_of": player.taps_of}))
    as_foreseen(seen)
    assert complaints(chromium) == []


@pytest.mark.parametrize("number", range(FIRST, FIRST + MATCHES))
def test_a_whole_match_of_new_world(world: World, tmp_path: Path, chromium: Browser, engine: Path, number: int) -> None:
    players = begun(world, "newworld", "WITH mode two_step" if number % 2 else "")
    with served(world, "m1", tmp_path / "web", engine) as front:
        player = Player(chromium, front, tmp_path, rules=True, seed=number)
        seen = play(world, players, player)
    assert world.playing("m1").outcome.over
    told(seen, player, chromium)


def test_a_whole_match_of_new_world_by_keyboard_alone(
    world: World, tmp_path: Path, chromium: Browser, engine: Path
) -> None:
    players = begun(world, "newworld", "")
    with served(world, "m1", tmp_path / "web", engine) as front:
        player = Typist(chromium, front, tmp_path, rules=True)
        seen = play(world, players, player)
    assert world.playing("m1").outcome.over
    told(seen, player, chromium)


@pytest.mark.parametrize("game", ["war27", "war17", "empire"])
@pytest.mark.parametrize("number", range(2 * FIRST, 2 * (FIRST + MATCHES)))
def test_five_turns(world: World, tmp_path: Path, chromium: Browser, engine: Path, game: str, number: int) -> None:
    players = begun(world, game, "")
    with served(world, "m1", tmp_path / "web", engine) as front:
        player = Player(chromium, front, tmp_path, rules=True, seed=number)
        seen = play(world, players, player, turns=TURNS)
    told(seen, player, chromium)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_kind_of_order_is_reached_by_a_click(
    world: World, tmp_path: Path, chromium: Browser, engine: Path, game: AnyGame
) -> None:
    """Of each verb a line is clicked in a position in which it can be given; the page and the referee take it."""
    there = positions(game, game.declared())
    assert set(there) == set(game.declared())
    base = sent_to(world, next(iter(begun(world, game.name, "").values())))
    with served(world, "m1", tmp_path / "web", engine) as front:
        player = Player(chromium, front, tmp_path, rules=True)
        for verb, (record, question, state) in there.items():
            player.open(table_at(base, record, question, state))
            verbs = (BELOW[verb], verb) if verb in BELOW else (verb,)
            clicked = player.clicked(*verbs)
            assert clicked.verbs == verbs, clicked
            assert not clicked.refused, clicked
            line = clicked.text.splitlines()[len(verbs) - 1].removesuffix(" ;")
            assert isinstance(understood(game, state, question.seat, line), Intent), clicked
