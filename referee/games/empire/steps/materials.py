"""What a work takes, and from which squares it may be taken (IV B, H-21, swamps)."""

from __future__ import annotations

from itertools import pairwise

from referee.games.empire.board import Board, edge
from referee.games.empire.labour import Work
from referee.games.empire.passage import BY_SQUARE
from referee.games.empire.pieces import Position
from referee.games.empire.plans import PLANS
from referee.games.empire.state import Empire
from referee.games.empire.steps.stores import short
from referee.kit.refused import Refused

__all__ = ["needs_of", "places_of", "squares_of", "supplied"]


def squares_of(work: Work) -> tuple[Position, ...]:
    """The squares a work is in: its path if it is a line, which the `detail` lists, else its one square."""
    line = work.what in PLANS and PLANS[work.what].sort == "line"
    return tuple(work.detail.split()) if line else (work.at,)


def places_of(board: Board, what: str, path: tuple[Position, ...]) -> tuple[str, ...]:
    """Where a line is kept: the names of the borders that its path crosses, or of its squares (canals)."""
    if what in BY_SQUARE:
        return path
    ways = [(here, board.grid.direction(here, there)) for here, there in pairwise(path)]
    return tuple(edge(board.grid, here, way) for here, way in ways if way is not None)


def needs_of(empire: Empire, work: Work) -> dict[str, int]:
    """The materials of a work, with one delta more for the pilings of each item in a swamp (II, Swamp)."""
    plan, squares = PLANS[work.what], squares_of(work)
    line = plan.sort == "line"
    needs = plan.needs(len(places_of(empire.board, work.what, squares))) if line else dict(plan.materials)
    built_on = squares[1:] or squares
    swamps = sum(1 for at in built_on if empire.board.squares[at].terrain == "swamp")
    return needs | ({"delta": needs.get("delta", 0) + swamps} if swamps else {})


def supplied(empire: Empire, work: Work) -> None:
    """Raises Refused when its squares lack materials for a work besides those of the works ordered there before."""
    needs, squares = needs_of(empire, work), squares_of(work)
    for other in empire.works:
        shares = other.country == work.country and other.begun < 0 and other.what in PLANS
        if shares and any(at in squares for at in squares_of(other)):
            promised = needs_of(empire, other)
            needs = {what: number + promised.get(what, 0) for what, number in needs.items()}
    lacking = short(empire, work.country, squares, needs)
    if lacking:
        words = " and ".join(f"{number} {what}" for what, number in lacking.items())
        where = work.at if len(squares) == 1 else "the squares of its path"
        raise Refused(f"The {work.what} lacks {words} in {where}.", "emp.board.construction", work.what)
