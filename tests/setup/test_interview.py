"""What is asked, of whom how little, and what is said of an answer that is of no use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.config import load
from referee.setup.interview import Answers, Here, ask, from_file, interview, sections
from referee.setup.questions import Question, Server, Wrong, providers, server, whose
from tests.commands import app

pytestmark = pytest.mark.usefixtures("out_of_reach")

HERE = Here("Europe/Vienna", "box.club.example")
KEEPER = 'keeper = "you@club.example"\n'


def held(said: Mapping[str, str], lying: int | None = 0) -> tuple[list[Question], Answers]:
    """The questions that somebody is asked who says this, and nothing where that will do."""
    asked: list[Question] = []

    def answer(question: Question) -> str:
        asked.append(question)
        return said.get(question.key, "")

    def complain(sentence: str) -> None:
        pytest.fail(sentence)

    return asked, ask(interview(HERE, lambda _: lying), answer, complain)


def keys(asked: list[Question]) -> list[str]:
    return [question.key for question in asked]


def test_who_has_a_mailbox_at_a_known_provider_is_asked_five_things() -> None:
    said = {"address": "our.referee@gmail.com", "password": "abcd efgh", "keeper": "you@club.example"}
    asked, answers = held(said)
    assert keys(asked) == ["address", "password", "keeper", "zone", "backup"]
    assert "app password" in asked[1].text.lower() and "myaccount.google.com/apppasswords" in asked[1].text
    assert answers.way == "imap" and answers.mailbox is not None
    assert answers.mailbox.imap == Server("imap.gmail.com", 993, "tls")
    assert answers.mailbox.smtp == Server("smtp.gmail.com", 587, "starttls")
    assert (answers.mailbox.user, answers.mailbox.password) == ("our.referee@gmail.com", "abcd efgh")
    assert answers.zone == "Europe/Vienna"


def test_a_domain_of_ones_own_at_a_provider() -> None:
    said = {"address": "referee@club.example", "provider": "fastmail", "user": "club@fastmail.com", "password": "x"}
    asked, answers = held(said | {"keeper": "you@club.example"})
    assert keys(asked) == ["address", "way", "provider", "user", "password", "keeper", "zone", "backup"]
    assert answers.mailbox is not None and answers.mailbox.imap_user == "club@fastmail.com"


def test_a_provider_that_nobody_knows_is_asked_for_its_servers() -> None:
    said = {"address": "referee@club.example", "smtp": "mail.club.example:465", "password": "x"}
    asked, answers = held(said | {"keeper": "you@elsewhere.example"})
    assert keys(asked) == ["address", "way", "provider", "imap", "smtp", "user", "password", "keeper", "zone", "backup"]
    assert answers.mailbox is not None
    assert answers.mailbox.imap == Server("imap.club.example", 993, "tls")
    assert answers.mailbox.smtp == Server("mail.club.example", 465, "tls")


def test_where_passwords_are_not_taken_a_program_is_asked_for() -> None:
    said = {"address": "referee@outlook.com", "token_command": "cat '/run/a token'", "keeper": "you@club.example"}
    asked, answers = held(said)
    assert keys(asked) == ["address", "token_command", "keeper", "zone", "backup"]
    assert answers.mailbox is not None and answers.mailbox.token_command == ("cat", "/run/a token")


def test_a_postfix_of_ones_own_is_asked_for_its_name() -> None:
    asked, answers = held({"address": "referee@games.example", "way": "2", "keeper": "you@club.example"})
    assert keys(asked) == ["address", "way", "machine", "keeper", "zone", "backup"]
    assert (answers.way, answers.machine, answers.mailbox) == ("lmtp", "box.club.example", None)


def test_a_pipe_needs_nothing_more() -> None:
    asked, answers = held({"address": "referee@games.example", "way": "pipe", "keeper": "you@club.example"})
    assert keys(asked) == ["address", "way", "keeper", "zone", "backup"]
    assert (answers.way, answers.machine) == ("pipe", "")


@pytest.mark.parametrize(
    ("lying", "said"),
    [
        (10_000, "10000 letters lie in INBOX. May"),
        (1, "1 letter lies in INBOX. May"),
        (None, "Letters may lie in INBOX. May"),
    ],
)
@pytest.mark.parametrize(("answer", "answered"), [("", False), ("no", False), ("yes", True)])
def test_letters_that_lie_in_the_mailbox_are_answered_by_a_yes_alone(
    lying: int | None, said: str, answer: str, answered: bool
) -> None:
    given = {"address": "our.referee@gmail.com", "password": "x", "keeper": "you@club.example", "old_letters": answer}
    asked, answers = held(given, lying)
    (question,) = (one for one in asked if one.key == "old_letters")
    assert question.text.startswith(said) and answers.answer_old == answered
    assert sections(answers)["referee"].get("answer_old", False) == answered


@pytest.mark.parametrize(("answer", "folder"), [("", "var/backup"), ("no", ""), ("NO", ""), ("/mnt/b", "/mnt/b")])
def test_a_backup_is_made_every_night_unless_it_is_answered_no(answer: str, folder: str) -> None:
    _, answers = held({"address": "r@games.example", "way": "pipe", "keeper": "you@club.example", "backup": answer})
    assert sections(answers).get("backup", {}).get("folder", "") == folder


def every_question() -> dict[str, Question]:
    """Each question that is ever asked, as it was asked last."""
    said = {"address": "referee@club.example", "password": "x", "token_command": "x", "keeper": "you@club.example"}
    asked = [*held(said | {"way": "lmtp"})[0], *held(said, None)[0]]
    for word in providers():
        asked += held(said | {"provider": word})[0]
    return {question.key: question for question in asked}


def test_each_question_is_short_and_has_an_example_or_choices_or_is_a_password() -> None:
    for question in every_question().values():
        assert len(question.text) < 260 and question.text[0].isupper() and question.text[-1] in ".?:", question.text
        assert question.example or question.choices or question.secret or question.default, question.key


def test_every_example_and_every_default_is_an_answer() -> None:
    for question in every_question().values():
        for given in filter(None, (question.example, question.default)):
            assert question.answered(given)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('address = "referee"', '"referee" is no address; write one such as referee@games.example.'),
        ('address = "referee@localhost"', "no domain that letters from elsewhere find"),
        ('address = "referee+games@games.example"', "without a +"),
        ('address = 17', "address = 17 is no answer; write it in quotes."),
        ('address = "referee@games.example"\nway = "post"', '"post" is none of the choices: imap, lmtp, maildir, pipe.'),
        ('address = "referee@games.example"\nway = "pipe"', "The answer keeper is missing. Your own address"),
        ('address = "r@games.example"\nway = "pipe"\nkeeper = "R@games.example"', "another address than the referee's"),
        ('address = "r@games.example"\nway = "lmtp"\nmachine = "box"', '"box" is no name on the internet'),
        ('address = "r@games.example"\nway = "lmtp"\nmachine = "a b.example"', "is no name on the internet"),
        (f'address = "r@games.example"\nway = "pipe"\n{KEEPER}zone = "CST"', "write America/Chicago, Asia/Shanghai"),
        (f'address = "r@games.example"\nway = "pipe"\n{KEEPER}zome = "UTC"', "zome answers no question here; did you mean zone?"),
        (f'address = "r@games.example"\nway = "pipe"\n{KEEPER}bakcup = "no"', "answers no question here; did you mean backup?"),
        (f'address = "r@games.example"\nway = "maildir"\n{KEEPER}old_letter = "no"', "did you mean old_letters?"),
        (f'address = "r@games.example"\nway = "maildir"\n{KEEPER}old_letters = "some"', '"some" is none of the choices: no, yes.'),
        (f'address = "r@games.example"\nway = "pipe"\n{KEEPER}old_letters = "no"', "old_letters answers no question"),
        ('address = "r@games.example"\nimap = "a b"', '"a b" is no server; write its name, or name:port, such as mail.example:'),
        ('address = "r@games.example"\nsmtp = "a:b"', "is no server"),
        ('address = "r@gmail.com"', "The answer password is missing."),
        ('adress = "r@games.example"\nway = "pipe"\n', "adress answers no question here; did you mean address?"),
        ("address = ", "The answers are not TOML"),
    ],
)  # fmt: skip
def test_an_answer_of_no_use_is_told_in_one_sentence(line: str, said: str) -> None:
    with pytest.raises(Wrong) as raised:
        from_file(line, HERE)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_a_file_may_set_whatever_else_is_to_stand_in_the_settings() -> None:
    text = f'address = "r@games.example"\nway = "pipe"\n{KEEPER}[config.clock]\ndeadline_hours = 48.0\n'
    assert from_file(text, HERE).more == {"clock": {"deadline_hours": 48.0}}


def test_providers_are_known_by_their_addresses_and_each_can_be_reached() -> None:
    assert (whose("a@googlemail.com"), whose("a@GMAIL.com"), whose("a@games.example")) == ("gmail", "gmail", "")
    domains = [domain for provider in providers().values() for domain in provider.domains]
    assert len(domains) == len(set(domains))
    for provider in providers().values():
        assert server(provider.imap, 0).security == "tls"
        assert server(provider.smtp, 0).security in ("tls", "starttls")
        assert provider.where or provider.login == "password"


def test_a_provider_that_may_not_deliver_what_players_answer_to_is_chosen_knowingly() -> None:
    asked, _ = held({"address": "r@gmx.net", "password": "x", "keeper": "you@club.example"})
    assert "+" in asked[1].text and "GMX" in asked[1].text


def test_a_person_is_asked_again_until_an_answer_is_of_use(tmp_path: Path) -> None:
    lines = ["referee", "referee@games.example", "7", "pipe", "", "you@club.example", "Factory", "Berlin", "no"]
    done = CliRunner().invoke(app, ["setup", str(tmp_path / "r"), "--wait", "0"], input="\n".join(lines) + "\n")
    for said in (
        "  For example: referee@games.example",
        '"referee" is no address',
        "   2  lmtp ",
        '"7" is none of the choices: imap, lmtp, maildir, pipe.',
        "Please answer, for example you@club.example.",
        "Factory is no time zone",
    ):
        assert said in done.output, said
    config = load(tmp_path / "r" / "config.toml")
    assert (config.referee.zone, config.gm.keeper) == ("Europe/Berlin", "you@club.example")


def test_passwords_are_asked_for_without_being_shown_and_kept_for_the_account_alone(tmp_path: Path) -> None:
    nowhere, user = "127.0.0.1:9", "referee"
    lines = [
        "referee@club.example",
        "imap",
        "other",
        nowhere,
        nowhere,
        user,
        "open sesame",
        "",
        "you@club.example",
        "",
        "",
    ]
    done = CliRunner().invoke(app, ["setup", str(tmp_path), "--wait", "0"], input="\n".join(lines) + "\n")
    assert "sesame" not in done.output
    kept = tmp_path / "mail.password"
    assert kept.read_text() == "open sesame\n" and kept.stat().st_mode & 0o777 == 0o600


def test_the_beacon_is_on_where_a_relay_is_reached_and_else_it_is_said_what_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.toml"
    file.write_text(f'address = "r@games.example"\nway = "pipe"\n{KEEPER}')
    said = {}
    for reached in (False, True):
        monkeypatch.setattr("referee.cli.setup.reaches_beacon", lambda reached=reached: reached)
        place = tmp_path / str(reached)
        words = ["setup", str(place), "--answers", str(file), "--wait", "0"]
        said[reached] = " ".join(CliRunner().invoke(app, words).output.split())
        assert load(place / "config.toml").chance.beacon == ("drand" if reached else "letters")
    assert "you could know them once the letters of a turn are in" in said[False]
    assert "not even you, can know one before its turn is sealed" in said[True]


def test_letters_that_lie_in_a_maildir_are_counted(tmp_path: Path) -> None:
    for number, name in enumerate(("new", "new", "cur", "tmp")):
        (tmp_path / "box" / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / "box" / name / str(number)).write_text("Subject: Hello\n\nHello\n")
    lines = ["referee@games.example", "maildir", "box", "yes", "you@club.example", "UTC", ""]
    done = CliRunner().invoke(app, ["setup", str(tmp_path), "--wait", "0"], input="\n".join(lines) + "\n")
    assert "3 letters lie in the Maildir. May" in done.output
    config = load(tmp_path / "config.toml")
    assert (
        config.referee.answer_old and config.backup_folder == tmp_path / "var/backup" and config.backup_folder.is_dir()
    )
