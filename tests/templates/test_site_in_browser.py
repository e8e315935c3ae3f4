"""The site in a browser: fits telephone and desk, asks no other host for anything, breaks no policy, is stepped through by keys."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from referee.games.war.telling.drawing.marks import SAID
from tests.browser import Browser
from tests.site import small_site

pytestmark = pytest.mark.slow

PAGES = (
    "index.html",
    "ended.html",
    "players.html",
    "autumn/index.html",
    "g/newworld.html",
    "g/empire-rules.html",
    "p/3.html",
    "friday/index.html",
    "war27/index.html",
)


class _Silent(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: Any) -> None:
        """No line for each request."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a small site is served."""
    root = small_site(tmp_path_factory.mktemp("house"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def shown(chromium: Browser) -> Browser:
    """A browser that tells what a page asks for."""
    chromium.watch()
    return chromium


def asked(shown: Browser) -> set[str]:
    """What the page asked for."""
    found = (told["params"]["request"]["url"] for told in shown.told if told["method"] == "Network.requestWillBeSent")
    return {url for url in found if not url.startswith("data:")}


def complaints(shown: Browser) -> list[str]:
    """What the browser or the page had to say: policies broken, files that are not there, programs that failed."""
    said = [told["params"]["entry"]["text"] for told in shown.told if told["method"] == "Log.entryAdded"]
    failed = [str(told["params"]) for told in shown.told if told["method"] == "Runtime.exceptionThrown"]
    return [*said, *failed]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_asks_nobody_else(shown: Browser, served: str, page: str, width: int) -> None:
    shown.visit(f"{served}/{page}", width, dark=width == 390)
    assert shown.ask("document.documentElement.scrollWidth") <= width
    assert asked(shown) and all(url.startswith(f"{served}/") for url in asked(shown))
    assert complaints(shown) == []
    assert [role for role, name in shown.names() if not name.strip()] == []
    told = "document.querySelectorAll('main a, main button, main td')"
    sizes = f"[...{told}].map(e => parseFloat(getComputedStyle(e).fontSize))"
    assert min(shown.ask(sizes)) >= 15


def test_a_report_fits_and_asks_nobody_else(shown: Browser, served: str) -> None:
    shown.visit(f"{served}/war27/index.html", 390, dark=False)
    report = shown.ask("document.querySelector('#turns a').href")
    for width in (390, 1280):
        shown.visit(report, width, dark=False)
        assert shown.ask("document.documentElement.scrollWidth") <= width
        assert complaints(shown) == [] and all(url.startswith(f"{served}/") for url in asked(shown))


def test_the_map_of_a_match_can_be_read_on_a_telephone(shown: Browser, served: str) -> None:
    """It is shown so large that its smallest words have nine pixels, and moved under a finger."""
    shown.visit(f"{served}/war27/index.html", 390, dark=False)
    wide, natural = shown.ask("(map => [map.clientWidth, map.naturalWidth])(document.getElementById('board-map'))")
    assert SAID.size * wide / natural >= 9
    assert shown.ask("(pan => pan.scrollWidth > pan.clientWidth)(document.querySelector('.pan'))")


def test_the_turns_are_stepped_through_by_buttons_that_have_names(shown: Browser, served: str) -> None:
    shown.visit(f"{served}/war27/index.html", 1280, dark=False)
    assert {
        ("button", "Earlier turn"),
        ("button", "Play the turns"),
        ("button", "Later turn"),
        ("slider", "Turn"),
    } <= set(shown.names())
    state = "[document.getElementById('board-map').src, document.getElementById('board-turn').textContent]"
    last = shown.ask(state)
    assert shown.ask("document.querySelector('#steps [aria-label=\"Later turn\"]').disabled")
    shown.ask("document.querySelector('#steps [aria-label=\"Earlier turn\"]').click()")
    before = shown.ask(state)
    assert before[0] != last[0] and before[1] != last[1]
    shown.ask("document.querySelector('#steps [aria-label=\"Later turn\"]').click()")
    assert shown.ask(state) == last
    assert complaints(shown) == []


_FOCUSED = """(() => {
  const e = document.activeElement, r = e.getBoundingClientRect(), s = getComputedStyle(e);
  return [[...document.querySelectorAll('*')].indexOf(e), r.left >= 0 && r.width > 0 && r.height > 0,
    e.matches(':focus-visible') && (parseFloat(s.outlineWidth) >= 2 || s.outlineStyle === 'auto'), e.className];
})()"""
_REACHED = """(() => {
  const every = [...document.querySelectorAll('*')], hidden = e => !e.matches('summary') && e.closest('details:not([open])');
  const stops = [...document.querySelectorAll('a[href], button:not([disabled]), input, summary')];
  return stops.filter(e => e.tabIndex >= 0 && !hidden(e)).map(e => every.indexOf(e));
})()"""


@pytest.mark.parametrize("page", PAGES)
def test_everything_is_reached_by_the_keyboard_in_order_and_seen_there(shown: Browser, served: str, page: str) -> None:
    """The first thing leads past the head of the page."""
    shown.visit(f"{served}/{page}", 1280, dark=True)
    expected = shown.ask(_REACHED)[:40]
    found = []
    for _ in expected:
        shown.strike("Tab", 9)
        found.append(shown.ask(_FOCUSED))
    assert found[0][3] == "skip" and [at for at, *_ in found] == expected == sorted(expected)
    assert all(seen and marked for _, seen, marked, _ in found), found


def test_what_a_page_must_not_do_it_cannot(shown: Browser, served: str) -> None:
    """The policy holds: a style, a program and a picture from elsewhere that somebody smuggled in are refused."""
    shown.visit(f"{served}/index.html", 1280, dark=False)
    shown.ask(
        "(() => { const i = new Image(); i.src = 'http://127.0.0.2:9/x.png'; document.body.append(i);"
        "const s = document.createElement('script'); s.textContent = 'window.got = 1'; document.body.append(s);"
        "document.body.setAttribute('style', 'color: red'); })()"
    )
    assert shown.ask("window.got") is None
    assert sum("Content Security Policy" in said for said in complaints(shown)) >= 2
    failed = [told["params"] for told in shown.told if told["method"] == "Network.loadingFailed"]
    assert [told["blockedReason"] for told in failed] == ["csp"]
