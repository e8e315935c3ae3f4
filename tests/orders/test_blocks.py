"""Blocks, comments, continuations, and what is not read."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import dedent

import pytest

from referee.core.order import All, Any, Comparison, Not, Portion, Predicate, Quantity, Thing
from referee.orders import MOST_LINES, Branch, Node, Reading, read, understand_condition, write_condition
from tests.orders.words import DESK, GAME


def letter(text: str) -> Reading:
    return read(dedent(text).lstrip("\n"), GAME, DESK)


def texts(nodes: Iterable[Node] | None) -> list[object] | None:
    """Nodes as plain lists: a sentence's text, or [condition, then, otherwise]."""
    if nodes is None:
        return None
    return [[n.text, texts(n.then), texts(n.otherwise)] if isinstance(n, Branch) else n.text for n in nodes]


def test_every_block() -> None:
    reading = letter("""
        REST
        STANDING
          RESEARCH any
        END
        IF LATE
          REST
        END
        FOR TURN 5 PHASE Combat 2
          REST
        END
        for turn 6:
        END
        PREVIEW
          MOVE army TO Suez
        END
        STATUS
    """)
    assert texts(reading.sheet) == ["REST"]
    assert texts(reading.standing) == ["RESEARCH any"]
    assert texts(reading.late) == ["REST"]
    assert [(t.turn, t.phase, texts(t.nodes)) for t in reading.turns] == [(5, "Combat 2", ["REST"]), (6, "", [])]
    assert texts(reading.preview) == ["MOVE army TO Suez"]
    assert [s.text for s in reading.desk] == ["STATUS"]
    assert not reading.mistakes and not reading.ignored


def test_a_sheet_not_mentioned_differs_from_an_empty_one() -> None:
    assert letter("STANDING\nEND").standing == ()
    assert letter("REST").standing is None


def test_nested_conditions() -> None:
    reading = letter("""
        IF Blue CONTROLS Egypt OR NOT (Red AT WAR WITH Blue AND CONFIDENCE < 6) THEN
          REST
          IF fleets IN Red Sea >= 2
            SAIL fleet
          ELSE
            SAIL 2 fleets
          END
        ELSE IF CONFIDENCE = 3
          ACCEPT 3
        ELSE
          ACCEPT 4
        END
        ACCEPT 5
    """)
    assert texts(reading.sheet) == [
        [
            "Blue CONTROLS Egypt OR NOT (Red AT WAR WITH Blue AND CONFIDENCE < 6)",
            ["REST", ["fleet IN Red Sea >= 2", ["SAIL fleet"], ["SAIL 2 fleet"]]],
            [["CONFIDENCE = 3", ["ACCEPT 3"], ["ACCEPT 4"]]],
        ],
        "ACCEPT 5",
    ]
    assert not reading.mistakes


def test_a_condition_is_a_value() -> None:
    red = Predicate("AT WAR WITH", (Thing("seat", "Red"),), (Thing("seat", "Blue"),))
    low = Predicate("CONFIDENCE", comparison=Comparison.LESS, number=6)
    fleets = Predicate(
        "IN", (Thing("unit", "fleet", Quantity(Portion.EXACTLY, 2)),), (Thing("place", "Red Sea"),), (), None, None
    )
    text = "red at war with blue and not (2 fleets in the red sea or confidence < 6)"
    condition = understand_condition(text, GAME)
    assert condition == All((red, Not(Any((fleets, low)))))
    assert write_condition(All((red, Not(Any((fleets, low)))))) == (
        "Red AT WAR WITH Blue AND NOT (2 fleet IN Red Sea OR CONFIDENCE < 6)"
    )


