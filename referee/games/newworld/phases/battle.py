"""One exchange of a battle: who rolls how many dice, and whose units the sixes destroy."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Pace, Question
from referee.core.table import Script, Table
from referee.games.newworld.events.fortunes import UnitsLost
from referee.games.newworld.events.war import RebelsDestroyed
from referee.games.newworld.phases.losses import FLEETS, picked, stated_losses
from referee.games.newworld.position.state import Power, Territory, World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import TABLES
from referee.kit.wording import counted, in_a_row

_SUPERIOR = ("Infantry", "Cavalry", "Artillery", "Fortifications", "Sea Power")

Losses = tuple[int, int]
"""(Armies, Fleets) destroyed."""


class Force(msgspec.Struct, frozen=True):
    """One side of a battle: the units that take part and every die it rolls. `seat` None: rebels of `colony`."""

    seat: Seat | None
    region: str
    armies: int
    fleets: int
    strength: tuple[tuple[str, int], ...]
    colony: Territory | None = None

    @property
    def dice(self) -> int:
        """How many dice it rolls."""
        return sum(number for _, number in self.strength)

    @property
    def name(self) -> str:
        """Its name in the reasons for its dice."""
        return self.seat or "the rebels"


def _superiority(own: Power, foe: Power | None, fleets: int) -> list[tuple[str, int]]:
    """nw.war.superiority, nw.r25, nw.r8"""
    higher = [t for t in _SUPERIOR if own.levels[t] > (foe.levels[t] if foe is not None else 0)]
    return [(technology, 1) for technology in higher if technology != "Sea Power" or fleets]


def _counted(armies: int, fleets: int, extra: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple((n, d) for n, d in (("armies", armies), ("fleets", fleets), *extra) if d)


def attacking_force(world: World, seat: Seat, region: str, fleets: int, foe: Power | None) -> Force:
    """nw.war.rolls: all Armies in the Region, and the Fleets committed."""
    power = world.powers[seat]
    armies = power.armies[region]
    return Force(seat, region, armies, fleets, _counted(armies, fleets, _superiority(power, foe, fleets)))


def defending_force(world: World, seat: Seat, region: str, foe: Power, foe_fleets: int) -> Force:
    """nw.war.defence: all Armies in the Region, all Fleets, and the dice of the defence."""
    power = world.powers[seat]
    armies, fleets = power.armies[region], power.fleets
    extra = [*_superiority(power, foe, fleets), ("defence", TABLES.figures.defence)]
    return Force(seat, region, armies, fleets, _counted(armies, fleets, extra))


def rebel_force(colony: Territory) -> Force:
    """nw.r8: one die a rebel Army and those of the defence."""
    rebels = colony.rebels or 0
    return Force(None, colony.region, rebels, 0, _counted(rebels, 0, [("defence", TABLES.figures.defence)]), colony)


def exchange(table: Table[World], turn: Turn, ours: Force, theirs: Force) -> Script[None]:
    """nw.r22: both roll, then both remove their losses."""
    our_hits = _hits(table, ours, "attack")
    their_hits = _hits(table, theirs, "defence")
    sides = ((ours, their_hits), (theirs, our_hits))
    asked = [
        (force, _choice(turn, force, hits))
        for force, hits in sides
        if force.armies > 0 and force.fleets > 0 and 0 < hits < force.armies + force.fleets
    ]
    answers = yield from table.ask_all([question for _, question in asked])
    chosen = {force.name: answer.value for (force, _), answer in zip(asked, answers, strict=True)}
    for force, hits in sides:
        _remove(table, force, chosen.get(force.name) or casualty_default(force, hits))


def _hits(table: Table[World], force: Force, role: str) -> int:
    """nw.war.hits"""
    why = f"{force.name} rolls for {role} in {force.region}"
    return table.roll(force.dice, 6, why, "nw.war.rolls").count(TABLES.figures.hit)


def casualty_default(force: Force, hits: int) -> Losses:
    """nw.r23"""
    armies = min(hits, max(0, force.armies - 1))
    fleets = min(hits - armies, force.fleets)
    return min(hits - fleets, force.armies), fleets


def _choice(turn: Turn, force: Force, hits: int) -> Question[Losses]:
    least, most = max(0, hits - force.fleets), min(hits, force.armies)
    splits = [(armies, hits - armies) for armies in range(most, least - 1, -1)]
    options = [Choice(_split_in_words(split), split) for split in splits]
    seat = force.seat or turn.seat

    def stated(sheet: Sequence[Intent]) -> Losses | None:
        order = [u for u in stated_losses(sheet) if u is None or u.region in ("", force.region)]
        lost = picked({force.region: force.armies, FLEETS: force.fleets}, order, hits)
        return (lost.get(force.region, 0), lost.get(FLEETS, 0)) if order else None

    text = f"{counted(hits, 'units')} of yours in {force.region} must go: which?"
    menu = OneOf(options, casualty_default(force, hits))
    key = f"{turn.key}/war/{force.region}/losses/{seat}"
    return Question(key, seat, text, menu, Pace.REPLY, "nw.r23", stated)


def _split_in_words(split: Losses) -> str:
    named = zip(split, ("armies", "fleets"), strict=True)
    return in_a_row([counted(number, name) for number, name in named if number])


def _remove(table: Table[World], force: Force, losses: Losses) -> None:
    armies, fleets = losses
    if not armies + fleets:
        return
    if force.colony is not None:
        left = force.armies - armies
        table.emit(RebelsDestroyed(force.colony.number, force.colony.name, armies, left))
    elif force.seat is not None:
        why = f"battle in {force.region}"
        table.emit(UnitsLost(force.seat, fleets, {force.region: armies} if armies else {}, why, "nw.war.hits"))
