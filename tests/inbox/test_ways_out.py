"""What a letter bears on its way out: an address to bounce to, or none, and a signature that is made once."""

from __future__ import annotations

import base64
import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dkim
import pytest
from aiosmtpd.smtp import SMTP, Envelope
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from referee.bootstrap.offices import opened, take_up
from referee.bootstrap.service import Service
from referee.config import Config, ConfigError, read
from referee.mail import Route, parse_recipient
from referee.mail.address import unmasked
from referee.service.base import notes
from referee.service.base.office import Office
from referee.service.base.ports import LetterIn
from referee.service.intake.inbox import handle_new
from referee.service.post.tray import mark_of, written
from tests.served import Served
from tests.service.conftest import ANNA, OTTO
from tests.world import ADDRESS, World


def outgoing(world: World, recipient: str, kind: str) -> Any:
    with world.store.look() as step:
        return [o for name in ("", "nw1") for o in step.outgoing(name) if (o.recipient, o.kind) == (recipient, kind)][
            -1
        ]


def test_a_receipt_may_bounce_and_a_refusal_may_not(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any")
    match.write(OTTO, "gibberish")
    assert outgoing(match, match.on_turn(), "receipt").sender == ADDRESS
    assert outgoing(match, OTTO, "refusal").sender == ""


@pytest.fixture
def relay() -> Iterator[tuple[int, queue.SimpleQueue[Envelope]]]:
    """A mail server that keeps what it is given."""
    taken: queue.SimpleQueue[Envelope] = queue.SimpleQueue()

    class Sink:
        async def handle_DATA(self, server: SMTP, session: Any, envelope: Envelope) -> str:
            taken.put(envelope)
            return "250 OK"

    served = Served(Sink())
    yield served.port, taken
    served.close()


def letter(body: str) -> bytes:
    return f"From: {ANNA}\r\nTo: {ADDRESS}\r\nMessage-ID: <1@x.example>\r\n\r\n{body}\r\n".encode()


def put(office: Office, raw: bytes) -> None:
    with office.store.step() as step:
        step.receive([LetterIn(0, "t1", office.clock.now(), ANNA, ADDRESS, raw)])


@pytest.mark.parametrize(
    ("body", "verp", "bounces"), [("GAMES", "true", True), ("GAMES", "false", False), ("gibberish", "true", None)]
)
def test_the_envelope_names_the_letter(
    tmp_path: Path, relay: tuple[int, queue.SimpleQueue[Envelope]], body: str, verp: str, bounces: bool | None
) -> None:
    port, taken = relay
    more = f'[receive]\nport = 0\n[send]\nmethod = "smtp"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
    service = Service(settings(tmp_path, f"{more}verp = {verp}\n"))
    put(service.office, letter(body))
    service.start()
    envelope = taken.get(timeout=30)
    with service.office.store.look() as step:
        (out,) = step.outgoing("")
        secret = notes.TOKEN_SECRET.of().read(step) or b""
    service.stop()
    assert envelope.original_content == written(service.office, out).raw
    route = parse_recipient(envelope.mail_from or "", ADDRESS)
    masked = Route(bounce=unmasked(out.id, mark_of(out), secret), mark=mark_of(out), masked=True)
    assert route == {True: masked, False: Route(), None: None}[bounces]
    assert secret and str(out.id) != str(masked.bounce)


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def settings(folder: Path, more: str = "") -> Config:
    return read(f'[referee]\naddress = "{ADDRESS}"\n{more}', folder)


def with_key(folder: Path, key: rsa.RSAPrivateKey) -> Config:
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "dkim.pem").write_bytes(key.private_bytes(encoding, form, serialization.NoEncryption()))
    return settings(folder, '[dkim]\nselector = "post"\nkey_file = "dkim.pem"\n')


def test_letters_are_signed_once_and_the_signature_holds(tmp_path: Path, key: rsa.RSAPrivateKey) -> None:
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)

    def answers(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"post._domainkey.games.example."
        return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)

    with opened(with_key(tmp_path, key)) as office:
        put(office, letter("GAMES"))
        handle_new(office)
        with office.store.look() as step:
            (queued,) = step.outgoing("")
        out = written(office, queued)
    assert dkim.verify(out.raw, dnsfunc=answers)
    assert not dkim.verify(out.raw.replace(b"newworld", b"oldworld"), dnsfunc=answers)


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), (b"no key", "no letter can be signed")])
def test_a_key_that_cannot_be_used_is_told_at_the_start(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content:
        (tmp_path / "dkim.pem").write_bytes(content)
    config = settings(tmp_path, '[dkim]\nselector = "post"\nkey_file = "dkim.pem"\n')
    with opened(config) as office, pytest.raises(ConfigError, match=said):
        take_up(config, office)
