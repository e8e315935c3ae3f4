"""Random players play whole games: nothing breaks, the books balance, and a game can be folded and played again."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from operator import itemgetter

import msgspec
import pytest

from referee.games.empire.boards.survey import boards
from referee.games.empire.deeds.moving import how_many
from referee.games.empire.events.air_and_sea import PirateTurned, ShipsSunk, SquareBombed
from referee.games.empire.events.course import OrderRefused, RolledOut
from referee.games.empire.events.fighting import BattleFought, FormationArmed
from referee.games.empire.events.moving import DropTankUsed
from referee.games.empire.events.work import GoodsConsumed, GoodsMade, RunOrdered, StationRan
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders.zero_turn import TakePicks
from referee.games.empire.reckoning.budget import STARTS
from referee.games.empire.rulebook import FIATS
from referee.games.empire.rulebook.plans import SETS
from tests.contract.bots import GameRecord, play_bots
from tests.contract.test_play import check_one
from tests.games.empire.covered import ORDERS, carried_out, refused
from tests.sample import few

GAME = EmpireGame()
TURNS = 15
LONG = 25
GAMES = 100
"""How many games a long run plays."""

RAREST = 8
"""So many orders are named that were carried out least often."""

WAR = (FormationArmed, BattleFought, GoodsMade, GoodsConsumed, SquareBombed, ShipsSunk)
"""What a long run of games counts: arms, battles, production, consumption, bombs, ships sunk."""

SURE = (*WAR, PirateTurned, StationRan, DropTankUsed)
"""What must come up in long games; what else never did is printed."""


def options_of(number: int, turns: int = TURNS) -> tuple[int, Mapping[str, str]]:
    """Players and options of a game: 2 to 8 players in turn, on every board that holds them, with and without a fiat.

    Short games keep the standard house rules; long ones have each a combination of their own, and every second one
    begins armed.
    """
    players = 2 + number % 7
    fiat = ("none", *FIATS)[number % (1 + len(FIATS))]
    houses = {**houses_of(number), "start": STARTS[number % 2]} if turns == LONG else {}
    chosen = [{"board": board, "fiat": fiat, "last_turn": str(turns), **houses} for board in boards({})]
    lawful = [options for options in chosen if GAME.refuse_options(options, players) is None]
    return players, lawful[number // 7 % len(lawful)]


HOUSES = list(itertools.product(*(house.choices for house in SETS.values())))
"""Every combination of house rules."""

STRIDE = 61
"""So far apart are the combinations of two games that follow each other: no game has those of another."""


def houses_of(number: int) -> Mapping[str, str]:
    """A choice of every set of house rules."""
    return dict(zip(SETS, HOUSES[number * STRIDE % len(HOUSES)], strict=True))


def games(*numbers: int, turns: int = TURNS) -> Iterator[GameRecord]:
    """A game has no more phases than these: the board, the capitals, a slot a turn for each of eight."""
    for number in numbers:
        players, options = options_of(number, turns)
        yield play_bots(GAME, players, options, number, 2 + turns * 8)


def check(record: GameRecord, turns: int = TURNS) -> None:
    """It is over after its last turn or because somebody won; fold, log played again and books agree; no float."""
    assert record.over and record.state.ended
    assert record.state.turn <= turns
    assert GAME.score(record.state).winners()
    check_one(record)
    assert not any(has_float(msgspec.json.decode(line)) for line in record.log.splitlines())
    assert not has_float(msgspec.to_builtins(record.state, str_keys=True, enc_hook=str))


def has_float(value: object) -> bool:
    """Whether a float is anywhere in what was decoded from JSON."""
    match value:
        case float():
            return True
        case dict():
            return any(map(has_float, value.values()))
        case list() | tuple():
            return any(map(has_float, value))
    return False


@pytest.mark.parametrize("number", few(0, (0, 10, 20)))
def test_a_game_of_fifteen_turns(number: int) -> None:
    (record,) = games(number)
    check(record)
    assert record.state.turn == TURNS, "nothing that happened ended it early"
    slots = [event for event in record.events if isinstance(event, RolledOut)]
    assert [event.turn for event in slots] == sorted(event.turn for event in slots)


def test_the_long_run_has_every_number_of_players_on_every_board_that_holds_them() -> None:
    seen = Counter((players, options["board"]) for players, options in map(options_of, range(GAMES)))
    lawful = {
        (players, board)
        for players in range(2, 9)
        for board in boards({})
        if GAME.refuse_options({"board": board}, players) is None
    }
    assert set(seen) == lawful


def test_games_of_twenty_five_turns_have_every_pair_of_house_rules() -> None:
    played = [houses_of(number) for number in range(GAMES)]
    assert len(set(map(str, played))) == GAMES
    for first, house in SETS.items():
        for second, other in SETS.items():
            met = {(options[first], options[second]) for options in played}
            assert first == second or met == {(one, two) for one in house.choices for two in other.choices}


def test_what_is_told_apart_as_refused_and_carried_out_is_every_line_of_a_game() -> None:
    (record,) = games(7, turns=5)
    done, vain = carried_out(record), refused(record)
    told = [
        event for event in record.events if isinstance(event, OrderRefused) and not event.order.startswith("Capital")
    ]
    assert vain.total() == len(told) > 0
    assert done["RollOut"] == sum(isinstance(event, RolledOut) for event in record.events)
    assert done["Produce"] == sum(isinstance(event, RunOrdered) for event in record.events) > 0
    assert set(done) <= set(ORDERS)


def test_a_float_is_found_wherever_it_is() -> None:
    assert has_float({"a": [1, {"b": (2, 0.5)}]}) and not has_float({"a": [1, {"b": "0.5"}], "c": None})


@pytest.mark.slow
@pytest.mark.parametrize("turns", [TURNS, LONG])
def test_a_hundred_games(turns: int, capsys: pytest.CaptureFixture[str]) -> None:
    events: Counter[str] = Counter()
    orders: Counter[str] = Counter()
    vain: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    slots = 0
    for record in games(*range(GAMES), turns=turns):
        check(record, turns)
        events.update(type(event).__name__ for event in record.events)
        orders.update(carried_out(record))
        vain.update(refused(record))
        ends[record.state.ended] += 1
        slots += sum(isinstance(event, RolledOut) for event in record.events)
    kinds = [kind.__name__ for kind in GAME.events]
    never = [name for name in (*kinds, *ORDERS) if not events[name] and not orders[name]]
    war = {kind.__name__: events[kind.__name__] for kind in WAR}
    rare = ", ".join(f"{name} {number}" for name, number in sorted(orders.items(), key=itemgetter(1))[:RAREST])
    with capsys.disabled():
        print(
            f"\nempire: {GAMES} games of {turns} turns, {slots} slots, {events.total()} events, "
            f"{orders.total()} orders carried out and {vain.total()} refused; {war}; ends: {dict(ends)}\n"
            f"covered: {sum(name in events for name in kinds)} of {len(kinds)} kinds of event, "
            f"{sum(name in orders for name in ORDERS)} of {len(ORDERS)} orders; the rarest: {rare}; "
            f"never: {', '.join(never) or 'none'}"
        )
    missing = [kind.__name__ for kind in SURE if not events[kind.__name__]]
    assert turns == TURNS or not missing, "so many games of random sheets arm, fight, produce, consume, bomb and sail"


def test_random_players_take_as_many_picks_as_are_due() -> None:
    asked = play_bots(GAME, 3, {**options_of(1, 2)[1], "fiat": "third_pick"}, 7).asked
    due = set[int]()
    for question, state in (asked for asked in asked if asked[0].wants_orders):
        sheets = (question.menu.sample(random.Random(seed).randrange) for seed in range(4))
        taken = [order for sheet in sheets for order in sheet if isinstance(order, TakePicks)]
        assert {len(order.picks) for order in taken} <= {how_many(state)}
        due |= {len(order.picks) for order in taken}
    assert due == {3}
