"""The table: dice by purpose, bags without putting back, the state changed by events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.chance import Chance, Keyed, Scripted
from referee.core.event import Drawn, Event, PhaseBegan, Rolled
from referee.core.names import Role, Seat
from referee.core.question import Amount, Answer, Pace, Question
from referee.core.table import Table
from tests.match import secret_of
from tests.standins import Recorded

ANN, BOB = Seat("Ann"), Seat("Bob")
bags = st.dictionaries(st.sampled_from(["clay", "iron", "jade", "ruby"]), st.integers(0, 4))


def table(chance: Chance | None = None) -> tuple[Table[tuple[Event, ...]], list[Event]]:
    """A table whose state is the tuple of its events, and what was heard of them."""
    heard: list[Event] = []
    empty: tuple[Event, ...] = ()
    made = Table("R1", empty, chance or Keyed(secret_of("table"), 0), lambda state, event: (*state, event))
    made.heard = heard.append
    return made, heard


def test_an_event_is_heard_and_changes_the_state() -> None:
    made, heard = table()
    made.emit(PhaseBegan("R1", "Round 1"))
    assert made.state == tuple(heard) == (PhaseBegan("R1", "Round 1"),)


def test_a_roll_tells_purpose_rule_and_faces() -> None:
    made, heard = table(Scripted([4, 2]))
    assert made.roll(2, 6, "storms", "toy.prize") == (4, 2)
    assert heard == [Rolled("R1/storms", "storms", "toy.prize", 6, (4, 2), 0, None)]
    assert heard[0].cites() == "toy.prize"
    assert heard[0].sentence() == "storms: 2d6 = 4 2."


def test_dice_of_one_purpose_are_counted_on_and_of_another_start_anew() -> None:
    chance = Recorded({("R1/storms", 0): 1, ("R1/storms", 1): 2, ("R1/storms", 2): 3, ("R1/calm", 0): 4})
    made, heard = table(chance)
    assert [made.roll(2, 6, "storms", "r"), made.roll(1, 6, "calm", "r"), made.roll(1, 6, "storms", "r")] == [
        (1, 2),
        (4,),
        (3,),
    ]
    assert [event.first for event in heard if isinstance(event, Rolled)] == [0, 0, 2]


def test_one_players_extra_roll_does_not_shift_anothers() -> None:
    calm, eager = table()[0], table()[0]
    eager.roll(5, 6, "Ann's copper", "r")
    assert calm.roll(6, 6, "the prize", "r") == eager.roll(6, 6, "the prize", "r")


@given(bags, st.integers(0, 20), st.integers(0, 1000))
def test_a_draw_takes_what_is_there_and_never_more(holds: Mapping[str, int], count: int, seed: int) -> None:
    made, heard = table(Keyed(secret_of(str(seed)), 0))
    items = made.draw("the bag", holds, count, "draw", "r")
    assert len(items) == min(count, sum(holds.values()))
    assert all(number <= holds[name] for name, number in Counter(items).items())
    assert isinstance(heard[0], Drawn) and heard[0].items == items


@given(bags, st.integers(0, 1000))
def test_drawing_everything_empties_the_bag(holds: Mapping[str, int], seed: int) -> None:
    made, _ = table(Keyed(secret_of(str(seed)), 0))
    assert +Counter(made.draw("the bag", holds, 99, "draw", "r")) == +Counter(holds)


def test_a_draw_does_not_hang_on_the_order_in_which_the_bag_is_written() -> None:
    one, other = {"clay": 2, "iron": 1, "jade": 0}, {"iron": 1, "clay": 2}
    assert table()[0].draw("bag", one, 3, "d", "r") == table()[0].draw("bag", other, 3, "d", "r")


def test_every_item_is_as_likely_as_every_other() -> None:
    made, _ = table()
    first = Counter(made.draw("bag", {"clay": 4, "ruby": 1}, 2, "d", "r")[0] for _ in range(2000))
    second = Counter(made.draw("bag", {"clay": 4, "ruby": 1}, 2, "e", "r")[1] for _ in range(2000))
    assert 320 <= first["ruby"] <= 480 and 320 <= second["ruby"] <= 480


def test_scripted_draws_count_through_the_bag_in_order_of_name() -> None:
    made, _ = table(Scripted([3, 3, 1]))
    assert made.draw("bag", {"ruby": 1, "clay": 2, "iron": 1}, 3, "d", "r") == ("iron", "ruby", "clay")


def test_a_choice_among_one_costs_no_die() -> None:
    made, heard = table(Scripted([2]))
    assert made.choose(["only"], "who", "r") == "only"
    assert heard == []
    assert made.choose(["a", "b", "c"], "who", "r") == "b"
    assert isinstance(heard[0], Rolled) and heard[0].sides == 3


@pytest.mark.parametrize("seen_by", [None, (), (ANN,), (ANN, BOB)])
def test_dice_and_draws_are_told_only_to_those_who_may_see(seen_by: tuple[Seat, ...] | None) -> None:
    made, heard = table()
    made.roll(1, 6, "copper", "r", seen_by=seen_by)
    made.draw("bag", {"clay": 1}, 1, "card", "r", seen_by=seen_by)
    for event in heard:
        assert event.told_to(Role.REFEREE) is event
        for reader in (ANN, BOB, Seat("Cyd"), Role.OBSERVER):
            may = seen_by is None or reader in seen_by
            assert event.told_to(reader) == (event if may else None)


def test_asking_yields_the_questions_and_returns_the_answers() -> None:
    made, _ = table()
    questions = [Question(f"k{n}", seat, "?", Amount(0, 9, 0), Pace.WINDOW, "r") for n, seat in enumerate((ANN, BOB))]
    script = made.ask_all(questions)
    assert next(script) == tuple(questions)
    with pytest.raises(StopIteration) as done:
        script.send((Answer(3), Answer(4)))
    assert done.value.value == (Answer(3), Answer(4))
    alone = made.ask(questions[0])
    assert next(alone) == (questions[0],)
    with pytest.raises(StopIteration) as done:
        alone.send((Answer(5),))
    assert done.value.value == Answer(5)


def test_asking_nobody_asks_nothing() -> None:
    with pytest.raises(StopIteration) as done:
        next(table()[0].ask_all(()))
    assert done.value.value == ()
