"""The map as a picture: a small board whole; a larger one whole and small, and a window of it large enough to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.core.event import Event
from referee.core.names import Reader
from referee.core.page import Drawing
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.telling.drawing.ground import definitions, features, networks, riches, tiles
from referee.games.empire.telling.drawing.key import key
from referee.games.empire.telling.drawing.pieces import pieces, trails
from referee.games.empire.telling.drawing.view import NARROW, TITLE, Box, View, fitting, page_style, style
from referee.kit.drawing.lettering import words
from referee.kit.drawing.svg import part, px
from referee.kit.hexes import place_of
from referee.kit.wording import counted, in_a_row

_COLUMNS, _ROWS, _RADIUS = 24, 18, 24.0
"""The part of a board that can be read at some 900 pixels."""

_TOP = 28
_WIDE = 912
"""How wide the drawing of a board is that is cut in two for a telephone."""

_OVERVIEW = 360
"""How tall a whole board may be beside the key."""


def chart(empire: Empire, reader: Reader | None = None, happened: Sequence[Event] = ()) -> Drawing:
    """The map of a position, for a reader round his own country; everything is open, so it differs in nothing else.

    What was moved in the slot that has just `happened` leaves trails.
    """
    *overview, view = _views(empire, reader)
    width = _WIDE if view.seam else NARROW
    seam = width // 2 if width > NARROW else 0
    y, parts = _TOP, [_part(0, 0, seam or width, _TOP, _title(empire, (seam or width) - 16))]
    for small in overview:
        parts += _map(empire, small, 0, y, _frame(small, view), happened)
        (inside,), tall = key(empire, (width - seam,))
        parts.append(_part(seam, y, width - seam, tall, inside))
        y += max(small.height, tall)
    parts += _map(empire, view, round(seam - view.seam) if seam else (width - view.width) // 2, y, "", happened)
    y += view.height
    if not overview:
        columns = (seam, width - seam) if seam else (width,)
        keys, tall = key(empire, columns)
        parts += [_part(at * seam, y, columns[at], tall, inside) for at, inside in enumerate(keys)]
        y += tall
    size = f'viewBox="0 0 {width} {y}" width="{width}" height="{y}"' + (f' data-seam="{seam}"' if seam else "")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><style>{style()}</style>'
    shapes = "".join(f'<path id="{one.shape}" d="{one.hexagon()}"/>' for one in (*overview, view))
    paper = _part(0, 0, width, y, f'<rect width="{width}" height="{y}" class="em-paper"/>')
    dark = f'<g class="touch"><style>{page_style()}</style></g>'
    drawn = "".join((head, f"<defs>{shapes}{definitions()}</defs>", paper, *parts, dark, "</svg>"))
    return Drawing(drawn, instead_of_chart(empire))


def instead_of_chart(empire: Empire) -> str:
    """The sentence for those who see no pictures."""
    living = [country for country in empire.countries.values() if not country.dead]
    held = [
        f"{c.name} {counted(sum(city.country == c.name for city in empire.cities.values()), 'cities')}" for c in living
    ]
    board = f"The map shows {empire.board.name}, {empire.board.columns} columns by {empire.board.rows} rows"
    return f"{board}: {in_a_row(held)}." if held else f"{board}, with no country on it yet."


def _part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of the drawing with its own zero point."""
    return part(x, y, width, height, f'<g class="em">{inside}</g>')


def _title(empire: Empire, room: int) -> str:
    when = f"turn {empire.turn}" if empire.turn else "zero turn"
    said = f"Empire: {empire.board.name}, {'the end, ' if empire.ended else ''}{when}"
    while TITLE.width(said) > room:
        said = f"{said.removesuffix('...')[:-1]}..."
    return words(said, 8, 19, TITLE)


# ---------------------------------------------------------------- which part of the board


def _views(empire: Empire, reader: Reader | None) -> tuple[View, ...]:
    board = empire.board
    if board.columns <= _COLUMNS and board.rows <= _ROWS + 6:
        return (View(board, _RADIUS, board.columns, board.rows),)
    small = View(board, fitting(board, _WIDE // 2, _OVERVIEW), board.columns, board.rows)
    column, row = place_of(_heart(empire, reader))
    columns, rows = min(_COLUMNS, board.columns), min(_ROWS, board.rows)
    first = column - columns * 3 // 8  # in the west half, where a telephone begins
    first = (first - 1) % board.columns + 1 if board.wraps else min(max(first, 1), board.columns - columns + 1)
    return small, View(board, _RADIUS, columns, rows, first, min(max(row - rows // 2, 1), board.rows - rows + 1))


def _heart(empire: Empire, reader: Reader | None) -> str:
    """The square in the middle of the window: the reader's capital, else any city or unit of his, else whose slot it is."""
    for seat in (reader, empire.active, *empire.seats):
        own = [country.name for country in empire.owned(seat)] if isinstance(seat, str) else []
        cities = sorted((city for city in empire.cities.values() if city.country in own), key=lambda c: not c.capital)
        places = [city.at for city in cities] + [unit.at for unit in empire.units.values() if unit.country in own]
        if places:
            return places[0]
    return empire.board.starts[0] if empire.board.starts else next(iter(empire.board.squares))


def _frame(small: View, window: View) -> str:
    """Where the window lies on the small map, in two pieces across the seam."""
    places = [small.middles[name] for name in window.middles if name in small.middles]
    middle = small.width / 2
    far = max(x for x, _ in places) - min(x for x, _ in places) > (window.columns + 1) * 1.5 * small.radius
    groups = [[p for p in places if p[0] < middle], [p for p in places if p[0] >= middle]] if far else [places]
    return "".join(_round(group, small.radius) for group in groups if group)


def _round(places: list[tuple[float, float]], radius: float) -> str:
    left, right = min(x for x, _ in places) - radius, max(x for x, _ in places) + radius
    top, low = min(y for _, y in places) - radius, max(y for _, y in places) + radius
    return f'<rect x="{px(left)}" y="{px(top)}" width="{px(right - left)}" height="{px(low - top)}" class="em-win"/>'


# ---------------------------------------------------------------- layers


def _map(empire: Empire, view: View, x: int, y: int, frame: str, happened: Sequence[Event]) -> Iterator[str]:
    yield _part(x, y, view.width, view.height, _ground(_Key(view))[0])
    built = networks(view, ways_of(empire)) if view.detailed else None
    over = (built, trails(view, empire, happened), *pieces(view, empire, _ground(_Key(view))[1]))
    for (left, top, width, height), drawn in filter(None, over):
        yield _part(x + left, y + top, width, height, f'<g transform="translate({-left} {-top})">{drawn}</g>')
    above = ("".join(_starts(view)) if not empire.cities else "") + frame
    if above:
        yield _part(x, y, view.width, view.height, above)


class _Key:
    """A view that is the same as another when it shows the same squares of the same board."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.key = (id(view.board), view.radius, view.columns, view.rows, view.first_column, view.first_row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.view.board is other.view.board and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=24)
def _ground(key: _Key) -> tuple[str, tuple[Box, ...]]:
    """What is the same all match long, and where something is written in it."""
    view, found = key.view, [*riches(key.view)]
    drawn = "".join((tiles(view), features(view), *(plates for _, plates in found), view.numbers()))
    return drawn, tuple(box for box, _ in found)


def _starts(view: View) -> Iterator[str]:
    """The natural start areas, until the first capital stands."""
    for at in view.board.starts:
        if at in view.middles:
            x, y = view.middles[at]
            yield f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(view.radius * 0.8)}" class="em-st"/>'
