"""What the map looks like: calm colours, a hatch for every seat, and the same on dark paper."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from referee.core.names import Seat
from referee.games.war.telling.drawing.marks import TYPES
from referee.kit.drawing.lettering import FACE


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
    """What pages need beside it: the layer that they listen to, and dark paper."""
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
