"""The zero turn, slots in parts, rolling out, picks, the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.order import Intent
from referee.core.question import Answer, Question, Source
from referee.games.empire.boards.survey import NAMES, refuse_options, seat_players
from referee.games.empire.deeds.moving import longest_walk
from referee.games.empire.events import evolve
from referee.games.empire.events.course import (
    CapitalPlaced,
    CardsRanked,
    ConfidenceRolled,
    CountryDissolved,
    FiatJudged,
    GameEnded,
    GovernmentLost,
    GovernmentNamed,
    OrderRefused,
    PicksAppeared,
    PicksLapsed,
    RolledOut,
    SlotCame,
    WaysWalked,
)
from referee.games.empire.events.economy import ConfidenceMoved
from referee.games.empire.game import VERBS, living, modified_roll, next_phase
from referee.games.empire.orders import vocabulary_of
from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.base import Execute, RollOut
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.standing import SetRelation
from referee.games.empire.orders.zero_turn import PlaceCapital, TakePicks
from referee.games.empire.phases.zero_turn import CARDS
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.conditions import check_capital, default_capital, points, tally
from referee.games.empire.reckoning.distance import apart
from referee.games.empire.rulebook import GOODS_AT_START
from referee.games.empire.telling.report import audit
from referee.kit.refused import Refused
from tests.games.empire.driving import A, B, C, Told, begun, do, first, put, run_phase, sheets
from tests.sample import few


def of(told: Told, kind: type) -> list[Any]:
    return [event for event in told if isinstance(event, kind)]


# ---------------------------------------------------------------- the zero turn


def test_a_deck_has_52_cards_ace_high_and_spades_above_hearts_above_diamonds_above_clubs() -> None:
    ranked = sorted(CARDS, key=CARDS.__getitem__, reverse=True)
    assert len(ranked) == 52
    assert ranked[:5] == ["ace of spades", "ace of hearts", "ace of diamonds", "ace of clubs", "king of spades"]
    assert ranked[-1] == "2 of clubs"


def test_the_high_card_places_first_and_cards_are_drawn_again_for_movement() -> None:
    empire, _ = run_phase(first())
    empire, told = run_phase(empire)
    placing, moving = of(told, CardsRanked)
    assert [placed.seat for placed in of(told, CapitalPlaced)] == list(placing.order)
    for ranked in (placing, moving):
        assert list(ranked.cards) == sorted(ranked.cards, key=CARDS.__getitem__, reverse=True)
    assert empire.order == moving.order
    assert (empire.active, empire.turn, empire.slot) == (moving.order[0], 1, 2)


def test_a_capital_holds_what_every_country_starts_with() -> None:
    empire = begun()
    for seat in (A, B, C):
        assert empire.stock(seat) == dict(GOODS_AT_START)
        counts = [len(empire.units_of(seat, kind)) for kind in ("coolie", "government coolie", "SAC")]
        assert (counts, len(empire.units_of(seat))) == ([30, 1, 1], 32)
        assert empire.countries[seat].confidence == 10
        (city,) = (city for city in empire.cities.values() if city.country == seat)
        assert city.capital and {unit.at for unit in empire.units_of(seat)} == {city.at}


def test_capitals_are_more_than_12_bta_apart_and_an_unlawful_wish_is_told_and_passed_over() -> None:
    empire, _ = run_phase(first(2))
    water = next(name for name, square in empire.board.squares.items() if square.water)
    wishes = (PlaceCapital((water, empire.board.starts[0], empire.board.starts[1]), "Rome"),)
    after, told = run_phase(empire, lambda question: Answer(wishes))
    one, other = (city.at for city in after.cities.values())
    assert (one, other) == empire.board.starts[:2]
    assert apart(after.board, one, other) is None
    refused = of(told, OrderRefused)
    assert [event.cites() for event in refused] == ["emp.C1", "emp.C1", "emp.P3"]
    assert "water" in refused[0].sentence() and "12 BTA" in refused[2].sentence()
    assert sorted(after.cities) == sorted(("Rome", f"{of(told, CapitalPlaced)[1].seat} City"))


def test_a_square_next_to_a_capital_is_refused() -> None:
    empire = begun()
    capital = empire.cities["Arcadia City"].at
    near = [at for _, at in empire.board.grid.around(capital) if not empire.board.squares[at].water]
    for at in (capital, near[0]):
        with pytest.raises(Refused, match="within 12 BTA of Arcadia City"):
            check_capital(empire, at)
    with pytest.raises(Refused, match="not on the board"):
        check_capital(empire, "c99r99")


def test_without_a_natural_start_left_the_default_is_the_first_lawful_square() -> None:
    empire = begun(2)
    bare = replace(empire, board=replace(empire.board, starts=()))
    check_capital(bare, default_capital(bare))


@pytest.mark.parametrize(("against", "picks"), [((), 3), ((A,), 3), ((A, B), 2)])
def test_a_fiat_stands_unless_a_majority_rejects_it(against: tuple[str, ...], picks: int) -> None:
    empire, told = run_phase(first(fiat="third_pick"))
    assert any("three picks" in event.sentence() for event in told)

    def reply(question: Question[Any]) -> Answer[Any]:
        return Answer(question.seat not in against if question.rule == "emp.P1" else question.menu.default)

    empire, told = run_phase(empire, reply)
    assert of(told, FiatJudged)[0].rejected is (picks == 2)
    empire = replace(empire, active=A, order=(A, B, C))
    with pytest.raises(Refused, match=f"Take {picks} picks"):
        do(empire, A, TakePicks(("truck",)))


def test_a_lean_start_halves_what_is_built_with() -> None:
    empire, _ = run_phase(first(fiat="lean_start"))
    empire, _ = run_phase(empire)
    assert [empire.stock(A)[what] for what in ("Bm", "delta", "St")] == [5, 5, 5]


# ---------------------------------------------------------------- slots


def test_a_sheet_without_roll_out_is_carried_out_and_asked_again() -> None:
    asked: list[str] = []
    unit = begun().units_of(A, "coolie")[0].number
    parts = ([SetRelation("Borealis", True), Execute()], [MoveUnits((unit,), "c99r1")], [RollOut(), RollOut()])
    empire, told = run_phase(begun(), sheets(*parts), asked=asked)
    assert asked == [f"T1/Arcadia/orders{part}" for part in ("", " 2", " 3")]
    assert empire.countries[A].stances == {"Borealis": "hostile"}
    (refused,) = of(told, OrderRefused)
    assert refused.line == 3  # lines are counted through all parts
    (out,) = of(told, RolledOut)
    assert (out.by, out.late, out.cites()) == (A, 0, "emp.P6")
    assert empire.active == B and living(empire) == (A, B, C)


def test_what_follows_roll_out_is_not_done() -> None:
    empire, _ = run_phase(begun(), sheets([RollOut(), SetRelation("Borealis", True)]))
    assert empire.countries[A].stances == {}


def test_an_illegal_order_does_not_stop_the_orders_after_it() -> None:
    sheet = [SetRelation("Arcadia", True), SetRelation("Borealis", True), RollOut()]
    empire, told = run_phase(begun(), sheets(sheet))
    assert [event.line for event in of(told, OrderRefused)] == [1]
    assert empire.countries[A].stances == {"Borealis": "hostile"}


@pytest.mark.parametrize(
    ("roll", "late", "entry", "modified"),
    [((3, 4), 1, "7-->6", 6), ((1, 2), 3, "3-->2", 2), ((3, 4), 0, "7", 7), ((1, 1), 1, "2-->2", 2)],
)
def test_each_full_day_late_takes_one_off_the_roll_never_below_two(
    roll: tuple[int, int], late: int, entry: str, modified: int
) -> None:
    source = Source.DEFAULT if late else Source.PLAYER
    _, told = run_phase(begun(), sheets([], source=source, late=late), Scripted(roll))
    (rolled,) = of(told, ConfidenceRolled)
    assert (rolled.entry(), rolled.modified) == (entry, modified)
    assert modified_roll(sum(roll), late) == modified


def test_who_is_rolled_out_keeps_what_he_wrote_and_the_note_says_who_rolled() -> None:
    parts: tuple[list[Intent], ...] = ([SetRelation("Borealis", True)], [])
    empire, told = run_phase(begun(), sheets(*parts, source=Source.DEFAULT, late=1))
    assert empire.countries[A].stances == {"Borealis": "hostile"}
    (out,) = of(told, RolledOut)
    assert (out.by, out.cites()) == ("the referee", "emp.P10")
    assert "1 full day" in out.sentence() and "the moves he had written stand" in out.sentence()
    assert "2 full days" in RolledOut(A, 1, "the game master", 2).sentence()


def test_every_country_of_a_player_rolls_for_itself_and_is_late_alike() -> None:
    empire = begun()
    other = replace(empire.countries[A], name="Utopia", origin="created")
    empire, _ = put(empire.with_country(other), "government coolie", "Utopia", empire.cities["Arcadia City"].at)
    _, told = run_phase(empire, sheets([], source=Source.DEFAULT, late=2))
    assert [(event.country, event.late) for event in of(told, ConfidenceRolled)] == [(A, 2), ("Utopia", 2)]


def test_after_the_last_slot_the_next_turn_begins_and_after_the_last_turn_the_game_ends() -> None:
    empire = replace(begun(2), options={**begun(2).options, "last_turn": "2"})
    seen = []
    while next_phase(empire) is not None:
        empire, told = run_phase(empire)
        seen += [(event.seat, event.turn, event.slot) for event in of(told, SlotCame)]
    assert seen == [(B, 1, 3), (A, 2, 4), (B, 2, 5)]
    (end,) = of(told, GameEnded)
    assert "turn 2" in end.sentence() and set(end.winners) == set(tally(empire).winners())
    assert end.score == points(empire, end.winners[0])


# ---------------------------------------------------------------- governments


def without(empire: Empire, *kinds: str) -> Empire:
    gone = [unit.number for unit in empire.units_of(B, *kinds)]
    for number in gone:
        empire = empire.without_unit(number)
    return empire


def test_a_lost_government_costs_three_points_once_and_a_coolie_follows_at_the_next_turn() -> None:
    empire, told = run_phase(without(begun(), "government coolie"))
    assert len(of(told, GovernmentLost)) == 1 and empire.countries[B].confidence == 7
    empire, told = run_phase(empire)
    assert of(told, GovernmentLost) == [] and len(of(told, GovernmentNamed)) == 1
    (moved,) = of(told, ConfidenceMoved)
    assert moved.before == 7 and len(empire.units_of(B, "government coolie")) == 1
    _, told = run_phase(without(empire, "government coolie"))
    assert len(of(told, GovernmentLost)) == 1, "the new one costs as much"


def test_a_country_with_neither_city_nor_coolie_is_dissolved_and_gets_no_slot() -> None:
    empire = without(begun(), "government coolie", "coolie")
    empire = replace(empire, cities={name: c for name, c in empire.cities.items() if c.country != B})
    assert of(run_phase(empire)[1], CountryDissolved) == []  # a small armed coolie is one still
    empire, told = run_phase(without(empire, "SAC"))
    assert len(of(told, CountryDissolved)) == 1
    assert living(empire) == (A, C) and empire.active == C
    assert tally(empire).standings[-1].how == "no country left"


# ---------------------------------------------------------------- picks


def after_turn_one(*orders: Any) -> tuple[Empire, Told]:
    """Borealis and Cascadia only roll out on turn 1; then Arcadia's turn 2 begins."""
    empire, told = run_phase(begun(), sheets([*orders, RollOut()]))
    for _ in (B, C):
        empire, _ = run_phase(empire)
    return empire, told


