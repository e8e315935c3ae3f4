"""What colours and marks on the map mean, below it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from referee.core.names import Seat
from referee.games.war.rulebook.pieces import BUILDINGS
from referee.games.war.telling.drawing.marks import (
    LETTERS,
    SAID,
    SEAT,
    Mark,
    boat,
    building,
    chit,
    counter,
    flame,
    row,
    shield,
    swords,
    words,
)
from referee.kit.drawing.svg import px

HEIGHT = 84
"""Pixels below the map."""

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


def colours(seats: Sequence[tuple[Seat, bool]]) -> str:
    """Whose is which colour and hatch, and who is out."""
    drawn, x = [], 10.0
    for seat, out in seats:
        name = words(f"{seat} ({LETTERS[seat]})" + (", out" if out else ""), SEAT)
        drawn.append(_swatch(x, f'fill="url(#w-{seat})"') + name.draw(x + 30, 18))
        x += name.width + 44
    return "".join(drawn) + _swatch(x, 'class="land"') + _said("natives").draw(x + 30, 18)


def _swatch(x: float, fill: str) -> str:
    return f'<g stroke="#1c1c1c" stroke-width=".8"><rect x="{px(x)}" y="6" width="25" height="15" rx="2" {fill}/></g>'


def _said(text: str) -> Mark:
    return words(text, SAID)


@cache
def meanings(kinds: tuple[str, ...], diplomatic: bool) -> str:
    """What every mark means in an edition with these kinds of unit; spheres and revolts where it has them."""
    red = Seat("Red")
    letters = ", ".join(f"{UNIT[kind]} {kind}" for kind in kinds)
    spheres: tuple[Mark, ...] = (
        counter(red, "2"), _said("two spheres of Red;"), flame("REVOLT 9i"), _said("revolt and its army"),
    )  # fmt: skip
    lines: tuple[tuple[Mark, ...], ...] = (
        (
            counter(red, "3i 1c"), _said(f"units: {letters};"),
            *(mark for kind in BUILDINGS for mark in (building(kind), _said(kind))),
        ),
        (
            chit("Coal 10", True), _said("developed"), chit("Coal 10", False), _said("not developed"), chit("?", False),
            _said("unknown;"), shield("9++"), _said("native strength"), shield("?"), _said("unknown;" if diplomatic else "unknown"),
            *((_said("sph"), *spheres) if diplomatic else ()),
        ),
        (
            boat(red, "3"), _said("three fleets; below it what they carry;"), swords(), _said("battle; bright border: won this "
            "turn; arrow: moved; dotted line: the strait that Ottoman opens"),
        ),
    )  # fmt: skip
    return "".join(row(line, 4).draw(10, 12 + 18 * number) for number, line in enumerate(lines))
