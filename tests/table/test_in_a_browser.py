"""Matches played in a browser by clicking alone: no line is typed, and the referee takes what the page wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Browser, browser
from tests.service.test_table_file import of_file, sent_to
from tests.table.build import build
from tests.table.clicking import Player, served
from tests.table.test_other_programs import answer_to, begun
from tests.world import World

_AMISS = ("INCOMPLETE", "NOTHING USABLE", "NOT DONE")


@pytest.fixture
def chromium() -> Iterator[Browser]:
    """A browser; the test is skipped where none is installed."""
    try:
        with browser() as opened:
            yield opened
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules for the page, put together as for players."""
    folder = tmp_path_factory.mktemp("engine")
    build(folder)
    return folder


def play(world: World, players: dict[str, str], player: Player, most: int) -> Counter[str]:
    """Play until the match is over or so many letters were written; what was clicked, and how it was taken."""
    seen = Counter[str]()
    while (open := world.playing("m1").outcome.open) and seen["letters"] < most:
        who = players[open[0].seat]
        _, table = of_file(answer_to(world.write(who, "SEND table", world.last(who).reply_to), who))
        clicked = player.letter(table, 0 if table["duty"] == "on file" else 2)
        answer = answer_to(world.write(who, clicked.text, clicked.to, clicked.subject), who)
        verdict = answer.subject.partition("] ")[2].partition(":")[0]
        seen.update(clicked.verbs)
        seen["letters"] += 1
        seen["foreseen"] += (verdict in _AMISS) == bool(clicked.refused)
        seen["taken"] += verdict not in _AMISS
    return seen


def test_a_turn_is_played_by_clicking_alone(world: World, tmp_path: Path, chromium: Browser) -> None:
    """Without the rules beside the page: whole lines are offered."""
    players = begun(world, "newworld", "")
    with served(tmp_path / "web") as page:
        seen = play(world, players, Player(chromium, page, tmp_path, rules=False), 6)
    assert seen["letters"] == 6 and seen["taken"] >= 4


@pytest.mark.slow
def test_rules_that_end_are_replaced_and_the_page_goes_on(
    match: World, tmp_path: Path, chromium: Browser, engine: Path
) -> None:
    who = match.on_turn()
    with served(tmp_path / "web", engine) as page:
        player = Player(chromium, page, tmp_path, rules=True)
        player.letter(sent_to(match, who), 0)
        chromium.ask(
            "tablePage.rules().end('ended'), delete document.body.dataset.engine, document.getElementById('clear').click()"
        )
        chromium.ask("document.querySelector('#orders .order').click()")
        chromium.ask("tablePage.rules().ask('judge', 'COLONIZ any')")
        player.letter(sent_to(match, who), 1)
        clicked = player.letter(sent_to(match, who), 1)
    assert clicked.text.endswith("ROLL OUT")


GAMES = [("newworld", 40), ("war27", 25), ("war17", 25), ("empire", 25)]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "most"), GAMES)
def test_the_page_with_its_rules_foresees_what_the_referee_takes(
    world: World, tmp_path: Path, chromium: Browser, engine: Path, game: str, most: int
) -> None:
    players = begun(world, game, "")
    with served(tmp_path / "web", engine) as page:
        seen = play(world, players, Player(chromium, page, tmp_path, rules=True), most)
    assert world.playing("m1").outcome.over or seen["letters"] == most
    assert seen["foreseen"] * 100 >= seen["letters"] * 99, seen
