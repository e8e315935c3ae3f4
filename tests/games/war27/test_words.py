"""Verbs read, bind and print back, whatever is written from intents, too; HELP's examples; conditions; refusals say why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Portion, Quantity, Verb
from referee.games.war.deeds import Lot, line_of
from referee.games.war.game import GAME, War27
from referee.games.war.orders import in_play, vocabulary_of
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, NATIVE_DIPLOMACY
from referee.games.war.orders.building import BuildUnits
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.combat import ExploreRegion, ResolveInOrder
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.natives import InciteRevolt, RemoveSphere, WesternizeRegion
from referee.games.war.orders.setup import AskPlacement, BuyPieces, DraftRegions, PlacePieces
from referee.games.war.orders.standing import ConvertRule, FuseRule, LossOrder, RunNatives
from referee.games.war.orders.standing_battles import (
    BreakOffRule,
    FleetLossOrder,
    InterceptRule,
    ReinforceRule,
    RetreatRule,
    ShiftRule,
    StraitsRule,
)
from referee.games.war.orders.standing_home import (
    DisbandOrder,
    EvacuateTo,
    FavourRule,
    PickRule,
    PointsRule,
    SphereRule,
    StrikeOrder,
)
from referee.games.war.position import Fleet, Load, Marker, Offer, Treasury
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import holds
from referee.games.war.rulebook import BOARD, BRIGADES, KINDS, PARTIES
from referee.orders import understand_condition, write, write_condition
from referee.orders.lexicon import lexicon
from tests.games.war27.driving import BLUE, GREEN, RED, position
from tests.games.war27.stage_words import IDS, PLACING, PRODUCING, WAR, WORDS, read
from tests.games.war27.staging import LAND_KINDS

# ---------------------------------------------------------------- read and bound


# ---------------------------------------------------------------- every verb


@pytest.mark.parametrize("verb", WORDS.verbs, ids=lambda verb: verb.word)
def test_examples_read_bind_and_print_back(verb: Verb) -> None:
    order = read(verb.example)
    assert read(write(order)) == order
    assert write(order, lexicon(WORDS).singulars) == verb.example
    seen = [GAME.bind(war, seat, order) for war in (WAR, PRODUCING, PLACING) for seat in (RED, BLUE, GREEN)]
    lawful = [intent for intent in seen if not isinstance(intent, Illegal)]
    if verb.word in ("ACCEPT", "DECLINE", "WITHDRAW"):
        assert isinstance(seen[0], Illegal) and "no offer 1" in seen[0].sentence
    elif verb.word == "OFFER":
        assert isinstance(seen[1], Illegal) and "not at war" in seen[1].sentence
    elif verb.word == "CEDE":
        assert isinstance(seen[1], Illegal) and "not yours" in seen[1].sentence
    else:
        assert lawful and all(intent.meaning().endswith(".") for intent in lawful)
    assert verb.rule in IDS and verb.meaning[0].islower()


@pytest.mark.parametrize("word", in_play(PRODUCING, DIPLOMACY, NATIVE_DIPLOMACY, CONSTRUCTION))
def test_what_production_asks_for_is_explained_by_an_order_of_production(word: str) -> None:
    (verb,) = (verb for verb in WORDS.verbs if verb.word == word)
    assert "before play" not in verb.meaning and read(verb.example).verb == word


def test_the_vocabulary_of_a_match_is_one_object() -> None:
    assert vocabulary_of(WAR) is vocabulary_of(replace(WAR, seats=(GREEN, RED, BLUE)))


@pytest.mark.parametrize("test", WORDS.predicates, ids=lambda verb: verb.word)
def test_conditions_read_and_are_judged(test: Verb) -> None:
    condition = understand_condition(test.example, WORDS)
    assert not hasattr(condition, "sentence"), condition
    assert understand_condition(write_condition(condition), WORDS) == condition
    assert holds(WAR, RED, condition) in (True, False)
    assert test.rule in IDS


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("Blue CONTROLS Ottoman", True),
        ("CONTROLS Egypt AND CONTROLS Arabia", True),
        ("Red CONTROLS Middle East", False),
        ("Red AT WAR WITH Blue", False),
        ("fleets IN Red Sea >= 1", True),
        ("Blue fleets IN Red Sea >= 1", False),
        ("infantry IN Egypt = 4", True),
        ("brigades IN Egypt > 5", False),
        ("Blue infantry >= 4", False),
        ("generals = 1", True),
        ("PP >= 50 AND DP < 3", False),
        ("Egypt GONE AND NOT Sudan GONE", True),
        ("Sudan NATIVE", True),
        ("Persia WESTERNIZED OR Egypt IN REVOLT", False),
        ("cities IN Egypt = 1", True),
        ("spheres IN Persia = 1", True),
        ("regions = 3 AND turn = 1 AND round = 1", True),
    ],
)
def test_conditions_mean_what_they_say(text: str, truth: bool) -> None:
    condition = understand_condition(text, WORDS)
    assert not hasattr(condition, "sentence"), condition
    assert holds(WAR, RED, condition) is truth


def test_units_aboard_count_where_their_fleet_is() -> None:
    loaded = WAR.with_fleet(Fleet(1, RED, "Red Sea", cargo=(Load(RED, "infantry", 2),)))
    for text, truth in (("infantry IN Red Sea = 2", True), ("infantry = 9", True), ("infantry IN Egypt = 6", False)):
        condition = understand_condition(text, WORDS)
        assert not hasattr(condition, "sentence")
        assert holds(loaded, RED, condition) is truth


# ---------------------------------------------------------------- what a line means


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("move all from egypt to palestine",
         "March all infantry, all cavalry, all explorers and all generals from Egypt to Palestine."),
        ("MARCH 2 inf, 1 cav FROM Egypt -> Palestine", "March 2 infantry and 1 cavalry from Egypt to Palestine."),
        ("mv 2 inf, 1 cav from Egypt -> Palestine", "March 2 infantry and 1 cavalry from Egypt to Palestine."),
        ("MOVE 1 fleet FROM Red Sea TO Arabian Sea", "Sail 1 fleet from Red Sea to Arabian Sea."),
        ("EMBARK 2 infantry FROM Egypt", "Take 2 infantry of Egypt aboard in Red Sea."),
        ("SAIL all FROM Red Sea TO Arabian Sea WITH cargo", "Sail all fleets from Red Sea to Arabian Sea."),
        ("EXPLORE Sudan GIFT BEFORE battle",
         "Let your explorers try the natives of Sudan with a gift of 1 DP, before the battle."),
        ("CEDE Egypt TO Blue",
         "Offer Egypt to Blue, who takes it by moving a brigade in; your units there then leave, and those without a "
         "friendly neighbour or room aboard are lost."),
        ("STRAITS closed", "Let nobody through your straits."),
        ("RETREAT OUTNUMBERED 2 TO 1 TO Palestine", "Retreat when outnumbered 2 to 1, to Palestine."),
        ("RETREAT AFTER ROUND 3", "Retreat after round 3."),
        ("INTERCEPT ALWAYS", "Intercept whenever you may."),
        ("INTERCEPT Blue AT 2 TO 1", "Intercept Blue when you have at least 2 fleets for each of his."),
        ("NAVAL NEVER", "Never break off a naval battle."),
        ("SHIFT all", "Your general turns as much of the modifier as possible against the enemy."),
        ("DISBAND infantry IN Egypt, explorers, fleets IN Red Sea",
         "If maintenance cannot be paid, lose first infantry in Egypt, then explorers, then fleets in Red Sea."),
    ],
)  # fmt: skip
def test_lines_mean_what_they_say(line: str, meant: str) -> None:
    intent = GAME.bind(WAR, RED, read(line))
    assert not isinstance(intent, Illegal), intent
    assert intent.meaning() == meant


def test_a_production_line_means_what_it_says() -> None:
    assert GAME.bind(PRODUCING, RED, read("BUILD city IN Arabia")) == GAME.bind(
        PRODUCING, RED, read("BUILD 1 city IN Arabia")
    )
    assert GAME.bind(PRODUCING, RED, read("BUILD 1 fleet IN Arabia INTO Persian Gulf")) == BuildUnits(
        "fleet", 1, "Arabia", "Persian Gulf"
    )
    assert GAME.bind(PRODUCING, RED, read("INCITE REVOLT IN Persia BRIBE")) == InciteRevolt("Persia", True, False)
    assert GAME.bind(PRODUCING, RED, read("REMOVE 1 sphere FROM Persia")) == RemoveSphere("Persia", RED)


def test_an_earlier_line_of_the_sheet_may_mend_a_later_one() -> None:
    """R27-22, R27-30: what a city, a boarding or an arrival makes possible is not refused at sight."""
    assert GAME.bind(PRODUCING, RED, read("BUILD 1 cavalry IN Palestine")) != GAME.bind(
        PRODUCING, RED, read("BUILD 1 fort IN Egypt")
    )
    for line in ("LAND 2 infantry FROM Red Sea IN Sudan", "MOVE 5 infantry FROM Egypt TO Palestine"):
        assert not isinstance(GAME.bind(WAR, RED, read(line)), Illegal)


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("war", "line", "words", "instead"),
    [
        (PLACING, "BUY 9 artillery", "180 PP", "BUY 7 artillery"),
        (PLACING, "BUY 1 DP", "before play", None),
        (PLACING, "BUY infantry", "how many", "BUY 1 infantry"),
        (PLACING, "PLACE 1 fleet IN Egypt", "sea areas", "PLACE 1 fleet IN Eastern Mediterranean"),
        (PLACING, "PLACE 1 infantry IN Sudan", "not one of your regions", "PLACE 1 infantry IN Egypt"),
        (PLACING, "PLACE 1 fleet IN Baltic Sea", "none of your regions", "PLACE 1 fleet IN Eastern Mediterranean"),
        (PRODUCING, "BUY 2 infantry", "before play only", "BUILD 2 infantry IN Egypt"),
        (PRODUCING, "BUY 5 DP", "one for each city", "BUY 1 DP"),
        (PRODUCING, "BUILD 20 infantry IN Egypt", "200 PP", "BUILD 8 infantry IN Egypt"),
        (PRODUCING, "BUILD 1 factory IN Egypt", "cannot stand beside", None),
        (PRODUCING, "BUILD 1 general IN Palestine", "no school", None),
        (PRODUCING, "BUILD 1 cavalry IN Palestine", "no city", "BUILD 1 cavalry IN Egypt"),
        (PRODUCING, "BUILD 1 fleet IN Arabia AT Baltic Sea", "does not touch", "BUILD 1 fleet IN Arabia AT Red Sea"),
        (PRODUCING, "BUILD 2 forts IN Egypt", "at most one", "BUILD 1 fort IN Egypt"),
        (PRODUCING, "BUILD infantry IN Egypt", "how many", "BUILD 1 infantry IN Egypt"),
        (PRODUCING, "BUILD 1 infantry IN Ottoman", "not yours", None),
        (PRODUCING, "DEVELOP Egypt", "no resource", None),
        (PRODUCING, "WESTERNIZE Egypt", "westernized", None),
        (PRODUCING, "WESTERNIZE Persia", "not yours", None),
        (PRODUCING, "REMOVE 2 spheres OF Red FROM Persia", "has 1", "REMOVE 1 sphere OF Red FROM Persia"),
        (PRODUCING, "REMOVE 1 sphere FROM Egypt", "whose sphere", None),
        (PRODUCING, "INCITE Ottoman", "westernized", None),
        (WAR, "DRAFT Egypt", "over", None),
        (WAR, "MOVE infantry FROM Egypt TO Palestine", "how many", "MOVE all infantry FROM Egypt TO Palestine"),
        (WAR, "MOVE 0 infantry FROM Egypt TO Palestine", "at least 1", None),
        (WAR, "MOVE 9 infantry FROM Egypt TO Palestine", "only 4 infantry", "MOVE 4 infantry FROM Egypt TO Palestine"),
        (WAR, "MOVE 1 infantry FROM Egypt TO Red Sea", "EMBARK", "EMBARK 1 infantry FROM Egypt IN Red Sea"),
        (WAR, "MOVE 1 infantry FROM Red Sea TO Egypt", "LAND", "LAND 1 infantry FROM Red Sea IN Egypt"),
        (WAR, "MOVE 1 infantry FROM Palestine TO Ottoman", "DECLARE WAR ON Blue and costs 1 DP", None),
        (WAR, "MOVE 1 infantry FROM Egypt TO Egypt", "already", None),
        (WAR, "EMBARK 1 infantry FROM Arabia IN Baltic Sea", "does not lie", None),
        (WAR, "LAND 1 infantry FROM Red Sea IN Persia", "does not lie", None),
        (WAR, "SAIL 1 infantry FROM Red Sea TO Arabian Sea", "Fleets sail", None),
        (WAR, "MOVE 1 fleet FROM Red Sea TO Egypt", "sea area to sea area", None),
        (WAR, "ATTACK Blue IN Red Sea", "DECLARE WAR ON Blue and costs 1 DP", None),
        (WAR, "ATTACK Blue IN Ottoman", "DECLARE WAR ON Blue and costs 1 DP", None),
        (WAR, "ATTACK Blue IN Sudan", "marching", "MOVE all infantry FROM Egypt TO Sudan"),
        (WAR, "ATTACK Red IN Red Sea", "yourself", None),
        (WAR, "DECLARE WAR ON Red", "yourself", None),
        (WAR, "EXPLORE Ottoman", "Blue's", None),
        (WAR, "PROSPECT Ottoman", "Blue's", None),
        (WAR, "GIVE 2 DP TO Blue", "cannot be given", None),
        (WAR, "GIVE 200 PP TO Blue", "100 PP", None),
        (WAR, "OFFER Ottoman TO Green", "not yours", None),
        (WAR, "INTERCEPT Blue", "Say when", "INTERCEPT Blue ALWAYS"),
        (WAR, "INTERCEPT AT 2 TO 3", "so many TO 1", None),
        (WAR, "BREAK OFF", "2 TO 1", "BREAK OFF AT 2 TO 1"),
        (WAR, "STRAITS closed EXCEPT Blue", "open", "STRAITS closed"),
        (WAR, "RETREAT FROM Egypt", "Say when", "RETREAT BELOW 2 FROM Egypt"),
        (WAR, "REINFORCE Egypt FROM Ottoman", "does not border", "REINFORCE Egypt FROM Palestine"),
        (WAR, "REINFORCE Egypt FROM Palestine WITH generals", "brings brigades", None),
        (WAR, "FUSE FOR generals", "kind of brigade", None),
        (WAR, "CONVERT 1 infantry", "An explorer, engineer or general", None),
        (WAR, "LOSE infantry, fleets", "brigades and parties", None),
        (WAR, "DISBAND fleets IN Egypt", "never stand", None),
        (WAR, "FAVOUR Red", "yourself", None),
    ],
)  # fmt: skip
def test_refusals_say_why_and_what_instead(war: War, line: str, words: str, instead: str | None) -> None:
    refusal = GAME.bind(war, RED, read(line))
    if line == "BUILD 1 cavalry IN Palestine":
        refusal = GAME.bind(war.with_land("Palestine", buildings=("port",)), RED, read(line))
    assert isinstance(refusal, Illegal), refusal
    assert words.casefold() in refusal.sentence.casefold() and refusal.sentence.endswith(".")
    assert refusal.rule in IDS
    assert not any(other.startswith(_NEVER_BY_YES) for other in refusal.instead)
    if instead is not None:
        assert instead in refusal.instead
        again = GAME.bind(war, RED, read(instead))
        assert not isinstance(again, Illegal), again


_NEVER_BY_YES = ("DECLARE WAR", "GIVE", "CEDE", "OFFER")
"""What a player says himself or not at all: a YES to a correction does none of it."""


def test_an_attempt_at_a_revolt_is_never_corrected_into_one_that_costs_more_dp() -> None:
    natives = PRODUCING.with_land("Ottoman", marker=Marker(8, 0, face_up=True))
    war = replace(natives, treasuries={**PRODUCING.treasuries, RED: Treasury(200, 3)})
    refusal = GAME.bind(war, RED, read("INCITE Ottoman WITH 1 sphere, bribe"))
    assert isinstance(refusal, Illegal) and "no sphere" in refusal.sentence
    assert refusal.instead == ("INCITE Ottoman",)
    refusal = GAME.bind(war, RED, read("INCITE Ottoman WITH 1 sphere"))
    assert isinstance(refusal, Illegal) and refusal.instead == ()


def test_the_eliminated_give_no_orders() -> None:
    refusal = GAME.bind(replace(WAR, out=(BLUE,)), BLUE, read("MOVE 1 infantry FROM Ottoman TO Palestine"))
    assert isinstance(refusal, Illegal) and "eliminated" in refusal.sentence
    refusal = GAME.bind(replace(WAR, out=(BLUE,)), RED, read("DECLARE WAR ON Blue"))
    assert isinstance(refusal, Illegal) and "eliminated" in refusal.sentence


def test_offers_are_answered_by_those_they_are_made_to() -> None:
    war = replace(WAR, offers=(Offer(1, "peace", BLUE, RED), Offer(2, "cede", RED, BLUE, "Egypt")))
    assert GAME.bind(war, RED, read("ACCEPT 1")) == GAME.bind(war, RED, read("accept 1"))
    for line, words in (("ACCEPT 1", "made to Red"), ("ACCEPT 2", "moving a brigade in"), ("WITHDRAW 2", "by Red")):
        refusal = GAME.bind(war, BLUE, read(line))
        assert isinstance(refusal, Illegal) and words in refusal.sentence
    assert not isinstance(GAME.bind(war, RED, read("WITHDRAW 2")), Illegal)


# ---------------------------------------------------------------- written from intents


# ---------------------------------------------------------------- printing and parsing mirror each other

regions = st.sampled_from(tuple(BOARD.regions))
seas = st.sampled_from(tuple(BOARD.seas))
places = st.one_of(regions, seas)
rivals = st.sampled_from((BLUE, GREEN))
few = st.integers(1, 30)
portions = st.one_of(
    st.builds(Quantity, st.sampled_from((Portion.EXACTLY, Portion.UP_TO, Portion.ALL_BUT)), few),
    st.sampled_from((Quantity(Portion.ALL), Quantity(Portion.HALF))),
)


def lots(kinds: tuple[str, ...]) -> st.SearchStrategy[tuple[Lot, ...]]:
    """Some of these kinds, each once."""
    one = st.builds(Lot, st.sampled_from(kinds), portions)
    return st.lists(one, min_size=1, max_size=3, unique_by=lambda lot: lot.kind).map(tuple)


def some(values: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    """One to four different ones, in any order."""
    return st.lists(values, min_size=1, max_size=most, unique=True).map(tuple)


def kinds(names: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return some(st.sampled_from(names), len(names))


brought = st.dictionaries(st.sampled_from(BRIGADES), st.integers(0, 3)).map(lambda named: tuple(named.items()))


def or_none(values: st.SearchStrategy[Seat]) -> st.SearchStrategy[Seat | None]:
    return st.one_of(st.none(), values)


def or_blank(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), values)


ways_out = st.one_of(st.just(()), some(places))


def cannot_bind_alone(intent: Intent) -> bool:
    """Orders that the map alone forbids: the strategies draw places at random."""
    match intent:
        case EmbarkUnits(_, origin, sea):
            return sea not in BOARD.regions[origin].seas
        case LandUnits(_, sea, target):
            return target not in BOARD.seas[sea].coasts
        case SailFleets(_, origin, target, via, _):
            return origin == target and not via
        case ReinforceRule(region, origin):
            return origin not in BOARD.regions[region].borders
        case BuildUnits(kind, _, region, sea):
            seas_there = BOARD.regions[region].seas
            return bool(sea) if kind != "fleet" else not seas_there or sea not in ("", *seas_there)
        case DisbandOrder(units):
            return any(kind == "fleet" and place in BOARD.regions for kind, place, _ in units)
        case _:
            return False


numbers = st.lists(few, max_size=3, unique=True).map(tuple)
forces = portions.filter(lambda quantity: quantity.portion is not Portion.ALL)

anything: st.SearchStrategy[Intent] = st.one_of(
    st.builds(RemoveSphere, regions, rivals, few),
    st.builds(WesternizeRegion, regions, st.integers(0, 5)),
    st.builds(InciteRevolt, regions, st.booleans(), st.booleans()),
    st.builds(BuildUnits, st.sampled_from(tuple(KINDS)), few, regions, or_blank(seas)),
    st.builds(MoveUnits, lots(LAND_KINDS), st.just("Egypt"), st.just("Palestine"), st.sampled_from(((), ("Sudan",)))),
    st.builds(EmbarkUnits, lots(LAND_KINDS), regions, seas, numbers),
    st.builds(LandUnits, lots(BRIGADES), seas, regions, numbers),
    st.builds(SailFleets, portions, seas, seas, st.lists(seas, max_size=3).map(tuple), st.sampled_from((None, True, False))),
    st.builds(SailFleets, st.just(Quantity(Portion.EXACTLY, 2)), seas, seas, fleets=st.sampled_from(((1, 3), (12, 2)))),
    st.builds(AttackFleets, rivals, seas, st.one_of(st.none(), portions)),
    st.builds(AttackFleets, rivals, seas, fleets=numbers),
    st.builds(ResolveInOrder, some(regions)),
    st.builds(ExploreRegion, regions, st.booleans(), or_none(rivals), st.booleans()),
    st.builds(
        DisbandOrder,
        st.lists(st.tuples(st.sampled_from(tuple(KINDS)), or_blank(places), st.integers(0, 3)), min_size=1).map(tuple),
    ),
    st.builds(SphereRule, st.sampled_from(("support", "suppress")), or_blank(regions), or_none(rivals)),
    st.builds(StrikeOrder, some(rivals)),
    st.builds(StraitsRule, st.one_of(st.just(()), some(rivals))),
    st.builds(InterceptRule, st.sampled_from(("always", "never", "carrying")), st.just(1), or_none(rivals), or_blank(seas)),
    st.builds(InterceptRule, st.just("ratio"), few, or_none(rivals), or_blank(seas)),
    st.builds(InterceptRule, st.just("always"), st.just(1), or_none(rivals), or_blank(seas), forces),
    st.builds(BreakOffRule, st.integers(0, 9)),
    st.builds(FleetLossOrder, st.sampled_from(("empty", "loaded")), or_blank(seas)),
    st.builds(EvacuateTo, some(places)),
    st.builds(ReinforceRule, regions, regions, brought, st.integers(0, 9)),
    st.builds(ShiftRule, st.one_of(st.none(), st.integers(0, 9))),
    st.builds(LossOrder, kinds(LAND_KINDS), or_blank(regions)),
    st.builds(FuseRule, or_blank(st.sampled_from(BRIGADES))),
    st.builds(RetreatRule, st.sampled_from(("after", "below", "outnumbered")), few, ways_out, or_blank(regions)),
    st.builds(RetreatRule, st.just("never"), st.just(0), ways_out, or_blank(regions)),
    st.builds(ConvertRule, or_blank(st.sampled_from([kind for kind in PARTIES if kind in KINDS]))),
    st.builds(PointsRule, st.just("strength"), st.integers(0, 3)),
    st.builds(PointsRule, st.just("spheres"), st.integers(0, 3), or_none(rivals)),
    st.builds(FavourRule, some(rivals)),
    st.builds(PickRule, some(st.sampled_from(("Oil", "Gold", "Tin", "dot")))),
    st.builds(RunNatives, st.one_of(st.just(()), some(rivals))),
)  # fmt: skip

before_play: st.SearchStrategy[Intent] = st.one_of(
    st.builds(DraftRegions, some(regions)),
    st.builds(BuyPieces, lots(("infantry", "cavalry"))),
    st.builds(PlacePieces, lots((*LAND_KINDS, "city", "fort")), st.sampled_from(("Egypt", "Arabia"))),
    st.builds(PlacePieces, lots(("fleet",)), st.sampled_from(("Red Sea", "Persian Gulf"))),
    st.just(AskPlacement()),
)

ELSEWHERE = replace(WAR, active=BLUE, feuds=())
"""Another's share: only what the map forbids is refused."""


