"""Header fields read from their raw form, and whether a machine wrote the letter: no single sign is enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import msgspec

from referee.mail.address import spelt
from referee.mail.characters import decode, one_line

T = TypeVar("T")

Headers = dict[str, tuple[str, ...]]
"""Values by lower-cased field name, in the order of the letter, unfolded, encoded words not yet decoded."""

HEAD_LIMIT = 128 * 1024
"""Bytes of the header fields of one letter that are read, all together."""

_READABLE = 32_000
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_WRONG_INSIDE = (LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RuntimeError)
_BROKEN = (ValueError, MessageError, *_WRONG_INSIDE)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\\.|[()<>,:;]|[^"\\()<>,:;]+|.', re.DOTALL)
_PLAIN_ADDRESS = re.compile(r'[^\s@<>()",:;\\]+@[^\s@<>()",:;\\]+')
_ID = re.compile(r"<[^<>\s]+>")


class Mailbox(msgspec.Struct, frozen=True):
    """A name and an address in its one spelling; as it stands where nobody can write there, empty when it could not be read."""

    name: str
    address: str


def attempt(what: str, defects: list[str], otherwise: T, read: Callable[..., T], *args: Any) -> T:
    """`read(*args)`, or `otherwise` with a defect noted: the standard library's readers fail in many ways.

    The kinds of failure are those seen on real and crafted mail; memory and interrupt errors pass through.
    """
    try:
        return read(*args)
    except _BROKEN as broken:
        defects.append(f"{what} could not be read ({type(broken).__name__})")
        return otherwise


def head_of(raw: bytes) -> bytes:
    """The header section of a letter with the empty line after it; cut where it is endless."""
    end = _END_OF_HEAD.search(raw)
    return raw[: end.end() if end else len(raw)][:HEAD_LIMIT]


def short_head(raw: bytes) -> bytes:
    """The letter without the header fields that are too many: whole lines are left out, and the body stays."""
    end = _END_OF_HEAD.search(raw)
    stop = end.start() + 1 if end else len(raw)
    if stop <= HEAD_LIMIT:
        return raw
    kept = raw.rfind(b"\n", 0, HEAD_LIMIT) + 1
    return raw[: kept or HEAD_LIMIT] + (raw[stop:] if kept else b"\n" + raw[stop:])


def headers(message: Message) -> Headers:
    """All header fields of a message. Very long values are cut."""
    found: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        found.setdefault(name.lower(), []).append(_unfold(value))
    return {name: tuple(values) for name, values in found.items()}


def words(value: str) -> str:
    """A value with its encoded words decoded, on one line. Never raises."""
    parts = attempt("an encoded word", [], [(value, None)], decode_header, value)
    return one_line("".join(p if isinstance(p, str) else decode(p, charset or "") for p, charset in parts))


def mailboxes(values: Iterable[str]) -> tuple[Mailbox, ...]:
    """Every mailbox of some address fields. Comments are skipped, quoted commas do not split."""
    return tuple(box for value in values for box in _split(value))


def message_ids(values: Iterable[str]) -> tuple[str, ...]:
    """Message-IDs in angle brackets, in order, each once, whatever stands between them; the last 50."""
    found = (one_line(id) for value in values for id in _ID.findall(value))
    return tuple(dict.fromkeys(found))[-50:]


def own_id(values: tuple[str, ...]) -> str:
    """The Message-ID as it stands, even when it is malformed; empty when there is none."""
    if not values:
        return ""
    start, end = values[0].find("<"), values[0].rfind(">")
    return one_line(values[0][start : end + 1] if 0 <= start < end else values[0])


def moment(value: str) -> datetime:
    """A Date field as an aware time; a time without zone is UTC. Raises ValueError and its like."""
    read = parsedate_to_datetime(value)
    aware = read if read.tzinfo else read.replace(tzinfo=UTC)
    aware.astimezone(UTC)  # a year at the edge of the calendar fails here and not later
    return aware


def _unfold(value: Any) -> str:
    raw = str(value)[:_READABLE].replace("\r", "").replace("\n", "")
    return raw if raw.isascii() else decode(raw.encode("utf-8", "surrogateescape"))


class _Scan:
    """The state of reading one address field."""

    def __init__(self) -> None:
        self.found: list[Mailbox] = []
        self.phrase = ""
        self.angle: str | None = None
        self.within = False
        self.comment = 0

    def take(self, token: str) -> None:
        if token == "(" or (token == ")" and self.comment):
            self.comment += 1 if token == "(" else -1
        elif self.comment:
            return
        elif self.within:
            if token == ">":
                self.within = False
            else:
                self.angle = (self.angle or "") + token
        elif token == "<":
            self.angle, self.within = "", True
        elif token in ",;":
            self.close()
        elif token == ":":
            self.phrase = ""
        else:
            self.phrase += token

    def close(self) -> None:
        """End of one mailbox."""
        phrase = self.phrase.strip()
        if self.angle is not None:
            plain = phrase.replace('\\"', "\0").replace('"', "").replace("\0", '"')
            self.found.append(Mailbox(words(re.sub(r"\\(.)", r"\1", plain)), _address(self.angle)))
        elif phrase:
            self.found.append(Mailbox("", _address(phrase)))
        self.phrase, self.angle, self.within = "", None, False


def _split(value: str) -> list[Mailbox]:
    scan = _Scan()
    for token in _TOKEN.findall(value):
        scan.take(token)
    scan.close()
    return scan.found


def _address(text: str) -> str:
    bare = one_line(text.rpartition(":")[2]).lower()
    return spelt(bare) or (bare if _PLAIN_ADDRESS.fullmatch(bare) else "")


# ---------------------------------------------------------------- whether a machine wrote a letter
# Whether a machine wrote a letter. No single sign is enough, so every one that is found is named.


LOOP_HEADER = "X-Referee-Loop"
"""The mark on every letter of ours; one that comes back with it is never answered."""

NULL_PATH = "null return path"
UNSURE = frozenset(("no readable sender", NULL_PATH))
"""Signs that a person's letter may bear too: some relays take the envelope sender from every letter."""

