"""Mutants: one small change of the code after another, and whether a test finds it; `make mutants`, see docs/mutants.md.

First a map: which tests come to which line, by one run of those that belong to the part. Then, of each part of the referee, so many
changes at random, as cosmic-ray makes them. Each is tried in a process that is forked when all tests are collected: only the
changed functions get their new code there, and only tests that come to the changed line are run, the cheapest of every file
first, until one fails. So a mutant costs seconds. What is counted is processor time, for others may use the same machine.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parent.parent
MAPS = ROOT / ".venv" / "mutants"

TESTS = {
    "rules": ("core", "kit", "small", "contract", "verify"),
    "letters": ("service", "inbox", "mail", "orders", "moments", "letters", "adapters"),
    "machine": ("test_cli.py", "test_doctor.py", "test_config.py", "test_keys.py", "setup", "backup"),
}
"""Tests of each map."""

PARTS = {
    "core": ("rules", ("core",)),
    "kit": ("rules", ("kit",)),
    "orders": ("letters", ("orders", "moments")),
    "mail": ("letters", ("mail",)),
    "service": ("letters", ("service",)),
    "adapters": ("letters", ("adapters",)),
    "command line": ("machine", ("cli", "setup", "bootstrap")),
    "New World": ("rules", ("games/newworld",)),
    "War!": ("rules", ("games/war",)),
    "Version 1.7": ("rules", ("games/war17",)),
    "Empire": ("rules", ("games/empire",)),
}
"""The map, and the folders of the package, by the part whose figures they are."""

NEIGHBOURS = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq", "Lt_Gt", "Gt_Lt", "Is_IsNot", "IsNot_Is")
ARITHMETIC = ("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv")
OPERATORS = {
    *(f"core/ReplaceComparisonOperator_{name}" for name in NEIGHBOURS),
    *(f"core/ReplaceBinaryOperator_{name}" for name in ARITHMETIC),
    "core/ReplaceUnaryOperator_Delete_Not",
    *(f"core/{name}" for name in ("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr")),
    *(f"core/{name}" for name in ("ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak")),
    *(f"core/{name}" for name in ("NumberReplacer", "ZeroIterationForLoop")),
}
"""Changes a hand could make by mistake; most others end in an error at once, which says nothing of the tests."""

BUDGETS = (10.0, 40.0)
"""Seconds of tests for a mutant, by what they took in the map; then for one that lived so long."""

ENDLESS, PATIENCE = 3, 900
"""A mutant is found if its tests take so many times their time and ten seconds; or this long by the clock, when all wait."""


@dataclass(frozen=True)
class Mutant:
    """A change at one place."""

    part: str
    file: str
    operator: str
    occurrence: int
    line: int
    to_line: int
    """The lines of the statement, for a test may be counted where a statement begins."""

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} {self.operator.removeprefix('core/')}/{self.occurrence}"

    def source(self) -> str:
        changed: str = mutate_code(
            (ROOT / self.file).read_text(encoding="utf-8"), get_operator(self.operator)(), self.occurrence
        )
        return changed

    def change(self) -> str:
        """The changed line, before and after."""
        before = (ROOT / self.file).read_text(encoding="utf-8").splitlines()
        differ = [pair for pair in zip_longest(before, self.source().splitlines(), fillvalue="") if pair[0] != pair[1]]
        return "\n".join(f"  - {old.strip()}\n  + {new.strip()}" for old, new in differ[:2])


def sample(number: int, seed: int, parts: Sequence[str]) -> Iterator[Mutant]:
    """So many mutants of each part, in functions alone: what is worked out at import has other users."""
    for part in parts:
        rng = random.Random(f"{part}/{seed}")
        folders = [ROOT / "referee" / folder for folder in PARTS[part][1]]
        files = sorted(chain.from_iterable(folder.rglob("*.py") for folder in folders))
        files = [
            file for file in files if not {"drawing", "migrations"} & {file.stem, *file.parts}
        ]  # a dot more is a matter of taste; a migration is run by Alembic, in no function that can be given other code
        sizes = [len(file.read_text(encoding="utf-8").splitlines()) for file in files]
        found = set[Mutant]()
        while len(found) < number:
            [file] = rng.choices(files, sizes)
            if places := [place for place in _places(part, file) if place not in found]:
                chosen = rng.choice(places)
                with suppress(SyntaxError):  # `not x := y`
                    compile(chosen.source(), chosen.file, "exec")
                    found.add(chosen)
                    yield chosen


_PLACES: dict[Path, list[Mutant]] = {}


def _places(part: str, file: Path) -> list[Mutant]:
    """Everything in the functions of a file that could be changed."""
    if file in _PLACES:
        return _PLACES[file]
    text = file.read_text(encoding="utf-8")
    statements = _statements(text)
    found = _PLACES[file] = []
    nodes = list(ast_nodes(get_ast(text)))
    for name in sorted(OPERATORS & set(operator_names())):
        positions = [position for node in nodes for position in get_operator(name)().mutation_positions(node)]
        for number, ((line, _), _) in enumerate(positions):
            if line in statements:
                found.append(Mutant(part, str(file.relative_to(ROOT)), name, number, line, statements[line]))
    return found


def _statements(text: str) -> dict[int, int]:
    """Of each line of a function's body the line where its innermost statement begins."""
    found: dict[int, int] = {}
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in chain.from_iterable(ast.walk(child) for child in function.body):
                if isinstance(statement, ast.stmt):
                    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
                    found |= {line: max(found.get(line, 0), statement.lineno) for line in lines}
    return found


