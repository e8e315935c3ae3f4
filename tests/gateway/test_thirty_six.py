"""The points of a robust mail gateway, by number. docs/gateway.md is the table of them."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.maildir import Desk, MaildirReader
from referee.adapters.outgoing.postman import GiveUp, Postman, TryLater
from referee.adapters.store.store import Step
from referee.bootstrap.service import Service
from referee.config import load
from referee.core.record import Filed
from referee.mail import parse_recipient, read, token_digest, verp
from referee.service.base.ports import LetterIn, LetterOut
from referee.service.post.tray import written
from tests.agenda import entries, sequence, start
from tests.gateway.conftest import Gateway
from tests.kill.running import CONFIG
from tests.letters.test_corpus import letter as from_corpus
from tests.service.conftest import GINA
from tests.standins import SeededSecrets
from tests.world import ADDRESS, World


def stored(world: World) -> list[LetterIn]:
    with world.store.look() as step:
        return step.letters("new", 100)


class Wire:
    """A session by hand: the smtplib of Python reads one LMTP answer where there are several."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._lines = self._socket.makefile("rb")
        self.line()

    def line(self) -> str:
        return self._lines.readline().decode().rstrip()

    def ask(self, said: bytes) -> str:
        self._socket.sendall(said + b"\r\n")
        while (answer := self.line())[3:4] == "-":
            pass
        return answer

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def session(port: int, *recipients: str, hello: bytes = b"EHLO x") -> Wire:
    """A session that is about to say DATA; all recipients were taken."""
    wire = Wire(port)
    wire.ask(hello)
    wire.ask(b"MAIL FROM:<anna@players.example>")
    for recipient in recipients:
        assert wire.ask(f"RCPT TO:<{recipient}>".encode()).startswith("250")
    return wire


# ---------------------------------------------------------------- taken safely


def test_01_raw_bytes_are_committed_before_the_250(gateway: Gateway) -> None:
    raw = gateway.letter("Subject: s", body=".dot\r\n\xe4 8 bit")
    with closing(session(gateway.listen(), gateway.desk)) as wire:
        wire.ask(b"DATA")
        assert stored(gateway.world) == []
        assert wire.ask(raw.replace(b"\r\n.", b"\r\n..") + b".").startswith("250")
        (row,) = stored(gateway.world)
    assert row.raw == raw


def test_01_raw_bytes_are_committed_before_the_move(gateway: Gateway, tmp_path: Path) -> None:
    box = tmp_path / "box"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    (box / "new" / "1.x.y").write_bytes(gateway.letter())
    never: Future[None] = Future()
    never.set_exception(OSError("disk full"))
    spool = Spool(gateway.world.store)
    spool.start()
    in_the_way: list[bool] = []

    def put(rows: Sequence[LetterIn]) -> Future[None]:
        safe = spool.put(rows)
        safe.result(timeout=10)
        in_the_way.append((box / "new" / "1.x.y").exists())
        return safe

    assert MaildirReader(box, Desk(ADDRESS), gateway.world.clock, lambda rows: never, 1.0).collect() == 0
    assert (box / "new" / "1.x.y").exists(), "what is not stored is not moved"
    assert MaildirReader(box, Desk(ADDRESS), gateway.world.clock, put, 1.0).collect() == 1
    spool.stop()
    assert in_the_way == [True], "it still lay in new when it was in the store"
    assert [*(box / "new").iterdir()] == []
    assert [row.raw for row in stored(gateway.world)] == [gateway.letter()]


def killed_at(number: int, folder: Path) -> bool:
    """Handle what has come in a process that is killed as it begins its statement of this number; whether it was."""
    child = os.fork()
    if not child:
        world = World(folder, first=5_000)
        count = 0

        def counted(*_: Any) -> None:
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(world.store.engine, "checkout", lambda driver, *_: driver.set_trace_callback(counted))
        world.work()
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_02_killed_at_every_step_a_letter_is_done_once(gateway: Gateway, tmp_path: Path) -> None:
    """Each statement, BEGIN and COMMIT of handling one letter is the last of a process once; then it is done in peace."""
    world = gateway.world
    before = len(world.all_mail())
    world.put(gateway.letter("Message-ID: <one@x>"), gateway.player, gateway.desk)
    world.close()
    number = 1
    while killed_at(number, tmp_path):
        number += 1
    after = World(tmp_path, first=9_000)
    assert number > 10
    assert after.work() is not None
    assert after.drawer(gateway.seat, "orders") == ["RESEARCH any"]
    assert len(after.log(Filed)) == 1
    assert len(after.all_mail()) == before + 1
    assert [len(after.letters(status)) for status in ("new", "duplicate", "shunted")] == [0, 0, 0]
    after.close()


