"""What belongs to the whole table: the title, the decks, what the last turn brought; and what every sign means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.scoring import winners
from referee.games.newworld.rulebook.tables import COLONIAL_CARDS, COLOURS, RESOURCES, TERRAINS
from referee.games.newworld.telling.drawing.news import News
from referee.games.newworld.telling.drawing.pieces import (
    ASIDE,
    DECK,
    DISCARD,
    FACE_UP,
    GOOD,
    HEAD,
    NEUTRAL,
    SMALL,
    TITLE,
    Copy,
    copy,
    plate,
    token,
)
from referee.games.newworld.telling.drawing.places import WIDTH
from referee.games.newworld.telling.drawing.signs import sign
from referee.kit.drawing.lettering import in_lines, phrases, width_of_phrases, words
from referee.kit.drawing.svg import flowing
from referee.kit.wording import counted, in_a_row

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


def whose(world: World) -> str:
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
