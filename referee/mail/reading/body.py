"""The text of a letter: the part that is read, and what of it could not be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from email.message import Message
from functools import lru_cache
from html import unescape
from typing import Literal

import msgspec

from referee.mail.characters import clean, decode, one_line
from referee.mail.headers import LOOP_HEADER, Mailbox, attempt, mailboxes, words
from referee.mail.reading.hypertext import lines_of_html

# ---------------------------------------------------------------- a letter as plain text and as HTML
# The HTML knows what it quotes, where the plain text often does not.


_AT_ONCE = 3
_LINK = re.compile(r"<(?:mailto:|https?://)[^\s<>]{1,4000}>", re.IGNORECASE)
_Words = tuple[str, ...]


def quoted_as_in(plain: str, html: str) -> str:
    """The plain text with '>' before each line that stands among the quotes of the HTML and not among its own words.

    Lines are broken elsewhere in the two, so what counts is the words of a line, three neighbours at a time. A line
    that stands among both is the writer's as often as he wrote it. One between quoted lines that has no word of his is quoted
    as well: a picture's name, the cells of a table without a blank between them.
    """
    lines = [line for line in html.split("\n") if line.strip()]
    quoted = _runs(line for line in lines if line.startswith(">"))
    if not quoted:
        return plain
    own = [line for line in lines if not line.startswith(">")]
    written, left = _runs(own), Counter(map(_words, own))
    signs: list[str] = []
    for line in plain.split("\n"):
        words = _words(line) if not line.lstrip().startswith(">") else ()
        runs = _neighbours(words, min(_AT_ONCE, len(words)))
        whole = words in left
        his = runs <= written and (not whole or left[words] > 0)
        if whole:
            left[words] -= 1
        foreign = bool(words) and not runs <= quoted and written.isdisjoint((word,) for word in words)
        signs.append("> " if words and runs <= quoted and not his else "?" if foreign else "")
    places = [place for place, sign in enumerate(signs) if sign == "> "]
    for place, sign in enumerate(signs):
        if sign == "?":
            signs[place] = "> " if places and places[0] < place < places[-1] else ""
    return "\n".join(f"{sign}{line}" for sign, line in zip(signs, plain.split("\n"), strict=True))


def _words(line: str) -> _Words:
    """Without the links that stand behind words in plain text, and the marks before a quote and around bold words."""
    line = _LINK.sub(" ", line) if "<" in line else line
    return tuple(filter(None, (word.strip("*_>") for word in line.split())))


def _runs(lines: Iterable[str]) -> set[_Words]:
    """All runs of one, two and three words, also over the ends of lines."""
    words = tuple(word for line in lines for word in _words(line))
    return {run for size in range(1, _AT_ONCE + 1) for run in _neighbours(words, size)}


def _neighbours(words: _Words, size: int) -> set[_Words]:
    return {words[at : at + size] for at in range(len(words) - size + 1)}


# ---------------------------------------------------------------- what of a letter is not read, by kind
# Its writer is told of it.


What = Literal[
    "bytes", "deep", "elsewhere", "encrypted", "file", "format", "letter", "lines", "packed", "partial", "picture",
    "recording", "wrapped",
]  # fmt: skip
"""Cut off, too deep, an encrypted or a packed letter, a file of some kind."""

_ENCRYPTED = frozenset({"multipart/encrypted", "application/pgp-encrypted"})
_NOBODY_MISSES = re.compile(
    r"application/(pgp-signature|pgp-keys|(x-)?pkcs7-signature)|text/((x-)?vcard|calendar|rfc822-headers)"
    r"|message/(delivery-status|disposition-notification|global-delivery-status)"
)


class Unread(msgspec.Struct, frozen=True):
    """A part of a letter that was not read; `name` is that of a file, or how much was read of what was cut off."""

    what: What
    name: str = ""


def kind_of(kind: str, name: str, smime: str) -> What | None:
    """The kind of a part by its content type, its file's name and its S/MIME type; None for a part nobody wrote as words."""
    if _NOBODY_MISSES.fullmatch(kind):
        return None
    if kind in _ENCRYPTED:
        return "encrypted"
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        return "wrapped" if smime in ("signed-data", "compressed-data") else "encrypted"
    if "ms-tnef" in kind or name.lower() == "winmail.dat":
        return "packed"
    by_kind: dict[str, What] = {
        "message/partial": "partial", "message/external-body": "elsewhere", "message/rfc822": "letter",
        "text/enriched": "format", "text/richtext": "format",
    }  # fmt: skip
    by_family: dict[str, What] = {"audio": "recording", "video": "recording", "image": "picture"}
    return by_kind.get(kind) or by_family.get(kind.partition("/")[0], "file")