def test_a_block_whose_condition_is_bad_is_not_carried_out() -> None:
    reading = letter("""
        REST
        IF Blue RULES Egypt
          ACCEPT 1
          IF Blue CONTROLS Egypt
            ACCEPT 2
          ELSE
            ACCEPT 3
          END
        ELSE
          ACCEPT 4
        END
        ACCEPT 5
    """)
    assert texts(reading.sheet) == ["REST", "ACCEPT 5"]
    assert [m.line for m in reading.mistakes] == [2]
    assert [line.number for line in reading.ignored] == [3, 4, 5, 6, 7, 9, 10]


def test_a_bad_else_never_moves_orders_to_the_other_side() -> None:
    reading = letter("""
        IF Blue CONTROLS Egypt
          ACCEPT 1
        ELSE MOVE army
          ACCEPT 2
        END
        ACCEPT 3
    """)
    assert texts(reading.sheet) == [["Blue CONTROLS Egypt", ["ACCEPT 1"], []], "ACCEPT 3"]
    assert [line.number for line in reading.ignored] == [4]


@pytest.mark.parametrize("again", ["ELSE", "ELSE IF CONFIDENCE = 7"])
def test_a_second_else_is_refused(again: str) -> None:
    reading = letter(f"IF CONFIDENCE < 6\nACCEPT 1\nELSE\nACCEPT 2\n{again}\nACCEPT 3\nEND\nACCEPT 4")
    assert texts(reading.sheet) == [["CONFIDENCE < 6", ["ACCEPT 1"], ["ACCEPT 2"]], "ACCEPT 4"]
    assert [m.line for m in reading.mistakes] == [5] and [line.number for line in reading.ignored] == [6]


@pytest.mark.parametrize("heading", ["ELSE", "ELSE IF CONFIDENCE = 7"])
def test_orders_under_an_else_without_an_if_are_not_carried_out(heading: str) -> None:
    reading = letter(f"IF CONFIDENCE < 6\nACCEPT 1\nEND\n{heading}\nACCEPT 2\nEND\nACCEPT 3")
    assert texts(reading.sheet) == [["CONFIDENCE < 6", ["ACCEPT 1"], []], "ACCEPT 3"]
    assert [m.line for m in reading.mistakes] == [4] and [line.number for line in reading.ignored] == [5]
    drawer = letter(f"STANDING\nREST\n{heading}\nACCEPT 2\nEND\nACCEPT 3")
    assert (texts(drawer.standing), texts(drawer.sheet)) == (["REST"], ["ACCEPT 3"])


def test_an_unclosed_block_is_read_as_closed_and_said_so() -> None:
    reading = letter("STANDING\nREST\nIF CONFIDENCE < 6\nACCEPT 1")
    assert texts(reading.standing) == ["REST", ["CONFIDENCE < 6", ["ACCEPT 1"], []]]
    assert [(m.line, m.refusal.sentence) for m in reading.mistakes] == [
        (1, "This block is not closed by END; it was read as ending with the letter."),
        (3, "This block is not closed by END; it was read as ending with the letter."),
    ]


def test_a_new_block_closes_the_one_before() -> None:
    reading = letter("STANDING\nREST\nFOR TURN 1\nACCEPT 1\nEND\nACCEPT 2")
    assert texts(reading.standing) == ["REST"]
    assert texts(reading.turns[0].nodes) == ["ACCEPT 1"]
    assert texts(reading.sheet) == ["ACCEPT 2"]
    assert [m.line for m in reading.mistakes] == [1]


def test_no_sheet_inside_a_condition() -> None:
    reading = letter("IF CONFIDENCE < 6\nSTANDING\nREST\nEND\nACCEPT 1\nEND")
    assert texts(reading.sheet) == [["CONFIDENCE < 6", ["ACCEPT 1"], []]]
    assert reading.standing is None
    assert [m.line for m in reading.mistakes] == [2]
    assert [line.number for line in reading.ignored] == [3]


def test_desk_words_stand_outside_blocks() -> None:
    reading = letter("STANDING\nROLL OUT\nREST\nEND\nROLL OUT")
    assert [(s.line, s.text) for s in reading.desk] == [(5, "ROLL OUT")]
    assert texts(reading.standing) == ["REST"]
    assert [m.line for m in reading.mistakes] == [2]


