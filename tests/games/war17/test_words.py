"""What letters of Version 1.7 call things: leaders are leaders, and nothing is said of what this edition does not know."""

from __future__ import annotations

import re

from msgspec.structs import replace

from referee.core.names import Role, Seat
from referee.core.order import Clause, Order, Thing
from referee.core.page import Note
from referee.games.war.events.combat import BattleEnded, UnitsLost
from referee.games.war.events.course import PiecePlaced
from referee.games.war.orders.attack import DeclareWar
from referee.games.war.orders.standing_battles import RetreatRule
from referee.games.war.position import Feud, Stack
from referee.games.war17.events import CLASSES, ExplorationRolled
from referee.games.war17.game import War17
from referee.games.war17.orders import ExploreRegion17
from referee.games.war17.orders.standing import RetreatRule17
from tests.games.war17 import staging

GAME, RED = War17(), Seat("Red")
OPTIONS = {setting.name: setting.values[0] for setting in GAME.settings}
WAR = staging.given(staging.stage(OPTIONS), "Red holds Egypt with 2 infantry and 1 leader")


def test_no_word_of_the_edition_says_general_but_general_is_understood() -> None:
    words = GAME.vocabulary(WAR)
    shown = [f"{v.word} {v.meaning} {v.example}" for v in (*words.verbs, *words.predicates)]
    shown += [noun.name for noun in words.nouns]
    assert [text for text in shown if "general" in text] == []
    (leaders,) = (noun for noun in words.nouns if noun.name == "leaders")
    assert {"leader", "general", "generals"} <= set(leaders.aliases)


def test_the_sheet_of_natives_has_no_spheres_and_no_revolts() -> None:
    found = {sheet.name: sheet for sheet in GAME.sheets((), WAR, Role.REFEREE)}
    (markers,) = found["natives"].grids
    assert (found["natives"].title, markers.columns) == ("Natives", ("Region", "Owner", "Strength"))
    assert {len(row) for row in markers.rows} <= {3}
    assert "Leaders" in found["forces"].grids[0].columns and "Generals" not in found["forces"].grids[0].columns


def test_the_map_explains_its_own_letters_only() -> None:
    drawing = GAME.chart(WAR, Role.OBSERVER)
    assert drawing is not None
    told = " ".join(re.sub(r"<[^>]+>", " ", drawing.svg).split())
    assert "L leader" in told and "1L" in told
    assert not re.search(r"general|sphere|revolt", told, re.I)


def test_battles_are_told_and_left_in_turns() -> None:
    ended = CLASSES[BattleEnded]("Egypt", RED, None, 2)
    assert ended.sentence() == "The battle of Egypt ends after 2 turns: Red beats the natives."
    assert RetreatRule17("after", 6).meaning() == "Retreat from turn 6 of a battle on."
    assert RetreatRule17("below", 3).meaning() == RetreatRule("below", 3).meaning()


def test_an_order_to_explore_says_nothing_of_the_diplomacy_of_the_other_edition() -> None:
    assert ExploreRegion17("Sudan").meaning() == "Let your explorers try the natives of Sudan."
    early = ExploreRegion17("Sudan", before_battle=True)
    assert early.meaning() == "Let your explorers try the natives of Sudan, before the battle."


def test_placements_of_the_set_up_are_gathered_for_each_player() -> None:
    placed = [CLASSES[PiecePlaced](RED, kind, "Egypt") for kind in ("infantry", "infantry", "leader")]
    assert GAME.recount(placed, WAR) == ("Red places 2 infantry and 1 leader in Egypt. [17.setup.6]",)


def test_an_exploration_that_fails_is_worth_a_word_in_the_summary() -> None:
    failed = ExplorationRolled(RED, "Sudan", 2, (), 7, False)
    assert GAME.report(WAR, [failed], WAR, RED).summary == "Red's explorer fails in Sudan."


def test_the_production_sheet_says_that_the_income_is_in() -> None:
    producing = replace(
        WAR, stage="production", treasuries={**WAR.treasuries, RED: replace(WAR.treasuries[RED], pp=46)}
    )
    first, *_ = GAME.order_form(producing, RED)
    assert first.startswith("# You have 46 PP, this turn's income included.")


def test_who_may_attack_when_is_said_in_a_sentence() -> None:
    at_war = replace(WAR, feuds=(Feud(RED, Seat("Blue"), ()), Feud(RED, Seat("Green"), (RED,))))
    notes = [block.text for block in GAME.report(WAR, [], at_war, RED).blocks if isinstance(block, Note)]
    assert notes == [
        "Red and Blue are at war; neither may attack before his next turn to move.",
        "Red and Green are at war; Green may attack only from his next turn to move.",
    ]


def test_war_is_declared_without_diplomacy_points() -> None:
    meant = GAME.bind(WAR, RED, Order("DECLARE WAR", (), (Clause("ON", (Thing("side", "Blue"),)),)))
    assert isinstance(meant, DeclareWar)
    assert meant.meaning() == "Declare war on Blue; you may attack from your next movement phase."


def test_units_that_one_cause_takes_in_one_place_are_told_in_one_line() -> None:
    lost = [
        CLASSES[UnitsLost]("Egypt", Stack(RED, kind, 1), "the region is not his", "17.move.land.5")
        for kind in ("engineer", "leader")
    ]
    assert GAME.recount(lost, WAR) == (
        "Red loses 1 engineer and 1 leader in Egypt: the region is not his. [17.move.land.5]",
    )
