"""Oracles of what is paid in War!: maintenance, prices, limits of building, and what every purse holds after each event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.event import Event
from referee.games.war.events.combat import FleetLost, UnitsLost
from referee.games.war.events.course import PieceReturned, PiecesBought, StartPaid
from referee.games.war.events.economy import (
    BuildingBuilt,
    CanalPaid,
    FleetsBought,
    LoadDisbanded,
    MaintenancePaid,
    ResourceDeveloped,
    UnitsBought,
)
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.war_board import CHIT_VALUES, COASTS, ZONES, total

PRICES_27 = {"infantry": 10, "cavalry": 15, "artillery": 20, "general": 25, "explorer": 10, "engineer": 20, "fleet": 25}
"""Unit Characteristics Table: cost in PP."""

NEEDS = {
    "cavalry": "city",
    "explorer": "city",
    "artillery": "factory",
    "general": "school",
    "engineer": "school",
    "fleet": "port",
}
"""Unit Characteristics Table: where a unit must be built."""

A_PHASE = {"cavalry": 1, "artillery": 1, "general": 1, "fleet": 2}
"""Unit Characteristics Table: how many of a kind a building gives in a phase."""

SETUP = {2: (400, 3), 3: (300, 2), 4: (250, 2), 5: (220, 2), 6: (200, 1), 7: (200, 1), 8: (180, 1)}
"""Game Setup Table: starting PP and DP by the number of players."""


def start(stretch: Stretch) -> Iterator[Line]:
    """Game Setup Table: what everybody starts with; nobody buys for more, and every piece has its price."""
    for paid in stretch.of(StartPaid):
        yield Line("start", (paid.event.pp, paid.event.dp), SETUP[len(paid.before.seats)])
    for fact in stretch.of(PiecesBought):
        due = sum(number * PRICES_27.get(kind, 30) for kind, number in fact.event.pieces)
        yield Line(f"{fact.event.seat} buys {fact.event.pieces}", fact.event.pp, due)
        yield at_most("start spent", fact.event.pp, fact.before.treasuries[fact.event.seat].pp)
    for back in stretch.of(PieceReturned):
        yield Line("paid back", back.event.pp, PRICES_27.get(back.event.kind, 30))


def maintenance(stretch: Stretch) -> Iterator[Line]:
    """Maintain Units: 1 PP for each party, brigade and fleet; who cannot pay loses exactly those he cannot pay for."""
    for fact in stretch.of(MaintenancePaid):
        units, pp = total(fact.before, fact.event.seat), fact.before.treasuries[fact.event.seat].pp
        yield Line("maintained", (fact.event.units, fact.event.pp), (min(units, pp), min(units, pp)))
        yield Line("not maintained", fact.event.disbanded, max(0, units - pp))
        rest = list(stretch.since(fact.place, MaintenancePaid))
        last = [found for found in rest if _unpaid(found.event, fact.event.seat)]
        after = total(last[-1].after if last else fact.after, fact.event.seat)
        yield Line("left after maintenance", after, min(units, pp))


def _unpaid(event: Event, seat: Any) -> bool:
    match event:
        case UnitsLost() | LoadDisbanded() | FleetLost():
            lost = (
                event.lost.owner
                if isinstance(event, UnitsLost)
                else event.load.owner
                if isinstance(event, LoadDisbanded)
                else event.owner
            )
            return lost == seat and event.cites().endswith(".maintain.2")
    return False


def prices(stretch: Stretch) -> Iterator[Line]:
    """Construct Units and Buildings: each unit by its table, a building 30 PP, a resource three times its value; -1/3."""
    for fact in stretch.any_of(UnitsBought, FleetsBought, BuildingBuilt, ResourceDeveloped, CanalPaid):
        yield Line(f"price of {fact.event}", fact.event.pp, _due(fact))
        yield at_most("PP to spend", fact.event.pp, fact.before.treasuries[fact.event.seat].pp)


def _due(fact: Fact[Any]) -> int:
    event = fact.event
    if isinstance(event, UnitsBought | FleetsBought):
        return PRICES_27[getattr(event, "kind", "fleet")] * int(event.number)
    value = CHIT_VALUES[event.resource] if isinstance(event, ResourceDeveloped) else 10
    saves = event.engineer and not (hasattr(event, "region") and colonial(fact.before, event.region))
    return (2 if saves else 3) * value


def colonial(war: Any, region: str) -> bool:
    """Pseudo-Historical, Colonial Regions: all but those of Europe without Balkans and Caucasus; none without the option."""
    return war.options.get("historical") == "yes" and region not in ZONES["Europe"] - {"Balkans", "Caucasus"}


def building(stretch: Stretch) -> Iterator[Line]:
    """Construct Units and Buildings: what a building gives in a phase, where things may be built, an engineer a project."""
    made = Counter[tuple[str, str]]()
    works, helped = Counter[str](), Counter[str]()
    for fact in stretch.any_of(UnitsBought, FleetsBought, BuildingBuilt, ResourceDeveloped):
        event, land = fact.event, fact.before.lands[fact.event.region]
        yield Line(f"{event.region} is his", land.owner, event.seat)
        if isinstance(event, UnitsBought | FleetsBought):
            kind = str(getattr(event, "kind", "fleet"))
            made[event.region, kind] += event.number
            yield Line(f"{kind} where it can be built", kind == "infantry" or NEEDS[kind] in land.buildings, True)
            yield at_most(f"{kind} of a phase", made[event.region, kind], A_PHASE.get(kind, 999))
        else:
            works[event.region] += 1
            helped[event.region] += event.engineer
            engineers = _engineers(land, event.seat)
            yield at_most("engineers at work", helped[event.region], engineers)
            alone = 0 if colonial(fact.before, event.region) else 1
            yield at_most("works in a region", works[event.region], engineers if not alone else 999 if engineers else 1)
            yield Line("no works in a revolt", land.revolt, None)
        yield from _place(fact)


def _engineers(land: Any, seat: Any) -> int:
    return sum(stack.number for stack in land.stacks if (stack.owner, stack.kind) == (seat, "engineer"))


def _place(fact: Fact[Any]) -> Iterator[Line]:
    event, land = fact.event, fact.before.lands[fact.event.region]
    match event:
        case FleetsBought():
            yield Line("launched beside the port", event.sea in COASTS[event.region], True)
        case ResourceDeveloped():
            yield Line(
                "undeveloped, and worth something",
                (land.developed, land.chit, CHIT_VALUES[land.chit] > 0),
                (False, event.resource, True),
            )
        case BuildingBuilt(building="port"):
            yield Line("a port on a coast", bool(COASTS[event.region]), True)
        case BuildingBuilt(building="school"):
            yield Line(
                "a school in an older city",
                ("city" in land.buildings, event.region in fact.before.new_cities),
                (True, False),
            )
    if isinstance(event, BuildingBuilt):
        yield Line("one of a kind", event.building in land.buildings, False)
        yield at_most("big buildings", len(set(land.buildings) & BIG), _room(fact))


BIG = {"city", "factory", "port", "railroad"}
POWERS = ("China", "Japan", "India", "Egypt", "Ottoman")


def _room(fact: Fact[Any]) -> int:
    """The Pieces: one of city, factory, port and railroad; more in Europe, in a local power, or by Multiple Buildings."""
    event, war = fact.event, fact.before
    if event.building not in BIG:
        return 4
    limit = {"no": 1, "each": 4}.get(war.options.get("multiple_buildings", "no")) or int(
        war.options["multiple_buildings"]
    )
    if war.options.get("capital_only") == "yes" and event.region not in war.capitals.values():
        limit = 1
    if war.options.get("historical") == "yes":
        limit = max(limit, 2 if event.region in POWERS else 1 if colonial(war, event.region) else 4)
    return limit - 1


def colonies(stretch: Stretch) -> Iterator[Line]:
    """Pseudo-Historical, Colonial Regions: two units a phase, two more with an older building, two more if westernized."""
    built, fleets, older = Counter[str](), Counter[str](), _standing_works(stretch)
    for fact in stretch.any_of(UnitsBought, FleetsBought):
        region, land = fact.event.region, fact.before.lands[fact.event.region]
        if colonial(fact.before, region):
            built[region] += fact.event.number
            western = land.marker is None
            yield at_most(f"units in {region}", built[region], 2 + 2 * (region in older) + 2 * western)
            fleets[region] += fact.event.number if isinstance(fact.event, FleetsBought) else 0
            yield at_most(f"fleets in {region}", fleets[region], 2 if western else 1)


def _standing_works(stretch: Stretch) -> set[str]:
    return {name for name, land in stretch.before.lands.items() if set(land.buildings) & BIG}


GAINS: Mapping[str, tuple[int, int]] = {
    "IncomeCollected": (1, 1), "PieceReturned": (1, 0), "DiplomacyGained": (0, 1), "DiplomacyBought": (-1, 1),
    "MaintenancePaid": (-1, 0), "UnitsBought": (-1, 0), "FleetsBought": (-1, 0), "BuildingBuilt": (-1, 0),
    "ResourceDeveloped": (-1, 0), "CanalPaid": (-1, 0), "PiecesBought": (-1, 0), "ChitReplaced": (-1, 0),
    "DiplomacyPaid": (0, -1), "ProductionCollected": (1, 1), "BlockadeRolled": (-1, 0),
}  # fmt: skip
"""Events in which one player gains or spends the PP and the DP they name; no other changes a purse but those below."""


def purse(stretch: Stretch) -> Iterator[Line]:
    """Production Points and Diplomacy Points: every purse changes by what the record says, and nobody has less than none."""
    due = {seat: Counter({"pp": hand.pp, "dp": hand.dp}) for seat, hand in stretch.before.treasuries.items()}
    for fact in stretch.facts:
        moved = list(_moved(fact.event))
        for seat, pp, dp in moved:
            due[seat].update({"pp": pp, "dp": dp})
        if moved or fact.before.treasuries is not fact.after.treasuries:
            yield from _held(f"after {type(fact.event).__name__}", fact.after, due)
    yield from _held("at the end", stretch.after, due)


def _held(when: str, war: Any, due: Mapping[Any, Counter[str]]) -> Iterator[Line]:
    told = {seat: (hand.pp, hand.dp) for seat, hand in war.treasuries.items()}
    yield Line(f"purses {when}", told, {seat: (hand["pp"], hand["dp"]) for seat, hand in due.items()})
    yield Line(f"no debt {when}", min(min(pair) for pair in told.values()) >= 0, True)


def _moved(event: Any) -> Iterator[tuple[Any, int, int]]:
    name = type(event).__name__
    if name in GAINS:
        pp, dp = GAINS[name]
        yield event.seat, pp * getattr(event, "pp", 0), dp * getattr(event, "dp", 0)
    elif name in ("StartPaid", "PointsPaid"):
        yield from ((seat, event.pp, event.dp) for seat in event.seats)
    elif name == "PointsGiven":
        yield from ((event.giver, -event.pp, 0), (event.to, event.pp, 0))
    elif name == "WarDeclared":
        yield event.declarer, 0, -1
    elif name == "BidsRevealed":
        yield from ((seat, -pp, 0) for seat, pp in event.bids)
