"""What tells how a match ends: the weights of a game's strong player, by ridge regression on matches of steady players.

`python -m tests.fit newworld 300` prints the TERMS of its `strong_player` module as they come out, and how much of the spread
they tell. A row is a seat when a phase ends: its figures less the mean of the others', once as they are and once times the
share of the match still to come; the target is its final lead on their mean. One sheet in two is a challenger's, so that more
than one way is seen.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from statistics import fmean
from typing import Any

from referee.core.chance import Keyed
from referee.games import BY_NAME
from referee.kit.bare_stage import Bare
from referee.kit.opponents import answer_of
from tests.ladder import created

Row = tuple[list[float], float]


def rows_of(game: Any, told: Any, options: dict[str, str], deal: int) -> Iterator[Row]:
    """The rows of a match."""
    stage, pick = (
        Bare(game, created(game, options, 4, deal), Keyed(f"fit {deal}".encode())),
        random.Random(deal).randrange,
    )
    seen, over = list[tuple[Any, list[float]]](), 0
    while stage.open:
        question = stage.open[0]
        sheet = answer_of("steady", game, stage.state, question, pick)
        if question.wants_orders and pick(2):
            drawn = game.challenger(stage.state, question.seat, sheet, pick)
            sheet = tuple([order for order in drawn if question.takes(order)])
        stage.answer(question, sheet)
        if len(stage.ended) > over and stage.phase is not None and told.begun(stage.state):
            over = len(stage.ended)
            figures = {seat: told.measured(stage.state, seat) for seat in game.living(stage.state)}
            share = told.left(stage.state) / 1000
            for seat in {question.seat, stage.open[0].seat} & set(figures) if len(figures) > 1 else ():
                others = zip(*[row for other, row in figures.items() if other != seat], strict=True)
                lead = [own - fmean(theirs) for own, theirs in zip(figures[seat], others, strict=True)]
                seen.append((seat, [*lead, *(share * x for x in lead)]))
    score = {standing.seat: standing.score for standing in game.score(stage.state).standings}
    for seat, row in seen:
        yield row, score[seat] - fmean(points for other, points in score.items() if other != seat)


def ridge(rows: Sequence[Row], penalty: float) -> list[float]:
    """The weights, by the normal equations; each figure is scaled to its spread for the penalty."""
    wide = len(rows[0][0])
    scale = [max(1e-9, fmean(row[at] ** 2 for row, _ in rows) ** 0.5) for at in range(wide)]
    matrix = [[0.0] * wide + [0.0] for _ in range(wide)]
    for row, target in rows:
        z = [x / s for x, s in zip(row, scale, strict=True)] + [target]
        for one, line in zip(z, matrix, strict=False):
            if one:
                line[:] = [a + one * b for a, b in zip(line, z, strict=True)]
    for at in range(wide):
        matrix[at][at] += penalty * len(rows)
    for at in range(wide):  # the matrix is positive definite: no pivot is 0
        matrix[at] = [x / matrix[at][at] for x in matrix[at]]
        for other in range(wide):
            if other != at and (factor := matrix[other][at]):
                matrix[other] = [a - factor * b for a, b in zip(matrix[other], matrix[at], strict=True)]
    return [line[wide] / s for line, s in zip(matrix, scale, strict=True)]


def told_by(weights: Sequence[float], rows: Sequence[Row]) -> float:
    """How much of the spread the weights tell."""
    mean = fmean(target for _, target in rows)
    missed = sum((target - sum(w * x for w, x in zip(weights, row, strict=True))) ** 2 for row, target in rows)
    return 1 - missed / sum((target - mean) ** 2 for _, target in rows)


def main(name: str, matches: int, *chosen: str) -> None:
    """Print the terms."""
    game = BY_NAME[name]
    told: Any = import_module(f"{type(game).__module__.rpartition('.')[0]}.strong_player")
    options = dict(option.split("=") for option in chosen)
    each = [list(rows_of(game, told, options, 9000 + deal)) for deal in range(matches)]
    seen = [row for number, rows in enumerate(each) for row in rows if number % 4]
    rest = [row for number, rows in enumerate(each) for row in rows if not number % 4]
    found = ridge(seen, 0.003)
    print(f"# {matches} matches; {told_by(found, seen):.2f} of the spread, {told_by(found, rest):.2f} unseen")
    for at, term in enumerate(told.TERMS):
        late, early = found[at], found[len(told.TERMS) + at]
        print(f'    "{term}": ({100 * late:.0f}, {100 * early:.0f}),')


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
