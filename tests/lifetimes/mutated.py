"""A program that may be broken goes on with kept matches; run in a process of its own, over a copy of the package.

python -m tests.lifetimes.mutated FOLDER FILE BUILD writes what came of it into FOLDER/BUILD.json; the matches and the
moment stand in FOLDER/FILE.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from datetime import datetime
from email.parser import BytesHeaderParser
from pathlib import Path

import msgspec

from referee.core.event import Event
from referee.core.names import Reader, Role, Seat
from referee.core.record import Happened, live
from referee.service.match.playing import codec_of
from tests.lifetimes.club import Club
from tests.lifetimes.kept import (
    KeptMatch,
    KeptSet,
    Wrote,
    audited,
    let_time_pass,
    letters_of_everybody,
    opened,
    questions_to,
    writes,
)

MENDED = "the rules were mended"


class Told(msgspec.Struct, frozen=True):
    """What a member was told of the phase that was open, before and after, and the subjects of the letters he got between
    that were no answers to his own.

    `asked` is what waited for an answer of his when the match was kept, `asks` what does then.
    """

    match: str
    seat: str
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None
    letters: tuple[str, ...]
    asked: tuple[str, ...]
    asks: tuple[str, ...]


class Came(msgspec.Struct, frozen=True):
    """What came of a run: the matches' states and troubles, letters written, what was told.

    `waiting` has the Message-IDs of letters that are not done, by their status; `answered` those that were answered at once
    when the desk began. `audits` has what is wrong with each log, `older` how many phases of it other rules played: both of
    matches that do not stand still.
    """

    at: datetime
    status: dict[str, str]
    trouble: dict[str, str]
    wrote: tuple[Wrote, ...]
    told: tuple[Told, ...]
    stuck: tuple[str, ...]
    waiting: dict[str, tuple[str, ...]]
    answered: tuple[str, ...]
    audits: dict[str, str]
    older: dict[str, int]
    renewed: tuple[str, ...]


def main(folder: Path, file: str, build: str) -> None:
    """Look after the matches, let everybody write, let deadlines pass, and write down what came of it."""
    logging.disable(logging.CRITICAL)
    kept = msgspec.json.decode((folder / file).read_bytes(), type=KeptSet)
    club = opened(kept.at, folder, build)
    before = {match.name: dict(_told(club, match)) for match in kept.matches}
    mails = club.start_the_desk()
    after = {match.name: dict(_told(club, match)) for match in kept.matches}
    told = tuple(
        Told(
            match.name,
            who.seat,
            before[match.name].get(who.seat),
            after[match.name].get(who.seat),
            tuple(mail.subject for mail in mails if mail.to == who.address and not mail.answers),
            who.asked,
            questions_to(club, match.name, who.seat),
        )
        for match in kept.matches
        for who in match.members
    )
    wrote = [letter for match in kept.matches for letter in letters_of_everybody(club, match)]
    stuck = let_time_pass(club, [match for match in kept.matches if _row(club, match)[0] == "running"])
    halted = [match for match in kept.matches if _row(club, match)[0] == "shunted"]
    wrote += [writes(club, match, match.master, "STATUS") for match in halted]
    wrote += [writes(club, match, match.master, "REWIND TO TURN 1") for match in halted[::2]]
    playable = [match for match in kept.matches if match not in halted]
    audits = {match.name: audited(club, match) for match in playable}
    came = Came(
        club.clock.now(),
        {match.name: _row(club, match)[0] for match in kept.matches},
        {match.name: _row(club, match)[1] for match in kept.matches},
        tuple(wrote),
        told,
        tuple(name for name in stuck if name not in {match.name for match in halted}),
        {status: tuple(_ids(club, status)) for status in ("new", "held", "shunted")},
        tuple(mail.answers for mail in mails),
        {name: found.trouble for name, found in audits.items()},
        {name: sum(older.phases for older in found.older) for name, found in audits.items()},
        tuple(match.name for match in kept.matches if any(e.kind == "renewed" for e in club.entries(match.name))),
    )
    club.close()
    (folder / f"{build}.json").write_bytes(msgspec.json.encode(came))


def _row(club: Club, match: KeptMatch) -> tuple[str, str]:
    with club.store.look() as step:
        row = step.match(match.name)
    assert row is not None
    return row.status, row.trouble


def _told(club: Club, match: KeptMatch) -> Iterator[tuple[str, tuple[str, ...]]]:
    """By seat, what was told of what happened in the phase that was open and since; nothing where it cannot be read."""
    try:
        events = _since_kept(club, match)
        for who in match.members:
            reader: Reader = Seat(who.seat) if who.seat else Role.OBSERVER
            shown = [seen for event in events if (seen := event.told_to(reader)) is not None]
            yield who.seat, tuple(f"{seen.sentence()} [{seen.cites()}]" for seen in shown if seen.sentence())
    except Exception:  # rules that cannot even read the log say nothing of it
        return


def _since_kept(club: Club, match: KeptMatch) -> list[Event]:
    """What happened in the phase that was open when the match was kept, as the log has it now."""
    with club.store.look() as step:
        row, entries = step.match(match.name), step.entries(match.name)
    assert row is not None
    game = club.office.games[row.game]
    codec = codec_of(game)
    alive = live([(entry.seq, codec.load(entry.payload)) for entry in entries])
    records = [entry.record for entry in alive]
    return [codec.event(record.event) for record in records[match.before :] if isinstance(record, Happened)]


def _ids(club: Club, status: str) -> Iterator[str]:
    for letter in club.letters(status):
        yield str(BytesHeaderParser().parsebytes(letter.raw)["Message-ID"])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
