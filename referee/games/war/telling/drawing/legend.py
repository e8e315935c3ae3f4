"""What colours and marks on the map mean, below it: a half of it below each half of the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.core.names import Seat
from referee.games.war.rulebook import BUILDINGS
from referee.games.war.telling.drawing.marks import (
    LETTERS,
    SAID,
    SEA,
    SEAT,
    boat,
    building,
    chit,
    counter,
    flame,
    shield,
    swords,
)
from referee.kit.drawing.marks import Mark, column, row, words
from referee.kit.drawing.svg import px

UNIT = {
    "infantry": "i",
    "cavalry": "c",
    "artillery": "a",
    "general": "G",
    "leader": "L",
    "explorer": "X",
    "engineer": "E",
}
"""The letter of each kind of unit."""


Seats = tuple[tuple[Seat, bool], ...]


@lru_cache(maxsize=64)
def legend(seats: Seats, kinds: tuple[str, ...], diplomatic: bool, width: int) -> tuple[str, str, int]:
    """The left and the right half of the key, each so wide, and how tall they are."""
    half = (len(seats) + 1) // 2
    left = (colours(seats[:half]), [*_units(kinds), *_pictures()], [*_happened()])
    right = ([*colours(seats[half:]), _swatch('class="land"', _said("natives"))], [*_land(diplomatic)])
    drawn = [column(halves, width) for halves in (left, right)]
    return drawn[0][0], drawn[1][0], max(height for _, height in drawn)


def colours(seats: Seats) -> list[Mark]:
    """Whose is which colour and hatch, and who is out."""
    return [
        _swatch(f'fill="url(#w-{seat})"', words(f"{seat} ({LETTERS[seat]})" + (", out" if out else ""), SEAT))
        for seat, out in seats
    ]


def _swatch(fill: str, name: Mark) -> Mark:
    """A colour and whose it is."""

    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 11.5)}" width="25" height="15" rx="2" {fill}/>'
        return f'<g stroke="#1c1c1c" stroke-width=".8">{box}</g>{name.draw(x + 30, y)}'

    return Mark(30 + name.width, draw)


def _said(text: str) -> Mark:
    return words(text, SAID)


def _meaning(mark: Mark, text: str) -> Mark:
    return row((mark, _said(text)), 4)


_RED = Seat("Red")


def _units(kinds: Sequence[str]) -> Iterator[Mark]:
    yield _meaning(counter(_RED, "3i 1c"), "units:")
    yield from (row((words(UNIT[kind], SEAT), _said(kind)), 3) for kind in kinds)


def _pictures() -> Iterator[Mark]:
    return (_meaning(building(kind), kind) for kind in BUILDINGS)


def _land(diplomatic: bool) -> Iterator[Mark]:
    """What else stands in regions; spheres and revolts where an edition has them."""
    yield _meaning(chit("Coal 10", True), "developed")
    yield _meaning(chit("Coal 10", False), "not developed")
    yield _meaning(chit("?", False), "unknown")
    yield _meaning(shield("9++"), "native strength")
    yield _meaning(shield("?"), "unknown")
    if diplomatic:
        yield _meaning(row((words("sph", SEA), counter(_RED, "2")), 3), "two spheres of Red")
        yield _meaning(flame("REVOLT 9i"), "revolt and its army")


def _happened() -> Iterator[Mark]:
    """Fleets, and what came to pass in the last phase."""
    yield _meaning(boat(_RED, "3"), "three fleets, and what they carry")
    yield _meaning(swords(), "battle")
    yield _said("bright border: won this turn")
    yield _said("arrow: moved")
    yield _said("dashed: the strait that Ottoman opens")
