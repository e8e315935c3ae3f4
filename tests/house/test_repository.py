"""What is under version control holds no path of a machine, no loose end, and nothing that was made by a run."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.shape import figures
from tests.house.sources import MADE, ROOT, modules, nodes_of, tracked_files

MACHINE = re.compile(r"(?<![\w.])/(?:home|Users|root|work|tmp)/[\w.-]+")
LOOSE = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
TEXT = {".py", ".toml", ".md", ".lark", ".case", ".jinja", ".j2", ".html", ".txt", ".yml", ".yaml", ".cfg", ".mako", ""}


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked_files()
        if path.suffix in TEXT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    assert lines_with(MACHINE) == []


def test_no_file_leaves_something_to_be_done() -> None:
    assert lines_with(LOOSE) == []


def test_nothing_that_a_run_makes_is_tracked() -> None:
    assert [path for path in tracked_files() if MADE & set(path.relative_to(ROOT).parts)] == []
    assert [path for path in tracked_files() if path.suffix in (".pyc", ".db", ".sqlite", ".whl")] == []


def test_every_library_that_the_referee_imports_is_pinned_with_its_oldest_and_its_newest() -> None:
    wishes = [Requirement(text) for text in requires("referee") or ()]
    pinned = {
        canonicalize_name(wish.name) for wish in wishes if {each.operator for each in wish.specifier} == {">=", "<"}
    }
    nodes = [node for path in modules() for node in nodes_of(path)]
    names = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    libraries = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"referee"}
    from_where = packages_distributions()
    assert [
        name for name in libraries if not pinned & {canonicalize_name(each) for each in from_where.get(name, ())}
    ] == []


def test_the_figures_of_the_shape_are_what_they_are_called() -> None:
    assert figures([]) == (0, 0, 0)
    assert figures([7]) == (7, 7, 7)
    assert figures(list(range(1, 101))) == (51, 91, 100)
