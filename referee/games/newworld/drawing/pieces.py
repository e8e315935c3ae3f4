"""All that is drawn of New World: signs, pieces, news, and the Regions with what lies there. Nothing reads a drawing back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from referee.core.event import Event
from referee.games.newworld.events import (
    ArmiesMoved,
    ArmiesRaised,
    AttackLaunched,
    ColonyClaimed,
    ColonyRevolted,
    EventCame,
    FleetsBuilt,
    OpenEvent,
    TechnologyAdvanced,
    TerritoryTaken,
    UnitsLost,
)
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import CARDS, COLONIES, COLOURS, EUROPE, Card, card_named
from referee.kit import drawing
from referee.kit.drawing import SHAPES, Type, flowing, is_light, words
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- signs
# The signs of goods, units and seats, each drawn once among the definitions of the drawing, in a square of 24.


_SHEAF = "M12 8c-5-1-6-5-5-7 4 0 6 3 5 7zm0 0c5-1 6-5 5-7-4 0-6 3-5 7zM12 15c-5-1-7-4-6-7 4 0 7 3 6 7zm0 0c5-1 7-4 6-7-4 0-7 3-6 7z"
_SHOE = "M5 2C-3 13 4 22 12 22S27 13 19 2l-4 2c4 7 2 13-3 13S5 11 9 4z"
_TREE = "M12 1l7 8h-4l6 9h-8v5h-2v-5H3l6-9H5z"
_BAR = "M6 7h12l5 11H1z"
_FISH = "M1 12c5-8 12-7 16-2l6-4v12l-6-4c-4 5-11 6-16-2z"
_PUFFS = ((8, 9), (16, 9), (7, 15), (17, 15), (12, 12))


def _path(shape: str, fill: str, edge: str) -> str:
    return f'<path d="{shape}" fill="{fill}" stroke="{edge}"/>'


def _discs(places: tuple[tuple[int, int], ...], radius: float, fill: str, edge: str) -> str:
    return "".join(f'<circle cx="{x}" cy="{y}" r="{radius:g}" fill="{fill}" stroke="{edge}"/>' for x, y in places)


_WHEAT = f'<path d="M12 23V6" stroke="#8a6210" stroke-width="2"/>{_path(_SHEAF, "#e8b437", "#7d5a10")}'
_COIN = (
    _discs(((12, 12),), 10.5, "#f4c531", "#7a5a00") + '<circle cx="12" cy="12" r="6.5" fill="none" stroke="#a87c00"/>'
)
_HORSE = _path(_SHOE, "#8d6a4b", "#3f2c1c")
_SWIMS = _path(_FISH, "#5b9bd0", "#1d4a70") + '<circle cx="6" cy="11" r="1.3" fill="#10283d"/>'

SIGNS: Mapping[str, str] = {
    "workers": _discs(((12, 6),), 5, "#d9925b", "#5c3210") + _path("M2 23c0-8 4-11 10-11s10 3 10 11z", "#b5602a", "#5c3210"),
    "gold": _COIN,
    "food": _WHEAT,
    "cloth": _path("M8 3q4 3 8 0l7 4-3 6-3-1v10H7V12l-3 1-3-6z", "#6f8fd0", "#26407d"),
    "wood": _path("M6 7h12v11H6a5 5.500 0 0 1 0-11z", "#a5672f", "#4d2c0d") + _discs(((18, 12),), 5.5, "#e7c086", "#4d2c0d")
    + '<circle cx="18" cy="12" r="2" fill="none" stroke="#8a5a20"/>',
    "metal": _path("M1 5h22v5c-5 0-7 2-7 5l3 5H6l3-5c0-3-3-5-8-6z", "#8c9aa6", "#313b44"),
    "horses": _HORSE,
    "armies": _path("M12 1l10 3v8c0 6-6 10-10 12C8 22 2 18 2 12V4z", "#b9c2c9", "#23292e")
    + '<path d="M12 2v21M3 10h18" stroke="#23292e" stroke-width="2"/>',
    "fleets": _path("M1 15h22l-4 7H5z", "#94602f", "#3c2208") + _path("M13 1l8 12h-8z", "#fff", "#3c2208")
    + _path("M10.500 4v9H3.500z", "#fff", "#3c2208"),
    "culture": _path("M12 1l3 8 8.500.500-6.700 5.200L19 23l-7-4.800L5 23l2.200-8.300L.5 9.500 9 9z", "#7b4ea3", "#3a1d57"),
    "battle": '<g fill="none" stroke-linecap="round"><path d="M4 3l15 16M20 3L5 19" stroke="#fff" stroke-width="6"/>'
    '<path d="M4 3l13 14M20 3L7 17" stroke="#8f1010" stroke-width="3.400"/>'
    '<path d="M13 20l6-6M11 20l-6-6M18 18l3 3M6 18l-3 3" stroke="#3a0a0a" stroke-width="2.600"/></g>',
    "Sugar": _path("M12 1l8 20q-8 4-16 0z", "#fff", "#6d7680") + '<path d="M8 13q4 2 8 0" fill="none" stroke="#a9b3bd"/>',
    "Tobacco": _path("M12 1c9 6 9 14 0 20C3 15 3 7 12 1z", "#7f9a3a", "#3a4a12") + '<path d="M12 5v18" stroke="#3a4a12"/>',
    "Indigo": _discs(((12, 6), (18, 11), (16, 18), (8, 18), (6, 11)), 4.6, "#5a55c8", "#262070")
    + _discs(((12, 13),), 3, "#f1cf4a", "#7a5a00"),
    "Coffee": '<g transform="rotate(35 12 12)"><ellipse cx="12" cy="12" rx="7.500" ry="11" fill="#7b4a22" stroke="#361c06"/>'
    '<path d="M12 1.500c-4 7 4 14 0 21" fill="none" stroke="#e2b98a" stroke-width="1.600"/></g>',
    "Lumber": _discs(((6, 17), (18, 17), (12, 7)), 5.6, "#e7c086", "#4d2c0d")
    + _discs(((6, 17), (18, 17), (12, 7)), 2, "#c08f4c", "#8a5a20"),
    "Furs": _path("M8 1h8l1 6 6-2-2 8 2 7-6-2-2 5H9l-2-5-6 2 2-7-2-8 6 2z", "#94653b", "#41270f"),
    "Syrup": _path("M12 1l3 5 4-2-1 7 5 1-5 6v2l-5-1v4h-2v-4l-5 1v-2l-5-6 5-1-1-7 4 2z", "#c8442b", "#5e150a"),
    "Fish": _SWIMS,
    "Cotton": '<path d="M12 23v-6" stroke="#5f7d2c" stroke-width="3"/>' + _discs(_PUFFS, 5, "#fff", "#8b949c"),
    "Rice": _path("M4 11c1-9 15-9 16 0z", "#fff", "#8b949c") + _path("M1 11h22c0 7-5 11-11 11S1 18 1 11z", "#3f7fa8", "#173d55"),
    "Gold": _path(_BAR, "#f4c531", "#7a5a00") + '<path d="M6 7l2 5h8l2-5M8 12l-3 6M16 12l3 6" fill="none" stroke="#a87c00"/>',
    "Silver": _path(_BAR, "#d5dce2", "#4f5b66") + '<path d="M6 7l2 5h8l2-5M8 12l-3 6M16 12l3 6" fill="none" stroke="#7f8b96"/>',
    "Gems": _path("M6 3h12l5 7-11 12L1 10z", "#4cc3c9", "#0d5257")
    + '<path d="M1 10h22M8 10l4 12 4-12-4-7z" fill="none" stroke="#0d5257"/>',
    "Cocoa": '<g transform="rotate(35 12 12)"><ellipse cx="12" cy="12" rx="7" ry="11" fill="#b5562a" stroke="#4c1d07"/>'
    '<path d="M12 1v22M8.500 3q-3 9 0 18M15.500 3q3 9 0 18" fill="none" stroke="#4c1d07"/></g>',
    "Grain": _WHEAT,
    "Wool": _discs(_PUFFS, 5, "#fff", "#6d7680") + '<ellipse cx="20" cy="11" rx="3" ry="4" fill="#333"/>'
    '<path d="M8 19v4M15 19v4" stroke="#333" stroke-width="2"/>',
    "Cattle": _path("M1 2c1 5 3 5 5 5h12c2 0 4 0 5-5 2 6-1 9-4 9l-3 9q-4 5-8 0l-3-9C2 11-1 8 1 2z", "#a8754a", "#3f2409")
    + _path("M8 17q4-3 8 0v3q-4 4-8 0z", "#f0cdb0", "#3f2409"),
    "Ore": _path("M2 20l4-12 7-5 8 7 1 10z", "#7d858c", "#2e353b")
    + _discs(((9, 12), (15, 9), (14, 16)), 1.8, "#e39a3b", "#8a5210"),
    "Forest": _path(_TREE, "#3f8a45", "#163d1a"),
    "Herds": _HORSE,
    "Grapes": _discs(((7, 8), (12, 8), (17, 8), (9, 13), (15, 13), (12, 18)), 3.4, "#8a3f97", "#3f1447")
    + '<path d="M12 5q1-3 4-4" fill="none" stroke="#4d6b1f" stroke-width="2"/>',
    "Coal": _path("M1 19l4-8 6-1 3-6 7 4 2 11z", "#2e3236", "#000") + '<path d="M7 13l3 4M15 8l3 5" stroke="#8b949c"/>',
    "Stone": _path("M1 13h10v9H1zM12 13h11v9H12zM6 3h11v9H6z", "#b9b2a5", "#4f493d"),
}  # fmt: skip
"""The sign of each resource, unit, good of a card, terrain of Europe, and of a battle."""

_SHAPE = dict(zip(COLOURS, SHAPES.values(), strict=False))
"""The emblem of each seat: that of its sign in letters."""


def definitions() -> str:
    """All signs and emblems under the names by which `sign` and `emblem` use them."""
    signs = "".join(f'<g id="nw-{name}">{drawn}</g>' for name, drawn in SIGNS.items())
    return signs + "".join(f'<path id="nw-of-{seat}" d="{shape}"/>' for seat, shape in _SHAPE.items())


def sign(name: str, x: float, y: float, size: float = 24) -> str:
    """A sign with its upper left corner at a point."""
    scale = f" scale({size / 24:.3g})" if size != 24 else ""
    return f'<use href="#nw-{name}" transform="translate({x:g} {y:g}){scale}"/>'


def emblem(seat: str, x: float, y: float, scale: float) -> str:
    """A seat's shape round a point, in black or white, as can be seen on its colour."""
    return (
        f'<use href="#nw-of-{seat}" transform="translate({x:g} {y:g}) scale({scale:g})" class="{ink(COLOURS[seat])}"/>'
    )


