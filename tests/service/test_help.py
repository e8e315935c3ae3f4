"""HELP alone is one screen for who asks, HELP ALL is everything; each example, sent back as printed, is read as what it says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.core.chance import Keyed
from referee.core.order import Ambiguous, Illegal, Invalid, Order
from referee.games import GAMES
from referee.orders import understand, understand_condition
from referee.service.intake.commands.command import every_word
from referee.service.intake.commands.help import Asker, help_at_the_door, situations
from referee.service.turn import preview
from tests.service.conftest import ANNA, BEN, GINA, OTTO, PLAYERS, begin
from tests.world import ADDRESS, Mail, World

_AT_THE_TABLE = {"newworld": 4, "war27": 4, "war17": 4, "empire": 3}
_SLOTS = {"newworld": 2, "war27": 10, "war17": 10, "empire": 7}
"""How many slots are rolled out before HELP is asked for: past the set-up, into the first turns."""

_NOTHING_TO_DO = {
    "YES": "no question of mine waits",
    "NO ABSENCE": "You have no absence 1 on file",
    "CHOOSE": "No question waits for your answer",
    "ACCEPT": "1 ",
    "DECLINE": "1 ",
    "WITHDRAW LINE": "You have no orders on file",
    "CONFIRM": "No proposal 1 waits",
    "OBJECT": "No proposal 1 waits",
    "UNSUBSCRIBE": "You take part in this match",
    "STANDBY": "You play in",
    "TAKEOVER": " of w1",
    "VOTE": "votes are by majority",
    "RESUME": "only a paused match can be resumed",
    "FORWARD": "No rewind is in force",
    "APPROVE ABSENCE": "asks for no absence",
    "REFUSE ABSENCE": "asks for no absence",
    "OBSERVE": "You take part in w1",
}
"""What a word of the desk answers where there is nothing for it to do yet; HELP shows how it is written all the same."""


@pytest.fixture(autouse=True)
def _few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview plays a thousand games, of which none says here what the first fifty do not."""
    monkeypatch.setattr(preview, "_WORK", 2_000)


@contextmanager
def opened(folder: Path, first: int = 1) -> Iterator[World]:
    world = World(folder, first=first)
    yield world
    world.close()


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For each game a folder with a match w1 of it under way, and w2 of New World forming."""
    return {name: _begun(name, tmp_path_factory.mktemp(name)) for name in _AT_THE_TABLE}


def _begun(name: str, folder: Path) -> Path:
    with opened(folder) as world:
        world.write(GINA, f"CREATE {name} AS w1 WITH bank 5 days, absences 7 days")
        for player in PLAYERS[: _AT_THE_TABLE[name]]:
            world.write(player, "JOIN w1")
        world.reply(GINA, "START w1", kind="receipt")
        world.write(OTTO, "STANDBY w1")
        for _ in range(_SLOTS[name]):
            waits = world.playing("w1").outcome.open[0].seat
            world.reply(GINA, f"ROLL OUT {waits}", kind="receipt")
        world.write("zoe@players.example", "CREATE newworld AS w2")
    return folder


Entry = tuple[str, str, str, str]
"""Group, word, what is said of it, example."""


def entries(mail: Mail) -> list[Entry]:
    """All that a letter of HELP says, as its reader would copy it: without the bars."""
    found: list[Entry] = []
    group = word = ""
    bared = (line.replace("  |   ", "    ").removeprefix("  | ") for line in mail.text.replace("\r", "").split("\n"))
    lines = list(bared)
    for at, line in enumerate(lines[:-1]):
        if re.fullmatch("-+", lines[at + 1]):
            group = line
        elif line and not line.startswith(" ") and lines[at + 1].startswith("    "):
            word, said = line, at + 1
        elif line.startswith("    Example:"):
            meaning = " ".join(part.strip() for part in lines[said:at])
            below = [part[8:] for part in lines[at + 1 : lines.index("", at)]]
            found.append((group, word, meaning, line[12:].strip() or "\n".join(below)))
    return found


def answer(folder: Path, copy: Path, sender: str, example: str, door: bool) -> Mail:
    """What an example is answered when it is sent to a copy of the match; conditions are given an order to guard."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    with opened(copy, 10_000) as world:
        world.new_mail()
        mails = world.write(sender, example) if door else world.reply(sender, example)
        return next(mail for mail in mails if mail.to == sender and (mail.is_a("receipt") or mail.kind == "refusal"))


