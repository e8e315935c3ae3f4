"""The five Regions of the New World: a panel each with the kinds of card, whose every copy is, and the armies there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.games.newworld.drawing.pieces import (
    DECK,
    DISCARD,
    FACE_UP,
    FIGURE,
    GOOD,
    HEAD,
    NEUTRAL,
    TOKEN,
    Copy,
    Force,
    News,
    change_of,
    copy,
    force,
    plate,
    side,
    sign,
    to_click,
    width_of_force,
)
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import CARDS, COLONIES, Card, card_named
from referee.kit.drawing import flowing, words
from referee.kit.wording import counted, in_a_row

WIDTH = 430
_HEAD, _TILE, _GAP, _EDGE, _LINE = 46, 80, 8, 10, 40
_HALF = (WIDTH - 2 * _EDGE - _GAP) // 2
_IN_WORDS = {
    DECK: "still in the deck", DISCARD: "discarded", FACE_UP: "face up, to be claimed", NEUTRAL: "neutral",
}  # fmt: skip


class Region(NamedTuple):
    """What a panel shows."""

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
