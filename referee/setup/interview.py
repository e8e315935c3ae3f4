"""The interview: which question follows which, and what is known at its end. It knows nothing of who answers."""

from __future__ import annotations

import difflib
import shlex
import socket
import tomllib
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

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
    """What was answered. `mailbox` is there where letters come by IMAP; `machine` where they come by LMTP, `maildir`
    where they are laid into one.

    `answer_old`: letters that lie there already are answered. `backup`: the folder for those of every night, "" for none.
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


class Here(msgspec.Struct, frozen=True):
    """What this machine says of itself: defaults."""

    zone: str = "UTC"
    name: str = ""


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
