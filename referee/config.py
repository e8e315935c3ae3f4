"""Settings: a TOML file read once into frozen values, every setting checked, every mistake told in one sentence.

config.example.toml names each setting with its default; a file needs only what differs.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta

__all__ = [
    "Address",
    "Addresses",
    "Archive",
    "Clockwork",
    "Config",
    "ConfigError",
    "Count",
    "Database",
    "Days",
    "Dkim",
    "EmpireBoards",
    "GameMaster",
    "Hours",
    "Identity",
    "Imap",
    "Limits",
    "Maildir",
    "MaybeAddress",
    "Minutes",
    "Port",
    "Receive",
    "Seconds",
    "Send",
    "VARIABLE",
    "load",
    "read",
]

VARIABLE = "REFEREE_CONFIG"
"""The environment variable that names the settings file."""

Port = Annotated[int, Meta(ge=0, le=65535, description="a port number from 0 to 65535")]
Count = Annotated[int, Meta(ge=1, description="a whole number from 1 up")]
Hours = Annotated[float, Meta(gt=0, description="a number of hours above 0")]
Minutes = Annotated[float, Meta(ge=0, description="a number of minutes, 0 or more")]
Seconds = Annotated[float, Meta(gt=0, description="a number of seconds above 0")]
Days = Annotated[float, Meta(gt=0, description="a number of days above 0")]
Address = Annotated[str, Meta(pattern=r"^[^@\s<>]+@[^@\s<>]+$", description='an address, as in "referee@example.org"')]
Addresses = Annotated[tuple[Address, ...], Meta(description='a list of addresses, as in ["gm@example.org"]')]
MaybeAddress = Annotated[
    str, Meta(pattern=r"^$|^[^@\s<>]+@[^@\s<>]+$", description='an address, as in "gm@example.org", or ""')
]


class ConfigError(Exception):
    """A setting cannot be used. The message is one sentence: which one, what is wrong, what would be right."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """[referee] who the referee is and where it keeps its things."""

    name: str = "Referee"
    address: Address = "referee@localhost"
    data: str = "var"
    zone: str = "UTC"


class Database(msgspec.Struct, frozen=True, kw_only=True):
    """[database] where matches are kept."""

    url: str = ""


class Receive(msgspec.Struct, frozen=True, kw_only=True):
    """[receive] how letters come in."""

    host: str = "127.0.0.1"
    port: Port = 8025
    protocol: Literal["smtp", "lmtp"] = "smtp"
    max_letter_mb: Count = 10
    trusted_authserv: tuple[str, ...] = ()
    recipient_headers: tuple[str, ...] = ("Delivered-To", "X-Original-To")


class Imap(msgspec.Struct, frozen=True, kw_only=True):
    """[imap] a mailbox from which letters are taken."""

    host: str = ""
    port: Port = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: str = ""
    user: str = ""
    password: str = ""
    password_file: str = ""
    password_variable: str = ""
    token_command: tuple[str, ...] = ()
    folder: str = "INBOX"
    keyword: str = "$RefereeSeen"
    move_to: str = ""
    idle_minutes: Annotated[float, Meta(gt=0, le=29, description="a number of minutes above 0, up to 29")] = 5.0
    timeout_seconds: Seconds = 30.0
    retry_first_seconds: Seconds = 1.0
    retry_longest_seconds: Seconds = 300.0


class Maildir(msgspec.Struct, frozen=True, kw_only=True):
    """[maildir] a folder from which letters are taken."""

    path: str = ""


class Send(msgspec.Struct, frozen=True, kw_only=True):
    """[send] how letters go out."""

    method: Literal["maildir", "smtp"] = "maildir"
    maildir: str = ""
    host: str = "localhost"
    port: Port = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: str = ""
    password_file: str = ""
    password_variable: str = ""
    timeout_seconds: Seconds = 60.0
    verp: bool = True
    retry_first_minutes: Minutes = 1.0
    retry_longest_hours: Hours = 4.0
    give_up_days: Days = 5.0


class Dkim(msgspec.Struct, frozen=True, kw_only=True):
    """[dkim] the signature under letters out."""

    selector: str = ""
    domain: str = ""
    key_file: str = ""


class Clockwork(msgspec.Struct, frozen=True, kw_only=True):
    """[clock] defaults for the clocks of new matches, and the service's own."""

    deadline_hours: Hours = 24.0
    reminder_hours: Annotated[tuple[Hours, ...], Meta(description="a list of hours, as in [12, 2]")] = (12.0, 2.0)
    mind_minutes: Minutes = 30.0
    late: Literal["auto", "on call"] = "auto"
    scan_seconds: Seconds = 5.0
    file: str = ""


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """[archive] the folder of finished pages."""

    folder: str = ""


class EmpireBoards(msgspec.Struct, frozen=True, kw_only=True):
    """[empire] what this house adds to the game of Empire."""

    boards: str = ""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """[limits] what one letter or one sender may ask of the service."""

    max_orders: Count = 2000
    max_attempts: Count = 3
    refusals_a_day: Count = 10


