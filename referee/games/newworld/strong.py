"""The sheets that a strong player of New World tries beside the steady one; each is played ahead to the end of the match."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.newworld.orders.army import AttackRegion, MoveArmies
from referee.games.newworld.orders.spending import (
    BuildFleets,
    HireWorkers,
    RaiseArmies,
    ResearchTechnologies,
    Wanted,
)
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import EUROPE, REGIONS, TECHNOLOGIES
from referee.games.newworld.steady import STEADY, steady
from referee.kit.fields import exact
from referee.kit.opponents import but_one, crossed, near

HORIZON = 100
"""So many sheets ahead, more than a match has: it is played to its end, a tenth of a second at most."""


def prospects(world: World) -> dict[Seat, int]:
    """The score of each seat now, in hundredths of a point; rollouts to the end want no forecast."""
    return {seat: 100 * world.culture(seat) for seat in world.order}


# ---------------------------------------------------------------- what is tried

NEAR: Mapping[str, tuple[int, ...]] = {
    "culture": (30, 60, 160, 300),
    "claims": (15, 30, 80, 150),
    "income": (3, 5, 15, 30),
    "cloth": (10, 60, 100),
    "cards": (8, 15, 50),
    "least": (2, 12, 20),
    "armies": (3, 4, 8, 10),
    "home": (0, 2, 3),
    "daring": (1, 3),
    "reserve": (0, 1, 6, 10),
    "muster": (20, 30, 70, 999),
    "fleets": (1, 3, 4),
}
"""The other values of a habit."""


def challenger(world: World, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A steady sheet of other habits, some of its lines in the best, or the best with a line or two changed."""
    kind = pick(8)
    if kind < 2:
        other = tuple([one.order for one in steady(world, seat, near(STEADY, NEAR, pick))])
        return other if pick(2) else crossed(best, other, pick)
    if kind == 2:
        return but_one(best, pick)
    if kind == 3 and not world.in_sight(seat):
        return _bought(best, pick)
    sheet = _attacks(world, seat, best, pick)
    return sheet if pick(3) else _attacks(world, seat, sheet, pick)


def _attacks(world: World, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """An army shipped elsewhere with an attack there, or another foe in a Region."""
    power, lines = world.powers[seat], list(best)
    raised = any(isinstance(line, RaiseArmies) for line in best)
    manned = [region for region in REGIONS if power.armies[region] or (raised and region == EUROPE)]
    goals = manned
    if manned and pick(2) and power.carried:
        origin = manned[pick(len(manned))]
        target = REGIONS[pick(len(REGIONS))]
        if origin != target:
            kept = [
                line for line in lines if not (isinstance(line, MoveArmies) and (line.origin == origin or not pick(2)))
            ]
            number = 1 if pick(3) else min(2, max(1, power.armies[origin]))
            lines, goals = [*kept, MoveArmies(exact(number), origin, target)], [target]
    else:
        goals += [line.target for line in lines if isinstance(line, MoveArmies)]
    if not goals:
        return tuple(lines)
    region = goals[pick(len(goals))]
    foes = [str(other) for other in world.others(seat) if world.controlled(other, region)]
    foes += ["neutral"] if world.controlled(None, region) else []
    foes += ["rebels"] if any(t.region == region and t.rebels is not None for t in world.territories) else []
    lines = [line for line in lines if not (isinstance(line, AttackRegion) and line.region == region)]
    if foes:
        lines.append(AttackRegion(foes[pick(len(foes))], region))
    marches = [line for line in lines if not isinstance(line, AttackRegion)]
    return (*marches, *(line for line in lines if isinstance(line, AttackRegion)))


def _bought(best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """An army, a fleet, workers or a technology first, more or fewer than before."""
    kind = pick(4)
    if kind == 0:
        name = Wanted(TECHNOLOGIES[pick(len(TECHNOLOGIES))])
        found = [line for line in best if isinstance(line, ResearchTechnologies)]
        order = found[0] if found else ResearchTechnologies((name,))
        wanted = (name, *(each for each in order.technologies if each.technology != name.technology))
        return (
            tuple(replace(order, technologies=wanted) if line is order else line for line in best)
            if found
            else (order, *best)
        )
    made = (RaiseArmies, BuildFleets, HireWorkers)[kind - 1]
    rest = [line for line in best if not isinstance(line, made)]
    number = pick(3 if made is not HireWorkers else 5)
    more = made(exact(number)) if number else None
    at = next((place for place, line in enumerate(rest) if isinstance(line, MoveArmies | AttackRegion)), len(rest))
    return (*rest[:at], *([more] if more else ()), *rest[at:])
