"""Random players play whole games: nothing breaks, the books balance, and a game can be folded and played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from referee.games.empire.events.course import OrderRefused, RolledOut
from referee.games.empire.game import EmpireGame
from referee.games.empire.seating import boards
from referee.games.empire.steps.opening import FIATS
from tests.contract.bots import GameRecord, play_bots
from tests.contract.test_play import check_one

GAME = EmpireGame()
TURNS = 15
GAMES = 100
"""How many games the long run plays."""

PHASES = 2 + TURNS * 8
"""More a game of 15 turns never has: the board, the capitals, a slot a turn for each of eight."""


def options_of(number: int) -> tuple[int, Mapping[str, str]]:
    """Players and options of a game: 2 to 8 players in turn, on every board that holds them, with and without a fiat."""
    players = 2 + number % 7
    fiat = ("none", *FIATS)[number % (1 + len(FIATS))]
    chosen = [{"board": board, "fiat": fiat, "last_turn": str(TURNS)} for board in boards({})]
    lawful = [options for options in chosen if GAME.refuse_options(options, players) is None]
    return players, lawful[number // 7 % len(lawful)]


def games(*numbers: int) -> Iterator[GameRecord]:
    for number in numbers:
        players, options = options_of(number)
        yield play_bots(GAME, players, options, number, PHASES)


def check(record: GameRecord) -> None:
    """It is over after its last turn or because somebody won; fold, log played again and books agree."""
    assert record.over and record.state.ended
    assert record.state.turn <= TURNS
    assert GAME.score(record.state).winners()
    check_one(record)


@pytest.mark.parametrize("number", [0, 10, 20])
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


@pytest.mark.slow
def test_a_hundred_games(capsys: pytest.CaptureFixture[str]) -> None:
    events: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    slots = refused = 0
    for record in games(*range(GAMES)):
        check(record)
        events.update(type(event).__name__ for event in record.events)
        ends[record.state.ended] += 1
        slots += sum(isinstance(event, RolledOut) for event in record.events)
        refused += sum(isinstance(event, OrderRefused) for event in record.events)
    never = sorted({kind.__name__ for kind in GAME.events} - set(events))
    with capsys.disabled():
        print(
            f"\nempire: {GAMES} games, {slots} slots, {events.total()} events of {len(events)} kinds, "
            f"{refused} orders refused; ends: {dict(ends)}; never seen: {', '.join(never) or 'none'}"
        )
