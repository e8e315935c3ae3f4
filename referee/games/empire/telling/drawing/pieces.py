"""What countries have on a map: cities, factories, worked squares, works, and units counted by what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from referee.games.empire.boards.seating import NAMES
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import City, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.telling.drawing.goods import heap, heaps
from referee.games.empire.telling.drawing.once import once_a_position
from referee.games.empire.telling.drawing.view import View, px

COLOURS = (
    "#c1272d", "#1f5fae", "#2f8f3a", "#e0b000", "#7a3fa0", "#e07b1a", "#111111", "#0f8f92",
    "#e58fb4", "#7a4a17", "#6f7480", "#a6c72b",
)  # fmt: skip
"""Of countries: first those the game began with, then the others while they last; then again from the first."""

SEAT_COLOURS: Mapping[str, str] = dict(zip(NAMES, COLOURS, strict=False))
"""The colour of each country that is a seat."""

SORTS = {"p": "people", "m": "military", "v": "vehicles", "s": "ships", "a": "planes"}
"""What the small letters behind a number of units mean."""

_ROWS = 2
_ROOM = 70
"""Pixels round the middle of a square that what stands in it may take."""


@once_a_position
def colours(empire: Empire) -> dict[str, str]:
    """Every country's colour: that of its seat's name, or else the next that is free in the order of COLOURS.

    A country the game began with keeps its own all the time.
    """
    ranked = _ranked(empire)
    free = [colour for colour in COLOURS if colour not in {SEAT_COLOURS.get(name) for name in ranked}] or [*COLOURS]
    others = [name for name in ranked if name not in SEAT_COLOURS]
    taken = {name: free[at % len(free)] for at, name in enumerate(others)}
    return {name: SEAT_COLOURS.get(name) or taken[name] for name in ranked}


def _ranked(empire: Empire) -> list[str]:
    """The countries the game began with, those that came later, and last the later ones that are gone."""
    return sorted(empire.countries, key=lambda name: _rank(empire.countries[name]))


def _rank(country: Country) -> int:
    return 0 if country.origin == "starting" else 2 if country.dead else 1


@once_a_position
def letters(empire: Empire) -> dict[str, str]:
    """Every country's short name: as few first letters as tell it from those before it, or its number."""
    found: dict[str, str] = {}
    for at, name in enumerate(_ranked(empire), 1):
        plain = "".join(sign for sign in name if sign.isalnum())
        shorts = [plain[:size].capitalize() for size in (1, 2, 3) if len(plain) >= size]
        found[name] = next((short for short in shorts if short not in found.values()), str(at))
    return found


def ink(colour: str) -> str:
    """The class of letters that can be read on a colour: `k` black, `w` white."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "k" if 299 * red + 587 * green + 114 * blue > 140_000 else "w"


def sort_of(unit: Unit) -> str:
    """What a unit counts as on the map, see SORTS."""
    kind = KINDS[unit.kind]
    if kind.category == "land":
        return "m" if kind.military else "p" if kind.person else "v"
    return {"naval": "s", "air": "a"}.get(kind.category, "v")


class Group(NamedTuple):
    """What one country has on the map, and the box in which it lies: left, top, width, height in whole pixels."""

    box: tuple[int, int, int, int]
    marks: str


def pieces(view: View, empire: Empire) -> Iterator[Group]:
    """Everything that stands on the squares shown, a group a country, so that a slot redraws little; names last."""
    found: dict[str, list[_Mark]] = {}
    for mark in _marks(view, empire):
        found.setdefault(mark.country, []).append(mark)
    for marks in found.values():
        shown = "".join([mark.drawn for mark in marks])
        reached = "".join(_to_reach(view, empire, dict.fromkeys([mark.at for mark in marks if mark.stands])))
        yield Group(_box(view, [mark.at for mark in marks]), shown + reached)
    names = [_name(view, empire, city) for city in empire.cities.values() if city.at in view.middles]
    if names:
        yield Group((0, 0, view.width, view.height), "".join(names))


class _Mark(NamedTuple):
    """Something of a country in a square; `stands`: the square is reached by the keyboard for it."""

    country: str
    at: str
    drawn: str
    stands: bool = False


def _marks(view: View, empire: Empire) -> Iterator[_Mark]:
    """Marks on the squares shown, each country's in the order in which they lie on one another."""
    yield from _worked(view, empire)
    yield from _sites(view, empire)
    yield from _installed(view, empire)
    yield from _works(view, empire)
    for city in empire.cities.values():
        if city.at in view.middles:
            yield _Mark(city.country, city.at, _city(view, empire, city), True)
    yield from _lying(view, empire)
    for at, crowd in _crowds(empire).items():
        if at in view.middles:
            yield _Mark(next(iter(crowd)), at, _crowd(view, empire, at, crowd), empire.city_at(at) is None)


