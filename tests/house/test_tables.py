"""Tables in pages name what there is: docs/judges.md and docs/attacks.md collected tests, docs/reading-order.md the house."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from tests.house.floors import BEGIN, PAGE, ROOMS, with_floors
from tests.house.shape import of_service, of_text, passed
from tests.house.sources import ROOT, modules, tracked_files, tree_of

_ROOT = Path(__file__).parents[2]
_FEATURES = ("in", "ack", "time", "who", "gm", "rep")
_MOST_REASONS = 6
"""So few rows may do without a test: whoever adds another builds something else, or argues for it here."""


def _page() -> str:
    return (_ROOT / "docs" / "judges.md").read_text(encoding="utf-8")


def _promised() -> dict[str, int]:
    """How many rows the page says each group of keys has."""
    return {key: int(count) for key, count in re.findall(r"^\| (\w+) \| [^|]+ \| (\d+) \|$", _page(), re.MULTILINE)}


def _rows() -> list[tuple[str, str, str]]:
    """Key, what it is, and what shows it."""
    return re.findall(r"^\| ([a-z]+\d+) \| (.+?) \| (.+) \|$", _page(), re.MULTILINE)


def _is_skipped(function: ast.FunctionDef) -> bool:
    return any("skip" in ast.unparse(mark) or "xfail" in ast.unparse(mark) for mark in function.decorator_list)


@cache
def _collected() -> frozenset[str]:
    """The tests that pytest finds: functions of that name at the top of a test module, none set aside."""
    nodes = [node for path in modules("tests") if path.name.startswith("test_") for node in tree_of(path).body]
    found = (node for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))
    return frozenset(node.name for node in found if not _is_skipped(node))


def test_every_key_has_one_row_and_every_row_a_key() -> None:
    promised = _promised()
    assert set(_FEATURES) < set(promised) and sum(promised[group] for group in _FEATURES) == 82
    assert promised["new"] == 16
    expected = [f"{group}{number}" for group, count in promised.items() for number in range(1, count + 1)]
    assert [key for key, _, _ in _rows()] == expected


def test_every_row_of_the_page_is_read() -> None:
    """A row with a bar too many, or without its key, would be passed over."""
    lines = [line for line in _page().splitlines() if line.startswith("| ") and not line.startswith("| Key")]
    assert len(lines) == len(_rows()) + len(_promised())


def test_every_row_names_a_test_that_is_collected_or_a_reason() -> None:
    there = _collected()
    for key, what, shown in _rows():
        named = re.findall(r"`(\w+)`", shown)
        assert what.strip() and (named or re.fullmatch(r"None: .{40,}", shown)), key
        assert not (set(named) - there), (key, set(named) - there)
        assert shown == ", ".join(f"`{name}`" for name in named) or not named, key


def test_reasons_are_few_and_no_row_is_told_twice() -> None:
    reasons = [key for key, _, shown in _rows() if shown.startswith("None: ")]
    assert len(reasons) <= _MOST_REASONS, reasons
    assert not [what for what, count in Counter(what for _, what, _ in _rows()).items() if count > 1]


# ---------------------------------------------------------------- docs/attacks.md


_LEAST = 60
_ROW = re.compile(r"^\| ([a-z]+\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")


def _lines() -> list[str]:
    page = (_ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    return [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| Key |")]


def test_every_row_can_be_read_and_has_a_key_of_its_own() -> None:
    keys = [found[1] for line in _lines() if (found := _ROW.match(line))]
    assert len(keys) == len(_lines()) >= _LEAST
    assert len(set(keys)) == len(keys)


def test_every_row_names_tests_that_are_collected() -> None:
    there = _collected()
    for line in _lines():
        named = re.findall(r"`(test_\w+)`", line.rpartition("|")[0].rpartition("|")[2])
        assert named and set(named) <= there, line


_KEYS = re.compile(r"\(((?:[a-z]+[0-9]+(?:, )?)+)\)")


def test_the_screen_of_trust_stands_on_rows_and_leaves_out_nothing_that_is_possible() -> None:
    """Each sentence names rows. Rows of a host who is found are not said to be possible, and all that say so are on the screen."""
    rows = {found[1]: found[3] for line in _lines() if (found := _ROW.match(line))}
    page = (_ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    named = [key for found in _KEYS.findall(page) for key in found.split(", ")]
    assert set(named) <= set(rows)
    assert [bullet for bullet in re.split(r"\n\* ", page)[1:] if not _KEYS.search(bullet)] == []
    cannot = page.partition("**He cannot do this")[2].partition("\n## ")[0]
    possible = {key for key, what in rows.items() if key.startswith("host") and what.startswith("**Possible")}
    assert not possible & {key for found in _KEYS.findall(cannot) for key in found.split(", ")}
    assert possible <= set(named), possible - set(named)


# ---------------------------------------------------------------- docs/reading-order.md


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


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/decisions/*.md")), ids=lambda path: path.name[:3])
def test_a_decision_names_files_of_today_or_says_first_that_they_have_other_names(path: Path) -> None:
    head, _, rest = path.read_text("utf-8").partition("**Context.**")
    named = [] if "other names" in head else re.findall(r"`([\w/]+/\w+\.(?:py|toml))`", rest)
    assert [name for name in named if not any((folder / name).exists() for folder in (ROOT, ROOT / "referee"))] == []
    assert re.match(rf"# {path.name[:3]}\b", head)


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
    stays = passed()[1]
    rooms = of_text(stays)
    assert set(rooms) == set(re.findall(r"`(service/[\w/.]+)`", told)) and len(rooms) <= 10
    times = Counter(place for place, _ in groupby(filter(of_service, stays)))
    assert {place for place, number in times.items() if number > 1} == {"service/intake/desk.py"}


def test_there_are_twenty_questions() -> None:
    assert len(ROW.findall(PAGE.read_text("utf-8"))) == 20


def test_no_folder_of_the_package_is_a_corridor_of_doors() -> None:
    held = Counter(path.parent for path in modules() if path.name != "__init__.py" and "games" not in path.parts)
    assert {str(folder.relative_to(ROOT)): count for folder, count in held.items() if count > MOST} == {}
