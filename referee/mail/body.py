"""The text a person wrote: the right part of a MIME tree, decoded, unfolded, cleaned."""

from __future__ import annotations

import re
from email.message import Message

import msgspec

from referee.mail.automatic import LOOP_HEADER
from referee.mail.characters import clean, decode, one_line
from referee.mail.headers import attempt, words
from referee.mail.hypertext import lines_of_html

__all__ = ["LINE_LIMIT", "TEXT_LIMIT", "Body", "body_of", "unflow"]

TEXT_LIMIT = 1_000_000
"""Bytes of text that are read of one letter."""

LINE_LIMIT = 20_000
"""Lines of text that are read of one letter, quoted ones and empty ones among them."""

_HTML_LIMIT = 500_000
_PARTS = 300
_DEPTH = 30
_SHEET = re.compile(r"orders?.{0,40}\.txt", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}charset\s{0,5}=\s{0,5}[\"']?([\w-]{1,40})", re.IGNORECASE)


class Body(msgspec.Struct, frozen=True):
    """The text read, the names of what was attached, and what was wrong."""

    text: str
    attachments: tuple[str, ...]
    defects: tuple[str, ...]


def body_of(message: Message) -> Body:
    """Plain text where there is some, else the HTML as lines; several inline texts follow one another.

    An attached `orders.txt` stands before them. Any other attached text, and an attached letter that is not one
    of ours, is read only where the letter itself says nothing.
    """
    reader = _Parts()
    text = reader.within_reason(clean(reader.whole(message)))
    return Body(text, tuple(reader.attachments), tuple(dict.fromkeys(reader.defects)))


def unflow(text: str, delete_space: bool) -> str:
    """Undo format=flowed (RFC 3676): join soft-broken lines of one quote depth, take stuffed spaces away."""
    lines: list[str] = []
    joined, joined_depth = "", -1
    for line in text.split("\n"):
        depth, content = _unstuff(line)
        if joined_depth >= 0 and (depth != joined_depth or content == "-- "):
            lines.append(_quoted(joined_depth, joined))
            joined = ""
        joined, joined_depth = joined + content, depth
        if content.endswith(" ") and content != "-- ":
            joined = joined[:-1] if delete_space else joined
        else:
            lines.append(_quoted(depth, joined))
            joined, joined_depth = "", -1
    if joined_depth >= 0:
        lines.append(_quoted(joined_depth, joined))
    return "\n".join(lines)


class _Parts:
    """One walk through the parts of a message."""

    def __init__(self) -> None:
        self.attachments: list[str] = []
        self.defects: list[str] = []
        self._left = TEXT_LIMIT
        self._parts = _PARTS
        self._sheets: list[str] = []
        self._others: list[tuple[Message, str]] = []

    def whole(self, message: Message) -> str:
        """The text of a letter and of those attachments that are to be read."""
        own = self.text_of(message, 0)
        if not own.strip() and not self._sheets:
            self._sheets += [self._attached_text(part, kind) for part, kind in self._others]
        return "\n".join(filter(None, (*self._sheets, own)))

    def within_reason(self, text: str) -> str:
        """As many lines as are read."""
        if text.count("\n") < LINE_LIMIT:
            return text
        self.defects.append(f"more than {LINE_LIMIT:,} lines of text: the rest was not read")
        return "\n".join(text.split("\n", LINE_LIMIT)[:LINE_LIMIT])

    def text_of(self, part: Message, depth: int) -> str:
        """The text of a part and of the parts in it."""
        self._parts -= 1
        self.defects.extend(type(defect).__name__ for defect in part.defects)
        if depth > _DEPTH or self._parts < 0:
            self.defects.append("too many parts: some were not read")
            return ""
        kind = attempt("a content type", self.defects, "text/plain", part.get_content_type)
        payload = part.get_payload()
        if isinstance(payload, list) and kind.startswith("multipart/"):
            return self._text_of_many([p for p in payload if isinstance(p, Message)], kind, depth)
        if kind.startswith("multipart/"):  # no boundary was found: what is there may still be orders
            kind = "text/plain"
        if (depth and self._is_attached(part)) or kind not in ("text/plain", "text/html"):
            self._put_aside(part, kind)
            return ""
        return self._decoded(part, kind)

    def _put_aside(self, part: Message, kind: str) -> None:
        """Name an attachment; an order sheet among them is read at once, what else may hold orders perhaps later."""
        name = self._name(part)
        self.attachments.append(name or f"unnamed {one_line(kind)}")
        if kind in ("text/plain", "application/octet-stream") and _SHEET.fullmatch(name):
            self._sheets.append(self._decoded(part, "text/plain"))
        elif kind in ("text/plain", "text/html", "message/rfc822"):
            self._others.append((part, kind))

    def _attached_text(self, part: Message, kind: str) -> str:
        payload = part.get_payload()
        if not isinstance(payload, list):
            return self._decoded(part, kind)
        letters = [inner for inner in payload if isinstance(inner, Message) and LOOP_HEADER not in inner]
        return "\n".join(self.text_of(inner, 1) for inner in letters)

    def _text_of_many(self, parts: list[Message], kind: str, depth: int) -> str:
        if kind != "multipart/alternative":
            return "\n".join(filter(None, (self.text_of(part, depth + 1) for part in parts)))
        plain = [part for part in parts if not _mainly_html(part)]
        found = ""
        for part in (*plain, *(p for p in parts if _mainly_html(p))):
            if not found.strip():
                found = self.text_of(part, depth + 1)
            elif part.is_multipart():  # Apple Mail puts attachments beside the HTML form of the text
                self.text_of(part, depth + 1)
        return found

    def _decoded(self, part: Message, kind: str) -> str:
        data = attempt("a text part", self.defects, b"", _payload, part)
        limit = min(self._left, _HTML_LIMIT if kind == "text/html" else TEXT_LIMIT)
        if len(data) > limit:
            self.defects.append(f"longer than {limit} bytes of text: the rest was not read")
            data = data[:limit]
        self._left -= len(data)
        charset = attempt("a charset", self.defects, "", _parameter, part, "charset")
        if kind == "text/html" and not charset and (meta := _META.search(data[:2000])):
            charset = meta[1].decode("ascii")
        text = decode(data, charset)
        if kind == "text/html":
            return attempt("the HTML", self.defects, text, lines_of_html, text)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        flowed = attempt("a format", self.defects, "", _parameter, part, "format").lower() == "flowed"
        delete = attempt("a format", self.defects, "", _parameter, part, "delsp").lower() == "yes"
        return unflow(text, delete) if flowed else text

    def _is_attached(self, part: Message) -> bool:
        disposition = attempt("a disposition", self.defects, None, part.get_content_disposition)
        return disposition == "attachment" or bool(self._name(part))

    def _name(self, part: Message) -> str:
        found = attempt("a file name", self.defects, None, part.get_filename)
        return words(found) if found else ""


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _parameter(part: Message, name: str) -> str:
    value = part.get_param(name)
    if isinstance(value, tuple):  # RFC 2231: charset, language, value
        value = value[2]
    return value.strip() if isinstance(value, str) else ""


def _mainly_html(part: Message) -> bool:
    return attempt("a content type", [], "", part.get_content_type) != "text/plain"


def _unstuff(line: str) -> tuple[int, str]:
    content = line.lstrip(">")
    return len(line) - len(content), content[1:] if content.startswith(" ") else content


def _quoted(depth: int, content: str) -> str:
    return f"{'>' * depth} {content}" if depth else content
