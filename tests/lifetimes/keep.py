"""Keeping a release: matches of all games stopped in every kind of open phase, and archives of finished ones.

Run by hand before each release: make keep-release. Equal sources give equal files. What was kept of a version that was
released is never written over.
"""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import text

from referee.core.record import Answered
from referee.games import GAMES
from referee.service.base.office import At
from referee.service.base.ports import Secrets
from referee.service.house.archive import archive_of
from referee.service.match.playing import BareHand, load, remember
from referee.service.post.frames import form_for
from referee.service.turn.advance import run
from tests.house.sources import ROOT
from tests.lifetimes.club import Club, master_of, player_of
from tests.lifetimes.kept import (
    FOLDER,
    QUICK,
    Archive,
    KeptMatch,
    KeptPlayer,
    KeptSet,
    archives,
    began_by,
    questions_to,
)
from tests.lifetimes.packing import pack
from tests.lifetimes.stops import BOT, Stop, shortest_game, stops

_STANDING = {
    "newworld": "STANDING\nRESEARCH any\nEND\nFOR TURN 9\nHIRE 1 worker\nEND",
    "war27": "STANDING\nSTRAITS closed\nEND",
    "war17": "STANDING\nRETREAT BELOW 2\nEND",
    "empire": "IF LATE\nROLL OUT\nEND",
}
"""What a player who owes nothing has on file."""

_SPOKEN = 'PRESS TO ALL\nThis was written before "the upgrade", and is to be read after it.\nEND'


class _Given:
    """The secret of a match is given; every other value is the house's own."""

    def __init__(self, house: Secrets, secret: bytes) -> None:
        self._house, self._secret = house, secret

    def token(self) -> str:
        return self._house.token()

    def secret(self) -> bytes:
        return self._secret


def keep(folder: Path) -> None:
    """Make a set in a folder: the quick database, the one with the rest, and the archives."""
    chosen = [(stop.name, stop) for game in GAMES for stop in stops(game)]
    quick = set(_of_every_pace(chosen))
    for file, names in ((QUICK, quick), ("rest", {name for name, _ in chosen} - quick)):
        packed, kept = _database(file, [(name, stop) for name, stop in chosen if name in names])
        (folder / f"{file}.database.xz").write_bytes(packed)
        (folder / f"{file}.json.xz").write_bytes(lzma.compress(msgspec.json.encode(kept)))
    (folder / "archives.json.xz").write_bytes(_archives())


def _of_every_pace(chosen: Sequence[tuple[str, Stop]]) -> Iterator[str]:
    """Of each game one match for each pace at which it asks, and one with reports behind it."""
    seen = set[tuple[str, str, bool]]()
    for name, stop in chosen:
        found = {(stop.game, pace, "later" in kind) for kind, pace in stop.kinds.items()}
        if not found <= seen:
            seen |= found
            yield name


def _database(seed: str, chosen: Sequence[tuple[str, Stop]]) -> tuple[bytes, KeptSet]:
    with tempfile.TemporaryDirectory() as place:
        club = Club(Path(place), seed)
        for name, stop in chosen:
            _begin(club, name, stop)
        club.wait(hours=1)
        left = [_left(club, number, name, stop) for number, (name, stop) in enumerate(chosen)]
        kept = tuple(_unread(club, match) if number % 3 == 0 else match for number, match in enumerate(left))
        _sent(club)
        found = KeptSet(club.clock.now(), kept)
        club.close()
        return pack(Path(place) / "referee.sqlite"), found


def _begin(club: Club, name: str, stop: Stop) -> None:
    """Create and start a match by letters, and let bots play it to where it is to stop."""
    said = ", ".join(f"{option} {value}" for option, value in stop.options.items())
    office = club.office
    club.office = replace(office, secrets=_Given(office.secrets, stop.secret))
    club.vouched(master_of(name), f"CREATE {stop.game} AS {name} WITH {said}")
    club.office = office
    for number in range(stop.players):
        club.vouched(player_of(name, number), f"JOIN {name}")
    club.vouched(master_of(name), f"START {name}")
    for answer in stop.answers:
        _answer(club, name, answer)
    assert club.entries(name)[-1].hash == stop.head, (
        f"{name}: the service writes another log than the one that was looked for"
    )


def _answer(club: Club, match: str, answer: Answered) -> None:
    with club.store.step() as step:
        row = step.match(match)
        assert row is not None
        hand = BareHand(club.office, step, load(At(club.office, step), row))
        run(hand, [answer], BOT)
    remember(hand.playing)


def _left(club: Club, number: int, name: str, stop: Stop) -> KeptMatch:
    """What players wrote before everything stood still: sheets on file, standing ones, press, a letter nobody has read yet."""
    asked = club.playing(name).outcome.open
    owing = tuple(dict.fromkeys(question.seat for question in asked))
    seats = club.playing(name).created.seats
    proposed = {seat: _proposal(club, name, seat) for seat in owing}
    idle = [seat for seat in seats if seat not in owing]
    if idle:
        _reply(club, club.player(idle[0], name), _STANDING[stop.game])
        _reply(club, club.player(idle[-1], name), _SPOKEN)
    sheet = [line for line in proposed[owing[0]] if line != "ROLL OUT"]
    if sheet and any(question.wants_orders for question in asked) and (len(owing) > 1 or number % 2):
        _reply(club, club.player(owing[0], name), "\n".join([*sheet, *(["WAIT"] if len(owing) == 1 else [])]))
    members = [
        KeptPlayer(
            seat, *_reached(club, club.player(seat, name)), proposed.get(seat, ()), questions_to(club, name, seat)
        )
        for seat in seats
    ]
    open_now = tuple(sorted(question.key for question in club.playing(name).outcome.open))
    assert open_now == tuple(sorted(question.key for question in asked)), f"{name} was played on"
    master = KeptPlayer("", *_reached(club, master_of(name)), (), ())
    playing = club.playing(name)
    kinds, revision = tuple(sorted(stop.kinds)), playing.game.revisions[-1].number
    return KeptMatch(name, stop.game, revision, kinds, open_now, playing.position.count, (*members, master))


