"""A player with a mouse alone: opens his table file on the page, clicks orders together, and reads the letter it wrote."""

from __future__ import annotations

import functools
import http.server
import json
import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.browser import Browser
from tests.table.scripts import FOLDER

_MOST_STEPS = 12
"""An order that is decided in more steps than these is given up."""


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, engine: Path | None = None) -> Iterator[str]:
    """The address of the page, as the web space of an archive has it; with the rules beside it, or without."""
    shutil.copytree(FOLDER, folder / "m1", ignore=shutil.ignore_patterns("engine"))
    if engine is not None:
        (folder / "engine").symlink_to(engine)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/m1/table.html"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Clicked:
    """What was clicked together: the letter that the link writes, the verbs of its lines, and what the page refused of it."""

    to: str
    subject: str
    text: str
    verbs: list[str]
    refused: int


class Player:
    """Clicks what the page offers, by chance; `rules`: whether the page has the referee's."""

    def __init__(self, browser: Browser, page: str, folder: Path, rules: bool, seed: int = 1) -> None:
        self._browser, self._page, self._file, self._rules = browser, page, folder / "now.table.json", rules
        self._chance = random.Random(seed)
        browser.visit(page)

    def letter(self, table: dict[str, Any], orders: int = 2) -> Clicked:
        """The letter for a turn, its lines clicked together."""
        self.open(table)
        verbs = list[str]()
        for number in range(self._count("#questions fieldset")):
            self._decide(f"#questions fieldset:nth-of-type({number + 1})")
        for _ in range(orders if table["choices"]["owed"] else 0):
            verbs += self._order()
        self._click("#ends")
        refused = self._judged()
        link = urlsplit(str(self._browser.ask("document.getElementById('mail').href")))
        fields = dict(part.partition("=")[::2] for part in link.query.split("&"))
        return Clicked(unquote(link.path), unquote(fields["subject"]), unquote(fields.get("body", "")), verbs, refused)

    def open(self, table: dict[str, Any]) -> None:
        """Choose the file, and wait until the page shows it."""
        self._file.write_text(json.dumps(table), "utf-8")
        self._browser.ask("document.title = ''")
        self._browser.choose_file("#file", self._file)
        whole = json.dumps(f"{table['phase']} - {table['match']}")
        self._browser.until(
            f"document.title === {whole} && document.getElementById('to').textContent === {json.dumps(table['reply_to'])}"
        )
        if self._rules:
            self._browser.until("document.body.dataset.engine === 'ready'")

    def _order(self) -> list[str]:
        """One more order; nothing where none is offered."""
        self._judged()
        offered = self._browser.ask(
            "[...document.querySelectorAll('#orders h3')].length ? "
            "[...document.querySelector('#orders .orders').children].map((one) => one.dataset.verb) : "
            "[...document.querySelectorAll('#orders .order')].map((one) => one.dataset.verb)"
        )
        if not offered:
            return []
        verb = self._chance.choice(offered)
        self._click(f"#orders .order[data-verb={json.dumps(verb)}]")
        for _ in range(_MOST_STEPS):
            self._settled()
            if self._browser.ask("document.getElementById('steps').hidden"):
                return [verb]
            if not self._count("#steps .option, #steps .number"):
                break
            self._decide("#steps")
        self._settled()
        self._browser.ask("[...document.querySelectorAll('#steps .buttons button')].at(-1)?.click()")
        return []

    def _decide(self, host: str) -> None:
        if self._count(f"{host} .number") and self._chance.random() < 0.7:
            return self._click(f"{host} .number .go")
        options = self._count(f"{host} .option")
        if not options:
            return self._click(f"{host} .number .go")
        several = self._count(f"{host} .option[aria-pressed]")
        number = self._chance.randrange(options)
        self._click(f"{host} .option", number)
        if several:
            self._enough(host)
        return None

    def _enough(self, host: str) -> None:
        """Pick on until enough is picked, and take it."""
        untaken = f"{host} .option[aria-pressed='false']"
        while self._count(f"{host} > .go:disabled") and self._count(untaken):
            self._click(untaken)
        self._click(f"{host} > .go")

    def _judged(self) -> int:
        """How many lines the page refuses, once it knows; 0 where it has no rules."""
        self._settled()
        if not self._rules:
            return 0
        self._browser.until("document.getElementById('lines').dataset.judged !== undefined")
        return int(self._browser.ask("document.getElementById('lines').dataset.judged"))

    def _settled(self) -> None:
        self._browser.until("document.getElementById('table').getAttribute('aria-busy') !== 'true'")

    def _count(self, selector: str) -> int:
        return int(self._browser.ask(f"document.querySelectorAll({json.dumps(selector)}).length"))

    def _click(self, selector: str, number: int = 0) -> None:
        self._browser.ask(f"document.querySelectorAll({json.dumps(selector)})[{number}].click()")
