"""The settings as one value, and what is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from referee.config.sections import (
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
    Receive,
    Send,
    Witness,
)

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
