"""A match whose log was written in a former form is played on: each class says how it was written formerly."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import msgspec
import pytest

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.older_data import Fields
from referee.core.order import Under
from referee.core.position import Unfoldable
from referee.core.question import Orders
from referee.core.record import Codec, Happened, Record
from tests.match import Match, create, secret_of
from tests.toy import TOY, Bid, PrizeShown, PrizeWon
from tests.toy.game import Toy

SECRET = secret_of("former")
ANN = Seat("Ann")


def _prize_gained(was: Fields) -> Fields:
    """It was written `by` whom it was gained, and `for` how much."""
    return {"seat": was["by"], "paid": was["for"], "coins": was["coins"]}


def _in_pence(was: Fields) -> Fields:
    """Bids were counted in pence."""
    return {"coins": was["pence"] // 100}


class BidToday(Bid, frozen=True, tag="Bid"):
    """A bid, which had no coins but pence once."""

    formerly: ClassVar[Any] = {"Bid": _in_pence}


class Won(PrizeWon, frozen=True, tag="PrizeWon"):
    """The prize was gained once, and is won today."""

    formerly: ClassVar[Any] = {"PrizeGained": _prize_gained}


class Today(Toy):
    """The game as it is today."""

    events = tuple(Won if event is PrizeWon else event for event in Toy.events)


def finished() -> Match:
    """A match that bots played, with the toy as it is."""
    match = Match(TOY, create(TOY, 3, {}, SECRET), SECRET)
    pick = random.Random(7).randrange
    while not match.outcome.over:
        question = match.outcome.open[0]
        match.answer(question, question.menu.sample(pick))
    return match


def as_formerly(record: Record) -> Record:
    """The record as an older program wrote it."""
    if isinstance(record, Happened) and b'"PrizeWon"' in bytes(record.event):
        was = msgspec.json.decode(record.event)
        old = {"type": "PrizeGained", "by": was["seat"], "for": was["paid"], "coins": was["coins"]}
        return Happened(msgspec.Raw(msgspec.json.encode(old)))
    return record


def test_a_match_is_folded_from_a_log_in_a_former_form() -> None:
    played = finished()
    old = [as_formerly(record) for record in played.records]
    assert old != played.records
    with pytest.raises(Unfoldable, match="PrizeGained"):
        Match(TOY, played.created, SECRET, records=old)
    again = Match(Today(), played.created, SECRET, records=old)
    assert again.outcome.over and again.outcome.state == played.outcome.state
    won = [event for event in again.events if isinstance(event, PrizeWon)]
    assert [(w.seat, w.paid, w.coins) for w in won] == [
        (w.seat, w.paid, w.coins) for w in played.events if isinstance(w, PrizeWon)
    ]


CODEC = Codec((Won, PrizeShown), (BidToday,))


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ('{"type":"PrizeGained","by":"Ann","for":2,"coins":5}', Won(ANN, 2, 5)),
        ('{"type":"PrizeWon","seat":"Ann","paid":2,"coins":5}', Won(ANN, 2, 5)),
        ('{"type":"PrizeShown","coins":5}', PrizeShown(5)),
    ],
)
def test_an_event_is_read_in_each_form_it_ever_had(text: str, means: Event) -> None:
    assert CODEC.event(msgspec.Raw(text.encode())) == means


@pytest.mark.parametrize("text", ['{"type":"PrizeLost"}', '{"type":"PrizeWon","seat":"Ann"}', "[]", "7"])
def test_what_was_never_a_form_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        CODEC.event(msgspec.Raw(text.encode()))


def test_an_order_on_file_and_one_under_an_if_are_read_in_their_former_form() -> None:
    assert CODEC.intent(msgspec.Raw(b'{"type":"Bid","pence":300}')) == BidToday(3)
    menu = Orders(("BID",), BidToday, lambda pick: ())
    sheet = b'[{"type":"Under","hinges":[],"order":{"type":"Bid","pence":300}},{"type":"Bid","coins":4}]'
    assert menu.decode(sheet) == (Under((), BidToday(3)), BidToday(4))