def test_end_signature_and_quotes() -> None:
    reading = letter("> MOVE army TO Egypt\nREST\nEND\nACCEPT 1\n> x\n-- \nAnna\n\nBerlin")
    assert texts(reading.sheet) == ["REST"]
    assert [(line.number, line.text, line.why) for line in reading.ignored] == [
        (1, "> MOVE army TO Egypt", "quoted from another letter"),
        (4, "ACCEPT 1", "after END"),
        (5, "> x", "quoted from another letter"),
        (6, "--", "part of the signature"),
        (7, "Anna", "part of the signature"),
        (9, "Berlin", "part of the signature"),
    ]


def test_comments_continuations_and_several_orders_on_a_line() -> None:
    reading = letter("""
        # my plan; REST
        MOVE 2 armies \\
          FROM Egypt \\
          TO Suez  # by sea \\
        ACCEPT 1; ACCEPT 2 ;; NAME Egypt AS "a;b#c"; REST # ; ACCEPT 3
    """)
    assert texts(reading.sheet) == [
        "MOVE 2 army FROM Egypt TO Suez",
        "ACCEPT 1",
        "ACCEPT 2",
        'NAME Egypt AS "a;b#c"',
        "REST",
    ]
    assert [node.line for node in reading.sheet] == [2, 5, 5, 5, 5]
    assert not reading.mistakes


def test_a_block_on_one_line() -> None:
    assert texts(letter("IF CONFIDENCE < 6; REST; END; ACCEPT 1").sheet) == [
        ["CONFIDENCE < 6", ["REST"], []],
        "ACCEPT 1",
    ]


def test_add() -> None:
    assert letter("ADD\nREST").adds
    alone = letter("\n# hello\nadd REST\nACCEPT 1")
    assert alone.adds and texts(alone.sheet) == ["REST", "ACCEPT 1"]
    late = letter("REST\nADD ACCEPT 1")
    assert not late.adds and texts(late.sheet) == ["REST"] and [m.line for m in late.mistakes] == [2]


def test_yes() -> None:
    assert letter("Yes!\n\n> REST\n-- \nAnna").yes
    assert [s.text for s in letter("YES").desk] == ["YES"]
    without = read("yes", GAME, type(DESK)((), ()))
    assert without.yes and not without.mistakes
    assert not letter("YES\nREST").yes


def test_the_place_of_a_mistake_counts_wide_letters() -> None:
    (mistake,) = letter('NAME 日本 AS "x"').mistakes
    assert mistake.source[mistake.column : mistake.column + mistake.width] == "日本"
    assert mistake.caret() == "     ^^^^"


def test_too_much_is_refused_and_counted() -> None:
    (long,) = letter("MOVE " + "x" * 65_000).mistakes
    assert long.refusal.sentence == "This line has 65,005 characters; no more than 2,000 are read."
    assert len(long.source) < 300
    many = letter("REST\n" * (MOST_LINES + 5))
    assert len(many.sheet) == MOST_LINES
    assert [mistake.line for mistake in many.mistakes] == [MOST_LINES + 1] and not many.ignored
    deep = letter("IF CONFIDENCE < 6\n" * 1_000 + "REST\n")
    assert not any("REST" in str(texts((node,))) for node in deep.sheet)
    nested = letter("IF " + "(" * 300 + "CONFIDENCE < 6" + ")" * 300 + "\nREST\nEND")
    assert not nested.sheet and len(nested.mistakes) == 1


def test_an_overlong_heading_hides_its_block() -> None:
    reading = letter("IF CONFIDENCE < 6 OR " + "x" * 2_000 + "\nREST\nEND\nACCEPT 1")
    assert texts(reading.sheet) == ["ACCEPT 1"]