def ink(colour: str) -> str:
    """The class of what can be seen on a colour: `nw-k` black, `nw-w` white."""
    return "nw-k" if is_light(colour) else "nw-w"


# ---------------------------------------------------------------- small pieces of the board
# Parts, words, tokens of seats, forces, and what can be clicked. All in pixels.


NEUTRAL, DECK, DISCARD, FACE_UP = "neutral", "deck", "discard", "face up"
"""Where a copy of a card may be that is nobody's."""

TOKEN = 15
"""The radius of a token."""

TITLE, HEAD, ASIDE, GOOD, SMALL = (
    Type("nw-t", 34, True), Type("nw-h", 27, True), Type("nw-q", 24), Type("nw-n", 23, True), Type("nw-s", 21),
)  # fmt: skip
FIGURE, STORE, CHANGE, LEARNT, REBELS = (
    Type("nw-f", 25, True), Type("nw-m", 22, True), Type("nw-g", 22, True), Type("nw-u", 21, True), Type("nw-rn", 21, True),
)  # fmt: skip
TYPES = (TITLE, HEAD, ASIDE, GOOD, SMALL, FIGURE, STORE, CHANGE, LEARNT, REBELS)
"""All type of the board, so large that it can be read on a telephone."""


class Copy(NamedTuple):
    """A copy of a card: whose it is or where it lies, its revolutionary armies if it is in revolt, whether that is news."""

    owner: str
    rebels: int | None = None
    lit: bool = False


