"""The phases of Empire in the order of play: opening, supply, ending."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Choice, Pick
from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Orders, Pace, Question
from referee.core.table import Script, Table
from referee.games.empire.boards.draft import drawn_board, read_board, write_board
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.boards.survey import size_for
from referee.games.empire.deeds import building, works
from referee.games.empire.deeds.debts import change_house_rules, death, forbids
from referee.games.empire.events.course import (
    BoardLaid,
    CapitalPlaced,
    CardsRanked,
    FiatAnnounced,
    FiatJudged,
    ForcesGranted,
    OrderRefused,
    SlotCame,
    ZeroTurnOpened,
)
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.events.moving import AircraftCrashed, GoodsSpoiled
from referee.games.empire.events.supply import CooliesBorn, FoodEaten, ThirstNoted
from referee.games.empire.events.work import LoadPutDown
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.position import Board, Lot, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.budget import Budget, Losses, begins_armed, confidence_change, harbour, luck_of
from referee.games.empire.reckoning.carrying import goods_aboard
from referee.games.empire.reckoning.conditions import check_capital, coming, default_capital
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.reckoning.ownership import flies, root_of, with_all_aboard
from referee.games.empire.reckoning.supply import Tracing, besieged, eaters, lots_at, shared_out, supply_of, taken
from referee.games.empire.reckoning.work import by_hand, needs_of, owner_of, squares_of, stands_by
from referee.games.empire.rulebook import (
    AFTER_COLLAPSE,
    CONFIDENCE_AT_START,
    FIATS,
    FLEET,
    FORCES,
    GOODS_AT_START,
    HIGHEST,
    LEAN,
    LYING,
    STORES,
    UNITS_AT_START,
)
from referee.games.empire.rulebook.kinds import DEBT, GOODS, KINDS
from referee.games.empire.rulebook.plans import PLANS
from referee.kit.refused import Refused

# ---------------------------------------------------------------- the zero turn
# The board, the Head's fiat, cards, capitals 12 BTA apart, goods, order of movement (emp.P1, emp.P3, emp.P4).


_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
_SUITS = ("clubs", "diamonds", "hearts", "spades")
CARDS = {f"{rank} of {suit}": (r, s) for r, rank in enumerate(_RANKS) for s, suit in enumerate(_SUITS)}
"""The 52 cards and what they are worth: rank before suit (emp.P3)."""

_SEEDS = 1_000_000_000


# ---------------------------------------------------------------- the board


def lay_board(table: Table[Empire]) -> Script[None]:
    """emp.H-08: the board drawn for this match, or one generated from a single roll that everybody sees."""
    board = _board(table)
    table.emit(BoardLaid(write_board(board)))
    fiat = table.state.options.get("fiat", "none")
    if fiat in FIATS:
        table.emit(FiatAnnounced(fiat, f"{FIATS[fiat]}."))
    table.emit(ZeroTurnOpened())
    yield from ()


def _board(table: Table[Empire]) -> Board:
    wanted, players = table.state.options["board"], len(table.state.seats)
    if "drawing" in table.state.options:
        return read_board(table.state.options["drawing"])
    if wanted.startswith("drawn:"):
        return drawn_board(wanted.removeprefix("drawn:"))
    size = size_for(players) if wanted == "by players" else wanted
    (seed,) = table.roll(1, _SEEDS, "The seed of the board", "emp.H-08")
    return _generated(size, players, seed)


@lru_cache(maxsize=16)
def _generated(size: str, players: int, seed: int) -> Board:
    """The board of a seed; a phase that is played again after a letter lays the same one."""
    return generate(size, players, picker(seed))


# ---------------------------------------------------------------- the zero turn


Suggested = Callable[[Empire, Seat, Pick], tuple[Intent, ...]]
"""A bot's lines for a sheet; handed in, for bots know the orders and nothing that asks for them."""

Sound = Callable[[Empire, Seat], tuple[Reasoned, ...]]
"""The sheet that is proposed, likewise."""


def zero_turn(table: Table[Empire], suggest: Suggested, sound: Sound) -> Script[None]:
    """emp.P3: cards, capitals in their order, cards again for movement."""
    yield from _judge_fiat(table)
    _rank(table, "Order in which capitals are placed")
    for seat in table.state.order:
        yield from _place(table, seat, suggest, sound)
    _rank(table, "Movement order")
    table.emit(SlotCame(table.state.order[0], 1, table.state.slot + 1))
    change_house_rules(table)


