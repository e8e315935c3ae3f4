"""Receipts: what stands, what will not be done, what is done at once; and one letter for one event, whoever brought it about."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.adapters.pages.render import TemplateRenderer
from referee.core.names import Seat
from referee.core.position import completed
from referee.core.record import Created
from referee.games.newworld.game import NewWorld
from referee.service.intake.counter import create_at_the_counter, join_at_the_counter, replay_at_the_counter
from tests.letters.naive import GAMES, play
from tests.service.conftest import GINA, OTTO, PLAYERS
from tests.world import Mail, World

TOO_DEAR = "BUY 60 wood"


def test_an_order_that_will_not_be_done_is_not_called_complete(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), f"RESEARCH any\n{TOO_DEAR}")
    assert "] LOOK AGAIN: Turn 1" in receipt.subject
    assert (
        "LOOK AGAIN: your orders are on file, but as things stand one will not be done, or not wholly. Your turn runs at"
        in receipt.flat
    )
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "] COMPLETE: Turn 1" in receipt.subject


def test_what_could_not_be_done_of_a_turn_that_ran_at_once_is_told_in_its_receipt(match: World) -> None:
    match.reply(match.on_turn(), TOO_DEAR)
    receipt = next(mail for mail in match.reply(match.on_turn(), f"{TOO_DEAR}\nROLL OUT") if mail.is_a("receipt"))
    assert receipt.flat.startswith("DONE:")
    assert "your orders were carried out, as far as they could be; your report tells what was not done." in receipt.flat
    assert "Doubts about your orders" in receipt.flat and "please look again" not in receipt.flat


def test_beside_refused_lines_too_it_is_told(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), f"RESERCH any\n{TOO_DEAR}")
    why = "1 line could not be taken; of the others, as things stand, one will not be done, or not wholly."
    assert f"INCOMPLETE: {why}" in receipt.flat


def test_an_order_said_as_a_wish_is_offered_for_a_yes(match: World) -> None:
    who = match.on_turn()
    (answer,) = match.reply(who, "I would like to move my army from Europe to the Caribbean")
    assert "NOTHING USABLE" in answer.subject and "cut here" not in answer.text
    (receipt,) = match.reply(who, "YES")
    assert "COMPLETE" in receipt.subject
    assert match.drawer(match.seat(who), "orders") == ["MOVE 1 army FROM Europe TO Caribbean"]


def test_the_sheet_is_not_repeated_to_who_has_one_on_file(match: World) -> None:
    who = match.on_turn()
    (answer,) = match.reply(who, "MOVE explorer")
    assert "NOTHING USABLE" in answer.subject and "cut here" in answer.text
    (receipt,) = match.reply(who, "HIRE 1 worker\nMOVE explorer")
    assert "INCOMPLETE" in receipt.subject and "cut here" not in receipt.text


def test_what_a_letter_takes_off_the_file_is_told(match: World) -> None:
    match.reply(match.on_turn(), "COLONIZE any\nIF workers >= 2\nHIRE 1 worker\nEND")
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    told = "No longer on file, since this letter takes the place of what was there: COLONIZE any; IF workers >= 2. A letter"
    assert told in receipt.flat
    (receipt,) = match.reply(match.on_turn(), "ADD HIRE 1 worker")
    assert "No longer on file" not in receipt.flat
    mails = match.reply(match.on_turn(), "HIRE 1 worker\nRESEARCH any\nROLL OUT")
    receipt = next(mail for mail in mails if mail.is_a("receipt"))
    assert receipt.is_a("receipt") and "No longer on file" not in receipt.flat


def test_of_many_lines_taken_off_the_file_a_dozen_is_named(match: World) -> None:
    match.reply(match.on_turn(), "\n".join(f"HIRE {n} workers" for n in range(1, 20)))
    (receipt,) = match.reply(match.on_turn(), "RESEARCH any")
    assert "HIRE 12 workers; and 7 more lines." in receipt.flat


def test_lines_among_the_remarks_that_read_like_orders_are_counted_in_the_headline(match: World) -> None:
    seat = match.waits_for()
    other = next(name for name in match.playing().outcome.state.living if name != seat)
    body = f"Hello all\nRESEARCH any\npropose peace to {other}\nPut 1 fleet in Europe\nThanks, Anna"
    (receipt,) = match.reply(match.on_turn(), body)
    assert "] LOOK AGAIN" in receipt.subject
    assert "2 lines read like orders and could not be taken: look under “Not read”." in receipt.flat
    assert "Line 4, it reads like an order and begins with no word I know; nothing of it was done" in receipt.flat
    assert "Line 1, it begins with no word I know, so I took it for a remark" in receipt.flat
    assert match.drawer(seat, "orders") == ["RESEARCH any"] and match.alarms("mind")


@pytest.mark.parametrize("line", ["HIIRE worker 2", "RESERCH 99 guns", "COLONISSE Frnace 3"])
def test_a_line_that_begins_with_a_misspelt_verb_is_no_remark_though_it_is_wrong_otherwise_too(
    match: World, line: str
) -> None:
    """Passed over as a remark it would not be missed: the headline would say that all is well."""
    (receipt,) = match.reply(match.on_turn(), f"HIRE 1 worker\n{line}\nBye, Anna")
    assert "] INCOMPLETE" in receipt.subject
    assert f"Line 2, not understood: {line}" in receipt.flat and "Did you mean" in receipt.flat
    assert "Line 3, it begins with no word I know, so I took it for a remark" in receipt.flat


@pytest.mark.parametrize(
    ("line", "told", "right"),
    [
        ("DEADLINE +12", '"+12" needs a unit of time: +12h for hours, +12d for days.', "DEADLINE +12h"),
        ("PAUSE 3 days", '"3 days" is a span of time, and FOR stands before it.', "PAUSE FOR 3d"),
        (
            "PAUSE 3 days Easter",
            '"3 days" is a span of time, and FOR stands before it.',
            'PAUSE FOR 3 days BECAUSE "holidays"',
        ),
    ],
)
def test_a_span_of_time_written_otherwise_is_told_how(match: World, line: str, told: str, right: str) -> None:
    (receipt,) = match.reply(GINA, line)
    assert told in receipt.flat and right in receipt.flat


# ---------------------------------------------------------------- one event, one letter


def to(address: str, mails: list[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.to == address]


def test_a_roll_out_is_answered_by_its_report(match: World) -> None:
    player, before = match.on_turn(), match.last(match.on_turn()).message_id
    mails = match.write(
        player, "RESEARCH any\nROLL OUT", match.last(player).reply_to, message_id="<mine@x>", In_Reply_To=before
    )
    (report,) = to(player, mails)
    assert report.kind == "report" and report.answers == "<mine@x>" and "<mine@x>" in report.message["References"]
    assert report.flat.startswith("COMPLETE: your orders were carried out.")
    assert "] Turn 1: " in report.subject and "Proof " in report.flat
    for other in (*PLAYERS, GINA):
        if other != player:
            (letter,) = to(other, mails)
            assert letter.kind == "report" and not letter.answers and "COMPLETE" not in letter.flat


def test_what_was_refused_beside_it_stands_at_the_top_and_in_the_subject(match: World) -> None:
    seat = match.waits_for()
    mails = match.reply(GINA, f"ROLL OUT {seat}\nREWIND TO TURN 77")
    (report,) = to(GINA, mails)
    assert "] INCOMPLETE" in report.subject and report.flat.startswith("INCOMPLETE: 1 line could not be taken")
    assert "Not taken" in report.text.partition("Turn 1: ")[0]


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("DEADLINE +12h", "a deadline was moved"),
        ("PAUSE FOR 3 days", "the match is paused"),
        ('ANNOUNCE "We stop at Christmas."', "an announcement"),
        ('RULING "The line stands."', "a ruling"),
        ("CLOCK slot 48h", "the clock is set"),
    ],
)
def test_an_act_of_the_game_master_brings_one_letter_to_himself(match: World, line: str, subject: str) -> None:
    match.reply(GINA, "SET zone Europe/Berlin")
    mails = match.reply(GINA, f'{line} BECAUSE "holidays"' if '"' not in line else line)
    (receipt,) = to(GINA, mails)
    assert receipt.kind == "receipt" and receipt.subject == f"[nw1] DONE: {subject}"
    assert "4 others are told" in receipt.flat
    assert receipt.text.count("now has until") <= 1
    assert {mail.to for mail in mails if mail.kind == "notice"} == set(PLAYERS)


def test_start_and_end_of_a_match_come_with_the_answer(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    (started,) = to(GINA, world.reply(GINA, "START nw1", kind="receipt"))
    assert started.kind == "started" and started.flat.startswith("DONE: everything you asked for is done.")
    (farewell,) = to(GINA, world.reply(GINA, "TERMINATE"))
    assert farewell.kind == "farewell" and farewell.flat.startswith("DONE: ")


def test_what_was_asked_for_with_send_comes_by_itself(match: World) -> None:
    player = match.on_turn()
    letters = to(player, match.reply(player, "RESEARCH any\nROLL OUT\nSEND rules"))
    assert [letter.kind for letter in letters] == ["report", "receipt"]


def test_an_answer_in_another_letter_costs_its_reader_nothing(match: World) -> None:
    since = match.clock.now()
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(GINA, "PAUSE")
    with match.store.look() as step:
        assert step.spent("request", since, "", "") == (0, 0)


def test_where_they_cannot_be_one_two_letters_go(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered, player = TemplateRenderer.render, match.on_turn()

    def breaks(self: TemplateRenderer, kind: str, letter: object, *given: object) -> object:
        if getattr(getattr(letter, "frame", None), "answer", None):
            raise ValueError("too much")
        return rendered(self, kind, letter, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(TemplateRenderer, "render", breaks)
    letters = to(player, match.reply(player, "ROLL OUT"))
    assert sorted(letter.kind for letter in letters) == ["receipt", "report"]


@pytest.mark.parametrize("game", GAMES)
def test_in_a_match_nobody_gets_two_letters_for_one_of_his(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, twice = World.write, []

    def watched(self: World, sender: str, *rest: object, **more: object) -> list[Mail]:
        before = len(self.all_mail())
        mails = written(self, sender, *rest, **more)  # type: ignore[arg-type]
        kinds = [mail.kind for mail in self.all_mail()[before:] if mail.to == sender and mail.is_a("receipt")]
        others = [mail.kind for mail in self.all_mail()[before:] if mail.to == sender and not mail.is_a("receipt")]
        if len(kinds) > 1 or (kinds and "notice" in others) or (kinds == ["receipt"] and others):
            twice.append((kinds, others))
        return mails

    monkeypatch.setattr(World, "write", watched)
    play(tmp_path, game, "letters", turns=1)
    assert [found for found in twice if "entry" not in found[1]] == []


# ---------------------------------------------------------------- alone with bots


def alone(world: World, game: str) -> World:
    """Gina plays against three bots and is game master herself."""
    world.write(GINA, f"CREATE {game} AS solo")
    world.write(GINA, "JOIN solo")
    world.reply(GINA, "DUMMY 3 solo", kind="receipt")
    world.reply(GINA, "START solo", kind="receipt")
    return world


@pytest.mark.parametrize("game", GAMES)
def test_all_that_bots_do_between_two_turns_is_one_letter(world: World, game: str) -> None:
    alone(world, game)
    bots = [seat for seat in world.playing("solo").created.seats if seat != world.seat(GINA, "solo")]
    for _ in range(4):
        (letter,) = to(GINA, world.reply(GINA, "ROLL OUT"))
        if letter.kind == "report" and "Moves of the bots" in letter.text:
            told = letter.text.partition("Moves of the bots")[2]
            assert sum(f"{seat}" in told for seat in bots) >= 1 and "ended by a dummy" not in letter.flat
    found = replay_at_the_counter(world.office, "solo")
    with world.store.look() as step:
        reports = [letter for letter in step.outgoing("solo") if letter.kind == "report"]
    assert found and found.sound and found.letters == len(reports) >= 1, found


def test_who_plays_names_the_bots_from_the_first_letter_to_the_last(world: World) -> None:
    alone(world, "newworld")
    begun = world.last(GINA, "started")
    who, bots = begun.flat.partition("The players")[2], ("Ada", "Basil", "Clara")
    assert all(f": {name} (steady bot)" in who for name in bots)
    (said,) = to(GINA, world.reply(GINA, "WHO"))
    assert all(name in said.flat for name in bots)
    (end,) = to(GINA, world.reply(GINA, "TERMINATE"))
    assert all(name in end.flat.partition("The players")[2] for name in bots)


def test_who_plays_alone_with_bots_ends_his_match_by_himself(world: World) -> None:
    alone(world, "newworld")
    world.reply(GINA, "TERMINATE")
    assert world.status("solo") == "over" and "second key" not in world.last(GINA).flat


# ---------------------------------------------------------------- after what is done at once


SPENDS = "BUY 5 wood"


def _other(match: World) -> str:
    return next(player for player in PLAYERS if player != match.on_turn())


def _offered(match: World, gold: int) -> None:
    """The player on turn is offered a trade that takes so much gold from him."""
    seat, other = match.waits_for(), _other(match)
    (receipt,) = match.reply(other, f"OFFER 1 food TO {seat} FOR {gold} gold")
    assert "offer" in receipt.flat.lower()


def test_what_a_letter_accepts_is_counted_in_the_doubts_of_its_own_orders(match: World) -> None:
    (before,) = match.reply(match.on_turn(), "BUY 1 wood")
    assert "Buy 1 wood" in before.flat and "as things stand" not in before.flat.lower()
    _offered(match, 10)
    (receipt,) = match.reply(match.on_turn(), "ACCEPT 1\nBUY 1 wood\nBUY 1 cloth")
    assert "as things stand" in receipt.flat.lower()


def test_a_letter_that_only_accepts_looks_at_the_orders_on_file_again(match: World) -> None:
    (before,) = match.reply(match.on_turn(), "BUY 2 wood")
    assert "as things stand" not in before.flat.lower()
    _offered(match, 10)
    (receipt,) = match.reply(match.on_turn(), "ACCEPT 1")
    assert "as things stand" in receipt.flat.lower() and "buy 2 wood" in receipt.flat


def test_who_is_asked_again_at_once_is_told_that_his_orders_were_carried_out(world: World) -> None:
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    while world.playing("w1").outcome.state.stage != "production":
        world.wait(hours=25)
    first, *others = world.playing("w1").outcome.state.living
    for seat in (*others, first):
        playing = world.playing("w1")
        proposed = playing.game.order_form(playing.outcome.state, seat)
        letters = world.reply(world.player(seat, "w1"), "\n".join((*proposed, "ROLL OUT")))
    receipt = next(letter for letter in letters if letter.is_a("receipt"))
    assert world.playing("w1").outcome.state.active == first
    assert "] Your turn" in receipt.subject
    assert "your orders were carried out" in receipt.flat and "still owed" not in receipt.flat


def _seal(letter: Mail) -> str:
    return letter.flat.lower().rpartition("log ")[2].split()[0]


def test_the_seal_tells_nobody_what_others_have_filed(match: World) -> None:
    asks = next(player for player in PLAYERS if player != match.on_turn())
    (before,) = match.reply(asks, "STATUS")
    match.reply(match.on_turn(), "HIRE 1 worker")
    match.reply(
        match.on_turn(), "STANDING\nRESEARCH any\nEND\nIF LATE\nCOLONIZE any\nEND\nFOR TURN 5\nHIRE 1 worker\nEND"
    )
    (after,) = match.reply(asks, "STATUS")
    assert _seal(before) == _seal(after)
    for words in ("VERIFY nw1", "VERIFY"):
        assert f"The log of nw1 stands at {_seal(after)}" in match.reply(asks, words)[0].flat
    match.reply(match.on_turn(), "ROLL OUT")
    (later,) = match.reply(asks, "STATUS")
    assert _seal(later) != _seal(after)
    seq, _, digest = _seal(later).partition(":")
    assert next(entry.hash for entry in match.entries() if entry.seq == int(seq)).startswith(digest)


def test_a_new_player_has_the_zone_of_the_house(tmp_path: Path) -> None:
    world = World(tmp_path, zone="Europe/Berlin")
    world.write(OTTO, "GAMES")
    world.write(GINA, "CREATE newworld AS nw1")
    assert join_at_the_counter(world.office, "nw1", "anna@example.org", "", "").granted
    with world.store.step() as step:
        zones = {address: getattr(step.player_at(address), "zone", "") for address in (GINA, "anna@example.org")}
    assert zones == {GINA: "Europe/Berlin", "anna@example.org": "Europe/Berlin"}
    (question,) = world.write("neu@example.org", "JOIN nw1", says="")
    assert question.kind == "entry" and " CET" in question.flat and "UTC" not in question.flat
    world.reply(GINA, "PROMOTE ben@example.org")
    with world.store.step() as step:
        promoted = step.player_at("ben@example.org")
    assert promoted is not None and promoted.zone == "Europe/Berlin"
    world.close()


@pytest.mark.parametrize("address", ["not an address", "anna", "anna@", "@example.org", ""])
def test_the_counter_takes_no_address_that_is_none(world: World, address: str) -> None:
    refused = create_at_the_counter(world.office, "newworld", "nw7", address, "")
    assert not refused.granted and "no mail address" in refused.sentences[0]
    world.write(GINA, "CREATE newworld AS nw1")
    assert "no mail address" in join_at_the_counter(world.office, "nw1", address, "", "").sentences[0]


def test_a_match_begun_before_a_setting_existed_has_its_default() -> None:
    old = Created("newworld", (Seat("France"), Seat("Spain")), {"coal": "metal"}, "")
    options = completed(NewWorld(), old).options
    assert options["coal"] == "metal" and options["mode"] == "lists" and options["last_round"] == "60"
