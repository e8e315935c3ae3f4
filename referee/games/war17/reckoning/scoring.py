"""Victory points, standings, and when a match of Version 1.7 is over (17.victory)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.page import Standing, Tally
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import points_by_line as all_points
from referee.games.war17.position import Position
from referee.kit.places import placed
from referee.kit.wording import counted

_NOT_HERE = ("spheres of influence", "DP in hand", "PP in hand")


def points_by_line(war: War, seat: Seat) -> tuple[tuple[str, int, int], ...]:
    """17.victory.2: what counts, how much of it, and the victory points for it."""
    return tuple(line for line in all_points(war, seat) if line[0] not in _NOT_HERE)


def points(war: War, seat: Seat) -> int:
    """Victory points, whether or not the seat is eliminated."""
    return sum(worth for _, _, worth in points_by_line(war, seat))


def tally(war: War) -> Tally:
    """Who stands where now, or finally; ties share (R17-20)."""
    merit = {seat: (seat not in war.out, points(war, seat)) for seat in war.order}
    ranked = sorted(placed(war.order, lambda seat: merit[seat]), key=lambda entry: entry[0])
    standings = tuple(Standing(place, seat, merit[seat][1], _how(war, seat)) for place, seat in ranked)
    return Tally(standings, "victory points", bool(war.ended))


def _how(war: War, seat: Seat) -> str:
    if seat in war.out:
        return "eliminated"
    own = war.regions_of(seat)
    buildings = sum(len(land.buildings) for land in own)
    parts = (counted(len(own), "regions"), counted(buildings, "buildings"), counted(war.units_of(seat), "units"))
    return ", ".join(parts)


def final(war: War) -> str:
    """R17-11, R17-24: why the game is over after a production, "" when it goes on; the roll of 3d6 apart."""
    last = int(war.options["last_turn"])
    if len(war.living) < 2:
        return "one player is left"
    if war.turn >= last:
        return f"turn {last}, the last that was agreed, is over"
    called = isinstance(war, Position) and all(seat in war.over_by for seat in war.living)
    return "the hour that was agreed has come" if war.options["end"] == "hour" and called else ""