class Mapping:
    """A plugin of pytest: which tests come to which line, and how long each takes.

    Only the first time a test comes to a line is told (`sys.monitoring`), so a map takes little longer than its tests.
    """

    def __init__(self, to: Path) -> None:
        self.to = to
        self.watch: Any = vars(sys)["monitoring"]
        self.seen = set[tuple[str, int]]()
        self.cost: dict[str, float] = {}
        self.failed = set[str]()
        self.lines: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))

    def pytest_collection_finish(self) -> None:
        self.watch.use_tool_id(self.watch.COVERAGE_ID, "mutants")
        self.watch.register_callback(self.watch.COVERAGE_ID, self.watch.events.LINE, self._came)
        for code in {code for function in _functions() for code in _codes(function.__code__)}:
            self.watch.set_local_events(self.watch.COVERAGE_ID, code, self.watch.events.LINE)

    def _came(self, code: CodeType, line: int) -> object:
        self.seen.add((code.co_filename, line))
        return self.watch.DISABLE

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.seen.clear()
        self.watch.restart_events()
        begun = time.process_time()
        result = yield
        if item.nodeid not in self.failed:
            for file, line in self.seen:
                self.lines[str(Path(file).relative_to(ROOT))][line].append(len(self.cost))
            self.cost[item.nodeid] = round(time.process_time() - begun, 3)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= {report.nodeid} if report.failed else set()

    def pytest_sessionfinish(self) -> None:
        self.to.parent.mkdir(exist_ok=True)
        self.to.write_text(json.dumps({"cost": list(self.cost.items()), "lines": self.lines}))


def _functions() -> list[FunctionType]:
    """All functions of the package, wherever they are held."""
    for file in (ROOT / "referee").rglob("*.py"):
        if "migrations" not in file.parts and file.name != "__main__.py":
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    gc.unfreeze()  # what the tests of this house are made of is kept from the collector, and would not be listed
    held = [held for held in gc.get_objects() if isinstance(held, FunctionType)]
    gc.freeze()
    return [function for function in held if function.__code__.co_filename.startswith(f"{ROOT}/referee/")]


class Trial:
    """A plugin of pytest that tries mutants instead of running the tests it collected."""

    def __init__(self, mutants: Sequence[Mutant], to: Path) -> None:
        self.lines: dict[tuple[str, int], list[tuple[str, float]]] = defaultdict(list)
        for part in {mutant.part for mutant in mutants}:
            read = _map(part)
            for file in {mutant.file for mutant in mutants if mutant.part == part} & read["lines"].keys():
                for line, numbers in read["lines"][file].items():
                    self.lines[file, int(line)] = [tuple(read["cost"][number]) for number in numbers]
        self.mutants = mutants
        self.to = to

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = _functions()
        for mutant in self.mutants:
            found, took = self._try(mutant, items, functions)
            assert found != _NOBODY, mutant.name
            with self.to.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"part": mutant.part, "name": mutant.name, "found": found, "took": took}) + "\n")
            print(f"{'lives ' if not found else 'found '} {took:6.1f} s  {mutant.name}  {found}", flush=True)
            if not found:
                print(mutant.change(), flush=True)
        return True

    def _try(
        self, mutant: Mutant, items: dict[str, pytest.Item], functions: Sequence[FunctionType]
    ) -> tuple[str, float]:
        """The test that finds a mutant, "" if none; and how long all took."""
        there = self.lines[mutant.file, mutant.line] or self.lines[mutant.file, mutant.to_line]
        tests = [(test, cost) for test, cost in there if test in items]
        took, done = 0.0, 0
        for budget in BUDGETS:
            chosen = _affordable(tests, budget)
            found, seconds = _forked(mutant, [items[test] for test, _ in chosen[done:]], functions, budget)
            took, done = took + seconds, len(chosen)
            if found or done == len(tests):
                break
        return found, round(took, 1)


