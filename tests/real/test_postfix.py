"""Postfix hands letters to our LMTP receiver, byte for byte and again when our disk was full; it may ask of an address before."""

from __future__ import annotations

import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver, Verdict
from referee.adapters.store.store import Store
from referee.service.base.ports import LetterIn
from tests.real import postfix
from tests.real.conftest import PostOffice
from tests.real.machine import eventually, open_folder

ONE, TWO = "referee+a.aaaaaaaa@games.example", "referee+b.bbbbbbbb@games.example"


def accepts(recipient: str) -> Verdict:
    return "unknown" if recipient.startswith("nobody") else "yes"


@contextmanager
def receiving(post_office: PostOffice, folder: Path) -> Iterator[Store]:
    """Our receiver at the port Postfix delivers to, with a store in a folder."""
    store = Store(f"sqlite:///{folder / 'referee.sqlite'}", busy_seconds=1)
    spool = Spool(store)
    spool.start()
    receiver = Receiver(spool, accepts, SystemClock(), Listening(port=post_office.lmtp, protocol="lmtp"))
    receiver.start()
    try:
        yield store
    finally:
        receiver.stop()
        spool.stop()
        store.close()


def stored(store: Store) -> list[LetterIn]:
    with store.look() as look:
        return look.letters("new", 100)


def send(post_office: PostOffice, letter: bytes, *recipients: str) -> None:
    with smtplib.SMTP("127.0.0.1", post_office.postfix.port, timeout=60) as postfix:
        postfix.sendmail("anna@players.example", recipients, letter, ["BODY=8BITMIME"])


def emptied(post_office: PostOffice) -> None:
    eventually("the queue to be empty", lambda: not post_office.postfix.queued())


def test_each_of_two_recipients_gets_the_letter_once(post_office: PostOffice, tmp_path: Path) -> None:
    with receiving(post_office, tmp_path) as store:
        send(post_office, b"Subject: two\r\n\r\nHOLD\r\n", ONE, TWO)
        emptied(post_office)
        assert sorted(row.recipient for row in stored(store)) == [ONE, TWO]
        assert {row.sender for row in stored(store)} == {"anna@players.example"}
    log = post_office.postfix
    assert (log.outcomes(ONE), log.outcomes(TWO)) == (["sent"], ["sent"])
    assert "may be sent more than once" not in log.log


def test_dots_long_lines_and_eight_bits_arrive_as_they_were_sent(post_office: PostOffice, tmp_path: Path) -> None:
    odd = b".\r\n..\r\n.x\r\n" + b"y" * 70_000 + b"\r\n" + bytes(range(128, 256)) + b"\r\n\r\n\r\n"
    letter = b"From: anna@players.example\r\nSubject: odd\r\nX-Raw: \xe4\r\n\r\n" + odd
    with receiving(post_office, tmp_path) as store:
        send(post_office, letter, "referee+odd.aaaaaaaa@games.example")
        emptied(post_office)
        (row,) = stored(store)
    head, _, body = row.raw.partition(b"\r\n\r\n")
    assert body == odd
    assert b"\r\nX-Raw: \xe4" in head


def test_an_address_nobody_gave_out_is_refused_while_the_other_is_delivered(
    post_office: PostOffice, tmp_path: Path
) -> None:
    nobody, good = "nobody@games.example", "referee+c.cccccccc@games.example"
    with receiving(post_office, tmp_path) as store:
        send(post_office, b"Subject: s\r\n\r\nHOLD\r\n", nobody, good)
        eventually("an answer for both", lambda: all(map(post_office.postfix.outcomes, (nobody, good))))
        assert [row.recipient for row in stored(store)] == [good]
    assert post_office.postfix.outcomes(nobody) == ["bounced"]


@contextmanager
def tiny_disk() -> Iterator[Path]:
    """A disk of two megabytes."""
    with open_folder() as folder:
        command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("a disk cannot be mounted here")
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """A file that takes all there is left on a disk."""
    ballast = disk / "ballast"
    with pytest.raises(OSError, match="No space left"), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    return ballast


def test_a_full_disk_makes_postfix_keep_the_letter_and_try_again(post_office: PostOffice) -> None:
    one, two = "referee+d.dddddddd@games.example", "referee+e.eeeeeeee@games.example"
    letter = b"Subject: s\r\n\r\n" + b"HOLD\r\n" * 5000
    postfix = post_office.postfix
    with tiny_disk() as disk, receiving(post_office, disk) as store:
        ballast = fill(disk)
        send(post_office, letter, one, two)
        eventually("both to be put off", lambda: postfix.outcomes(one) and postfix.outcomes(two))
        assert stored(store) == []
        ballast.unlink()
        postfix.flush()
        emptied(post_office)
        assert sorted(row.recipient for row in stored(store)) == [one, two]
    for address in (one, two):
        *before, last = postfix.outcomes(address)
        assert set(before) == {"deferred"}
        assert last == "sent"
    assert "451 4.3.0 The letter could not be stored" in postfix.log


def test_a_receiver_that_is_away_is_waited_for(post_office: PostOffice, tmp_path: Path) -> None:
    late = "referee+f.ffffffff@games.example"
    send(post_office, b"Subject: s\r\n\r\nHOLD\r\n", late)
    eventually("it to be put off", lambda: post_office.postfix.outcomes(late))
    with receiving(post_office, tmp_path) as store:
        post_office.postfix.flush()
        emptied(post_office)
        assert [row.recipient for row in stored(store)] == [late]


# ---------------------------------------------------------------- asked about an address before


_TAKES = "smtpd_recipient_restrictions = permit_mynetworks\n"
_ASKS = """\
smtpd_recipient_restrictions = reject_unverified_recipient, permit_mynetworks
unverified_recipient_reject_code = 550
address_verify_map =
"""


def test_an_address_nobody_gave_out_is_refused_at_postfixs_own_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postfix, "_MAIN", postfix._MAIN.replace(_TAKES, _ASKS))
    store = Store(f"sqlite:///{tmp_path / 'referee.sqlite'}")
    spool = Spool(store)
    known = "referee+nw1.abcdefgh@games.example"
    receiver = Receiver(
        spool, lambda to: "yes" if to == known else "unknown", SystemClock(), Listening(port=0, protocol="lmtp")
    )
    spool.start()
    lmtp = receiver.start()
    with (
        postfix.run_postfix(games_example=lmtp) as server,
        smtplib.SMTP("127.0.0.1", server.port, timeout=60) as session,
    ):
        session.ehlo()
        session.mail("anna@players.example")
        code, said = session.rcpt("referee+nw1.guessed2@games.example")
        assert code == 550 and b"No such address here" in said
        assert session.rcpt(known)[0] == 250
    receiver.stop()
    spool.stop()
    with store.look() as step:
        assert step.letters("new", 9) == []
    store.close()
