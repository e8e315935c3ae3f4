"""The parts games share: stocks, rankings, wording, rules as data, chances, the log as rows, hexes, conditions, case files."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.names import Seat
from referee.core.order import All, Any, Comparison, Condition, Not, Predicate, Thing
from referee.core.page import Sheet
from referee.games import GAMES
from referee.kit.casefile import Case, Expect, Spoken, parse_cases
from referee.kit.conditions import compares, satisfied
from referee.kit.fields import quantity_of
from referee.kit.hexes import Grid
from referee.kit.odds import drawn_at_least_one, fought_out, in_words, out_of, successes, thrown
from referee.kit.refused import Refused
from referee.kit.reports import by_phase, chance_sheet, events_sheet
from referee.kit.rulebook import part_of
from referee.kit.seats_and_ranks import first_come, placed
from referee.kit.stock import Flow, covers, fewer, gathered, more, times_covered, unbalanced
from referee.kit.wording import are, counted, in_a_row, in_number, stock_in_words


def test_stocks_are_copied_never_changed() -> None:
    held = {"gold": 5}
    assert more(held, {"gold": 2, "food": 1}) == {"gold": 7, "food": 1}
    assert fewer(held, {"gold": 6}) == {"gold": -1}
    assert held == {"gold": 5}


def test_paying() -> None:
    price = {"food": 2, "cloth": 1}
    assert covers({"food": 2, "cloth": 1}, price) and not covers({"food": 9}, price)
    assert times_covered({"food": 7, "cloth": 5}, price) == 3
    assert times_covered({"food": -4, "cloth": 5}, price) == 0


def test_gathering_keeps_the_first_order() -> None:
    assert list(gathered(["b", "a", "b"]).items()) == [("b", 2), ("a", 1)]


def test_a_ledger_names_the_account_that_does_not_balance() -> None:
    flows = [Flow("gold", 3), Flow("gold", -1), Flow("food", 2)]
    assert unbalanced({"gold": 1}, flows, {"gold": 3, "food": 2}) == ()
    (complaint,) = unbalanced({"gold": 1}, flows, {"gold": 4, "food": 2})
    assert complaint == "gold: had 1, should now be 3, is 4."
    assert unbalanced({}, (), {"cloth": 2}) == ("cloth: had 0, should now be 0, is 2.",)


def test_equals_share_a_place() -> None:
    assert placed(["a", "bb", "cc", "d"], lambda word: (len(word),)) == ((1, "bb"), (1, "cc"), (3, "a"), (3, "d"))


@pytest.mark.parametrize(
    ("number", "name", "words"),
    [
        (1, "armies", "1 army"),
        (2, "armies", "2 armies"),
        (1, "gold", "1 gold"),
        (1, "cards", "1 card"),
        (1, "revolutionary armies", "1 revolutionary army"),
        (1, "dice", "1 die"),
        (1, "matches", "1 match"),
        (0, "fleets", "0 fleets"),
    ],
)
def test_counted_nouns(number: int, name: str, words: str) -> None:
    assert counted(number, name) == words


@pytest.mark.parametrize(
    ("number", "words"), [(0, "are go stay them were"), (1, "is goes stays it was"), (2, "are go stay them were")]
)
def test_a_number_and_its_verb(number: int, words: str) -> None:
    said = [in_number(number, word) for word in ("go", "stay", "them", "were")]
    assert " ".join((are(number), *said)) == words


def test_who_names_no_number_is_shown_one_and_all() -> None:
    with pytest.raises(Refused) as told:
        quantity_of(Thing("unit", "armies"), "armies", "nw.turn", "RAISE")
    assert told.value.illegal.instead == ("RAISE 1 army", "RAISE all armies")


def test_seats_go_to_who_wishes_them_first() -> None:
    assert first_come(("Red", "Blue", "Green"), ((), ("blue", "Red"), ("Blue", "green"))) == ("Red", "Blue", "Green")


def test_rows_of_words() -> None:
    assert in_a_row([]) == "" and in_a_row(["a"]) == "a" and in_a_row(["a", "b", "c"], "or") == "a, b or c"
    assert stock_in_words({"food": 2, "gold": 0}) == "2 food" and stock_in_words({}) == "nothing"


# ---------------------------------------------------------------- rules as data


PARTS = {"combat": "Battles", "combat.naval": "Battles at sea"}


def test_the_longest_beginning_counts() -> None:
    assert part_of("combat.naval.3", PARTS) == "Battles at sea"
    assert part_of("combat.land.3", PARTS) == "Battles"
    assert part_of("combats.3", PARTS) is None


def test_a_rule_stands_for_rules_of_another_edition_each_once() -> None:
    every = [rule.id for game in GAMES for rule in game.rules]
    for game in GAMES:
        own = {rule.id for rule in game.rules}
        elders = [elder for rule in game.rules for elder in rule.stands_for]
        assert len(elders) == len(set(elders))
        for elder in elders:
            meant = [id for id in every if id == elder or id.startswith(f"{elder}.")]
            assert meant and not own & set(meant), elder


# ---------------------------------------------------------------- chances


SIX = {0: Fraction(5, 6), 1: Fraction(1, 6)}


def test_equal_dice_together() -> None:
    assert thrown(2, SIX) == {0: Fraction(25, 36), 1: Fraction(10, 36), 2: Fraction(1, 36)}
    assert thrown(4, SIX) == successes(4, Fraction(1, 6))
    assert sum(successes(9, Fraction(1, 6)).values()) == 1


def test_cards_drawn() -> None:
    assert drawn_at_least_one(20, 1, 1) == Fraction(1, 20)
    assert drawn_at_least_one(5, 2, 2) == Fraction(7, 10)
    assert drawn_at_least_one(5, 2, 9) == 1
    assert drawn_at_least_one(0, 0, 3) == 0


def test_a_fight_to_the_end() -> None:
    """One against one, each hitting with a six: 5 in 11 for either, 1 in 11 that both go, as by hand."""

    def volley(units: int) -> dict[int, Fraction]:
        return thrown(units, SIX)

    ends = fought_out(1, 1, volley, volley)
    assert ends == {(1, 0): Fraction(5, 11), (0, 1): Fraction(5, 11), (0, 0): Fraction(1, 11)}
    assert sum(fought_out(5, 3, volley, volley).values()) == 1


def test_a_fight_in_which_nobody_hits_is_left_as_it_is() -> None:
    assert fought_out(2, 3, lambda _: {0: Fraction(1)}, lambda _: {0: Fraction(1)}) == {(2, 3): Fraction(1)}


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1), "certain"),
        (Fraction(0), "impossible"),
        (Fraction(5, 36), "5 in 36"),
        (Fraction(5, 37), "about 14 in 100"),
        (Fraction(1, 1296), "about 1 in 1296"),
        (Fraction(1295, 1296), "all but about 1 in 1296"),
    ],
)
def test_in_words(chance: Fraction, words: str) -> None:
    assert in_words(chance) == words


def test_halves_are_rounded_up() -> None:
    assert [out_of(Fraction(n, 8), 100) for n in (1, 3, 5)] == [13, 38, 63]


# ---------------------------------------------------------------- the log as rows


class Silent(Event, frozen=True):
    """An event that has nothing to say."""

    def sentence(self) -> str:
        return ""


DICE = Rolled("war/1", "Battle in Egypt", "x.war.1", 6, (3, 5))
CARDS = Drawn("deal", "A card", "x.cards.1", "event deck", ("Plague",))
HISTORY = (
    PhaseBegan("T1", "Turn 1"), DICE, Silent(), PhaseEnded("T1", "Turn 1"),
    PhaseBegan("T2", "Turn 2"), CARDS, PhaseEnded("T2", "Turn 2"),
)  # fmt: skip


def rows(sheet: Sheet) -> tuple[tuple[object, ...], ...]:
    (grid,) = sheet.grids
    return grid.rows


def test_beginnings_and_ends_are_keys_not_events() -> None:
    assert [key for key, _ in by_phase(HISTORY)] == ["T1", "T1", "T2"]


def test_what_says_nothing_has_no_row() -> None:
    told = rows(events_sheet(HISTORY, "Turn"))
    assert [row[0] for row in told] == ["T1", "T2"]
    assert told[0][1:] == ("Battle in Egypt: 2d6 = 3 5.", "x.war.1")


def test_dice_and_draws_with_purpose_and_result() -> None:
    assert rows(chance_sheet(HISTORY, "Turn", "bag")) == (
        ("T1", "Battle in Egypt", "x.war.1", "2d6", "3 5"),
        ("T2", "A card", "x.cards.1", "event deck", "Plague"),
    )


# ---------------------------------------------------------------- hexes


def walked(grid: Grid, start: str) -> dict[str, int]:
    found = {start: 0}
    for here in (line := [start]):
        for _, there in grid.around(here):
            if there not in found:
                found[there] = found[here] + 1
                line.append(there)
    return found


@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize("start", ["c1r1", "c6r4", "c12r9", "c11r5"])
def test_cells_are_as_far_apart_as_one_walks(wraps: bool, start: str) -> None:
    grid = Grid(12, 9, wraps)
    assert {at: grid.apart(start, at) for at in grid.cells()} == walked(grid, start)


# ---------------------------------------------------------------- conditions


YES, NO = Predicate("YES"), Predicate("NO")


def truth(condition: Condition) -> bool:
    return satisfied(condition, lambda test: test is YES)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (YES, True),
        (Not(YES), False),
        (All((YES, NO)), False),
        (All((YES, Not(NO))), True),
        (Any((NO, YES)), True),
        (Any((NO, Not(YES))), False),
    ],
)
def test_not_and_or(condition: Condition, expected: bool) -> None:
    assert truth(condition) is expected


@given(st.lists(st.sampled_from([YES, NO]), min_size=1, max_size=6))
def test_not_turns_and_into_or(terms: list[Predicate]) -> None:
    assert truth(Not(All(tuple(terms)))) == truth(Any(tuple(map(Not, terms))))


@pytest.mark.parametrize(
    ("comparison", "passing"),
    [
        (Comparison.LESS, {1}),
        (Comparison.AT_MOST, {1, 2}),
        (Comparison.EQUAL, {2}),
        (Comparison.AT_LEAST, {2, 3}),
        (Comparison.MORE, {3}),
        (Comparison.UNEQUAL, {1, 3}),
    ],
)
def test_each_comparison(comparison: Comparison, passing: set[int]) -> None:
    test = Predicate("fleets", comparison=comparison, number=2)
    assert {measured for measured in (1, 2, 3) if compares(test, measured)} == passing


def test_without_a_number_one_of_the_kind_is_enough() -> None:
    assert compares(Predicate("fleets"), 1)
    assert not compares(Predicate("fleets"), 0)


# ---------------------------------------------------------------- case files


FRANCE, SPAIN = Seat("France"), Seat("Spain")

TEXT = """
# worked examples
CASE nw.upkeep.workers.1  Workers beyond the food on hand are discarded
OPTIONS coal gold, round 3
GIVEN France has 5 workers, 3 food       # enough for three
GIVEN it is late
STANDING Spain: LOSE fleets
ORDERS France: HIRE 1 worker; BUILD 1 fleet
ANSWERS France: YES; let it pass
DICE 2 6 1
DICE 4
LATE Spain: 25:30
EXPECT France has 3 workers
EXPECT event "2 workers"
EXPECT not event "fleet"
EXPECT refused "no such thing"
EXPECT doubt "you may starve"

