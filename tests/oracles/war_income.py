"""Oracles of income in War!: the Building and Region Characteristics Table of Version 27, worked out from the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from referee.games.war.events.economy import DiplomacyBought, IncomeCollected
from tests.oracles.audit import Line, Stretch, at_most
from tests.oracles.war_board import BORDERS, CHIT_VALUES, COASTS, GATES, SEAS, ZONES, enemies, has, lands_of, several

RULES = {
    "regions": 5,
    "zones": 6,
    "cities": 7,
    "factories": 8,
    "ports": 9,
    "railroads": 10,
    "resources": 11,
    "spheres": 12,
}
"""By which paragraph of the table the record files a line of income."""


def income(stretch: Stretch) -> Iterator[Line]:
    """Collect PP Income: every kind of source pays what the Building and Region Characteristics Table says."""
    for fact in stretch.of(IncomeCollected):
        war, seat = fact.before, fact.event.seat
        told = Counter[str]()
        for source in fact.event.lines:
            told[source.rule] += source.amount
        for what, amount in _sources(war, seat).items():
            yield Line(f"{seat}'s {what}", told.pop(f"27.production.income.{RULES[what]}", 0), amount)
        yield Line("no other source", dict(told), {})
        yield Line(f"{seat}'s PP", fact.event.pp, sum(_sources(war, seat).values()))
        had, has_now = fact.before.treasuries[seat], fact.after.treasuries[seat]
        yield Line("it is paid", (has_now.pp - had.pp, has_now.dp - had.dp), (fact.event.pp, fact.event.dp))


def diplomacy_points(stretch: Stretch) -> Iterator[Line]:
    """Collect DP Income: a DP for every city and one more; at most one a city may be bought, for 10 PP each."""
    for fact in stretch.of(IncomeCollected):
        yield Line("DP", fact.event.dp, several(fact.before, fact.event.seat, "city") + 1)
    for bought in stretch.of(DiplomacyBought):
        yield at_most("DP bought", bought.event.dp, several(bought.before, bought.event.seat, "city"))
        yield Line("price of DP", bought.event.pp, 10 * bought.event.dp)
        yield at_most("PP for DP", bought.event.pp, bought.before.treasuries[bought.event.seat].pp)


def worth(land: Any) -> int:
    """What a developed resource pays."""
    return CHIT_VALUES[land.chit] if land.developed and land.chit else 0


def zones(war: Any, seat: Any) -> int:
    """+1 PP for each region of a global zone that is fully controlled."""
    own = set(lands_of(war, seat))
    return sum(len(regions) for regions in ZONES.values() if regions <= own)


def _sources(war: Any, seat: Any) -> dict[str, int]:
    own = lands_of(war, seat)
    return {
        "regions": sum(3 if land.marker is not None else 5 for land in own.values()),
        "zones": zones(war, seat),
        "cities": 5 * several(war, seat, "city"),
        "factories": _factories(own),
        "ports": _ports(war, seat, own),
        "railroads": railroads(own),
        "resources": sum(map(worth, own.values())),
        "spheres": sum(land.spheres.get(seat, 0) for land in war.lands.values() if land.owner is None),
    }


def railroads(own: Mapping[str, Any]) -> int:
    """Railroad: 3 PP for each city, factory, port or developed resource beside it, at most 15; R27-14: or in its region."""
    paid = 0
    for name, land in own.items():
        near = [own[other] for other in {name, *BORDERS[name]} if other in own]
        things = sum(sum(has(x, kind) for kind in ("city", "factory", "port")) + (worth(x) > 0) for x in near)
        paid += min(15, 3 * things) if has(land, "railroad") else 0
    return paid


def _factories(own: Mapping[str, Any]) -> int:
    """Factory: 10 PP, 2 for a resource beside it (or beyond a railroad), 1 for another, at most 20; as many as cities."""
    works = [name for name, land in own.items() if has(land, "factory")]
    paying = min(len(works), sum(has(land, "city") for land in own.values()))
    resources = {name for name in own if worth(own[name])}
    near = {work: _reached(own, work) & resources for work in works}
    most, best = min(5 * paying, len(set[str]().union(*near.values()))), 0
    for chosen in combinations([work for work in works if near[work]], min(paying, sum(map(bool, near.values())))):
        best = max(best, _matched({work: near[work] for work in chosen}))
        if best == most:
            break
    return 10 * paying + min(10 * paying, len(resources) + best)


def _reached(own: Mapping[str, Any], work: str) -> set[str]:
    rails = [name for name in BORDERS[work] if name in own and has(own[name], "railroad")]
    return {work, *BORDERS[work], *(name for rail in rails for name in BORDERS[rail])}


def _matched(near: Mapping[str, set[str]]) -> int:
    """How many resources can be given to a factory beside them, each to one, five to a factory."""
    berths = [(work, number) for work in near for number in range(5)]
    taken: dict[str, tuple[str, int]] = {}

    def seat(berth: tuple[str, int], seen: set[str]) -> bool:
        for resource in near[berth[0]] - seen:
            seen.add(resource)
            if resource not in taken or seat(taken[resource], seen):
                taken[resource] = berth
                return True
        return False

    return sum(seat(berth, set()) for berth in berths)


def _ports(war: Any, seat: Any, own: Mapping[str, Any]) -> int:
    """Port: 2 PP for each port that is no enemy's, 2 for each own factory or resource, each for one port; at most 15."""
    foes = enemies(war, seat)
    ports = sum(has(land, "port") and land.owner not in foes for land in war.lands.values())
    pay = [min(15, 2 * ports) for _ in open_ports(war, seat)]
    for _ in range(sum(has(land, "factory") + (worth(land) > 0) for land in own.values())):
        if pay:
            poorest = pay.index(min(pay))
            pay[poorest] = min(15, pay[poorest] + 2)
    return sum(pay)


