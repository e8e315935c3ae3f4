"""Settings: a TOML file read once into frozen values, and every mistake in it told in one sentence.

config.example.toml names each setting with its default; a file needs only what differs.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from referee.moments import Unclear, find_zone, is_zone

# ---------------------------------------------------------------- sections
# Each section of the settings file as a frozen value, with its defaults and what a setting may be.


Port = Annotated[int, Meta(ge=0, le=65535, description="a port number from 0 to 65535")]
OwnPort = Annotated[
    Annotated[int, Meta(ge=0, le=65535)] | Literal["", "closed"],
    Meta(description='a port number from 0 to 65535, "closed", or ""'),
]
Count = Annotated[int, Meta(ge=1, description="a whole number from 1 up")]
MaybeCount = Annotated[int, Meta(ge=0, description="a whole number from 0 up")]
Hours = Annotated[float, Meta(gt=0, description="a number of hours above 0")]
Minutes = Annotated[float, Meta(ge=0, description="a number of minutes, 0 or more")]
Seconds = Annotated[float, Meta(gt=0, description="a number of seconds above 0")]
Days = Annotated[float, Meta(gt=0, description="a number of days above 0")]
Address = Annotated[str, Meta(pattern=r"^[^@\s<>]+@[^@\s<>]+$", description='an address, as in "referee@example.org"')]
Addresses = Annotated[tuple[Address, ...], Meta(description='a list of addresses, as in ["gm@example.org"]')]
MaybeAddress = Annotated[
    str, Meta(pattern=r"^$|^[^@\s<>]+@[^@\s<>]+$", description='an address, as in "gm@example.org", or ""')
]

RelayUrl = Annotated[str, Meta(pattern=r"^https?://[^/?#\s@]+(/[^?#\s]*)?$")]
SiteUrl = Annotated[
    str,
    Meta(
        pattern=r"^$|^https?://[^/?#\s@<>\"]+(/[^?#\s@<>\"]*)?$",
        description='where its pages are on the web, as in "https://club.example/matches", or ""',
    ),
]


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """[referee] who the referee is and where it keeps its things."""

    name: str = "Referee"
    address: Address = "referee@localhost"
    data: str = "var"
    zone: str = "UTC"
    answer_old: bool = False


class Database(msgspec.Struct, frozen=True, kw_only=True):
    """[database] where matches are kept."""

    url: str = ""


class Desks(msgspec.Struct, frozen=True, kw_only=True):
    """[desk] who handles letters and deadlines here."""

    processes: Annotated[int, Meta(ge=1, le=64, description="a whole number from 1 to 64")] = 1


class Receive(msgspec.Struct, frozen=True, kw_only=True):
    """[receive] how letters come in."""

    host: str = "127.0.0.1"
    port: OwnPort = ""
    protocol: Literal["smtp", "lmtp"] = "smtp"
    max_letter_mb: Count = 10
    max_recipients: Count = 100
    max_connections: Count = 200
    max_connections_a_client: Count = 50
    front: tuple[str, ...] = ("127.0.0.0/8", "::1")
    slow_seconds: Annotated[float, Meta(ge=0, description="a number of seconds, 0 or more")] = 1.0
    memory_mb: Count = 64
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
    trusted_authserv: tuple[str, ...] = ()
    keyword: str = "$RefereeSeen"
    move_to: str = ""
    idle_minutes: Annotated[float, Meta(gt=0, le=29, description="a number of minutes above 0, up to 29")] = 5.0
    timeout_seconds: Seconds = 30.0
    retry_first_seconds: Seconds = 1.0
    retry_longest_seconds: Seconds = 300.0


class Maildir(msgspec.Struct, frozen=True, kw_only=True):
    """[maildir] a folder from which letters are taken."""

    path: str = ""
    trusted_authserv: tuple[str, ...] = ()


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
    token_command: tuple[str, ...] = ()
    timeout_seconds: Seconds = 60.0
    connections: Count = 3
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
    downtime_minutes: Annotated[float, Meta(ge=5, description="a number of minutes, 5 or more")] = 15.0
    wait_longest_hours: Hours = 72.0
    file: str = ""


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """[chance] where what nobody may know beforehand comes from. The chain is drand's quicknet unless another is set."""

    beacon: Literal["letters", "drand"] = "letters"
    relays: Annotated[
        tuple[RelayUrl, ...],
        Meta(min_length=1, description='a list of one or more addresses, as in ["https://api.drand.sh"]'),
    ] = ("https://api.drand.sh", "https://api2.drand.sh", "https://api3.drand.sh", "https://drand.cloudflare.com")
    wait_minutes: Minutes = 10.0
    lead_seconds: Annotated[float, Meta(ge=0, description="a number of seconds, 0 or more")] = 60.0
    chain: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="64 hexadecimal digits in small letters")] = (
        "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    )
    public_key: Annotated[
        str, Meta(pattern=r"^[0-9a-f]{192}$", description="192 hexadecimal digits in small letters")
    ] = (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    )
    period_seconds: Count = 3
    genesis: MaybeCount = 1692803367


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """[witness] whether the heads of others' logs are signed here."""

    serve: bool = True
    max_logs: Count = 500


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """[archive] the folder of finished pages, and where it is on the web."""

    folder: str = ""
    url: SiteUrl = ""


class EmpireBoards(msgspec.Struct, frozen=True, kw_only=True):
    """[empire] what this house adds to the game of Empire."""

    boards: str = ""


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """[backup] a backup every night."""

    folder: str = ""
    hour: Annotated[int, Meta(ge=0, le=23, description="a whole number from 0 to 23")] = 3
    keep: MaybeCount = 14


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """[limits] what one letter or one sender may ask of the service, and what a letter of its own may bring."""

    max_orders: Count = 2000
    max_attempts: Count = 3
    letter_seconds: Seconds = 60.0
    answers_a_day: Count = 10
    answer_kb: Count = 10
    domain_answers_a_day: Count = 100
    stranger_answers_a_day: Count = 1000
    refusals_a_day: Count = 20
    requests_a_day: Count = 200
    archive_mb: Count = 5
    reserve_mb: MaybeCount = 100
    keep_refused_days: Days = 30.0
    keep_letters_days: Annotated[float, Meta(ge=0, description="a number of days, 0 or more")] = 0.0
    strangers_mb: Count = 200
    forming_matches: Count = 3
    joined_matches: Count = 5
    bot_matches: Count = 3
    forming_in_all: Count = 100
    forming_days: MaybeCount = 30


class HealthPort(msgspec.Struct, frozen=True, kw_only=True):
    """[health] where a monitor asks whether all is well; port 0 for nowhere."""

    host: str = "127.0.0.1"
    port: Port = 0
    late_minutes: Annotated[float, Meta(ge=2, description="a number of minutes, 2 or more")] = 5.0


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """[log] how the running service writes down what went wrong."""

    format: Literal["lines", "json"] = "lines"


class GameMaster(msgspec.Struct, frozen=True, kw_only=True):
    """[gm] who may open matches and who keeps this service."""

    addresses: Addresses = ()
    keeper: MaybeAddress = ""
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


# ---------------------------------------------------------------- what is wrong with a setting


class ConfigError(Exception):
    """A setting cannot be used. The message is one sentence: which one, what is wrong, what would be right."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. Relative paths count from `home`, the folder of the settings file `source`."""

    referee: Identity = Identity()
    database: Database = Database()
    desk: Desks = Desks()
    receive: Receive = Receive()
    imap: Imap = Imap()
    maildir: Maildir = Maildir()
    send: Send = Send()
    dkim: Dkim = Dkim()
    clock: Clockwork = Clockwork()
    chance: Chance = Chance()
    witness: Witness = Witness()
    archive: Archive = Archive()
    empire: EmpireBoards = EmpireBoards()
    backup: Backup = Backup()
    limits: Limits = Limits()
    gm: GameMaster = GameMaster()
    health: HealthPort = HealthPort()
    log: Log = Log()
    home: Path = Path()
    source: Path | None = None

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
    def port(self) -> int | None:
        """Where letters are taken by SMTP or LMTP, 0 for any free port; None where they are not."""
        if self.receive.port == "":
            return None if self.imap.host or self.maildir.path else 8025
        return None if self.receive.port == "closed" else self.receive.port

    @property
    def trusted(self) -> dict[str, tuple[str, ...]]:
        """The servers whose checks of senders are believed, by the way in for which they are named.

        Those named under [receive] are so for a mailbox or Maildir that names none, where nobody else can bring letters.
        """
        ours = self.receive.trusted_authserv if self.port is None else ()
        own = {"imap": self.imap.trusted_authserv or ours, "maildir": self.maildir.trusted_authserv or ours}
        return {"smtp": self.receive.trusted_authserv, "pipe": self.receive.trusted_authserv, **own}

    def desk_file(self, number: int, kind: str) -> Path:
        """The files of a desk of this number beside the database: its "lock", and the letter it has in "hand"."""
        return self.data_folder / (f"desk-{number}.{kind}" if number else f"desk.{kind}")

    @property
    def hand_files(self) -> tuple[Path, ...]:
        """Where the desks note which letters they have in hand."""
        return tuple(self.desk_file(number, "hand") for number in range(self.desk.processes))

    @property
    def mail_folder(self) -> Path:
        """Where outgoing mail is laid when the method is maildir."""
        return self.home / self.send.maildir if self.send.maildir else self.data_folder / "mail"

    @property
    def archive_folder(self) -> Path:
        """Where the pages of matches are written."""
        return self.home / self.archive.folder if self.archive.folder else self.data_folder / "archive"

    @property
    def archive_is_public(self) -> bool:
        """Whether a web server may read the archive: where it has a folder of its own outside of the data folder."""
        return bool(self.archive.folder) and not self.archive_folder.is_relative_to(self.data_folder)

    @property
    def boards_folder(self) -> Path:
        """Where boards for Empire lie that were drawn here."""
        return self.home / self.empire.boards if self.empire.boards else self.data_folder / "boards"

    @property
    def secret_files(self) -> tuple[Path, ...]:
        """Files with a password or a private key: those the settings name, and the settings if a password stands in them."""
        own = (self.source,) if self.source and (self.send.password or self.imap.password or self._url_password) else ()
        return (*own, *(path for setting, path in self.named_files.items() if setting != "imap.ca_file"))

    @property
    def named_files(self) -> dict[str, Path]:
        """The files that settings name and that the service cannot go on without, each by its setting."""
        named = {
            "send.password_file": self.send.password_file,
            "imap.password_file": self.imap.password_file,
            "dkim.key_file": self.dkim.selector and self.dkim.key_file,
            "imap.ca_file": self.imap.ca_file,
        }
        return {setting: self.home / name for setting, name in named.items() if name}

    @property
    def backup_folder(self) -> Path | None:
        """Where a backup is laid every night; None where none is made."""
        return self.home / self.backup.folder if self.backup.folder and self.backup.keep else None

    @property
    def _url_password(self) -> bool:
        return bool(urlsplit(self.database.url).password)

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
        if not self.dkim.key_file:
            raise ConfigError("[dkim] key_file names no file; name the private key in PEM, or leave selector empty.")
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


# ---------------------------------------------------------------- the settings file read
# Every setting checked, every mistake told in one sentence.


VARIABLE = "REFEREE_CONFIG"
"""The environment variable that names the settings file."""


def load(path: Path | None = None, environment: Mapping[str, str] = os.environ, needed: bool = True) -> Config:
    """The settings from this file, or the one REFEREE_CONFIG names, or config.toml here; the defaults where none are `needed`.

    Raises ConfigError where there is none, for one that cannot be read, and for every setting that cannot be used.
    """
    named = path or (Path(environment[VARIABLE]) if environment.get(VARIABLE) else None)
    file = named or Path("config.toml")
    if named is None and not file.exists():
        if not needed:
            return Config()
        here = f"There is no {file} in {Path.cwd()}, and without settings this would work on an empty house"
        raise ConfigError(
            f"{here}: go to the folder of yours (cd /srv/referee), name them with --config FILE, or let referee setup write them."
        )
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise ConfigError(
            f"The settings file {str(file)!r} cannot be read ({error.strerror}); name one that can with {VARIABLE}."
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"The settings file {str(file)!r} is no UTF-8; save it as that.") from error
    return read(text, file.parent, file)


def read(text: str, home: Path = Path(), source: Path | None = None) -> Config:
    """The settings in this TOML text. Raises ConfigError."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = f" in {str(source)!r}" if source else ""
        mend = 'mend that line; text stands in quotes, as in name = "Referee".'
        raise ConfigError(f"The settings{where} are not TOML: {error}; {mend}") from error
    sections = {name: kind for name, kind in get_type_hints(Config).items() if name not in ("home", "source")}
    values: dict[str, Any] = {name: _section(name, value, sections) for name, value in found.items()}
    config = Config(**values, home=home, source=source)
    _check_zone(config.referee.zone)
    _check_networks(config.receive.front)
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
        found = msgspec.convert(value, kinds[key])
        return _spelt(found) if kinds[key] in (Address, Addresses, MaybeAddress) else found
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigError(f"[{section}] {key} = {_shown(value)} cannot be used; write {_right(kinds[key])}.") from error


def _spelt(found: Any) -> Any:
    """An address, or some; one outside ASCII as mail servers know it. Raises ValueError where none of them does."""
    if isinstance(found, tuple):
        return tuple(map(_spelt, found))
    if found.isascii():
        return found
    from referee.mail.address import spelt  # few settings need it, and every command reads them

    if (spelling := spelt(found)) is None:
        raise ValueError(found)
    return spelling


def _meant(word: str, known: Mapping[str, Any], form: str) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {form.format(close[0])}?"
    return "those there are: " + ", ".join(form.format(name) for name in known) + "."


def _shown(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _right(kind: Any) -> str:
    """The values of a setting of this kind, in words."""
    meta = getattr(kind, "__metadata__", ())
    if meta:
        return str(meta[0].description)
    choices = getattr(kind, "__args__", ())
    if choices and all(isinstance(choice, str) for choice in choices):
        return " or ".join(f'"{choice}"' for choice in choices)
    if kind is bool:
        return "true or false"
    return "text in quotes" if kind is str else 'a list of texts, as in ["one", "two"]'


def _check_networks(networks: tuple[str, ...]) -> None:
    for network in networks:
        try:
            ip_network(network, strict=False)
        except ValueError as error:
            raise ConfigError(
                f'[receive] front: "{network}" is no network; write one such as "192.0.2.0/24" or "2001:db8::/32".'
            ) from error


def _check_zone(zone: str) -> None:
    if is_zone(zone):
        return
    try:
        raise ConfigError(f'[referee] zone = "{zone}" is written "{find_zone(zone)}" here.')
    except Unclear as error:
        raise ConfigError(f'[referee] zone = "{zone}": {error}') from error
