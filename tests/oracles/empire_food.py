"""Oracles of squares, births and food in Empire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.games.empire.events.course import SlotOpened
from referee.games.empire.events.supply import CooliesBorn, FoodEaten, OutputAppeared, PersonDied, SquareInvested
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.empire_ground import LAND_RATES, ground_of

FORMATIONS = (
    "SAC", "recon", "infantry regiment", "airborne regiment", "support regiment", "motor regiment", "artillery", "armour",
)  # fmt: skip
PEOPLE = ("coolie", "government coolie", "ambassador coolie", *FORMATIONS)
"""Who eats: every coolie, and the one in each formation (H-25)."""


def _mine(empire: Any, country: str, kinds: tuple[str, ...]) -> list[Any]:
    return [unit for unit in empire.units.values() if unit.country == country and unit.kind in kinds]


def _moving(stretch: Stretch) -> Iterator[tuple[Fact[SlotOpened], str]]:
    """The countries of whoever's slot it is, as far as they have not moved this turn under somebody else."""
    for fact in stretch.of(SlotOpened):
        for name, country in fact.before.countries.items():
            if country.owner == fact.event.seat and not country.dead and country.held != fact.before.turn:
                yield fact, name


def output(stretch: Stretch) -> Iterator[Line]:
    """IV.A: at the start of the turn a worked food square gives 5 food, a resource square 1, 2 or 3, a polluted one nothing."""
    for opened, country in _moving(stretch):
        empire, due = opened.before, Counter[tuple[str, str]]()
        for worked in empire.worked:
            food = worked.kind in ("farm", "fish")
            spoilt = food and worked.at in empire.polluted and not 0 < empire.polluted[worked.at] <= empire.turn
            if (
                worked.country == country
                and worked.invested == empire.turn - 1
                and worked.kind != "power"
                and not spoilt
            ):
                due[worked.at, worked.kind] += 5 if food else worked.grade
        told = Counter[tuple[str, str]]()
        for fact in stretch.of(OutputAppeared):
            if fact.event.country == country:
                told[fact.event.at, fact.event.kind] += sum(lot.number for lot in fact.event.lots)
        yield Line(f"{country}'s squares give", told, due)


def births(stretch: Stretch) -> Iterator[Line]:
    """III.A: at the start of a turn a coolie is born on every site with a coolie, one a site and turn, unless suppressed."""
    for opened, country in _moving(stretch):
        empire = opened.before
        sites = {city.at for city in empire.cities.values()} | set(empire.sites)
        people = [unit for unit in empire.units.values() if unit.kind in PEOPLE[:3] and not unit.aboard]
        suppressed, band = empire.countries[country].suppressed, empire.countries[country].confidence
        here = {unit.at for unit in people if unit.country == country}
        others = {unit.at for unit in people if unit.country != country}
        free = {at for at in sites & here if at not in suppressed and empire.born.get(at) != empire.turn and band > 0}
        born = [fact.event.at for fact in stretch.of(CooliesBorn) if fact.event.country == country]
        yield Line(f"{country}'s births, one a site", len(born), len(set(born)))
        if empire.turn > 1:
            yield Line(f"{country}'s births are lawful", set(born) - free, set())
            yield Line(f"{country}'s births are complete", free - others - set(born), set())


def feeding(stretch: Stretch) -> Iterator[Line]:
    """II.F: each coolie has one unit of food consumed for it every turn or dies at once; on turn 1 all are fed."""
    for opened, country in _moving(stretch):
        eaten = [fact for fact in stretch.of(FoodEaten) if fact.event.country == country]
        food = sum(lot.number for fact in eaten for lot in fact.event.lots)
        yield Line("a food a mouth", sum(fact.event.mouths for fact in eaten), food)
        born = sum(fact.event.country == country for fact in stretch.of(CooliesBorn))
        starved = sum(_starved(fact.event, country) for fact in stretch.of(PersonDied))
        mouths = len(_mine(opened.before, country, PEOPLE)) + born
        yield Line(f"{country} eats or starves", food + starved, mouths if opened.before.turn > 1 else 0)


def _starved(event: PersonDied, country: str) -> bool:
    return event.country == country and event.by_rule in ("emp.F1", "emp.F2") and event.why != "no pay"


def supply(stretch: Stretch) -> Iterator[Line]:
    """II.F: food within 12 BTA of who eats it; nobody starves whose country has food left that nothing can cut off, as what lies
    in his own square."""
    for fact in stretch.of(FoodEaten):
        empire, country = fact.before, fact.event.country
        ground, people = ground_of(empire), {unit.at for unit in _mine(empire, country, PEOPLE)}
        for at in {lot.at for lot in fact.event.lots}:
            near = at in people or bool(ground.reach(at, LAND_RATES["coolie"], sail=True).keys() & people)
            yield Line(f"somebody eats within 12 BTA of {at}", near, True)
        for lot in fact.event.lots:
            yield Line("his own food", (lot.what, lot.country), ("food", country))
    for death in stretch.of(PersonDied):
        if _starved(death.event, death.event.country):
            yield Line("food was at hand", _at_hand(death), set())
            yield Line("he stood on food", _under_him(death), 0)


def _under_him(fact: Fact[PersonDied]) -> int:
    """What food of his own country is left in his square, if it has not said that nobody eats it: no enemy keeps it."""
    empire, country, at = fact.before, fact.event.country, fact.event.at
    spared = at in empire.countries[country].feeding.spared
    return (
        0
        if spared
        else sum(lot.number for lot in empire.lots if (lot.what, lot.country, lot.at) == ("food", country, at))
    )


def _at_hand(fact: Fact[PersonDied]) -> set[str]:
    """Where his country's food is left, by land within 12 BTA, with nobody else about and no word on who eats from where."""
    empire, country, ground = fact.before, fact.before.countries[fact.event.country], ground_of(fact.before)
    if country.feeding.stores or country.feeding.spared:
        return set()
    others = {unit.at for unit in empire.units.values() if unit.country != country.name}
    left = {lot.at for lot in empire.lots if (lot.what, lot.country, lot.aboard) == ("food", country.name, 0)}
    near = {at: ground.reach(at, LAND_RATES["coolie"]).keys() for at in left}
    return {at for at in left if fact.event.at in near[at] and not others & near[at]}


def investment(stretch: Stretch) -> Iterator[Line]:
    """IV.A: food 1 point, a single resource 2, a double 3, a triple 4; three times that in EDU, once; a farm 1 food for seed."""
    for fact in stretch.of(SquareInvested):
        event, empire = fact.event, fact.before
        (worked,) = [w for w in empire.worked if (w.at, w.kind, w.country) == (event.at, event.kind, event.country)]
        food = event.kind in ("farm", "fish")
        points = 1 if food else 1 + worked.grade
        first = f"{event.at} {event.kind}" not in empire.developed
        yield Line(f"investment in {event.kind}", (event.points, event.edu), (points, 3 * points if first else 0))
        seed = event.kind == "farm" and worked.invested < 0
        yield Line("seed", [(lot.what, lot.number) for lot in event.seed], [("food", 1)] if seed else [])
        grades = [
            resource.grade for resource in empire.board.squares[event.at].resources if resource.kind == event.kind
        ]
        yield at_most("grade", worked.grade, 1 if food else max(grades, default=0))
