"""HTML as text: its lines, and what of it nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import msgspec

# ---------------------------------------------------------------- markup
# HTML cut into tags and text in one pass whose time grows with the length, whatever the input.
#
# The standard library's parser takes minutes for half a megabyte of "<a<a<a", so it cannot read strangers' mail.


_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:_-]{0,40})")
_ATTRIBUTE = re.compile(
    r"""(?<![\w-])([\w-]{1,40})(?:\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""", re.IGNORECASE
)
_OPENS = re.compile(r"<[a-zA-Z/!?]")
_KEPT = frozenset({"class", "hidden", "href", "id", "name", "style", "type"})
_HEAD = 3000
_RAW = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style")}


class Tag(msgspec.Struct, frozen=True):
    """A tag by its lower-cased name. Of its attributes only class, hidden, href, id, name, style and type are kept."""

    name: str
    closes: bool
    attributes: dict[str, str]

    def words(self, attribute: str) -> frozenset[str]:
        """The lower-cased words of an attribute."""
        return frozenset(self.attributes.get(attribute, "").lower().split())


class _Ahead:
    """Finds what comes next; what was once not found is never looked for again."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._gone: set[object] = set()

    def find(self, what: str, start: int) -> int:
        """Where `what` comes next, or -1."""
        return self._noted(what, -1 if what in self._gone else self._html.find(what, start))

    def search(self, what: re.Pattern[str], start: int) -> int:
        """Where the pattern comes next, or -1."""
        found = None if what in self._gone else what.search(self._html, start)
        return self._noted(what, found.start() if found else -1)

    def _noted(self, what: object, at: int) -> int:
        if at < 0:
            self._gone.add(what)
        return at


def cut(html: str) -> Iterator[Tag | str]:
    """Tags and the texts between them, in order; comments, declarations, scripts and styles are left out.

    A '<' that begins no tag is text. An element that is never closed hides nothing after it.
    """
    ahead = _Ahead(html)
    at = 0
    while (start := ahead.search(_OPENS, at)) >= 0:
        if start > at:
            yield html[at:start]
        tag, at = _tag(html, start, ahead)
        if tag is None:
            continue
        yield tag
        if isinstance(tag, Tag) and tag.name in _RAW and not tag.closes:
            at = max(at, ahead.search(_RAW[tag.name], at))
    if at < len(html):
        yield html[at:]


def _tag(html: str, start: int, ahead: _Ahead) -> tuple[Tag | str | None, int]:
    """The thing that begins at this '<', and where reading goes on."""
    if html.startswith("<!--", start) and (end := ahead.find("-->", start)) >= 0:
        return None, end + 3
    end = _end(html, start, ahead)
    if end < 0:
        return "<", start + 1
    if html[start + 1] in "!?":
        return None, end + 1
    name = _NAME.match(html, start)
    if name is None:
        return "<", start + 1
    found = _ATTRIBUTE.findall(html[name.end() : min(end, start + _HEAD)])
    attributes = {key.lower(): one or two or three for key, one, two, three in found if key.lower() in _KEPT}
    return Tag(name[1].lower(), html[start + 1] == "/", attributes), end + 1


def _end(html: str, start: int, ahead: _Ahead) -> int:
    """The '>' that closes a tag, or -1. One inside a quoted value is passed over, if the tag is not too long."""
    end = ahead.find(">", start)
    if end - start < _HEAD and html.count('"', start, max(start, end)) % 2:
        quote = html.find('"', end, start + _HEAD)
        beyond = html.find(">", quote, start + _HEAD) if quote >= 0 else -1
        return beyond if beyond >= 0 else end
    return end


_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "listing",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
        "xmp",
    }
)
_UNSEEN = frozenset(
    {
        "audio",
        "button",
        "canvas",
        "datalist",
        "dialog",
        "head",
        "iframe",
        "noscript",
        "object",
        "option",
        "script",
        "select",
        "style",
        "svg",
        "template",
        "textarea",
        "title",
        "video",
    }
)
_EMPTY = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
_QUOTES = (
    "gmail_quote", "gmail_extra", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote", "zmail_extra",
    "gmail_quote_container",
)  # fmt: skip
_QUOTES_FROM_HERE = (
    "divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container", "ms-outlook-mobile-reference-message",
    "outlookmessageheader", "stopspelling", "zwchr",
)  # fmt: skip
"""Ends of ids and classes: programs that quote what another one quoted put a mark of their own before them."""

