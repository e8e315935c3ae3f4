"""Who takes letters out: a relay, or a Maildir."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from referee.adapters.files import make_folder, write_whole
from referee.service.base.ports import LetterOut


class TryLater(Exception):
    """The letter was not handed on this time; the reason is fit to be shown to a game master."""


class NotLetIn(TryLater):
    """The relay refuses us, not the letter: nothing can go out until somebody mends the settings."""


class OutOfReach(TryLater):
    """The relay cannot be reached: nothing can go out until it, or the network, is back."""


class GiveUp(Exception):
    """The letter can never be handed on; the reason is fit to be shown to a game master."""


class Sender(Protocol):
    """A way of sending."""

    def send(self, letter: LetterOut) -> None:
        """Hand the letter's bytes on, unchanged. Raises TryLater, OutOfReach, NotLetIn or GiveUp."""
        ...

    def knock(self) -> None:
        """See whether letters could be handed on. Raises TryLater, OutOfReach or NotLetIn if not."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


# ---------------------------------------------------------------- outgoing mail as files
# One Maildir for each address, readable by any mail program on this machine.


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST = 200


def mailbox(folder: Path, address: str) -> Path:
    """The Maildir of an address; two addresses never share one, and none lies outside the folder."""
    name = quote(address.lower(), safe="@+=")
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    if len(name) > _LONGEST:
        name = f"{name[:_LONGEST]}%{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    return folder / (name or "%nobody")


def _file_name(letter: LetterOut) -> str:
    """The same for every attempt, so that sending again after a crash makes no second file; sorts by age."""
    age = (letter.created_at - _EPOCH) // timedelta(microseconds=1)
    return f"{age:017d}.{letter.id:09d}.{hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]}"


def _is_there(box: Path, name: str) -> bool:
    """Whether a letter lies in the mailbox, read (in cur, with flags after its name) or not."""
    return (box / "new" / name).exists() or any((box / "cur").glob(f"{name}*"))


class MaildirSender:
    """Lays letters into Maildirs below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, letter: LetterOut) -> None:
        """Deliver once, durably. Raises TryLater when the disk does not take it."""
        box, name = mailbox(self.folder, letter.recipient), _file_name(letter)
        try:
            for part in ("tmp", "new", "cur"):
                make_folder(box / part)
            if not _is_there(box, name):
                content = letter.raw.replace(b"\r\n", b"\n")
                write_whole(box / "new" / name, content, by_way_of=box / "tmp" / f"{name}.{os.getpid()}")
        except OSError as error:
            raise TryLater(f"the mailbox of {letter.recipient} cannot be written: {error.strerror}") from error

    def knock(self) -> None:
        """A folder of this machine is never out of reach."""

    def close(self) -> None:
        """Nothing is kept open."""