def open_ports(war: Any, seat: Any) -> set[str]:
    """Blockade: a port pays if a path of seas without enemy fleets, or with more friendly ones, leads to another port."""
    foes = enemies(war, seat)
    friendly = {name for name, land in war.lands.items() if has(land, "port") and land.owner not in foes}
    free = {sea for sea in SEAS if _free(war, seat, foes, sea)}
    own = [name for name in friendly if war.lands[name].owner == seat]
    return {port for port in own if _sailed(war, foes, free, COASTS[port] & free) & _coasts_of(friendly - {port})}


def _coasts_of(ports: set[str]) -> set[str]:
    return {sea for port in ports for sea in COASTS[port]}


def _free(war: Any, seat: Any, foes: set[Any], sea: str) -> bool:
    owners = [fleet.owner for fleet in war.fleets.values() if fleet.sea == sea]
    hostile = sum(owner in foes for owner in owners)
    return not hostile or sum(owner == seat or owner in _allies(war, seat) for owner in owners) > hostile


def _allies(war: Any, seat: Any) -> set[Any]:
    """27.opt.alliances.5: who stands on the same side of a war against a common enemy."""
    sides = [side for coalition in war.coalitions for side in coalition.sides if seat in side]
    return {other for side in sides for other in side} - {seat}


def _sailed(war: Any, foes: set[Any], free: set[str], start: frozenset[str]) -> set[str]:
    reached, ahead = set(start), list(start)
    while ahead:
        here = ahead.pop()
        gates = {
            (set(pair) - {here}).pop() for pair, gate in GATES.items() if here in pair and _lets(war, foes, pair, gate)
        }
        for there in (SEAS[here] | gates) & free - reached:
            reached.add(there)
            ahead.append(there)
    return reached


def _lets(war: Any, foes: set[Any], pair: frozenset[str], gate: str) -> bool:
    """The Game Board, R27-03: by leave of the gate's owner; natives keep it shut, and the canal must have been built."""
    owner = war.lands[gate].owner
    return owner is not None and owner not in foes and (gate != "Egypt" or len(war.canal) >= 2)
