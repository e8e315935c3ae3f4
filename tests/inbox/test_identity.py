"""Who wrote a letter: a key, a mail server that is trusted, a token from a strange address, a forgery, a further address."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.bootstrap.offices import opened
from referee.config import load
from referee.service.base import notes
from referee.service.base.ports import LetterOut
from referee.service.intake.inbox import handle_new
from referee.service.post.tray import written
from tests.commands import app
from tests.service.conftest import ANNA, GINA, OTTO, PLAYERS, begin
from tests.world import ADDRESS, Mail, World

OURS = "mx.games.example"
KEY = "open-sesame-42"


def trusting(world: World) -> World:
    """The same referee behind a mail server whose word on senders it believes."""
    world.office = replace(world.office, trusted=(OURS,))
    return world


def said(result: str) -> dict[str, str]:
    return {"Authentication_Results": f"{OURS}; {result}"}


PASSED = said("dmarc=pass header.from=players.example")
FAILED = said("dmarc=fail header.from=players.example")


def with_key(world: World, player: str) -> World:
    (receipt,) = world.reply(player, f"SET key {KEY}")
    assert "Your key is set" in receipt.flat
    return world


def orders(world: World) -> list[str]:
    return world.drawer(world.waits_for(), "orders")


def challenged(mails: list[Mail]) -> Mail:
    (challenge,) = mails
    assert "please confirm your letter" in challenge.subject
    return challenge


def verdict(world: World, status: str = "done") -> str:
    return world.letters(status)[-1].verdict


# ---------------------------------------------------------------- keys


def test_a_letter_with_the_key_counts_without_a_token(match: World) -> None:
    player = match.on_turn()
    with_key(match, player)
    (receipt,) = match.write(player, f"KEY {KEY}\nRESEARCH any")
    assert "] COMPLETE" in receipt.subject and receipt.to == player
    assert orders(match) == ["RESEARCH any"]
    assert verdict(match).startswith("a letter without a token; his key")


@pytest.mark.parametrize("line", ["KEY wrong-sesame", f"> KEY {KEY}", f"the KEY {KEY}", f"KEY {KEY.upper()}"])
def test_another_key_does_not_count(match: World, line: str) -> None:
    player = match.on_turn()
    with_key(match, player)
    challenged(match.write(player, f"{line}\nRESEARCH any"))
    assert orders(match) == []


def test_anothers_key_does_not_count(match: World) -> None:
    with_key(match, match.on_turn())
    other = next(p for p in PLAYERS if p != match.on_turn())
    challenged(match.write(other, f"KEY {KEY}\nRESEARCH any"))


def test_a_key_is_nowhere_but_in_the_raw_letter(match: World) -> None:
    player = match.on_turn()
    with_key(match, player)
    match.write(player, f"KEY {KEY}\nRESEARCH anything at all\n> KEY {KEY}")
    assert all(KEY not in mail.raw.decode() + mail.text + mail.html for mail in match.all_mail())
    with match.store.look() as step:
        assert all(KEY not in repr(entry) for entry in step.entries("nw1"))
        assert KEY not in "".join(kept.text for kept in notes.CORRECTIONS.every(step, "nw1").values())
    assert all(KEY not in letter.verdict for status in ("done", "ignored") for letter in match.letters(status))


def test_a_short_key_is_refused(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "SET key sesame")
    assert "A key needs at least 8 characters" in receipt.flat
    assert "sesame" not in receipt.text


def test_a_key_cannot_be_set_without_a_token(match: World) -> None:
    player = match.on_turn()
    challenge = challenged(match.write(player, f"SET key {KEY}"))
    challenged(match.write(player, f"KEY {KEY}\nRESEARCH any"))
    (receipt,) = match.write(player, "yes", challenge.reply_to)
    assert "Your key is set" in receipt.flat
    (receipt,) = match.write(player, f"KEY {KEY}\nRESEARCH any")
    assert "] COMPLETE" in receipt.subject


def test_a_key_does_not_set_another(match: World) -> None:
    player = match.on_turn()
    with_key(match, player)
    (receipt,) = match.write(player, f"KEY {KEY}\nSET key another-sesame\nSTATUS")
    assert "A key is set only by a reply to a letter of mine" in receipt.flat
    challenged(match.write(player, "KEY another-sesame\nRESEARCH any"))


def test_a_key_cannot_be_guessed_for_long(match: World) -> None:
    player = match.on_turn()
    with_key(match, player)
    for number in range(20):
        match.write(player, f"KEY guess-number-{number}\nRESEARCH any")
    match.write(player, f"KEY {KEY}\nRESEARCH any")
    assert orders(match) == []
    match.wait(hours=12, minutes=1)
    match.reply(player, "STATUS")
    match.write(player, f"KEY {KEY}\nRESEARCH any")
    assert orders(match) == ["RESEARCH any"]


def test_with_two_matches_the_key_alone_does_not_say_which(match: World) -> None:
    begin(match, match="nw2")
    player = match.on_turn()
    with_key(match, player)
    match.new_mail()
    (answer,) = match.write(player, f"KEY {KEY}\nRESEARCH any")
    assert "You take part in nw1 and nw2" in answer.flat
    (receipt,) = match.write(player, f"KEY {KEY}\nRESEARCH any", subject="Re: [nw1] orders")
    assert "COMPLETE" in receipt.subject


# ---------------------------------------------------------------- trusted mail servers


def test_a_letter_that_a_trusted_server_vouches_for_counts_without_a_token(match: World) -> None:
    player = match.on_turn()
    (receipt,) = trusting(match).write(player, "RESEARCH any", **PASSED)
    assert "] COMPLETE" in receipt.subject
    assert orders(match) == ["RESEARCH any"]
    assert "dmarc=pass for players.example" in verdict(match)


@pytest.mark.parametrize(
    "result", ["spf=pass smtp.mailfrom=players.example", "dmarc=pass header.from=evil.example", "none", "dkim=pass"]
)
def test_less_than_that_is_challenged(match: World, result: str) -> None:
    challenged(trusting(match).write(match.on_turn(), "RESEARCH any", **said(result)))
    assert orders(match) == []


def test_a_forged_letter_is_not_done_and_only_the_player_hears_of_it(match: World) -> None:
    player = match.on_turn()
    challenge = challenged(trusting(match).write(player, "ROLL OUT", **FAILED))
    assert challenge.to == player
    assert match.closed() == []
    assert verdict(match).startswith("forged")


def test_a_forged_letter_with_a_good_token_is_challenged_and_confirmed(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    challenge = challenged(trusting(match).write(player, "RESEARCH any", to, **FAILED))
    assert orders(match) == []
    (receipt,) = match.write(player, "YES", challenge.reply_to, **FAILED)
    assert "] COMPLETE" in receipt.subject and orders(match) == ["RESEARCH any"]


def test_a_key_in_a_forged_letter_proves_nothing(match: World) -> None:
    player = match.on_turn()
    with_key(match, player)
    challenged(trusting(match).write(player, f"KEY {KEY}\nRESEARCH any", **FAILED))
    assert orders(match) == []


def test_a_letter_forged_in_a_strangers_name_is_not_answered(match: World) -> None:
    assert trusting(match).write("otto@players.example", "GAMES", **FAILED) == []


def test_nobody_joins_by_a_forged_letter(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    world.write(GINA, "CREATE newworld AS nw2")
    trusting(world).write(ANNA, "JOIN nw2", **FAILED)
    with world.store.look() as step:
        assert [m.role for m in step.members("nw2")] == ["gm"]


# ---------------------------------------------------------------- a token from elsewhere


def test_orders_from_a_strange_address_count_and_the_player_is_told(match: World) -> None:
    player = match.on_turn()
    (receipt,) = match.write("ben@elsewhere.example", "RESEARCH any", match.last(player).reply_to)
    assert receipt.to == player and orders(match) == ["RESEARCH any"]
    assert "ben@elsewhere.example, which is none of your addresses" in receipt.flat


def test_of_each_strange_address_a_player_is_told_once(match: World) -> None:
    player = match.on_turn()
    name, _, host = player.partition("@")
    one, other = f"{name}+games@{host}", "ben@elsewhere.example"
    told = []
    for sender in (one, one.upper(), other, one, other):
        (receipt,) = match.write(sender, "STATUS", match.last(player).reply_to)
        assert receipt.to == player
        told.append([address for address in (one, other) if f"SET address {address}" in receipt.flat])
        assert ("none of your addresses" in receipt.flat) == bool(told[-1])
    assert told == [[one], [], [other], [], []]


def test_of_two_mailboxes_in_from_the_player_is_told_the_truth(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    raw = f"From: {player}, eve@x.example\r\nTo: {to}\r\nMessage-ID: <2@x>\r\n\r\nRESEARCH any\r\n".encode()
    match.put(raw, player, to)
    (receipt,) = match.work()
    assert receipt.to == player and f"named 2 senders, {player} and eve@x.example" in receipt.flat


@pytest.mark.parametrize("words", ['PAUSE BECAUSE "x"', "TERMINATE", "REWIND TO TURN 1", 'RULING "I win."'])
def test_a_game_masters_word_from_a_strange_address_must_be_confirmed(match: World, words: str) -> None:
    before = match.entries()
    challenge = challenged(match.write("gina@elsewhere.example", words, match.last(GINA).reply_to))
    assert challenge.to == GINA and match.entries() == before
    match.write(GINA, "Yes.", challenge.reply_to)
    assert match.entries() != before or "REWIND" in words


def test_a_game_master_may_ask_from_anywhere(match: World) -> None:
    (receipt,) = match.write("gina@elsewhere.example", "STATUS", match.last(GINA).reply_to)
    assert "DONE" in receipt.subject and receipt.to == GINA


@pytest.mark.parametrize("words", [f"SET key {KEY}", "SET address eve@evil.example", "SET  Address eve@evil.example"])
def test_a_leaked_token_does_not_let_its_finder_in_for_good(match: World, words: str) -> None:
    player = match.on_turn()
    challenge = challenged(match.write("eve@evil.example", words, match.last(player).reply_to))
    assert challenge.to == player


# ---------------------------------------------------------------- several addresses

NEW = "anna.two@work.example"


def asked(world: World, player: str, new: str = NEW) -> Mail:
    mails = {mail.to: mail for mail in world.reply(player, f"SET address {new}")}
    assert set(mails) == {player, new}
    return mails[new]


def test_an_address_that_answers_yes_is_known_from_then_on(match: World) -> None:
    player = match.on_turn()
    question = asked(match, player)
    assert "says that anna.two@work.example is an address of his too" in question.flat
    (told,) = match.write(NEW, "Yes.\n\n> Is this address yours?", question.reply_to)
    assert told.to == player and NEW in told.flat
    (receipt,) = match.write(NEW, "RESEARCH any", match.last(player, "started").reply_to)
    assert receipt.to == player and "none of your addresses" not in receipt.flat
    challenge = challenged(match.write(NEW, "ROLL OUT"))
    assert challenge.to == player


def test_letters_go_to_another_address_once_it_is_known_and_both_are_told(match: World) -> None:
    player = match.on_turn()
    question = asked(match, player)
    (told,) = match.write(NEW, "YES", question.reply_to)
    assert f"letters to you still go to {player}, until you write SET address {NEW} once more" in told.flat
    moved = {mail.to: mail.flat for mail in match.reply(player, f"SET address {NEW}")}
    assert f"Letters to you go to {NEW} from now on; you may write from {NEW} and {player}." in moved[player]
    assert "If you did not ask for that, tell your game master at once." in moved[player]
    assert f"Letters to you come here from now on, and no more to {player}." in moved[NEW]
    (receipt,) = match.write(player, "RESEARCH any", match.last(player, "started").reply_to)
    assert receipt.to == NEW
    (again,) = match.reply(NEW, f"SET address {NEW}")
    assert f"Letters to you go to {NEW} already." in again.flat
    back = {mail.to: mail.flat for mail in match.reply(NEW, f"SET address {player}")}
    assert f"Letters to you go to {player} from now on" in back[NEW]
    (receipt,) = match.write(NEW, "RESEARCH any", match.last(player, "started").reply_to)
    assert receipt.to == player


@pytest.mark.parametrize(("sender", "body"), [(NEW, "Who are you?"), ("eve@evil.example", "YES"), (NEW, "")])
def test_without_a_yes_from_there_it_is_not(match: World, sender: str, body: str) -> None:
    question = asked(match, match.on_turn())
    (answer,) = match.write(sender, body, question.reply_to)
    assert "must answer with just YES" in answer.flat
    with match.store.look() as step:
        assert step.player_at(sender) is None


def test_the_new_address_cannot_write_orders_by_what_it_was_sent(match: World) -> None:
    player = match.on_turn()
    question = asked(match, player)
    match.write(NEW, "RESEARCH any\nROLL OUT", question.reply_to)
    match.write(NEW, "YES", question.reply_to)
    (answer,) = match.write(NEW, "RESEARCH any", question.reply_to)
    assert "has done its work" in answer.flat
    assert orders(match) == [] and match.closed() == []


@pytest.mark.parametrize("address", ["nonsense", "", f"{OTTO}, x@y.example", "a@b", GINA])
def test_an_address_that_cannot_be_his_is_refused(match: World, address: str) -> None:
    player = match.on_turn()
    (receipt,) = match.reply(player, f"SET address {address}")
    assert receipt.to == player and "NOTHING USABLE" in receipt.subject


def test_nobody_else_becomes_reachable_by_the_new_address(match: World) -> None:
    """It is entered beside the old one, which stays the one letters go to."""
    player = match.on_turn()
    match.write(NEW, "YES", asked(match, player).reply_to)
    with match.store.look() as step:
        found = step.player_at(NEW)
    assert found is not None and found.addresses == (player, NEW)
    assert ADDRESS not in found.addresses


# ---------------------------------------------------------------- order, copies


def dated(world: World, minutes: int) -> dict[str, str]:
    at = world.clock.now() + timedelta(minutes=minutes)
    return {"Date": f"{at:%a, %d %b %Y %H:%M:%S +0000}"}


def letter(world: World, player: str, body: str, minutes: int, ident: str = "") -> list[Mail]:
    to = world.last(player, "started").reply_to
    head = {"From": player, "To": to, "Message-ID": ident or f"<{body}{minutes}@x>", **dated(world, minutes)}
    raw = "\r\n".join([*(f"{n}: {v}" for n, v in head.items()), "", body, ""]).replace(" any", " any").encode()
    world.put(raw, player, to)
    return world.work()


def test_an_older_letter_that_comes_late_does_not_displace_the_newer(match: World) -> None:
    player = match.on_turn()
    letter(match, player, "RESEARCH any", -5)
    challenge = challenged(letter(match, player, "RESEARCH any KEEPING 5 gold", -10))
    assert "written before another one that I have taken" in challenge.flat
    assert orders(match) == ["RESEARCH any"]
    assert verdict(match).startswith("overtaken by a newer letter")
    match.write(player, "YES", challenge.reply_to)
    assert orders(match) == ["RESEARCH any KEEPING 5 gold"]


def test_a_newer_letter_counts(match: World) -> None:
    player = match.on_turn()
    letter(match, player, "RESEARCH any", -10)
    letter(match, player, "RESEARCH any KEEPING 5 gold", -5)
    assert orders(match) == ["RESEARCH any KEEPING 5 gold"]


def test_a_clock_that_runs_ahead_does_not_refuse_later_letters(match: World) -> None:
    player = match.on_turn()
    letter(match, player, "RESEARCH any", 60 * 24 * 365)
    match.clock.advance(timedelta(minutes=1))
    letter(match, player, "RESEARCH any KEEPING 5 gold", 0)
    assert orders(match) == ["RESEARCH any KEEPING 5 gold"]


def test_two_letters_with_one_message_id_are_both_taken_and_flagged(match: World) -> None:
    player = match.on_turn()
    letter(match, player, "RESEARCH any", -10, "<same@x>")
    letter(match, player, "RESEARCH any KEEPING 5 gold", -5, "<same@x>")
    assert orders(match) == ["RESEARCH any KEEPING 5 gold"]
    assert verdict(match).startswith("the Message-ID of another letter; a good token")
    assert letter(match, player, "RESEARCH any KEEPING 5 gold", -5, "<same@x>") == []
    assert len(match.letters("duplicate")) == 1


# ---------------------------------------------------------------- the breaker


def test_two_machines_stop_after_ten_letters_alike_and_the_game_master_hears_once(
    match: World,
) -> None:
    player = match.on_turn()
    mails: list[Mail] = []
    for number in range(30):
        mails += match.reply(player, f"I am away until Monday ({number}).")
    first, *again = [mail for mail in mails if mail.to == player]
    assert len(again) == 10 and "last answer" in again[-1].flat and "last answer" not in first.flat
    (notice,) = [mail for mail in mails if mail.to != player]
    assert notice.to == GINA and "I have fallen silent" in notice.flat


def test_of_a_strangers_machine_the_keeper_hears(world: World) -> None:
    world.office = replace(world.office, keeper="keeper@games.example")
    mails = [mail for number in range(12) for mail in world.write(OTTO, f"gibberish {number}")]
    assert [mail.to for mail in mails] == [OTTO] * 5
    (digest,) = [mail for mail in world.wait(hours=19) if mail.kind == "digest"]
    assert digest.to == "keeper@games.example"
    assert f"7 letters of the last day were kept and not answered: {OTTO} (7)." in digest.flat
    assert len(world.letters("unanswered")) == 7


# ---------------------------------------------------------------- trusted_authserv, from the settings to the letter


PASSES = "dmarc=pass header.from=players.example"
FAILS = "dmarc=fail header.from=players.example"


@pytest.fixture
def house(tmp_path: Path, databases: Path) -> Path:
    """A settings file over a database in which the match nw1 has begun, at the hour at which it began."""
    (tmp_path / "var").mkdir()
    shutil.copy(databases / "begun.sqlite", tmp_path / "var" / "referee.sqlite")
    world = World(tmp_path / "var", first=1_000)
    (tmp_path / "now").write_text(world.clock.now().isoformat() + "\n")
    world.close()
    return tmp_path / "config.toml"


def answered(settings: Path, trusted: str, results: str) -> LetterOut:
    """What Anna is answered when her mail server hands on a letter to the bare address with these results on top."""
    settings.write_text(
        f'[referee]\naddress = "{ADDRESS}"\n[receive]\ntrusted_authserv = [{trusted}]\n[clock]\nfile = "now"\n'
    )
    letter = (
        f"Authentication-Results: {results}\r\nFrom: {ANNA}\r\nTo: {ADDRESS}\r\nSubject: Re: [nw1] orders\r\n"
        "Message-ID: <authentic@players.example>\r\n\r\nORDERS\r\n"
    )
    result = CliRunner().invoke(app, ["receive", "--config", str(settings)], input=letter.encode())
    assert result.exit_code == 0, result.output
    with opened(load(settings)) as office:
        with office.store.look() as look:
            before = max(out.id for name in ("", "nw1") for out in look.outgoing(name))
        assert handle_new(office) == 1
        with office.store.look() as look:
            (answer,) = [out for name in ("", "nw1") for out in look.outgoing(name) if out.id > before]
        assert answer.recipient == ANNA
        return written(office, answer)


def is_challenge(answer: LetterOut) -> bool:
    return b"please confirm your letter" in answer.raw


def test_a_configured_servers_word_is_believed(house: Path) -> None:
    answer = answered(house, f'"other.example", "{OURS}"', f"{OURS}; {PASSES}")
    assert answer.kind == "receipt" and not is_challenge(answer)


@pytest.mark.parametrize(
    ("trusted", "results"),
    [
        (f'"{OURS}"', f"{OURS}; {FAILS}"),
        (f'"{OURS}"', f"mx.evil.example; {PASSES}"),
        (f'"{OURS}"', f"{OURS}.evil.example; {PASSES}"),
        ("", f"{OURS}; {PASSES}"),
    ],
)
def test_a_forgery_and_a_strangers_word_are_challenged(house: Path, trusted: str, results: str) -> None:
    assert is_challenge(answered(house, trusted, results))
