"""Sieges: people without arms in hostile zones of control, who eat only what lies in their own square (emp.F2)."""

from __future__ import annotations

from collections.abc import Container, Iterator

import msgspec

from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import ways_of
from referee.games.empire.reckoning.numbering import in_runs
from referee.games.empire.reckoning.war.zones import land_zones
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.wording import counted, in_a_row


class Siege(msgspec.Struct, frozen=True):
    """People of a country in zones of control hostile to it: by whom, and of each square how many eat there and what lies there."""

    country: str
    by: tuple[Unit, ...]
    places: tuple[tuple[Position, int, int], ...]

    def besiegers(self) -> str:
        """`infantry regiment 30 of Borealis`."""
        alike: dict[tuple[str, str], list[int]] = {}
        for unit in self.by:
            alike.setdefault((unit.kind, unit.country), []).append(unit.number)
        return in_a_row([f"{in_runs(kind, numbers)} of {country}" for (kind, country), numbers in alike.items()])

    def larders(self) -> str:
        """`in c4r4 33 mouths have 40 food`."""
        told = (
            f"in {at} {counted(mouths, 'mouths')} {_has(mouths)} {food or 'no'} food"
            for at, mouths, food in self.places
        )
        return in_a_row(list(told))


def _has(mouths: int) -> str:
    return "has" if mouths == 1 else "have"


def besieged(cut: Container[Position], unit: Unit) -> bool:
    """Whether somebody is where hostile military cuts lines of supply, and is cut off by it: who bears arms is not (emp.F2)."""
    return unit.at in cut and KINDS[unit.kind].person and not KINDS[unit.kind].military


def sieges(empire: Empire) -> Iterator[Siege]:
    """Every country that has people besieged."""
    for name, country in empire.countries.items():
        found = () if country.dead else _besieged(empire, name)
        if found:
            yield Siege(name, *found)


def _besieged(empire: Empire, country: str) -> tuple[tuple[Unit, ...], tuple[tuple[Position, int, int], ...]] | None:
    zones, people = list(land_zones(empire, country)), empire.units_of(country)
    cut = {at for _, squares in zones for at in squares}
    places = dict.fromkeys(unit.at for unit in people if besieged(cut, unit))
    if not places:
        return None
    ways = ways_of(empire)
    mouths = {at: sum(KINDS[unit.kind].person for unit in people if unit.at == at) for at in places}
    food = {at: sum(empire.stock(country, part).get("food", 0) for part in ways.one_square(at)) for at in places}
    by = tuple(unit for unit, squares in zones if any(at in places for at in squares))
    return by, tuple((at, mouths[at], food[at]) for at in places)