def _judge_fiat(table: Table[Empire]) -> Script[None]:
    fiat = table.state.options.get("fiat", "none")
    if fiat not in FIATS:
        return
    menu = OneOf(
        [Choice("keep", True, "the fiat stands"), Choice("reject", False, "the rules stay as they were")], True
    )
    text = f"The Head announced by fiat: {FIATS[fiat]}. Do you keep it or reject it?"
    seats = table.state.seats
    questions = [Question(f"{table.phase}/fiat/{seat}", seat, text, menu, Pace.WINDOW, "emp.P1") for seat in seats]
    answers = yield from table.ask_all(questions)
    against = tuple(seat for seat, answer in zip(seats, answers, strict=True) if not answer.value)
    table.emit(FiatJudged(2 * len(against) > len(seats), against))


def _rank(table: Table[Empire], what: str) -> None:
    """One card each, the highest first."""
    seats = table.state.seats
    cards = table.draw("the deck", dict.fromkeys(CARDS, 1), len(seats), what, "emp.P3")
    ranked = sorted(zip(cards, seats, strict=True), key=lambda pair: CARDS[pair[0]], reverse=True)
    table.emit(CardsRanked(what, tuple(seat for _, seat in ranked), tuple(card for card, _ in ranked)))


def _place(table: Table[Empire], seat: Seat, suggest: Suggested, sound: Sound) -> Script[None]:
    empire = table.state

    def suggested(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(empire, seat, pick) if isinstance(intent, PlaceCapital))

    text = "Where does your capital stand? Name squares, best first: the first that is lawful is taken."
    kinds: Any = PlaceCapital | RollOut
    menu = Orders(("PLACE CAPITAL",), kinds, suggested, tuple(line.order for line in sound(empire, seat)))
    answer = yield from table.ask(Question(f"{table.phase}/orders/{seat}", seat, text, menu, Pace.SLOT, "emp.P3"))
    at, name = _chosen(table, seat, answer.value)
    goods = starting_goods(table.state)
    table.emit(CapitalPlaced(seat, name, at, goods, UNITS_AT_START, CONFIDENCE_AT_START))
    if begins_armed(table.state):
        lies = harbour(table.state.board, at)
        table.emit(ForcesGranted(str(seat), name, at, lies, FORCES, FLEET, STORES))


def _chosen(table: Table[Empire], seat: Seat, sheet: Sequence[Intent]) -> tuple[str, str]:
    """The first lawful square of the list, each unlawful one before it told; the default when there is none."""
    wishes = [intent for _, intent in coming(table, seat, sheet) if isinstance(intent, PlaceCapital)]
    name = next((wish.name for wish in wishes if wish.name), "")
    if not name or name in table.state.cities:
        name = f"{seat} City"
    for line, wish in enumerate(wishes, 1):
        for at in wish.squares:
            try:
                check_capital(table.state, at)
            except Refused as refused:
                why = refused.illegal
                table.emit(OrderRefused(seat, line, f"Capital in {at}", why.sentence, why.rule))
            else:
                return at, name
    return default_capital(table.state), name


def starting_goods(empire: Empire) -> tuple[tuple[str, int], ...]:
    """emp.P4, with the Head's fiat where it stands."""
    if empire.options.get("fiat") != "lean_start":
        return GOODS_AT_START
    return tuple((what, LEAN.get(what, number)) for what, number in GOODS_AT_START)


# ---------------------------------------------------------------- the beginning of a country's turn
# Yields of its squares, births, food and water (emp.C3, emp.F1, emp.F2, deserts).


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


# ---------------------------------------------------------------- the end of a turn
# Planes in the air, goods in hand, and goods that may lie about (II.A, emp.C6).
#
# Then the budget is made up and confidence moves: steps 7 and 8 of a turn (emp.H-13 to emp.H-16).


def crash_the_stranded(table: Table[Empire], country: str) -> None:
    """Planes of a country that had to land and did not are lost with all aboard (house rule emp.move.aloft)."""
    for unit in table.state.units_of(country):
        # II.A: fighters on patrol stay in the air over the end of a turn.
        if flies(unit) and not (KINDS[unit.kind].aloft or unit.status == "patrol"):
            table.emit(_crash(table.state, unit))


def _crash(empire: Empire, unit: Unit) -> AircraftCrashed:
    group = with_all_aboard(empire, unit)
    lost = tuple((n, empire.units[n].kind, empire.units[n].country) for n in group)
    goods = tuple(lot for number in group for lot in goods_aboard(empire, number))
    return AircraftCrashed(unit.number, unit.kind, unit.country, unit.at, lost, goods)


def budget_of(empire: Empire, country: str) -> Budget:
    """A country's bookings in its turn so far."""
    own = empire.countries[country]
    booked = own.booked
    return Budget(booked.edu, booked.cost, booked.investment, booked.received, booked.sent, own.popular_fund)


def losses_of(empire: Empire, country: str) -> Losses:
    """The further losses that weigh on a country's confidence as things stand."""
    booked = empire.countries[country].booked
    military = sum(KINDS[unit.kind].military for unit in empire.units_of(country))
    coolies = len(empire.units_of(country, "coolie"))
    return Losses(military, coolies, booked.starved, booked.cities_lost, booked.capital_lost)


