"""Signs on the map, and below each half of it what the signs on it mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import hypot
from typing import NamedTuple

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.war.events.combat import BattleEnded, FleetsMoved, UnitsMoved
from referee.games.war.events.moving import NavalBattleEnded
from referee.games.war.rulebook import BUILDINGS
from referee.games.war.telling.drawing.coast import coast
from referee.kit.drawing import FACE, Mark, Type, column, label, part, px, row

LETTERS = {
    "Red": "R", "Green": "Gn", "Blue": "Bu", "Yellow": "Y", "Purple": "P", "Gray": "Gy", "White": "W", "Black": "Bk",
}  # fmt: skip
"""The short name of a colour; no two alike."""

ICONS = {
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
    """A seat's piece on the map: his letter on his colour, and what it is on a white plate."""
    letter, said = label(LETTERS[seat], COUNT, f"i-{seat}"), label(text, COUNT)
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
        return f'{plate}<path transform="translate({px(x + 0.5)} {px(y - 9.5)})" d="{ICONS[kind]}" class="icon"/>'

    return Mark(13, draw)


def flame(text: str) -> Mark:
    """A revolt and its army."""
    return _plate(text, "fire")


def shield(text: str) -> Mark:
    """A native marker."""
    return _plate(text, "shield")


def _plate(text: str, style: str) -> Mark:
    said = label(text, COUNT, "w")
    width = said.width + 8

    def draw(x: float, y: float) -> str:
        shape = f"h{px(width)}v7q0 3.5-{px(width / 2)} 6q-{px(width / 2)}-2.5-{px(width / 2)}-6z"
        return f'<path d="M{px(x)} {px(y - 10)}{shape}" class="{style}"/>{said.draw(x + 4, y - 0.5)}'

    return Mark(width, draw)


def chit(text: str, developed: bool) -> Mark:
    """A resource chit: a full diamond when it is developed."""
    said, style = label(text, COUNT), "full" if developed else "empty"
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


# ---------------------------------------------------------------- what the map looks like
# Calm colours, a hatch for every seat, and the same on dark paper.


class Tint(NamedTuple):
    """A seat on the map: its ground, the strokes on it, and its counters with their letters; the same on dark paper."""

    ground: str
    strokes: str
    counter: str
    ink: str
    dark_ground: str
    dark_strokes: str


TINTS = {
    Seat("Red"): Tint("#eb9d90", "#cf6a5c", "#c03428", "#fff", "#8a3f36", "#b2584c"),
    Seat("Green"): Tint("#a5cf9b", "#6ba761", "#2f8040", "#fff", "#3b6b3f", "#5b9359"),
    Seat("Blue"): Tint("#9dbde6", "#6490cb", "#2b59a8", "#fff", "#34558c", "#5480be"),
    Seat("Yellow"): Tint("#f6e394", "#d3b648", "#f0cb2e", "#1c1c1c", "#857326", "#b39c3e"),
    Seat("Purple"): Tint("#cfabdc", "#a377b8", "#7d3f98", "#fff", "#65427a", "#8a62a1"),
    Seat("Gray"): Tint("#c0c3c6", "#94999e", "#72787e", "#fff", "#596066", "#7d858c"),
    Seat("White"): Tint("#fdfdfb", "#c4c4bd", "#ffffff", "#1c1c1c", "#bfc0bb", "#8f908a"),
    Seat("Black"): Tint("#85858a", "#5c5c62", "#262626", "#fff", "#2b2b2e", "#55555a"),
}
"""Told apart by lightness and hatch as well as by hue."""

_HATCHES = {
    "Red": "M-4 4l8-8M0 20L20 0M16 24l8-8",
    "Green": "M10 8v.01M20 18v.01M0 18v.01",
    "Blue": "M0 10h20",
    "Yellow": "M10 5v10M5 10h10",
    "Purple": "M0 0l20 20M20 0L0 20",
    "Gray": "M10 0v20",
    "White": "M-4 16l8 8M0 0l20 20M16-4l8 8",
    "Black": "M0 10h20M10 0v20",
}
"""On a tile of 20 fine units, which is 10 pixels."""

_WIDTHS = {"Green": 5.5, "Blue": 3.2, "Gray": 3.2, "Yellow": 2.4}
_DARK = {
    ".paper": "fill:#14181c", ".sea": "fill:#1d3341", ".land": "fill:#4a4638", ".lane": "stroke:#48677a",
    ".edge": "stroke:#0f1316", ".surf": "stroke:#294656", ".n": "fill:#f4f1e8;stroke:#14181c",
    ".s": "fill:#9fc3d6;stroke:#1d3341", ".l,.t,.b": "fill:#e6e2d6", ".plate": "fill:#f4f1e8", ".frame": "stroke:#6d7f8a",
}  # fmt: skip


