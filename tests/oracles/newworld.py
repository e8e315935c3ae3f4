"""Oracles of New World, from the rulebook's paragraphs (and the numbered rulings where it is silent)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.core.event import Rolled
from referee.games.newworld.events import (
    ArmiesMoved,
    ArmiesRaised,
    ColonyClaimed,
    ColonyRevolted,
    EventCame,
    FleetsBuilt,
    GoldRobbed,
    PowerEliminated,
    ResourcesBought,
    ResourcesGained,
    ResourcesLost,
    ResourcesProduced,
    TechnologyAdvanced,
    TerritoriesSettled,
    TradeDone,
    UnitsLost,
    WorkersHired,
)
from tests.oracles.audit import Line, Oracle, Stretch, at_most
from tests.oracles.newworld_cards import COLONIES, decks, exploration, research, some
from tests.oracles.newworld_war import attack_dice, attacks, elimination, ending, losses, prize

TERRAINS = {
    "Grain": "food", "Wool": "cloth", "Cattle": "food", "Ore": "metal", "Forest": "wood", "Herds": "horses",
    "Fish": "food", "Grapes": "gold", "Coal": "", "Stone": "gold",
}  # fmt: skip
"""European Terrain Types in the order of the die, each with what one gives in the Production Phase."""

ARTS = {
    "Farming": "food", "Fishing": "food", "Livestock": "food", "Forestry": "wood", "Mining": "metal",
    "Textiles": "cloth", "Finance": "gold", "Industry": "gold", "Equestrian": "horses",
}  # fmt: skip
"""Production Phase: what a level of a technology gives."""

PRICES = {
    WorkersHired: {"food": 2, "cloth": 1},
    FleetsBuilt: {"workers": 1, "metal": 1, "cloth": 2, "wood": 4},
    ArmiesRaised: {"workers": 1, "cloth": 1, "metal": 2, "horses": 2},
}
"""Worker, Ship Building and Raise Armies Phases."""

FORTUNES = (
    "Piracy", "Privateers", "Prosperity", "Storms", "Disease", "Famine", "Pestilence", "Discovery", "Invention",
    "Revolution",
)  # fmt: skip


def _units(power: Any) -> int:
    return int(power.fleets + sum(power.armies.values()))


def set_up(stretch: Stretch) -> Iterator[Line]:
    """Set-up: 2 Fleets, 3 Armies in Europe, 10 Gold, 10 Food, level 1 in five technologies, and the countries' bonuses."""
    nations = stretch.options["nationalities"] == "yes"
    for fact in stretch.of(TerritoriesSettled):
        power, name = fact.after.powers[fact.event.seat], str(fact.event.seat) if nations else ""
        rolled = next(stretch.back(fact.place)).event
        gold = 10 + {"Spain": 5, "Portugal": 10}.get(name, 0)
        yield Line(f"{name} stock", some(power.stock), {"food": 10, "gold": gold})
        yield Line(
            f"{name} units",
            (power.fleets, some(power.armies)),
            (4 if name == "Holland" else 2, {"Europe": 4 if name == "France" else 3}),
        )
        yield Line(f"{name} levels", some(power.levels), _first_levels(name))
        yield Line(f"{name} territories", fact.event.given, ("Grain", "Wool", "Ore", "Forest"))
        yield Line(f"{name} dice", len(rolled.faces), 4 if name in ("Holland", "Portugal") else 6)
        yield Line(f"{name} terrain", fact.event.rolled, tuple(_terrain(face, name) for face in rolled.faces))


def _first_levels(name: str) -> dict[str, int]:
    own = {
        "England": ("Industry", "Sea Power"), "Spain": ("Exploration",), "France": ("Infantry",),
        "Holland": ("Transportation", "Textiles"), "Portugal": ("Fishing", "Finance"),
    }.get(name, ())  # fmt: skip
    return some(Counter(["Exploration", "Transportation", "Science", "Humanities", "Equestrian", *own]))


def _terrain(face: int, name: str) -> str:
    rolled = tuple(TERRAINS)[face - 1]
    return "Wool" if name == "England" and rolled == "Grapes" else rolled


def production(stretch: Stretch) -> Iterator[Line]:
    """Production Phase: each territory and each level gives its resource, colonies what the card says; none in revolt."""
    for fact in stretch.of(ResourcesProduced):
        due = Counter[str]()
        for territory in fact.before.territories:
            if territory.owner == fact.event.seat and territory.rebels is None:
                due.update(_yield(territory, stretch.options["coal"]))
        levels = fact.before.powers[fact.event.seat].levels
        due.update({good: 0 for good in ARTS.values()})
        for art, good in ARTS.items():
            due[good] += levels[art]
        yield Line(f"{fact.event.seat} produces", some(fact.event.gains), some(due))
        listed = sum((Counter(source.gives) for source in fact.event.yields), Counter[str]())
        yield Line(f"{fact.event.seat}'s sources", some(listed), some(due))


