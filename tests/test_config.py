"""Settings: the example says everything, and every mistake is told in one sentence that names the setting."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import msgspec
import pytest

from referee.adapters.incoming.imap import Account
from referee.adapters.incoming.maildir import Desk
from referee.adapters.incoming.smtp_in import Listening
from referee.bootstrap.mail_ways import desk_of, imap_account, listening_of
from referee.bootstrap.offices import mailbag, opened
from referee.config import VARIABLE, Config, ConfigError, load, read
from referee.service.base.match_settings import ClockSettings
from referee.service.base.office import Downtime, Limits, Witnessing

PORT = 'a port number from 0 to 65535, "closed", or ""'
EXAMPLE = Path(__file__).parent.parent / "config.example.toml"


def test_the_example_loads_as_it_stands_and_holds_the_defaults() -> None:
    assert load(EXAMPLE, {}) == msgspec.structs.replace(Config(), home=EXAMPLE.parent, source=EXAMPLE)


def test_settings_that_nobody_wrote_are_those_that_the_parts_have_by_themselves(tmp_path: Path) -> None:
    config = read("[imap]\nhost = 'imap.example'\n[receive]\nport = 8025\n", tmp_path)
    with opened(config) as office:
        assert (office.limits, office.downtime, office.witnessing) == (Limits(), Downtime(), Witnessing())
        assert office.clock_defaults == ClockSettings()
    assert listening_of(config) == Listening(name=config.host)
    assert desk_of(config) == Desk(config.referee.address)
    assert imap_account(config) == Account("imap.example")


def test_a_database_that_one_process_writes_has_a_mailbag_beside_it_and_a_server_has_none(tmp_path: Path) -> None:
    bag = mailbag(read("[referee]\ndata = '.'\n", tmp_path))
    assert bag is not None and (tmp_path / "referee.sqlite-mailbag").is_file()
    bag.close()
    assert mailbag(read('[database]\nurl = "postgresql://h/n"\n', tmp_path)) is None


def test_the_example_names_every_setting() -> None:
    named = {(section, key) for section, values in tomllib.loads(EXAMPLE.read_text()).items() for key in values}
    defaults = msgspec.to_builtins(msgspec.structs.replace(Config(), home=Path()), enc_hook=str)
    del defaults["home"], defaults["source"]
    assert named == {(section, key) for section, values in defaults.items() for key in values}


def test_the_example_says_one_sentence_about_each_setting() -> None:
    lines = EXAMPLE.read_text().splitlines()
    for before, line in itertools.pairwise(lines):
        if re.match(r"\w+ = ", line):
            assert re.fullmatch(r"# .*\.", before), line


def test_without_a_file_it_is_said_how_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=f"no config.toml in {tmp_path}.*--config"):
        load(environment={})
    assert load(environment={}, needed=False) == Config()


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("", 8025),
        ('[imap]\nhost = "imap.provider.example"\n', None),
        ('[maildir]\npath = "Maildir"\n', None),
        ('[imap]\nhost = "imap.provider.example"\n[receive]\nport = 8025\n', 8025),
        ('[receive]\nport = "closed"\n', None),
        ("[receive]\nport = 0\n", 0),
    ],
)
def test_the_port_is_open_where_it_is_the_way_in_or_was_chosen(text: str, port: int | None) -> None:
    assert read(text).port == port


def test_a_mail_server_is_believed_for_the_way_in_it_is_named_for() -> None:
    named = '[receive]\ntrusted_authserv = ["mx.club.example"]\n'
    box = '[imap]\nhost = "imap.provider.example"\n'
    theirs = box + 'trusted_authserv = ["mx.provider.example"]\n'
    assert read(named).trusted["smtp"] == ("mx.club.example",) and not read(named).trusted["imap"]
    assert read(named + box).trusted["imap"] == ("mx.club.example",)  # nobody but the mailbox brings letters
    assert not read(named + "port = 8025\n" + box).trusted["imap"]
    both = read(named + "port = 8025\n" + theirs).trusted
    assert (both["smtp"], both["imap"]) == (("mx.club.example",), ("mx.provider.example",))


def test_the_file_is_found_here_or_by_the_environment_or_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("config", "other", "third"):
        Path(f"{name}.toml").write_text(f'[referee]\nname = "{name}"\n')
    assert load(environment={}).referee.name == "config"
    assert load(environment={VARIABLE: "other.toml"}).referee.name == "other"
    assert load(Path("third.toml"), {VARIABLE: "other.toml"}).referee.name == "third"


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "absent.toml", {})


def test_paths_count_from_the_settings_file() -> None:
    config = read('[referee]\ndata = "things"\naddress = "war@games.example"\n', Path("/srv/referee"))
    assert config.data_folder == Path("/srv/referee/things")
    assert config.database_url == "sqlite:////srv/referee/things/referee.sqlite"
    assert (config.mail_folder, config.archive_folder) == (
        Path("/srv/referee/things/mail"),
        Path("/srv/referee/things/archive"),
    )
    assert config.clock_file is None
    assert config.host == "games.example"


def test_paths_may_be_set_one_by_one() -> None:
    text = (
        '[database]\nurl = "postgresql://h/n"\n[send]\nmaildir = "/m"\n[archive]\nfolder = "www"\n[clock]\nfile = "c"'
    )
    config = read(text, Path("/srv"))
    assert config.database_url == "postgresql://h/n"
    assert (config.mail_folder, config.archive_folder, config.clock_file) == (
        Path("/m"),
        Path("/srv/www"),
        Path("/srv/c"),
    )


def test_the_password_comes_from_where_it_was_put(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from file\nsecond line\n")
    assert read('[send]\npassword = "plain"').relay_password({}) == "plain"
    assert read('[send]\npassword_file = "secret"', tmp_path).relay_password({}) == "from file"
    assert read('[send]\npassword_variable = "SECRET"').relay_password({"SECRET": "from env"}) == "from env"


def test_the_mailbox_has_a_password_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from file\n")
    assert read('[imap]\npassword = "plain"\n[send]\npassword = "other"').imap_password({}) == "plain"
    assert read('[imap]\npassword_file = "secret"', tmp_path).imap_password({}) == "from file"
    with pytest.raises(ConfigError, match=r"\[imap\] password_variable names ABSENT"):
        read('[imap]\npassword_variable = "ABSENT"').imap_password({})


@pytest.mark.parametrize("setting", ['password_file = "absent"', 'password_variable = "ABSENT"'])
def test_a_password_that_is_not_there_is_told(tmp_path: Path, setting: str) -> None:
    with pytest.raises(ConfigError, match=setting.split()[0]):
        read(f"[send]\n{setting}", tmp_path).relay_password({})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[recieve]", "There is no section [recieve]; did you mean [receive]?"),
        (
            "[zzz]",
            "There is no section [zzz]; those there are: [referee], [database], [desk], [receive], [imap], [maildir], [send], "
            "[dkim], [clock], [chance], [witness], [archive], [empire], [backup], [limits], [gm], [health], [log].",
        ),
        ("[home]", None),
        ("port = 1", "The setting port stands in no section; write a line such as [referee] above it."),
        ("receive = 1", "receive is a section, not a setting; write [receive] on a line of its own."),
        ("[receive]\nprt = 1", "[receive] has no setting prt; did you mean port?"),
        ("[database]\nzzz = 1", "[database] has no setting zzz; those there are: url."),
        (
            '[receive]\nport = "x"',
            '[receive] port = "x" cannot be used; write a port number from 0 to 65535, "closed", or "".',
        ),
        (
            "[receive]\nport = 70000",
            '[receive] port = 70000 cannot be used; write a port number from 0 to 65535, "closed", or "".',
        ),
        (
            "[receive]\nport = true",
            '[receive] port = true cannot be used; write a port number from 0 to 65535, "closed", or "".',
        ),
        ('[receive]\nprotocol = "imap"', '[receive] protocol = "imap" cannot be used; write "smtp" or "lmtp".'),
        ("[referee]\nname = 3", "[referee] name = 3 cannot be used; write text in quotes."),
        (
            '[referee]\naddress = "me"',
            '[referee] address = "me" cannot be used; write an address, as in "referee@example.org".',
        ),
        (
            '[referee]\nzone = "Mars/Base"',
            '[referee] zone = "Mars/Base": Mars/Base is no time zone I know; write it as Europe/Berlin or UTC+2. '
            "Did you mean Europe/Zurich?",
        ),
        (
            "[clock]\nreminder_hours = [1, 0]",
            "[clock] reminder_hours = [1,0] cannot be used; write a list of hours, as in [12, 2].",
        ),
        ("[clock]\ndeadline_hours = 0", "[clock] deadline_hours = 0 cannot be used; write a number of hours above 0."),
        ("[limits]\nmax_orders = 0", "[limits] max_orders = 0 cannot be used; write a whole number from 1 up."),
        (
            '[gm]\naddresses = ["x"]',
            '[gm] addresses = ["x"] cannot be used; write a list of addresses, as in ["gm@example.org"].',
        ),
        (
            "[receive]\ntrusted_authserv = 3",
            '[receive] trusted_authserv = 3 cannot be used; write a list of texts, as in ["one", "two"].',
        ),
        (
            '[receive]\nfront = ["mail.example"]',
            '[receive] front: "mail.example" is no network; write one such as "192.0.2.0/24" or "2001:db8::/32".',
        ),
        ("[receive]\nport = 1979-05-27", None),
        ("nonsense", None),
    ],
)
def test_a_mistake_is_told_in_one_sentence(text: str, sentence: str | None) -> None:
    with pytest.raises(ConfigError) as told:
        read(text)
    assert "\n" not in str(told.value)
    assert str(told.value) == sentence if sentence else str(told.value).endswith((".", "?"))


def test_the_readme_begins_with_settings_that_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines before `referee serve` leave settings there, of a house that takes letters where it says."""
    said = (EXAMPLE.parent / "README.md").read_text("utf-8").partition("## Running it")[2]
    before, _, after = said.partition("    .venv/bin/referee serve\n")
    shutil.copy(EXAMPLE, tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="let referee setup write them"):
        load()
    subprocess.run(before, shell=True, check=True)
    config = load()
    assert f"SMTP on {config.receive.host}:{config.port}" in after
