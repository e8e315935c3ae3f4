"""Victory points, who leads, elimination and the end (27.victory, R27-75)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.page import Standing, Tally
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.cards import card_points
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import EXCLUSIVE
from referee.kit.game import once_a_position
from referee.kit.places import placed
from referee.kit.wording import counted


def points_by_line(war: War, seat: Seat) -> tuple[tuple[str, int, int], ...]:
    """27.victory.3, 17.victory.2: what counts, how much of it, and the victory points for it."""
    own = war.regions_of(seat)
    held = {land.name for land in own}
    zones = sum(held.issuperset(names) for names in BOARD.zones.values())
    buildings = sum(len(land.buildings) for land in own)
    sets = min(war.buildings_of(seat, kind) for kind in EXCLUSIVE)
    resources = sum(land.resource for land in own)
    spheres = war.spheres_of(seat)
    hand = war.treasuries[seat]
    card = card_points(war, seat) if war.cards_shown else 0
    lines = (
        ("regions", len(own), 10 * len(own)),
        ("whole zones", zones, 0 if plays(war, "hidden_victory") else 50 * zones),
        ("buildings", buildings, 5 * buildings),
        ("full sets of city, factory, port and railroad", sets, 10 * sets),
        ("value of developed resources", resources, resources),
        ("brigades, parties and fleets", war.units_of(seat), war.units_of(seat)),
        ("spheres of influence", spheres, spheres),
        ("DP in hand", hand.dp, hand.dp),
        *((("PP in hand", hand.pp, hand.pp // 10),) if war.diplomatic else ()),
        ("card fulfilled", int(bool(card)), card),
    )
    return tuple(line for line in lines if line[1])


def points(war: War, seat: Seat) -> int:
    """Victory points, whether or not the seat is eliminated."""
    return _points(war)[seat]


@once_a_position(keep=32)
def _points(war: War) -> dict[Seat, int]:
    """Of every seat: reports, sheets and orders of one position ask for all of them again and again."""
    return {seat: sum(worth for _, _, worth in points_by_line(war, seat)) for seat in war.treasuries}


def tally(war: War) -> Tally:
    """Who stands where now, or finally. Ties share a place (R17-20); regions, then PP, order the record (R27-75)."""
    merit = {seat: (seat not in war.out, points(war, seat)) for seat in war.order}
    ranked = placed(war.order, lambda seat: merit[seat])
    held = {seat: len(war.regions_of(seat)) for seat in war.order}
    ordered = sorted(ranked, key=lambda entry: (entry[0], -held[entry[1]], -war.treasuries[entry[1]].pp))
    standings = tuple(Standing(place, seat, merit[seat][1], _how(war, seat, held[seat])) for place, seat in ordered)
    return Tally(standings, "victory points", bool(war.ended))


def _how(war: War, seat: Seat, regions: int) -> str:
    if seat in war.out:
        return "eliminated"
    buildings = sum(len(land.buildings) for land in war.regions_of(seat))
    parts = (counted(regions, "regions"), counted(buildings, "buildings"), counted(war.units_of(seat), "units"))
    return ", ".join(parts)


def end_of_round(war: War) -> str:
    """Why the game is over after a round of movement, "" when it goes on (27.victory.1)."""
    lost = [seat for seat in war.order if not war.regions_of(seat)]
    if lost:
        return f"{' and '.join(lost)} {'has' if len(lost) == 1 else 'have'} no region left"
    if not war.regions_of(None):
        return "no native region is left"
    last = int(war.options["last_turn"])
    if war.round == 2 and war.turn >= last:
        return f"turn {last}, the last that was agreed, is over"
    return ""
