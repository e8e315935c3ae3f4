"""What trusted mail servers say about a letter's sender (RFC 8601): whether its From can be believed.

Only fields that carry a configured authserv-id count, and those mail servers must remove such fields from the letters
they take. Everything doubtful counts for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING, Literal

import msgspec

from referee.mail.headers import Headers, attempt, head_of, headers, mailboxes, words

if TYPE_CHECKING:
    import authres

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