TEXT_LIMIT = 1_000_000
"""Bytes of text that are read of one letter."""

LINE_LIMIT = 20_000
"""Lines of text that are read of one letter, quoted ones and empty ones among them."""

_REMEMBERED = 120
"""A content type up to so many characters is looked up."""

_HTML_LIMIT = 500_000
_PARTS = 300
_DEPTH = 30
_PGP = "-----BEGIN PGP MESSAGE-----"
_MARKUP = re.compile(r"<br\b[^<>]{0,80}>|</(?:p|div|td|li)>", re.IGNORECASE)
"""A mark that no text part has that was written as one: its program put HTML there."""

_TAG = re.compile(
    r"</?(?:a|b|body|div|em|font|html|i|li|p|span|strong|table|td|tr|u|ul|ol)(?:\s[^<>]{0,2000})?>", re.IGNORECASE
)

_OWN_ENDS = re.compile(r"<style\b[^<]{0,20000}white-space\s{0,5}:\s{0,5}(?:pre|break-spaces)", re.IGNORECASE)
"""A style sheet by which some of the line ends of the source are shown; which of them is not looked into."""

_ENCODING = re.compile(r"base-?64|quoted[-_ ]?printable|x-?uu[a-z]*", re.IGNORECASE)
_ENCODINGS = {"b": "base64", "q": "quoted-printable", "x": "x-uuencode"}
_SHEET = re.compile(r"orders?.{0,40}\.txt", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}charset\s{0,5}=\s{0,5}[\"']?([\w-]{1,40})", re.IGNORECASE)


class Body(msgspec.Struct, frozen=True):
    """The text read, the names of what was attached, what was wrong, and what of it all was not read.

    `otherwise` is the same text as the letter also has it, with other line ends: before lines were joined, in HTML.
    """

    text: str
    attachments: tuple[str, ...]
    defects: tuple[str, ...]
    unread: tuple[Unread, ...] = ()
    otherwise: tuple[str, ...] = ()


def body_of(message: Message, sender: str = "") -> Body:
    """Plain text where there is some, else the HTML as lines; several inline texts follow one another.

    An attached `orders.txt` stands before them. Any other attached text, and an attached letter that the `sender`
    wrote himself, is read only where the letter itself says nothing.
    """
    reader = _Parts(sender)
    text = reader.within_reason(clean(reader.whole(message)))
    unread = reader.unread if _PGP not in text else (*reader.unread, Unread("encrypted"))
    otherwise = tuple(map(clean, reader.otherwise))
    defects = tuple(dict.fromkeys(reader.defects))
    return Body(text, tuple(reader.attachments), defects, tuple(dict.fromkeys(unread)), otherwise)


def unflow(text: str, delete_space: bool) -> str:
    """Undo format=flowed (RFC 3676): join soft-broken lines of one quote depth, take stuffed spaces away."""
    lines: list[str] = []
    joined: list[str] = []
    joined_depth = -1
    for line in text.split("\n"):
        depth, content = _unstuff(line)
        if joined and (depth != joined_depth or content == "-- "):
            lines.append(_quoted(joined_depth, "".join(joined)))
            joined.clear()
        soft, joined_depth = content.endswith(" ") and content != "-- ", depth
        joined.append(content[:-1] if soft and delete_space else content)
        if not soft:
            lines.append(_quoted(depth, "".join(joined)))
            joined.clear()
    if joined:
        lines.append(_quoted(joined_depth, "".join(joined)))
    return "\n".join(lines)


