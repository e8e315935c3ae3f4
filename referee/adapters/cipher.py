"""AES-256-GCM, by which the turns of all seats are sealed."""

from __future__ import annotations


def encrypt(key: bytes, number: bytes, text: bytes, about: bytes) -> bytes:
    """The text sealed with a key of 32 bytes and a number of 12 that is used once, bound to what it is about; the tag is last."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key).encrypt(number, text, about)
