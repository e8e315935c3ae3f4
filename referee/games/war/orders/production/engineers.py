"""Which lines of a production sheet the engineers work on, and what has been done of it so far (27.production.build). Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.deeds.refused import granted
from referee.games.war.orders.production.buildings import BuildBuilding
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.production.works import BuildAction, Works, free_engineers
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import EXCLUSIVE

Build = BuildUnits | BuildAction
"""Everything that the construction sub-phase does."""


def worked(done: Works, order: Build, engineer: bool = False) -> Works:
    """The works after one more order is carried out, with or without an engineer."""
    if isinstance(order, BuildUnits):
        built = done.units.get((order.region, order.kind), 0) + order.number
        return replace(done, units={**done.units, (order.region, order.kind): built})
    where = order.site
    return replace(
        done,
        actions={**done.actions, where: done.actions.get(where, 0) + 1},
        new={**done.new, where: done.new.get(where, 0) + _serves(order)},
        engineers={**done.engineers, where: done.engineers.get(where, 0) + engineer},
    )


def _serves(order: BuildAction) -> bool:
    """Whether it is a building that lets a colony build more units, from the next turn (27.opt.historical.colonial.5)."""
    return isinstance(order, BuildBuilding) and order.kind in EXCLUSIVE


def engineer_works(war: War, seat: Seat, order: BuildAction, later: Sequence[Intent], done: Works) -> bool:
    """Whether an engineer works on this line: the engineers of a region go to its dearest lines (R27-24).

    `later` are the lines after it; an engineer bought in one of them can work on what follows.
    """
    free = free_engineers(war, seat, order.site, done)
    lines: list[tuple[int, int]] = [(order.price(war), free)]
    for intent in later:
        if isinstance(intent, BuildUnits) and (intent.kind, intent.region) == ("engineer", order.site):
            free += intent.number
        elif isinstance(intent, BuildAction) and intent.site == order.site and granted(intent.permit, war, seat):
            lines.append((intent.price(war), free))
    return order.needs_engineer(war) or 0 in _best_lines(lines)


def _best_lines(lines: Sequence[tuple[int, int]]) -> list[int]:
    """The dearest lines, by number, such that never more are taken up to a line than engineers are there by then."""
    taken: list[int] = []
    for number in sorted(range(len(lines)), key=lambda n: (-lines[n][0], n)):
        trial = sorted([*taken, number])
        if all(place < lines[line][1] for place, line in enumerate(trial)):
            taken = trial
    return taken
