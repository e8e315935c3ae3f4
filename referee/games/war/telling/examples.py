"""Examples for HELP from a player's own position: his regions, his neighbours, his fleets."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BUILDINGS, plural


class _Sight(msgspec.Struct, frozen=True):
    """The names an example is made of; "" for what the player has not."""

    other: Seat
    home: str
    wild: str
    his: str
    sea: str


def examples(war: War, seat: Seat) -> dict[str, str]:
    """A line for every test that this position has one for, by the word."""
    if not war.regions_of(seat) or len(war.living) < 2 or seat in war.out:
        return {}
    sight = _sight(war, seat)
    return dict(_tests(war, sight))


def _sight(war: War, seat: Seat) -> _Sight:
    own = war.regions_of(seat)
    home = max(own, key=lambda land: (land.brigades(seat), -BOARD.position(land.name))).name
    beyond = [name for land in own for name in BOARD.regions[land.name].borders]
    other = next(rival for rival in (*war.after(seat), *war.living) if rival != seat)
    theirs = war.regions_of(other)
    fleets = war.fleets_of(seat)
    sea = fleets[0].sea if fleets else ""
    return _Sight(
        other=other,
        home=home,
        wild=next((name for name in beyond if war.lands[name].owner is None), ""),
        his=theirs[0].name if theirs else "",
        sea=sea,
    )


def _tests(war: War, sight: _Sight) -> Iterator[tuple[str, str]]:
    yield "CONTROLS", f"{sight.other} CONTROLS {sight.his or sight.home}"
    for kind in (*(plural(kind) for kind in (*war.kinds, *BUILDINGS) if kind != "fleet"), "brigades"):
        yield kind, f"{kind} IN {sight.home} >= 2"
    yield "IN REVOLT", f"{sight.home} IN REVOLT"
    yield "WESTERNIZED", f"{sight.home} WESTERNIZED"
    if sight.wild:
        yield "NATIVE", f"{sight.wild} NATIVE"
        yield "GONE", f"{sight.wild} GONE"
        yield "spheres", f"spheres IN {sight.wild} >= 2"
    if sight.sea:
        yield "fleets", f"fleets IN {sight.sea} >= 2"
