"""The map as a picture: real coastlines, whose each region is, what stands there, the fleets at sea. Nothing reads it back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from math import ceil
from typing import NamedTuple

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.page import Drawing
from referee.games.war.position import Fleet, Land
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES, CHIT_VALUES, LAND_UNITS, PARTIES, units_in_words
from referee.games.war.telling.drawing.coast import FINE, HEIGHT, WIDTH, Label, Places, Spot, coast, placed, signs
from referee.games.war.telling.drawing.marks import (
    NAME,
    SAID,
    SEA,
    TITLE,
    UNIT,
    Move,
    arrow,
    battles,
    boat,
    building,
    chit,
    counter,
    flame,
    legend,
    moves,
    page_style,
    patterns,
    shield,
    style,
    swords,
)
from referee.games.war.telling.sheets import ByValue
from referee.kit.drawing import Mark, Type, label, part, row, to_click
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- the map as a picture
# The map as a picture: real coastlines, whose every region is by colour, hatch and letter, what stands there, the fleets at
# sea.
#
# Over the picture lies a layer that a page can listen to, which pictures of letters leave out. Each region and sea area has in
# it one element `<use id="place-great-britain" data-place="Great Britain" tabindex="0" role="button" aria-label="...">`:
# `data-place` is the name as orders say it, the label says who holds what there. `[data-place]` selects them all, seas first;
# `data-at` is where the heart of the place lies.


_PARTS = 2_048
"""So many places are kept as they were drawn last, 1 KB each: from letter to letter, and from reader to reader, few differ."""

_SCENES = 16
"""So many drawings are kept whole: several readers often know the same."""

TOP = 30
"""Pixels above the map, for the title."""

SEAM = WIDTH // 2
"""Here the map may be cut in two, for a telephone: no label lies across it."""

_WEST, _EAST = (0, 0, SEAM, HEIGHT), (SEAM, 0, WIDTH, HEIGHT)

_EDGE = 2
_LINE = 14
_WIDEST = 86.0
_TINY = f'transform="scale({1 / FINE})"'


class Block(NamedTuple):
    """The writing at a place: its size, the drawing, and the same in words for readers who cannot see it."""

    width: int
    height: int
    drawn: str
    said: str


Blocks = tuple[tuple[str, Block], ...]
"""The writing at each place."""


class Scene(NamedTuple):
    """All that a drawing is made of."""

    title: str
    owners: tuple[tuple[str, Seat], ...]
    won: tuple[str, ...]
    canal: tuple[int, ...]
    moves: tuple[Move, ...]
    blocks: Blocks
    spots: tuple[Spot, ...]
    seats: tuple[tuple[Seat, bool], ...]
    kinds: tuple[str, ...]
    diplomatic: bool


def chart(war: War, reader: object = None, happened: Sequence[Event] = ()) -> Drawing:
    """The map of a position, which is drawn as it was handed: what this reader knows, and what he was told of this phase."""
    return Drawing(_drawn(_scene(war, happened)), instead_of_map(war, happened))


def _scene(war: War, happened: Sequence[Event]) -> Scene:
    fought = battles(happened)
    blocks = _blocks(war, fought)
    places = _placed(_sizes(blocks))
    if not places.fit:
        blocks = _blocks(war, fought, short=True)
        places = _placed(_sizes(blocks))
    return Scene(
        title=_title(war),
        owners=tuple((land.name, land.owner) for land in war.lands.values() if land.owner),
        won=won_in_turn(war),
        canal=war.canal,
        moves=moves(happened),
        blocks=blocks,
        spots=places.spots,
        seats=tuple((seat, seat in war.out) for seat in war.seats),
        kinds=tuple(war.land_units),
        diplomatic=war.diplomatic,
    )


@lru_cache(_SCENES)
def _drawn(scene: Scene) -> str:
    """It stands in parts, at whole pixels and each under its own inner svg: from one letter to the next few of them change."""
    left, right, tall = legend(scene.seats, scene.kinds, scene.diplomatic, SEAM)
    height = TOP + HEIGHT + tall
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} data-seam="{SEAM}" role="img"><title>{scene.title}</title>',
        f"<style>{style()}</style><defs>{patterns()}</defs>",
        _ground(height),
        *(_held(name, owner) for name, owner in scene.owners),
        _signs(),
        *(_lit(name) for name in scene.won),
        *_canal(scene.canal),
        *map(arrow, scene.moves),
        *_written(scene),
        part(0, 0, WIDTH, TOP, label(scene.title, TITLE).draw(10, 21)),
        part(0, TOP + HEIGHT, SEAM, tall, left),
        part(SEAM, TOP + HEIGHT, WIDTH - SEAM, tall, right),
        _touch(scene.blocks),
        "</svg>",
    )
    return "".join(parts)


def instead_of_map(war: War, happened: Sequence[Event] = ()) -> str:
    """The facts of the map that matter, for readers who see no pictures."""
    held = [f"{seat} {len(war.regions_of(seat))}" for seat in war.living]
    native = len(war.regions_of(None))
    said = [f"The map shows whose the regions are: {', '.join([*held, f'natives {native}'])}."]
    if won := won_in_turn(war):
        said.append(f"Won this turn: {in_a_row([f'{name} by {war.lands[name].owner}' for name in won])}.")
    if fought := battles(happened):
        said.append(f"Battles: {in_a_row(sorted(fought, key=BOARD.position))}.")
    return " ".join(said)


def won_in_turn(war: War) -> tuple[str, ...]:
    """The regions that were won in this turn."""
    turn = f"T{war.turn}/"
    return tuple(land.name for land in war.lands.values() if land.owner and land.won_in.startswith(turn))


def _title(war: War) -> str:
    if war.ended:
        return f"War! Age of Imperialism: the end, turn {war.turn}"
    if not war.turn:
        return "War! Age of Imperialism: set-up"
    return f"War! Age of Imperialism: turn {war.turn}" + (f", round of movement {war.round}" if war.round else "")


# the map


@cache
def _ground(height: int) -> str:
    """Sea and land as they are before anybody owns any."""
    lands = "".join(f'<path id="s{BOARD.position(name)}" d="{coast().shapes[name]}"/>' for name in BOARD.regions)
    paper = f'<rect width="{WIDTH}" height="{height}" class="paper"/>'
    sea = f'<rect y="{TOP}" width="{WIDTH}" height="{HEIGHT}" class="sea"/>'
    drawn = (
        f'<g class="surf"><g id="lands">{lands}</g></g><path d="{coast().lanes}" class="lane"/>'
        f'<use href="#lands" class="land edge"/>'
    )
    frame = f'<rect x=".5" y="{TOP}.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" class="frame"/>'
    return part(
        0, 0, WIDTH, height, f'{paper}{sea}<g transform="translate(0 {TOP}) scale({1 / FINE})">{drawn}</g>{frame}'
    )


@cache
def _held(name: str, owner: Seat) -> str:
    """A region in the hatch of its owner."""
    box = coast().boxes[name]
    shift = f'transform="translate({-box.left} {-box.top}) scale({1 / FINE})"'
    path = f'<path {shift} fill="url(#w-{owner})" class="edge" d="{coast().shapes[name]}"/>'
    return part(box.left, TOP + box.top, box.width, box.height, path)


@cache
def _lit(name: str) -> str:
    """The border of a region that was just won."""
    box = coast().boxes[name]
    shift = f'transform="translate({3 - box.left} {3 - box.top}) scale({1 / FINE})"'
    path = f'<path {shift} class="lit" d="{coast().shapes[name]}"/>'
    return part(box.left - 3, TOP + box.top - 3, box.width + 6, box.height + 6, path)


@cache
def _signs() -> str:
    """The signs that join places which do not touch, and those of ships that pass a gate."""
    ends = [(coast().middles[one], coast().middles[other]) for one, other in signs()]
    return "".join(_sign(*end) for end in (*ends, *coast().straits.values()))


def _sign(start: tuple[int, int], end: tuple[int, int]) -> str:
    left, top = min(start[0], end[0]) - 2, min(start[1], end[1]) - 2
    width, height = abs(start[0] - end[0]) + 4, abs(start[1] - end[1]) + 4
    path = f"M{start[0] - left} {start[1] - top}L{end[0] - left} {end[1] - top}"
    return part(left, TOP + top, width, height, f'<path class="gate" d="{path}"/>')


def _canal(dug: tuple[int, ...]) -> Iterator[str]:
    """27.opt.suez.2: the Suez Canal where it is dug, half of it or all, and what the stroke means."""
    if not dug:
        return
    complete = len(dug) > 1
    half = "" if complete else ' stroke-dasharray="50 50" pathLength="100"'
    strokes = "".join(
        f'<path d="{coast().canal}" fill="none" stroke="{colour}" stroke-width="{wide}"{half}/>'
        for colour, wide in (("#1c1c1c", 15), ("#4aa3df", 9))
    )
    yield part(0, TOP, WIDTH, HEIGHT, f'<g class="canal" {_TINY}>{strokes}</g>')
    meaning = label("Suez Canal" if complete else "Suez Canal, half dug", SAID).draw(34, 18.5)
    stroke = (
        '<path d="M4 15h24" stroke="#1c1c1c" stroke-width="8"/><path d="M4 15h24" stroke="#4aa3df" stroke-width="5"/>'
    )
    yield part(WIDTH - 160, 0, 160, TOP, stroke + meaning)


# labels and counters


def _blocks(war: War, fought: Collection[str], short: bool = False) -> Blocks:
    """The writing at each place; `short` where there is no room for all of it."""
    ashore = ((land.name, _on_land(ByValue(land), land.name in fought, short)) for land in war.lands.values())
    afloat = ((name, _at_sea(name, ByValue(war.fleets_in(name)), name in fought, short)) for name in BOARD.seas)
    return (*ashore, *afloat)


def _sizes(blocks: Blocks) -> tuple[tuple[int, int], ...]:
    return tuple([(block.width, block.height) for _, block in blocks])


@lru_cache(64)
def _placed(sizes: tuple[tuple[int, int], ...]) -> Places:
    """Where the labels of all places go that have these sizes, each on its side of the seam."""
    middles = (coast().middles[name] for name in (*BOARD.regions, *BOARD.seas))
    grounds = ((x, y, _WEST if x < SEAM else _EAST) for x, y in middles)
    return placed(tuple(Label(x, y, *size, ground) for (x, y, ground), size in zip(grounds, sizes, strict=True)))


def _written(scene: Scene) -> Iterator[str]:
    """All labels, where none covers another."""
    for (_, block), (left, top) in zip(scene.blocks, scene.spots, strict=True):
        yield part(left, TOP + top, block.width, block.height, block.drawn)


def _block(rows: Sequence[Mark], said: str) -> Block:
    """Rows one under the other, each in the middle."""
    width, height = ceil(max(mark.width for mark in rows)) + 2 * _EDGE, _LINE * len(rows) + 2
    drawn = "".join(mark.draw((width - mark.width) / 2, _LINE * number + 11) for number, mark in enumerate(rows))
    return Block(width, height, drawn, said)


def _rows(name: str, type: Type, fought: bool) -> list[Mark]:
    """A name in as few lines as fit, after crossed swords where there was a battle."""
    whole = label(name, type)
    if whole.width <= _WIDEST:
        return [row((swords(), whole)) if fought else whole]
    first, _, last = name.replace("-", "- ").rpartition(" ")
    return [*_rows(first, type, fought), label(last, type)]


@lru_cache(_PARTS)
def _at_sea(name: str, there: ByValue[tuple[Fleet, ...]], fought: bool, short: bool) -> Block:
    fleets = there.value
    rows, said = _rows(name, SEA, fought), []
    for seat in dict.fromkeys(fleet.owner for fleet in fleets):
        own = [fleet for fleet in fleets if fleet.owner == seat]
        aboard = {kind: sum(load.number for f in own for load in f.cargo if load.kind == kind) for kind in LAND_UNITS}
        rows.append(boat(seat, str(len(own))))
        if any(aboard.values()) and not short:
            rows.append(counter(seat, _counts(aboard)))
        said.append(f"{seat} {_in_words({'fleet': len(own)} | aboard)}")
    return _block(rows, f"{name}{': ' if said else ''}{'; '.join(said)}")


def _counts(units: dict[str, int]) -> str:
    return " ".join(f"{number}{UNIT[kind]}" for kind, number in units.items() if number)


def _in_words(units: dict[str, int]) -> str:
    return ", ".join(units_in_words(kind, number) for kind, number in units.items() if number)


@lru_cache(_PARTS)
def _on_land(known: ByValue[Land], fought: bool, short: bool) -> Block:
    land = known.value
    below = _in_short(land) if short else (*_units(land), *_standing(land), *_natives(land))
    return _block([*_rows(land.name, NAME, fought), *below], _told(land))


def _in_short(land: Land) -> Iterator[Mark]:
    """How many units each seat has there, and signs without words."""
    counts = ((seat, sum(land.count(seat, kind) for kind in LAND_UNITS)) for seat in land.present)
    owner = [counter(land.owner, "")] if land.owner and not land.present else []
    natives = [shield(str(land.marker))] if land.marker else []
    if held := [*owner, *(counter(seat, str(number)) for seat, number in counts), *natives]:
        yield row(held, 2)
    signs = [building(kind) for kind in land.buildings]
    if land.chit not in (None, "dot"):
        signs.append(chit("?" if land.chit == "?" else f"{CHIT_VALUES[land.chit or 'dot']}", land.developed))
    if signs := [*signs, *([flame("!")] if land.revolt else [])]:
        yield row(signs, 2)


def _told(land: Land) -> str:
    """A region's holder and its contents, in words."""
    units = [f"{seat} {_in_words({kind: land.count(seat, kind) for kind in LAND_UNITS})}" for seat in land.present]
    resource = [] if land.chit in (None, "dot", "?") else [f"{land.chit}{'' if land.developed else ', not developed'}"]
    natives = [f"natives {land.marker}"] if land.marker else []
    revolt = ["in revolt"] if land.revolt else []
    return "; ".join((f"{land.name}, {land.owner or 'native'}", *units, *land.buildings, *resource, *natives, *revolt))


