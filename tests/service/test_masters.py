"""What a game master does beside the clock, by letter: previews, rulings with figures, keys, seats, lists, musters, records."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from referee.core.chance import Chance
from referee.core.game import PlaysStrongly, Rigour
from referee.core.record import Answered, Overrode, Sealed
from referee.service.base.office import At
from referee.service.base.ports import Alarm, LetterIn
from referee.service.base.times import second
from referee.service.intake.deadlines import scan
from referee.service.intake.inbox import handle_new
from referee.service.intake.keepers_digest import TO_DO, concerns
from referee.service.match import bots
from referee.service.match.bots import dummy_answers, is_dummy, plays_steadily, strength_in, think_over, thinking_since
from referee.service.match.playing import Playing
from referee.service.match.result import Denial
from referee.service.match.sealing import Key
from referee.service.match.slot_life import AlarmKind
from referee.service.turn.course_overrides import _Foreseen
from tests.service.conftest import ANNA, BEN, CARLA, DAN, GINA, OTTO, PLAYERS
from tests.toy import TOY
from tests.world import Mail, World


def notices(mails: list[Mail], to: str = "") -> list[Mail]:
    return [mail for mail in mails if mail.is_a("notice") and (not to or mail.to == to)]


def stored(world: World) -> tuple[object, ...]:
    with world.store.look() as step:
        return tuple(step.entries("nw1")), tuple(step.reports("nw1")), tuple(step.alarms("nw1"))


# ---------------------------------------------------------------- PREVIEW TURN


def test_preview_turn_shows_the_turn_and_stores_and_tells_nothing(match: World) -> None:
    match.reply(match.on_turn(), "RESEARCH any\nCOLONIZE any\nWAIT")
    before = stored(match)
    mails = match.reply(GINA, "PREVIEW TURN")
    assert [mail.to for mail in mails] == [GINA]
    assert f"On file: {match.waits_for()}." in mails[0].flat
    assert "dice here are not the match's" in mails[0].flat
    assert stored(match) == before


def test_preview_turn_shows_the_sheet_that_a_bot_would_play(match: World) -> None:
    (empty,) = match.reply(GINA, "PREVIEW TURN")
    assert f"Nothing on file: {match.waits_for()}." in empty.flat and "claims" not in empty.flat
    match.reply(GINA, "CLOCK late sheet sound")
    (sound,) = match.reply(GINA, "PREVIEW TURN")
    assert f"{match.waits_for()}: a steady bot." in sound.flat and "hires 1 worker" in sound.flat


def test_the_dice_of_a_preview_are_not_those_of_the_turn(match: World) -> None:
    playing = match.playing()
    foreseen, every = _Foreseen(playing), [under(key, playing) for key in playing.seals.keys.values()]
    other = foreseen.under(foreseen.seal((), False, None, False), None)
    assert other is not None and every and faces(other) not in map(faces, every)
    (seal,) = match.log(Sealed)[-1:]
    known = foreseen.under(seal, None)
    assert known is not None and faces(known) == faces(every[-1])


def under(key: Key, playing: Playing) -> Chance:
    return key.chance(playing.row.secret)


def faces(chance: Chance) -> list[int]:
    return [chance.face("T9/some purpose", number, 6) for number in range(40)]


def test_a_game_master_who_plays_gets_no_preview(match: World) -> None:
    match.reply(GINA, f"PROMOTE {ANNA}")
    (receipt,) = match.reply(ANNA, "PREVIEW TURN")
    assert "You play in this match yourself" in receipt.flat


# ---------------------------------------------------------------- RULING


def gold(world: World, seat: str) -> int:
    found: int = world.playing().outcome.state.powers[seat].stock["gold"]
    return found


def test_a_ruling_shows_the_difference_first_and_a_yes_carries_out_just_that(match: World) -> None:
    seat = match.waits_for()
    was = gold(match, seat)
    mails = match.reply(GINA, f'RULING "A card was misread." CITING "nw.r20" SETTING "{seat} gold {was + 7}"')
    assert [mail.to for mail in mails] == [GINA]
    assert f"Not done yet. powers, {seat}, stock, gold: {was} becomes {was + 7}." in mails[0].flat
    assert gold(match, seat) == was
    mails = match.reply(GINA, "YES")
    assert gold(match, seat) == was + 7
    assert {mail.to for mail in notices(mails)} == {*PLAYERS, GINA}
    assert all("A card was misread." in m.flat and f"{was} becomes {was + 7}" in m.flat for m in notices(mails))
    match.reply(match.on_turn(), "ROLL OUT")
    assert "A card was misread." in match.last(BEN, "report").flat


def test_a_ruling_on_figures_replays_and_is_rewound_with_its_turn(match: World) -> None:
    from referee.service.intake.counter import replay_at_the_counter

    seat = match.waits_for()
    was = gold(match, seat)
    match.reply(GINA, f'RULING "So." SETTING "{seat} gold {was + 7}"')
    match.reply(GINA, "YES")
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None and found.sound, found
    match.reply(GINA, "REWIND TO TURN 1")
    assert gold(match, seat) == was


def test_a_yes_after_the_figures_changed_does_nothing_and_shows_them_anew(match: World) -> None:
    seat = match.waits_for()
    was = gold(match, seat)
    match.reply(GINA, f'RULING "One." SETTING "{seat} gold {was + 7}"')
    first = match.last(GINA, "receipt")
    match.reply(GINA, f'RULING "Two." SETTING "{seat} gold {was + 9}"')
    match.reply(GINA, "YES")
    line = next(line for line in first.flat.split("RULING") if "SHOWN" in line).split('"')
    old = f'RULING "One." SETTING "{seat} gold {was + 7}" SHOWN "{line[line.index(" SHOWN ") + 1]}"'
    (receipt,) = match.reply(GINA, old)
    assert "has changed since" in receipt.flat
    assert gold(match, seat) == was + 9


@pytest.mark.parametrize(
    ("figure", "said"), [("turn 3", "no figure of a seat"), ("gold 3", "more than one"), ("{} gold -1", "below 0")]
)
def test_a_ruling_on_what_is_no_single_figure_of_a_seat_is_refused(match: World, figure: str, said: str) -> None:
    (receipt,) = match.reply(GINA, f'RULING "So." SETTING "{figure.format(match.waits_for())}"')
    assert said in receipt.flat


# ---------------------------------------------------------------- BECOME


def test_become_files_orders_and_tells_the_player_his_words_and_the_others_only_that(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    mails = match.reply(GINA, f'BECOME {seat} BECAUSE "his mail is down"\nRESEARCH any')
    assert match.drawer(seat, "orders") == ["RESEARCH any"]
    (his,) = notices(mails, player)
    assert "> RESEARCH any" in his.text and "his mail is down" in his.flat
    assert len(notices(mails)) == len(PLAYERS)
    assert not any("RESEARCH" in m.flat.partition("Your order sheet")[0] for m in notices(mails) if m.to != player)
    assert match.log(Overrode)[-1].action == f"BECOME {seat}"
    (receipt,) = [mail for mail in mails if mail.is_a("receipt")]
    assert receipt.to == GINA and "RESEARCH any" in receipt.flat


def test_become_opens_no_press_of_the_player(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    other = next(each for each in PLAYERS if each != player)
    match.reply(other, f"PRESS TO {seat}\nLet us share Peru.\nEND")
    assert "Let us share Peru." in match.reply(player, "SEND press")[-1].flat
    for what in ("press", "treaties", "diary"):
        mails = match.reply(GINA, f"BECOME {seat}\nSEND {what}")
        (receipt,) = [mail for mail in mails if mail.to == GINA and mail.answers]
        assert f"BECOME lets you write for {seat}, and opens none of its press" in receipt.flat, what
        assert "Let us share Peru." not in receipt.flat


def test_become_is_not_for_players_nor_for_masters_who_play(match: World) -> None:
    seat = match.waits_for()
    other = next(p for p in PLAYERS if p != match.player(seat))
    match.reply(other, f"BECOME {seat}\nRESEARCH any")
    match.reply(GINA, f"PROMOTE {other}")
    (receipt,) = match.reply(other, f"BECOME {seat}\nRESEARCH any")
    assert "cannot write for another player" in receipt.flat
    assert match.drawer(seat, "orders") == []


# ---------------------------------------------------------------- two keys


def playing_master(world: World) -> str:
    """A player who is game master too, Gina being gone."""
    master = world.player(world.playing().created.seats[0])
    world.reply(GINA, f"PROMOTE {master}")
    world.reply(GINA, f"EJECT {GINA}")
    return master


def test_a_playing_master_alone_overrides_nothing_until_most_others_confirm(match: World) -> None:
    master = playing_master(match)
    others = [player for player in PLAYERS if player != master]
    mails = match.reply(master, 'PAUSE BECAUSE "holidays"')
    assert match.status() == "running"
    assert {m.to for m in notices(mails)} == set(PLAYERS)
    assert all("CONFIRM 1" in m.flat and "PAUSE" in m.flat for m in notices(mails))
    (receipt,) = match.reply(master, "CONFIRM 1")
    assert "must be somebody else's" in receipt.flat
    (receipt,) = match.reply(others[0], "CONFIRM 1")
    assert "1 of 3 have agreed" in receipt.flat and match.status() == "running"
    match.reply(others[1], "CONFIRM 1")
    assert match.status() == "paused"
    actions = [o.action for o in match.log(Overrode)]
    assert actions[-1] == "PAUSE" and "CONFIRM 1" in actions and any(a.startswith("PROPOSED 1") for a in actions)


def test_a_second_master_who_does_not_play_confirms_or_stops_alone(match: World) -> None:
    match.reply(GINA, f"PROMOTE {ANNA}")
    match.reply(ANNA, "PAUSE")
    match.reply(GINA, "CONFIRM 1")
    assert match.status() == "paused"
    match.reply(ANNA, "RESUME")
    match.reply(GINA, "OBJECT 2")
    assert match.status() == "paused"
    (receipt,) = match.reply(BEN, "CONFIRM 2")
    assert "No proposal 2 waits" in receipt.flat


def test_objections_do_not_confirm_and_a_proposal_lapses_after_seven_days(match: World) -> None:
    master = playing_master(match)
    first, second, third = [player for player in PLAYERS if player != master]
    match.reply(master, "TERMINATE")
    match.reply(first, "CONFIRM 1")
    match.reply(second, "OBJECT 1")
    match.reply(third, "OBJECT 1")
    assert match.status() == "running"
    match.wait(days=8)
    (receipt,) = match.reply(second, "CONFIRM 1")
    assert "No proposal 1 waits" in receipt.flat


# ---------------------------------------------------------------- fellow masters


def test_promote_and_eject_a_fellow_master(match: World) -> None:
    mails = match.reply(GINA, f'PROMOTE {OTTO} BECAUSE "I travel"')
    assert OTTO in {mail.to for mail in notices(mails)}
    match.reply(OTTO, "PAUSE")
    assert match.status() == "paused"
    match.reply(GINA, f"EJECT {OTTO}")
    match.reply(OTTO, "RESUME")
    assert match.status() == "paused"


def test_the_only_master_cannot_be_ejected(match: World) -> None:
    (receipt,) = match.reply(GINA, f"EJECT {GINA}")
    assert "the only game master" in receipt.flat


# ---------------------------------------------------------------- lists


def test_allow_and_deny_keep_strangers_out_of_a_match(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.reply(GINA, f"ALLOW players.example\nDENY {BEN}")
    *_, refused = world.write("eve@elsewhere.example", "JOIN nw1")
    assert "admits only those on a list" in refused.flat
    *_, refused = world.write(BEN, "JOIN nw1")
    assert "does not admit you" in refused.flat
    *_, taken = world.write(ANNA, "JOIN nw1")
    assert "DONE" in taken.subject
    world.reply(GINA, "ALLOW anybody")
    *_, taken = world.write("eve@elsewhere.example", "JOIN nw1")
    assert "DONE" in taken.subject


def test_the_hosts_lists_go_before_the_matchs(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    world = World(tmp_path, deny=("spam.example",))
    world.write(GINA, "CREATE newworld AS nw1")
    *_, refused = world.write("eve@mail.spam.example", "JOIN nw1")
    assert "This host does not admit you" in refused.flat
    world.close()


# ---------------------------------------------------------------- dummies and who stands by


def test_a_dummy_is_played_by_bots_at_once_until_a_person_has_the_seat(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    mails = match.reply(GINA, f'DUMMY {seat} BECAUSE "gone"')
    assert match.waits_for() != seat
    assert match.closed()[-1].seat == seat and match.closed()[-1].by == "a dummy"
    assert any("you are replaced" in mail.subject for mail in notices(mails, player))
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    assert match.player(seat) == OTTO
    for _ in range(3):
        match.reply(match.on_turn(), "ROLL OUT")
    assert match.waits_for() == seat


def test_dummies_join_before_the_start_and_nobody_is_written_to_for_them(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    world.write(BEN, "JOIN nw1")
    world.reply(GINA, "DUMMY 2 nw1", kind="receipt")
    world.reply(GINA, "START nw1", kind="receipt")
    assert world.status() == "running"
    assert world.on_turn() in (ANNA, BEN)
    assert {mail.to for mail in world.all_mail()} == {ANNA, BEN, GINA}


def test_a_bot_of_a_strength_has_a_name_and_a_seat_until_a_person_takes_it(match: World) -> None:
    seat, gone = match.waits_for(), match.on_turn()
    mails = match.reply(GINA, f'BOT {seat} novice BECAUSE "gone"')
    assert any(f"{seat} is played by Pip (novice bot) from now on" in mail.flat for mail in notices(mails)), mails[
        0
    ].flat
    match.reply(GINA, f"BOT {seat}")
    assert f"{seat} is played by Ada (steady bot)" in match.last(GINA).flat
    (same,) = match.reply(GINA, f"DUMMY {seat} steady")
    assert f"{seat} is played by Ada (steady bot) already; REPLACE {seat} BY" in same.flat
    (who,) = match.reply(GINA, "WHO")
    assert "Ada (steady bot)" in who.flat and "A steady bot: puts a worker to every claim it can" in who.flat
    (refused,) = match.reply(next(player for player in PLAYERS if player != gone), "SET name Ada")
    assert '"Ada" could be taken for another member of nw1' in refused.flat
    match.write(OTTO, f"TAKEOVER nw1 AS {seat}")
    (who,) = match.reply(GINA, "WHO")
    assert match.player(seat) == OTTO and "bot" not in who.flat.partition("Its rules")[0]


def test_a_strength_that_no_bot_has_is_told_those_that_there_are(world: World, match: World) -> None:
    (refused,) = match.reply(GINA, f"BOT {match.waits_for()} clever")
    assert '"clever" is not understood here; it may be novice, steady, strong or patient.' in refused.flat
    with pytest.raises(Denial, match="has no strong bot yet"):
        strength_in(TOY, "strong")
    with pytest.raises(Denial, match="has no patient bot yet: none is measured that clearly beats a strong one"):
        strength_in(world.office.games["newworld"], "patient")
    for written, told in (
        (
            "bots 2 clever",
            "clever is no strength of a bot; it is novice, steady, strong or patient, or left out, which is steady.",
        ),
        ("bots many", "Say how many bots join, and of one strength: WITH bots 3 novice"),
        ("bots 7", "New World has 5 seats here, and 0 are taken; 5 are left for bots."),
    ):
        *_, refused = match.write(GINA, f"CREATE newworld AS solo WITH nationalities yes, {written}")
        assert told in refused.flat, refused.flat
    for game in (name for name, game in match.office.games.items() if not plays_steadily(game)):
        *_, refused = match.write(GINA, f"CREATE {game} AS solo WITH bots 2 steady")
        assert "has no steady bot yet; its bots are novices." in refused.flat
    with match.store.look() as step:
        assert step.match("solo") is None


def test_bots_of_both_strengths_join_at_create_and_later_and_are_named_from_then_on(world: World) -> None:
    created = world.write(GINA, "CREATE newworld AS nw1 WITH bots 2 novice, slot 48h")[0]
    assert "Pip (novice bot) and Dot (novice bot) have joined." in created.flat
    world.write("Ada Pebble <ada@players.example>", "JOIN nw1")
    assert (
        "Basil (steady bot) has joined nw1; 4 of 6 seats are taken"
        in world.reply(GINA, "DUMMY 1 nw1", kind="receipt")[0].flat
    )
    assert "Fern (novice bot) has joined" in world.reply(GINA, "BOT 1 novice nw1", kind="receipt")[0].flat
    names = ("Pip (novice bot)", "Dot (novice bot)", "Fern (novice bot)", "Basil (steady bot)")
    for asked in ("WHO nw1", "STATUS"):
        (told,) = world.reply(GINA, asked, kind="receipt")
        assert all(name in told.flat for name in names), told.flat
    world.reply(GINA, "START nw1", kind="receipt")
    who = world.last("ada@players.example", "started").flat.partition("The players")[2]
    assert all(f": {name}" in who for name in names)


@pytest.mark.parametrize(
    "new",
    [
        "war27 AS solo WITH bots 1 strong, last_turn 2",
        pytest.param("newworld AS solo WITH bots 2 strong", marks=pytest.mark.slow),  # alike: tests.kit.test_opponents
    ],
)
def test_a_strong_bot_thinks_part_by_part_while_no_letter_waits_and_another_process_finds_the_same(
    world: World, new: str
) -> None:
    world.write(GINA, f"CREATE {new}")
    world.write(GINA, "JOIN solo")
    world.reply(GINA, "START solo", kind="receipt")
    mine = world.seat(GINA, "solo")
    assert {question.seat for question in world.playing("solo").outcome.open} == {mine}
    world.put(f"From: {GINA}\r\nMessage-ID: <1@x>\r\n\r\nROLL OUT\r\n".encode(), GINA, world.last(GINA).reply_to)
    assert handle_new(world.office) == 1
    (alarm,) = world.alarms(AlarmKind.BOT, "solo")
    assert any(mail.to == GINA and mail.is_a("receipt") for mail in world.new_mail())
    found = thought_out(world, alarm)
    bots._THINKING.clear()
    bots._RACES.clear()
    assert scan(world.office) == 1 and world.alarms(AlarmKind.BOT, "solo") == [alarm]  # a part of its trials
    world.put(f"From: {GINA}\r\nMessage-ID: <2@x>\r\n\r\nWHO\r\n".encode(), GINA, world.last(GINA).reply_to)
    assert handle_new(world.office) == 1 and world.alarms(AlarmKind.BOT, "solo") == [alarm]
    assert any(mail.to == GINA and "strong bot" in mail.flat for mail in world.new_mail())
    while world.alarms(AlarmKind.BOT, "solo") == [alarm]:
        assert scan(world.office) == 1
    (answer,) = [answer for answer in world.log(Answered, "solo") if answer.key == alarm.key]
    assert (answer.seat, answer.value, answer.by) == (alarm.seat, found.value, "a dummy") and answer.seat != mine


def thought_out(world: World, alarm: Alarm) -> Answered:
    """A bot's answer once it is found, with nothing played."""
    playing = world.playing("solo")
    with world.store.look() as step:
        while think_over(step, playing, alarm.key, world.clock.now()):
            pass
        return next(answer for answer in dummy_answers(step, playing) if answer.key == alarm.key)


