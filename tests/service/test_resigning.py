"""RESIGN: nobody is waited for who is not there; a replacement takes over from the next question."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.question import Source
from referee.core.record import Answered
from referee.service.base.office import At
from referee.service.house.reliability import reliability
from referee.service.match.bots import is_dummy
from tests.service.conftest import GINA, OTTO, PLAYERS
from tests.world import World


def test_a_seat_whose_player_has_resigned_is_played_at_once_whenever_it_is_asked(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    mails = match.reply(player, 'RESIGN BECAUSE "no time"')
    assert match.waits_for() != seat and match.closed()[-1].seat == seat
    assert (match.closed()[-1].source, match.closed()[-1].by) == (Source.DEFAULT, "the referee")
    told = [
        mail
        for mail in mails
        if mail.is_a("notice") and "resigns" in mail.flat and "needs a player" not in mail.subject
    ]
    assert {mail.to for mail in told} == {*PLAYERS, GINA}
    assert all("its turns wait for nobody" in mail.flat for mail in told)
    for _ in range(6):
        assert match.waits_for() != seat
        match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    assert [str(a.seat) for a in match.closed()].count(seat) == 3
    assert not [a for a in match.alarms("deadline") if a.seat == seat]


def test_what_he_left_on_file_is_played(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "STANDING\nRESEARCH any\nEND")
    match.reply(player, "FOR TURN 5\nCOLONIZE any\nEND\nRESEARCH any\nWAIT")
    match.reply(player, "RESIGN")
    while match.closed()[-1].seat != seat or len(match.closed()) == 1:
        match.reply(match.on_turn(), "ROLL OUT")
    while [str(a.seat) for a in match.closed()].count(seat) < 3:
        match.reply(match.on_turn(), "ROLL OUT")
    sources = [a.source for a in match.closed() if a.seat == seat]
    assert sources == [Source.PLAYER, Source.PLAYER, Source.STANDING]


def test_a_replacement_takes_over_from_the_next_question(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "RESIGN")
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    while match.waits_for() != seat:
        match.reply(match.on_turn(), "ROLL OUT")
    assert match.on_turn() == OTTO
    match.reply(OTTO, "RESEARCH any\nROLL OUT")
    assert [(a.seat, a.source) for a in match.closed() if a.seat == seat][-1] == (seat, Source.PLAYER)


@pytest.mark.parametrize("then", ["standby", "dummy", "ask"])
def test_the_rule_for_abandoned_seats_says_who_has_the_seat(match: World, then: str) -> None:
    match.write(OTTO, "STANDBY nw1")
    match.reply(GINA, f"ABANDON AFTER 3 GIVING TO {then}")
    seat, player = match.waits_for(), match.on_turn()
    mails = match.reply(player, "RESIGN")
    with match.store.look() as step:
        dummy = is_dummy(step, "nw1", seat)
    assert dummy == (then == "dummy")
    assert (match.waits_for() == seat) == (then == "standby")
    if then == "standby":
        assert match.on_turn() == OTTO
    asked = [mail for mail in mails if mail.to == GINA and mail.subject.endswith("needs a player")]
    assert bool(asked) == (then == "ask")
    assert match.last(player, "receipt").flat.startswith("DONE:")


def test_in_a_paused_match_it_is_played_when_the_match_goes_on(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(GINA, "PAUSE")
    match.reply(player, "RESIGN")
    assert match.waits_for() == seat
    match.reply(GINA, "RESUME")
    assert match.waits_for() != seat and match.alarms("deadline")


def test_a_match_that_all_have_left_waits_for_its_deadlines(match: World) -> None:
    for player in PLAYERS:
        match.reply(player, "RESIGN")
    assert match.status() == "running" and len(match.closed()) < 12
    before = len(match.closed())
    match.wait(hours=23)
    assert len(match.closed()) == before
    match.wait(hours=2)
    assert len(match.closed()) == before + 1


def test_what_is_played_after_a_resignation_is_nobody_s_fault(match: World) -> None:
    player = match.on_turn()
    match.reply(player, "RESIGN")
    for _ in range(3):
        match.reply(match.on_turn(), "ROLL OUT")
    with match.store.look() as step:
        found = step.player_at(player)
        assert found is not None and reliability(At(match.office, step), found.id).counted == 0


def test_empire_notes_that_the_referee_rolled_the_seat_out(tmp_path: Path) -> None:
    world = World(tmp_path, "resigning in Empire")
    world.write(GINA, "CREATE empire AS e1 WITH board small")
    for player in PLAYERS[:3]:
        world.write(player, "JOIN e1")
    world.reply(GINA, "START e1", kind="receipt")
    while world.playing("e1").outcome.state.stage != "play":
        world.reply(world.on_turn("e1"), "ROLL OUT")
    seat, player = world.waits_for("e1"), world.on_turn("e1")
    world.reply(player, "RESIGN")
    assert world.waits_for("e1") != seat and world.log(Answered, "e1")[-1].by == "the referee"
    reports = [mail for mail in world.all_mail() if mail.kind == "report" and mail.to == GINA]
    assert f"{seat} was rolled out by the referee" in reports[-1].flat
    world.close()


def test_war_waits_for_nobody_who_has_resigned(world: World) -> None:
    world.write(GINA, "CREATE war27 AS nw1")
    for player in PLAYERS[:3]:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    seat = world.seat(PLAYERS[0])
    world.reply(PLAYERS[0], "RESIGN")
    for _ in range(4):
        world.wait(hours=24, minutes=1)
        assert all(question.seat != seat for question in world.playing().outcome.open)
    assert [a for a in world.log(Answered) if a.seat == seat and a.by == "the referee"]
