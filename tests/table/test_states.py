"""Everybody can use every state of the page on which one plays, and every page of a house: axe finds nothing by any of its rules.

    TABLE_PICTURES=folder python -m pytest -m slow -n 0 tests/table/test_states.py

lays a picture of each state beside it, at 390 and 1280 pixels, light and dark.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Browser
from tests.service.test_table_file import sent_to
from tests.site import small_site
from tests.table.clicking import Player, served
from tests.table.looks import position_of, table_of
from tests.table.test_other_programs import begun
from tests.table.test_play_now import axe, findings, on_the_web
from tests.world import World

__all__ = ["axe"]

pytestmark = pytest.mark.slow

PAPERS = [(width, dark) for width in (390, 1280) for dark in (False, True)]


def looked_at(browser: Browser, name: str, width: int, dark: bool) -> None:
    """A picture, where one is wanted."""
    if folder := os.environ.get("TABLE_PICTURES"):
        shown = browser.picture(width, 800)
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder).joinpath(f"{name}-{width}-{'dark' if dark else 'light'}.png").write_bytes(shown)


def opens(id: str) -> Callable[[Browser, Player], None]:
    """What is opened by a button."""
    return lambda browser, _: browser.ask(f"document.getElementById('{id}').click()")


def a_place(browser: Browser, player: Player) -> None:
    player.tap(next(iter(player.starts())))


def an_aim(browser: Browser, player: Player) -> None:
    """A deed that waits for its second tap."""
    for place in player.starts():
        browser.ask("tablePage.sheet.close()")
        player.tap(place)
        if browser.ask("document.querySelector('#sheet .aim')"):
            return


def a_refused_line(browser: Browser, player: Player) -> None:
    browser.ask("tablePage.turn.set([...tablePage.turn.lines, { line: 'MOVE nobody' }])")
    browser.until("document.querySelector('#lines .bad') !== null")
    opens("bar")(browser, player)
    box = browser.ask(
        "(({ top, bottom }) => [top, bottom])(document.querySelector('#lines .bad').getBoundingClientRect())"
    )
    assert 0 < box[0] < box[1] <= 800, "the refused line is in sight"


def unfolded(browser: Browser, player: Player) -> None:
    """All that is folded in the letter, and the note that the turn is over."""
    opens("bar")(browser, player)
    browser.ask("document.querySelectorAll('#letter details').forEach((one) => (one.open = true))")
    browser.ask("document.getElementById('past').hidden = false")


def foreseen(browser: Browser, player: Player) -> None:
    opens("bar")(browser, player)
    opens("preview")(browser, player)
    player.judged()


def a_trial(browser: Browser, player: Player) -> None:
    for button in ("try", "play"):
        opens(button)(browser, player)
        browser.until("document.getElementById('desk').getAttribute('aria-busy') !== 'true'")
    player.judged()


STATES: dict[str, Callable[[Browser, Player], None]] = {
    "begins": lambda _, player: None,
    "place": a_place,
    "aim": an_aim,
    "tray": opens("tray-open"),
    "hint": opens("hint-open"),
    "seats": opens("seats-open"),
    "press": opens("talk-open"),
    "letter": opens("bar"),
    "refused": a_refused_line,
    "unfolded": unfolded,
    "preview": foreseen,
    "trial": a_trial,
}


@pytest.fixture(params=["newworld", "war27", "war17", "empire"])
def turn(request: pytest.FixtureRequest, world: World, tmp_path: Path, engine: Path) -> Iterator[tuple[str, Any, str]]:
    """A game, a turn of it in the middle of a match, and the front of a match."""
    base = sent_to(world, next(iter(begun(world, request.param, "").values())))
    with served(world, "m1", tmp_path / "web", engine) as front:
        yield request.param, table_of(base, *position_of(request.param)), front


@pytest.mark.parametrize(("width", "dark"), PAPERS)
def test_everybody_can_use_every_state_of_a_turn(
    turn: tuple[str, Any, str], tmp_path: Path, chromium: Browser, axe: str, width: int, dark: bool
) -> None:
    game, table, front = turn
    chromium.visit(front)
    chromium.ask("localStorage.clear()")
    player = Player(chromium, front, tmp_path, rules=True)
    chromium.visit(front.replace("index.html", "table.html"), width, dark)
    found = {}
    for name, reach in STATES.items():
        chromium.ask("tablePage.sheet.close(); document.getElementById('past').hidden = true")
        player.open(table)
        reach(chromium, player)
        looked_at(chromium, f"{game}-{name}", width, dark)
        found[name] = findings(chromium, axe)
    assert found == {name: [] for name in STATES}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a house in which matches wait, are played and are over."""
    return small_site(tmp_path_factory.mktemp("house"))


@pytest.mark.parametrize(("width", "dark"), PAPERS)
def test_everybody_can_use_every_page_of_a_house(
    house: Path, chromium: Browser, axe: str, width: int, dark: bool
) -> None:
    pages = sorted(str(path.relative_to(house)) for path in house.rglob("*.html"))
    first = {page.partition("-")[0]: page for page in reversed(pages)}  # and the last: of reports of a match two
    last, found = {page.partition("-")[0]: page for page in pages}, {}
    with on_the_web(house) as address:
        for page in {*first.values(), *last.values()}:
            chromium.visit(f"{address}/{page}", width, dark)
            looked_at(chromium, f"site-{page.replace('/', '-').removesuffix('.html')}", width, dark)
            found[page] = findings(chromium, axe)
    assert len(found) > 20 and found == {page: [] for page in found}
