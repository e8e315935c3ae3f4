"""Which round is made when, and the search for rounds: whom it asks, what it believes, what it forgets. No thread, no network."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from referee.adapters.beacon.rounds import KEPT, SOUGHT, Chain, Claim, NoAnswer, NotYet, Patience, Search
from tests.standins import FakeClock

GENESIS = datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
CHAIN = Chain("drand quicknet", "52db", 3, int(GENESIS.timestamp()))
PATIENCE = Patience(timedelta(seconds=1), timedelta(seconds=8), timedelta(seconds=60))


def true(round: int) -> bytes:
    """What passes for a true signature here."""
    return b"signed %d" % round


class Told:
    """A source that says what it is told to; a round's true signature as long as it is told nothing."""

    def __init__(self, url: str = "one") -> None:
        self.url = url
        self.asked: list[int] = []
        self.says: Claim | Exception | None = None
        self.meanwhile: Callable[[], object] = lambda: None

    def ask(self, chain: str, round: int) -> Claim:
        """What it was told to say."""
        assert chain == CHAIN.hash
        self.asked.append(round)
        self.meanwhile()
        if isinstance(self.says, Exception):
            raise self.says
        return self.says or Claim(round, true(round))

    def hang_up(self) -> None:
        """It hears that nobody listens any more."""
        self.says = NoAnswer("hung up")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(GENESIS)


@pytest.fixture
def one() -> Told:
    return Told("one")


@pytest.fixture
def two() -> Told:
    return Told("two")


@pytest.fixture
def heard() -> list[datetime]:
    return []


@pytest.fixture
def search(clock: FakeClock, one: Told, two: Told, heard: list[datetime]) -> Search:
    def signed(round: int, signature: bytes) -> bool:
        return signature == true(round)

    return Search(CHAIN, (one, two), clock, signed, lambda: heard.append(clock.now()), PATIENCE)


def passing(search: Search, clock: FakeClock) -> float:
    """Look, and wait for as long as it says; how long that was."""
    seconds = search.look()
    assert seconds is not None
    clock.advance(timedelta(seconds=seconds))
    return seconds


def test_where_nothing_is_sought_nobody_is_asked(search: Search, one: Told) -> None:
    assert search.look() is None
    assert one.asked == []


def test_a_round_is_asked_for_at_its_time_and_not_before(search: Search, one: Told, clock: FakeClock) -> None:
    search.seek(21)
    assert passing(search, clock) == 60
    assert one.asked == [] and search.found(21) is None
    assert search.look() is None
    assert one.asked == [21] and search.found(21) == true(21)


def test_whoever_waits_hears_of_each_round_that_was_found(search: Search, heard: list[datetime]) -> None:
    search.seek(1)
    search.look()
    assert heard == [GENESIS]


def test_to_seek_asks_nobody(search: Search, one: Told) -> None:
    search.seek(1)
    assert one.asked == []


def test_to_seek_again_hastens_nothing(search: Search, one: Told, two: Told, clock: FakeClock) -> None:
    one.says = two.says = NotYet("later")
    search.seek(1)
    assert passing(search, clock) == 1
    assert passing(search, clock) == 2
    search.seek(1)
    clock.advance(timedelta(seconds=-1))
    assert search.look() == 1
    assert one.asked == [1, 1]


def test_what_was_found_is_not_sought_again(search: Search, one: Told) -> None:
    search.seek(1)
    search.look()
    search.seek(1)
    assert search.look() is None
    assert one.asked == [1]


def test_a_round_that_is_not_there_is_asked_for_again_ever_more_seldom(
    search: Search, one: Told, two: Told, clock: FakeClock
) -> None:
    one.says = two.says = NotYet("later")
    search.seek(1)
    assert [passing(search, clock) for _ in range(6)] == [1, 2, 4, 8, 8, 8]
    assert len(one.asked) == len(two.asked) == 6
    two.says = None
    assert search.look() is None
    assert search.found(1) == true(1)


