"""A fortnight of twenty matches: holidays, absences, an outage, the end of summer time, a restart and a clock that jumps.

Nobody plays in it, so every slot ends by its deadline. Each deadline was worked out by hand beforehand; the tables below
give them in UTC, day and hour of October 2026 (1 to 3: of November), with the reason where one is not a matter of course.

    Mon 19 Oct 12:00  the matches begin, the two of a kind an hour apart where the table says so
    Thu 22 Oct 03:00  the service dies, and is up again at 08:00: what is open moves by 5 h
    Sun 25 Oct 01:00  summer time ends in Europe (UTC+2 to UTC+1); in New York on 1 November at 06:00 (UTC-4 to UTC-5)
    Mon 26 Oct 10:00  two kinds of match get another clock: slots half as long, no slot to end at a weekend
    Tue 27 Oct 10:00  the service is started anew
    Thu 29 Oct 12:00  the clock jumps to 15:00, and is set right ten minutes later: what is open has moved by 3 h
    Mon 2 Nov 12:00   the end; the last deadline of a table is one that still runs

The players live in four zones, and every time in the text of every letter is read and held against the tables.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from referee.core.record import Answered, Overrode
from referee.service.base.ports import Player, Step
from referee.service.house import forming, membership
from referee.service.house.forming import create
from referee.service.intake.deadlines import scan
from referee.service.intake.downtime import beat
from referee.service.intake.inbox import handle_new
from referee.service.match import playing
from referee.service.post.delivery import wish
from referee.service.post.tray import written
from tests.service.conftest import GINA, PLAYERS
from tests.world import Mail, World

STEP = timedelta(minutes=10)
OF_A_KIND = 2


def at(short: str) -> datetime:
    """ "22 17:00" is 22 October, "2 11:00" is 2 November."""
    day, _, hour = short.partition(" ")
    month = 11 if int(day) < 10 else 10
    return datetime.fromisoformat(f"2026-{month}-{int(day):02} {hour}").replace(tzinfo=UTC)


START, END = at("19 12:00"), at("2 12:00")
DIES, LIVES, RESTART, JUMP, AHEAD = at("22 03:00"), at("22 08:00"), at("27 10:00"), at("29 12:00"), at("29 15:00")


@dataclass(frozen=True)
class Kind:
    """Two matches: their clock, hours between their beginnings, whether their deadlines shift with these, the table.

    `letters` are written at a moment by the player of a seat in the order of play (0 is the game master).
    """

    clock: str
    due: str
    grace: str = ""
    apart: int = 1
    shifts: bool = True
    letters: tuple[tuple[str, int, str], ...] = field(default=())


KINDS = {
    "rolling": Kind(
        "slot 24h",
        # 12:00 + 5 h by the outage; 17:00 + 3 h by the jump
        "20 12:00, 21 12:00, 22 17:00, 23 17:00, 24 17:00, 25 17:00, 26 17:00, 27 17:00, 28 17:00, 29 20:00, 30 20:00,"
        "31 20:00, 1 20:00, 2 20:00",
    ),
    "berlin": Kind(
        "slot 24h, clock 18:00 Europe/Berlin",
        # 16:00 in summer; 22nd + 5 h, so that a day later is after the hour of the 23rd; 17:00 from the 25th on;
        # 29th + 3 h, so that a day later is after the hour of the 30th
        "20 16:00, 21 16:00, 22 21:00, 24 16:00, 25 17:00, 26 17:00, 27 17:00, 28 17:00, 29 20:00, 31 17:00, 1 17:00, 2 17:00",
        shifts=False,
    ),
    "new-york": Kind(
        "slot 24h, clock 18:00 America/New_York, days Mon-Fri",
        # 22:00 in summer; Thursday 22nd + 5 h is 23:00 there; a day later is Friday after the hour, so Monday;
        # Thursday 29th + 3 h is 21:00 there, a day later Friday after the hour, so Monday, 23:00 in winter
        "20 22:00, 21 22:00, 23 03:00, 26 22:00, 27 22:00, 28 22:00, 30 01:00, 2 23:00",
        shifts=False,
    ),
    "vienna": Kind(
        "slot 24h, clock 12:00 Europe/Vienna, holidays AT",
        # 10:00 in summer, 11:00 in winter; 22nd + 5 h; 26 October is Austria's national day; the slot of the 30th + 3 h;
        # 1 November is All Saints'
        "21 10:00, 22 15:00, 24 10:00, 25 11:00, 27 11:00, 28 11:00, 29 11:00, 30 14:00, 2 11:00, 3 11:00",
        shifts=False,
    ),
    "slow": Kind(
        "slot 48h, holidays 2026-10-27",
        # 23rd + 5 h; the 27th is taken out, the same hour of the 28th is not, and stays although slots are of a day from
        # the 26th on; 29th + 3 h
        "21 12:00, 23 17:00, 25 17:00, 28 17:00, 29 20:00, 30 20:00, 31 20:00, 1 20:00, 2 20:00",
        letters=(("26 10:00", 0, 'CLOCK slot 24h BECAUSE "we are faster now"'),),
    ),
    "grace": Kind(
        "slot 24h, grace 12h",
        "20 12:00, 22 00:00, 23 17:00, 25 05:00, 26 17:00, 28 05:00, 29 20:00, 31 08:00, 1 20:00, 3 08:00",
        # 22nd 12:00 + 5 h
        grace="21 00:00, 22 17:00, 24 05:00, 25 17:00, 27 05:00, 28 17:00, 30 08:00, 31 20:00, 2 08:00",
    ),
    "away": Kind(
        "slot 24h",
        # the third player is away on the 22nd and 23rd: 24th 0:00, a day to play, + 5 h by the outage; 30th + 3 h
        "20 12:00, 21 12:00, 25 05:00, 26 05:00, 27 05:00, 28 05:00, 29 05:00, 30 08:00, 31 08:00, 1 08:00, 2 08:00, 3 08:00",
        apart=0,
        letters=(("19 14:00", 3, "ABSENCE FROM 2026-10-22 TO 2026-10-23"),),
    ),
    "bank": Kind(
        "slot 24h, bank 3 days",
        # the second player takes two days: 21st 12:00, 23rd 12:00, + 5 h; from the 26th on not on Saturday 31st and Sunday
        "20 12:00, 23 17:00, 24 17:00, 25 17:00, 26 17:00, 27 17:00, 28 17:00, 29 20:00, 30 20:00, 2 20:00",
        letters=(("20 16:00", 2, "EXTEND 2 days"), ("26 10:00", 0, 'DAYS Mon-Fri BECAUSE "of the weekends"')),
    ),
    "paused": Kind(
        "slot 24h",
        # two days of pause from the 24th, 16:00
        "20 12:00, 21 12:00, 22 17:00, 23 17:00, 26 17:00, 27 17:00, 28 17:00, 29 20:00, 30 20:00, 31 20:00, 1 20:00, 2 20:00",
        letters=(("24 16:00", 0, 'PAUSE FOR 2 days BECAUSE "a convention"'),),
    ),
    "tokyo": Kind(
        "slot 24h, least 36h, clock 20:00 Asia/Tokyo, days Mon-Fri, holidays JP",
        # 11:00; Friday 23rd + 5 h is Saturday 1:00 there, so 1:00 on Monday; 36 h from Thursday 29th is Saturday there, so
        # Monday, + 3 h
        "21 11:00, 25 16:00, 27 11:00, 29 11:00, 2 14:00",
        shifts=False,
    ),
}


ZONES = dict(zip(PLAYERS, ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "UTC"), strict=True))
"""Where the players live; those of the matches with an absence, whose days are its player's own, have UTC."""


