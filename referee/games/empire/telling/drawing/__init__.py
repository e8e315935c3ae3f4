"""The map as a picture, its key below; a large one whole, small, and a window of it. Nothing reads a drawing back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from referee.core.event import Event
from referee.core.names import Reader
from referee.core.page import Drawing
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.telling.drawing.ground import (
    SIGNS,
    definitions,
    features,
    food_sign,
    networks,
    plate,
    riches,
    tiles,
)
from referee.games.empire.telling.drawing.pieces import COLOURS, SORTS, colours, letters, on_plate, pieces, trails
from referee.games.empire.telling.drawing.view import (
    COUNTRY,
    NARROW,
    SAID,
    TERRAINS,
    TITLE,
    UNITS,
    Box,
    View,
    fitting,
    ink,
    page_style,
    style,
)
from referee.kit import drawing
from referee.kit.drawing import Mark, column, label, part, px, row
from referee.kit.hexes import place_of
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- key
# The meaning of colours, lines and signs, below the map: half of it below each half of the map.


def key(empire: Empire, widths: Sequence[int]) -> tuple[list[str], int]:
    """The key in one column or two of these widths, and how tall it is."""
    living = {name: colour for name, colour in colours(empire).items() if not empire.countries[name].dead}
    half = (len(living) + 1) // 2
    named = [*_countries(empire, living)]
    groups = ([named[:half], [*_terrains()], [*_borders()]], [named[half:], [*_pieces()], [*_goods()]])
    shown = groups if len(widths) > 1 else [[group for both in zip(*groups, strict=True) for group in both]]
    drawn = [column(some, width) for some, width in zip(shown, widths, strict=True)]
    return [inside for inside, _ in drawn], max(height for _, height in drawn)


def _countries(empire: Empire, living: Mapping[str, str]) -> Iterator[Mark]:
    """Every country there is with its colour, its letter and its owner."""
    for name, colour in living.items():
        owner = empire.countries[name].owner
        said = label(name if owner == name else f"{name} ({owner})", COUNTRY)
        yield row((_flag(letters(empire)[name], colour), said), 4)


def _flag(letter: str, colour: str) -> Mark:
    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 10)}" width="22" height="13" rx="2" fill="{colour}" class="em-pl"/>'
        return box + drawing.words(letter, x + 11, y, UNITS, ink(colour), anchor=0.5)

    return Mark(22, draw)


def _meaning(sign: str, name: str) -> Mark:
    """A sign, drawn from the upper left corner of a square of 18, and what it means."""
    drawn = Mark(18, lambda x, y: f'<g transform="translate({px(x)} {px(y - 12)})">{sign}</g>')
    return row((drawn, label(name, SAID)), 3)


def _terrains() -> Iterator[Mark]:
    for terrain in TERRAINS:
        yield _meaning(f'<g class="em-grid"><rect y="2" width="15" height="12" class="em-{terrain}"/></g>', terrain)
    yield _meaning(food_sign("farm", 9, 8), "farm")
    yield _meaning(food_sign("fish", 9, 8), "fish")
    yield row((plate("delta", "\N{GREEK CAPITAL LETTER DELTA}"), label("delta", SAID)))
    yield row((plate("power", "Pw"), label("power", SAID)))
    yield row((plate("Fe", "Fe2"), label("double iron", SAID)))


def _borders() -> Iterator[Mark]:
    lines = (
        ("river", '<path class="em-b-river" d="M0 8h16"/>'),
        ("double river", '<path class="em-b-dr" d="M0 8h16"/><path class="em-b-di" d="M0 8h16"/>'),
        ("falls", '<path class="em-b-river" d="M0 8h16"/><path class="em-b-falls" d="M5 3v10M8 3v10M11 3v10"/>'),
        ("mountains", '<path class="em-b-mountain" d="M1 12l3.2-7 3.2 7zM8 12l3.2-7 3.2 7z"/>'),
        ("reef", '<path class="em-b-reef" d="M2 6l4.4 4.4m0-4.4l-4.4 4.4M10 6l4.4 4.4m0-4.4l-4.4 4.4"/>'),
        ("divided square", '<path class="em-b-divided" d="M0 8h16"/>'),
        ("road", '<path class="em-n-road" d="M0 8h16"/>'),
        ("railroad", '<path class="em-n-rail" d="M0 8h16"/><path class="em-n-ties" d="M0 8h16"/>'),
        ("power line", '<path class="em-n-power" d="M0 8h16"/>'),
        ("pipeline", '<path class="em-n-pipe" d="M0 8h16"/>'),
        ("canal", '<path class="em-n-canal" d="M2 8h13"/>'),
        ("bridge", '<path class="em-n-bridge" d="M4 8h9"/>'),
        ("tunnel", '<path class="em-n-tunnel" d="M0 8h16"/>'),
    )
    return (_meaning(sign, name) for name, sign in lines)


def _pieces() -> Iterator[Mark]:
    box = f'<rect x="3" y="3" width="11" height="11" fill="{COLOURS[1]}" class="em-ci"/>'
    star = '<path d="M8.5 4l1 3h3l-2.4 1.9.9 3-2.5-1.8L6 11.9l.9-3L4.500 7h3z" class="em-w"/>'
    yield _meaning(box, "city")
    yield _meaning(box + star, "capital")
    yield _meaning('<circle cx="9" cy="8" r="5" class="em-si"/>', "site without a city")
    yield _meaning('<path d="M3 12v-7l4 3v-3l4 3v-6h4v10z" class="em-fc"/>', "installation")
    yield _meaning('<path d="M5 12l4-8 4 8z" class="em-wk"/>', "being built")
    yield _meaning('<circle cx="9" cy="8" r="6" class="em-st"/>', "natural start area")
    ring = '<path d="M5 2h7l4 6-4 6H5L1 8z" fill="none" stroke="#c1272d" stroke-width="2.2"/>'
    yield _meaning(ring, "worked by a country")
    counts = ", ".join(f"{letter} {sort}" for letter, sort in SORTS.items())
    yield row((on_plate("A 2p", COLOURS[0]), label("units:", SAID)), 4)
    yield label(counts, SAID)


def _goods() -> Iterator[Mark]:
    for family, sign in SIGNS.items():
        yield _meaning(f'<g transform="translate(6 3)">{sign}</g>', family)
    trail = '<path d="M0 8h12" class="em-tw"/><path d="M0 8h12" class="em-tr" stroke="#c1272d"/>'
    yield _meaning(f'{trail}<path d="M16 8l-6-3v6z" fill="#c1272d"/>', "moved in this slot")


_COLUMNS, _ROWS, _RADIUS = 24, 18, 24.0
"""The part of a board that can be read at some 900 pixels."""

_TOP = 28
_WIDE = 912
"""How wide the drawing of a board is that is cut in two for a telephone."""

_OVERVIEW = 360
"""How tall a whole board may be beside the key."""


def chart(empire: Empire, reader: Reader | None = None, happened: Sequence[Event] = ()) -> Drawing:
    """The map of a position, for a reader round his own country; everything is open, so it differs in nothing else.

    Units moved in the slot that has just `happened` leave trails.
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
    shapes = "".join(one.shapes() for one in (*overview, view))
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
    board = f"The map shows the board ({empire.board.name}), {empire.board.columns} columns by {empire.board.rows} rows"
    return f"{board}: {in_a_row(held)}." if held else f"{board}, with no country on it yet."


def _part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of the drawing with its own zero point."""
    return part(x, y, width, height, f'<g class="em">{inside}</g>')


def _title(empire: Empire, room: int) -> str:
    when = f"turn {empire.turn}" if empire.turn else "zero turn"
    said = f"Empire: {empire.board.name}, {'the end, ' if empire.ended else ''}{when}"
    while TITLE.width(said) > room:
        said = f"{said.removesuffix('...')[:-1]}..."
    return drawing.words(said, 8, 19, TITLE)


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
    """The part of the map that is the same all match long, and the boxes of its writing."""
    view, found = key.view, [*riches(key.view)]
    drawn = "".join((tiles(view), features(view), *(plates for _, plates in found), view.numbers()))
    return drawn, tuple(box for box, _ in found)


def _starts(view: View) -> Iterator[str]:
    """The natural start areas, until the first capital stands."""
    for at in view.board.starts:
        if at in view.middles:
            x, y = view.middles[at]
            yield f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(view.radius * 0.8)}" class="em-st"/>'