class _Parts:
    """One walk through the parts of a message."""

    def __init__(self, sender: str) -> None:
        self._sender = sender
        self.unread: list[Unread] = []
        self.attachments: list[str] = []
        self.defects: list[str] = []
        self.otherwise: list[str] = []
        self._left = TEXT_LIMIT
        self._spare = _HTML_LIMIT
        self._parts = _PARTS
        self._sheets: list[str] = []
        self._others: list[tuple[Message, str]] = []

    def whole(self, message: Message) -> str:
        """The text of a letter and of those attachments that are to be read."""
        own = self.text_of(message, 0)
        silent = not own.strip() and not self._sheets
        for part, kind in self._others:
            if silent and self._is_his(part, kind):
                self._sheets.append(self._attached_text(part, kind))
            else:
                self._pass_over(part, kind)
        text = "\n".join(filter(None, (*self._sheets, own)))
        return "\n".join(map(_without_markup, text.split("\n"))) if _MARKUP.search(text) else text

    def within_reason(self, text: str) -> str:
        """As many lines as are read."""
        if text.count("\n") < LINE_LIMIT:
            return text
        self.defects.append(f"more than {LINE_LIMIT:,} lines of text: the rest was not read")
        self.unread.append(Unread("lines", f"{LINE_LIMIT:,}"))
        return "\n".join(text.split("\n", LINE_LIMIT)[:LINE_LIMIT])

    def text_of(self, part: Message, depth: int) -> str:
        """The text of a part and of the parts in it."""
        self._parts -= 1
        self.defects.extend(type(defect).__name__ for defect in part.defects)
        if depth > _DEPTH or self._parts < 0:
            self.defects.append("too many parts: some were not read")
            self.unread.append(Unread("deep"))
            return ""
        kind = attempt("a content type", self.defects, "text/plain", part.get_content_type)
        payload = part.get_payload()
        if kind == "multipart/encrypted":
            self._put_aside(part, kind)
            return ""
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
        else:
            self._pass_over(part, kind)

    def _pass_over(self, part: Message, kind: str) -> None:
        """Note what is not read, so that its writer is told; nobody misses a signature or a picture in the text."""
        smime = (
            attempt("a content type", self.defects, dict[str, str](), _parameters, part).get("smime-type", "").lower()
        )
        what = kind_of(kind, self._name(part), smime)
        if what and not (what == "picture" and "content-id" in part):
            self.unread.append(Unread(what, self._name(part)))

    def _is_his(self, part: Message, kind: str) -> bool:
        """Whether an attached letter names as its writer who sent the letter it came with; a file is the sender's own."""
        if kind != "message/rfc822":
            return True
        letters = [inner for inner in _inner(part) if LOOP_HEADER not in inner]
        return bool(letters) and all(self._writers(inner) == {self._sender} for inner in letters)

    def _writers(self, letter: Message) -> set[str]:
        fields = [str(value) for name, value in letter.raw_items() if name.lower() == "from"]
        none: tuple[Mailbox, ...] = ()
        return {box.address for box in attempt("a sender", self.defects, none, mailboxes, fields)}

    def _attached_text(self, part: Message, kind: str) -> str:
        if not isinstance(part.get_payload(), list):
            return self._decoded(part, kind)
        return "\n".join(self.text_of(inner, 1) for inner in _inner(part) if LOOP_HEADER not in inner)

    def _text_of_many(self, parts: list[Message], kind: str, depth: int) -> str:
        if kind != "multipart/alternative":
            return "\n".join(filter(None, (self.text_of(part, depth + 1) for part in parts)))
        plain = [part for part in parts if not _mainly_html(part)]
        found = ""
        for part in (*plain, *(p for p in parts if _mainly_html(p))):
            if not found.strip():
                found = self.text_of(part, depth + 1)
                continue
            if part.is_multipart() or attempt("a content type", [], "", part.get_content_type) == "text/html":
                html = self._compared(part, depth + 1)
                found = html if html.strip() and _MARKUP.search(found) else quoted_as_in(found, html)
                self.otherwise.append(html)
        return found

    def _compared(self, part: Message, depth: int) -> str:
        """The HTML form of a text that was read: it knows best what it quotes. Apple Mail puts attachments beside it."""
        known = len(self.unread)
        self._left, self._spare = self._spare, self._left
        text = self.text_of(part, depth)
        self._left, self._spare = self._spare, self._left
        self.unread[known:] = [unread for unread in self.unread[known:] if unread.what != "bytes"]
        return text

    def _decoded(self, part: Message, kind: str) -> str:
        data = attempt("a text part", self.defects, b"", _payload, part)
        limit = min(self._left, _HTML_LIMIT if kind == "text/html" else TEXT_LIMIT)
        if len(data) > limit:
            self.defects.append(f"longer than {limit} bytes of text: the rest was not read")
            self.unread.append(Unread("bytes", f"{limit:,}"))
            data = data[:limit]
        self._left -= len(data)
        said = attempt("a content type", self.defects, dict[str, str](), _parameters, part)
        charset = said.get("charset", "")
        if kind == "text/html" and not charset and (meta := _META.search(data[:2000])):
            charset = meta[1].decode("ascii")
        text = decode(data, charset)
        if kind == "text/html":
            if _OWN_ENDS.search(text):
                self.otherwise.append(attempt("the HTML", [], "", lines_of_html, text, True))
            return attempt("the HTML", self.defects, text, lines_of_html, text)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if said.get("format", "").lower() != "flowed":
            return text
        self.otherwise.append(text)
        return unflow(text, said.get("delsp", "").lower() == "yes")

    def _is_attached(self, part: Message) -> bool:
        disposition = attempt("a disposition", self.defects, None, part.get_content_disposition)
        return disposition == "attachment" or bool(self._name(part))

    def _name(self, part: Message) -> str:
        found = attempt("a file name", self.defects, None, part.get_filename)
        return words(found) if found else ""


