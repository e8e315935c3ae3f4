"""A position of Empire to draw: four countries late in a match, every square of theirs full."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.boards.draft import drawn_board
from referee.games.empire.position import Board, City, Factory, Lot, Unit, Work, Worked, edge
from referee.games.empire.position.state import Country, Empire, first_position

SEATS = tuple(map(Seat, ("Arcadia", "Borealis", "Cascadia", "Deltora")))
_NAMES = ("Harbour", "Saint Bartholomew", "Mill", "New Constantinople", "Ford", "Upper Winterbourne")
_KINDS = ("coolie", "coolie", "SAC", "truck", "cargo ship", "fighter")
_GOODS = ("food", "C", "Fe", "Bm", "bomb")


def full(board: Board | None = None, seats: tuple[Seat, ...] = SEATS) -> Empire:
    """Units, goods, cities, works and installations on every square of land; in some of them those of a second country."""
    board = board or drawn_board("two-isthmuses")
    empire = first_position(seats, {}, board)
    land = [at for at, square in board.squares.items() if square.terrain not in ("sea", "lake")]
    owner = {at: seats[number * len(seats) // len(land)] for number, at in enumerate(land)}
    for seat in seats:
        empire = empire.with_country(Country(seat, seat))
    for number, at in enumerate(land[::7]):
        empire = empire.with_city(City(f"{_NAMES[number % 6]} {number}", at, owner[at], 0, number % 7 == 0))
    return replace(
        empire,
        units={unit.number: unit for number, at in enumerate(land) for unit in _units(number, at, owner[at], seats)},
        lots=tuple(Lot(what, 7 + 31 * n, owner[at], at) for n, at in enumerate(land) for what in _GOODS[n % 4 :]),
        worked=tuple(Worked(at, "farm", 1, owner[at], 1, 1) for at in land[::2]),
        works=tuple(Work(number, "dock", at, owner[at], 1, 1) for number, at in enumerate(land[::4], 1)),
        factories={at: (Factory("distillery", 1),) for at in land[::5]},
        lines={edge(board.grid, at, "S"): ("road", "rail") for at in land[::6]},
        turn=31,
    )


def _units(number: int, at: str, owner: Seat, seats: tuple[Seat, ...]) -> Iterator[Unit]:
    """More kinds and more of each from square to square; in every fifth one a stranger as well, in every tenth two."""
    strangers = [seat for seat in seats if seat != owner][: 2 - (number % 10 > 0) - (number % 5 > 0)]
    every = [*(owner for _ in range(1 + number % 9)), *strangers]
    for at_, (seat, kind) in enumerate(product(every, _KINDS[: 1 + number % 6])):
        yield Unit(1000 * number + at_ + 1, kind, seat, at)
