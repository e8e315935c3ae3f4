"""Words of the best judges by letter: who plays, a seat taken over, gates for joining, matches that never begin."""

from __future__ import annotations

import pytest

from referee.service.intake.counter import at_the_counter, player_at_the_counter
from tests.service.conftest import ANNA, BEN, CARLA, DAN, GINA, OTTO, PLAYERS, begin
from tests.world import World

# ---------------------------------------------------------------- who


def test_who_tells_game_clock_and_players_to_anybody(match: World) -> None:
    (receipt,) = match.vouched(OTTO, "WHO nw1")
    assert "nw1: New World" in receipt.flat and "The match is running: Turn 1: Spain (round 1)." in receipt.flat
    assert all(f"{match.seat(player)} {player.partition('@')[0]}" in receipt.flat for player in PLAYERS)
    assert "Game master: gina." in receipt.flat and "A slot lasts 24 h." in receipt.flat
    assert not any(player in receipt.text for player in (*PLAYERS, GINA))  # names, never addresses
    (inside,) = match.reply(ANNA, "WHO")
    assert "The match is running: Turn 1: Spain (round 1)." in inside.flat


def test_who_of_a_match_that_forms_counts_who_joined(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    (receipt,) = world.vouched(OTTO, "WHO nw1")
    assert "1 joined so far: anna." in receipt.flat


def test_who_names_nobody_in_an_anonymous_match(world: World) -> None:
    begin(world, "WITH anonymous yes")
    (receipt,) = world.vouched(OTTO, "WHO nw1")
    assert receipt.flat.count("one of the players") == 4
    assert not any(name in receipt.flat for name in ("anna", "ben", "carla", "dan"))


def test_who_without_a_name_where_there_are_two_asks_which(match: World) -> None:
    match.write(GINA, "CREATE newworld AS nw2")
    (receipt,) = match.vouched(OTTO, "WHO")
    assert "Say of which match: WHO nw1." in receipt.flat


@pytest.mark.parametrize(
    ("old", "new"),
    [("LIST", "match nw1: New World"), ("WHOGAME nw1", "The match is running"), ("WATCH nw1", "You watch nw1")],
)
def test_words_of_njudge_are_understood(match: World, old: str, new: str) -> None:
    match.vouched(OTTO, old)
    assert new in match.last(OTTO, "receipt").flat


def test_signon_is_join(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    *_, receipt = world.write(ANNA, "SIGNON nw1 AS England")
    assert "You are in nw1. You wished for England." in receipt.flat


def test_verify_and_version_tell_which_referee_runs(match: World) -> None:
    from importlib.metadata import version

    for sender, word in ((OTTO, "VERSION"), (OTTO, "VERIFY")):
        (receipt,) = match.write(sender, word)
        assert f"This is version {version('referee')} of the referee." in receipt.flat
        assert "The log of nw1 stands at" in receipt.flat


def test_games_is_answered_in_a_match_too(match: World) -> None:
    (receipt,) = match.reply(ANNA, "GAMES")
    assert "match nw1: New World, running" in receipt.flat


# ---------------------------------------------------------------- listed or not


def test_a_comment_stands_where_the_match_is_listed(match: World) -> None:
    mails = match.reply(GINA, 'COMMENT "Beginners welcome."')
    assert {mail.to for mail in mails if mail.is_a("notice")} == {*PLAYERS, GINA}
    assert all("nw1 is listed with this comment: Beginners welcome." in mail.flat for mail in mails)
    for word in ("GAMES", "WHO nw1"):
        assert "Beginners welcome." in match.vouched(OTTO, word)[0].flat
    match.reply(GINA, "COMMENT none")
    assert "Beginners" not in match.vouched(OTTO, "GAMES")[0].flat


def test_a_comment_before_the_start(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.reply(GINA, 'COMMENT "One turn a week."')
    told = "match nw1: New World, forming, 0 of 6 seats taken; a slot lasts 24 h. One turn a week."
    assert told in world.vouched(OTTO, "GAMES")[0].flat


def test_an_unlisted_match_is_its_members_business(world: World) -> None:
    begin(world, match="cabal")
    world.reply(GINA, "LISTED no")
    for line in ("GAMES", "VERIFY", "JOIN cabel", "WHO", "SEND report OF cabel"):
        assert "cabal" not in world.vouched(OTTO, line)[0].flat, line
    assert "match cabal" in world.reply(ANNA, "GAMES")[0].flat
    world.reply(GINA, "LISTED yes")
    assert "match cabal" in world.vouched(OTTO, "GAMES")[0].flat


def test_settings_of_a_match_that_cannot_be_read(match: World) -> None:
    (receipt,) = match.reply(GINA, "LISTED perhaps\nRELIABILITY 200\nSTATUS")
    assert "Write LISTED yes or LISTED no." in receipt.flat
    assert "Write of how many slots in a hundred: RELIABILITY 80" in receipt.flat


# ---------------------------------------------------------------- who may join


def roll_out_by_the_clock(world: World, seat: str, times: int) -> None:
    """Let a seat's slots go by until it was rolled out so often; the others end theirs themselves."""
    done = 0
    for _ in range(60):
        if world.waits_for() == seat:
            world.wait(hours=25)
            done += 1
            if done == times:
                return
        else:
            world.reply(world.on_turn(), "ROLL OUT")
    raise AssertionError("the seat was not on turn often enough")


def test_who_is_often_late_is_not_admitted_where_reliability_is_asked_for(match: World) -> None:
    lazy = match.player(match.waits_for())
    roll_out_by_the_clock(match, match.waits_for(), 5)
    match.write(GINA, "CREATE newworld AS nw2")
    (receipt,) = match.reply(GINA, "RELIABILITY 80 nw2", kind="receipt")
    assert "Only players on time in 80 of 100 slots are admitted" in receipt.flat
    *_, refusal = match.write(lazy, "JOIN nw2")
    assert "nw2 takes players who are on time in 80 of 100 slots; your record: 0 on time" in refusal.flat
    assert "80 of 100" in match.write(lazy, "STANDBY nw2")[0].flat
    assert "You are in nw2." in match.write(OTTO, "JOIN nw2")[-1].flat  # who is new has no record yet
    match.reply(GINA, "RELIABILITY 0 nw2", kind="receipt")
    assert "You are in nw2." in match.write(lazy, "JOIN nw2")[-1].flat


# ---------------------------------------------------------------- a free seat


def test_a_volunteer_takes_over_a_seat_that_was_resigned(match: World) -> None:
    seat = match.seat(BEN)
    assert "No seat of nw1 is free; STANDBY nw1" in match.write(OTTO, "TAKEOVER nw1")[0].flat
    match.reply(BEN, "RESIGN")
    mails = match.write(OTTO, f"TAKEOVER nw1 AS {seat}")
    assert match.player(seat) == OTTO
    assert any(mail.to == OTTO and f"You play {seat} in nw1" in mail.flat for mail in mails)
    assert {ANNA, CARLA, DAN, GINA} <= {m.to for m in mails if f"{seat} is now played by otto" in m.flat}
    assert "No seat of nw1 is free" in match.write("late@players.example", f"TAKEOVER nw1 AS {seat}")[0].flat


def test_an_abandoned_seat_and_one_of_the_bots_are_free(match: World) -> None:
    match.reply(GINA, "ABANDON AFTER 2 GIVING TO ask")
    seat = match.waits_for()
    roll_out_by_the_clock(match, seat, 2)
    other = next(s for s in match.playing().created.seats if s != seat)
    match.reply(GINA, f'DUMMY {other} BECAUSE "gone"')
    (receipt,) = match.write(OTTO, "TAKEOVER nw1")
    assert "Free in nw1:" in receipt.flat and seat in receipt.flat and other in receipt.flat
    match.write(OTTO, f"TAKEOVER nw1 AS {other}")
    assert match.player(other) == OTTO
    match.write("paul@players.example", "TAKEOVER nw1")
    assert match.player(seat) == "paul@players.example"


def test_who_gave_up_one_seat_takes_no_other_over_and_may_have_his_own_again(match: World) -> None:
    mine, other = match.seat(ANNA), match.seat(BEN)
    for seat in (mine, other):
        match.reply(GINA, f"BOT {seat} novice")
    (refused,) = match.vouched(ANNA, f"TAKEOVER nw1 AS {other}")
    assert f"You played {mine} and know what it knew, so only REPLACE gives you another seat of nw1." in refused.flat
    match.vouched(ANNA, f"TAKEOVER nw1 AS {mine}")
    assert match.player(mine) == ANNA


def test_where_lateness_is_hidden_no_stranger_learns_which_seat_was_rolled_out(world: World) -> None:
    begin(world, "WITH lateness hidden")
    world.reply(GINA, "ABANDON AFTER 2 GIVING TO ask")
    roll_out_by_the_clock(world, world.waits_for(), 2)
    (receipt,) = world.write(OTTO, "TAKEOVER nw1")
    assert "No seat of nw1 is free; STANDBY nw1" in receipt.flat


def test_who_is_in_the_match_or_not_admitted_takes_no_seat_over(match: World) -> None:
    match.reply(BEN, "RESIGN")
    seat = match.seat(BEN)
    assert "a person plays one seat" in match.reply(ANNA, f"TAKEOVER nw1 AS {seat}")[0].flat
    assert "You are game master of nw1" in match.reply(GINA, f"TAKEOVER nw1 AS {seat}")[0].flat
    match.reply(GINA, "DENY otto@players.example")
    assert "does not admit you" in match.write(OTTO, "TAKEOVER nw1")[0].flat
    assert match.player(seat) == BEN


def test_a_takeover_of_an_anonymous_seat_names_nobody(world: World) -> None:
    begin(world, "WITH anonymous yes")
    seat = world.seat(BEN)
    world.reply(BEN, "RESIGN")
    mails = world.write(OTTO, "TAKEOVER nw1")
    assert world.player(seat) == OTTO
    told = [mail for mail in mails if mail.to in (ANNA, CARLA, DAN)]
    assert told and not any("otto" in mail.raw.decode().casefold() for mail in told)


# ---------------------------------------------------------------- before the start


def test_who_joined_can_leave_before_the_start(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    *_, receipt = world.reply(ANNA, "RESIGN", kind="receipt")
    assert "You are no longer on the list of nw1" in receipt.flat
    assert "0 joined so far" in world.vouched(OTTO, "WHO nw1")[0].flat
    assert "1 of 6 seats is taken" in world.write(ANNA, "JOIN nw1")[0].flat


def test_a_match_that_never_begins_is_called_off(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    assert "Only the game master" in world.reply(ANNA, "TERMINATE nw1", kind="receipt")[0].flat
    mails = world.reply(GINA, 'TERMINATE nw1 BECAUSE "too few"', kind="receipt")
    assert any(m.to == ANNA and "nw1 is called off" in m.flat and "too few" in m.flat for m in mails)
    assert any(m.to == GINA and "1 who had joined or waited were told." in m.flat for m in mails)
    assert "nw1" not in world.vouched(OTTO, "GAMES")[0].flat
    assert "NOT DONE" in world.write(OTTO, "JOIN nw1")[0].subject
    assert "NOT DONE" in world.reply(GINA, "START nw1", kind="receipt")[0].subject


# ---------------------------------------------------------------- looking back


def test_orders_of_a_past_turn(match: World) -> None:
    player = match.on_turn()
    match.reply(player, "RESEARCH any\nCOLONIZE any\nROLL OUT")
    (receipt,) = match.reply(player, "ORDERS TURN 1")
    assert "Your orders of turn 1" in receipt.flat and "Played by player." in receipt.flat
    assert "RESEARCH any" in receipt.flat
    other = next(p for p in PLAYERS if p not in (player, match.on_turn()))
    (receipt,) = match.reply(other, "ORDERS TURN 1")
    assert "RESEARCH any" not in receipt.flat  # nobody reads another's sheet
    assert "The log has no orders of yours for turn 9." in match.reply(player, "ORDERS TURN 9")[0].flat


def test_history_from_a_turn_or_a_day_on_and_the_last_lines(match: World) -> None:
    for _ in range(8):
        match.reply(match.on_turn(), "ROLL OUT")
        match.wait(hours=12)
    whole = match.reply(ANNA, "SEND history")[0].text.count("- turn")
    assert whole >= 8
    assert match.reply(ANNA, "SEND history LINES 3")[0].text.count("- turn") == 3
    assert match.reply(ANNA, "SEND history TURN 2")[0].text.count("- turn 1") == 0
    later = match.reply(ANNA, "SEND history SINCE 2026-11-23")[0].text.count("- turn")
    assert 0 < later < whole
    assert match.vouched(OTTO, "SEND history LINES 2 OF nw1")[0].text.count("- turn") == 2


# ---------------------------------------------------------------- at which hours


def test_hours_at_which_orders_come_and_slots_are_missed(match: World) -> None:
    (receipt,) = match.vouched(OTTO, "SEND hours")
    assert "Too few have played here so far to count without telling who." in receipt.flat
    for _ in range(12):
        match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    late = match.waits_for()
    match.wait(hours=25)
    (receipt,) = match.vouched(OTTO, "SEND hours")
    assert "All matches here together, 4 people; the hours are those of UTC." in receipt.flat
    (row,) = [line.split() for line in receipt.text.splitlines() if line.strip().startswith("12:00 to 15:00")]
    assert (int(row[-2]), int(row[-1])) == (12, 1)
    assert late not in receipt.flat and not any(player in receipt.text for player in PLAYERS)


def test_hours_are_those_of_the_reader(match: World) -> None:
    for _ in range(12):
        match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    match.reply(ANNA, "SET zone Asia/Tokyo")
    (receipt,) = match.reply(ANNA, "SEND hours")
    assert "the hours are those of Asia/Tokyo" in receipt.flat
    (row,) = [line.split() for line in receipt.text.splitlines() if line.strip().startswith("21:00 to 24:00")]
    assert int(row[-2]) == 12


def test_matches_that_hide_lateness_are_not_counted(world: World) -> None:
    begin(world, "WITH lateness hidden")
    for _ in range(12):
        world.reply(world.on_turn(), "RESEARCH any\nROLL OUT")
    assert "Too few have played here" in world.vouched(OTTO, "SEND hours")[0].flat


def test_the_clock_is_set_before_the_start_and_who_joined_is_told(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    mails = world.reply(GINA, "CLOCK slot 48h, days Mon, Tue, press grey\nGRACE 12h", kind="receipt")
    told = [mail for mail in mails if mail.to == ANNA]
    assert any("A slot lasts 2 days, ends on Mon, Tue only, all" in mail.flat for mail in told)
    world.reply(GINA, "START nw1", kind="receipt")
    settings = world.playing().settings
    assert (settings.slot_hours, settings.slots.days, settings.slots.grace_hours) == (48, ("Mon", "Tue"), 12)
    assert settings.manners.press == "grey"


def test_a_clock_that_cannot_be_read_is_refused_before_the_start_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    (receipt,) = world.reply(GINA, "CLOCK slot fish", kind="receipt")
    assert "fish is no time for a slot" in receipt.flat
    world.write(ANNA, "JOIN nw1")
    (receipt,) = world.reply(ANNA, "CLOCK slot 72h", kind="receipt")
    assert "Only the game master" in receipt.flat


# ---------------------------------------------------------------- press gates


def test_who_owes_orders_sends_no_press_before_they_are_on_file(world: World) -> None:
    begin(world, "WITH press ordered yes")
    owes = world.on_turn()
    other = next(player for player in PLAYERS if player != owes)
    text = f"PRESS TO {world.seat(other)}\nPeace?\nEND"
    (receipt,) = world.reply(owes, text)
    assert "A player who owes orders sends no press here before they are on file" in receipt.flat
    world.reply(owes, "RESEARCH any\nWAIT")
    assert any(mail.to == other and mail.kind == "press" for mail in world.reply(owes, text))
    assert any(mail.to == owes for mail in world.reply(other, f"PRESS TO {world.seat(owes)}\nYes.\nEND"))
    assert "A player who owes orders sends none before they are on file." in world.reply(other, "STATUS")[0].flat


def test_at_the_machine_a_match_is_given_its_clock_and_called_off_before_it_starts(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    said = at_the_counter(world.office, "nw1", "DAYS Mon-Fri", "the keeper")
    assert said.granted and any("ends on Mon, Tue, Wed, Thu, Fri only" in line for line in said.sentences)
    assert at_the_counter(world.office, "nw1", "COMMENT soon", "the keeper").granted
    assert "soon" in world.vouched(OTTO, "GAMES")[0].flat
    assert at_the_counter(world.office, "nw1", "TERMINATE", "the keeper").granted
    assert "match nw1" not in world.vouched(OTTO, "GAMES")[-1].flat


def test_at_the_machine_words_for_anybody_are_answered_too(match: World) -> None:
    said = at_the_counter(match.office, "nw1", "WHO", "the keeper")
    assert said.granted and said.pages[0].title == "nw1: New World"
    assert player_at_the_counter(match.office, "nw1", match.seat(ANNA), "SET format text").granted


# ---------------------------------------------------------------- where a word of ours serves


def test_who_resigned_comes_back_by_takeover(match: World) -> None:
    seat = match.seat(BEN)
    match.reply(BEN, "RESIGN")
    assert f"The player of {seat} has resigned" in match.reply(ANNA, "STATUS")[0].flat
    mails = match.reply(BEN, f"TAKEOVER nw1 AS {seat}")
    assert {mail.to for mail in mails if "is played on by its player" in mail.flat} == {*PLAYERS, GINA}
    assert match.player(seat) == BEN
    assert "has resigned" not in match.reply(ANNA, "STATUS")[0].flat
    assert "No seat of nw1 is free" in match.write(OTTO, "TAKEOVER nw1")[0].flat


def test_a_match_of_one_person_and_dummies_to_learn_on(world: World) -> None:
    world.write(ANNA, "CREATE newworld AS try1")
    world.write(ANNA, "JOIN try1")
    world.reply(ANNA, "DUMMY 3 try1\nLISTED no try1", kind="receipt")
    world.reply(ANNA, "START try1", kind="receipt")
    assert world.status("try1") == "running" and world.on_turn("try1") == ANNA
    for _ in range(3):
        world.reply(ANNA, "ROLL OUT")
    assert world.playing("try1").turn >= 2
    assert "try1" not in world.vouched(OTTO, "GAMES")[0].flat
    world.reply(ANNA, "LISTED yes")
    assert "No seat of try1 is free" in world.write(OTTO, "TAKEOVER try1")[0].flat  # its dummies are meant to stay


def test_a_long_delay_runs_every_turn_at_its_deadline(world: World) -> None:
    begin(world, "WITH mind 30 days")
    seat = world.waits_for()
    world.reply(world.on_turn(), "RESEARCH any")
    world.wait(hours=23)
    assert world.waits_for() == seat
    world.wait(hours=2)
    assert world.waits_for() != seat
