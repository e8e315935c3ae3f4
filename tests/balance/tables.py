"""The figures of a simulation in words: tables for the screen and for docs/balance-empire.md, of the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from tests.balance.figures import Figures, Summary

HEADINGS = (
    "turn",
    "confidence",
    "by economy",
    "by losses",
    "collapsed now, %",
    "so far, %",
    "popular fund",
    "cities",
    "military",
    "coolies",
)
"""What stands over the columns of `rows`."""

RANKING = ("strategy", "points", "place", "won, %", "confidence at the end", "collapsed, %", "orders refused a game")
"""What stands over the columns of `ranking`."""


def rows(summary: Summary) -> list[tuple[str, ...]]:
    """A strategy turn by turn: means, with the quartiles in brackets."""
    return [
        (
            str(line.turn),
            line.confidence.words(),
            f"{line.economy:+.2f}",
            f"{line.losses:+.2f}",
            f"{line.collapses:.1f}",
            f"{line.collapsed:.1f}",
            line.fund.words(),
            line.cities.words(),
            line.military.words(),
            line.coolies.words(),
        )
        for line in summary.turns
    ]


def ranking(figures: Figures) -> list[tuple[str, ...]]:
    """All strategies at the end, by mean points (H-36)."""
    best = sorted(figures.strategies, key=lambda summary: -summary.points.mean)
    return [
        (
            summary.strategy,
            summary.points.words(),
            f"{summary.place.mean:.1f}",
            f"{summary.won:.1f}",
            summary.turns[-1].confidence.words(),
            f"{summary.turns[-1].collapsed:.1f}",
            f"{summary.refused:.1f}",
        )
        for summary in best
    ]


def markdown(figures: Figures) -> str:
    """The tables as they stand in the guide."""
    parts = [_table(RANKING, ranking(figures))]
    for summary in figures.strategies:
        parts += [f"### {summary.strategy.capitalize()}", summary.about, _table(HEADINGS, rows(summary))]
    return "\n\n".join(parts) + "\n"


def _table(headings: Sequence[str], lines: Sequence[tuple[str, ...]]) -> str:
    ruled = ["---", *("---:" for _ in headings[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, ruled, *lines))
