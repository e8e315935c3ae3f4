"""Milliseconds a turn of New World: the rules alone, and the whole of it by letter."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from referee.core.chance import Keyed, commitment
from referee.core.choices import Pick
from referee.core.position import Position, start
from referee.core.question import Source
from referee.core.record import Answered, Created
from referee.core.stage import Unsealed, resume
from referee.games.newworld.game import NewWorld
from referee.service.base.office import Office
from referee.service.intake.inbox import handle
from referee.service.match import history
from referee.service.match.playing import codec_of
from referee.service.turn import knowledge
from tests.bench.house import Writer, begun, house, house_copied, put, writers
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.sheets import letter

SECRET = hashlib.sha256(b"bench").digest()
"""The dice secret of matches that are played for measuring."""

_ORDERS = (
    "RESEARCH any",
    "BUY 1 cloth",
    "HIRE 1 worker KEEPING 3 food",
    "RAISE up to 1 armies",
    "COLONIZE any",
    "MOVE 1 army FROM Europe TO Canada",
    "ATTACK neutral IN Canada",
    "ROLL OUT",
)


def picker(game: int = 0) -> Pick:
    """Choices that are the same in every run, and others for every game."""
    numbers = itertools.count()

    def pick(below: int) -> int:
        drawn = hashlib.sha256(SECRET + f"{game or ''}{next(numbers)}".encode()).digest()
        return int.from_bytes(drawn, "big") % below

    return pick


@contextmanager
def turns_adjudicated(folder: Path, size: Size) -> Iterator[Pair]:
    """A match of four bots from the first letter on: each run plays the same turns again, through the stage."""
    game = NewWorld()
    codec = codec_of(game)
    options = {setting.name: setting.default for setting in game.settings}
    seats = game.seat_players(((),) * 4, options, Keyed(SECRET, 0))
    created = Created(game.name, seats, options, commitment(SECRET))

    def step(position: Position[Any], inputs: tuple[Answered, ...]) -> Any:
        return resume(game, codec, position, (), inputs, Unsealed(Keyed(SECRET, 0)), lambda _: False)

    def own() -> Sample:
        pick, turns, spent, cpu = picker(), 0, 0.0, 0.0
        outcome = step(start(game, created), ())
        while turns < size.turns and outcome.open:
            (question,) = outcome.open
            value = msgspec.Raw(question.menu.encode(question.menu.sample(pick)))
            answer = Answered(question.key, question.seat, value, Source.PLAYER)
            with timed() as watch:
                outcome = step(outcome.position, (answer,))
            turns, spent, cpu = turns + 1, spent + watch.seconds, cpu + watch.cpu
        return Sample(spent / turns * 1e3, cpu / turns * 1e6)

    yield Pair(own)


@contextmanager
def turns_by_letter(folder: Path, size: Size) -> Iterator[Pair]:
    """Four players and a game master: the letter with ROLL OUT is read, the turn is played, everybody is written to.

    Whoever is asked whether he is sure says the word again; the letter that plays the turn is the one that counts.
    """
    runs = itertools.count()

    def own() -> Sample:
        with house(folder / f"turns{next(runs)}.sqlite") as office:
            begun(office, 1)
            return _turns(office, size.turns, _ORDERS)

    yield Pair(own)


_QUIET = ("BUY 1 food", "ROLL OUT")
"""Nobody comes nearer to the end of the game."""

_YOUNG, _TIMES, _MOST = 4, 10, 20
"""An old match has gone on ten times as long as is measured; after 240 turns it is over."""


@contextmanager
def turns_of_an_old_match(folder: Path, size: Size) -> Iterator[Pair]:
    """Turns of a match with fifty of each player behind it, of which nothing is at hand, beside those of a young one."""
    young, old = folder / "young.sqlite", folder / "old.sqlite"
    count = min(size.turns, _MOST)
    for path, turns in ((young, _YOUNG), (old, _TIMES * count)):
        with house(path) as office:
            begun(office, 1)
            _turns(office, turns, _QUIET)

    def of(template: Path) -> Sample:
        with house_copied(template, folder) as office:
            cold = _turns(office, count, _QUIET, forgets=True)
        return replace(cold, value=1e3 / cold.value)

    yield Pair(partial(of, old), partial(of, young))


def _turns(office: Office, count: int, orders: tuple[str, ...], forgets: bool = False) -> Sample:
    """So many turns by letter: milliseconds each. `forgets`: nothing of what has happened is at hand."""
    spent = cpu = 0.0
    begin = _played(office)
    for turn in range(begin, begin + count):
        for number, said in ((turn, orders), (1000 + turn, ("ROLL OUT",))):
            row = put(office, f"turn:{number}", *_letter(writers(office, "m0")[0], number, said))
            if forgets:
                history._PASTS.clear()
                knowledge._LEFT.clear()
            with timed() as watch:
                handle(office, row)
            if _played(office) == turn + 1:
                spent, cpu = spent + watch.seconds, cpu + watch.cpu
                break
    played = _played(office) - begin
    return Sample(spent / count * 1e3, cpu / count * 1e6, abs(count - played), f"{played} turns played")


def _played(office: Office) -> int:
    with office.store.look() as step:
        match = step.match("m0")
    return match.turn - 1 if match else 0


def _letter(writer: Writer, turn: int, orders: tuple[str, ...]) -> tuple[Writer, bytes]:
    return writer, letter(writer, turn, orders)
