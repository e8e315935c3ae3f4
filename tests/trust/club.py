"""Two machines and one PostgreSQL: two real services with folders of their own, and what their letters came to."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.signing_key import kept_key
from referee.adapters.store.guard import AtDesk, at_desk
from referee.core.record import Filed
from referee.service.match.audit import Audited, audit
from tests.kill.running import CONFIG, Killed, Running
from tests.service.conftest import GINA, begin
from tests.world import World

STILL = 3
"""Seconds of PostgreSQL's patience in the short tests; 30 for a club, and in the long one."""

_PATIENCE = 90.0


class Letter(NamedTuple):
    """Orders of who is on turn in a match, or a game master's word; sent again as it is until it is acknowledged."""

    sender: str
    recipient: str
    raw: bytes
    ident: str


class Machine(Running):
    """One of the two: its letters are counted in the shared database."""

    def unhandled(self) -> int:
        """Asked of the club instead."""
        return 0

    def signal(self, number: int) -> None:
        """To the service and its desk, as when the machine is cut off or stands still."""
        os.killpg(self.process.pid, number)


class Club:
    """Matches of New World on PostgreSQL and the machines that look after them."""

    def __init__(self, folder: Path, url: str, matches: int, machines: int = 2, still: int = STILL) -> None:
        folder.mkdir(parents=True)
        self.url = f"{url}?options=-c%20idle_in_transaction_session_timeout%3D{still}s"
        self.names = [f"nw{number}" for number in range(matches)]
        self.world = World(folder, database=url)
        limits = replace(self.world.office.limits, answers_a_day=1_000)  # all are made within the same minute
        self.world.office = replace(self.world.office, limits=limits)
        self.clock = FileClock(folder / "clock")
        self.clock.set(self.world.clock.now())
        for name in self.names:
            begin(self.world, match=name)
        self.due = {name: self._due(name) for name in self.names}
        self._filed = {name: self._sheets(name) for name in self.names}
        self._desk = {name: self._reply_addresses(name) for name in self.names}
        self._numbers = itertools.count()
        self.wanted: Counter[tuple[str, str]] = Counter()
        self.machines = [self._machine(folder, number) for number in range(machines)]

    def _machine(self, folder: Path, number: int) -> Machine:
        template = folder / f"template{number}"
        (template / "var").mkdir(parents=True)
        kept_key(folder / "signing.key", "referee")  # the same on all machines
        shutil.copy(folder / "signing.key", template / "var")
        config = CONFIG.replace('"clock"', f'"{folder / "clock"}"')
        (template / "config.toml").write_text(config)
        return Machine(folder / f"machine{number}", template, database=self.url)

    def close(self) -> None:
        """End it all."""
        for machine in self.machines:
            machine.signal(signal.SIGCONT)
            machine.kill()
            machine.buried()
        self.world.close()

    # ------------------------------------------------------------ letters

    def masters_letter(self, match: str) -> Letter:
        """An hour more for who is on turn, which nobody may get twice."""
        self.wanted["hour", match] += 1
        return self._letter(match, GINA, f"DEADLINE +1h FOR {self.world.waits_for(match)}", self._desk[match][1])

    def order_letter(self, match: str) -> Letter:
        """A sheet of orders."""
        self.wanted["sheet", match] += 1
        sender, to = self._desk[match][0]
        return self._letter(match, sender, f"RESEARCH any KEEPING {self.wanted['sheet', match]} gold", to)

    def _letter(self, match: str, sender: str, body: str, to: str) -> Letter:
        ident = f"<{next(self._numbers)}@players.example>"
        head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: {ident}\r\nSubject: {match}"
        return Letter(sender, to, f"{head}\r\n\r\n{body}\r\n".encode(), ident)

    def _reply_addresses(self, match: str) -> tuple[tuple[str, str], str]:
        player = self.world.on_turn(match)
        of_player = [mail for mail in self.world.all_mail() if mail.to == player and f"[{match}]" in mail.subject]
        of_master = [mail for mail in self.world.all_mail() if mail.to == GINA and f"[{match}]" in mail.subject]
        return (player, of_player[-1].reply_to), of_master[-1].reply_to

    def send(self, letters: Sequence[Letter]) -> None:
        """By turns to both machines; what one does not acknowledge goes to the other, as by a second MX record."""
        for letter, (first, second) in zip(letters, itertools.cycle([self.machines, self.machines[::-1]])):
            while True:
                with suppress(Killed):
                    first.send(*letter[:3])
                    break
                with suppress(Killed):
                    second.send(*letter[:3])
                    break

    # ------------------------------------------------------------ who works

    def at_desk(self) -> AtDesk | None:
        """Who has the place."""
        return at_desk(self.world.store.engine)

    def working(self) -> Machine:
        """The machine whose desk has the place; waits until one has."""
        found: list[Machine] = []

        def somebody() -> bool:
            here = self.at_desk()
            found.extend(machine for machine in self.machines if here and machine.desk() == here.pid)
            return bool(found)

        Running.wait("a desk at work", somebody)
        return found[0]

    def until_handled(self) -> float:
        """Wait until no letter is new; how many seconds that took."""
        begun = time.monotonic()
        while self._count("status = 'new'"):
            assert time.monotonic() - begun < _PATIENCE, f"letters are not handled: {self._what_stands()}"
            time.sleep(0.01)
        return time.monotonic() - begun

    def _what_stands(self) -> str:
        """The letters that wait, who has the place, and what each session of the database waits for."""
        asked = (
            "SELECT id, match, status, attempts FROM letter_in WHERE status = 'new' ORDER BY id LIMIT 5",
            "SELECT pid, state, wait_event, pg_blocking_pids(pid), left(query, 120) FROM pg_stat_activity"
            " WHERE datname = current_database()",
        )
        with self.world.store.engine.connect() as db:
            rows = [tuple(row) for query in asked for row in db.execute(text(query))]
        return "\n".join(map(str, (self.at_desk(), *rows)))

    # ------------------------------------------------------------ what came of it

    def done_without_record(self) -> int:
        """Letters that were done and have lost what shields them against copies."""
        return self._count("status IN ('done', 'unanswered') AND logical IS NULL")

    def settled(self) -> Counter[str]:
        """How many letters came to which end since the machines were started."""
        with self.world.store.engine.connect() as db:
            rows = db.execute(text("SELECT status FROM letter_in WHERE transport NOT LIKE 'test:%'")).scalars()
            return Counter(rows)

    def effects(self) -> Counter[tuple[str, str]]:
        """Hours given and sheets filed, by match: to be what was wanted."""
        hours = {("hour", name): (self._due(name) - due) // timedelta(hours=1) for name, due in self.due.items()}
        sheets = {("sheet", name): self._sheets(name) - before for name, before in self._filed.items()}
        return +Counter({**hours, **sheets})

    def attempts(self) -> int:
        """How many failed attempts were counted."""
        return self._count("attempts > 0")

    def unsound(self) -> dict[str, str]:
        """The matches whose log does not play again to the same end, with the reason."""
        found = {name: self._audited(name) for name in self.names}
        return {name: said.trouble for name, said in found.items() if not said.sound}

    def _audited(self, match: str) -> Audited:
        playing = self.world.playing(match)
        return audit(playing.game, playing.row.secret, self.world.entries(match))

    def _due(self, match: str) -> datetime:
        (alarm,) = self.world.alarms("deadline", match)
        return alarm.due_at

    def _sheets(self, match: str) -> int:
        return len(self.world.log(Filed, match))

    def letters_filed(self, match: str) -> list[str]:
        """The letters of whose orders the log tells, in its order."""
        return [filed.letter for filed in self.world.log(Filed, match)]

    def turns(self) -> dict[str, int]:
        """Which turn each match has come to."""
        with self.world.store.look() as step:
            return {row.name: row.turn for row in step.matches()}

    def until_quiet(self) -> float:
        """Wait until no letter is new and nothing is due; how many seconds that took."""
        begun, now = time.monotonic(), self.clock.now()
        while self._count("status = 'new'") or self._due_by(now):
            assert time.monotonic() - begun < _PATIENCE, "letters are not handled, or what is due is not done"
            time.sleep(0.01)
        return time.monotonic() - begun

    def _due_by(self, now: datetime) -> bool:
        with self.world.store.look() as step:
            return bool(step.due_alarms(now, 1))

    def _count(self, where: str) -> int:
        with self.world.store.engine.connect() as db:
            return int(db.execute(text(f"SELECT count(*) FROM letter_in WHERE {where}")).scalar() or 0)
