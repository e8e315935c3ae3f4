"""Small pieces of the board: parts, words, tokens of seats, forces, and what can be clicked. All in pixels."""

from __future__ import annotations

from typing import NamedTuple

from referee.games.newworld.rulebook.tables import COLOURS
from referee.games.newworld.telling.drawing.signs import emblem, sign
from referee.kit.drawing import svg
from referee.kit.drawing.lettering import Type, words

NEUTRAL, DECK, DISCARD, FACE_UP = "neutral", "deck", "discard", "face up"
"""Where a copy of a card may be that is nobody's."""

TOKEN = 15
"""The radius of a token."""

TITLE, HEAD, ASIDE, GOOD, SMALL = (
    Type("nw-t", 34, True), Type("nw-h", 27, True), Type("nw-q", 24), Type("nw-n", 23, True), Type("nw-s", 21),
)  # fmt: skip
FIGURE, STORE, CHANGE, LEARNT, REBELS = (
    Type("nw-f", 25, True), Type("nw-m", 22, True), Type("nw-g", 22, True), Type("nw-u", 21, True), Type("nw-rn", 21, True),
)  # fmt: skip
TYPES = (TITLE, HEAD, ASIDE, GOOD, SMALL, FIGURE, STORE, CHANGE, LEARNT, REBELS)
"""All type of the board, so large that it can be read on a telephone."""


class Copy(NamedTuple):
    """A copy of a card: whose it is or where it lies, its revolutionary armies if it is in revolt, whether that is news."""

    owner: str
    rebels: int | None = None
    lit: bool = False


class Force(NamedTuple):
    """Armies of a seat in a Region, and how many more than before the turn."""

    seat: str
    number: int
    change: int = 0


def part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of the drawing with its own zero point."""
    return svg.part(x, y, width, height, f'<g class="nw">{inside}</g>')


def plate(x: float, y: float, width: float, height: float, style: str, round_: float = 8) -> str:
    """A rounded rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}" class="{style}"/>'


def to_click(name: str, label: str, inside: str, **data: str) -> str:
    """Something that can be clicked and reached by the keyboard; `data` says what it is in the words of orders."""
    return f'<g class="nw-c" {svg.to_click(f"nw-{name}", label, **data)}>{inside}</g>'


def token(seat: str, x: float, y: float, radius: float = TOKEN) -> str:
    """A seat's token round a point: its colour and its emblem."""
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[seat]}" class="nw-d"/>'
    return disc + emblem(seat, x, y, radius / 7.5)


def copy(one: Copy, x: float, y: float) -> str:
    """A copy of a card round a point."""
    halo = f'<circle cx="{x:g}" cy="{y:g}" r="{TOKEN + 3}" class="nw-l"/>' if one.lit else ""
    if one.owner in COLOURS:
        drawn = token(one.owner, x, y)
    else:
        drawn = f'<circle cx="{x:g}" cy="{y:g}" r="{TOKEN - 1}" class="nw-o-{one.owner.replace(" ", "-")}"/>'
    return halo + drawn + (_rebels(one.rebels, x, y) if one.rebels is not None else "")


def _rebels(number: int, x: float, y: float) -> str:
    """A red flag with the number of revolutionary armies on it."""
    flag = f'<path d="M{x - 5:g} {y + 3:g}h26v20h-26z" class="nw-re"/>'
    return flag + words(str(number), x + 8, y + 20.5, REBELS, anchor=0.5)


def side(name: str, x: float, y: float) -> str:
    """Who takes part in a battle, round a point: a token, the flag of rebels, or what stands for nobody's armies."""
    if name in COLOURS:
        return token(name, x, y, 14)
    if name == "rebels":
        return f'<path d="M{x - 11:g} {y - 9:g}h22v18h-22z" class="nw-re"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="13" class="nw-o-neutral"/>'


def change_of(number: int) -> str:
    """How many more, or fewer with a true minus; empty for none."""
    return ("+" if number > 0 else "\N{MINUS SIGN}") + str(abs(number)) if number else ""


def width_of_force(force: Force) -> float:
    """How wide `force` draws it."""
    return _sizes(force)[1]


def _sizes(force: Force) -> tuple[float, float]:
    """Where the change begins, and the whole width."""
    number = 2 * TOKEN + 6 + FIGURE.width(str(force.number))
    change = change_of(force.change)
    return number + 6, number + (6 + CHANGE.width(change) if change else 0)


def force(one: Force, x: float, y: float) -> str:
    """A token, how many armies, and the change, with the middle of the left edge at a point."""
    change = change_of(one.change)
    drawn = token(one.seat, x + TOKEN, y) + words(str(one.number), x + 2 * TOKEN + 6, y + 9, FIGURE)
    return drawn + (words(change, x + _sizes(one)[0], y + 8, CHANGE) if change else "")


def headed(name: str, text: str, x: float, y: float, size: float = 30) -> str:
    """A sign and a number beside it, with the sign's upper left corner at a point."""
    return sign(name, x, y, size) + words(text, x + size + 5, y + size - 6, FIGURE)