def _without_markup(line: str) -> str:
    """A line as its writer saw it, or the lines it was; what is quoted stays in one."""
    return line if line.lstrip()[:1] in (">", "|") else unescape(_TAG.sub("", _MARKUP.sub("\n", line)))


def _inner(part: Message) -> list[Message]:
    """The letters in an attached letter: one, if it is well made."""
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


def _payload(part: Message) -> bytes:
    """The bytes of a part out of their encoding, which the library knows only where nothing stands beside its name."""
    if encoding := _ENCODING.search(str(part.get("content-transfer-encoding", ""))[:_REMEMBERED]):
        part.replace_header("content-transfer-encoding", _ENCODINGS[encoding[0][0].lower()])
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _parameters(part: Message) -> dict[str, str]:
    """The parameters of a content type by their names in small letters, all at once; of those named twice the first."""
    said = part.get("content-type", "")
    if isinstance(said, str) and len(said) < _REMEMBERED and said.isascii():
        return _parameters_in(said)
    return _read_parameters(part)


@lru_cache(maxsize=256)
def _parameters_in(said: str) -> dict[str, str]:
    """Most letters have one of a few content types."""
    part = Message()
    part["Content-Type"] = said
    return _read_parameters(part)


def _read_parameters(part: Message) -> dict[str, str]:
    found: dict[str, str] = {}
    written: Iterable[tuple[str, object]] = part.get_params(())
    for name, value in written:
        whole = value[2] if isinstance(value, tuple) else value  # RFC 2231: charset, language, value
        found.setdefault(name.lower(), whole.strip() if isinstance(whole, str) else "")
    return found


def _mainly_html(part: Message) -> bool:
    return attempt("a content type", [], "", part.get_content_type) != "text/plain"


def _unstuff(line: str) -> tuple[int, str]:
    content = line.lstrip(">")
    return len(line) - len(content), content[1:] if content.startswith(" ") else content


def _quoted(depth: int, content: str) -> str:
    return f"{'>' * depth} {content}" if depth else content
