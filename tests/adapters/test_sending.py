"""Letters out: into Maildirs, to a relay that is really there, and by the postman who tries again."""

from __future__ import annotations

import mailbox as stdlib_mailbox
import os
import shutil
import smtplib
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from sqlalchemy import select, text

from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver
from referee.adapters.outgoing.postman import (
    GiveUp,
    MaildirSender,
    NotLetIn,
    OutOfReach,
    Patience,
    Postman,
    TryLater,
    mailbox,
)
from referee.adapters.outgoing.smtp_out import Relay, RelaySender
from referee.adapters.store.sql.statements import TABLES
from referee.adapters.store.store import Store
from referee.service.base.note_values import Loss
from referee.service.base.ports import LetterOut
from referee.service.match.suspension import NotedContact, losses
from tests.postgresql import Postgresql
from tests.served import Served
from tests.standins import FakeClock, SeededSecrets, read_maildir

Goes = Callable[..., LetterOut]
_OUT = TABLES["letter_out"]


class Sink:
    """A mail server that keeps what it is given; what it says to each RCPT and to each letter can be set."""

    def __init__(self, **options: Any) -> None:
        self.taken: list[Envelope] = []
        self.at_rcpt = "250 OK"
        self.at_data = "250 OK"
        self._served = Served(self, lambda: {"enable_SMTPUTF8": True, **options})
        self.port, self.hang_up, self.close = self._served.port, self._served.hang_up, self._served.close
        self.server = self._served.server

    @property
    def sessions(self) -> int:
        return len(self._served.sessions)

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Envelope, address: str, options: Any) -> str:
        if self.at_rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.at_rcpt

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Envelope) -> str:
        if self.at_data.startswith("250"):
            self.taken.append(envelope)
        return self.at_data


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def sink(ends: ExitStack) -> Sink:
    made = Sink()
    ends.callback(made.close)
    return made


def relay(sink: Sink, ends: ExitStack, **changes: Any) -> RelaySender:
    sender = RelaySender(Relay("127.0.0.1", sink.port, **{"security": "none", "timeout": 10.0, **changes}))
    ends.callback(sender.close)
    return sender


# Maildir


def test_a_letter_lies_in_the_mailbox_of_its_address(tmp_path: Path, goes: Goes) -> None:
    sender = MaildirSender(tmp_path / "mail")
    sender.send(goes("<1@x>", id=1, recipient="Anna@Example.org"))
    box = mailbox(tmp_path / "mail", "anna@example.ORG")
    assert read_maildir(box) == [b"Subject: report\n\nTurn 1\n"]
    (message,) = stdlib_mailbox.Maildir(box, create=False)
    assert message["Subject"] == "report"
    assert list((box / "tmp").iterdir()) == []


def test_delivering_again_after_a_crash_makes_no_second_file(tmp_path: Path, goes: Goes) -> None:
    sender, letter = MaildirSender(tmp_path), goes("<1@x>", id=1)
    box = mailbox(tmp_path, letter.recipient)
    sender.send(letter)
    sender.send(letter)
    assert len(read_maildir(box)) == 1
    (file,) = (box / "new").iterdir()
    file.rename(box / "cur" / f"{file.name}:2,S")
    sender.send(letter)
    assert len(read_maildir(box)) == 1


def test_letters_are_read_in_the_order_written_whether_seen_or_not(tmp_path: Path, goes: Goes, noon: datetime) -> None:
    sender = MaildirSender(tmp_path)
    for number in (3, 1, 2):
        made = noon + timedelta(minutes=number)
        sender.send(goes(f"<{number}@x>", id=number, raw=b"%d" % number, created_at=made))
    box = mailbox(tmp_path, "anna@example.org")
    first = min((box / "new").iterdir())
    first.rename(box / "cur" / f"{first.name}:2,RS")
    assert read_maildir(box) == [b"1", b"2", b"3"]
    assert read_maildir(mailbox(tmp_path, "ben@example.org")) == []


