"""A host who cheats with everything he has, and players who are honest and have nothing but their letters."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from referee.adapters.pages.text_table import table
from referee.adapters.signing_key import SigningKey, verify
from referee.core.event import Drawn, Rolled
from referee.core.record import Entry, Happened, Sealed, seal
from referee.games import GAMES
from referee.service.base.office import At, Randomness
from referee.service.base.ports import Step
from referee.service.house.archive import archive_of
from referee.service.house.saved_letters import saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.match.audit import Audited, sizes_of
from referee.service.match.playing import codec_of
from referee.service.match.sealing import Seals
from tests.beacon.by_hand import ByHand, signature
from tests.service.conftest import ANNA, GINA, PLAYERS
from tests.toy import TOY
from tests.world import Mail, World

SIGNER = SigningKey("games.example", bytes(32))
KNOWN = {**{game.name: game for game in GAMES}, "toy": TOY}
PARTS = ("match.json", "log.jsonl", "reports.jsonl")
TURN = "RESEARCH any\nHIRE 1 worker\nROLL OUT"

Archive = dict[str, bytes]
Change = Callable[[int, Any], Any]


class Host(World):
    """A referee whose host may copy its database, its key and its clock, and go on with the copy he likes best."""

    def __init__(self, folder: Path, first: int = 1, at: datetime | None = None) -> None:
        super().__init__(folder, first=first, signer=SIGNER)
        self.folder = folder
        if at is not None:
            self.clock.advance(at - self.clock.now())
        self.beacon = ByHand(self.clock)
        self.office = replace(self.office, randomness=Randomness(self.beacon), games=KNOWN)

    def begin(self, game: str = "newworld", more: str = "", players: int = 4) -> None:
        """The match nw1, started; Gina is game master."""
        self.write(GINA, f"CREATE {game} AS nw1 {more}")
        for player in PLAYERS[:players]:
            self.write(player, "JOIN nw1")
        self.reply(GINA, "START nw1", kind="receipt")
        self.fall()

    def fall(self) -> None:
        """Wait until no round is waited for."""
        while self.status() == "sealed":
            self.wait(minutes=1)

    def fork(self, name: str) -> Host:
        """Another referee that is as this one, with the same secrets; letters in both have the same Message-IDs."""
        first = next(self._count)
        folder = self.folder / name
        copied(self.folder, folder)
        fork = Host(folder, first + 1, self.clock.now())
        fork.beacon.late = self.beacon.late
        fork.all_mail()
        fork.new_mail()
        return fork

    def turn(self, body: str = TURN, message_id: str = "") -> str:
        """Who is on turn writes; whose letter it was."""
        player = self.on_turn()
        last = self.last(player)
        self.write(player, body, last.reply_to, message_id=message_id, In_Reply_To=last.message_id)
        return player

    def over(self) -> None:
        """Gina ends the match, and its secret is told."""
        self.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')

    def faces(self) -> list[tuple[int, ...]]:
        """All throws of the match so far."""
        codec = codec_of(self.playing().game)
        events = [codec.event(record.event) for record in self.log(Happened)]
        return [event.faces for event in events if isinstance(event, Rolled | Drawn)]

    def archive(self, entries: Sequence[Entry] = ()) -> Archive:
        """The public folder, of the log as it is or as the host makes it."""
        with self.store.look() as step:
            row = step.match("nw1")
            assert row is not None
            shown: Any = _Instead(step, entries) if entries else step
            files = archive_of(At(self.office, shown), row).files
        return {name: files[name] for name in PARTS}

    def rewritten(self, change: Change, secret: bytes = b"", anew: bool = False) -> list[Entry]:
        """The log as a host writes it who knows all secrets: records are changed in place, and all hashes fit.

        A change may give the time of an entry. With `anew` dice are thrown by the keys that come of it.
        """
        codec, secret = codec_of(self.playing().game), secret or self.playing().row.secret
        head: Entry | None = None
        entries: list[Entry] = []
        seals, force = Seals(), dict[bool, int]()
        for entry in self.entries():
            said = json.loads(entry.payload)
            at = change(entry.seq, said) or entry.at
            if anew and said.get("event", {}).get("type") in ("Rolled", "Drawn"):
                event = codec.event(msgspec.Raw(json.dumps(said["event"]).encode()))
                assert isinstance(event, Rolled | Drawn)
                dice = seals.keys[force[event.seen_by is not None]].chance(secret)
                sizes = enumerate(sizes_of(event), event.first)
                said["event"]["faces"] = [dice.face(event.purpose, index, size) for index, size in sizes]
            payload = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
            head = seal(secret, entry.match, head, at, said["kind"], payload, entry.cause)
            entries.append(head)
            record = codec.load(payload)
            seals = seals.followed([(head, record)])
            if isinstance(record, Sealed):
                force[record.hidden] = record.number
        return entries

    def seals(self) -> list[tuple[Entry, Sealed]]:
        """All seals of the log that stand for themselves."""
        codec = codec_of(self.playing().game)
        found = ((entry, codec.load(entry.payload)) for entry in self.entries() if entry.kind == "sealed")
        return [(entry, record) for entry, record in found if isinstance(record, Sealed) and not record.again]


class _Instead:
    """A step whose log is another one."""

    def __init__(self, step: Step, entries: Sequence[Entry]) -> None:
        self._step, self._entries = step, list(entries)

    def entries(self, match: str, since: int = 0) -> list[Entry]:
        return self._entries[since:]

    def last_entry(self, match: str) -> Entry:
        return self._entries[-1]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._step, name)


def copied(folder: Path, to: Path) -> None:
    """The database of a referee, copied while he works on."""
    to.mkdir(exist_ok=True)
    with (
        closing(sqlite3.connect(folder / "referee.sqlite")) as one,
        closing(sqlite3.connect(to / "referee.sqlite")) as two,
    ):
        one.backup(two)


# ---------------------------------------------------------------- an honest player


class Player:
    """Somebody who kept the letters that came to his address, and knows what he wrote himself; nothing else."""

    def __init__(self, letters: Iterable[Mail], address: str = ANNA) -> None:
        self.letters = [mail for mail in letters if mail.to == address]
        self.received: dict[int, datetime] = {}

    def finds(self, archive: Archive) -> str:
        """What does not fit, in a sentence; "" for nothing."""
        return self.checks(archive).trouble

    def checks(self, archive: Archive) -> Audited:
        """`referee verify FOLDER --letters`, with the beacon's public key and the times of its rounds."""
        letters = tuple(saved(self._raw(mail)) for mail in self.letters)
        checks = Checks(verify, lambda round, signed: signed == signature(round), _made, letters, draw=table)
        return verify_archive(KNOWN, *(archive[name] for name in PARTS), checks=checks)

    def came(self, mail: Mail, at: datetime) -> None:
        """His own mail server notes when a letter came in."""
        self.received[id(mail)] = at

    def _raw(self, mail: Mail) -> bytes:
        at = self.received.get(id(mail))
        line = f"Received: from games.example by players.example; {format_datetime(at)}\r\n" if at else ""
        return line.encode() + mail.raw

    def secrets_that_lead_nowhere(self) -> list[str]:
        """Secrets of chain 0 in his letters that are not hashed to the end that his first letter names."""
        text = "\n".join(mail.flat for mail in self.letters)
        (end,) = set(re.findall(r"End of the chain: ([0-9a-f]{64})", text))
        return [
            f"secret {number} is not hashed to the end of the chain that my first letter names"
            for number, secret in re.findall(r"Secret (\d+) of chain 0: ([0-9a-f]{64})", text)
            if hashed(secret, int(number)) != end
        ]

    def without_answer(self, wrote: Iterable[str]) -> list[str]:
        """Letters of his own, by their Message-IDs, that nobody acknowledged."""
        answered = {mail.answers for mail in self.letters}
        return [f"my letter {letter} was never acknowledged" for letter in wrote if letter not in answered]

    def sealings(self) -> list[tuple[str, int]]:
        """The hashes and rounds that he was told when something was sealed."""
        found = (
            re.search(r"its hash is ([0-9a-f]{64})\. (?:- )?Its dice come of that and of round (\d+)", m.flat)
            for m in self.letters
        )
        return [(match[1], int(match[2])) for match in found if match]

    def silences(self) -> list[int]:
        """Rounds that a report calls silent."""
        text = " ".join(mail.flat for mail in self.letters)
        return [int(number) for number in re.findall(r"Round (\d+) of the beacon: none, since", text)]


def hashed(secret: str, times: int) -> str:
    """A secret, hashed so often."""
    found = bytes.fromhex(secret)
    for _ in range(times):
        found = sha256(found).digest()
    return found.hex()


def _made(round: int) -> datetime:
    return ByHand.time_of(_CLOCKLESS, round)


class _NoClock:
    def now(self) -> datetime:
        raise AssertionError("a player asks nobody for the time")


_CLOCKLESS = ByHand(_NoClock())
