"""DKIM signatures hold against dkimpy's own verifier, with the key handed to it in place of the DNS."""

from __future__ import annotations

import base64

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from referee.mail.writing.compose import Signer, signed

RAW = b"From: Referee <referee@games.example>\r\nTo: anna@players.example\r\nSubject: turn 5\r\n\r\nYou owe orders.\r\n"


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture(scope="module")
def signer(key: rsa.RSAPrivateKey) -> Signer:
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return Signer("post", "games.example", pem)


def holds(raw: bytes, key: rsa.RSAPrivateKey) -> bool:
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)

    def answers(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"post._domainkey.games.example."
        return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)

    return bool(dkim.verify(raw, dnsfunc=answers))


def test_a_signed_letter_verifies(signer: Signer, key: rsa.RSAPrivateKey) -> None:
    letter = signed(RAW, signer)
    assert letter.endswith(RAW) and letter.startswith(b"DKIM-Signature:")
    assert holds(letter, key)


@pytest.mark.parametrize(
    ("what", "instead"),
    [(b"You owe orders", b"You owe money"), (b"turn 5", b"turn 6"), (b"anna@", b"eve@")],
)
def test_a_changed_letter_does_not(signer: Signer, key: rsa.RSAPrivateKey, what: bytes, instead: bytes) -> None:
    assert not holds(signed(RAW, signer).replace(what, instead), key)


def test_a_second_from_breaks_the_signature(signer: Signer, key: rsa.RSAPrivateKey) -> None:
    assert not holds(b"From: eve@evil.example\r\n" + signed(RAW, signer), key)


def test_a_field_of_a_mail_server_on_top_does_not(signer: Signer, key: rsa.RSAPrivateKey) -> None:
    assert holds(b"Received: from a by b; Sat, 21 Nov 2026 12:00:00 +0000\r\n" + signed(RAW, signer), key)


def test_a_bad_key_is_told_in_words() -> None:
    with pytest.raises(ValueError, match="no letter can be signed with this key"):
        signed(RAW, Signer("post", "games.example", b"no key"))
