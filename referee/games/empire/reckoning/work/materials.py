"""What a work takes, and from which squares it may be taken (IV B, emp.H-21, swamps)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from referee.games.empire.position.board import Board, edge
from referee.games.empire.position.labour import Work
from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.passage import BY_SQUARE
from referee.games.empire.reckoning.supply.stores import held
from referee.games.empire.rulebook.plans import PLANS
from referee.kit.refused import Refused


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


def sources(work: Work, later: Iterable[Work]) -> tuple[Position, ...]:
    """Where a work takes its materials from: first the squares that no work after it could take from."""
    wanted = {at for other in later for at in squares_of(other)}
    return tuple(sorted(squares_of(work), key=lambda at: at in wanted))


def begins(empire: Empire, country: str) -> tuple[Work, ...]:
    """The works of a country that have yet to take their materials, in the sequence in which they will."""
    return tuple(w for w in empire.works if w.country == country and w.begun < 0 and w.what in PLANS)


def supplied(empire: Empire, work: Work) -> None:
    """Raises Refused when its squares lack materials for a work besides what the works ordered before it take."""
    lacking = _left_short(empire, (*begins(empire, work.country), work))
    squares = squares_of(work)
    if lacking:
        words = " and ".join(f"{number} {what}" for what, number in lacking.items())
        where = work.at if len(squares) == 1 else "the squares of its path"
        raise Refused(f"The {work.what} lacks {words} in {where}.", "emp.board.construction", work.what)


def _left_short(empire: Empire, works: Sequence[Work]) -> dict[str, int]:
    """What the last of some works lacks when each has taken its materials in turn."""
    used: dict[tuple[Position, str], int] = {}
    lacking: dict[str, int] = {}
    for place, work in enumerate(works):
        lacking = needs_of(empire, work)
        for what, at in ((what, at) for what in lacking for at in dict.fromkeys(sources(work, works[place + 1 :]))):
            part = min(lacking[what], held(empire, work.country, at, what) - used.get((at, what), 0))
            used[at, what] = used.get((at, what), 0) + part
            lacking[what] -= part
    return {what: number for what, number in lacking.items() if number > 0}
