"""The possessions of countries on a map: cities, factories, worked squares, works, and units counted by what they are.

The moves of a slot are thin trails from square to square, each in the colour of its country.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import NamedTuple

from referee.core.event import Event
from referee.games.empire.boards.survey import NAMES
from referee.games.empire.events.moving import UnitMoved
from referee.games.empire.position import City, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.telling.drawing.ground import heaps, lying
from referee.games.empire.telling.drawing.view import NAME, UNITS, Box, Room, View, box_round, ink, whole
from referee.kit.declared import once_a_position
from referee.kit.drawing import Mark, px, row, to_click, words
from referee.kit.wording import counted

COLOURS = (
    "#c1272d", "#1f5fae", "#2f8f3a", "#e0b000", "#7a3fa0", "#e07b1a", "#111111", "#0f8f92",
    "#e58fb4", "#7a4a17", "#6f7480", "#a6c72b",
)  # fmt: skip
"""Of countries: first those the game began with, then the others while they last; then again from the first."""

SEAT_COLOURS: Mapping[str, str] = dict(zip(NAMES, COLOURS, strict=False))
"""The colour of each country that is a seat."""

SORTS = {"p": "persons", "m": "military", "v": "vehicles", "s": "ships", "a": "planes"}
"""The meaning of the small letters behind a number of units."""

_WIDEST = 54
"""So many pixels a plate may be wide, a little more than its square."""

_ROOM = 70
"""Pixels round the middle of a square that what stands in it may take."""


@once_a_position()
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


@once_a_position()
def letters(empire: Empire) -> dict[str, str]:
    """Every country's short name: as few first letters as tell it from those before it, or its number."""
    found: dict[str, str] = {}
    for at, name in enumerate(_ranked(empire), 1):
        plain = "".join(sign for sign in name if sign.isalnum())
        shorts = [plain[:size].capitalize() for size in (1, 2, 3) if len(plain) >= size]
        found[name] = next((short for short in shorts if short not in found.values()), str(at))
    return found


def sort_of(unit: Unit) -> str:
    """The sort that a unit counts as on the map, see SORTS."""
    kind = KINDS[unit.kind]
    if kind.category == "land":
        return "m" if kind.military else "p" if kind.person else "v"
    return {"naval": "s", "air": "a"}.get(kind.category, "v")


class Group(NamedTuple):
    """The possessions of one country on the map, and the box in which they lie: left, top, width, height in whole pixels."""

    box: tuple[int, int, int, int]
    marks: str


def pieces(view: View, empire: Empire, taken: Iterable[Box]) -> Iterator[Group]:
    """Everything that stands on the squares shown, a group a country, so that a slot redraws little; each name last, for itself.

    Nothing that is written lies on what is written elsewhere, nor on what is `taken`.
    """
    room = Room(view.edges, view.seam)
    for box in taken:
        room.take(box)
    found: dict[str, list[_Mark]] = {}
    for mark in _marks(view, empire, room):
        found.setdefault(mark.country, []).append(mark)
    for marks in found.values():
        shown = "".join([mark.drawn for mark in marks])
        reached = "".join(_to_reach(view, empire, dict.fromkeys([mark.at for mark in marks if mark.stands])))
        yield Group(view.box([mark.at for mark in marks], _ROOM), shown + reached)
    for city in empire.cities.values():
        if city.at in view.middles and (named := _name(view, empire, city, room)):
            yield named


class _Mark(NamedTuple):
    """Something of a country in a square; `stands`: the square is reached by the keyboard for it."""

    country: str
    at: str
    drawn: str
    stands: bool = False


def _marks(view: View, empire: Empire, room: Room) -> Iterator[_Mark]:
    """Marks on the squares shown, each country's in the order in which they lie on one another."""
    yield from _worked(view, empire)
    yield from _sites(view, empire)
    for city in empire.cities.values():
        if city.at in view.middles:
            room.take(box_round(*view.middles[city.at], 12, 12))
            yield _Mark(city.country, city.at, _city(view, empire, city), True)
    yield from _installed(view, empire, room)
    yield from _works(view, empire, room)
    for at, crowd in _crowds(empire).items():
        if at in view.middles:
            drawn = _crowd(view, empire, at, crowd, room)
            yield _Mark(next(iter(crowd)), at, drawn, empire.city_at(at) is None)
    yield from _lying(view, empire, room)


def _lying(view: View, empire: Empire, room: Room) -> Iterator[_Mark]:
    """Goods that lie in squares, as far as there is room; where two countries have some in one, those of the first."""
    seen: set[str] = set()
    for (at, country), families in heaps(empire).items() if view.detailed else ():
        if at in view.middles and at not in seen:
            seen.add(at)
            drawn = (_heaped(view, heap, *view.middles[at], room) for heap in lying(families))
            yield _Mark(country, at, "".join(drawn))


