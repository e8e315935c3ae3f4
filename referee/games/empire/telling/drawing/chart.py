"""The map as a picture: a small board whole; a larger one whole and small, and a window of it large enough to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from xml.sax.saxutils import escape

from referee.core.event import Event
from referee.core.names import Reader
from referee.core.page import Drawing
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import ways_of
from referee.games.empire.telling.drawing.goods import SIGNS as GOODS
from referee.games.empire.telling.drawing.goods import definitions, plate
from referee.games.empire.telling.drawing.ground import FILLS, features, food_sign, riches, tiles
from referee.games.empire.telling.drawing.networks import networks
from referee.games.empire.telling.drawing.pieces import COLOURS, SORTS, colours, ink, letters, pieces
from referee.games.empire.telling.drawing.trails import trails
from referee.games.empire.telling.drawing.view import View, px
from referee.kit.hexes import place_of
from referee.kit.wording import counted, in_a_row

_COLUMNS, _ROWS, _RADIUS = 24, 18, 24.0
"""The part of a board that can be read at some 900 pixels."""

_TOP, _LINE, _FOOT = 28, 19, 74
_WIDE = 912
"""What the key needs; a narrower board stands in the middle."""

_STYLE = (
    "text{font:9px Arimo,Arial,'Liberation Sans',Helvetica,sans-serif;fill:#111}.t{font-size:15px;font-weight:bold}"
    ".ax{font-size:8px;text-anchor:middle;fill:#555}.re{font-size:9px;font-weight:bold;fill:#222}.un{font-size:8px;font-weight:bold;text-anchor:middle}"
    ".ca{font-size:11px;font-weight:bold;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".na{font-size:9px;font-weight:bold;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:2.4px}.k{fill:#000}.w{fill:#fff}"
    ".pl{stroke:#000;stroke-width:.6}.ci{stroke:#000;stroke-width:1.2}.fa{fill:none;stroke:#6b7d00;stroke-width:1.3}.fi{fill:#1b6ea8}"
    ".fo{fill:#4c8a3c;stroke:#4c8a3c;stroke-width:.8}.sw{fill:none;stroke:#4d6a57;stroke-width:1}"
    ".du{fill:none;stroke:#a8782a;stroke-width:1.8;stroke-linecap:round}"
    ".si{fill:none;stroke:#111;stroke-width:1.2;stroke-dasharray:2 2}.fc{fill:#444}.wk{fill:#fff;stroke:#a00018;stroke-width:1.4}"
    ".at{fill:none;cursor:pointer}.rp{stroke:#fff;stroke-width:.6}"
    ".rw{font-size:9px;font-weight:bold;fill:#fff}"
    ".go{font-size:8px;font-weight:bold;paint-order:stroke;stroke:#fff;stroke-width:2px}"
    ".tw{fill:none;stroke:#fff;stroke-width:3.4;stroke-opacity:.8;stroke-linejoin:round}"
    ".tr{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-dasharray:5 2}.th{stroke:#fff;stroke-width:.7}"
    ".st{fill:none;stroke:#a00018;stroke-width:1;stroke-dasharray:3 2}"
    ".b-river{fill:none;stroke:#2b7fd0;stroke-width:2.4;stroke-linecap:round}"
    ".b-dr{fill:none;stroke:#1c5fa8;stroke-width:6;stroke-linecap:round}"
    ".b-di{fill:none;stroke:#bfe0f7;stroke-width:2.6;stroke-linecap:round}.b-falls{fill:none;stroke:#0b2f66;stroke-width:1.3}"
    ".b-reef{fill:none;stroke:#8a2f73;stroke-width:1.5}.b-mountain{fill:#2a2320;stroke:#fff;stroke-width:.5}"
    ".b-divided{fill:none;stroke:#111;stroke-width:11;stroke-opacity:.35}"
    ".n-canal{fill:none;stroke:#1c5fa8;stroke-width:4.5;stroke-linecap:round}.n-widening{fill:none;stroke:#5cb0ec;stroke-width:5}"
    ".n-pipe{fill:none;stroke:#2f6f57;stroke-width:2}.n-power{fill:none;stroke:#7a3fa0;stroke-width:1.5;stroke-dasharray:4 2}"
    ".n-road{fill:none;stroke:#a85a1e;stroke-width:2.6}.n-tunnel{fill:none;stroke:#a85a1e;stroke-width:2.6;stroke-dasharray:2 2}"
    ".n-rail{fill:none;stroke:#111;stroke-width:1.2}.n-ties{fill:none;stroke:#111;stroke-width:4.6;stroke-dasharray:1.2 3.2}"
    ".n-bridge{fill:none;stroke:#7a3c0a;stroke-width:5}.win{fill:none;stroke:#a00018;stroke-width:2}"
)


def chart(empire: Empire, reader: Reader | None = None, happened: Sequence[Event] = ()) -> Drawing:
    """The map of a position, for a reader round his own country; everything is open, so it differs in nothing else.

    What was moved in the slot that has just `happened` leaves trails.
    """
    views = _views(empire, reader)
    width, y = max(_WIDE, *(view.width for view in views)), _TOP
    parts = [_part(0, 0, width, _TOP, f'<text x="8" y="19" class="t">{escape(_title(empire))}</text>')]
    for number, view in enumerate(views):
        frame = _frame(view, views[1]) if number == 0 and len(views) > 1 else ""
        parts += _map(empire, view, (width - view.width) // 2, y, frame, happened)
        y += view.height
    named, rows = _countries(empire, width)
    parts.append(_part(0, y, width, rows * _LINE, named))
    parts.append(_part(0, y + rows * _LINE, width, _FOOT, _meanings()))
    height = y + rows * _LINE + _FOOT
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><style>{_STYLE}</style>'
    shapes = "".join(f'<path id="{view.shape}" d="{view.hexagon()}"/>' for view in views)
    paper = _part(0, 0, width, height, f'<rect width="{width}" height="{height}" fill="#fff"/>')
    return Drawing(
        "".join((head, f"<defs>{shapes}{definitions()}</defs>", paper, *parts, "</svg>")), instead_of_chart(empire)
    )


def instead_of_chart(empire: Empire) -> str:
    """The sentence for those who see no pictures."""
    living = [country for country in empire.countries.values() if not country.dead]
    held = [
        f"{c.name} {counted(sum(city.country == c.name for city in empire.cities.values()), 'cities')}" for c in living
    ]
    board = f"The map shows {empire.board.name}, {empire.board.columns} columns by {empire.board.rows} rows"
    return f"{board}: {in_a_row(held)}." if held else f"{board}, with no country on it yet."


def _part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of the drawing with its own zero point; pieces that stay the same are drawn only once."""
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}">{inside}</svg>'


