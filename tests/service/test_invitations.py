"""Whoever another's word would bring in is asked first, and hears nothing else before his YES."""

from __future__ import annotations

import pytest

from referee.service.match import playing as remembered
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import Mail, World


def invited(world: World, line: str, to: str = OTTO) -> Mail:
    """The question that a game master's line has sent."""
    asked = world.reply(GINA, line, confirms=False)[0]
    mails = world.write(GINA, "YES", asked.reply_to, says="")
    (question,) = [mail for mail in mails if mail.to == to]
    (receipt,) = [mail for mail in mails if mail.to == GINA]
    assert len(mails) == 2 and f"I wrote to {to}; once it answers YES" in receipt.flat
    return question


def to_him(world: World, address: str = OTTO) -> list[Mail]:
    return [mail for mail in world.new_mail() if mail.to == address]


@pytest.mark.parametrize("line", ["REPLACE {seat} BY {who}", "PROMOTE {who}", "PROMOTE Otto <{who}> nw1"])
def test_nobody_is_written_to_but_for_the_question(match: World, line: str) -> None:
    """Neither what is announced nor press nor a report goes to who was only named."""
    seat, player = match.waits_for(), match.on_turn()
    question = invited(match, line.format(seat=seat, who=OTTO))
    assert "gina@players.example, game master of nw1" in question.flat and "say hello" not in question.flat
    match.reply(GINA, 'ANNOUNCE "Buy my pills"')
    match.reply(ANNA, "BROADCAST\nsay hello\nEND")
    match.reply(player, "RESEARCH any\nROLL OUT")
    assert match.player(seat) == player
    match.wait(days=3)
    assert [mail.to for mail in match.all_mail() if mail.to == OTTO] == [OTTO]


def test_a_yes_gives_the_seat(match: World) -> None:
    seat = match.waits_for()
    question = invited(match, f'REPLACE {seat} BY {OTTO} BECAUSE "gone fishing"')
    mails = match.write(f"Otto von B <{OTTO}>", "YES", question.reply_to, says="")
    assert match.player(seat) == OTTO
    assert any(mail.to == OTTO and f"You take over {seat}" in mail.flat for mail in mails)
    assert any(mail.to == GINA and "gone fishing" in mail.flat for mail in mails)
    (answer,) = match.write(OTTO, "YES", question.reply_to, says="")
    assert "has done its work" in answer.flat


def test_a_yes_that_waits_for_its_match_is_told_so(match: World) -> None:
    question = invited(match, f"REPLACE {match.waits_for()} BY {OTTO}")
    match.corrupt("nw1")
    remembered._CACHE.clear()
    (told,) = [mail for mail in match.write(OTTO, "YES", question.reply_to, says="") if mail.to == OTTO]
    assert "your letter is kept" in told.subject and "need not send it again" in told.flat
    assert [letter.sender for letter in match.letters("held")] == [OTTO]


def test_a_yes_lasts_from_turn_to_turn(match: World) -> None:
    question = invited(match, f"PROMOTE {OTTO}")
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    match.write(OTTO, "YES", question.reply_to, says="")
    assert match.reply(OTTO, "PAUSE") and match.status() == "paused"


@pytest.mark.parametrize(
    ("body", "subject"),
    [
        ("NO", "x"),
        ("no.", "x"),
        ("UNSUBSCRIBE", "x"),
        ("", "unsubscribe"),
        ("Sent by Mail.", "Unsubscribe"),
        ("NO ALL", "x"),
    ],
)
def test_a_no_is_told_to_the_game_master_and_holds(match: World, body: str, subject: str) -> None:
    seat, player = match.waits_for(), match.on_turn()
    question = invited(match, f"REPLACE {seat} BY {OTTO}")
    mails = match.write(OTTO, body, question.reply_to, subject, says="")
    assert sorted(mail.to for mail in mails) == sorted([GINA, OTTO]) and match.player(seat) == player
    assert any(mail.to == GINA and f"{OTTO} answered NO" in mail.flat for mail in mails)
    for line in (f"REPLACE {seat} BY {OTTO}", f"PROMOTE {OTTO}"):
        mails = match.reply(GINA, line)
        assert {mail.to for mail in mails} == {GINA} and "said NO to such a question" in mails[-1].flat
    match.wait(days=31)
    assert invited(match, f"PROMOTE {OTTO}")