class Force(NamedTuple):
    """Armies of a seat in a Region, and how many more than before the turn."""

    seat: str
    number: int
    change: int = 0


def part(x: int, y: int, width: int, height: int, inside: str) -> str:
    """A piece of the drawing with its own zero point."""
    return drawing.part(x, y, width, height, f'<g class="nw">{inside}</g>')


def plate(x: float, y: float, width: float, height: float, style: str, round_: float = 8) -> str:
    """A rounded rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}" class="{style}"/>'


def to_click(name: str, label: str, inside: str, **data: str) -> str:
    """Something that can be clicked and reached by the keyboard; `data` says what it is in the words of orders."""
    return f'<g class="nw-c" {drawing.to_click(f"nw-{name}", label, **data)}>{inside}</g>'


def token(seat: str, x: float, y: float, radius: float = TOKEN) -> str:
    """A seat's token round a point: its colour and its emblem."""
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[seat]}" class="nw-d"/>'
    return disc + emblem(seat, x, y, radius / 7.5)


def copy(one: Copy, x: float, y: float) -> str:
    """A copy of a card round a point."""
    halo = f'<circle cx="{x:g}" cy="{y:g}" r="{TOKEN + 3}" class="nw-l"/>' if one.lit else ""
    if one.owner in COLOURS:
        drawn = token(one.owner, x, y)
    else:
        drawn = f'<circle cx="{x:g}" cy="{y:g}" r="{TOKEN - 1}" class="nw-o-{one.owner.replace(" ", "-")}"/>'
    return halo + drawn + (_rebels(one.rebels, x, y) if one.rebels is not None else "")


