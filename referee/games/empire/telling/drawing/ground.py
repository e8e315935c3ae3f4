"""The ground of a map: terrain, food and resources, and what lies on borders. It is the same all match long.

With it the signs of goods, and what is built across borders: roads, railroads, lines, canals, bridges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from math import ceil

from referee.games.empire.position import Resource, Square
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import Ways
from referee.games.empire.telling.drawing.view import NUMBER, RICHES, STACKS, Box, View, box_round, ink
from referee.kit import drawing
from referee.kit.declared import once_a_position
from referee.kit.drawing import Mark, label, px, row
from referee.kit.hexes import DIRECTIONS, opposite

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "food": ("food", "beer"),
    "fuel and chemicals": ("C", "O", "X"),
    "raw materials": ("Fe", "Cu", "Al", "Bx", "Rr", "delta"),
    "materials and machines": ("Bm", "St", "t&d", "cmx", "hmx", "colony piece"),
    "arms and supply": ("SAU", "HAU", "HAU third", "T&S", "tank", "naval gun", "ack-ack",
        "bomb", "light bomb", "torpedo", "drop tank"),
}  # fmt: skip
"""All goods by what they are for; each family has a sign."""

SIGNS: Mapping[str, str] = {
    "food": '<ellipse cx="4" cy="4.500" rx="4" ry="3" fill="#e0a92e" stroke="#5a3d08" stroke-width=".7"/>'
    '<path d="M2.500 2.500l1 2.500M4.500 2.200l1 2.600" stroke="#5a3d08" stroke-width=".7"/>',
    "fuel and chemicals": '<path d="M4 .3q4 4 3 6a3.200 3.200 0 0 1-6 0q-1-2 3-6z" fill="#222" stroke="#fff" stroke-width=".7"/>',
    "raw materials": '<path d="M.3 7.500l2-5 3-1.500 2.500 6.500z" fill="#b5653a" stroke="#4a2008" stroke-width=".7"/>',
    "materials and machines": '<path d="M.5 1h7v7h-7zM.5 1l7 7m0-7l-7 7" fill="#c9d3da" stroke="#2c3a44" stroke-width=".8"/>',
    "arms and supply": '<circle cx="3.500" cy="5" r="3" fill="#a00018" stroke="#300" stroke-width=".7"/>'
    '<path d="M5.500 3l2-2.500" stroke="#300" stroke-width="1.400"/>',
}  # fmt: skip
"""Each in a square of 8."""

_FAMILY = {what: family for family, every in FAMILIES.items() for what in every}
_PLATES = {
    "Fe": "#b5532b", "C": "#3a3a3a", "O": "#111111", "X": "#5a7d2a", "Cu": "#d08a3c", "Al": "#a9bccb", "Rr": "#6d4a94",
    "Bx": "#8f3524", "Bm": "#c8b48a", "delta": "#d9c77e", "power": "#f0c419",
}  # fmt: skip
_MOST = 2
"""So many families of goods are shown in a square; the sheets tell all."""


def definitions() -> str:
    """The signs under the names by which they are used."""
    return "".join(f'<g id="{_name(family)}">{drawn}</g>' for family, drawn in SIGNS.items())


def _name(family: str) -> str:
    return f"em-{family.partition(' ')[0]}"


def plate(kind: str, said: str) -> Mark:
    """A resource on a plate of its colour."""
    fill = _PLATES.get(kind, "#e8e4d8")
    width = RICHES.width(said) + 4

    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 9.7)}" width="{px(width)}" height="12" rx="2.5" fill="{fill}" class="em-rp"/>'
        return box + drawing.words(said, x + 2, y, RICHES, ink(fill))

    return Mark(width, draw)


Heaps = Mapping[tuple[str, str], Mapping[str, int]]
"""How much of each family of goods a country has lying in a square, those in its city included."""


@once_a_position()
def heaps(empire: Empire) -> Heaps:
    """The goods that lie on the board, by square and country; what is aboard goes with its unit."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for lot in empire.lots:
        family = None if lot.aboard else _FAMILY.get(lot.what)
        if family:
            heap = found.setdefault((lot.at, lot.country), {})
            heap[family] = heap.get(family, 0) + lot.number
    return found


def lying(families: Mapping[str, int]) -> Iterator[Mark]:
    """The signs and numbers of the goods that lie in a square, the largest heap first."""
    for family, number in sorted(families.items(), key=lambda entry: -entry[1])[:_MOST]:
        said = label(f"{number}" if number < 100 else "99+", NUMBER)
        yield row((_sign(family), said), 1)


def _sign(family: str) -> Mark:
    return Mark(8, lambda x, y: f'<use href="#{_name(family)}" x="{px(x)}" y="{px(y - 8)}"/>')


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


_TEXTURES = {
    "forest": ("fo", "{0}v-5m-4 1l4-5 4 5z"),
    "swamp": ("sw", "{0}m-5 0h10m-8-2v-4m3 4v-5m3 5v-4"),
    "desert": ("du", "{0}m-5 0h.1m4-3h.1m4 3h.1"),
}
_PEAK = "l3.2-7 3.2 7z"


