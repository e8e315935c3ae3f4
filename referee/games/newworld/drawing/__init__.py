"""How the board is drawn: home sheets, and the map with the table in its middle. Nothing reads a drawing back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.page import Drawing
from referee.games.newworld.drawing import pieces
from referee.games.newworld.drawing.pieces import (
    ASIDE,
    CHANGE,
    DECK,
    DISCARD,
    FACE_UP,
    FIGURE,
    GOOD,
    HEAD,
    LEARNT,
    NEUTRAL,
    SMALL,
    STORE,
    TITLE,
    TYPES,
    WIDTH,
    Copy,
    News,
    change_of,
    copy,
    definitions,
    headed,
    news_of,
    part,
    plate,
    side,
    sign,
    to_click,
    token,
)
from referee.games.newworld.position import Territory, World, winners
from referee.games.newworld.rulebook import COLONIAL_CARDS, COLONIES, COLOURS, EUROPE, RESOURCES, TECHNOLOGIES, TERRAINS
from referee.kit.drawing import FACE, Phrase, flowing, in_lines, phrases, width_of_phrases, words
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- the home sheets
# Each player's territories in Europe, his store, his fleets at sea, and his learning.


_HEAD, _MARGIN, _TILE, _STORE, _UNITS, _LINE = 50, 10, 50, 44, 44, 27


class Tile(NamedTuple):
    """A first territory of a seat, and who holds it now."""

    number: int
    good: str
    owner: str
    rebels: int | None
    lit: bool


class Home(NamedTuple):
    """The contents of a home sheet. `turn` says that its player is on turn; changes are those of the last turn."""

    seat: Seat
    turn: bool
    out: bool
    culture: int
    tiles: tuple[Tile, ...]
    store: tuple[int, ...]
    fleets: tuple[int, int]
    armies: tuple[int, int]
    abroad: int
    levels: tuple[tuple[str, int, bool], ...]
    attackers: tuple[str, ...] = ()


def home(world: World, news: News, seat: Seat) -> Home:
    """A seat's home sheet."""
    power = world.powers[seat]
    tiles = (_tile_of(territory, news) for territory in world.territories if territory.home == seat)
    levels = ((name, power.levels[name], (seat, name) in news.levels) for name in TECHNOLOGIES if power.levels[name])
    return Home(
        seat,
        world.active == seat,
        power.out,
        world.culture(seat),
        tuple(tiles),
        tuple(power.stock[name] for name in RESOURCES),
        (power.fleets, news.fleets[seat]),
        (power.armies[EUROPE], news.armies[seat, EUROPE]),
        sum(power.armies.values()) - power.armies[EUROPE],
        tuple(levels),
        tuple(dict.fromkeys(b.seat for b in news.battles if b.region == EUROPE and b.foe == seat)),
    )


def _tile_of(territory: Territory, news: News) -> Tile:
    lit = territory.number in news.lit
    return Tile(territory.number, territory.good, territory.owner or "", territory.rebels, lit)


def height_of(shown: Home) -> int:
    """How tall its sheet must be."""
    return _below_store(shown) + _UNITS + _LINE * len(_learning(shown.levels)) + 10


def _below_store(shown: Home) -> int:
    return _HEAD + _TILE + _STORE * (1 + _shelves(shown.store)[-1][1])


_Levels = tuple[tuple[str, int, bool], ...]


@lru_cache(maxsize=1_024)
def _learning(levels: _Levels) -> list[list[Phrase]]:
    """Technologies; what was learnt this turn is lit."""
    said = [(f"{name} {level}", LEARNT if lit else SMALL) for name, level, lit in levels]
    return in_lines(said, WIDTH - 2 * _MARGIN - 6)


@lru_cache(maxsize=1_024)
def sheet(shown: Home, height: int) -> str:
    """A home sheet of this height."""
    ground = plate(2, 2, WIDTH - 4, height - 4, "nw-p nw-lb" if shown.turn else "nw-p", 14)
    return "".join(
        (
            ground,
            _header(shown),
            *_tiles(shown),
            *_store(shown),
            *_units(shown),
            _taught(shown),
        )
    )


