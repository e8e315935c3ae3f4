"""What a steady player of Empire orders in his slot, and why; the order sheet of a letter is that turn.

A square gives EDU once (emp.board.investment) and weighs for ever after (emp.H-14): who only opens squares goes down. Squares are
worth what their goods become, so works that make consumer goods come first, then the squares that feed them; what heaps up is
given up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.estate import Estate
from referee.games.empire.bots.strategies import BREWERY, Workshop, cart, haul
from referee.games.empire.deeds.moving import how_many
from referee.games.empire.deeds.works import CONSUMABLE, edu_of_good
from referee.games.empire.events.supply import PersonDied
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.building import Build
from referee.games.empire.orders.industry import Consume, Produce
from referee.games.empire.orders.lasting import AllowBirths, SuppressBirths
from referee.games.empire.orders.loading import Load, Unload
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.opening import PlaceCapital, TakePicks
from referee.games.empire.orders.working import Abandon, Develop, Found
from referee.games.empire.position.board import FOODS, Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.conditions import default_capital, may_settle
from referee.games.empire.reckoning.ownership import confidence
from referee.games.empire.reckoning.work import STATION
from referee.games.empire.rulebook.figures import CITY_POINTS, FOOD_YIELD
from referee.games.empire.rulebook.kinds import word_for
from referee.games.empire.rulebook.plans import FACTORIES, STATION_POWER
from referee.games.empire.telling.forecast import Forecast, forecast
from referee.games.empire.telling.outlook import Outlook


class Habits(msgspec.Struct, frozen=True):
    """What a steady player can do more or less of."""

    works: tuple[str, ...] = (
        "power station",
        BREWERY,
        "motor works",
        "steel mill",
        "building materials factory",
        "cargo shipyard",
        BREWERY,
    )
    begun: int = 2
    """So many of them are begun on the first turn, and one more in each later one."""
    used: tuple[str, ...] = ("C", "Fe", "O", "Rr")
    """What these works use; squares of anything else are left as soon as they have given their EDU."""
    first: int = 5
    opened: int = 2
    """Squares opened on the first turn, and in each later one."""
    colonies: tuple[int, ...] = (2, 2, 3, 3)
    """The turns in which colonies are founded, one more in each third turn after them."""
    food: int = 6
    """Food a turn that is grown beyond what is eaten, and as much more for each distillery."""
    hands: int = 6
    """Births are allowed while fewer than so many coolies at home have nothing to do."""
    spared: int = 2
    """Food that births leave uneaten."""
    coal: int = 1
    """Coal that is not made into steel: stations burn it."""


STEADY = Habits()

_TRIES = 8
"""So often what would be refused, or would kill somebody, is left out: an order may hang on another."""


def steady(empire: Empire, seat: Seat, habits: Habits = STEADY) -> tuple[Reasoned, ...]:
    """The sheet of a seat's open slot; before the play the free starts, best first."""
    if empire.stage != "play":
        free = tuple(at for at in empire.board.starts if may_settle(empire, at))
        capital = PlaceCapital(free or (default_capital(empire),), f"{seat} City")
        return (Reasoned(capital, "Fields and resources lie around these."),)
    if empire.active != seat or empire.ended:
        return ()
    end = Reasoned(RollOut(), "Your slot ends, and confidence is rolled.")
    sheet = tuple(line for country in empire.owned(seat) for line in _planned(empire, country.name, habits))
    called = set[int]()
    for _ in range(_TRIES):
        seen = forecast(empire, seat, [line.order for line in sheet])
        refused, dead = [trouble.intent for trouble in seen.refused], dying(seen)
        kept = tuple(line for line in sheet if line.order not in refused and not dead.keys() & set(_named(line.order)))
        born = {at for number, at in dead.items() if number not in seen.before.units}
        closed = {line.order.city for line in kept if isinstance(line.order, SuppressBirths)}
        barren = [city.name for city in empire.cities.values() if city.at in born and city.name not in closed]
        kept = (
            *(line for line in kept if not (isinstance(line.order, AllowBirths) and line.order.city in barren)),
            *(Reasoned(SuppressBirths(city), "Who is born there would starve.") for city in barren),
        )
        afar = _called(empire, kept, dead.keys() - called)
        called |= dead.keys()
        kept = (*afar, *kept)
        if kept == sheet:
            break
        sheet = kept
    return (*_thrifty(empire, seen, sheet), end)


def _called(empire: Empire, sheet: Sequence[Reasoned], dying: Collection[int]) -> Iterator[Reasoned]:
    """Who has nothing to do where he would starve comes home."""
    homes = {city.country: city.at for city in empire.cities.values() if city.capital}
    idle = set(dying) - {number for line in sheet for number in _named(line.order)}
    for number in sorted(idle):
        unit = empire.units.get(number)
        if unit is not None and unit.kind == "coolie" and unit.at != homes.get(unit.country, unit.at):
            yield Reasoned(MoveUnits((number,), homes[unit.country]), "Who has nothing to eat there comes home.")


