"""A strict reader of HTML pages: every element closed and where it may stand, every name there once, nothing given up by HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))
_INLINE = _words("a abbr b button code i label meter small span textarea time")
_BLOCK = _words(
    "body details dialog div dl dt dd figcaption figure h1 h2 h3 header html li main nav ol p pre section summary table ul"
)
_TABLE = frozenset(("caption", "td", "th", "tr"))
_HEAD = frozenset(("head", "title", "script"))
_PHRASES = frozenset(("p", "h1", "h2", "h3", "pre", "summary", "dt"))
"""Elements that have words and what stands among words, no blocks."""

_PARENTS: Mapping[str, frozenset[str]] = {
    "li": frozenset(("ul", "ol")),
    "tr": frozenset(("table",)),
    "caption": frozenset(("table",)),
    "td": frozenset(("tr",)),
    "th": frozenset(("tr",)),
    "dt": frozenset(("dl",)),
    "dd": frozenset(("dl",)),
    "figcaption": frozenset(("figure",)),
    "summary": frozenset(("details",)),
    "title": frozenset(("head",)),
    "head": frozenset(("html",)),
    "body": frozenset(("html",)),
}
_ATTRIBUTES = _words(
    "accept alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby autocapitalize autocomplete charset class "
    "content data-left data-map "
    "datetime defer disabled for hidden href http-equiv id lang loading max min multiple name rel reversed role rows scope "
    "spellcheck src tabindex title type value"
)


class Conforming(HTMLParser):
    """A page that was read; `faults` are sentences about what is wrong with it."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.faults: list[str] = []
        self._named: list[bool] = []
        if not source.startswith("<!doctype html>\n<html lang="):
            self.faults.append("it begins with no doctype and language")
        if "{{" in source or "{%" in source:
            self.faults.append("a tag of its template is left")
        self.feed(source)
        self.close()
        self._whole()

    def values(self, name: str) -> list[str]:
        """What the attribute of this name is, wherever it stands."""
        return [value for _, attributes in self.found if (value := attributes.get(name)) is not None]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found.append((tag, given))
        self._judge(tag, given, len(attrs) != len(given))
        if tag not in VOID:
            self.open.append(tag)
            self._named.append(bool(given.get("aria-label")) or given.get("aria-hidden") == "true")
        elif tag == "img" and given.get("alt"):
            self._named = [True] * len(self._named)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
            return
        self.open.pop()
        if not self._named.pop() and tag in ("a", "button", "h1", "h2", "h3", "title", "summary"):
            self.faults.append(f"a <{tag}> says nothing")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._named = [True] * len(self._named)
            if self.open[-1:] and self.open[-1] in ("table", "tr", "ul", "ol", "dl", "html", "head"):
                self.faults.append(f"words stand in <{self.open[-1]}>: {data.strip()[:40]}")

    def _judge(self, tag: str, given: Mapping[str, str | None], twice: bool) -> None:
        parent = self.open[-1] if self.open else ""
        if tag not in _INLINE | _BLOCK | _TABLE | _HEAD | VOID:
            self.faults.append(f"<{tag}> is not used here")
        if tag in _PARENTS and parent not in _PARENTS[tag]:
            self.faults.append(f"<{tag}> stands in <{parent}>")
        if tag in _BLOCK | _TABLE and (blocked := _PHRASES.intersection(self.open)):
            self.faults.append(f"<{tag}> stands in {sorted(blocked)}")
        if tag == "a" and "a" in self.open:
            self.faults.append("a link stands in a link")
        if twice or (wrong := set(given) - _ATTRIBUTES):
            self.faults.append(f"<{tag}> has {sorted(wrong) if not twice else 'an attribute twice'}")
        if tag == "img" and given.get("alt") is None:
            self.faults.append("a picture has no words")

    def _whole(self) -> None:
        ids = self.values("id")
        self.faults += [f"{self.open} are left open"] if self.open else []
        self.faults += [f"the name {name} is there twice" for name in {name for name in ids if ids.count(name) > 1}]
        inside = [value[1:] for value in self.values("href") if value.startswith("#")]
        labelled = [*self.values("aria-labelledby"), *self.values("for")]
        asked = {*inside, *(name for value in labelled for name in value.split())}
        self.faults += [f"there is no {name}" for name in sorted(asked - set(ids))]
        self.faults += [] if sum(tag == "main" for tag, _ in self.found) == 1 else ["there is not one <main>"]


def links(page: Conforming) -> set[str]:
    """Where a page leads and what it loads, without what stands in it and without letters."""
    named = [*page.values("href"), *page.values("src")]
    return {value.partition("#")[0] for value in named if not re.match(r"#|data:|mailto:", value)}
