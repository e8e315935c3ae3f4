"""Play this turn: a link in a letter opens the turn that lies sealed beside the archive, and the letter back comes of the page."""

from __future__ import annotations

import functools
import http.server
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee.adapters.clock_and_secrets import encrypt
from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from tests.browser import Browser
from tests.kill.running import Running, match_begun
from tests.service.conftest import PLAYERS, begin
from tests.service.test_sealed_turns import online
from tests.table.clicking import Silent
from tests.table.scripts import FOLDER
from tests.verify.node import node
from tests.world import Mail, World

SHOWN = "document.getElementById('who').textContent"
WRITTEN = "tablePage.turn.text()"


class House:
    """A referee and its archive on the web."""

    def __init__(self, world: World, folder: Path, home: str) -> None:
        self.world, self._site = world, Site(folder)
        online(world, home)
        begin(world)

    def published(self) -> None:
        publish(self.world.office, self._site, "nw1")

    @staticmethod
    def link(mail: Mail) -> str:
        """Where a tap on the first button of a letter leads."""
        first = re.search(r'<a [^>]*href="([^"]*)"[^>]*><b>Play this turn</b>', mail.html)
        assert first
        return first[1].replace("&amp;", "&")


@contextmanager
def on_the_web(folder: Path) -> Iterator[str]:
    """A folder as a web server shows it: its address."""
    folder.mkdir()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def house(world: World, tmp_path: Path) -> Iterator[House]:
    folder = tmp_path / "web"
    with on_the_web(folder) as home:
        yield House(world, folder, home)


def opened(browser: Browser, link: str) -> None:
    """Tap on a link in a letter: in a window of its own."""
    browser.visit("about:blank")
    browser.visit(link)
    browser.until("!document.getElementById('desk').hidden || !document.getElementById('trouble').hidden")


def write(browser: Browser, text: str) -> None:
    """Write a letter into the page's own field."""
    browser.ask(
        f"(() => {{ const sheet = document.getElementById('text-lines'); sheet.value = {json.dumps(text)};"
        " sheet.dispatchEvent(new Event('input')); })()"
    )


def trouble(browser: Browser) -> str:
    return str(
        browser.ask("document.getElementById('trouble').hidden ? '' : document.getElementById('trouble').textContent")
    )


@pytest.mark.slow
def test_a_letter_opens_the_turn_by_one_tap(house: House, chromium: Browser) -> None:
    world, who = house.world, house.world.on_turn()
    house.published()
    link = house.link(world.last(who, "started"))
    opened(chromium, link)
    assert trouble(chromium) == "" and "Turn 1" in chromium.ask(SHOWN)
    assert chromium.ask(SHOWN).startswith(world.seat(who))
    assert chromium.ask("location.hash") == "" and chromium.ask("history.length") <= 3
    assert link.partition("&k=")[2][:43] not in chromium.ask(
        "JSON.stringify([location.href, localStorage, sessionStorage])"
    )
    write(chromium, "COLONIZE any\n# I wonder")
    chromium.ask("document.getElementById('ends').click()")
    letter = urlsplit(str(chromium.ask("document.getElementById('mail').href")))
    body = parse_qs(letter.query)["body"][0]
    assert body == "COLONIZE any ;"
    receipt, *_ = world.write(who, body, unquote(letter.path), "Re: my turn")
    assert "COMPLETE" in receipt.subject and world.drawer(world.seat(who), "orders") == ["COLONIZE any"]

    chromium.ask("localStorage.clear(), sessionStorage.clear()")
    opened(chromium, house.link(receipt))
    assert chromium.ask(WRITTEN) == "COLONIZE any", "what is filed came with the link"
    world.reply(who, "ROLL OUT")
    house.published()
    chromium.ask("document.dispatchEvent(new Event('visibilitychange'))")
    chromium.until("!document.getElementById('past').hidden")
    opened(chromium, house.link(receipt))
    assert trouble(chromium).startswith("This turn is over, or is not there yet")


@pytest.mark.slow
def test_two_seats_of_one_browser_stay_apart(house: House, chromium: Browser) -> None:
    world = house.world
    house.published()
    links = {}
    for who in PLAYERS[:2]:
        receipt, *_ = world.reply(who, "SEND table")
        links[world.seat(who)] = house.link(receipt)
    for seat, link in links.items():
        opened(chromium, link)
        assert chromium.ask(SHOWN).startswith(seat)
        write(chromium, f"# {seat}")
    for seat, link in links.items():
        opened(chromium, link)
        assert chromium.ask(WRITTEN) == f"# {seat}", "its letter so far goes on"
        chromium.visit(str(chromium.ask("location.href")))
        chromium.until("!document.getElementById('desk').hidden")
        assert chromium.ask(SHOWN).startswith(seat), "so does the window"


