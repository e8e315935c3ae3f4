"""Where everybody stands: at the start and the end a table, in between what changed for whom, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.page import Block, Bullets, Cell, Grid, Paragraph
from referee.kit.wording import in_a_row

Figures = Mapping[str, Mapping[str, int]]
"""Of every player, by name, his figures by the headings of their columns; the first is his score."""


def standing(
    tables: Sequence[Sequence[str]], was: Figures, now: Figures, whole: bool, caption: str = ""
) -> Iterator[Block]:
    """A line for each for whom something changed and the names of the others; of all `whole` tables."""
    if whole:
        yield from (Grid(("", *columns), tuple(_rows(columns, now)), caption) for columns in tables)
        return
    columns = [column for table in tables for column in table]
    moved = [name for name in now if now[name] != was[name]]
    if moved:
        yield Bullets(tuple(f"{name}: {_news(columns, was[name], now[name])}." for name in moved))
    still = [name for name in now if name not in moved]
    if still:
        yield Paragraph(f"As before: {in_a_row(still)}.")


def _rows(columns: Sequence[str], now: Figures) -> Iterator[tuple[Cell, ...]]:
    for name, figures in now.items():
        yield (name, *(figures[column] for column in columns))


def _news(columns: Sequence[str], was: Mapping[str, int], now: Mapping[str, int]) -> str:
    """`VP 106 (-14), regions 7 (-1)`: the score, and what else is not as it was."""
    told = [column for column in columns if column == columns[0] or now[column] != was[column]]
    return ", ".join(f"{_word(column)} {_figure(was[column], now[column])}" for column in told)


def _word(column: str) -> str:
    return column if column.isupper() else column.lower()


def _figure(was: int, now: int) -> str:
    return f"{now} ({now - was:+d})" if now != was else str(now)
