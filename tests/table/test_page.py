"""The page table.html: valid as far as it goes, under a strict policy, with nothing from elsewhere; and its scripts."""

from __future__ import annotations

import json
import re
import subprocess
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee.adapters.pages.render import TABLE, TemplateRenderer
from tests.service.test_table_file import sent_to
from tests.table.scripts import FOLDER, run
from tests.verify.node import node
from tests.world import World

FILES = {name: content.decode() for name, content in TemplateRenderer().verifier().items() if name in TABLE}
PAGE = FILES["table.html"]
VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """The elements of the page, each closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(PAGE)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.found if (value := attributes.get(name)) is not None]


def test_the_archive_gets_what_stands_in_the_templates() -> None:
    assert set(FILES) == set(TABLE)
    assert {path.name for path in FOLDER.iterdir() if path.name.startswith("table")} == set(TABLE)


def test_every_element_is_closed_and_every_name_is_there_once() -> None:
    page = Page()
    assert page.open == [] and PAGE.startswith("<!DOCTYPE html>\n<html lang=")
    ids = page.values("id")
    assert len(ids) == len(set(ids)) and set(page.values("for") + page.values("aria-labelledby")) <= set(ids)
    asked = set(re.findall(r'\bat\("([\w-]+)"\)', FILES["table-page.js"]))
    assert asked and asked <= set(ids)


def test_the_policy_lets_in_nothing_but_the_files_beside_it() -> None:
    page = Page()
    (policy,) = (a["content"] for _, a in page.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
        "worker-src 'self'; base-uri 'none'; form-action 'none'"
    )
    named = {value for name in ("src", "href") for value in page.values(name)} - {"mailto:"}
    assert named == set(TABLE) - {"table.html"}
    assert not re.search(r"<style|\bstyle=|\bon[a-z]+=|<script[^>]*>[^<]", PAGE)


def test_nothing_names_another_host_or_writes_markup() -> None:
    for name, content in FILES.items():
        assert not re.search(r"https?://|\beval\(|innerHTML|new Function|document\.write", content), name


@pytest.mark.parametrize("name", [name for name in TABLE if name.endswith(".js")])
def test_the_scripts_are_classic_ones_as_a_page_from_the_disk_gets_no_others(name: str) -> None:
    assert not re.search(r"^\s*(import|export)\b", FILES[name], re.MULTILINE)
    subprocess.run([node(), "--check", str(FOLDER / name)], check=True)


# ---------------------------------------------------------------- the letter


def link(sheet: str, ends: bool = False, subject: str = "Re: [nw1] Your turn, France & Co") -> dict[str, Any]:
    program = """const { bodyOf, linkOf } = globalThis.tableLetter;
    return linkOf("referee+nw1.abc@games.example", given.subject, bodyOf(given.sheet, given.ends));"""
    found: dict[str, Any] = run(["table-letter.js"], program, {"sheet": sheet, "ends": ends, "subject": subject})
    return found


def test_the_link_holds_the_letter_as_it_will_be_read() -> None:
    written = link('COLONIZE any  \nNAME "Zoë & Ann" 100%\n\n', ends=True)
    assert written["holds"]
    parts = urlsplit(written["link"])
    fields = parse_qs(parts.query.replace("+", "%2B"))
    assert unquote(parts.path) == "referee+nw1.abc@games.example" and "+" not in parts.path
    assert fields["subject"] == ["Re: [nw1] Your turn, France & Co"]
    assert fields["body"] == ['COLONIZE any\r\nNAME "Zoë & Ann" 100%\r\nROLL OUT']


def test_a_letter_that_ends_the_turn_already_does_not_say_it_twice() -> None:
    assert link("roll out", ends=True)["link"].endswith("body=roll%20out")


def test_a_letter_too_long_for_the_narrowest_programs_goes_without_its_text() -> None:
    short, long = link("M" * 1400), link("M" * 1700)
    assert short["holds"] and len(short["link"]) <= 1600
    assert not long["holds"] and "body" not in long["link"]


# ---------------------------------------------------------------- the file


def opened(text: str) -> str:
    program = (
        """try { globalThis.tableFile.readTable(given); return ""; } catch (problem) { return problem.message; }"""
    )
    found: str = run(["table-file.js"], program, text)
    return found


def test_a_table_file_is_read_and_what_is_none_is_refused_with_a_sentence(match: World) -> None:
    table = sent_to(match, match.on_turn())
    assert opened(json.dumps(table)) == ""
    assert "knows form 1" in opened(json.dumps({**table, "version": 2}))
    for odd in ("", "{", "[]", "null", '"table"', json.dumps({**table, "choices": None})):
        assert opened(odd).startswith("This is no table file"), odd
    for address in ("x", "a@b?bcc=c@d", "a@b&body=x", "<a@b>", "a@b%0D%0Abcc:c@d"):
        assert opened(json.dumps({**table, "reply_to": address})).startswith("This is no table file"), address


def test_a_file_too_deep_for_the_worker_is_refused_before_it_is_read() -> None:
    assert "too deep" in opened("[" * 3_000 + "]" * 3_000)
    program = "return globalThis.tableFile.depth(given);"
    assert run(["table-file.js"], program, '{"a\\"[[": [["]"]]}') == 3