@cache
def style() -> str:
    """The style sheet of the picture, which each of its parts is drawn by."""
    light = (
        f"text{{font-family:{FACE};fill:#1c1c1c}}"
        ".paper{fill:#fbf9f3}.sea{fill:#cbdfe9}.land{fill:#f1e8d3}"
        ".lane{fill:none;stroke:#fff;stroke-width:2.2;stroke-dasharray:9 7}"
        ".surf{fill:none;stroke:#b7d0dd;stroke-width:9;stroke-linejoin:round}"
        ".edge{stroke:#57513f;stroke-width:1.7;stroke-linejoin:round}"
        ".gate{fill:none;stroke:#1c1c1c;stroke-width:2;stroke-dasharray:2 4;stroke-linecap:round}"
        ".n{fill:#221d14;stroke:#fff;stroke-opacity:.8;stroke-width:2.6;stroke-linejoin:round;paint-order:stroke}"
        ".s{font-style:italic;fill:#27566e;stroke:#cbdfe9;stroke-width:2.4;stroke-linejoin:round;paint-order:stroke}"
        ".plate{fill:#fff;stroke:#1c1c1c;stroke-width:.7}.icon{fill:#1c1c1c}.line{fill:none;stroke:#1c1c1c;stroke-width:1.2}"
        ".shield{fill:#7a4a17;stroke:#3d2408;stroke-width:.6}.fire{fill:#a00018;stroke:#4d000c;stroke-width:.6}"
        ".w{fill:#fff}.sail{fill:#fff;stroke:#1c1c1c;stroke-width:.7}.full{fill:#1c1c1c}.empty{fill:#fff;stroke:#1c1c1c}"
        ".rim{stroke:#1c1c1c;stroke-width:.9}g.rim{fill:none}.lit{fill:none;stroke:#ff9d00;stroke-width:5;stroke-linejoin:round;stroke-opacity:.85}.frame{fill:none;stroke:#54717f}"
        ".blade{fill:none;stroke:#fff;stroke-width:4;stroke-linecap:round}.steel{fill:none;stroke:#a00018;stroke-width:1.9;stroke-linecap:round}"
    )
    seats = "".join(
        f".g-{seat}{{fill:{tint.ground}}}.h-{seat}{{stroke:{tint.strokes};fill:none}}.k-{seat}{{fill:{tint.counter}}}"
        f".i-{seat}{{fill:{tint.ink}}}.a-{seat}{{fill:none;stroke:{tint.counter};stroke-width:3}}"
        for seat, tint in TINTS.items()
    )
    type = "".join(f".{type.name}{{{type.rule}}}" for type in TYPES)
    return light + type + seats


@cache
def page_style() -> str:
    """The styles that pages need beside it: the layer that they listen to, and dark paper."""
    seats = "".join(
        f".g-{seat}{{fill:{tint.dark_ground}}}.h-{seat}{{stroke:{tint.dark_strokes}}}" for seat, tint in TINTS.items()
    )
    dark = "".join(f"{what}{{{how}}}" for what, how in _DARK.items())
    return f"{_TOUCH}@media(prefers-color-scheme:dark){{{dark}{seats}}}"


_TOUCH = (
    ".touch{fill:transparent;stroke:none;cursor:pointer}.touch :hover{fill:#fff;fill-opacity:.18}"
    ".touch :focus{outline:none;stroke:#ff9d00;stroke-width:5;stroke-linejoin:round}svg svg{pointer-events:none}"
)


@cache
def patterns() -> str:
    """Of all colours, whoever plays, so that the parts of all matches are alike."""
    return "".join(
        f'<pattern id="w-{seat}" width="20" height="20" patternUnits="userSpaceOnUse">'
        f'<rect width="20" height="20" class="g-{seat}"/>'
        f'<path d="{hatch}" class="h-{seat}" stroke-width="{_WIDTHS.get(seat, 2.6)}" stroke-linecap="{_cap(seat)}"/></pattern>'
        for seat, hatch in _HATCHES.items()
    )


def _cap(seat: str) -> str:
    return "round" if seat == "Green" else "square"


# ---------------------------------------------------------------- what happened in a phase, on the map
# Arrows for moves, and where there was a battle.


_MOST = 60
"""A map with more arrows than this says nothing any more; the first are drawn."""

_KEPT = 512
_ROOM = 8
"""Pixels round an arrow for its head."""


