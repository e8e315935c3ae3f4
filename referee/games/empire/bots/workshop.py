"""Factories at home as a ruler runs them: so many batches as hands, power and goods allow, the dearest goods first."""

from __future__ import annotations

from fractions import Fraction

from referee.games.empire.bots.estate import Estate
from referee.games.empire.orders.work.industry import Produce
from referee.games.empire.reckoning.work.power import FUELS, STATION
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.recipes import FACTORIES, STATION_POWER, Recipe, basic_units, recipe_for

_SPARED = 2
"""Food that is not made into beer though nobody seems to need it: not all food reaches all mouths."""

BREWERY = "beer distillery"

GOODS_WORKS = ("motor works", "cargo shipyard", "air works", BREWERY)
"""Factories that make consumer goods."""


class Workshop:
    """The factories of the capital this turn: runs left of each kind, power left of the stations already started."""

    def __init__(self, estate: Estate) -> None:
        self._estate = estate
        self._runs: dict[str, int] = {}
        self._started: dict[str, int] = {}
        self._power = self._stations = 0
        band = estate.empire.countries[estate.country].band
        kinds = [factory.kind for factory in estate.city.factories]
        total = sum(kind in FACTORIES for kind in kinds)
        self._may = 0 if band == "collapse" else (total + 1) // 2 if band == "crisis" else total

    def run(self, factory: str, product: str, most: int) -> int:
        """Run a kind of factory for up to so many batches of a product; how many were ordered."""
        recipe = recipe_for(factory, product)
        assert recipe is not None  # plans name what the factory makes
        done = 0
        while done < most and self._batch(factory, recipe):
            done += 1
        if done:
            number = done * recipe.makes[product]
            self._estate.sheet.append(Produce(self._estate.city.name, factory, product, number))
        return done

    def _batch(self, factory: str, recipe: Recipe) -> bool:
        """Whether one batch more can be made; what it takes is taken."""
        if not self._estate.has(recipe.takes):
            return False
        while self._runs.get(factory, 0) < recipe.runs:
            if not self._start(factory):
                return False
        if not self._estate.has(recipe.takes):
            return False  # the station burns what the batch would have taken
        self._runs[factory] -= recipe.runs
        self._estate.take(recipe.takes)
        return True

    def _start(self, factory: str) -> bool:
        """Set one more factory of a kind to work: a hand, a power, and leave of the band (emp.H-16, emp.H-19)."""
        estate = self._estate
        if self._started.get(factory, 0) >= estate.factories(factory) or not self._may:
            return False
        if estate.hands < (1 if self._power else 2) or not (self._power or self._light()):
            return False
        estate.hand()
        self._power, self._may = self._power - 1, self._may - 1
        self._started[factory] = self._started.get(factory, 0) + 1
        self._runs[factory] = self._runs.get(factory, 0) + FACTORIES[factory].runs
        return True

    def _light(self) -> bool:
        """Start a station."""
        fuel = next((fuel for fuel in FUELS if self._estate.has({fuel: 1})), "")
        if not fuel or self._stations >= self._estate.factories(STATION):
            return False
        self._estate.hand()
        self._estate.take({fuel: 1})
        self._stations, self._power = self._stations + 1, self._power + STATION_POWER
        return True

    # ------------------------------------------------------------ what is worth making

    def goods(self, most: int = 99) -> None:
        """Consumer goods, at most so many batches in a works, the dearest first (emp.H-22); no beer of needed food."""
        for factory in GOODS_WORKS:
            recipes = [recipe for recipe in FACTORIES[factory].recipes if _consumed(recipe)]
            left = min(most, (self._estate.surplus - _SPARED) // 2) if factory == BREWERY else most
            for recipe in sorted(recipes, key=_worth, reverse=True):
                left -= self.run(factory, next(iter(recipe.makes)), left)

    def steel(self, keep: int = 0) -> None:
        """Steel of all the iron and coal at home but `keep` coal."""
        self.run("steel mill", "St", max(0, self._estate.store.get("C", 0) - keep))

    def machines(self) -> None:
        """Building materials, then a machine of each kind that has run out."""
        estate = self._estate
        self.run("building materials factory", "Bm", 6)
        makers = {"tool and die works": "t&d", "heavy machine works": "hmx", "construction machine factory": "cmx"}
        for factory, what in sorted(makers.items(), key=lambda pair: estate.store.get(pair[1], 0)):
            if not estate.has({what: 1}):
                self.run(factory, what, 1)

    def arms(self) -> None:
        """Small arms of all the steel and chemicals at home."""
        self.run("small arms works", "SAU", 99)


def _consumed(recipe: Recipe) -> bool:
    return all(what == "beer" or (what in KINDS and KINDS[what].consumer) for what in recipe.makes)


def _worth(recipe: Recipe) -> Fraction:
    whole = sum((number * basic_units(what) for what, number in recipe.makes.items()), Fraction(0))
    return whole * Fraction(1, recipe.runs)
