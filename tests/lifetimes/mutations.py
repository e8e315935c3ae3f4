"""Small changes of rules, as somebody who mends or spoils them makes: each a piece of one source file put otherwise."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

PACKAGES = {
    "newworld": ("newworld",),
    "war27": ("war",),
    "war17": ("war", "war17"),
    "empire": ("empire",),
}
"""Where the rules of each game stand."""

_ROOMS = ("phases", "reckoning", "deeds", "course.py", "events", "position", "orders")


class Mutation(msgspec.Struct, frozen=True):
    """In a file (its path from the package `referee`), the bytes from `start` to `end` are put otherwise."""

    kind: str
    game: str
    file: str
    line: int
    start: int
    end: int
    instead: str

    def applied(self, source: bytes) -> bytes:
        """The file with the change."""
        return source[: self.start] + self.instead.encode() + source[self.end :]

    def told(self, source: bytes) -> str:
        """In a line what is changed, as it was and as it is."""
        was = " ".join(source[self.start : self.end].decode().split())
        return f"{self.kind} in {self.file}:{self.line}: {was[:60]!r} becomes {' '.join(self.instead.split())[:110]!r}"


def chosen(package: Path, number: int, seed: int, hit: Mapping[str, Collection[tuple[str, int]]]) -> list[Mutation]:
    """So many mutations at random, games and kinds in turn, at lines that open phases came by (`hit`, by game)."""
    rng, found = random.Random(seed), list[Mutation]()
    sites = {game: _sites(package, game, lines) for game, lines in hit.items()}
    games, kinds = sorted(sites), list(_KINDS)
    while len(found) < number:
        game, kind = games[len(found) % len(games)], kinds[(len(found) // len(games) + len(found)) % len(kinds)]
        here = [site for site in sites[game] if site.kind == kind] or sites[game]
        found.append(rng.choice(here))
    return found


def _sites(package: Path, game: str, lines: Collection[tuple[str, int]]) -> list[Mutation]:
    found: list[Mutation] = []
    for folder in PACKAGES[game]:
        for path in sorted((package / "games" / folder).rglob("*.py")):
            file = path.relative_to(package)
            if file.parts[2] in _ROOMS:
                found += _in_file(path.read_bytes(), game, file.as_posix(), lines)
    return found


def _in_file(source: bytes, game: str, file: str, lines: Collection[tuple[str, int]]) -> Iterator[Mutation]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def mutation(kind: str, node: ast.expr | ast.stmt, instead: str) -> Mutation:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        return Mutation(kind, game, file, node.lineno, start, end, instead)

    for node in ast.walk(ast.parse(source)):
        for kind, changes in _KINDS.items():
            for place, instead in changes(node):
                if (file, place.lineno) in lines:
                    segment = ast.get_source_segment(source.decode(), place) or ""
                    yield mutation(kind, place, instead.replace(_SAME, segment))


Change = tuple[ast.expr | ast.stmt, str]
_SAME = "\0"
"""Stands for what was there before."""


def _figures(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant) and type(node.value) is int and 0 < node.value < 1000:
        yield node, str(node.value + 1)


def _citations(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Call) and _method(node) in ("roll", "draw", "choose") and len(node.args) > 2:
        for place in node.args:
            if isinstance(place, ast.Constant) and _is_rule(place.value):
                yield place, repr("mutated.rule.1")


def _purposes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Call) and _method(node) in ("roll", "draw", "choose"):
        for place in node.args:
            if isinstance(place, ast.Constant) and isinstance(place.value, str) and not _is_rule(place.value):
                yield place, repr(f"{place.value}, mended")


def _is_rule(value: object) -> bool:
    return isinstance(value, str) and " " not in value and value.partition(".")[0] in ("nw", "17", "27", "emp")


def _conditions(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.If):
        yield node.test, f"not ({_SAME})"


def _removed(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _method(node.value) == "emit":
        yield node, "pass"


def _added_rolls(node: ast.AST) -> Iterator[Change]:
    for first in _first_of_scripts(node, "table"):
        yield first, f'table.roll(1, 6, "a throw that is new", "mutated.rule.2"); {_SAME}'


_ASKS = (
    "from referee.core.question import OneOf, Pace, Question; from referee.core.choices import Choice; "
    'yield from table.ask(Question(f"{table.phase}/is it new", seat, "Is it new?", '
    'OneOf((Choice("yes", "yes"), Choice("no", "no")), "no"), Pace.REPLY, "mutated.rule.3")); '
)


def _added_questions(node: ast.AST) -> Iterator[Change]:
    for first in _first_of_scripts(node, "table", "seat"):
        yield first, _ASKS + _SAME
    for first in _first_of_scripts(node, "table", "turn"):
        yield first, _ASKS.replace("seat,", "turn.seat,") + _SAME


def _raising(node: ast.AST) -> Iterator[Change]:
    for first in _first_of_scripts(node):
        yield first, f'raise RuntimeError("a fault of these rules"); {_SAME}'


def _first_of_scripts(node: ast.AST, *arguments: str) -> Iterator[ast.stmt]:
    """The first statement of a function with these arguments that asks or emits something, where it takes one line's place."""
    if not isinstance(node, ast.FunctionDef) or not set(arguments) <= {arg.arg for arg in node.args.args}:
        return
    is_script = any(isinstance(part, ast.YieldFrom) for part in ast.walk(node)) or not arguments
    after = node.body[1:] if _is_docstring(node.body[0]) else node.body
    if is_script and after and isinstance(after[0], (ast.Assign, ast.Expr, ast.Return, ast.AnnAssign)):
        yield after[0]


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _menus(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Choice":
        for place in node.args[:2]:
            if isinstance(place, ast.Constant) and not isinstance(place.value, str):
                continue
            yield place, f'"renamed " + str({_SAME})'


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


_KINDS: dict[str, Callable[[ast.AST], Iterator[Change]]] = {
    "a figure": _figures,
    "a citation": _citations,
    "a purpose of dice": _purposes,
    "a condition turned": _conditions,
    "an event left out": _removed,
    "an added roll": _added_rolls,
    "an added question": _added_questions,
    "an option renamed": _menus,
    "a script that raises": _raising,
}


def kinds() -> Sequence[str]:
    """What is done to rules."""
    return tuple(_KINDS)
