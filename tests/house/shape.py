"""Sizes of functions and modules: `python -m tests.house.shape`. A mirror, never a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.house.sources import ROOT, functions, modules, tree_of

__all__ = ["figures", "main"]

LONG_FUNCTION, LONG_MODULE = 40, 300


def figures(sizes: Sequence[int]) -> tuple[int, int, int]:
    """Median, ninetieth percentile and maximum; zeros of nothing."""
    if not sizes:
        return (0, 0, 0)
    ordered = sorted(sizes)
    return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)], ordered[-1]


def _functions(path: Path) -> list[tuple[int, str]]:
    """Length and place of every function of a file."""
    place = path.relative_to(ROOT)
    found = functions(tree_of(path))
    return [((f.end_lineno or f.lineno) - f.lineno + 1, f"{place}:{f.lineno} {f.name}") for f in found]


def _modules(paths: Sequence[Path]) -> list[tuple[int, str]]:
    return [(len(path.read_text(encoding="utf-8").splitlines()), str(path.relative_to(ROOT))) for path in paths]


def _shape(folder: str) -> list[str]:
    long_functions = [found for path in modules(folder) for found in _functions(path)]
    long_modules = _modules(modules(folder))
    lines = []
    for what, found, limit in (("functions", long_functions, LONG_FUNCTION), ("modules", long_modules, LONG_MODULE)):
        median, ninetieth, most = figures([size for size, _ in found])
        lines.append(f"{folder}: {len(found)} {what}, lines median {median}, p90 {ninetieth}, max {most}")
        lines += [f"  {size:4} lines  {place}" for size, place in sorted(found, reverse=True) if size > limit]
    return lines


def main() -> None:
    """Print the shape of the package and of its tests."""
    for folder in ("referee", "tests"):
        print("\n".join(_shape(folder)))


if __name__ == "__main__":
    main()
