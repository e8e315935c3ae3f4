"""HIRE, BUILD and RAISE in the Worker, Ship Building and Raise Armies Phases: three prices, one way of buying."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from referee.core.choices import most_that
from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.events.economy import ArmiesRaised, FleetsBuilt, WorkersHired
from referee.games.newworld.orders.base import SHEET, Done, Kept, Plan, TurnOrder, held_back, kept
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import EUROPE, TABLES, goods_in_words
from referee.kit.declared import Declared, Words
from referee.kit.fields import Counted, Got, exact
from referee.kit.refused import Refused
from referee.kit.stock import covers, fewer, more, times_covered
from referee.kit.wording import counted


def made_otherwise(noun: str) -> tuple[str, str]:
    """How what is not bought or hired is come by, and the rule."""
    return {
        "fleets": ("Fleets are built.", "nw.ship.price"),
        "armies": ("Armies are raised.", "nw.army.price"),
    }.get(noun, (f"Only workers are hired, not {noun}.", "nw.worker.price"))


class Purchase(TurnOrder, frozen=True):
    """So many of one thing at one price."""

    quantity: Quantity
    keeping: Kept = {}

    noun: ClassVar[str]
    price: ClassVar[Mapping[str, int]]
    bought: ClassVar[Callable[..., OpenEvent]]

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        """HIRE is filled in; fleets and armies stay advice, for they must be kept in food and gold."""
        one = counted(1, cls.noun).capitalize()
        most = most_that(lambda many: cls(exact(many)).lawful(world, seat), _on_hand(world, seat, {}))
        return f"{one} costs {goods_in_words(cls.price)}: you could pay for {most}.", cls.noun == "workers"

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """As many as can be paid of what is not kept."""
        stock = world.powers[seat].stock
        affordable = times_covered(fewer(stock, kept(self.keeping, stock)), self.price)
        wanted = self.quantity.of(affordable)
        amount = min(wanted, affordable)
        if amount > 0:
            yield type(self).bought(
                seat, amount, {resource: number * amount for resource, number in self.price.items()}
            )
        if amount < wanted:
            why = f"one costs {goods_in_words(self.price)}, and that pays for {counted(amount, self.noun)}"
            yield Refused(why, self.words.rule)


def _on_hand(world: World, seat: Seat, got: Got) -> int:
    """As many things as nobody can buy more of."""
    return max(world.powers[seat].stock.values())


def _many(noun: str, *kinds: str) -> Counted:
    return Counted("quantity", noun, (*kinds, "number", "any"), wrong=made_otherwise, rule=SHEET, held=_on_hand)


class HireWorkers(Purchase, frozen=True):
    """nw.worker.price"""

    words = Words("HIRE", "buy Workers", "nw.worker.price", "HIRE 2 workers")
    fields = (_many("workers", "resource", "unit"), held_back(usual="food"))
    says, phase, rare = "Hire {quantity}{keeping}.", "Worker", 0
    noun, price, bought = "workers", TABLES.prices.worker, WorkersHired

    @classmethod
    def proposed(cls, world: World, seat: Seat) -> Iterable[Declared[World]]:
        """One, unless the army that Europe needs could then not be paid any more."""
        if _army_wanted(world, seat) and not covers(_after_hiring(world, seat), TABLES.prices.army):
            return ()
        return super().proposed(world, seat)


class BuildFleets(Purchase, frozen=True):
    """nw.ship.price"""

    words = Words("BUILD", "build Fleets", "nw.ship.price", "BUILD 1 fleet")
    fields = (_many("fleets", "unit"), held_back())
    says, phase = "Build {quantity}{keeping}.", "Ship Building"
    noun, price, bought = "fleets", TABLES.prices.fleet, FleetsBuilt


class RaiseArmies(Purchase, frozen=True):
    """nw.army.price"""

    words = Words("RAISE", "raise Armies in Europe", "nw.army.price", "RAISE 2 armies")
    fields = (_many("armies", "unit"), held_back())
    says, phase = "Raise {quantity} in Europe{keeping}.", "Raise Armies"
    noun, price, bought = "armies", TABLES.prices.army, ArmiesRaised

    @classmethod
    def proposed(cls, world: World, seat: Seat) -> Iterable[Declared[World]]:
        """One where Europe needs it, though a worker must be hired for it first."""
        return (cls(exact(1)),) if _army_wanted(world, seat) else super().proposed(world, seat)

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        """Filled in where the first army that looks across finds Europe open: all there would fall without a die (nw.war.rolls)."""
        if not _army_wanted(world, seat):
            return super().advice(world, seat)
        one = f"{counted(1, cls.noun).capitalize()} costs {goods_in_words(cls.price)}."
        return f"{one} Nobody guards your Europe, and others have armies there.", True


def _army_wanted(world: World, seat: Seat) -> bool:
    """Whether territories in Europe lie open to somebody's army there while one of his own could be paid."""
    power = world.powers[seat]
    return (
        any(covers(stock, TABLES.prices.army) for stock in (power.stock, _after_hiring(world, seat)))
        and not power.armies[EUROPE]
        and any(territory.region == EUROPE and territory.owner == seat for territory in world.territories)
        and any(world.powers[other].armies[EUROPE] for other in world.living if other != seat)
    )


def _after_hiring(world: World, seat: Seat) -> dict[str, int]:
    """What is on hand with one worker more and his price paid; below nothing where it cannot be."""
    return more(fewer(world.powers[seat].stock, TABLES.prices.worker), {HireWorkers.noun: 1})


PURCHASES = (HireWorkers, BuildFleets, RaiseArmies)
