"""N1: noon. Every deadline of many matches falls in the same second, while letters come, desks die and a backup looks on.

Desks in processes of their own, as in the service, and the receiver in this one; by the machine's clock. Nobody writes the
letters out meanwhile. N2 is what a turn costs, held against what its rules, pages and words cost alone.
"""

from __future__ import annotations

import inspect
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import NullPool, create_engine, text

from referee.adapters.pages.render import TemplateRenderer
from referee.core.record import Answered, Tampered, check_chain
from referee.service.base.office import Office
from referee.service.intake.deadlines import ring_due
from referee.service.match import playing
from referee.service.match.playing import codec_of
from referee.service.post.tray import written
from referee.service.turn import reports
from tests.bench.desks import Desks
from tests.bench.house import house, house_copied, writers
from tests.bench.ingest import opened_copy, receiving
from tests.bench.mail_load import Parcel
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.noon_matches import due_at_once, engine_of, game_of, many
from tests.bench.sheets import letter, order_lines

_PATIENCE = 1_200.0
_LOOKS = 0.1
_KILLS = 10.0
"""Seconds between two looks at what is left, and for which desks work until one of them is killed, if they did something."""

_LETTERS = 5
"""So many come in a second."""

_MOST_WRITERS = 600
_AGO = timedelta(days=9)


@contextmanager
def noon(folder: Path, size: Size) -> Iterator[Pair]:
    """Deadlines done a second by two desks, beside the same by one."""
    template = folder / "noon.sqlite"
    with house(template, datetime.now(UTC) - _AGO) as office:
        many(office, size.noon)
        written = [_letter(office, number) for number in range(min(size.noon, _MOST_WRITERS))]
    yield Pair(lambda: _noon(template, folder, written, 2), lambda: _noon(template, folder, written, 1))


def _letter(office: Office, number: int) -> Parcel:
    """Forty lines of orders in New World, in any other game a question."""
    writer = writers(office, f"m{number}")[0]
    lines = order_lines(writer.others, number) if game_of(number) == "newworld" else ["STATUS"]
    return writer.address, writer.recipient, letter(writer, number, lines)


class _Letters:
    """Letters that come at a steady pace, in a thread of its own; when each was sent, and when it was seen to be handled."""

    def __init__(self, port: int, parcels: Sequence[Parcel]) -> None:
        self._port, self._parcels = port, parcels
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._send, name="letters")
        self.sent: dict[str, float] = {}
        self.took: dict[str, float] = {}

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def stop(self) -> None:
        """Send no more."""
        self._ending.set()
        self._thread.join()

    def look(self, handled: set[str]) -> None:
        """These are handled by now."""
        now = time.monotonic()
        for recipient in handled & self.sent.keys() - self.took.keys():
            self.took[recipient] = now - self.sent[recipient]

    def _send(self) -> None:
        with smtplib.SMTP("127.0.0.1", self._port, local_hostname="load.example", timeout=60) as smtp:
            begun = time.monotonic()
            for number, (sender, recipient, raw) in enumerate(self._parcels):
                if self._ending.wait(max(0.0, begun + number / _LETTERS - time.monotonic())):
                    return
                self.sent[recipient] = time.monotonic()
                smtp.sendmail(sender, [recipient], raw)


