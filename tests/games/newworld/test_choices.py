"""Whatever a player may write, he can choose step by step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import CARDS, COLONIES, RESOURCES, TECHNOLOGIES
from tests.contract.choosing import can_be_chosen, lawful
from tests.games.newworld.bots import GAME, options
from tests.games.newworld.staging import stage

FRANCE = Seat("France")


def rich() -> World:
    """A position in which everybody has some of everything."""
    world = stage(options())
    for seat in world.order:
        world = world.gaining(seat, dict.fromkeys(RESOURCES, 20)).mustering(seat, 3, dict.fromkeys(COLONIES, 2))
    return replace(world, active=FRANCE)


def lines(rng: random.Random) -> Iterator[str]:
    """Lines made at random."""

    def goods() -> str:
        return ", ".join(f"{rng.randint(2, 9)} {name}" for name in rng.sample(RESOURCES, rng.randint(1, 3)))

    def wishes() -> str:
        cards = rng.sample(CARDS, rng.randint(2, 4))
        last = cards[-1]
        some = (last.name, f"any YIELDING {last.amount} {last.resource}", f"any IN {last.region}", "any")
        return ", ".join((*(card.name for card in cards[:-1]), rng.choice(some)))

    while True:
        yield f"OFFER {goods()} TO Spain{rng.choice(('', f' FOR {goods()}'))}"
        yield f"COLONIZE {wishes()}"
        yield f"RESEARCH {', '.join(rng.sample(TECHNOLOGIES, rng.randint(1, 3)))}{rng.choice((', any', ''))}"
        yield f"BUY {', '.join(f'{rng.randint(1, 2)} {name}' for name in rng.sample(('food', 'cloth', 'wood'), rng.randint(1, 2)))}"
        yield f"HIRE {rng.randint(1, 4)} workers"
        yield f"MOVE {rng.randint(1, 2)} armies FROM {rng.choice(COLONIES)} TO {rng.choice(COLONIES)}"
        yield f"ROB {rng.choice(('Spain', 'England'))}"


def test_lawful_lines_made_at_random_can_be_chosen() -> None:
    world, made, missing = rich(), Counter[str](), list[str]()
    for _, line in zip(range(200), lines(random.Random(43)), strict=False):
        intent = lawful(GAME, world, FRANCE, line)
        if intent is not None:
            made[line.split()[0]] += 1
            missing += [] if can_be_chosen(GAME, world, FRANCE, intent) else [line]
    assert min(made[verb] for verb in ("OFFER", "COLONIZE", "RESEARCH", "BUY", "HIRE", "MOVE", "ROB")) > 5, made
    assert missing == []
