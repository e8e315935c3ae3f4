"""Oracles of War!, Version 1.7: its own prices, income, blockade, movement, exploration and points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.core.event import Rolled
from referee.games.war.events.combat import FleetsMoved, UnitsEmbarked, UnitsLanded, UnitsMoved, UnitsRaised
from referee.games.war.events.course import GameEnded, PieceReturned, PiecesBought, StartPaid
from referee.games.war.events.economy import BuildingBuilt, FleetsBought, ResourceDeveloped, UnitsBought
from referee.games.war.events.moving import NavalRoundFought
from referee.games.war17.events import BlockadeRolled, ChitKept, ExplorationRolled, ProductionCollected, RegionGained
from tests.oracles import war17_field, war_purse, war_sea
from tests.oracles.audit import Line, Oracle, Stretch, at_most
from tests.oracles.war_board import (
    BORDERS,
    BRIGADES,
    CHIT_VALUES,
    COASTS,
    GATES,
    SEAS,
    ZONES,
    enemies,
    force,
    has,
    lands_of,
    several,
    shortest,
    total,
)
from tests.oracles.war_income import railroads, worth

PRICES = {"infantry": 10, "cavalry": 15, "artillery": 20, "leader": 25, "explorer": 10, "engineer": 15, "fleet": 25}
MOVES = {"infantry": 1, "cavalry": 2, "artillery": 1, "leader": 2, "explorer": 2, "engineer": 2, "fleet": 3}
PORTAGE = {"infantry": 4, "cavalry": 6, "artillery": 4, "leader": 2, "explorer": 1, "engineer": 2}
"""Unit Characteristics Table: cost, move, portage."""

FREE: dict[tuple[int, bool], tuple[dict[str, int], int]] = {
    (4, False): ({"infantry": 1}, 1),
    (4, True): ({"infantry": 1}, 2),
    (7, False): ({"infantry": 1}, 2),
    (7, True): ({"cavalry": 1}, 3),
    (10, False): ({"infantry": 2}, 3),
    (10, True): ({"infantry": 1, "cavalry": 1}, 4),
}
"""Free Brigades and Resource Chits, by the lowest rating of the row and whether there is a sign."""


def start(stretch: Stretch) -> Iterator[Line]:
    """Setting Up: 24/N regions, rounded up, 150 PP, and every piece has its price."""
    for paid in stretch.of(StartPaid):
        yield Line("start", (paid.event.pp, paid.event.dp), (150, 0))
        seats = len(paid.before.seats)
        held = {len(lands_of(paid.before, seat)) for seat in paid.before.seats}
        yield Line("regions each", held, {-(-24 // seats)})
    for fact in stretch.of(PiecesBought):
        due = sum(number * PRICES.get(kind, 25) for kind, number in fact.event.pieces)
        yield Line(f"{fact.event.seat} buys {fact.event.pieces}", fact.event.pp, due)
        yield at_most("start spent", fact.event.pp, fact.before.treasuries[fact.event.seat].pp)
    for back in stretch.of(PieceReturned):
        yield Line("paid back", back.event.pp, PRICES.get(back.event.kind, 25))


def income(stretch: Stretch) -> Iterator[Line]:
    """Adding Production Points: 5 a region, and what the Building Characteristics Table says."""
    for fact in stretch.of(ProductionCollected):
        war, seat = fact.before, fact.event.seat
        due, own = _production(war, seat), lands_of(war, seat)
        yield Line(f"{seat}'s PP", (fact.event.pp, fact.event.dp), (due, 0))
        yield Line(f"{seat}'s sources", sum(line.amount for line in fact.event.lines), due)
        yield Line("it is paid", fact.after.treasuries[seat].pp - war.treasuries[seat].pp, due)
        yield Line("he has regions", bool(own) or not due, True)


def _production(war: Any, seat: Any) -> int:
    own = lands_of(war, seat)
    ports = sum(has(land, "port") for land in war.lands.values())
    built = 5 * several(war, seat, "city") + 10 * _factories(own) + ports * several(war, seat, "port")
    return 5 * len(own) + built + railroads(own) + sum(map(worth, own.values()))


def _factories(own: dict[str, Any]) -> int:
    """Factories must be adjacent to a friendly city, with a maximum of two factories a city (R17-02: so that most pay)."""
    taken: dict[tuple[str, int], str] = {}

    def seated(work: str, seen: set[tuple[str, int]]) -> bool:
        near = [name for name in {work, *BORDERS[work]} if name in own and has(own[name], "city")]
        for berth in [(city, number) for city in near for number in (1, 2)]:
            if berth not in seen:
                seen.add(berth)
                if berth not in taken or seated(taken[berth], seen):
                    taken[berth] = work
                    return True
        return False

    return sum(seated(name, set()) for name, land in own.items() if has(land, "factory"))


def blockade(stretch: Stretch) -> Iterator[Line]:
    """Blockade: 2d6 PP for each enemy fleet beside a port, at most a third (rounded up) of the turn's production."""
    for fact in stretch.of(ProductionCollected):
        war, seat = fact.before, fact.event.seat
        waters = {sea for name, land in lands_of(war, seat).items() if has(land, "port") for sea in COASTS[name]}
        foes = enemies(war, seat)
        fleets = Counter(f.owner for f in war.fleets.values() if f.sea in waters and f.owner in foes)
        after = [f for f in stretch.since(fact.place, ProductionCollected) if isinstance(f.event, BlockadeRolled)]
        yield Line("blockaded", [f.event.seat for f in after], [seat] if fleets else [])
        for found in after:
            faces = [f.event.faces for f in stretch.facts[fact.place : found.place] if isinstance(f.event, Rolled)]
            yield Line("blockade's dice", sorted(map(len, faces)), sorted(2 * n for n in fleets.values()))
            yield Line("rolled", sorted(n for _, n in found.event.rolls), sorted(map(sum, faces)))
            yield Line("lost to blockade", found.event.pp, min(sum(map(sum, faces)), -(-fact.event.pp // 3)))


def prices(stretch: Stretch) -> Iterator[Line]:
    """Unit Construction: the tables' costs; units in buildings of an earlier turn; an engineer for each building."""
    works = Counter[str]()
    for fact in stretch.any_of(UnitsBought, FleetsBought, BuildingBuilt, ResourceDeveloped):
        event, land = fact.event, fact.before.lands[fact.event.region]
        yield Line(f"{event.region} is his", land.owner, event.seat)
        yield at_most("PP to spend", event.pp, fact.before.treasuries[event.seat].pp)
        if isinstance(event, UnitsBought | FleetsBought):
            kind = str(getattr(event, "kind", "fleet"))
            yield Line(f"price of {kind}", event.pp, PRICES[kind] * event.number)
            needed = "port" if kind == "fleet" else "city"
            old = stretch.before.lands[event.region]
            yield Line(f"{kind} where it can be built", kind == "infantry" or has(old, needed), True)
        else:
            price = 2 * CHIT_VALUES[event.resource] if isinstance(event, ResourceDeveloped) else 25
            yield Line(f"price in {event.region}", event.pp, price)
            works[event.region] += 1
            yield at_most("engineers at work", works[event.region], force(land, (event.seat,))["engineer"])
        if isinstance(event, BuildingBuilt):
            big = {"city", "factory", "port", "railroad"}
            yield at_most(
                "big buildings", len(big & {*land.buildings, event.building}) if event.building in big else 1, 1
            )
            school = event.building == "school" and not has(land, "city")
            yield Line("one of a kind, in its place", school or event.building in land.buildings, False)
            yield Line("a port on a coast", event.building != "port" or bool(COASTS[event.region]), True)


def marches(stretch: Stretch) -> Iterator[Line]:
    """Land Movement: one point to an adjacent region, none out of one's railroad; nobody goes farther than he can."""
    for fact in stretch.of(UnitsMoved):
        event, war = fact.event, fact.before
        if event.how == "march":
            own = lands_of(war, event.before.owner)
            fares = {name: 0 for name, land in own.items() if has(land, "railroad")}
            way = shortest(event.origin, fares, BORDERS).get(event.target, 99)
            yield at_most(f"{event.before.kind} to {event.target}", event.before.spent + way, MOVES[event.before.kind])
            if event.after.spent < 99:
                yield at_most("MP spent", event.after.spent, MOVES[event.before.kind])
                yield at_most("the cheapest way", way, event.after.spent - event.before.spent)


def sailing(stretch: Stretch) -> Iterator[Line]:
    """Naval Movement: a point for an area or a landing, 3 in all; 20 portage points a fleet, boarding a point of the unit's."""
    for fact in stretch.any_of(FleetsMoved, UnitsLanded, UnitsEmbarked):
        event = fact.event
        for number in event.fleets if isinstance(event, FleetsMoved) else (event.fleet,):
            fleet = fact.after.fleets[number]
            yield at_most("portage points", sum(PORTAGE[load.kind] * load.number for load in fleet.cargo), 20)
            new = isinstance(event, FleetsMoved) or (
                isinstance(event, UnitsLanded) and war_sea.first_ashore(stretch, fact.place)
            )
            yield Line("MP of a fleet", fleet.spent, fact.before.fleets[number].spent + new)
            yield at_most("MP spent", fleet.spent if new else 0, MOVES["fleet"])
        if isinstance(event, FleetsMoved):
            gate = frozenset((event.origin, event.target)) in GATES and "Red Sea" not in (event.origin, event.target)
            yield Line("a step at sea", event.target in SEAS[event.origin] or gate, True)
        elif isinstance(event, UnitsLanded):
            yield Line("lands beside its sea", fact.before.fleets[event.fleet].sea in COASTS[event.region], True)
        elif isinstance(event, UnitsEmbarked) and event.how == "board":
            land = fact.before.lands[event.region]
            fare = 0 if has(land, "railroad") and land.owner == event.before.owner else 1
            yield at_most("MP to board", event.before.spent + fare, MOVES[event.before.kind])


def naval_dice(stretch: Stretch) -> Iterator[Line]:
    """Naval Combat: 2d6 a fleet, 9 and more hits; -2 with brigades aboard, -1 with parties only; +1 for four schools."""
    for fact in stretch.of(NavalRoundFought):
        schools = several(fact.before, fact.event.side, "school") // 4
        cargoes = [{load.kind for load in fact.before.fleets[number].cargo} for number in fact.event.fleets]
        due = tuple(schools - (2 if kinds & set(BRIGADES) else 1 if kinds else 0) for kinds in cargoes)
        yield from war_sea.gunnery(stretch, fact, due, 2, 9)


def exploration(stretch: Stretch) -> Iterator[Line]:
    """Exploration: 2D6 at least the rating, +1 for a second explorer, +2 for a leader; then the table of gains."""
    for fact in stretch.of(ExplorationRolled):
        event, land = fact.event, fact.before.lands[fact.event.region]
        thrown = stretch.thrown(fact.place)
        there = force(land, (event.seat,))
        drm = (there["explorer"] > 1) + 2 * (there["leader"] > 0)
        yield Line("explorer's dice", (event.dice, len(thrown)), (sum(thrown), 2))
        yield Line("explorer's help", sum(value for _, value in event.modifiers), drm)
        yield Line("rating", event.rating, land.marker.strength)
        yield Line("explored", event.success, sum(thrown) + drm >= land.marker.strength)
    for gained in stretch.of(RegionGained):
        marker = gained.before.lands[gained.event.region].marker
        if marker is not None and gained.event.before is None:
            yield from _gains(stretch, gained.place, gained.event, marker)


def _gains(stretch: Stretch, place: int, event: RegionGained, marker: Any) -> Iterator[Line]:
    free, chits = FREE[max(low for low in (4, 7, 10) if low <= marker.strength), marker.plus > 0]
    came, drawn = Counter[str](), 0
    for fact in stretch.since(place, RegionGained):
        if isinstance(fact.event, UnitsRaised) and fact.event.region == event.region:
            came[fact.event.kind] += fact.event.number
        elif type(fact.event).__name__ == "Drawn" and fact.event.why.endswith(f" {event.region}"):
            drawn = len(fact.event.items)
        elif isinstance(fact.event, ChitKept) and fact.event.region == event.region:
            yield at_most("chits drawn", drawn, chits)
    yield Line("free brigades", dict(came), free if event.how == "explorer" else {})


def victory(stretch: Stretch) -> Iterator[Line]:
    """Victory Conditions: 10 a region, 50 a zone, 5 a building, 10 a full set, 1 a unit, developed resources by value."""
    for fact in stretch.of(GameEnded):
        war = fact.before
        points = {seat: _points(war, seat) for seat in war.order if seat not in war.out}
        yield Line("victory points", fact.event.points, max(points.values()))
        yield Line(
            "winners", set(fact.event.winners), {seat for seat in points if points[seat] == max(points.values())}
        )


def _points(war: Any, seat: Any) -> int:
    own = lands_of(war, seat)
    whole = sum(regions <= set(own) for regions in ZONES.values())
    sets = min(several(war, seat, kind) for kind in ("city", "port", "factory", "railroad"))
    buildings = sum(len(land.buildings) for land in own.values())
    return 10 * len(own) + 50 * whole + 5 * buildings + 10 * sets + total(war, seat) + sum(map(worth, own.values()))


WAR17: tuple[Oracle, ...] = (
    start,
    income,
    blockade,
    prices,
    war_purse.purse,
    marches,
    sailing,
    naval_dice,
    war_sea.naval_losses,
    exploration,
    war17_field.deployment,
    war17_field.blows,
    war17_field.pursuit,
    war17_field.losses,
    victory,
)
"""Every oracle of Version 1.7."""
