"""A match whose dice come of a beacon, too: sealed, told, waited for, opened; and nothing of it lost whatever comes between."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from referee.core.chance import Keyed, hidden_link, key_of, link
from referee.core.event import Drawn, Rolled
from referee.core.game import Phase
from referee.core.record import Acted, Filed, Happened, Luck, Opened, Overrode, Pledged, Rewound, Sealed
from referee.core.table import Script, Table
from referee.games import GAMES
from referee.games.newworld import phases
from referee.games.newworld.game import NewWorld
from referee.games.newworld.position import World as State
from referee.service.base.office import At, Randomness
from referee.service.house.archive import archive_of
from referee.service.house.verification import verify_archive
from referee.service.intake.counter import at_the_counter, create_at_the_counter, replay_at_the_counter
from referee.service.intake.deadlines import shunt
from referee.service.intake.downtime import look_after_all
from referee.service.match import playing
from referee.service.match.clocks import kept_clock, slots_in
from referee.service.match.history import history
from referee.service.match.playing import StillSealed, codec_of, play_on
from tests.beacon.by_hand import ByHand, never, signature
from tests.mended import mend
from tests.sample import few
from tests.service.conftest import ANNA, BEN, GINA, OTTO, PLAYERS
from tests.toy import TOY
from tests.verify.node import verify
from tests.world import Mail, World, asks_for_yes

LEAD = timedelta(seconds=60)


def beacon(world: World) -> ByHand:
    assert world.office.randomness is not None
    found = world.office.randomness.beacon
    assert isinstance(found, ByHand)
    return found


@pytest.fixture
def house(world: World, sealed_dice: None) -> World:
    """A referee that has a beacon, and plays the toy game too."""
    games = {**{game.name: game for game in GAMES}, "toy": TOY}
    world.office = replace(world.office, randomness=Randomness(ByHand(world.clock)), games=games)
    return world


def begun(world: World, game: str = "newworld", match: str = "nw1", more: str = "", players: int = 4) -> list[Mail]:
    """A match of this house with the beacon; what is written when it starts."""
    world.write(GINA, f"CREATE {game} AS {match} WITH beacon drand{more}")
    for player in PLAYERS[:players]:
        world.write(player, f"JOIN {match}")
    return world.reply(GINA, f"START {match}", kind="receipt")


@pytest.fixture
def drand(house: World) -> World:
    """The match nw1 of New World with the beacon, its set-up played."""
    begun(house)
    fall(house)
    return house


def fall(world: World, match: str = "nw1") -> list[Mail]:
    """Wait until the dice have fallen, however often the match is sealed; what is written meanwhile."""
    mails: list[Mail] = []
    for _ in range(60):
        if world.status(match) != "sealed":
            return mails
        mails += world.wait(minutes=1)
    raise AssertionError(f"the dice of {match} do not fall")


def sealing(mails: list[Mail]) -> list[Mail]:
    """The letters that tell of a seal."""
    return [mail for mail in mails if "is sealed: it stands in the log" in mail.flat]


def sound(world: World, match: str = "nw1") -> None:
    """Replay, audit and the archive agree with what was played and told."""
    playing._CACHE.clear()
    found = replay_at_the_counter(world.office, match)
    assert found is not None and found.sound, found and found.trouble
    shown = verify_archive(dict(world.office.games), *archived(world, match))
    assert shown.sound, shown.trouble
    under_seals(world, match)


def sound_in_javascript_too(world: World, match: str = "nw1") -> None:
    """So the verifier for browsers finds, where Node is there to run it."""
    if shutil.which("node"):
        manifest, log, _ = archived(world, match)
        (found,) = verify([{"manifest": manifest.decode(), "log": log.decode(), "letters": []}])
        assert found["sound"], found


def archived(world: World, match: str) -> tuple[bytes, bytes, bytes]:
    """The files of a match by which anybody checks it."""
    with world.store.look() as step:
        row = step.match(match)
        assert row is not None
        files = archive_of(At(world.office, step), row).files
    return files["match.json"], files["log.jsonl"], files["reports.jsonl"]


def under_seals(world: World, match: str = "nw1") -> None:
    """Every die is that of a key reckoned here from link, head and signature, by the log alone."""
    row = world.playing(match).row
    codec = codec_of(world.playing(match).game)
    signatures = {opened.number: bytes.fromhex(opened.signature) for opened in world.log(Opened, match)}
    keys: dict[int, bytes] = {}
    made: dict[int, tuple[bytes, str]] = {}
    force: dict[bool, bytes] = {}
    for entry in world.entries(match):
        record = codec.load(entry.payload)
        if isinstance(record, Sealed):
            of = hidden_link(row.secret) if record.hidden else link(row.secret, record.chain, record.link)
            made[record.number] = made[record.again] if record.again else (of, entry.hash)
            signed = signatures.get(record.again or record.number, b"")
            keys[record.number] = key_of(*made[record.number], signed)
            force[record.hidden] = keys[record.number]
        event = codec.event(record.event) if isinstance(record, Happened) else None
        if isinstance(event, Rolled):
            dice = Keyed(force[event.seen_by is not None])
            faces = tuple(dice.face(event.purpose, event.first + i, event.sides) for i in range(len(event.faces)))
            assert faces == event.faces, event.purpose
        elif isinstance(event, Drawn):
            dice = Keyed(force[event.seen_by is not None])
            sizes = [event.held - i for i in range(len(event.faces))]
            assert event.faces == tuple(
                dice.face(event.purpose, event.first + i, max(size, 1)) for i, size in enumerate(sizes)
            )


# ---------------------------------------------------------------- the house


def test_a_house_without_a_beacon_has_no_such_match(world: World) -> None:
    refused = "No beacon of public randomness is set up here"
    (mail,) = world.write(GINA, "CREATE newworld AS nw1 WITH beacon drand")
    assert refused in mail.flat
    world.write(GINA, "CREATE newworld AS nw1")
    (mail,) = world.reply(GINA, "CLOCK beacon drand")
    assert refused in mail.flat
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    (mail,) = world.reply(GINA, "CLOCK beacon drand")
    assert refused in mail.flat and world.playing().settings.beacon == "letters"
    said = create_at_the_counter(world.office, "newworld", "nw2", GINA, "beacon drand")
    assert not said.granted and refused in " ".join(said.sentences)


def test_a_beacon_that_is_gone_keeps_nobody_from_setting_the_clock(drand: World) -> None:
    drand.office = replace(drand.office, randomness=None)
    drand.reply(GINA, "CLOCK slot 48h")
    assert drand.playing().settings.slot_hours == 48 and drand.playing().settings.beacon == "drand"
    drand.reply(GINA, "CLOCK beacon letters")
    assert drand.playing().settings.beacon == "letters"


def test_a_match_of_letters_waits_for_nothing_where_there_is_a_beacon(house: World) -> None:
    house.write(GINA, "CREATE newworld AS nw1")
    for player in PLAYERS:
        house.write(player, "JOIN nw1")
    house.reply(GINA, "START nw1", kind="receipt")
    house.reply(house.on_turn(), "ROLL OUT")
    assert house.status() == "running" and house.log(Opened) == [] and beacon(house).sought == set()
    assert {seal.round for seal in house.log(Sealed)} == {0}


# ---------------------------------------------------------------- sealed, told, opened


def test_everybody_is_told_head_and_round_before_the_round_is_made(drand: World) -> None:
    player, before = drand.on_turn(), len(drand.log(Sealed))
    mails = drand.reply(player, "HIRE 1 worker\nROLL OUT")
    told = sealing(mails)
    assert sorted(mail.to for mail in told) == sorted((GINA, *PLAYERS))
    seal, head = drand.log(Sealed)[-1], drand.entries()[-1].hash
    assert len(drand.log(Sealed)) == before + 1 and drand.status() == "sealed"
    made = beacon(drand).time_of(seal.round)
    assert made > drand.clock.now() + LEAD
    for mail in told:
        assert head in mail.flat.replace(" ", "") and f"round {seal.round} of drand by hand" in mail.flat
    assert "You need do nothing: you hear the outcome, at" in told[0].flat
    mine = next(mail for mail in told if mail.to == player)
    assert "COMPLETE" in mine.subject and "The outcome follows when the dice have fallen." in mine.flat


def test_no_die_falls_before_the_round_and_each_is_that_of_its_key(drand: World) -> None:
    player = drand.on_turn()
    drand.reply(player, "HIRE 1 worker\nROLL OUT")
    rolled = sum(isinstance(event, Rolled | Drawn) for event in drand.told(history, "nw1"))
    assert drand.wait(seconds=59) == []
    assert drand.playing().outcome.sealed is not None
    mails = drand.wait(seconds=5)
    assert {mail.to for mail in mails} >= {GINA, *PLAYERS} and drand.status() == "running"
    assert sum(isinstance(event, Rolled | Drawn) for event in drand.told(history, "nw1")) > rolled
    opened = drand.log(Opened)[-1]
    assert bytes.fromhex(opened.signature) == signature(drand.log(Sealed)[-1].round)
    sound(drand)


def test_a_start_whose_set_up_throws_dice_is_told_and_waits(house: World) -> None:
    mails = begun(house)
    assert house.status() == "sealed" and house.log(Pledged)
    started = [mail for mail in mails if mail.kind == "started"]
    assert sorted(mail.to for mail in started) == sorted((GINA, *PLAYERS))
    assert {mail.to for mail in sealing(mails)} == {GINA, *PLAYERS}
    mails = fall(house)
    assert house.waits_for() and house.on_turn() in [mail.to for mail in mails]
    owes = next(mail for mail in mails if mail.to == house.on_turn())
    assert "You owe orders" in owes.flat and len(house.alarms("deadline")) == 1
    sound(house)


def test_a_round_that_is_late_is_looked_for_until_it_is_there(drand: World) -> None:
    beacon(drand).late = lambda round: timedelta(minutes=4)
    drand.reply(drand.on_turn(), "ROLL OUT")
    drand.wait(minutes=3)
    assert drand.status() == "sealed"
    fall(drand)
    assert drand.log(Opened)[-1].signature
    sound(drand)


def test_a_round_that_never_comes_is_done_without_and_the_log_says_why(drand: World) -> None:
    beacon(drand).late = never
    drand.reply(drand.on_turn(), "ROLL OUT")
    drand.wait(seconds=64)
    for _ in range(9):
        drand.wait(minutes=1)
    assert drand.status() == "sealed"
    drand.wait(minutes=1)
    drand.wait(seconds=10)
    opened, seal = drand.log(Opened)[-1], drand.log(Sealed)[-1]
    assert drand.status() == "running" and not opened.signature
    assert opened.why == f"no relay of drand by hand brought round {seal.round} within 10 minutes"
    sound(drand)


def test_time_in_which_the_service_was_down_is_no_wait_for_a_round(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    beacon(drand).forget()
    beacon(drand).late = lambda round: timedelta(hours=8, minutes=2)
    drand.wait(hours=8)
    assert drand.status() == "sealed"
    fall(drand)
    assert drand.log(Opened)[-1].signature == signature(drand.log(Sealed)[-1].round).hex()


def test_a_beacon_that_is_set_up_no_longer_keeps_nobody_waiting(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    drand.office = replace(drand.office, randomness=None)
    drand.wait(minutes=2)
    assert drand.status() == "running" and drand.log(Opened)[-1].why == "the beacon is set up no longer"
    sound(drand)


def test_a_round_found_meanwhile_is_taken_at_once(drand: World) -> None:
    late = beacon(drand)
    late.late = lambda round: timedelta(seconds=10)
    drand.reply(drand.on_turn(), "ROLL OUT")
    drand.wait(seconds=64)
    (look,) = drand.alarms("dice")
    assert look.due_at > drand.clock.now()
    late.late = lambda round: timedelta()
    drand.work()
    assert drand.status() == "running"


def test_a_new_start_seeks_the_round_again(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    beacon(drand).forget()
    playing._CACHE.clear()
    fall(drand)
    assert drand.log(Opened)[-1].signature
    sound(drand)


# ---------------------------------------------------------------- meanwhile


def test_letters_are_held_without_a_word_and_done_afterwards_in_their_order(drand: World) -> None:
    on_turn = drand.on_turn()
    other = next(player for player in PLAYERS if player != on_turn)
    drand.reply(on_turn, "ROLL OUT")
    before = len(drand.entries())
    assert drand.reply(other, "STANDING\nRESEARCH any\nEND") == []
    assert drand.reply(other, "STANDING\nCOLONIZE any\nEND") == []
    assert drand.reply(GINA, 'ANNOUNCE "All well?"') == []
    assert [letter.status for letter in drand.letters("held")] == ["held"] * 3
    assert len(drand.entries()) == before
    mails = fall(drand)
    assert drand.letters("held") == [] and drand.drawer(drand.seat(other), "standing") == ["COLONIZE any"]
    filed = [record.sheet[0].text for record in drand.log(Filed) if record.drawer == "standing" and record.sheet]
    assert filed == ["RESEARCH any", "COLONIZE any"]
    assert any("All well?" in mail.flat for mail in mails) and any(mail.kind == "receipt" for mail in mails)
    sound(drand)


def confirm(world: World, mails: list[Mail]) -> list[Mail]:
    """Say YES to what is asked in these letters."""
    asked = [mail for mail in mails if asks_for_yes(mail)]
    return [mail for question in asked for mail in world.write(question.to, "YES", question.reply_to)]


def test_a_pause_is_taken_when_the_dice_have_fallen(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    assert drand.reply(GINA, "PAUSE") == [] and drand.log(Overrode) == []
    drand.wait(seconds=64)
    assert drand.status() == "paused" and drand.log(Overrode)
    drand.reply(GINA, "RESUME")
    assert drand.status() == "running" and drand.alarms("deadline")
    sound(drand)


def test_a_rewind_is_asked_about_and_done_when_the_dice_have_fallen(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    fall(drand)
    drand.reply(drand.on_turn(), "ROLL OUT")
    drand.reply(GINA, "REWIND TO TURN 1")
    confirm(drand, drand.wait(seconds=64))
    assert drand.log(Rewound) and drand.playing().turn == 1 and drand.status() == "running"
    drand.reply(drand.on_turn(), "ROLL OUT")
    confirm(drand, drand.reply(GINA, "FORWARD"))
    fall(drand)
    sound(drand)


def test_a_yes_that_comes_while_the_match_is_sealed_counts_when_the_dice_have_fallen(drand: World) -> None:
    mails = drand.reply(GINA, "TERMINATE", confirms=False)
    drand.reply(drand.on_turn(), "ROLL OUT")
    confirm(drand, mails)
    assert drand.status() == "sealed" and len(drand.letters("held")) == 1
    mails = fall(drand)
    assert drand.status() == "over" and {m.to for m in mails if m.kind == "farewell"} == {GINA, *PLAYERS}
    assert drand.alarms("dice") == [] and drand.letters("held") == []
    sound(drand)


@pytest.mark.parametrize("line", ["PROMOTE {who}", "REPLACE {seat} BY {who}"])
def test_a_yes_to_an_invitation_that_comes_while_the_match_is_sealed_is_kept(drand: World, line: str) -> None:
    seat = drand.seat(ANNA)
    weighed = drand.reply(GINA, line.format(who=OTTO, seat=seat), confirms=False)[0]
    drand.write(GINA, "YES", weighed.reply_to, says="")
    question = drand.last(OTTO)
    drand.reply(drand.on_turn(), "ROLL OUT")
    assert drand.write(OTTO, "YES", question.reply_to, says="") == [] and len(drand.letters("held")) == 1
    fall(drand)
    with drand.store.look() as step:
        (otto,) = [m for m in step.members("nw1") if step.player_at(OTTO) == step.player(m.player)]
    assert (otto.role, otto.seat) == (("gm", "") if "PROMOTE" in line else ("player", seat))
    assert drand.letters("held") == []
    sound(drand)


def test_at_the_counter_one_is_told_to_try_again(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    said = at_the_counter(drand.office, "nw1", "PAUSE", "the keeper")
    assert not said.granted and "waits for its dice" in " ".join(said.sentences)


def test_nothing_is_written_between_a_seal_and_its_dice(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    with pytest.raises(StillSealed), drand.store.step() as step:
        play_on(At(drand.office, step), drand.playing(), [Overrode("PAUSE", "x")], "x")


def test_who_comes_to_watch_meanwhile_gets_his_first_letter(drand: World) -> None:
    drand.reply(drand.on_turn(), "ROLL OUT")
    mails = drand.write(OTTO, "OBSERVE nw1")
    assert any(mail.to == OTTO and "You watch nw1" in mail.flat for mail in mails)
    (mail,) = drand.write("zoe@players.example", "TAKEOVER nw1")
    assert "nw1 waits for its dice; write again in a few minutes." in mail.flat
    assert {mail.to for mail in fall(drand)} >= {OTTO, *PLAYERS}


def test_the_others_deadlines_stand_still_and_have_their_time_back(house: World) -> None:
    begun(house, "toy", "t1", players=3)
    fall(house, "t1")
    house.wait(hours=3)
    left = {a.key: a.due_at - house.clock.now() for a in house.alarms("deadline", "t1")}
    assert len(left) == 3
    house.reply(ANNA, "TOSS")
    assert house.status("t1") == "sealed" and house.alarms("deadline", "t1") == []
    (tossed,) = [seal for seal in house.log(Sealed, "t1") if seal.hidden][-1:]
    assert tossed.round
    at = house.clock.now()
    fall(house, "t1")
    assert len(house.log(Acted, "t1")) == 1
    again = {a.key: a.due_at - house.clock.now() for a in house.alarms("deadline", "t1")}
    assert again.keys() == left.keys() and all(again[key] == left[key] for key in left), house.clock.now() - at
    assert len(house.alarms("reminder", "t1")) == 6
    house.reply(BEN, "BID 2 coins\nROLL OUT")
    house.wait(hours=25)
    fall(house, "t1")
    sound(house, "t1")


# ---------------------------------------------------------------- acts, hidden throws, whole games


def test_an_act_beside_orders_has_the_share_of_a_round_as_well(house: World) -> None:
    begun(house, "toy", "t1", players=3)
    fall(house, "t1")
    (receipt,) = [mail for mail in house.reply(ANNA, "TOSS\nBID 3 coins") if mail.to == ANNA]
    assert house.log(Sealed, "t1")[-1].round and house.drawer("Ann", "orders", "t1") == ["BID 3 coins"]
    assert "Toss a copper." in receipt.flat
    fall(house, "t1")
    assert house.drawer("Ann", "orders", "t1") == ["BID 3 coins"]
    assert [alarm.seat for alarm in house.alarms("mind", "t1")] == ["Ann"]
    sound(house, "t1")


def test_a_second_act_that_the_dice_of_the_first_keep_out_is_refused_openly(house: World) -> None:
    begun(house, "toy", "t1", players=3)
    fall(house, "t1")
    (receipt,) = [mail for mail in house.reply(ANNA, "TOSS\nTOSS\nPAUSE") if mail.to == ANNA]
    assert len(house.log(Acted, "t1")) == 1 and receipt.flat.count("about to fall; write this line again") == 1
    fall(house, "t1")
    house.reply(ANNA, "TOSS")
    fall(house, "t1")
    assert len(house.log(Acted, "t1")) == 2
    sound(house, "t1")


def test_lines_of_a_game_master_after_one_that_sealed_are_refused_openly(drand: World) -> None:
    seat = drand.waits_for()
    mails = drand.reply(GINA, f'ROLL OUT {seat}\nANNOUNCE "Late."')
    (receipt,) = [mail for mail in mails if mail.to == GINA]
    assert drand.status() == "sealed"
    assert "The dice of nw1 are about to fall; write this line again when they have fallen." in receipt.flat
    assert not any("Late." in mail.flat for mail in mails if mail.to != GINA)
    fall(drand)
    sound(drand)


def test_hidden_throws_have_seals_that_nobody_is_shown(house: World) -> None:
    begun(house, "toy", "t1", players=3)
    fall(house, "t1")
    assert any(seal.hidden and seal.round for seal in house.log(Sealed, "t1"))
    _, log, _ = archived(house, "t1")
    assert b'\\"hidden\\":true' not in log
    for player in PLAYERS[:3]:
        house.reply(player, "BID 1 coin\nROLL OUT")
    fall(house, "t1")
    sound(house, "t1")
    sound_in_javascript_too(house, "t1")


@pytest.mark.parametrize("late", [None, timedelta(minutes=3)], ids=["never", "late"])
def test_a_further_part_after_a_late_close_is_closed_too(house: World, late: timedelta | None) -> None:
    begun(house, "empire", "e1", ", last_turn 6, late auto", 2)
    fall(house, "e1")
    beacon(house).late = lambda round: late
    for _ in range(4):
        waiting = house.playing("e1").outcome.open
        house.wait(hours=25)
        fall(house, "e1")
        assert house.playing("e1").outcome.over or house.playing("e1").outcome.open != waiting
    sound(house, "e1")


def test_a_slot_that_is_late_when_its_dice_fall_goes_on_to_its_end(house: World) -> None:
    """A slot in parts, of which every part throws dice: closed at its deadline, all its parts are the rules' to play."""
    from tests.service.test_which_sheet import InParts

    class Thrown(InParts):
        """Every part begins with a die."""

    house.office = replace(house.office, games={**house.office.games, "newworld": Thrown()})
    begun(house)
    fall(house)
    seat = house.waits_for()
    house.reply(house.on_turn(), "RESEARCH any")
    house.wait(hours=25)
    fall(house)
    assert house.waits_for() != seat


