"""The page verify.html: valid as far as it goes, under a strict policy, with nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser

import pytest

from referee.adapters.pages.render import VERIFIER, TemplateRenderer
from tests.house.sources import ROOT
from tests.verify.node import node

FILES = {name: content.decode() for name, content in TemplateRenderer().verifier().items() if name in VERIFIER}
PAGE = FILES["verify.html"]
VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """The elements of a page, each closed in its turn."""

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
    assert tuple(FILES) == VERIFIER
    for name, content in FILES.items():
        assert (ROOT / "templates" / "verify" / name).read_text("utf-8") == content


def test_every_element_is_closed_and_every_name_is_there_once() -> None:
    page = Page()
    assert page.open == [] and PAGE.startswith("<!DOCTYPE html>\n<html lang=")
    ids = page.values("id")
    assert len(ids) == len(set(ids)) and set(page.values("for") + page.values("aria-labelledby")) <= set(ids)
    fields = {attributes["id"] for tag, attributes in page.found if tag in ("input", "textarea")}
    assert fields == set(page.values("for"))


def test_the_policy_lets_in_nothing_but_the_files_beside_it() -> None:
    page = Page()
    (policy,) = (a["content"] for _, a in page.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy and policy.split("; ")[:4] == [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
    ]
    named = {value for name in ("src", "href") for value in page.values(name)}
    assert named == set(VERIFIER) - {"verify.html"}
    assert not re.search(r"<style|\bstyle=|\bon[a-z]+=|<script[^>]*>[^<]", PAGE)


def test_nothing_names_another_host_or_writes_markup() -> None:
    for name, content in FILES.items():
        assert not re.search(r"https?://|\beval\(|innerHTML|new Function|document\.write|@import|url\(", content), name


def test_the_page_asks_for_elements_that_there_are() -> None:
    asked = set(re.findall(r'at\("([\w-]+)"\)', FILES["verify-page.js"]))
    (listed,) = re.findall(r"const \[verdict, (.*?)\] = \[", FILES["verify-page.js"])
    assert asked | {"verdict", *listed.split(", ")} <= set(Page().values("id"))


@pytest.mark.parametrize("name", [name for name in VERIFIER if name.endswith(".js")])
def test_the_scripts_are_classic_ones_as_a_page_from_the_disk_gets_no_others(name: str) -> None:
    assert not re.search(r"^\s*(import|export)\b", FILES[name], re.MULTILINE)
    subprocess.run([node(), "--check", str(ROOT / "templates" / "verify" / name)], check=True)
