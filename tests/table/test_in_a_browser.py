"""Matches played in a browser by clicking alone: no line is typed, and the referee takes what the page wrote."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.browser import Browser
from tests.service.test_table_file import of_file, sent_to
from tests.table.build import build
from tests.table.clicking import Player, served
from tests.table.test_other_programs import answer_to, begun
from tests.world import World

_AMISS = ("INCOMPLETE", "NOTHING USABLE", "NOT DONE")


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
        foreseen = (verdict in _AMISS) == bool(clicked.refused)
        seen["foreseen"] += foreseen
        if not foreseen:  # shown where the test fails
            print(clicked.text, clicked.refused, answer.subject, answer.text, sep="\n")
        seen["taken"] += verdict not in _AMISS
    return seen


def test_a_turn_is_played_by_clicking_alone(world: World, tmp_path: Path, chromium: Browser) -> None:
    """Without the rules beside the page: whole lines are offered."""
    players = begun(world, "newworld", "")
    with served(tmp_path / "web") as page:
        seen = play(world, players, Player(chromium, page, tmp_path, rules=False), 6)
    assert seen["letters"] == 6 and seen["taken"] >= 4


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="document.title = 'taken'">
<style>path { fill: red } @import "http://evil.example/x.css";</style><script>document.title = "taken"</script>
<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject><a href="http://evil.example/"><path d="M0 0"/></a>
<path data-place="France" d="M0 0h4v4h-4z" onclick="document.title = 'taken'" style="fill: url(http://evil.example/)"/>
<path data-place="Atlantis" d="M5 5h4v4h-4z"/></svg>"""


def test_a_place_on_the_map_is_clicked_and_a_map_that_would_act_does_nothing(
    world: World, tmp_path: Path, chromium: Browser
) -> None:
    players = begun(world, "war27", "")
    table = sent_to(world, next(iter(players.values())))
    table["map"]["svg"] = HOSTILE
    with served(tmp_path / "web") as page:
        Player(chromium, page, tmp_path, rules=False).open(table)
        drawn = "document.getElementById('map').shadowRoot"
        assert (
            chromium.ask(
                f"{drawn}.querySelectorAll('script, foreignObject, a, b, style, [onclick], [onload], [style]').length"
            )
            == 0
        )
        france, atlantis = (f"{drawn}.querySelector('[data-place={place}]')" for place in ("France", "Atlantis"))
        assert (
            chromium.ask(f"[{france}.getAttribute('role'), {france}.ariaLabel, {france}.tabIndex].join()")
            == "button,France,0"
        )
        assert chromium.ask(f"{atlantis}.getAttribute('role')") is None
        chromium.ask(f"{france}.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }}))")
        shown = chromium.ask("[...document.querySelectorAll('#orders .order')].map((one) => one.dataset.verb)")
        assert shown == ["DRAFT"]
        chromium.ask(
            "document.querySelector('#orders .order').click(); document.querySelector('#steps .option').click()"
        )
        assert "France" in chromium.ask("document.getElementById('sheet').value")
        assert chromium.ask("document.title") == f"{table['phase']} - m1"


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
