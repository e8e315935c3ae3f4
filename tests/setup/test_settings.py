"""What setting up writes is closed to others, explained, and never written over without being told."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import dkim
import pytest
from typer.testing import CliRunner

from referee.adapters.dkim import dkim_record, new_dkim_key
from referee.config import ConfigError, load, read
from referee.setup.instructions import as_a_service, before_letters_come, dns_records
from referee.setup.interview import Here, config_text, from_file, sections, write
from tests.commands import app
from tests.served import Served

pytestmark = pytest.mark.usefixtures("out_of_reach")

RUN = CliRunner()
POSTFIX = """\
address = "referee@games.example"
way = "lmtp"
machine = "mail.games.example"
keeper = "you@club.example"
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a referee behind its own Postfix."""
    folder = tmp_path_factory.mktemp("referee")
    write(folder, from_file(POSTFIX, Here()))
    return folder


def test_all_that_is_written_is_for_this_account_alone(home: Path) -> None:
    for name in ("config.toml", "dkim.pem", "var", "var/signing.key"):
        assert (home / name).stat().st_mode & 0o077 == 0, name


def test_each_setting_stands_below_a_sentence(home: Path) -> None:
    lines = (home / "config.toml").read_text().splitlines()
    for before, line in itertools.pairwise(lines):
        if " = " in line and not line.startswith("#"):
            assert before.startswith("# ") and before.endswith("."), line


def test_nothing_stands_there_that_was_not_answered(home: Path) -> None:
    found = tomllib.loads((home / "config.toml").read_text())
    assert set(found) == {"referee", "gm", "receive", "send", "dkim", "backup"}
    config = load(home / "config.toml")
    assert (config.receive.protocol, config.receive.port, config.send.port) == ("lmtp", 8025, 25)


def test_whatever_an_answer_holds_is_read_back_as_it_was() -> None:
    answers = from_file(f'{POSTFIX}[config.referee]\nname = "The \\"club\'s\\" \\\\ réferee\\u007f"\n', Here())
    assert read(config_text(sections(answers))).referee.name == 'The "club\'s" \\ réferee\x7f'


def test_settings_of_no_use_are_said_before_anything_is_written(tmp_path: Path) -> None:
    answers = from_file(f"{POSTFIX}[config.receive]\nport = 70000\n", Here())
    with pytest.raises(ConfigError, match="port = 70000 cannot be used"):
        write(tmp_path / "referee", answers)
    assert not (tmp_path / "referee").exists()


def test_a_config_that_is_there_stays_and_so_do_the_keys(tmp_path: Path) -> None:
    file = tmp_path / "answers"
    file.write_text(POSTFIX)
    set_up = ["setup", str(tmp_path / "r"), "--answers", str(file), "--wait", "0"]
    RUN.invoke(app, set_up)
    before = {path: path.read_bytes() for path in (tmp_path / "r").glob("*.*")}
    refused = RUN.invoke(app, set_up)
    assert refused.exit_code == 1 and "add --overwrite" in refused.output
    assert {path: path.read_bytes() for path in before} == before
    file.write_text(POSTFIX.replace("you@", "me@"))
    RUN.invoke(app, [*set_up, "--overwrite"])
    assert load(tmp_path / "r" / "config.toml").gm.keeper == "me@club.example"
    assert (tmp_path / "r" / "dkim.pem").read_bytes() == before[tmp_path / "r" / "dkim.pem"]


def test_a_key_that_is_made_signs_and_what_is_published_verifies() -> None:
    pem = new_dkim_key()
    letter = b"From: a@games.example\r\nSubject: s\r\n\r\nHELP\r\n"
    signed = dkim.sign(letter, b"post", b"games.example", pem) + letter
    assert dkim.verify(signed, dnsfunc=lambda *_, **__: dkim_record(pem).encode())


def test_the_records_are_those_of_the_domain(home: Path) -> None:
    config = load(home / "config.toml")
    mx, spf, key, dmarc = dns_records(config, "mail.games.example")
    assert mx == "games.example. MX 10 mail.games.example."
    assert spf == 'games.example. TXT "v=spf1 mx -all"'
    assert dmarc == '_dmarc.games.example. TXT "v=DMARC1; p=quarantine"'
    name, _, strings = key.partition(" TXT ")
    assert name == "post._domainkey.games.example."
    assert all(len(string) <= 255 for string in strings.split('"')[1::2])


def test_a_mailbox_at_a_provider_asks_nothing_of_ones_dns() -> None:
    text = 'address = "r@fastmail.com"\npassword = "x"\nkeeper = "you@club.example"\n'
    config = read(config_text(sections(from_file(text, Here()))))
    assert list(before_letters_come(config, "", ("referee",))) == []
    assert not config.send.verp and config.dkim.selector == ""


def test_a_folder_of_roots_is_given_to_an_account_first(home: Path) -> None:
    config = load(home / "config.toml")
    told = as_a_service(config, ("/usr/local/bin/referee",))
    assert ("adduser --system" in told) == (home.stat().st_uid == 0)
    assert f"/usr/local/bin/referee setup {home} --unit > /etc/systemd/system/referee.service" in told


MAILDIR = (
    'address = "referee@games.example"\nway = "maildir"\nmaildir = "box"\nkeeper = "you@club.example"\nzone = "UTC"\n'
)


def test_what_is_left_to_mend_is_counted_and_the_service_comes_after_it(tmp_path: Path) -> None:
    (file := tmp_path / "answers.toml").write_text(f"{MAILDIR}[config.send]\nport = 9\n")
    told = RUN.invoke(
        app, ["setup", str(tmp_path / "r"), "--answers", str(file), "--wait", "0"], env={"COLUMNS": "300"}
    )
    assert told.exit_code == 1 and "1 thing to mend" in told.output and f"setup {tmp_path / 'r'}" in told.output
    assert "Have the referee run as a service" not in told.output and "Then write HELP" not in told.output


def test_a_letter_to_itself_comes_back_by_a_maildir_alone(tmp_path: Path) -> None:
    class Delivers:
        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
            (tmp_path / "r" / "box" / "new" / "1").write_bytes(envelope.content)
            return "250 laid"

    relay = Served(Delivers())
    (file := tmp_path / "answers.toml").write_text(f"{MAILDIR}[config.send]\nport = {relay.port}\n")
    told = RUN.invoke(
        app, ["setup", str(tmp_path / "r"), "--answers", str(file), "--wait", "20"], env={"COLUMNS": "300"}
    )
    relay.close()
    assert told.exit_code == 0 and "came back after" in told.output, told.output
    assert f"into {tmp_path / 'r' / 'box'}/" in told.output and ".forward" not in told.output
    assert f"every night in {tmp_path / 'r' / 'var/backup'}" in told.output
    assert [*(tmp_path / "r" / "box" / "new").iterdir()] == []
    assert load(tmp_path / "r" / "config.toml").port is None


@pytest.mark.parametrize(("mode", "warned"), [(0o644, True), (0o600, False)])
def test_answers_that_lie_open_with_a_password_are_told_of(tmp_path: Path, mode: int, warned: bool) -> None:
    tmp_path.chmod(0o755)
    file = tmp_path / "answers"
    file.write_text(f'{POSTFIX}password = "open sesame"\n')
    file.chmod(mode)
    said = " ".join(
        RUN.invoke(app, ["setup", str(tmp_path / "r"), "--answers", str(file), "--wait", "0"]).output.split()
    )
    assert (f"Others of this machine can read {file} and the password in it" in said) == warned