def walk(empire: Empire, steps: int) -> tuple[int, tuple[str, ...]]:
    """A coolie of Arcadia and neighbouring land squares he can walk through."""
    board, unit = empire.board, empire.units_of(A, "coolie")[0]
    for _, there in board.grid.around(unit.at):
        try:
            moved, _ = do(empire, A, MoveUnits((unit.number,), there))
        except Refused:
            continue
        return unit.number, moved.trails[unit.number][: steps + 1]
    raise AssertionError("the capital is an island")


def test_self_mobile_picks_stand_in_the_capital_at_the_start_of_turn_two() -> None:
    empire, _ = after_turn_one(TakePicks(("truck", "oil tankers")))
    assert empire.units_of(A, "truck", "oil tanker") == ()
    empire, told = run_phase(empire)
    (appeared,) = of(told, PicksAppeared)
    assert appeared.units == ("truck", "oil tanker", "oil tanker", "oil tanker")
    assert {unit.at for unit in empire.units_of(A, "truck", "oil tanker")} == {empire.cities["Arcadia City"].at}


def test_lines_appear_where_coolies_walked_on_turn_one() -> None:
    number, path = walk(begun(), 1)
    empire, told = after_turn_one(MoveUnits((number,), path[-1]), TakePicks(("road", "road")))
    assert of(told, WaysWalked)[0].squares == path == longest_walk(empire, A)
    empire, told = run_phase(empire)
    assert [what for _, what in of(told, PicksAppeared)[0].lines] == ["road"]  # one border walked, one border of road
    assert list(empire.lines.values()) == [("road",)]


