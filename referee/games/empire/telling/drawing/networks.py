"""What is built across borders: roads, railroads, lines, canals, bridges. Each goes from the middle of a square to its side."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from referee.games.empire.reckoning.movement.passage import Ways
from referee.games.empire.telling.drawing.view import View
from referee.kit.drawing.svg import px
from referee.kit.hexes import DIRECTIONS, opposite

_LANES = {"road": 0.0, "mountain road": 0.0, "tunnel": 0.0, "rail": 3.0, "power line": -3.0, "pipeline": -5.5}
"""How far beside the middle each runs, so that none hides another."""

_CLASS = {
    "road": "road",
    "mountain road": "road",
    "tunnel": "tunnel",
    "rail": "rail",
    "power line": "power",
    "pipeline": "pipe",
}


def networks(view: View, ways: Ways) -> tuple[tuple[int, int, int, int], str] | None:
    """Every line and canal on the squares shown, and the box that they lie in; None where there is none."""
    found: dict[str, list[str]] = {}
    squares: set[str] = set()
    for place, lines in ways.lines.items():
        for what in lines:
            style = _CLASS.get(what, what)
            if drawn := [*_piece(view, ways, place, what)]:
                found.setdefault(style, []).extend(drawn)
                squares.update(_squares(ways, place))
    if not found:
        return None
    paths = ((style, "".join(found[style])) for style in _ORDER if style in found)
    return view.box(squares & view.middles.keys(), ceil(view.radius) + 4), "".join(_styled(*path) for path in paths)


_ORDER = ("canal", "widening", "pipe", "power", "road", "tunnel", "rail", "bridge")


def _styled(style: str, path: str) -> str:
    ties = f'<path class="em-n-ties" d="{path}"/>' if style == "rail" else ""
    return f'<path class="em-n-{style}" d="{path}"/>{ties}'


def _squares(ways: Ways, place: str) -> list[str]:
    """The squares on both sides of a border, or the square itself."""
    if place[-1] not in DIRECTIONS:
        return [place]
    there = ways.grid.step(place[:-1], place[-1])
    return [place[:-1], *([there] if there else [])]


def _piece(view: View, ways: Ways, place: str, what: str) -> Iterator[str]:
    if place[-1] in DIRECTIONS:
        here, *beyond = _squares(ways, place)
        sides = [(here, place[-1]), *((there, opposite(place[-1])) for there in beyond)]
        shown = [(here, way) for here, way in sides if here in view.middles]
        yield from (
            _half(view, what, here, way) for here, way in (shown if what in _LANES else view.sides_shown(place))
        )
    elif place in view.middles:
        yield from (_spoke(view, place, way) for way in DIRECTIONS if _opens(ways, place, way))


def _opens(ways: Ways, here: str, way: str) -> bool:
    there = ways.grid.step(here, way)
    return bool(ways.wet(here, way)) or (there is not None and ways.canal(there))


def _spoke(view: View, here: str, way: str) -> str:
    (x, y), (a, b) = view.middles[here], view.door(here, way)
    return f"M{px(x)} {px(y)}L{px(a)} {px(b)}"


def _half(view: View, what: str, here: str, way: str) -> str:
    (x, y), (a, b) = view.middles[here], view.door(here, way)
    if what == "widening":
        (c, d), (e, f) = view.side(here, way)
        return f"M{px(c)} {px(d)}L{px(e)} {px(f)}"
    if what == "bridge":
        return f"M{px(a - (a - x) * 0.28)} {px(b - (b - y) * 0.28)}L{px(a + (a - x) * 0.28)} {px(b + (b - y) * 0.28)}"
    beside = _LANES[what] * view.radius / 24 * (1 if DIRECTIONS.index(way) < 3 else -1)
    long = ((a - x) ** 2 + (b - y) ** 2) ** 0.5
    i, j = -(b - y) / long * beside, (a - x) / long * beside
    return f"M{px(x + i)} {px(y + j)}L{px(a + i)} {px(b + j)}"
