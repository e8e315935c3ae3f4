"""Letters as players write them: forty lines of New World orders, and the letter round them."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import format_datetime

from referee.service.base.office import Office
from tests.bench.house import START, Writer, writers
from tests.bench.mail_load import Parcel
from tests.bench.measure import Size

LINES_A_LETTER = 40

_REGIONS = ("Europe", "Caribbean", "South America", "Central America", "North America", "Canada")
_GOODS = ("food", "cloth", "wood", "metal")
_LEARNING = ("Science", "Exploration", "Farming", "Mining", "Finance", "Law", "Industry", "Textiles")


def order_lines(others: Sequence[str], number: int, count: int = LINES_A_LETTER) -> list[str]:
    """That many lawful lines; letters of different numbers differ in most of their lines."""
    lines = [
        f"RESEARCH {_of(_LEARNING, number)}, {_of(_LEARNING, number + 3)}, any KEEPING {1 + number % 9} gold",
        f"HIRE {1 + number % 4} workers KEEPING 2 food",
        f"BUILD {1 + number % 3} fleets",
        f"RAISE {1 + number % 3} armies",
        "COLONIZE Gems IN Central America, any YIELDING 3 gold",
        f"LOSE armies FROM {_of(_REGIONS, number)}, fleets",
        f"ROB {others[number % len(others)]}",
    ]
    turn = number
    while len(lines) < count:
        lines.append(_varied(others, turn))
        turn += 1
    return lines[:count]


def new_order_lines(others: Sequence[str], begin: int, count: int = LINES_A_LETTER) -> list[str]:
    """Lawful lines that differ in a number from every line made from another number."""
    return [_numbered(others, number) for number in range(begin, begin + count)]


def _numbered(others: Sequence[str], n: int) -> str:
    match n % 4:
        case 0:
            return f"BUY {n + 1} {_of(_GOODS, n // 4)}, {1 + n % 3} {_of(_GOODS, n // 4 + 1)}"
        case 1:
            return f"MOVE {n} armies FROM {_of(_REGIONS, n // 4)} TO {_of(_REGIONS, n // 4 + 1)}"
        case 2:
            region, foe = _of(_REGIONS, n // 4), others[n // 4 % len(others)]
            return f"ATTACK {foe} IN {region} FOR any WITH {n} fleets UNLESS outnumbered"
        case _:
            return f"RESEARCH {_of(_LEARNING, n // 4)}, {_of(_LEARNING, n // 4 + 3)}, any KEEPING {n} gold"


def _varied(others: Sequence[str], n: int) -> str:
    origin, target = _of(_REGIONS, n), _of(_REGIONS, n + 1 + n // 6 % 5)
    if n % 3 == 0:
        return f"BUY {1 + n % 5} {_of(_GOODS, n // 3)}, {1 + n % 3} {_of(_GOODS, n // 3 + 1)}"
    if n % 3 == 1:
        return f"MOVE {1 + n % 4} armies FROM {origin} TO {target}"
    return f"ATTACK {others[n // 3 % len(others)]} IN {origin} FOR any WITH {1 + n % 2} fleets UNLESS outnumbered"


def _of(words: Sequence[str], number: int) -> str:
    return words[number % len(words)]


def letter(writer: Writer, number: int, lines: Sequence[str]) -> bytes:
    """A plain letter of about 2 KB as a mail program sends it. `number` makes its Message-ID its own."""
    head = (
        f"From: {writer.name} <{writer.address}>",
        f"To: Referee <{writer.recipient}>",
        f"Subject: Re: [{writer.match}] orders",
        f"Date: {format_datetime(START)}",
        f"Message-ID: <{number}.{writer.match}.{writer.seat.replace(' ', '-')}@players.example>",
        f"In-Reply-To: <turn@{writer.match}.games.example>",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
    )
    return "\r\n".join((*head, *lines, "", "-- ", writer.name, "")).encode()


def parcels(office: Office, size: Size) -> list[Parcel]:
    """Letters of about 2 KB to all seats of several matches, each with forty order lines and a Message-ID of its own."""
    people = [writer for number in range(size.matches) for writer in writers(office, f"m{number}")]
    chosen = [people[number % len(people)] for number in range(size.letters)]
    return [(w.address, w.recipient, letter(w, n, order_lines(w.others, n))) for n, w in enumerate(chosen)]
