"""Culture, who stands where, and when the game is over."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.page import Standing, Tally
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import COLONIAL_CARDS
from referee.kit.places import placed
from referee.kit.wording import counted


def all_claimed(world: World) -> bool:
    """nw.end.claimed"""
    return world.claimed >= COLONIAL_CARDS


def _merit(world: World, seat: Seat) -> tuple[int, int, int, int]:
    """nw.victory.culture, nw.r31, nw.r28"""
    power = world.powers[seat]
    colonies = sum(t.home is None for t in world.controlled(seat))
    return int(not power.out), world.culture(seat), power.stock["gold"], colonies


def tally(world: World) -> Tally:
    """Who stands where now, or finally."""
    ranked = placed(world.order, lambda seat: _merit(world, seat))
    standings = tuple(Standing(place, seat, world.culture(seat), _how(world, seat)) for place, seat in ranked)
    return Tally(standings, "Culture", bool(world.ended))


def _how(world: World, seat: Seat) -> str:
    power = world.powers[seat]
    if power.out:
        return "eliminated"
    held = world.controlled(seat)
    home = sum(t.home is not None for t in held)
    parts = [f"{home} European", f"{len(held) - home} colonial"]
    parts += [f"{name} {power.levels[name]}" for name in ("Law", "Humanities")]
    return f"{', '.join(parts)}; {counted(power.stock['gold'], 'gold')}"


def winners(world: World) -> tuple[Seat, ...]:
    """Everybody in the first place; eliminated seats cannot win."""
    return tuple(seat for seat in tally(world).winners() if not world.powers[seat].out)