def test_picks_named_on_turn_two_must_lie_where_coolies_were() -> None:
    empire, _ = after_turn_one()
    far = empire.cities["Borealis City"].at
    parts = [
        TakePicks(("road", "truck"), (far,)),
        TakePicks(("truck", "truck")),
        TakePicks(("truck", "truck")),
        RollOut(),
    ]
    empire, told = run_phase(empire, sheets(parts))
    assert [event.line for event in of(told, OrderRefused)] == [1, 3]
    assert len(empire.units_of(A, "truck")) == 2


def test_picks_nobody_named_are_lost_after_turn_two() -> None:
    empire, _ = after_turn_one()
    empire, told = run_phase(empire)
    assert [event.country for event in of(told, PicksLapsed)] == [A]
    with pytest.raises(Refused, match="once"):
        do(empire, A, TakePicks(("truck", "truck")))


# ---------------------------------------------------------------- who plays, and whole games


def test_wishes_are_served_first_come_and_boards_must_have_room() -> None:
    assert seat_players((("borealis",), ("Borealis",), ()), {}, Scripted(())) == (B, A, C)
    assert refuse_options({"board": "by players"}, 8) is None
    assert "not 9" in (refuse_options({"board": "by players"}, 9) or "")
    assert "too small" in (refuse_options({"board": "small"}, 5) or "")
    assert len(dict.fromkeys(NAMES)) == 8