def judged(entry: Entry, mail: Mail) -> str:
    """What is wrong with the answer to an example; "" if nothing is."""
    group, word, _, example = entry
    _, _, refused = mail.flat.partition("Not taken ---------")
    refused = refused.partition("What you owe")[0].partition("What you can write")[0]
    why = _NOTHING_TO_DO.get(word, "")
    if not refused:
        told = mail.is_a("receipt") or "Lesson 1 of " in mail.subject or (why and why in mail.flat)
        return "" if told else f"{example!r} says nothing to the referee"
    read = "not understood" not in refused and "several readings" not in refused
    by_a_rule = (
        not group.startswith("Words at the desk") and "not allowed" in refused and re.search(r"\[[a-z0-9]+\.", refused)
    )
    return "" if read and (by_a_rule or (why and why in refused)) else f"{example!r}: {refused.strip()[:300]}"


def asked(folder: Path, copy: Path, sender: str, words: str = "HELP ALL") -> list[Entry]:
    shutil.copytree(folder, copy)
    with opened(copy, 5_000) as world:
        world.new_mail()
        (mail,) = world.reply(sender, words)
        return entries(mail)


def on_turn(folder: Path) -> str:
    with opened(folder) as world:
        return world.player(world.playing("w1").outcome.open[0].seat, "w1")


def one_by_one(folder: Path, sender: str, found: Iterable[Entry], tmp_path: Path) -> list[str]:
    """What is wrong with these examples, each sent in a letter to a copy of its own."""
    wrong = []
    for entry in found:
        door = f"in a letter of its own to {ADDRESS}" in entry[2]
        body = f"{entry[3]}\nSTATUS" if entry[1] == "KEY" else entry[3]  # a key stands in a letter that says something
        wrong.append(judged(entry, answer(folder, tmp_path / "copy", sender, body, door)))
    return [sentence for sentence in wrong if sentence]


def in_one_letter(folder: Path, sender: str, found: Sequence[Entry], tmp_path: Path) -> list[str]:
    """What is wrong with orders and conditions, all in one letter; each condition guards an order."""
    order = next(entry[3].split("\n")[1] for entry in found if entry[1] == "ADD")
    lines = [entry[3] for entry in found if entry[0] == "Orders of the game"]
    lines += [f"{entry[3]}\n{order}\nEND" for entry in found if entry[0] == "Conditions for IF"]
    mail = answer(folder, tmp_path / "copy", sender, "\n".join(lines), False)
    refused = mail.text.replace("\r", "").partition("Not taken\n")[2].partition("What you owe\n")[0]
    known = re.findall(r"(?m)^Line (\d+), not allowed", refused)
    assert len(known) < len(lines) - 10
    return re.findall(r"(?m)^Line \d+, (?!not allowed).*\n\n.*\n.*\n\n.*", refused)


@pytest.mark.parametrize("game", _AT_THE_TABLE)
def test_every_order_and_block_a_player_is_shown_is_read_as_what_it_says(
    game: str, matches: dict[str, Path], tmp_path: Path
) -> None:
    player = on_turn(matches[game])
    found = asked(matches[game], tmp_path / "asked", player)
    groups = {entry[0] for entry in found}
    assert len(found) > 80 and groups >= {"Orders of the game", "Conditions for IF", "Blocks and single words"}
    assert in_one_letter(matches[game], player, found, tmp_path) == []
    blocks = [entry for entry in found if entry[0] == "Blocks and single words"]
    assert " | ".join(one_by_one(matches[game], player, blocks, tmp_path)) == ""


@pytest.mark.parametrize("who", ["player", "game master"])
def test_every_word_of_the_desk_is_shown_with_an_example_that_is_taken(
    who: str, matches: dict[str, Path], tmp_path: Path
) -> None:
    folder = matches["newworld"]
    sender = on_turn(folder) if who == "player" else GINA
    found = asked(folder, tmp_path / "asked", sender)
    found = [entry for entry in found if entry[0].startswith("Words at the desk")]
    assert len(found) > 35
    assert " | ".join(one_by_one(folder, sender, found, tmp_path)) == ""


_NAMES_THE_MATCH = ("PROCESS", "RULING", "REWIND", "DEADLINE", "EXCUSE", "REPLACE", "SEND", "PRESS")


@pytest.mark.parametrize("game", ["war27", "war17", "empire"])
def test_examples_for_game_masters_name_seats_rules_and_phases_of_their_match(
    game: str, matches: dict[str, Path], tmp_path: Path
) -> None:
    found = asked(matches[game], tmp_path / "asked", GINA)
    own = [entry for entry in found if entry[0].startswith("Words at the desk") and entry[1] in _NAMES_THE_MATCH]
    assert len(own) == len(_NAMES_THE_MATCH)
    assert " | ".join(one_by_one(matches[game], GINA, own, tmp_path)) == ""


