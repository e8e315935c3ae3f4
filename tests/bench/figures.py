"""Figures as they are written to a file and read again, to hold one run against another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.bench.measure import Measured


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
