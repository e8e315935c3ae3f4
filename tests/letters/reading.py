"""What the referee makes of a letter: the same steps as his inbox and his desk, without a match."""

from __future__ import annotations

from functools import cache

import msgspec

from referee.core.order import Vocabulary
from referee.core.position import start
from referee.games import GAMES
from referee.mail import Letter, Stripped, read, strip
from referee.orders import Branch, Node, Reading
from referee.orders import read as read_orders
from referee.service.intake.commands.command import desk_words
from referee.service.intake.mangled_lines import undone
from referee.service.intake.plain_words import remarks_aside
from referee.service.match.sheets import text_to_read
from tests.match import create, secret_of


class Said(msgspec.Struct, frozen=True):
    """A letter, which of its lines are its writer's, and what came of them."""

    letter: Letter
    stripped: Stripped
    reading: Reading
    orders: tuple[str, ...]
    desk: tuple[str, ...]
    refused: tuple[str, ...]
    ignored: tuple[str, ...]
    numbers: frozenset[int]


@cache
def words() -> tuple[Vocabulary, Vocabulary]:
    """The words of a match of New World at its start, and those of the desk for a player."""
    game = next(game for game in GAMES if game.name == "newworld")
    created = create(game, 4, {}, secret_of("letters"))
    desk = desk_words([game.name], ["nw1"], created.seats, player=True, game_master=False)
    return game.vocabulary(start(game, created).state), desk


def said(raw: bytes) -> Said:
    """Read a letter as if it were a player's. `numbers` are the lines it is known what came of."""
    letter = read(raw)
    stripped = strip(letter.text)
    game, desk = words()
    found = undone(text_to_read(stripped), letter.otherwise, _reads, lambda: (desk, game))
    reading = found.reading
    mistakes, remarks = remarks_aside(reading.mistakes, reading)
    unread = [(line.number, line.text) for line in stripped.ignored]
    unread += [(line.number, line.text) for line in reading.ignored]
    unread += [(line.number, line.text) for line in remarks]
    ignored = sorted((number, line) for number, line in unread if line.strip())
    told = [(sentence.line, sentence.text) for sentence in reading.desk]
    sheet = lines_of(reading.sheet)
    refused = [(mistake.line, mistake.source) for mistake in mistakes]
    return Said(
        letter=letter,
        stripped=stripped,
        reading=reading,
        orders=_texts(sheet),
        desk=_texts(told),
        refused=_texts(refused),
        ignored=_texts(ignored),
        numbers=frozenset(number for number, _ in (*sheet, *told, *refused, *ignored)),
    )


def _reads(text: str) -> Reading:
    return read_orders(text, *words())


def _texts(lines: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(text for _, text in lines)


def lines_of(nodes: tuple[Node, ...]) -> list[tuple[int, str]]:
    """Line and canonical text of every order in some nodes."""
    found: list[tuple[int, str]] = []
    for node in nodes:
        if isinstance(node, Branch):
            found += [(node.line, node.text), *lines_of(node.then), *lines_of(node.otherwise)]
        else:
            found.append((node.line, node.text))
    return found
