"""A letter read: bytes to what its writer said."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from functools import lru_cache
from itertools import islice

import msgspec

from referee.mail.headers import (
    HEAD_LIMIT,
    LOOP_HEADER,
    OF_MACHINES,
    UNSURE,
    Headers,
    attempt,
    head_of,
    headers,
    mailboxes,
    message_ids,
    moment,
    own_id,
    short_head,
    signs_of_a_machine,
    words,
)
from referee.mail.reading.body import Body, Unread, body_of

_DELIVERED = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-forwarded-to", "to", "cc")

_LONG_PARAMETERS = re.compile(
    rb"^(content-(?:type|disposition)[ \t]*:(?:[^\r\n]|\r?\n[ \t]){4000})(?:[^\r\n]|\r?\n[ \t])++",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKS = 200_000
_PARTS = 100
"""So many parts of a letter are asked what they are."""

_CUT = "longer than "
_LINE = re.compile(rb"[^\n]*\n")
_FIELD = re.compile(rb"[!-9;-~]+:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*+")
_HEAD = re.compile(rb"(?:[!-9;-~]+:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*+)++(\r?\n)")
"""A head in which every line is a field or goes on with one, and the empty line after it."""

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BLANK_BEFORE_COLON = re.compile(rb"^([!-9;-~]{1,100})[ \t]{1,100}:", re.MULTILINE)
_FILE = re.compile(rb"(?:^[A-Za-z0-9+/]{40,100}+={0,2}+\r?\n)++", re.MULTILINE)
_LINES_OF_A_FILE = 100
_FILE_KEPT = 1_500_000
"""Bytes of a part in base64 that are read: more than the text is that is read of a letter."""

_PICTURE_KEPT = 4_000
_NEARBY = 2_000
_SEEN_OR_HEARD = re.compile(rb"content-type[ \t]*:\s*(image|audio|video)/", re.IGNORECASE)


class Letter(msgspec.Struct, frozen=True):
    """A letter that arrived, decoded. Everything in it was claimed by its sender and proves nothing.

    `sender` is bare and lower-cased, empty when unreadable; `from_count` counts the mailboxes in From, all of them `senders`.
    `otherwise` is its text with other line ends, as `Body` has it. `recipients` are lower-cased, those written by mail servers
    first.

    `automatic` says why it looks like a machine's; `loop` that it is one of our own letters. `size` is in bytes. `unread` is
    what of it was not read, for its writer to know; `defects` are for the log. `reply_to` is where an answer is wanted, ""
    where nothing is said of that.
    """

    sender: str
    sender_name: str
    from_count: int
    recipients: tuple[str, ...]
    message_id: str
    dated: datetime | None
    subject: str
    in_reply_to: str
    references: tuple[str, ...]
    text: str
    attachments: tuple[str, ...]
    automatic: tuple[str, ...]
    loop: bool
    size: int
    defects: tuple[str, ...]
    senders: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    reply_to: str = ""
    otherwise: tuple[str, ...] = ()

    @property
    def by_machine(self) -> bool:
        """Whether it bears a sign that no person's letter has."""
        return not UNSURE.issuperset(self.automatic)


def read(raw: bytes, envelope_sender: str | None = None) -> Letter:
    """The letter in these bytes. `envelope_sender` is "" for the null return path, None when unknown."""
    defects: list[str] = []
    message = _parsed(raw, defects)
    none: Headers = {}
    fields = attempt("the headers", defects, none, headers, message)
    boxes = mailboxes(fields.get("from", ()))
    sender = boxes[0].address if boxes else ""
    body = attempt("the body", defects, Body("", (), ()), body_of, message, sender)
    subject = words(_first(fields, "subject"))
    kind = attempt("the content type", defects, "text/plain", _kind, message)
    return Letter(
        sender=sender,
        sender_name=boxes[0].name if boxes else "",
        from_count=len(boxes),
        recipients=_recipients(fields),
        message_id=own_id(fields.get("message-id", ())),
        dated=_dated(fields, defects),
        subject=subject,
        in_reply_to=next(iter(message_ids(fields.get("in-reply-to", ()))), ""),
        references=message_ids(fields.get("references", ())),
        text=body.text,
        attachments=body.attachments,
        unread=_unread(defects, body),
        automatic=signs_of_a_machine(fields, kind, sender, subject, envelope_sender),
        loop=LOOP_HEADER.lower() in fields,
        size=len(raw),
        defects=tuple(dict.fromkeys((*defects, *body.defects))),
        senders=tuple(box.address for box in boxes),
        reply_to=next((box.address for box in mailboxes(fields.get("reply-to", ()))), ""),
        otherwise=body.otherwise,
    )


