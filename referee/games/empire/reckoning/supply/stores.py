"""Goods in a square: what a country has there, and which lots are used first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.games.empire.position.pieces import Lot, Position
from referee.games.empire.position.state import Empire


def lots_at(empire: Empire, country: str, at: Position, what: str) -> tuple[Lot, ...]:
    """A country's lots of one kind in a square: those that lie there first, then the city's, then those aboard."""
    found = [lot for lot in empire.lots if lot.at == at and lot.what == what and lot.country == country]
    return tuple(sorted(found, key=lambda lot: (lot.aboard, lot.inside, lot.spent)))


def held(empire: Empire, country: str, at: Position, what: str) -> int:
    """How many of a kind of goods a country has in a square, carried ones included."""
    return sum(lot.number for lot in lots_at(empire, country, at, what))


def taken(lots: Iterable[Lot], number: int) -> tuple[Lot, ...]:
    """The first so many goods of some lots, as lots."""
    parts = []
    for lot in lots:
        part = min(number, lot.number)
        number -= part
        parts += [replace(lot, number=part)] if part else []
    return tuple(parts)


def short(empire: Empire, country: str, places: Iterable[Position], needs: Mapping[str, int]) -> dict[str, int]:
    """What is missing in some squares together of what is needed."""
    squares = tuple(dict.fromkeys(places))
    lacking = {w: number - sum(held(empire, country, at, w) for at in squares) for w, number in needs.items()}
    return {what: number for what, number in lacking.items() if number > 0}


def taken_all(empire: Empire, country: str, places: Iterable[Position], needs: Mapping[str, int]) -> tuple[Lot, ...]:
    """The lots that meet a need out of some squares, in their order."""
    squares = tuple(dict.fromkeys(places))
    return tuple(
        part
        for what, number in needs.items()
        for part in taken((lot for at in squares for lot in lots_at(empire, country, at, what)), number)
    )
