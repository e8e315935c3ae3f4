"""The staging words of Version 1.7's cases: those of Version 27, on this edition's position.

The stage: Red, Blue and Green, who move in this order; turn 2, round 1, Red's share. Red holds Great Britain, Blue
Japan, Green Madagascar, each with one infantry; everything else is native with a marker of 7, face down. Nobody has PP.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.war.position import Marker, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import points, tally
from referee.games.war17.position import first_position
from tests.games.war27 import staging as shared

_HOMES = {"Red": "Great Britain", "Blue": "Japan", "Green": "Madagascar"}


def stage(options: Mapping[str, str]) -> War:
    """The position from which GIVEN starts."""
    seats = tuple(Seat(name) for name in _HOMES)
    war: War = replace(first_position(seats, options), stage="movement", turn=2, round=1, slot=5)
    war = replace(war, active=seats[0], waiting=seats[1:])
    for name in war.lands:
        war = war.with_land(name, marker=Marker(7))
    for seat, home in zip(seats, _HOMES.values(), strict=True):
        war = war.with_land(home, owner=seat, marker=None, stacks=(Stack(seat, "infantry", 1),))
    return war


def given(state: War, fact: str) -> War:
    """The position changed so that a fact holds. Raises ValueError for a fact it does not understand."""
    if fact == "the set-up is still to come":
        return first_position(state.seats, state.options)
    war = shared.given(state, fact)
    lands = {name: replace(land, marker=None) if land.owner else land for name, land in war.lands.items()}
    return replace(war, lands=lands)


def expect(before: War, events: Sequence[Event], after: War, fact: str) -> str | None:
    """None where the fact holds after the phase, otherwise what is true instead. Raises ValueError."""
    if found := re.fullmatch(r"(\w+) has (\d+) victory points", fact):
        has = points(after, Seat(found[1]))
        return None if has == int(found[2]) else f"{found[1]} has {has} victory points"
    if found := re.fullmatch(r"(.+) (?:leads|lead)", fact):
        first = tally(after).winners()
        return None if first == tuple(found[1].split(" and ")) else f"first: {', '.join(first)}"
    if found := re.fullmatch(r"(\d+) native regions have a marker", fact):
        number = sum(land.marker is not None for land in after.regions_of(None))
        return None if number == int(found[1]) else f"{number} have one"
    return shared.expect(before, events, after, fact)
