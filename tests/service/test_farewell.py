"""The end of a match is a moment: who won, how it went, honours, and another match for who likes."""

from __future__ import annotations

import re

from referee.adapters.pages import layout
from referee.core.names import Seat
from referee.core.page import Standing, Tally
from referee.kit.drawing import SHAPES
from referee.service.match.members import house_rules
from referee.service.turn.farewell import Moment, _outcome, curve, turning_points
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import World

RED, BLUE = Seat("Red"), Seat("Blue")


def moment(title: str, red: int, blue: int) -> Moment:
    """A phase after which Red and Blue have so many points."""
    first = tuple(seat for seat, points in ((RED, red), (BLUE, blue)) if points == max(red, blue))
    return Moment(title, {RED: red, BLUE: blue}, first)


def test_a_winner_who_is_a_bot_stands_in_one_pair_of_brackets() -> None:
    tally = Tally((Standing(1, BLUE, 177, ""), Standing(2, RED, 72, "")), "points", final=True)
    assert _outcome(tally, (("Blue", "Oscar (strong bot)"), ("Red", "Anna"))) == "Blue (Oscar, strong bot) won"


def test_who_took_the_lead_and_who_gained_and_lost_most_is_told() -> None:
    course = (
        moment("Set-up", 0, 0),
        moment("Turn 1", 10, 9),
        moment("Turn 2", 12, 12),
        moment("Turn 3", 8, 15),
        moment("Turn 4", 9, 16),
    )
    assert turning_points(course, "points") == (
        "Blue takes the lead from Red, with 15 points (Turn 3).",
        "Blue gains 3 points, the most of anybody at one go (Turn 2).",
        "Red loses 4 points, the most of anybody at one go (Turn 3).",
    )


def test_a_match_in_which_nothing_turned_tells_of_no_turns() -> None:
    assert turning_points((moment("Turn 1", 5, 4), moment("Turn 2", 5, 4)), "points") == ()


def test_the_names_at_the_lines_of_the_chart_stand_apart_and_are_no_markup() -> None:
    drawn = curve({"Red": [1, 7], "<Blue>": [2, 7]}, "points")
    assert "Arimo" in drawn.svg  # the only type that a picture is drawn with
    assert "&lt;Blue&gt; 7" in drawn.svg and "<Blue>" not in drawn.svg
    heights = [line.partition('"')[0] for line in drawn.svg.split('<text x="366" y="')[1:]]
    assert abs(float(heights[0]) - float(heights[1])) >= 15
    assert drawn.instead == "The course of the match in points: <Blue> 2 to 7; Red 1 to 7."


def test_each_line_of_the_chart_has_the_shape_that_its_seat_has_in_tables() -> None:
    assert [*SHAPES] == [chr(sign) for sign in layout._SHAPES]
    drawn = curve(
        {"Blue": [1] * 50, "Red": [7] * 50}, "points", {"Green": "#208020", "Red": "#c00000", "Blue": "#0000c0"}
    )
    for seat, shape, colour in (
        ("Red", "\N{BLACK SQUARE}", "#c00000"),
        ("Blue", "\N{BLACK UP-POINTING TRIANGLE}", "#0000c0"),
    ):
        count = len(re.findall(f'd="{re.escape(SHAPES[shape])}"[^>]*fill="{colour}"', drawn.svg))
        assert 8 <= count <= 12, seat
    assert SHAPES["\N{BLACK CIRCLE}"] not in drawn.svg


def over(match: World) -> World:
    """The match, ended by its game master after a turn."""
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    match.reply(BEN, "DIARY\nI should have built farms.\nEND")
    match.reply(GINA, 'TERMINATE BECAUSE "the club closes"')
    return match


def test_a_match_that_is_ended_is_told_like_one_that_was_played_out(match: World) -> None:
    farewell = over(match).last(ANNA, "farewell")
    assert farewell.subject == "[nw1] the match is ended"
    assert "The game master ended the match; nobody won." in farewell.flat
    assert "The reason given: the club closes" in farewell.flat
    assert "Standings" in farewell.flat and "Never late" in farewell.flat and "Secret:" in farewell.flat
    assert "SEND diaries brings that of one seat" in farewell.flat


def test_diaries_are_opened_at_the_end_and_not_before(match: World) -> None:
    (receipt,) = match.reply(ANNA, "SEND diaries")
    assert "They are opened when nw1 is over" in receipt.flat
    (receipt,) = over(match).reply(ANNA, "SEND diaries", kind="farewell")
    assert "I should have built farms." in receipt.flat


def test_rematch_opens_another_match_and_asks_everybody(match: World) -> None:
    mails = over(match).reply(ANNA, "REMATCH", kind="farewell")
    opened = next(mail for mail in mails if mail.to == ANNA)
    assert "Match nw1-2 of New World is open and you are its game master." in opened.flat
    asked = next(mail for mail in mails if mail.to == BEN)
    assert asked.subject == "[nw1] another match? nw1-2 waits for you"
    assert "Reply REMATCH to join it" in asked.flat
    match.reply(BEN, "REMATCH", kind="notice")
    with match.store.look() as step:
        old, new = step.match("nw1"), step.match("nw1-2")
        assert old and new and new.status == "forming"
        assert (new.game, new.options, new.settings) == (old.game, old.options, old.settings)
        assert house_rules(step, "nw1-2") == house_rules(step, "nw1")
        joined = [m.wishes for m in step.members("nw1-2") if m.status == "applied"]
    assert joined == [(match.seat(ANNA),), (match.seat(BEN),)]


def test_a_game_master_who_asks_for_a_rematch_opens_it_without_a_seat(match: World) -> None:
    (opened, *_) = [mail for mail in over(match).reply(GINA, "REMATCH", kind="farewell") if mail.to == GINA]
    assert "you are its game master" in opened.flat
    with match.store.look() as step:
        assert [m.role for m in step.members("nw1-2")] == ["gm"]


def test_a_rematch_against_bots_alone_begins_at_once_against_as_strong_ones(world: World) -> None:
    world.write(ANNA, "PLAY newworld AS solo WITH bots 2 novice")
    (question,) = world.reply(ANNA, "END", kind="started")
    assert "TERMINATE ends the match without a winner." in question.flat
    ended = world.write(ANNA, "YES", question.reply_to)
    assert any("anna ended the match; nobody won." in mail.flat for mail in ended), [mail.flat for mail in ended]
    begun, told = world.reply(ANNA, "REMATCH", kind="farewell")
    assert begun.is_a("started") and begun.flat.count("(novice bot)") == 2
    assert (
        "You play against Pip (novice bot) and Dot (novice bot) again." in told.flat and "were asked" not in told.flat
    )
    assert world.status("solo-2") == "running" and len(world.playing("solo-2").created.seats) == 3


def test_bots_of_a_match_are_in_its_rematch_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1 WITH bots 2 steady")
    for player in (ANNA, BEN):
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    (opened, *_) = [mail for mail in over(world).reply(ANNA, "REMATCH", kind="farewell") if mail.to == ANNA]
    assert "(steady bot) have joined nw1-2, too." in opened.flat and "2 of nw1 were asked" in opened.flat, opened.flat


def test_there_is_no_rematch_of_a_match_that_goes_on(match: World) -> None:
    (receipt,) = match.reply(ANNA, "REMATCH")
    assert "nw1 is not over yet; REMATCH asks for another match when it is." in receipt.flat
