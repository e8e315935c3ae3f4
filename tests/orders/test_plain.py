"""The quick way of reading plain lines agrees with the grammar wherever it answers at all."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.orders import parse
from referee.orders.grammar import SentenceShape
from referee.orders.lalr import parse_by_grammar
from tests.orders.test_any_text import GOOD

PIECES = re.split(
    " ",
    "MOVE up to 3 all but 2 all half and or not end if else for turn 4 late phase then add standing orders preview 12 12h "
    "+12h -2 12,7 1,2,3 c1r2 2026-11-22 18:00 2026-11-22T18:00Z a@b.de <a@b.de> St. d'Or x-y -> => → --> == <= > ( ) * & "
    ', . ! : ; # "q" “q” " „ « \\ - -- .. 3x allies Andes iffy ending 12.5 3/4 Europe/Berlin 日本 \u00a0 \u2028',
)
pieces = st.lists(st.sampled_from(PIECES), max_size=9)
spaced = st.builds(
    lambda words, gaps: "".join(w + g for w, g in zip(words, gaps, strict=False)),
    pieces,
    st.lists(st.sampled_from(("", " ", "  ", "\t")), min_size=9, max_size=9),
)


@settings(max_examples=1_500, deadline=None)
@given(st.one_of(spaced, pieces.map(" ".join), st.text(max_size=40)))
def test_both_ways_agree(line: str) -> None:
    assert parse(line) == parse_by_grammar(line)


def test_plain_lines_agree() -> None:
    for line in GOOD:
        assert parse(line) == parse_by_grammar(line)


def test_words_of_conditions_are_plain_words_in_orders() -> None:
    for line in ("MOVE 3 or 4", 'MOVE "a" then', "MOVE all late", "MOVE up to 3 OR x", "MOVE 12,7 or"):
        assert isinstance(parse_by_grammar(line), SentenceShape)
        assert parse(line) == parse_by_grammar(line)
