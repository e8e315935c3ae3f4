"""Lines a player may write and the canonical line each is read as."""

from __future__ import annotations

import pytest

from referee.core.order import Clause, Illegal, Noun, Order, Portion, Quantity, Thing, Verb, Vocabulary
from referee.orders import Sentence, is_sentence, place_refusal, read, understand, write
from tests.orders.words import DESK, GAME

SAME = [
    ("MOVE 3 infantry, 1 general FROM Egypt TO Palestine VIA Suez",) * 2,
    (
        "move 3 INFANTRY and 1 general from egypt to palestine via suez.",
        "MOVE 3 infantry, 1 general FROM Egypt TO Palestine VIA Suez",
    ),
    ("MOVE army FROM Egypt -> Palestine", "MOVE army FROM Egypt TO Palestine"),
    ("MOVE army FROM Egypt→Palestine", "MOVE army FROM Egypt TO Palestine"),
    ("MOVE army => Suez", "MOVE army TO Suez"),
    ("MOVE 2 armies nach Egypt", "MOVE 2 army TO Egypt"),
    ("MOVE zwei armies TO Egypt", "MOVE 2 army TO Egypt"),
    ("MOVE army TO Suez, FROM Egypt", "MOVE army TO Suez FROM Egypt"),
    (
        "MOVE all but 2 armies, half fleets & up to 3 generals TO Suez",
        "MOVE all but 2 army, half fleet, up to 3 general TO Suez",
    ),
    ("MOVE all militiamen TO the Red Sea", "MOVE all militiaman TO Red Sea"),
    ("MOVE army FROM 12,7 TO c03r004", "MOVE army FROM c12r7 TO c3r4"),
    ("SURVEY 12,7, 3,4 c5r6", "SURVEY c12r7, c3r4, c5r6"),
    ("BALANCE 1,2", "BALANCE 1, 2"),
    ("BALANCE 1,2,3", "BALANCE 1, 2, 3"),
    ("COLONISE Gem IN Central America, *", "COLONIZE Gems IN Central America, any"),
    ("COL Gems IN everything", "COLONIZE Gems IN any"),
    ("RESEARCH Defense", "RESEARCH Defence"),
    ("MOVE army TO Blue Harbor", "MOVE army TO Blue Harbour"),
    ("MOVE army TO Sib", "MOVE army TO Siberia"),
    ("MOVE army TO S Am", "MOVE army TO South America"),
    ("MOVE army TO Byzantium", "MOVE army TO Constantinople"),
    ("MOVE army TO cote divoire", "MOVE army TO Côte d'Ivoire"),
    ("MOVE army TO Austria Hungary", "MOVE army TO Austria-Hungary"),
    ("MOVE army TO Cape of Good Hope FROM Sea of Japan", "MOVE army TO Cape of Good Hope FROM Sea of Japan"),
    ("MOVE army TO Trinidad and Tobago and Suez", 'MOVE army TO "Trinidad and Tobago", Suez'),
    ("ATTACK Red IN Red Sea FOR Ore, any WITH 1 fleet", "ATTACK Red IN Red Sea FOR Ore, any WITH 1 fleet"),
    ("ASSAULT fra IN eur", "ATTACK France IN Europe"),
    ("OFFER 3 gold, 1 wood TO France FOR 1 cloth",) * 2,
    ("ACCEPT 3",) * 2,
    ("NAME Egypt AS “The Nile; or # so”", 'NAME Egypt AS "The Nile; or # so"'),
    (r'NAME Egypt AS "a \"b\" \\ c\u{a}d"',) * 2,
    ("DECL WAR ON Spain", "DECLARE WAR ON Spain"),
    ("REST",) * 2,
    ("JOIN nw1 AS England",) * 2,
    ("SEND report TURN 3",) * 2,
    ("SEND sheets OF France",) * 2,
    ('DEADLINE nw1 +12h FOR France BECAUSE "it rains"',) * 2,
    ("DEADLINE nw1 + 12h", None),
    ("DEADLINE nw1 -2 hours", "DEADLINE nw1 -2h"),
    ("DEADLINE nw1 2026-11-22 18:00",) * 2,
    ("DEADLINE nw1 2026-11-22T9:05Z FOR France", "DEADLINE nw1 2026-11-22 09:05 UTC FOR France"),
    (
        "DEADLINE nw1 2026-11-22 18:00 Europe/Berlin FOR France BECAUSE we wait for Anna, ok!",
        'DEADLINE nw1 2026-11-22 18:00 Europe/Berlin FOR France BECAUSE "we wait for Anna, ok!"',
    ),
    ("DEADLINE nw1 2026-11-22 18:00+0100", "DEADLINE nw1 2026-11-22 18:00 +01:00"),
    ("PAUSE nw1 FOR 3 days", "PAUSE nw1 FOR 3d"),
    ("PAUSE nw1 FOR 90 min", "PAUSE nw1 FOR 90min"),
    ("REWIND nw1 TO TURN 4",) * 2,
    ("REPLACE France BY <anna@example.org>", "REPLACE France BY anna@example.org"),
    ("ROLL OUT",) * 2,
    ("ROLL OUT France",) * 2,
    ("roll o Fra", "ROLL OUT France"),
    ("NO WAIT",) * 2,
    ("WAIT",) * 2,
    ("STAT", "STATUS"),
    ('PROCESS "T3/France"',) * 2,
    ("HELP colonize", 'HELP "colonize"'),
    (
        "RULING the fort (at Suez) falls: 50% lost! CITING 3.2",
        'RULING "the fort (at Suez) falls: 50% lost!" CITING "3.2"',
    ),
    ("ruling the fort falls citing 3.2", 'RULING "the fort falls" CITING "3.2"'),
    ("RULING the fort falls, citing 3.2", 'RULING "the fort falls, citing 3.2"'),
    ("ABSENCE FROM 2026-12-24 TO 2026-12-27",) * 2,
    ("SET reminders 12h 2h", "SET reminders 12h, 2h"),
]


