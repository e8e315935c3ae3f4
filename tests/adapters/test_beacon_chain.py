"""Which round is made when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from referee.adapters.beacon.rounds import Chain

GENESIS = datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
CHAIN = Chain("drand quicknet", "52db", 3, 1692803367)
TICK = timedelta(microseconds=1)


def test_the_first_round_is_made_at_the_genesis_and_one_every_period() -> None:
    assert CHAIN.time_of(1) == GENESIS
    assert CHAIN.time_of(1000) == GENESIS + timedelta(seconds=2997)
    assert CHAIN.time_of(1).utcoffset() == timedelta()


@pytest.mark.parametrize(
    ("since", "round"),
    [
        (timedelta(days=-1), 1),
        (-TICK, 1),
        (timedelta(), 2),
        (TICK, 2),
        (timedelta(seconds=3) - TICK, 2),
        (timedelta(seconds=3), 3),
        (timedelta(days=365), 10512002),
    ],
)
def test_the_round_after_a_moment_is_the_first_that_nobody_can_know_then(since: timedelta, round: int) -> None:
    moment = GENESIS + since
    assert CHAIN.round_after(moment) == round
    assert CHAIN.time_of(round) > moment
    assert round == 1 or CHAIN.time_of(round - 1) <= moment


def test_a_moment_of_another_zone_is_the_same_moment() -> None:
    assert CHAIN.round_after(GENESIS.astimezone(timezone(timedelta(hours=9)))) == 2


@pytest.mark.parametrize("round", [0, -1, 10**12, 1 << 64])
def test_a_round_that_is_never_made_has_no_time(round: int) -> None:
    with pytest.raises(ValueError, match="round"):
        CHAIN.time_of(round)
