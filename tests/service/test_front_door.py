"""Letters to the referee's own address: strangers, joining, creating, and people who must prove who they are."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from referee.core.record import Created, Filed
from referee.mail.reading.sender import take_keys
from tests.service.conftest import ANNA, BEN, CARLA, DAN, GINA, OTTO, begin
from tests.world import World


def test_create_opens_a_match_and_makes_its_writer_game_master(world: World) -> None:
    (receipt,) = world.write(GINA, "CREATE newworld AS nw1 WITH nationalities yes, coal metal")
    assert "DONE" in receipt.subject
    assert "you are its game master" in receipt.flat
    with world.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        assert (row.status, row.options["nationalities"], row.options["coal"]) == ("forming", "yes", "metal")


def test_a_game_misspelt_is_asked_about_and_opened_after_a_yes(world: World) -> None:
    (asked,) = world.write(GINA, "CREATE newwrld AS nw1 WITH slot 48h", says="")
    assert "CREATE newworld" in asked.text and "please reply YES" in asked.subject.replace("Please", "please")
    (receipt,) = world.write(GINA, "YES", asked.reply_to)
    assert "Match nw1 of New World is open" in receipt.flat


def test_the_dice_are_committed_to_in_the_first_answer(world: World) -> None:
    from referee.core.chance import commitment

    (receipt,) = world.write(GINA, "CREATE newworld AS nw1")
    with world.store.look() as step:
        row = step.match("nw1")
    assert row is not None
    assert commitment(row.secret) in receipt.flat


def test_an_option_that_is_none_gets_the_list_of_options(world: World) -> None:
    (answer,) = world.write(GINA, "CREATE newworld AS nw1 WITH dragons yes")
    assert "NOT DONE" in answer.subject
    assert "dragons is no option of newworld. Its options are" in answer.flat
    assert "nationalities" in answer.flat


def test_a_name_taken_is_refused(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    (answer,) = world.write(OTTO, "CREATE newworld AS nw1")
    assert "There is a match nw1 already" in answer.flat


def test_a_name_that_cannot_stand_in_an_address_is_refused(world: World) -> None:
    (answer,) = world.write(OTTO, "CREATE newworld AS n_w")
    assert "n_w is no name for a match" in answer.flat
    with world.store.look() as step:
        assert step.matches() == []


def test_only_creators_may_create_where_the_keeper_named_them(world: World, tmp_path: object) -> None:
    world.office = replace(world.office, creators=frozenset({GINA}))
    (refused,) = world.write(OTTO, "CREATE newworld AS mine")
    (granted,) = world.write(GINA, "CREATE newworld AS hers")
    assert "Matches are created by the keeper" in refused.flat
    assert "DONE" in granted.subject


def test_join_and_start_by_letter(world: World) -> None:
    begin(world)
    started = [mail.to for mail in world.all_mail() if mail.kind == "started"]
    assert sorted(started) == sorted([ANNA, BEN, CARLA, DAN, GINA])
    assert world.status() == "running"
    assert len(world.log(Created)) == 1


def test_wishes_for_seats_are_kept(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    *_, receipt = world.write(ANNA, "JOIN nw1 AS Holland, France")
    assert "You wished for Holland, France" in receipt.flat


def test_a_wish_may_be_shortened(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    *_, receipt = world.write(ANNA, "JOIN nw1 AS holl, eng")
    assert "You wished for Holland, England." in receipt.flat


def test_a_wish_for_a_seat_that_is_not_there_is_told_and_the_player_is_in(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    *_, receipt = world.write(ANNA, "JOIN nw1 AS Englnad, Holland")
    assert "You are in nw1. You wished for Holland. 1 of 6 seats is taken" in receipt.flat
    assert 'Nobody plays "Englnad" there' in receipt.flat
    assert "did you mean England? Write JOIN nw1 AS England." in receipt.flat


def test_a_full_match_takes_nobody_more_but_those_who_are_in(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1 WITH nationalities yes")
    for number in range(5):
        world.write(f"p{number}@x.example", "JOIN nw1")
    *_, refused = world.write(ANNA, "JOIN nw1")
    assert "nw1 is full: 5 players have joined." in refused.flat
    *_, again = world.write("p4@x.example", "JOIN nw1 AS Spain")
    assert "You wished for Spain. 5 of 5 seats are taken" in again.flat


def test_options_without_their_word_are_shown_with_it(world: World) -> None:
    (refused,) = world.write(GINA, "CREATE newworld AS nw1 nationalities yes")
    assert "CREATE newworld AS nw1 WITH nationalities yes." in refused.flat
    (single,) = world.write(GINA, "CREATE newworld AS nw1 nationalities")
    assert "CREATE newworld AS nw1 WITH nationalities yes." in single.flat


def test_joining_twice_is_one_seat(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    *_, receipt = world.write(ANNA, "JOIN nw1")
    assert "1 of 6 seats is taken" in receipt.flat


def test_a_match_that_runs_takes_no_more_players(match: World) -> None:
    *_, answer = match.write(OTTO, "JOIN nw1")
    assert "takes no more players" in answer.flat


def test_an_observer_gets_the_next_public_report(match: World) -> None:
    match.write(OTTO, "OBSERVE nw1")
    assert "You watch nw1" in match.last(OTTO, "receipt").flat
    match.reply(match.on_turn(), "ROLL OUT")
    assert match.last(OTTO).kind == "report"


def test_an_observer_who_watches_already_is_told_so(match: World) -> None:
    match.write(OTTO, "OBSERVE nw1")
    (answer,) = match.write(OTTO, "OBSERVE nw1")
    assert "You take part in nw1 already" in answer.flat


def test_an_unknown_game_is_one_clear_answer(world: World) -> None:
    (answer,) = world.write(OTTO, "CREATE chess AS c1")
    assert "NOT DONE" in answer.subject
    assert "newworld" in answer.flat


def test_an_unknown_match_is_one_clear_answer(match: World) -> None:
    *_, answer = match.write(OTTO, "JOIN nw2")
    assert "NOT DONE" in answer.subject
    assert "nw1" in answer.flat


def test_a_word_that_is_known_is_explained_by_itself(match: World) -> None:
    *_, answer = match.write(OTTO, "JOIN nw2\nSEND rumours OF nw9\nJOIN nw3")
    assert "NOT DONE: nothing that you asked for could be done." in answer.flat
    assert "Help on JOIN and SEND" in answer.flat
    assert "CREATE" not in answer.flat


def test_an_unknown_word_is_one_clear_answer_with_the_words_there_are(world: World) -> None:
    (answer,) = world.write(OTTO, "FROBNICATE the fleet")
    assert answer.subject.startswith("Welcome!")
    assert "FROBNICATE" not in answer.flat
    assert "CREATE" in answer.flat


def test_a_stranger_who_writes_prose_gets_help(world: World) -> None:
    (answer,) = world.write(OTTO, "Hello, is there a game I could play here?")
    assert answer.to == OTTO
    assert "CREATE" in answer.flat


def test_a_stranger_who_asks_how_to_begin_is_told_of_every_game_whatever_else_he_asks(world: World) -> None:
    (answer,) = world.write(OTTO, "hi, a friend told me about this. how do i begin and how much is it?")
    assert "I ask for no money" in answer.flat and answer.html
    assert all(game.title in answer.flat and game.about[:40] in answer.flat for game in world.office.games.values())


def test_a_stranger_who_writes_an_empty_letter_gets_an_answer(world: World) -> None:
    (answer,) = world.write(OTTO, "")
    assert answer.subject.startswith("Welcome!")


def test_help_lists_every_word_and_explains_one(world: World) -> None:
    (every,) = world.write(OTTO, "HELP ALL")
    assert all(word in every.flat for word in ("JOIN", "OBSERVE", "CREATE", "REWIND", "ROLL OUT"))
    (one,) = world.write(OTTO, "HELP JOIN")
    assert "asks for a seat in a match" in one.flat
    assert "REWIND" not in one.flat


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("SET", ("SET zone Europe/Berlin", "SET key", "SET address anna@work.example")),
        ("SET key", ("SET key",)),
        ("KEY", ("KEY",)),
        ("UNSUBSCRIBE", ("UNSUBSCRIBE",)),
    ],
)
def test_help_shows_how_to_be_known_and_how_to_leave(match: World, word: str, lines: tuple[str, ...]) -> None:
    for answers in (match.write(OTTO, f"HELP {word}"), match.reply(match.on_turn(), f"HELP {word}")):
        (answer,) = answers
        assert all(line in answer.flat for line in lines)
        assert "REWIND" not in answer.flat


def test_nobody_who_quotes_help_sets_the_key_it_shows(match: World) -> None:
    (page,) = match.reply(match.on_turn(), "HELP ALL")
    (key,) = re.findall(r"Example: SET key ([a-z2-7]{12})\b", page.flat)
    assert f"Example: KEY {key}" in page.flat and key not in match.reply(match.on_turn(), "HELP SET")[0].flat
    keys = take_keys("\n".join(line.strip() for line in page.text.splitlines()))
    assert (keys.given, keys.new) == ("", "")


def test_help_on_a_misspelt_word_names_the_nearest(world: World) -> None:
    (answer,) = world.write(OTTO, "HELP OBSERV")
    assert "OBSERVE" in answer.flat


def test_games_lists_games_and_matches(match: World) -> None:
    (answer,) = match.write(OTTO, "GAMES")
    assert "New World (newworld): 2 to 6 players" in answer.flat
    assert "match nw1: New World, running" in answer.flat


def test_rules_sends_every_numbered_rule_to_who_proves_who_he_is(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    (answer,) = world.reply(GINA, "RULES newworld")
    assert all(rule.id in answer.text for rule in world.office.games["newworld"].rules)


def test_anybody_may_fetch_a_public_report(match: World) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    (answer,) = match.vouched(OTTO, "SEND report TURN 1 OF nw1")
    assert "DONE" in answer.subject
    assert "Turn 1" in answer.flat


def test_a_report_that_is_not_there_is_refused_with_those_that_are(match: World) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    (answer,) = match.vouched(OTTO, "SEND report TURN 99 OF nw1")
    assert "There is no report of turn 99" in answer.flat


def test_verify_tells_where_the_log_stands(match: World) -> None:
    (answer,) = match.write(OTTO, "VERIFY")
    assert f"{match.playing().head.seq}:{match.playing().head.hash[:16]}" in answer.flat


def test_orders_without_a_token_do_nothing_before_they_are_confirmed(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    (challenge,) = match.write(player, "RESEARCH any\nCOLONIZE any")
    assert (challenge.kind, challenge.to) == ("confirmation", player)
    assert "RESEARCH any COLONIZE any" in challenge.flat
    assert match.drawer(seat, "orders") == []
    (receipt,) = match.reply(player, "yes", kind="confirmation")
    assert "COMPLETE" in receipt.subject
    assert match.drawer(seat, "orders") == ["RESEARCH any", "COLONIZE any"]


def test_an_empty_reply_confirms_nothing(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.write(player, "RESEARCH any")
    match.reply(player, "", kind="confirmation", confirms=False)
    assert match.drawer(seat, "orders") == []


def test_a_confirmed_letter_is_the_cause_in_the_log(match: World) -> None:
    player = match.on_turn()
    match.write(player, "RESEARCH any", message_id="<mine@players.example>")
    match.reply(player, "yes", kind="confirmation")
    assert match.log(Filed)[-1].letter == "<mine@players.example>"


def test_confirming_twice_files_once(match: World) -> None:
    player = match.on_turn()
    match.write(player, "RESEARCH any")
    match.reply(player, "yes", kind="confirmation")
    match.reply(player, "yes", kind="confirmation")
    assert len(match.log(Filed)) == 1


def test_a_forger_cannot_confirm_for_the_player_he_pretends_to_be(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.write(player, "ROLL OUT")
    assert match.waits_for() == seat
    assert match.new_mail() == []


def test_start_by_somebody_who_is_not_the_game_master(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in (ANNA, BEN, CARLA, DAN):
        world.write(player, "JOIN nw1")
    (answer,) = world.reply(ANNA, "START nw1")
    assert "Only the game master" in answer.flat
    (stranger,) = world.write(OTTO, "START nw1")
    assert "Only the game master" in stranger.flat
    with world.store.look() as step:
        assert step.last_entry("nw1") is None


def test_start_without_enough_players_says_how_many_are_needed(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    (answer,) = world.reply(GINA, "START nw1", kind="receipt")
    assert "INCOMPLETE" in answer.subject or "NOT DONE" in answer.subject
    with world.store.look() as step:
        assert step.last_entry("nw1") is None


def test_start_twice_is_refused(match: World) -> None:
    before = len(match.entries())
    (answer,) = match.reply(GINA, "START nw1")
    assert "started already" in answer.flat
    assert len(match.entries()) == before


def test_the_game_master_may_play_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in (GINA, ANNA, BEN, CARLA):
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    assert world.seat(GINA)
    assert len([m for m in world.all_mail() if m.to == GINA and m.kind == "started"]) == 1


def test_a_player_of_two_matches_names_one_in_the_subject(match: World) -> None:
    begin(match, match="nw2")
    player, seat = match.on_turn("nw2"), match.waits_for("nw2")
    match.write(player, "RESEARCH any", subject="my orders for [nw2]")
    match.reply(player, "yes", kind="confirmation")
    assert match.drawer(seat, "orders", "nw2") == ["RESEARCH any"]


def test_a_player_of_two_matches_who_names_none_is_answered(match: World) -> None:
    begin(match, match="nw2")
    (answer,) = match.write(ANNA, "RESEARCH any")
    assert answer.to == ANNA
    assert "nw1" in answer.flat and "nw2" in answer.flat


@pytest.mark.parametrize("body", ["", "Nice to meet you.\nBest, Gina", "Help me, I am lost!"])
def test_a_letter_that_says_nothing_is_told_how_to_begin(world: World, body: str) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    (page,) = world.vouched(OTTO, body)
    assert page.subject == "Welcome! Games by e-mail, and how to begin"
    assert "Hello otto, this is Referee, a program" in page.flat
    assert "nw1: New World, forming, 0 of 6 seats taken" in page.flat and "JOIN nw1" in page.flat
    assert all(game.title in page.flat and game.about[:40] in page.flat for game in world.office.games.values())


@pytest.mark.parametrize("wish", ["England please", "England, please", "england, thank you!"])
def test_please_is_no_seat(world: World, wish: str) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    *_, receipt = world.vouched(OTTO, f"JOIN nw1 AS {wish}")
    assert "You wished for England." in receipt.flat and "Nobody plays" not in receipt.flat


def test_whoever_is_nobody_here_is_told_so_when_he_wants_to_be_forgotten(world: World) -> None:
    (answer,) = world.write("mallory@evil.example", "FORGET me")
    assert "I know nobody at this address" in answer.flat and "Only the game master" not in answer.flat
    assert {mail.to for mail in world.all_mail()} == {"mallory@evil.example"}
