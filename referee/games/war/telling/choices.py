"""What a seat may order now, examples, worth; and the audit of all that was told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Generic, TypeVar

import msgspec

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.games.war.events import WarEvent
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, NATIVE_DIPLOMACY, SETTING_UP
from referee.games.war.orders.natives import RemoveSphere
from referee.games.war.position.state import War, plays
from referee.games.war.rulebook import BOARD, BUILDINGS, CHITS, LAND_UNITS, MARKERS, plural
from referee.games.war.telling.forecast import (
    after_construction,
    after_maintenance,
    after_moves,
    after_natives,
    before_natives,
)
from referee.kit.declared import Ahead, Declared
from referee.kit.stock import unbalanced

# ---------------------------------------------------------------- the audit
# Points, units, markers and chits recomputed from the events alone.


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


# ---------------------------------------------------------------- by value
# Values that cannot be hashed, such as regions with mappings in them, as keys of what is kept.


T = TypeVar("T")


class ByValue(Generic[T]):
    """A struct that equals others of its type that consist of the same, the order of mappings included.

    Of what lies inside it only the fields count, not the type.
    """

    __slots__ = ("_key", "value")

    def __init__(self, value: T) -> None:
        self.value = value
        self._key = type(value), msgspec.msgpack.encode(value)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self._key == other._key


def ahead(war: War, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[War]:
    """The position in which an order of a verb is carried out after this sheet, if nothing else happens."""
    if war.stage == "movement":
        moved = cache(lambda: after_moves(war, seat, sheet))
        return lambda _: moved()
    if war.stage != "production":
        return lambda _: war
    kept = cache(lambda: after_maintenance(war, seat))
    before, after = cache(lambda: before_natives(war, seat, sheet)), cache(lambda: after_natives(war, seat, sheet))
    built = cache(lambda: after_construction(war, seat, sheet))
    first = not any(_is_native(intent) for intent in sheet)
    seen = {SETTING_UP: kept, DIPLOMACY: kept, NATIVE_DIPLOMACY: after, CONSTRUCTION: built}
    return lambda verb: (
        before() if first and verb == RemoveSphere.words.verb else seen.get(BOOK.orders[verb].phase, lambda: war)()
    )


def _is_native(intent: Intent) -> bool:
    order = bare(intent)
    return isinstance(order, Declared) and order.phase == NATIVE_DIPLOMACY


# ---------------------------------------------------------------- examples for HELP from a player's own position
# His regions, his neighbours, his fleets.


def examples(war: War, seat: Seat) -> dict[str, str]:
    """A line for every test that this position has one for, by the word."""
    own = war.regions_of(seat)
    return dict(_tests(war, seat)) if own and len(war.living) > 1 and seat not in war.out else {}


def _tests(war: War, seat: Seat) -> Iterator[tuple[str, str]]:
    own = war.regions_of(seat)
    home = max(own, key=lambda land: (land.brigades(seat), -BOARD.position(land.name))).name
    other = next(rival for rival in (*war.after(seat), *war.living) if rival != seat)
    yield "CONTROLS", f"{other} CONTROLS {next((land.name for land in war.regions_of(other)), home)}"
    for kind in (*(plural(kind) for kind in (*war.kinds, *BUILDINGS) if kind != "fleet"), "brigades"):
        yield kind, f"{kind} IN {home} >= 2"
    yield "IN REVOLT", f"{home} IN REVOLT"
    yield "WESTERNIZED", f"{home} WESTERNIZED"
    beyond = (name for land in own for name in BOARD.regions[land.name].borders)
    wild = next((name for name in beyond if war.lands[name].owner is None), "")
    if wild:
        yield "NATIVE", f"{wild} NATIVE"
        yield "GONE", f"{wild} GONE"
        yield "spheres", f"spheres IN {wild} >= 2"
    for fleet in war.fleets_of(seat)[:1]:
        yield "fleets", f"fleets IN {fleet.sea} >= 2"