def _reached(club: Club, address: str) -> tuple[str, str]:
    """Somebody's address, and where his replies go."""
    return address, _reply_to(club, address)


def _proposal(club: Club, match: str, seat: str) -> tuple[str, ...]:
    """The sheet that the letters of this version propose."""
    with club.store.look() as step:
        form = form_for(step, club.playing(match), seat)
    return tuple(line for line in form.lines if not line.startswith("#")) if form else ()


def _reply(club: Club, address: str, body: str) -> None:
    """Reply to the last letter to somebody, and say YES where that is asked for."""
    mails = club.write(address, body, _reply_to(club, address))
    if any(mail.to == address and mail.kind == "confirmation" for mail in mails):
        club.write(address, "YES", _reply_to(club, address))


_LAST = text(
    "SELECT id FROM letter_out WHERE recipient = :address AND kind NOT IN ('confirmation', 'entry') ORDER BY id DESC"
)


def _reply_to(club: Club, address: str) -> str:
    """Where a reply to the last letter to somebody goes."""
    with club.store.engine.begin() as db:
        number = db.execute(_LAST, {"address": address}).scalars().first()
    assert number is not None
    mail = club.letter(number)
    return str(BytesHeaderParser().parsebytes(mail.raw)["Reply-To"]).rpartition("<")[2].rstrip(">")


def _unread(club: Club, match: KeptMatch) -> KeptMatch:
    """The match with a letter to it that came and was not handled yet."""
    writer = match.players[-1]
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = writer.address, writer.reply_to, "orders"
    letter["Message-ID"], letter["Date"] = f"<unread.{writer.address}>", club.clock.now()
    letter.set_content("STATUS")
    club.put(letter.as_bytes(), writer.address, writer.reply_to)
    return msgspec.structs.replace(match, unread=str(letter["Message-ID"]))


def _sent(club: Club) -> None:
    """All letters were sent but the last ones; the bytes of those, most of them maps, are not kept."""
    with club.store.engine.begin() as db:
        last = "(SELECT max(id) FROM letter_out GROUP BY recipient)"
        db.execute(text(f"UPDATE letter_out SET status = 'sent', sent_at = created_at WHERE id NOT IN {last}"))
        heavy = "(SELECT letter FROM letter_out_raw WHERE length(raw) > 8000)"
        db.execute(text(f"UPDATE letter_out SET status = 'sent', sent_at = created_at WHERE id IN {heavy}"))
        gone = "(SELECT id FROM letter_out WHERE status = 'sent')"
        db.execute(text(f"DELETE FROM letter_out_raw WHERE letter IN {gone}"))
    with club.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.execute(text("VACUUM"))


def _archives() -> bytes:
    """The archive of a short finished match of each game, as a verifier gets it."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        club = Club(Path(place), "archives")
        for game in GAMES:
            _begin(club, game.name, shortest_game(game))
            assert club.status(game.name) == "over"
            with club.store.look() as step:
                row = step.match(game.name)
                assert row is not None
                files = archive_of(At(club.office, step), row).files
            found.append(
                Archive(game.name, *(files[name].decode() for name in ("match.json", "log.jsonl", "reports.jsonl")))
            )
        club.close()
    return lzma.compress(msgspec.json.encode(found), preset=9 | lzma.PRESET_EXTREME)


def version() -> str:
    """The version of these sources."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def make(name: str, tags: Sequence[str]) -> str:
    """Keep what is the version of this name, unless a tag says that it was released; why not, "" where it was done."""
    folder = FOLDER / name
    if folder.exists() and f"v{name}" in tags:
        return f"{name} was released; what was kept of it is never made anew."
    folder.mkdir(parents=True, exist_ok=True)
    keep(folder)
    return ""


RELEASED = ROOT / "referee" / "released.toml"


def release(version: str) -> None:
    """Name the rules of the kept matches of a version among those that were released (`referee/released.toml`)."""
    others = RELEASED.read_text("utf-8").partition(f'[[rules]]\nversion = "{version}"')[0].rstrip()
    rules = sorted({(a.name, *b) for a in archives(version) for b in began_by(a)})
    RELEASED.write_text(others + "".join(_RULES.format(version, *known[:3]) for known in rules) + "\n", "utf-8")


_RULES = '\n\n[[rules]]\nversion = "{}"\ngame = "{}"\nrevision = {}\nbuild = "{}"'


def main() -> int:
    """Keep this version; 1 where it was released."""
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    refused = make(version(), tags)
    if not refused:
        release(version())
    sizes = [f"{path.name}: {path.stat().st_size:,} bytes" for path in sorted((FOLDER / version()).iterdir())]
    print(refused or "\n".join(sizes))
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main())
