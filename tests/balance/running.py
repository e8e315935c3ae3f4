"""Many games, in several processes where there are several processors; the same figures whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tests.balance.figures import Figures, summarised
from tests.balance.playing import Course, play


def run(
    games: int,
    seed: int,
    turns: int,
    jobs: int = 1,
    options: Mapping[str, str] | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Figures:
    """Play so many games of a seed and sum them up; `done` hears after each game how many there are."""
    one = partial(_game, seed, turns, dict(options or {}))
    played: list[tuple[Course, ...]] = []
    if jobs == 1:
        for number in range(games):
            played.append(one(number))
            done(len(played))
    else:
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            for courses in pool.map(one, range(games), chunksize=4):
                played.append(courses)
                done(len(played))
    return summarised(played, seed, turns)


def _game(seed: int, turns: int, options: dict[str, str], number: int) -> tuple[Course, ...]:
    return play(seed, number, turns, options)