def against_three_strong(world: World, monkeypatch: pytest.MonkeyPatch, until: str, rollouts: int = 2) -> str:
    """A match of one person against three strong bots, which nobody thought over yet, once she is asked this; her seat."""
    bots._RACES.clear()
    game = world.office.games["war27"]
    assert isinstance(game, PlaysStrongly)
    monkeypatch.setitem(game.rigours, "strong", Rigour(rollouts=rollouts))
    world.write(GINA, "CREATE war27 AS solo WITH bots 3 strong, last_turn 2")
    world.write(GINA, "JOIN solo")
    world.reply(GINA, "START solo", kind="receipt")
    mine = world.seat(GINA, "solo")
    while f"{until}/{mine}" not in asked(world):
        if any(key.endswith(("/draft/" + mine, "/purchase/" + mine)) for key in asked(world)):
            rolls_out(world)
        else:
            assert scan(world.office) == 1
    world.new_mail()
    return mine


def asked(world: World) -> list[str]:
    return [question.key.removesuffix("/orders") for question in world.playing("solo").outcome.open]


def rolls_out(world: World) -> None:
    """She ends her slot, and again where she is asked whether she means it; no bot thinks meanwhile."""
    unique, last = len(world.all_mail()), world.last(GINA)
    world.put(f"From: {GINA}\r\nMessage-ID: <{unique}@x>\r\n\r\nROLL OUT\r\n".encode(), GINA, last.reply_to)
    assert handle_new(world.office) == 1


