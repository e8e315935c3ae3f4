"""A match of the page's own in a browser: its door, its turns by tapping, a reload, friends at one screen, its finish."""

from __future__ import annotations

import functools
import http.server
import json
import re
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.adapters.pages.render import TemplateRenderer
from referee.games import game_named
from referee.service.intake import lessons
from tests.browser import Browser
from tests.table.build import from_npm
from tests.table.clicking import Silent
from tests.table.test_in_a_browser import complaints

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, engine: Path) -> Path:
    """The folder of a house, with the page and the rules."""
    folder, renderer = tmp_path_factory.mktemp("house"), TemplateRenderer()
    Site(folder).publish_home({**renderer.dress(), **renderer.table()})
    (folder / "engine").symlink_to(engine)
    (folder / "g").mkdir()
    (folder / "g" / "newworld.html").touch()
    return folder


@pytest.fixture(scope="module")
def front(house: Path) -> Iterator[str]:
    """The page on the web."""
    with on_the_web(house) as address:
        yield f"{address}/table.html"


@contextmanager
def on_the_web(folder: Path) -> Iterator[str]:
    """The address of a web space, until it is gone."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


AXE = "RE3mdQ7P3FRSe7eqCWoeQ/Z9QXrtniSjp1wUjt5nRC3WIpz5rSCve6o3fsZ2aCpJtrZjSZgjwXAoTO5k4tEI0w=="
"""The checksum of axe-core, which looks whether everybody can use a page."""


@pytest.fixture(scope="module")
def axe() -> str:
    """Axe, as a script for a page."""
    with tarfile.open(from_npm("axe-core@4.10.2", AXE)) as packed:
        script = packed.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def findings(browser: Browser, axe: str) -> list[str]:
    """What axe finds on the page as it is shown now, by all its rules."""
    found = browser.ask(f"(async () => {{ {axe}; return JSON.stringify((await axe.run()).violations) }})()")
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in json.loads(found)
        for node in one["nodes"]
    ]


class Screen:
    """Somebody who taps what is shown."""

    def __init__(
        self, browser: Browser, front: str, game: str, width: int = 390, dark: bool = False, door: str = "play"
    ) -> None:
        """The door of a game, or its lessons."""
        self.browser = browser
        browser.visit(front, width, dark)
        browser.ask("sessionStorage.clear(); localStorage.clear()")
        browser.watch()
        browser.visit(f"{front}?{game}#{door}={game}", width, dark)
        browser.until(f"document.getElementById('{'door-begin' if door == 'play' else 'lesson-go'}')", 180_000)

    def begin(self, **chosen: str) -> None:
        """Begin with what is chosen of the door."""
        for name, value in chosen.items():
            self.browser.ask(f"document.getElementById('door-{name}').value = {value!r}")
        self.tap("document.getElementById('door-begin')")
        self.waits()

    def tap(self, element: str) -> None:
        """Tap what a script gives."""
        self.browser.press(element)

    def waits(self) -> None:
        """Until the match stands, and the rules have looked at the letter."""
        self.browser.until(
            "document.getElementById('desk').getAttribute('aria-busy') !== 'true'"
            " && !document.getElementById('desk').hidden && document.body.dataset.weighed",
            180_000,
        )

    def tries(self) -> str:
        """Try what is written in a lesson, and what is said of it."""
        self.tap("['bar-play', 'play'].map((id) => document.getElementById(id)).filter((one) => one.checkVisibility())")
        self.browser.until("document.getElementById('lesson-said')", 60_000)
        return str(self.browser.ask("document.getElementById('sheet').innerText"))

    def stands(self) -> str:
        """Who is asked, and in which phase."""
        return str(self.browser.ask("`${tablePage.turn.table.seat}, ${tablePage.turn.table.phase}`"))

    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.browser.ask("tablePage.turn.table.standings.final"))

    def plays(self) -> None:
        """Take the proposed turn, or the usual answer to what is asked, and play it."""
        self.browser.ask("delete document.body.dataset.weighed")
        self.tap("['bar-play', 'play'].map((id) => document.getElementById(id)).filter((one) => one.checkVisibility())")
        self.waits()
        assert self.browser.ask("document.getElementById('trial-trouble').hidden"), self.browser.ask(
            "document.getElementById('trial-trouble').textContent"
        )


def test_a_whole_match_of_new_world_is_played_in_the_browser(front: str, chromium: Browser) -> None:
    """Reloaded in the middle it stands where it stood, its letter too; at its end it says who won, and can be begun anew."""
    screen = Screen(chromium, front, "newworld")
    bots, plays = ("Ada", "Basil", "Clara"), game_named("newworld").guide.bots["steady"][1:]
    door = str(chromium.ask("document.getElementById('door').innerText"))
    assert all(bot in door for bot in bots) and plays in door
    screen.begin(seat="France")
    assert screen.stands().startswith("France")
    for number in range(60):
        if screen.over():
            break
        if number == 2:
            before, letter = screen.stands(), chromium.ask("tablePage.turn.text()")
            chromium.visit(f"{front}?again#play=newworld", 390)
            screen.waits()
            assert (screen.stands(), chromium.ask("tablePage.turn.text()")) == (before, letter)
        screen.plays()
    assert screen.over()
    told = str(chromium.ask("document.getElementById('sheet').innerText"))
    assert " won" in told and all(f"{bot}, steady bot" in told for bot in bots) and "France you" in told
    assert chromium.ask("document.querySelectorAll('#sheet .course polyline').length") == 4
    screen.tap("document.getElementById('once-more')")
    chromium.until("!tablePage.turn.table.standings.final", 60_000)
    screen.waits()
    assert screen.stands().startswith("France")
    assert complaints(chromium) == []


_TURNS = 5
"""So many turns of each other game."""


@pytest.mark.parametrize("game", ["war27", "war17", "empire"])
def test_turns_of_each_other_game_are_played_in_the_browser(front: str, chromium: Browser, game: str) -> None:
    screen = Screen(chromium, front, game)
    screen.begin(players="3", bots="novice")
    for _ in range(30 * _TURNS):
        screen.plays()
        turn = re.search(r"Turn (\d+)", screen.stands())
        if screen.over() or (turn and int(turn[1]) > _TURNS):
            break
    else:
        pytest.fail(screen.stands())
    assert complaints(chromium) == []


def test_friends_at_one_screen_hand_it_on(front: str, chromium: Browser) -> None:
    """Between two of them a curtain hides what the next one is to see alone; two play, and the third is a bot."""
    screen = Screen(chromium, front, "newworld", 1280)
    screen.begin(players="3", people="2")
    seats, curtains = {screen.stands().split(",")[0]}, 0
    for _ in range(6):
        screen.plays()
        seats.add(screen.stands().split(",")[0])
        if chromium.ask("document.getElementById('curtain').open"):
            curtains += 1
            screen.tap("document.querySelector('#curtain button')")
    assert len(seats) == 2 and curtains >= 2
    assert complaints(chromium) == []
    chromium.visit(f"{front}?again#play=newworld", 1280)
    chromium.until("document.getElementById('curtain').open", 180_000)


def test_a_match_that_was_left_is_offered_again_at_the_door(front: str, chromium: Browser) -> None:
    screen = Screen(chromium, front, "newworld", 1280)
    screen.begin()
    screen.plays()
    stood = screen.stands()
    screen.tap("document.getElementById('leave')")
    chromium.until("document.getElementById('door-again')", 180_000)
    assert stood in str(chromium.ask("document.getElementById('door-again').textContent"))
    screen.tap("document.getElementById('door-again')")
    screen.waits()
    assert screen.stands() == stood


def test_hints_write_a_turn_and_turns_are_taken_back_after_a_reload_too(front: str, chromium: Browser) -> None:
    """Each hint says why; a second tap writes its line. Who takes back has the letter again that he had sent."""
    screen = Screen(chromium, front, "newworld")
    screen.begin(seat="Spain", hints="yes")
    assert chromium.ask("tablePage.turn.lines.length") == 0
    wishes = chromium.ask("tablePage.turn.table.index.proposed")
    chromium.ask("tablePage.sheet.close()")
    screen.tap("document.getElementById('hint-open')")
    for number, wish in enumerate(wishes):
        chromium.until(f"document.getElementById('sheet').innerText.includes({wish['why']!r})")
        screen.tap("document.getElementById('hint-do')")
        chromium.until(f"tablePage.turn.lines.length === {number + 1}")
    chromium.until("document.getElementById('sheet').innerText.includes('All that a steady player')")
    stood, sent = [screen.stands()], [chromium.ask("tablePage.turn.text()")]
    assert sent == ["\n".join(wish["line"] for wish in wishes)]
    for _ in range(3):
        chromium.ask("tablePage.sheet.close()")
        screen.plays()
        stood.append(screen.stands())
        sent.append(chromium.ask("tablePage.turn.text()"))
    chromium.visit(f"{front}?again#play=newworld", 390)
    screen.waits()
    for before in range(2, -1, -1):
        chromium.ask("tablePage.sheet.close(); delete document.body.dataset.weighed")
        if not chromium.ask("document.body.hasAttribute('data-letter')"):
            screen.tap("document.getElementById('bar')")
        screen.tap("document.getElementById('take-back')")
        screen.waits()
        assert (screen.stands(), chromium.ask("tablePage.turn.text()")) == (stood[before], sent[before])
    assert chromium.ask("document.getElementById('take-back').disabled")
    assert complaints(chromium) == []


def test_a_match_that_cannot_go_on_says_so_and_a_new_one_begins_with_the_same_door(
    front: str, chromium: Browser
) -> None:
    screen = Screen(chromium, front, "newworld")
    screen.begin(seat="Spain", players="3", bots="novice")
    chromium.ask(
        """(() => { const name = Object.keys(localStorage).find((one) => one.endsWith("play newworld"));
        const kept = JSON.parse(localStorage[name]);
        kept.stood.at(-1).saved = "spoilt";
        localStorage[name] = JSON.stringify(kept); })()"""
    )
    chromium.visit(f"{front}?again#play=newworld", 390)
    chromium.until("document.getElementById('door-begin')", 180_000)
    assert "cannot go on" in str(chromium.ask("document.getElementById('trouble').textContent"))
    chosen = chromium.ask("['seat', 'players', 'bots'].map((one) => document.getElementById(`door-${one}`).value)")
    assert chosen == ["Spain", "3", "novice"]
    screen.begin()
    assert screen.stands().startswith("Spain") and chromium.ask("document.getElementById('trouble').hidden")


def test_what_was_loaded_once_is_played_without_a_network(house: Path, chromium: Browser) -> None:
    """The web space is gone: the page is loaded anew and a turn is played, and another game begins at its door."""
    with on_the_web(house) as address:
        front = f"{address}/table.html"
        screen = Screen(chromium, front, "newworld")
        chromium.until("document.getElementById('kept-here')", 180_000)
        screen.begin()
        screen.plays()
        stood = screen.stands()
    chromium.visit(f"{front}?gone#play=newworld", 390)
    screen.waits()
    assert screen.stands() == stood
    asked = "tablePage.turn.table.known.asked"
    before = chromium.ask(asked)
    screen.plays()
    assert chromium.ask(asked) != before
    chromium.visit(f"{front}?gone#play=war27", 390)
    chromium.until("document.getElementById('door-begin')", 180_000)
    screen.begin(players="3")
    assert "Set-up" in screen.stands() or "draft" in screen.stands()


@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, False), (1280, True)])
def test_everybody_can_use_door_turn_and_finish(
    front: str, chromium: Browser, axe: str, width: int, dark: bool
) -> None:
    screen = Screen(chromium, front, "newworld", width, dark)
    assert findings(chromium, axe) == []
    screen.begin(players="2", hints="yes")
    for shown in ("", "story-open", "seats-open", "tray-open", "hint-open", "bar"):
        chromium.ask(f"tablePage.sheet.close(); document.getElementById('{shown}')?.click()")
        assert (shown, findings(chromium, axe)) == (shown, [])
    chromium.ask("tablePage.turn.set([{ line: 'RESERCH any' }, { line: 'COLONIZE any' }])")
    chromium.until("document.getElementById('bar').dataset.bad !== undefined")
    assert findings(chromium, axe) == []
    chromium.ask("tablePage.turn.set([])")
    while not screen.over():
        screen.plays()
    assert findings(chromium, axe) == []


def passes(screen: Screen, title: str) -> None:
    """Three tries of nothing are each explained; then the lines are shown, written by a tap, and do it."""
    browser = screen.browser
    browser.until(f"document.getElementById('sheet-title').textContent === {title!r}")
    for number in range(3):
        screen.tap("document.getElementById('lesson-go')")
        said = screen.tries()
        assert "Not yet." in said and "The rule, " in said, (title, said)
        assert bool(browser.ask("document.getElementById('lesson-write') !== null")) == (number == 2)
    browser.ask("delete document.body.dataset.weighed")
    screen.tap("document.getElementById('lesson-write')")
    browser.until("document.body.dataset.weighed")
    said = screen.tries()
    assert "Done." in said, (title, said)


def taps(screen: Screen) -> None:
    """A worker is hired by a tap among what lies nowhere on the map, and claims what he likes by two on it."""
    region = "document.getElementById('map').shadowRoot.querySelector('[data-place=Caribbean]')"
    steps = ("document.getElementById('tray-open')", "HIRE"), (region, "COLONIZE")
    screen.tap("document.getElementById('lesson-go')")
    for number, (opens, verb) in enumerate(steps, 1):
        screen.tap(opens)
        deed = f"[...document.querySelectorAll('#sheet .deed[data-verb={verb}]')].at(-1)"
        screen.browser.until(deed)
        screen.tap(deed)
        screen.browser.until(f"tablePage.turn.lines.length === {number}")
        screen.browser.ask("tablePage.sheet.close()")
    assert "Done." in screen.tries()


def titles(game: str) -> list[str]:
    return [lesson.title for lesson in lessons.of(game_named(game))]


def test_every_lesson_of_new_world_is_passed_by_tapping(front: str, chromium: Browser, axe: str) -> None:
    """Where somebody stopped he goes on; after the last one his first match is a tap away."""
    screen = Screen(chromium, front, "newworld", door="learn")
    assert findings(chromium, axe) == []
    for number, title in enumerate(titles("newworld")):
        passes(screen, title) if number else taps(screen)
        if number == 2:
            chromium.visit(f"{front}?again#learn=newworld", 390)
            chromium.until("document.getElementById('lesson-go')", 180_000)
            passes(screen, title)
        if number < 7:
            screen.tap("document.getElementById('lesson-next')")
    assert findings(chromium, axe) == []
    assert complaints(chromium) == []
    chromium.follow("document.getElementById('lesson-play')")
    chromium.until("document.getElementById('door-begin')", 180_000)


@pytest.mark.parametrize("game", ["war27", "war17", "empire"])
def test_a_lesson_of_each_other_game_is_passed_by_tapping(front: str, chromium: Browser, game: str) -> None:
    """SKIP leads to the next one, and BACK to the one before."""
    screen = Screen(chromium, front, game, 1280, door="learn")
    first, second, *_ = titles(game)
    row = "[...document.querySelectorAll('#sheet .buttons button')].find((one) => one.textContent === '%s')"
    for word, title in (("Skip", second), ("Back", first), ("Skip", second)):
        screen.tap(row % word)
        chromium.until(f"document.getElementById('sheet-title').textContent === {title!r}")
    passes(screen, second)
    assert complaints(chromium) == []