@pytest.mark.parametrize("seed", few(2, range(6)))
def test_random_games_balance_and_fold_to_the_same_position(seed: int) -> None:
    dice = Random(seed)
    empire = start = first(2 + seed % 3, last_turn="6")
    history: Told = []
    while next_phase(empire) is not None:
        before = empire
        empire, told = run_phase(empire, lambda question: Answer(question.menu.sample(dice.randrange)))
        assert audit(before, told, empire) == ()
        history += told
    folded = start
    for event in history:
        folded = evolve(folded, event)
    assert folded == empire and empire.ended


def test_every_word_is_one_of_the_slot_or_is_done_at_once_or_before_the_play() -> None:
    known = {verb.word for verb in vocabulary_of(begun()).verbs}
    assert set(VERBS) - known == set()
    feeding = {"FEED FIRST", "FEED LAST", "FEED FROM", "FEED AS USUAL", "SPARE FOOD"}
    at_once = {"PLACE CAPITAL", "ACCEPT", "PETITION", "SUSPEND", "VOTE", "RETREAT", "RETREAT AS USUAL"}
    at_once |= {"SCRAMBLE ALWAYS", "SCRAMBLE NEVER", "SUPPRESS BIRTHS", "ALLOW BIRTHS"}
    assert known - set(VERBS) == at_once | feeding


def test_an_attack_that_waits_for_the_deadline_is_made_only_by_his_own_word() -> None:
    empire, number = put(begun(), "SAC", A, begun().cities["Arcadia City"].at)
    attack = Attack("c1r1", (number,))
    _, told = run_phase(empire, sheets((attack,), source=Source.ORDERS))
    assert [event.why for event in told if isinstance(event, OrderRefused)] == [
        "An attack is never implied: only a player who rolls out himself, or writes EXECUTE, makes it."
    ]
    _, told = run_phase(empire, sheets((attack, Execute()), source=Source.ORDERS))
    assert [event.by_rule for event in told if isinstance(event, OrderRefused)] != ["emp.P9"]
