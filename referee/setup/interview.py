"""The interview: which question follows which, what is known at its end, and the files that are written of it."""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import socket
import tomllib
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from referee.adapters.dkim import new_dkim_key
from referee.adapters.files import close_to_others, write_whole
from referee.adapters.signing_key import kept_key
from referee.bootstrap.data_folder import made
from referee.config import Config, load, read
from referee.setup import questions
from referee.setup.questions import ADDRESS, OTHER, Provider, Question, Server, Wrong, providers, server, whose

Way = Literal["imap", "lmtp", "maildir", "pipe"]


class Mailbox(msgspec.Struct, frozen=True, kw_only=True):
    """A mailbox at a provider, and the relay that goes with it."""

    imap: Server
    smtp: Server
    imap_user: str
    user: str
    password: str = ""
    token_command: tuple[str, ...] = ()


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """The answers. `mailbox` is there where letters come by IMAP; `machine` where they come by LMTP, `maildir`
    where they are laid into one.

    `answer_old`: letters that lie there already are answered. `backup`: the folder for those of every night, "" for none.
    `beacon`: rounds of the public beacon have a share in the dice.
    `more`: settings that are to stand in config.toml besides, by section; only a file can answer so.
    """

    address: str
    way: Way
    keeper: str
    zone: str
    provider: Provider | None = None
    mailbox: Mailbox | None = None
    machine: str = ""
    maildir: str = ""
    answer_old: bool = False
    backup: str = ""
    more: Mapping[str, Mapping[str, Any]] = {}
    beacon: bool = False


class Here(msgspec.Struct, frozen=True):
    """This machine's word on itself: defaults; `beacon`: it has what verifies rounds of the public beacon, and reaches them."""

    zone: str = "UTC"
    name: str = ""
    beacon: bool = False


Interview = Generator[Question, str, Answers]


def here() -> Here:
    """This machine."""
    name = socket.getfqdn()
    return Here(_own_zone(), name if "." in name and not name.endswith((".localdomain", ".local", ".arpa")) else "")


def _own_zone(link: Path = Path("/etc/localtime")) -> str:
    _, found, zone = str(link.resolve()).partition("/zoneinfo/")
    return zone if found else "UTC"


Lying = Callable[[Mailbox | str], int | None]
"""How many letters lie in a mailbox, or in a Maildir of this path; None where that cannot be seen."""


def interview(machine: Here, lying: Lying = lambda _: None) -> Interview:
    """Ask in turn; each question is sent its answer, as the question understood it."""
    address = yield ADDRESS
    domain, known = address.rpartition("@")[2], whose(address)
    way = cast(Way, (yield questions.way(bool(known))))
    provider, mailbox, name, box = None, None, "", ""
    if way == "imap":
        word = yield questions.provider(known)
        provider = None if word == OTHER else providers()[word]
        mailbox = yield from _mailbox(address, provider, bool(known))
    elif way == "lmtp":
        name = yield questions.machine(machine.name or f"mail.{domain}")
    elif way == "maildir":
        box = yield questions.maildir()
    from_a_box = mailbox or box
    old = (yield questions.old_letters(lying(from_a_box), "the Maildir" if box else "INBOX")) if from_a_box else ""
    keeper = yield questions.keeper(address)
    zone = yield questions.zone(machine.zone)
    backup = yield questions.backup()
    return Answers(
        address=address,
        way=way,
        keeper=keeper,
        zone=zone,
        provider=provider,
        mailbox=mailbox,
        machine=name,
        maildir=box,
        answer_old=old == questions.YES,
        backup="" if backup.lower() == questions.NO else backup,
        beacon=machine.beacon,
    )


def _mailbox(address: str, provider: Provider | None, known: bool) -> Generator[Question, str, Mailbox]:
    name, _, domain = address.rpartition("@")
    imap, smtp = (provider.imap, provider.smtp) if provider else ("", "")
    if provider is None:
        imap = yield questions.imap(domain)
        smtp = yield questions.smtp(domain)
    user = yield questions.user(address, known)
    command, password = "", ""
    if provider and provider.login == "token":
        command = yield questions.token(provider)
    else:
        password = yield questions.password(provider)
    return Mailbox(
        imap=server(imap, 993),
        smtp=server(smtp, 587),
        imap_user=name if provider and provider.imap_user == "name" and user == address else user,
        user=user,
        password=password,
        token_command=tuple(shlex.split(command)),
    )


def ask(asked: Interview, answer: Callable[[Question], str], complain: Callable[[str], None]) -> Answers:
    """Carry the interview through with a person, who is told what is wrong with an answer and asked again."""
    question = next(asked)
    while True:
        try:
            said = question.answered("" if question.settled else answer(question))
        except Wrong as problem:
            complain(str(problem))
            continue
        try:
            question = asked.send(said)
        except StopIteration as end:
            return cast(Answers, end.value)


def from_file(text: str, machine: Here) -> Answers:
    """The answers of a TOML file, by the same interview. Raises Wrong."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Wrong(f"The answers are not TOML: {error}.") from error
    more = said.pop("config", {})
    used: list[str] = []
    asked = interview(machine)
    question = next(asked)
    while True:
        used.append(question.key)
        try:
            question = asked.send(_answer(question, said, used))
        except StopIteration as end:
            _no_more(said, used)
            return msgspec.structs.replace(cast(Answers, end.value), more=more)


def _answer(question: Question, said: Mapping[str, Any], used: list[str]) -> str:
    given = said.get(question.key, "")
    if not isinstance(given, str):
        raise Wrong(f"{question.key} = {given!r} is no answer; write it in quotes.")
    try:
        return question.answered(given)
    except Wrong as problem:
        if given:
            raise
        if close := difflib.get_close_matches(question.key, said.keys() - set(used), n=1):
            raise Wrong(f"{close[0]} answers no question here; did you mean {question.key}?") from problem
        raise Wrong(f"The answer {question.key} is missing. {question.text}") from problem


def _no_more(said: Mapping[str, Any], used: list[str]) -> None:
    for key in said.keys() - set(used):
        close = difflib.get_close_matches(key, used, n=1)
        meant = f"did you mean {close[0]}?" if close else f"asked was: {', '.join(used)}, and [config.SECTION]."
        raise Wrong(f"{key} answers no question here; {meant}")


# ---------------------------------------------------------------- what setting up writes
# A file config.toml with a sentence above each setting, a password file, keys and the data folder.


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
    if answers.beacon:
        found["chance"] = {"beacon": "drand"}
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
    """The example's comment above each setting."""
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
