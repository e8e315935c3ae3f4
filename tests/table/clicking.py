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

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from tests.browser import Browser
from tests.world import World

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


_BAD = "tablePage.turn.lines.flatMap((one, at) => (one.bad ? [at + 1] : []))"
"""The numbers of the lines that the page refuses."""


_LOOKED = """(async () => {
  const turned = (open) => (one) => new Promise((done) => {
    one.addEventListener("toggle", done, { once: true });
    one.open = open;
  });
  const folds = [...document.querySelectorAll("#sheet details.more:not([open])")];
  await Promise.all(folds.map(turned(true)));
  while (document.getElementById("desk").getAttribute("aria-busy") === "true") await new Promise((on) => setTimeout(on, 5));
  await Promise.all(folds.map(turned(false)));
})()"""
"""Opens what is folded, which loads it, and folds it again."""


class Player:
    """Taps what the page offers, what it has tapped seldom before the rest; `rules`: whether the page has the referee's."""

    def __init__(self, browser: Browser, front: str, folder: Path, rules: bool, seed: int = 1) -> None:
        """He comes from the front of the match."""
        self._browser, self._file, self._rules = browser, folder / "now.table.json", rules
        self._chance = random.Random(seed)
        self.seen = Counter[str]()
        self._places, self._verbs, self._stuck = 0, list[str](), list[str]()
        self.taps = 0
        self.taps_of = dict[str, list[int]]()
        browser.watch("Log", "Runtime")
        browser.visit(front)
        browser.follow("document.querySelector('main a[href=\"table.html\"]')")

    def letter(self, table: dict[str, Any], orders: int = 2) -> Clicked:
        """The letter for a turn: what is proposed, or not, and orders that are tapped together; the turn is ended with it."""
        self.open(table)
        for number in range(len(table["choices"]["questions"])):
            self._answer(f"#sheet fieldset:nth-of-type({number + 1})")
        if orders and self._count("#sound .proposed") and self._chance.random() < 0.5:
            self.press("#sound button")
        for _ in range(orders):
            self._order()
        return self._written()

    def clicked(self, *verbs: str) -> Clicked:
        """A letter with an order of each of these verbs alone, from the tray or from a place where it begins."""
        self.clear()
        for verb in verbs:
            for place in ("", *self.starts()):
                self._offered(place)
                if self._count(self._deed(verb)):
                    break
            self._take(verb)
        return self._written()

    def clear(self) -> None:
        """Begin with an empty letter."""
        self._browser.ask("tablePage.sheet.close(); tablePage.turn.set([])")
        self.judged()

    def _written(self) -> Clicked:
        """The letter and the lines of it that the page refuses, both of one moment: a tap may still be at work."""
        self._weighed()
        href, bad = self._browser.ask(f"[document.getElementById('mail').href, {_BAD if self._rules else '[]'}]")
        link, refused = urlsplit(str(href)), frozenset[int](bad)
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
        self.judged()

    # ------------------------------------------------------------ orders

    def _order(self) -> None:
        """One more order, begun at a place or in the tray; nothing where none is offered."""
        before, starts = self.taps, self.starts()
        self._offered(self._chance.choice(starts) if starts and self._chance.random() < 0.7 else "")
        offered = self._browser.ask("[...document.querySelectorAll('#sheet .deed')].map((one) => one.dataset.verb)")
        if offered:
            least = min(self.seen[verb] for verb in offered)
            verb = self._chance.choice([verb for verb in offered if self.seen[verb] == least])
            self._take(verb)
            self.taps_of.setdefault(verb, []).append(self.taps - before)

    def _offered(self, place: str) -> None:
        """Have shown what can be done at a place, or nowhere; he knows what lies in the fold, and does not tap it for that."""
        self._browser.ask("tablePage.sheet.close()")
        if place:
            self.tap(place)
        else:
            self.press("#tray-open")
        self._browser.ask(_LOOKED)

    def _deed(self, verb: str) -> str:
        return f"#sheet .deed[data-verb={json.dumps(verb)}]"

    def _take(self, verb: str) -> None:
        before, deed = self._browser.ask("tablePage.turn.text()"), self._deed(verb)
        number = self._chance.randrange(self._count(deed))
        here = f"document.querySelectorAll({json.dumps(deed)})[{number}]"
        if self._browser.ask(f"Boolean({here}.closest('details.more:not([open])'))"):
            self.press("#sheet details.more summary")
        aims = f"{here}?.ariaPressed === 'true'"
        if not self._browser.ask(aims):  # the first of a place is pressed already
            self.press(deed, number)
        if self._browser.ask(aims):
            self._to(self._chance.choice(self.lit()))
        self.seen[verb] += 1
        if (
            self._browser.ask("tablePage.turn.text()") != before
            or self._browser.ask("tablePage.turn.undone.length") > 1
            or self._count("#sheet .done")  # a line that stood there already, made once more
        ):
            self._verbs.append(verb)
            if self._count("#sheet .count [aria-label='One more']:enabled") and self._chance.random() < 0.5:
                self.press("#sheet .count [aria-label='One more']:enabled")
        else:
            self._stuck.append(f"{verb}: {self._browser.ask('document.getElementById(`hint`).textContent')}")

    def _to(self, place: str) -> None:
        """The second tap: on the map, or where it is too small or far by its name."""
        named = f"#sheet .aim[data-place={json.dumps(place)}]"
        if self._chance.random() < 0.5 and self._count(named):
            self.press(named)
        else:
            self.tap(place)

    def _answer(self, host: str) -> None:
        """A question; where it lies on the map, there."""
        options = self._browser.ask(f"[...document.querySelectorAll('{host} .option')].map((one) => one.dataset.word)")
        places = [place for place in self.lit() if place in options]
        if places and not self._count(f"{host} .option[aria-pressed]") and self._chance.random() < 0.5:
            self.tap(self._chance.choice(places))
        elif self._count(f"{host} .number"):
            self.press(f"{host} .number [aria-label='One more']")
            self.press(f"{host} .number .go")
        elif options and not self._count(f"{host} .option[aria-pressed]"):
            self.press(f"{host} .option", self._chance.randrange(len(options)))
        else:
            while self._count(f"{host} > .go:disabled") and self._count(f"{host} .option[aria-pressed='false']"):
                self.press(f"{host} .option[aria-pressed='false']")
            self.press(f"{host} > .go")

    # ------------------------------------------------------------ the mouse

    def lit(self) -> list[str]:
        """The places on the map that are lit."""
        return self._marked("lit")

    def starts(self) -> list[str]:
        """The places on the map at which something begins."""
        return self._marked("starts")

    def _marked(self, mark: str) -> list[str]:
        found: list[str] = self._browser.ask(
            f"[...({_MAP}?.querySelectorAll('[data-{mark}]') || [])].map((one) => one.dataset.place)"
        )
        return list(dict.fromkeys(found))

    def tap(self, place: str) -> None:
        """Tap a place on the map, brought into sight as a finger would. Raises LookupError where it cannot be hit."""
        self._places += 1
        self.taps += 1
        name = json.dumps(place)
        self._browser.ask(f"tablePage.map().reveal([{name}], document.getElementById('map').clientHeight)")
        self._browser.press(f"[...{_MAP}.querySelectorAll('[data-place={name}]')]")
        self._settled()

    def hidden_places(self, places: Sequence[str]) -> list[str]:
        """Those of some places that no mouse could hit on the map."""
        query = f"{_MAP}.querySelectorAll('[data-place={{}}]')"
        return [place for place in places if self._browser.spot(f"[...{query.format(json.dumps(place))}]") is None]

    def press(self, selector: str, number: int = 0) -> None:
        """Press what a selector finds."""
        self.taps += 1
        self._browser.press(f"[document.querySelectorAll({json.dumps(selector)})[{number}]]")
        self._settled()

    # ------------------------------------------------------------ what the page says

    def judged(self) -> frozenset[int]:
        """The lines the page refuses, once it knows; none where it has no rules."""
        self._weighed()
        return frozenset(self._browser.ask(_BAD)) if self._rules else frozenset()

    def _weighed(self) -> None:
        self._settled()
        if self._rules:
            self._browser.until("document.body.dataset.weighed !== undefined")

    def _settled(self) -> None:
        self._browser.until("document.getElementById('desk').getAttribute('aria-busy') !== 'true'")

    def _count(self, selector: str) -> int:
        return int(self._browser.ask(f"document.querySelectorAll({json.dumps(selector)}).length"))


