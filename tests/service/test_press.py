"""Press, diaries, treaties and votes by letter: what is relayed to whom, what is refused and why."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.record import Overrode
from referee.games import GAMES
from referee.service.base.match_settings import Manners, manners_rows
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from referee.service.house.press_blocks import addressed, blocks_apart
from tests.service.conftest import ANNA, BEN, CARLA, GINA, OTTO, PLAYERS, begin
from tests.toy import TOY
from tests.world import Mail, World

KINDS = ("press", "broadcast", "diary", "offer")


def begun(world: World, settings: str = "") -> World:
    """A match t1 of the toy game: Anna, Ben and Carla play, Gina is game master."""
    world.write(GINA, f"CREATE toy AS t1 WITH rounds 2{f', {settings}' if settings else ''}")
    for player in (ANNA, BEN, CARLA):
        world.write(player, "JOIN t1")
    world.reply(GINA, "START t1", kind="receipt")
    world.new_mail()
    return world


@pytest.fixture
def toy(tmp_path: Path, databases: Path) -> Iterator[World]:
    """A referee that also plays the toy game."""
    shutil.copy(databases / "empty.sqlite", tmp_path / "referee.sqlite")
    world = World(tmp_path)
    object.__setattr__(world.office, "games", {**{game.name: game for game in GAMES}, "toy": TOY})
    yield world
    world.close()


def press(mails: list[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.kind == "press"]


def files(world: World, match: str = "t1") -> dict[str, bytes]:
    """The archive of a match."""
    with world.store.look() as step:
        row = step.match(match)
        assert row is not None
        made, index, *_ = archive_of(At(world.office, step), row)
    return {**made, "index.html": index}


# ---------------------------------------------------------------- press


def test_press_goes_to_those_named_and_to_nobody_else(toy: World) -> None:
    begun(toy)
    mails = toy.reply(ANNA, "PRESS TO Bob\nShall we share the prize?\n\nYours, Ann\nEND\nBID 3 coins")
    (letter,) = press(mails)
    assert (letter.to, letter.subject) == (BEN, "[t1] Your turn, Bob, by Sun 12:00 (press from Ann)")
    assert "Shall we share the prize?" in letter.text and "your words go to Ann as press" in letter.flat
    assert letter.message["List-Id"] and letter.message["Auto-Submitted"]
    assert letter.reply_to != letter.message["From"].addresses[0].addr_spec
    receipt = toy.last(ANNA)
    assert "COMPLETE" in receipt.subject and "Your press went to Bob as number 1." in receipt.flat
    assert toy.drawer("Ann", "orders", "t1") == ["BID 3 coins"]


def test_what_stands_in_press_is_never_an_order(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "BID 2 coins")
    toy.reply(ANNA, "PRESS TO bo, cyd\nBID 9 coins\nROLL OUT\nEND")
    assert toy.drawer("Ann", "orders", "t1") == ["BID 2 coins"]
    assert {mail.to for mail in toy.all_mail() if mail.kind == "press"} == {BEN, CARLA}


def test_broadcasts_reach_players_masters_and_observers(toy: World) -> None:
    begun(toy)
    toy.write(OTTO, "OBSERVE t1")
    mails = press(toy.reply(ANNA, "BROADCAST\nHail to all.\nEND"))
    assert {mail.to for mail in mails} == {BEN, CARLA, GINA, OTTO}
    assert "broadcast from Ann" in mails[0].subject
    assert "Hail to all." in toy.reply(OTTO, "SEND press")[0].text
    assert "Hail to all." in files(toy)["press.html"].decode()


def test_private_press_is_in_nobody_elses_papers(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "PRESS TO Bob\nOnly you may know.\nEND")
    assert "Only you may know." in toy.reply(BEN, "SEND press")[0].text
    assert "Only you may know." in toy.reply(ANNA, "SEND press")[0].text
    assert "Only you may know." not in toy.reply(CARLA, "SEND press")[0].text
    assert "press.html" not in files(toy)


def test_observers_read_no_press_where_it_is_not_theirs(toy: World) -> None:
    begun(toy, "press observers no")
    toy.write(OTTO, "OBSERVE t1")
    assert OTTO not in {mail.to for mail in press(toy.reply(ANNA, "BROADCAST\nHail.\nEND"))}
    assert "Observers read no press" in toy.reply(OTTO, "SEND press")[0].flat
    assert "press.html" not in files(toy)


def test_observers_write_none(toy: World) -> None:
    begun(toy)
    toy.write(OTTO, "OBSERVE t1")
    assert not press(toy.reply(OTTO, "BROADCAST\nI know better.\nEND"))


def test_grey_press_does_not_name_its_writer_where_it_is_allowed(toy: World) -> None:
    begun(toy, "press grey")
    (letter,) = press(toy.reply(ANNA, "PRESS GREY TO Bob\nBeware of Cyd.\nEND"))
    assert letter.subject == "[t1] Your turn, Bob, by Sun 12:00 (grey press)"
    assert b"Ann" not in letter.raw and "Beware of Cyd." in letter.text
    assert "Ann" not in toy.reply(BEN, "SEND press")[0].text
    mails = press(toy.reply(ANNA, "BROADCAST GREY\nBeware.\nEND"))
    told = {mail.to: "Ann" in mail.text for mail in mails}
    assert told == {BEN: False, CARLA: False, GINA: True}


@pytest.mark.parametrize(
    ("settings", "letter", "sentence"),
    [
        ("press signed", "PRESS GREY TO Bob\nHush.\nEND", "Press is signed in this match"),
        ("press none", "PRESS TO Bob\nHush.\nEND", "This match has no press"),
        ("press none", "OFFER TO Bob\nPeace.\nEND", "This match has no press"),
        ("press size 5", "PRESS TO Bob\nToo long.\nEND", "has 9 characters and may have 5"),
        ("press grey", "PRESS TO Ann\nHush.\nEND", "Ann is your own seat"),
        ("press grey", "PRESS TO Boob\nHush.\nEND", "Boob is no seat of this match. Did you mean Bob?"),
        ("press grey", "PRESS TO\nHush.\nEND", "Name whom it is for after TO"),
        ("press grey", "PRESS TO Bob\n\nEND", "There is no text"),
        ("press grey", "OFFER GREY TO Bob\nPeace.\nEND", "Only press of a player can be grey"),
    ],
)
def test_refused_press(toy: World, settings: str, letter: str, sentence: str) -> None:
    begun(toy, settings)
    mails = toy.reply(ANNA, letter)
    assert not press(mails)
    assert sentence in mails[0].flat


def test_the_game_master_can_be_written_to_where_there_is_no_press_and_answers(toy: World) -> None:
    begun(toy, "press none")
    (letter,) = press(toy.reply(ANNA, "PRESS TO game master\nMay I?\nEND"))
    assert letter.to == GINA
    (answer,) = press(toy.reply(GINA, "PRESS TO Ann\nYou may.\nEND"))
    assert answer.to == ANNA and "You may." in answer.text


def test_so_many_a_day_and_never_the_same_twice(toy: World) -> None:
    begun(toy, "press letters 2")
    toy.reply(ANNA, "PRESS TO Bob\nOne.\nEND")
    assert "not relayed twice" in toy.reply(ANNA, "PRESS TO Bob\nOne.\nEND")[-1].flat
    assert "last press letter for a day" in toy.reply(ANNA, "PRESS TO Bob\nTwo.\nEND")[-1].flat
    assert "as many as a seat may" in toy.reply(ANNA, "PRESS TO Bob\nThree.\nEND")[-1].flat
    toy.wait(hours=25)
    assert press(toy.reply(ANNA, "PRESS TO Bob\nThree.\nEND"))


def test_who_is_late_sends_none_where_the_gate_is_shut(toy: World) -> None:
    begun(toy, "press late no, grace 24h")
    toy.wait(hours=25)
    mails = toy.reply(ANNA, "PRESS TO Bob\nI am late.\nEND")
    assert not press(mails) and "You are late" in mails[0].flat
    assert press(toy.reply(ANNA, "PRESS TO game master\nI am late.\nEND"))


def test_manners_that_are_not_the_usual_ones_are_told_and_no_others() -> None:
    assert manners_rows(Manners()) == ()
    told = manners_rows(
        Manners("none", anonymous=True, late_press=False, ordered_press=True, observed=False, votes="all")
    )
    assert [f"{name} {value}" for name, value, _ in told] == [
        "anonymous yes", "press none", "press late no", "press ordered yes", "press observers no", "votes all",
    ]  # fmt: skip


def test_an_automatic_answer_to_press_is_not_relayed(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "PRESS TO Bob\nAre you there?\nEND")
    last = toy.last(BEN, "press")
    body = "PRESS TO Ann\nI am away.\nEND"
    assert not toy.write(BEN, body, last.reply_to, Auto_Submitted="auto-replied")


def test_blocks_leave_line_numbers_as_they_are() -> None:
    blocks, rest = blocks_apart("BID 1\npress to Bob:\n a\n\n b\nend\nBID 2\nEND\nDIARY\nx\nEND", KINDS)
    assert [(b.kind, b.to, b.text, b.number) for b in blocks] == [("press", "Bob", " a\n\n b", 2)]
    assert rest.split("\n")[:8] == ["BID 1", "", "", "", "", "", "BID 2", "END"]


@pytest.mark.parametrize("line", ["Press on!", "OFFER 2 coins TO Bob: now", "BROADCAST it to all", "DIARY of a clerk"])
def test_other_lines_are_no_headings(line: str) -> None:
    assert blocks_apart(f"{line}\nEND", ("press", "broadcast", "diary"))[0] == ()


def test_lists() -> None:
    seats = ("Ann", "Bob", "Bobby")
    assert addressed("bob and gm", seats, "Ann").to == ("Bob", "game master")
    assert addressed("ALL", seats, "Ann").to == ("Bob", "Bobby")
    assert "may mean Bob or Bobby" in addressed("bo", seats, "Ann").wrong


# ---------------------------------------------------------------- diaries


def test_a_diary_is_its_writers_until_the_match_is_over(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "DIARY\nI shall betray Bob.\nEND")
    assert not any("betray" in mail.text for mail in toy.all_mail())
    assert "I shall betray Bob." in toy.reply(ANNA, "SEND diary")[0].text
    assert "betray" not in toy.reply(BEN, "SEND diary")[0].text
    assert b"betray" not in b"".join(files(toy).values())
    toy.reply(GINA, 'TERMINATE BECAUSE "enough"')
    archive = files(toy)
    assert b"I shall betray Bob." in archive["diaries.html"]
    assert b"diaries.html" in archive["index.html"]


# ---------------------------------------------------------------- treaties


def test_a_treaty_is_in_force_when_all_have_accepted(toy: World) -> None:
    begun(toy)
    offered = press(toy.reply(ANNA, "OFFER TO Bob, Cyd\nNobody bids more than 3.\nEND"))
    assert {mail.to for mail in offered} == {BEN, CARLA}
    assert "ACCEPT 1 or DECLINE 1" in offered[0].flat
    toy.reply(BEN, "ACCEPT 1")
    assert "Cyd must still accept" in toy.reply(ANNA, "STATUS")[0].flat
    assert "in force" in toy.reply(CARLA, "ACCEPT 1")[-1].flat
    assert "Treaty 1 of Ann with Bob and Cyd is in force: Nobody bids more" in toy.reply(ANNA, "STATUS")[0].flat
    assert any("Bob leaves treaty 1" in mail.subject for mail in toy.reply(BEN, "DECLINE 1"))
    assert "no such treaty to accept" in toy.reply(CARLA, "ACCEPT 1")[-1].flat
    toy.reply(GINA, "TERMINATE")
    assert b"Nobody bids more than 3." in files(toy)["treaties.html"]


def test_a_treaty_is_no_business_of_others(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "OFFER TO Bob\nSecretly.\nEND")
    assert "no such treaty" in toy.reply(CARLA, "DECLINE 1")[-1].flat
    assert "Secretly" not in toy.reply(CARLA, "STATUS")[0].text
    assert b"Secretly" not in b"".join(files(toy).values())


def test_a_game_keeps_its_own_words(match: World) -> None:
    """New World has offers of its own, so the treaties of the desk stand back there."""
    (receipt,) = match.reply(match.on_turn(), "HELP OFFER")
    assert "treaty, a text ended by" not in receipt.flat
    (receipt,) = match.reply(match.on_turn(), "HELP DIARY")
    assert "when the match is over" in receipt.flat


# ---------------------------------------------------------------- votes


def test_the_players_vote_for_a_pause(toy: World) -> None:
    begun(toy)
    asked = toy.reply(ANNA, "VOTE PAUSE FOR 3 days")
    assert any(mail.to == BEN and "VOTE yes ON 1" in mail.flat for mail in asked)
    assert toy.status("t1") == "running"
    toy.reply(BEN, "VOTE yes ON 1")
    assert toy.status("t1") == "paused"
    assert toy.log(Overrode, "t1")[-1].by == "the players"
    toy.wait(days=3, minutes=1)
    assert toy.status("t1") == "running"


def test_help_shows_a_vote_on_the_newest_motion(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "VOTE PAUSE FOR 3 days")
    toy.reply(BEN, "VOTE EXTEND BY 2 days")
    toy.reply(CARLA, "VOTE OVER")
    assert "Example: VOTE yes ON 3" in toy.reply(ANNA, "HELP VOTE")[-1].flat


def test_all_must_agree_where_the_match_says_so(toy: World) -> None:
    begun(toy, "votes all")
    toy.reply(ANNA, "VOTE OVER")
    toy.reply(BEN, "VOTE yes ON 1")
    assert toy.status("t1") == "running"
    toy.reply(CARLA, "VOTE yes")
    assert toy.status("t1") == "over"


def test_a_motion_is_lost_when_it_cannot_be_carried(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, "VOTE OVER")
    toy.reply(BEN, "VOTE no ON 1")
    assert "0 against" not in toy.reply(CARLA, "STATUS")[0].flat
    assert any("motion 1 is lost" in mail.subject for mail in toy.reply(CARLA, "VOTE no ON 1"))
    assert toy.status("t1") == "running"
    assert "No motion is open now" in toy.reply(CARLA, "VOTE yes ON 1")[-1].flat


def test_more_time_by_vote(toy: World) -> None:
    begun(toy)
    before = toy.alarms("deadline", "t1")[0].due_at
    toy.reply(ANNA, "VOTE EXTEND BY 24h")
    toy.reply(CARLA, "VOTE EXTEND BY 24h")
    assert (toy.alarms("deadline", "t1")[0].due_at - before).total_seconds() == 24 * 3600


def test_a_motion_lapses_after_a_week(toy: World) -> None:
    begun(toy, "slot 20 days")
    toy.reply(ANNA, "VOTE OVER")
    toy.wait(days=8)
    assert "No motion is open now" in toy.reply(BEN, "VOTE yes ON 1")[-1].flat


@pytest.mark.parametrize("line", ["SUSPEND FOR 48 hours", "SUSPEND DEADLINES FOR 48 hours"])
def test_a_suspension_is_a_vote_for_a_pause_in_every_match(toy: World, line: str) -> None:
    begun(toy)
    asked = toy.reply(ANNA, line)
    assert any(mail.to == BEN and "to pause the match for 2 days" in mail.flat for mail in asked)
    toy.reply(BEN, "VOTE yes ON 1")
    assert toy.status("t1") == "paused"
    toy.wait(hours=47)
    assert toy.status("t1") == "paused"
    toy.wait(hours=2)
    assert toy.status("t1") == "running"


def test_a_suspension_says_for_how_long(toy: World) -> None:
    begun(toy)
    (receipt,) = toy.reply(ANNA, "SUSPEND")
    assert "SUSPEND FOR 48 hours" in receipt.flat and toy.status("t1") == "running"


def test_a_petition_is_voted_for_and_laid_before_the_game_master(toy: World) -> None:
    begun(toy)
    asked = toy.reply(ANNA, 'PETITION FOR clarification "May a coin be bid twice?"')
    said = 'to ask the game master for a clarification of the rules: "May a coin be bid twice?"'
    assert any(mail.to == BEN and said in mail.flat and "VOTE yes ON 1" in mail.flat for mail in asked)
    told = toy.reply(BEN, "VOTE yes ON 1")
    assert {ANNA, CARLA, GINA} <= {m.to for m in told if "The game master answers by RULING" in m.flat}
    assert toy.log(Overrode, "t1")[-1].action == 'PETITION FOR clarification "May a coin be bid twice?"'
    assert toy.status("t1") == "running"


@pytest.mark.parametrize("line", ["PETITION FOR peace", 'PETITION FOR change ""'])
def test_a_petition_that_asks_nothing_says_how_one_is_written(toy: World, line: str) -> None:
    begun(toy)
    receipt = toy.reply(ANNA, line)[-1]
    assert 'PETITION FOR clarification "..." or PETITION FOR change "..."' in receipt.flat


def test_a_petition_that_gives_its_writer_away_is_refused_in_an_anonymous_match(toy: World) -> None:
    begun(toy, "anonymous yes")
    toy.reply(ANNA, "SET name Zebedee")
    (refusal,) = toy.reply(ANNA, 'PETITION FOR change "Zebedee wants more coins."')
    assert "everybody would read Zebedee" in refusal.flat


def test_petitions_with_other_words_are_other_motions(toy: World) -> None:
    begun(toy)
    toy.reply(ANNA, 'PETITION FOR change "Bids may be empty."')
    (receipt,) = [m for m in toy.reply(BEN, 'PETITION FOR change "Bids are open."') if m.is_a("receipt")]
    assert "Motion 2" in receipt.flat


def test_a_word_of_another_game_is_said_to_be_its(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "INTERPRET LINE 3 OF 12 AS 2")
    assert "INTERPRET LINE is an order of Empire; New World has none of that name." in receipt.flat
    (receipt,) = match.reply(match.on_turn(), "DRAFT Egypt")
    assert "DRAFT is an order of War! Age of Imperialism, Version" in receipt.flat


# ---------------------------------------------------------------- resigning, withdrawing


def test_resigning_is_in_the_log_and_the_game_master_is_told_what_to_do(match: World) -> None:
    player = match.on_turn()
    seat = match.seat(player)
    mails = match.reply(player, 'RESIGN BECAUSE "no time"')
    record = match.log(Overrode)[-1]
    assert (record.action, record.by, record.reason) == (f"RESIGN {seat}", seat, "no time")
    assert any(m.to == GINA and f"REPLACE {seat} BY" in m.flat for m in mails)
    assert f"The player of {seat} has resigned" in match.reply(GINA, "STATUS")[0].flat
    assert "already" in match.reply(player, "RESIGN")[0].flat
    match.wait(hours=24)
    assert match.waits_for() != seat
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    assert "has resigned" not in match.reply(GINA, "STATUS")[0].flat


def test_single_lines_are_withdrawn(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.reply(player, "RESEARCH any\nCOLONIZE any")
    (receipt,) = match.reply(player, "WITHDRAW LINE 1")
    assert "Withdrawn: RESEARCH any." in receipt.flat
    assert match.drawer(seat, "orders") == ["COLONIZE any"]
    (receipt,) = match.reply(player, "WITHDRAW LINE 3")
    assert "There is no such line; on file are 1: COLONIZE any." in receipt.flat
    match.reply(player, "STRIKE COLONIZE any")
    assert match.drawer(seat, "orders") == []
    match.wait(hours=2)
    assert match.waits_for() == seat
    assert "no orders on file" in match.reply(player, "WITHDRAW LINE 1")[0].flat


@pytest.mark.parametrize(
    "word", ["PRESS", "BROADCAST", "DIARY", "OFFER", "ACCEPT", "DECLINE", "VOTE", "RESIGN", "WITHDRAW LINE"]
)
def test_every_word_has_help(toy: World, word: str) -> None:
    begun(toy)
    (receipt,) = toy.reply(ANNA, f"HELP {word}")
    assert f"HELP ON {word.split()[0]}" in receipt.flat.upper()


def test_a_match_of_new_world_can_set_its_manners(world: World) -> None:
    begin(world, "WITH press grey, votes all")
    assert world.playing().settings.manners.press == "grey"
    assert any("press" in mail.text and mail.kind == "started" for mail in world.all_mail() if mail.to in PLAYERS)
    assert "A motion is carried by all of the players." in world.reply(ANNA, "STATUS")[0].flat
