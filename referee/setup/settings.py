"""What setting up writes: config.toml with a sentence above each setting, a password file, keys and the data folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from referee.adapters.dkim_key import new_dkim_key
from referee.adapters.files import close_to_others, write_whole
from referee.adapters.signing import kept_key
from referee.bootstrap.folder import made
from referee.config import Config, load, read
from referee.setup.interview import Answers

CONFIG = "config.toml"
PASSWORD = "mail.password"
DKIM, SELECTOR = "dkim.pem", "post"

Sections = dict[str, dict[str, Any]]


def sections(answers: Answers) -> Sections:
    """The settings that follow from the answers, those that are not the default anyway."""
    found: Sections = {
        "referee": {"address": answers.address, "zone": answers.zone},
        "gm": {"keeper": answers.keeper},
    }
    if answers.mailbox is not None:
        found |= _by_mailbox(answers)
    else:
        if answers.way == "lmtp":
            found["receive"] = {"host": "127.0.0.1", "port": 8025, "protocol": "lmtp"}
        elif answers.way == "maildir":
            found["maildir"] = {"path": answers.maildir}
        else:
            found["receive"] = {"port": "closed"}
        found["send"] = {"method": "smtp", "host": "127.0.0.1", "port": 25, "security": "none"}
        found["dkim"] = {"selector": SELECTOR, "key_file": DKIM}
    if answers.answer_old:
        found["referee"]["answer_old"] = True
    if answers.backup:
        found["backup"] = {"folder": answers.backup}
    for name, values in answers.more.items():
        found[name] = {**found.get(name, {}), **values}
    return found


def _by_mailbox(answers: Answers) -> Sections:
    box = answers.mailbox
    assert box is not None
    let_in: dict[str, Any] = {"token_command": list(box.token_command)}
    if not box.token_command:
        let_in = {"password_file": PASSWORD}
    imap = {"host": box.imap.host, "port": box.imap.port, "security": box.imap.security, "user": box.imap_user}
    smtp = {"host": box.smtp.host, "port": box.smtp.port, "security": box.smtp.security, "user": box.user}
    # Most providers take one's own address alone as envelope sender.
    return {"imap": imap | let_in, "send": {"method": "smtp", **smtp, **let_in, "verp": False}}


def config_text(found: Sections) -> str:
    """The settings as TOML, each below the sentence that config.example.toml has for it."""
    return "\n".join((*_HEAD, *(line for name, values in found.items() for line in _section(name, values)), ""))


_HEAD = (
    "# Written by referee setup. Every other setting, with its default, stands in config.example.toml and docs/mail.md.",
    "# Relative paths count from the folder of this file.",
)


def _section(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"[{name}]")
    for key, value in values.items():
        yield from _sentences().get((name, key), ())
        yield f"{key} = {_toml(value)}"


def _toml(value: Any) -> str:
    """A text, number, truth value or list of them: TOML writes these as JSON does, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@cache
def _sentences() -> dict[tuple[str, str], tuple[str, ...]]:
    """What the example says above each setting."""
    section, above = "", list[str]()
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for line in _example().splitlines():
        if line.startswith("#"):
            above.append(line)
            continue
        if heading := re.match(r"\[(\w+)\]", line):
            section = heading[1]
        elif setting := re.match(r"(\w+) = ", line):
            found[section, setting[1]] = tuple(above)
        above = []
    return found


def _example() -> str:
    installed = files("referee").joinpath("_data", "config.example.toml")
    source = Path(__file__).parent.parent.parent / "config.example.toml"
    return (source if not installed.is_file() else installed).read_text("utf-8")


def write(folder: Path, answers: Answers) -> Config:
    """Write everything into the folder, the settings last; what was there of these files is replaced, but no key ever is.

    Raises ConfigError for answers whose settings cannot be used, before anything is written.
    """
    found = sections(answers)
    read(config_text(found), folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if answers.mailbox is not None and answers.mailbox.password:
        _write_secret(folder / PASSWORD, f"{answers.mailbox.password}\n".encode())
    file = folder / CONFIG
    _write_secret(file, config_text(found).encode())
    return furnish(load(file))


def furnish(config: Config) -> Config:
    """Make what the settings name and is not there: data folder, Maildir, folder of backups and keys, for our own eyes only."""
    key = config.home / config.dkim.key_file
    if config.dkim.selector and not key.exists():
        _write_secret(key, new_dkim_key())
    if config.maildir.path:
        for name in ("new", "cur", "tmp"):
            (config.home / config.maildir.path / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    close_to_others(made(config))
    if config.backup_folder is not None:
        with suppress(OSError):  # on a disk that is root's he makes it himself; doctor and digest say so until then
            config.backup_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept_key(config.data_folder / "signing.key", config.referee.address)
    return config


def _write_secret(file: Path, data: bytes) -> None:
    """Write durably, for this account alone whatever the umask."""
    before = os.umask(0o077)
    try:
        write_whole(file, data)
    finally:
        os.umask(before)
