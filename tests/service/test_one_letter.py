"""One event, one letter: who brings something about by a letter gets one in answer, with his receipt in its first lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.adapters.pages.render import TemplateRenderer
from referee.service.intake.counter import replay_at_the_counter
from tests.letters.naive import GAMES, play
from tests.service.conftest import GINA, PLAYERS
from tests.world import Mail, World


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
    assert started.kind == "started" and started.flat.startswith("DONE: what you asked for is done.")
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
        if letter.kind == "report" and "What the bots did" in letter.text:
            told = letter.text.partition("What the bots did")[2]
            assert sum(f"{seat}" in told for seat in bots) >= 1 and "ended by a dummy" not in letter.flat
    found = replay_at_the_counter(world.office, "solo")
    with world.store.look() as step:
        reports = [letter for letter in step.outgoing("solo") if letter.kind == "report"]
    assert found and found.sound and found.letters == len(reports) >= 1, found


def test_who_plays_names_the_bots_from_the_first_letter_to_the_last(world: World) -> None:
    alone(world, "newworld")
    begun = world.last(GINA, "started")
    who, bots = begun.flat.partition("Who plays")[2], ("Ada", "Basil", "Clara")
    assert all(f": {name} (steady bot)" in who for name in bots)
    (said,) = to(GINA, world.reply(GINA, "WHO"))
    assert all(name in said.flat for name in bots)
    (end,) = to(GINA, world.reply(GINA, "TERMINATE"))
    assert all(name in end.flat.partition("Who played")[2] for name in bots)


def test_who_plays_alone_with_bots_ends_his_match_by_himself(world: World) -> None:
    alone(world, "newworld")
    world.reply(GINA, "TERMINATE")
    assert world.status("solo") == "over" and "second key" not in world.last(GINA).flat
