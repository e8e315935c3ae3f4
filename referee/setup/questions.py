"""The questions that are asked, and what providers of mail need."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from referee.kit.wording import counted, in_number
from referee.mail import address_in, spelt
from referee.moments import Unclear, find_zone

# ---------------------------------------------------------------- providers of mailboxes that are known by name
# Where their servers are, and how one is let in.


Security = Literal["tls", "starttls", "none"]
Login = Literal["password", "app password", "token"]

_SECURITY: dict[int, Security] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls", 25: "none"}
"""The protocol at a port, unless somebody says otherwise."""


class Server(msgspec.Struct, frozen=True):
    """A mail server, and how the connection to it is protected."""

    host: str
    port: int
    security: Security


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """A provider, as providers.toml tells it; its servers are written HOST:PORT there."""

    name: str
    imap: str
    smtp: str
    login: Login = "password"
    where: str = ""
    domains: tuple[str, ...] = ()
    imap_user: Literal["address", "name"] = "address"
    plus: bool = True


@cache
def providers() -> dict[str, Provider]:
    """All of them by the word by which they are chosen, the most used first."""
    text = files("referee.setup").joinpath("providers.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Provider])


def whose(address: str) -> str:
    """The word of the provider whose address this is known to be, "" for none."""
    domain = address.rpartition("@")[2].lower()
    return next((word for word, provider in providers().items() if domain in provider.domains), "")


def server(text: str, usual: int) -> Server:
    """A server from HOST or HOST:PORT. Raises ValueError."""
    host, _, port = text.strip().partition(":")
    number = int(port) if port else usual
    if not host or any(letter.isspace() for letter in host) or not 0 < number < 65536:
        raise ValueError(text)
    return Server(host, number, _SECURITY.get(number, "starttls"))


class Wrong(Exception):
    """An answer is of no use. The message says what would be right."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question. `key`: the answer's name in a file. `choices`: words to choose from, with what each means.

    A question with `settled` need not be asked: its default follows from earlier answers. A file may still answer it.
    """

    key: str
    text: str
    example: str = ""
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    secret: bool = False
    settled: bool = False
    check: Callable[[str], str] = str

    def answered(self, text: str) -> str:
        """The answer as it is understood; its default for none. Raises Wrong."""
        said = text.strip() or self.default
        if not said:
            raise Wrong(f"Please answer, {self._instance}." if self.example else "Please answer.")
        return self._chosen(said) if self.choices else self.check(said)

    @property
    def _instance(self) -> str:
        return f"for example {self.example}"

    def _chosen(self, said: str) -> str:
        """A choice by its word, or its number in the list."""
        words = [word for word, _ in self.choices]
        if said.isdecimal() and 0 < int(said) <= len(words):
            return words[int(said) - 1]
        if said.lower() not in words:
            raise Wrong(f'"{said}" is none of the choices: {", ".join(words)}.')
        return said.lower()


OTHER = "other"


def _address(text: str) -> str:
    found = address_in(text) or spelt(text)
    if found is None:
        raise Wrong(f'"{text}" is no address; write one such as referee@games.example.')
    host = found.rpartition("@")[2]
    if "." not in host:
        raise Wrong(f'"{host}" is no domain that letters from elsewhere find; write one such as games.example.')
    return found


def _own_address(text: str) -> str:
    if "+" in (found := _address(text)):
        raise Wrong("Write the address without a +; the referee puts one into the addresses that it gives out.")
    return found


def _machine(text: str) -> str:
    name = text.rstrip(".").lower()
    if "." not in name or any(not (letter.isalnum() or letter in "-.") for letter in name):
        raise Wrong(f'"{text}" is no name on the internet; write the whole of it, such as mail.games.example.')
    return name


def _zone(text: str) -> str:
    try:
        return find_zone(text)
    except Unclear as wrong:
        raise Wrong(str(wrong)) from None


def _server(usual: int) -> Callable[[str], str]:
    def checked(text: str) -> str:
        try:
            found = server(text, usual)
        except ValueError:
            raise Wrong(f'"{text}" is no server; write its name, or name:port, such as mail.example:{usual}.') from None
        return f"{found.host}:{found.port}"

    return checked


ADDRESS = Question(
    key="address",
    text="The address that players will write to. Use one that has no other use.",
    example="referee@games.example",
    check=_own_address,
)
_WAYS = (
    ("imap", "from a mailbox at a provider; needs nothing but the mailbox"),
    ("lmtp", "from a Postfix on this machine; the domain is the referee's alone, so use a subdomain"),
    ("maildir", "from a Maildir on this machine, into which a mail server of yours delivers them"),
    ("pipe", "from a mail server of yours that hands them to a program (.forward, procmail)"),
)


def way(known: bool) -> Question:
    """How letters come in; an address of a known provider settles it."""
    return Question(key="way", text="Where will letters come from?", choices=_WAYS, default="imap", settled=known)


def provider(word: str) -> Question:
    """The user of the mailbox."""
    listed = (*((word, one.name) for word, one in providers().items()), (OTHER, "another; you name its servers"))
    return Question(
        key="provider", text="Whose mailbox is it?", choices=listed, default=word or OTHER, settled=bool(word)
    )


def imap(domain: str) -> Question:
    """The server that is read."""
    text = "The IMAP server from which letters are read, with its port unless that is 993."
    return Question(
        key="imap", text=text, example="imap.provider.example", default=f"imap.{domain}", check=_server(993)
    )


def smtp(domain: str) -> Question:
    """The server by which letters go out."""
    text = "The SMTP server that sends letters for you, with its port: 587, or 465 for TLS from the start."
    example = "smtp.provider.example:587"
    return Question(key="smtp", text=text, example=example, default=f"smtp.{domain}", check=_server(587))


def user(address: str, known: bool) -> Question:
    """Our name there."""
    return Question(key="user", text="The name to log in with there.", default=address, settled=known)


def password(of: Provider | None) -> Question:
    """The password or token there."""
    if of is None:
        text = "The password of the mailbox."
    elif of.login == "password":
        text = f"The password of the mailbox.{f' First {of.where}.' if of.where else ''}"
    else:
        text = f"An app password; your own one is refused. To make one: {of.where}."
    if of is not None and not of.plus:
        text += f" {of.name} may not deliver to addresses with a +, which players answer to: the letter to yourself will tell."
    return Question(key="password", text=text, secret=True)


def token(of: Provider) -> Question:
    """The program that prints what one is let in by, and its arguments."""
    text = f"{of.name} takes no password but OAuth2 ({of.where}). A program that prints a fresh access token:"
    return Question(key="token_command", text=text, example="/usr/local/bin/mail-token referee@games.example")


def machine(name: str) -> Question:
    """The host that the MX record points to."""
    text = "The name of this machine on the internet, to which mail for the domain will be sent."
    return Question(key="machine", text=text, example="mail.games.example", default=name, check=_machine)


def maildir() -> Question:
    """Where letters are laid."""
    text = "The folder of the Maildir, from the referee's own on; it is made where it is not there."
    return Question(key="maildir", text=text, example="/var/mail/referee", default="Maildir")


YES, NO = "yes", "no"


def old_letters(count: int | None, where: str) -> Question:
    """Whether those are answered that lie there already; where none do, that is settled."""
    lie = f"{counted(count, 'letters')} {in_number(count, 'lie')}" if count is not None else "Letters may lie"
    text = f"{lie} in {where}. May also those be answered whose writers prove nothing?"
    choices = (
        (NO, "the house begins with its first start; older ones are counted, not answered"),
        (YES, "each is answered as if it came today, also to strangers"),
    )
    return Question(key="old_letters", text=text, choices=choices, default=NO, settled=count == 0)


def backup() -> Question:
    """Where backups go."""
    text = "The folder in which a backup is made every night, best on another disk; no makes none."
    return Question(key="backup", text=text, example="/mnt/backup/referee", default="var/backup")


def keeper(own: str) -> Question:
    """The person who is told of trouble."""

    def checked(text: str) -> str:
        if (found := _address(text)).lower() == own.lower():
            raise Wrong("Name another address than the referee's own, which only the referee reads.")
        return found

    text = "Your own address: you are told there what only you can mend."
    return Question(key="keeper", text=text, example="you@club.example", check=checked)


def zone(here: str) -> Question:
    """The zone of times in letters."""
    text = "The time zone in which times are given to people who have not set their own."
    return Question(key="zone", text=text, example="Europe/Berlin", default=here, check=_zone)
