"""A stranger with a telephone: from "Hi, can I play?" to his first orders played, by doing only what letters and the page say.

    python -m pytest -m slow tests/table/test_stranger.py -s

prints how many letters he wrote, how often he tapped and how many words he had to think of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from referee.adapters.clock_and_secrets import FileClock
from tests.browser import Browser
from tests.kill.running import CONFIG, Running
from tests.table.test_by_link import on_the_web
from tests.world import Mail

pytestmark = pytest.mark.slow

ZOE, REFEREE = "zoe@phone.example", "referee@games.example"
MOST_LETTERS, MOST_TAPS = 3, 12
BUTTON = "[...document.querySelectorAll('a')].find((one) => one.textContent.trim() === {!r})"


@dataclass(frozen=True)
class Draft:
    """A letter that her mail program has open."""

    to: str
    subject: str
    text: str
    answers: str = ""


class Phone:
    """A mail program that opens links, and what it takes to use it: letters sent, taps, words that are typed."""

    def __init__(self, service: Running, browser: Browser, folder: Path) -> None:
        self._service, self._browser, self._page = service, browser, folder / "letter.html"
        self.letters = self.taps = self.words = self._read = 0

    def writes(self, text: str) -> None:
        """A new letter, word by word."""
        self.words += len(text.split())
        self.sends(Draft(REFEREE, "Hello", text))

    def sends(self, draft: Draft) -> None:
        """Tap on Send, and wait for what comes."""
        self.taps += 1
        self.letters += 1
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = ZOE, draft.to, draft.subject
        letter["Message-ID"] = f"<{self.letters}@phone.example>"
        if draft.answers:
            letter["In-Reply-To"] = draft.answers
        letter.set_content(draft.text)
        self._service.send(ZOE, draft.to, letter.as_bytes(policy=SMTP))
        self._service.until("an answer", lambda: self._unread() and not self._service.unhandled())
        self._service.until("the rest of it", lambda: not self._service.unsent())

    def _unread(self) -> bool:
        return len(self._service.mail(ZOE)) > self._read

    def opens(self) -> Mail:
        """Tap on the newest letter: it is shown as wide as the telephone."""
        self.taps += 1
        inbox = self._service.mail(ZOE)
        self._read = len(inbox)
        mail = Mail("letter", inbox[-1].as_bytes(), ZOE)
        self._page.write_text(mail.html, "utf-8")
        self._browser.visit(self._page.as_uri(), 390)
        return mail

    def button(self, words: str) -> str:
        """Tap on a button that stands in the letter: where it leads."""
        self.taps += 1
        found = BUTTON.format(words)
        assert self._browser.spot(f"[{found}]"), f"no button {words!r} can be hit"
        return str(self._browser.ask(f"{found}.href"))

    def turn(self, link: str) -> Draft:
        """The page behind a link, and what a tap on its Send writes: she looks at it, and is content."""
        self._browser.visit("about:blank", 390)
        self._browser.visit(link, 390)
        self._browser.until("!document.getElementById('desk').hidden || !document.getElementById('trouble').hidden")
        assert self._browser.ask("document.getElementById('trouble').hidden"), self._browser.ask(
            "document.body.innerText"
        )
        assert self._browser.ask("document.documentElement.scrollWidth") <= 390
        self.taps += 1
        assert self._browser.spot("[document.getElementById('bar-send')]")
        return draft(str(self._browser.ask("document.getElementById('bar-send').href")))


def draft(link: str) -> Draft:
    """The letter that a link writes."""
    parts = urlsplit(link)
    fields = dict(parse_qsl(parts.query.replace("+", "%2B")))
    return Draft(unquote(parts.path), fields["subject"], fields.get("body", ""), fields.get("in-reply-to", ""))


@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_from_a_first_letter_to_a_first_turn(tmp_path: Path, chromium: Browser, game: str) -> None:
    house, web = tmp_path / "house", tmp_path / "web"
    (house / "var").mkdir(parents=True)
    (house / "config.toml").write_text(CONFIG)
    FileClock(house / "clock").set(datetime(2026, 5, 4, 18, tzinfo=UTC))
    with on_the_web(web) as home:
        service = Running(tmp_path / "running", house, f'[archive]\nfolder = "{web}"\nurl = "{home}"\n')
        try:
            phone = Phone(service, chromium, tmp_path)
            phone.writes("Hi, can I play?")
            phone.opens()
            phone.sends(draft(phone.button(f"PLAY {game}")))
            while "asks whether" in (told := phone.opens()).subject or "was this you" in told.subject:
                phone.sends(draft(phone.button("YES")))
            link = phone.button("Play this turn")
            service.until("the turn beside the page", lambda: bool([*web.glob("*/turns/*.js")]))
            phone.sends(phone.turn(link))
            answer = phone.opens()
        finally:
            service.kill()
            service.buried()
    print(f"{game}: {phone.letters} letters, {phone.taps} taps, {phone.words} words; then: {answer.subject}")
    assert not re.search("INCOMPLETE|NOTHING|NOT DONE", answer.subject), answer.text
    assert "played" in answer.flat or "Play this turn" in answer.text
    assert phone.letters <= MOST_LETTERS and phone.taps <= MOST_TAPS
