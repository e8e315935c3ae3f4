"""DKIM: a letter signed with the key of our domain when it is written out; a retry sends the same bytes."""

from __future__ import annotations

import msgspec

_SIGNED = (
    b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References", b"MIME-Version",
    b"Content-Type", b"List-Id", b"List-Unsubscribe", b"Auto-Submitted",
)  # fmt: skip


class Signer(msgspec.Struct, frozen=True):
    """Whose signature it is: the key published at SELECTOR._domainkey.DOMAIN. `key` is an RSA private key in PEM."""

    selector: str
    domain: str
    key: bytes


def signed(raw: bytes, signer: Signer) -> bytes:
    """The letter under its DKIM-Signature. Raises ValueError for a key that cannot be used.

    From is named once more than it occurs, so that nobody can put a second one on top.
    """
    # With the look-ups it brings it takes a tenth of a second to import, and most relays sign for us.
    import dkim

    present = {line.partition(b":")[0].lower() for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")}
    names = [name for name in _SIGNED if name.lower() in present]
    try:
        field = dkim.sign(
            raw, signer.selector.encode(), signer.domain.encode(), signer.key, include_headers=[*names, b"From"]
        )
    except (dkim.DKIMException, ValueError) as error:
        raise ValueError(f"no letter can be signed with this key: {error}") from error
    return bytes(field) + raw
