"""A program in another language plays whole matches by letter, and knows nothing but docs/table-format.md."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.service.conftest import ANNA, BEN, GINA
from tests.service.test_table_file import of_file
from tests.verify.node import node
from tests.world import Mail, World

PLAYER = Path(__file__).with_name("player.mjs")
MOST_LETTERS = 4_000


class Stranger:
    """The program: it is given a table file and gives a letter."""

    def __init__(self, talk: subprocess.Popen[str]) -> None:
        self._talk = talk

    def letter(self, table: dict[str, Any]) -> dict[str, str]:
        assert self._talk.stdin and self._talk.stdout
        self._talk.stdin.write(json.dumps(table) + "\n")
        self._talk.stdin.flush()
        written: dict[str, str] = json.loads(self._talk.stdout.readline())
        return written


@contextmanager
def stranger() -> Iterator[Stranger]:
    with subprocess.Popen([node(), str(PLAYER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as talk:
        try:
            yield Stranger(talk)
        finally:
            assert talk.stdin
            talk.stdin.close()


def begun(world: World, game: str, options: str) -> dict[str, str]:
    """A match of two, and where each of them writes to."""
    world.write(GINA, f"CREATE {game} AS m1 {options}")
    for player in (ANNA, BEN):
        world.write(player, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    return {world.seat(player, "m1"): player for player in (ANNA, BEN)}


def answer_to(mails: list[Mail], who: str) -> Mail:
    """What he is answered: with the receipt a report or a question may have come in one letter."""
    return next(mail for mail in mails if mail.to == who and mail.answers)


def play(world: World, players: dict[str, str], most: int) -> Counter[str]:
    """Play until the match is over or so many letters were written; how the letters were taken."""
    taken = Counter[str]()
    with stranger() as program:
        while (open := world.playing("m1").outcome.open) and taken.total() < most:
            who = players[open[0].seat]
            receipt = answer_to(world.write(who, "SEND table", world.last(who).reply_to), who)
            _, table = of_file(receipt)
            letter = program.letter(table)
            answer = answer_to(world.write(who, letter["text"], letter["to"], letter["subject"]), who)
            verdict = answer.subject.partition("] ")[2].partition(":")[0]
            taken["refused" if verdict in ("INCOMPLETE", "NOTHING USABLE", "NOT DONE") else "taken"] += 1
    return taken


GAMES = [
    pytest.param("newworld", "", 40, id="newworld"),
    pytest.param("newworld", "", MOST_LETTERS, id="newworld-whole", marks=pytest.mark.slow),
    pytest.param("empire", "WITH last_turn 6", MOST_LETTERS, id="empire", marks=pytest.mark.slow),
    pytest.param("war27", "", 300, id="war27", marks=pytest.mark.slow),
    pytest.param("war17", "", 300, id="war17", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("game", "options", "most"), GAMES)
def test_whoever_reads_table_files_can_play(world: World, game: str, options: str, most: int) -> None:
    taken = play(world, begun(world, game, options), most)
    assert world.playing("m1").outcome.over or taken.total() == most
    assert taken["refused"] * 100 <= taken.total(), taken
