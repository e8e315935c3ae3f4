"""What players read: the order form, doubts, record sheets, seating; and the audit that catches a wrong number."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed, Scripted
from referee.core.names import Role, Seat
from referee.core.order import Illegal, Order
from referee.games import GAMES, game_named
from referee.games.newworld.events import EventCame, PowerEliminated, TurnPassed
from referee.games.newworld.game import GAME
from referee.games.newworld.position import World, tally
from referee.games.newworld.rulebook import COLONIAL_CARDS
from referee.kit.bare_stage import Bare
from referee.orders import understand
from tests.contract.choosing import can_be_chosen
from tests.games.newworld.bots import begun, options
from tests.games.newworld.staging import given, stage


def lines_read_and_bind(match: Bare[World]) -> int:
    """Every line of every open form that is not advice; how many there were."""
    world, count = match.state, 0
    for question in match.open:
        for line in GAME.order_form(world, question.seat):
            if not line.startswith("#"):
                order = understand(line, GAME.vocabulary(world))
                assert isinstance(order, Order), (line, order)
                assert not isinstance(GAME.bind(world, question.seat, order), Illegal)
                count += 1
    return count


@pytest.mark.parametrize("mode", ["lists", "two_step"])
def test_every_line_of_the_form_is_lawful_as_it_stands(mode: str) -> None:
    match, bot, count = begun(("France", "Spain", "England"), options(mode=mode), b"forms"), Random(1), 0
    while match.open:
        count += lines_read_and_bind(match)
        match.answer(match.open[0], match.open[0].menu.sample(bot.randrange))
    assert count > 50


def test_the_form_reckons_with_production() -> None:
    form = GAME.order_form(stage(options()), Seat("France"))
    assert "# After Production, unless the event takes some: 13 gold, 13 food, 1 cloth, 1 wood, 1 metal" in form[1]
    assert "COLONIZE any" in form


def lines_ready(world: World) -> list[str]:
    """What France would send who returns her sheet as it stands."""
    return [line for line in GAME.order_form(world, Seat("France")) if not line.startswith("#")]


def test_a_sheet_as_proposed_keeps_what_feeds_the_units() -> None:
    """nw.upkeep.units: whoever spent all his gold on research lost every unit at his next Upkeep."""
    world = given(stage(options()), "France has 2 fleets, 3 armies in Europe")
    sheet = [line for line in lines_ready(world) if line.startswith(("RESEARCH", "HIRE"))]
    assert [line.partition(" KEEPING ")[2] for line in sheet] == ["8 gold", "8 food"], "three more than the units eat"


def test_fleets_go_before_armies_and_colonies_before_the_last_army_of_europe() -> None:
    """nw.r10: without orders armies go first, and nobody guards Europe then; an event can take six of food or gold."""
    fed = given(stage(options()), "France has 2 fleets, 3 armies in Europe, 11 gold, 11 food")
    hungry = given(fed, "France has 10 gold")
    assert "LOSE fleets" not in lines_ready(fed) and "LOSE fleets" in lines_ready(hungry)
    few = given(hungry, "France has 1 army in Europe, 1 army in Canada, 9 gold")
    assert "LOSE fleets, armies FROM Canada" in lines_ready(few)
    assert not any("LOSE" in line for line in GAME.order_form(given(hungry, "France has 0 fleets"), Seat("France")))


def test_an_army_comes_home_where_europe_lies_open() -> None:
    """A homeland that nobody guards is lost before any colony is (nw.victory.elimination)."""
    bare = given(stage(options()), "France has 2 fleets, 0 armies in Europe, 1 army in Canada, 0 workers, 0 cloth")
    assert "MOVE 1 army FROM Canada TO Europe" in lines_ready(given(bare, "Spain has 1 army in Europe"))


def test_an_army_is_raised_where_europe_lies_open() -> None:
    """nw.war.rolls: what nobody guards falls without a die; the army comes before a worker who would spoil it."""
    goods = "0 workers, 3 food, 1 metal, 1 horse"
    bare = given(stage(options()), f"France has 0 fleets, 0 armies in Europe, {goods}, 1 cloth")
    world = given(bare, "Spain has 1 army in Europe")
    ready = lines_ready(world)
    assert "RAISE 1 army" in ready and any(line.startswith("HIRE") for line in ready)
    manned = given(world, "France has 1 worker, 0 cloth")
    assert "RAISE 1 army" in lines_ready(manned)


def test_the_second_sheet_shows_the_cards_and_counts_production_once() -> None:
    world = given(stage(options(mode="two_step")), "France has 1 worker")
    turned = msgspec.structs.replace(world, explored=True, face_up=("Canadian Furs",))
    assert GAME.order_form(turned, Seat("France"))[:3] == (
        "# Face up: Canadian Furs (1 cloth). You can claim 1.",
        "# Every colony is a point of Culture and yields each turn.",
        "COLONIZE any",
    )
    move = understand("MOVE 1 army FROM Europe TO Canada", GAME.vocabulary(world))
    assert isinstance(move, Order)
    bound = GAME.bind(world, Seat("France"), move)
    assert not isinstance(bound, Illegal)
    poor = given(turned, "France has 5 gold, 5 food")
    assert GAME.doubts(poor, Seat("France"), [bound]) == ()
    (doubt,) = GAME.doubts(given(turned, "France has 4 gold"), Seat("France"), [bound])
    assert "food and gold for 4" in doubt.sentence


def test_the_summary_of_a_turn_without_deeds_names_whose_it_was() -> None:
    world = stage(options())
    page = GAME.report(world, (EventCame(Seat("France")),), world, Role.OBSERVER)
    assert page.summary == f"France has a quiet turn. {COLONIAL_CARDS} colonial territories left to claim."


def test_sheets_cover_everything() -> None:
    match, bot = begun(("France", "Spain"), options(), b"sheets"), Random(1)
    while match.open:
        match.answer(match.open[0], match.open[0].menu.sample(bot.randrange))
    events, final = [event for ended in match.ended for event in ended.events], match.state
    made = (*GAME.sheets(events, final, Role.OBSERVER), *GAME.logs(events, Role.OBSERVER))
    assert [sheet.name for sheet in made] == [*final.order, "standings", "decks", "offers", "events", "dice"]
    (decks,) = (sheet for sheet in made if sheet.name == "decks")
    summary, *piles = decks.grids
    for (_, left, discarded, _), pile in zip(summary.rows, piles, strict=True):
        assert (sum(int(row[1]) for row in pile.rows), sum(int(row[2]) for row in pile.rows)) == (left, discarded)
    record = made[0]
    numbers = {row[0]: row[1] for grid in record.grids[:3] for row in grid.rows}
    power = final.powers[final.order[0]]
    assert numbers["Gold"] == power.stock["gold"] and numbers["Fleets"] == power.fleets
    assert sum(int(row[1]) for row in record.grids[3].rows) + len(record.grids[4].rows) == len(
        final.sheet_of(final.order[0])
    )
    assert all(len(row) == len(grid.columns) for sheet in made for grid in sheet.grids for row in grid.rows)


def test_the_audit_catches_gold_from_nowhere() -> None:
    before = stage(options())
    after = before.gaining(Seat("France"), {"gold": 1})
    passed = (TurnPassed(Seat("Spain"), 2, 1),)
    assert GAME.audit(before, passed, before) == ()
    assert GAME.audit(before, passed, after) == ("France: gold: had 10, should now be 10, is 11.",)
    lost = msgspec.structs.replace(before, exploration=msgspec.structs.replace(before.exploration, draw={}))
    assert len(GAME.audit(before, passed, lost)) == 2


def test_the_audit_catches_goods_of_a_seat_that_is_out() -> None:
    gone = PowerEliminated(Seat("Spain"), 7).change(stage(options())).gaining(Seat("Spain"), {"gold": 1})
    assert GAME.audit(gone, (TurnPassed(Seat("Spain"), 2, 1),), gone) == (
        "Spain is eliminated and still holds something.",
    )


def test_standings_say_what_each_holds_or_that_it_is_out() -> None:
    gone = PowerEliminated(Seat("Spain"), 7).change(stage(options()))
    how = {standing.seat: standing.how for standing in tally(gone).standings}
    assert how[Seat("Spain")] == "eliminated" and how[Seat("France")].endswith("; 10 gold")


def test_every_event_class_cites_a_rule() -> None:
    ids = {rule.id for rule in GAME.rules}
    assert all(event.rule in ids for event in GAME.events)


def test_wishes_without_nationalities_are_served_in_order_of_application() -> None:
    wishes = (("Spain",), ("spain", "Holland"), (), ("Sweden",))
    assert GAME.seat_players(wishes, options(), Scripted(())) == ("Spain", "Holland", "England", "Sweden")


def test_with_nationalities_the_last_lot_chooses_first_and_chance_serves_those_without_a_wish() -> None:
    wishes = (("France",), ("France", "Spain"), ())
    # lots 2, 1, 3: the third applicant chooses first (nothing), then the first, then the second
    seats = GAME.seat_players(wishes, options(nationalities="yes"), Scripted((2, 1, 1, 3)))
    assert seats == ("France", "Spain", "Portugal")


def test_all_seats_differ_whatever_is_wished() -> None:
    for secret in range(20):
        seats = GAME.seat_players((("France",),) * 5, options(nationalities="yes"), Keyed(b"%d" % secret, 0))
        assert len(set(seats)) == 5 and "Sweden" not in seats


@pytest.mark.parametrize(
    ("players", "nationalities", "lawful"),
    [(1, "no", False), (2, "no", True), (6, "no", True), (7, "no", False), (5, "yes", True), (6, "yes", False)],
)
def test_numbers_of_players(players: int, nationalities: str, lawful: bool) -> None:
    assert (GAME.refuse_options(options(nationalities=nationalities), players) is None) is lawful


def test_the_game_is_found_by_name() -> None:
    assert game_named("NewWorld") is next(game for game in GAMES if game.name == "newworld")
    with pytest.raises(KeyError):
        game_named("chess")


@pytest.mark.parametrize(
    "line", ["BUILD all fleets", "BUY all food KEEPING all gold", "RESEARCH Law", "RAISE half armies"]
)
def test_what_nothing_comes_of_is_told_and_not_offered(line: str) -> None:
    """Lawful it is: as many as can be paid are none."""
    world, seat = stage(options()), Seat("France")
    world = world.with_power(replace(world.powers[seat], stock=dict.fromkeys(world.powers[seat].stock, 1)))
    order = understand(line, GAME.vocabulary(world))
    assert isinstance(order, Order)
    bound = GAME.bind(world, seat, order)
    assert not isinstance(bound, Illegal)
    told = [doubt for doubt in GAME.doubts(world, seat, (bound,)) if "nothing comes of it" in doubt.sentence]
    assert len(told) == 1 and not told[0].undone
    assert not can_be_chosen(GAME, world, seat, bound)


def test_workers_that_upkeep_takes_first_are_not_counted_on() -> None:
    """nw.upkeep.workers: one of three is fed, so that two armies cannot be raised in the turn that begins so."""
    world, seat = stage(options()), Seat("France")
    plenty = dict.fromkeys(world.powers[seat].stock, 50) | {"workers": 3, "food": 1}
    world = world.with_power(replace(world.powers[seat], stock=plenty))
    order = understand("RAISE 2 armies", GAME.vocabulary(world))
    assert isinstance(order, Order)
    bound = GAME.bind(world, seat, order)
    assert not isinstance(bound, Illegal)
    assert [doubt.undone for doubt in GAME.doubts(world, seat, (bound,))][:1] == [True]


def test_doubts_name_what_will_disappoint() -> None:
    world = stage(options())
    sheet = []
    for line in ("BUY 2 wood", "RESEARCH Law", "COLONIZE any", "ATTACK Spain IN Europe", "ATTACK Spain IN Canada"):
        order = understand(line, GAME.vocabulary(world))
        assert isinstance(order, Order)
        bound = GAME.bind(world, Seat("France"), order)
        assert not isinstance(bound, Illegal)
        sheet.append(bound)
    found = " ".join(doubt.sentence for doubt in GAME.doubts(world, Seat("France"), sheet))
    assert "3 gold for research" in found
    assert "no worker is left to colonize with" in found
    assert "5 dice against 7" in found
    assert "no army of France is in Canada" in found
    assert "5 fleets and armies, and food and gold for 3" in found
