"""What a letter says of who sent it: the person, or the mail server that brings one back."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
from collections.abc import Collection, Iterator
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

from referee.core.normal import normal
from referee.mail.characters import one_line
from referee.mail.headers import Headers, attempt, head_of, headers, mailboxes, words

if TYPE_CHECKING:
    import authres


# ---------------------------------------------------------------- a player's key
# A word in a letter that proves who wrote it. It is taken out before anything else reads the letter.


LEAST = 8
"""Characters a key must have at least."""

_KEY = re.compile(r"^((?:[ \t]*>)*[ \t]*)(SET[ \t]+)?KEY[ \t:=]+(\S{1,200})[ \t.;]*$", re.IGNORECASE | re.MULTILINE)
_COST, _BLOCK, _LANES = 14, 8, 1


class Keys(msgspec.Struct, frozen=True):
    """A text without its keys, the key that was given ("" for none), and the new one that was set."""

    text: str
    given: str = ""
    new: str = ""


def take_keys(text: str) -> Keys:
    """Take `KEY word` and `SET key word` out of a text, each on a line of its own; the lines stay, emptied.

    Quoted ones are emptied as well, and count for nothing. The first of each kind counts.
    """
    if "key" not in text.lower():  # hardly any letter has one, and the search costs a line end after the other
        return Keys(text)
    given: list[str] = []
    new: list[str] = []

    def emptied(found: re.Match[str]) -> str:
        if not found[1].strip():
            (new if found[2] else given).append(found[3])
        return found[1].rstrip()

    without = _KEY.sub(emptied, text)
    return Keys(without, next(iter(given), ""), next(iter(new), ""))


def hash_key(key: str, salt: bytes) -> str:
    """What is kept of a key: scrypt with its cost and salt, as text. Takes 16 MB and some hundredths of a second."""
    return f"scrypt${_COST}${_BLOCK}${_LANES}${salt.hex()}${_scrypt(key, salt, _COST, _BLOCK, _LANES).hex()}"


def is_key(key: str, kept: str) -> bool:
    """Whether a word is the key of which this was kept, compared in constant time. Raises ValueError for no such text."""
    name, cost, block, lanes, salt, digest = kept.split("$")
    if name != "scrypt":
        raise ValueError(f"{name!r} is no way in which keys are kept")
    found = _scrypt(key, bytes.fromhex(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(found, bytes.fromhex(digest))


def _scrypt(key: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    word = normal("NFKC", key).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(word, salt=salt, n=1 << cost, r=block, p=lanes, maxmem=64 * 1024 * 1024, dklen=32)


_FIELD = "Authentication-Results"
_MOST = 20
_LONG_FROM = 300


class Authentication(msgspec.Struct, frozen=True):
    """Whether the From of a letter is proven, proven false, or neither; `why` is for the log."""

    verdict: Literal["proven", "forged", "unproven"]
    why: str


class _Result(msgspec.Struct, frozen=True):
    """One method's result and the domain it speaks of, both in small letters; "" for a domain not named."""

    method: str
    result: str
    domain: str


def authentication(raw: bytes, trusted: Collection[str]) -> Authentication:
    """Believe the one mailbox in From if DMARC passed for its domain, or DKIM for it or a parent domain.

    SPF alone proves nothing. A DMARC failure proves a forgery; any other result against the sender's domain leaves
    the letter unproven, whatever else passed. Never raises.
    """
    if not trusted:
        return Authentication("unproven", "no mail server is trusted")
    none: Headers = {}
    fields = attempt("the headers", [], none, _headers, raw)
    results = tuple(_results(fields, {id.lower() for id in trusted}))
    boxes = mailboxes(fields.get("from", ()))
    if len(boxes) != 1 or len(fields.get("from", ())) != 1 or not boxes[0].address:
        return Authentication("unproven", f"{len(boxes)} mailboxes in From")
    return _judged(results, boxes[0].address.rpartition("@")[2])


def from_as_written(raw: bytes) -> str:
    """The From of a letter as it stands there, all fields of that name, for a reader to judge; cut when it is long."""
    none: Headers = {}
    fields = attempt("the headers", [], none, _headers, raw).get("from", ())
    whole = ", ".join(words(value[:_LONG_FROM]) for value in fields[:_MOST])
    return whole if len(whole) <= _LONG_FROM else f"{whole[:_LONG_FROM]} ..."


def _headers(raw: bytes) -> Headers:
    return headers(BytesHeaderParser().parsebytes(head_of(raw)))


def _judged(results: tuple[_Result, ...], domain: str) -> Authentication:
    dmarc = {found.result for found in results if found.method == "dmarc" and found.domain in (domain, "")}
    named = {found.result for found in results if found.method == "dmarc" and found.domain == domain}
    dkim = {found.result for found in results if found.method == "dkim" and _covers(found.domain, domain)}
    if "fail" in dmarc:
        return Authentication("forged", f"dmarc=fail for {domain}")
    if named == {"pass"} and dmarc == {"pass"}:
        return Authentication("proven", f"dmarc=pass for {domain}")
    if dkim == {"pass"} and dmarc <= {"none"}:
        return Authentication("proven", f"dkim=pass for {domain}")
    return Authentication("unproven", f"no trusted result proves {domain}")


