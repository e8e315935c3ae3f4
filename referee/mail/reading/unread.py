"""What of a letter is not read, by kind: its writer is told of it."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

What = Literal[
    "bytes", "deep", "elsewhere", "encrypted", "file", "format", "letter", "lines", "packed", "partial", "picture",
    "recording", "wrapped",
]  # fmt: skip
"""Cut off, too deep, an encrypted or a packed letter, a file of some kind."""

_ENCRYPTED = frozenset({"multipart/encrypted", "application/pgp-encrypted"})
_NOBODY_MISSES = re.compile(
    r"application/(pgp-signature|pgp-keys|(x-)?pkcs7-signature)|text/((x-)?vcard|calendar|rfc822-headers)"
    r"|message/(delivery-status|disposition-notification|global-delivery-status)"
)


class Unread(msgspec.Struct, frozen=True):
    """A part of a letter that was not read; `name` is that of a file, or how much was read of what was cut off."""

    what: What
    name: str = ""


def kind_of(kind: str, name: str, smime: str) -> What | None:
    """What a part is by its content type, its file's name and its S/MIME type; None for what nobody wrote as words."""
    if _NOBODY_MISSES.fullmatch(kind):
        return None
    if kind in _ENCRYPTED:
        return "encrypted"
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        return "wrapped" if smime in ("signed-data", "compressed-data") else "encrypted"
    if "ms-tnef" in kind or name.lower() == "winmail.dat":
        return "packed"
    by_kind: dict[str, What] = {
        "message/partial": "partial", "message/external-body": "elsewhere", "message/rfc822": "letter",
        "text/enriched": "format", "text/richtext": "format",
    }  # fmt: skip
    by_family: dict[str, What] = {"audio": "recording", "video": "recording", "image": "picture"}
    return by_kind.get(kind) or by_family.get(kind.partition("/")[0], "file")