def _header(shown: Home) -> str:
    culture = str(shown.culture)
    right = WIDTH - 16 - FIGURE.width(culture)
    state = "out" if shown.out else "on turn" if shown.turn else ""
    name = token(shown.seat, 28, 27, 18) + phrases([(f"{shown.seat} ", HEAD), (state, CHANGE)], 56, 36)
    drawn = name + sign("culture", right - 36, 11, 31) + words(culture, right, 36, FIGURE)
    if shown.attackers:
        drawn += sign("battle", right - 76, 10, 34) + side(shown.attackers[0], right - 92, 27)
    said = [state] * bool(state) + [f"attacked by {in_a_row(shown.attackers)}"] * bool(shown.attackers)
    label = ", ".join((shown.seat, f"Culture {shown.culture}", *said))
    ground = plate(2, 2, WIDTH - 4, _HEAD - 6, "nw-0", 14)
    return to_click(f"home-{shown.seat}", label, ground + drawn, place=EUROPE, seat=shown.seat)


def _tiles(shown: Home) -> Iterator[str]:
    for at, tile in enumerate(shown.tiles):
        yield _tile(shown.seat, tile, _MARGIN + 41 * at, _HEAD)


@lru_cache(maxsize=4_096)
def _tile(home_of: Seat, tile: Tile, x: int, y: int) -> str:
    kept = tile.owner == home_of
    ground = plate(x, y, 38, 42, "nw-b nw-lb" if tile.lit else "nw-b", 6)
    holder = "" if kept else token(tile.owner, x + 26, y + 30, 12) if tile.owner else _gone(x + 26, y + 30)
    label = f"{tile.good} of {home_of}" + ("" if kept else f", held by {tile.owner or 'nobody'}")
    inside = ground + sign(tile.good, x + 5, y + 5, 28) + holder
    return to_click(f"t{tile.number}", label, inside, card=tile.good, seat=home_of)


def _gone(x: int, y: int) -> str:
    return f'<circle cx="{x}" cy="{y}" r="11" class="nw-o-neutral"/>'


def _store(shown: Home) -> Iterator[str]:
    """All goods on a light strip, so that their signs are seen on dark paper too."""
    y, places = _HEAD + _TILE, _shelves(shown.store)
    yield plate(_MARGIN, y, WIDTH - 2 * _MARGIN, _STORE * (1 + places[-1][1]) - 6, "nw-b", 6)
    for name, number, (x, row) in zip(RESOURCES, shown.store, places, strict=True):
        left, top = _MARGIN + 8 + x, y + _STORE * row
        yield sign(name, left, top + 6, 26) + words(str(number), left + 30, top + 27, STORE, "nw-i")


@lru_cache(maxsize=1_024)
def _shelves(store: tuple[int, ...]) -> list[tuple[float, int]]:
    """Where each of the goods lies: side by side as far apart as there is room for, or in two rows."""
    sizes = [30 + STORE.width(str(number)) for number in store]
    room = WIDTH - 2 * _MARGIN - 16
    spare = (room - sum(sizes)) / (len(sizes) - 1)
    return [*flowing(sizes, room + 1, min(20.0, spare) if spare >= 6 else 20)]


def _units(shown: Home) -> Iterator[str]:
    y, x = _below_store(shown), float(_MARGIN)
    for name, (number, change) in (("fleets", shown.fleets), ("armies", shown.armies)):
        yield headed(name, str(number), x, y + 3)
        x += 35 + FIGURE.width(str(number))
        if change:
            yield words(change_of(change), x + 6, y + 26, CHANGE)
            x += 6 + CHANGE.width(change_of(change))
        x += 22
    abroad = f"{shown.abroad or 'none'} abroad"
    yield words(abroad, x, y + 26, SMALL)


