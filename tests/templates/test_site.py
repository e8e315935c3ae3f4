"""The pages of the site: conforming HTML under a strict policy, links that lead somewhere, nothing unescaped."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import msgspec
import pytest

from referee.adapters.pages.render import SITE, TemplateRenderer
from referee.core.game import colours_of
from referee.games import GAMES
from tests.conforming import Conforming, links
from tests.templates.samples import card, site

RENDERER = TemplateRenderer(colours={game.title: colours_of(game) for game in GAMES})
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'"
)
ATOM = "{http://www.w3.org/2005/Atom}"


def rendered(name: str) -> str:
    return RENDERER.render_site(name, site()[name])


def test_there_is_a_sample_of_every_page() -> None:
    assert {*SITE, "feed"} == set(site())


@pytest.mark.parametrize("name", SITE)
def test_a_page_is_conforming_html_without_style_or_program_in_it(name: str) -> None:
    page = Conforming(rendered(name))
    assert page.faults == []
    assert [a["content"] for _, a in page.found if a.get("http-equiv") == "Content-Security-Policy"] == [POLICY]
    up = "../" if name in ("player", "game", "rules", "forming") else ""
    loaded = {f"{up}{file}" for file in RENDERER.dress()}
    assert loaded <= links(page)
    assert {a["src"] for tag, a in page.found if tag == "script"} == {f"{up}site.js"}


@pytest.mark.parametrize("name", SITE)
def test_a_page_has_landmarks_and_headings_that_leave_out_no_level(name: str) -> None:
    page = Conforming(rendered(name))
    tags = [tag for tag, _ in page.found]
    assert [tags.count(tag) for tag in ("header", "main", "title", "h1")] == [1, 1, 1, 1]
    assert all(attributes.get("aria-label") for tag, attributes in page.found if tag == "nav") and "nav" in tags
    levels = [int(tag[1]) for tag in tags if tag in ("h1", "h2", "h3")]
    assert levels[0] == 1 and all(later <= level + 1 for level, later in pairwise(levels))
    assert next(attributes for tag, attributes in page.found if tag == "a") == {"class": "skip", "href": "#main"}


@pytest.mark.parametrize("name", SITE)
def test_a_page_asks_nobody_else_for_anything(name: str) -> None:
    source = rendered(name)
    assert not re.search(r"https?:|//[a-z]|url\(|@import|\bon[a-z]+=|<style|\bstyle=|<script[^>]*>[^<]", source)


def test_style_sheet_and_program_ask_nobody_either_and_write_no_markup() -> None:
    for name in ("site.css", "site.js"):
        data = RENDERER.dress()[name]
        assert not re.search(
            r"https?:|url\(|@import|\beval\(|innerHTML|new Function|document\.write|fetch\(", data.decode()
        ), name


def test_the_style_sheet_has_a_rule_for_every_class() -> None:
    rules = set(re.findall(r"\.([a-zA-Z][\w-]*)", RENDERER.dress()["site.css"].decode()))
    for name in SITE:
        used = {word for value in Conforming(rendered(name)).values("class") for word in value.split()}
        assert used - rules <= {"left", "ended", "foot", "open", "told", "fold", "ranked", "places"}, name


def test_the_program_asks_for_what_there_is() -> None:
    program = RENDERER.dress()["site.js"].decode()
    asked = set(re.findall(r'(?:getElementById|at)\("([\w-]+)"\)', program)) | {
        f"board-{word}" for word in ("map", "open", "turn", "said", "instead")
    }
    assert asked <= set(Conforming(rendered("index")).values("id"))


def test_a_page_links_its_neighbours_and_the_log_and_folds_the_sheets_of_each_seat() -> None:
    page = Conforming(rendered("page"))
    assert {"a.html", "b.html", "index.html", "log.jsonl", "match.json", "a.svg"} <= links(page)
    sheets = site()["page"].sheets
    folded = re.findall(r"<details><summary>(.*?)</summary>(.*?)</details>", rendered("page"), re.S)
    assert '<p>As in <a href="a.html#sheets-England">Turn 1</a>: Fleets, Colonies.</p>' in rendered("page")
    assert len(folded) == len({sheet.of for sheet in sheets if sheet.of} | {"England"})
    assert sum(inside.count("<h2") for _, inside in folded) == sum(bool(sheet.of) for sheet in sheets)
    assert rendered("page").count("<h2") >= len(sheets)


def test_the_first_and_only_page_has_no_neighbours() -> None:
    source = RENDERER.render_site(
        "page", msgspec.structs.replace(site()["page"], earlier="", later="", sheets=(), unchanged=())
    )
    assert "Earlier" not in source and "Later" not in source and "Record sheets" not in source


def test_the_index_lists_reports_and_what_a_verifier_needs() -> None:
    index, source = site()["index"], rendered("index")
    for fact in (
        *(turn.file for turn in index.turns),
        *(turn.said for turn in index.turns),
        *index.options[0],
        index.proof.commitment,
        index.proof.head,
        "log.jsonl",
        "reports.jsonl",
        "verify.html",
        index.feed,
    ):
        assert fact in source
    assert "published when the match is over" in source and source.count("set aside by a rewind") == 1


def test_the_index_begins_with_whom_it_waits_for_and_the_map() -> None:
    source = rendered("index")
    places = [
        source.index(words)
        for words in ("Awaited:", "<img", "Standings", "points.svg", "How it went", "Turn 9: England</a>")
    ]
    assert places == sorted(places)
    assert 'href="../p/3.html">Anna &lt;Smith&gt;' in source and "Sun 22 Nov 2026, 12:00 UTC" in source


def test_a_folder_by_itself_leads_out_of_itself_nowhere() -> None:
    source = RENDERER.render_site("index", msgspec.structs.replace(site()["index"], housed=False))
    assert not any(link.startswith("..") for link in links(Conforming(source))) and "Anna &lt;Smith&gt;" in source


def test_the_page_of_a_match_that_is_over_says_who_won() -> None:
    source = RENDERER.render_site("index", msgspec.structs.replace(site()["index"], card=card(over=True)))
    assert "Final standings" in source and re.search(r"England \(Anna &lt;Smith&gt;\)\s+won", source)
    assert "Awaited" not in source


def test_the_secret_is_shown_once_it_is_published() -> None:
    proof = msgspec.structs.replace(site()["index"].proof, secret="c0ffee")
    assert "c0ffee" in RENDERER.render_site("index", msgspec.structs.replace(site()["index"], proof=proof))


def test_names_are_escaped() -> None:
    for name in ("index", "page"):
        page = msgspec.structs.replace(site()[name], match="<script>", game="A & B")
        source = RENDERER.render_site(name, page)
        assert "<script>" not in source and "&lt;script&gt;" in source and "A &amp; B" in source
    for name in SITE:
        assert "<Smith>" not in rendered(name)


def test_the_front_of_the_house_shows_seats_that_are_free_and_how_to_take_one() -> None:
    source = rendered("home")
    assert "2 of 3 seats free" in source and "Join friday" in source and "referee@games.example" in source
    assert {"channel/index.html", "armada/index.html", "g/newworld.html", "ended.html"} <= links(Conforming(source))


def test_the_feed_is_atom_with_whole_addresses() -> None:
    """RFC 4287, 4.1.1 and 4.1.2: what a feed and an entry must have."""
    feed = ElementTree.fromstring(rendered("feed").encode())
    assert feed.tag == f"{ATOM}feed"
    for part in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (element,) = part.findall(f"{ATOM}{name}")
            assert element.text
        assert all(link.attrib["href"].startswith("https://") for link in part.findall(f"{ATOM}link"))
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Referee"
    assert {link.attrib["rel"] for link in feed.findall(f"{ATOM}link")} == {"self", "alternate"}
    assert feed.findtext(f"{ATOM}entry/{ATOM}summary") == "A & B <c>"
    assert re.fullmatch(r"[\d-]{10}T[\d:.]+\+00:00", feed.findtext(f"{ATOM}updated") or "")


def test_where_the_rules_go_with_the_pages_every_game_can_be_played_at_once() -> None:
    """The front of the house and the page of a game lead to it; elsewhere no page does."""
    renderer = TemplateRenderer(playable=True)
    for name, link in (
        ("home", "table.html#play="),
        ("game", "../table.html#play="),
        ("game", "../table.html#learn="),
        ("home", "table.html#learn="),
    ):
        page = site()[name]
        assert f'href="{link}' in renderer.render_site(name, page)
        assert link not in RENDERER.render_site(name, page)
