"""Letters as bytes: reading what arrives, writing what leaves. Pure: no network, no clock, no storage.

`reading` (letter, body, own_lines, sender) and `writing` (compose, encode) know nothing of each other; below both lie address,
characters and headers.
"""

from referee.mail.address import (
    Address,
    Route,
    address_in,
    addressed,
    bounce_mark,
    domain_of,
    list_id,
    message_id,
    parse_recipient,
    reply_address,
    spelt,
    thread_id,
    token_digest,
    verp,
    without_tokens,
)
from referee.mail.reading.hypertext import lines_of_html, texts_of_html
from referee.mail.reading.letter import Letter, digest, read
from referee.mail.reading.own_lines import Line, Skipped, Stripped, strip
from referee.mail.writing.compose import Attachment, Outgoing, answerable, bodies, compose, pictures_in
from referee.mail.writing.encode import Answerable, body_of, mailto, mailto_new

__all__ = [
    "Address",
    "Answerable",
    "Attachment",
    "Letter",
    "Line",
    "Outgoing",
    "Route",
    "Skipped",
    "Stripped",
    "address_in",
    "addressed",
    "answerable",
    "bodies",
    "pictures_in",
    "body_of",
    "bounce_mark",
    "compose",
    "digest",
    "domain_of",
    "lines_of_html",
    "list_id",
    "mailto",
    "mailto_new",
    "message_id",
    "parse_recipient",
    "read",
    "reply_address",
    "spelt",
    "strip",
    "texts_of_html",
    "thread_id",
    "token_digest",
    "verp",
    "without_tokens",
]
