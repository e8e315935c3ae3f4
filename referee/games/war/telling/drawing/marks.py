"""Small marks on the map, side by side in rows: words, counters of a seat, pictures of buildings, shields, chits, boats."""

from __future__ import annotations

from referee.core.names import Seat
from referee.kit.drawing.lettering import Type
from referee.kit.drawing.marks import Mark, words
from referee.kit.drawing.svg import px

LETTERS = {
    "Red": "R", "Green": "Gn", "Blue": "Bu", "Yellow": "Y", "Purple": "P", "Gray": "Gy", "White": "W", "Black": "Bk",
}  # fmt: skip
"""What stands for a colour where it must be short; no two alike."""

BUILDINGS = {
    "city": "M1 11V5h3V1h4v3h3v7zM5.4 3v1.4h1.2V3zM5.4 6v1.4h1.2V6zM8.6 6v1.4h1.2V6z",
    "factory": "M1 11V5.4l3.3 2V5.4l3.2 2V1h2v4.4L11 6v5z",
    "port": (
        "M5.3 4.2h-2V2.9h2V2.6a1.5 1.5 0 1 1 1.4 0v.3h2v1.3h-2v5c1.2-.2 2.2-.9 2.6-2"
        "l-.9.2 1.3-2.1 1.5 2-1-.1c-.5 2.3-2.3 3.7-4.2 3.7S2.3 9.3 1.8 7l-1 .1 1.5-2 1.3 2.1-.9-.2"
        "c.4 1.1 1.4 1.8 2.6 2z"
    ),
    "railroad": (
        "M3.4 1h1.2v1.5h2.8V1h1.2l.4 2h1v1.2h-.8l.3 1.6h1v1.2h-.8l.3 1.6h1v1.2h-.8l.2 1.2H9.5l-.2-1.2H2.7"
        "l-.2 1.2H1.3l.2-1.2H.7V8.6h1l.3-1.6h-.8V5.8h1l.3-1.6h-.8V3h1zM3.3 5.8h5.4l-.3-1.6H3.6zM2.9 8.6"
        "h6.2l-.3-1.6H3.2z"
    ),
    "fort": "M1 11V2h2v1.6h2V2h2v1.6h2V2h2v9H7.3V8.2a1.3 1.3 0 0 0-2.6 0V11z",
    "school": (
        "M6 1.2l5.5 2.6L6 6.4.5 3.8zM2.8 5.9L6 7.5l3.2-1.6v2.7C8.3 9.7 7.2 10.2 6 10.2S3.7 9.7 2.8 8.6z"
        "M10.5 4.7h.8v4h-.8z"
    ),
}
"""The picture of each kind of building, 12 pixels square."""

NAME, SEA, COUNT, SAID, SEAT, TITLE = (
    Type("n", 11.5, True), Type("s", 10.5), Type("c", 10.5, True), Type("l", 10.5), Type("b", 11.5, True), Type("t", 17, True),
)  # fmt: skip
TYPES = (NAME, SEA, COUNT, SAID, SEAT, TITLE)
"""All type of the map."""


def counter(seat: Seat, text: str) -> Mark:
    """What a seat has somewhere: his letter on his colour, and what it is on a white plate."""
    letter, said = words(LETTERS[seat], COUNT, f"i-{seat}"), words(text, COUNT)
    tab = letter.width + 5
    width = tab + (said.width + 6 if text else 0)

    def draw(x: float, y: float) -> str:
        plate = f'<rect x="{px(x)}" y="{px(y - 9.5)}" width="{px(width)}" height="12" rx="2.5" class="plate"/>'
        colour = (
            f'<rect x="{px(x + 0.4)}" y="{px(y - 9.1)}" width="{px(tab)}" height="11.2" rx="2.2" class="k-{seat}"/>'
        )
        return plate + colour + letter.draw(x + 2.5, y) + (said.draw(x + tab + 3, y) if text else "")

    return Mark(width, draw)


def building(kind: str) -> Mark:
    """The picture of a building on a small plate."""

    def draw(x: float, y: float) -> str:
        plate = f'<rect x="{px(x)}" y="{px(y - 10)}" width="13" height="13" rx="2" class="plate"/>'
        return f'{plate}<path transform="translate({px(x + 0.5)} {px(y - 9.5)})" d="{BUILDINGS[kind]}" class="icon"/>'

    return Mark(13, draw)


def flame(text: str) -> Mark:
    """A revolt and its army."""
    return _plate(text, "fire")


def shield(text: str) -> Mark:
    """A native marker."""
    return _plate(text, "shield")


def _plate(text: str, style: str) -> Mark:
    said = words(text, COUNT, "w")
    width = said.width + 8

    def draw(x: float, y: float) -> str:
        shape = f"h{px(width)}v7q0 3.5-{px(width / 2)} 6q-{px(width / 2)}-2.5-{px(width / 2)}-6z"
        return f'<path d="M{px(x)} {px(y - 10)}{shape}" class="{style}"/>{said.draw(x + 4, y - 0.5)}'

    return Mark(width, draw)


def chit(text: str, developed: bool) -> Mark:
    """A resource chit: a full diamond when it is developed."""
    said, style = words(text, COUNT), "full" if developed else "empty"
    width = said.width + 16

    def draw(x: float, y: float) -> str:
        plate = f'<rect x="{px(x)}" y="{px(y - 9.5)}" width="{px(width)}" height="12" rx="6" class="plate"/>'
        sign = f'<path d="M{px(x + 3)} {px(y - 3.5)}l4-4 4 4-4 4z" class="{style}"/>'
        return plate + sign + said.draw(x + 13, y)

    return Mark(width, draw)


def boat(seat: Seat, text: str) -> Mark:
    """A player's fleets in a sea area."""
    told = counter(seat, text)

    def draw(x: float, y: float) -> str:
        hull = f'<path d="M{px(x)} {px(y - 2.5)}l3.5 5h12l3.5-5z" class="k-{seat}" stroke="#1c1c1c" stroke-width=".7"/>'
        sail = f'<path d="M{px(x + 9)} {px(y - 3)}v-7.5l7.5 7.5zM{px(x + 8)} {px(y - 3)}v-6l-5.5 6z" class="sail"/>'
        return hull + sail + told.draw(x + 21, y)

    return Mark(21 + told.width, draw)


def swords() -> Mark:
    """There was a battle."""

    def draw(x: float, y: float) -> str:
        blades = f"M{px(x + 2)} {px(y - 9)}l9 9M{px(x + 11)} {px(y - 9)}l-9 9"
        hilts = f"M{px(x + 7.5)} {px(y)}l3.5-3.5M{px(x + 5.5)} {px(y)}l-3.5-3.5"
        return f'<path d="{blades}" class="blade"/><path d="{blades}{hilts}" class="steel"/>'

    return Mark(13, draw)
