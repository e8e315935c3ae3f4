"""A player with a mouse alone: opens his table file on the page, clicks orders together, and reads the letter it wrote.

The mouse is a real one as far as the page can tell: it is moved to where something is shown, and what lies over it is hit instead.
"""

from __future__ import annotations

import functools
import http.server
import json
import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from referee.adapters.pages.site import Site
from referee.bootstrap.ways import publish
from tests.browser import Browser
from tests.world import World

_ENOUGH, _MOST_STEPS = 6, 14
"""After so many steps nothing more is put into an order; one that is decided in more than these is given up."""

_MAP = "document.getElementById('map').shadowRoot"


class Silent(http.server.SimpleHTTPRequestHandler):
    """A web space."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def served(world: World, match: str, folder: Path, engine: Path | None = None) -> Iterator[str]:
    """The address of a match's page in its archive, as a web space has it; with the rules beside it, or without."""
    publish(world.office, Site(folder), match)
    if engine is not None:
        (folder / "engine").symlink_to(engine)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{match}/index.html"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Clicked:
    """What was clicked together: the letter that the link writes, and what the page said of it.

    `verbs` are those of its orders, `refused` the numbers of the lines that the page refuses, `places` how often the map
    was clicked, `stuck` what was begun and led to no line.
    """

    to: str
    subject: str
    text: str
    verbs: tuple[str, ...]
    refused: frozenset[int]
    places: int
    stuck: tuple[str, ...]