def _rebels(number: int, x: float, y: float) -> str:
    """A red flag with the number of revolutionary armies on it."""
    flag = f'<path d="M{x - 5:g} {y + 3:g}h26v20h-26z" class="nw-re"/>'
    return flag + words(str(number), x + 8, y + 20.5, REBELS, anchor=0.5)


def side(name: str, x: float, y: float) -> str:
    """A side of a battle, round a point: a token, the flag of rebels, or the sign of nobody's armies."""
    if name in COLOURS:
        return token(name, x, y, 14)
    if name == "rebels":
        return f'<path d="M{x - 11:g} {y - 9:g}h22v18h-22z" class="nw-re"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="13" class="nw-o-neutral"/>'


def change_of(number: int) -> str:
    """How many more, or fewer with a true minus; empty for none."""
    return ("+" if number > 0 else "\N{MINUS SIGN}") + str(abs(number)) if number else ""


def width_of_force(force: Force) -> float:
    """How wide `force` draws it."""
    return _sizes(force)[1]


def _sizes(force: Force) -> tuple[float, float]:
    """Where the change begins, and the whole width."""
    number = 2 * TOKEN + 6 + FIGURE.width(str(force.number))
    change = change_of(force.change)
    return number + 6, number + (6 + CHANGE.width(change) if change else 0)


def force(one: Force, x: float, y: float) -> str:
    """A token, how many armies, and the change, with the middle of the left edge at a point."""
    change = change_of(one.change)
    drawn = token(one.seat, x + TOKEN, y) + words(str(one.number), x + 2 * TOKEN + 6, y + 9, FIGURE)
    return drawn + (words(change, x + _sizes(one)[0], y + 8, CHANGE) if change else "")


def headed(name: str, text: str, x: float, y: float, size: float = 30) -> str:
    """A sign and a number beside it, with the sign's upper left corner at a point."""
    return sign(name, x, y, size) + words(text, x + size + 5, y + size - 6, FIGURE)


# ---------------------------------------------------------------- news
# The changes of a turn, gathered from its events, so that the board can show them.


class Battle(NamedTuple):
    """The sides of a battle, attacker and attacked: a seat, `rebels` or `neutral`."""

    region: str
    seat: str
    foe: str


class News(msgspec.Struct):
    """Territories that changed hands or rose, by number; units more or less; battles; levels; what was done."""

    seat: str = ""
    lit: set[int] = set()
    armies: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    fleets: Counter[str] = msgspec.field(default_factory=Counter)
    battles: list[Battle] = []
    levels: set[tuple[str, str]] = set()
    deeds: list[str] = []


