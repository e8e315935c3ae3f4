"""Factories that nobody has told to run, what each could make of what lies there and what it lacks; goods to consume."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.table import Table
from referee.games.empire.deeds.debts import forbids
from referee.games.empire.deeds.work.producing import CONSUMABLE, produce
from referee.games.empire.events import evolve
from referee.games.empire.events.work.producing import RunFellShort
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Run
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import UNCONSUMED
from referee.games.empire.reckoning.work import own_factories
from referee.games.empire.rulebook.plans import FACTORIES, Recipe
from referee.kit.wording import in_a_row


class Idle(msgspec.Struct, frozen=True):
    """A kind of factory that stands idle in a square: runs that it could be told, the best first, or what it lacks."""

    at: Position
    factory: str
    runs: tuple[Run, ...] = ()
    lacks: str = ""


def idle_factories(empire: Empire, country: Country) -> Iterator[Idle]:
    """Every kind of factory in every square that has no order; what is proposed for one is not proposed for another."""
    if forbids(empire, country.name, "factory"):
        return
    planned = empire
    told = {(run.at, run.factory) for run in empire.runs if run.country == country.name}
    standing = own_factories(empire, country.name)
    for at, factory in dict.fromkeys(standing):
        if factory not in FACTORIES or (at, factory) in told:
            continue
        most = FACTORIES[factory].runs * standing.count((at, factory))
        runs = [
            run for recipe in FACTORIES[factory].recipes if (run := _run(planned, country, at, factory, recipe, most))
        ]
        if not runs:
            yield Idle(at, factory, lacks=_missing(planned, country, at, FACTORIES[factory].recipes[0]))
            continue
        why = _why_not(planned, runs[0])
        yield Idle(at, factory, lacks=why) if why else Idle(at, factory, tuple(runs))
        planned = planned if why else replace(planned, runs=(*planned.runs, runs[0]))


def ready_to_consume(empire: Empire, country: Country) -> Iterator[tuple[Position, str, int]]:
    """All that lies ready in a country's cities with a coolie: where, what and how much; "" and the number of a unit."""
    for city in empire.cities.values():
        if city.country != country.name or not any(u.at == city.at for u in empire.units_of(country.name, "coolie")):
            continue
        stock = empire.stock(country.name, city.at)
        for what in CONSUMABLE:
            if stock.get(what):
                yield city.at, what, stock[what]
        for unit in empire.units_of(country.name):
            if (unit.at, unit.status) == (city.at, UNCONSUMED):
                yield city.at, "", unit.number


def _run(empire: Empire, country: Country, at: Position, factory: str, recipe: Recipe, most: int) -> Run | None:
    """As many batches of a recipe as the goods there and the runs of a turn allow."""
    stock = empire.stock(country.name, at)
    for run in empire.runs:
        if (run.at, run.country) == (at, country.name):
            stock = _left(stock, run)
    batches = min(most // recipe.runs, *(stock.get(what, 0) // number for what, number in recipe.takes.items()))
    product = next(iter(recipe.makes))
    return Run(country.name, at, factory, product, batches * recipe.makes[product]) if batches > 0 else None


def _left(stock: dict[str, int], run: Run) -> dict[str, int]:
    """What a run that is planned leaves of the goods of its square."""
    recipe = next(recipe for recipe in FACTORIES[run.factory].recipes if run.product in recipe.makes)
    batches = run.number // recipe.makes[run.product]
    return {what: number - batches * recipe.takes.get(what, 0) for what, number in stock.items()}


def _missing(empire: Empire, country: Country, at: Position, recipe: Recipe) -> str:
    stock = empire.stock(country.name, at)
    short = [f"{n - stock.get(what, 0)} {what}" for what, n in recipe.takes.items() if stock.get(what, 0) < n]
    return f"lacks {in_a_row(short) or 'what other factories take'} for {next(iter(recipe.makes))}"


def _why_not(empire: Empire, run: Run) -> str:
    """Why a run would fall short at the end of the turn as things stand: no hand, no power; empty when it would not."""
    table: Table[Empire] = Table("rehearsal", replace(empire, runs=(*empire.runs, run)), Keyed(b"rehearsal", 0), evolve)
    heard: list[Event] = []
    table.heard = heard.append
    produce(table, run.country)
    ours = (run.at, run.factory, run.product)
    short = [e.why for e in heard if isinstance(e, RunFellShort) and (e.at, e.factory, e.product) == ours]
    return f"cannot run: {short[0]}" if short else ""
