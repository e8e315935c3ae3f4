"""What a steady player of New World orders, and why; the order sheet of a letter is that turn.

An army in a Region takes a territory a turn, without a die, from everybody who has none there (nw.war.automatic), and
Fleets are everywhere and die before the last army (nw.r23): one army and two fleets hold a Region. So armies go where others
have colonies and no army; the rest is a worker for each claim, and research by what it returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.games.newworld.forecast import ahead, forecast, is_over
from referee.games.newworld.orders import BOOK, FIRST_HALF
from referee.games.newworld.orders.army import Aim, AttackRegion, MoveArmies
from referee.games.newworld.orders.colonize import ColonizeCards, Wish
from referee.games.newworld.orders.spending import (
    BuildFleets,
    BuyResources,
    HireWorkers,
    Lot,
    RaiseArmies,
    ResearchTechnologies,
    Wanted,
)
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import (
    COLONIAL_CARDS,
    EUROPE,
    REGIONS,
    TABLES,
    TECHNOLOGIES,
    advance_price,
    goods_in_words,
)
from referee.kit.fields import ANY, exact
from referee.kit.stock import times_covered
from referee.kit.wording import counted


class Habits(msgspec.Struct, frozen=True):
    """What a steady player can do more or less of; numbers a hundredth of a point of Culture where nothing else is said."""

    culture: int = 100
    """A level of Law or of Humanities."""
    claims: int = 45
    """A claim more in a turn, a round."""
    income: int = 9
    """A piece of gold a round."""
    cloth: int = 30
    cards: int = 25
    """A research card more in a turn, a round."""
    least: int = 7
    """The least worth of a piece of gold spent on research."""
    armies: int = 6
    """So many he raises at most."""
    home: int = 1
    """So many stay in Europe."""
    daring: int = 2
    """He attacks who is defended with so many dice for one of theirs."""
    reserve: int = 1
    """Gold and food above what Upkeep asks."""
    muster: int = 45
    """With so much gold after the rest he buys what an army wants."""
    fleets: int = 2


STEADY = Habits()

_LISTED = 6
"""So many technologies stand on a research list: few cards are drawn in a turn."""

_VALUES = {"food": 60, "wood": 15, "metal": 30, "gold": 100, "horses": 30}
"""What a resource is worth, in hundredths of a piece of gold."""


def steady(world: World, seat: Seat, habits: Habits = STEADY) -> tuple[Reasoned, ...]:
    """The sheet of his turn, or of its second half."""
    if world.powers[seat].out or world.ended or world.active is None:
        return ()
    if world.in_sight(seat):
        return (*_claims(world, seat), *_war(world, seat, 0, habits))
    return tuple(_sheet(world, seat, habits))


def _sheet(world: World, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    power, stock = world.powers[seat], forecast(world, seat, ())[0].powers[seat].stock
    raised = _affordable_armies(world, seat, stock, habits)
    claims = min(power.levels["Exploration"], power.levels["Transportation"])
    workers = max(0, claims + raised - stock["workers"])
    kept = power.units + raised + habits.reserve
    lots, free = [], max(0, stock["gold"] - kept)
    need = {"cloth": workers + raised - stock["cloth"], "food": 2 * workers + kept - stock["food"]}
    for good, number in need.items():
        if number := min(max(0, number), free // TABLES.prices.bank):
            lots.append(Lot(good, exact(number)))
            free -= number * TABLES.prices.bank
    have = sum(power.armies.values())
    if free >= habits.muster and not raised and have < habits.armies + 2:
        for good, number in TABLES.prices.army.items():
            lacking = (0 if good == "workers" else number) - stock.get(good, 0)
            if lacking > 0 and good in TABLES.prices.bank_sells:
                lots.append(Lot(good, exact(lacking)))
        raised, workers = 1, workers + 1
    if lots:
        cost = " and ".join(counted(n, what) for n, what in ((workers, "workers"), (raised, "armies")) if n)
        yield Reasoned(BuyResources(tuple(lots), {"gold": kept}), f"{cost or 'Upkeep'} will take this.".capitalize())
    yield from _research(world, seat, habits, kept)
    if workers:
        yield Reasoned(HireWorkers(exact(workers), {"food": kept}), "Each claim and each army takes a worker.")
    if power.fleets < habits.fleets and times_covered(stock, TABLES.prices.fleet):
        yield Reasoned(BuildFleets(exact(1)), "Fleets carry armies, and are lost before the last army is.")
    if raised:
        yield Reasoned(RaiseArmies(exact(raised)), "An army takes a territory a turn where nobody has one.")
    yield from _claims(world, seat)
    yield from _war(world, seat, raised, habits)


def _affordable_armies(world: World, seat: Seat, stock: Mapping[str, int], habits: Habits) -> int:
    """Armies that the stock pays for, as long as food and gold keep them."""
    power, price = world.powers[seat], TABLES.prices.army
    paid = min(stock[good] // number for good, number in price.items() if good not in ("workers", "cloth"))
    kept = min(stock["food"], stock["gold"]) - power.units - 4
    return max(0, min(paid, habits.armies - sum(power.armies.values()), kept, 2))


def _claims(world: World, seat: Seat) -> Iterator[Reasoned]:
    yield Reasoned(ColonizeCards((Wish(ANY),)), "Every colony is a point of Culture and yields each turn.")


# ---------------------------------------------------------------- research


def _rounds_left(world: World) -> int:
    """How many rounds are still to come, at four claims in three turns, in hundredths."""
    return max(100, 10_000 * (COLONIAL_CARDS - world.claimed) // (135 * max(1, len(world.living))))


def _worths(world: World, seat: Seat, habits: Habits) -> dict[str, int]:
    """What a level more of each technology is worth."""
    levels, left = world.powers[seat].levels, _rounds_left(world)
    explores, carries, claim = levels["Exploration"], levels["Transportation"], habits.claims * left // 100
    found = {
        "Law": habits.culture,
        "Humanities": habits.culture,
        "Exploration": claim if explores <= carries else claim * 35 // 100,
        "Transportation": claim if carries <= explores else claim // 2,
        "Science": habits.cards * left // 100,
        "Urbanization": habits.cards * left // 100,
    }
    goods = {**_VALUES, "cloth": 100 * habits.cloth // habits.income}
    for name, rate in TABLES.technology_yields.items():
        found[name] = (
            sum(goods.get(good, 20) * amount for good, amount in rate.items()) * habits.income * left // 10_000
        )
    return found


def _research(world: World, seat: Seat, habits: Habits, kept: int) -> Iterator[Reasoned]:
    levels, worth = world.powers[seat].levels, _worths(world, seat, habits)
    ratio = {name: 100 * worth.get(name, 0) // advance_price(levels[name] + 1) for name in TECHNOLOGIES}
    ranked = sorted((name for name in TECHNOLOGIES if ratio[name] >= 100 * habits.least), key=lambda name: -ratio[name])
    if ranked:
        wanted = tuple(Wanted(name) for name in ranked[:_LISTED])
        yield Reasoned(ResearchTechnologies(wanted, {"gold": kept}), _why_research(ranked[0], worth[ranked[0]], levels))


def _why_research(name: str, worth: int, levels: Mapping[str, int]) -> str:
    price = advance_price(levels[name] + 1)
    if name in ("Law", "Humanities"):
        return f"{name} is a point of Culture for {price} gold."
    if name in TABLES.technology_yields:
        return f"{name} pays back its {price} gold best."
    more = "research cards" if name in ("Science", "Urbanization") else "claims"
    return f"{name} brings {more} for {price} gold."


# ---------------------------------------------------------------- armies


def _prey(world: World, seat: Seat, region: str) -> dict[str, int]:
    """Who has territories there and no army, and how many."""
    open_to = [other for other in world.others(seat) if not world.powers[other].armies[region]]
    found = {str(other): len(world.controlled(other, region)) for other in open_to}
    found["neutral"] = len(world.controlled(None, region))
    return {foe: number for foe, number in found.items() if number}


def _war(world: World, seat: Seat, raised: int, habits: Habits) -> Iterator[Reasoned]:
    """Armies go where most can be had and most is to be held; then they attack whoever is open, else who is weak."""
    power = world.powers[seat]
    armies = {**power.armies}
    armies[EUROPE] += raised
    prey = {region: sum(_prey(world, seat, region).values()) for region in REGIONS}

    def pull(region: str) -> int:
        own = len(world.controlled(seat, region))
        return (400 * min(prey[region], 4) + 100 * own) // (2 * (1 + 2 * armies[region]))

    moves: dict[tuple[str, str], int] = {}
    for _ in range(power.carried):
        spare = [
            region
            for region in REGIONS
            if armies[region] > (habits.home if region == EUROPE else 1)
            or (armies[region] == 1 and region != EUROPE and pull(region) == 0)
        ]
        if not spare:
            break
        origin = max(spare, key=lambda r: (armies[r] - (habits.home if r == EUROPE else 0), -REGIONS.index(r)))
        target = max((region for region in REGIONS if region != origin), key=pull)
        if pull(target) <= 0 or (armies[target] and pull(target) < 100):
            break
        armies[origin] -= 1
        armies[target] += 1
        moves[origin, target] = moves.get((origin, target), 0) + 1
    for (origin, target), number in moves.items():
        open_there = counted(prey[target], "territories")
        why = f"In {target} {open_there} can be had." if prey[target] else f"Your territories in {target} need a guard."
        yield Reasoned(MoveArmies(exact(number), origin, target), why)
    for region in REGIONS:
        if armies[region] and (found := _foe(world, seat, region, armies[region], habits)):
            foe, why = found
            yield Reasoned(AttackRegion(foe, region, (Aim(ANY),)), why)


def _foe(world: World, seat: Seat, region: str, armies: int, habits: Habits) -> tuple[str, str] | None:
    """Whom he attacks there, and why: who has no army, the leader first; else rebels or a foe whom he outnumbers."""
    if prey := _prey(world, seat, region):
        foe = max(prey, key=lambda foe: (0 if foe == "neutral" else world.culture(Seat(foe)), prey[foe]))
        whose = "neutral land" if foe == "neutral" else f"the land of {foe}"
        return foe, f"No army guards {whose} there: it falls without a die."
    dice = armies + world.powers[seat].fleets
    risen = [t.rebels for t in world.territories if t.region == region and t.rebels is not None]
    if risen and dice >= habits.daring * (min(risen) + 2):
        return "rebels", f"Your {dice} dice are twice theirs."
    for other in sorted(world.others(seat), key=lambda other: -world.culture(other)):
        theirs = world.powers[other].armies[region] + world.powers[other].fleets
        if world.controlled(other, region) and dice >= habits.daring * (theirs + 2):
            return str(other), f"Your {dice} dice are twice the {theirs} of {other}."
    return None


# ---------------------------------------------------------------- the order sheet

_UPKEEP = ("DISCARD",)
_SECOND_SHEET = BOOK.verbs_of("Colonization", "Transport", "War")
_FIRST_SHEET = (*FIRST_HALF, *_SECOND_SHEET)


def order_form(world: World, seat: Seat) -> tuple[str, ...]:
    """The next order sheet, half filled in, to be edited and sent back; lines that begin with # are only advice."""
    if is_over(world, seat):
        return ()
    sound = steady(world, seat)
    if world.in_sight(seat):
        return tuple(BOOK.form(ahead(world, seat), seat, _SECOND_SHEET, sound))
    return (
        *_purse(world, seat),
        *_discards(world, seat),
        *BOOK.form(ahead(world, seat), seat, _FIRST_SHEET, sound),
        *_offers(world, seat),
    )


def _purse(world: World, seat: Seat) -> Iterator[str]:
    now, then = world.powers[seat].stock, forecast(world, seat, ())[1].powers[seat].stock
    yield f"# {seat}: {goods_in_words(now)} on hand."
    yield f"# After Production, unless the event takes some: {goods_in_words(then)}."


def _discards(world: World, seat: Seat) -> Iterator[str]:
    """Which units go, where some must as things stand and there is a choice: Upkeep comes before whatever the sheet brings."""
    power = world.powers[seat]
    if power.excess and power.fleets and power.manned:
        yield from BOOK.form(lambda _: world, seat, _UPKEEP)


def _offers(world: World, seat: Seat) -> Iterator[str]:
    for offer in world.offers:
        if offer.to == seat and not offer.accepted:
            trade = f"{goods_in_words(offer.gives)} for {goods_in_words(offer.asks)}"
            yield f"# Offer {offer.number}: {offer.maker} gives you {trade}."
            yield f"# ACCEPT {offer.number}"