@lru_cache(maxsize=2)  # a text is filed with it, and its receipt quotes it
def digest(text: str) -> str:
    """SHA-256 in hex of an order text: lines without trailing blanks, without empty lines before and after."""
    lines = "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def _parsed(raw: bytes, defects: list[str]) -> Message:
    """The MIME tree, or only the headers where it cannot be built.

    Endless parameters are cut off first: the library needs minutes for them. A letter whose only line ends are
    carriage returns gets others, which soft line breaks are known by.
    """
    ended = raw if b"\n" in raw else raw.replace(b"\r", b"\n")
    short = short_head(ended)
    if len(short) < len(ended):
        defects.append(f"more than {HEAD_LIMIT:,} bytes of headers: the rest was not read")
    short = _LONG_PARAMETERS.sub(rb"\1", _in_reason(_without_pictures(_repaired(short)), defects))
    tree: Message | None = attempt("the structure", defects, None, _tree, short)
    if tree is not None:
        return tree
    return attempt("the headers", defects, Message(), BytesHeaderParser().parsebytes, short)


def _repaired(raw: bytes) -> bytes:
    """Without blanks before the colon of a header field, at which the library takes all fields for text."""
    head = head_of(raw)
    mended = _BLANK_BEFORE_COLON.sub(rb"\1:", head)
    return raw if mended == head else mended + raw[len(head) :]


def _without_pictures(raw: bytes) -> bytes:
    """With no more than the beginning of large files: a photograph of megabytes costs a letter nothing."""
    if len(raw) < _FILE_KEPT // 10:
        return raw
    kept: list[bytes] = []
    at = 0
    for found in _FILE.finditer(raw):
        if found[0].count(b"\n") < _LINES_OF_A_FILE:
            continue
        head = raw[max(at, found.start() - _NEARBY) : found.start()]
        most = found.start() + (_PICTURE_KEPT if _SEEN_OR_HEARD.search(head[head.rfind(b"--") :]) else _FILE_KEPT)
        if most < found.end():
            kept.append(raw[at : raw.index(b"\n", most) + 1])
            at = found.end()
    return b"".join((*kept, raw[at:]))


def _tree(raw: bytes) -> Message:
    """The library's reading of it; where there are no parts, without its asking of every line whether one begins."""
    head = _HEAD.match(raw)
    if head is None:
        return message_from_bytes(raw)
    message = Message()
    for field in _FIELD.findall(raw, 0, head.start(1)):
        lines = [line.decode("ascii", "surrogateescape") for line in _LINE.findall(field)]
        message.set_raw(*message.policy.header_source_parse(lines))
    if message.get_content_maintype() in ("multipart", "message"):
        return message_from_bytes(raw)
    message.set_payload(raw[head.end() :].decode("ascii", "surrogateescape"))
    return message


def _in_reason(raw: bytes, defects: list[str]) -> bytes:
    """As much of a letter as is read: the library looks at each line once for every multipart around it."""
    most = _LOOKS // (1 + raw.lower().count(b"multipart/"))
    if raw.count(b"\n") + raw.count(b"\r") <= most:
        return raw
    end = next(islice(_LINE_END.finditer(raw), most, None), None)
    if end is None:
        return raw
    defects.append(f"{_CUT}{most} lines: the rest was not read")
    return raw[: end.end()]