def _map(part: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MAPS / f"{PARTS[part][0]}.json").read_text())
    return found


_NOBODY = "no function has the changed code"


def _forked(
    mutant: Mutant, items: Sequence[pytest.Item], functions: Sequence[FunctionType], budget: float
) -> tuple[str, float]:
    """The first of these tests that fails in a process of its own, "" if none; and how long they took."""
    reads, writes = os.pipe()
    before = _children()
    if not (child := os.fork()):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        signal.alarm(PATIENCE)
        limit = int(ENDLESS * budget + 10)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        failing = (item.nodeid for item, after in zip_longest(items, items[1:]) if _fails(item, after))
        failed = next(failing, "") if _change(mutant, functions) else _NOBODY
        os.write(writes, failed.encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as said:
        failed = said.read().decode()
    _, status = os.waitpid(child, 0)
    return (failed or ("endless" if status else "")), _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _fails(item: pytest.Item, after: pytest.Item | None) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=after))


def _affordable(tests: Sequence[tuple[str, float]], budget: float) -> list[tuple[str, float]]:
    """Tests of a budget: the cheapest of each file, then the second of each, and so on; at least one."""
    files: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: test[1]):
        files[test[0].partition("::")[0]].append(test)
    turns = [[test for test in turn if test] for turn in zip_longest(*files.values())]
    chosen, spent = list[tuple[str, float]](), 0.0
    for test in chain.from_iterable(turns):
        if chosen and spent + test[1] > budget:
            break
        chosen.append(test)
        spent += test[1]
    return chosen


def _change(mutant: Mutant, functions: Sequence[FunctionType]) -> bool:
    """Give every function that the mutant changes its new code, wherever it is held."""
    path = str(ROOT / mutant.file)
    old = {_key(code): code for code in _codes(compile((ROOT / mutant.file).read_text(encoding="utf-8"), path, "exec"))}
    new = {_key(code): code for code in _codes(compile(mutant.source(), path, "exec")) if code != old[_key(code)]}
    changed = [held for held in functions if held.__code__.co_filename == path and _key(held.__code__) in new]
    for function in changed:
        function.__code__ = new[_key(function.__code__)]
    return bool(changed)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def figures(to: Path) -> Iterator[str]:
    """What became of the mutants, by part."""
    rows = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    for part in PARTS:
        fate = Counter("lives" if not row["found"] else "found" for row in rows if row["part"] == part)
        yield f"{part}: {fate['found']} found, {fate['lives']} live"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--each", type=int, default=30, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--again", action="store_true", help="those alone that lived the last time")
    parser.add_argument("--map", choices=TESTS, help="make a map instead")
    parser.add_argument("--to", type=Path, default=ROOT / ".venv" / "mutants.jsonl")
    asked = parser.parse_args()
    if asked.map:
        if "monitoring" not in vars(sys):
            sys.exit("A map needs Python 3.12 or later.")
        sys.exit(pytest.main([f"tests/{folder}" for folder in TESTS[asked.map]], [Mapping(MAPS / f"{asked.map}.json")]))
    parts = asked.part or list(PARTS)
    for name in dict.fromkeys(PARTS[part][0] for part in parts):
        if not (MAPS / f"{name}.json").exists():
            subprocess.run([sys.executable, "-m", "tests.mutants", "--map", name], check=False)
    mutants = list(sample(asked.each, asked.seed, parts))
    if asked.again:
        lived = {row["name"] for row in map(json.loads, asked.to.read_text().splitlines()) if not row["found"]}
        mutants = [mutant for mutant in mutants if mutant.name in lived]
    asked.to.unlink(missing_ok=True)
    tests = {test.partition("::")[0] for part in parts for test, _ in _map(part)["cost"]}
    pytest.main(["-s", *sorted(tests)], [Trial(mutants, asked.to)])
    print("\n".join(figures(asked.to)))


if __name__ == "__main__":
    main()
