"""What many games show of each strategy, turn by turn: means, quartiles, shares; without the day on which they were played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import fmean, quantiles

import msgspec

from referee.games.empire.bots.strategies import STRATEGIES
from tests.balance.playing import Course, Mark, play


class Spread(msgspec.Struct, frozen=True):
    """A figure over all games: mean, lower quartile, median, upper quartile; to one decimal."""

    mean: float
    lower: float
    middle: float
    upper: float

    def words(self) -> str:
        """`14.1 (12 to 16)`: the mean, and the quartiles between which half of the games lie."""
        return f"{self.mean:.1f} ({self.lower:g} to {self.upper:g})"


class Line(msgspec.Struct, frozen=True):
    """A strategy after a turn. `collapses`: the share of countries at confidence 0 now, `collapsed`: now or earlier.

    `economy` and `losses`: what the budget, and arms, hunger and lost cities did to confidence in this turn, in the mean.
    """

    turn: int
    confidence: Spread
    collapses: float
    collapsed: float
    economy: float
    losses: float
    fund: Spread
    cities: Spread
    military: Spread
    coolies: Spread


class Summary(msgspec.Struct, frozen=True):
    """A strategy over all games: its turns, final points (H-36) and place, and the share of games it won, alone or tied."""

    strategy: str
    about: str
    turns: tuple[Line, ...]
    points: Spread
    place: Spread
    won: float
    refused: float
    """Orders refused in a game."""


class Figures(msgspec.Struct, frozen=True):
    """Everything that was counted, and what it was counted over."""

    games: int
    seed: int
    turns: int
    strategies: tuple[Summary, ...]


def summarised(games: Sequence[Sequence[Course]], seed: int, turns: int) -> Figures:
    """The figures of some games."""
    return Figures(
        len(games),
        seed,
        turns,
        tuple(
            _summary([course for game in games for course in game if course.strategy == plan.name], plan.about)
            for plan in STRATEGIES
        ),
    )


def _summary(courses: Sequence[Course], about: str) -> Summary:
    turns = sorted({mark.turn for course in courses for mark in course.marks})
    return Summary(
        courses[0].strategy,
        about,
        tuple(_line(courses, turn) for turn in turns),
        _spread(course.points for course in courses),
        _spread(course.place for course in courses),
        _share(course.place == 1 for course in courses),
        round(fmean(sum(mark.refused for mark in course.marks) for course in courses), 1),
    )


def _line(courses: Sequence[Course], turn: int) -> Line:
    marks = [mark for course in courses for mark in course.marks if mark.turn == turn]

    def over(figure: Callable[[Mark], int]) -> Spread:
        return _spread(map(figure, marks))

    before = [[mark.confidence for mark in course.marks if mark.turn <= turn] for course in courses]
    return Line(
        turn,
        over(lambda mark: mark.confidence),
        _share(mark.confidence == 0 for mark in marks),
        _share(0 in confidences for confidences in before),
        round(fmean(mark.economy for mark in marks), 2),
        round(fmean(mark.losses for mark in marks), 2),
        over(lambda mark: mark.fund),
        over(lambda mark: mark.cities),
        over(lambda mark: mark.military),
        over(lambda mark: mark.coolies),
    )


def _spread(numbers: Iterable[int]) -> Spread:
    values = list(numbers)
    lower, middle, upper = quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Spread(*(round(figure, 1) for figure in (fmean(values), lower, middle, upper)))


def _share(whether: Iterable[bool]) -> float:
    """A share in hundredths, to one decimal."""
    return round(100 * fmean(whether), 1)


# ---------------------------------------------------------------- many games, in several processes


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
