"""What may be forgotten of an order, put in on purpose: it cannot be, or the suite finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from referee.core.choices import Asking, Pick, number
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, Order, Thing
from referee.core.question import Orders, Question
from referee.core.table import Table
from referee.kit.declared import Book, Declared
from referee.kit.fields import HowMany, exact
from tests.contract import test_choices, test_secrecy, test_words
from tests.contract.bots import GameRecord, plans, play_bots
from tests.contract.conftest import Asked
from tests.small.lode.game import MOST, Dig, Field, Lend, Lode, Sell, coins_of
from tests.toy import Challenge, Standoff, Toy

Played = tuple[GameRecord, ...]
SINGULARS = {("work", "shafts"): "shaft", ("money", "coins"): "coin"}


def play(game: Any, games: int = 6) -> Played:
    return tuple(play_bots(game, plan.players, dict(plan.options), plan.seed) for plan in plans(game, games))


def asked(played: Played) -> tuple[Asked, ...]:
    every = [(record, *pair) for record in played for pair in record.asked if pair[0].wants_orders]
    return tuple((number, *each) for number, each in enumerate(every))


# ---------------------------------------------------------------- impossible


class DigsTwice(Dig, frozen=True):
    """Another order under the same verb."""


class DigsDeep(Declared[Field], frozen=True):
    """An order with a value that no field declares."""

    shafts: int
    deep: bool = False

    words, fields, says, phase = Dig.words, Dig.fields, Dig.says, Dig.phase


@pytest.mark.parametrize("orders", [(Dig, DigsTwice), (DigsDeep,)], ids=["two orders, one verb", "a field undeclared"])
def test_a_table_that_is_wrong_is_not_made(orders: tuple[type[Declared[Field]], ...]) -> None:
    with pytest.raises(TypeError):
        Book(orders, SINGULARS)


# ---------------------------------------------------------------- found


class LeftOutOfItsPhase(Lode):
    """Nobody carries SELL out."""

    def _play(self, table: Table[Field]) -> Any:
        for answer in (yield from table.ask_all([self._orders(table, seat) for seat in table.state.miners])):
            for order in (intent for intent in answer.value if isinstance(intent, Dig)):
                order.do(table, next(iter(table.state.miners)))
        table.emit(self.events[0](1))


class LeftOutOfTheSheet(Lode):
    """SELL is no order that the sheet takes."""

    def _orders(self, table: Table[Field], seat: Seat) -> Question[tuple[Intent, ...]]:
        question = super()._orders(table, seat)
        question.menu = Orders(("DIG",), Dig, lambda pick: self.suggested(table.state, seat, ("DIG",), pick))
        return question

    def suggested(self, field: Field, seat: Seat, verbs: Sequence[str], pick: Pick) -> tuple[Intent, ...]:
        return tuple(self.book.suggest(self.ahead(field, seat), seat, verbs, pick))


class LeftOutOfTheBots(Lode):
    """Random players never sell."""

    def _suggest(self, field: Field, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
        return tuple(self.book.suggest(self.ahead(field, seat), seat, ("DIG",), pick))


class LeftOutOfTheVocabulary(Lode):
    """The noun that SELL needs is missing."""

    def nouns(self, field: Field) -> Any:
        return tuple(noun for noun in super().nouns(field) if noun.name != "ore")


class LeftOutOfTheForecast(Lode):
    """The forecast believes that nothing is ever dug."""

    def doubts(self, field: Field, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        return tuple(Doubt("It is too dark.", "lode.dig", True) for order in sheet if isinstance(order, Dig))


class _OneLess(HowMany):
    """Writes one shaft less than it means."""

    def things(self, value: int, state: Any) -> tuple[Thing, ...]:
        return (Thing("work", "shafts", exact(max(0, value - 1))),)


class DigUnread(Dig, frozen=True, tag="Dig"):
    """Its line does not say what it is."""

    fields = (_OneLess("shafts", "shafts", "work", held=lambda *_: MOST, rule="lode.dig"),)


class WrittenOtherwise(Lode):
    """DIG is written otherwise than it is read."""

    book = Book((DigUnread, Sell, Lend), SINGULARS)


class DigTooMany(Dig, frozen=True, tag="Dig"):
    """It offers more shafts than can be paid."""

    @classmethod
    def choices(cls, field: Field, seat: Seat) -> Asking[Any]:
        return cls((yield from number("shafts", "shafts", 1, MOST + coins_of(field, seat))))


class OffersTooMuch(Lode):
    """DIG is offered where it is refused."""

    book = Book((DigTooMany, Sell, Lend), SINGULARS)


class ProposesTooMuch(Lode):
    """The form shows a line that is refused."""

    def order_form(self, field: Field, seat: Seat) -> tuple[str, ...]:
        return ("DIG 9 shafts",)


class HelpsWrongly(Lode):
    """HELP shows a line that is refused."""

    def examples(self, field: Field, seat: Seat) -> Mapping[str, str]:
        return {"DIG": "DIG 9 shafts"}


class NearlyRight(Lode):
    """What it offers instead of a refused order is refused as well."""

    def nearest(self, field: Field, seat: Seat, order: Order, sheet: Sequence[Intent] = ()) -> tuple[str, ...]:
        return ("DIG 9 shafts",)


class Peeks(Challenge, frozen=True, tag="Challenge"):
    """Its choices hang on cards that nobody may see."""

    @classmethod
    def choices(cls, state: Standoff, seat: Seat) -> Asking[Any]:
        rubies = sum(card == "ruby" for purse in state.purses.values() for card in purse.cards)
        yield from number("rubies", "rubies", rubies, 9)
        return cls((seat,))


class ShowsCards(Toy):
    """CHALLENGE gives secrets away."""

    book: ClassVar[Book[Any]] = Book((*list(Toy.book.orders.values())[:1], Peeks), {("money", "coins"): "coin"})


def some(test: Callable[[Played, int], None]) -> Callable[[Played], None]:
    return lambda played: test(played, 40)


def of_questions(test: Callable[[tuple[Asked, ...]], None]) -> Callable[[Played], None]:
    return lambda played: test(asked(played))


_CARRIED_OUT = some(test_choices.test_whatever_is_chosen_is_read_back_and_carried_out)
_OMISSIONS: tuple[tuple[Any, Callable[[Played], None]], ...] = (
    (LeftOutOfItsPhase(), test_choices.test_every_order_makes_a_difference),
    (LeftOutOfTheSheet(), test_choices.test_random_players_give_every_order),
    (LeftOutOfTheBots(), test_choices.test_random_players_give_every_order),
    (LeftOutOfTheVocabulary(), _CARRIED_OUT),
    (LeftOutOfTheForecast(), _CARRIED_OUT),
    (WrittenOtherwise(), _CARRIED_OUT),
    (OffersTooMuch(), _CARRIED_OUT),
    (ProposesTooMuch(), of_questions(test_words.test_the_order_form_reads_and_binds_as_it_stands)),
    (HelpsWrongly(), of_questions(test_choices.test_the_lines_of_form_and_help_are_taken_and_carried_out)),
    (NearlyRight(), of_questions(test_choices.test_what_is_nearest_to_a_refused_order_is_taken)),
    (ShowsCards(), test_secrecy.test_dice_one_may_not_see_change_nothing_one_is_handed),
)


@pytest.mark.parametrize(("game", "test"), _OMISSIONS, ids=[type(game).__name__ for game, _ in _OMISSIONS])
def test_an_omission_is_found(game: Any, test: Callable[[Played], None]) -> None:
    with pytest.raises(AssertionError):
        test(play(game, 24 if isinstance(game, Toy) else 6))


def test_without_omissions_nothing_is_found() -> None:
    played = play(Lode())
    for _, test in _OMISSIONS[:-1]:
        test(played)