def _lying(view: View, empire: Empire) -> Iterator[_Mark]:
    """Goods that lie in squares; where two countries have some in one, those of the first."""
    if not view.detailed:
        return
    seen: set[str] = set()
    for (at, country), families in heaps(empire).items():
        if at in view.middles and at not in seen:
            seen.add(at)
            yield _Mark(country, at, heap(families, *view.middles[at]))


def _to_reach(view: View, empire: Empire, places: Iterable[str]) -> Iterator[str]:
    """Squares in which something stands, for the keyboard and for who has them read out."""
    if view.detailed:
        for at in places:
            x, y = view.middles[at]
            label = f' role="button" tabindex="0" aria-label={quoteattr(_said(empire)[at])}'
            yield f'<use id="at-{at}" data-place="{at}" href="#{view.shape}" x="{px(x)}" y="{px(y)}" class="at"{label}/>'


@once_a_position
def _said(empire: Empire) -> dict[str, str]:
    """What stands in each square in words: `c5r5: Port Arcadia, capital of Arcadia; Arcadia 2 people, 1 ships`."""
    found: dict[str, list[str]] = {}
    for city in empire.cities.values():
        found.setdefault(city.at, []).append(f"{city.name}, {'capital' if city.capital else 'city'} of {city.country}")
    for at, crowd in _crowds(empire).items():
        for country, sorts in crowd.items():
            units = ", ".join([f"{number} {SORTS[sort]}" for sort, number in sorts.items()])
            found.setdefault(at, []).append(f"{country} {units}")
    return {at: f"{at}: {'; '.join(said)}" for at, said in found.items()}


def _box(view: View, places: Sequence[str]) -> tuple[int, int, int, int]:
    """Round these squares, with room for what sticks out of them, inside the view."""
    xs, ys = zip(*(view.middles[at] for at in places), strict=True)
    left, top = max(0, int(min(xs)) - _ROOM), max(0, int(min(ys)) - _ROOM)
    return left, top, min(view.width, int(max(xs)) + _ROOM) - left, min(view.height, int(max(ys)) + _ROOM) - top


@once_a_position
def _crowds(empire: Empire) -> dict[str, dict[str, dict[str, int]]]:
    """Units by square, country and sort; those aboard count as well."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for unit in empire.units.values():
        sorts = found.setdefault(unit.at, {}).setdefault(unit.country, {})
        sorts[sort_of(unit)] = sorts.get(sort_of(unit), 0) + 1
    return found


def _crowd(view: View, empire: Empire, at: str, crowd: Mapping[str, Mapping[str, int]]) -> str:
    x, y = view.middles[at]
    if not view.detailed:
        return "" if empire.city_at(at) else _dot(x, y, colours(empire)[next(iter(crowd))])
    shown = list(crowd.items())[:_ROWS]
    left = len(crowd) - len(shown)
    top = y + view.radius * 0.36 - (6 if len(shown) > 1 else 0)
    rows = [_plate(empire, x, top + 11 * row, *entry) for row, entry in enumerate(shown)]
    more = f'<text x="{px(x + view.radius * 0.75)}" y="{px(top + 12)}" class="re">+{left}</text>' if left else ""
    return "".join(rows) + more


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{px(x)}" cy="{px(y)}" r="2.2" fill="{colour}" stroke="#fff" stroke-width=".6"/>'


def _plate(empire: Empire, x: float, y: float, country: str, sorts: Mapping[str, int]) -> str:
    """A country's units in a square: its letter, then how many of each sort."""
    colour = colours(empire).get(country, "#555")
    counts = " ".join(f"{sorts[sort]}{sort}" for sort in SORTS if sort in sorts)
    text = f"{letters(empire).get(country, '?')} {counts}"
    width = _width(text, 8) + 5
    plate = f'<rect x="{px(x - width / 2)}" y="{px(y - 5)}" width="{px(width)}" height="10.4" rx="2" fill="{colour}" class="pl"/>'
    return f'{plate}<text x="{px(x)}" y="{px(y + 3.1)}" class="un {ink(colour)}">{escape(text)}</text>'