def _unread(defects: list[str], body: Body) -> tuple[Unread, ...]:
    """The text of the body, and where the letter was cut off before it was taken apart."""
    lines = (defect.split()[2] for defect in defects if defect.startswith(_CUT))
    return (*body.unread, *(Unread("lines", f"{int(most):,}") for most in lines))


def _kind(message: Message) -> str:
    """Its content type, or that of the part by which a machine says what it tells: a reaction, a receipt, a calendar's answer."""
    whole = message.get_content_type()
    parts = [message]
    for part in parts:
        kind = part.get_content_type()
        if kind in ("text/calendar", "application/ics") and _method(part) not in ("", "request", "publish"):
            return "text/calendar that answers"
        if OF_MACHINES.fullmatch(kind):
            return kind
        within = part.get_payload() if kind.startswith("multipart/") and len(parts) < _PARTS else ()
        parts += [one for one in within if isinstance(one, Message)] if isinstance(within, list) else []
    return whole


def _method(part: Message) -> str:
    """The purpose of a calendar's part, by its header or its text (RFC 5546); "" where neither tells."""
    said = str(part.get_param("method", "")).lower()
    body = b"" if said else part.get_payload(decode=True)
    found = _METHOD.search(body[:4_000]) if isinstance(body, bytes) else None
    return found[1].decode().lower() if found else said


_METHOD = re.compile(rb"^METHOD:[ \t]*([a-z]+)", re.IGNORECASE | re.MULTILINE)


def _first(fields: Headers, name: str) -> str:
    return next(iter(fields.get(name, ())), "")


def _recipients(fields: Headers) -> tuple[str, ...]:
    boxes = (box for name in _DELIVERED if name in fields for box in mailboxes(fields[name]))
    return tuple(dict.fromkeys(box.address for box in boxes if box.address))


def _dated(fields: Headers, defects: list[str]) -> datetime | None:
    value = _first(fields, "date")
    return attempt("the date", defects, None, moment, value) if value else None


# ---------------------------------------------------------------- answered
# Where a letter that is answered begins, by signs that need no dictionary: the shape of its header, lines of ours.
#
# Mail programs put a header over what they quote in a hundred languages, and not all mark the lines below it. In any
# language such a header names an address and a time; and below one of our letters stand lines that only we write.


_GUESSED = 300
_LINES = 8
"""Lines of a header block that are looked at."""

_ABOVE = 15
"""How many lines above a line of ours the title of the letter may stand."""

_LABEL = re.compile(r"[\s*]{0,80}([^\s\d:*<>@\"|#][^\d:<>@\"|#]{0,30}):(?!//)(.*)", re.DOTALL)
_IDENTITY = re.compile(r"[ \t]+<[^<>\s]+@[^<>\s]+>:\s*")
"""The second line of an attribution that is broken before the Message-ID."""

_ADDRESS = re.compile(r"[^\s<>@:,;()]@[^\s<>@:,;()]")
_BRACKETS = re.compile(r"[<\[(][^\s<>@]{1,64}@[^\s<>@]{1,255}[>\])]")
_TIME = re.compile(r"\b\d{1,2} ?[:.hH] ?\d{2}\b|\b(19|20)\d{2}\b|\d{4} ?[年/.-]")
_ABOUT = re.compile(r"\[[a-z0-9-]{1,40}\]")
_SEAL = re.compile(r"[*_]{0,2}(Proof [0-9a-f]{64}|Log \d+:[0-9a-f]{16} · )")
_VERDICT = re.compile(
    r"[*_]{0,2}(COMPLETE|LOOK AGAIN|INCOMPLETE|NOTHING USABLE|NOTHING WAITS|NOT DONE|DONE):[*_]{0,2} \S"
)
_WHERE = re.compile(r".{1,200}?, this is .{0,120}?\bmatch [a-z0-9-]+[;.]")
_CUT_AT = re.compile(r"(# ?)?(- ){3,40}cut here( -){3,40}")


