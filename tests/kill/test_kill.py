"""Killed again and again in the middle of its work, the service loses nothing and does nothing twice."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.header import decode_header, make_header
from functools import cache
from pathlib import Path

import msgspec
import pytest

from referee.adapters.outgoing.postman import mailbox
from referee.bootstrap.offices import opened
from referee.config import load as settings
from referee.service.intake.counter import replay_at_the_counter
from referee.service.match.playing import load
from tests.kill.running import Killed, Running, match_begun
from tests.postgresql import Postgresql
from tests.service.conftest import GINA, PLAYERS
from tests.standins import read_maildir
from tests.steady import STEADY

_SOONEST, _LATEST = 0.001, 0.045


class Line(msgspec.Struct, frozen=True):
    """A step of the conversation: somebody's letter, or time that passes."""

    who: str = ""
    body: str = ""
    minutes: int = 0


WHOLE = 12
"""Turns of a whole conversation: three rounds of New World."""


def conversation(seats: dict[str, str], order: list[str], turns: int = WHOLE) -> Iterator[Line]:
    """A round of four turns and a bit, or more: orders, offers, corrections, turns that run by the clock, overrides, a rewind."""
    for turn in range(turns):
        seat, other = order[turn % 4], order[(turn + 1) % 4]
        yield Line(seats[other], f"OFFER 1 food TO {seat}")
        # Every revival costs a quarter of an hour, so only WAIT keeps a turn from running before its line.
        wait = "" if turn % 4 == 1 else "\nWAIT"
        yield Line(seats[seat], f"RESEARCH any\nHIRE 1 worker\nCOLONIZE any{wait}")
        match turn % 4:
            case 0:
                yield Line(seats[seat], "ROLL OUT")
            case 1:
                yield Line(minutes=45)
            case 2:
                yield Line(seats[seat], "CLEAR\nSTANDING\nRESEARCH any\nEND")
                yield Line(minutes=25 * 60)
            case 3:
                yield Line(GINA, f'ROLL OUT {seat} BECAUSE "overdue"')
        if turn == turns // 2:
            yield Line(GINA, 'PAUSE BECAUSE "tea"\nRESUME')
    yield Line(GINA, f'REWIND TO TURN {turns - 1} BECAUSE "misread"')
    yield Line(GINA, "YES")
    yield Line(GINA, 'ANNOUNCE "That is all."')


TWO_DESKS = "[desk]\nprocesses = 2\n"

Start = Callable[[str], Running]
"""Starts a service with a match begun, everywhere the same, in the folder of this name."""


@pytest.fixture
def one_desk(tmp_path: Path) -> Start:
    """On SQLite, with one desk."""
    template = match_begun(tmp_path / "template")
    return lambda name: Running(tmp_path / name, template)


@pytest.fixture
def two_desks(tmp_path: Path) -> Start:
    """On SQLite, with two desks."""
    template = match_begun(tmp_path / "template")
    return lambda name: Running(tmp_path / name, template, TWO_DESKS)


@pytest.fixture
def on_server(tmp_path: Path, postgresql: Postgresql) -> Start:
    """On PostgreSQL, with two desks."""
    database = postgresql.fresh()
    template = match_begun(tmp_path / "template", database)
    here = database.rpartition("/")[2]
    return lambda name: Running(tmp_path / name, template, TWO_DESKS, postgresql.fresh(here))