@pytest.mark.parametrize(("typed", "canonical"), SAME, ids=[typed for typed, _ in SAME])
def test_read_as(typed: str, canonical: str | None) -> None:
    reading = read(typed, GAME, DESK)
    found = [sentence.text for sentence in (*reading.sheet, *reading.desk)]
    assert found == ([] if canonical is None else [canonical])
    assert bool(reading.mistakes) == (canonical is None)


@pytest.mark.parametrize("canonical", sorted({canonical for _, canonical in SAME if canonical}))
def test_canonical_is_a_fixed_point(canonical: str) -> None:
    reading = read(canonical, GAME, DESK)
    (sentence,) = reading.sheet + reading.desk
    assert isinstance(sentence, Sentence)
    assert sentence.text == canonical == write(sentence.order)


def test_an_order_is_a_value() -> None:
    assert understand("MOVE up to 3 fleets FROM Egypt -> 12,7", GAME) == Order(
        "MOVE",
        (Thing("unit", "fleet", Quantity(Portion.UP_TO, 3)),),
        (Clause("FROM", (Thing("place", "Egypt"),)), Clause("TO", (Thing("hex", "c12r7"),))),
    )


def test_values_known_by_their_looks() -> None:
    order = understand("DEADLINE nw1 -90min BECAUSE 3 days are too long", DESK)
    assert order == Order(
        "DEADLINE",
        (Thing("word", "nw1"), Thing("duration", "-90min", Quantity(Portion.EXACTLY, -5400))),
        (Clause("BECAUSE", (Thing("text", "3 days are too long"),)),),
    )
    assert understand("ACCEPT 3", GAME) == Order("ACCEPT", (Thing("number", "", Quantity(Portion.EXACTLY, 3)),))


def test_the_game_has_a_word_before_the_desk() -> None:
    desk = Vocabulary((Verb("ATTACK", "", "", ""), Verb("RESTART", "", "", "")), ())
    reading = read("ATTACK France IN Egypt\nREST\nRESTART", GAME, desk)
    assert [s.order.verb for s in reading.sheet if isinstance(s, Sentence)] == ["ATTACK", "REST"]
    assert [s.order.verb for s in reading.desk] == ["RESTART"]