_PRECEDENCES = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_SENDERS = re.compile(r"(mailer-daemon|postmaster|no-?_?reply|do-?not-?reply|bounces?)([+.-].*)?@.*")
_NAMES = re.compile(r"x-auto-?(reply|replied|respond|response|generated|submitted).*|auto-?replied")
_ADDRESS = re.compile(r"[^\s@<>()\",:;]{1,100}@[^\s@<>()\",:;]{1,255}")
_READ = 2_000

OF_MACHINES = re.compile(
    r"multipart/report|message/((global-)?delivery-status|(global-)?disposition-notification|tracking-status|feedback-report)"
    r"|text/calendar that answers|(text|application)/vnd\.[a-z0-9.-]*(reaction|receipt)[a-z0-9.+-]*|application/(x-)?pkcs7-receipt"
)
"""Content types of a letter, or of a part of it, that a mail program writes by itself: receipts, reactions, calendars' answers."""

_SUBJECTS = re.compile(
    r"((auto(matic)? ?-?reply|automatische antwort|abwesenheitsnotiz|abwesend|out of (the )?office|autosvar"
    r"|r[eé]ponse automatique|respuesta autom[aá]tica|risposta automatica|automatisch antwoord|automatiskt svar"
    r"|resposta autom[aá]tica|undeliverable|undelivered mail|delivery status notification|mail delivery failed"
    r"|delivery failure notification|mail could not be delivered|returned mail|failure notice"
    r"|absence du bureau|fuera de la oficina|fuori (sede|ufficio)|niet op kantoor|fr[aå]nvaromeddelande|fora do escrit[oó]rio"
    r"|nieobecno[sś][cć] w biurze|poza biurem|autoodpowied[zź]|odpowied[zź] automatyczna|automatyczna odpowied[zź]"
    r"|frav[aæ]rsmeddelelse|ikke (til stede|p[aå] kontoret)|automatisk svar|poissa toimist\w*|poissaoloilmoitus"
    r"|automaattinen vastaus|h[aá]zon k[ií]v[uü]l|automatikus v[aá]lasz|mimo kancel[aá][rř]\w*|automatick[aá] odpov[eě][dď]"
    r"|automatska poruka|samodejni odgovor|r[aă]spuns automat|automatinis atsakymas|automātiskā atbilde|automaatvastus"
    r"|otomatik yan\S?t|ofis d\S?[sş]\S?nda|resposta autom[aà]tica|αυτόματη απάντηση|автоответ\w*|автоматический ответ"
    r"|(я )?вне офиса|нет на месте|автоматична відповідь|автоматичен отговор|מענה אוטומטי|رد تلقائي)\b"
    r"|自動応答|自動返信|不在通知|不在のお知らせ|自动回复|自動回覆|自动答复|不在办公室|不在辦公室|자동 ?(회신|응답)|부재중)",
    re.IGNORECASE,
)