class Conversation:
    """Plays the lines against a service, killing it with some of them."""

    def __init__(self, service: Running, kills: Callable[[int], float | None], turns: int = WHOLE) -> None:
        self.service = service
        self.turns = turns
        self.kills = kills
        self.acknowledged: list[str] = []
        with opened(settings(service.folder / "config.toml")) as office, office.look() as at:
            row = at.step.match("nw1")
            assert row is not None
            members = [m for m in at.step.members("nw1") if m.seat]
            players = {m.seat: at.step.player(m.player) for m in members}
            self.seats = {seat: player.addresses[0] for seat, player in players.items() if player}
            self.order = list(load(at, row).outcome.state.living)
        self._settle()  # a reply needs the letter that it answers: those that begin the match are laid down first

    def play(self) -> None:
        """All lines, each handled before the next is written."""
        for number, line in enumerate(conversation(self.seats, self.order, self.turns)):
            with killing(self.service, self.kills(number)):
                self._do(number, line)
            self._settle()
        self.service.clock.advance(timedelta(minutes=16))
        self._settle()

    def _do(self, number: int, line: Line) -> None:
        if line.minutes:
            self.service.clock.advance(timedelta(minutes=line.minutes))
            self._survived(self._quiet)
            return
        raw, to = self._written(number, line)
        self._survived(lambda: self.service.send(line.who, to, raw))
        self.acknowledged.append(f"<line{number}@players.example>")

    def _written(self, number: int, line: Line) -> tuple[bytes, str]:
        last = [m for m in self.service.mail(line.who) if "." in str(m["Reply-To"]).partition("@")[0]][-1]
        to = str(last["Reply-To"])
        head = (
            f"From: {line.who}\r\nTo: {to}\r\nSubject: Re: {number}\r\nMessage-ID: <line{number}@players.example>\r\n"
        )
        dated = "Date: Sat, 21 Nov 2026 12:00:00 +0000\r\n"
        return f"{head}{dated}\r\n{line.body}\r\n".replace("\n", "\r\n").replace("\r\r", "\r").encode(), to

    def _survived(self, act: Callable[[], None]) -> None:
        """Do it, and again after each death in the middle of it."""
        while True:
            try:
                act()
                return
            except Killed:
                self.service.revive()

    def _settle(self) -> None:
        self._survived(self._quiet)

    def _quiet(self) -> None:
        """Wait until every letter is handled, nothing is due, and everything written lies in its mailbox."""
        now = (self.service.clock.now() - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        self.service.until(
            "quiet",
            lambda: (
                not self.service.unhandled()
                and not self.service.rows(
                    "SELECT 1 FROM letter_out WHERE status = 'queued' "
                    f"UNION ALL SELECT 1 FROM alarm WHERE due_at <= {now}"
                )
            ),
        )


@contextmanager
def killing(service: Running, delay: float | None) -> Iterator[None]:
    """Kill the service after so many seconds, whatever it does then; in the end it runs again."""
    if delay is None:
        yield
        return
    before = service.kills
    timer = threading.Timer(delay, service.kill)
    timer.start()
    try:
        yield
    finally:
        timer.join()
    if service.kills == before:
        service.revive()


@contextmanager
def ended(service: Running) -> Iterator[None]:
    """However the test comes out, no process of it is left to be found by another test."""
    try:
        yield
    finally:
        service.process.kill()
        service.process.wait()
        service.process.stdout.close()


def never(_: int) -> float | None:
    return None


def often(seed: int, kills: int) -> Callable[[int], float | None]:
    """A kill with each of the first lines, at a moment that only the seed knows."""
    chance = random.Random(seed)
    return lambda number: chance.uniform(_SOONEST, _LATEST) if number < kills else None


def events(service: Running) -> list[tuple[object, ...]]:
    """The log without the times of what players did: clocks went on while the one service was dead."""
    rows = service.rows("SELECT seq, kind, payload FROM entry ORDER BY seq")
    return [(seq, kind, re.sub(r',"at":\d+', "", str(payload))) for seq, kind, payload in rows]


def outgoing(service: Running) -> Counter[tuple[str, ...]]:
    """Letters out by what they are, without times and log numbers."""
    found: Counter[tuple[str, ...]] = Counter()
    for address in (*PLAYERS, GINA):
        for message in service.mail(address):
            subject = " ".join(str(make_header(decode_header(str(message["Subject"])))).split()).partition(", by ")[0]
            found[address, subject, str(message["In-Reply-To"])] += 1
    return found


@dataclass(frozen=True)
class Calm:
    """What a service that nobody killed has written: its log and its letters."""

    events: list[tuple[object, ...]]
    outgoing: Counter[tuple[str, ...]]


def _params() -> Iterator[object]:
    for begins, few in (("one_desk", 5), ("two_desks", 3), ("on_server", 3)):
        real = [pytest.mark.real] if begins == "on_server" else []
        yield pytest.param(begins, few, 6, marks=real, id=f"{begins}-{few}")
        yield pytest.param(begins, 32, WHOLE, marks=[*real, pytest.mark.slow], id=f"{begins}-32")


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Calm]:
    """A conversation of so many turns as it goes where nobody is killed, with one desk; with more, and on a server, it is to
    go the same way."""

    @cache
    def played(turns: int) -> Calm:
        folder = tmp_path_factory.mktemp("calm")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(STEADY, "1")
            service = Running(folder / "calm", match_begun(folder / "template"))
            with ended(service):
                Conversation(service, never, turns).play()
                service.stop()
        return Calm(events(service), outgoing(service))

    return played


@pytest.mark.parametrize(("begins", "kills", "turns"), [*_params()])
def test_killed_again_and_again_nothing_is_lost_and_nothing_done_twice(
    request: pytest.FixtureRequest,
    begins: str,
    kills: int,
    turns: int,
    calm: Callable[[int], Calm],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(STEADY, "1")  # clocks went on while the one was dead, so its log is another, and else its dice
    start: Start = request.getfixturevalue(begins)
    killed = start("killed")
    talk = Conversation(killed, often(1627, kills), turns)
    with ended(killed):
        talk.play()
        killed.stop()

    assert killed.kills >= kills - 2
    assert sum(killed.met.values()) >= max(1, kills // 6), f"the kills came too late to meet any work: {killed.met}"
    every_acknowledged_letter_is_kept_and_handled_once(killed, talk.acknowledged)
    assert events(killed) == calm(turns).events
    assert outgoing(killed) == calm(turns).outgoing
    each_letter_out_is_delivered_once(killed)
    replays(killed)


def every_acknowledged_letter_is_kept_and_handled_once(service: Running, acknowledged: list[str]) -> None:
    by_status: dict[str, Counter[str]] = {}
    for raw, status in service.rows("SELECT raw, status FROM letter_in JOIN letter_body ON digest = body"):
        found = re.search(rb"Message-ID: (<line\d+@players.example>)", raw if isinstance(raw, bytes) else b"")
        if found:
            by_status.setdefault(found[1].decode(), Counter())[str(status)] += 1
    assert set(by_status) == set(acknowledged)
    assert all(counted["done"] == 1 and set(counted) <= {"done", "duplicate"} for counted in by_status.values())


def each_letter_out_is_delivered_once(service: Running) -> None:
    written = Counter(str(ident) for (ident,) in service.rows("SELECT message_id FROM letter_out"))
    boxes = [mailbox(service.folder / "var" / "mail", address) for address in (*PLAYERS, GINA)]
    laid = Counter(str(ident) for box in boxes for ident in map(_message_id, read_maildir(box)))
    assert laid == written
    assert set(laid.values()) == {1}


def _message_id(raw: bytes) -> str:
    found = re.search(rb"(?im)^Message-ID:\s*(<[^>]+>)", raw)
    assert found is not None
    return found[1].decode()


def replays(service: Running) -> None:
    with opened(settings(service.folder / "config.toml")) as office:
        found = replay_at_the_counter(office, "nw1")
    assert found is not None
    assert found.sound, found.trouble
