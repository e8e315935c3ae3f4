"""Bots, doubts, order forms and the rules page speak the order language."""

from __future__ import annotations

from functools import reduce

import pytest
from msgspec.structs import replace

from referee.core.choices import Pick, Step, after
from referee.core.order import Illegal, Intent
from referee.games.war.deeds import line_of
from referee.games.war.game import GAME
from referee.games.war.orders.attack import DeclareWar
from referee.games.war.orders.combat import ExploreRegion
from referee.games.war.orders.setup import AskPlacement, DraftRegions
from referee.games.war.position import Feud, Fleet, Marker, Offer, Stack
from referee.games.war.position.state import War
from referee.games.war.random_player import suggest
from referee.games.war.reckoning.scoring import is_power
from referee.games.war.rulebook import BOARD, RULES, section_of
from referee.games.war.telling.forecast import doubts
from referee.games.war.telling.form import order_form
from tests.games.pages import page_of
from tests.games.war27 import staging
from tests.games.war27.driving import BLUE, GREEN, RED, position
from tests.games.war27.stage_words import IDS, PLACING, PRODUCING, WAR, WORDS, read

# ---------------------------------------------------------------- bots


def counting(seed: int) -> Pick:
    """A stream of choices that differs from seed to seed."""
    state = [seed * 7_919 + 1]

    def pick(n: int) -> int:
        state[0] = (state[0] * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        return (state[0] >> 33) % n

    return pick


@pytest.mark.parametrize("war", [WAR, PRODUCING, PLACING], ids=["movement", "production", "purchase"])
def test_bots_write_sheets_that_bind(war: War) -> None:
    """Not every line need be lawful, but every line reads, and nearly all bind to what was meant."""
    lines = lawful = 0
    for seed in range(60):
        for intent in suggest(war, RED, counting(seed)):
            lines += 1
            bound = GAME.bind(war, RED, read(line_of(intent)))
            lawful += bound == intent
            assert isinstance(bound, Illegal) or bound == intent
    assert lines > 100 and lawful >= lines * 9 // 10


def test_bots_neither_declare_war_on_an_ally_nor_explore_a_local_power() -> None:
    war = reduce(
        staging.given,
        (
            "Red is allied with Blue against Green",
            "Red holds Balkans with 3 infantry and 1 explorer",
            "Blue holds Ukraine with 1 infantry",
            "Red has 5 DP",
        ),
        staging.stage({s.name: s.default for s in GAME.settings} | {"alliances": "yes", "historical": "yes"}),
    )
    given = [intent for seed in range(60) for intent in suggest(war, RED, counting(seed))]
    assert is_power(war, "Ottoman") and not {
        DeclareWar(BLUE),
        *(ExploreRegion("Ottoman", g) for g in (True, False)),
    } & {*given}


def test_bots_rank_every_region_for_the_draft() -> None:
    (draft,) = suggest(replace(position(), stage="setup"), RED, counting(1))
    assert isinstance(draft, DraftRegions) and set(draft.regions) == set(BOARD.regions)


# ---------------------------------------------------------------- doubts


def doubted(war: War, *lines: str) -> str:
    """All doubts about a sheet of Red's, in one text."""
    bound = [GAME.bind(war, RED, read(line)) for line in lines]
    sheet = [intent for intent in bound if not isinstance(intent, Illegal)]
    assert len(sheet) == len(lines), bound
    found = doubts(war, RED, sheet)
    assert all(doubt.rule in IDS for doubt in found)
    return " ".join(doubt.told for doubt in found)


def test_an_orderly_sheet_raises_no_doubt() -> None:
    assert doubted(WAR, "MOVE 2 infantry FROM Egypt TO Palestine", "SAIL 1 fleet FROM Red Sea TO Arabian Sea") == ""
    assert doubted(PRODUCING, "BUY 1 DP", "BUILD 2 infantry IN Egypt") == ""
    assert doubted(PLACING, "BUY 3 infantry", "PLACE 3 infantry IN Egypt") == ""


@pytest.mark.parametrize(
    ("war", "lines", "words"),
    [
        (WAR, ("MOVE 5 infantry FROM Egypt TO Palestine",), "Instead: MOVE 4 infantry FROM Egypt TO Palestine"),
        (WAR, ("MOVE 1 general FROM Egypt TO Sudan",), "Instead: MOVE 1 infantry, 1 general FROM Egypt TO Sudan"),
        (WAR, ("MOVE 1 infantry FROM Arabia TO Palestine",), "without a brigade"),
        (WAR, ("EMBARK 4 infantry FROM Egypt IN Red Sea", "EMBARK 1 infantry FROM Palestine IN Red Sea"), "not done"),
        (WAR, ("MOVE 3 infantry FROM Egypt TO Sudan",), "natives are unknown"),
        (WAR, ("EXPLORE Abyssinia",), "No explorer of yours"),
        (WAR.paying(RED, pp=-100), ("PROSPECT Palestine",), "no undeveloped"),
        (PRODUCING.paying(RED, pp=-95), ("BUY 1 DP",), "cannot pay for"),
        (PRODUCING, ("BUILD 5 infantry IN Egypt", "BUILD 1 artillery IN Palestine", "BUILD 3 infantry IN Arabia"), "PP"),
        (PLACING, ("BUY 3 infantry", "PLACE 5 infantry IN Egypt"), "You place 5"),
    ],
)  # fmt: skip
def test_doubts_say_what_will_disappoint(war: War, lines: tuple[str, ...], words: str) -> None:
    if words == "no undeveloped":
        war = war.with_land("Palestine", chit=None)
    assert words in doubted(war, *lines)


def test_pieces_that_are_placed_and_not_bought_are_not_placed() -> None:
    sheet = [bound(PLACING, line) for line in ("BUY 3 infantry", "PLACE 5 infantry IN Egypt")]
    assert [doubt.sentence for doubt in doubts(PLACING, RED, sheet) if doubt.undone] == [
        "You place 5 infantry and buy 3."
    ]


def test_doubts_do_not_tell_what_the_writer_has_not_seen() -> None:
    """R27-05: the natives of Sudan have strength 7, but nobody has looked."""
    many = WAR.with_units("Egypt", Stack(RED, "infantry", 5))
    assert doubted(many, "MOVE 8 infantry FROM Egypt TO Sudan") == ""
    seen = many.with_land("Sudan", marker=Marker(12, 1, seen_by=(RED,)))
    assert "strength 12+" in doubted(seen, "MOVE 8 infantry FROM Egypt TO Sudan")
    unseen = many.with_land("Sudan", marker=Marker(12, 1))
    assert doubted(unseen, "MOVE 8 infantry FROM Egypt TO Sudan") == ""


def test_what_is_left_weak_before_an_enemy_is_doubted() -> None:
    war = replace(WAR, feuds=(Feud(BLUE, RED, (BLUE, RED)),))
    assert "Palestine is left with 1 brigade" in doubted(war, "MOVE 1 infantry FROM Palestine TO Egypt")
    assert "1 of your brigades attacks 3 of Blue's" in doubted(war, "MOVE 1 infantry FROM Palestine TO Ottoman")


@pytest.mark.parametrize(("now", "other"), [("standing", "interactive"), ("interactive", "standing")])
def test_how_decisions_are_made_can_be_changed_to_what_it_is_not(now: str, other: str) -> None:
    step = after(GAME.asking(replace(WAR, decisions={RED: now}), RED, "DECISIONS"), ())
    assert isinstance(step, Step) and [choice.word for choice in step.choices] == [other]


# ---------------------------------------------------------------- forms


@pytest.mark.parametrize(
    ("war", "needed"),
    [
        (replace(position(RED, BLUE, GREEN), stage="setup").paying(RED, pp=-100), ("DRAFT",)),
        (PLACING, ("BUY", "PLACE", "ASK")),
        (PRODUCING.with_land("Palestine", marker=Marker(6), spheres={BLUE: 1}, chit="Oil"),
         ("BUILD", "WESTERNIZE", "REMOVE", "DEVELOP", "BUY")),
        (WAR, ("MOVE", "DECLARE")),
        (replace(WAR, offers=(Offer(1, "peace", BLUE, RED),), feuds=(Feud(BLUE, RED, (BLUE, RED)),)), ("ACCEPT",)),
    ],
)  # fmt: skip
def test_forms_hold_lawful_lines(war: War, needed: tuple[str, ...]) -> None:
    """Advice begins with #; every line of orders, filled in or commented out, reads and binds."""
    lines = order_form(war, RED)
    verbs = {verb.word.split()[0] for verb in WORDS.verbs}
    orders = [line.removeprefix("# ") for line in lines if line.removeprefix("# ").split()[0] in verbs]
    for line in orders:
        assert not isinstance(GAME.bind(war, RED, read(line)), Illegal), line
    assert {line.split()[0] for line in orders} >= set(needed)
    assert all(line.startswith("# ") or line in orders for line in lines)


def test_the_form_names_the_fleets_of_others_beside_ours() -> None:
    war = WAR.with_fleet(Fleet(4, BLUE, "Red Sea")).with_fleet(Fleet(5, BLUE, "Red Sea"))
    (sea,) = [line for line in order_form(war, RED) if line.startswith("# Red Sea: ")]
    assert sea.startswith("# Red Sea: fleet 1. Next to it: ") and sea.endswith("Palestine. Others there: Blue 2.")


def test_nobody_out_or_at_the_end_gets_a_form() -> None:
    assert order_form(replace(WAR, out=(RED,)), RED) == () == order_form(replace(WAR, stage="over"), RED)
    assert doubts(replace(WAR, stage="over"), RED, (AskPlacement(),)) == ()


# ---------------------------------------------------------------- rules


def test_every_paragraph_has_a_rule_and_every_rule_a_place() -> None:
    assert len(IDS) == len(RULES)
    assert {rule.mark for rule in RULES} == {"TEXT", "HOUSE"}
    assert all((rule.mark == "TEXT") == rule.id.startswith("27.") for rule in RULES)
    assert all(rule.text.endswith((".", ".)")) and rule.citation for rule in RULES)
    assert section_of("27.combat.naval.1") == "Naval battles" and section_of("R27-01") is None
    page = page_of(GAME)
    assert all(f"`{rule.id}`" in page for rule in RULES)


def test_a_form_sent_back_as_it_is_buys_what_pays_and_what_the_income_keeps() -> None:
    """Each line can be paid and obeyed, and no PP lie idle."""
    wild = PRODUCING.with_land("Palestine", marker=Marker(6), spheres={BLUE: 1}, chit="Oil")
    lines = [line for line in order_form(wild, RED) if not line.startswith("#")]
    assert any(line.startswith(("DEVELOP", "BUILD")) for line in lines)
    assert doubts(wild, RED, [bound(wild, line) for line in lines]) == ()


def test_it_marches_on_natives_that_were_seen_and_are_outnumbered() -> None:
    home, wild = next(
        (land.name, name)
        for land in WAR.regions_of(RED)
        for name in BOARD.regions[land.name].borders
        if WAR.lands[name].owner is None
    )
    strong = WAR.with_units(home, Stack(RED, "infantry", 5))
    unseen, seen = (strong.with_land(wild, marker=Marker(1, seen_by=eyes)) for eyes in ((), (RED,)))
    march = f"infantry FROM {home} TO {wild}"
    assert not any(line.endswith(march) for line in order_form(unseen, RED))
    assert sum(line.endswith(march) and not line.startswith("#") for line in order_form(seen, RED)) == 1


def test_the_first_purchase_comes_filled_in_and_can_be_paid() -> None:
    lines = [line for line in order_form(PLACING, RED) if not line.startswith("#")]
    assert lines[0].startswith("BUY") and all(line.startswith("PLACE") for line in lines[1:]) and len(lines) > 1
    assert not any(
        "not enough" in doubt.sentence for doubt in doubts(PLACING, RED, [bound(PLACING, line) for line in lines])
    )


def bound(war: War, line: str) -> Intent:
    """What a line means for Red."""
    found = GAME.bind(war, RED, read(line))
    assert isinstance(found, Intent)
    return found