def _person(step: Step, address: str, match: str) -> Player:
    """Of their letters only times are read, so they wish them without HTML and maps, which take longest to write."""
    home = ZONES.get(address, "UTC")
    if match.startswith("away"):
        address, home = f"away.{address}", "UTC"
    known = step.player_at(address)
    if known is not None:
        return known
    player = step.save_player(Player(0, address[:9], (address,), home))
    for what, wished in (("format", "text"), ("map", "off")):
        wish(step, player, what, wished)
    return player


def home_of(address: str) -> str:
    return ZONES.get(address, "UTC")


class Fortnight:
    """The twenty matches as they are lived through: which deadlines were seen, slot by slot."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.world = World(folder, "fortnight")
        self.world.clock.set(START)
        self.seen: dict[tuple[str, str], dict[str, datetime]] = defaultdict(dict)
        self.set: dict[tuple[str, str], dict[str, list[datetime]]] = defaultdict(lambda: defaultdict(list))
        self.earlier: list[str] = []
        self._plan = self._planned()

    def _planned(self) -> dict[datetime, list[tuple[str, int, str]]]:
        plan: dict[datetime, list[tuple[str, int, str]]] = defaultdict(list)
        for name, kind in KINDS.items():
            for number in range(OF_A_KIND):
                match = f"{name}-{number}"
                plan[START + timedelta(hours=number * kind.apart)].append((match, -1, kind.clock))
                for when, who, line in kind.letters:
                    plan[at(when)].append((match, who, line))
        return plan

    def live(self) -> None:
        """From the beginning to the end, ten minutes a step."""
        now = START
        while now <= END:
            self.world.clock.set(now)
            self._work()
            if now == JUMP:
                self.world.clock.set(AHEAD)
                self._work()
            now = LIVES if now == DIES else now + STEP
            if now == RESTART:
                self._restart(now)

    def _restart(self, now: datetime) -> None:
        self.world.close()
        playing._CACHE.clear()
        self.world = World(self._folder, "fortnight", first=1000)
        self.world.clock.set(now)

    def _work(self) -> None:
        office = self.world.office
        busy = beat(office)
        for match, who, line in self._plan.get(office.clock.now(), ()):
            self._begin(match, line) if who < 0 else self._write(match, who, line)
            busy = True
        while handle_new(office) or scan(office):
            busy = True
        if busy:
            self._look()

    def _begin(self, match: str, clock: str) -> None:
        office = self.world.office
        with office.step() as at:
            people = [_person(at.step, address, match) for address in (GINA, *PLAYERS)]
            create(at, people[0], "newworld", match, f"{clock}, reminders 2h")
            for person in people[1:]:
                membership.join(at, person, match, ())
            forming.start(at, people[0], match)

    def _write(self, match: str, who: int, line: str) -> None:
        world = self.world
        seats = world.playing(match).outcome.state.order
        sender = world.player(seats[who - 1], match) if who else f"{'away.' * match.startswith('away')}{GINA}"
        with world.store.look() as step:
            last = [letter for letter in step.outgoing(match) if letter.recipient == sender][-1]
        to = Mail(last.kind, written(world.office, last).raw, last.recipient).reply_to
        world.put(f"From: {sender}\r\nTo: {to}\r\nSubject: x\r\n\r\n{line}\r\n".encode(), sender, to)

    def _look(self) -> None:
        with self.world.store.engine.begin() as db:
            rows = db.execute(text("SELECT match, kind, key FROM alarm WHERE kind IN ('deadline', 'grace')")).all()
        with self.world.store.look() as step:
            alarms = [alarm for match in {row[0] for row in rows} for alarm in step.alarms(match)]
        for alarm in alarms:
            if alarm.kind in ("deadline", "grace"):
                slots = self.seen[alarm.match, alarm.kind]
                if alarm.due_at < slots.get(alarm.key, alarm.due_at):
                    self.earlier.append(f"{alarm.match} {alarm.key}")
                slots[alarm.key] = alarm.due_at
                if alarm.due_at not in (ever := self.set[alarm.match, alarm.kind][alarm.key]):
                    ever.append(alarm.due_at)


@pytest.fixture(scope="module")
def fortnight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fortnight]:
    fortnight = Fortnight(tmp_path_factory.mktemp("fortnight"))
    fortnight.live()
    yield fortnight
    fortnight.world.close()


MATCHES = [(name, number) for name in KINDS for number in range(OF_A_KIND)]


def by_hand(table: str, shift: timedelta) -> list[datetime]:
    return [at(short.strip()) + shift for short in table.split(",") if short]


@pytest.mark.parametrize(("name", "number"), MATCHES)
def test_every_deadline_is_as_worked_out_by_hand(fortnight: Fortnight, name: str, number: int) -> None:
    kind, match = KINDS[name], f"{name}-{number}"
    shift = timedelta(hours=number * kind.apart) if kind.shifts else timedelta()
    assert list(fortnight.seen[match, "deadline"].values()) == by_hand(kind.due, shift)
    assert list(fortnight.seen[match, "grace"].values()) == by_hand(kind.grace, shift)


def test_there_are_twenty_matches(fortnight: Fortnight) -> None:
    with fortnight.world.store.look() as step:
        rows = step.matches()
    assert len(rows) == 20 and {row.status for row in rows} == {"running"}


def test_no_turn_was_run_twice(fortnight: Fortnight) -> None:
    for name, number in MATCHES:
        match = f"{name}-{number}"
        slots = [answer.key for answer in fortnight.world.log(Answered, match) if answer.key.endswith("/orders")]
        assert slots == list(fortnight.seen[match, "deadline"])[:-1]  # each once, and the last one still runs
        with fortnight.world.store.look() as step:
            reports = Counter(letter.recipient for letter in step.outgoing(match) if letter.kind == "report")
        assert set(reports.values()) == {len(slots)} and len(reports) == 5


def test_each_match_had_the_outage_and_the_jump_made_good_once(fortnight: Fortnight) -> None:
    for name, number in MATCHES:
        records = fortnight.world.log(Overrode, f"{name}-{number}")
        made_good = [record.action for record in records if record.action.startswith("OUTAGE")]
        assert len(made_good) == 2 and "2026-10-22T03:00" in made_good[0] and "2026-10-29T12:00" in made_good[1]


def test_no_deadline_moved_earlier(fortnight: Fortnight) -> None:
    assert fortnight.earlier == []


def test_no_letter_takes_back_a_time_that_an_earlier_letter_told(fortnight: Fortnight) -> None:
    """Every calendar entry that went out, by reader and deadline: it only ever moves later."""
    told: dict[tuple[str, str], list[str]] = defaultdict(list)
    for mail in fortnight.world.all_mail():
        for part in mail.message.iter_attachments():
            if part.get_filename() == "deadline.ics":
                unfolded = part.get_content().replace("\r\n ", "")
                for start, uid in re.findall(r"DTSTART:(\w+).*?UID:(\S+)", unfolded, re.DOTALL):
                    told[mail.to, uid].append(start)
    assert len(told) > 200
    assert {reader: times for reader, times in told.items() if times != sorted(times)} == {}


# ---------------------------------------------------------------- every time in every letter

_MOMENT = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ (?:Oct|Nov) 2026, \d\d:\d\d [A-Z]{3,4}"
_TOLD = re.compile(rf"({_MOMENT})(?: \((?:that is )?({_MOMENT})\))?")
_DUE = re.compile(rf"(?:Your deadline: |(\w+) now has until ){_TOLD.pattern}")


def instant(written: str, zone: str) -> datetime:
    """A moment as a letter writes it; its label says which of two equal hours is meant, and must be the zone's own."""
    text, _, label = written.rpartition(" ")
    here = ZoneInfo("UTC" if label == "UTC" else zone)
    clock = datetime.strptime(f"{text} +0000", "%a %d %b %Y, %H:%M %z").replace(tzinfo=here)
    found = {at.astimezone(UTC) for fold in (0, 1) if (at := clock.replace(fold=fold)).tzname() == label}
    assert len(found) == 1, f"{written} is no time of {zone}"
    return found.pop()