def _width(text: str, size: float) -> float:
    narrow = sum(letter in " 1iljtrf" for letter in text)
    wide = sum(letter in "mwMWGOQ" for letter in text)
    return size * (0.6 * (len(text) - narrow - wide) + 0.4 * narrow + 0.9 * wide)


def _city(view: View, empire: Empire, city: City) -> str:
    x, y = view.middles[city.at]
    colour = colours(empire).get(city.country, "#555")
    half = max(view.radius * 0.22, 3.2)
    box = f'<rect x="{px(x - half)}" y="{px(y - half)}" width="{px(2 * half)}" height="{px(2 * half)}" fill="{colour}" class="ci"/>'
    return box + (_star(x, y, half * 0.8, ink(colour)) if city.capital else "")


def _star(x: float, y: float, r: float, style: str) -> str:
    points = ((0, -1), (0.23, -0.31), (0.95, -0.31), (0.36, 0.12), (0.59, 0.81), (0, 0.38), (-0.59, 0.81),
              (-0.36, 0.12), (-0.95, -0.31), (-0.23, -0.31))  # fmt: skip
    path = "L".join(f"{px(x + a * r)} {px(y + b * r)}" for a, b in points)
    return f'<path d="M{path}z" class="{style}"/>'


def _name(view: View, empire: Empire, city: City) -> str:
    """A city's name, inside the drawing; on a small map the letter of the country whose capital it is."""
    x, y = view.middles[city.at]
    if not view.detailed:
        letter = letters(empire).get(city.country, "?")
        return f'<text x="{px(x)}" y="{px(y - 6)}" class="ca">{escape(letter)}</text>' if city.capital else ""
    half = _width(city.name, 9) / 2 + 2
    middle = min(max(x, half), view.width - half) if 2 * half < view.width else x
    return f'<text x="{px(middle)}" y="{px(y - view.radius * 0.74)}" class="na">{escape(city.name)}</text>'


def _worked(view: View, empire: Empire) -> Iterator[_Mark]:
    """A ring in the colour of the country that works something in a square."""
    shown = colours(empire)
    for at, country in {worked.at: worked.country for worked in empire.worked}.items():
        if at in view.middles:
            x, y = view.middles[at]
            ring = f'<use href="#{view.shape}" x="{px(x / 0.9)}" y="{px(y / 0.9)}" transform="scale(.9)" fill="none" '
            yield _Mark(country, at, f'{ring}style="stroke:{shown.get(country, "#555")};stroke-width:2.2"/>')


def _sites(view: View, empire: Empire) -> Iterator[_Mark]:
    """Reproductive sites without a city."""
    cities = {city.at: city for city in empire.cities.values()}
    for at in empire.sites:
        if at in view.middles and at not in cities:
            x, y = view.middles[at]
            yield _Mark("", at, f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(view.radius * 0.2)}" class="si"/>')


def _installed(view: View, empire: Empire) -> Iterator[_Mark]:
    for at, factories in empire.factories.items():
        if at in view.middles and factories:
            x, y = view.middles[at]
            yield _Mark("", at, f'<path d="M{px(x - 6)} {px(y + 4)}v-7l4 3v-3l4 3v-6h4v10z" class="fc"/>')


def _works(view: View, empire: Empire) -> Iterator[_Mark]:
    """What is being built."""
    for work in empire.works:
        if work.at in view.middles and view.detailed:
            x, y = view.middles[work.at]
            sign = f'<path d="M{px(x + view.radius * 0.45)} {px(y + 1)}l4-8 4 8z" class="wk"/>'
            yield _Mark(work.country, work.at, sign)