def confidence_after(empire: Empire, country: str, roll: int, budget: Budget, losses: Losses) -> int:
    """emp.H-15, emp.H-16: what a modified roll makes of a country's confidence, with this budget and these losses."""
    own = empire.countries[country]
    if own.band == "collapse":
        return AFTER_COLLAPSE
    change = confidence_change(roll, budget, losses, ownership.confidence(empire))
    return max(0, min(HIGHEST, own.confidence + change))


def close_budget(table: Table[Empire], country: str) -> tuple[Budget, Losses]:
    """Tax and popular fund; the budget and the losses that the roll will use."""
    budget, losses = budget_of(table.state, country), losses_of(table.state, country)
    table.emit(BudgetClosed(country, table.state.countries[country].booked, budget.tax, budget.new_fund))
    return budget, losses


def move_confidence(table: Table[Empire], country: str, roll: int, budget: Budget, losses: Losses) -> None:
    """emp.H-15 with the modified roll; a country in collapse rises to 4 (emp.H-16)."""
    house, own = ownership.confidence(table.state), table.state.countries[country]
    after = confidence_after(table.state, country, roll, budget, losses)
    balance = int(budget.balance(house.share) * DEBT)
    economy = budget.economy(house)
    table.emit(ConfidenceMoved(country, balance, luck_of(roll, house), economy, losses.change, own.confidence, after))


def excess(empire: Empire, country: str) -> tuple[Lot, ...]:
    """Goods of a country that lie in squares without room for them, the last put there first.

    Rolling stock and barges that lie there take room; machines that build and materials of works do not count. Room is
    taken as in carrying, so five food are one unit (house rule emp.C6).
    """
    squares = dict.fromkeys(lot.at for lot in empire.lots if lot.country == country and _lies(empire, lot))
    return tuple(lost for at in squares for lost in _beyond(empire, country, at))


def _lies(empire: Empire, lot: Lot) -> bool:
    return not lot.aboard and not lot.inside and empire.city_at(lot.at) is None


def _beyond(empire: Empire, country: str, at: str) -> list[Lot]:
    lots = _counted(empire, at)
    stock = (unit for unit in empire.units_at(at) if KINDS[unit.kind].category == "hauled" and not unit.aboard)
    over = sum(GOODS[lot.what] * lot.number for lot in lots) + sum(KINDS[unit.kind].room for unit in stock) - LYING
    lost = []
    for lot in reversed(lots):
        number = min(lot.number, max(0, -(-over // GOODS[lot.what]))) if lot.country == country else 0
        lost += [replace(lot, number=number)] if number else []
        over -= number * GOODS[lot.what]
    return lost


def _counted(empire: Empire, at: str) -> list[Lot]:
    """The goods in a square, without the machines that build there and the materials promised to works."""
    counted = []
    spared = _in_use(empire, at)
    for lot in empire.lots:
        if lot.at == at and _lies(empire, lot):
            used = min(spared.get(lot.what, 0), lot.number)
            spared[lot.what] = spared.get(lot.what, 0) - used
            counted += [replace(lot, number=lot.number - used)] if used < lot.number else []
    return counted


def _in_use(empire: Empire, at: str) -> dict[str, int]:
    """Machines at work in a square, and the materials that works begun this turn take from it."""
    spared: dict[str, int] = {}
    for work in empire.works:
        if not work.left or at not in squares_of(work):
            continue
        materials = needs_of(empire, work) if work.begun < 0 and work.what in PLANS else {}
        for what, number in (("cmx", 1), *materials.items()):
            spared[what] = spared.get(what, 0) + number
    return spared


def end_moves(table: Table[Empire], country: str) -> None:
    """Before the works of a turn's end: planes that had to land crash, builders put down what they carry, excess is lost."""
    crash_the_stranded(table, country)
    # emp.C6: who runs a construction machine carries nothing over the end of a turn.
    for number in _at_machines(table.state, country):
        lots, builder = goods_aboard(table.state, number), table.state.units[number]
        if lots:
            carrier = table.state.units.get(builder.aboard)
            city = table.state.city_at(builder.at) if carrier is None else None
            inside = city.name if city is not None and table.state.friendly(city.country, country) else ""
            hold = (carrier.number, carrier.kind) if carrier is not None else (0, "")
            table.emit(LoadPutDown(country, number, builder.at, lots, *hold, inside))
    for lot in excess(table.state, country):
        table.emit(GoodsSpoiled(lot))


def _at_machines(empire: Empire, country: str) -> tuple[int, ...]:
    """The coolies of a country that build or scrap where they stand, each once."""
    working = (work for work in empire.works if work.country == country and work.left > 0 and not by_hand(work))
    return tuple(dict.fromkeys(w.unit for w in working if stands_by(empire, country, w.unit, w.at)))
