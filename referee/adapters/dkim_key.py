"""The key that signs letters (DKIM): made, and its public half as it is published in DNS."""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

_BITS = 2048
"""What every server verifies (RFC 8301); a longer one does not fit into what some keep of a record."""


def new_dkim_key() -> bytes:
    """A new private key, in PEM."""
    key = generate_private_key(65537, _BITS)
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def dkim_record(pem: bytes) -> str:
    """What to publish at SELECTOR._domainkey.DOMAIN as TXT. Raises ValueError for what is no RSA key in PEM."""
    key = load_pem_private_key(pem, None)
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("not an RSA key")
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"
