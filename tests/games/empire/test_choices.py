"""What may be ordered: the choices lead to whatever is lawful and may be written, and to nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, combinations

import pytest

from referee.core.choices import Picked, Step, after
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.games.empire.deeds import Rehearsal
from referee.games.empire.deeds.moving import do_move
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders.arming import Arm, Disarm
from referee.games.empire.orders.attack import Attack, Engage
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.feeding import FeedFirst, FeedFrom, FeedLast, SpareFood
from referee.games.empire.orders.loading import Load, Unload
from referee.games.empire.orders.moving import STANCES, Beach, CastOff, Dive, MoveUnits, RollWind, Tow
from referee.games.empire.orders.raids import Plunder
from referee.games.empire.orders.seizing import Seize, SeizeGoods
from referee.games.empire.orders.standing import Retreat, ScrambleAlways, ScrambleNever
from referee.games.empire.orders.units import alike, of_seat
from referee.games.empire.orders.working import Abandon, Develop, Found
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.rulebook.kinds import FORMATIONS
from referee.kit.fields import exact
from tests.contract.choosing import Scene, can_be_chosen, lawful, out_of_reach
from tests.games.empire.staging import given, stage

# ---------------------------------------------------------------- step by step


RED = Seat("Red")
GAME = EmpireGame()


def position(*facts: str) -> Empire:
    empire = stage({"fiat": "none", "last_turn": "20"})
    for fact in facts:
        empire = given(empire, fact)
    return empire


FOOD = "Red has 5 food, 1 X in c8r7"
FRONTS = (
    ("infantry regiment 14 of Red is in c8r7", FOOD, "SAC 30 of Blue is in c8r8"),
    (
        "SAC 14 of Red is in c8r7",
        "SAC 15 of Red is in c8r7",
        "SAC 16 of Red is in c8r9",
        FOOD,
        "armour 30 of Blue is in c8r8",
    ),
    ("SAC 14 of Red is in c8r7", "armour 15 of Red is in c7r7", FOOD, "coolie 30 of Blue is in c8r8"),
    (
        "SAC 14 of Red is in c8r8",
        "SAC 15 of Red is in c8r7",
        FOOD,
        "SAC 30 of Blue is in c8r8",
        "coolie 31 of Blue is in c8r8",
    ),
    (
        "SAC 14 of Red is in c8r7",
        "SAC 15 of Red is in c9r8",
        "cruiser 16 of Red is in c8r9",
        FOOD,
        "SAC 30 of Blue is in c8r8",
    ),
)


def reached(empire: Empire, verb: str, so_far: tuple[Picked, ...] = ()) -> Iterator[Intent]:
    """Every order that answers of all kinds lead to."""
    found = after(GAME.asking(empire, RED, verb), so_far)
    if isinstance(found, Step):
        words = [choice.word for choice in found.choices]
        numbers = range(found.least, found.most + 1)
        answers = [(str(n),) for n in numbers] if found.counts else [p for n in numbers for p in combinations(words, n)]
        for picked in answers:
            yield from reached(empire, verb, (*so_far, picked))
    elif found is not None:
        yield found


def subsets(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


def all_attacks(empire: Empire) -> Iterator[tuple[object, ...]]:
    """Every attack on land of every group on every square that is not refused, found by trying."""
    mine = tuple(unit.number for unit in empire.units.values() if unit.country == "Red" and unit.kind != "coolie")
    for at in dict.fromkeys(unit.at for unit in empire.units.values() if unit.country != "Red"):
        for units in subsets(mine):
            if any(empire.units[number].kind in FORMATIONS for number in units):
                for advance in subsets(units):
                    if Attack(at, units, (), "capturing", advance).lawful(empire, RED):
                        yield at, frozenset(units), frozenset(advance)


def test_the_choices_of_attack_are_all_attacks_and_no_other() -> None:
    for facts in FRONTS:
        empire = position(*facts)
        found = [order for order in reached(empire, "ATTACK") if isinstance(order, Attack)]
        assert {(o.at, frozenset(o.units), frozenset(o.advance)) for o in found} == set(all_attacks(empire)), facts
        assert found, facts


def test_the_choices_of_engage_are_all_attacks_on_ships_and_no_other() -> None:
    mine = ("cruiser 14 of Red is in c8r9", "destroyer 15 of Red is in c8r9", "destroyer 16 of Red is in c7r8")
    theirs = ("cruiser 20 of Blue is in c8r9", "submarine 21 of Blue is in c8r9, under water")
    empire = position(*mine, *theirs, "Red has 2 X, 2 O in c4r4")
    found = {(o.at, frozenset(o.units), o.submerged) for o in reached(empire, "ENGAGE") if isinstance(o, Engage)}
    lawful = {
        (at, frozenset(units), below)
        for at in dict.fromkeys(unit.at for unit in empire.units.values())
        for units in subsets((14, 15, 16))
        for below in (False, True)
        if Engage(at, units, (), below).lawful(empire, RED)
    }
    assert found == lawful
    assert {below for _, _, below in found} == {False, True}


def test_the_choices_of_move_are_all_moves_and_no_other() -> None:
    facts = (
        "coolie 14 of Red is in c4r4",
        "coolie 15 of Red is in c4r4",
        "truck 16 of Red is in c4r4",
        "SAC 17 of Red is in c8r7",
    )
    empire = position(*facts, "SAC 30 of Blue is in c8r8", "Red has 4 O, 4 food in c4r4")
    found = {(o.units, o.target) for o in reached(empire, "MOVE") if isinstance(o, MoveUnits)}
    leaders = {units[0] for units, _ in found}
    lawful = {
        (number, at)
        for number in leaders
        for at in empire.board.squares
        if granted(do_move, Rehearsal(empire), RED, MoveUnits((number,), at))
    }
    assert {(units[0], at) for units, at in found if len(units) == 1} == lawful
    assert {14, 16, 17} <= leaders
    assert {units for units, _ in found} >= {(14,), (14, 15)}


# ---------------------------------------------------------------- loading, standing, working


def tried(empire: Empire, candidates: Iterable[Deed]) -> set[Deed]:
    """Those of all orders thinkable that can be carried out."""
    return {order for order in candidates if order.lawful(empire, RED)}


YARD = (
    "c8r8 is sea", "cargo ship 14 of Red is in c8r7", "truck 15 of Red is in c8r7", "coolie 16 of Red is in c8r7",
    "coolie 17 of Red is in c8r7", "barge 18 of Red is in c8r7", "barge 19 of Red is in c8r7", "Red has 3 St, 2 food in c8r7",
    "Red has 2 Fe aboard truck 15", "SAC 20 of Red is in c8r7, aboard cargo ship 14",
)  # fmt: skip


def test_the_choices_of_loading_are_all_that_is_lawful_and_nothing_else() -> None:
    empire = position(*YARD)
    loads = {order for order in reached(empire, "LOAD") if isinstance(order, Load) and order.carrier < 900}
    goods = (((Goods(what, exact(n)),), ()) for what in ("St", "food", "Fe", "X") for n in range(1, 6))
    units = (((), group) for group in ((15,), (16,), (16, 17), (18,), (18, 19), (20,), (14,)))
    assert loads == tried(
        empire, (Load(carrier, *part) for part in (*goods, *units) for carrier in (14, 15, 16, 18, 20))
    )
    assert {order.carrier for order in loads} >= {14, 15, 16, 18}


def test_the_choices_of_unloading_and_towing_are_all_that_is_lawful_and_nothing_else() -> None:
    empire = position(*YARD)
    off = (((Goods(what, exact(n)),), ()) for what in ("St", "Fe") for n in range(1, 5))
    unloads = [Unload(carrier, *part) for part in (*off, ((), (20,))) for carrier in (14, 15, 16)]
    assert set(reached(empire, "UNLOAD")) == tried(empire, unloads)
    assert set(reached(empire, "TOW")) == tried(
        empire, (Tow(14, (18,)), Tow(14, (18, 19)), Tow(15, (18,)), Tow(14, (15,)))
    )
    towed = position(*YARD, "barge 18 of Red is in c8r7, aboard cargo ship 14")
    assert set(reached(towed, "CAST OFF")) == {CastOff(14)}


def test_units_are_told_to_stand_only_as_they_may_and_do_not_yet() -> None:
    empire = position(*YARD, "submarine 30 of Red is in c8r8", "Red has 4 O in c4r4")
    found = {order for stance in STANCES for order in reached(empire, stance.words.verb)}
    assert found == {Beach((14,)), Dive((30,)), Beach((18,)), Beach((18, 19))}


def test_the_choices_of_work_are_what_squares_yield_to_who_is_free() -> None:
    fields = ("there is a farm in c8r7", "c8r7 yields double Fe", "Red has 5 food, 1 colony piece in c8r7")
    people = ("coolie 14 of Red is in c8r7", "coolie 15 of Red is in c8r7", "coolie 16 of Red is in c9r9")
    empire = position(*fields, *people, "coolie 15 works Fe in c8r7 as single")
    every = (Develop(unit, kind, grade) for unit in (14, 15, 16) for kind in ("farm", "Fe", "Cu") for grade in range(4))
    lawful = {
        (o.unit, o.kind, o.grade)
        for o in tried(empire, every)
        if isinstance(o, Develop) and (o.grade or o.kind == "farm")
    }
    found = {(o.unit, o.kind, o.grade) for o in reached(empire, "WORK") if isinstance(o, Develop)}
    assert found == lawful - {(14, "farm", 1), (15, "farm", 1)}
    assert set(reached(empire, "ABANDON")) == {Abandon("c8r7", "Fe")}
    assert set(reached(empire, "FOUND")) == {Found(14, "New Red"), Found(15, "New Red")}


def test_who_can_be_armed_as_what_is_found_by_trying() -> None:
    people = ("coolie 14 of Red is in c8r7", "coolie 15 of Red is in c8r7", "SAC 16 of Red is in c8r7")
    empire = position(*people, "Red has 3 SAU, 1 HAU in c8r7")
    groups = ((14,), (14, 15), (16,))
    lawful = tried(empire, (Arm(units, formation) for units in groups for formation in FORMATIONS))
    assert set(reached(empire, "ARM")) == lawful
    assert len(lawful) > 2
    assert set(reached(empire, "DISARM")) == {Disarm((16,))}


def test_nobody_is_told_a_wind_that_is_not_rolled_yet() -> None:
    empire = position("c8r8, c8r9 and c9r9 are sea", "sailboat 14 of Red is in c8r8")
    step = after(GAME.asking(empire, RED, "MOVE", (RollWind(),)), ())
    assert isinstance(step, Step) and "sailboat 14" not in [choice.word for choice in step.choices]
    assert list(reached(empire, "ROLL WIND")) == [RollWind()]


def test_what_can_be_seized_and_plundered_is_found_by_trying() -> None:
    """The coolie of Blue keeps that of Red from its truck and its goods, and not the SAC; a submarine is no prey below."""
    land = (
        "coolie 14 of Red is in c8r7",
        "SAC 15 of Red is in c8r7",
        "truck 30 of Blue is in c8r7",
        "Blue has 2 St in c8r7",
    )
    sea = ("c8r8 is sea", "pirate ship 16 of Red is in c8r8", "SAC 17 of Red is in c8r8, aboard pirate ship 16")
    prey = ("oil tanker 31 of Blue is in c8r8", "submarine 32 of Green is in c8r8, under water")
    for guards in ((), ("coolie 33 of Blue is in c8r7",)):
        empire = position(*land, *sea, *prey, *guards)
        pairs = [(one, other) for one in empire.units for other in empire.units]
        goods = (SeizeGoods((Goods("St", exact(n)),), by, "Blue") for n in (1, 2, 3) for by in empire.units)
        seizures, takings = tried(empire, (Seize(*pair) for pair in pairs)), tried(empire, goods)
        assert set(reached(empire, "SEIZE")) == seizures | takings != set()
        assert {order.by for order in seizures if isinstance(order, Seize)} == ({15} if guards else {14, 15})
        lawful = {pair for pair in pairs if Plunder(*pair).lawful(empire, RED)}
        assert set(reached(empire, "PLUNDER")) == {Plunder(*pair) for pair in lawful}
        assert set(reached(empire, "PLUNDER")) == {Plunder(31, 16)}


# ---------------------------------------------------------------- lines made at random


FACTS = (
    "c8r8, c8r9, c9r8 are sea", "the confidence of Red is 14",
    "Red has a city North in c8r7 with 1 steel mill, 1 small arms works, 1 air works, 1 dock, 1 airport, 1 warehouse",
    "Red has a city Bare in c6r6", "Blue has a city South in c10r7 with 1 steel mill", "there is a farm in c8r7",
    "c8r7 yields double Fe", "a pipeline leads along c8r7, c8r6", "a mountain lies between c8r7 and c9r7",
    "coolie 14 to 18 of Red are in c8r7",
    "coolie 18 works Fe in c8r7 as single", "coolie 19 of Red is in c6r6", "SAC 20 of Red is in c8r7",
    "SAC 21 of Red is in c9r9", "infantry regiment 22 of Red is in c9r9", "truck 23 of Red is in c8r7",
    "cargo ship 24 of Red is in c8r7, on the beach", "cargo ship 25 of Red is in c8r8",
    "coolie 26 of Red is in c8r8, aboard cargo ship 25", "SAC 27 of Red is in c8r8, aboard cargo ship 25",
    "barge 28 to 29 of Red are in c8r7", "submarine 30 of Red is in c8r8", "submarine 31 of Red is in c8r8, under water",
    "cruiser 32 of Red is in c8r9", "fighter 33 to 34 of Red are in c8r7",
    "strategic bomber 35 of Red is in c10r7, in the air", "Red has 1 bomb aboard strategic bomber 35",
    "pirate ship 36 of Red is in c9r8", "SAC 37 of Red is in c9r8, aboard pirate ship 36", "coolie 38 of Red is in c6r9",
    "cargo plane 39 of Red is in c8r7, in the air", "SAC 40 of Red is in c8r7, in the warehouse",
    "barge 41 of Red is in c8r8, aboard cargo ship 25", "coolie 50 of Blue is in c8r7",
    "SAC 51 of Blue is in c9r10", "coolie 55 of Blue is in c9r10",
    "oil tanker 52 of Blue is in c9r8", "truck 53 of Blue is in c9r9", "cruiser 54 of Blue is in c8r9",
    "Red has 6 St, 8 food, 3 X, 4 O, 4 SAU, 2 cmx, 3 t&d, 3 hmx, 6 Bm, 4 delta, 3 beer, 4 Fe, 4 C in c8r7",
    "Red has 2 Al, 2 Rr, 2 Cu in c8r7", "Red has 1 cmx, 4 Bm, 4 food in c6r6", "Red has 1 colony piece in c6r9",
    "Red has 2 Fe aboard cargo ship 24", "Red has 3 food in c9r9", "Blue has 2 St in c9r9",
    "Blue has posted petition 1 for a change", "Blue has offered truck 53 to Red",
    "line 3 of Blue's slot 7 could be read as Move 2 coolies or Move 3 coolies",
)  # fmt: skip
"""A position in which nearly every order can be given."""

SQUARES = ("c8r7", "c6r6", "c8r8", "c8r9", "c9r8", "c9r9", "c9r10", "c10r7", "c4r4", "c8r6", "c9r7")
STORES = ("c8r7", "c6r6", "c9r9", "c4r4")
CITIES = ("North", "Bare", "South", "Red City")
GOODS = ("St", "food", "X", "O", "SAU", "cmx", "Bm", "Fe")
PLANS = ("steel mill", "small arms works", "air works", "dock", "airport", "warehouse", "city")
HOWS = {
    "DOCK": ("cargo ship", "barge"), "BEACH": ("cargo ship", "barge"), "PUT TO SEA": ("cargo ship",), "DIVE": ("sub",),
    "SURFACE": ("sub",), "TAKE OFF": ("fighter",), "LAND": ("cargo plane",), "PATROL": ("fighter",),
    "STORE": ("SAC", "truck"), "BRING OUT": ("SAC",), "TURN PIRATE": ("cargo ship",), "DISARM": ("SAC", "infantry"),
}  # fmt: skip

ELSEWHERE = {
    "PLACE CAPITAL": "before the first turn, see below",
    "PICK": "on the first turns, see below",
    "FEED AS USUAL": "takes back what was said; nothing was",
    "RETREAT AS USUAL": "takes back what was said; nothing was",
    "ROLL WIND": "has nothing to choose", "EXECUTE": "has nothing to choose", "ROLL OUT": "has nothing to choose",
}  # fmt: skip

IDLE = ("BEACH cargo ship 24", "DIVE submarine 31", "STORE SAC 40")
"""Lawful, and nothing comes of it: they are so already."""


def lines(empire: Empire, rng: random.Random) -> Iterator[str]:
    """Lines made at random. Of units alike the first stands for all; those that differ have lines of their own."""
    mine = [[f"{unit.kind} {unit.number}" for unit in same] for same in alike(empire, of_seat(empire, RED))]
    theirs = [f"{unit.kind} {unit.number}" for unit in empire.units.values() if unit.country == "Blue"]

    def a(*of: str) -> str:
        return rng.choice(of)

    def some(*kinds: str) -> str:
        same = rng.choice([names for names in mine if names[0].startswith(kinds)] or mine)
        return ", ".join(same[: rng.randint(1, 2)])

    def my(*kinds: str) -> str:
        return some(*kinds).partition(",")[0]

    def few() -> int:
        return rng.randint(1, 3)

    while True:
        yield f"MOVE {some('')} TO {a(*SQUARES)}"
        yield f"LOAD {a(f'{few()} {a(*GOODS)}', some(''))} ABOARD {my('c', 't', 'S', 'barge')}"
        yield f"UNLOAD {few()} Fe FROM {my('cargo ship')}{a('', ' INTO warehouse')}"
        yield f"DISEMBARK {some('coolie 26', 'SAC')} TO {a(*SQUARES)}"
        yield f"TOW {some('barge')} BEHIND {my('cargo ship')}"
        yield f"CAST OFF {my('cargo ship')}"
        yield f"PUMP {few()} O FROM c8r7 TO {a('c8r6', 'c9r7')}"
        yield from (f"{stance} {some(*kinds)}" for stance, kinds in HOWS.items())
        yield f"WORK {a('farm', 'single Fe', 'double Fe')} WITH {my('coolie')}"
        yield f"ABANDON {a('farm', 'Fe')} IN c8r7"
        yield f"BUILD {a(*PLANS)} WITH {my('coolie')}"
        yield f"BUILD {a('mountain road', 'tunnel', 'canal', 'road')} ALONG c8r7{a('', ', c9r7', ', c8r6')} WITH {my('coolie')}"
        yield f'FOUND "New Red" WITH {my("coolie")}'
        yield f"SCRAP {a(*PLANS)} WITH {my('coolie')}"
        yield f"DESTROY {a(*PLANS)} WITH {my('coolie')}"
        yield f"DESTROY {my('')}"
        yield f"BURN {few()} {a(*GOODS)} IN {a(*STORES)}"
        yield f"RUN {a('steel mill', 'small arms works', 'air works')} IN c8r7 FOR {few()} {a('St', 'SAU', 'fighters')}"
        yield f"CONSUME {few()} beer IN c8r7"
        yield f"APPOINT {my('coolie')}"
        yield f"{a('SUPPRESS', 'ALLOW')} BIRTHS IN {a(*CITIES)}"
        yield f"FEED {a('FIRST', 'LAST')} {a(my(''), 'half the coolies', 'coolies', 'SACs IN c8r7')}"
        yield f"FEED FROM {', '.join(rng.sample(STORES, rng.randint(1, 2)))}"
        yield f"SPARE FOOD IN {a(*STORES)}"
        yield f"ARM {some('coolie', 'SAC')} AS {a('SAC', 'infantry regiment')}"
        yield f"ATTACK {a('c9r10', 'c10r7')} WITH {my('SAC', 'infantry')} {a('KILLING', 'CAPTURING')} coolies"
        yield f"RETREAT TO {a(*CITIES)}"
        yield f"ENGAGE {a('c8r9', 'c9r8')} WITH {my('cruiser', 'submarine')}"
        yield f"BOMB {a(*PLANS)} IN c10r7 WITH {my('strategic bomber')}"
        yield f"SCRAMBLE {a('ALWAYS', 'NEVER')}{a('', ' IN c8r7')}"
        yield f"PLUNDER {a(*theirs)} WITH {my('pirate ship')}"
        yield f"GIVE {a(some(''), 'Red')} TO {a('Blue', 'Green')}"
        yield f"GIVE {few()} {a(*GOODS)} TO {a('Blue', 'Green')} IN {a(*STORES)}"
        yield f"ACCEPT {few()}"
        yield f"SEIZE {a(*theirs, '2 St OF Blue')} WITH {my('SAC', 'infantry', 'coolie')}"
        yield f"EXCHANGE {a('1', '3', 'all')} TO {a('Blue', 'Green')}"
        yield f"TREAT {a('Blue', 'Green')} AS {a('hostile', 'friendly')}"
        yield f'BALKANIZE "New Red" WITH {a("North", "Bare", my(""))} UNDER {my("coolie")}'
        yield f"PETITION FOR {a('end', 'change OF combat TO mild', 'change OF goods TO modest')}"
        yield f"SUSPEND FOR {rng.randint(1, 400)} hours"
        yield f"INTERPRET LINE 3 OF 7 AS {few()}"
        yield f"VOTE {a('yes', 'no', 'quorum')} ON {few()}"


def chosen(empire: Empire, intent: Intent) -> bool:
    """Whether an order can be chosen, or one that does the same: the coolies of a square without any are no question."""
    order = bare(intent)
    if isinstance(order, Attack) and not any(unit.kind == "coolie" for unit in empire.units_at(order.at)):
        order = order.but(coolies="capturing")
    return is_for_later(empire, order) or can_be_chosen(GAME, empire, RED, order)


def is_for_later(empire: Empire, order: Intent) -> bool:
    """Whether a word that holds from now on is about a place where there is nothing yet that it decides on: it may be written,
    and no list of choices has every square.
    """
    mine, cities = of_seat(empire, RED), [city.at for city in empire.cities.values() if city.country == "Red"]
    match order:
        case FeedFrom(places=places) | SpareFood(places=places):
            return any("food" not in empire.stock("Red", at) for at in places)
        case FeedFirst(mouths=row) | FeedLast(mouths=row):
            return any(who.at and (who.kind, who.at) not in [(unit.kind, unit.at) for unit in mine] for who in row)
        case ScrambleAlways(at=at) | ScrambleNever(at=at):
            return at not in ("", *cities, *(unit.at for unit in mine if unit.kind == "fighter"))
        case Retreat(to=to):
            return to not in cities and all(empire.board.grid.apart(unit.at, to) > 1 for unit in mine)
    return False


@pytest.mark.parametrize(
    ("number", "draws", "over"), [(3, 500, 1), pytest.param(20_000, 900_000, 24, id="many", marks=pytest.mark.slow)]
)
def test_lawful_lines_made_at_random_can_be_chosen(number: int, draws: int, over: int) -> None:
    """In the position, and in many of which some facts do not hold until there were so many lawful lines."""
    rng, nothing = random.Random(43), stage({"fiat": "none", "last_turn": "20"})

    def scenes() -> Iterator[Scene]:
        for scene in range(400):
            empire = nothing
            for fact in FACTS:
                with suppress(ValueError):  # aboard what is not there now
                    empire = empire if scene and rng.random() < 0.1 else given(empire, fact)
            yield empire, lines(empire, rng), draws

    verbs = {verb.word for verb in GAME.vocabulary(nothing).verbs} - set(ELSEWHERE)
    missing = out_of_reach(GAME, RED, scenes(), verbs, number, over, chosen)
    assert [line for line in missing if line not in IDLE] == []


def test_every_free_square_is_offered_for_a_capital_the_natural_starts_first() -> None:
    empire = given(stage({"fiat": "none"}), "the capitals are still to be placed")
    for line in ('PLACE CAPITAL c9r9 NAMED "Red City"', 'PLACE CAPITAL c20r3, c4r4 NAMED "Red City"'):
        intent = lawful(GAME, empire, RED, line)
        assert intent is not None and can_be_chosen(GAME, empire, RED, intent), line
