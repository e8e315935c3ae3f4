"""Addresses as one type with one spelling; those, and Message-IDs, that say for which match a reply is, which letter bounced."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from contextlib import suppress
from functools import partial
from typing import NewType

import msgspec

Address = NewType("Address", str)
"""A mail address that a letter can be sent to, in its one spelling: lower case, its domain as DNS has it (IDNA)."""

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_DOMAIN = re.compile(rf"(?=.{{1,250}}\Z)(?:{_LABEL}\.)*(?![0-9]+\Z){_LABEL}")
_LOCAL = re.compile(r"[!#$%&'*+/=?^_`{|}~a-z0-9.-]{1,128}")
_QUOTED = re.compile(r'"[^"]*"')
_WRITTEN = re.compile(r"[^\s<>()\[\]\",;:]+@[^\s<>()\[\]\",;:?]+")
_LONGEST = 1_000
_ROUND = ".!?'*`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_MATCH = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_TOKEN = re.compile(r"[a-z2-7]{8,32}")
_POSTMASTER = "postmaster"
_KEEPERS = frozenset((_POSTMASTER, "abuse"))
"""Every domain has the first, with or without its name behind (RFC 5321, 4.5.1), and should have the other (RFC 2142)."""

_DETAIL = re.compile(
    r"(?P<match>[a-z0-9-]{1,40})(?:\.(?P<token>[a-z0-9]{1,64}))?"
    r"|bounce=(?:(?P<bounce>[0-9]{1,18})|x(?P<masked>[0-9a-f]{12}))(?:\.(?P<mark>[0-9a-f]{12}))?"
)


def domain_of(written: str) -> str:
    """A domain in the spelling of DNS, `xn--bcher-kva.example` for `Bücher.example.`; "" for what is none."""
    plain = written[:_LONGEST].removesuffix(".").lower()
    if not plain.isascii():
        import idna  # few letters need it, and the page of a table has none

        # Names that the IDNA of today does not allow, hearts say, were registered by that of 2003.
        for encoded in (partial(idna.encode, uts46=True), partial(str.encode, encoding="idna")):
            with suppress(UnicodeError):
                return domain_of(encoded(plain).decode())
    return plain if _DOMAIN.fullmatch(plain) else ""


def spelt(bare: str) -> Address | None:
    """The one spelling of an address; None where no letter can be sent to it, as outside ASCII before the @."""
    local, _, domain = bare.lower().rpartition("@")
    host = domain_of(domain)
    return Address(f"{local}@{host}") if host and _LOCAL.fullmatch(local) else None


def address_in(written: str) -> Address | None:
    """The one address that somebody names, as people and mail programs write it; None for none, several, or one without a domain.

    `Carla <carla@example.org>`, `carla@example.org<mailto:carla@example.org>` and `mailto:carla@example.org,` are one.
    """
    short = written[:_LONGEST]
    found = _WRITTEN.findall(_QUOTED.sub(" ", short)) or _WRITTEN.findall(short)
    named = {spelt(each.rstrip(_ROUND) if each[0] not in _ROUND else each.strip(_ROUND)) for each in found}
    (address,) = named if len(named) == 1 else (None,)
    return address if address and "." in address.rpartition("@")[2] else None


class Route(msgspec.Struct, frozen=True):
    """Where a letter belongs by its address: to a match, with a reply token, or back from a bounced letter, whose number
    may be `masked` (`unmasked`); or to the `keeper`, who is postmaster."""

    match: str | None = None
    token: str | None = None
    bounce: int | None = None
    mark: str | None = None
    masked: bool = False
    keeper: bool = False


def reply_address(base: str, match: str, token: str) -> str:
    """`referee+MATCH.TOKEN@host`, in lower case as mail programs make it. Raises ValueError for other characters."""
    if not _MATCH.fullmatch(match.lower()) or not _TOKEN.fullmatch(token.lower()):
        raise ValueError(f"no address can carry the match {match!r} and its token")
    return _plus(base, f"{match.lower()}.{token.lower()}")


def verp(base: str, letter: int, mark: str = "", secret: bytes = b"") -> str:
    """The envelope sender of the letter with this number: a bounce comes back to it and names the letter.

    The mark of the letter's bytes shows that whoever bounces it has seen it. With a secret the number is masked, so that it
    counts for nobody how many letters went out.
    """
    number = f"x{unmasked(letter, mark, secret):012x}" if secret else f"{letter}"
    return _plus(base, f"bounce={number}.{mark}" if mark else f"bounce={number}")


def unmasked(number: int, mark: str, secret: bytes) -> int:
    """The number of the letter with this mark out of the masked one, or the masked one out of it."""
    key = hmac.digest(secret, b"bounces", "sha256")
    return number ^ int.from_bytes(hmac.digest(key, mark.encode(), "sha256")[:6], "big")


def bounce_mark(raw: bytes) -> str:
    """Twelve digits of the SHA-256 of a letter's bytes; nobody who never had the letter can name them."""
    return hashlib.sha256(raw).hexdigest()[:12]


