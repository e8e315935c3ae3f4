"""The signs of goods, units and seats, each drawn once among the definitions of the drawing, in a square of 24."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.newworld.rulebook.tables import COLOURS
from referee.kit.drawing.emblems import SHAPES
from referee.kit.drawing.svg import is_light

_SHEAF = "M12 8c-5-1-6-5-5-7 4 0 6 3 5 7zm0 0c5-1 6-5 5-7-4 0-6 3-5 7zM12 15c-5-1-7-4-6-7 4 0 7 3 6 7zm0 0c5-1 7-4 6-7-4 0-7 3-6 7z"
_SHOE = "M5 2C-3 13 4 22 12 22S27 13 19 2l-4 2c4 7 2 13-3 13S5 11 9 4z"
_TREE = "M12 1l7 8h-4l6 9h-8v5h-2v-5H3l6-9H5z"
_BAR = "M6 7h12l5 11H1z"
_FISH = "M1 12c5-8 12-7 16-2l6-4v12l-6-4c-4 5-11 6-16-2z"
_PUFFS = ((8, 9), (16, 9), (7, 15), (17, 15), (12, 12))


def _path(shape: str, fill: str, edge: str) -> str:
    return f'<path d="{shape}" fill="{fill}" stroke="{edge}"/>'


def _discs(places: tuple[tuple[int, int], ...], radius: float, fill: str, edge: str) -> str:
    return "".join(f'<circle cx="{x}" cy="{y}" r="{radius:g}" fill="{fill}" stroke="{edge}"/>' for x, y in places)


_WHEAT = f'<path d="M12 23V6" stroke="#8a6210" stroke-width="2"/>{_path(_SHEAF, "#e8b437", "#7d5a10")}'
_COIN = (
    _discs(((12, 12),), 10.5, "#f4c531", "#7a5a00") + '<circle cx="12" cy="12" r="6.5" fill="none" stroke="#a87c00"/>'
)
_HORSE = _path(_SHOE, "#8d6a4b", "#3f2c1c")
_SWIMS = _path(_FISH, "#5b9bd0", "#1d4a70") + '<circle cx="6" cy="11" r="1.3" fill="#10283d"/>'

SIGNS: Mapping[str, str] = {
    "workers": _discs(((12, 6),), 5, "#d9925b", "#5c3210") + _path("M2 23c0-8 4-11 10-11s10 3 10 11z", "#b5602a", "#5c3210"),
    "gold": _COIN,
    "food": _WHEAT,
    "cloth": _path("M8 3q4 3 8 0l7 4-3 6-3-1v10H7V12l-3 1-3-6z", "#6f8fd0", "#26407d"),
    "wood": _path("M6 7h12v11H6a5 5.500 0 0 1 0-11z", "#a5672f", "#4d2c0d") + _discs(((18, 12),), 5.5, "#e7c086", "#4d2c0d")
    + '<circle cx="18" cy="12" r="2" fill="none" stroke="#8a5a20"/>',
    "metal": _path("M1 5h22v5c-5 0-7 2-7 5l3 5H6l3-5c0-3-3-5-8-6z", "#8c9aa6", "#313b44"),
    "horses": _HORSE,
    "armies": _path("M12 1l10 3v8c0 6-6 10-10 12C8 22 2 18 2 12V4z", "#b9c2c9", "#23292e")
    + '<path d="M12 2v21M3 10h18" stroke="#23292e" stroke-width="2"/>',
    "fleets": _path("M1 15h22l-4 7H5z", "#94602f", "#3c2208") + _path("M13 1l8 12h-8z", "#fff", "#3c2208")
    + _path("M10.500 4v9H3.500z", "#fff", "#3c2208"),
    "culture": _path("M12 1l3 8 8.500.500-6.700 5.200L19 23l-7-4.800L5 23l2.200-8.300L.5 9.500 9 9z", "#7b4ea3", "#3a1d57"),
    "battle": '<g fill="none" stroke-linecap="round"><path d="M4 3l15 16M20 3L5 19" stroke="#fff" stroke-width="6"/>'
    '<path d="M4 3l13 14M20 3L7 17" stroke="#8f1010" stroke-width="3.400"/>'
    '<path d="M13 20l6-6M11 20l-6-6M18 18l3 3M6 18l-3 3" stroke="#3a0a0a" stroke-width="2.600"/></g>',
    "Sugar": _path("M12 1l8 20q-8 4-16 0z", "#fff", "#6d7680") + '<path d="M8 13q4 2 8 0" fill="none" stroke="#a9b3bd"/>',
    "Tobacco": _path("M12 1c9 6 9 14 0 20C3 15 3 7 12 1z", "#7f9a3a", "#3a4a12") + '<path d="M12 5v18" stroke="#3a4a12"/>',
    "Indigo": _discs(((12, 6), (18, 11), (16, 18), (8, 18), (6, 11)), 4.6, "#5a55c8", "#262070")
    + _discs(((12, 13),), 3, "#f1cf4a", "#7a5a00"),
    "Coffee": '<g transform="rotate(35 12 12)"><ellipse cx="12" cy="12" rx="7.500" ry="11" fill="#7b4a22" stroke="#361c06"/>'
    '<path d="M12 1.500c-4 7 4 14 0 21" fill="none" stroke="#e2b98a" stroke-width="1.600"/></g>',
    "Lumber": _discs(((6, 17), (18, 17), (12, 7)), 5.6, "#e7c086", "#4d2c0d")
    + _discs(((6, 17), (18, 17), (12, 7)), 2, "#c08f4c", "#8a5a20"),
    "Furs": _path("M8 1h8l1 6 6-2-2 8 2 7-6-2-2 5H9l-2-5-6 2 2-7-2-8 6 2z", "#94653b", "#41270f"),
    "Syrup": _path("M12 1l3 5 4-2-1 7 5 1-5 6v2l-5-1v4h-2v-4l-5 1v-2l-5-6 5-1-1-7 4 2z", "#c8442b", "#5e150a"),
    "Fish": _SWIMS,
    "Cotton": '<path d="M12 23v-6" stroke="#5f7d2c" stroke-width="3"/>' + _discs(_PUFFS, 5, "#fff", "#8b949c"),
    "Rice": _path("M4 11c1-9 15-9 16 0z", "#fff", "#8b949c") + _path("M1 11h22c0 7-5 11-11 11S1 18 1 11z", "#3f7fa8", "#173d55"),
    "Gold": _path(_BAR, "#f4c531", "#7a5a00") + '<path d="M6 7l2 5h8l2-5M8 12l-3 6M16 12l3 6" fill="none" stroke="#a87c00"/>',
    "Silver": _path(_BAR, "#d5dce2", "#4f5b66") + '<path d="M6 7l2 5h8l2-5M8 12l-3 6M16 12l3 6" fill="none" stroke="#7f8b96"/>',
    "Gems": _path("M6 3h12l5 7-11 12L1 10z", "#4cc3c9", "#0d5257")
    + '<path d="M1 10h22M8 10l4 12 4-12-4-7z" fill="none" stroke="#0d5257"/>',
    "Cocoa": '<g transform="rotate(35 12 12)"><ellipse cx="12" cy="12" rx="7" ry="11" fill="#b5562a" stroke="#4c1d07"/>'
    '<path d="M12 1v22M8.500 3q-3 9 0 18M15.500 3q3 9 0 18" fill="none" stroke="#4c1d07"/></g>',
    "Grain": _WHEAT,
    "Wool": _discs(_PUFFS, 5, "#fff", "#6d7680") + '<ellipse cx="20" cy="11" rx="3" ry="4" fill="#333"/>'
    '<path d="M8 19v4M15 19v4" stroke="#333" stroke-width="2"/>',
    "Cattle": _path("M1 2c1 5 3 5 5 5h12c2 0 4 0 5-5 2 6-1 9-4 9l-3 9q-4 5-8 0l-3-9C2 11-1 8 1 2z", "#a8754a", "#3f2409")
    + _path("M8 17q4-3 8 0v3q-4 4-8 0z", "#f0cdb0", "#3f2409"),
    "Ore": _path("M2 20l4-12 7-5 8 7 1 10z", "#7d858c", "#2e353b")
    + _discs(((9, 12), (15, 9), (14, 16)), 1.8, "#e39a3b", "#8a5210"),
    "Forest": _path(_TREE, "#3f8a45", "#163d1a"),
    "Herds": _HORSE,
    "Grapes": _discs(((7, 8), (12, 8), (17, 8), (9, 13), (15, 13), (12, 18)), 3.4, "#8a3f97", "#3f1447")
    + '<path d="M12 5q1-3 4-4" fill="none" stroke="#4d6b1f" stroke-width="2"/>',
    "Coal": _path("M1 19l4-8 6-1 3-6 7 4 2 11z", "#2e3236", "#000") + '<path d="M7 13l3 4M15 8l3 5" stroke="#8b949c"/>',
    "Stone": _path("M1 13h10v9H1zM12 13h11v9H12zM6 3h11v9H6z", "#b9b2a5", "#4f493d"),
}  # fmt: skip
"""What stands for each resource, unit, good of a card, terrain of Europe, and for a battle."""

_SHAPE = dict(zip(COLOURS, SHAPES.values(), strict=False))
"""The emblem of each seat: that of its sign in letters."""


def definitions() -> str:
    """All signs and emblems under the names by which `sign` and `emblem` use them."""
    signs = "".join(f'<g id="nw-{name}">{drawn}</g>' for name, drawn in SIGNS.items())
    return signs + "".join(f'<path id="nw-of-{seat}" d="{shape}"/>' for seat, shape in _SHAPE.items())


def sign(name: str, x: float, y: float, size: float = 24) -> str:
    """A sign with its upper left corner at a point."""
    scale = f" scale({size / 24:.3g})" if size != 24 else ""
    return f'<use href="#nw-{name}" transform="translate({x:g} {y:g}){scale}"/>'


def emblem(seat: str, x: float, y: float, scale: float) -> str:
    """A seat's shape round a point, in black or white, as can be seen on its colour."""
    return (
        f'<use href="#nw-of-{seat}" transform="translate({x:g} {y:g}) scale({scale:g})" class="{ink(COLOURS[seat])}"/>'
    )


def ink(colour: str) -> str:
    """The class of what can be seen on a colour: `nw-k` black, `nw-w` white."""
    return "nw-k" if is_light(colour) else "nw-w"
