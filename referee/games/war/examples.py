"""Examples for HELP from a player's own position: his regions, his neighbours, his fleets."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war import standing as s
from referee.games.war.board import BOARD
from referee.games.war.lines import line_of
from referee.games.war.options import plays
from referee.games.war.pieces import BUILDINGS, plural
from referee.games.war.state import War

__all__ = ["examples"]


class _Sight(msgspec.Struct, frozen=True):
    """The names an example is made of; "" for what the player has not."""

    other: Seat
    home: str
    near: str
    wild: str
    his: str
    sea: str


def examples(war: War, seat: Seat) -> dict[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if not war.regions_of(seat) or len(war.living) < 2 or seat in war.out:
        return {}
    sight = _sight(war, seat)
    lines = (
        *_at_home(sight),
        *_at_sea(sight),
        *_with_others(sight),
        *_optional(war),
    )
    return {**{verb: line_of(intent) for verb, intent in lines}, **dict(_tests(war, sight))}


def _sight(war: War, seat: Seat) -> _Sight:
    own = war.regions_of(seat)
    home = max(own, key=lambda land: (land.brigades(seat), -BOARD.position(land.name))).name
    borders = BOARD.regions[home].borders
    beyond = [name for land in own for name in BOARD.regions[land.name].borders]
    other = next(rival for rival in (*war.after(seat), *war.living) if rival != seat)
    theirs = war.regions_of(other)
    fleets = war.fleets_of(seat)
    sea = fleets[0].sea if fleets else ""
    return _Sight(
        other=other,
        home=home,
        near=next((name for name in borders if war.lands[name].owner == seat), ""),
        wild=next((name for name in beyond if war.lands[name].owner is None), ""),
        his=theirs[0].name if theirs else "",
        sea=sea,
    )


def _at_home(sight: _Sight) -> Iterator[tuple[str, Intent]]:
    home = sight.home
    yield "DISBAND", s.DisbandOrder((("explorer", "", 0), ("infantry", home, 0)))
    yield "LOSE", s.LossOrder(("infantry", "artillery"), home)
    yield "SPHERES", s.SphereRule("support", sight.his or home, sight.other)
    if sight.near:
        yield "REINFORCE", s.ReinforceRule(home, sight.near, (("cavalry", 0), ("infantry", 0)), 5)
        yield "RETREAT", s.RetreatRule("below", 3, (sight.near,), home)
        yield "EVACUATE", s.EvacuateTo((sight.near,))


def _at_sea(sight: _Sight) -> Iterator[tuple[str, Intent]]:
    if sight.sea:
        yield "INTERCEPT", s.InterceptRule("ratio", 2, sight.other, sight.sea)
        yield "LOSE FLEETS", s.FleetLossOrder("empty", sight.sea)


def _with_others(sight: _Sight) -> Iterator[tuple[str, Intent]]:
    other = sight.other
    yield "STRIKE", s.StrikeOrder((other,))
    yield "STRAITS", s.StraitsRule((other,))
    yield "FAVOUR", s.FavourRule((other,))


def _optional(war: War) -> Iterator[tuple[str, Intent]]:
    """By the optional rules in play."""
    if plays(war, "simultaneous"):
        yield "CONSENT", s.ConsentRule(always=True)


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
