"""Whatever a player of Empire may write, he can choose step by step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import islice

from referee.core.names import Seat
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders.units import alike, of_seat
from referee.games.empire.position.state import Empire
from tests.contract.choosing import can_be_chosen, lawful
from tests.games.empire.staging import given, stage

RED = Seat("Red")
GAME = EmpireGame()

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
STANCES = {
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
        same = rng.choice([names for names in mine if names[0].startswith(kinds)])
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
        yield from (f"{stance} {some(*kinds)}" for stance, kinds in STANCES.items())
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


def test_lawful_lines_made_at_random_can_be_chosen() -> None:
    empire = reduce(given, FACTS, stage({"fiat": "none", "last_turn": "20"}))
    made, missing = Counter[str](), list[str]()
    for line in dict.fromkeys(islice(lines(empire, random.Random(43)), 2_000)):
        intent = lawful(GAME, empire, RED, line)
        if intent is not None:
            made[GAME.book.verb_of(intent)] += 1
            missing += [] if line in IDLE or can_be_chosen(GAME, empire, RED, intent) else [line]
    assert missing == []
    assert {verb.word for verb in GAME.vocabulary(empire).verbs} - set(made) == set(ELSEWHERE)


def test_every_free_square_is_offered_for_a_capital_the_natural_starts_first() -> None:
    empire = given(stage({"fiat": "none"}), "the capitals are still to be placed")
    for line in ('PLACE CAPITAL c9r9 NAMED "Red City"', 'PLACE CAPITAL c20r3, c4r4 NAMED "Red City"'):
        intent = lawful(GAME, empire, RED, line)
        assert intent is not None and can_be_chosen(GAME, empire, RED, intent), line