def test_03_two_unique_keys_guard_against_copies(gateway: Gateway) -> None:
    raw = gateway.letter("Message-ID: <one@x>")
    gateway.world.put(raw, gateway.player, gateway.desk, transport="imap:box:7:1")
    gateway.world.put(raw, gateway.player, gateway.desk, transport="imap:box:7:1")
    assert len(stored(gateway.world)) == 1, "one transport key, one row"
    gateway.world.put(raw, gateway.player, gateway.desk, transport="imap:box:8:1")
    (receipt,) = gateway.world.work()
    assert receipt.to == gateway.player
    assert len(gateway.world.log(Filed)) == 1, "one logical key, handled once"
    for column in ("transport", "logical"):
        with pytest.raises(IntegrityError), gateway.world.store.engine.begin() as db:
            db.execute(text(f"UPDATE letter_in SET {column} = 'same'"))


def test_04_without_a_message_id_the_bytes_are_the_identity(gateway: Gateway) -> None:
    for _ in range(2):
        gateway.world.put(gateway.letter(), gateway.player, gateway.desk)
    assert len(gateway.world.work()) == 1
    (other,) = gateway.send(gateway.letter(body="HIRE any"))
    assert "COMPLETE" in other.subject
    assert gateway.sheet == ["HIRE any"]


def test_05_a_mailbox_numbered_anew_makes_no_letter_count_twice(gateway: Gateway) -> None:
    """UIDVALIDITY is in the transport key, so nothing new is taken for old; the logical key tells what is old.

    tests/real/test_imap.py does the same with a Dovecot whose UIDVALIDITY changes.
    """
    first, other = gateway.letter("Message-ID: <one@x>"), gateway.letter("Message-ID: <two@x>", body="HIRE any")
    gateway.world.put(first, gateway.player, gateway.desk, transport="imap:box:INBOX:100:1")
    assert len(gateway.world.work()) == 1
    gateway.world.put(other, gateway.player, gateway.desk, transport="imap:box:INBOX:107:1")
    gateway.world.put(first, gateway.player, gateway.desk, transport="imap:box:INBOX:107:2")
    assert len(gateway.world.work()) == 1
    assert gateway.sheet == ["HIRE any"]
    assert len(gateway.world.letters("duplicate")) == 1


class FullDisk:
    """A store whose disk is full."""

    def step(self) -> Any:
        raise OSError("No space left on device")


def test_06_an_exception_or_a_full_disk_gives_451(gateway: Gateway) -> None:
    def breaks(_: str) -> Any:
        raise ZeroDivisionError("a fault of ours")

    with closing(Wire(gateway.listen(accepts=breaks))) as wire:
        wire.ask(b"EHLO x")
        wire.ask(b"MAIL FROM:<a@b.example>")
        answer = wire.ask(b"RCPT TO:<referee@games.example>")
        assert answer.startswith("451") and "ZeroDivision" not in answer
    with closing(session(gateway.listen(into=FullDisk()), gateway.desk)) as wire:
        wire.ask(b"DATA")
        answer = wire.ask(gateway.letter() + b".")
        assert answer.startswith("451") and "space" not in answer


def test_07_lmtp_answers_once_for_each_recipient(gateway: Gateway) -> None:
    """tests/real/test_postfix.py shows that Postfix then delivers each of two recipients once."""
    with closing(session(gateway.listen("lmtp"), ADDRESS, gateway.desk, hello=b"LHLO x")) as wire:
        wire.ask(b"DATA")
        assert wire.ask(gateway.letter() + b".").startswith("250")
        assert wire.line().startswith("250")
        assert wire.ask(b"NOOP").startswith("250 ")
    assert [row.recipient for row in stored(gateway.world)] == [ADDRESS, gateway.desk]


