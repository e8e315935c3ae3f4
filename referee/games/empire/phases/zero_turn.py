"""The zero turn: the board, the Head's fiat, cards, capitals 12 BTA apart, goods, order of movement (emp.P1, emp.P3, emp.P4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from referee.core.choices import Choice, Pick
from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Orders, Pace, Question
from referee.core.table import Script, Table
from referee.games.empire.boards.draft import drawn_board, read_board, write_board
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.boards.survey import size_for
from referee.games.empire.deeds.debts_and_petitions import change_house_rules
from referee.games.empire.events.course import (
    BoardLaid,
    CapitalPlaced,
    CardsRanked,
    FiatAnnounced,
    FiatJudged,
    ForcesGranted,
    OrderRefused,
    SlotCame,
    ZeroTurnOpened,
)
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.zero_turn import PlaceCapital
from referee.games.empire.position import Board
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import begins_armed, harbour
from referee.games.empire.reckoning.conditions import check_capital, coming, default_capital
from referee.games.empire.rulebook import (
    CONFIDENCE_AT_START,
    FIATS,
    FLEET,
    FORCES,
    GOODS_AT_START,
    LEAN,
    STORES,
    UNITS_AT_START,
)
from referee.kit.refused import Refused

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
_SUITS = ("clubs", "diamonds", "hearts", "spades")
CARDS = {f"{rank} of {suit}": (r, s) for r, rank in enumerate(_RANKS) for s, suit in enumerate(_SUITS)}
"""The 52 cards and what they are worth: rank before suit (emp.P3)."""

_SEEDS = 1_000_000_000


# ---------------------------------------------------------------- the board


def lay_board(table: Table[Empire]) -> Script[None]:
    """emp.H-08: the board drawn for this match, or one generated from a single roll that everybody sees."""
    board = _board(table)
    table.emit(BoardLaid(write_board(board)))
    fiat = table.state.options.get("fiat", "none")
    if fiat in FIATS:
        table.emit(FiatAnnounced(fiat, f"{FIATS[fiat]}."))
    table.emit(ZeroTurnOpened())
    yield from ()


def _board(table: Table[Empire]) -> Board:
    wanted, players = table.state.options["board"], len(table.state.seats)
    if "drawing" in table.state.options:
        return read_board(table.state.options["drawing"])
    if wanted.startswith("drawn:"):
        return drawn_board(wanted.removeprefix("drawn:"))
    size = size_for(players) if wanted == "by players" else wanted
    (seed,) = table.roll(1, _SEEDS, "The seed of the board", "emp.H-08")
    return _generated(size, players, seed)


@lru_cache(maxsize=16)
def _generated(size: str, players: int, seed: int) -> Board:
    """The board of a seed; a phase that is played again after a letter lays the same one."""
    return generate(size, players, picker(seed))


# ---------------------------------------------------------------- the zero turn


Suggested = Callable[[Empire, Seat, Pick], tuple[Intent, ...]]
"""A bot's lines for a sheet; handed in, for bots know the orders and nothing that asks for them."""

Sound = Callable[[Empire, Seat], tuple[Reasoned, ...]]
"""The sheet that is proposed, likewise."""


def zero_turn(table: Table[Empire], suggest: Suggested, sound: Sound) -> Script[None]:
    """emp.P3: cards, capitals in their order, cards again for movement."""
    yield from _judge_fiat(table)
    _rank(table, "Order in which capitals are placed")
    for seat in table.state.order:
        yield from _place(table, seat, suggest, sound)
    _rank(table, "Movement order")
    table.emit(SlotCame(table.state.order[0], 1, table.state.slot + 1))
    change_house_rules(table)


def _judge_fiat(table: Table[Empire]) -> Script[None]:
    fiat = table.state.options.get("fiat", "none")
    if fiat not in FIATS:
        return
    menu = OneOf(
        [Choice("keep", True, "the fiat stands"), Choice("reject", False, "the rules stay as they were")], True
    )
    text = f"The Head announced by fiat: {FIATS[fiat]}. Do you keep it or reject it?"
    seats = table.state.seats
    questions = [Question(f"{table.phase}/fiat/{seat}", seat, text, menu, Pace.WINDOW, "emp.P1") for seat in seats]
    answers = yield from table.ask_all(questions)
    against = tuple(seat for seat, answer in zip(seats, answers, strict=True) if not answer.value)
    table.emit(FiatJudged(2 * len(against) > len(seats), against))


def _rank(table: Table[Empire], what: str) -> None:
    """One card each, the highest first."""
    seats = table.state.seats
    cards = table.draw("the deck", dict.fromkeys(CARDS, 1), len(seats), what, "emp.P3")
    ranked = sorted(zip(cards, seats, strict=True), key=lambda pair: CARDS[pair[0]], reverse=True)
    table.emit(CardsRanked(what, tuple(seat for _, seat in ranked), tuple(card for card, _ in ranked)))


def _place(table: Table[Empire], seat: Seat, suggest: Suggested, sound: Sound) -> Script[None]:
    empire = table.state

    def suggested(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(empire, seat, pick) if isinstance(intent, PlaceCapital))

    text = "Where does your capital stand? Name squares, best first: the first that is lawful is taken."
    kinds: Any = PlaceCapital | RollOut
    menu = Orders(("PLACE CAPITAL",), kinds, suggested, tuple(line.order for line in sound(empire, seat)))
    answer = yield from table.ask(Question(f"{table.phase}/orders/{seat}", seat, text, menu, Pace.SLOT, "emp.P3"))
    at, name = _chosen(table, seat, answer.value)
    goods = starting_goods(table.state)
    table.emit(CapitalPlaced(seat, name, at, goods, UNITS_AT_START, CONFIDENCE_AT_START))
    if begins_armed(table.state):
        lies = harbour(table.state.board, at)
        table.emit(ForcesGranted(str(seat), name, at, lies, FORCES, FLEET, STORES))


def _chosen(table: Table[Empire], seat: Seat, sheet: Sequence[Intent]) -> tuple[str, str]:
    """The first lawful square of the list, each unlawful one before it told; the default when there is none."""
    wishes = [intent for _, intent in coming(table, seat, sheet) if isinstance(intent, PlaceCapital)]
    name = next((wish.name for wish in wishes if wish.name), "")
    if not name or name in table.state.cities:
        name = f"{seat} City"
    for line, wish in enumerate(wishes, 1):
        for at in wish.squares:
            try:
                check_capital(table.state, at)
            except Refused as refused:
                why = refused.illegal
                table.emit(OrderRefused(seat, line, f"Capital in {at}", why.sentence, why.rule))
            else:
                return at, name
    return default_capital(table.state), name


def starting_goods(empire: Empire) -> tuple[tuple[str, int], ...]:
    """emp.P4, with the Head's fiat where it stands."""
    if empire.options.get("fiat") != "lean_start":
        return GOODS_AT_START
    return tuple((what, LEAN.get(what, number)) for what, number in GOODS_AT_START)
