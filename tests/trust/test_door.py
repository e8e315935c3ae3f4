"""The front door: what addresses that have proved nothing may do there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.service.ports import Member
from referee.service.words import FOR_GAME_MASTERS, every_word
from tests.service.conftest import ANNA, BEN, GINA, OTTO
from tests.service.test_press import begun, toy
from tests.world import World

__all__ = ["toy"]

SETTINGS = """
[limits]
forming_matches = 2
refusals_a_day = 50
[gm]
deny = ["spam.example"]
"""

EVE = "eve@mail.spam.example"


def parts(world: World, address: str) -> list[Member]:
    """What an address takes part in."""
    with world.store.look() as step:
        player = step.player_at(address)
        return step.memberships(player.id) if player else []


def open_matches(world: World) -> list[str]:
    with world.store.look() as step:
        return [row.name for row in step.matches()]


# ---------------------------------------------------------------- how much a stranger may open


def test_an_address_opens_three_matches_and_no_more(world: World) -> None:
    (receipt,) = world.write(OTTO, "\n".join(f"CREATE newworld AS m{number}" for number in range(9)))
    assert open_matches(world) == ["m0", "m1", "m2"]
    assert "one address may have 3 matches open that have not begun" in receipt.flat


def test_who_calls_off_what_he_opens_opens_no_more_that_day(world: World) -> None:
    for number in range(4):
        world.write(OTTO, f"CREATE newworld AS m{number}")
        world.reply(OTTO, f"TERMINATE m{number}")
    assert open_matches(world) == ["m0", "m1", "m2"]
    world.wait(hours=25)
    assert "DONE" in world.write(OTTO, "CREATE newworld AS m4")[0].subject


def test_so_many_matches_form_here_whoever_opens_them(world: World) -> None:
    world.office = replace(world.office, limits=replace(world.office.limits, forming_in_all=4))
    for number in range(6):
        (answer,) = world.write(f"p{number}@x.example", f"CREATE newworld AS m{number}")
    assert open_matches(world) == ["m0", "m1", "m2", "m3"]
    assert "4 matches are forming here, as many as may at a time" in answer.flat


def test_an_address_waits_for_five_matches_and_no_more(world: World) -> None:
    world.office = replace(world.office, limits=replace(world.office.limits, answers_a_day=100))
    for number in range(6):
        world.write(f"p{number}@x.example", f"CREATE newworld AS m{number}")
    answers = [world.write(OTTO, f"JOIN m{number}")[0] for number in range(6)]
    assert [member.match for member in parts(world, OTTO)] == ["m0", "m1", "m2", "m3", "m4"]
    assert "RESIGN m0 makes room" in answers[-1].flat
    world.write(OTTO, "JOIN m4 AS Spain")  # where he is already he may wish again
    assert parts(world, OTTO)[-1].wishes == ("Spain",)


def test_no_more_dummies_join_than_there_are_seats(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    (receipt,) = world.reply(GINA, "DUMMY 20 nw1\nDUMMY 20 nw1")
    assert "are left for dummies" in receipt.flat
    with world.store.look() as step:
        assert len(step.members("nw1")) == 1


def test_games_lists_thirty_matches_and_says_how_many_more(world: World) -> None:
    for number in range(34):
        world.write(f"p{number // 3}@x.example", f"CREATE newworld AS m{number:02}")
        world.wait(minutes=1)
    (answer,) = world.write(OTTO, "GAMES")
    assert answer.flat.count("match m") == 30
    assert "match m33" in answer.flat and "match m03:" not in answer.flat
    assert "and 4 older ones: WHO and the name of one tells of it." in answer.flat
    (answer,) = world.write(OTTO, "JOIN nw9")
    assert len(answer.text) < 3_000


def test_a_match_that_nobody_writes_about_is_called_off_and_its_master_told_before(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    assert not world.wait(days=22)
    (warned,) = world.wait(days=2)
    assert warned.to == GINA and "nw1 will be called off" in warned.subject
    assert "answer this letter with WHO nw1" in warned.flat
    world.reply(GINA, "WHO nw1")
    assert not world.wait(days=22)
    assert [mail.to for mail in world.wait(days=2)] == [GINA]
    told = world.wait(days=8)
    assert {mail.to for mail in told} == {GINA, ANNA}
    assert "nobody wrote about it for 30 days, so it is called off" in told[0].flat
    assert "is not known as a match" in world.write(BEN, "JOIN nw1")[0].flat


def test_a_match_that_has_begun_is_never_called_off(match: World) -> None:
    assert not match.alarms("forming")


# ---------------------------------------------------------------- who is not admitted


def test_no_word_lets_in_who_is_denied(match: World) -> None:
    match.office = replace(match.office, deny=("spam.example",), limits=replace(match.office.limits, orders=2_000))
    match.write(OTTO, "CREATE newworld AS nw2")
    match.reply(BEN, "RESIGN")  # so that a seat is free
    seat = match.seat(BEN)
    for verb in every_word().verbs:
        written = (verb.example, verb.example.replace("nw1", "nw2"), f"{verb.word} nw1", f"{verb.word} nw1 AS {seat}")
        match.write(EVE, "\n".join(written))
        assert not parts(match, EVE), verb.word
    for verb in (verb for verb in FOR_GAME_MASTERS if "@" in verb.example):
        words = verb.example.replace("France", seat).split()
        match.reply(GINA, " ".join(EVE if "@" in word else word for word in words))
        assert not parts(match, EVE), verb.word


@pytest.mark.parametrize(
    "line", [f"REPLACE {{seat}} BY {EVE}", f"PROMOTE {EVE}"], ids=lambda line: str(line).partition(" ")[0]
)
def test_a_game_master_lets_in_nobody_whom_the_host_denies(match: World, line: str) -> None:
    match.office = replace(match.office, deny=("spam.example",))
    (receipt,) = match.reply(GINA, line.format(seat=match.seat(BEN)))
    assert f"This host does not admit {EVE}; ask the host" in receipt.flat
    assert not parts(match, EVE)


def test_who_stands_by_and_is_denied_since_is_passed_over(match: World) -> None:
    match.write(EVE, "STANDBY nw1")
    match.write(OTTO, "STANDBY nw1")
    match.office = replace(match.office, deny=("spam.example",))
    seat = match.seat(BEN)
    match.reply(GINA, f"REPLACE {seat}")
    assert match.player(seat) == OTTO


# ---------------------------------------------------------------- names that pretend


def called(world: World, address: str) -> str:
    with world.store.look() as step:
        player = step.player_at(address)
        assert player is not None
        return player.name


@pytest.mark.parametrize(
    "name",
    [
        "Referee",
        "The Referee of nw1",
        "R\u00e9feree",
        "R e f e r e e",
        "R\u0435f\u0435r\u0435\u0435",
        "\uff32\uff45\uff46eree",
        "Game-Master",
        "GM",
        "\u0262ame m\u0430ster",
    ],
)
def test_nobody_is_called_like_the_referee_or_a_game_master(match: World, name: str) -> None:
    (receipt,) = match.write(f'"{name}" <eve@else.example>', "OBSERVE nw1")
    assert called(match, "eve@else.example") == "eve"
    assert "You are called eve here, for" in receipt.flat and "SET name" in receipt.flat


def test_a_house_of_another_name_is_not_to_be_taken_for(match: World) -> None:
    match.office = replace(match.office, name="Die Spielleitung")
    match.write('"Die  Spie1leitung" <eve@else.example>', "OBSERVE nw1")
    assert called(match, "eve@else.example") == "eve"


def test_nobody_is_called_like_another_member_of_the_match(match: World) -> None:
    match.reply(GINA, "SET name Gina Lollo")
    match.reply(ANNA, "SET name Anna")
    (receipt,) = match.write("Gina  Lollo <eve@else.example>", "OBSERVE nw1")
    assert called(match, "eve@else.example") == "eve"
    assert "there is a Gina Lollo in nw1 already" in receipt.flat
    match.write("\u0410nn\u0430 <anna@else.example>", "OBSERVE nw1")
    assert called(match, "anna@else.example") == "anna 2"
    (refused,) = match.reply(BEN, "SET name GINA LOLLO")
    assert "there is a GINA LOLLO in nw1 already" in refused.flat
    assert called(match, BEN) != "GINA LOLLO"


def test_the_name_of_an_address_that_pretends_gives_way_to_a_number(match: World) -> None:
    match.write("referee@else.example", "OBSERVE nw1")
    assert called(match, "referee@else.example") == "player 2"


def test_where_names_are_hidden_they_cannot_be_guessed_by_taking_them(world: World) -> None:
    from tests.service.conftest import begin

    begin(world, "WITH anonymous yes")
    world.reply(ANNA, "SET name Annabel Lee")
    (taken,) = world.reply(BEN, "SET name Annabel Lee")
    assert "You are now called Annabel Lee." in taken.flat
    (refused,) = world.reply(BEN, f"SET name {called(world, GINA)}")
    assert "already" in refused.flat


def test_who_takes_a_seat_is_renamed_before_all_are_told(match: World) -> None:
    match.reply(BEN, "RESIGN")
    seat = match.seat(BEN)
    match.write('"Game Master" <eve@else.example>', f"TAKEOVER nw1 AS {seat}")
    told = match.last(GINA, "notice").flat
    assert f"{seat} is now played by eve." in told


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (f"{'Anna ' * 200}", "Anna Anna Anna Anna Anna Anna Anna Anna Anna Anna Anna Anna"),
        ("x" * 998, "x" * 60),
        ("A\u202ennA\u0007 \u200bB", "AnnA B"),
        ("BUY PILLS http://pills.example/", "eve"),
        ("cheap at pills.com", "eve"),
        ("mallory@bank.example", "eve"),
        ("J. R. R. Tolkien", "J. R. R. Tolkien"),
        ("Dr.Smith", "Dr.Smith"),
        ("安娜", "安娜"),
        ("", "eve"),
    ],
)
def test_names_are_of_a_decent_length_on_one_line_and_no_link(match: World, written: str, name: str) -> None:
    from referee.service.naming import name_from

    assert name_from(written, "eve@else.example") == name


def test_set_name_is_held_to_the_same(match: World) -> None:
    assert "A name is words alone" in match.reply(ANNA, "SET name http://pills.example")[0].flat
    assert '"Referee" could be taken for the referee' in match.reply(ANNA, "SET name Referee")[0].flat
    match.reply(ANNA, f"SET name {'Anna ' * 20}")
    assert called(match, ANNA) == " ".join(["Anna"] * 12)


# ---------------------------------------------------------------- one's own secret


@pytest.mark.parametrize(
    "written",
    [
        "PRESS TO ALL\nwrite me at {secret}\nEND",
        "BROADCAST\nwrite me at <{secret}>, soon\nEND",
        "PRESS TO game master\n{secret} {secret}\nEND",
        "PRESS TO ALL\nmailto:{coded}\nEND",
        'RESIGN BECAUSE "write to {secret}"',
    ],
)
def test_a_reply_address_never_goes_to_others(match: World, written: str) -> None:
    secret = match.last(ANNA).reply_to
    coded = secret.upper().replace("+", "%2B").replace("@", "%40")
    mails = match.reply(ANNA, written.format(secret=secret, coded=coded))
    others = [mail for mail in mails if mail.to != ANNA]
    token = secret.partition(".")[2].partition("@")[0]
    assert others and not any(token in mail.text.lower() for mail in others)
    assert any("referee+nw1.…@games.example" in mail.flat for mail in others)
    assert "It is a secret, and I took it out." in match.last(ANNA, "receipt").flat


@pytest.mark.parametrize("line", ['ANNOUNCE "{secret}"', 'COMMENT "{secret}"', 'PAUSE BECAUSE "{secret}"'])
def test_a_game_masters_reply_address_is_blotted_out_of_what_he_tells_all(match: World, line: str) -> None:
    secret = match.last(GINA).reply_to
    mails = match.reply(GINA, line.format(secret=secret)) + match.write(OTTO, "GAMES")
    token = secret.partition(".")[2].partition("@")[0]
    assert not any(token in mail.text for mail in mails)
    assert any("referee+nw1.…@games.example" in mail.flat for mail in mails)


def test_a_treaty_is_offered_without_it(toy: World) -> None:
    begun(toy)
    secret = toy.last(ANNA).reply_to
    mails = toy.reply(ANNA, f"OFFER TO Bob\nWe write to {secret} alone.\nEND")
    assert "We write to referee+t1.…@games.example alone." in next(mail for mail in mails if mail.to == BEN).flat


def test_the_diary_is_kept_without_it(match: World) -> None:
    secret = match.last(ANNA).reply_to
    match.reply(ANNA, f"DIARY\nmy address is {secret}\nEND")
    assert "my address is referee+nw1.…@games.example" in match.reply(ANNA, "SEND diary")[0].flat


def test_it_is_blotted_out_before_the_match_begins(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    secret = world.last(GINA).reply_to
    (receipt,) = world.reply(GINA, f'COMMENT nw1 "write to {secret}"')
    assert "It is a secret, and I took it out." in receipt.flat
    assert "referee+nw1.…@games.example" in world.reply(GINA, "GAMES")[0].flat
