"""Figures as they are written to a file and read again, to hold one run against another, and as a table shows them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.bench.measure import Case, Measured, Sample


class Figure(msgspec.Struct, frozen=True):
    """One case: all samples of it and of its baseline, and what is judged (a ratio where there is a baseline)."""

    key: str
    title: str
    unit: str
    own: tuple[float, ...]
    base: tuple[float, ...]
    judged: float
    verdict: str
    noisy: bool
    cpu_us: float
    notes: tuple[str, ...]


class Figures(msgspec.Struct, frozen=True):
    """One run of the benchmark."""

    group: str
    runs: int
    versions: dict[str, str]
    load: float
    figures: tuple[Figure, ...]


def figure(measured: Measured) -> Figure:
    """What is kept of a measured case."""
    case = measured.case
    return Figure(
        case.key,
        case.title,
        case.unit,
        tuple(sample.value for sample in measured.own),
        tuple(sample.value for sample in measured.base),
        measured.judged,
        measured.verdict,
        measured.noisy,
        min(sample.cpu_us for sample in measured.own),
        tuple(sample.note for sample in measured.own if sample.note),
    )


def write_figures(
    path: Path, group: str, runs: int, versions: dict[str, str], load: float, all: Iterable[Measured]
) -> None:
    """Write a run to a file as JSON."""
    kept = Figures(group, runs, versions, load, tuple(map(figure, all)))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept)))


def read_figures(path: Path) -> Figures:
    """A run from a file. Raises OSError, msgspec.DecodeError."""
    return msgspec.json.decode(path.read_bytes(), type=Figures)


# ---------------------------------------------------------------- the table that is printed


_BUSY = 1.5
_COLOURS = {"goal": "green", "ok": "green", "UNDER FLOOR": "bold red", "FAULTY": "bold red"}


def show_head(out: Console, versions: Mapping[str, str], load: float) -> None:
    """What the figures were measured with."""
    out.print(", ".join(f"{name} {version}" for name, version in versions.items()), highlight=False)
    warning = " [bold yellow](above 1.5: other work disturbs the figures)[/]" if load > _BUSY else ""
    out.print(f"load average {load:.2f}{warning}", highlight=False)


def show_table(out: Console, all: Sequence[Measured], earlier: Figures | None, title: str) -> None:
    """A line a case, then what was counted."""
    before = {figure.key: figure.judged for figure in earlier.figures} if earlier else {}
    headings = [
        "case",
        "unit",
        "min/median/max",
        "baseline",
        "min/median/max",
        "ratio",
        "floor",
        "goal",
        "verdict",
        "CPU us",
    ]
    table = Table(*headings, *(["before"] if earlier else []), box=None, header_style="bold", title=escape(title))
    for measured in all:
        table.add_row(*_cells(measured), *([_number(before.get(measured.case.key))] if earlier else []))
    out.print(table, highlight=False)
    for measured in all:
        for note in dict.fromkeys(sample.note for sample in measured.own if sample.note):
            out.print(f"{measured.case.key}: {escape(note)}", highlight=False)


def _cells(measured: Measured) -> tuple[str, ...]:
    case = measured.case
    verdict = measured.verdict + (", noisy" if measured.noisy else "")
    colour = _COLOURS.get(measured.verdict, "")
    return (
        f"{case.key} {case.title}",
        case.unit,
        _spread(measured.own),
        case.baseline or "-",
        _spread(measured.base) if measured.base else "-",
        _number(measured.judged) if measured.base else "-",
        _mark(case, case.floor),
        _mark(case, case.goal),
        f"[{colour}]{verdict}[/]" if colour else verdict,
        _number(min(sample.cpu_us for sample in measured.own)) if measured.own[0].cpu_us else "-",
    )


def _mark(case: Case, limit: float | None) -> str:
    return "-" if limit is None else f"{'at most ' if not case.baseline else ''}{limit:g}"


def _spread(samples: Sequence[Sample]) -> str:
    values = [sample.value for sample in samples]
    return "/".join(_number(value) for value in (min(values), statistics.median(values), max(values)))


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