@pytest.mark.slow
def test_a_link_that_is_cut_or_changed_is_told_in_a_sentence(house: House, chromium: Browser) -> None:
    house.published()
    link = house.link(house.world.last(house.world.on_turn()))
    key = link.partition("&k=")[2][:43]
    said = {
        link.partition("&k=")[0]: "This link is not whole",
        link.replace(key, key[:20]): "This link is not whole",
        link.replace(key, ("A" if key[0] != "A" else "B") + key[1:]): "This link does not open this turn",
        re.sub(r"\.\d&k", ".9&k", link): "This link does not open this turn",
        re.sub(r"#t=nw1\.\w{8}", "#t=nw1.aaaaaaaa", link): "This turn is over",
    }
    for address, words in said.items():
        opened(chromium, address)
        assert trouble(chromium).startswith(words), address


@pytest.mark.slow
def test_from_the_disk_it_opens_as_well(world: World, tmp_path: Path, chromium: Browser) -> None:
    house = House(world, tmp_path / "disk", (tmp_path / "disk").as_uri())
    house.published()
    opened(chromium, house.link(world.last(world.on_turn())))
    assert trouble(chromium) == "" and "Turn 1" in chromium.ask(SHOWN)


@pytest.mark.slow
def test_a_real_service_writes_letters_whose_links_open_the_turn(tmp_path: Path, chromium: Browser) -> None:
    """A letter comes in by SMTP, its receipt goes out, the archivist writes the folder, and a browser opens the link."""
    web = tmp_path / "web"
    with on_the_web(web) as home:
        settings = f'[archive]\nfolder = "{web}"\nurl = "{home}"\n'
        service = Running(tmp_path / "running", match_begun(tmp_path / "begun"), settings)
        try:
            service.until("the first letters", lambda: not service.unsent())
            asked = [
                (who, mail) for who in PLAYERS for mail in service.mail(who) if "Your turn" in str(mail["Subject"])
            ]
            ((who, first),) = asked
            letter = f"From: {who}\r\nTo: {first['Reply-To']}\r\nSubject: orders\r\nMessage-ID: <1@x>\r\n\r\nCOLONIZE any ;\r\n"
            service.send(who, str(first["Reply-To"]), letter.encode())

            def answers() -> list[Message]:
                return [mail for mail in service.mail(who) if "<1@x>" in str(mail["In-Reply-To"])]

            service.until("the receipt", lambda: bool(answers()))
            receipt = Mail("receipt", answers()[0].as_bytes(), who)
            service.until("the turn", lambda: bool([*(web / "nw1").glob("turns/*.js")]))
            opened(chromium, House.link(receipt))
            assert trouble(chromium) == "" and "Turn 1" in chromium.ask(SHOWN)
            assert chromium.ask("document.getElementById('text-lines').value") == "COLONIZE any"
        finally:
            service.kill()
            service.buried()


def test_the_page_opens_by_hand_what_the_browser_opens() -> None:
    """Sealed here, opened by hand; what was changed, or is another's, is not. So many bytes as there may be at every edge."""
    cases: list[dict[str, Any]] = []
    for length in (0, 1, 15, 16, 17, 31, 255, 4_096, 65_536):
        key, number, text, about = (
            bytes((at * 7 + length) % 256 for at in range(many)) for many in (32, 12, length, length % 40)
        )
        cases.append(
            {
                "parts": [part.hex() for part in (key, number, encrypt(key, number, text, about), about)],
                "text": text.hex(),
            }
        )
    program = f"""require({json.dumps(str(FOLDER / "table-sealed.js"))});
    const {{ byHand, decrypted }} = globalThis.tableSealed;
    const hex = (found) => found && Buffer.from(found).toString("hex");
    (async () => {{
      const said = [];
      for (const {{ parts, text }} of {json.dumps(cases)}) {{
        const given = parts.map((part) => Uint8Array.from(Buffer.from(part, "hex")));
        const off = (part) => part.map((byte, i) => byte ^ (i === part.length - 1));
        const other = (which) => given.map((part, at) => (at === which ? off(part) : part));
        const both = [hex(byHand(...given)), hex(await decrypted(...given))];
        const changed = [0, 1, 2].map((which) => byHand(...other(which)));
        said.push(both.every((one) => one === text) && changed.every((one) => one === null));
      }}
      console.log(JSON.stringify(said));
    }})();"""
    ran = subprocess.run([node(), "-"], input=program, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(ran.stdout) == [True] * len(cases)