def _taught(shown: Home) -> str:
    rows, top = _learning(shown.levels), _below_store(shown) + _UNITS + 18
    return "".join(phrases(row, _MARGIN + 3, top + _LINE * at) for at, row in enumerate(rows))


# ---------------------------------------------------------------- what belongs to the whole table
# The title, the decks, what the last turn brought; and what every sign means.


WHOLE = 900
TOP = 66
_BAR = WIDTH - 28


class Table(NamedTuple):
    """The contents of the table's panel."""

    claimed: int
    left: int
    discarded: int
    offers: int
    seat: str
    deeds: tuple[str, ...]


def table(world: World, news: News) -> Table:
    """The decks and the offers, and what the last turn brought."""
    deck = world.exploration
    return Table(world.claimed, deck.left, deck.discarded, len(world.offers), news.seat, tuple(news.deeds))


@lru_cache(maxsize=256)
def panel(shown: Table, height: int) -> str:
    """The panel of the table."""
    return plate(1, 1, WIDTH - 2, height - 2, "nw-p", 14) + "".join((*_claims(shown), *_deeds(shown, height)))


def _claims(shown: Table) -> Iterator[str]:
    yield words(f"{shown.claimed} of {COLONIAL_CARDS} colonies claimed", 14, 34, HEAD)
    yield plate(14, 46, _BAR, 14, "nw-b", 7)
    if shown.claimed:
        yield plate(14, 46, max(14, _BAR * shown.claimed / COLONIAL_CARDS), 14, "nw-bar", 7)
    offers = f", {counted(shown.offers, 'offers')} open" if shown.offers else ""
    yield words(f"Deck {shown.left}, discarded {shown.discarded}{offers}", 14, 86, SMALL)


def _deeds(shown: Table, height: int) -> Iterator[str]:
    """As many lines as there is room for; the report tells all."""
    if not shown.seat:
        yield words("The lands are dealt out.", 14, 124, GOOD)
        return
    yield token(shown.seat, 28, 115, 14) + words(
        f"{shown.seat}\N{RIGHT SINGLE QUOTATION MARK}s last turn", 50, 123, GOOD
    )
    rows = in_lines([(deed, SMALL) for deed in shown.deeds or ("a quiet turn",)], WIDTH - 30)
    room = (height - 132) // 27
    cut = (
        [*rows[: room - 1], [(f"and {counted(sum(map(len, rows[room - 1 :])), 'things')} more", SMALL)]]
        if len(rows) > room
        else rows
    )
    for at, row in enumerate(cut):
        yield phrases(row, 14, 150 + 27 * at)


@lru_cache(maxsize=256)
def title(turn: int, round_: int, seat: str, ended: str) -> str:
    """The name of the game, the turn, and whose it is."""
    when = "the end" if ended else f"turn {turn}, round {round_}" if turn else "set-up"
    return phrases([("New World ", TITLE), (when, ASIDE)], 14, 44) + _on_turn(seat, bool(ended))


def _on_turn(seat: str, ended: bool) -> str:
    if not seat:
        return ""
    said = "wins" if ended and " and " not in seat else "win" if ended else "is on turn"
    told = [(f"{seat} ", HEAD), (said, ASIDE)]
    wide = width_of_phrases(told)
    drawn = phrases(told, WHOLE - 16 - wide, 43)
    return drawn + (token(seat, WHOLE - 44 - wide, 34, 18) if seat in COLOURS else "")


def whose_turn(world: World) -> str:
    """The nation on turn, or the winner."""
    return in_a_row(winners(world)) if world.ended else world.active or ""


@cache
def key(width: int) -> str:
    """The meaning of every sign, in as many lines as it takes."""
    found = [
        f'<g transform="translate({16 + x:g} {14 + 35 * row})">{drawn}{words(said, 36, 21, SMALL)}</g>'
        for (drawn, said), (x, row) in zip(_meanings(), _rows(width), strict=True)
    ]
    return plate(1, 1, width - 2, height_of_key(width) - 2, "nw-p", 14) + "".join(found)


