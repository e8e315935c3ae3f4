"""Every refusal to start is one sentence or two that say what is wrong and what to do; a service never starts half."""

from __future__ import annotations

import re
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.adapters.files import Unusable, told
from referee.adapters.store.store import Store
from referee.bootstrap.data_folder import enter
from referee.bootstrap.service import Service
from referee.config import ConfigError, load
from tests.program import Program
from tests.torn import tear

Make = Callable[[Path], object]


def nothing(_: Path) -> None:
    """Nothing is made beforehand."""


def file(name: str, text: str = "nothing of the kind\n", mode: int = 0o600) -> Make:
    def make(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(mode)

    return make


def store(folder: Path) -> Path:
    """A database in its place."""
    path = folder / "var" / "referee.sqlite"
    Store(f"sqlite:///{path}").close()
    return path


def newer(folder: Path) -> None:
    with closing(sqlite3.connect(store(folder))) as db, db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    db.close()


SETTINGS: dict[str, tuple[str, str]] = {
    "no TOML": ("[receive]\nport = ", r"The settings in '.*config.toml' are not TOML: .* \(at .*\); mend that line"),
    "no UTF-8": ("\udcff", "no UTF-8; save it as that"),
    "a section that is not": ("[recieve]\n", r"There is no section \[recieve\]; did you mean \[receive\]\?"),
    "a setting that is not": ("[receive]\nprot = 1\n", r"\[receive\] has no setting prot; did you mean port\?"),
    "a value of the wrong kind": ('[receive]\nport = "x"\n', "write a port number from 0 to 65535"),
    "no zone": ('[referee]\nzone = "Berlin"\n', 'is written "Europe/Berlin" here'),
    "no network": ('[receive]\nfront = ["x"]\n', 'write one such as "192.0.2.0/24"'),
}
"""Settings that cannot be read, and what is said of them."""

THINGS: dict[str, tuple[str, Make, str]] = {
    "no password file": (
        '[send]\nmethod = "smtp"\npassword_file = "gone"\n', nothing, "name a file that holds the password"
    ),
    "no password in the environment": (
        '[imap]\nhost = "h.example"\npassword_variable = "GONE"\n', nothing, "not in the environment; set it, or name another"
    ),
    "no certificate": (
        '[imap]\nhost = "h.example"\nca_file = "gone"\n', nothing, "name the certificate of the authority in PEM"
    ),
    "no key to sign letters": (
        '[dkim]\nselector = "s"\nkey_file = "gone"\n', nothing, r"cannot be read \(.*\); name the private key in PEM"
    ),
    "no key named": ('[dkim]\nselector = "s"\n', nothing, "names no file; name the private key in PEM, or leave selector empty"),
    "a key that is none": ('[dkim]\nselector = "s"\nkey_file = "k"\n', file("k"), "name an RSA key in PEM"),
    "a signing key that is none": ("", file("var/signing.key"), "restore it from your last backup, or move it away"),
    "a file for a data folder": ('[referee]\ndata = "k"\n', file("k"), "Move that away, or name another place"),
    "a data folder in a file": ('[referee]\ndata = "k/x"\n', file("k"), "is no folder. Name another place"),
    "a data folder nowhere": ('[referee]\ndata = "/proc/none/x"\n', nothing, "Make it, or name another"),
    "a file for an archive": ('[archive]\nfolder = "k"\n', file("k"), r"\[archive\] folder: .* Name a folder"),
    "a file for mailboxes": ('[send]\nmaildir = "k"\n', file("k"), r"\[send\] maildir: .* Name a folder"),
    "a file for a Maildir": ('[maildir]\npath = "k"\n', file("k"), r"\[maildir\] path: .* Name a folder"),
    "no time in the clock's file": ('[clock]\nfile = "k"\n', file("k"), r"\[clock\] file .* write one such as 2026-"),
    "no file for the clock": ('[clock]\nfile = "gone"\n', nothing, "leave the setting empty for the machine's own clock"),
    "no address of a database": ('[database]\nurl = "x"\n', nothing, 'write one such as "sqlite:'),
    "a database of a kind not known": (
        '[database]\nurl = "mysql://h/n"\n', nothing, r"SQLite, or PostgreSQL with an address such as postgresql\+psycopg:"
    ),
    "a driver that is not there": (
        '[database]\nurl = "postgresql+pg8000://h/n"\n', nothing, r"install referee\[postgresql\]"
    ),
    "a database server that is away": (
        '[database]\nurl = "postgresql+psycopg://u@127.0.0.1:1/n"\n', nothing, r"Start its server, or mend \[database\] url"
    ),
    "no database": ("", file("var/referee.sqlite", "no database\n" * 400), r"\[database\] url, or restore your last backup"),
    "a newer database": ("", newer, "newer referee .*Install .*restore the backup"),
    "a torn database": ("", lambda folder: tear(store(folder), "entry"), "is damaged: .*restore your last backup"),
}  # fmt: skip
"""What is not as it should be around good settings, how it comes to be so, and what is said of it."""


def refused(folder: Path, text: str) -> str:
    """Why `referee serve` does not start with these settings, as main() prints it."""
    (folder / "config.toml").write_bytes(f"[receive]\nport = 0\n{text}".encode("utf-8", "surrogateescape"))
    with pytest.raises((ConfigError, Unusable)) as problem:
        config = load(folder / "config.toml")
        with told(config.database_url):
            Service(config).start()
    return str(problem.value)


@pytest.mark.parametrize("what", SETTINGS)
def test_settings_that_cannot_be_read(what: str, tmp_path: Path) -> None:
    text, says = SETTINGS[what]
    (tmp_path / "config.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError) as problem:
        load(tmp_path / "config.toml")
    assert re.search(says, str(problem.value)) and "\n" not in str(problem.value)


@pytest.mark.parametrize("what", THINGS)
def test_what_is_not_as_it_should_be(what: str, tmp_path: Path) -> None:
    text, make, says = THINGS[what]
    make(tmp_path)
    said = refused(tmp_path, text)
    assert re.search(says, said) and "\n" not in said, said
    assert said.endswith(".") and len(said) < 500


def test_a_second_service_is_told_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("")
    lock = enter(load(tmp_path / "config.toml"))
    assert lock is not None
    said = refused(tmp_path, "")
    lock.close()
    assert re.search(
        r"Another referee serve \(process \d+\) .*end it first, or give this one a folder of its own", said
    )


def serves_not(folder: Path, receive: str) -> str:
    """What `referee serve` prints, as a process that ends with 1."""
    (folder / "config.toml").write_text(f"[receive]\n{receive}")
    with (folder / "errors").open("wb") as errors:
        program = Program("serve", "--config", str(folder / "config.toml"), stderr=errors)
    assert program.wait(30) == 1
    assert program.stdout.read() == ""
    program.stdout.close()
    said = (folder / "errors").read_text()
    assert said.count("\n") == 1, said
    return said


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = serves_not(tmp_path, f"port = {other.getsockname()[1]}\n")
    assert "another program listens there (ss -ltnp names it). End it, or name a free port" in said


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    said = serves_not(tmp_path, 'host = "192.0.2.1"\n')
    assert "this machine has no such address. Name one of its own with [receive] host." in said