_LETTER_OF_OURS = "referee-letter"
_INDENTED = re.compile(r"border(-left)?:(none|0)")
_BORDER = re.compile(r"border-left:(?!none|0)\S")
_OUTLOOK = re.compile(r"border:none;border-top:solid#")
_GONE = re.compile(
    r"display:none|mso-hide:all|opacity:0+(\.0*)?(?![.\d])|text-indent:-\d{3}|clip:rect\(0|(left|top):-\d{3}"
)
_NO_ROOM = re.compile(r"(?<![\w-])(max-)?(height|width):0+(\.0*)?(?![.\d])")
_FAINT = re.compile(
    r"visibility:(hidden|collapse)|font-size:(0+(\.0*)?(px|pt|em|rem|%)?|[01](\.\d+)?px)(?![.\d\w%])|(?<!-)color:transparent"
)
_SHOWN = re.compile(r"visibility:visible|font-size:")
_LINE_ENDS = re.compile(r"(?<![\w-])white-space(?:-collapse)?:(?:(pre|break-spaces)|normal|nowrap|collapse)")


def lines_of_html(html: str, keeps: bool = False) -> str:
    """The text of an HTML letter, a line for each block, row, item or <br>. Quoted parts begin with '> '.

    Quotes are marked and not dropped, so that whoever reads on can say what was not read. Line ends of the source end
    lines in what is preformatted, by its name or its style, and everywhere if the whole `keeps` them.
    """
    reader = _Reader(keeps)
    for piece in cut(html):
        reader.take(piece)
    return "\n".join(reader.finish())


def texts_of_html(html: str) -> list[str]:
    """The texts between the tags of an HTML letter, in order, whether they are seen or not."""
    return [unescape(piece) for piece in cut(html) if isinstance(piece, str)]


class _Reader:
    """Collects lines. `_faint`, `_unseen`, `_quoting`, `_ours` count the open elements that make text so."""

    def __init__(self, keeps: bool) -> None:
        self._keeps = keeps
        self._lines: list[str] = []
        self._line: list[str] = []
        self._open: list[_Element] = []
        self._unseen = self._quoting = self._ours = 0
        self._offered = False
        self._letter_below: int | None = None
        self._of_ours: set[int] = set()

    def take(self, piece: Tag | str) -> None:
        """Read on: a tag, or the text between two."""
        if isinstance(piece, str):
            self._text(unescape(piece))
        elif piece.closes:
            self._close(piece.name)
        else:
            self._start(piece)

    def finish(self) -> list[str]:
        """All lines. Text below an earlier letter's header, or in one of ours, is a quote, unless it is all there is."""
        self._end_line()
        at = self._letter_below if self._letter_below is not None else len(self._lines)
        written = [n for n, line in enumerate(self._lines[:at]) if line and n not in self._of_ours and line[0] != ">"]
        if not written:
            return self._lines
        quoted = self._of_ours | set(range(at, len(self._lines)))
        return [f"> {line}" if n in quoted and line[:1] != ">" else line for n, line in enumerate(self._lines)]

    def _start(self, tag: Tag) -> None:
        if tag.name == "br" or tag.name in _BLOCKS:
            self._end_line(forced=tag.name == "br")
        elif tag.name in ("td", "th"):
            self._line.append(" ")
        if self._letter_below is None and _is_header(tag):
            self._letter_below = len(self._lines)
        if tag.name == "body":
            self._unseen = 0  # an unclosed <head> hides nothing
            self._open = [msgspec.structs.replace(element, unseen=False) for element in self._open]
        if tag.name not in _EMPTY:
            around = self._open[-1] if self._open else None
            self._enter(_element(tag, bool(around and around.faint), around.keeps if around else self._keeps))

    def _close(self, name: str) -> None:
        if name in _BLOCKS:
            self._end_line()
        if any(name == element.name for element in self._open[-50:]):
            while self._leave() != name:
                pass

    def _text(self, text: str) -> None:
        if self._unseen or (self._open and self._open[-1].faint):
            return
        self._offered = self._offered or any(element.offers for element in self._open[-5:])
        if self._open[-1].keeps if self._open else self._keeps:
            first, *rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self._line.append(first)
            for line in rest:
                self._end_line(forced=True)
                self._line.append(line)
        else:
            self._line.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def _end_line(self, forced: bool = False) -> None:
        text = "".join(self._line).strip(" \t\r\n")
        text = "-- " if text == "--" and self._line[-1].endswith(" ") else text
        self._line.clear()
        if text or forced:
            if self._ours:
                self._of_ours.add(len(self._lines))
            self._lines.append(f"> {text}" if self._quoting or self._offered else text)
        self._offered = False

    def _enter(self, element: _Element) -> None:
        self._open.append(element)
        self._unseen += element.unseen
        self._quoting += element.quotes
        self._ours += element.ours

    def _leave(self) -> str:
        element = self._open.pop()
        self._unseen -= element.unseen
        self._quoting -= element.quotes
        self._ours -= element.ours
        return element.name


