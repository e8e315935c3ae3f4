"""Which lines of a production sheet the engineers work on (27.production.build). Pure."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.deeds.refused import granted
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.production.works import BuildAction, Works, free_engineers
from referee.games.war.position.state import War


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