def test_08_a_poison_letter_is_retried_shunted_and_told(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    good = Step.append

    def poisoned(step: Step, entries: Any) -> None:
        raise RuntimeError("poison")

    monkeypatch.setattr(Step, "append", poisoned)
    (sorry,) = gateway.send(gateway.letter())
    assert "it is kept and a person looks at it" in sorry.flat
    (shunted,) = gateway.world.letters("shunted")
    assert shunted.attempts == gateway.world.office.limits.attempts
    assert shunted.raw == gateway.letter()
    monkeypatch.setattr(Step, "append", good)
    (receipt,) = gateway.send(gateway.letter(body="HIRE any"))
    assert "COMPLETE" in receipt.subject


def test_09_a_token_nobody_gave_out_is_refused_with_550(gateway: Gateway, tmp_path: Path) -> None:
    """By the whole service, on the database of the match."""
    (tmp_path / "config.toml").write_text(CONFIG.replace('"var"', '"."'))
    FileClock(tmp_path / "clock").set(gateway.world.clock.now())
    service = Service(load(tmp_path / "config.toml"))
    port = service.start()
    try:
        with closing(session(port, gateway.desk, ADDRESS)) as wire:
            for nobody in ("referee+nw1.aaaaaaaaaaaaaaaa@games.example", "root@games.example", "referee@else.example"):
                assert wire.ask(f"RCPT TO:<{nobody}>".encode()).startswith("550")
    finally:
        service.stop()


# ---------------------------------------------------------------- machines


SIGNS = (
    "Auto-Submitted: auto-replied", "Precedence: junk", "List-Id: <x.example>", "X-Autoreply: yes",
    "X-Autorespond: away", "X-FC-MachineGenerated: true", "X-Failed-Recipients: a@b.example", "Subject: Abwesenheitsnotiz",
    "Content-Identifier: auto-reply", "Content-Type: multipart/report; boundary=b", "Sender-Is: MAILER-DAEMON",
)  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
def test_10_any_single_sign_of_a_machine_is_enough(gateway: Gateway, sign: str) -> None:
    daemon = "mailer-daemon@players.example" if sign.startswith("Sender-Is") else ""
    assert gateway.send(gateway.letter(sign, sender=daemon)) == []
    (ignored,) = gateway.world.letters("ignored")
    assert "an automatic letter (" in ignored.verdict
    assert gateway.sheet == []


def test_11_a_wish_for_no_automatic_answer_is_no_sign_of_a_machine(gateway: Gateway) -> None:
    (receipt,) = gateway.send(gateway.letter("X-Auto-Response-Suppress: All", "Auto-Submitted: no"))
    assert "COMPLETE" in receipt.subject
    assert gateway.sheet == ["RESEARCH any"]


def test_12_automatic_mail_is_never_answered(gateway: Gateway) -> None:
    """Not even where it is a mistake, too long, or to an address that nobody gave out."""
    port = gateway.listen()
    assert gateway.send(gateway.letter("Auto-Submitted: auto-replied", body="gibberish"), port) == []
    assert gateway.send(gateway.letter("Auto-Submitted: auto-replied", body="x " * 600_000), port) == []
    gateway.desk = "referee+nw1.aaaaaaaaaaaaaaaa@games.example"
    assert gateway.send(gateway.letter("Auto-Submitted: auto-replied"), port) == []
    assert gateway.send(gateway.letter("Auto-Submitted: auto-replied"), port, envelope="") == []


def test_12_a_persons_letter_whose_envelope_a_relay_emptied_is_his(gateway: Gateway) -> None:
    """Bounces have no envelope sender; that alone makes none of a letter with his token, his From and orders."""
    (receipt,) = gateway.send(gateway.letter(), gateway.listen(), envelope="")
    assert "COMPLETE" in receipt.subject and gateway.sheet == ["RESEARCH any"]


def test_13_two_auto_responders_without_a_header_fall_silent(gateway: Gateway) -> None:
    answered = 0
    for number in range(30):
        mails = gateway.world.reply(gateway.player, f"I am away until Monday ({number}).")
        answered += len([mail for mail in mails if mail.to == gateway.player])
    assert answered == 1 + (gateway.world.office.limits.refusals_a_day + 1) // 2, "the first is a letter like any other"
    (receipt,) = gateway.send(gateway.letter())
    assert "COMPLETE" in receipt.subject, "orders are taken and answered all the same"


def test_14_one_rejection_for_each_sender_and_reason_a_day(gateway: Gateway) -> None:
    """The same letter sent wrongly again and again is told once; another fault is told as well; all is kept."""
    stale = gateway.desk.replace("nw1.", "nw1.aaaa")
    mails = [mail for number in range(8) for mail in gateway.world.write(gateway.player, f"HIRE {number}", stale)]
    assert [(mail.kind, mail.to) for mail in mails] == [("refusal", gateway.player)]
    (other,) = gateway.world.write(gateway.player, "HIRE 1\n" * 200_000, gateway.desk)
    assert other.kind == "refusal" and "lines and I read up to" in other.flat
    (receipt,) = gateway.send(gateway.letter())
    assert "COMPLETE" in receipt.subject
    gateway.world.clock.advance(timedelta(days=1, minutes=1))
    gateway.world.work()
    assert [mail.kind for mail in gateway.world.write(gateway.player, "HIRE 1", stale)] == ["refusal"]


def test_15_a_letter_of_ours_that_comes_back_is_known(gateway: Gateway) -> None:
    own = gateway.world.last(gateway.player)
    assert gateway.send(own.raw) == []
    assert gateway.world.letters("ignored")[-1].verdict.startswith("our own letter came back")


def test_16_a_bounce_comes_back_to_an_address_that_names_the_letter(gateway: Gateway) -> None:
    with gateway.world.store.look() as step:
        out = step.outgoing("nw1")[-1]
    gateway.desk = verp(ADDRESS, out.id)
    assert gateway.send(from_corpus("bounce-dsn"), envelope="") == []
    (row,) = gateway.world.letters("ignored")
    assert (row.sender, row.recipient) == ("", gateway.desk)
    route = parse_recipient(row.recipient, ADDRESS)
    assert route is not None and route.bounce == out.id


# ---------------------------------------------------------------- who writes


def test_17_tokens_are_looked_up_by_their_digest(gateway: Gateway, tmp_path: Path) -> None:
    """What is compared is a SHA-256, of which no time of comparison tells anything; the token itself is not kept."""
    token = gateway.desk.partition(".")[2].partition("@")[0]
    with gateway.world.store.look() as step:
        kept = step.token(token_digest(token))
        assert kept is not None and kept.digest == token_digest(token) != token
    with gateway.world.store.engine.begin() as db:
        rows = db.execute(text("SELECT * FROM token")).fetchall()
    assert rows and not any(token in str(value) for row in rows for value in row)
    (refusal,) = gateway.world.write(gateway.player, "RESEARCH any", gateway.desk.replace(token, token[:-1] + "2"))
    assert refusal.kind == "refusal" or token.endswith("2")


def test_18_the_envelope_counts_before_the_headers(gateway: Gateway) -> None:
    """Delivered-To of our own server comes next, then what its sender wrote."""
    raw = gateway.letter().replace(gateway.desk.encode(), b"somebody@else.example")
    (receipt,) = gateway.send(raw)
    assert "COMPLETE" in receipt.subject
    desk = Desk(ADDRESS)
    now = gateway.world.clock.now()
    delivered = f"Delivered-To: {gateway.desk}\r\n".encode() + raw
    assert desk.row("x", delivered, now).recipient == gateway.desk.lower()
    assert desk.row("x", gateway.letter(), now).recipient == gateway.desk.lower()
    assert desk.row("x", gateway.letter(), now, recipient=ADDRESS).recipient == ADDRESS
    assert read(delivered).recipients[0] == gateway.desk.lower()


@pytest.mark.parametrize("server", ["mx.evil.example", "games.example", "localhost", ""])
def test_19_authentication_results_of_nobodys_server_are_not_believed(gateway: Gateway, server: str) -> None:
    """No server is configured as trusted, so whatever such a header says, its letter is asked to be confirmed."""
    claims = (
        f"Authentication-Results: {server}; dmarc=pass header.from=players.example; dkim=pass header.d=players.example"
    )
    gateway.desk = ADDRESS
    (challenge,) = gateway.send(gateway.letter(claims))
    assert "please confirm your letter" in challenge.subject
    assert challenge.to == gateway.player
    assert gateway.sheet == []


def test_20_two_mailboxes_in_from_never_pass_for_one(gateway: Gateway) -> None:
    for raw in (
        b"From: eve@x.example\r\n" + gateway.letter(),
        gateway.letter(sender=f"{gateway.player}, eve@x.example"),
    ):
        assert read(raw).from_count == 2
        for mail in gateway.send(raw):
            assert mail.to == gateway.player, "whoever bears the token, the answer goes to the seat's own address"


def test_21_a_token_used_from_elsewhere_is_told_to_its_owner(gateway: Gateway) -> None:
    mails = gateway.send(gateway.letter(sender="eve@elsewhere.example"), envelope="eve@elsewhere.example")
    assert gateway.player in [mail.to for mail in mails]
    assert "eve@elsewhere.example" not in [mail.to for mail in mails]


# ---------------------------------------------------------------- reading


CRASHES = {
    22: "Message-ID: <[x]@[y].OUTLOOK.COM>",
    23: "Reply-To: =?utf-8?q?a=0Ab?= <a@b.example>",
    24: "Cc: (c):",
    25: "Content-Type: text/plain; name*",
}


@pytest.mark.parametrize("number", CRASHES)
def test_22_to_25_headers_that_crash_the_standard_library(gateway: Gateway, number: int) -> None:
    (receipt,) = gateway.send(gateway.letter(CRASHES[number]))
    assert "COMPLETE" in receipt.subject
    assert gateway.sheet == ["RESEARCH any"]


def content(name: str) -> bytes:
    """A letter of the corpus from its first MIME header on."""
    return b"MIME-Version" + from_corpus(name).split(b"MIME-Version", 1)[1]


def from_player(gateway: Gateway, name: str) -> list[str]:
    """The sheet on file after a letter of the corpus, sent as the player on turn."""
    head = f"From: {gateway.player}\r\nTo: {gateway.desk}\r\n".encode()
    gateway.send(head + content(name))
    return gateway.sheet


THREE = ["RESEARCH Law, any KEEPING 2 gold", "HIRE 1 worker", "COLONIZE any"]


@pytest.mark.parametrize(
    "name", ["utf-16", "koi8-r", "iso-8859-1-is-utf-8", "charset-unknown", "charset-missing-8-bit"]
)
def test_26_charsets(gateway: Gateway, name: str) -> None:
    assert from_player(gateway, name) == THREE


@pytest.mark.parametrize("name", ["html-only", "outlook-html-only", "gmail-html-only", "html-table"])
def test_27_html_alone(gateway: Gateway, name: str) -> None:
    assert from_player(gateway, name) == THREE


def test_28_answers_between_quoted_lines(gateway: Gateway) -> None:
    assert from_player(gateway, "interleaved") == THREE
    receipt = gateway.world.last(gateway.player, "receipt")
    assert "What do you research?" in receipt.flat, "what was not read is listed"


def test_29_one_bad_line_changes_no_other(gateway: Gateway) -> None:
    assert from_player(gateway, "one-bad-line") == THREE
    assert "HIRE 1 wrkr" in gateway.world.last(gateway.player, "receipt").text


def test_30_limits(gateway: Gateway) -> None:
    """Size, orders, and parts are bounded; the time of any letter is bounded by them (tests/fuzz measures it)."""
    port = gateway.listen()
    (large,) = gateway.send(gateway.letter(body="RESEARCH any\r\n" * 100_000), port)
    assert "the text after the first 1,000,000 bytes was not read" in large.flat
    (many,) = gateway.send(gateway.letter(body="RESEARCH any\r\n" * 3_000), port)
    assert "3,000 lines and I read up to" in many.flat
    parts = "--b\r\n\r\nRESEARCH any\r\n" * 5_000
    gateway.send(gateway.letter("Content-Type: multipart/mixed; boundary=b", body=parts), port)
    assert "too many parts: some were not read" in read(gateway.world.letters("done")[-1].raw).defects
    assert all(line == "RESEARCH any" for line in gateway.sheet)


@pytest.mark.parametrize("name", ["boundary-missing", "boundary-unclosed", "base64-broken", "quoted-printable-broken"])
def test_31_mime_defects_are_noted_and_the_letter_is_read(gateway: Gateway, name: str) -> None:
    assert from_player(gateway, name) == THREE


# ---------------------------------------------------------------- letters out


def test_32_the_letter_out_is_of_the_same_transaction(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the last write of a step fails there is no order, no answer, and no mark that the letter was handled."""
    before, mails = gateway.world.entries(), len(gateway.world.all_mail())
    good, failures = Step.finish_letter, [1]

    def fails_once(step: Step, *args: Any, **options: Any) -> None:
        if failures:
            failures.pop()
            assert len(step.outgoing("nw1")) > mails - 2, "the answer has been written into this very step"
            raise OSError("disk full")
        good(step, *args, **options)

    monkeypatch.setattr(Step, "finish_letter", fails_once)
    gateway.world.put(gateway.letter(), gateway.player, gateway.desk)
    seen: list[tuple[int, int]] = []
    retry = Step.retry_letter

    def looks(step: Step, id: int, verdict: str) -> int:
        seen.append((len(step.entries("nw1")), len(step.outgoing("nw1"))))
        return retry(step, id, verdict)

    monkeypatch.setattr(Step, "retry_letter", looks)
    receipts = gateway.world.work()
    assert [count for count, _ in seen] == [len(before)]
    assert len(receipts) == 1 and gateway.sheet == ["RESEARCH any"]


class Relay:
    """A relay that says what it is told to, and keeps the bytes it was shown."""

    def __init__(self, *answers: Exception | None) -> None:
        self.answers = list(answers)
        self.shown: list[tuple[str, bytes]] = []

    def send(self, letter: LetterOut) -> None:
        self.shown.append((letter.message_id, letter.raw))
        answer = self.answers.pop(0) if self.answers else None
        if answer is not None:
            raise answer

    def knock(self) -> None:
        return None

    def close(self) -> None:
        return None


def postman(gateway: Gateway, relay: Relay) -> Postman:
    """A postman whose outbox holds a single letter: the receipt of a letter just sent."""
    world = gateway.world
    write = partial(written, world.office)
    Postman(world.store, [Relay()], world.clock, SeededSecrets("s"), write=write).deliver(limit=1000)
    gateway.send(gateway.letter())
    return Postman(world.store, [relay], world.clock, SeededSecrets("s"), write=write)


def test_33_a_retry_sends_identical_bytes(gateway: Gateway) -> None:
    relay = Relay(TryLater("connection lost"), TryLater("451 busy"))
    man = postman(gateway, relay)
    for _ in range(3):
        man.deliver()
        gateway.world.clock.advance(timedelta(hours=5))
    assert len(relay.shown) == 3
    assert len(set(relay.shown)) == 1


def test_34_a_4xx_is_tried_again_and_a_5xx_given_up(gateway: Gateway) -> None:
    relay = Relay(TryLater("451 busy"), GiveUp("550 no such user"))
    man = postman(gateway, relay)
    man.deliver()
    man.deliver()
    assert len(relay.shown) == 1, "not at once"
    for _ in range(3):
        gateway.world.clock.advance(timedelta(hours=5))
        man.deliver()
    assert len(relay.shown) == 2, "and never after a 5xx"
    with gateway.world.store.look() as step:
        assert [out.error for out in step.outgoing("nw1") if out.status == "failed"] == ["550 no such user"]


def test_35_every_letter_says_that_a_machine_wrote_it_and_where_to_answer(gateway: Gateway) -> None:
    (receipt,) = gateway.send(gateway.letter("Message-ID: <mine@x>"))
    said = receipt.message
    assert said["Auto-Submitted"] == "auto-replied" and said["X-Auto-Response-Suppress"] == "All"
    assert said["X-Referee-Loop"] and said["List-Id"] and said["Date"] and said["Message-ID"]
    assert said["In-Reply-To"] == "<mine@x>" and "<mine@x>" in str(said["References"])
    assert receipt.reply_to == gateway.desk
    gateway.world.reply(GINA, "ANNOUNCE hello")
    assert gateway.world.all_mail()[-1].message["Auto-Submitted"] in ("auto-generated", "auto-replied")


def test_36_each_deadline_is_a_calendar_entry_that_is_replaced_and_withdrawn(gateway: Gateway) -> None:
    """One UID for good; a later letter replaces it (SEQUENCE grows) or takes it out (CANCEL)."""
    world, player = gateway.world, gateway.player
    (first,) = entries(world.last(player))["PUBLISH"]
    world.reply(GINA, f"DEADLINE +6h FOR {world.waits_for()}")
    (moved,) = entries(world.last(player))["PUBLISH"]
    assert moved["UID"] == first["UID"] and sequence(moved) > sequence(first)
    assert start(moved) - start(first) == timedelta(hours=6)
    world.reply(player, "ROLL OUT")
    (over,) = entries(world.last(player, "report"))["CANCEL"]
    assert over["UID"] == first["UID"] and over["STATUS"] == "CANCELLED"
    assert sequence(over) > sequence(moved)


# ---------------------------------------------------------------- the table


def test_the_table_names_a_test_for_every_point() -> None:
    table = (Path(__file__).parents[2] / "docs" / "gateway.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*\| (.+) \|$", table, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 37))
    here = Path(__file__).read_text(encoding="utf-8")
    for number, shown in rows:
        for name in re.findall(r"`(test_\d\w+)`", shown):
            assert f"def {name}(" in here, number
    named = set(re.findall(r"`(test_\d\w+)`", table))
    assert named == set(re.findall(r"^def (test_\d\w+)\(", here, re.MULTILINE))
