"""What colours, lines and signs on the map mean, below it: half of it below each half of the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.games.empire.position.state import Empire
from referee.games.empire.telling.drawing.ground import SIGNS, food_sign, plate
from referee.games.empire.telling.drawing.pieces import COLOURS, SORTS, colours, letters, on_plate
from referee.games.empire.telling.drawing.view import COUNTRY, SAID, TERRAINS, UNITS, ink
from referee.kit.drawing import lettering
from referee.kit.drawing.marks import Mark, column, row, words
from referee.kit.drawing.svg import px


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
        said = words(name if owner == name else f"{name} ({owner})", COUNTRY)
        yield row((_flag(letters(empire)[name], colour), said), 4)


def _flag(letter: str, colour: str) -> Mark:
    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 10)}" width="22" height="13" rx="2" fill="{colour}" class="em-pl"/>'
        return box + lettering.words(letter, x + 11, y, UNITS, ink(colour), anchor=0.5)

    return Mark(22, draw)


def _meaning(sign: str, name: str) -> Mark:
    """A sign, drawn from the upper left corner of a square of 18, and what it means."""
    drawn = Mark(18, lambda x, y: f'<g transform="translate({px(x)} {px(y - 12)})">{sign}</g>')
    return row((drawn, words(name, SAID)), 3)


def _terrains() -> Iterator[Mark]:
    for terrain in TERRAINS:
        yield _meaning(f'<g class="em-grid"><rect y="2" width="15" height="12" class="em-{terrain}"/></g>', terrain)
    yield _meaning(food_sign("farm", 9, 8), "farm")
    yield _meaning(food_sign("fish", 9, 8), "fish")
    yield row((plate("delta", "\N{GREEK CAPITAL LETTER DELTA}"), words("delta", SAID)))
    yield row((plate("power", "Pw"), words("power", SAID)))
    yield row((plate("Fe", "Fe2"), words("double iron", SAID)))


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
    yield row((on_plate("A 2p", COLOURS[0]), words("units:", SAID)), 4)
    yield words(counts, SAID)


def _goods() -> Iterator[Mark]:
    for family, sign in SIGNS.items():
        yield _meaning(f'<g transform="translate(6 3)">{sign}</g>', family)
    trail = '<path d="M0 8h12" class="em-tw"/><path d="M0 8h12" class="em-tr" stroke="#c1272d"/>'
    yield _meaning(f'{trail}<path d="M16 8l-6-3v6z" fill="#c1272d"/>', "moved in this slot")
