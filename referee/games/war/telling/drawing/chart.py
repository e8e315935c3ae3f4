"""The map as a picture: whose every region is, by colour, pattern and letter, what stands there, and the fleets at sea."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import ceil

from referee.core.names import Seat
from referee.core.page import Drawing
from referee.games.war.position.places import Fleet, Land
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD, CHIT_VALUES, COLOURS
from referee.games.war.rulebook.pieces import BRIGADES, BUILDINGS, LAND_UNITS, PARTIES
from referee.games.war.telling.by_value import ByValue
from referee.games.war.telling.drawing.marks import (
    LETTERS,
    Mark,
    badge,
    boat,
    box,
    chit,
    flame,
    part,
    row,
    shield,
    words,
)
from referee.games.war.telling.drawing.sketch import HEIGHT, WIDTH, sketch

_PARTS = 2_048
"""So many places are kept as they were drawn last, 1 KB each: from letter to letter, and from reader to reader, few differ."""

_UNIT = {
    "infantry": "i",
    "cavalry": "c",
    "artillery": "a",
    "general": "G",
    "leader": "L",
    "explorer": "X",
    "engineer": "E",
}
_TOP = 30
_FOOT = 78
_HEIGHT = _TOP + HEIGHT + _FOOT
_EDGE = 6
_LINE = 12.5
_WIDEST = 84.0
_SEA, _NATIVE, _CANAL = "#d3e5f2", "#f3ecdd", "#4aa3df"
_STYLE = (
    "text{font:10px Arimo,Arial,'Liberation Sans',Helvetica,'Nimbus Sans',sans-serif;fill:#111}"
    ".n{font-weight:bold;font-size:11px}.b{font-weight:bold;font-size:11px}.p{font-weight:bold;font-size:9px}.k{fill:#000}.w{fill:#fff}"
    ".s{font-style:italic;fill:#1b4059}.t{font-weight:bold;font-size:16px}.i{font-style:italic;fill:#555}"
    ".bx{stroke:#000;stroke-width:.8}.bu{stroke:#333;stroke-width:.8}.sa{fill:#fff;stroke:#000;stroke-width:.7}"
    ".sh{fill:#7a4a17;stroke:#000;stroke-width:.6}.de{fill:#111}.un{fill:#fff;stroke:#111}"
    ".ca{fill:#fff;fill-opacity:.9}.lane{stroke:#fff;stroke-width:1.5}.coast{stroke:#5b87a6;stroke-width:1.2}"
    ".border{stroke:#fff;stroke-width:3.4}.edge{stroke:#111;stroke-width:.9}.wall{stroke:#111;stroke-width:4;stroke-linecap:round}"
    ".link{stroke:#111;stroke-width:1.6;stroke-dasharray:2 4}"
)
_PATTERNS = {
    "Red": '<path d="M-2 2l4-4M0 10L10 0M8 12l4-4" stroke="#fff" stroke-width="1.6"/>',
    "Green": '<circle cx="5" cy="5" r="1.8" fill="#fff"/>',
    "Blue": '<path d="M0 5h10" stroke="#fff" stroke-width="1.6"/>',
    "Yellow": '<path d="M5 2v6M2 5h6" stroke="#333" stroke-width="1.3"/>',
    "Purple": '<path d="M0 0l10 10M10 0L0 10" stroke="#fff" stroke-width="1.3"/>',
    "Gray": '<path d="M5 0v10" stroke="#fff" stroke-width="2"/>',
    "White": '<path d="M-2 8l4 4M0 0l10 10M8-2l4 4" stroke="#333" stroke-width="1.3"/>',
    "Black": '<path d="M0 5h10M5 0v10" stroke="#fff" stroke-width="1"/>',
}


def chart(war: War, reader: object = None) -> Drawing:
    """The map of a position, which is drawn as it was handed: what this reader knows.

    It stands in parts, at whole pixels and each under its own inner svg: from one letter to the next few of them change.
    """
    size = f'viewBox="0 0 {WIDTH} {_HEIGHT}" width="{WIDTH}" height="{_HEIGHT}"'
    title = _title(war)
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>',
        f"<style>{_STYLE}</style><defs>{_patterns()}</defs>",
        _ground(),
        *(_held(land.name, land.owner) for land in war.lands.values() if land.owner),
        _joints(),
        *_canal(war),
        *(_at_sea(name, ByValue(war.fleets_in(name))) for name in BOARD.seas),
        *(_on_land(ByValue(land)) for land in war.lands.values()),
        part(0, 0, WIDTH, _TOP, words(title, 16, "t").draw(8, 20)),
        part(0, _TOP + HEIGHT, WIDTH, 26, "".join(_colours(war))),
        part(0, _TOP + HEIGHT + 26, WIDTH, _FOOT - 26, _meanings(tuple(war.land_units), war.diplomatic)),
        "</svg>",
    )
    return Drawing("".join(parts), instead_of_map(war))


def instead_of_map(war: War) -> str:
    """The sentence for those who see no pictures."""
    held = [f"{seat} {len(war.regions_of(seat))}" for seat in war.living]
    native = len(war.regions_of(None))
    return f"The map shows whose the regions are: {', '.join([*held, f'natives {native}'])}."


def _title(war: War) -> str:
    if war.ended:
        return f"War! Age of Imperialism: the end, turn {war.turn}"
    if not war.turn:
        return "War! Age of Imperialism: set-up"
    return f"War! Age of Imperialism: turn {war.turn}" + (f", round of movement {war.round}" if war.round else "")


@cache
def _patterns() -> str:
    """Of all colours, whoever plays, so that the parts of all matches are alike."""
    plain = (
        (seat, f'<rect width="10" height="10" fill="{colour}"/>{_PATTERNS[seat]}') for seat, colour in COLOURS.items()
    )
    return "".join(
        f'<pattern id="w-{seat}" width="10" height="10" patternUnits="userSpaceOnUse">{inside}</pattern>'
        for seat, inside in plain
    )


# the map


@cache
def _ground() -> str:
    """Sea and land as they are before anybody owns any."""
    lands = "".join(_shape(name) for name in BOARD.regions)
    paper = f'<rect width="{WIDTH}" height="{_HEIGHT}" fill="#fff"/>'
    sea = f'<rect y="{_TOP}" width="{WIDTH}" height="{HEIGHT}" fill="{_SEA}"/>'
    land = f'<path transform="translate(0 {_TOP})" fill="{_NATIVE}" stroke="{_NATIVE}" d="{lands}"/>'
    return part(0, 0, WIDTH, _HEIGHT, paper + sea + land)


@cache
def _held(name: str, owner: Seat) -> str:
    """A region in the pattern of its owner."""
    corners = [corner for shape in sketch().shapes[name] for corner in shape]
    left, right = min(x for x, _ in corners) - 1, max(x for x, _ in corners) + 1
    top, low = min(y for _, y in corners) - 1, max(y for _, y in corners) + 1
    fill = f'fill="url(#w-{owner})" stroke="url(#w-{owner})"'
    path = f'<path transform="translate({-left} {-top})" {fill} d="{_shape(name)}"/>'
    return part(left, _TOP + top, right - left, low - top, path)


@cache
def _shape(name: str) -> str:
    return "".join("M" + "L".join(f"{x} {y}" for x, y in shape) + "z" for shape in sketch().shapes[name])


@cache
def _joints() -> str:
    """What runs between places, the links of neighbours that do not touch on the drawing, and the frame."""
    drawn = sketch()
    lines: dict[str, str] = {
        kind: "".join(f"M{a} {b}L{c} {d}" for (a, b), (c, d) in walls) for kind, walls in drawn.joints.items()
    }
    ends = [(drawn.labels[one], drawn.labels[other]) for one, other in drawn.links]
    lines["edge"] = lines["border"]
    lines["link"] = "".join(f"M{a} {b}L{c} {d}" for (a, b), (c, d) in ends)
    paths = "".join(f'<path class="{kind}" d="{d}"/>' for kind, d in lines.items())
    frame = f'<rect width="{WIDTH}" height="{HEIGHT}" stroke="#111"/>'
    return part(0, _TOP, WIDTH, HEIGHT, f'<g fill="none">{paths}{frame}</g>')


def _canal(war: War) -> Iterator[str]:
    """27.opt.suez.2: the Suez Canal where it is dug, half of it or all, and what the stroke means."""
    if not war.canal:
        return
    complete = len(war.canal) > 1
    (x, y), (far_x, far_y) = sketch().canal
    end = (far_x, far_y) if complete else ((x + far_x) // 2, (y + far_y) // 2)
    dug = f'd="M{x} {y}L{end[0]} {end[1]}" fill="none"'
    strokes = f'<path {dug} stroke="#111" stroke-width="8"/><path {dug} stroke="{_CANAL}" stroke-width="5"/>'
    yield part(0, _TOP, WIDTH, HEIGHT, strokes)
    meaning = words("Suez Canal" if complete else "Suez Canal, half dug")
    stroke = (
        f'<path d="M4 15h24" stroke="#111" stroke-width="8"/><path d="M4 15h24" stroke="{_CANAL}" stroke-width="5"/>'
    )
    yield part(WIDTH - 150, 0, 150, _TOP, stroke + meaning.draw(34, 18.5))


def _rows(name: str, size: float, style: str) -> list[Mark]:
    """A name in as few lines as fit."""
    whole = words(name, size, style)
    if whole.width <= _WIDEST:
        return [whole]
    cut = name.replace("-", "- ").split(" ")
    lines = (" ".join(cut[:-1]), cut[-1])
    return [mark for line in lines for mark in _rows(line, size, style)] if len(cut) > 1 else [whole]


def _stacked(name: str, rows: Sequence[Mark], card: bool) -> str:
    """Rows one under the other round the place of a label, on a card if wanted."""
    x, y = sketch().labels[name]
    width, height = ceil(max(mark.width for mark in rows)), ceil(_LINE * len(rows))
    left = min(max(x - width // 2, 4), WIDTH - width - 4) - _EDGE
    top = min(max(y - height // 2, 3), HEIGHT - height - 3) - 1
    middle = width / 2 + _EDGE
    drawn = "".join(mark.draw(middle - mark.width / 2, _LINE * number + 10.5) for number, mark in enumerate(rows))
    plate = f'<rect x="{_EDGE - 3}" width="{width + 6}" height="{height + 2}" rx="3" class="ca"/>' if card else ""
    return part(left, _TOP + top, width + 2 * _EDGE, height + 2, plate + drawn)


@lru_cache(_PARTS)
def _at_sea(name: str, there: ByValue[tuple[Fleet, ...]]) -> str:
    fleets = there.value
    rows = _rows(name, 10, "s")
    for seat in dict.fromkeys(fleet.owner for fleet in fleets):
        own = [fleet for fleet in fleets if fleet.owner == seat]
        aboard = {kind: sum(load.number for f in own for load in f.cargo if load.kind == kind) for kind in LAND_UNITS}
        rows.append(row((boat(seat, len(own)), *([words(_counts(aboard))] if any(aboard.values()) else []))))
    return _stacked(name, rows, bool(fleets))


def _counts(units: dict[str, int]) -> str:
    return " ".join(f"{number}{_UNIT[kind]}" for kind, number in units.items() if number)


@lru_cache(_PARTS)
def _on_land(known: ByValue[Land]) -> str:
    land = known.value
    rows = [*_rows(land.name, 11, "n"), *_units(land), *_standing(land), *_natives(land)]
    return _stacked(land.name, rows, len(rows) > 1 or land.owner is not None)


def _units(land: Land) -> Iterator[Mark]:
    for seat in land.present or ((land.owner,) if land.owner else ()):
        brigades = _counts({kind: land.count(seat, kind) for kind in BRIGADES})
        parties = _counts({kind: land.count(seat, kind) for kind in PARTIES})
        whole = row((badge(seat), words(f"{brigades} {parties}".strip())))
        if whole.width <= _WIDEST or not parties:
            yield whole
        else:
            yield row((badge(seat), words(brigades)))
            yield words(parties)


def _standing(land: Land) -> Iterator[Mark]:
    """Buildings and the resource, in one row or two."""
    boxes = [box(kind[:2].capitalize()) for kind in land.buildings]
    marks = [*boxes, *_resource(land)]
    if marks and row(marks, 2).width <= _WIDEST:
        yield row(marks, 2)
    elif marks:
        yield row(boxes, 2)
        yield from _resource(land)


def _resource(land: Land) -> list[Mark]:
    if land.chit in (None, "dot"):
        return []
    return [chit("?" if land.chit == "?" else f"{land.chit} {CHIT_VALUES[land.chit or 'dot']}", land.developed)]


def _natives(land: Land) -> Iterator[Mark]:
    marks = [shield(str(land.marker))] if land.marker else []
    marks += [badge(seat, number) for seat, number in land.spheres.items()]
    if land.spheres:
        marks.insert(bool(land.marker), words("sph", 10, "i"))
    if marks:
        yield row(marks, 2)
    if land.revolt:
        yield flame(f"REVOLT {_counts({kind: land.revolt.count(kind) for kind in BRIGADES})}")


# the legend


def _colours(war: War) -> Iterator[str]:
    x = 8.0
    for seat in war.seats:
        name = words(f"{seat} ({LETTERS[seat]})" + (", out" if seat in war.out else ""), 11, "b")
        yield f'<rect x="{x:.0f}" y="6" width="26" height="15" class="bx" fill="url(#w-{seat})"/>{name.draw(x + 30, 18)}'
        x += name.width + 42
    native = words("natives").draw(x + 30, 18)
    yield f'<rect x="{x:.0f}" y="6" width="26" height="15" class="bx" fill="{_NATIVE}"/>{native}'


@cache
def _meanings(kinds: tuple[str, ...], diplomatic: bool) -> str:
    """What every mark means in an edition with these kinds of unit; spheres and revolts where it has them."""
    red = Seat("Red")
    letters = ", ".join(f"{_UNIT[kind]} {kind}" for kind in kinds)
    spheres: tuple[Mark, ...] = (
        words("sph", 10, "i"), badge(red, 2), words("two spheres of Red;"), flame("REVOLT 9i"), words("revolt and its army"),
    )  # fmt: skip
    lines: tuple[tuple[Mark, ...], ...] = (
        (
            words(f"{letters};"),
            *(mark for kind in BUILDINGS for mark in (box(kind[:2].capitalize()), words(kind))),
        ),
        (
            chit("Coal 10", True), words("developed"), chit("Coal 10", False), words("not developed"), chit("?", False),
            words("unknown;"), shield("9++"), words("native strength"), shield("?"), words("unknown;" if diplomatic else "unknown"),
            *(spheres if diplomatic else ()),
        ),
        (
            boat(red, 3), words("three fleets, then what they carry; black wall: no way through; dotted line: neighbours "
            "that do not touch here, and the strait of Ottoman"),
        ),
    )  # fmt: skip
    return "".join(row(line, 4).draw(8, 11 + 17 * number) for number, line in enumerate(lines))