def news_of(world: World, events: Sequence[Event]) -> News:
    """The changes that these events have made; the last of them led to a position."""
    news = News()
    claims = sum(isinstance(event, ColonyClaimed) for event in events)
    news.lit.update(range(len(world.territories) - claims + 1, len(world.territories) + 1))
    for event in events:
        match event:
            case EventCame(seat=seat):
                news.seat = seat
            case TerritoryTaken(number=number) | ColonyRevolted(number=number):
                news.lit.add(number)
            case AttackLaunched(seat=seat, foe=foe, region=region):
                news.battles.append(Battle(region, seat, foe))
            case TechnologyAdvanced(seat=seat, technology=technology):
                news.levels.add((seat, technology))
            case _:
                _count(news, event)
        if isinstance(event, OpenEvent) and event.deed():
            news.deeds.append(event.deed())
    return news


def _count(news: News, event: Event) -> None:
    """Units that came, went and were lost."""
    match event:
        case ArmiesRaised(seat=seat, amount=amount):
            news.armies[seat, EUROPE] += amount
        case FleetsBuilt(seat=seat, amount=amount):
            news.fleets[seat] += amount
        case ArmiesMoved(seat=seat, amount=amount, origin=origin, target=target):
            news.armies[seat, origin] -= amount
            news.armies[seat, target] += amount
        case UnitsLost(seat=seat, fleets=fleets, armies=armies):
            news.fleets[seat] -= fleets
            for region, number in armies.items():
                news.armies[seat, region] -= number
        case _:
            pass


# ---------------------------------------------------------------- the five Regions of the New World
# A panel each with the kinds of card, whose every copy is, and the armies there.


WIDTH = 430
_HEAD, _TILE, _GAP, _EDGE, _LINE = 46, 80, 8, 10, 40
_HALF = (WIDTH - 2 * _EDGE - _GAP) // 2
_IN_WORDS = {
    DECK: "still in the deck", DISCARD: "discarded", FACE_UP: "face up, to be claimed", NEUTRAL: "neutral",
}  # fmt: skip


class Region(NamedTuple):
    """The contents of a Region's panel."""

    name: str
    cards: tuple[tuple[str, tuple[Copy, ...]], ...]
    armies: tuple[Force, ...]
    battle: tuple[str, str] | None = None


def regions(world: World, news: News) -> dict[str, Region]:
    """Every Region but Europe, with what lies there."""
    held: dict[str, list[Copy]] = {}
    for territory in world.territories:
        if territory.home is None:
            one = Copy(territory.owner or NEUTRAL, territory.rebels, territory.number in news.lit)
            held.setdefault(territory.name, []).append(one)
    return {name: _region(world, news, name, held) for name in COLONIES}


def _region(world: World, news: News, name: str, held: dict[str, list[Copy]]) -> Region:
    armies = forces(world, news, name)
    cards = tuple((card.name, _copies(world, card, held.get(card.name, []))) for card in _KINDS[name])
    fought = [(battle.seat, battle.foe) for battle in news.battles if battle.region == name]
    return Region(name, cards, armies, fought[-1] if fought else None)


_KINDS = {
    name: tuple(sorted((card for card in CARDS if card.region == name), key=lambda card: card.copies > 2))
    for name in COLONIES
}
"""The cards of each Region, last the one that has a line for itself."""


def forces(world: World, news: News, region: str) -> tuple[Force, ...]:
    """The armies in a Region, those that left it this turn too."""
    found = (Force(seat, world.powers[seat].armies[region], news.armies[seat, region]) for seat in world.order)
    return tuple(force for force in found if force.number or force.change)


def _copies(world: World, card: Card, held: list[Copy]) -> tuple[Copy, ...]:
    """Every copy there is: claimed ones, then those face up, in the deck and discarded."""
    deck = world.exploration
    elsewhere = ((FACE_UP, world.face_up.count(card.name)), (DECK, deck.draw.get(card.name, 0)))
    rest = [(owner, number) for owner, number in (*elsewhere, (DISCARD, deck.discard.get(card.name, 0)))]
    return (*held, *(Copy(owner) for owner, number in rest for _ in range(number)))


def height_of(region: Region) -> int:
    """How tall its panel must be."""
    return _HEAD + 2 * (_TILE + _GAP) + (_LINE * (1 + _lines(region)[-1]) if region.armies else 0) + 4


