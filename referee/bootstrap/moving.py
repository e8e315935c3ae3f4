"""A match as a file on its way from one house to another."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

import msgspec

from referee.adapters.files import write_whole
from referee.adapters.unusable import Unusable, told
from referee.bootstrap.offices import opened
from referee.config import Config
from referee.games import rules_in_force
from referee.service.base.remembered import this_program
from referee.service.intake.arriving import take_in
from referee.service.intake.retention import Carried, carry_out
from referee.service.match.result import Told


class Parcel(msgspec.Struct, frozen=True):
    """What the file holds: the match. A drawn board stands in its log; `boards`, as files had before, is not heeded."""

    match: Carried
    boards: dict[str, str] = {}


def send_out(config: Config, match: str, to: str, file: Path) -> Told:
    """Carry a match out into a file that is not there yet; that is durable before the match has moved."""
    if file.exists():
        raise Unusable(f"{file} is there already, and nothing is written over: name a file that is not there yet.")
    part = file.with_name(f".{file.name}.part")

    def lay_down(carried: Carried) -> None:
        write_whole(part, gzip.compress(msgspec.json.encode(Parcel(carried)), mtime=0))
        part.chmod(0o600)

    with told(config.database_url), opened(config) as office:
        try:
            said = carry_out(office, match.lower(), to, this_program(rules_in_force()), lay_down)
            if part.exists():
                part.rename(file)
        finally:
            part.unlink(missing_ok=True)
    return said


def bring_in(config: Config, file: Path, never_taken: bool = False) -> Told:
    """Take a match in from a file, its own house's only where it was `never_taken` in elsewhere.

    Raises Unusable for one that cannot be read, NotTaken where the match cannot go on here; then nothing is kept of it.
    """
    try:
        parcel = msgspec.json.decode(_unpacked(file), type=Parcel)
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, RecursionError, MemoryError) as error:
        raise Unusable(f"{file} holds no match, or is damaged ({error}); have it written once more.") from error
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from error
    with told(config.database_url), opened(config) as office:
        return take_in(office, parcel.match, this_program(rules_in_force()), never_taken)


_PACKED, _UNPACKED, _RATIO = 64_000_000, 400_000_000, 60
"""The largest file, what it may become, and how much of each byte; logs come nowhere near."""


def _unpacked(file: Path) -> bytes:
    """What is in a file, as far as it can be honest. Raises ValueError for what is too large, or becomes so."""
    with file.open("rb") as source:
        packed = source.read(_PACKED + 1)
    most = min(_UNPACKED, 1_000_000 + _RATIO * len(packed)) if len(packed) <= _PACKED else 0
    with gzip.open(io.BytesIO(packed)) as unpacking:
        data = unpacking.read(most + 1)
    if len(data) > most:
        raise ValueError("it is too large for a match")
    return data
