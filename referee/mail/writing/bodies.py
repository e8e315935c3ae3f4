"""The two forms of a letter of ours, taken out of its bytes again."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

from referee.mail.writing.mailto import Answerable


def bodies(raw: bytes) -> tuple[str, str]:
    """Text and HTML of a letter that compose wrote, line ends as \\n; "" for a form it has not."""
    found = {"text/plain": "", "text/html": ""}
    for part in message_from_bytes(raw).walk():
        kind = part.get_content_type()
        if kind in found and not found[kind]:
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                found[kind] = payload.decode("utf-8", "replace").replace("\r\n", "\n")
    return found["text/plain"], found["text/html"]


def pictures_in(raw: bytes) -> list[str]:
    """The Content-IDs of the pictures in a letter that compose wrote."""
    found = (str(part.get("Content-ID", "")).strip("<>") for part in message_from_bytes(raw).walk())
    return [cid for cid in found if cid]


def answerable(raw: bytes) -> Answerable:
    """What links in a letter that compose wrote answer."""
    head = message_from_bytes(raw, policy=default)
    address = head["Reply-To"].addresses[0].addr_spec
    return Answerable(address, str(head["Subject"]), str(head["Message-ID"]))
