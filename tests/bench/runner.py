"""One run of the benchmark: a group of cases, one after the other, each in a temporary folder of its own."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sqlite3
import tempfile
from pathlib import Path

import msgspec
from rich.console import Console

from tests.bench.catalogue import GROUPS
from tests.bench.figures import Figures, read_figures, write_figures
from tests.bench.measure import Case, Measured, Size, measure
from tests.bench.show import show_head, show_table

_WIDE = 190


def run(group: str, runs: int, json_file: Path | None, compare: Path | None, floor: bool) -> int:
    """Measure and print; 1 when something failed, or with `floor` when a case is under its floor."""
    out = Console()
    if not out.is_terminal:
        out = Console(width=_WIDE)  # in a file nothing need be squeezed
    if group not in GROUPS or runs < 1:
        out.print(f"I know the groups {', '.join(GROUPS)}, and at least one run.", highlight=False)
        return 1
    try:
        earlier = read_figures(compare) if compare else None
    except (OSError, msgspec.DecodeError) as problem:
        out.print(f"{compare} holds no figures of an earlier run: {problem}", highlight=False)
        return 1
    return _measured(out, group, runs, json_file, earlier, floor)


def _measured(out: Console, group: str, runs: int, json_file: Path | None, earlier: Figures | None, floor: bool) -> int:
    versions, load = _versions(), os.getloadavg()[0]
    show_head(out, versions, load)
    chosen = GROUPS[group]
    taken = []
    for case in chosen.cases:
        if why := case.lacks():
            out.print(f"{case.key} {case.title}: left out, {why}", highlight=False)
            continue
        with out.status(f"{case.key} {case.title}"):
            taken.append(take(case, chosen.size, runs))
    show_table(out, taken, earlier)
    if json_file:
        write_figures(json_file, group, runs, versions, load, taken)
    return _exit_code(taken, floor)


def take(case: Case, size: Size, runs: int) -> Measured:
    """Measure one case in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
        return measure(case, Path(folder), size, runs)


def _exit_code(taken: list[Measured], floor: bool) -> int:
    faulty = any(measured.faults for measured in taken)
    under = any(measured.verdict == "UNDER FLOOR" for measured in taken)
    return int(faulty or (floor and under))


def _versions() -> dict[str, str]:
    packages = ("referee", "aiosmtpd", "SQLAlchemy", "jinja2", "lark", "msgspec")
    found = {name: importlib.metadata.version(name) for name in packages}
    return {"Python": platform.python_version(), "SQLite": sqlite3.sqlite_version, **found}