def _title(empire: Empire) -> str:
    when = f"turn {empire.turn}" if empire.turn else "zero turn"
    return f"Empire: {empire.board.name}, {'the end, ' if empire.ended else ''}{when}"


# ---------------------------------------------------------------- which part of the board


def _views(empire: Empire, reader: Reader | None) -> tuple[View, ...]:
    board = empire.board
    if board.columns <= _COLUMNS and board.rows <= _ROWS + 6:
        return (View(board, _RADIUS, board.columns, board.rows),)
    small = View(board, (_RADIUS * (1.5 * _COLUMNS + 0.5)) / (1.5 * board.columns + 0.5), board.columns, board.rows)
    column, row = place_of(_heart(empire, reader))
    columns, rows = min(_COLUMNS, board.columns), min(_ROWS, board.rows)
    first = column - columns // 2
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
    return f'<rect x="{px(left)}" y="{px(top)}" width="{px(right - left)}" height="{px(low - top)}" class="win"/>'


# ---------------------------------------------------------------- layers


def _map(empire: Empire, view: View, x: int, y: int, frame: str, happened: Sequence[Event]) -> Iterator[str]:
    yield _part(x, y, view.width, view.height, _ground(_Key(view)))
    built = networks(view, ways_of(empire))
    if built:
        yield _part(x, y, view.width, view.height, built)
    moved = trails(view, empire, happened)
    if moved:
        (left, top, width, height), lines = moved
        yield _part(x + left, y + top, width, height, f'<g transform="translate({-left} {-top})">{lines}</g>')
    for (left, top, width, height), marks in pieces(view, empire):
        yield _part(x + left, y + top, width, height, f'<g transform="translate({-left} {-top})">{marks}</g>')
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
def _ground(key: _Key) -> str:
    view = key.view
    return tiles(view) + features(view) + riches(view) + view.numbers()


def _starts(view: View) -> Iterator[str]:
    """The natural start areas, until the first capital stands."""
    for at in view.board.starts:
        if at in view.middles:
            x, y = view.middles[at]
            yield f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(view.radius * 0.8)}" class="st"/>'


# ---------------------------------------------------------------- legend


def _countries(empire: Empire, width: int) -> tuple[str, int]:
    """Every country there is with its colour and owner, in as many lines as it takes, and how many these are."""
    found, x, row, short = [], 8.0, 0, letters(empire)
    for name, colour in colours(empire).items():
        country = empire.countries[name]
        if country.dead:
            continue
        said = name if country.owner == name else f"{name} ({country.owner})"
        wide = 40 + 5.8 * len(said)
        if x + wide > width and x > 8:
            x, row = 8.0, row + 1
        y = row * _LINE
        found.append(f'<rect x="{px(x)}" y="{y + 4}" width="20" height="12" fill="{colour}" class="pl"/>')
        found.append(f'<text x="{px(x + 10)}" y="{y + 13}" class="un {ink(colour)}">{escape(short[name])}</text>')
        found.append(f'<text x="{px(x + 24)}" y="{y + 13.5}" style="font-weight:bold">{escape(said)}</text>')
        x += wide
    return "".join(found), row + 1