def signs_of_a_machine(headers: Headers, kind: str, sender: str, subject: str, envelope: str | None) -> tuple[str, ...]:
    """Why the letter looks automatic, in words for the log; empty for a letter a person wrote.

    `kind` is its content type, or that of a part that tells more,
    `envelope` the envelope sender where it is known. X-Auto-Response-Suppress
    asks for silence and proves nothing, so it is no sign.
    """
    found = (*_header_signs(headers), *_other_signs(headers, kind, sender, subject, envelope))
    return tuple(dict.fromkeys(found))


def _header_signs(headers: Headers) -> Iterator[str]:
    for value in headers.get("auto-submitted", ()):
        if _first_word(value) != "no":
            yield f"Auto-Submitted: {_first_word(value)}"
    for value in headers.get("precedence", ()):
        if _first_word(value) in _PRECEDENCES:
            yield f"Precedence: {_first_word(value)}"
    for name, values in headers.items():
        if _NAMES.fullmatch(name) and name != "x-auto-response-suppress" and any(v.lower() != "no" for v in values):
            yield f"{name} present"
    for value in headers.get("delivered-to", ()):
        if value.strip().lower() == "autoresponder":
            yield "Delivered-To: Autoresponder"
    if any(address in _written_to(headers) for value in headers.get("x-loop", ()) for address in _addresses(value)):
        yield "X-Loop with the address it was written to"
    for name in ("x-fc-machinegenerated", "x-failed-recipients", "list-id", "list-post"):
        if name in headers:
            yield f"{name} present"
    for name in ("content-identifier", "x400-content-identifier"):
        if any("auto" in v.lower() and "reply" in v.lower() for v in headers.get(name, ())):
            yield f"{name}: auto reply"


def _other_signs(headers: Headers, kind: str, sender: str, subject: str, envelope: str | None) -> Iterator[str]:
    null_path = any(value.strip() == "<>" for value in headers.get("return-path", ()))
    if null_path or (envelope is not None and envelope.strip(" <>") == ""):
        yield NULL_PATH
    if OF_MACHINES.fullmatch(kind):
        yield kind
    if not sender:
        yield "no readable sender"
    elif _SENDERS.fullmatch(sender):
        yield f"sender {sender}"
    if _SUBJECTS.match(subject):
        yield "subject of an automatic reply"


def _written_to(headers: Headers) -> set[str]:
    """Addresses of the recipients, also without what follows a plus."""
    found = {
        a
        for name in ("to", "delivered-to", "x-original-to")
        for value in headers.get(name, ())
        for a in _addresses(value)
    }
    return found | {re.sub(r"\+[^@]*", "", address) for address in found}


def _addresses(value: str) -> set[str]:
    return {address.lower() for address in _ADDRESS.findall(value[:_READ])}


def _first_word(value: str) -> str:
    return value.split(";")[0].split("(")[0].strip().lower()[:40]