def _thrifty(empire: Empire, seen: Forecast, sheet: Sequence[Reasoned]) -> Iterator[Reasoned]:
    """Of consumer goods no more are consumed than lift confidence as far as a budget can; the others do so in later turns."""
    spare = {outlook.country: _spare(empire, outlook) for outlook in seen.outlooks}
    for line in sheet:
        order = line.order
        if isinstance(order, Consume) and order.units and empire.turn < int(empire.options["last_turn"]):
            country, kept = empire.units[order.units[0]].country, list(order.units)
            while kept and spare.get(country, 0) >= (edu := edu_of_good(empire, empire.units[kept[-1]].kind)):
                spare[country] -= edu
                kept.pop()
            if not (kept or order.goods):
                continue
            line = Reasoned(replace(order, units=tuple(kept)), line.why)
        yield line


def _spare(empire: Empire, outlook: Outlook) -> int:
    """EDU beyond what moves confidence most."""
    house, budget = confidence(empire), outlook.budget
    step = house.scale + Fraction(budget.fund, QUARTERS * house.fund)
    return int((budget.balance(outlook.share) - (house.black - 1) * step) * Fraction(4, 5)) - 2


def dying(seen: Forecast) -> dict[int, Position]:
    """Who would die at the end of the turn or at the beginning of the next, and where."""
    return {event.number: event.at for event in (*seen.end, *seen.starts) if isinstance(event, PersonDied)}


def _named(order: Intent) -> tuple[int, ...]:
    """Whom an order sends somewhere or sets to work: who would die of it stays."""
    return (*getattr(order, "units", ()), *(getattr(order, name, 0) for name in ("unit", "carrier")))


# ---------------------------------------------------------------- a country


def _planned(empire: Empire, country: str, habits: Habits) -> Iterator[Reasoned]:
    if any(city.country == country for city in empire.cities.values()):
        estate = Estate(empire, country)
        _plan(estate, habits)
        yield from map(Reasoned, estate.sheet, _reasons(empire, estate.sheet))


def _plan(estate: Estate, habits: Habits) -> None:
    empire, shop, turn = estate.empire, Workshop(estate), estate.turn
    if turn <= 2 and not empire.picks.get(estate.country) and empire.countries[estate.country].origin == "starting":
        estate.sheet.append(TakePicks(("truck",) * how_many(empire)))
    estate.consume()
    estate.prune(habits.used)
    haul(estate)
    cart(estate)
    late = turn > max(habits.colonies, default=0) and turn % 3 == 0
    founded = habits.colonies.count(turn) + late
    food = habits.food * (1 + estate.coming(BREWERY)) + founded
    estate.feed(food if turn > 1 else 0, estate.hands < habits.hands, habits.spared)
    for _ in range(founded):
        estate.colony()
    estate.build(*estate.lacking(*habits.works[: habits.begun + turn - 1]))
    shop.goods()
    shop.steel(keep=habits.coal)
    shop.machines()
    estate.open_up(habits.opened if turn > 1 else habits.first, estate.scarce(*habits.used))


# ---------------------------------------------------------------- reasons


def _reasons(empire: Empire, sheet: Sequence[Intent]) -> Iterator[str]:
    """Of each order why; who goes somewhere goes for what he does next."""
    for at, order in enumerate(sheet):
        own = set(_named(order)) - {0}
        later = [then for then in sheet[at + 1 :] if own & set(_named(then))] if isinstance(order, _GOINGS) else []
        yield _why(empire, next((then for then in later if not isinstance(then, _GOINGS)), order))


_GOINGS = (Load, MoveUnits)


def _why(empire: Empire, order: Intent) -> str:
    match order:
        case TakePicks():
            return "A truck brings home what lies in squares."
        case Consume():
            return "Consumer goods give EDU: fund and confidence."
        case Abandon():
            return f"More {word_for(order.kind)} is of no use, and the square weighs on."
        case Unload():
            return "Goods come home, where works use them."
        case Found():
            return f"A city is {CITY_POINTS} points, and a coolie a turn where fed."
        case Develop(kind=kind) if kind in FOODS:
            return f"A field gives {FOOD_YIELD} food a turn."
        case Develop():
            return f"A new square gives EDU once, {word_for(order.kind)} each turn."
        case AllowBirths():
            return "There is food for more, and work."
        case SuppressBirths():
            return "More mouths would only eat."
        case Build(what=what) if what == STATION:
            return f"A station gives {STATION_POWER} power; factories need it."
        case Build(what=what):
            made = [product for recipe in FACTORIES[what].recipes for product in recipe.makes]
            goods = (
                "consumer goods: EDU" if set(made).intersection(CONSUMABLE) else f"{word_for(made[0])} for other works"
            )
            return f"It makes {goods}."
        case Produce():
            edu = order.number * edu_of_good(empire, order.product) if order.product in CONSUMABLE else 0
            return f"Consumed they give {edu} EDU." if edu else f"Works use {word_for(order.product)}."
    return "He who has nothing more to do there goes home or back."
