"""HTML mail as lines: one order a line, and what quotes an earlier letter marked with '>'."""

from __future__ import annotations

import re
from html import unescape

from referee.mail.markup import Tag, cut

__all__ = ["lines_of_html"]

_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer",
        "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre",
        "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
    }
)
_UNSEEN = frozenset({"head", "style", "script", "title", "template", "noscript", "svg", "object"})
_EMPTY = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    }
)
_QUOTES = frozenset(
    {
        "gmail_quote", "gmail_extra", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "zmail_extra",
    }
)
_QUOTES_FROM_HERE = frozenset({"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container"})
_INDENTED = re.compile(r"border(-left)?\s*:\s*(none|0)", re.IGNORECASE)


def lines_of_html(html: str) -> str:
    """The text of an HTML letter, a line for each block, row, item or <br>. Quoted parts begin with '> '.

    Quotes are marked and not dropped, so that whoever reads on can say what was not read.
    """
    reader = _Reader()
    for piece in cut(html):
        reader.take(piece)
    return "\n".join(reader.finish())


class _Reader:
    """Collects lines. `_open` holds the open elements, each with whether it is unseen and whether it quotes."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        self._unseen = 0
        self._quoting = 0
        self._letter_below: int | None = None

    def take(self, piece: Tag | str) -> None:
        """Read on: a tag, or the text between two."""
        if isinstance(piece, str):
            self._text(unescape(piece))
        elif piece.closes:
            self._close(piece.name)
        else:
            self._start(piece)

    def finish(self) -> list[str]:
        """All lines. What stands below an earlier letter's header is a quote, unless nothing stands above it."""
        self._end_line()
        at = self._letter_below if self._letter_below is not None else len(self._lines)
        above, below = self._lines[:at], self._lines[at:]
        if not any(line and not line.startswith(">") for line in above):
            return self._lines
        return above + [line if line.startswith(">") else f"> {line}" for line in below]

    def _start(self, tag: Tag) -> None:
        if tag.name == "br" or tag.name in _BLOCKS:
            self._end_line(forced=tag.name == "br")
        elif tag.name in ("td", "th"):
            self._line.append(" ")
        if self._letter_below is None and tag.words("id") & _QUOTES_FROM_HERE:
            self._letter_below = len(self._lines)
        if tag.name == "body":
            self._unseen = 0  # an unclosed <head> hides nothing
            self._open = [(name, False, quotes) for name, _, quotes in self._open]
        if tag.name not in _EMPTY:
            self._enter(tag.name, tag.name in _UNSEEN, _is_quote(tag))

    def _close(self, name: str) -> None:
        if name in _BLOCKS:
            self._end_line()
        if any(name == open_name for open_name, _, _ in self._open[-50:]):
            while self._leave() != name:
                pass

    def _text(self, text: str) -> None:
        if self._unseen:
            return
        if any(name == "pre" for name, _, _ in self._open[-5:]):
            first, *rest = text.replace("\r\n", "\n").split("\n")
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
            self._lines.append(f"> {text}" if self._quoting else text)

    def _enter(self, tag: str, unseen: bool, quotes: bool) -> None:
        self._open.append((tag, unseen, quotes))
        self._unseen += unseen
        self._quoting += quotes

    def _leave(self) -> str:
        tag, unseen, quotes = self._open.pop()
        self._unseen -= unseen
        self._quoting -= quotes
        return tag


def _is_quote(tag: Tag) -> bool:
    """A blockquote without a border is how mail programs indent; any other one quotes."""
    if tag.name == "blockquote":
        return not _INDENTED.search(tag.attributes.get("style", "")) or "type" in tag.attributes
    if tag.name == "div" and tag.words("name") == {"quote"}:  # GMX, WEB.DE
        return True
    return bool(tag.words("class") & _QUOTES)