class Header(msgspec.Struct, frozen=True):
    """The lines of the header of an answered letter, the last one not included: none, where only lines of ours are found."""

    first: int
    end: int


def attribution(lines: Sequence[str], last: int) -> Header | None:
    """ "On Sunday Anna <anna@…> wrote:", in any language, that ends on this line: a colon, an address, perhaps a time.

    It may be broken over up to three lines, the address or the time on an earlier one.
    """
    line = lines[last].strip()[:_GUESSED]
    if not line or line[-1] not in ":>])":
        return None
    if last and _IDENTITY.fullmatch(lines[last]) and lines[last - 1].strip():
        return Header(last - 1, last + 1)
    if _TIME.search(line) and _BRACKETS.search(line):
        return Header(last, last + 1)
    if not line.endswith(":"):
        return None
    said = ""
    for first in range(last, max(-1, last - 3), -1):
        part = lines[first].strip()[:_GUESSED]
        said = f"{part} {said}"
        if not part:
            break
        if _TIME.search(said) and (_ADDRESS.search(line) or _BRACKETS.search(said)):
            return Header(first, last + 1)
    return Header(last, last + 1) if _BRACKETS.search(line) else None


def header_block(lines: Sequence[str], place: int) -> tuple[int, bool]:
    """How far neighbouring lines "Word: value" reach from here, and whether they are the header of a letter.

    Some value names an address or a match, [so], and another one a time.
    """
    values: list[str] = []
    at = place
    for at in range(place, len(lines) + 1):
        found = _LABEL.fullmatch(lines[at][:_GUESSED]) if at < len(lines) else None
        if found:
            values.append(found[2])
        elif at == len(lines) or not lines[at].strip() or not lines[at][:1].isspace():
            break
    return at, _is_header(values[:_LINES])


def _is_header(values: Sequence[str]) -> bool:
    addressed = {n for n, value in enumerate(values) if _ADDRESS.search(value)}
    timed = {n for n, value in enumerate(values) if _TIME.search(value)} - addressed
    about = {n for n, value in enumerate(values) if _ABOUT.search(value)} - timed
    return bool(addressed and (timed or about - addressed)) or bool(len(values) > 2 and timed and about)


def may_be_ours(line: str) -> bool:
    """Whether a line has what all of `ours` have: asked first, for it costs next to nothing."""
    return ":" in line or ", this is " in line or "HELP" in line


def ours(lines: Sequence[str], place: int) -> bool:
    """Whether this line stands in letters of ours and nowhere else: whose letter it is, its verdict, its seal, its help."""
    line = lines[place].strip()
    if ", this is " in line[:_GUESSED]:
        return _WHERE.match(" ".join(part.strip()[:_GUESSED] for part in lines[place : place + 2])) is not None
    return line.startswith(("Lost? Reply HELP", "Lost? Reply with HELP")) or bool(
        _SEAL.match(line) or _VERDICT.match(line)
    )


def titled(lines: Sequence[str], place: int) -> int:
    """Where the letter of ours begins in which this line stands: at its underlined title, a few lines above, if it has one."""
    for at in range(place - 1, max(0, place - _ABOVE), -1):
        rule = lines[at].strip()
        if len(rule) > 2 and not rule.strip("=") and lines[at - 1].strip():
            return at - 1
    return place


def said_when(lines: Sequence[str], first: int) -> int:
    """Where the line is that says when a letter was written: a little above a line of ours, with a time and a colon."""
    for at in range(first - 1, max(-1, first - _ABOVE), -1):
        line = lines[at].strip()[-_GUESSED:]
        if line.endswith(":") and _TIME.search(line):
            return at
    return first


def cuts(lines: Sequence[str], first: int, end: int) -> list[range]:
    """The order sheets between the cut marks of a letter of ours, which its reader may have filled in."""
    marks = [at for at in range(first, end) if "cut here" in lines[at] and _CUT_AT.fullmatch(lines[at].strip())]
    return [range(a + 1, b) for a, b in zip(marks[::2], marks[1::2], strict=False)]
