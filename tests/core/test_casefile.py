"""Case files: what they say, how many a rule has, and which line is wrong."""

from __future__ import annotations

import pytest

from referee.core.names import Seat
from referee.kit.casefile import Case, Expect, Spoken, parse_cases

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