def test_a_round_that_is_not_to_be_had_is_given_up_and_may_be_sought_again(
    search: Search, one: Told, two: Told, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    one.says = two.says = NotYet("later")
    search.seek(1)
    while search.look() is not None:
        passing(search, clock)
    assert timedelta(seconds=60) <= clock.now() - GENESIS <= timedelta(seconds=68)
    assert "round 1 of drand quicknet is given up" in caplog.text
    one.says = None
    search.seek(1)
    search.look()
    assert search.found(1) == true(1)


def test_patience_counts_from_the_time_of_the_round(search: Search, one: Told, two: Told, clock: FakeClock) -> None:
    one.says = two.says = NotYet("later")
    search.seek(1001)
    assert passing(search, clock) == 3000
    assert passing(search, clock) == 1


@pytest.mark.parametrize(
    "lie",
    [
        Claim(2, true(2)),
        Claim(2, true(1)),
        Claim(1, true(2)),
        Claim(1, b""),
        NoAnswer("garbage"),
    ],
    ids=["another round", "another number", "another round's signature", "nothing", "garbage"],
)
def test_who_lies_is_passed_over_and_the_log_says_so_once(
    search: Search, one: Told, two: Told, clock: FakeClock, caplog: pytest.LogCaptureFixture, lie: Claim | Exception
) -> None:
    one.says, two.says = lie, NotYet("later")
    search.seek(1)
    for _ in range(3):
        passing(search, clock)
    two.says = None
    assert search.look() is None
    assert search.found(1) == true(1)
    assert len(one.asked) == 3 and len(two.asked) == 4, "he comes last, and by then the other had it"
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "relay one is asked after all others" in caplog.text


def test_who_was_passed_over_has_his_place_again_once_he_is_right(
    search: Search, one: Told, two: Told, clock: FakeClock
) -> None:
    clock.advance(timedelta(hours=1))

    def sought(round: int) -> None:
        search.seek(round)
        search.look()
        assert search.found(round) == true(round)

    one.says = NoAnswer("away")
    sought(1)
    one.says, two.says = None, NotYet("later")
    sought(2)
    sought(3)
    assert (one.asked, two.asked) == ([1, 2, 3], [1, 2])


def test_only_the_rounds_found_last_are_kept(search: Search, clock: FakeClock) -> None:
    clock.advance(timedelta(hours=1))
    for round in range(1, KEPT + 3):
        search.seek(round)
    search.look()
    assert [round for round in range(1, KEPT + 3) if search.found(round) is None] == [1, 2]
    search.seek(1)
    search.look()
    assert search.found(1) == true(1) and search.found(3) is None


def test_no_more_are_sought_than_can_be(search: Search, clock: FakeClock, one: Told) -> None:
    for round in range(1, SOUGHT + 2):
        search.seek(round)
    clock.advance(timedelta(days=1))
    search.look()
    assert len(one.asked) == SOUGHT and 1 not in one.asked


@pytest.mark.parametrize("round", [0, -3, 1 << 64])
def test_a_round_that_is_never_made_is_not_sought(search: Search, round: int) -> None:
    with pytest.raises(ValueError, match="round"):
        search.seek(round)
    assert search.look() is None


def test_a_bell_that_breaks_keeps_no_other_round_back(
    one: Told, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks() -> None:
        raise RuntimeError("no bell")

    search = Search(CHAIN, (one,), clock, lambda round, signature: True, breaks, PATIENCE)
    clock.advance(timedelta(hours=1))
    search.seek(1)
    search.seek(2)
    assert search.look() is None
    assert search.found(1) and search.found(2)
    assert "nobody could be told" in caplog.text


def test_once_ended_nobody_is_asked_and_nothing_is_held_against_him(
    search: Search, one: Told, two: Told, caplog: pytest.LogCaptureFixture
) -> None:
    one.meanwhile = search.end
    one.says = NoAnswer("hung up")
    search.seek(1)
    search.look()
    search.look()
    assert one.asked == [1] and two.asked == []
    assert caplog.text == ""


# ---------------------------------------------------------------- which round is made when


QUICKNET = Chain("drand quicknet", "52db", 3, 1692803367)
TICK = timedelta(microseconds=1)


def test_the_first_round_is_made_at_the_genesis_and_one_every_period() -> None:
    assert QUICKNET.time_of(1) == GENESIS
    assert QUICKNET.time_of(1000) == GENESIS + timedelta(seconds=2997)
    assert QUICKNET.time_of(1).utcoffset() == timedelta()


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
    assert QUICKNET.round_after(moment) == round
    assert QUICKNET.time_of(round) > moment
    assert round == 1 or QUICKNET.time_of(round - 1) <= moment


def test_a_moment_of_another_zone_is_the_same_moment() -> None:
    assert QUICKNET.round_after(GENESIS.astimezone(timezone(timedelta(hours=9)))) == 2


@pytest.mark.parametrize("round", [0, -1, 10**12, 1 << 64])
def test_a_round_that_is_never_made_has_no_time(round: int) -> None:
    with pytest.raises(ValueError, match="round"):
        QUICKNET.time_of(round)
