"""The audit: points, units, markers and chits recomputed from the events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event
from referee.games.war.events.base import WarEvent
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import CHITS, MARKERS
from referee.games.war.rulebook.pieces import LAND_UNITS
from referee.kit.ledger import unbalanced


def audit(before: War, happened: Sequence[Event], after: War) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each cup that has lost or found a piece."""
    flows = [flow for event in happened if isinstance(event, WarEvent) for flow in event.flows()]
    return (*unbalanced(_accounts(before), flows, _accounts(after)), *_cups(after), *_impossible(after))


def _accounts(war: War) -> dict[str, int]:
    held: dict[str, int] = {}
    for seat, hand in war.treasuries.items():
        held |= {f"{seat} PP": hand.pp, f"{seat} DP": hand.dp, f"{seat} fleet": len(war.fleets_of(seat))}
        held |= {f"{seat} {kind}": 0 for kind in LAND_UNITS}
    for land in war.lands.values():
        for stack in land.stacks:
            held[f"{stack.owner} {stack.kind}"] += stack.number
    for fleet in war.fleets.values():
        for load in fleet.cargo:
            held[f"{load.owner} {load.kind}"] += load.number
    return held


def _cups(war: War) -> Iterator[str]:
    markers = sum(war.markers.values()) + sum(land.marker is not None for land in war.lands.values())
    if markers != sum(MARKERS.values()):
        yield f"There are {markers} native markers in all places, not {sum(MARKERS.values())}."
    chits = sum(war.chits.values()) + sum(land.chit is not None for land in war.lands.values())
    if chits != sum(CHITS.values()):
        yield f"There are {chits} resource chits in all places, not {sum(CHITS.values())}."


def _impossible(war: War) -> Iterator[str]:
    for seat, hand in war.treasuries.items():
        if hand.pp < 0 or hand.dp < 0:
            yield f"{seat} has {hand.pp} PP and {hand.dp} DP."
    for land in war.lands.values():
        if any(stack.number <= 0 for stack in land.stacks):
            yield f"{land.name} holds an empty stack."
        if land.owner is not None and not land.brigades(land.owner) and war.stage != "production":
            yield f"{land.name} is {land.owner}'s without a brigade of his."
        strangers = land.owner is not None and any(stack.owner != land.owner for stack in land.stacks)
        if strangers and not plays(war, "alliances"):
            yield f"{land.name} of {land.owner} holds units of somebody else."
    for fleet in war.fleets.values():
        if fleet.room < 0:
            yield f"Fleet {fleet.number} carries {fleet.points} points."
