"""The home sheets: what each player has in Europe, in store and at sea, and how far his learning goes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.core.names import Seat
from referee.games.newworld.drawing.pieces import (
    CHANGE,
    FIGURE,
    HEAD,
    LEARNT,
    SMALL,
    STORE,
    News,
    change_of,
    headed,
    plate,
    side,
    sign,
    to_click,
    token,
)
from referee.games.newworld.drawing.places import WIDTH
from referee.games.newworld.position import Territory, World
from referee.games.newworld.rulebook import EUROPE, RESOURCES, TECHNOLOGIES
from referee.kit.drawing import Phrase, flowing, in_lines, phrases, words
from referee.kit.wording import in_a_row

_HEAD, _EDGE, _TILE, _STORE, _UNITS, _LINE = 50, 10, 50, 44, 44, 27


class Tile(NamedTuple):
    """A first territory of a seat, and who holds it now."""

    number: int
    good: str
    owner: str
    rebels: int | None
    lit: bool


class Home(NamedTuple):
    """What a home sheet shows. `turn` says that its player is on turn; changes are those of the last turn."""

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
    return in_lines(said, WIDTH - 2 * _EDGE - 6)


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
        yield _tile(shown.seat, tile, _EDGE + 41 * at, _HEAD)


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
    yield plate(_EDGE, y, WIDTH - 2 * _EDGE, _STORE * (1 + places[-1][1]) - 6, "nw-b", 6)
    for name, number, (x, row) in zip(RESOURCES, shown.store, places, strict=True):
        left, top = _EDGE + 8 + x, y + _STORE * row
        yield sign(name, left, top + 6, 26) + words(str(number), left + 30, top + 27, STORE, "nw-i")


@lru_cache(maxsize=1_024)
def _shelves(store: tuple[int, ...]) -> list[tuple[float, int]]:
    """Where each of the goods lies: side by side as far apart as there is room for, or in two rows."""
    sizes = [30 + STORE.width(str(number)) for number in store]
    room = WIDTH - 2 * _EDGE - 16
    spare = (room - sum(sizes)) / (len(sizes) - 1)
    return [*flowing(sizes, room + 1, min(20.0, spare) if spare >= 6 else 20)]


def _units(shown: Home) -> Iterator[str]:
    y, x = _below_store(shown), float(_EDGE)
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
    return "".join(phrases(row, _EDGE + 3, top + _LINE * at) for at, row in enumerate(rows))