def test_a_seat_abandoned_by_a_turn_that_waits_for_its_dice_is_seen_then(drand: World) -> None:
    drand.reply(GINA, "ABANDON AFTER 1 GIVING TO dummy")
    seat = drand.waits_for()
    drand.wait(hours=25)
    mails = fall(drand)
    assert any(f"{seat} is played by a bot" in mail.flat for mail in mails)
    sound(drand)


def test_a_match_that_breaks_while_it_is_sealed_goes_on_where_it_was(
    drand: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = drand.waits_for()
    left = [alarm.due_at for alarm in drand.alarms("deadline")]
    drand.reply(drand.on_turn(), "HIRE 1 worker\nROLL OUT")
    with monkeypatch.context() as broken:
        broken.setattr("referee.service.intake.deadlines.go_on", _breaks)
        drand.wait(minutes=2)
    assert drand.status() == "shunted" and drand.alarms("dice") == [] and left
    (mail,) = [mail for mail in drand.reply(GINA, "STATUS") if mail.to == GINA]
    assert "could not be run on" in mail.flat
    (mail,) = [mail for mail in drand.reply(GINA, "ANNOUNCE Hello\nSTATUS") if mail.to == GINA]
    assert "nothing is taken but" in mail.flat
    drand.reply(GINA, "RESUME")
    assert drand.status() in ("running", "sealed")
    fall(drand)
    assert drand.waits_for() != seat and drand.log(Opened)[-1].signature
    with drand.store.look() as step:
        assert kept_clock(step, "nw1") == []
    sound(drand)


def _breaks(*_: object) -> None:
    raise KeyError("a fault of the program")


def test_a_broken_match_that_is_sealed_can_be_rewound(drand: World) -> None:
    drand.reply(drand.on_turn(), "HIRE 1 worker\nROLL OUT")
    shunt(drand.office, "nw1", "a fault of the program")
    drand.reply(GINA, "REWIND TO TURN 1")
    fall(drand)
    assert drand.status() == "running" and drand.playing().turn == 1 and drand.alarms("deadline")
    drand.reply(drand.on_turn(), "ROLL OUT")
    fall(drand)
    sound(drand)


# ---------------------------------------------------------------- another program


def _another(world: World, monkeypatch: pytest.MonkeyPatch, build: str) -> list[Mail]:
    monkeypatch.setattr(NewWorld, "build", build)
    playing._CACHE.clear()
    world.office = replace(world.office, build=build)
    look_after_all(world.office)
    return world.work()


def test_another_program_with_the_same_rules_waits_for_the_same_dice(
    drand: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = drand.on_turn()
    drand.reply(player, "HIRE 1 worker\nROLL OUT")
    first = drand.log(Sealed)[-1]
    _another(drand, monkeypatch, "another")
    again = drand.log(Sealed)[-1]
    assert again.again == first.number and again.round == first.round and drand.status() == "sealed"
    fall(drand)
    assert drand.log(Opened)[-1].number == first.number and drand.log(Opened)[-1].signature
    assert drand.waits_for() != drand.seat(player)
    sound(drand)
    sound_in_javascript_too(drand)
    drand.reply(GINA, "TERMINATE")
    sound(drand)
    sound_in_javascript_too(drand)


def test_another_program_throws_no_die_anew_that_has_fallen(house: World, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(house, more=", mode two_step")
    fall(house)
    house.reply(house.on_turn(), "HIRE 1 worker\nROLL OUT")
    fall(house)
    before = [event for event in house.playing().outcome.events if isinstance(event, Rolled | Drawn)]
    assert before and house.playing().outcome.open
    mend(
        monkeypatch,
        phases,
        "event_phase",
        '"Event check", "nw.event.check"',
        '"Event check", "nw.event.privateers"',
    )
    _another(house, monkeypatch, "mended")
    after = [event for event in house.playing().outcome.events if isinstance(event, Rolled | Drawn)]
    assert [event.faces for event in after] == [event.faces for event in before] and house.status() == "running"
    house.wait(hours=25)
    fall(house)
    sound(house)


class DieFirst(NewWorld):
    """Rules that throw a die at the beginning of every turn, before anybody is asked."""

    build = "die first"

    def next_phase(self, state: State) -> Phase[State] | None:
        phase = super().next_phase(state)
        if phase is None:
            return None
        return Phase(phase.key, phase.turn, phase.title, partial(_die_first, phase.script))


def _die_first(script: Callable[[Table[State]], Script[None]], table: Table[State]) -> Script[None]:
    table.roll(1, 6, "The weather", "nw.event.check")
    yield from script(table)


def test_rules_that_throw_dice_earlier_lose_nothing_that_was_given_after(drand: World) -> None:
    player, seat = drand.on_turn(), drand.waits_for()
    drand.reply(player, "HIRE 1 worker")
    playing._CACHE.clear()
    drand.office = replace(drand.office, build="die first", games={**drand.office.games, "newworld": DieFirst()})
    look_after_all(drand.office)
    drand.work()
    fall(drand)
    assert drand.waits_for() == seat and drand.drawer(seat, "orders") == ["HIRE 1 worker"]
    sound(drand)
    drand.reply(player, "ROLL OUT")
    fall(drand)
    assert drand.waits_for() != seat
    sound(drand)


# ---------------------------------------------------------------- LUCK


def test_a_word_for_luck_goes_into_the_key_of_all_dice_to_come(match: World, sealed_dice: None) -> None:
    player, seat = match.on_turn(), match.waits_for()
    other = next(one for one in PLAYERS if one != player)
    (receipt,) = match.reply(other, "LUCK four-leaf  clover, and honey")
    assert (
        "“four-leaf clover, and honey” stands in the log" in receipt.flat and "every die still to come" in receipt.flat
    )
    (luck,) = match.log(Luck)
    assert (luck.seat, luck.word) == (match.seat(other), "four-leaf clover, and honey")
    match.reply(player, "ROLL OUT")
    assert match.waits_for() != seat
    assert any("four-leaf clover, and honey" in mail.flat for mail in match.all_mail() if mail.kind == "report")


@pytest.mark.parametrize(("word", "taken"), [("x", True), ("y" * 40, True), ("z" * 41, False)])
def test_a_word_for_luck_has_one_to_forty_characters(match: World, word: str, taken: bool) -> None:
    (receipt,) = match.reply(ANNA, f"LUCK {word}")
    assert [luck.word for luck in match.log(Luck)] == ([word] if taken else [])
    assert taken or "may have 1 to 40" in receipt.flat


def test_luck_is_for_players_and_for_dice_that_are_still_to_come(match: World) -> None:
    (receipt,) = match.reply(GINA, "LUCK clover")
    assert match.log(Luck) == [] and "NOTHING USABLE" in receipt.flat
    (receipt,) = match.reply(ANNA, "HELP LUCK")
    assert "the key of every die still to come" in receipt.flat
    match.reply(GINA, "TERMINATE")
    (receipt,) = match.reply(ANNA, "LUCK clover")
    assert match.log(Luck) == [] and "no die of it is to come" in receipt.flat


def test_luck_that_comes_while_a_match_is_sealed_waits(drand: World) -> None:
    player = drand.on_turn()
    drand.reply(player, "ROLL OUT")
    assert drand.reply(player, "LUCK clover") == [] and drand.log(Luck) == []
    fall(drand)
    assert [luck.word for luck in drand.log(Luck)] == ["clover"]
    sound(drand)


# ---------------------------------------------------------------- whole matches


def _answers(world: World, match: str, rng: random.Random) -> None:
    """Somebody who owes something answers at random from what is asked, or ends his slot with what is on file."""
    question = rng.choice(world.playing(match).outcome.open)
    player = world.player(question.seat, match)
    body = "ROLL OUT" if question.wants_orders else f"CHOOSE {rng.choice(question.menu.words())}"
    world.reply(player, body)


def _whims(round: int) -> timedelta | None:
    """A beacon that mostly has the round at once, sometimes lags, and sometimes has none."""
    whim = random.Random(round).random()
    return None if whim < 0.05 else timedelta(minutes=whim * 5) if whim < 0.3 else timedelta()


WHOLE = {
    "newworld": (", mode two_step, last_round 40", 2),
    "war27": (", decisions interactive, last_turn 3, simultaneous yes", 2),
    "war17": (", decisions interactive, end hour, last_turn 3", 2),
    "empire": (", last_turn 6, late auto, start armed", 1),
}
"""For each game its settings, and with how many bots two players play it."""


def played(world: World, game: str, letters: int, seed: int) -> int:
    """A match of two players and some bots by letter and by the clock; how often it was sealed."""
    rng, (options, bots) = random.Random(f"{game} {seed}"), WHOLE[game]
    beacon(world).late = _whims
    world.write(GINA, f"CREATE {game} AS m1 WITH beacon drand{options}")
    for player in PLAYERS[:2]:
        world.write(player, "JOIN m1")
    world.reply(GINA, f"DUMMY {bots} m1", kind="receipt")
    world.reply(GINA, "START m1", kind="receipt")
    for _ in range(letters):
        fall(world, "m1")
        now = world.playing("m1")
        if now.outcome.over:
            break
        with world.store.look() as step:
            assert {question.key for question in now.outcome.open} == slots_in(step.alarms("m1"))
        if rng.random() < 0.6:
            _answers(world, "m1", rng)
        else:
            world.wait(hours=25)
    fall(world, "m1")
    assert world.letters("shunted") == [] and world.letters("held") == [] and world.status("m1") in ("running", "over")
    assert {len(mails) for mails in _answered(world).values()} == {1}
    sound(world, "m1")
    sound_in_javascript_too(world, "m1")
    return len([seal for seal in world.log(Sealed, "m1") if seal.round])


def _answered(world: World) -> dict[str, list[Mail]]:
    """The letters that answer, by what they answer: nobody is left without an answer, nobody has two."""
    found: dict[str, list[Mail]] = {}
    for mail in world.all_mail():
        if mail.answers and not asks_for_yes(mail):
            found.setdefault(mail.answers, []).append(mail)
    return found


@pytest.mark.parametrize("game", few(2, WHOLE))
def test_a_game_is_played_by_letter_with_a_beacon_of_whims(house: World, game: str) -> None:
    assert played(house, game, 40 if game.startswith("war") else 14, 1) > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", WHOLE)
def test_long_games_are_played_by_letter_with_a_beacon_of_whims(house: World, game: str, seed: int) -> None:
    assert played(house, game, 120, seed) > 10


def test_a_house_that_lost_its_beacon_says_in_the_report_that_dice_had_no_round(drand: World) -> None:
    """They fall all the same, or the match would stand still for ever; nobody is left to believe that they were better."""
    drand.office = replace(drand.office, randomness=None)
    mails = drand.reply(drand.on_turn(), "HIRE 1 worker\nROLL OUT")
    reports = [mail for mail in mails if mail.is_a("report")]
    assert reports and all("Round of the beacon: none" in mail.flat for mail in reports)


def test_a_match_that_asks_for_no_beacon_hears_nothing_of_rounds(house: World) -> None:
    house.write(GINA, "CREATE newworld AS nw2 WITH beacon letters")
    for player in PLAYERS:
        house.write(player, "JOIN nw2")
    house.reply(GINA, "START nw2", kind="receipt")
    reports = [mail for mail in house.reply(house.on_turn("nw2"), "HIRE 1 worker\nROLL OUT") if mail.is_a("report")]
    assert reports and not any("of the beacon" in mail.flat for mail in reports)