def _heaped(view: View, heap: Mark, x: float, y: float, room: Room) -> str:
    """A heap where there is room for it in its square: left or right of the middle, else above or below."""
    beside = 6.5 + heap.width / 2
    middles = [(x - beside, y), (x + beside, y), (x, y - 12), (x, y + 12), (x - 12, y - 12), (x + 12, y - 12)]
    ways = [(view.beside(across, heap.width), down) for across, down in middles]
    found = room.place([[box_round(across, down, heap.width + 1, 11)] for across, down in ways])
    return "" if found is None else heap.draw(ways[found][0] - heap.width / 2, ways[found][1] + 3.8)


def _to_reach(view: View, empire: Empire, places: Iterable[str]) -> Iterator[str]:
    """Squares in which something stands, for the keyboard and for who has them read out."""
    if view.detailed:
        for at in places:
            x, y = view.middles[at]
            known = to_click(f"at-{at}", _said(empire)[at], place=at)
            yield f'<use {known} href="#{view.shape}" x="{px(x)}" y="{px(y)}" class="em-at"/>'


@once_a_position()
def _said(empire: Empire) -> dict[str, str]:
    """The contents of each square in words: `c5r5: Port Arcadia, capital of Arcadia; Arcadia 2 people, 1 ships`."""
    found: dict[str, list[str]] = {}
    for city in empire.cities.values():
        found.setdefault(city.at, []).append(f"{city.name}, {'capital' if city.capital else 'city'} of {city.country}")
    for at, crowd in _crowds(empire).items():
        for country, sorts in crowd.items():
            units = ", ".join([counted(number, SORTS[sort]) for sort, number in sorts.items()])
            found.setdefault(at, []).append(f"{country} {units}")
    return {at: f"{at}: {'; '.join(said)}" for at, said in found.items()}


@once_a_position()
def _crowds(empire: Empire) -> dict[str, dict[str, dict[str, int]]]:
    """Units by square, country and sort; those aboard count as well."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for unit in empire.units.values():
        sorts = found.setdefault(unit.at, {}).setdefault(unit.country, {})
        sorts[sort_of(unit)] = sorts.get(sort_of(unit), 0) + 1
    return found


def _crowd(view: View, empire: Empire, at: str, crowd: Mapping[str, Mapping[str, int]], room: Room) -> str:
    x, y = view.middles[at]
    if not view.detailed:
        return "" if empire.city_at(at) else _dot(x, y, colours(empire)[next(iter(crowd))])
    short = [_plate(empire, country, str(sum(sorts.values()))) for country, sorts in crowd.items()]
    told = [_plate(empire, country, _counts(sorts)) for country, sorts in crowd.items()]
    if len(short) > 2:
        short = [short[0], on_plate(f"+{len(short) - 1}", "#6f7480")]
    together = row(short, 1)
    below = [[(row(told, 1), y + 12.5)], [(together, y + 12.5)]]
    above = [[(told[0], y + 0.5), (told[1], y + 13)]] if len(told) == 2 and not empire.city_at(at) else []
    tried = [way for way in (*above, *below) if max(mark.width for mark, _ in way) <= _WIDEST] or below[1:]
    ways = [[(mark, view.beside(x, mark.width), down) for mark, down in way] for way in tried]
    elsewhere = [(0, 0.5), (-9, 12.5), (9, 12.5), (0, -12), (0, 22), (0, 12.5)]
    ways += [[(together, view.beside(x + across, together.width), y + down)] for across, down in elsewhere]
    boxes = [[box_round(middle, down, mark.width, 12) for mark, middle, down in way] for way in ways]
    found = room.place(boxes)
    if found is None:
        for box in boxes[-1]:
            room.take(box)
    shown = ways[-1] if found is None else ways[found]
    return "".join(mark.draw(middle - mark.width / 2, down + 3.7) for mark, middle, down in shown)


def _counts(sorts: Mapping[str, int]) -> str:
    return " ".join(f"{sorts[sort]}{sort}" for sort in SORTS if sort in sorts)


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{px(x)}" cy="{px(y)}" r="2.2" fill="{colour}" stroke="#fff" stroke-width=".6"/>'


def _plate(empire: Empire, country: str, said: str) -> Mark:
    """A country's units in a square: its letter, then how many."""
    colour = colours(empire).get(country, "#555555")
    return on_plate(f"{letters(empire).get(country, '?')} {said}", colour)


