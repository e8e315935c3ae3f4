"""docs/reading-order.md shows the house as it is: its floors, and where what is decided."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.house.floors import BEGIN, PAGE, ROOMS, with_floors
from tests.house.shape import of_text, passed
from tests.house.sources import ROOT, modules, tracked_files

DOCS = tuple(path for path in tracked_files() if path.suffix == ".md" and path.parent.name in ("docs", ROOT.name))
PATH = re.compile(r"`((?:referee|tests|grammar|templates)/[\w./-]+)`")
ROW = re.compile(r"^\| (.+\?) \| (.+) \|$", re.MULTILINE)
MOST = 27
"""So many modules a folder of the package holds at most."""


@pytest.mark.parametrize("page", [PAGE, ROOMS], ids=lambda page: page.name)
def test_the_floors_are_drawn_as_the_contracts_say(page: Path) -> None:
    said = page.read_text("utf-8")
    assert BEGIN in said and with_floors(page) == said, "write make floors"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_that_a_page_names_is_there(path: Path) -> None:
    named = PATH.findall(path.read_text("utf-8"))
    assert [name for name in named if not any(ROOT.glob(name.replace("NAME", "*")))] == []


@pytest.mark.parametrize("row", ROW.findall(PAGE.read_text("utf-8")), ids=lambda row: row[0])
def test_what_is_asked_is_decided_where_the_table_says(row: tuple[str, str]) -> None:
    named = re.findall(r"`([\w/.]+)`", row[1])
    places = [name for name in named if "/" in name]
    source = "".join(text(ROOT / "referee" / name) if "templates" not in name else "" for name in places)
    assert places and all(re.search(rf"\b{name}\b", source) for name in named if "/" not in name)


def text(path: Path) -> str:
    return "".join(found.read_text("utf-8") for found in ([path] if path.is_file() else path.glob("*.py")))


def test_every_place_that_it_names_is_there() -> None:
    named = re.findall(r"`([\w.]+/[\w/.]*)`", PAGE.read_text("utf-8"))
    assert [name for name in named if not any((folder / name).exists() for folder in (ROOT, ROOT / "referee"))] == []


def test_the_text_of_a_letter_is_in_the_rooms_that_it_tells() -> None:
    told = PAGE.read_text("utf-8").partition("## The way of a letter")[2].partition("\n## ")[0]
    rooms = of_text(passed()[1])
    assert set(rooms) == set(re.findall(r"`(service/[\w/.]+)`", told)) and len(rooms) <= 10


def test_there_are_twenty_questions() -> None:
    assert len(ROW.findall(PAGE.read_text("utf-8"))) == 20


def test_no_folder_of_the_package_is_a_corridor_of_doors() -> None:
    held = Counter(path.parent for path in modules() if path.name != "__init__.py" and "games" not in path.parts)
    assert {str(folder.relative_to(ROOT)): count for folder, count in held.items() if count > MOST} == {}