@cache
def height_of_key(width: int) -> int:
    """How tall the key is."""
    return 35 * (1 + _rows(width)[-1][1]) + 22


def _rows(width: int) -> list[tuple[float, int]]:
    sizes = [36 + SMALL.width(said) for _, said in _meanings()]
    return [*flowing(sizes, width - 30, 13)]


@cache
def _meanings() -> tuple[tuple[str, str], ...]:
    some = next(iter(COLOURS))
    named = (*RESOURCES, "fleets", "armies", "culture", "battle", *TERRAINS)
    return (
        *((sign(name, 0, 0, 26), name.capitalize() if name == "culture" else name) for name in named),
        (copy(Copy(DECK), 13, 13), "in the deck"),
        (copy(Copy(DISCARD), 13, 13), "discarded"),
        (copy(Copy(NEUTRAL), 13, 13), "neutral"),
        (copy(Copy(FACE_UP), 13, 13), "to be claimed"),
        (copy(Copy(some, None, True), 13, 13), "new this turn"),
        (copy(Copy(some, 3), 10, 10), "in revolt, 3 rebels"),
    )


# ---------------------------------------------------------------- the board as a picture
# Five Regions with their cards, the table, and the home sheets, with what the last turn changed.


_EDGE, _GAP = 14, 12
_RIGHT = _EDGE + pieces.WIDTH + _GAP
_WIDE = WHOLE - 2 * _EDGE
_LIGHT = {
    ".nw-bg": "fill:#c9dbe4", ".nw-p": "fill:#f6eedb;stroke:#8a7550;stroke-width:1.5",
    ".nw text": f"font-family:{FACE};fill:#2a2014", **{f".nw .{type.name}": type.rule for type in TYPES},
    ".nw .nw-g,.nw .nw-u": "fill:#a63c00", ".nw-b": "fill:#fffdf6;stroke:#b9a57c;stroke-width:1.5",
    ".nw-lb": "stroke:#e07b00;stroke-width:4",
    ".nw-l": "fill:#ffd34d;stroke:#e07b00;stroke-width:3", ".nw-d": "stroke:#1c1c1c;stroke-width:1.5",
    ".nw-k": "fill:#000", ".nw-w": "fill:#fff", ".nw-0": "fill:#000;fill-opacity:0", ".nw-c": "cursor:pointer",
    ".nw-o-deck": "fill:none;stroke:#9c8a66;stroke-width:2;stroke-dasharray:4 4",
    ".nw-o-discard": "fill:#ddd3bb;stroke:#9c8a66;stroke-width:2", ".nw-o-neutral": "fill:#8b8f94;stroke:#1c1c1c;stroke-width:2",
    ".nw-o-face-up": "fill:#ffd34d;stroke:#e07b00;stroke-width:4", ".nw-re": "fill:#b00d1e;stroke:#fff;stroke-width:1.5",
    ".nw text.nw-rn": "fill:#fff", ".nw-bar": "fill:#4c8a3c",
    ".nw-r0": "fill:#9ed3d6", ".nw-r1": "fill:#b9d48b", ".nw-r2": "fill:#8fc7a0", ".nw-r3": "fill:#e6cf8c",
    ".nw-r4": "fill:#c3cfe6",
}  # fmt: skip
_DARK = {
    ".nw-bg": "fill:#13222c", ".nw-p": "fill:#22343f;stroke:#5d7482", ".nw text": "fill:#f0e7d2", ".nw-b": "fill:#efe5cd",
    ".nw .nw-g,.nw .nw-u": "fill:#ffb454", ".nw .nw-i": "fill:#2a2014", ".nw-lb": "stroke:#ffa530",
    ".nw-r0": "fill:#1f5f66", ".nw-r1": "fill:#46602a", ".nw-r2": "fill:#24603f", ".nw-r3": "fill:#6d5a20",
    ".nw-r4": "fill:#3c4c70",
}  # fmt: skip