@pytest.mark.parametrize("game", _AT_THE_TABLE)
def test_orders_from_who_holds_no_seat_are_refused_for_that_reason(
    game: str, matches: dict[str, Path], tmp_path: Path
) -> None:
    found = asked(matches[game], tmp_path / "asked", GINA)
    orders = [entry for entry in found if entry[0] == "Orders of the game, for its players"]
    assert len(orders) > 10
    body = f"{orders[0][3]}\nPREVIEW\n{orders[-1][3]}\nEND"
    mail = answer(matches[game], tmp_path / "copy", GINA, body, False)
    assert "is an order of the game, for players with a seat." in mail.flat
    assert "Blocks of orders are for players with a seat." in mail.flat
    with opened(tmp_path / "copy") as world:
        assert world.letters("shunted") == []


def test_every_example_a_stranger_is_given_is_read_as_what_it_says(matches: dict[str, Path], tmp_path: Path) -> None:
    stranger, folder = "ivo@players.example", matches["newworld"]
    shutil.copytree(folder, tmp_path / "asked")
    with opened(tmp_path / "asked", 5_000) as world:
        world.new_mail()
        found = entries(world.vouched(stranger, "HELP ALL")[0])  # who proves nothing is sent a list of words
    assert len(found) > 60
    for entry in found:
        mail = answer(folder, tmp_path / "copy", stranger, entry[3], True)
        elsewhere = any(sentence in mail.flat for sentence in _NOT_A_STRANGER_S)
        assert elsewhere or judged(entry, mail) == "", entry


_NOT_A_STRANGER_S = (
    "too long for a letter that does not prove who wrote it",
    "is only done in a running match, by a reply to one of its letters.",
    "Only the game master of ",
    "Only somebody who has joined a match can write ",
    "I know nobody at this address, so nothing is kept of you",
)
"""What is answered to a word of players or game masters from somebody who is neither."""


@pytest.mark.parametrize("name", _AT_THE_TABLE)
def test_the_examples_of_a_game_asked_for_at_the_door_are_read_in_it(name: str) -> None:
    page = help_at_the_door({game.name: game for game in GAMES}, name, Asker())
    game = next(game for game in GAMES if game.name == name)
    options = {setting.name: setting.default for setting in game.settings}
    words = game.vocabulary(game.setup(game.seat_players(((), ()), options, Keyed(b"help", 0)), options))
    read = 0
    for title, told in page.groups:
        for entry in told:
            if title == "Orders of the game":
                order = understand(entry.example, words)
                assert isinstance(order, Order) and order.verb == entry.word, entry
            elif title == "Conditions for IF":
                assert entry.example.startswith("IF ")
                condition = understand_condition(entry.example[3:], words)
                assert not isinstance(condition, Invalid | Illegal | Ambiguous), entry
            read += title in ("Orders of the game", "Conditions for IF")
    assert read > 20


# ---------------------------------------------------------------- what waits in the match


def example_of(world: World, sender: str, word: str) -> tuple[str, str]:
    """What HELP says of a word, and its example; "" for none."""
    mail = next(mail for mail in world.reply(sender, f"HELP {word}") if mail.is_a("receipt"))
    said = mail.flat.partition(f"Help on {word}")[2].partition("What you owe")[0]
    return said, next((entry[3] for entry in entries(mail) if entry[1] == word), "")


def taken(world: World, sender: str, line: str) -> str:
    """The receipt of an example sent back, which must be taken whole."""
    mail = next(mail for mail in reversed(world.reply(sender, line)) if mail.to == sender and mail.is_a("receipt"))
    assert "Not taken" not in mail.text, mail.text
    return mail.flat


def test_extend_is_shown_without_an_example_where_there_is_no_time_bank(match: World) -> None:
    said, example = example_of(match, match.on_turn(), "EXTEND")
    assert "in this match there is none" in said and example == ""


