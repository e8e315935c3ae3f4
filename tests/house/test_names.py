"""Every module says what it is; what it offers has no underscore in front, and every public name has its sentence."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.sources import ROOT, Definition, modules, public_names, tree_of

MIGRATIONS = ROOT / "referee" / "adapters" / "store" / "migrations"
"""Alembic calls these by name; they are nobody's interface."""

MODULES = [path for path in modules() if MIGRATIONS not in path.parents]


def exported(tree: ast.Module) -> list[str] | None:
    """What `__all__` lists, or None where there is none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            listed: list[str] = ast.literal_eval(node.value)
            return listed
    return None


def imported(tree: ast.Module) -> set[str]:
    """The names a package takes from its modules."""
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in froms for alias in node.names} - {"annotations"}


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_module_has_a_docstring() -> None:
    assert [place(path) for path in modules() if not ast.get_docstring(tree_of(path))] == []


def misnamed(path: Path) -> list[str]:
    """What `__all__` lists and is not there; where it lists nothing but what the module defines, it says nothing."""
    tree = tree_of(path)
    listed = exported(tree)
    if listed is None:
        return []
    own, taken = public_names(tree), imported(tree)
    if not set(listed) & taken:
        return [f"{place(path)}: __all__ where nothing is taken from elsewhere"]
    twice = {name for name in listed if listed.count(name) > 1}
    return [f"{place(path)}: {name}" for name in sorted((set(listed) - own - taken) | (own - set(listed)) | twice)]


def test_all_stands_only_where_names_of_other_modules_are_offered() -> None:
    assert [wrong for path in MODULES for wrong in misnamed(path)] == []


def speechless(path: Path) -> list[str]:
    """Public functions and classes without a sentence."""
    tree = tree_of(path)
    offered = public_names(tree)
    nodes = [node for node in tree.body if isinstance(node, Definition) and node.name in offered]
    return [f"{place(path)}: {node.name}" for node in nodes if not ast.get_docstring(node)]


def test_every_public_function_and_class_has_a_sentence() -> None:
    assert [bare for path in MODULES for bare in speechless(path)] == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "util", "helpers", "helper", "manager", "handler", "processor", "common", "misc"}
    assert [path for path in modules() if path.stem in empty or path.parent.name in empty] == []
