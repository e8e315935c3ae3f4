"""One run of the benchmark: a group of cases, one after the other, each in a temporary folder of its own."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sqlite3
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from rich.console import Console

from tests.bench.catalogue import GROUPS, Group
from tests.bench.databases import NoServer, all_thrown_away, described, keep_on_server
from tests.bench.figures import read_figures, show_head, show_table, write_figures
from tests.bench.measure import Case, Measured, Size, measure

_WIDE = 190


def run(
    group: str,
    runs: int,
    json_file: Path | None,
    compare: Path | None,
    floor: bool,
    database: str | None = None,
    matches: int | None = None,
    days: int | None = None,
) -> int:
    """Measure and print; 1 when something failed, or with `floor` when a case is under its floor.

    `database` is the address of a PostgreSQL on which each case has databases of its own; None stands for SQLite. `matches` is how
    many are due at noon, and `days` how long a soak lasts, where these are measured; None for as many as the group has.
    """
    out = Console()
    if not out.is_terminal:
        out = Console(width=_WIDE)  # in a file nothing need be squeezed
    if group not in GROUPS or runs < 1:
        out.print(f"I know the groups {', '.join(GROUPS)}, and at least one run.", highlight=False)
        return 1
    try:
        earlier = read_figures(compare) if compare else None
        versions = _versions(described(database) if database else "")
    except (OSError, msgspec.DecodeError) as problem:
        out.print(f"{compare} holds no figures of an earlier run: {problem}", highlight=False)
        return 1
    except NoServer as problem:
        out.print(str(problem), highlight=False)
        return 1
    load = os.getloadavg()[0]
    show_head(out, versions, load)
    chosen = GROUPS[group]
    size = chosen.size
    chosen = replace(chosen, size=replace(size, noon=matches or size.noon, days=days or size.days))
    taken = _taken(out, chosen, runs, database)
    show_table(out, taken, earlier, _database(versions))
    if json_file:
        write_figures(json_file, group, runs, versions, load, taken)
    return _exit_code(taken, floor)


def _taken(out: Console, chosen: Group, runs: int, database: str | None) -> list[Measured]:
    taken = []
    for case in chosen.cases:
        if database:
            case = replace(case, floor=None, goal=None)  # they were set for SQLite
        if why := _left_out(case, database):
            out.print(f"{case.key} {case.title}: left out, {why}", highlight=False)
            continue
        with out.status(f"{case.key} {case.title}"):
            taken.append(take(case, chosen.size, runs, database))
    return taken


def _left_out(case: Case, database: str | None) -> str:
    return "it is about the file of SQLite" if database and case.of_a_file else case.lacks()


def take(case: Case, size: Size, runs: int, database: str | None = None) -> Measured:
    """Measure one case in a temporary folder, its databases there or beside one on a server."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as name:
        folder = Path(name)
        if database:
            keep_on_server(folder, database)
        try:
            return measure(case, folder, size, runs)
        finally:
            all_thrown_away(folder)


def _exit_code(taken: list[Measured], floor: bool) -> int:
    faulty = any(measured.faults for measured in taken)
    under = any(measured.verdict == "UNDER FLOOR" for measured in taken)
    return int(faulty or (floor and under))


def _database(versions: Mapping[str, str]) -> str:
    return next(f"on {name} {versions[name]}" for name in ("PostgreSQL", "SQLite") if name in versions)


def _versions(postgresql: str) -> dict[str, str]:
    """What it is measured with; `postgresql` "" stands for SQLite."""
    packages = ("referee", "aiosmtpd", "SQLAlchemy", "jinja2", "lark", "msgspec")
    found = {name: importlib.metadata.version(name) for name in packages}
    database = {"PostgreSQL": postgresql} if postgresql else {"SQLite": sqlite3.sqlite_version}
    return {"Python": platform.python_version(), **database, **found}
