"""P4: order lines read and bound a second, next to a regular expression written by hand for the same lines.

Lines read before are remembered, so it is measured twice: with no line that was ever seen, though most differ from
an earlier one in their numbers alone, and as players write.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.orders import read
from referee.service.intake.commands.command import desk_words
from referee.service.match.playing import Playing, load
from referee.service.match.sheets import bind
from tests.bench.house import begun, house, writers
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.sheets import LINES_A_LETTER, new_order_lines, order_lines

_GOODS = r"\d+\ \w+(?:,\ \d+\ \w+)*"
_NAMES = r"[A-Z][\w\ ]*?"
_BY_HAND = re.compile(
    rf"""\s*(?:
    RESEARCH\ (?P<learn>[\w\ ]+?(?:,\ [\w\ ]+?)*)(?:\ KEEPING\ (?P<keep>{_GOODS}))?
    |(?P<buy>HIRE|BUILD|RAISE)\ (?P<count>\d+)\ (?P<unit>\w+)(?:\ KEEPING\ (?P<keeping>{_GOODS}))?
    |BUY\ (?P<goods>{_GOODS})
    |COLONIZE\ (?P<wishes>.+?)(?:\ YIELDING\ (?P<yield>{_GOODS}))?
    |MOVE\ (?P<armies>\d+)\ armies\ FROM\ (?P<origin>{_NAMES})\ TO\ (?P<target>{_NAMES})
    |ATTACK\ (?P<foe>{_NAMES})\ IN\ (?P<where>{_NAMES})\ FOR\ (?P<prize>[\w\ ]+?)
        \ WITH\ (?P<fleets>\d+)\ fleets(?:\ UNLESS\ (?P<unless>\w+))?
    |LOSE\ (?P<lost>.+)
    |ROB\ (?P<robbed>.+)
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)


@contextmanager
def new_lines(folder: Path, size: Size) -> Iterator[Pair]:
    """Letters of forty lines in which no line ever comes twice, in any run."""
    with _playing(folder) as (playing, seat, others):
        rounds = itertools.count()

        def sheets() -> list[list[str]]:
            begin = next(rounds) * size.lines
            return [
                new_order_lines(others, begin + number * LINES_A_LETTER)
                for number in range(size.lines // LINES_A_LETTER)
            ]

        yield Pair(lambda: _read(playing, seat, sheets()), lambda: _by_hand(sheets()))


@contextmanager
def usual_lines(folder: Path, size: Size) -> Iterator[Pair]:
    """Letters of forty lines as in the ingest case: no two letters are alike, but most lines were written before."""
    with _playing(folder) as (playing, seat, others):
        sheets = [order_lines(others, number) for number in range(size.lines // LINES_A_LETTER)]
        yield Pair(lambda: _read(playing, seat, sheets), lambda: _by_hand(sheets))


@contextmanager
def _playing(folder: Path) -> Iterator[tuple[Playing, str, tuple[str, ...]]]:
    """A match that has begun, the seat on turn, the others."""
    with house(folder / "parsing.sqlite") as office:
        begun(office, 1)
        writer = writers(office, "m0")[0]
        with office.look() as at:
            row = at.step.match("m0")
            assert row is not None  # begun just now
            yield load(at, row), writer.seat, writer.others


def _read(playing: Playing, seat: str, sheets: list[list[str]]) -> Sample:
    desk = desk_words((playing.row.game,), (playing.row.name,), tuple(playing.created.seats), True, False)
    with timed() as watch:
        stand = 0
        for lines in sheets:
            words = playing.game.vocabulary(playing.outcome.state)
            stand += len(bind(playing, seat, read("\n".join(lines), words, desk).sheet).sheet)
    total = sum(map(len, sheets))
    return watch.rate(total, total - stand, f"{stand} of {total} lines stand")


def _by_hand(sheets: list[list[str]]) -> Sample:
    with timed() as watch:
        found = [[_fields(line) for line in lines] for lines in sheets]
    total = sum(map(len, found))
    return watch.rate(total)


def _fields(line: str) -> dict[str, str]:
    match = _BY_HAND.fullmatch(line)
    if match is None:
        raise ValueError(f"the expression does not know {line!r}")
    return {name: value for name, value in match.groupdict().items() if value is not None}
