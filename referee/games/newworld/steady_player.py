"""The orders of a steady player of New World, and his reasons; what a strong one tries beside them; the order sheet of a letter.

An army in a Region takes a territory a turn, without a die, from everybody who has none there (nw.war.automatic), and
Fleets are everywhere and die before the last army (nw.r23): one army and two fleets hold a Region. So armies go where others
have colonies and no army; the rest is a worker for each claim, and research by what it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.newworld.forecast import ahead, fell_short, forecast, is_over
from referee.games.newworld.orders import BOOK, FIRST_HALF
from referee.games.newworld.orders.army import Aim, ArmyFrom, AttackRegion, LoseUnits, MoveArmies
from referee.games.newworld.orders.base import Kept
from referee.games.newworld.orders.spending import (
    BuildFleets,
    ColonizeCards,
    HireWorkers,
    RaiseArmies,
    ResearchTechnologies,
    Wanted,
    Wish,
)
from referee.games.newworld.orders.trade import BuyResources, Lot
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
from referee.kit.opponents import but_one, crossed, near
from referee.kit.stock import more
from referee.kit.wording import counted, in_a_row


class Habits(msgspec.Struct, frozen=True):
    """The habits in which steady players differ; numbers a hundredth of a point of Culture where nothing else is said."""

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
    reserve: int = 3
    """Gold and food above what Upkeep asks."""
    dearth: int = 6
    """With less than so much above it, which an event may take, he says that fleets go before armies."""
    guard: int = 2
    """Where no more armies are in Europe, those of colonies go before them."""
    muster: int = 45
    """With so much gold after the rest he buys what an army wants."""
    fleets: int = 2


STEADY = Habits()

NEAR: Mapping[str, tuple[int, ...]] = {
    "culture": (30, 60, 160, 300),
    "claims": (15, 30, 80, 150),
    "income": (3, 5, 15, 30),
    "cloth": (10, 60, 100),
    "cards": (8, 15, 50),
    "least": (2, 12, 20),
    "armies": (3, 4, 8, 10),
    "home": (0, 2, 3),
    "daring": (1, 3),
    "reserve": (0, 1, 6, 10),
    "muster": (20, 30, 70, 999),
    "fleets": (1, 3, 4),
}
"""The other values of a habit."""

_LISTED = 6
"""So many technologies stand on a research list: few cards are drawn in a turn."""

_VALUES = {"food": 60, "wood": 15, "metal": 30, "gold": 100, "horses": 30}
"""The worth of a resource, in hundredths of a piece of gold."""


def steady(world: World, seat: Seat, habits: Habits = STEADY) -> tuple[Reasoned, ...]:
    """The sheet of his turn, or of its second half."""
    if is_over(world, seat):
        return ()
    if world.in_sight(seat):
        return (*_claims(world, seat), *_war(world, seat, 0, habits))
    return tuple(_sheet(world, seat, habits))


def _sheet(world: World, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    stock = forecast(world, seat, ())[0].powers[seat].stock
    losses = tuple(_losses(world, seat, habits))
    yield from losses
    keeps = _keeps(world, seat, stock, habits)
    plans = (
        _Plan(stock, armies, fleets, workers, kept)
        for armies in range(_most_armies(world, seat, stock, habits), -1, -1)
        for fleets in range(max(0, min(1, habits.fleets - world.powers[seat].fleets)), -1, -1)
        for kept in keeps(armies, fleets)
        for workers in range(_workers_wanted(world, seat, stock, armies), -1, -1)
    )
    plan = next(plan for plan in plans if not fell_short(world, seat, plan.orders()))
    yield from plan.trade()
    traded, after = forecast(world, seat, (*(loss.order for loss in losses), *plan.orders()))
    yield from _research(world, seat, habits, plan.kept, traded.powers[seat].stock["gold"])
    yield from plan.purchases()
    if after.powers[seat].claims:
        yield from _claims(world, seat)
    yield from _war(traded, seat, plan.armies, habits)  # without the units that Upkeep takes


def _keeps(world: World, seat: Seat, stock: Mapping[str, int], habits: Habits) -> Callable[[int, int], Sequence[int]]:
    """Gold and food kept for Upkeep with so many more armies and fleets: less where the homeland would stand open else, or
    where nothing but food is bought and the bank would ask more gold than there is.
    """
    units, gold, bare = world.powers[seat].units, stock["gold"], _is_open(world, seat, EUROPE)

    def keeps(armies: int, fleets: int) -> Sequence[int]:
        full = min(units + armies + fleets + habits.reserve, gold)
        if bare and armies:
            return range(full, min(full, 1) - 1, -1)
        if not armies and not fleets:
            return range(full, -1, -1)
        return () if units + armies + fleets > gold else (full,)

    return keeps


def _losses(world: World, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """Fleets go before armies, and armies of colonies before the last ones in Europe, where an event can take some."""
    power = world.powers[seat]
    abroad = [region for region in power.manned if region != EUROPE]
    few = power.armies[EUROPE] <= habits.guard
    colonies = sorted(abroad, key=lambda region: len(world.sheet_of(seat, region))) if few else []
    first = (*((None,) if power.fleets else ()), *map(ArmyFrom, colonies))
    if power.armies[EUROPE] and first and power.supplied < power.units + habits.dearth:
        yield Reasoned(LoseUnits(first), "The army that guards your homeland is lost last.")


def _workers_wanted(world: World, seat: Seat, stock: Mapping[str, int], armies: int) -> int:
    """One for each claim and each army."""
    levels = world.powers[seat].levels
    return max(0, min(levels["Exploration"], levels["Transportation"]) + armies - stock["workers"])


def _most_armies(world: World, seat: Seat, stock: Mapping[str, int], habits: Habits) -> int:
    """So many as metal and horses, or spare gold, pay for and food and gold keep; one where Europe lies open to somebody's."""
    power, price = world.powers[seat], TABLES.prices.army
    have = sum(power.armies.values())
    paid = min(stock[good] // price[good] for good in ("metal", "horses"))
    kept = min(stock["food"], stock["gold"]) - power.units - 4
    most = max(0, min(paid, habits.armies - have, kept, 2))
    if not most and have < habits.armies + 2 and stock["gold"] >= habits.muster:
        return 1
    return max(most, 1) if _is_open(world, seat, EUROPE) or _is_outnumbered(world, seat, habits) else most


def _is_open(world: World, seat: Seat, region: str) -> bool:
    """Whether somebody's army there finds territories of his, and no army of his (nw.war.automatic)."""
    armed = any(world.powers[other].armies[region] for other in world.others(seat))
    return armed and not world.powers[seat].armies[region] and bool(world.sheet_of(seat, region))


def _is_outnumbered(world: World, seat: Seat, habits: Habits) -> bool:
    """Whether somebody could attack the homeland with so many dice as he would himself."""
    own = world.powers[seat].armies[EUROPE] + world.powers[seat].fleets + TABLES.figures.defence
    theirs = (world.powers[other].armies[EUROPE] + world.powers[other].fleets for other in world.others(seat))
    return max(theirs, default=0) >= habits.daring * own


class _Plan:
    """His spending beside research: on so many armies, fleets and workers, bought for at the bank where goods lack."""

    def __init__(self, stock: Mapping[str, int], armies: int, fleets: int, workers: int, kept: int) -> None:
        self.armies, self._fleets, self._workers, self.kept = armies, fleets, workers, kept
        prices, need = TABLES.prices, dict[str, int]()
        for price, number in ((prices.army, armies), (prices.fleet, fleets), (prices.worker, workers)):
            need = more(need, {good: each * number for good, each in price.items()})
        need["food"] = need.get("food", 0) + self.kept
        lacking = {
            good: need.get(good, 0) - stock[good] for good in prices.bank_sells if need.get(good, 0) > stock[good]
        }
        self._lots = tuple(Lot(good, exact(number)) for good, number in lacking.items())

    def trade(self) -> Iterator[Reasoned]:
        """In the Trade Phase."""
        wanted = ((self._workers, "workers"), (self._fleets, "fleets"), (self.armies, "armies"))
        if self._lots:
            cost = in_a_row([counted(number, what) for number, what in wanted if number])
            yield Reasoned(BuyResources(self._lots, {"gold": self.kept}), f"Goods for {cost or 'Upkeep'} are lacking.")

    def purchases(self) -> Iterator[Reasoned]:
        """In the phases after it."""
        if self._workers:
            keeping: Kept = {"food": self.kept} if self.kept else {}
            yield Reasoned(HireWorkers(exact(self._workers), keeping), "Each claim and each army takes a worker.")
        if self._fleets:
            yield Reasoned(BuildFleets(exact(1)), "Fleets carry armies, and are lost before the last army is.")
        if self.armies:
            yield Reasoned(RaiseArmies(exact(self.armies)), "An army takes a territory a turn where nobody has one.")

    def orders(self) -> tuple[Intent, ...]:
        """All of them."""
        return tuple(one.order for one in (*self.trade(), *self.purchases()))


def _claims(world: World, seat: Seat) -> Iterator[Reasoned]:
    yield Reasoned(ColonizeCards((Wish(ANY),)), "Every colony is a point of Culture and yields each turn.")


# ---------------------------------------------------------------- research


def _rounds_left(world: World) -> int:
    """How many rounds are still to come, at four claims in three turns, in hundredths."""
    return max(100, 10_000 * (COLONIAL_CARDS - world.claimed) // (135 * max(1, len(world.living))))


def _worths(world: World, seat: Seat, habits: Habits) -> dict[str, int]:
    """The worth of one more level of each technology."""
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


def _research(world: World, seat: Seat, habits: Habits, kept: int, gold: int) -> Iterator[Reasoned]:
    """The best return for its price, of the gold that is not kept."""
    levels, worth = world.powers[seat].levels, _worths(world, seat, habits)
    price = {name: advance_price(levels[name] + 1) for name in TECHNOLOGIES}
    ratio = {
        name: 100 * worth[name] // price[name] for name in TECHNOLOGIES if price[name] <= gold - kept and name in worth
    }
    ranked = sorted((name for name in ratio if ratio[name] >= 100 * habits.least), key=lambda name: -ratio[name])
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
    """The owners of territories there who have no army, with their numbers."""
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
        lost = not armies[EUROPE] and bool(world.sheet_of(seat, EUROPE))  # the homeland goes before any colony
        spare = [
            region
            for region in REGIONS
            if armies[region] > (habits.home if region == EUROPE else 1)
            or (armies[region] == 1 and region != EUROPE and (lost or pull(region) == 0))
        ]
        if not spare:
            break
        origin = max(spare, key=lambda r: (armies[r] - (habits.home if r == EUROPE else 0), -REGIONS.index(r)))
        target = EUROPE if lost else max((region for region in REGIONS if region != origin), key=pull)
        if not lost and (pull(target) <= 0 or (armies[target] and pull(target) < 100)):
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
    """The foe whom he attacks there, and why: one without an army, the leader first; else rebels or a foe whom he outnumbers."""
    if prey := _prey(world, seat, region):
        foe = max(prey, key=lambda foe: (0 if foe == "neutral" else world.culture(Seat(foe)), prey[foe]))
        whose = "neutral land" if foe == "neutral" else f"the land of {foe}"
        return foe, f"No army guards {whose} there: no die is rolled."
    dice = armies + world.powers[seat].fleets
    risen = [t.rebels for t in world.territories if t.region == region and t.rebels is not None]
    if risen and dice >= habits.daring * (min(risen) + 2):
        return "rebels", f"Your {dice} dice are twice theirs."
    for other in sorted(world.others(seat), key=lambda other: -world.culture(other)):
        theirs = world.powers[other].armies[region] + world.powers[other].fleets
        if world.controlled(other, region) and dice >= habits.daring * (theirs + 2):
            return str(other), f"Your {dice} dice are twice the {theirs} of {other}."
    return None


# ---------------------------------------------------------------- what a strong player tries
# Each sheet is played ahead to the end of the match, which takes a tenth of a second at most.


def prospects(world: World) -> dict[Seat, int]:
    """The score of each seat now, in hundredths of a point; rollouts to the end want no forecast."""
    return {seat: 100 * world.culture(seat) for seat in world.order}


def challenger(world: World, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A steady sheet of other habits, some of its lines in the best, or the best with a line or two changed."""
    kind = pick(8)
    if kind < 2:
        other = tuple([one.order for one in steady(world, seat, near(STEADY, NEAR, pick))])
        return other if pick(2) else crossed(best, other, pick)
    if kind == 2:
        return but_one(best, pick)
    if kind == 3 and not world.in_sight(seat):
        return _bought(best, pick)
    sheet = _attacks(world, seat, best, pick)
    return sheet if pick(3) else _attacks(world, seat, sheet, pick)


def _attacks(world: World, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """An army shipped elsewhere with an attack there, or another foe in a Region."""
    power, lines = world.powers[seat], list(best)
    raised = any(isinstance(line, RaiseArmies) for line in best)
    manned = [region for region in REGIONS if power.armies[region] or (raised and region == EUROPE)]
    goals = manned
    if manned and pick(2) and power.carried:
        origin = manned[pick(len(manned))]
        target = REGIONS[pick(len(REGIONS))]
        if origin != target:
            kept = [
                line for line in lines if not (isinstance(line, MoveArmies) and (line.origin == origin or not pick(2)))
            ]
            number = 1 if pick(3) else min(2, max(1, power.armies[origin]))
            lines, goals = [*kept, MoveArmies(exact(number), origin, target)], [target]
    else:
        goals += [line.target for line in lines if isinstance(line, MoveArmies)]
    if not goals:
        return tuple(lines)
    region = goals[pick(len(goals))]
    foes = [str(other) for other in world.others(seat) if world.controlled(other, region)]
    foes += ["neutral"] if world.controlled(None, region) else []
    foes += ["rebels"] if any(t.region == region and t.rebels is not None for t in world.territories) else []
    lines = [line for line in lines if not (isinstance(line, AttackRegion) and line.region == region)]
    if foes:
        lines.append(AttackRegion(foes[pick(len(foes))], region))
    marches = [line for line in lines if not isinstance(line, AttackRegion)]
    return (*marches, *(line for line in lines if isinstance(line, AttackRegion)))


def _bought(best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """An army, a fleet, workers or a technology first, more or fewer than before."""
    kind = pick(4)
    if kind == 0:
        name = Wanted(TECHNOLOGIES[pick(len(TECHNOLOGIES))])
        found = [line for line in best if isinstance(line, ResearchTechnologies)]
        order = found[0] if found else ResearchTechnologies((name,))
        wanted = (name, *(each for each in order.technologies if each.technology != name.technology))
        return (
            tuple(replace(order, technologies=wanted) if line is order else line for line in best)
            if found
            else (order, *best)
        )
    made = (RaiseArmies, BuildFleets, HireWorkers)[kind - 1]
    rest = [line for line in best if not isinstance(line, made)]
    number = pick(3 if made is not HireWorkers else 5)
    more = made(exact(number)) if number else None
    at = next((place for place, line in enumerate(rest) if isinstance(line, MoveArmies | AttackRegion)), len(rest))
    return (*rest[:at], *([more] if more else ()), *rest[at:])


# ---------------------------------------------------------------- the order sheet

_FIRST = ("LOSE",)
_SECOND_SHEET = BOOK.verbs_of("Colonization", "Transport", "War")
_FIRST_SHEET = (*FIRST_HALF, *_SECOND_SHEET)


def order_form(world: World, seat: Seat) -> tuple[str, ...]:
    """The next order sheet, half filled in, to be edited and sent back; lines that begin with # are only advice."""
    if is_over(world, seat):
        return ()
    sound, then = steady(world, seat), ahead(world, seat)
    if world.in_sight(seat):
        return tuple(BOOK.form(then, seat, _SECOND_SHEET, sound))
    first = _FIRST if any(isinstance(one.order, LoseUnits) for one in sound) else ()
    return (
        *_purse(world, seat),
        *BOOK.form(lambda _: world, seat, first, sound),
        *BOOK.form(then, seat, _FIRST_SHEET, sound),
        *_offers(world, seat),
    )


def _purse(world: World, seat: Seat) -> Iterator[str]:
    now, then = world.powers[seat].stock, forecast(world, seat, ())[1].powers[seat].stock
    yield f"# {seat}: {goods_in_words(now)} on hand."
    yield f"# After Production, unless the event takes some: {goods_in_words(then)}."


def _offers(world: World, seat: Seat) -> Iterator[str]:
    for offer in world.offers:
        if offer.to == seat and not offer.accepted:
            trade = f"{goods_in_words(offer.gives)} for {goods_in_words(offer.asks)}"
            yield f"# Offer {offer.number}: {offer.maker} gives you {trade}."
            yield f"# ACCEPT {offer.number}"