@given(anything)
def test_what_is_written_reads_and_binds_to_the_same(intent: Intent) -> None:
    if cannot_bind_alone(intent):
        assert isinstance(GAME.bind(ELSEWHERE, RED, read(line_of(intent))), Illegal)
        return
    order = read(line_of(intent))
    assert GAME.bind(ELSEWHERE, RED, order) == intent
    assert read(write(order, lexicon(WORDS).singulars)) == order


@given(before_play)
def test_what_is_written_before_play_binds_to_the_same(intent: Intent) -> None:
    rich = PLACING.paying(RED, pp=10_000)
    order = read(line_of(intent))
    assert GAME.bind(rich, RED, order) == intent
    assert read(write(order, lexicon(WORDS).singulars)) == order


# ---------------------------------------------------------------- HELP's examples


examples = War27().examples
_TESTS = {verb.word for verb in WORDS.predicates}


def test_every_example_reads_and_binds_in_form() -> None:
    for seat in (RED, BLUE, GREEN):
        for word, line in examples(WAR, seat).items():
            if word in _TESTS:
                understand_condition(line, WORDS)
            else:
                bound = GAME.bind_later(WAR, seat, read(line))
                assert not isinstance(bound, Illegal) or "set-up" in bound.sentence, (word, line, bound)
                assert line.startswith(word)


def test_examples_speak_of_own_regions_and_of_living_rivals() -> None:
    lines = examples(WAR, RED)
    homes = {land.name for land in WAR.regions_of(RED)}
    assert any(name in lines["BUILD"] for name in homes) and any(name in lines["MOVE"] for name in homes)
    assert lines["DECLARE WAR"] == "DECLARE WAR ON Blue"
    assert examples(replace(WAR, out=(BLUE,)), RED)["DECLARE WAR"] == "DECLARE WAR ON Green"


def test_who_has_nothing_gets_the_examples_of_the_vocabulary() -> None:
    assert examples(position(RED, BLUE), RED) == {} == examples(replace(WAR, out=(RED,)), RED)
