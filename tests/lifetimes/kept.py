"""What is kept of a version, and how it is opened again."""

from __future__ import annotations

import json
import lzma
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.record import Entry
from referee.service.base.ports import MatchRow
from referee.service.match.audit import Audited, audit
from referee.service.match.playing import codec_of
from referee.service.match.sealing import Seals, Writing
from tests.lifetimes.club import Club
from tests.lifetimes.packing import logs, unpack

FOLDER = Path(__file__).parent / "kept"
"""A folder for each version."""

QUICK = "quick"
"""The database whose matches every run of the tests goes on with; "rest" has the others."""


class KeptPlayer(msgspec.Struct, frozen=True):
    """Who plays a seat, "" for the game master; where he replies to, and the sheet his last letter proposed."""

    seat: str
    address: str
    reply_to: str
    proposed: tuple[str, ...]
    asked: tuple[str, ...]
    """What waits for an answer of his, and what he may answer."""


class KeptMatch(msgspec.Struct, frozen=True):
    """A match, the revision of its rules, the kinds of question it was stopped at and the keys of those that are open."""

    name: str
    game: str
    revision: int
    kinds: tuple[str, ...]
    open: tuple[str, ...]
    before: int
    """So many entries of its log were of phases that had ended."""
    members: tuple[KeptPlayer, ...]
    unread: str = ""
    """The Message-ID of a letter to it that nobody has read yet."""

    @property
    def players(self) -> tuple[KeptPlayer, ...]:
        """Those who play."""
        return self.members[:-1]

    @property
    def master(self) -> KeptPlayer:
        """The game master."""
        return self.members[-1]


class KeptSet(msgspec.Struct, frozen=True):
    """The matches of a database and the moment at which it was closed."""

    at: datetime
    matches: tuple[KeptMatch, ...]


class Archive(msgspec.Struct, frozen=True):
    """The files of a finished match by which it is verified."""

    name: str
    manifest: str
    log: str
    reports: str


def versions() -> tuple[str, ...]:
    """Every version of which a set is kept, the oldest first."""
    return tuple(sorted((path.name for path in FOLDER.iterdir()), key=lambda name: [int(n) for n in name.split(".")]))


def kept_set(version: str, file: str) -> KeptSet:
    """What is in a kept database."""
    return msgspec.json.decode(_read(version, f"{file}.json.xz"), type=KeptSet)


def archives(version: str) -> list[Archive]:
    """The archives of finished matches of a version."""
    return msgspec.json.decode(_read(version, "archives.json.xz"), type=list[Archive])


def began_by(archive: Archive) -> set[tuple[int, str, str]]:
    """Revision, fingerprint and version of the rules that began the phases of an archive."""
    payloads = (json.loads(json.loads(line)["payload"]) for line in archive.log.splitlines())
    events = [said["event"] for said in payloads if said["kind"] == "event" and said["event"]["type"] == "PhaseBegan"]
    return {(event["revision"], event["build"], event["version"]) for event in events}


def _read(version: str, file: str) -> bytes:
    return lzma.decompress((FOLDER / version / file).read_bytes())


def kept_logs(version: str, file: str) -> dict[str, tuple[bytes, list[Entry]]]:
    """By match of a kept database, the secret of its dice and its log."""
    return logs((FOLDER / version / f"{file}.database.xz").read_bytes())


def dice_of(game: Game[Any], secret: bytes, log: Sequence[Entry]) -> Writing:
    """The dice of a log, by its seals."""
    codec = codec_of(game)
    seals = Seals().followed((entry, codec.load(entry.payload)) for entry in log)
    row = MatchRow(log[0].match, game.name, "running", secret, {}, {}, datetime.fromisoformat(log[0].at))
    return Writing(row, codec, log[-1], seals, log[-1].at, "afterwards")


def unpacked(version: str, file: str, folder: Path, only: Collection[str] = ()) -> KeptSet:
    """Lay a kept database, or of its matches `only` some, into a folder as that version left it."""
    kept = kept_set(version, file)
    unpack((FOLDER / version / f"{file}.database.xz").read_bytes(), folder / "referee.sqlite", only)
    return KeptSet(kept.at, tuple(match for match in kept.matches if not only or match.name in only))


def opened(at: datetime, folder: Path, build: str) -> Club:
    """The database in a folder that was closed then, ten minutes later, by another program: the one there is now."""
    club = Club(folder, f"afterwards {at}", first=int(at.timestamp()), build=build)
    club.overlook()
    club.clock.advance(at - club.clock.now() + timedelta(minutes=10))
    return club


# ---------------------------------------------------------------- going on


PERIODS = 8
"""So many periods of 12 hours a phase may stay open that nobody answers any more: a slot with its grace, and once more."""


class Wrote(msgspec.Struct, frozen=True):
    """What somebody wrote, and the kinds and texts of what he was answered."""

    match: str
    seat: str
    body: str
    answers: tuple[tuple[str, str], ...]


def writes(club: Club, kept: KeptMatch, who: KeptPlayer, body: str) -> Wrote:
    """Somebody replies to the letter that the version before sent him."""
    mails = club.write(who.address, body, who.reply_to, f"Re: [{kept.name}]")
    return Wrote(kept.name, who.seat, body, tuple((m.kind, m.flat) for m in mails if m.to == who.address))


def letters_of_everybody(club: Club, kept: KeptMatch) -> list[Wrote]:
    """A player who owes something and the game master ask how it stands, and the player returns the sheet proposed to him."""
    owing = [player for player in kept.players if player.proposed]
    wrote = [writes(club, kept, who, "STATUS") for who in (owing[-1], kept.master)]
    return [*wrote, writes(club, kept, owing[-1], "\n".join(owing[-1].proposed))]


def let_time_pass(club: Club, matches: Iterable[KeptMatch]) -> list[str]:
    """Let deadlines pass until no question is open that was; the matches in which one still is."""
    waiting = list(matches)
    for _ in range(PERIODS):
        if not waiting:
            break
        club.wait(hours=12)
        waiting = [kept for kept in waiting if set(kept.open) & open_keys(club, kept.name)]
    return [kept.name for kept in waiting]


def open_keys(club: Club, match: str) -> set[str]:
    """The questions that wait for an answer."""
    return {question.key for question in club.playing(match).outcome.open}


def questions_to(club: Club, match: str, seat: str) -> tuple[str, ...]:
    """What waits for an answer of a seat, with what may be answered."""
    mine = [question for question in club.playing(match).outcome.open if question.seat == seat]
    return tuple(f"{question.text} {' | '.join(question.menu.words())}" for question in mine)


def audited(club: Club, kept: KeptMatch) -> Audited:
    """What an audit of its log finds; a match that goes on is audited as far as it has come."""
    row = club.playing(kept.name).row
    return audit(club.playing(kept.name).game, row.secret, club.entries(kept.name))
