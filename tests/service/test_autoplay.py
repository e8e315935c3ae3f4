"""A steady bot plays for a person: for who is away and has it do so, and for who is late where the match wants it."""

from __future__ import annotations

import pytest

from referee.core.question import Source
from tests.service.conftest import GINA, PLAYERS
from tests.world import World


def around(world: World) -> None:
    """Everybody but who is on turn first ends his turn."""
    for _ in range(3):
        world.reply(world.on_turn(), "ROLL OUT")


def test_who_is_away_has_his_bot_play_and_all_are_told(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    mails = match.reply(player, "AUTOPLAY until 24 Nov")
    told = f"A steady bot plays {seat} for its player, who is away until Tue 24 Nov 2026, 00:00 UTC."
    assert {mail.to for mail in mails if told in mail.flat} == {*PLAYERS, GINA}
    assert match.waits_for() != seat  # his bot has played at once
    (answer,) = [answer for answer in match.closed() if answer.seat == seat][-1:]
    assert answer.source is Source.BOT and answer.by == "the bot of its player" and not answer.late_by
    report = match.last(GINA, "report")
    assert f"{seat}, the whole turn: played by its player's own bot while he is away." in report.flat
    around(match)
    assert match.waits_for() != seat
    (status,) = match.reply(player, "STATUS")
    assert "2 by own standing or late orders" in status.flat
    assert f"A steady bot plays {seat} for its player until Tue 24 Nov 2026, 00:00 UTC." in status.flat
    (who,) = match.reply(player, "WHO")
    assert "(steady bot until 24 Nov 2026)" in who.flat
    match.reply(player, "AUTOPLAY off")
    around(match)
    assert match.waits_for() == seat
    (who,) = match.reply(player, "WHO")
    assert "steady bot until" not in who.flat
    (off,) = match.reply(player, "AUTOPLAY OFF")
    assert "No bot plays for you" in off.flat


def test_it_ends_by_itself_and_at_orders_and_what_is_on_file_goes_before_it(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "STANDING\nRESEARCH any\nEND\nAUTOPLAY UNTIL 22 Nov")
    (answer,) = [answer for answer in match.closed() if answer.seat == seat][-1:]
    assert answer.source is Source.STANDING
    match.wait(hours=13)  # it is past midnight; others are reminded, none is late
    around(match)
    assert match.waits_for() == seat
    match.reply(player, "CLEAR STANDING\nAUTOPLAY UNTIL 28 Nov")
    assert match.waits_for() != seat
    mails = match.reply(player, "RESEARCH any")
    again = f"{seat} is played by its player again, and by no bot."
    assert {mail.to for mail in mails if again in mail.flat} == {*PLAYERS, GINA}
    around(match)
    assert match.waits_for() == seat


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("AUTOPLAY", "Say until when your bot plays: AUTOPLAY UNTIL 3 Dec; AUTOPLAY OFF ends it."),
        ("AUTOPLAY UNTIL 3 Nov 2026", "Name a moment to come"),
        ("AUTOPLAY UNTIL attacked", "attacked"),
    ],
)
def test_a_moment_is_needed(match: World, line: str, told: str) -> None:
    player, seat = match.on_turn(), match.waits_for()
    (refused,) = match.reply(player, line)
    assert told in refused.flat and match.waits_for() == seat


def test_where_nobody_else_is_left_the_bot_plays_at_the_deadline(world: World) -> None:
    world.write(GINA, "CREATE newworld AS solo WITH bots 3")
    world.write(GINA, "JOIN solo")
    world.reply(GINA, "START solo", kind="receipt")
    seat = world.seat(GINA, "solo")
    (said,) = [mail for mail in world.reply(GINA, "AUTOPLAY UNTIL 20 Dec") if mail.is_a("receipt")]
    assert "each of your turns is played at its deadline" in said.flat
    before = len(world.closed("solo"))
    world.wait(hours=24)
    mine = [answer for answer in world.closed("solo")[before:] if answer.seat == seat]
    assert mine and all(answer.source is Source.BOT and not answer.late_by for answer in mine)


def test_empire_waits_for_who_plays_alone_and_its_bots_roll_out_themselves(world: World) -> None:
    world.write(GINA, "PLAY empire WITH board small, bots 1 novice")
    waits = "the match waits for you: nobody else plays who could end your slot."
    assert waits in world.last(GINA).flat and "any other player" not in world.last(GINA).flat
    late = world.wait(days=9)
    assert any("The match waits for you: nobody else plays" in mail.flat for mail in late)
    assert "rolled out by" not in "".join(mail.flat for mail in world.all_mail())


# ---------------------------------------------------------------- who is late


def test_where_the_match_wants_it_a_sound_sheet_is_played_for_who_is_late(match: World) -> None:
    mails = match.reply(GINA, "CLOCK late sheet sound")
    said = "Where nothing is on file then, the sheet of a steady bot is played and not an empty one."
    assert {mail.to for mail in mails if said in mail.flat} >= {*PLAYERS}
    seat, player = match.waits_for(), match.on_turn()
    match.reply(player, "STATUS")
    assert (
        "If nothing comes by then, a sound sheet is played for you, as a steady bot plans it."
        in match.last(player).flat
    )
    match.wait(hours=24)
    (answer,) = [answer for answer in match.closed() if answer.seat == seat][-1:]
    assert answer.source is Source.BOT and answer.late_by == 1 and bytes(answer.value) != b"[]"
    assert f"{seat}, the whole turn: played by a steady bot after the deadline." in match.last(GINA, "report").flat
    match.reply(player, "STATUS")
    assert "1 rolled out" in match.last(player).flat


def test_the_setting_is_chosen_at_create_and_a_wrong_word_names_both(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1 WITH late sheet sound, slot 48h")
    assert "the sheet of a steady bot is played" in world.reply(GINA, "WHO nw1", kind="receipt")[0].flat
    (refused,) = world.reply(GINA, "CLOCK late sheet good", kind="receipt")
    assert "late sheet is sound or empty, not good." in refused.flat
