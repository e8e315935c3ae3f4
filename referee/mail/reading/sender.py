"""Proof of a sender: keys that he writes, and the word of mail servers on his From."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Iterator
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING, Literal

import msgspec

from referee.core.normal_text import normal
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
    """The stored form of a key: scrypt with its cost and salt, as text. Takes 16 MB and some hundredths of a second."""
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
    """Whether a signer speaks for a domain: its own, or one below its own. The owner of a domain runs those below."""
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