def ever(fortnight: Fortnight, match: str) -> set[datetime]:
    """Every time at which a slot of a match, or its grace, was ever to end."""
    return {due for kind in ("deadline", "grace") for key in fortnight.set[match, kind].values() for due in key}


def letters(fortnight: Fortnight) -> Iterator[tuple[str, str, str, datetime]]:
    """Match, reader, text and date of every letter, oldest first."""
    for mail in fortnight.world.all_mail():
        (match,) = re.findall(r"^\[([a-z0-9-]+)\]|$", mail.subject)[:1]
        yield match, mail.to, mail.flat, mail.message["Date"].datetime.astimezone(UTC)


def test_every_deadline_told_in_a_letter_is_one_of_the_table_in_the_reader_s_zone_and_in_utc(
    fortnight: Fortnight,
) -> None:
    told: dict[tuple[str, str, str], list[datetime]] = defaultdict(list)
    for match, reader, flat, _ in letters(fortnight):
        for seat, local, utc in _DUE.findall(flat):
            due = instant(local, home_of(reader))
            assert due == instant(utc or local, "UTC") and bool(utc) == (home_of(reader) != "UTC"), flat
            told[match, reader, seat].append(due)
    assert len(told) > 200 and sum(map(len, told.values())) > 600
    back = {who: times for who, times in told.items() if times != sorted(times)}
    assert back == {}  # his slots come one after the other, so no time that was told ever moved earlier
    for (match, reader, _), times in told.items():
        assert set(times) <= ever(fortnight, match), (match, reader)
    for name, number in MATCHES:
        match = f"{name}-{number}"
        last = {max(times) for (where, _, seat), times in told.items() if where == match and not seat}
        finals = list(fortnight.seen[match, "deadline"].values())
        assert last <= {*finals, *fortnight.seen[match, "grace"].values()} and max(last) >= finals[-1]
        every = {due for (where, _, seat), times in told.items() if where == match and not seat for due in times}
        assert set(finals) <= every  # whoever owed a slot was told its deadline as the table has it


def test_no_letter_holds_a_time_that_is_nobody_s(fortnight: Fortnight) -> None:
    """A time in a letter is a deadline or grace, the letter's own, or when the service was away or the match stood still."""
    known = {DIES, LIVES, JUMP, AHEAD, at("26 16:00"), at("22 00:00"), at("24 00:00"), RESTART}
    read = 0
    for match, reader, flat, dated in letters(fortnight):
        running = ever(fortnight, match)
        for local, utc in _TOLD.findall(flat):
            moment = instant(local, home_of(reader))
            assert not utc or moment == instant(utc, "UTC"), flat
            near = any(abs(moment - when) <= STEP for when in (dated, *known))
            assert near or moment in running or START <= moment <= dated, (match, reader, local, flat)
            read += 1
    assert read > 1_400
