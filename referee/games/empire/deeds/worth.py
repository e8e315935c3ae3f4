"""What is worth an order: squares to work and ships to chase; for forms, strategies and random players alike."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from referee.games.empire.deeds.building import yields_of
from referee.games.empire.deeds.sea import ships_in
from referee.games.empire.position.board import FOODS, Position
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS


def workable(
    empire: Empire, near: Iterable[Position], taken: Container[tuple[Position, str]]
) -> Iterator[tuple[Position, str]]:
    """Squares in this order and what of each nobody works yet, food first: no water, and no desert, where who stays thirsts."""
    for at in near:
        square = empire.board.squares[at]
        if not square.water and square.terrain != "desert":
            kinds = sorted(yields_of(empire, at), key=lambda kind: kind not in FOODS)
            yield from ((at, kind) for kind in kinds if (at, kind) not in taken)


def prey(empire: Empire, country: str, submerged: bool = False) -> tuple[Position, ...]:
    """Squares with ships that a country may attack, on the water or under it."""
    ships = (u for u in empire.units.values() if u.country != country and KINDS[u.kind].category == "naval")
    return tuple(at for at in dict.fromkeys(ship.at for ship in ships) if ships_in(empire, country, at, submerged))
