"""HTML cut into tags and text in one pass whose time grows with the length, whatever the input.

The standard library's parser takes minutes for half a megabyte of "<a<a<a", so it cannot read strangers' mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

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

    A '<' that begins no tag is text. What is never closed hides nothing after it.
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
    """What begins at this '<', and where reading goes on."""
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