@contextmanager
def _old_snapshot(url: str) -> Iterator[None]:
    """A transaction that has looked and goes on looking, as a backup does for hours."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as db:
        if db.dialect.name == "postgresql":
            db.exec_driver_sql("SET idle_in_transaction_session_timeout = 0")
            db.exec_driver_sql("COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ")
        else:
            db.exec_driver_sql("BEGIN")
        db.exec_driver_sql("SELECT count(*) FROM alarm").scalar()
        yield
        db.rollback()
    engine.dispose()


class _Owed(NamedTuple):
    """What is due at noon: questions that each want one answer."""

    match: str
    key: str


def _noon(template: Path, folder: Path, parcels: Sequence[Parcel], processes: int) -> Sample:
    with opened_copy(template, folder, processes) as (config, office):
        desks = Desks(config)
        desks.start()
        try:
            with ExitStack() as around:
                port = around.enter_context(receiving(config, office, desks.letters_came))
                before = _handled(office)
                with office.store.look() as step:
                    owed = [_Owed(row.name, a.key) for row in step.matches() for a in step.alarms(row.name)]
                around.enter_context(_old_snapshot(config.database.url))
                letters = _Letters(port, parcels)
                around.callback(letters.stop)
                seconds = _played(office, desks, letters)
        finally:
            desks.stop()
        return _told(office, owed, before, seconds, letters, desks.kills)


def _played(office: Office, desks: Desks, letters: _Letters) -> float:
    """Have all fall due, and wait until it is done and every letter is handled; the seconds until the former."""
    engine = engine_of(office)
    with engine.begin() as db:
        due = due_at_once(office, db)
    letters.start()
    desks.wake()
    begun, done, at_kill = time.monotonic(), 0.0, due
    while not done or letters.took.keys() != letters.sent.keys():
        time.sleep(_LOOKS)
        now = time.monotonic() - begun
        if now > _PATIENCE:
            raise RuntimeError("noon does not end")
        with engine.connect() as db:
            letters.look(set(db.execute(_HANDLED).scalars()))
            left = db.execute(_LEFT, {"due": _micros(office)}).scalar() or 0
        if not left and not done:
            done = now
            letters.stop()
        elif left < at_kill and (desks.ready > _KILLS or (not desks.kills and left < due / 2)):
            desks.kill()
            at_kill = left
    return done


_HANDLED = text("SELECT recipient FROM letter_in WHERE status <> 'new'")
_LEFT = text("SELECT count(*) FROM alarm WHERE kind = 'deadline' AND due_at <= :due")


def _micros(office: Office) -> int:
    return (office.clock.now() - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _told(office: Office, owed: Sequence[_Owed], before: int, seconds: float, letters: _Letters, kills: int) -> Sample:
    """What came of it: nothing may be lost, done twice or broken."""
    answered, broken = _answered(office)
    lost = sum(not answered[each] for each in owed)
    twice = sum(count > 1 for count in answered.values())
    astray = len(letters.sent) - (_handled(office) - before)
    took = sorted(letters.took.values())
    slow = took[min(len(took) - 1, len(took) * 99 // 100)] if took else 0.0
    turns = (
        f"{len(owed):,} deadlines in {seconds:.0f} s, {kills} kills: {lost} lost, {twice} twice, {broken} logs broken"
    )
    heard = f"{len(took)} letters: {astray} lost, answer p99 {slow:.1f} s"
    return Sample(len(owed) / seconds, 0.0, lost + twice + broken + abs(astray), f"{turns}; {heard}")


def _answered(office: Office) -> tuple[Counter[_Owed], int]:
    """How often each question was answered, and how many logs have no whole chain."""
    answered: Counter[_Owed] = Counter()
    broken = 0
    with office.store.look() as step:
        for row in step.matches():
            entries, codec = step.entries(row.name), codec_of(office.games[row.game])
            try:
                broken += check_chain(entries, row.secret) != entries[-1].hash
            except Tampered:
                broken += 1
            for record in (codec.load(entry.payload) for entry in entries if entry.kind == "answer"):
                if isinstance(record, Answered):
                    answered[_Owed(row.name, record.key)] += 1
    return answered, broken


def _handled(office: Office) -> int:
    """How many letters were done."""
    with engine_of(office).connect() as db:
        return db.execute(text("SELECT count(*) FROM letter_in WHERE status = 'done'")).scalar() or 0


class _Floor:
    """Processor time of what a turn cannot do without, as it passes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._inside = False

    @contextmanager
    def counting(self, owner: Any, name: str) -> Iterator[None]:
        """Count what this function of a module, or method of a class, takes, until the block ends."""
        really: Callable[..., Any] = getattr(owner, name)
        held = inspect.getattr_static(owner, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            if self._inside:
                return really(*arguments, **named)
            self._inside = True
            with timed() as watch:
                found = really(*arguments, **named)
            self._inside = False
            self.seconds += watch.cpu
            return found

        setattr(owner, name, staticmethod(counted) if isinstance(held, staticmethod) else counted)
        try:
            yield
        finally:
            setattr(owner, name, held)


@contextmanager
def turn_over_floor(folder: Path, size: Size) -> Iterator[Pair]:
    """What the deadlines of some matches take of the processor, their letters written out, in multiples of the floor."""
    template = folder / "cost.sqlite"
    with house(template, datetime.now(UTC) - _AGO) as office:
        many(office, min(size.noon, _MATCHES_OF_COST))

    def own() -> Sample:
        with house_copied(template, folder, datetime.now(UTC)) as office:
            return _over_floor(office)

    yield Pair(own)


_MATCHES_OF_COST = 64
_RULES_AND_PAGES = ((playing, "resume"), (reports, "pages_and_sheets"), (TemplateRenderer, "picture"))
"""And the order forms of the games."""


def _over_floor(office: Office) -> Sample:
    with engine_of(office).begin() as db:
        due = due_at_once(office, db)
        before = db.execute(text("SELECT max(id) FROM letter_out")).scalar() or 0
    floor = _Floor()
    with ExitStack() as counting:
        for owner, name in (*_RULES_AND_PAGES, *((type(game), "order_form") for game in office.games.values())):
            counting.enter_context(floor.counting(owner, name))
        with timed() as desk:
            while ring_due(office):
                pass
    with office.store.look() as step:
        queued = [row for match in step.matches() for row in step.outgoing(match.name) if row.id > before]
    with timed() as post:
        for row in queued:
            written(office, row)
    rules, words, whole = (each / due * 1e3 for each in (floor.seconds, post.cpu, desk.cpu + post.cpu))
    parts = (
        f"{whole:.1f} ms a deadline, of which rules and pages {rules:.1f}, {len(queued) / due:.1f} letters {words:.1f}"
    )
    return Sample(whole / (rules + words), whole * 1e3, 0, parts)
