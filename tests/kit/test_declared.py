"""Scripts that ask for an order, and what of them is remembered with a position."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from referee.core.choices import Picked, Step, after
from referee.core.names import Seat
from referee.games.newworld.orders import BOOK
from referee.kit.declared import at_random, once_a_position
from tests.games.newworld.test_choices import rich

FRANCE = Seat("France")


@pytest.mark.parametrize("verb", ["RESEARCH", "BUY", "ATTACK", "OFFER"])
def test_who_asks_for_a_step_is_told_the_same_whoever_asked_before(verb: str) -> None:
    """Several go through an order in turn, each his own way; the script goes on for one, and anew for the next."""
    world, choices = rich(random.Random(3)), BOOK.orders[verb].choices
    ways: list[tuple[random.Random, list[Picked]]] = [(random.Random(seed), []) for seed in range(12)]
    ended = 0
    while ways:
        rng, so_far = ways.pop(0)
        step = after(choices(world, FRANCE), so_far)
        assert step == after(choices(replace(world), FRANCE), so_far)
        if isinstance(step, Step):
            so_far.append(at_random(rng.randrange)(step))
            ways.append((rng, so_far))
        else:
            ended += step is not None
    assert ended == 12


def test_threads_that_ask_of_many_positions_at_the_same_time_have_each_its_own_answer() -> None:
    @once_a_position(8)
    def doubled(position: list[int]) -> list[int]:
        return [2 * each for each in position]

    positions = [[number] for number in range(12)]

    def asks(first: int) -> None:
        for at in range(first, first + 20_000):
            position = positions[at % len(positions)]
            assert doubled(position) == [2 * position[0]]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(asks, range(4))) == [None] * 4
    finally:
        sys.setswitchinterval(before)
