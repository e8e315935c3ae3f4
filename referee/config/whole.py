"""The settings as one value, read from a file; and every mistake in them told in one sentence."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import urlsplit

import msgspec

from referee.config.sections import (
    Address,
    Addresses,
    Archive,
    Backup,
    Chance,
    Clockwork,
    Database,
    Desks,
    Dkim,
    EmpireBoards,
    GameMaster,
    HealthPort,
    Identity,
    Imap,
    Limits,
    Log,
    Maildir,
    MaybeAddress,
    Receive,
    Send,
    Witness,
)
from referee.moments import Unclear, find_zone, is_zone

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
        """Whose checks of senders are believed, by the way in for which they are named.

        Those named under [receive] are so for a mailbox or Maildir that names none, where nobody else can bring letters.
        """
        ours = self.receive.trusted_authserv if self.port is None else ()
        own = {"imap": self.imap.trusted_authserv or ours, "maildir": self.maildir.trusted_authserv or ours}
        return {"smtp": self.receive.trusted_authserv, "pipe": self.receive.trusted_authserv, **own}

    def desk_file(self, number: int, kind: str) -> Path:
        """What a desk of this number keeps beside the database: its "lock", and the letter it has in "hand"."""
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
        raise ConfigError(f"{here}: go to the folder of yours (cd /srv/referee), or name them with --config FILE.")
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
