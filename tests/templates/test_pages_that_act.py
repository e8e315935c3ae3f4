"""The pages with programs, to play and to check a match: conforming, under a strict policy, with nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from referee.adapters.pages.render import FORMS, TABLE, VERIFIER, TemplateRenderer
from referee.kit.opponents import NAMES
from tests.conforming import Conforming, links
from tests.house.sources import ROOT
from tests.verify.node import node

RENDERER = TemplateRenderer()
FILES = {name: content.decode() for name, content in {**RENDERER.verifier(), **RENDERER.table()}.items()}
FOLDERS = {"verify": VERIFIER, "table": TABLE, "site": FORMS}
PAGES = [name for name in FILES if name.endswith(".html")]
POLICY = {
    "verify.html": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'",
    "table.html": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'",
}


def source(name: str) -> Path:
    (folder,) = (folder for folder, names in FOLDERS.items() if name in names)
    return ROOT / "templates" / folder / name


def test_the_archive_gets_what_stands_in_the_templates() -> None:
    assert set(FILES) == {*VERIFIER, *TABLE, *FORMS}
    for name, content in FILES.items():
        assert source(name).read_text("utf-8") == content
    for folder, names in (("verify", VERIFIER), ("table", TABLE)):
        assert {path.name for path in (ROOT / "templates" / folder).glob(f"{folder}*")} == set(names)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_conforming_and_asks_for_elements_that_there_are(name: str) -> None:
    page = Conforming(FILES[name])
    assert page.faults == []
    fields = {
        given.get("id") for tag, given in page.found if tag in ("input", "textarea") and given.get("type") != "checkbox"
    }
    assert fields == set(page.values("for"))
    program = FILES[name.replace(".html", "-page.js")]
    listed = re.findall(r"= \[\n((?:\s+(?:\"[\w-]+\",? ?)+\n)+)\s+\]\.map\(at\)", program)
    asked = {
        *re.findall(r'\bat\("([\w-]+)"\)', program),
        *(word for part in listed for word in re.findall(r"[\w-]+", part)),
    }
    assert len(asked) > 8 and asked <= set(page.values("id"))


@pytest.mark.parametrize("name", PAGES)
def test_the_policy_lets_in_nothing_but_the_files_beside_it(name: str) -> None:
    page = Conforming(FILES[name])
    (policy,) = (given["content"] for _, given in page.found if given.get("http-equiv") == "Content-Security-Policy")
    assert policy == POLICY[name]
    beside = {*FILES, *RENDERER.dress(), "index.html"}
    assert links(page) <= beside and {"site.css", "forms.css"} <= links(page)
    assert not re.search(r"<style|\bstyle=|\bon[a-z]+=|<script[^>]*>[^<]", FILES[name])


def test_every_bot_has_a_face_of_its_own() -> None:
    drawn = dict(re.findall(r'(\w+): "([a-z][a-z-]\d{3})"', FILES["table-faces.js"]))
    assert set(drawn) == {name for names in NAMES.values() for name in names} and len(set(drawn.values())) == len(drawn)


def test_every_program_is_on_a_page() -> None:
    named = {link for name in PAGES for link in links(Conforming(FILES[name]))}
    assert set(FILES) - set(PAGES) - named == {"table-offline.js"}, (
        "which the page registers, and which acts without it"
    )


@pytest.mark.parametrize("name", FILES)
def test_nothing_names_another_host_or_writes_markup(name: str) -> None:
    program = FILES[name].replace(
        "http://www.w3.org/2000/svg", ""
    )  # the name of what an SVG consists of; nobody is asked
    assert not re.search(r"https?://|\beval\(|innerHTML|new Function|document\.write", program)
    assert name == "table-map.js" or not re.search(r"@import|url\(", FILES[name])


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_the_scripts_are_classic_ones_as_a_page_from_the_disk_gets_no_others(name: str) -> None:
    assert not re.search(r"^\s*(import|export)\b", FILES[name], re.MULTILINE)
    subprocess.run([node(), "--check", str(source(name))], check=True)
