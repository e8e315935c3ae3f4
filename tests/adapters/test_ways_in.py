"""Letters from a Maildir and from a pipe, and how an envelope is read where no server tells it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.adapters.incoming.imap import Reconnecting
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.maildir import Desk, Envelope, MaildirReader, envelope, left_behind, take
from referee.adapters.store.store import Store
from referee.mail import read
from referee.mail.headers import head_of
from referee.service.base.ports import LetterIn
from tests.program import Program
from tests.service.conftest import ANNA, GINA, begin
from tests.standins import FakeClock
from tests.world import ADDRESS, World

DESK = Desk("referee@localhost", max_bytes=1000)
LETTER = b"From: Anna <anna@example.org>\r\nTo: referee@localhost\r\nMessage-ID: <1@x>\r\n\r\nHOLD\r\n"


def stored(store: Store) -> list[LetterIn]:
    with store.look() as look:
        return look.letters("new", 1000)


# ------------------------------------------------------------ the envelope


@pytest.mark.parametrize(
    ("headers", "recipient"),
    [
        ("Delivered-To: referee+nw1.abcd2345@localhost\nTo: someone@else", "referee+nw1.abcd2345@localhost"),
        ("Delivered-To: REFEREE+nw1.ABCD2345@LOCALHOST", "referee+nw1.abcd2345@localhost"),
        ("X-Original-To: referee+bounce=7@localhost\nTo: referee@localhost", "referee+bounce=7@localhost"),
        # A server that cuts off what stands behind the plus says less than the letter itself.
        ("Delivered-To: referee@localhost\nTo: referee+nw1.abcd2345@localhost", "referee+nw1.abcd2345@localhost"),
        (
            "Delivered-To: box77@provider\nTo: x@y, Referee <referee+nw1.abcd2345@localhost>",
            "referee+nw1.abcd2345@localhost",
        ),
        # The topmost is the last server's, which is ours.
        (
            "Delivered-To: referee+a.aaaaaaaa@localhost\nDelivered-To: referee+b.bbbbbbbb@localhost",
            "referee+a.aaaaaaaa@localhost",
        ),
        ("Cc: referee@localhost\nTo: x@y", "referee@localhost"),
        ("Subject: nothing else", "referee@localhost"),
        ("X-Envelope-To: referee+nw1.abcd2345@localhost", "referee@localhost"),
    ],
)
def test_the_recipient_is_found(headers: str, recipient: str) -> None:
    raw = f"{headers}\nFrom: anna@example.org\n\nHOLD\n".encode()
    assert DESK.row("t", raw, datetime.now(UTC)).recipient == recipient


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        ("Return-Path: <bob@x>\nFrom: anna@example.org", "bob@x"),
        ("Return-Path: <>\nFrom: anna@example.org", ""),
        ("From: Anna <ANNA@example.org>", "anna@example.org"),
        ("Subject: nobody", ""),
    ],
)
def test_the_sender_is_found(headers: str, sender: str) -> None:
    assert DESK.row("t", f"{headers}\n\nHOLD\n".encode(), datetime.now(UTC)).sender == sender


def test_only_headers_count_for_the_envelope() -> None:
    raw = b"From: anna@example.org\r\n\r\nTo: referee+nw1.abcd2345@localhost\r\n"
    assert DESK.row("t", raw, datetime.now(UTC)).recipient == "referee@localhost"


@pytest.mark.parametrize(
    "raw", [b"", b"\n", b"\xff\xfe\x00", b"To: (c):\n\n", b"To: <[x]@[y]>\nFrom: =?utf-8?q?=ff?=\n\n"]
)
def test_any_bytes_make_a_row(raw: bytes) -> None:
    assert DESK.row("t", raw, datetime.now(UTC)).raw == raw


def test_what_is_left_of_a_letter_too_large_still_names_its_writer() -> None:
    kept = left_behind(head_of(LETTER), 12_345_678)
    assert kept.startswith(b"X-Referee-Letter-Size: 12345678\r\n")
    letter = read(kept)
    assert (letter.sender, letter.message_id, letter.text.strip()) == ("anna@example.org", "<1@x>", "")


def test_the_writer_of_a_letter_too_large_is_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    begin(world)
    kept = left_behind(f"From: {ANNA}\r\nSubject: x\r\nMessage-ID: <big@x>\r\n\r\n".encode(), 12_345_678)
    world.put(kept, ANNA, ADDRESS)
    (answer,) = world.work()
    assert answer.to == ANNA
    assert "11.8 MB" in answer.flat
    world.close()


def test_waits_double_up_to_the_longest_and_chance_takes_off_half() -> None:
    patience = Reconnecting(1.0, 300.0)
    assert [patience.wait(n, 0.0) for n in range(4)] == [1.0, 2.0, 4.0, 8.0]
    assert patience.wait(1000, 0.0) == 300.0
    assert patience.wait(1000, 0.5) == 225.0


# ------------------------------------------------------------ Maildir


@pytest.fixture
def spool(store: Store) -> Iterator[Spool]:
    opened = Spool(store)
    opened.start()
    yield opened
    opened.stop()


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for part in ("tmp", "new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    return tmp_path / "box"


def test_a_letter_in_a_maildir_is_stored_and_then_moved(
    store: Store, spool: Spool, clock: FakeClock, box: Path
) -> None:
    (box / "new" / "1.a.host").write_bytes(LETTER)
    (box / "tmp" / "2.b.host").write_bytes(b"half a let")
    reader = MaildirReader(box, DESK, clock, spool.put, 60, file_dates=False)
    assert reader.collect() == 1
    (row,) = stored(store)
    assert row.raw == LETTER
    assert (row.sender, row.recipient, row.received_at) == ("anna@example.org", "referee@localhost", clock.now())
    assert [file.name for file in (box / "cur").iterdir()] == ["1.a.host:2,S"]
    assert list((box / "new").iterdir()) == []
    assert reader.collect() == 0


def test_a_maildir_letter_arrived_when_it_was_laid_there(
    store: Store, spool: Spool, clock: FakeClock, box: Path
) -> None:
    for name, at in (("1.past", clock.now() - timedelta(hours=3)), ("2.future", clock.now() + timedelta(hours=3))):
        (box / "new" / name).write_bytes(LETTER)
        os.utime(box / "new" / name, (at.timestamp(), at.timestamp()))
    assert MaildirReader(box, DESK, clock, spool.put, 60).collect() == 2
    past, future = (row.received_at for row in stored(store))
    assert clock.now() - past == timedelta(hours=3)
    assert future == clock.now()


def test_a_crash_before_the_move_makes_no_second_letter(
    store: Store, spool: Spool, clock: FakeClock, box: Path
) -> None:
    reader = MaildirReader(box, DESK, clock, spool.put, 60)
    (box / "new" / "1.a.host").write_bytes(LETTER)
    reader.collect()
    (box / "cur" / "1.a.host:2,S").rename(box / "new" / "1.a.host")
    assert reader.collect() == 1
    assert len(stored(store)) == 1


def test_letters_that_cannot_be_stored_stay_where_they_are(store: Store, clock: FakeClock, box: Path) -> None:
    (box / "new" / "1.a.host").write_bytes(LETTER)
    with store.engine.connect() as db:
        db.exec_driver_sql("CREATE TRIGGER full BEFORE INSERT ON letter_in BEGIN SELECT RAISE(FAIL, 'disk full'); END")
    spool = Spool(store)
    spool.start()
    reader = MaildirReader(box, DESK, clock, spool.put, 60)
    assert reader.collect() == 0
    assert len(list((box / "new").iterdir())) == 1
    with store.engine.connect() as db:
        db.exec_driver_sql("DROP TRIGGER full")
    assert reader.collect() == 1
    spool.stop()
    assert len(stored(store)) == 1


def test_a_letter_too_large_leaves_its_headers(store: Store, spool: Spool, clock: FakeClock, box: Path) -> None:
    (box / "new" / "1.a.host").write_bytes(LETTER + b"x" * 2000)
    assert MaildirReader(box, DESK, clock, spool.put, 60).collect() == 1
    (row,) = stored(store)
    assert row.raw == b"X-Referee-Letter-Size: %d\r\n" % (len(LETTER) + 2000) + head_of(LETTER)


def test_more_than_a_batch_is_taken_in_order(store: Store, spool: Spool, clock: FakeClock, box: Path) -> None:
    for number in range(130):
        (box / "new" / f"{number:04}.host").write_bytes(LETTER)
    (box / "new" / "0000.folder").mkdir()
    reader = MaildirReader(box, DESK, clock, spool.put, 60)
    assert (reader.collect(), reader.collect(), reader.collect()) == (100, 30, 0)
    assert [row.transport.rpartition(":")[2] for row in stored(store)] == [f"{n:04}.host" for n in range(130)]


# ------------------------------------------------------------ pipe


def test_a_letter_from_the_pipe_keeps_its_envelope(store: Store, clock: FakeClock) -> None:
    take(store, DESK, clock, io.BytesIO(LETTER), Envelope("bob@x", "referee+nw1.abcd2345@localhost"))
    (row,) = stored(store)
    assert (row.sender, row.recipient, row.raw) == ("bob@x", "referee+nw1.abcd2345@localhost", LETTER)


def test_the_line_of_an_mbox_is_no_part_of_the_letter(store: Store, clock: FakeClock) -> None:
    take(store, DESK, clock, io.BytesIO(b"From bob@x Sat Nov 21 12:00:00 2026\n" + LETTER), Envelope())
    (row,) = stored(store)
    assert (row.raw, row.sender) == (LETTER, "anna@example.org")


def test_a_pipe_letter_too_large_leaves_its_headers(store: Store, clock: FakeClock) -> None:
    take(store, DESK, clock, io.BytesIO(LETTER + b"x" * 5_000_000), Envelope())
    (row,) = stored(store)
    assert row.raw == b"X-Referee-Letter-Size: %d\r\n" % (len(LETTER) + 5_000_000) + head_of(LETTER)


def test_a_pipe_letter_of_just_the_most_bytes_is_stored_whole(store: Store, clock: FakeClock) -> None:
    longest = LETTER.ljust(DESK.max_bytes, b"x")
    take(store, DESK, clock, io.BytesIO(longest), Envelope())
    assert [row.raw for row in stored(store)] == [longest]


def test_the_mail_servers_environment_tells_the_envelope() -> None:
    said = {"SENDER": "bob@x", "RECIPIENT": "referee@localhost", "ORIGINAL_RECIPIENT": "referee+a.b@localhost"}
    assert envelope(said) == Envelope("bob@x", "referee+a.b@localhost")
    assert envelope(said, "carl@x", "other@localhost") == Envelope("carl@x", "other@localhost")
    assert envelope({"SENDER": "MAILER-DAEMON"}) == Envelope("", "")
    assert envelope({}) == Envelope(None, "")


def receive(folder: Path, letter: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "referee", "receive", "--config", str(folder / "config.toml"), *words]
    clean = {name: value for name, value in os.environ.items() if name not in ("SENDER", "RECIPIENT")}
    return subprocess.run(command, input=letter, capture_output=True, env=clean, check=False)


def test_receive_stores_and_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[referee]\ndata = "."\n')
    done = receive(tmp_path, LETTER, "--recipient", "referee+nw1.abcd2345@localhost")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    store = Store(f"sqlite:///{tmp_path / 'referee.sqlite'}")
    (row,) = stored(store)
    store.close()
    assert (row.raw, row.recipient) == (LETTER, "referee+nw1.abcd2345@localhost")


@pytest.mark.parametrize("settings", ["[referee]\ndata = 'blocked/x'\n", "[nonsense]\n"])
def test_receive_asks_for_another_try_whatever_is_wrong(tmp_path: Path, settings: str) -> None:
    (tmp_path / "config.toml").write_text(settings)
    (tmp_path / "blocked").write_text("a file where a folder should be")
    done = receive(tmp_path, LETTER)
    assert done.returncode == 75
    assert b"The letter was not stored" in done.stderr
    assert b"Traceback" not in done.stderr


def test_pipe_and_folder_feed_the_running_service(tmp_path: Path) -> None:
    """A letter piped in and one laid in the folder while the service runs are both answered."""
    settings = '[referee]\ndata = "."\naddress = "referee@games.example"\n[receive]\nport = 0\n[maildir]\npath = "in"\n'
    (tmp_path / "config.toml").write_text(settings + "[clock]\nscan_seconds = 0.05\n")
    with Program("serve", "--config", str(tmp_path / "config.toml")) as service:
        assert "takes letters" in service.stdout.readline()
        for number, writer in enumerate((GINA, ANNA)):
            letter = f"From: {writer}\nTo: {ADDRESS}\nMessage-ID: <{number}@x>\n\nHELP\n".encode()
            if number:
                (tmp_path / "in" / "tmp" / "1.x").write_bytes(letter)
                (tmp_path / "in" / "tmp" / "1.x").rename(tmp_path / "in" / "new" / "1.x")
            else:
                assert receive(tmp_path, letter).returncode == 0
        answers = [tmp_path / "mail" / writer / "new" for writer in (GINA, ANNA)]
        until = time.monotonic() + 20
        while not all(folder.is_dir() and any(folder.iterdir()) for folder in answers) and time.monotonic() < until:
            time.sleep(0.02)
        service.terminate()
    assert service.returncode == 0
    assert [len(list(folder.iterdir())) for folder in answers] == [1, 1]
