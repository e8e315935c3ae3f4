"""Rules are exact and deterministic: whole numbers, no clock, no chance but the table's."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tests.house.sources import ROOT, modules, tree_of

RULES = [
    path
    for folder in ("referee/core", "referee/kit", "referee/games")
    for path in modules(folder)
    if not {"chart", "drawing"} & {path.stem, path.parent.name}  # a drawing is no rule: nothing reads it back
]
FORBIDDEN = {"random", "time", "datetime", "secrets", "os", "uuid", "threading", "asyncio", "socket"}


SETS = {"set", "frozenset"}


def places(is_wrong: Callable[[ast.AST], bool]) -> list[str]:
    """File and line of every node of the rules that is wrong."""
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in RULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.stmt | ast.expr) and is_wrong(node)
    ]


def calls(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def is_inexact(node: ast.AST) -> bool:
    """A float, or something that makes one."""
    divided = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
    return divided or (isinstance(node, ast.Constant) and isinstance(node.value, float)) or calls(node, {"float"})


def is_impure(node: ast.AST) -> bool:
    """An import of clock, chance or machine."""
    match node:
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] in FORBIDDEN for alias in names)
        case ast.ImportFrom(module=str(module)):
            return module.partition(".")[0] in FORBIDDEN
    return False


def walks_a_set(node: ast.AST) -> bool:
    """A loop over a set written on the spot: its order hangs on the interpreter's hash seed."""
    loops = [node] if isinstance(node, ast.For) else getattr(node, "generators", [])
    return any(isinstance(loop.iter, ast.Set | ast.SetComp) or calls(loop.iter, SETS) for loop in loops)


def test_rules_know_whole_numbers_only() -> None:
    assert places(is_inexact) == []


def test_rules_see_neither_clock_nor_chance_nor_machine() -> None:
    assert places(is_impure) == []


def test_rules_never_walk_a_set_unsorted() -> None:
    assert places(walks_a_set) == []


def test_the_checks_see_what_they_look_for() -> None:
    (source,) = ast.parse("for a in {1}: b = [c for c in set(d)]; e = 1 / 2; f /= 0.5; g = float(h)").body
    nodes = list(ast.walk(source))
    assert (sum(map(walks_a_set, nodes)), sum(map(is_inexact, nodes))) == (2, 4)
    assert sum(map(is_impure, ast.parse("import os.path\nfrom time import time\nfrom re import match").body)) == 2