def parse_recipient(address: str, base: str) -> Route | None:
    """The meaning of an address of ours, whatever its case; None when it is not ours or means nothing of ours."""
    local, _, host = base.lower().rpartition("@")
    found, _, found_host = (spelt(address.strip()) or "").rpartition("@")
    name, plus, detail = found.partition("+")
    if address.strip().lower() == _POSTMASTER or (name in _KEEPERS and name != local and found_host == host):
        return Route(keeper=True)
    if (name, found_host) != (local, host):
        return None
    if not plus:
        return Route()
    read = _DETAIL.fullmatch(detail)
    if read is None:
        return None
    bounce, masked = read["bounce"], read["masked"]
    number = int(masked, 16) if masked else int(bounce) if bounce else None
    return Route(read["match"], read["token"], number, read["mark"], bool(masked))


def addressed(address: str, base: str) -> str:
    """The match that an address of ours names; "" where it names none."""
    route = parse_recipient(address, base)
    return (route.match or "") if route is not None else ""


_KEY_TO_A_TURN = re.compile(r"(#t=[a-z0-9.-]{1,60}&(?:amp;)?)k=[\w&=;-]+")
"""With all that stands behind the key, such as what its owner has on file."""


def without_tokens(text: str, base: str) -> str:
    """A text without the secret part of any reply address of ours, `referee+nw1.…@host`, and of any link to a turn, `&k=…`."""
    text = _KEY_TO_A_TURN.sub("\\1k=\u2026", text)
    local, at, host = base.lower().rpartition("@")
    if not at or host not in text.lower():
        return text
    detail = r"(?:\+|%2B)([a-z0-9-]{1,40})\.[a-z0-9]{1,64}(?:@|%40)"
    whole = rf"(?i)(?<!\w){re.escape(local)}{detail}{re.escape(host)}(?!\w)"
    return re.sub(whole, lambda found: f"{local}+{found[1].lower()}.\u2026@{host}", text)


def token_digest(token: str) -> str:
    """SHA-256 of a token in hex: what is kept of it. Case does not matter."""
    return hashlib.sha256(token.strip().lower().encode("utf-8", "surrogatepass")).hexdigest()


def message_id(secret: bytes, kind: str, unique: str, match: str, turn: int, reader: str, seq: int, host: str) -> str:
    """A Message-ID made of what the letter is: writing the same letter again gives the same one.

    Nobody without the secret sees the part that tells it apart from others of its kind: it may number letters of others.
    """
    what = hmac.digest(
        secret, "\0".join((kind, unique, match, str(turn), reader, str(seq))).encode("utf-8", "replace"), "sha256"
    )
    return f"<{_word(match)}.t{turn}.{_word(kind)}-{base64.b32encode(what[:15]).decode().lower()}@{host}>"


def thread_id(match: str, host: str) -> str:
    """The reference that all letters of a match share, so that mail programs keep them together."""
    return f"<{_word(match)}.match@{host}>"


def list_id(match: str, host: str) -> str:
    """The List-Id of a match, by which a player can sort its letters into a folder."""
    return f"<{_word(match)}.referee.{host}>"


def _plus(base: str, detail: str) -> str:
    local, at, host = base.rpartition("@")
    if not (local and at and host):
        raise ValueError(f"{base!r} is no mail address")
    return f"{local}+{detail}@{host}"


def _word(name: str) -> str:
    """A name as letters, digits and hyphens; a changed one gets six digits of its SHA-256, to stay its own."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if plain == name.lower():
        return plain or "all"
    return f"{plain or 'x'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