_TAB, _ENTER, _ARROWS = (
    ("Tab", 9),
    ("Enter", 13),
    (("ArrowLeft", 37), ("ArrowUp", 38), ("ArrowRight", 39), ("ArrowDown", 40)),
)
_STOPS = 200
"""So many stops of the Tab key a page may have."""


class Typist(Player):
    """A player without a mouse: Tab leads to all that is pressed, the arrows from place to place on the map."""

    def press(self, selector: str, number: int = 0) -> None:
        """Press what a selector finds."""
        self.taps += 1
        self._reach(f"document.activeElement === document.querySelectorAll({json.dumps(selector)})[{number}]")
        self._browser.strike(*_ENTER)
        self._settled()

    def tap(self, place: str) -> None:
        """Choose a place by its name where the sheet has it, else on the map; there the nearest that the arrows lead to will do."""
        name = json.dumps(place)
        for named in (f"#sheet .aim[data-place={name}]", f"#sheet .option[data-word={name}]"):
            if self._count(named):
                return self.press(named)
        self._places += 1
        self.taps += 1
        focused = f"{_MAP}.activeElement?.dataset.place"
        self._reach(f"document.activeElement?.id === 'map' && {focused}")
        for _ in range(self._chance.randrange(12)):
            if self._browser.ask(focused) == place:
                break
            self._browser.strike(*self._chance.choice(_ARROWS))
        self._browser.strike(*_ENTER)
        return self._settled()

    def _written(self) -> Clicked:
        self._weighed()
        self._reach("document.activeElement?.id === 'mail'")
        return super()._written()

    def _reach(self, condition: str) -> None:
        """Raises LookupError for what no Tab leads to."""
        for _ in range(_STOPS):
            if self._browser.ask(f"Boolean({condition})"):
                return
            self._browser.strike(*_TAB)
        raise LookupError(f"no key leads to it: {condition}")
