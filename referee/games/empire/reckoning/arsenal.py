"""What a capital begins with besides emp.P4 in a match created with start armed: the same small force for everybody (emp.H-37)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.position.board import Board
from referee.games.empire.position.pieces import City, Position
from referee.games.empire.position.state import Empire

STARTS = ("standard", "armed")
"""How a country may begin: with the goods of the rulebook alone, or with a force of every arm besides."""

ARMED = "emp.H-37"
"""The house rule of the armed start."""

FORCES = (
    ("infantry regiment", 2), ("support regiment", 1), ("artillery", 2), ("armour", 1),
    ("fighter", 2), ("TAC", 1), ("strategic bomber", 1),
)  # fmt: skip
"""Formations with their arms, and planes; with the SAC of emp.P4 one less than may stand in a city (emp.H-25)."""

FLEET = (("cruiser", 1), ("destroyer", 2), ("cargo ship", 1))
"""The ships, in dock in a capital on the coast, else on the beach nearest to it."""

STORES = (("bomb", 4), ("light bomb", 4), ("O", 10), ("X", 10), ("food", 60))
"""Bombs, and what the force flies, fires and eats for its first turns, besides what emp.P4 gives."""

AT_ONCE = 1
"""So many airports, and on the coast so many docks, stand in an armed capital."""


def begins_armed(empire: Empire) -> bool:
    """Whether the match was created with start armed."""
    return empire.options.get("start", STARTS[0]) == STARTS[1]


def harbour(board: Board, capital: Position) -> Position:
    """Where the ships of a capital lie: itself on the coast, else the nearest land beside the sea or a lake."""
    for at in _rings(board, capital):
        # Rivers do not count: not every ship sails on one.
        if not board.squares[at].water and any(board.squares[there].water for _, there in board.grid.around(at)):
            return at
    return capital


def _rings(board: Board, here: Position) -> Iterator[Position]:
    """Every square, nearest first, in an order that never changes."""
    seen, ring = {here: None}, [here]
    while ring:
        yield from ring
        beyond = dict.fromkeys(there for at in ring for _, there in board.grid.around(at) if there not in seen)
        seen |= beyond
        ring = list(beyond)


def with_berths(city: City, docked: bool) -> dict[str, int]:
    """The fields of a capital's airport, and of its dock where the fleet lies in it."""
    return {"airports": city.airports + AT_ONCE, "docks": city.docks + (AT_ONCE if docked else 0)}