def _meanings() -> str:
    """What every colour and mark means, in four lines."""
    return "".join((_terrain_line(), _border_line(), _piece_line(), _goods_line()))


def _terrain_line() -> str:
    found, x = [], 8.0
    for terrain, fill in FILLS.items():
        found.append(
            f'<rect x="{px(x)}" y="3" width="14" height="11" fill="{fill}" stroke="#8d8d80" stroke-width=".6"/>'
        )
        found.append(f'<text x="{px(x + 17)}" y="12">{terrain}</text>')
        x += 26 + 4.9 * len(terrain)
    found.append(food_sign("farm", x + 4, 8) + f'<text x="{px(x + 12)}" y="12">farm</text>')
    found.append(food_sign("fish", x + 44, 8) + f'<text x="{px(x + 52)}" y="12">fish</text>')
    found.append(f'<text x="{px(x + 78)}" y="12">Δ delta, Pw power; ring: worked by that country</text>')
    return "".join(found)


def _border_line() -> str:
    marks = (
        ("river", '<path class="b-river" d="M0 8h18"/>'),
        ("double river", '<path class="b-dr" d="M0 8h18"/><path class="b-di" d="M0 8h18"/>'),
        ("falls", '<path class="b-river" d="M0 8h18"/><path class="b-falls" d="M6 3v10M9 3v10M12 3v10"/>'),
        ("mountains", '<path class="b-mountain" d="M1 12l3.2-7 3.2 7zM8 12l3.2-7 3.2 7z"/>'),
        ("reef", '<path class="b-reef" d="M2 6l4.4 4.4m0-4.4l-4.4 4.4M10 6l4.4 4.4m0-4.4l-4.4 4.4"/>'),
        ("divided square", '<path class="b-divided" d="M0 8h18"/>'),
        ("road", '<path class="n-road" d="M0 8h18"/>'),
        ("railroad", '<path class="n-rail" d="M0 8h18"/><path class="n-ties" d="M0 8h18"/>'),
        ("power line", '<path class="n-power" d="M0 8h18"/>'),
        ("pipeline", '<path class="n-pipe" d="M0 8h18"/>'),
        ("canal", '<path class="n-canal" d="M2 8h14"/>'),
        ("bridge", '<path class="n-bridge" d="M4 8h10"/>'),
        ("tunnel", '<path class="n-tunnel" d="M0 8h18"/>'),
    )
    return _in_line(marks, 18)


def _piece_line() -> str:
    box = f'<rect x="3" y="3" width="11" height="11" fill="{COLOURS[1]}" class="ci"/>'
    star = '<path d="M8.5 4l1 3h3l-2.4 1.9.9 3-2.5-1.8L6 11.9l.9-3L4.500 7h3z" class="w"/>'
    plate = f'<rect y="3" width="18" height="10.4" rx="2" fill="{COLOURS[0]}" class="pl"/>'
    counts = ", ".join(f"{letter} {sort}" for letter, sort in SORTS.items())
    marks = (
        ("city", box), ("capital", box + star),
        ("site without a city", '<circle cx="9" cy="8" r="5" class="si"/>'),
        ("installation", '<path d="M3 12v-7l4 3v-3l4 3v-6h4v10z" class="fc"/>'),
        ("being built", '<path d="M5 12l4-8 4 8z" class="wk"/>'),
        ("natural start area", '<circle cx="9" cy="8" r="6" class="st"/>'),
        (f"units of a country: {counts}", plate),
    )  # fmt: skip
    return _in_line(marks, 35)


def _goods_line() -> str:
    iron, wide = plate("Fe", "Fe2", 0, 8)
    trail = '<path d="M0 8h14" class="tw"/><path d="M0 8h14" class="tr" stroke="#c1272d"/><path d="M18 8l-6-3v6z" fill="#c1272d"/>'
    marks = (
        *((family, f'<g transform="translate(9 4)">{drawn}</g>') for family, drawn in GOODS.items()),
        ("double iron", f'<g transform="translate({px(19 - wide)} 0)">{iron}</g>'),
        ("moved in this slot", trail),
    )
    return _in_line(marks, 53)


def _in_line(marks: tuple[tuple[str, str], ...], y: int) -> str:
    found, x = [], 8.0
    for name, sign in marks:
        found.append(f'<g transform="translate({px(x)} {y})">{sign}<text x="21" y="12">{name}</text></g>')
        x += 29 + 4.9 * len(name)
    return "".join(found)
