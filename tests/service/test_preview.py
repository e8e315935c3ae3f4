"""PREVIEW: chances from every way the dice can fall or from trials, the same in all worlds that are one to the reader."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from referee.core.event import Event, Rolled
from referee.core.game import Fortune, Odds, Rehearses
from referee.core.names import Seat
from referee.core.order import Condition, Intent
from referee.core.position import told
from referee.core.stage import Outcome
from referee.core.table import Script, Table
from referee.games import GAMES
from referee.games.war.orders.production import BidForOrder, InsertInOrder
from referee.games.war.orders.standing_battles import RetreatRule
from referee.service.intake.inbox import handle_new
from referee.service.turn.preview import chances_in_words, spread
from tests.afoot import afoot, lines_of, previewed, suggested
from tests.match import Match, secret_of
from tests.service.conftest import GINA, PLAYERS
from tests.world import World

RED = Seat("Red")
_PLAYERS = {"newworld": 4, "war27": 4, "war17": 4, "empire": 3}


class Throwing:
    """So many dice, once or until a six comes up."""

    def __init__(self, dice: int, until_six: bool = False) -> None:
        self._dice, self._until_six = dice, until_six

    def evolve(self, state: int, event: Event) -> int:
        """The sum of all faces."""
        return state + sum(event.faces) if isinstance(event, Rolled) else state

    def holds(self, state: int, seat: Seat, condition: Condition) -> bool:
        """No condition does."""
        return False

    def rehearse(self, table: Table[Any], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
        """Throw."""
        while 6 not in table.roll(self._dice, 6, "the throw", "a rule") and self._until_six:
            pass
        yield from ()

    def fortunes(self, seat: Seat, before: int, events: Sequence[Event], after: int) -> Iterator[Fortune]:
        """Whether there was a six."""
        six = any(isinstance(event, Rolled) and 6 in event.faces for event in events)
        yield Fortune("The throw", "a six" if six else "no six")

    def holdings(self, state: int, seat: Seat) -> Mapping[str, int]:
        """The sum."""
        return {"points": state}

    def odds(self, state: int, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
        """Nothing is calculated."""
        return ()


# ---------------------------------------------------------------- exact, or trials


def test_few_ways_are_all_looked_at() -> None:
    seen = spread(Throwing(2), 0, RED, (), lambda _: ())
    assert (seen.exact, seen.number, seen.margin) == (True, 36, 0)
    assert {odds.what: odds.chance for odds in seen.fortunes} == {"a six": Fraction(11, 36), "no six": Fraction(25, 36)}
    assert seen.holdings["points"][7] == Fraction(1, 6)


def test_many_ways_are_tried_so_often_as_is_said() -> None:
    seen = spread(Throwing(9), 0, RED, (), lambda _: ())
    found = {odds.what: odds.chance for odds in seen.fortunes}
    assert (seen.exact, seen.number, seen.margin) == (False, 1_000, 3)
    assert abs(found["a six"] - (1 - Fraction(5, 6) ** 9)) < Fraction(5, 100)
    assert seen == spread(Throwing(9), 0, RED, (), lambda _: ())


def test_dice_that_may_be_thrown_without_end_are_tried() -> None:
    seen = spread(Throwing(1, until_six=True), 0, RED, (), lambda _: ())
    assert not seen.exact and [odds.chance for odds in seen.fortunes] == [1]


# ---------------------------------------------------------------- every game


def _at(turn: int) -> Callable[[Outcome[Any]], bool]:
    return lambda out: out.phase is not None and out.phase.turn >= turn


@pytest.mark.parametrize("name", _PLAYERS)
def test_it_depends_on_no_secret_and_leaves_the_match_alone(name: str) -> None:
    for turn in (3, 9):
        match = afoot(name, _PLAYERS[name], _at(turn))
        seat, sheet = suggested(match)
        before = match.log()
        one, other = (previewed(match, seat, sheet, secret_of(which)) for which in ("one", "other"))
        assert one == other and lines_of(one)
        assert match.log() == before


@pytest.mark.parametrize("name", _PLAYERS)
def test_what_others_have_on_file_changes_no_word_of_it(name: str) -> None:
    match = afoot(name, _PLAYERS[name], _at(3))
    seat, sheet = suggested(match)
    before = previewed(match, seat, sheet)
    for other in match.created.seats:
        if other != seat:
            for drawer in ("next", "standing", "late"):
                match.file(other, drawer, *suggested(match, 7)[1])
    assert match.outcome.drawers
    assert previewed(match, seat, sheet) == before


def test_orders_are_read_back_in_the_words_of_the_edition() -> None:
    match = afoot("war17", 3, _moving)
    seat, _ = suggested(match)
    assert "Retreat from turn 6 of a battle on." in lines_of(previewed(match, seat, (RetreatRule("after", 6),)))


@pytest.mark.parametrize(("name", "options"), [("war17", {}), ("war27", {"historical": "yes"})])
def test_natives_nobody_has_seen_change_no_word_of_it(name: str, options: dict[str, str]) -> None:
    """Two worlds that differ only in the markers that lie face down."""
    same = 0
    for seed in (1, 2, 3):
        one, other = (afoot(name, 4, _moving, options, seed, words) for words in ("", "ative marker"))
        seat, _ = suggested(one)
        if told(one.events, seat) == told(other.events, seat):
            for sheet in (suggested(one, number)[1] for number in range(3)):
                assert previewed(one, seat, sheet) == previewed(other, seat, sheet)
                same += one.events != other.events
        if same > 2:
            break
    assert same > 0


def _moving(out: Outcome[Any]) -> bool:
    return bool(out.state.stage == "movement")


def test_every_game_can_be_rehearsed() -> None:
    assert all(isinstance(game, Rehearses) for game in GAMES)


# ---------------------------------------------------------------- by letter


def test_the_letter_names_event_chances_and_trials(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "PREVIEW\nRESEARCH any\nHIRE 1 worker\nCOLONIZE any\nEND")
    assert "Nothing of this was stored" in receipt.flat
    assert "After these orders" in receipt.flat and "You would have" in receipt.flat
    assert "The event of your turn, which nothing else here counts in: none: 1 in 2; each of Piracy," in receipt.flat
    assert "trials with dice of their own" in receipt.flat or "All chances are exact." in receipt.flat
    assert "the dice of the turn itself will be others" in receipt.flat


def test_of_more_than_eight_ways_the_first_are_told_and_that_there_are_others() -> None:
    ways = [Odds("Battle of Egypt", f"way {number}", Fraction(1, 9)) for number in range(9)]
    (eight,), (nine,) = chances_in_words(ways[:8]), chances_in_words(ways)
    assert eight.startswith("Battle of Egypt: way 0: ") and nine == f"{eight.removesuffix('.')}; and others."


# ---------------------------------------------------------------- where orders are sealed


_Stop = Callable[[Outcome[Any]], bool]


def _asked(words: str, least: int = 1) -> _Stop:
    """So many sheets of this kind are open."""
    return lambda out: sum(f"/{words}/" in f"{q.key}/" for q in out.open if q.wants_orders) >= least


def _sealed(name: str, options: dict[str, str], words: str, players: int = 3) -> tuple[Match, Match]:
    """Two worlds of one match: all but the first seat have answered, in each world otherwise."""
    one, other = (afoot(name, players, _asked(words, players), options) for _ in range(2))
    for question in one.outcome.open[1:]:
        menu = question.menu
        mine = menu.sample(random.Random(2).randrange)
        theirs = next(
            (sheet for seed in range(3, 90) if (sheet := menu.sample(random.Random(seed).randrange)) != mine), mine
        )
        one.answer(question, mine)
        other.answer(question, theirs)
    return one, other


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("war27", {}, "draft"),
        ("war27", {}, "purchase"),
        ("war27", {}, "production"),
        ("war27", {"auction": "yes"}, "bids"),
        ("war17", {}, "purchase"),
        ("war17", {}, "production"),
    ],
)
def test_what_others_have_answered_under_seal_changes_no_word_of_it(
    name: str, options: dict[str, str], words: str
) -> None:
    one, other = _sealed(name, options, words)
    seat, _ = suggested(one)
    assert one.log() != other.log() and {q.seat for q in one.outcome.open} == {seat}
    for seed in range(4):
        sheet = suggested(one, seed)[1]
        assert previewed(one, seat, sheet) == previewed(other, seat, sheet)


def test_a_letter_with_a_preview_is_the_same_whatever_lies_sealed(world: World) -> None:
    world.write(GINA, "CREATE war27 AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    for seat in [question.seat for question in world.playing().outcome.open]:
        world.reply(world.player(seat), "ROLL OUT")
    first, second, *_ = (world.player(question.seat) for question in world.playing().outcome.open)
    told = []
    for sealed in ("BUY 5 infantry", "BUY 1 fleet, 1 city"):
        world.reply(second, f"{sealed}\nWAIT")
        told.append(
            world.reply(first, "PREVIEW\nBUY 3 infantry\nEND")[-1].flat.partition("Preview")[2].partition("Proof")[0]
        )
    assert told[0] == told[1] and "You would have" in told[0]
    assert not handle_new(world.office)


def test_a_bid_is_paid_in_a_preview_and_the_bids_of_others_are_not_looked_at() -> None:
    match = afoot("war27", 3, _asked("bids", 3), {"auction": "yes"})
    seat, _ = suggested(match)
    pp = match.outcome.state.treasuries[seat].pp
    assert pp > 9
    lines = lines_of(previewed(match, seat, (BidForOrder(pp=9), InsertInOrder("first"))))
    assert any(f"You would have {pp - 9} PP (now {pp})" in line for line in lines)
    assert any(f"Bids for the order of the turn: {seat} 9 PP." in line for line in lines)
    assert not any("maintain" in line or "cannot pay for" in line for line in lines)
    assert any(f"You would have {pp} PP" in line for line in lines_of(previewed(match, seat, ())))


@pytest.mark.parametrize("words", ["natives", "construction"])
def test_production_in_order_is_rehearsed_without_paying_twice(words: str) -> None:
    """Units are maintained before the first of its sheets, so neither sheet pays for them, nor doubts that it can."""
    match = afoot("war27", 3, _asked(words), {"production": "in_order"}, 2)
    seat, _ = suggested(match)
    state = match.outcome.state
    assert state.units_of(seat) > state.treasuries[seat].pp  # else nobody would see it paid twice
    for seed in range(6):
        lines = lines_of(previewed(match, seat, suggested(match, seed)[1]))
        assert lines and not any("maintain" in line or "cannot pay for" in line for line in lines)


@pytest.mark.parametrize("stage", ["bids", "production"])
def test_after_an_auction_no_sheet_pays_for_units_again(stage: str) -> None:
    match = afoot("war27", 3, _asked(stage, 3), {"auction": "yes"})
    seat, _ = suggested(match)
    for seed in range(6):
        lines = lines_of(previewed(match, seat, suggested(match, seed)[1]))
        assert not any("to maintain" in line or "cannot pay for" in line for line in lines)
