"""The board as a picture: five Regions with their cards, the table, and the home sheets, with what the last turn changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from referee.core.event import Event
from referee.core.page import Drawing
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import COLONIES
from referee.games.newworld.telling.drawing import homes, places, table
from referee.games.newworld.telling.drawing.news import News, news_of
from referee.games.newworld.telling.drawing.pieces import TYPES, part
from referee.games.newworld.telling.drawing.signs import definitions
from referee.kit.drawing.lettering import FACE
from referee.kit.wording import counted, in_a_row

_EDGE, _GAP = 14, 12
_RIGHT = _EDGE + places.WIDTH + _GAP
_WIDE = table.WHOLE - 2 * _EDGE
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
    parts = [part(0, 0, table.WHOLE, table.TOP, table.title(world.turn, world.round, table.whose(world), world.ended))]
    height = table.TOP
    for drawn, tall in (*_regions(world, news, height),):
        parts += drawn
        height += tall
    for drawn, tall in (*_homes(world, news, height),):
        parts += drawn
        height += tall
    if len(world.order) % 2 == 0:
        tall = table.height_of_key(_WIDE)
        parts.append(part(_EDGE, height, _WIDE, tall, table.key(_WIDE)))
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
    whose = table.whose(world)
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
    size = f'viewBox="0 0 {table.WHOLE} {height}" width="{table.WHOLE}" height="{height}"'
    ground = part(0, 0, table.WHOLE, height, f'<rect width="{table.WHOLE}" height="{height}" class="nw-bg"/>')
    shapes = f"<style>{_style()}</style><defs>{definitions()}</defs>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="group"><title>The board of New World</title>{shapes}{ground}'


@cache
def _style() -> str:
    light, dark = ("".join(f"{place}{{{style}}}" for place, style in rules.items()) for rules in (_LIGHT, _DARK))
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _pair(left: str, right: str, y: int, height: int) -> list[str]:
    """Two panels side by side."""
    return [part(_EDGE, y, places.WIDTH, height, left), part(_RIGHT, y, places.WIDTH, height, right)]


def _regions(world: World, news: News, y: int) -> Iterator[tuple[list[str], int]]:
    """The table beside Canada, then two Regions a row from north to south; with what each row takes."""
    found = places.regions(world, news)
    for left, right in (("Canada", ""), ("North America", "Caribbean"), ("Central America", "South America")):
        shown = [found[name] for name in (left, right) if name]
        height = max(map(places.height_of, shown))
        panels = [places.panel(region, height) for region in shown]
        beside = panels[1] if right else table.panel(table.table(world, news), height)
        yield _pair(panels[0], beside, y, height), height + _GAP
        y += height + _GAP


def _homes(world: World, news: News, y: int) -> Iterator[tuple[list[str], int]]:
    """Two home sheets a row, in the order of play; beside one that is left over, what the signs mean."""
    every = [homes.home(world, news, seat) for seat in world.order]
    for at in range(0, len(every), 2):
        shown = every[at : at + 2]
        height = max([*map(homes.height_of, shown), *([] if len(shown) > 1 else [table.height_of_key(places.WIDTH)])])
        left, *right = (homes.sheet(one, height) for one in shown)
        yield _pair(left, right[0] if right else table.key(places.WIDTH), y, height), height + _GAP
        y += height + _GAP
