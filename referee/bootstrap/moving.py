"""A match as a file on its way from one house to another, with the drawn board that it is played on."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import msgspec

from referee.adapters.files import write_whole
from referee.adapters.pages.drawings import DrawingFolder
from referee.adapters.unusable import Unusable, told
from referee.bootstrap.offices import opened
from referee.config import Config
from referee.games import rules_in_force
from referee.service.alarms.arriving import NotTaken, take_in
from referee.service.alarms.moving import Carried, carry_out
from referee.service.match.result import Result
from referee.service.stored import this_program

_DRAWN = "drawn:"


class Parcel(msgspec.Struct, frozen=True):
    """What the file holds: the match, and boards by their names."""

    match: Carried
    boards: dict[str, str] = {}


def send_out(config: Config, match: str, to: str, file: Path) -> Result:
    """Carry a match out into a file that is not there yet; that is durable before the match has moved."""
    if file.exists():
        raise Unusable(f"{file} is there already, and nothing is written over: name a file that is not there yet.")
    part = file.with_name(f".{file.name}.part")

    def lay_down(carried: Carried) -> None:
        board = carried.row.options.get("board", "").removeprefix(_DRAWN)
        drawn = {name: text for name, text in DrawingFolder(config.boards_folder).items() if name == board}
        write_whole(part, gzip.compress(msgspec.json.encode(Parcel(carried, drawn)), mtime=0))
        part.chmod(0o600)

    with told(config.database_url), opened(config) as office:
        try:
            said = carry_out(office, match.lower(), to, this_program(rules_in_force()), lay_down)
            if part.exists():
                part.rename(file)
        finally:
            part.unlink(missing_ok=True)
    return said


def bring_in(config: Config, file: Path) -> Result:
    """Take a match in from a file. Raises Unusable for one that cannot be read, NotTaken where the match cannot go on here."""
    try:
        parcel = msgspec.json.decode(gzip.decompress(file.read_bytes()), type=Parcel)
    except (gzip.BadGzipFile, EOFError, zlib.error, msgspec.DecodeError) as error:
        raise Unusable(f"{file} holds no match, or is damaged ({error}); have it written once more.") from error
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from error
    with told(config.database_url):
        _hang_up(config, parcel.boards)
    with opened(config) as office:
        return take_in(office, parcel.match, this_program(rules_in_force()))


def _hang_up(config: Config, boards: dict[str, str]) -> None:
    """Lay boards into the folder of drawn ones. Raises NotTaken where there is another board of that name."""
    here = DrawingFolder(config.boards_folder)
    for name, text in boards.items():
        if name in here and here[name] != text:
            raise NotTaken(
                f"Another board {name} lies in {config.boards_folder}; the match is played on one of that name."
            )
        if name not in here:
            write_whole(config.boards_folder / f"{name}.txt", text.encode())
