"""DISCARD and LOSE: which units go when some must."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Thing
from referee.core.printing import write
from referee.games.newworld.orders.base import TurnOrder
from referee.games.newworld.orders.colonize import in_row
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import EUROPE, REGIONS
from referee.kit.declared import Words
from referee.kit.fields import Got, Row, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted


class ArmyFrom(msgspec.Struct, frozen=True):
    """A place in an order of losses: Armies of a Region (`region` empty: wherever most are)."""

    region: str = ""


Units = tuple[ArmyFrom | None, ...]
"""An order of losses; None stands for Fleets."""


class _Units(Row[ArmyFrom | None]):
    """`armies FROM Canada, fleets`: a Region places the armies named before it, or more armies of another Region."""

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"FROM": ("region", "unit"), "IN": ("region", "unit")}

    def read(self, said: Said) -> Units:
        _check_placed(said.order)
        _check_numbers(said.order)
        units: list[ArmyFrom | None] = []
        placed = True
        for thing in in_row(said.order):
            if thing.kind == "region":
                if not placed:
                    units.pop()
                units.append(ArmyFrom(thing.name))
                placed = True
            else:
                units.append(None if thing.name == "fleets" else ArmyFrom())
                placed = thing.name == "fleets"
        return tuple(units)

    def clauses(self, value: Units, state: World) -> Iterator[Clause]:
        """What comes after a Region stands in the same list."""
        under = ""
        for unit in value:
            yield Clause(under, (Thing("unit", "fleets" if unit is None else "armies"),))
            if unit is not None and unit.region:
                under = "FROM"
                yield Clause(under, (Thing("region", unit.region),))


def _check_placed(order: Order) -> None:
    if order.clauses and order.things[-1].name == "fleets":
        raise Refused("Fleets are everywhere at once; they are lost from no Region.", "nw.r34", "fleets")


def _check_numbers(order: Order) -> None:
    """A number would not be obeyed: what has to go, goes."""
    strange = [thing for thing in in_row(order) if thing.quantity and thing.quantity.portion is not Portion.ALL]
    if strange:
        rule = (DiscardUnits if order.verb == "DISCARD" else LoseUnits).words.rule
        why = f"{order.verb} says which units go first, not how many of each."
        raise Refused(why, rule, strange[0].name, (write(_unnumbered(order)),))


def _unnumbered(order: Order) -> Order:
    clauses = tuple(replace(clause, things=_bare(clause.things)) for clause in order.clauses)
    return replace(order, things=_bare(order.things), clauses=clauses)


def _bare(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    return tuple(replace(thing, quantity=None) for thing in things)


def _in_words(units: Units) -> str:
    words = ["fleets" if u is None else f"armies in {u.region}" if u.region else "armies" for u in units]
    return ", then ".join(words)


def _among(world: World, seat: Seat, got: Got) -> Iterator[Choice[ArmyFrom | None]]:
    """The fleets, the armies of each Region, and armies wherever most are, for those the list forgets."""
    power = world.powers[seat]
    yield Choice("fleets", None, counted(power.fleets, "fleets"))
    for region in sorted(REGIONS, key=lambda region: not power.armies[region]):
        yield Choice(f"armies FROM {region}", ArmyFrom(region), counted(power.armies[region], "armies"), region)
    yield Choice("armies", ArmyFrom(), "where most are")


class _Losses(TurnOrder, frozen=True):
    """An order of losses."""

    units: Units

    fields = (_Units("units", ("unit",), taken=ArmyFrom, say=_in_words, among=_among),)
    phase, rare = "", 3


class DiscardUnits(_Losses, frozen=True):
    """The order in which units go when Upkeep demands it."""

    words = Words(
        "DISCARD",
        "say which units go first when Upkeep cannot keep them",
        "nw.r10",
        "DISCARD armies FROM Canada, fleets",
    )
    says = "If units must go at Upkeep: {units}."

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        """Filled in where fleets can go in place of armies in Europe: without orders armies go first (nw.r10)."""
        power = world.powers[seat]
        kept = f"{power.supplied} of your {counted(power.units, 'units')}"
        return f"Food and gold keep {kept} at Upkeep, which comes before Production.", bool(
            power.fleets and power.armies[EUROPE]
        )


class LoseUnits(_Losses, frozen=True):
    """The order in which units are lost to events and in battle, and at Upkeep without DISCARD."""

    words = Words(
        "LOSE",
        "say which units go first to events and in battle, and at Upkeep without DISCARD",
        "nw.r23",
        "LOSE armies FROM Canada, fleets",
    )
    says = "Losses come from: {units}."
