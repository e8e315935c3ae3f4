"""What a reader knows: two histories that differ only in what he was not told are one to him."""

from __future__ import annotations

from collections import defaultdict

import msgspec
import pytest

from referee.core.event import Drawn
from referee.core.names import Reader, Role, Seat
from referee.core.position import knowledge, told
from referee.core.stage import Unsealed
from tests.match import Match, create, secret_of
from tests.toy import TOY, Bid, BidMade, CardTaken, Toss

ANN, BOB, CYD = Seat("Ann"), Seat("Bob"), Seat("Cyd")
SECRET = secret_of("knowledge")


def played(anns_card: int, bobs_bid: int, copper: int) -> Match:
    """A round that Ann wins; what differs is her first card, Bob's losing bid and a copper she tossed."""
    dice = [anns_card, 1, 1, 6, 5, copper, 1, 2]
    log = Match(TOY, create(TOY, 3, {"challenges": "no"}, SECRET), SECRET, dice=Unsealed(_Faces(dice)))
    log.act(ANN, Toss())
    for seat, coins in ((ANN, 9), (BOB, bobs_bid), (CYD, 0)):
        log.answer(log.open(f"{seat}/orders"), (Bid(coins),))
    log.answer(log.open("Ann/burn"), ())
    return log


class _Faces:
    """Dice by phase: the deal takes the first three, rounds begin at the fourth. What is asked for again is the same."""

    def __init__(self, faces: list[int]) -> None:
        self._left = defaultdict(lambda: iter(faces[3:]), deal=iter(faces[:3]))
        self._given = dict[tuple[str, int], int]()

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        if (purpose, index) not in self._given:
            self._given[purpose, index] = next(self._left[purpose.partition("/")[0]])
        return self._given[purpose, index]


def letter(log: Match, reader: Reader) -> tuple[bytes, bytes]:
    """Page and record sheets as bytes."""
    events = log.events
    state = knowledge(TOY, log.created.seats, log.created.options, events, reader)
    mine = told(events, reader)
    return (
        msgspec.json.encode(TOY.report(state, mine, state, reader)),
        msgspec.json.encode(TOY.sheets(mine, state, reader)),
    )


def test_hidden_facts_change_nothing_for_those_they_are_hidden_from() -> None:
    one, other = played(1, 3, 1), played(10, 7, 2)
    assert one.log() != other.log()
    for reader in (CYD, Role.OBSERVER):
        assert letter(one, reader) == letter(other, reader)
    for reader in (ANN, BOB, Role.REFEREE):
        assert letter(one, reader) != letter(other, reader)


@pytest.mark.parametrize("changed", [(10, 3, 1), (1, 3, 2)])
def test_only_ann_learns_of_her_card_and_her_copper(changed: tuple[int, int, int]) -> None:
    one, other = played(1, 3, 1), played(*changed)
    assert letter(one, ANN) != letter(other, ANN)
    for reader in (BOB, CYD, Role.OBSERVER):
        assert letter(one, reader) == letter(other, reader)


def test_the_referee_knows_the_state() -> None:
    log = played(1, 3, 1)
    assert knowledge(TOY, log.created.seats, log.created.options, log.events, Role.REFEREE) == log.outcome.state
    assert told(log.events, Role.REFEREE) == log.events


def test_others_know_that_a_card_was_taken_but_not_which() -> None:
    log = played(10, 3, 1)
    state = knowledge(TOY, log.created.seats, log.created.options, log.events, CYD)
    assert state.purses[ANN].cards == ("hidden", "hidden")
    assert state.purses[CYD].cards == log.outcome.state.purses[CYD].cards
    assert state.purses[ANN].coins == log.outcome.state.purses[ANN].coins
    assert CardTaken(ANN, "hidden") in told(log.events, CYD)
    assert not [event for event in told(log.events, CYD) if isinstance(event, Drawn) and event.seen_by != (CYD,)]


def test_a_bid_is_told_to_its_bidder_alone() -> None:
    log = played(1, 3, 1)
    for reader in (ANN, BOB, CYD, Role.OBSERVER):
        bids = [event for event in told(log.events, reader) if isinstance(event, BidMade)]
        assert [event.seat for event in bids] == ([reader] if isinstance(reader, str) else [])
