"""The map of New World: the table in the middle, homes and places round it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from referee.core.event import Event
from referee.core.page import Drawing
from referee.games.newworld.drawing import homes, places
from referee.games.newworld.drawing.pieces import (
    ASIDE,
    DECK,
    DISCARD,
    FACE_UP,
    GOOD,
    HEAD,
    NEUTRAL,
    SMALL,
    TITLE,
    TYPES,
    Copy,
    News,
    copy,
    definitions,
    news_of,
    part,
    plate,
    sign,
    token,
)
from referee.games.newworld.drawing.places import WIDTH
from referee.games.newworld.position import World, winners
from referee.games.newworld.rulebook import COLONIAL_CARDS, COLONIES, COLOURS, RESOURCES, TERRAINS
from referee.kit.drawing import FACE, flowing, in_lines, phrases, width_of_phrases, words
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- what belongs to the whole table
# The title, the decks, what the last turn brought; and what every sign means.


WHOLE = 900
TOP = 66
_BAR = WIDTH - 28


class Table(NamedTuple):
    """What the panel of the table shows."""

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
    """Who is on turn, or who has won."""
    return in_a_row(winners(world)) if world.ended else world.active or ""


@cache
def key(width: int) -> str:
    """What every sign means, in as many lines as it takes."""
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
_RIGHT = _EDGE + places.WIDTH + _GAP
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
    return [part(_EDGE, y, places.WIDTH, height, left), part(_RIGHT, y, places.WIDTH, height, right)]


def _regions(world: World, news: News, y: int) -> Iterator[tuple[list[str], int]]:
    """The table beside Canada, then two Regions a row from north to south; with what each row takes."""
    found = places.regions(world, news)
    for left, right in (("Canada", ""), ("North America", "Caribbean"), ("Central America", "South America")):
        shown = [found[name] for name in (left, right) if name]
        height = max(map(places.height_of, shown))
        panels = [places.panel(region, height) for region in shown]
        beside = panels[1] if right else panel(table(world, news), height)
        yield _pair(panels[0], beside, y, height), height + _GAP
        y += height + _GAP


def _homes(world: World, news: News, y: int) -> Iterator[tuple[list[str], int]]:
    """Two home sheets a row, in the order of play; beside one that is left over, what the signs mean."""
    every = [homes.home(world, news, seat) for seat in world.order]
    for at in range(0, len(every), 2):
        shown = every[at : at + 2]
        height = max([*map(homes.height_of, shown), *([] if len(shown) > 1 else [height_of_key(places.WIDTH)])])
        left, *right = (homes.sheet(one, height) for one in shown)
        yield _pair(left, right[0] if right else key(places.WIDTH), y, height), height + _GAP
        y += height + _GAP