def _lines(region: Region) -> list[int]:
    return [line for _, line in _places(region)]


def _places(region: Region) -> list[tuple[float, int]]:
    return [*flowing([width_of_force(one) for one in region.armies], WIDTH - 2 * _EDGE - 40, 16)]


@lru_cache(maxsize=1_024)
def panel(region: Region, height: int) -> str:
    """A Region's panel of this height."""
    tint = f"nw-r{COLONIES.index(region.name)}"
    ground = plate(1, 1, WIDTH - 2, height - 2, "nw-p", 14) + plate(1, 1, WIDTH - 2, _HEAD - 6, tint, 14)
    return ground + _header(region) + "".join(_tiles(region)) + "".join(_armies(region))


def _header(region: Region) -> str:
    shown = plate(1, 1, WIDTH - 2, _HEAD - 6, "nw-0", 14) + words(region.name, 14, 31, HEAD)
    if region.battle:
        attacker, foe = region.battle
        shown += side(attacker, WIDTH - 98, 21) + sign("battle", WIDTH - 76, 4, 34) + side(foe, WIDTH - 22, 21)
    return to_click(region.name, _said_of(region), shown, place=region.name)


def _said_of(region: Region) -> str:
    armies = in_a_row([f"{counted(one.number, 'armies')} of {one.seat}" for one in region.armies if one.number])
    battle = "; {} attacks {} here".format(*region.battle) if region.battle else ""
    return f"{region.name}: {armies or 'no armies'}{battle}"


def _tiles(region: Region) -> Iterator[str]:
    """Two kinds a line; one of more copies than two takes a line for itself."""
    x, y = _EDGE, _HEAD
    for name, copies in region.cards:
        wide = card_named(name).copies > 2
        if wide and x > _EDGE:
            x, y = _EDGE, y + _TILE + _GAP
        width = WIDTH - 2 * _EDGE if wide else _HALF
        yield _tile(card_named(name), copies, x, y, width)
        x += width + _GAP
        if x > WIDTH - _HALF:
            x, y = _EDGE, y + _TILE + _GAP


@lru_cache(maxsize=4_096)
def _tile(card: Card, copies: tuple[Copy, ...], x: int, y: int, width: int) -> str:
    lit = any(one.lit or one.owner == FACE_UP for one in copies)
    ground = plate(x, y, width, _TILE, "nw-b nw-lb" if lit else "nw-b")
    named = sign(card.good, x + 7, y + 6, 40) + words(card.good, x + 55, y + 32, GOOD, "nw-i")
    gives = words(f"{card.amount}", x + 12, y + 70, FIGURE, "nw-i") + sign(card.resource, x + 29, y + 50, 24)
    first = x + width - TOKEN - 12 - (len(copies) - 1) * 40
    tokens = "".join(copy(one, first + 40 * at, y + 58) for at, one in enumerate(copies))
    label = f"{card.name}, yields {card.amount} {card.resource}: {_owners(copies)}"
    return to_click(f"card-{card.name}", label, ground + named + gives + tokens, card=card.name)


def _owners(copies: tuple[Copy, ...]) -> str:
    """`1 of Spain, 1 still in the deck`."""
    return ", ".join(f"{number} {said}" for said, number in Counter(map(_owner, copies)).items())


def _owner(one: Copy) -> str:
    revolt = f" in revolt, rebels {one.rebels}" if one.rebels is not None else ""
    return f"{_IN_WORDS.get(one.owner) or f'of {one.owner}'}{revolt}"


def _armies(region: Region) -> Iterator[str]:
    top = _HEAD + 2 * (_TILE + _GAP) + _LINE // 2 - 2
    if region.armies:
        yield sign("armies", _EDGE, top - 15, 30)
    for one, (x, line) in zip(region.armies, _places(region), strict=True):
        drawn = force(one, _EDGE + 42 + x, top + _LINE * line)
        label = f"{one.seat}: {counted(one.number, 'armies')} in {region.name}" + (
            f", {change_of(one.change)} this turn" if one.change else ""
        )
        yield to_click(f"armies-{one.seat}-{region.name}", label, drawn, place=region.name, seat=one.seat)
