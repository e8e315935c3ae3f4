"""The position of Version 1.7: that of War! with the units table and the starts of its own edition."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position import Fleet
from referee.games.war.position.state import War, position_before_setup
from referee.games.war.rulebook import Kind, Start
from referee.games.war17.rulebook import BUILDING_PRICE, KINDS17, cite, start_for


class Fleet17(Fleet, frozen=True):
    """A fleet that carries twenty points."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return KINDS17


class Position(War, frozen=True):
    """The whole position. `over_by`: the seats that have said that the hour has come."""

    fleets: Mapping[int, Fleet17] = {}
    over_by: tuple[Seat, ...] = ()

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return KINDS17

    @property
    def diplomatic(self) -> bool:
        return False

    @property
    def lasting(self) -> bool:
        return True

    def cite(self, rule: str) -> str:
        return cite(rule)

    @property
    def start(self) -> Start:
        return start_for(len(self.seats))

    def price(self, kind: str) -> int:
        return KINDS17[kind].price if kind in KINDS17 else BUILDING_PRICE

    def launching(self, owner: Seat, sea: str) -> Position:
        fleet = Fleet17(self.next_fleet, owner, sea)
        return replace(self, fleets={**self.fleets, fleet.number: fleet}, next_fleet=self.next_fleet + 1)


def first_position(sides: tuple[Seat, ...], options: Mapping[str, str]) -> Position:
    """The position before the set-up: everything native, both cups full."""
    return position_before_setup(Position, sides, options)
