"""The package's own source as the house tests see it: files, trees, sizes."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

MADE = {"__pycache__", ".venv", "dist", "build", "var", ".hypothesis", ".mypy_cache", ".ruff_cache"}
"""Folders that a run makes."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def modules(folder: str = "referee") -> tuple[Path, ...]:
    """All Python files under a folder of the repository, by path."""
    return tuple(path for path in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in path.parts)


@cache
def tree_of(path: Path) -> ast.Module:
    """A file, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All that a file has in its tree."""
    return tuple(ast.walk(tree_of(path)))


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function and method, nested ones included."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def tracked_files() -> tuple[Path, ...]:
    """What is under version control; where there is no git, as in an unpacked archive, every file no run has made."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        return tuple(
            path for path in sorted(ROOT.rglob("*")) if path.is_file() and not MADE & set(path.relative_to(ROOT).parts)
        )
    return tuple(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())


def public_names(tree: ast.Module) -> set[str]:
    """What a module defines for others: no underscore in front, no type variable, no command, nothing imported."""
    return {name for node in tree.body for name in _defined(node) if not name.startswith("_")}


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() if any(map(_makes_a_command, node.decorator_list)):
            return
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
            return
        case ast.Assign(targets=targets):
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _makes_a_command(decorator: ast.expr) -> bool:
    """`@app.command(...)` hands the function to the command line; nobody else calls it."""
    match decorator:
        case ast.Call(func=ast.Attribute(attr="command" | "callback")):
            return True
    return False
