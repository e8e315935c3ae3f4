"""What reports of all games share: where everybody stands, and each rule cited where it is first applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
        yield Paragraph(f"As before: {in_a_row(still)}." if moved else "As before.")


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


_CITED = re.compile(r" \[([^\[\]]+)\]$")


def cited_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks; of the lines of lists that end with a rule, only the first with each rule names it."""
    seen = set[str]()
    for block in blocks:
        yield Bullets(tuple(_once(item, seen) for item in block.items)) if isinstance(block, Bullets) else block


def _once(item: str, seen: set[str]) -> str:
    found = _CITED.search(item)
    if found is None:
        return item
    again = found[1] in seen
    seen.add(found[1])
    return item[: found.start()] if again else item
