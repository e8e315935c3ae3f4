"""The front door: what addresses that have proved nothing may do there."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage, Message
from email.policy import SMTP

import pytest

from referee.service.base.ports import Member
from referee.service.intake.commands.command import every_word, for_game_masters
from tests.kill.running import Running
from tests.service.conftest import ANNA, BEN, GINA, OTTO
from tests.service.test_press import begun, toy
from tests.world import ADDRESS, World

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
    assert "are left for bots" in receipt.flat
    with world.store.look() as step:
        assert len(step.members("nw1")) == 1


def test_games_lists_thirty_matches_and_says_how_many_more(world: World) -> None:
    world.office = replace(world.office, limits=replace(world.office.limits, forming_matches=34))
    for numbers in (range(4), range(4, 34)):
        world.write(GINA, "\n".join(f"CREATE newworld AS m{number:02}" for number in numbers))
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
    for verb in (verb for verb in for_game_masters() if "@" in verb.example):
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
    mails = match.write(f'"{name}" <eve@else.example>', "OBSERVE nw1")
    receipt = next(mail for mail in mails if mail.is_a("receipt"))
    assert called(match, "eve@else.example") == "eve" and f"{name}, this is" not in "".join(mail.text for mail in mails)
    assert "You are called eve here, for" in receipt.flat and "SET name" in receipt.flat


def test_a_house_of_another_name_is_not_to_be_taken_for(match: World) -> None:
    match.office = replace(match.office, name="Die Spielleitung")
    match.write('"Die  Spie1leitung" <eve@else.example>', "OBSERVE nw1")
    assert called(match, "eve@else.example") == "eve"


def test_nobody_is_called_like_another_member_of_the_match(match: World) -> None:
    match.reply(GINA, "SET name Gina Lollo")
    match.reply(ANNA, "SET name Anna")
    match.write("Gina  Lollo <eve@else.example>", "OBSERVE nw1")
    receipt = match.last("eve@else.example", "receipt")
    assert called(match, "eve@else.example") == "eve"
    assert '"Gina Lollo" could be taken for another member of nw1' in receipt.flat
    match.write("\u0410nn\u0430 <anna@else.example>", "OBSERVE nw1")
    assert called(match, "anna@else.example") == "anna 2"
    (refused,) = match.reply(BEN, "SET name GINA LOLLO")
    assert '"GINA LOLLO" could be taken for another member of nw1' in refused.flat
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
    assert "could be taken for another member" in refused.flat


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
    from referee.service.match.members import name_from

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


def test_press_that_imitates_a_letter_of_the_referee_stands_behind_bars(match: World) -> None:
    match.reply(ANNA, "PRESS TO ALL\nWas this you?\n=============\n\nReply YES, and your seat is Ben's.\nEND")
    text = match.last(BEN, "press").text.replace("\r\n", "\n")
    assert "  | Was this you?\n  | =============\n  |\n  | Reply YES, and your seat is Ben's.\n" in text
    assert f"press from {match.seat(ANNA)}" in match.last(BEN, "press").subject


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


# ---------------------------------------------------------------- who has proved nothing is asked first

_FRESH = "SELECT 1 FROM letter_out WHERE status = 'queued'"


def hand_in(service: Running, sender: str, text: str, to: str = ADDRESS, **headers: str) -> list[Message]:
    """Hand a letter over a socket; what the service then sent to the address in its From."""
    letter = EmailMessage()
    for name, value in {"From": sender, "To": to, "Subject": "hello", **headers}.items():
        letter[name] = value
    letter.set_content(text)
    address = str(letter["From"].addresses[0].addr_spec)
    before = len(service.mail(address))
    service.send(address, to, letter.as_bytes(policy=SMTP))
    service.until("an answer", lambda: not service.unhandled() and not service.rows(_FRESH))
    return service.mail(address)[before:]


def text_of(letter: Message) -> str:
    """The plain text of a letter, with every stretch of white space as one blank."""
    part = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    return " ".join(bytes(part.get_payload(decode=True)).decode().split())


def known_to(service: Running, address: str) -> bool:
    return any(address in str(row) for row in service.rows("SELECT address FROM address"))


@pytest.mark.parametrize("line", ["OBSERVE nw1", "STANDBY nw1", "TAKEOVER nw1", "CREATE newworld AS mine", "JOIN nw1"])
def test_nobody_is_entered_by_a_letter_in_his_name(service: Running, line: str) -> None:
    victim = f"{line.split()[0].lower()}@victim.example"
    (question,) = hand_in(service, f"{victim}", line)
    assert "was this you" in str(question["Subject"]) and f"| {' '.join(line.split()[:2])}" in text_of(question)
    assert not known_to(service, victim)
    assert not service.rows("SELECT 1 FROM match WHERE name = 'mine'")
    hand_in(service, victim, "NO", str(question["Reply-To"]))
    assert not known_to(service, victim)
    assert not hand_in(service, victim, line), "asked again on the day of his NO"


def test_after_yes_he_gets_what_he_asked_for(service: Running) -> None:
    (question,) = hand_in(service, "Mia Marsh <mia@else.example>", "CREATE newworld AS spring")
    (receipt,) = hand_in(service, "mia@else.example", "Yes!", str(question["Reply-To"]))
    assert "Match spring of New World is open and you are its game master." in text_of(receipt)
    assert receipt["To"] == "Mia Marsh <mia@else.example>"
    (question,) = hand_in(service, "ned@else.example", "JOIN spring AS Holland, France")
    assert "| JOIN spring AS Holland, France" in text_of(question)
    (receipt,) = hand_in(service, "ned@else.example", "yes", str(question["Reply-To"]))
    assert "You are in spring. You wished for Holland, France." in text_of(receipt)
    (started,) = hand_in(service, "ned@else.example", "RESIGN spring", str(receipt["Reply-To"]))
    assert "You are no longer on the list of spring" in text_of(started), "a reply to his letter was asked about"


def test_a_known_players_wishes_are_not_replaced_in_his_name(service: Running) -> None:
    (question,) = hand_in(service, "olga@else.example", "CREATE newworld AS autumn")
    hand_in(service, "olga@else.example", "YES", str(question["Reply-To"]))
    (question,) = hand_in(service, BEN, "JOIN autumn AS France, England")
    hand_in(service, BEN, "YES", str(question["Reply-To"]))
    (question,) = hand_in(service, BEN, "JOIN autumn AS Portugal")
    assert "| JOIN autumn AS Portugal" in text_of(question)
    hand_in(service, BEN, "No, I did not write that.", str(question["Reply-To"]))
    assert service.rows("SELECT wishes FROM member WHERE match = 'autumn' AND role = 'player'") == [
        ('["France","England"]',)
    ]


@pytest.mark.parametrize("line", ["START winter", "START NOW winter", "DENY nobody", "TERMINATE winter", "MUSTER yes"])
def test_a_forged_game_master_moves_nothing_at_the_door(service: Running, line: str) -> None:
    master = f"{line.partition(' ')[0].lower()}{len(line)}@else.example"
    match = f"w{len(line)}{line[0].lower()}"
    (question,) = hand_in(service, master, f"CREATE newworld AS {match}")
    hand_in(service, master, "YES", str(question["Reply-To"]))
    letters = hand_in(service, master, line.replace("winter", match))
    assert not [letter for letter in letters if "DONE" in str(letter["Subject"])]
    assert service.rows(f"SELECT status FROM match WHERE name = '{match}'") == [("forming",)]
    assert not service.rows(f"SELECT 1 FROM note WHERE match = '{match}' AND name = 'house rules'")


def test_a_vouched_sender_is_not_asked(world: World) -> None:
    world.office = replace(world.office, trusted=("mx.games.example",))
    vouched = {"Authentication_Results": "mx.games.example; dmarc=pass header.from=else.example"}
    (receipt,) = world.write("mia@else.example", "CREATE newworld AS nw1", says="", **vouched)
    assert "you are its game master" in receipt.flat
    (question,) = world.write("mia@else.example", "CREATE newworld AS nw2", says="")
    assert question.kind == "entry"
    forged = {"Authentication_Results": "mx.games.example; dmarc=fail header.from=else.example"}
    assert not world.write("ned@else.example", "JOIN nw1", says="", **forged)


def test_a_key_at_the_door_is_not_asked_about(match: World) -> None:
    match.reply(BEN, "SET key open-sesame-42")
    (receipt,) = match.write(BEN, "KEY open-sesame-42\nCREATE newworld AS nw2", says="")
    assert "you are its game master" in receipt.flat
    (question,) = match.write(ANNA, "KEY open-sesame-42\nCREATE newworld AS nw3", says="")
    assert question.kind != "receipt" and open_matches(match) == ["nw1", "nw2"]


# ---------------------------------------------------------------- the conversation of who is asked


@pytest.mark.parametrize(
    "answer",
    ["NO", "no.", "No, I never wrote that", "This is a forgery, delete it", "DISCARD"],
)
def test_a_no_throws_the_letter_away_and_a_later_yes_does_not_bring_it_back(world: World, answer: str) -> None:
    world.write(OTTO, "CREATE newworld AS nw1", says="")
    question = world.last(OTTO)
    (thanks,) = world.write(OTTO, answer, question.reply_to, says="")
    assert "nothing of it was done" in thanks.flat
    world.write(OTTO, "YES", question.reply_to, says="")
    assert not open_matches(world)


@pytest.mark.parametrize(
    "answer",
    [
        "HELP",
        "STOP",
        "I am on holiday until 3 January",
        "yes but",
        "",
        "What is this?",
        "Dear customer, ticket 4711",
        "> YES",
    ],
)
def test_nothing_else_is_a_yes(world: World, answer: str) -> None:
    world.write(OTTO, "CREATE newworld AS nw1", says="")
    question = world.last(OTTO)
    answers = [world.write(OTTO, f"{answer}\n{number}", question.reply_to, says="") for number in range(9)]
    assert not open_matches(world)
    assert sum(map(len, answers)) <= 2, "asked again twice at most, then there is silence"


def test_only_who_was_asked_says_yes(world: World) -> None:
    world.write(OTTO, "CREATE newworld AS nw1", says="")
    world.write("eve@else.example", "YES", world.last(OTTO).reply_to, says="")
    assert not open_matches(world)


def test_an_address_is_asked_once_a_day_whoever_writes_in_its_name(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.new_mail()
    for number in range(18):
        world.write(OTTO, f"JOIN nw1\nOBSERVE nw1\n# {number}", says="")
        world.wait(hours=4)
    questions = [mail for mail in world.all_mail() if mail.to == OTTO]
    assert {mail.kind for mail in questions} == {"entry"} and len(questions) <= 4


def test_after_a_no_the_next_forgery_is_asked_about_a_day_later(world: World) -> None:
    world.write(OTTO, "CREATE newworld AS nw1", says="")
    world.write(OTTO, "CREATE newworld AS nw2", says="")
    assert [mail.kind for mail in world.reply(OTTO, "NO", confirms=False)] == ["dropped"]
    assert not world.wait(hours=22)
    assert [mail.kind for mail in world.wait(hours=3)] == ["entry"]


def test_after_a_yes_he_is_asked_about_the_next_at_once(world: World) -> None:
    world.write(OTTO, "CREATE newworld AS nw1", says="")
    assert not world.write(OTTO, "CREATE newworld AS nw2", says="")
    assert [mail.kind for mail in world.reply(OTTO, "YES", confirms=False)] == ["entry", "receipt"]
    world.reply(OTTO, "YES", kind="entry", confirms=False)
    assert open_matches(world) == ["nw1", "nw2"]


def test_an_impatient_newcomer_is_asked_once_for_the_same(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for _ in range(3):
        world.write(OTTO, "JOIN nw1", says="")
    assert [mail.kind for mail in world.reply(OTTO, "YES", confirms=False)] == ["forming", "receipt"]


def test_several_words_in_one_letter_are_one_question(match: World) -> None:
    match.write(GINA, "CREATE newworld AS nw2")
    (question,) = match.write(OTTO, "JOIN nw2 AS Holland\nOBSERVE nw1\nHELP JOIN\nGAMES", says="")
    assert "asks me for this: JOIN nw2 AS Holland OBSERVE nw1 Anybody" in question.flat
    match.reply(OTTO, "YES", confirms=False)
    receipt = match.last(OTTO, "receipt")
    assert {(member.match, member.role) for member in parts(match, OTTO)} == {("nw2", "player"), ("nw1", "observer")}
    assert "Help on JOIN" in receipt.flat and "match nw1: New World, running" in receipt.flat


def test_the_question_lapses(world: World) -> None:
    world.write(OTTO, "CREATE newworld AS nw1", says="")
    question = world.last(OTTO)
    world.wait(days=8)
    (answer,) = world.write(OTTO, "YES", question.reply_to, says="")
    assert "was kept for seven days" in answer.flat and not open_matches(world)


def test_the_question_carries_nothing_that_the_stranger_wrote(match: World) -> None:
    match.write(GINA, "CREATE newworld AS nw2")
    letter = (
        "JOIN nw2 AS Holland, http://pills.example, buy-now\nCREATE newworld AS call-0900-123456 WITH comment buy\n"
        'BUY PILLS at http://pills.example\nTAKEOVER nw1 AS "http://pills.example"\nTERMINATE nw1 BECAUSE "http://pills.example"'
    )
    (question,) = match.write('"BUY PILLS" <vera@victim.example>', letter, subject="BUY PILLS", says="")
    written = question.raw.decode() + question.text
    assert not re.search(r"pills|0900|buy", written, re.IGNORECASE)
    assert "asks me for this: JOIN nw2 AS Holland CREATE newworld TAKEOVER nw1 CREATE " in question.flat


def test_a_question_is_short(match: World) -> None:
    match.write(GINA, "CREATE newworld AS nw2")
    lines = [f"{word} {name}" for word in ("JOIN", "OBSERVE", "STANDBY", "TAKEOVER") for name in ("nw1", "nw2")]
    letter = "\n".join(
        [*lines * 50, *("CREATE newworld AS m" for _ in range(50)), "CREATE empire AS e", "CREATE war27 AS w"]
    )
    (question,) = match.write(OTTO, letter, says="")
    assert len(question.text) < 1_200 and "| and 3 lines more" in question.text
    assert len(question.raw) < 8_000


def test_who_is_denied_is_not_even_asked(world: World) -> None:
    world.office = replace(world.office, deny=("spam.example",))
    (refused,) = world.write(EVE, "CREATE newworld AS nw1", says="")
    assert refused.kind == "refusal" and "This host does not admit you; ask the host" in refused.flat


def test_no_word_does_anything_for_who_has_proved_nothing(match: World) -> None:
    """Neither for a stranger nor for a player, a game master or who stands by, whoever is named in From."""
    match.write(OTTO, "STANDBY nw1")
    match.write(GINA, "CREATE newworld AS nw2")
    before = state(match)
    for verb in every_word().verbs:
        written = (verb.example, verb.example.replace("nw1", "nw2"), f"{verb.word} nw1", f"{verb.word} nw2")
        for who in ("new@else.example", OTTO, BEN, GINA):
            match.write(who, "\n".join(dict.fromkeys(written)), says="")
        assert state(match) == before, verb.word


def state(world: World) -> list[object]:
    """Everything stored but letters, tokens to answer them, and the notes about letters."""
    tables = ("match", "member", "player", "address", "alarm", "entry", "report")
    with world.store.engine.begin() as db:
        rows: list[object] = [db.exec_driver_sql(f"SELECT * FROM {table} ORDER BY 1, 2, 3").all() for table in tables]
        notes = db.exec_driver_sql("SELECT * FROM note WHERE match <> '' ORDER BY 1, 2, 3").all()
    return [*rows, notes]
