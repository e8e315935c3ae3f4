"""Whether one opponent is better than another: whole matches on the bare stage, each deal from every seat, with the same dice."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import sqrt
from statistics import fmean, stdev
from typing import Any, get_args

import msgspec

from referee.core.chance import Keyed, commitment
from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.page import Tally
from referee.core.position import completed
from referee.core.record import Created
from referee.games import BY_NAME
from referee.kit.bare_stage import Bare
from referee.kit.opponents import Race, Strength, answer_of, rigour_of

_MOST = 20_000
"""More answers than any match takes: so many, and bots go round in a circle."""


class Played(msgspec.Struct, frozen=True):
    """A match of a ladder: its end, processor seconds and answers of each seat."""

    tally: Tally
    seconds: Mapping[Seat, float]
    answers: Mapping[Seat, int]

    def share(self, seat: Seat) -> float:
        """1 for who is first alone, a part of it for who shares the first place, else 0."""
        first = [standing.seat for standing in self.tally.standings if standing.rank == 1]
        return 1 / len(first) if seat in first else 0.0

    def margin(self, seat: Seat) -> float:
        """What a seat has more than the others have in the mean."""
        score = {standing.seat: standing.score for standing in self.tally.standings}
        return score[seat] - fmean(points for other, points in score.items() if other != seat)


class Pair(msgspec.Struct, frozen=True):
    """A match of one among others, and the same seat and dice with one of the others in its place."""

    place: int
    """The seat of the one, from 0 in the order of play."""
    seat: Seat
    one: Played
    without: Played


def match_played(game: AnyGame, options: Mapping[str, str], strengths: Sequence[str], deal: int) -> Played:
    """A whole match of opponents of these strengths, in the order of their seats. Raises RuntimeError where it does not end."""
    begins = created(game, options, len(strengths), deal)
    stage, seats = Bare(game, begins, Keyed(_secret(deal)), lambda _: True), begins.seats
    player, pick = dict(zip(seats, strengths, strict=True)), random.Random(deal).randrange
    seconds, answers = dict.fromkeys(seats, 0.0), dict.fromkeys(seats, 0)
    while stage.open:
        question = stage.open[0]
        seat, begun = question.seat, time.process_time()
        answer = (
            Race(game, stage.seen(seat), question, random.Random(f"{deal} {question.key}").randrange, rigour).best()
            if (rigour := rigour_of(game, player[seat]))
            else answer_of(player[seat], game, seen_by(stage, seat), question, pick)
        )
        seconds[seat] += time.process_time() - begun
        answers[seat] += 1
        stage.answer(question, answer)
        if sum(answers.values()) > _MOST:
            raise RuntimeError(f"deal {deal} of {game.name} does not end")
    return Played(game.score(stage.state), seconds, answers)


def created(game: AnyGame, options: Mapping[str, str], seats: int, deal: int) -> Created:
    """How a match of a ladder begins."""
    chosen = _whole(game, options)
    sides = game.seat_players(((),) * seats, chosen, Keyed(_secret(deal)))
    return completed(game, Created(game.name, sides, chosen, commitment(_secret(deal))))


def _secret(deal: int) -> bytes:
    return f"deal {deal}".encode()


def _whole(game: AnyGame, options: Mapping[str, str]) -> dict[str, str]:
    return {setting.name: setting.default for setting in game.settings} | dict(options)


def seen_by(stage: Bare[Any], seat: Seat) -> Any:
    """The position as a seat sees it in the middle of a phase."""
    seen = stage.seen(seat)
    return reduce(stage.game.evolve, seen.heard, seen.before)


def climbed(
    game: AnyGame, options: Mapping[str, str], one: str, others: str, seats: int, deals: Iterable[int]
) -> Iterator[Pair]:
    """Each deal from every seat: one among others, and beside it the others alone."""
    for deal in deals:
        without = match_played(game, options, (others,) * seats, deal)
        for place in range(seats):
            strengths = tuple(one if at == place else others for at in range(seats))
            with_one = match_played(game, options, strengths, deal)
            yield Pair(place, tuple(with_one.seconds)[place], with_one, without)


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, won / games
    scale, half = 1 + z * z / games, z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    middle = share + z * z / (2 * games)
    return (middle - half) / scale, (middle + half) / scale


class Rung(msgspec.Struct, frozen=True):
    """How one stands to others: shares of first places (0 to 1), the paired margin in points, milliseconds of an answer."""

    matches: int
    firsts: float
    interval: tuple[float, float]
    margin: float
    standard_error: float
    milliseconds: float
    by_seat: tuple[float, ...]

    def sentences(self) -> tuple[str, ...]:
        """The figures, a line each."""
        low, high = self.interval
        seats = ", ".join(f"{100 * share:.0f}" for share in self.by_seat)
        return (
            f"First in {100 * self.firsts:.0f} % of {self.matches} matches (95 %: {100 * low:.0f} to {100 * high:.0f}).",
            f"By seat: {seats} %.",
            f"Paired margin {self.margin:+.1f}, standard error {self.standard_error:.1f}.",
            f"{self.milliseconds:.2f} ms an answer.",
        )


def summed_up(pairs: Sequence[Pair]) -> Rung:
    """The figures of a ladder's matches."""
    shares = [(pair.place, pair.one.share(pair.seat)) for pair in pairs]
    leads = [pair.one.margin(pair.seat) - pair.without.margin(pair.seat) for pair in pairs]
    firsts = fmean(share for _, share in shares)
    spent = sum(pair.one.seconds[pair.seat] for pair in pairs) / max(1, sum(p.one.answers[p.seat] for p in pairs))
    return Rung(
        matches=len(pairs),
        firsts=firsts,
        interval=wilson(firsts * len(pairs), len(pairs)),
        margin=fmean(leads),
        standard_error=stdev(leads) / sqrt(len(pairs)) if len(pairs) > 1 else 0.0,
        milliseconds=1000 * spent,
        by_seat=tuple(
            fmean(share for at, share in shares if at == place) for place in sorted({at for at, _ in shares})
        ),
    )


def measured(game: str, one: str, others: str, games: int, seats: int, seed: int, chosen: Sequence[str]) -> Rung | str:
    """The figures of so many matches, from a first deal on; or why there are none, in a sentence."""
    if game not in BY_NAME:
        return f"{game} is no game here; the games are {', '.join(BY_NAME)}."
    if strange := sorted({one, others} - {*get_args(Strength)}):
        return f"{strange[0]} is no strength of an opponent; they are {', '.join(get_args(Strength))}."
    options = {name: value for name, _, value in (option.partition("=") for option in chosen)}
    if refused := BY_NAME[game].refuse_options(_whole(BY_NAME[game], options), seats):
        return refused
    deals = range(seed, seed + -(-games // seats))
    return summed_up(list(climbed(BY_NAME[game], options, one, others, seats, deals))[:games])
