"""The ground of a map: terrain, food and resources, and what lies on borders. It is the same all match long."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.position.board import Board, Resource, Square
from referee.games.empire.telling.drawing.goods import plate
from referee.games.empire.telling.drawing.placing import Box, box_round
from referee.games.empire.telling.drawing.view import View
from referee.kit.drawing.marks import Mark, row
from referee.kit.drawing.svg import px

_TEXTURES = {
    "forest": '<path d="{0}v-5m-4 1l4-5 4 5z" class="em-fo"/>',
    "swamp": '<path d="{0}m-5 0h10m-8-2v-4m3 4v-5m3 5v-4" class="em-sw"/>',
    "desert": '<path d="{0}m-5 0h.1m4-3h.1m4 3h.1" class="em-du"/>',
}
_PEAK = "l3.2-7 3.2 7z"


def tiles(view: View) -> str:
    """Every square in the colour of its terrain, with a small sign of it where there is room."""
    kinds: dict[str, list[str]] = {}
    for name, (x, y) in view.middles.items():
        kinds.setdefault(view.board.squares[name].terrain, []).append(
            f'<use{_named(view, name)} href="#{view.shape}" x="{px(x)}" y="{px(y)}"/>'
        )
    shapes = "".join(f'<g class="em-{terrain}">{"".join(uses)}</g>' for terrain, uses in kinds.items())
    return f'<g class="em-grid">{shapes}</g>' + ("".join(_textures(view)) if view.detailed else "")


def _named(view: View, name: str) -> str:
    """Every square can be clicked, on the small map beside a window of the board as well; ids are those of the large one."""
    place = f' data-place="{name}"'
    return f' id="{name}"{place}' if view.detailed else place


def _textures(view: View) -> Iterator[str]:
    for name, (x, y) in view.middles.items():
        shape = _TEXTURES.get(view.board.squares[name].terrain)
        if shape:
            at = f"M{px(x - view.radius * 0.62)} {px(y + 4)}"
            yield shape.format(at)


def riches(view: View) -> Iterator[tuple[Box, str]]:
    """Food and resources of every square, in its upper part, and where they lie; none on a small map."""
    if view.detailed:
        for name, (x, y) in view.middles.items():
            if marks := _riches(view.board.squares[name]):
                told = row(marks, 1.5)
                middle, low = view.beside(x, told.width), y - view.radius * 0.5
                yield box_round(middle, low, told.width, 12), told.draw(middle - told.width / 2, low + 3.7)


def _riches(square: Square) -> list[Mark]:
    food = [Mark(9, lambda x, y: food_sign(square.food, x + 4.5, y - 3.7))] if square.food else []
    return [*food, *(plate(resource.kind, _short(resource)) for resource in square.resources)]


def _short(resource: Resource) -> str:
    kind = {"delta": "\N{GREEK CAPITAL LETTER DELTA}", "power": "Pw"}.get(resource.kind, resource.kind)
    return f"{kind}{resource.grade if resource.grade > 1 else ''}"


def food_sign(food: str, x: float, y: float) -> str:
    """A sheaf for a farm, a fish for fish, round a point."""
    if food == "fish":
        return f'<path d="M{px(x - 4.5)} {px(y)}q3.5-4 7 0l2.5-2.5v5l-2.5-2.5q-3.5 4-7 0z" class="em-fi"/>'
    return f'<path d="M{px(x)} {px(y + 4)}v-8m-3 2l3 3 3-3m-6 3l3 3 3-3" class="em-fa"/>'


# ---------------------------------------------------------------- borders


def features(view: View) -> str:
    """Rivers, mountains, reefs, falls, and the seams of divided squares."""
    found: dict[str, list[str]] = {}
    for name, lying in view.board.borders.items():
        for here, way in view.sides_shown(name):
            for what in lying:
                found.setdefault(what, []).append(_drawn(view, view.board, what, here, way))
    order = ("divided", "river", "double river", "falls", "reef", "mountain")
    style = {what: what.replace("double river", "dr").replace(" ", "-") for what in order}
    groups = [f'<path class="em-b-{style[what]}" d="{"".join(found[what])}"/>' for what in order if what in found]
    if "double river" in found:
        at = order.index("double river")
        inner = f'<path class="em-b-di" d="{"".join(found["double river"])}"/>'
        groups.insert(sum(what in found for what in order[: at + 1]), inner)
    return "".join(groups)


def _drawn(view: View, board: Board, what: str, here: str, way: str) -> str:
    (a, b), (c, d) = view.side(here, way)
    if what in ("mountain", "reef"):
        return "".join(_signs(what, a, b, c, d, view.radius))
    if what == "falls":
        (x, y), (across, down) = view.door(here, way), (c - a, d - b)
        r = view.radius * 0.28 / max(abs(across), abs(down), 1)
        starts = [(x + step * across * 0.12, y + step * down * 0.12) for step in (-1, 0, 1)]
        return "".join(
            f"M{px(i - down * r)} {px(j + across * r)}L{px(i + down * r)} {px(j - across * r)}" for i, j in starts
        )
    return f"M{px(a)} {px(b)}L{px(c)} {px(d)}"


def _signs(what: str, a: float, b: float, c: float, d: float, radius: float) -> Iterator[str]:
    """Peaks or crosses in a row along a border."""
    places = (0.15, 0.5, 0.85) if radius >= 14 else (0.5,)
    for part in places:
        x, y = a + (c - a) * part, b + (d - b) * part
        if what == "mountain":
            yield f"M{px(x - 3.2)} {px(y + 3.5)}{_PEAK}"
        else:
            yield f"M{px(x - 2.2)} {px(y - 2.2)}l4.4 4.4m0-4.4l-4.4 4.4"