def tiles(view: View) -> str:
    """Every square in the colour of its terrain, with a small sign of it where there is room.

    Clicks are left to the page, which lays a shape over each square by its name: a name at each would be half of
    the drawing.
    """
    if not view.detailed:
        return _strips(view) + _grid(view)
    kinds: dict[str, list[str]] = {}
    for terrain, column, first, many in _runs(view):
        x, y, across, down = view.spots
        top = y + down * (first + (view.first_column + column) % 2 / -2 + 0.5)
        for stack in reversed(STACKS):  # so that few shapes are laid
            for _ in range(many // stack):
                square = f'<use href="#{view.stack(stack)}" x="{px(x + across * column)}" y="{px(top)}"/>'
                kinds.setdefault(terrain, []).append(square)
                top += down * stack
            many %= stack
    shapes = "".join(f'<g class="em-{terrain}">{"".join(uses)}</g>' for terrain, uses in kinds.items())
    return f'<g class="em-grid">{shapes}</g>{"".join(_textures(view))}{_grid(view)}'


def _grid(view: View) -> str:
    """The squares that are shown: columns and rows, how many columns the board has where they go round, and the first of each.

    Then the middle of the first square, were it in a column of odd number, and how far it is to the next column and row.
    """
    round = view.board.columns if view.board.wraps else 0
    x, y, across, down = view.spots
    spots = " ".join(f"{value:.3f}".rstrip("0").rstrip(".") for value in (x, y, across, down))
    counts = f"{view.columns} {view.rows} {round} {view.first_column} {view.first_row}"
    return f'<g data-grid="{counts} {spots}" data-shape="{view.shape}"/>'


def _runs(view: View) -> Iterator[tuple[str, int, int, int]]:
    """Squares below each other of one terrain: which, in which column and from which row shown, and how many."""
    shown = {(at, row): name for row in range(view.rows) for at, name in view.row(row)}
    for column in range(view.columns):
        terrain = [
            view.board.squares[shown[column, r]].terrain if (column, r) in shown else "" for r in range(view.rows)
        ]
        for kind, run in groupby(range(view.rows), key=terrain.__getitem__):
            first, *more = run
            if kind:
                yield kind, column, first, 1 + len(more)


def _strips(view: View) -> str:
    """Such squares as one, in units of a column and half a row; what there is most of lies below all others."""
    kinds: dict[str, list[str]] = {}
    for terrain, column, first, many in _runs(view):
        lower = (view.first_column + column) % 2 == 0
        kinds.setdefault(terrain, []).append(f"M{column} {2 * first + lower}h1v{2 * many}h-1z")
    x, y, across, down = view.spots
    there = f"translate({px(x - across / 2)} {px(y - down / 2)}) scale({across:.3f} {down / 2:.3f})"
    if len(view.middles) == view.columns * view.rows:
        most = max(kinds, key=lambda terrain: len(kinds[terrain]))
        lows = [(view.first_column + column) % 2 == 0 for column in range(view.columns)]
        below = [f"M{column} {lower:d}h1v{2 * view.rows}h-1z" for column, lower in enumerate(lows)]
        kinds = {most: below, **{terrain: of for terrain, of in kinds.items() if terrain != most}}
    strips = "".join(f'<path class="em-{terrain}" d="{"".join(of)}"/>' for terrain, of in kinds.items())
    return f'<g transform="{there}" shape-rendering="crispEdges">{strips}</g>'


def _textures(view: View) -> Iterator[str]:
    for terrain, (style, sign) in _TEXTURES.items():
        drawn = [
            sign.format(f"M{px(x - view.radius * 0.62)} {px(y + 4)}")
            for name, (x, y) in view.middles.items()
            if view.board.squares[name].terrain == terrain
        ]
        if drawn:
            yield f'<path d="{"".join(drawn)}" class="em-{style}"/>'


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
    courses: dict[str, list[tuple[str, str]]] = {}
    for name, lying in view.board.borders.items():
        for here, way in view.sides_shown(name):
            for what in lying:
                if what in _COURSES:
                    (a, b), (c, d) = view.side(here, way)
                    courses.setdefault(what, []).append((f"{px(a)} {px(b)}", f"{px(c)} {px(d)}"))
                else:
                    found.setdefault(what, []).append(_drawn(view, what, here, way))
    found |= {what: [_course(sides)] for what, sides in courses.items()}
    order = ("divided", "river", "double river", "falls", "reef", "mountain")
    style = {what: what.replace("double river", "dr").replace(" ", "-") for what in order}
    groups = [f'<path class="em-b-{style[what]}" d="{"".join(found[what])}"/>' for what in order if what in found]
    if "double river" in found:
        at = order.index("double river")
        inner = f'<path class="em-b-di" d="{"".join(found["double river"])}"/>'
        groups.insert(sum(what in found for what in order[: at + 1]), inner)
    return "".join(groups)


_COURSES = ("river", "double river", "divided")


def _course(sides: list[tuple[str, str]]) -> str:
    """Borders as lines that go on from corner to corner: a corner where two meet is written once."""
    at: dict[str, list[str]] = {}
    for one, other in sides:
        at.setdefault(one, []).append(other)
        at.setdefault(other, []).append(one)
    drawn = []
    for start in sorted(at, key=lambda corner: len(at[corner]) % 2 == 0):  # where a line ends, first
        while at[start]:
            here, line = start, [start]
            while at[here]:
                there = at[here].pop()
                at[there].remove(here)
                line.append(there)
                here = there
            drawn.append(f"M{line[0]}L{' '.join(line[1:])}")
    return "".join(drawn)


def _drawn(view: View, what: str, here: str, way: str) -> str:
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
    raise ValueError(f"nothing is drawn for {what}")


def _signs(what: str, a: float, b: float, c: float, d: float, radius: float) -> Iterator[str]:
    """Peaks or crosses in a row along a border."""
    places = (0.15, 0.5, 0.85) if radius >= 14 else (0.5,)
    for part in places:
        x, y = a + (c - a) * part, b + (d - b) * part
        if what == "mountain":
            yield f"M{px(x - 3.2)} {px(y + 3.5)}{_PEAK}"
        else:
            yield f"M{px(x - 2.2)} {px(y - 2.2)}l4.4 4.4m0-4.4l-4.4 4.4"
