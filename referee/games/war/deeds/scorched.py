"""Scorched earth: units destroy what stands where they are, instead of moving and fighting (27.opt.scorched, R27-96)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.ordered import Destroying
from referee.games.war.deeds.refused import NotYet
from referee.games.war.events.scorched import RESOURCE, WorksDestroyed
from referee.games.war.position.places import Land, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.kit.refused import Refused

ABLE = (*BRIGADES, "engineer")
"""Who can destroy, in the order of R27-96."""


def works(land: Land) -> tuple[str, ...]:
    """What could be destroyed in a region."""
    return (*land.buildings, RESOURCE) if land.developed else land.buildings


def destroyed(war: War, seat: Seat, order: Destroying) -> WorksDestroyed:
    """What the order brings about. Raises Refused when it cannot be done."""
    land = war.lands[order.region]
    if land.owner != seat:
        raise NotYet(f"Units destroy only what is yours; {land.name} is not.", "R27-96", land.name)
    if order.what not in works(land):
        raise _not_there(land, order)
    unit = _unit(land, seat, (order.kind,) if order.kind else ABLE)
    if unit is None:
        raise _nobody(land, seat, order)
    return WorksDestroyed(seat, land.name, order.what, unit)


def _unit(land: Land, seat: Seat, kinds: tuple[str, ...]) -> Stack | None:
    """The first that has neither moved nor destroyed anything in this share."""
    fresh = [s for s in land.stacks if s.owner == seat and not (s.spent or s.origin or s.landed)]
    found = (stack for kind in kinds for stack in fresh if stack.kind == kind)
    return next(found, None)


def _not_there(land: Land, order: Destroying) -> Refused:
    instead = tuple(line_of(order.but(what=what)) for what in works(land))
    what = "developed resource" if order.what == RESOURCE else order.what
    return Refused(f"There is no {what} in {land.name}.", "27.opt.scorched.1", order.what, instead)


def _nobody(land: Land, seat: Seat, order: Destroying) -> NotYet:
    other = _unit(land, seat, ABLE)
    instead = (line_of(order.but(kind=other.kind)),) if other else ()
    who = plural(order.kind) if order.kind else "brigade or engineer"
    why = f"No {who} of yours in {land.name} can do it: a unit destroys one thing, and neither moves nor fights."
    return NotYet(why, "R27-96", plural(order.kind) if order.kind else land.name, instead)