@pytest.mark.parametrize("killed", [pytest.param(False, marks=pytest.mark.slow), True])
def test_the_turns_of_strong_bots_in_a_row_come_in_one_letter(
    world: World, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    mine = against_three_strong(world, monkeypatch, "T1/M1")
    rolls_out(world)
    last, began, parts = world.playing("solo").head.seq, None, 0
    while f"T1/M2/{mine}" not in asked(world):
        assert world.playing("solo").head.seq == last, "before a person is asked nothing is played"
        assert scan(world.office) == 1
        parts += 1
        world.clock.advance(timedelta(seconds=1))
        if parts == 3 and killed:
            bots._THINKING.clear()
            bots._RACES.clear()
        began = thinking_since(world.playing("solo")) or began
    (report,) = [mail for mail in world.new_mail() if mail.to == GINA and "Moves of the bots" in mail.flat]
    assert report.is_a("report") and "You owe orders for Turn 1, round 2" in report.flat
    with world.store.look() as step:
        entries = step.entries("solo", last + 1)
    assert (
        began
        and {entry.at for entry in entries} == {second(began)}
        and sum(entry.cause == "a dummy" for entry in entries) >= 3
    )


def test_orders_that_are_filed_while_a_bot_thinks_do_not_begin_its_sheet_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    against_three_strong(world, monkeypatch, "T0/setup/purchase", rollouts=6)
    assert scan(world.office) == 1
    race, ran = bots._THINKING["solo"].race, bots._THINKING["solo"].race.ran
    assert ran and not race.found
    world.put(f"From: {GINA}\r\n\r\nBUY 1 city, 5 explorers, 16 infantry\r\n".encode(), GINA, world.last(GINA).reply_to)
    assert handle_new(world.office) == 1
    assert bots._THINKING["solo"].head != world.playing("solo").head.hash
    assert scan(world.office) == 1 and bots._THINKING["solo"].race is race and race.ran > ran


def test_who_waits_for_a_strong_bot_reads_that_it_thinks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.kit.opponents.Race._worth", lambda *_: 1 / 0)  # how it finds its sheet is no matter
    world.write(GINA, "CREATE newworld AS solo WITH bots 1 strong")
    world.write(GINA, "JOIN solo")
    world.reply(GINA, "START solo", kind="receipt")
    mails = world.reply(GINA, "ROLL OUT")
    (seat,) = {question.seat for question in world.playing("solo").outcome.open}
    other = next(s for s in world.playing("solo").created.seats if s != seat)
    assert any(re.search(rf"We wait for {other}\. \w+ \(strong bot\) is thinking\.", mail.flat) for mail in mails)
    assert "thinking" not in world.last(GINA).flat and "You owe orders" in world.last(GINA).flat


def test_where_a_strong_bot_fails_the_steady_sheet_is_played(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ArithmeticError("a trial went wrong")

    monkeypatch.setattr("referee.kit.opponents.Race._worth", fails)
    world.write(GINA, "CREATE war27 AS solo WITH bots 1 strong, last_turn 2")
    world.write(GINA, "JOIN solo")
    world.reply(GINA, "START solo", kind="receipt")
    mine = world.seat(GINA, "solo")
    bots = [answer.value for answer in world.log(Answered, "solo") if answer.seat != mine]
    assert world.status("solo") == "running" and bots and b"[]" not in map(bytes, bots)


def test_replace_without_by_takes_the_first_who_stands_by(match: World) -> None:
    seat = match.waits_for()
    (refused,) = match.reply(GINA, f"REPLACE {seat}")
    assert "Nobody stands by" in refused.flat
    match.write(OTTO, "STANDBY nw1")
    match.reply(GINA, f'REPLACE {seat} BECAUSE "silent"')
    assert match.player(seat) == OTTO


def test_eject_of_a_seat_goes_to_who_stands_by_and_else_to_a_dummy(match: World) -> None:
    first, second = match.playing().created.seats[:2]
    match.write(OTTO, "STANDBY nw1")
    match.reply(GINA, f"EJECT {first}")
    assert match.player(first) == OTTO
    match.reply(GINA, f"EJECT {second}")
    with match.store.look() as step:
        assert is_dummy(step, "nw1", second)


# ---------------------------------------------------------------- muster


def forming(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "MUSTER yes", kind="receipt")


def test_start_asks_who_is_still_there_and_the_last_answer_starts(world: World) -> None:
    forming(world)
    mails = world.reply(GINA, "START nw1", kind="receipt")
    assert {mail.to for mail in mails if mail.kind == "muster"} == set(PLAYERS)
    for player in PLAYERS[:3]:
        world.reply(player, "I AM HERE", kind="muster")
        with world.store.look() as step:
            row = step.match("nw1")
        assert row is not None and row.status == "forming"
    world.reply(DAN, "I AM HERE", kind="muster")
    assert world.status() == "running"


def test_start_now_does_not_wait(world: World) -> None:
    forming(world)
    world.reply(GINA, "START nw1", kind="receipt")
    world.reply(GINA, "START NOW nw1", kind="receipt")
    assert world.status() == "running"


def test_who_does_not_answer_can_be_ejected_before_the_start(world: World) -> None:
    forming(world)
    world.reply(GINA, f"EJECT {DAN}", kind="receipt")
    world.reply(GINA, "START nw1", kind="receipt")
    for player in (ANNA, BEN, CARLA):
        world.reply(player, "I AM HERE", kind="muster")
    assert len(world.playing().created.seats) == 3


# ---------------------------------------------------------------- abandonment


@pytest.mark.parametrize("then", ["standby", "bot", "ask"])
def test_a_seat_rolled_out_so_often_is_abandoned(match: World, then: str) -> None:
    match.write(OTTO, "STANDBY nw1")
    match.reply(GINA, f"ABANDON AFTER 2 GIVING TO {then}")
    seat, player = match.waits_for(), match.on_turn()
    match.wait(hours=24)
    for _ in range(3):
        match.reply(match.on_turn(), "ROLL OUT")
    assert match.on_turn() == player
    mails = match.wait(hours=24)
    with match.store.look() as step:
        dummy = is_dummy(step, "nw1", seat)
    assert dummy == (then == "bot")
    assert (not dummy and match.player(seat) == OTTO) == (then == "standby")
    assert any("is abandoned" in mail.subject for mail in notices(mails)) == (then == "ask")


def test_one_turn_played_breaks_the_row(match: World) -> None:
    match.reply(GINA, "ABANDON AFTER 2 GIVING TO dummy")
    seat = match.waits_for()
    for late in (True, False, True):
        match.wait(hours=24) if late else match.reply(match.on_turn(), "ROLL OUT")
        for _ in range(3):
            match.reply(match.on_turn(), "ROLL OUT")
    assert match.waits_for() == seat


# ---------------------------------------------------------------- reliability


def test_the_record_counts_what_was_late_and_not_what_was_excused_or_arranged(match: World) -> None:
    seat, player = match.waits_for(), match.on_turn()
    match.wait(hours=24)
    match.reply(GINA, "STATUS")
    assert f"{seat}'s player over all matches: 0 on time, 0 late, 1 rolled out" in match.last(GINA).flat
    match.reply(GINA, f'EXCUSE {seat} BECAUSE "a power cut"')
    match.reply(player, "STATUS")
    assert "no slot that counts yet; not counted: 1 excused." in match.last(player).flat
    for _ in range(3):
        match.reply(match.on_turn(), "ROLL OUT")
    match.reply(player, "STANDING\nRESEARCH any\nEND")
    match.wait(hours=24)
    match.reply(player, "SEND record")
    assert "Reliability" in match.last(player).flat
    match.reply(player, "STATUS")
    assert "1 excused, 1 by own standing or late orders" in match.last(player).flat


def test_a_seat_taken_over_counts_for_each_in_his_time_and_spares_the_first_slot(match: World) -> None:
    seat, old = match.waits_for(), match.on_turn()
    match.wait(hours=24)
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    for _ in range(3):
        match.reply(match.on_turn(), "ROLL OUT")
    match.wait(hours=24)
    match.reply(OTTO, "STATUS")
    assert "no slot that counts yet; not counted: 1 taken over." in match.last(OTTO).flat
    with match.store.look() as step:
        from referee.service.house.reliability import reliability

        before = step.player_at(old)
        assert before is not None
        assert reliability(At(match.office, step), before.id).rolled_out == 1


def test_what_was_rewound_counts_for_nobody(match: World) -> None:
    match.wait(hours=24)
    match.reply(GINA, "REWIND TO TURN 1")
    match.reply(GINA, "STATUS")
    assert "1 rolled out" not in match.last(GINA).flat


# ---------------------------------------------------------------- the keeper's digest

KEEPER = "keeper@games.example"


def test_the_keeper_hears_once_a_day_and_only_when_there_is_something(tmp_path: object) -> None:
    from pathlib import Path

    from tests.service.conftest import begin

    assert isinstance(tmp_path, Path)
    world = begin(World(tmp_path, keeper=KEEPER))
    world.clock.advance(datetime(2026, 11, 22, 7, tzinfo=UTC) - world.clock.now())
    assert not [mail for mail in world.work() if mail.kind == "digest"]
    world.corrupt("nw1")
    world.clock.advance(datetime(2026, 11, 23, 7, tzinfo=UTC) - world.clock.now())
    world.work()
    world.clock.advance(datetime(2026, 11, 24, 7, tzinfo=UTC) - world.clock.now())
    (digest,) = [mail for mail in world.work() if mail.kind == "digest"]
    assert digest.to == KEEPER
    assert "Match nw1 cannot be run on" in digest.flat and TO_DO["stuck"] in digest.flat
    assert TO_DO["shunted"] not in digest.flat
    assert not [mail for mail in world.wait(hours=3) if mail.kind == "digest"]
    assert [mail for mail in world.wait(hours=24) if mail.kind == "digest"]
    world.close()


def test_the_digest_names_whom_no_letter_reaches_and_letters_that_broke_us(match: World) -> None:
    from referee.mail.reading.bounces import Bounce
    from referee.service.intake.undelivered import count_bounce

    with match.store.step() as step:
        count_bounce(At(match.office, step), Bounce(ANNA, True, "no such mailbox"))
        (number,) = step.receive([LetterIn(0, "x", match.clock.now(), BEN, "r", b"")])
        step.finish_letter(number, "shunted", "KeyError: x")
        found = concerns(At(match.office, step))
    assert [(c.kind, c.about) for c in found] == [("unreachable", ANNA), ("shunted", str(number))]


# ---------------------------------------------------------------- at the machine


def test_the_counter_writes_for_a_player_and_starts_without_waiting(match: World) -> None:
    from referee.service.intake.counter import player_at_the_counter

    seat = match.waits_for()
    said = player_at_the_counter(match.office, "nw1", seat, "RESEARCH any")
    assert said.granted and match.drawer(seat, "orders") == ["RESEARCH any"]
    assert not player_at_the_counter(match.office, "nw1", "Atlantis", "WAIT").granted
    assert match.last(match.player(seat)).kind == "receipt"


def test_a_game_master_who_plays_orders_for_his_seat_in_reply_to_any_letter(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    world.reply(GINA, "JOIN nw1")
    world.reply(GINA, "START nw1")
    seat = world.seat(GINA)
    receipt = world.last(GINA, "receipt")
    world.write(GINA, "STANDING\nRESEARCH any\nEND", receipt.reply_to)
    assert world.drawer(seat, "standing")
    world.write(GINA, 'PAUSE BECAUSE "a holiday"', world.last(GINA, "started").reply_to)
    assert "PAUSE" in world.log(Overrode)[-1].action  # proposed, for who plays needs the leave of another