def test_a_word_that_stands_alone_in_the_game_gives_way_where_the_line_goes_on_as_the_desks() -> None:
    game = Vocabulary((Verb("ROLL OUT", "", "", ""),), (Noun("France", "seat"),))
    desk = Vocabulary((Verb("ROLL OUT", "", "", "", ("seat",), 0, 1),), ())
    reading = read("ROLL OUT\nROLL OUT France\nROLL OUT", game, desk)
    assert [(s.order.verb, len(s.order.things)) if isinstance(s, Sentence) else s for s in reading.sheet] == [
        ("ROLL OUT", 0)
    ] * 2
    assert [s.text for s in reading.desk] == ["ROLL OUT France"]


def test_without_a_match_only_the_desk_is_understood() -> None:
    reading = read("STATUS\nMOVE army TO Egypt", None, DESK)
    assert [s.text for s in reading.desk] == ["STATUS"]
    assert [m.line for m in reading.mistakes] == [2]


def test_a_lone_stub_of_a_word_does_nothing() -> None:
    reading = read("Re", None, DESK)
    assert not reading.desk
    assert len(reading.mistakes) == 1


@pytest.mark.parametrize(
    ("line", "gives"), [("MOVE 2 armies", True), ("END", False), ("STANDING ORDERS", False), ("-- ", False)]
)
def test_an_order_is_known_by_its_shape(line: str, gives: bool) -> None:
    assert is_sentence(line) is gives


def test_two_kinds_may_share_a_name() -> None:
    words = Vocabulary(
        (Verb("CLAIM", "", "", "", ("card", "good"), 1), Verb("SPEND", "", "", "", ("good", "card"), 1)),
        (Noun("gold", "good"), Noun("Gold", "card")),
    )
    assert understand("CLAIM gold", words) == Order("CLAIM", (Thing("card", "Gold"),))
    assert understand("SPEND 3 Gold", words) == Order("SPEND", (Thing("good", "gold", Quantity(Portion.EXACTLY, 3)),))


def test_a_name_beats_another_noun_s_alias() -> None:
    words = Vocabulary(
        (Verb("SEE", "", "", "", ("place",), 1),), (Noun("Rome", "place", ("Paris",)), Noun("Paris", "place"))
    )
    assert understand("SEE Paris", words) == Order("SEE", (Thing("place", "Paris"),))


def refused(line: str, at: str) -> tuple[str, str]:
    reading = read(line, GAME, DESK)
    (sentence,) = reading.sheet
    assert isinstance(sentence, Sentence)
    mistake = place_refusal(sentence, Illegal("No.", "t.1", at))
    assert mistake.source == sentence.source and mistake.line == sentence.line
    return mistake.caret(), mistake.source


@pytest.mark.parametrize(
    ("line", "at", "under"),
    [
        ("MOVE 2 armies FROM Egypt TO Palestine", "Palestine", "Palestine"),
        ("move 2 armies from egypt to PALESTINE", "Palestine", "PALESTINE"),
        ("MOVE 2 armies FROM Egypt TO Pal", "Palestine", "Pal"),
        ("MOVE 2 armies FROM Egypt TO S America", "South America", "S America"),
        ("MOVE 2 armies FROM Egypt TO cote d'ivoire", "Côte d'Ivoire", "cote d'ivoire"),
        ("MOVE 2 armies FROM Egypt TO Palestine", "army", "armies"),
        ('NAME Egypt AS "Nile"', "Nile", '"Nile"'),
        ("ADD MOVE 2 armies TO Egypt", "", "MOVE"),
        ("MOVE 2 armies TO Egypt", "nowhere", "MOVE"),
        ("MOVE 2 armies TO Egypt", "2", "2"),
    ],
)
def test_a_game_s_refusal_is_placed(line: str, at: str, under: str) -> None:
    caret, source = refused(line, at)
    start = source.index(under)
    assert caret == " " * start + "^" * len(under)
