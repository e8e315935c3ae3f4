"""The beginning of a country's turn: yields of its squares, births, food and water (emp.C3, emp.F1, emp.F2, deserts)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.table import Table
from referee.games.empire.deeds import building, works
from referee.games.empire.deeds.debts_and_petitions import death, forbids
from referee.games.empire.events.supply import CooliesBorn, FoodEaten, ThirstNoted
from referee.games.empire.position import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.reckoning.ownership import flies, root_of
from referee.games.empire.reckoning.supply import Tracing, besieged, eaters, lots_at, shared_out, supply_of, taken
from referee.games.empire.reckoning.work import owner_of

_BREEDERS = ("coolie", "government coolie", "ambassador coolie")


def begin_turn(table: Table[Empire], country: str) -> None:
    """Steps 2 and 3 of a turn (emp.H-01): outputs and salvage appear; births; food; water."""
    building.outputs_appear(table, country)
    works.salvage_appears(table, country)
    if table.state.turn > 1:
        births(table, country)
        feed(table, country)
        water(table, country)


# ---------------------------------------------------------------- births


def sites_of(empire: Empire, country: str) -> tuple[Position, ...]:
    """Reproductive sites where a country has a coolie, government or ambassador, not in the air above: cities, and
    places where one stood.

    A person in one of two cities on sub-squares that were joined occupies both (III A).
    """
    breeders = empire.units_of(country, *_BREEDERS)
    here = {unit.at: True for unit in breeders if not flies(root_of(empire, unit))}
    places = dict.fromkeys([*(city.at for city in empire.cities.values()), *empire.sites])
    ways = ways_of(empire)
    return tuple(at for at in places if any(part in here for part in ways.one_square(at)))


def births(table: Table[Empire], country: str) -> None:
    """One coolie on every site, if nobody bred there this turn, unless suppressed (emp.C3) or in collapse (emp.H-16)."""
    if forbids(table.state, country, "births"):
        return
    for at in sites_of(table.state, country):
        empire = table.state
        if empire.born.get(at) != empire.turn and at not in empire.countries[country].suppressed:
            table.emit(CooliesBorn(country, at, empire.next_unit))


# ---------------------------------------------------------------- food


_Place = tuple[Position, bool]
"""Where somebody eats, and whether he is besieged there."""


def _shared(empire: Empire, country: str, mouths: tuple[Unit, ...]) -> tuple[tuple[Unit, ...], dict[Position, int]]:
    """The persons who go hungry, and the food of each square that the others eat."""
    tracing, wishes = supply_of(empire, country), empire.countries[country].feeding
    stock = {at: number for at, number in _food(empire, country).items() if at not in wishes.spared}
    places = [(unit.at, besieged(tracing.cut, unit)) for unit in mouths]
    fed, used = shared_out(places, stock, _near(tracing, stock, places), wishes.stores)
    return tuple(unit for unit, eats in zip(mouths, fed, strict=True) if not eats), used


def _food(empire: Empire, country: str) -> dict[Position, int]:
    stock: dict[Position, int] = {}
    for lot in empire.lots:
        if lot.country == country and lot.what == "food":
            stock[lot.at] = stock.get(lot.at, 0) + lot.number
    return stock


def _near(
    tracing: Tracing, stock: Mapping[Position, int], places: Iterable[_Place]
) -> dict[_Place, tuple[Position, ...]]:
    """For everybody who eats, the stores that feed him, the nearest first: for the besieged those of their own square."""
    found: dict[_Place, list[tuple[int, Position]]] = {place: [] for place in places}
    for store in stock:
        own = tracing.square(store)
        for at, cost in tracing.reached(store).items():
            for besieged_there in (False, True) if at in own else (False,):
                if (at, besieged_there) in found:
                    found[at, besieged_there].append((cost, store))
    return {place: tuple(store for _, store in sorted(stores)) for place, stores in found.items()}


def hungry(empire: Empire, country: str) -> tuple[Unit, ...]:
    """The persons who would starve if food were handed out now: for warnings and previews."""
    return _shared(empire, country, eaters(empire, country))[0]


def feed(table: Table[Empire], country: str) -> None:
    """Every mouth eats one food that lies within 12 BTA, or dies at once (emp.F1)."""
    mouths = eaters(table.state, country)
    starved, used = _shared(table.state, country, mouths)
    lots = tuple(
        part for at, number in used.items() for part in taken(lots_at(table.state, country, at, "food"), number)
    )
    if lots:
        table.emit(FoodEaten(country, len(mouths) - len(starved), lots))
    for unit in starved:
        table.emit(death(table.state, unit, *_of_hunger(table.state, unit)))


def _of_hunger(empire: Empire, unit: Unit) -> tuple[str, str]:
    """Why somebody starves, and by which rule: food of others beside him feeds its own country only (emp.F2)."""
    food = [lot for lot in empire.lots if lot.what == "food"]
    beside = next((lot.country for lot in food if lot.at == unit.at and empire.friendly(lot.country, unit.country)), "")
    if beside not in ("", unit.country):
        return f"of hunger: the food there is {beside}'s and feeds its own country only", "emp.F2"
    cut_off = any(lot.country == unit.country for lot in food)
    return ("of hunger, cut off from food", "emp.F2") if cut_off else ("of hunger", "emp.F1")


# ---------------------------------------------------------------- water


def water(table: Table[Empire], country: str) -> None:
    """Persons in a desert need water every two turns: lake, river or distillery within four squares."""
    empire = table.state
    dry = _thirst(empire, country)
    if dry or any(number in empire.dry for number in [unit.number for unit in empire.units_of(country)]):
        table.emit(ThirstNoted(country, tuple(dry.items())))
    for number, turns in dry.items():
        if turns >= 2:
            table.emit(death(table.state, table.state.units[number], "of thirst", "emp.terrain.desert"))


def _thirst(empire: Empire, country: str) -> dict[int, int]:
    """How many turns in a row each person in the desert has had no water, this one counted."""
    deserts = [u for u in eaters(empire, country) if empire.board.squares[u.at].terrain == "desert"]
    if not deserts:
        return {}
    tracing, springs = supply_of(empire, country), _springs(empire, country)
    wet = {at: tracing.watered(at, springs) for at in dict.fromkeys(unit.at for unit in deserts)}
    return {unit.number: empire.dry.get(unit.number, 0) + 1 for unit in deserts if not wet[unit.at]}


def _springs(empire: Empire, country: str) -> dict[Position, bool]:
    """Squares where a friend's distillery has given fresh water since the turn before (deeds/works.py)."""
    running = [at for at, turn in empire.watering.items() if turn >= empire.turn - 1]
    return {at: True for at in running if empire.friendly(owner_of(empire, at) or country, country)}