class Move(NamedTuple):
    """A seat moved something from a place to another."""

    seat: Seat
    origin: str
    target: str


def battles(happened: Sequence[Event]) -> frozenset[str]:
    """The places in which a battle ended."""
    ashore = {event.region for event in happened if isinstance(event, BattleEnded)}
    return frozenset(ashore | {event.sea for event in happened if isinstance(event, NavalBattleEnded)})


def moves(happened: Sequence[Event]) -> tuple[Move, ...]:
    """Where a seat moved anything from and to, each way once."""
    found: dict[Move, None] = {}
    for event in happened:
        if isinstance(event, UnitsMoved):
            found[Move(event.before.owner, event.origin, event.target)] = None
        elif isinstance(event, FleetsMoved):
            found[Move(event.owner, event.origin, event.target)] = None
    return tuple(found)[:_MOST]


@lru_cache(_KEPT)
def arrow(move: Move) -> str:
    """A bowed arrow, in a part just large enough."""
    seat, (x, y), (u, v) = move.seat, coast().middles[move.origin], coast().middles[move.target]
    bow = ((x + u) / 2 + (y - v) * 0.16, (y + v) / 2 + (u - x) * 0.16)
    left, top = (int(min(values)) - _ROOM for values in ((x, u, bow[0]), (y, v, bow[1])))
    right, low = (int(max(values)) + _ROOM for values in ((x, u, bow[0]), (y, v, bow[1])))
    length = hypot(u - bow[0], v - bow[1]) or 1.0
    along = ((u - bow[0]) / length, (v - bow[1]) / length)
    neck = (u - along[0] * 9, v - along[1] * 9)
    wings = [(neck[0] - along[1] * side, neck[1] + along[0] * side) for side in (5.5, -5.5)]
    way = f"M{x - left} {y - top}Q{bow[0] - left:.0f} {bow[1] - top:.0f} {neck[0] - left:.1f} {neck[1] - top:.1f}"
    head = "L".join(f"{px - left:.1f} {py - top:.1f}" for px, py in (wings[0], (u, v), wings[1]))
    drawn = (
        f'<g class="rim"><path d="{way}" stroke="#fff" stroke-width="6.4"/><path d="{way}" stroke-width="4.6"/></g>'
        f'<path d="M{head}z" class="k-{seat} rim"/><path d="{way}" class="a-{seat}"/>'
    )
    return part(left, top, right - left, low - top, drawn)


# ---------------------------------------------------------------- what colours and marks on the map mean, below it
# A half of it below each half of the map.


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
    """The colour and hatch of each seat, and the seats that are out."""
    return [
        _swatch(f'fill="url(#w-{seat})"', label(f"{seat} ({LETTERS[seat]})" + (", out" if out else ""), SEAT))
        for seat, out in seats
    ]


def _swatch(fill: str, name: Mark) -> Mark:
    """A colour and whose it is."""

    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 11.5)}" width="25" height="15" rx="2" {fill}/>'
        return f'<g stroke="#1c1c1c" stroke-width=".8">{box}</g>{name.draw(x + 30, y)}'

    return Mark(30 + name.width, draw)


def _said(text: str) -> Mark:
    return label(text, SAID)


def _meaning(mark: Mark, text: str) -> Mark:
    return row((mark, _said(text)), 4)


_RED = Seat("Red")


def _units(kinds: Sequence[str]) -> Iterator[Mark]:
    yield _meaning(counter(_RED, "3i 1c"), "units:")
    yield from (row((label(UNIT[kind], SEAT), _said(kind)), 3) for kind in kinds)


def _pictures() -> Iterator[Mark]:
    return (_meaning(building(kind), kind) for kind in BUILDINGS)


def _land(diplomatic: bool) -> Iterator[Mark]:
    """Other things in regions; spheres and revolts where an edition has them."""
    yield _meaning(chit("Coal 10", True), "developed")
    yield _meaning(chit("Coal 10", False), "not developed")
    yield _meaning(chit("?", False), "unknown")
    yield _meaning(shield("9++"), "native strength")
    yield _meaning(shield("?"), "unknown")
    if diplomatic:
        yield _meaning(row((label("sph", SEA), counter(_RED, "2")), 3), "two spheres of Red")
        yield _meaning(flame("REVOLT 9i"), "revolt and its army")


def _happened() -> Iterator[Mark]:
    """Fleets, and what came to pass in the last phase."""
    yield _meaning(boat(_RED, "3"), "three fleets, and what they carry")
    yield _meaning(swords(), "battle")
    yield _said("bright border: won this turn")
    yield _said("arrow: moved")
    yield _said("dashed: the strait that Ottoman opens")
