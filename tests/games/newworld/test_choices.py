"""Whatever a player may write, he can choose step by step."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import reduce

import pytest
from msgspec.structs import replace

from referee.core.choices import Step, after
from referee.core.names import Seat
from referee.games.newworld.game import GAME
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import CARDS, COLONIES, RESOURCES, TECHNOLOGIES
from tests.contract.choosing import out_of_reach
from tests.games.newworld.bots import options
from tests.games.newworld.staging import given, stage

FRANCE = Seat("France")
_RICHES = ((RESOURCES, (9, 20)), (COLONIES, (1, 3)))


def rich(rng: random.Random) -> World:
    """A position in which everybody has some of everything."""
    world = stage(options())
    for seat in world.order:
        stock, armies = ({name: rng.randint(*few) for name in names} for names, few in _RICHES)
        world = world.gaining(seat, stock, rng.randint(2, 4), armies)
    facts = """Spain holds Furs in Canada; Spain holds Ore of England; France has Transportation 3
        Spain offers 2 gold to France for 1 food; France offers 1 wood to Spain for 1 food"""
    world = reduce(given, re.split(r"; |\n +", facts), world)
    return replace(world, active=FRANCE)


def lines(rng: random.Random) -> Iterator[str]:
    """Lines made at random."""

    def a(*of: str) -> str:
        return rng.choice(of)

    def to(most: int) -> str:
        return str(rng.randint(1, most))

    def goods() -> str:
        return ", ".join(f"{rng.randint(2, 9)} {name}" for name in rng.sample(RESOURCES, rng.randint(1, 3)))

    def wishes() -> str:
        cards = rng.sample(CARDS, rng.randint(1, 4))
        last = cards[-1]
        some = (last.name, f"any YIELDING {last.amount} {last.resource}", f"any IN {last.region}", "any")
        return ", ".join((*(a("", "2 ") + card.name for card in cards[:-1]), a("", "", "1 ") + a(*some)))

    def kept(*of: str) -> str:
        return a(
            "",
            f" KEEPING {', '.join(f'{rng.randint(0, 4)} {name}' for name in rng.sample(of, rng.randint(1, len(of))))}",
        )

    def units() -> str:
        return ", ".join(rng.sample(("fleets", f"armies FROM {a(*COLONIES)}"), rng.randint(1, 2)))

    while True:
        yield f"OFFER {goods()} TO Spain{a('', f' FOR {goods()}')}"
        yield f"COLONIZE {wishes()}"
        named = ", ".join(a("", "2 ") + name for name in rng.sample((*TECHNOLOGIES, "any"), rng.randint(1, 3)))
        yield f"RESEARCH {named}{kept('gold')}"
        bought = ", ".join(f"{to(2)} {name}" for name in rng.sample(("food", "cloth", "wood"), rng.randint(1, 2)))
        yield f"BUY {bought}{kept('gold')}"
        yield f"HIRE {a(to(4), 'all')} workers{kept('food', 'cloth')}"
        yield f"BUILD {to(2)} fleets{kept('wood', 'gold')}"
        yield f"RAISE {to(2)} armies{kept('metal', 'horses')}"
        yield f"MOVE {a(to(2), 'all')} armies FROM {a(*COLONIES)} TO {a(*COLONIES)}"
        force, unless = a("", " WITH 0 fleets", " WITH 1 fleet", " WITH all fleets"), a("", " UNLESS outnumbered")
        home = f" FOR {a('Ore', 'any')} OF {a('Spain', 'England')}"
        yield f"ATTACK Spain IN {a('Canada', 'Europe')}{a('', ' FOR Ore', ' FOR any', ' FOR Furs', home)}{force}{unless}"
        yield f"{a('DISCARD', 'LOSE')} {units()}"
        yield f"ROB {a('Spain', 'England')}"
        yield f"{a('ACCEPT', 'DECLINE', 'WITHDRAW')} {to(2)}"


def test_a_limit_to_a_wish_is_one_at_least() -> None:
    """None at all would be read as a wish without a limit."""
    step = after(GAME.asking(stage(options()), FRANCE, "COLONIZE"), [("any",), ("any",)])
    assert isinstance(step, Step) and (step.counts, step.least) == ("any", 1)


@pytest.mark.parametrize(
    ("number", "draws", "over"), [(4, 150, 1), pytest.param(20_000, 60_000, 24, id="many", marks=pytest.mark.slow)]
)
def test_lawful_lines_made_at_random_can_be_chosen(number: int, draws: int, over: int) -> None:
    rng = random.Random(43)
    scenes = ((rich(rng), lines(rng), draws) for _ in range(100))
    verbs = {verb.word for verb in GAME.vocabulary(rich(rng)).verbs}
    assert out_of_reach(GAME, FRANCE, scenes, verbs, number, over) == []