class _Element(msgspec.Struct, frozen=True):
    """An open element: whether nobody sees what is in it, or not unless a part says otherwise; whether it quotes.

    One that `offers` is a link which writes a letter: no more than a button of an earlier letter of ours. One that `keeps`
    shows the line ends of its source.
    """

    name: str
    unseen: bool
    faint: bool
    quotes: bool
    ours: bool
    offers: bool
    keeps: bool


def _element(tag: Tag, faint: bool, keeps: bool) -> _Element:
    style = _style(tag)
    hidden = "hidden" in tag.attributes or bool(style and (_GONE.search(style) or _is_shut(style)))
    if style and _FAINT.search(style):
        faint = True
    elif style and _SHOWN.search(style):
        faint = False
    ours, offers = _ends(tag, "id", (_LETTER_OF_OURS,)), tag.name == "a" and _offers(tag)
    if style and (spaces := _LINE_ENDS.search(style)):
        keeps = bool(spaces[1])
    keeps = keeps or tag.name in ("pre", "listing", "xmp")
    return _Element(tag.name, tag.name in _UNSEEN or hidden, faint, _is_quote(tag, style), ours, offers, keeps)


def _offers(tag: Tag) -> bool:
    link = tag.attributes.get("href", "").lower()
    return link.startswith("mailto:") and "body=" in link


def _style(tag: Tag) -> str:
    return "".join(tag.attributes.get("style", "").lower().split())


def _is_shut(style: str) -> bool:
    """No height or no width, and what would stand out is cut off."""
    return "overflow" in style and "hidden" in style and _NO_ROOM.search(style) is not None


def _ends(tag: Tag, attribute: str, ends: tuple[str, ...]) -> bool:
    return attribute in tag.attributes and any(word.endswith(ends) for word in tag.words(attribute))


def _is_header(tag: Tag) -> bool:
    """The heading that mail programs put over an answered letter."""
    named = _ends(tag, "id", _QUOTES_FROM_HERE) or _ends(tag, "class", _QUOTES_FROM_HERE)
    return named or (tag.name == "div" and _OUTLOOK.match(_style(tag)) is not None)


def _is_quote(tag: Tag, style: str) -> bool:
    """A blockquote without a border is how mail programs indent; any other one quotes, and so does a bar at the left."""
    if tag.name in ("div", "p", "blockquote") and style and _BORDER.search(style):
        return True
    if tag.name == "blockquote":
        return not _INDENTED.search(style) or "type" in tag.attributes
    if tag.name == "div" and tag.words("name") == {"quote"}:  # GMX, WEB.DE
        return True
    return _ends(tag, "class", _QUOTES)
