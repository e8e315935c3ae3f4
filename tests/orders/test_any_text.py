"""No text makes reading fail, and one bad line never changes, hides or reorders another."""

from __future__ import annotations

import time
from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.orders import Branch, Node, Reading, parse, read
from referee.orders.grammar import Malformed, SentenceShape
from tests.orders.words import DESK, GAME

GOOD = (
    "MOVE 3 infantry, 1 general FROM Egypt TO Palestine VIA Suez",
    "RESEARCH Finance, Science, any KEEPING 4 gold",
    "ATTACK France IN Europe FOR Ore WITH 1 fleet",
    'NAME Egypt AS "The Nile; # so"',
    "STATUS",
    "ROLL OUT",
    'DEADLINE nw1 +12h FOR France BECAUSE "he is ill"',
)
ORDERS = GOOD[:4]
HEADINGS = ("STANDING", "IF LATE", "FOR TURN 4", "PREVIEW", "IF Blue CONTROLS Egypt", "IF Blue RULES Egypt", "IF (")
MARKS = ("END", "ELSE", "ELSE IF CONFIDENCE < 6", "ADD", "YES", "", "# hm", "> quoted", "-- ", "\\", ";", '"', "(")

rows = st.one_of(st.sampled_from(GOOD + HEADINGS + MARKS), st.text(max_size=60))
mutations = st.lists(rows, max_size=12).map("\n".join)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(), mutations), st.booleans())
def test_reading_never_fails(text: str, matched: bool) -> None:
    reading = read(text, GAME if matched else None, DESK)
    for mistake in reading.mistakes:
        assert 0 <= mistake.column <= len(mistake.source) and mistake.width > 0
        assert mistake.caret().strip() and set(mistake.caret()) <= {" ", "^"}
        assert mistake.refusal.sentence and "\n" not in mistake.source


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(GOOD), st.data())
def test_a_good_line_with_a_few_wrong_letters_never_fails(line: str, data: st.DataObject) -> None:
    typed = list(line)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(typed)))
        typed[place : place + data.draw(st.integers(0, 2))] = data.draw(st.text(max_size=2))
    for mistake in read("".join(typed), GAME, DESK).mistakes:
        for offered in mistake.refusal.instead:
            assert isinstance(parse(offered), SentenceShape) or offered.startswith("IF")


def _is_bad(line: str) -> bool:
    """Whether a line is one bad sentence on its own: no heading, no end, no line break."""
    reading = read(f"{line}\nREST", GAME, DESK)
    plain = [n.text for n in reading.sheet] == ["REST"] and not reading.desk and not reading.ignored
    return bool(reading.mistakes) and plain and not line.endswith("\\")


bad_lines = st.one_of(
    st.sampled_from(
        ("MOVE army TO Egpyt", "A PAR PAR", "MOVE MOVE", "ELSE", "FROM Egypt", "(", '"', "ADDITION", "ATTACK")
    ),
    st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=["Cs"]), min_size=1, max_size=40),
).filter(_is_bad)

LETTER = [
    ORDERS[0],
    "STANDING",
    ORDERS[1],
    "IF Blue CONTROLS Egypt",
    ORDERS[2],
    "END",
    "END",
    "STATUS",
    "FOR TURN 4",
    ORDERS[3],
    "END",
    "ROLL OUT",
]


def _said(reading: Reading) -> list[object]:
    drawers = (reading.sheet, reading.standing, reading.late, reading.preview, *(t.nodes for t in reading.turns))
    return [[_plain(nodes or ()) for nodes in drawers], [sentence.text for sentence in reading.desk]]


def _plain(nodes: Iterable[Node]) -> list[object]:
    return [[n.text, _plain(n.then), _plain(n.otherwise)] if isinstance(n, Branch) else n.text for n in nodes]


@settings(max_examples=120, deadline=None)
@given(bad_lines, st.integers(0, len(LETTER)))
def test_a_bad_line_changes_no_other(line: str, place: int) -> None:
    spoilt = [*LETTER[:place], line, *LETTER[place:]]
    if line == "ELSE" and LETTER[3] in spoilt[:place] and "END" not in LETTER[3:place]:
        return
    before, after = read("\n".join(LETTER), GAME, DESK), read("\n".join(spoilt), GAME, DESK)
    assert not before.mistakes
    assert _said(after) == _said(before)
    assert {mistake.line for mistake in after.mistakes} == {place + 1}


def test_every_line_of_a_big_letter_is_accounted_for() -> None:
    lines = [line for i in range(1_250) for line in (*ORDERS[:2], f"MOVE {i} armys TO Egpyt", "STATUS")]
    began = time.process_time()
    reading = read("\n".join(lines), GAME, DESK)
    assert time.process_time() - began < 20
    assert len(reading.sheet) == 2_500 and len(reading.desk) == 1_250 and len(reading.mistakes) == 1_250
    assert [m.line for m in reading.mistakes] == list(range(3, 5_001, 4))


def test_awkward_letters_take_bounded_time() -> None:
    letters = ("x" * 65_000, "IF NOT " * 9_000, ";" * 65_000, '"; ' * 20_000, "\\\n" * 30_000, "a\\\n" * 20_000)
    lines = (
        "a," * 900,
        "IF " + "a " * 900,
        '"a" ' * 450,
        "c1r1 " * 390,
        "MOVE " + "a " * 900,
        "." * 1_999,
        "MOVE " + "-" * 1_900,
    )
    began = time.process_time()
    for text in (*letters, *lines):
        read(text, GAME, DESK)
    assert time.process_time() - began < 20


def test_a_line_without_shape_is_a_value() -> None:
    assert isinstance(parse(""), Malformed)
    assert isinstance(parse("MOVE\n\nMOVE"), SentenceShape)
