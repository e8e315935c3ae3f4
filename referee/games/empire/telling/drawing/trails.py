"""The moves of a slot as thin trails from square to square, each in the colour of its country."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from referee.core.event import Event
from referee.games.empire.events.moving import UnitMoved
from referee.games.empire.position.state import Empire
from referee.games.empire.telling.drawing.pieces import colours
from referee.games.empire.telling.drawing.view import View
from referee.kit.drawing.svg import px

_HEAD = 5.0
_Point = tuple[float, float]


def trails(view: View, empire: Empire, happened: Sequence[Event]) -> tuple[tuple[int, int, int, int], str] | None:
    """The trails of what was moved, and the box they lie in: left, top, width, height; None where nothing was."""
    ways = dict.fromkeys(
        (event.country, (event.start, *event.way)) for event in happened if isinstance(event, UnitMoved)
    )
    lines = [(country, line) for country, way in ways for line in _lines(view, way)]
    if not lines:
        return None
    shown = colours(empire)
    drawn = [_trail(line, shown.get(country, "#555555")) for country, line in lines]
    return _box(view, [point for _, line in lines for point in line]), "".join(drawn)


def _lines(view: View, way: tuple[str, ...]) -> Iterator[list[_Point]]:
    """The way as the squares shown see it, in pieces where it leaves them or crosses the seam."""
    line: list[_Point] = []
    for at in way:
        here = view.middles.get(at)
        if line and (here is None or abs(here[0] - line[-1][0]) > 2 * view.radius):
            yield from [line] if len(line) > 1 else []
            line = []
        if here is not None:
            line.append(here)
    if len(line) > 1:
        yield line


def _trail(line: list[_Point], colour: str) -> str:
    """A line with a head at its end, on a white one that parts it from the ground."""
    path = "M" + "L".join(f"{px(x)} {px(y)}" for x, y in line)
    return f'<path d="{path}" class="em-tw"/><path d="{path}" class="em-tr" stroke="{colour}"/>{_head(line, colour)}'


def _head(line: list[_Point], colour: str) -> str:
    (a, b), (x, y) = line[-2:]
    long = hypot(x - a, y - b) or 1
    across, down = (x - a) / long * _HEAD, (y - b) / long * _HEAD
    corners = ((x + across, y + down), (x - down * 0.8, y + across * 0.8), (x + down * 0.8, y - across * 0.8))
    return f'<path d="M{"L".join(f"{px(i)} {px(j)}" for i, j in corners)}z" class="em-th" fill="{colour}"/>'


def _box(view: View, points: Sequence[_Point]) -> tuple[int, int, int, int]:
    xs, ys = zip(*points, strict=True)
    left, top = max(0, int(min(xs)) - 10), max(0, int(min(ys)) - 10)
    return left, top, min(view.width, int(max(xs)) + 10) - left, min(view.height, int(max(ys)) + 10) - top