def _yield(territory: Any, coal: str) -> dict[str, int]:
    if territory.home is None:
        _, good, number = COLONIES[territory.region][territory.good]
        return {good: number}
    good = TERRAINS[territory.good] or coal
    return {} if good == "nothing" else {good: 1}


def upkeep(stretch: Stretch) -> Iterator[Line]:
    """Upkeep Phase: no more Workers than Food, no more Fleets and Armies than Food or Gold; exactly the excess goes."""
    for fact in stretch.of(ResourcesProduced):
        power = fact.before.powers[fact.event.seat]
        yield at_most("workers after upkeep", power.stock["workers"], power.stock["food"])
        yield at_most("units after upkeep", _units(power), min(power.stock["food"], power.stock["gold"]))
    for lost in stretch.of(ResourcesLost):
        if lost.event.by_rule == "nw.upkeep.workers":
            stock = lost.before.powers[lost.event.seat].stock
            yield Line("workers unfed", lost.event.amount, stock["workers"] - stock["food"])
    for gone in stretch.of(UnitsLost):
        if gone.event.by_rule == "nw.upkeep.units":
            power = gone.before.powers[gone.event.seat]
            excess = _units(power) - min(power.stock["food"], power.stock["gold"])
            yield Line("units in excess", gone.event.fleets + sum(gone.event.armies.values()), excess)


def fortune(stretch: Stretch) -> Iterator[Line]:
    """Event Phase: on 4 or more a ten-sided die finds the event, a die how much; ruling 2: never more than there is."""
    for fact in stretch.of(EventCame):
        thrown = [past.event for past in stretch.back(fact.place) if isinstance(past.event, Rolled)][::-1]
        check = thrown[0].faces[0]
        yield Line("event", fact.event.name, FORTUNES[thrown[1].faces[0] - 1] if check >= 4 else "")
        yield Line("dice for the event", len(thrown), 2 if check >= 4 else 1)
        after = list(stretch.since(fact.place, ResourcesProduced))
        faces = [found.event.faces[0] for found in after if isinstance(found.event, Rolled)] or [0]
        for found in after:
            yield from _toll(fact.event, found, faces)


def _toll(came: EventCame, found: Any, faces: list[int]) -> Iterator[Line]:
    event, power = found.event, found.before.powers[came.seat]
    match event:
        case ResourcesLost(by_rule=rule) if not rule.startswith("nw.upkeep"):
            good = {"Piracy": "gold", "Famine": "food", "Pestilence": "workers"}[came.name]
            wanted = 1 if came.name == "Pestilence" else faces[0]
            yield Line(came.name, (event.resource, event.amount), (good, min(wanted, power.stock[good])))
        case ResourcesGained():
            yield Line(came.name, (came.name, event.resource, event.amount), ("Prosperity", "gold", faces[0]))
        case GoldRobbed():
            gold = found.before.powers[event.victim].stock["gold"]
            yield Line(came.name, (event.amount, event.victim != came.seat), (min(faces[0], gold), True))
        case UnitsLost(by_rule=rule) if rule in ("nw.event.storms", "nw.event.disease"):
            lost = (event.fleets, sum(event.armies.values()))
            due = (min(1, power.fleets), 0) if came.name == "Storms" else (0, min(1, sum(power.armies.values())))
            yield Line(came.name, lost, due)
        case ColonyRevolted():
            yield Line("rebels", event.rebels, faces[-1])
            (colony,) = [t for t in found.before.territories if t.number == event.number]
            yield Line("revolt", (colony.owner, colony.home), (came.seat, None))


def prices(stretch: Stretch) -> Iterator[Line]:
    """Worker, Ship Building, Raise Armies Phases: each has its price, and nobody spends what he has not."""
    for kind, price in PRICES.items():
        for fact in stretch.any_of(kind):
            yield Line(
                kind.__name__, some(fact.event.paid), some({good: n * fact.event.amount for good, n in price.items()})
            )
            stock = fact.before.powers[fact.event.seat].stock
            for good, number in fact.event.paid.items():
                yield at_most(f"{good} paid", number, stock[good])