def _covers(signer: str, domain: str) -> bool:
    """Whether a signer speaks for a domain: its own, or one below its own. Whoever runs a domain runs those below."""
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _results(fields: Headers, trusted: set[str]) -> Iterator[_Result]:
    import authres

    for value in fields.get(_FIELD.lower(), ())[:_MOST]:
        try:
            read = authres.AuthenticationResultsHeader.parse(f"{_FIELD}: {value}")
        except (authres.AuthResError, ValueError, LookupError, RecursionError):
            continue  # some servers write no authserv-id at all; nobody vouches for such a field
        if str(read.authserv_id).lower() in trusted:
            for result in read.results:
                yield _Result(str(result.method).lower(), str(result.result).lower(), _domain(result))


def _domain(result: authres.AuthenticationResult) -> str:
    wanted = {"dmarc": ("from",), "dkim": ("d",)}.get(str(result.method).lower(), ())
    values = [
        str(p.value) for p in result.properties if str(p.type).lower() == "header" and str(p.name).lower() in wanted
    ]
    domains = {value.rpartition("@")[2].strip(' <>"').lower().rstrip(".") for value in values}
    return domains.pop() if len(domains) == 1 else ""


# ---------------------------------------------------------------- bounces
# What a mail server says of a letter it could not deliver, read from its report or, failing that, its words.


class _OneLine(logging.Filter):
    """The library writes a traceback, a thousand lines at worst, when a stranger's bytes break one of its detectors."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[0]:
            record.msg, record.args = "a bounce could not be understood: %s", (record.exc_info[0].__name__,)
            record.exc_info = None
        return True


logging.getLogger("flufl.bounce").addFilter(_OneLine())

_MOST_BYTES, _MOST_LINES, _LOOKS = 500_000, 5_000, 50_000
_PARTS = 50
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_FULL = ("2", "2")
"""X.2.2, mailbox full: called permanent by some servers, and over when the reader has tidied up."""


class Bounce(msgspec.Struct, frozen=True):
    """An address that was not reached, for good (`hard`) or for now, and the server's words for it."""

    address: str
    hard: bool
    why: str


@lru_cache(maxsize=1)  # a letter to many recipients comes once for each, one after the other
def bounce_in(raw: bytes) -> tuple[Bounce, ...]:
    """The addresses a bounce is about, in small letters; () for a letter that reports no failure. Never raises."""
    message: Message | None = attempt("the structure", [], None, message_from_bytes, _beginning(raw))
    if message is None:
        return ()
    none: tuple[Bounce, ...] = ()
    parts = attempt("the parts", [], [message], _parts, message)
    reports = [part for part in parts if part.get_content_type() == "message/delivery-status"]
    if reports:
        return _once(b for part in reports for b in attempt("the report", [], none, _reported, part))
    return _once(attempt("the bounce", [], none, _guessed, message))


def _beginning(raw: bytes) -> bytes:
    """As much of a bounce as is read: detectors look at every line, and the library once for every multipart around it."""
    most = min(_MOST_LINES, _LOOKS // (1 + raw[:_MOST_BYTES].lower().count(b"multipart/")))
    return b"\n".join(raw[:_MOST_BYTES].split(b"\n", most)[:most])


def _parts(message: Message) -> list[Message]:
    return [part for part, _ in zip(message.walk(), range(_PARTS), strict=False)]


def _once(found: Iterator[Bounce] | tuple[Bounce, ...]) -> tuple[Bounce, ...]:
    """Each address once; a hard failure outweighs a soft one."""
    worst: dict[str, Bounce] = {}
    for bounce in found:
        if bounce.address and (bounce.address not in worst or bounce.hard):
            worst[bounce.address] = bounce
    return tuple(worst.values())


def _reported(part: Message) -> tuple[Bounce, ...]:
    """RFC 3464: a block of fields on the whole letter, then one on each recipient."""
    blocks = part.get_payload()
    if not isinstance(blocks, list):
        return ()
    return tuple(b for block in blocks if isinstance(block, Message) and (b := _of_block(headers(block))))


def _of_block(fields: Headers) -> Bounce | None:
    address = _recipient(fields)
    action = _first(fields, "action").lower()
    if not address or action not in ("failed", "delayed"):
        return None
    code = _STATUS.search(_first(fields, "status"))
    said = _first(fields, "diagnostic-code") or _first(fields, "status") or action
    permanent = code is None or code[1] == "5"
    full = code is not None and (code[2], code[3]) == _FULL
    return Bounce(address, action == "failed" and permanent and not full, one_line(said)[:300])


def _recipient(fields: Headers) -> str:
    """The address a letter was sent to before any forwarding, if it is named, else the one that failed."""
    for name in ("original-recipient", "final-recipient"):
        boxes = mailboxes((_first(fields, name).partition(";")[2],))
        if boxes and boxes[0].address:
            return boxes[0].address
    return ""


def _guessed(message: Message) -> tuple[Bounce, ...]:
    """What Mailman's detectors make of a bounce without a report. They raise on some bytes, each for itself."""
    from flufl.bounce import all_failures

    temporary, permanent = all_failures(message)
    soft = [Bounce(_text(address), False, "not delivered for now") for address in temporary]
    return (*soft, *(Bounce(_text(address), True, "not delivered") for address in permanent))


def _text(address: bytes | str) -> str:
    text = address.decode("utf-8", "replace") if isinstance(address, bytes) else address
    boxes = mailboxes((text,))
    return boxes[0].address if boxes else ""


def _first(fields: Headers, name: str) -> str:
    return next(iter(fields.get(name, ())), "").strip()
