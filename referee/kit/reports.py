"""The common parts of all games' reports, and the log of a match as rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.page import Block, Bullets, Cell, Grid, Paragraph, Sheet
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


# ---------------------------------------------------------------- the log of a match as rows
# Every event, every die and every draw, each with the phase it fell in.


def by_phase(history: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    """Every event that is not a phase's beginning or end, with the key of its phase."""
    phase = ""
    for event in history:
        if isinstance(event, PhaseBegan):
            phase = event.key
        elif not isinstance(event, PhaseEnded):
            yield phase, event


def events_sheet(history: Sequence[Event], phase: str) -> Sheet:
    """The sheet `events`: what each event says, if it says anything; `phase` is the game's word for one."""
    rows = tuple((key, told, event.cites()) for key, event in by_phase(history) if (told := event.sentence()))
    return Sheet("events", "Everything that happened", (Grid((phase, "What happened", "Rule"), rows),))


def chance_sheet(history: Sequence[Event], phase: str, drawn: str) -> Sheet:
    """The sheet `dice`: every throw and draw with its purpose; `drawn` is the game's word for what draws come from."""
    rows = tuple(row for key, event in by_phase(history) if (row := _chance(key, event)))
    columns = (phase, "Purpose", "Rule", f"Dice or {drawn}", "Result")
    return Sheet("dice", "Every die and every draw", (Grid(columns, rows),))


def _chance(phase: str, event: Event) -> tuple[Cell, ...]:
    match event:
        case Rolled():
            faces = " ".join(map(str, event.faces))
            return (phase, event.why, event.by_rule, f"{len(event.faces)}d{event.sides}", faces)
        case Drawn():
            return (phase, event.why, event.by_rule, event.bag, ", ".join(event.items))
        case _:
            return ()