def on_plate(said: str, colour: str) -> Mark:
    """Units on a plate of their country's colour."""
    width = UNITS.width(said) + 5

    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 9.7)}" width="{px(width)}" height="12" rx="2" fill="{colour}" class="em-pl"/>'
        return box + words(said, x + 2.5, y, UNITS, ink(colour))

    return Mark(width, draw)


def _city(view: View, empire: Empire, city: City) -> str:
    x, y = view.middles[city.at]
    colour = colours(empire).get(city.country, "#555555")
    half = max(view.radius * 0.22, 3.2)
    place = f'x="{px(x - half)}" y="{px(y - half)}" width="{px(2 * half)}" height="{px(2 * half)}"'
    return f'<rect {place} fill="{colour}" class="em-ci"/>' + (
        _star(x, y, half * 0.8, ink(colour)) if city.capital else ""
    )


def _star(x: float, y: float, r: float, style: str) -> str:
    points = ((0, -1), (0.23, -0.31), (0.95, -0.31), (0.36, 0.12), (0.59, 0.81), (0, 0.38), (-0.59, 0.81),
              (-0.36, 0.12), (-0.95, -0.31), (-0.23, -0.31))  # fmt: skip
    path = "L".join(f"{px(x + a * r)} {px(y + b * r)}" for a, b in points)
    return f'<path d="M{path}z" class="{style}"/>'


def _name(view: View, empire: Empire, city: City, room: Room) -> Group | None:
    """A city's name where there is room for it; on a small map the letter of the country whose capital it is."""
    x, y = view.middles[city.at]
    said = city.name if view.detailed else letters(empire).get(city.country, "?") if city.capital else ""
    width = NAME.width(said) + 3
    above, below = (view.tall + 3.5) * -1, view.tall + 4
    side = width / 2 + 7
    near = [(0, above), (0, below), (side, 0), (-side, 0), (-18, above), (18, above), (-18, below), (18, below)]
    tried = [*near, (0, -12), (0, above - 12), (0, below + 12), (side, -12), (-side, -12), (side, 12), (-side, 12)]
    ways = [(view.beside(x + across, width), y + down) for across, down in tried]
    found = room.place([[box_round(middle, down, width, 11)] for middle, down in ways]) if said else None
    if found is None:
        return None
    middle, down = ways[found]
    box = whole(box_round(middle, down, width + 2, 15))
    return Group(box, words(said, middle, down + 4, NAME, anchor=0.5))


def _worked(view: View, empire: Empire) -> Iterator[_Mark]:
    """The colour of the country that works something in a square: a ring, or the square itself on a small map."""
    shown = colours(empire)
    for at, country in {worked.at: worked.country for worked in empire.worked}.items():
        if at in view.middles:
            x, y = view.middles[at]
            colour = shown.get(country, "#555555")
            if not view.detailed:
                yield _Mark(
                    country, at, f'<use href="#{view.shape}" x="{px(x)}" y="{px(y)}" fill="{colour}" class="em-of"/>'
                )
                continue
            ring = f'<use href="#{view.shape}" x="{px(x / 0.9)}" y="{px(y / 0.9)}" transform="scale(.9)" fill="none" '
            yield _Mark(country, at, f'{ring}style="stroke:{colour};stroke-width:2.2"/>')


def _sites(view: View, empire: Empire) -> Iterator[_Mark]:
    """Reproductive sites without a city."""
    cities = {city.at: city for city in empire.cities.values()}
    for at in empire.sites:
        if at in view.middles and at not in cities:
            x, y = view.middles[at]
            yield _Mark("", at, f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(view.radius * 0.2)}" class="em-si"/>')


def _installed(view: View, empire: Empire, room: Room) -> Iterator[_Mark]:
    """Installations: in the middle of a square, or beside the city that stands there."""
    for at, factories in empire.factories.items():
        if at in view.middles and factories and view.detailed:
            x, y = view.middles[at]
            x -= 14 if empire.city_at(at) else 0
            room.take(box_round(x, y - 0.5, 13, 10))
            yield _Mark("", at, f'<path d="M{px(x - 6)} {px(y + 4)}v-7l4 3v-3l4 3v-6h4v10z" class="em-fc"/>')


def _works(view: View, empire: Empire, room: Room) -> Iterator[_Mark]:
    """The works under construction."""
    for work in empire.works:
        if work.at in view.middles and view.detailed:
            x, y = view.middles[work.at]
            room.take(box_round(x + 14, y - 3, 10, 9))
            sign = f'<path d="M{px(x + 10)} {px(y + 1)}l4-8 4 8z" class="em-wk"/>'
            yield _Mark(work.country, work.at, sign)


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
