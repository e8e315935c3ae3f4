"""A hand on a match alone changes what it holds: nobody else sets an attribute of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.sources import ROOT, Function, functions, modules, tree_of

HAND = re.compile(r"\b(BareHand|Hand|Caller)\b")
OWN = {
    ROOT / "referee" / "service" / place for place in ("match/playing.py", "turn/hand.py", "intake/commands/caller.py")
}


def hands(function: Function) -> set[str]:
    """The names of hands in a function: what it is given as one, and what it makes one."""
    args = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    given = {arg.arg for arg in args if arg.annotation and HAND.search(ast.unparse(arg.annotation))}
    made = (
        node for node in ast.walk(function) if isinstance(node, ast.Assign) and HAND.search(ast.unparse(node.value))
    )
    return {"hand", *given, *(target.id for node in made for target in node.targets if isinstance(target, ast.Name))}


def set_from_outside(tree: ast.AST) -> Iterator[str]:
    """Each attribute of a hand that is set, or struck out."""
    for function in functions(tree):
        names = hands(function)
        for node in ast.walk(function):
            match node:
                case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in names:
                    yield f"{ast.unparse(node)} in {function.name}"


def test_only_a_hand_changes_itself() -> None:
    assert [found for path in modules() if path not in OWN for found in set_from_outside(tree_of(path))] == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(at: BareHand): at.playing = 1",
        "def f(who: Hand | Caller): who.by, x = 1, 2",
        "def f():\n    mine = Hand(office, step, playing)\n    mine.reason += 'x'",
        "def f(hand): del hand.line",
    ],
)
def test_what_is_set_from_outside_is_found(source: str) -> None:
    assert list(set_from_outside(ast.parse(source)))
