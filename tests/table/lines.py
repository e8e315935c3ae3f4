"""Lines as people write them: lawful ones, and the same with slips of the pen, wrong numbers and words in the wrong place."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from referee.games import game_named
from referee.page_engine.opened_table import Table


def known_lines(table: dict[str, Any], opened: Table) -> list[str]:
    """Lines that can be sent as they stand, and an example of every word of the game."""
    offered = [line for order in table["choices"]["orders"] for line in order["lines"]]
    words = game_named(table["game"]).vocabulary(opened.playing.outcome.state)
    return [line for line in dict.fromkeys((*offered, *(verb.example for verb in words.verbs))) if "\n" not in line]


def slips(lines: list[str], seed: int) -> Iterator[str]:
    """One line after another, most of them spoilt a little."""
    chance = random.Random(seed)
    while True:
        line = chance.choice(lines)
        for _ in range(chance.choice((0, 1, 1, 2))):
            line = chance.choice(_SLIPS)(line, chance)
        if line.strip():
            yield line


def _transposed(line: str, chance: random.Random) -> str:
    at = chance.randrange(max(1, len(line) - 1))
    return line[:at] + line[at + 1 : at + 2] + line[at : at + 1] + line[at + 2 :]


def _without(line: str, chance: random.Random) -> str:
    at = chance.randrange(len(line) or 1)
    return line[:at] + line[at + 1 :]


def _another_letter(line: str, chance: random.Random) -> str:
    at = chance.randrange(len(line) or 1)
    return line[:at] + chance.choice("aeiorstnl") + line[at + 1 :]


def _another_number(line: str, chance: random.Random) -> str:
    return re.sub(r"\d+", lambda _: str(chance.choice((0, 1, 2, 7, 99))), line)


def _another_order(line: str, chance: random.Random) -> str:
    words = line.split()
    chance.shuffle(words)
    return " ".join(words)


_SLIPS = (_transposed, _without, _another_letter, _another_number, _another_order)