def _units(land: Land) -> Iterator[Mark]:
    for seat in land.present or ((land.owner,) if land.owner else ()):
        brigades = _counts({kind: land.count(seat, kind) for kind in BRIGADES})
        parties = _counts({kind: land.count(seat, kind) for kind in PARTIES})
        whole = counter(seat, f"{brigades} {parties}".strip())
        if whole.width <= _WIDEST or not (parties and brigades):
            yield whole
        else:
            yield counter(seat, brigades)
            yield counter(seat, parties)


def _standing(land: Land) -> Iterator[Mark]:
    """Buildings and the resource, in one row or two."""
    boxes = [building(kind) for kind in land.buildings]
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
    if land.spheres:
        marks += [label("sph", SEA), *(counter(seat, str(number)) for seat, number in land.spheres.items())]
    if marks:
        yield row(marks, 2)
    if land.revolt:
        yield flame(f"REVOLT {_counts({kind: land.revolt.count(kind) for kind in BRIGADES})}")


# what a page can listen to


def _touch(blocks: Blocks) -> str:
    """Seas lie under the land: their areas are rough at the coast."""
    lowest_first = sorted(blocks, key=lambda named: not BOARD.is_sea(named[0]))
    layer = "".join(_place(name, block.said) for name, block in lowest_first)
    return f'<g class="touch" transform="translate(0 {TOP}) scale({1 / FINE})"><style>{page_style()}</style>{layer}</g>'


@lru_cache(_PARTS)
def _place(name: str, said: str) -> str:
    x, y = coast().middles[name]
    known = to_click(f"place-{name.lower()}", said, place=name, at=f"{x} {y + TOP}")
    return (
        f'<path {known} d="{coast().shapes[name]}"/>'
        if BOARD.is_sea(name)
        else f'<use href="#s{BOARD.position(name)}" {known}/>'
    )