def bank(stretch: Stretch) -> Iterator[Line]:
    """Trade Phase: the bank sells a unit of five resources, and no other, for 5 Gold."""
    for fact in stretch.of(ResourcesBought):
        yield Line("the bank's price", fact.event.gold, 5 * fact.event.amount)
        yield Line("the bank sells", fact.event.resource in ("food", "cloth", "wood", "metal", "horses"), True)
        yield at_most("gold paid", fact.event.gold, fact.before.powers[fact.event.seat].stock["gold"])


def trade(stretch: Stretch) -> Iterator[Line]:
    """Trade Phase, ruling 12: what was offered and accepted changes hands, no more than either party has."""
    for fact in stretch.of(TradeDone):
        (offer,) = [offer for offer in fact.before.offers if offer.number == fact.event.number]
        told = (fact.event.maker, fact.event.to, some(fact.event.gives), some(fact.event.asks))
        yield Line("the deal", told, (offer.maker, offer.to, some(offer.gives), some(offer.asks)))
        yield Line("it was accepted, or a gift", offer.accepted or not some(offer.asks), True)
        for seat, goods in ((fact.event.maker, fact.event.gives), (fact.event.to, fact.event.asks)):
            for good, number in goods.items():
                yield at_most(f"{seat}'s {good}", number, fact.before.powers[seat].stock[good])


def transport(stretch: Stretch) -> Iterator[Line]:
    """Transport Phase: no more Armies than the level of Transportation or the Fleets; ruling 20: an Army moves once."""
    moves = list(stretch.of(ArmiesMoved))
    if not moves:
        return
    power = moves[0].before.powers[moves[0].event.seat]
    limit = min(power.levels["Transportation"], power.fleets)
    yield at_most("armies moved", sum(fact.event.amount for fact in moves), limit)
    for region in {fact.event.origin for fact in moves}:
        left = sum(fact.event.amount for fact in moves if fact.event.origin == region)
        yield at_most(f"armies from {region}", left, power.armies[region])


def books(stretch: Stretch) -> Iterator[Line]:
    """The pages of stats: what everybody has after a turn is what he had and what the record says he gained and spent."""
    stock = {seat: Counter(power.stock) for seat, power in stretch.before.powers.items()}
    units = {seat: _units(power) for seat, power in stretch.before.powers.items()}
    for fact in stretch.facts:
        _book(stock, units, fact.event)
    for seat, power in stretch.after.powers.items():
        yield Line(f"{seat} has", dict(power.stock), {good: stock[seat][good] for good in power.stock})
        yield Line(f"{seat} has units", _units(power), units[seat])
        yield Line(f"{seat} owes nothing", min(power.stock.values()) >= 0, True)


def _book(stock: dict[Any, Counter[str]], units: dict[Any, int], event: Any) -> None:
    match event:
        case TerritoriesSettled():
            assert event.start
            stock[event.seat].update(event.start.resources)
            units[event.seat] += event.start.fleets + event.start.armies
        case ResourcesProduced():
            stock[event.seat].update(event.gains)
        case ResourcesBought():
            stock[event.seat].update({event.resource: event.amount})
            stock[event.seat].subtract({"gold": event.gold})
        case WorkersHired():
            stock[event.seat].update({"workers": event.amount})
            stock[event.seat].subtract(event.paid)
        case FleetsBuilt() | ArmiesRaised():
            stock[event.seat].subtract(event.paid)
            units[event.seat] += event.amount
        case TechnologyAdvanced():
            stock[event.seat].subtract({"gold": event.gold})
        case ColonyClaimed():
            stock[event.seat].subtract(event.paid)
        case _:
            _book_fortune(stock, units, event)


def _book_fortune(stock: dict[Any, Counter[str]], units: dict[Any, int], event: Any) -> None:
    match event:
        case ResourcesLost():
            stock[event.seat].subtract({event.resource: event.amount})
        case ResourcesGained():
            stock[event.seat].update({event.resource: event.amount})
        case GoldRobbed():
            stock[event.seat].update({"gold": event.amount})
            stock[event.victim].subtract({"gold": event.amount})
        case TradeDone():
            stock[event.maker].update(event.asks)
            stock[event.maker].subtract(event.gives)
            stock[event.to].update(event.gives)
            stock[event.to].subtract(event.asks)
        case UnitsLost():
            units[event.seat] -= event.fleets + sum(event.armies.values())
        case PowerEliminated():
            stock[event.seat].clear()
            units[event.seat] = 0


NEWWORLD: tuple[Oracle, ...] = (
    set_up, production, upkeep, fortune, prices, bank, trade, research, exploration, decks, transport, books,
    attack_dice, attacks, losses, prize, elimination, ending,
)  # fmt: skip
"""Every oracle of New World."""