def chart(world: World, events: Sequence[Event] = ()) -> Drawing:
    """The board of a position, and what these events of the last turn have changed; all is public, so it is one for all."""
    news = news_of(world, events)
    parts = [part(0, 0, WHOLE, TOP, title(world.turn, world.round, whose_turn(world), world.ended))]
    height = TOP
    for drawn, tall in (*_regions(world, news, height),):
        parts += drawn
        height += tall
    for drawn, tall in (*_homes(world, news, height),):
        parts += drawn
        height += tall
    if len(world.order) % 2 == 0:
        tall = height_of_key(_WIDE)
        parts.append(part(_EDGE, height, _WIDE, tall, key(_WIDE)))
        height += tall + _GAP
    return Drawing("".join((_head(height), *parts, "</svg>")), instead_of_board(world, news))


def instead_of_board(world: World, news: News) -> str:
    """The sentence for those who see no pictures: who holds how many colonies, where armies stand, and what was fought."""
    counts = {seat: sum(t.home is None for t in world.controlled(seat)) for seat in world.living}
    held = [f"{seat} {number}" for seat, number in counts.items() if number]
    abroad = [
        f"{seat} {world.powers[seat].armies[region]} in {region}"
        for region in COLONIES
        for seat in world.living
        if world.powers[seat].armies[region]
    ]
    whose = whose_turn(world)
    on_turn = f"{whose} {'won' if world.ended else 'is on turn'}; " if whose else ""
    fought = "".join(f" {battle.seat} attacked {battle.foe} in {battle.region}." for battle in news.battles)
    revolts = sum(territory.rebels is not None for territory in world.territories)
    parts = (
        f"The board: {on_turn}colonies: {in_a_row(held) or 'none yet'}",
        f"; armies abroad: {in_a_row(abroad)}." if abroad else ".",
        fought,
        f" In revolt: {counted(revolts, 'territories')}." if revolts else "",
    )
    return "".join(parts)


@lru_cache(maxsize=64)
def _head(height: int) -> str:
    size = f'viewBox="0 0 {WHOLE} {height}" width="{WHOLE}" height="{height}"'
    ground = part(0, 0, WHOLE, height, f'<rect width="{WHOLE}" height="{height}" class="nw-bg"/>')
    shapes = f"<style>{_style()}</style><defs>{definitions()}</defs>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="group"><title>The board of New World</title>{shapes}{ground}'


@cache
def _style() -> str:
    light, dark = ("".join(f"{place}{{{style}}}" for place, style in rules.items()) for rules in (_LIGHT, _DARK))
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _pair(left: str, right: str, y: int, height: int) -> list[str]:
    """Two panels side by side."""
    return [part(_EDGE, y, pieces.WIDTH, height, left), part(_RIGHT, y, pieces.WIDTH, height, right)]


def _regions(world: World, news: News, y: int) -> Iterator[tuple[list[str], int]]:
    """The table beside Canada, then two Regions a row from north to south; with what each row takes."""
    found = pieces.regions(world, news)
    for left, right in (("Canada", ""), ("North America", "Caribbean"), ("Central America", "South America")):
        shown = [found[name] for name in (left, right) if name]
        height = max(map(pieces.height_of, shown))
        panels = [pieces.panel(region, height) for region in shown]
        beside = panels[1] if right else panel(table(world, news), height)
        yield _pair(panels[0], beside, y, height), height + _GAP
        y += height + _GAP


def _homes(world: World, news: News, y: int) -> Iterator[tuple[list[str], int]]:
    """Two home sheets a row, in the order of play; beside one that is left over, what the signs mean."""
    every = [home(world, news, seat) for seat in world.order]
    for at in range(0, len(every), 2):
        shown = every[at : at + 2]
        height = max([*map(height_of, shown), *([] if len(shown) > 1 else [height_of_key(pieces.WIDTH)])])
        left, *right = (sheet(one, height) for one in shown)
        yield _pair(left, right[0] if right else key(pieces.WIDTH), y, height), height + _GAP
        y += height + _GAP