def test_examples_name_the_absence_that_waits_for_leave_or_may_be_taken_back(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.reply(player, "ABSENCE FROM 2026-12-20 TO 2026-12-21\nABSENCE FROM 2027-02-01 TO 2027-04-30")
    _, approve = example_of(match, GINA, "APPROVE ABSENCE")
    assert approve == f"APPROVE ABSENCE {seat}" and taken(match, GINA, approve)
    _, back = example_of(match, player, "NO ABSENCE")
    assert back == "NO ABSENCE 2" and "is taken back" in taken(match, player, back)


def test_examples_name_the_turn_that_can_be_gone_back_to_and_forward_undoes_it(match: World) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(match.on_turn(), "ROLL OUT")
    _, rewind = example_of(match, GINA, "REWIND")
    assert "went back to the beginning of turn 2" in taken(match, GINA, rewind)
    assert taken(match, GINA, example_of(match, GINA, "FORWARD")[1])


def test_examples_name_the_proposal_that_wants_a_second_key(match: World) -> None:
    seat = match.waits_for()
    match.reply(GINA, f"REPLACE {seat} BY {GINA}")
    for _ in range(2):
        match.reply(GINA, 'PAUSE FOR 1 day BECAUSE "of a fair"')
    other = next(player for player in PLAYERS if player != match.player(seat))
    try_it = example_of(match, other, "CONFIRM")[1]
    assert try_it == "CONFIRM 2" and "have agreed" in taken(match, other, try_it)


def test_a_word_of_the_beginning_is_shown_without_an_example_once_the_match_has_begun(match: World) -> None:
    for word in ("START", "MUSTER", "I AM HERE"):
        said, example = example_of(match, GINA, word)
        assert "this match has begun" in said and example == ""


# ---------------------------------------------------------------- one screen for who asks


_SCREEN = 25
"""Lines of text before the signature, beside what is owed."""


def body(mail: Mail) -> str:
    return mail.text.replace("\r", "").partition("-" * 72)[0].strip()


def helped(mails: list[Mail]) -> str:
    (mail,) = mails
    text = body(mail)
    page = text[text.index("What you can write now") :]
    assert page.count("\n") < _SCREEN, page
    assert "[desk]" not in mail.text and "[desk]" not in mail.subject
    return page


def test_a_stranger_reads_how_to_begin(match: World) -> None:
    match.write(GINA, "CREATE newworld AS friday")
    page = helped(match.write(OTTO, "HELP"))
    assert "New World" in page and "Empire" in page
    for line in ("PLAY newworld", "GAMES", "JOIN friday", "OBSERVE nw1", "CREATE newworld AS match1", "HELP ALL"):
        assert line in page
    assert "DEADLINE" not in page and "ROLL OUT" not in page


def test_who_has_joined_and_who_has_opened_a_match_read_different_things(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    world.write(ANNA, "JOIN friday")
    player, master = helped(world.reply(ANNA, "HELP")), helped(world.reply(GINA, "HELP"))
    assert "RESIGN friday" in player and "START" not in player
    assert "START friday" in master and "SET start full" in master and "RESIGN" not in master


def test_who_owes_who_waits_who_masters_and_who_watches(match: World) -> None:
    owing = match.on_turn()
    waiting = next(who for who in (ANNA, BEN) if who != owing)
    match.write(OTTO, "OBSERVE nw1")
    pages = [helped(match.reply(who, "HELP")) for who in (owing, waiting, GINA, OTTO)]
    assert "ROLL OUT: you are ready" in pages[0] and "Orders of New World:" in pages[0]
    assert "STANDING: above orders" in pages[1] and "PREVIEW" not in pages[1]
    assert "DEADLINE +24h FOR" in pages[2] and "PRESS TO" not in pages[2]
    assert "UNSUBSCRIBE" in pages[3] and "ask me in plain words" in pages[3]


def test_after_the_match_it_tells_what_is_left_to_do(match: World) -> None:
    match.reply(GINA, "TERMINATE")
    assert "REMATCH: asks all of you" in helped(match.reply(ANNA, "HELP"))


def test_a_game_master_who_plays_reads_that_he_has_other_words_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in (GINA, ANNA):
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", "receipt")
    assert "You are its game master too: HELP DEADLINE" in helped(world.reply(GINA, "HELP")).replace("\n", " ")


def test_help_all_is_everything(match: World) -> None:
    (everything,) = match.reply(ANNA, "HELP ALL")
    assert all(word in everything.text for word in ("RESEARCH", "FOR TURN", "ABSENCE", "SET digest", "VERIFY"))
    assert everything.text.count("\n") > 200
    assert "[desk]" not in everything.text


def test_a_word_that_is_none_is_not_answered_with_all_of_them(match: World) -> None:
    (answer,) = match.reply(ANNA, "HELP ABSENC")
    assert "Did you mean ABSENCE?" in answer.flat
    assert answer.text.count("\n") < 45


@pytest.mark.parametrize("options", ["", "WITH anonymous yes"])
def test_a_game_master_is_named_only_where_names_are_open(world: World, options: str) -> None:
    begin(world, options)
    page = helped(world.reply(ANNA, "HELP")).replace("\n", " ")
    assert ("gina runs this match" in page) == (not options)


def test_every_line_of_every_situation_begins_with_a_word_that_there_is() -> None:
    words = [verb.word for verb in every_word().verbs] + ["PREVIEW", "STANDING", "{order}"]
    lines = [line for lines in situations().values() for line, _ in lines]
    assert [line for line in lines if not line.startswith(tuple(words))] == []
    told = [what for lines in situations().values() for _, what in lines]
    named = {word for what in told for word in re.findall(r"\b[A-Z]{4,}\b", what)}
    assert named <= {part for word in (*words, "FOR") for part in word.split()}
