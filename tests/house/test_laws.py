"""What holds for all code: names and sentences of modules, exact rules, hands on a match, notes, the spelling of rule ids."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

from referee.service.base import notes
from tests.house.sources import ROOT, Definition, Function, functions, modules, nodes_of, public_names, tree_of

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


def out_of_order(path: Path) -> set[str]:
    """Names in which a folder's order of reading and its files differ."""
    told = re.search(r"Read in this order: ([^.]*)", re.sub(r"\([^)]*\)", "", ast.get_docstring(tree_of(path)) or ""))
    if not told or path.parent.name == "referee":
        return set()
    here = {entry.stem for entry in path.parent.iterdir() if entry.suffix == ".py" or (entry / "__init__.py").exists()}
    return {name.strip() for name in told[1].split(",")} ^ (here - {"__init__"})


def test_an_order_of_reading_names_the_files_that_are_there() -> None:
    folders = [path for path in modules() if path.name == "__init__.py"]
    assert {place(path): names for path in folders if (names := out_of_order(path))} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "util", "helpers", "helper", "manager", "handler", "processor", "common", "misc"}
    assert [path for path in modules() if path.stem in empty or path.parent.name in empty] == []


# ---------------------------------------------------------------- rules are exact


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
        for node in nodes_of(path)
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


# ---------------------------------------------------------------- hands on a match


HAND = re.compile(r"\b(BareHand|Hand|Caller)\b")
ARE_HANDS = {
    ROOT / "referee" / "service" / place
    for place in ("match/playing.py", "turn/writer.py", "intake/commands/caller.py")
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
        attributes = [node for node in ast.walk(function) if isinstance(node, ast.Attribute)]
        changed = [node for node in attributes if isinstance(node.ctx, ast.Store | ast.Del)]
        names = hands(function) if changed else set()  # most functions change nothing
        for node in changed:
            if isinstance(node.value, ast.Name) and node.value.id in names:
                yield f"{ast.unparse(node)} in {function.name}"


def test_only_a_hand_changes_itself() -> None:
    assert [found for path in modules() if path not in ARE_HANDS for found in set_from_outside(tree_of(path))] == []


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


# ---------------------------------------------------------------- notes


KEEP_NOTES = {
    ROOT / "referee/service/base/notes.py",
    ROOT / "referee/service/base/ports.py",
    ROOT / "referee/adapters/store/sql/reports_and_notes.py",
}
OF_A_STEP = {("put_note", 4), ("note", 3), ("notes", 2)}
"""How a step of the store is asked: the method, and so many things said to it."""


def notes_by_hand(tree: ast.Module) -> list[int]:
    """The lines that ask a step itself for a note."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return [call.lineno for call in calls if isinstance(call.func, ast.Attribute) and _asks(call, call.func.attr)]


def _asks(call: ast.Call, name: str) -> bool:
    return (name, len(call.args) + len(call.keywords)) in OF_A_STEP


@pytest.mark.parametrize("folder", ["referee", "tests/service", "tests/trust"])
def test_nobody_else_asks_a_step_for_notes(folder: str) -> None:
    found = {
        str(path.relative_to(ROOT)): notes_by_hand(tree_of(path)) for path in modules(folder) if path not in KEEP_NOTES
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_note_by_hand_would_be_found(tmp_path: Path) -> None:
    source = (
        'step.put_note("", "", "x", None)\nlook.note("nw1", "", "x")\nvisit.step.notes("nw1", "x")\nkeeper.note("x")'
    )
    assert notes_by_hand(ast.parse(source)) == [1, 2, 3]


def test_no_note_is_declared_twice() -> None:
    every = notes.declared()
    assert {name: count for name, count in Counter(note.name for note in every).items() if count > 1} == {}
    assert len(every) > 40 and all(note.what for note in every)


def test_what_ends_with_a_player_is_a_seat_s() -> None:
    assert {note.whose("nw1", "Spain") for note in notes.declared() if note.ends_with_player} == {("nw1", "Spain")}


# ---------------------------------------------------------------- rule ids


GAMES = sorted(path.parent for path in (ROOT / "referee" / "games").glob("*/rules.toml"))


def short(folder: Path) -> re.Pattern[str]:
    """The ids of a game without what they begin with, where nobody could take them for anything else."""
    rules = tomllib.loads((folder / "rules.toml").read_text("utf-8"))["rule"]
    tails = {rule["id"].partition(".")[2] for rule in rules}
    alike = sorted((re.escape(tail) for tail in tails if re.search(r"\d", tail)), key=len, reverse=True)
    return re.compile(rf"(?<![\w.\-/])({'|'.join(alike) or '(?!)'})(?![\w\-]|\.\d)|\brulings? \d")


def told(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module, with their lines."""
    for node in nodes_of(path):
        for statement in getattr(node, "body", ()) if isinstance(getattr(node, "body", ()), list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    yield statement.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_every_rule_is_named_by_its_whole_id(folder: Path) -> None:
    bare = short(folder)
    inside = (path for path in modules() if folder in path.parents)
    assert [
        f"{path.name}:{line}: {found[0]}"
        for path in inside
        for line, text in told(path)
        if (found := bare.search(text))
    ] == []


# ---------------------------------------------------------------- the contracts of import-linter


KINDS: dict[str, type[Contract]] = {"forbidden": ForbiddenContract, "layers": LayersContract}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("referee", include_external_packages=True, cache_dir=None)


def _contracts() -> dict[str, tuple[Contract, Any]]:
    """Every contract by its name, with what it says."""
    configure()
    options = read_user_options(str(ROOT / "pyproject.toml"))
    return {
        said["name"]: (KINDS[said["type"]](said["name"], options.session_options, said), said)
        for said in options.contracts_options
    }


CONTRACTS = _contracts()


def _forbidden_by(said: Any) -> Iterator[tuple[str, str]]:
    """Pairs of modules of which the first may not import the second; a child that no layer names is alone with itself."""
    if said["type"] == "forbidden":
        yield from product(said["source_modules"], said["forbidden_modules"])
        return
    floors = [[room.strip() for room in floor.split("|")] for floor in said["layers"]]
    for container in said["containers"]:
        for above, floor in pairwise([[], *floors]):
            for room in floor:
                yield from ((f"{container}.{room}", f"{container}.{other}") for other in {*above, *floor} - {room})
        if said.get("exhaustive"):
            yield (stranger := f"{container}.nobody_named_it"), stranger


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_on_imports_is_kept_and_every_breach_of_it_is_found(name: str, graph: grimp.ImportGraph) -> None:
    contract, said = CONTRACTS[name]
    assert contract.check(deepcopy(graph), verbose=False).kept
    for importer, imported in _forbidden_by(said):
        broken = deepcopy(graph)
        if importer == imported:
            broken.add_module(importer)
        else:
            broken.add_import(importer=importer, imported=imported, line_number=1, line_contents="import it")
        assert not contract.check(broken, verbose=False).kept, (importer, imported)