class GameMaster(msgspec.Struct, frozen=True, kw_only=True):
    """[gm] who may open matches and who keeps this service."""

    addresses: Addresses = ()
    keeper: MaybeAddress = ""
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. Relative paths count from `home`, the folder of the settings file."""

    referee: Identity = Identity()
    database: Database = Database()
    receive: Receive = Receive()
    imap: Imap = Imap()
    maildir: Maildir = Maildir()
    send: Send = Send()
    dkim: Dkim = Dkim()
    clock: Clockwork = Clockwork()
    archive: Archive = Archive()
    empire: EmpireBoards = EmpireBoards()
    limits: Limits = Limits()
    gm: GameMaster = GameMaster()
    home: Path = Path()

    @property
    def host(self) -> str:
        """The part of the referee's address after the @: the right side of Message-IDs."""
        return self.referee.address.rpartition("@")[2]

    @property
    def data_folder(self) -> Path:
        """Where everything is kept that has no folder of its own."""
        return self.home / self.referee.data

    @property
    def database_url(self) -> str:
        """The database's address; SQLite in the data folder unless another is set."""
        return self.database.url or f"sqlite:///{self.data_folder / 'referee.sqlite'}"

    @property
    def mail_folder(self) -> Path:
        """Where outgoing mail is laid when the method is maildir."""
        return self.home / self.send.maildir if self.send.maildir else self.data_folder / "mail"

    @property
    def archive_folder(self) -> Path:
        """Where the pages of matches are written."""
        return self.home / self.archive.folder if self.archive.folder else self.data_folder / "archive"

    @property
    def boards_folder(self) -> Path:
        """Where boards for Empire lie that were drawn here."""
        return self.home / self.empire.boards if self.empire.boards else self.data_folder / "boards"

    @property
    def clock_file(self) -> Path | None:
        """The file the time is read from, for demos; None uses the system's clock."""
        return self.home / self.clock.file if self.clock.file else None

    def relay_password(self, environment: Mapping[str, str] = os.environ) -> str:
        """The relay's password, from the file or variable if one is named. Raises ConfigError when it is not there."""
        return _password("send", self.send, self.home, environment)

    def dkim_key(self) -> bytes:
        """The private key that signs letters, b"" when none is to. Raises ConfigError when it is not there."""
        if not self.dkim.selector:
            return b""
        file = self.home / self.dkim.key_file
        try:
            return file.read_bytes()
        except OSError as error:
            raise ConfigError(
                f"[dkim] key_file {str(file)!r} cannot be read ({error.strerror}); name the private key in PEM."
            ) from error

    def imap_password(self, environment: Mapping[str, str] = os.environ) -> str:
        """The mailbox's password, from the file or variable if one is named. Raises ConfigError when it is not there."""
        return _password("imap", self.imap, self.home, environment)


def _password(section: str, holder: Send | Imap, home: Path, environment: Mapping[str, str]) -> str:
    name = holder.password_variable
    if name and name not in environment:
        raise ConfigError(
            f"[{section}] password_variable names {name}, which is not in the environment; set it, or name another."
        )
    if name:
        return environment[name]
    return _first_line(section, home / holder.password_file) if holder.password_file else holder.password


def _first_line(section: str, file: Path) -> str:
    try:
        return file.read_text("utf-8").split("\n", 1)[0].rstrip("\r")
    except OSError as error:
        raise ConfigError(
            f"[{section}] password_file {str(file)!r} cannot be read ({error.strerror}); "
            "name a file that holds the password."
        ) from error


def load(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Config:
    """The settings from this file, or the one REFEREE_CONFIG names, or config.toml here; the defaults without any.

    Raises ConfigError for a file that was named and cannot be read, and for every setting that cannot be used.
    """
    named = path or (Path(environment[VARIABLE]) if environment.get(VARIABLE) else None)
    file = named or Path("config.toml")
    if named is None and not file.exists():
        return Config()
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise ConfigError(
            f"The settings file {str(file)!r} cannot be read ({error.strerror}); name one that can with {VARIABLE}."
        ) from error
    return read(text, file.parent)


def read(text: str, home: Path = Path()) -> Config:
    """The settings in this TOML text. Raises ConfigError."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"The settings are not TOML: {error}.") from error
    sections = {name: kind for name, kind in get_type_hints(Config).items() if name != "home"}
    values: dict[str, Any] = {name: _section(name, value, sections) for name, value in found.items()}
    config = Config(**values, home=home)
    _check_zone(config.referee.zone)
    return config


def _section(name: str, value: Any, sections: Mapping[str, type[msgspec.Struct]]) -> msgspec.Struct:
    if not isinstance(value, dict) and name not in sections:
        raise ConfigError(f"The setting {name} stands in no section; write a line such as [referee] above it.")
    if name not in sections:
        raise ConfigError(f"There is no section [{name}]; {_meant(name, sections, '[{}]')}")
    if not isinstance(value, dict):
        raise ConfigError(f"{name} is a section, not a setting; write [{name}] on a line of its own.")
    kinds = get_type_hints(sections[name], include_extras=True)
    settings = {key: _setting(name, key, found, kinds) for key, found in value.items()}
    return sections[name](**settings)


def _setting(section: str, key: str, value: Any, kinds: Mapping[str, Any]) -> Any:
    if key not in kinds:
        raise ConfigError(f"[{section}] has no setting {key}; {_meant(key, kinds, '{}')}")
    try:
        return msgspec.convert(value, kinds[key])
    except msgspec.ValidationError as error:
        raise ConfigError(f"[{section}] {key} = {_shown(value)} cannot be used; write {_right(kinds[key])}.") from error


def _meant(word: str, known: Mapping[str, Any], form: str) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {form.format(close[0])}?"
    return "those there are: " + ", ".join(form.format(name) for name in known) + "."


def _shown(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _right(kind: Any) -> str:
    """What a setting of this kind may be, in words."""
    meta = getattr(kind, "__metadata__", ())
    if meta:
        return str(meta[0].description)
    choices = getattr(kind, "__args__", ())
    if choices and all(isinstance(choice, str) for choice in choices):
        return " or ".join(f'"{choice}"' for choice in choices)
    if kind is bool:
        return "true or false"
    return "text in quotes" if kind is str else 'a list of texts, as in ["one", "two"]'


def _check_zone(zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ConfigError(
            f'[referee] zone = "{zone}" is no time zone; write a name such as "Europe/Berlin" or "UTC".'
        ) from error