@pytest.mark.parametrize(
    "address", ["../../etc/passwd", "/etc/passwd", "..", ".", "", "a/b@x", "a%2Fb@x", "x" * 500 + "@x", "ä@x\0"]
)
def test_no_address_leads_out_of_the_folder(tmp_path: Path, goes: Goes, address: str) -> None:
    MaildirSender(tmp_path / "mail").send(goes("<1@x>", recipient=address))
    assert [path.name for path in tmp_path.iterdir()] == ["mail"]
    (box,) = (tmp_path / "mail").iterdir()
    assert len(read_maildir(box)) == 1


def test_different_addresses_have_different_mailboxes(tmp_path: Path) -> None:
    addresses = ["a/b@x", "a%2Fb@x", "a%2fb@x ", "ab@x", "x" * 500, "x" * 501, "", ".", "..", "~nobody", "%2E"]
    assert len({mailbox(tmp_path, address) for address in addresses}) == len(addresses)


def test_a_disk_that_does_not_take_the_letter_is_tried_later(tmp_path: Path, goes: Goes) -> None:
    (tmp_path / "mail").write_text("a file where the folder should be")
    with pytest.raises(TryLater, match=r"anna@example\.org"):
        MaildirSender(tmp_path / "mail").send(goes("<1@x>"))


# Relay


def test_the_relay_is_handed_the_very_bytes(sink: Sink, ends: ExitStack, goes: Goes) -> None:
    raw = b"Subject: report\r\n\r\n.dot\r\n..\r\n\xc3\xa4\r\n"
    relay(sink, ends).send(goes("<1@x>", raw=raw, sender="referee+bounce.1@localhost"))
    (envelope,) = sink.taken
    assert envelope.original_content == raw
    assert (envelope.mail_from, envelope.rcpt_tos) == ("referee+bounce.1@localhost", ["anna@example.org"])


def test_a_letter_without_a_sender_cannot_bounce(sink: Sink, ends: ExitStack, goes: Goes) -> None:
    relay(sink, ends).send(goes("<1@x>", sender=""))
    assert sink.taken[0].mail_from == "<>"


def test_one_session_serves_many_letters_until_it_is_closed(sink: Sink, ends: ExitStack, goes: Goes) -> None:
    sender = relay(sink, ends)
    for number in range(3):
        sender.send(goes(f"<{number}@x>"))
    assert (len(sink.taken), sink.sessions) == (3, 1)
    sender.close()
    sender.send(goes("<3@x>"))
    assert (len(sink.taken), sink.sessions) == (4, 2)


def test_a_session_that_died_meanwhile_is_opened_anew(sink: Sink, ends: ExitStack, goes: Goes) -> None:
    sender = relay(sink, ends)
    sender.send(goes("<1@x>"))
    sink.hang_up()
    sender.send(goes("<2@x>"))
    assert (len(sink.taken), sink.sessions) == (2, 2)


@pytest.mark.parametrize("where", ["at_rcpt", "at_data"])
@pytest.mark.parametrize(
    ("answer", "verdict"), [("451 busy", TryLater), ("550 unknown", GiveUp), ("535 log in first", TryLater)]
)
def test_the_relays_answer_decides(
    sink: Sink, ends: ExitStack, goes: Goes, where: str, answer: str, verdict: type[Exception]
) -> None:
    sender = relay(sink, ends)
    setattr(sink, where, answer)
    with pytest.raises(verdict, match=answer):
        sender.send(goes("<1@x>"))
    setattr(sink, where, "250 OK")
    sender.send(goes("<1@x>"))
    assert len(sink.taken) == 1


def test_a_relay_that_is_not_there_is_tried_later(sink: Sink, ends: ExitStack, goes: Goes) -> None:
    sender = relay(sink, ends)
    sink.server.close()
    with pytest.raises(TryLater, match=rf"127\.0\.0\.1:{sink.port}"):
        sender.send(goes("<1@x>"))


@pytest.mark.parametrize(
    "recipient", ["anna@example.org>\r\nRCPT TO:<ben@example.org", "Anna <anna@example.org>", "a@b@c", "anna", ""]
)
def test_what_is_no_address_is_given_up(sink: Sink, ends: ExitStack, goes: Goes, recipient: str) -> None:
    with pytest.raises(GiveUp):
        relay(sink, ends).send(goes("<1@x>", recipient=recipient))
    assert sink.taken == []


