"""The pages of the archive: links that lead somewhere, anchors for every sheet, nothing unescaped."""

from __future__ import annotations

import re

import msgspec

from referee.adapters.pages.render import TemplateRenderer
from tests.templates.samples import site

RENDERER = TemplateRenderer()


def test_a_page_links_its_neighbours_its_sheets_and_the_log() -> None:
    page = site()["page"]
    source = RENDERER.render_site("page", page)
    assert {"a.html", "b.html", "index.html", "log.jsonl", "match.json"} <= set(re.findall(r'href="([^"]+)"', source))
    anchors = set(re.findall(r'href="#([^"]+)"', source))
    assert anchors == set(re.findall(r'id="([^"]+)"', source)) and len(anchors) == len(page.sheets)


def test_the_first_and_only_page_has_no_neighbours() -> None:
    source = RENDERER.render_site("page", msgspec.structs.replace(site()["page"], earlier="", later="", sheets=()))
    assert "Earlier" not in source and "Later" not in source and "Record sheets" not in source


def test_the_index_lists_reports_and_what_a_verifier_needs() -> None:
    index = site()["index"]
    source = RENDERER.render_site("index", index)
    for fact in (
        *index.pages[0],
        *index.options[0],
        index.commitment,
        index.head,
        "log.jsonl",
        "reports.jsonl",
        "verify.html",
    ):
        assert fact in source
    assert "published when the match is over" in source


def test_the_secret_is_shown_once_it_is_published() -> None:
    assert "c0ffee" in RENDERER.render_site("index", msgspec.structs.replace(site()["index"], secret="c0ffee"))


def test_names_are_escaped() -> None:
    for name, page in site().items():
        source = RENDERER.render_site(name, msgspec.structs.replace(page, match="<script>", game="A & B"))
        assert "<script>" not in source and "&lt;script&gt;" in source and "A &amp; B" in source


def test_a_page_needs_nothing_from_elsewhere() -> None:
    for name, page in site().items():
        assert not re.search(r"https?:|\bsrc=|url\(|@import", RENDERER.render_site(name, page))