def test_silence_is_told_to_the_game_master(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    invited(match, f"REPLACE {seat} BY {OTTO}")
    assert any(mail.to == GINA and f"{OTTO} has not answered" in mail.flat for mail in match.wait(days=8))
    assert match.player(seat) == player and [mail.to for mail in match.all_mail()].count(OTTO) == 1


def test_a_question_waits_once_whoever_asks(match: World) -> None:
    invited(match, f"REPLACE {match.waits_for()} BY {OTTO}")
    refused = match.reply(GINA, f"PROMOTE {OTTO}")[-1]
    assert "has such a question from me already" in refused.flat
    assert [mail.to for mail in match.all_mail()].count(OTTO) == 1


def test_a_match_has_few_questions_open(match: World) -> None:
    for number in range(12):
        match.reply(GINA, f"PROMOTE x{number}@far.example", confirms=False)
        match.write(GINA, "YES", match.last(GINA, "confirmation").reply_to, says="")
    assert len({mail.to for mail in match.all_mail() if mail.to.endswith("far.example")}) == 10
    assert "have not answered yet" in match.last(GINA).flat


def test_somebody_else_cannot_answer(match: World) -> None:
    question = invited(match, f"PROMOTE {OTTO}")
    (answer,) = match.write("eve@evil.example", "YES", question.reply_to, says="")
    assert "must answer with just YES" in answer.flat
    with match.store.look() as step:
        assert step.player_at(OTTO) is None


def test_who_takes_part_is_not_asked(match: World) -> None:
    match.write(OTTO, "OBSERVE nw1")
    match.reply(GINA, f"PROMOTE {ANNA}")
    seat = match.waits_for()
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    assert match.player(seat) == OTTO


def test_before_the_start_he_is_asked_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    question = invited(world, f"PROMOTE {OTTO} nw1")
    mails = world.write(OTTO, "YES", question.reply_to, says="")
    assert {mail.to for mail in mails} == {GINA, OTTO}
    assert "nw1" in world.reply(OTTO, "STATUS")[0].flat


def test_a_yes_to_who_masters_it_no_more_does_nothing(match: World) -> None:
    match.reply(GINA, f"PROMOTE {ANNA}")
    seat, player = match.waits_for(), match.on_turn()
    question = invited(match, f"REPLACE {seat} BY {OTTO}")
    match.reply(GINA, f"EJECT {GINA}")
    (told, *_) = match.write(OTTO, "YES", question.reply_to, says="")
    assert told.to == OTTO and "cannot do that any more" in told.flat and match.player(seat) == player


@pytest.mark.parametrize(
    "written",
    [
        "carla@b\u00fccher.example<mailto:carla@b\u00fccher.example>",
        "<carla@xn--bcher-kva.example>",
        '"Carla" <carla@b\u00fccher.example>',
        "Carla Smith <carla@b\u00fccher.example>",
        "mailto:carla@b\u00fccher.example",
        "carla@b\u00fccher.example.",
        "carla@b\u00fccher.example,",
    ],
)
def test_every_word_reads_an_address_as_programs_write_it(match: World, written: str) -> None:
    carla = "carla@xn--bcher-kva.example"
    seat = match.waits_for()
    assert invited(match, f"REPLACE {seat} BY {written}", carla).to == carla
    match.write(carla, "NO", match.last(carla).reply_to)
    match.wait(days=31)
    assert invited(match, f"PROMOTE {written}", carla).to == carla
    match.write(carla, "YES", match.last(carla).reply_to)
    mails = match.reply(GINA, f"EJECT {written}")
    assert any("no longer part of nw1" in mail.flat for mail in mails)
    (receipt,) = match.reply(GINA, f"ALLOW {written.rstrip('.,')}, club.example", kind="receipt")
    assert f"Admitted are only {carla}, club.example." in receipt.flat


@pytest.mark.parametrize(
    "written",
    [
        "gr\u00e5@example.org",
        "carla@10.0.0.1",
        "\u7528@b\u00fccher.example",
        f"{'a' * 129}@example.org",
        "carla@localhost",
    ],
)
@pytest.mark.parametrize("line", ["REPLACE {seat} BY {who}", "PROMOTE {who}", "SET address {who}"])
def test_an_address_that_cannot_be_written_to_is_refused(match: World, line: str, written: str) -> None:
    mails = match.reply(GINA, line.format(seat=match.waits_for(), who=written))
    assert {mail.to for mail in mails} == {GINA} and "is no address I can write to" in mails[-1].flat