def test_a_relay_without_starttls_gets_nothing_when_it_is_required(sink: Sink, ends: ExitStack, goes: Goes) -> None:
    with pytest.raises(TryLater):
        relay(sink, ends, security="starttls").send(goes("<1@x>"))
    assert sink.taken == []


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine with its key, made for this run."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    making = f"{openssl} req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run([*making.split(), *names], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + Path(f"{file}.crt").read_bytes())
    return file


def _log_in(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (b"referee", b"secret")
    return AuthResult(success=known, handled=False)


@pytest.mark.parametrize(("password", "taken"), [("secret", 1), ("wrong", 0)])
def test_starttls_and_login(ends: ExitStack, goes: Goes, certificate: Path, password: str, taken: int) -> None:
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(certificate)
    sink = Sink(tls_context=ours, require_starttls=True, auth_required=True, authenticator=_log_in)
    ends.callback(sink.close)
    trusted = ssl.create_default_context(cafile=f"{certificate}.crt")
    sender = relay(sink, ends, security="starttls", context=trusted, user="referee", password=password)
    if taken:
        sender.send(goes("<1@x>"))
    else:
        with pytest.raises(TryLater, match="535"):
            sender.send(goes("<1@x>"))
    assert len(sink.taken) == taken


def test_a_relay_with_an_unknown_certificate_gets_nothing(ends: ExitStack, goes: Goes, certificate: Path) -> None:
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(certificate)
    sink = Sink(tls_context=ours)
    ends.callback(sink.close)
    with pytest.raises(TryLater, match="certificate"):
        relay(sink, ends, security="starttls").send(goes("<1@x>"))
    assert sink.taken == []


# Postman


class Mood:
    """A sender whose mood the test sets: what it raises, if anything."""

    def __init__(self) -> None:
        self.raises: Exception | None = None
        self.sent: list[LetterOut] = []
        self.closed = 0

    def send(self, letter: LetterOut) -> None:
        if self.raises is not None:
            raise self.raises
        self.sent.append(letter)

    def knock(self) -> None:
        if self.raises is not None:
            raise self.raises

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def mood() -> Mood:
    return Mood()


def status(store: Store) -> list[tuple[str, int, str]]:
    with store.look() as look:
        return [(letter.status, letter.attempts, letter.error) for letter in look.outgoing("ALPHA")]


def post(store: Store, *letters: LetterOut) -> None:
    with store.step() as step:
        for letter in letters:
            assert step.post(letter)


def test_the_postman_sends_each_letter_once(store: Store, clock: FakeClock, mood: Mood, goes: Goes) -> None:
    post(store, *(goes(f"<{number}@x>") for number in range(5)))
    postman = Postman(store, [mood], clock, SeededSecrets("s"))
    assert [postman.deliver(limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert [letter.message_id for letter in mood.sent] == [f"<{number}@x>" for number in range(5)]
    assert status(store) == [("sent", 0, "")] * 5
    assert mood.closed == 2


def test_the_waits_grow_and_the_same_bytes_go_out_in_the_end(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    letter = goes("<1@x>")
    post(store, letter)
    postman = Postman(store, [mood], clock, SeededSecrets("s"))
    mood.raises = TryLater("451 busy")
    for attempt in range(10):
        assert postman.deliver() == 1
        assert status(store) == [("queued", attempt + 1, "451 busy")]
        whole = min(timedelta(minutes=2**attempt), timedelta(hours=4))
        clock.advance(whole / 2 - timedelta(seconds=1))
        assert postman.deliver() == 0
        clock.advance(whole / 2 + timedelta(seconds=1))
    mood.raises = None
    assert postman.deliver() == 1
    assert [(sent.raw, sent.message_id) for sent in mood.sent] == [(letter.raw, letter.message_id)]


def test_what_is_queued_as_it_is_meant_is_written_out_when_it_goes(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    post(store, goes("<1@x>", raw=b"", said=b"hello"), goes("<2@x>"))
    Postman(store, [mood], clock, SeededSecrets("s"), write=aloud).deliver()
    assert [letter.raw for letter in mood.sent] == [b"HELLO", goes("").raw]
    with store.look() as look:
        assert next((letter.raw, letter.said) for letter in look.outgoing("ALPHA")) == (b"", b"hello")


def test_what_was_tried_once_is_sent_again_as_it_was_then(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    post(store, goes("<1@x>", raw=b"", said=b"hello"))
    mood.raises = TryLater("the line broke after the last byte")
    Postman(store, [mood], clock, SeededSecrets("s"), write=aloud).deliver()
    mood.raises = None
    clock.advance(timedelta(minutes=1))
    Postman(store, [mood], clock, SeededSecrets("s"), write=in_other_words).deliver()
    assert [letter.raw for letter in mood.sent] == [b"HELLO"]


def test_a_fault_in_writing_out_stops_no_other_letter_and_is_mended_by_the_next_version(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    post(store, goes("<1@x>", raw=b"", said=b"hello"), goes("<2@x>"))
    Postman(store, [mood], clock, SeededSecrets("s"), write=stammering).deliver()
    assert [letter.message_id for letter in mood.sent] == ["<2@x>"]
    assert status(store)[0] == ("queued", 1, "ZeroDivisionError('no word')")
    clock.advance(timedelta(minutes=1))
    Postman(store, [mood], clock, SeededSecrets("s"), write=aloud).deliver()
    assert [letter.raw for letter in mood.sent][1:] == [b"HELLO"]


def test_no_empty_letter_goes_out_where_nobody_can_write(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    post(store, goes("<1@x>", raw=b"", said=b"hello"))
    Postman(store, [mood], clock, SeededSecrets("s")).deliver()
    assert mood.sent == [] and status(store)[0][0] == "queued"


def aloud(letter: LetterOut) -> LetterOut:
    return letter if letter.raw else msgspec.structs.replace(letter, raw=(letter.said or b"").upper())


def in_other_words(letter: LetterOut) -> LetterOut:
    return letter if letter.raw else msgspec.structs.replace(letter, raw=b"good day")


def stammering(letter: LetterOut) -> LetterOut:
    if letter.raw:
        return letter
    raise ZeroDivisionError("no word")


def test_what_can_never_arrive_is_given_up_at_once_and_told(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    told: list[tuple[str, str, list[tuple[str, int, str]]]] = []

    def gave_up(letter: LetterOut, reason: str) -> None:
        told.append((letter.message_id, reason, status(store)))

    post(store, goes("<1@x>"))
    mood.raises = GiveUp("550 unknown")
    postman = Postman(store, [mood], clock, SeededSecrets("s"), gave_up=gave_up)
    postman.deliver()
    clock.advance(timedelta(days=30))
    assert postman.deliver() == 0
    assert told == [("<1@x>", "550 unknown", [("failed", 1, "550 unknown")])]


def test_a_letter_is_given_up_after_some_days(store: Store, clock: FakeClock, mood: Mood, goes: Goes) -> None:
    told: list[str] = []
    post(store, goes("<1@x>"))
    mood.raises = TryLater("451 busy")
    patience = Patience(give_up_after=timedelta(days=1))
    postman = Postman(store, [mood], clock, SeededSecrets("s"), patience, lambda letter, why: told.append(why))
    hours = 0
    while not told:
        postman.deliver()
        clock.advance(timedelta(hours=1))
        hours += 1
    assert 20 <= hours <= 25
    assert status(store)[0][0] == "failed"


def test_a_fault_of_the_sender_does_not_stop_the_other_letters(store: Store, clock: FakeClock, goes: Goes) -> None:
    class Faulty(Mood):
        def send(self, letter: LetterOut) -> None:
            if letter.message_id == "<bad@x>":
                raise ZeroDivisionError("a fault")
            super().send(letter)

    post(store, goes("<bad@x>"), goes("<good@x>"))
    Postman(store, [Faulty()], clock, SeededSecrets("s")).deliver()
    assert [state[0] for state in status(store)] == ["queued", "sent"]


def test_a_postman_who_dies_before_marking_sends_the_same_again_after_the_lease(
    store: Store, clock: FakeClock, tmp_path: Path, goes: Goes
) -> None:
    class Died(BaseException):
        pass

    class Dying(MaildirSender):
        def send(self, letter: LetterOut) -> None:
            super().send(letter)
            raise Died

    post(store, goes("<1@x>"))
    with pytest.raises(Died):
        Postman(store, [Dying(tmp_path)], clock, SeededSecrets("s"), lease_seconds=60).deliver()
    postman = Postman(store, [MaildirSender(tmp_path)], clock, SeededSecrets("s"), lease_seconds=60)
    assert postman.deliver() == 0
    clock.advance(timedelta(seconds=60))
    assert postman.deliver() == 1
    assert status(store)[0][0] == "sent"
    assert len(read_maildir(mailbox(tmp_path, "anna@example.org"))) == 1


def test_a_slow_postman_keeps_what_he_has_claimed(store: Store, clock: FakeClock, tmp_path: Path, goes: Goes) -> None:
    class Slow(MaildirSender):
        def send(self, letter: LetterOut) -> None:
            clock.advance(timedelta(seconds=50))
            assert other.deliver() == 0
            super().send(letter)

    post(store, *(goes(f"<{number}@x>") for number in range(6)))
    other = Postman(store, [MaildirSender(tmp_path)], clock, SeededSecrets("t"))
    assert Postman(store, [Slow(tmp_path)], clock, SeededSecrets("s")).deliver() == 6
    assert {state[0] for state in status(store)} == {"sent"}


def test_what_a_dead_postman_had_claimed_is_free_after_three_minutes(
    store: Store, clock: FakeClock, tmp_path: Path, goes: Goes
) -> None:
    post(store, goes("<1@x>"))
    with store.step() as step:
        assert len(step.claim_outgoing(clock.now(), 1, 180)) == 1
    postman = Postman(store, [MaildirSender(tmp_path)], clock, SeededSecrets("s"))
    assert postman.deliver() == 0
    clock.advance(timedelta(minutes=3))
    assert postman.deliver() == 1


# A relay out of reach


def noted(store: Store) -> dict[str, Loss]:
    with store.look() as look:
        return losses(look)


def test_contact_is_lost_when_nothing_answers_and_made_by_whatever_answer(
    sink: Sink, ends: ExitStack, store: Store, clock: FakeClock, goes: Goes
) -> None:
    contact = NotedContact(store, clock, "relay", "the relay")
    sender = relay(sink, ends)
    postman = Postman(store, [sender], clock, SeededSecrets("s"), contact=contact)
    post(store, goes("<1@x>"))
    sink.at_rcpt = "451 greylisted"
    postman.deliver()
    assert noted(store) == {}
    sink.server.close()
    clock.advance(timedelta(minutes=1))
    sender.close()
    postman.deliver()
    assert noted(store)["relay"].since == clock.now() and noted(store)["relay"].until is None


def test_a_relay_that_is_back_is_found_within_a_minute_and_all_goes_out_at_once(
    store: Store, clock: FakeClock, mood: Mood, goes: Goes
) -> None:
    contact = NotedContact(store, clock, "relay", "the relay")
    postman = Postman(store, [mood], clock, SeededSecrets("s"), contact=contact)
    post(store, *(goes(f"<{number}@x>") for number in range(3)))
    mood.raises = OutOfReach("127.0.0.1:25: refused")
    for _ in range(60):
        postman.deliver()
        clock.advance(timedelta(minutes=5))
    lost = noted(store)["relay"]
    assert lost.why == "127.0.0.1:25: refused"
    mood.raises = None
    clock.advance(timedelta(minutes=1))
    while not mood.sent:
        postman.deliver()
        clock.advance(timedelta(seconds=5))
    assert len(mood.sent) == 3
    assert noted(store)["relay"] == msgspec.structs.replace(lost, until=noted(store)["relay"].until)
    assert noted(store)["relay"].until is not None


def test_a_service_started_anew_looks_for_a_relay_that_was_out_of_reach(
    store: Store, clock: FakeClock, mood: Mood
) -> None:
    NotedContact(store, clock, "relay", "the relay").lost("refused")
    mood.raises = OutOfReach("refused")
    postman = Postman(
        store, [mood], clock, SeededSecrets("s"), contact=NotedContact(store, clock, "relay", "the relay")
    )
    postman.deliver()
    assert noted(store)["relay"].until is None
    mood.raises = None
    postman.deliver()
    assert noted(store)["relay"].until is None, "it is looked for once a minute"
    clock.advance(timedelta(minutes=1))
    postman.deliver()
    assert noted(store)["relay"].until == clock.now()


def test_a_refused_login_is_lost_contact_too(store: Store, clock: FakeClock, mood: Mood, goes: Goes) -> None:
    contact = NotedContact(store, clock, "relay", "the relay")
    postman = Postman(store, [mood], clock, SeededSecrets("s"), contact=contact)
    post(store, goes("<1@x>"))
    mood.raises = NotLetIn("535 no")
    postman.deliver()
    assert noted(store)["relay"].why == "535 no"
    mood.raises = None
    clock.advance(timedelta(minutes=1))
    postman.deliver()
    assert status(store)[0][0] == "sent" and noted(store)["relay"].until == clock.now()


def test_a_letter_that_can_never_go_says_nothing_of_the_relay(
    sink: Sink, ends: ExitStack, store: Store, clock: FakeClock, goes: Goes
) -> None:
    contact = NotedContact(store, clock, "relay", "the relay")
    postman = Postman(store, [relay(sink, ends)], clock, SeededSecrets("s"), contact=contact)
    post(store, goes("<1@x>", recipient="anna"))
    sink.server.close()
    postman.deliver()
    assert noted(store)["relay"].until is None and status(store)[0][0] == "queued"


# The whole way


def test_the_whole_way_in_and_out(store: Store, clock: FakeClock, sink: Sink, ends: ExitStack, tmp_path: Path) -> None:
    """A letter comes in by SMTP, is stored, answered, and the answer goes out by Maildir and by relay."""
    arrived = threading.Event()
    spool = Spool(store, arrived.set)
    spool.start()
    ends.callback(spool.stop)
    receiver = Receiver(spool, lambda recipient: "yes", clock, Listening(port=0))
    port = receiver.start()
    ends.callback(receiver.stop)
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("anna@example.org", ["referee@localhost"], b"Subject: orders\r\n\r\nHOLD\r\n")
    assert arrived.wait(10)
    for sender, name in ((MaildirSender(tmp_path), "maildir"), (relay(sink, ends), "relay")):
        with store.step() as step:
            (letter,) = step.letters("new")
            answer = b"Subject: receipt\r\n\r\n" + letter.raw
            now = clock.now()
            step.post(LetterOut(0, f"<{name}@x>", "ALPHA", "receipt", "", letter.sender, answer, now, now))
        assert Postman(store, [sender], clock, SeededSecrets("s")).deliver() == 1
    expected = b"Subject: receipt\r\n\r\nSubject: orders\r\n\r\nHOLD\r\n"
    assert sink.taken[0].original_content == expected
    assert read_maildir(mailbox(tmp_path, "anna@example.org")) == [expected.replace(b"\r\n", os.linesep.encode())]


# ---------------------------------------------------------------- several connections


def test_a_relay_that_takes_long_over_one_letter_keeps_no_others_up(store: Store, clock: FakeClock, goes: Goes) -> None:
    """Three letters are in three connections at the same time: none is taken before all three are there."""
    together = threading.Barrier(3, timeout=30)

    class Slow(Mood):
        def send(self, letter: LetterOut) -> None:
            together.wait()
            super().send(letter)

    senders = [Slow() for _ in range(3)]
    post(store, *(goes(f"<{number}@x>", recipient=f"{number % 3}@example.org") for number in range(9)))
    assert Postman(store, senders, clock, SeededSecrets("s")).deliver() == 9
    assert [state[0] for state in status(store)] == ["sent"] * 9
    for sender in senders:
        (reader,) = {letter.recipient for letter in sender.sent}
        assert [letter.id for letter in sender.sent] == sorted(letter.id for letter in sender.sent), reader


def test_a_relay_that_lets_one_connection_not_in_frees_no_letter_that_another_has_under_way(
    store: Store, clock: FakeClock, goes: Goes
) -> None:
    """Else another machine would send it a second time."""
    under_way, refused = threading.Event(), threading.Event()

    class Sends(Mood):
        def send(self, letter: LetterOut) -> None:
            under_way.set()
            assert refused.wait(timeout=30)
            while not (free := let_go(store, clock.now())):
                pass  # what was refused is laid back by the other
            assert letter.message_id not in free
            super().send(letter)

    class Refuses(Mood):
        def send(self, letter: LetterOut) -> None:
            assert under_way.wait(timeout=30)
            refused.set()
            raise NotLetIn("535 no")

    post(store, *(goes(f"<{name}@x>", recipient=f"{name}@example.org") for name in "ab"))
    Postman(store, [Sends(), Refuses()], clock, SeededSecrets("s")).deliver()
    assert sorted(state[0] for state in status(store)) == ["queued", "sent"]


def let_go(store: Store, now: datetime) -> list[str]:
    """Letters that nobody has leased."""
    asked = select(_OUT.c.message_id).where(_OUT.c.status == "queued", _OUT.c.leased_until <= now)
    with store.engine.connect() as db:
        return [*db.execute(asked).scalars()]


@pytest.mark.parametrize("fails", [1, 2, 3, 5])
def test_letters_to_one_reader_go_in_the_order_queued_unless_one_fails_often(
    store: Store, clock: FakeClock, goes: Goes, fails: int
) -> None:
    """The relay puts off Anna's first letter so many times; others come meanwhile, and Ben's do not wait."""

    class Picky(Mood):
        left = fails

        def send(self, letter: LetterOut) -> None:
            if letter.message_id == "<1@x>" and self.left:
                self.left -= 1
                raise TryLater("451 busy")
            super().send(letter)

    sender = Picky()
    postman = Postman(store, [sender], clock, SeededSecrets("s"))
    post(store, goes("<1@x>"), goes("<2@x>"), goes("<b@x>", recipient="ben@example.org"))
    postman.deliver()
    assert [letter.message_id for letter in sender.sent] == ["<b@x>"]
    post(store, goes("<3@x>"))
    for _ in range(40):
        postman.deliver()
        clock.advance(timedelta(minutes=1))
    order = [letter.message_id for letter in sender.sent[1:]]
    assert order == (["<1@x>", "<2@x>", "<3@x>"] if fails < 3 else ["<2@x>", "<3@x>", "<1@x>"])


@pytest.mark.real
def test_two_postmen_of_two_machines_never_have_letters_of_one_reader_at_once(
    postgresql: Postgresql, clock: FakeClock, goes: Goes
) -> None:
    url = postgresql.fresh()
    with closing(Store(url, steady=False)) as one, closing(Store(url, steady=False)) as other:
        post(one, *(goes(f"<{number}@x>", recipient=f"{number % 4}@example.org") for number in range(40)))
        with ThreadPoolExecutor(1) as pool, one.step() as mine:
            had = {letter.recipient for letter in mine.claim_outgoing(clock.now(), 3, 180)}

            def claim() -> set[str]:
                with other.step() as theirs:
                    return {letter.recipient for letter in theirs.claim_outgoing(clock.now(), 99, 180)}

            asked = pool.submit(claim)
            while not one_waits(other):
                pass
            mine.hasten(clock.now())
        had_then = asked.result(timeout=30)
    assert had and had_then and not had & had_then


def one_waits(store: Store) -> bool:
    """Whether somebody waits for a lock of the server."""
    with store.engine.connect() as db:
        return bool(db.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar())
