"""The parts games share: stocks, ledgers, rankings, wording."""

from __future__ import annotations

import pytest

from referee.core.order import Thing
from referee.kit.fields import quantity_of
from referee.kit.places import first_come, placed
from referee.kit.refused import Refused
from referee.kit.stock import Flow, covers, fewer, gathered, more, times_covered, unbalanced
from referee.kit.wording import are, counted, in_a_row, stock_in_words


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
        (0, "fleets", "0 fleets"),
    ],
)
def test_counted_nouns(number: int, name: str, words: str) -> None:
    assert counted(number, name) == words


@pytest.mark.parametrize(("number", "verb"), [(0, "are"), (1, "is"), (2, "are")])
def test_a_number_and_its_verb(number: int, verb: str) -> None:
    assert are(number) == verb


def test_who_names_no_number_is_shown_one_and_all() -> None:
    with pytest.raises(Refused) as told:
        quantity_of(Thing("unit", "armies"), "armies", "nw.turn", "RAISE")
    assert told.value.illegal.instead == ("RAISE 1 army", "RAISE all armies")


def test_seats_go_to_who_wishes_them_first() -> None:
    assert first_come(("Red", "Blue", "Green"), ((), ("blue", "Red"), ("Blue", "green"))) == ("Red", "Blue", "Green")


def test_rows_of_words() -> None:
    assert in_a_row([]) == "" and in_a_row(["a"]) == "a" and in_a_row(["a", "b", "c"], "or") == "a, b or c"
    assert stock_in_words({"food": 2, "gold": 0}) == "2 food" and stock_in_words({}) == "nothing"
