"""The suite finds what it is there to find: games with a planted fault fail it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Doubt, Illegal, Intent, Order
from referee.core.page import Tally
from referee.core.position import Diverged
from referee.core.table import Table
from tests.contract import test_events, test_pages, test_play, test_secrecy, test_words
from tests.contract.bots import GameRecord, plans, play_bots
from tests.toy import CardTaken, Give, Standoff, Toy

Played = tuple[GameRecord, ...]


def play(game: Any, number: int = 24) -> Played:
    return tuple(play_bots(game, plan.players, dict(plan.options), plan.seed) for plan in plans(game, number))


class ShowsCards(Toy):
    """What is doubted about a sheet tells everybody's cards."""

    def doubts(self, state: Standoff, seat: Seat, sheet: Sequence[Intent], /) -> tuple[Doubt, ...]:
        return (Doubt(f"{state.purses}", ""),)


class CountsCards(Toy):
    """The standings count cards that are still face down."""

    def score(self, state: Standoff) -> Tally:
        return super().score(msgspec.structs.replace(state, shown=True))


class RefusesKnowingly(Toy):
    """A refusal depends on a card nobody has seen."""

    def bind(self, state: Standoff, seat: Seat, order: Order) -> Intent | Illegal:
        if any("ruby" in purse.cards for other, purse in state.purses.items() if other != seat):
            return Illegal("Beware of the ruby.", "toy.card")
        return super().bind(state, seat, order)


class ActsWithoutEvents(Toy):
    """A gift changes the position behind the back of the log."""

    def aside(self, table: Table[Standoff], seat: Seat, intent: Intent) -> None:
        super().aside(table, seat, intent)
        if isinstance(intent, Give):
            table.state = msgspec.structs.replace(table.state, prize=table.state.prize + 1)


class LosesCards(Toy):
    """The audit says that the books of cards do not balance."""

    def audit(self, before: Standoff, events: Sequence[Event], after: Standoff) -> tuple[str, ...]:
        return ("a card is missing.",) if any(isinstance(event, CardTaken) for event in events) else ()


class ForgetsAnEvent(Toy):
    """An event class that nothing ever emits."""

    class PrizeLost(Event, frozen=True):
        """Never happens, and cites nothing."""

    events = (*Toy.events, PrizeLost)


class MisteachesAVerb(Toy):
    """An example that does not read."""

    def vocabulary(self, state: Standoff) -> Any:
        words = super().vocabulary(state)
        verbs = (msgspec.structs.replace(words.verbs[0], example="BID three ducks"), *words.verbs[1:])
        return msgspec.structs.replace(words, verbs=verbs)


class DrawsFromAHat(Toy):
    """What happens hangs on how often anybody asked."""

    counter = count()

    def aside(self, table: Table[Standoff], seat: Seat, intent: Intent) -> None:
        super().aside(table, seat, Give(next(self.counter) % 3, intent.to) if isinstance(intent, Give) else intent)


@pytest.mark.parametrize(
    ("game", "test"),
    [
        (ShowsCards(), test_secrecy.test_dice_one_may_not_see_change_nothing_one_is_handed),
        (CountsCards(), test_secrecy.test_dice_one_may_not_see_change_nothing_one_is_handed),
        (CountsCards(), test_pages.test_the_standings_are_final_only_at_the_end),
        (RefusesKnowingly(), test_secrecy.test_dice_one_may_not_see_change_nothing_one_is_handed),
        (ActsWithoutEvents(), test_play.test_the_fold_of_the_events_is_the_state),
        (LosesCards(), test_play.test_the_books_balance_after_every_phase),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Toy) else value.__name__,
)
def test_a_planted_fault_is_found(game: Toy, test: Callable[[Played], None]) -> None:
    with pytest.raises((AssertionError, Diverged)):
        test(play(game))


def test_an_event_that_never_comes_and_cites_nothing_is_found() -> None:
    game = ForgetsAnEvent()
    with pytest.raises(AssertionError, match="PrizeLost"):
        test_events.test_every_event_class_comes_up(game, play(game))
    with pytest.raises(AssertionError, match="PrizeLost"):
        test_events.test_every_event_class_names_its_audience_and_its_rule(game)


def test_an_example_that_does_not_read_is_found() -> None:
    with pytest.raises(AssertionError, match="three ducks"):
        test_words.test_every_example_reads_without_a_mistake(MisteachesAVerb())


def test_a_game_that_does_not_repeat_itself_is_found() -> None:
    with pytest.raises(Diverged):
        play(DrawsFromAHat(), 40)
