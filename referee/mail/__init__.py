"""Letters as bytes: reading what arrives, writing what leaves. Pure: no network, no clock, no storage.

Read in this order: characters, headers, markup, hypertext, alternatives, unread, body, automatic, read, answered, strip, address,
encode, compose, then identity, keys, bounces, calendar, signing.
"""

from referee.mail.address import (
    Route,
    bounce_mark,
    list_id,
    message_id,
    parse_recipient,
    reply_address,
    thread_id,
    token_digest,
    verp,
    without_tokens,
)
from referee.mail.bodies import bodies
from referee.mail.compose import Attachment, Outgoing, compose
from referee.mail.read import Letter, digest, read
from referee.mail.strip import Line, Skipped, Stripped, strip

__all__ = [
    "Attachment",
    "Letter",
    "Line",
    "Outgoing",
    "Route",
    "Skipped",
    "Stripped",
    "bodies",
    "bounce_mark",
    "compose",
    "digest",
    "list_id",
    "message_id",
    "parse_recipient",
    "read",
    "reply_address",
    "strip",
    "thread_id",
    "token_digest",
    "verp",
    "without_tokens",
]
