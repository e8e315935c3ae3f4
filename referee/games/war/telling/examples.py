"""Examples for HELP from a player's own position: his regions, his neighbours, his fleets."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BUILDINGS, plural


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