CASE nw.upkeep.workers.2  Another
EXPECT France has 1 worker
"""


def test_every_word_of_a_case_is_read() -> None:
    first, second = parse_cases(TEXT)
    assert first == Case(
        "nw.upkeep.workers.1",
        "Workers beyond the food on hand are discarded",
        3,
        {"coal": "gold", "round": "3"},
        ("France has 5 workers, 3 food", "it is late"),
        (Spoken(SPAIN, "LOSE fleets"),),
        (Spoken(FRANCE, "HIRE 1 worker; BUILD 1 fleet"),),
        (Spoken(FRANCE, "YES"), Spoken(FRANCE, "let it pass")),
        (2, 6, 1, 4),
        {SPAIN: 25 * 60 + 30},
        (
            Expect("fact", "France has 3 workers", 13),
            Expect("event", "2 workers", 14),
            Expect("not event", "fleet", 15),
            Expect("refused", "no such thing", 16),
            Expect("doubt", "you may starve", 17),
        ),
    )
    assert second == Case("nw.upkeep.workers.2", "Another", 19, expect=(Expect("fact", "France has 1 worker", 20),))
    assert first.rule == "nw.upkeep.workers"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("GIVEN x", "line 1: GIVEN stands before the first CASE"),
        ("CASE nw.r1  No number\nEXPECT x", "line 1: a CASE needs"),
        ("CASE nw.r1.1\nEXPECT x", "line 1: a CASE needs"),
        ("CASE nw.r1.1  X\nEXPECTS x", "line 2: EXPECTS is no word of a case"),
        ("CASE nw.r1.1  X\nORDERS HIRE 1", "line 2: say whose"),
        ("CASE nw.r1.1  X\nDICE six", "line 2: DICE are whole numbers"),
        ("CASE nw.r1.1  X\nLATE France: a day", "line 2: say how late in hours and minutes"),
        ("CASE nw.r1.1  X\nOPTIONS coal", "line 2: OPTIONS go in pairs"),
        ("CASE nw.r1.1  X\nGIVEN y", "line 1: nw.r1.1 expects nothing"),
    ],
)
def test_a_wrong_line_is_named(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse_cases(text)