class Player:
    """Clicks what the page offers, what it has clicked seldom before the rest; `rules`: whether the page has the referee's."""

    def __init__(self, browser: Browser, front: str, folder: Path, rules: bool, seed: int = 1) -> None:
        """He comes from the front of the match."""
        self._browser, self._file, self._rules = browser, folder / "now.table.json", rules
        self._chance = random.Random(seed)
        self.seen = Counter[str]()
        self._places, self._verbs, self._stuck, self._left = 0, list[str](), list[str](), ""
        browser.visit(front)
        browser.follow("document.querySelector('main a[href=\"table.html\"]')")

    def letter(self, table: dict[str, Any], orders: int = 2) -> Clicked:
        """The letter for a turn, its lines clicked together, and the turn ended with it."""
        self.open(table)
        for number in range(self._count("#questions fieldset")):
            self._answer(f"#questions fieldset:nth-of-type({number + 1})")
        for _ in range(orders if table["choices"]["orders"] else 0):
            self._order()
        refused = self._judged()
        self._press("#ends")
        return self._written(refused)

    def clicked(self, verb: str) -> Clicked:
        """A letter with an order of this verb alone."""
        self._judged()
        self._begun(verb)
        return self._written(self._judged())

    def _written(self, refused: frozenset[int]) -> Clicked:
        link = urlsplit(str(self._browser.ask("document.getElementById('mail').href")))
        fields = dict(part.partition("=")[::2] for part in link.query.split("&"))
        to, subject, text = unquote(link.path), unquote(fields["subject"]), unquote(fields.get("body", ""))
        return Clicked(to, subject, text, tuple(self._verbs), refused, self._places, tuple(self._stuck))

    def open(self, table: dict[str, Any]) -> None:
        """Choose the file, and wait until the page shows it."""
        self._places, self._verbs, self._stuck = 0, list[str](), list[str]()
        self._file.write_text(json.dumps(table), "utf-8")
        self._browser.ask("document.title = ''")
        self._browser.choose_file("#file", self._file)
        title, to = json.dumps(f"{table['phase']} - {table['match']}"), json.dumps(table["reply_to"])
        self._browser.until(f"document.title === {title} && document.getElementById('to').textContent === {to}")
        if self._rules:
            self._browser.until("document.body.dataset.engine === 'ready'")

    # ------------------------------------------------------------ orders

    def _order(self) -> None:
        """One more order, begun on the map or in the list; nothing where none is offered."""
        self._judged()
        if self._chance.random() < 0.5 and (lit := self.lit()):
            self.click_place(self._chance.choice(lit))
        offered = self._browser.ask("[...document.querySelectorAll('#orders .order')].map((one) => one.dataset.verb)")
        if not offered:
            return
        least = min(self.seen[verb] for verb in offered)
        self._begun(self._chance.choice([verb for verb in offered if self.seen[verb] == least]))

    def _begun(self, verb: str) -> None:
        self._press(f"#orders .order[data-verb={json.dumps(verb)}]")
        self.seen[verb] += 1
        if self._steps():
            self._verbs.append(verb)
        else:
            self._stuck.append(f"{verb}: {self._left}")

    def _steps(self) -> bool:
        """Decide until a line is there; False for what leads nowhere, which is given up."""
        for number in range(_MOST_STEPS):
            self._settled()
            if self._browser.ask("document.getElementById('deciding').hidden"):
                return True
            if not self._count("#deciding .option, #deciding .number"):
                break
            if number >= _ENOUGH and self._count("#deciding > .go:enabled"):
                self._press("#deciding > .go")
            else:
                self._decide("#deciding")
        self._settled()
        if self._browser.ask("document.getElementById('deciding').hidden"):
            return True
        self._left = self._browser.ask("document.getElementById('deciding').textContent")
        self._press("#deciding .buttons button:last-child")
        return False

    def _answer(self, host: str) -> None:
        """A question; where it lies on the map, there."""
        options = self._browser.ask(f"[...document.querySelectorAll('{host} .option')].map((one) => one.dataset.word)")
        places = [place for place in self.lit() if place in options]
        if places and not self._count(f"{host} .option[aria-pressed]") and self._chance.random() < 0.5:
            before = self._browser.ask("document.getElementById('sheet').value")
            self.click_place(self._chance.choice(places))
            if self._browser.ask("document.getElementById('sheet').value") != before:
                return
        self._decide(host)

    def _decide(self, host: str) -> None:
        if self._count(f"{host} .number") and self._chance.random() < 0.7:
            if self._chance.random() < 0.5:
                self._press(f"{host} .number [aria-label='One more']")
            self._press(f"{host} .number .go")
            return
        if host == "#deciding" and self._chance.random() < 0.6 and (lit := self.lit()):
            before = self._shown()
            self.click_place(self._chance.choice(lit))
            self._settled()
            if self._shown() != before and not self._count(f"{host} .option[aria-pressed=true]"):
                return
        self._pick(host)

    def _pick(self, host: str) -> None:
        """From the list."""
        options = self._count(f"{host} .option")
        if not options:
            self._press(f"{host} .number .go")
            return
        several = self._count(f"{host} .option[aria-pressed]")
        if not several or not self._count(f"{host} .option[aria-pressed=true]"):
            self._press(f"{host} .option", self._chance.randrange(options))
        if several:
            self._enough(host)

    def _enough(self, host: str) -> None:
        """Pick on until enough is picked, and take it."""
        untaken = f"{host} .option[aria-pressed='false']"
        while self._count(f"{host} > .go:disabled") and self._count(untaken):
            self._press(untaken)
        self._press(f"{host} > .go")

    # ------------------------------------------------------------ the mouse

    def lit(self) -> list[str]:
        """The places on the map that are lit."""
        lit = f"[...({_MAP}?.querySelectorAll('[data-lit]') || [])].map((one) => one.dataset.place)"
        found: list[str] = self._browser.ask(lit)
        return list(dict.fromkeys(found))

    def click_place(self, place: str) -> None:
        """Click a place on the map, wherever it can be hit. Raises LookupError where it cannot."""
        self._places += 1
        self._browser.press(f"[...{_MAP}.querySelectorAll('[data-place={json.dumps(place)}]')]")
        self._settled()

    def hidden_places(self, places: Sequence[str]) -> list[str]:
        """Those of some places that no mouse could hit on the map."""
        query = f"{_MAP}.querySelectorAll('[data-place={{}}]')"
        return [place for place in places if self._browser.spot(f"[...{query.format(json.dumps(place))}]") is None]

    def _press(self, selector: str, number: int = 0) -> None:
        self._browser.press(f"[document.querySelectorAll({json.dumps(selector)})[{number}]]")

    # ------------------------------------------------------------ what the page says

    def _shown(self) -> str:
        return str(
            self._browser.ask(
                "document.getElementById('deciding').textContent + document.getElementById('sheet').value"
            )
        )

    def _judged(self) -> frozenset[int]:
        """The lines the page refuses, once it knows; none where it has no rules."""
        self._settled()
        if not self._rules:
            return frozenset()
        self._browser.until("document.getElementById('lines').dataset.judged !== undefined")
        bad = "[...document.querySelectorAll('#lines li')].filter((one) => one.querySelector('p.bad')).map((one) => one.value)"
        return frozenset(self._browser.ask(bad))

    def _settled(self) -> None:
        self._browser.until("document.getElementById('table').getAttribute('aria-busy') !== 'true'")

    def _count(self, selector: str) -> int:
        return int(self._browser.ask(f"document.querySelectorAll({json.dumps(selector)}).length"))
