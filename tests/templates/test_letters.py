"""The letters as their readers see them: golden texts, 72 columns, the same facts in HTML, everything escaped.

LETTERS=write pytest tests/templates writes the golden texts anew; read the difference before it is committed.
"""

from __future__ import annotations

import html
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.adapters.pages.render import KINDS, TemplateRenderer
from referee.mail import Answerable
from tests.templates.samples import bare, full

RENDERER = TemplateRenderer()
GOLDEN = Path(__file__).parent / "golden"
PICTURES = ("map-west@letter", "map-east@letter", "curve@letter")
TO = Answerable("referee+channel.abcdefgh23456789@games.example", "[channel] a letter", "<letter-1@games.example>")
EVIL = "<script>alert(1)</script>&\"'"


class _Seen(HTMLParser):
    """The words a reader of HTML sees, and every tag and attribute."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.buttons: list[str] = []
        self._hidden = self._linked = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self._hidden += tag in ("style", "title")
        self._linked += tag == "a"

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "title")
        self._linked -= tag == "a"

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            (self.buttons if self._linked else self.text).append(data)


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def verbatim(letter: Any) -> set[str]:
    """Lines that stand in a letter as they are: forms, orders, quoted lines and their corrections."""
    found: set[str] = set()
    match letter:
        case {"type": "Form", "lines": lines} | {"lines": [str(), *_] as lines}:
            found.update(lines)
        case dict():
            found.update(letter[key] for key in ("text", "example") if isinstance(letter.get(key), str))
            found.update(line for key in ("instead", "yes_takes") for line in letter.get(key, ()))
    inside = letter.values() if isinstance(letter, dict) else letter if isinstance(letter, (list, tuple)) else ()
    return found.union(*(verbatim(part) for part in inside))


@pytest.mark.parametrize("kind", KINDS)
def test_text_is_as_agreed(kind: str) -> None:
    text = RENDERER.render(kind, full()[kind]).text
    file = GOLDEN / f"{kind}.txt"
    if os.environ.get("LETTERS") == "write":
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_bare_letter_is_whole(kind: str) -> None:
    rendered = RENDERER.render(kind, bare()[kind])
    assert rendered.text.strip() and "None" not in rendered.text.replace("None.", "")
    assert "match" not in rendered.text.split("---\n")[0] or kind in ("started", "farewell")
    assert words(rendered.text) == words(" ".join(_Seen(rendered.html).text))


@pytest.mark.parametrize("kind", KINDS)
def test_no_line_is_wider_than_72_columns_but_lines_quoted_as_they_are(kind: str) -> None:
    letter = full()[kind]
    kept = verbatim(msgspec.to_builtins(letter))
    wide = [line for line in RENDERER.render(kind, letter).text.split("\n") if len(line) > 72]
    assert [line for line in wide if not any(line.endswith(whole) for whole in kept)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_html_says_what_the_text_says(kind: str) -> None:
    rendered = RENDERER.render(kind, full()[kind], TO)
    broken = {word for word in words(rendered.text) if len(word) > 60}  # a digest is broken over two lines in text only
    parsed = _Seen(rendered.html)
    seen = words(" ".join(parsed.text))
    assert words(rendered.text) - seen - words(" ".join(parsed.buttons)) <= broken | {"c", "8"}
    assert {word for word in seen - words(rendered.text) if len(word) < 60} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_escaped(kind: str) -> None:
    letter = msgspec.convert(_poisoned(msgspec.to_builtins(full()[kind])), type(full()[kind]))
    parsed = _Seen(RENDERER.render(kind, letter, TO).html)
    assert "script" not in parsed.tags
    assert not [name for name in parsed.attributes if name not in _ATTRIBUTES]
    assert EVIL in "".join(parsed.text)


_ATTRIBUTES = {
    "id",
    "class",
    "href",
    "role",
    "style",
    "lang",
    "charset",
    "name",
    "content",
    "align",
    "valign",
    "cellpadding",
    "src",
    "width",
    "alt",
}
_KEPT = {"type", "verdict", "kind", "weight", "caret", "name_of_rule"}


def _poisoned(value: Any, key: str = "") -> Any:
    match value:
        case str() if key not in _KEPT and not value.isspace() and value:
            return f"{value} {EVIL}"
        case dict():
            return {name: _poisoned(part, name) for name, part in value.items()}
        case list() | tuple():
            return [_poisoned(part, key) for part in value]
        case _:
            return value


@pytest.mark.parametrize("kind", KINDS)
def test_html_needs_nothing_from_elsewhere(kind: str) -> None:
    source = RENDERER.render(kind, full()[kind], TO, PICTURES).html
    assert not re.search(r"https?:|\bsrc=(?!\"cid:(?:map-west|map-east|curve)@letter\")|url\(|@import", source)
    inside = {"fold", "label", "picture", "half", "wide"}  # others stand as styles in their tags
    assert set(re.findall(r'class="([^"]*)"', source)) <= inside
    assert len(source) < 100_000, "mail programs cut letters off above 102 KB"


def test_a_letter_shows_the_pictures_that_lie_with_it() -> None:
    """A map in two halves has both beside each other, with nothing between them."""
    whole, parted, none = (
        RENDERER.render("report", full()["report"], TO, cids).html for cids in (("map@letter",), PICTURES, ())
    )
    assert whole.count("<img") == 1 and 'src="cid:map@letter" width="900" alt=""' in whole
    assert re.search(
        r'<img [^>]*src="cid:map-west@letter" width="450" alt=""><img [^>]*east@letter" width="450"', parted
    )
    assert parted.count("<img") == 2 and "<img" not in none


def test_the_caret_stands_under_the_word_in_both_forms() -> None:
    rendered = RENDERER.render("receipt", full()["receipt"])
    for source in (rendered.text, html.unescape(rendered.html)):
        lines = re.sub(r"<pre[^>]*>", "", source).replace("</pre>", "").split("\n")
        place = next(i for i, line in enumerate(lines) if line.strip(" |") == "^^^^")
        column = lines[place].index("^")
        assert lines[place - 1][column : column + 4] == "FORM"


def test_form_lines_can_be_copied_as_they_are() -> None:
    letter = full()["report"]
    rendered = RENDERER.render("report", letter)
    whole = "\n".join(letter.form.lines)
    assert f"cut here - - - - - - - - - - - - - - - - - -\n{whole}\n# - " in rendered.text
    assert whole in html.unescape(rendered.html)


def test_a_receipt_begins_with_its_verdict_and_says_how_to_take_corrections() -> None:
    text = RENDERER.render("receipt", full()["receipt"]).text
    assert text.startswith("INCOMPLETE: 3 lines could not be taken; the others stand.\n")
    assert "Reply with just YES to take this correction" in text
    assert "Lines 7 to 45, quoted from an earlier letter" in text


def test_a_line_of_tabs_and_control_characters_keeps_its_caret_in_place() -> None:
    receipt = full()["receipt"]
    odd = msgspec.structs.replace(receipt.refused[0], text="MOVE\t2 x\x0bFORM", caret="         ^^^^")
    text = RENDERER.render("receipt", msgspec.structs.replace(receipt, refused=(odd,))).text
    assert "\n  | MOVE 2 x FORM\n  |          ^^^^\n" in text


def test_the_deadline_is_given_once_to_a_reader_in_utc() -> None:
    reminder = full()["reminder"]
    due = msgspec.structs.replace(reminder.frame.deadline, local=reminder.frame.deadline.utc, left="now")
    framed = msgspec.structs.replace(reminder.frame, deadline=due)
    text = RENDERER.render("reminder", msgspec.structs.replace(reminder, frame=framed)).text
    assert text.count(due.utc) == 1 and "That is now." in text
