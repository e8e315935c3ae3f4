"""The bare stage beside the stage of the log: the same answers of the same bots in each game, to the same position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from referee.core.chance import Keyed
from referee.core.game import AnyGame
from referee.core.position import start
from referee.core.question import Question
from referee.kit.bare_stage import Bare
from tests.bench.botplay import BotTable, created
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.turns import SECRET, picker

_PLAYERS = 4


def answers(game: AnyGame) -> Callable[[Path, Size], AbstractContextManager[Pair]]:
    """Answers a second of the processor, twice as many as turns are played elsewhere; without what bots take to find them."""

    @contextmanager
    def prepared(folder: Path, size: Size) -> Iterator[Pair]:
        first, number = created(game, _PLAYERS), 2 * size.turns
        reached: list[Any] = []

        def base() -> Sample:
            table = BotTable(game, start(game, first))
            sample = _answered(lambda: table.outcome.open, table.answer, number)
            reached.append(table.outcome.state)
            return sample

        def own() -> Sample:
            bare = Bare(game, first, Keyed(SECRET, 0))
            sample = _answered(lambda: bare.open, bare.answer, number)
            return Sample(sample.value, sample.cpu_us, int(bare.state != reached[-1]), f"{len(bare.ended)} phases")

        yield Pair(own, base)

    return prepared


def _answered(
    asked: Callable[[], Sequence[Question[Any]]], answer: Callable[[Question[Any], Any], None], most: int
) -> Sample:
    pick, cpu, number = picker(), 0.0, 0
    while number < most and (question := next(iter(asked()), None)) is not None:
        value = question.menu.sample(pick)
        with timed() as watch:
            answer(question, value)
        cpu, number = cpu + watch.cpu, number + 1
    return Sample(number / cpu, cpu / number * 1e6)
