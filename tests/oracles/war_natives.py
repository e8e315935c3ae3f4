"""Oracles of natives, explorers, prospecting and victory points in War!, Version 27."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.war.events.combat import BattleBegan
from referee.games.war.events.course import GameEnded
from referee.games.war.events.economy import ChitReplaced
from referee.games.war.events.natives import (
    DiplomacyGained,
    DiplomacyRolled,
    NativesReduced,
    RegionTaken,
    RegionWesternized,
    RevoltBegan,
    RevoltRolled,
)
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.war_board import BORDERS, COASTS, ZONES, lands_of, several, total
from tests.oracles.war_income import worth

SETS = ("city", "factory", "port", "railroad")


def explorers(stretch: Stretch) -> Iterator[Line]:
    """Native Diplomacy Table (Explorer): 2D6, 3D6 with a gift; NL, NL-3 and NL-6; the lowest natural roll kills."""
    for fact in stretch.of(DiplomacyRolled):
        event, faces = fact.event, stretch.thrown(fact.place)
        marker = fact.before.lands[event.region].marker
        yield Line("explorer's dice", (event.dice, len(faces) in (2, 3)), (sum(faces), True))
        yield Line("natural lowest", event.natural, sum(faces) == len(faces))
        yield Line("strength", (event.strength, event.signs), (marker.strength, -2 * marker.plus))
        yield from _favours(fact)
        sum_ = event.dice + event.signs + sum(value for _, value in event.modifiers)
        short = event.strength - sum_
        due = (
            "lost" if event.natural or short > 6 else "control" if short <= 0 else "sphere" if short <= 3 else "retreat"
        )
        yield Line("explorer's roll", event.result, due)


def _favours(fact: Fact[DiplomacyRolled]) -> Iterator[Line]:
    event, war = fact.event, fact.before
    told = dict(event.modifiers)
    spheres = war.lands[event.region].spheres
    yield Line(
        "own regions adjacent",
        told.get("own regions adjacent", 0),
        len(BORDERS[event.region] & set(lands_of(war, event.seat))),
    )
    fleets = {fleet.sea for fleet in war.fleets.values() if fleet.owner == event.seat}
    yield Line("fleets adjacent", told.get("fleets adjacent", 0), int(bool(COASTS[event.region] & fleets)))
    helped, against = told.get("spheres for him", 0), told.get("spheres against him", 0)
    yield Line("every sphere counts once", helped - against, sum(spheres.values()))
    yield at_most("own spheres help", spheres.get(event.seat, 0), helped)


def revolts(stretch: Stretch) -> Iterator[Line]:
    """Incite Native Revolt: 2D6 with +1, -1 for each sphere and -3 for a bribe, at most the strength; the army is its own."""
    for fact in stretch.of(RevoltRolled):
        land = fact.before.lands[fact.event.region]
        spheres = sum(land.spheres.values())
        yield Line("revolt's dice", fact.event.dice, sum(stretch.thrown(fact.place)))
        yield Line("strength", fact.event.strength, land.marker.strength)
        yield at_most("for the owner", fact.event.modifier, spheres)
        yield at_most("against him", -fact.event.modifier, spheres + 3 * (fact.event.inciter is not None))
        began = [f for f in stretch.since(fact.place, RevoltRolled) if isinstance(f.event, RevoltBegan)]
        yield Line("a revolt", bool(began), fact.event.dice + fact.event.modifier <= land.marker.strength)
    for rising in stretch.of(RevoltBegan):
        army, marker = rising.event.army, rising.before.lands[rising.event.region].marker
        yield Line("native army", army.infantry + army.cavalry + army.artillery, marker.strength)
        yield Line(
            "horse and guns",
            (army.cavalry, army.artillery),
            (marker.strength // 3 if marker.plus else 0, int(marker.plus == 2)),
        )


def westernizing(stretch: Stretch) -> Iterator[Line]:
    """Westernize Natives: below four the marker goes, and not before; nothing is taken from a strength but what is told."""
    for fact in stretch.of(NativesReduced):
        marker = fact.before.lands[fact.event.region].marker
        yield Line("strength before", fact.event.before, marker.strength)
        yield Line("strength falls", 0 <= fact.event.after < fact.event.before, True)
        later = list(stretch.since(fact.place))[:1]
        yield Line("westernized", bool(later) and isinstance(later[0].event, RegionWesternized), fact.event.after < 4)
    for gone in stretch.of(RegionWesternized):
        land = gone.after.lands[gone.event.region]
        yield Line("marker and spheres go", (land.marker, land.spheres), (None, {}))


def prospecting(stretch: Stretch) -> Iterator[Line]:
    """Prospect for Resource: 5 PP, a chit for every two schools, at least one, of which one is kept."""
    for fact in stretch.of(ChitReplaced):
        schools = several(fact.before, fact.event.seat, "school")
        yield Line("price of prospecting", fact.event.pp, 5)
        yield at_most("chits drawn", len(fact.event.drawn), max(1, schools // 2))
        yield Line("kept", fact.event.kept in fact.event.drawn, True)
        yield Line("undeveloped", fact.before.lands[fact.event.region].developed, False)


def conquests(stretch: Stretch) -> Iterator[Line]:
    """Battle Results: a region conquered is worth a Diplomacy Point; one won over or ceded is not (R27-64)."""
    for fact in stretch.of(RegionTaken):
        following = [f.event for f in stretch.since(fact.place, RegionTaken, BattleBegan)]
        gained = [event.dp for event in following if isinstance(event, DiplomacyGained)]
        yield Line(f"DP for {fact.event.how}", sum(gained), int(fact.event.how == "conquest"))


def victory(stretch: Stretch) -> Iterator[Line]:
    """Victory Point Table: who has most has won; the game ends without a player's region, a native region, or in time."""
    for fact in stretch.of(GameEnded):
        war = fact.before
        living = [seat for seat in war.order if seat not in war.out]
        points = {seat: _points(war, seat) for seat in living}
        if war.options["hidden_victory"] == "no":
            yield Line("victory points", fact.event.points, max(points.values()))
            yield Line(
                "winners", set(fact.event.winners), {seat for seat in living if points[seat] == max(points.values())}
            )
        landless = any(not lands_of(war, seat) for seat in war.order)
        late = (war.turn, war.round) >= (int(war.options["last_turn"]), 2)
        yield Line("the end", landless or not lands_of(war, None) or late, True)


def _points(war: Any, seat: Any) -> int:
    own = lands_of(war, seat)
    buildings = sum(len(land.buildings) for land in own.values())
    whole = sum(regions <= set(own) for regions in ZONES.values())
    sets = min(several(war, seat, kind) for kind in SETS)
    spheres = sum(land.spheres.get(seat, 0) for land in war.lands.values())
    hand = war.treasuries[seat]
    resources = sum(map(worth, own.values()))
    points = (
        10 * len(own)
        + 50 * whole
        + 5 * buildings
        + 10 * sets
        + resources
        + total(war, seat)
        + spheres
        + hand.dp
        + hand.pp // 10
    )
    return int(points)
