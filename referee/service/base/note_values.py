"""The records of a match and a person beside the log, as values; and the program and version that wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib import metadata
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec

from referee.kit.wording import in_a_row
from referee.service.base.ports import Alarm
from referee.service.base.times import iso, length

# ---------------------------------------------------------------- who wrote what is stored, and in which form
# A program that is older than that says so and touches nothing.


FORMAT = 2
"""The form of all that is stored. It is raised when an older program could not read, or would misread, what this one writes.

Tests know (tests/stored): whatever is stored in a new form has a sample kept for this number, or fails them.
"""


class TooNew(Exception):
    """Something was written by a newer program, in a form that this one does not know. The message is a sentence or two."""


class Program(msgspec.Struct, frozen=True):
    """A program that wrote: its version, the form in which it stores, and the revision of each game's rules it plays by."""

    version: str
    format: int = FORMAT
    rules: dict[str, int] = {}


def this_program(rules: Mapping[str, int] = MappingProxyType({})) -> Program:
    """The program that runs, with the revisions of the `rules` by which it plays, as far as they are known here."""
    return Program(_version(), FORMAT, dict(rules))


@cache
def _version() -> str:
    """The version that is installed; to look it up takes as long as half of opening a store."""
    return metadata.version("referee")


def newer(what: str, by: Program, here: Program) -> str:
    """One sentence that says that something was written by a newer program than `here`; "" where `here` knows its form."""
    beyond = [f"format {by.format}, not {here.format}"] if by.format > here.format else []
    for game, revision in by.rules.items():
        known = here.rules.get(game, revision)
        if revision > known:
            beyond.append(f"revision {revision} of the rules of {game}, not {known}")
    return too_new(what, by.version, here.version, beyond) if beyond else ""


def refuse_newer(what: str, by: Program, here: Program) -> None:
    """Raises TooNew where it was written by a newer program than `here`."""
    if sentence := newer(what, by, here):
        raise TooNew(sentence)


def too_new(what: str, version: str, mine: str, beyond: Iterable[str]) -> str:
    """The sentence, and what to do; `version` is "" where it is not known who wrote."""
    known = version not in ("", mine)  # between two releases their number says nothing
    who = f"by version {version} of the referee" if known else "by a newer referee"
    install = f"Install version {version} or a later one" if known else "Install the newer one"
    return (
        f"{what} was written {who} ({'; '.join(beyond)}); this is version {mine}, which cannot read all of it and has touched "
        f"nothing. {install}."
    )


# ---------------------------------------------------------------- what is remembered beside a match's log, as values
# The shapes of the notes (service.base.notes).


Person = Annotated[int, msgspec.Meta(extra={"is": "a person"})]
"""The number of a person, which is another one in another house."""

Stretch = tuple[datetime, datetime]
"""From a moment to a later one."""


class Loss(msgspec.Struct, frozen=True):
    """A mail server that cannot be reached since a moment; `why` is what it, or the network, said last.

    Deadlines wait for it from `waits_from` on. `until`: it is reached again, and what was lost is not given back yet.
    `given_up`: when deadlines ceased to wait for it.
    """

    server: str
    since: datetime
    waits_from: datetime
    why: str = ""
    until: datetime | None = None
    given_up: datetime | None = None


class Outage(msgspec.Struct, frozen=True):
    """Players could not be heard or were not told from a moment until another.

    `what` was out of reach: "" the service itself, "mailbox" or "relay"; "clock": none, but the clock was wrong; "backup": all
    that I knew was lost, and it is known again as it stood at the beginning. `parts` are what of it no outage has given back
    before. It `lasts` where deadlines wait no longer, though the server is still out of reach.
    """

    since: datetime
    until: datetime
    what: str = ""
    parts: tuple[Stretch, ...] = ()
    lasts: bool = False

    @property
    def counts(self) -> tuple[Stretch, ...]:
        """The time that it gives back."""
        return self.parts or ((self.since, self.until),)

    @property
    def mark(self) -> str:
        """The mark by which a match knows that it has its time back already."""
        return f"{self.what} {iso(self.since)} {iso(self.until)}" if self.what else iso(self.since)


class Leap(msgspec.Struct, frozen=True):
    """The machine's clock leapt by so much, ahead or back, when the machine had run for `at` seconds.

    While it `waits`, nothing is done, as the clock may be put right; after that it is taken for the right one.
    """

    by: timedelta
    at: float
    waits: bool = True

    @property
    def how(self) -> str:
        """Such as "ahead by 1 day"."""
        return f"{'ahead' if self.by > timedelta() else 'back'} by {length(abs(self.by))}"


class Identity(msgspec.Struct, frozen=True):
    """A house as its players know it: its `address`, the public `key` of heads of logs, the `selector` of the key of letters.

    It began at `since`; None for one that had letters before it was noted who it is,
    or that answers old letters by its settings.
    """

    address: str
    key: str
    selector: str = ""
    since: datetime | None = None


class BackedUp(msgspec.Struct, frozen=True):
    """The last good backup: when it began, where it is, on which machine, its `size`, and how many bytes were `free` beside it.

    `failed`: when one was tried last and not made, and `why`. `at` None: there is none yet.
    """

    at: datetime | None = None
    folder: str = ""
    size: int = 0
    host: str = ""
    free: int = 0
    failed: datetime | None = None
    why: str = ""


class Restored(msgspec.Struct, frozen=True):
    """The database was restored `at` a moment from a backup that was `made` at another.

    `turns` is where each match stood in it: what I gave out about later turns between the two is known no more. There may be
    letters of that time in a `mailbox` of ours.
    """

    made: datetime
    at: datetime
    turns: dict[str, int]
    mailbox: bool = False


class Elsewhere(msgspec.Struct, frozen=True):
    """Where a match is played that was played here: the address of its referee, and since when.

    `status` it had when it left, and `alarms` beside those of its slots.
    """

    to: str
    at: datetime
    status: str = "running"
    alarms: tuple[Alarm, ...] = ()


class Failures(msgspec.Struct, frozen=True):
    """Bounces from an address: the worst of each day, and the words of the last."""

    days: dict[str, float]
    why: str


class KeptLetter(msgspec.Struct, frozen=True):
    """A letter that waits for its writer's YES, or what became of it.

    `player` 0 is an address that is nobody's yet, `match` "" the front door. `shown` are the lines to show in place of the
    letter's own; `times` is how often it was asked about, `asked` when last, `until` when it lapses, or is forgotten.

    `guessed`: it is his, and its plain words are taken for what is shown. `welcome`: it was answered by a welcome, and nothing
    waits; who answers that by its reply address reads where it was sent. `lesson`: the welcome was a lesson, and so is its
    answer.
    """

    letter: int
    address: str
    name: str
    player: int
    match: str
    seat: str
    turn: int
    why: str
    until: datetime
    shown: tuple[str, ...] = ()
    asked: datetime | None = None
    times: int = 0
    state: Literal["waits", "taken", "dropped", "lapsed"] = "waits"
    guessed: bool = False
    welcome: bool = False
    lesson: bool = False


class Learning(msgspec.Struct, frozen=True):
    """Where somebody is in the lessons of a game: in which of them, after how many wrong tries, and since when."""

    game: str
    lesson: int
    tries: int
    since: datetime


class LessonCount(msgspec.Struct, frozen=True):
    """How often a lesson was begun, done and left out; who did not do either stopped at it, or has it before him."""

    begun: int = 0
    passed: int = 0
    skipped: int = 0


class Wishes(msgspec.Struct, frozen=True):
    """Of all his letters. `files` are the forms in which record sheets go with each report.

    `most` is the largest an unasked letter may be, in kB, files and all; 0: any. `digest` is the hour at which what
    happened is told in one letter a day, "" where each thing is told at once. `page`: letters that ask lead to the page on
    which one plays.
    """

    form: Literal["html", "text"] = "html"
    map: bool = True
    sheets: bool = True
    files: tuple[str, ...] = ()
    most: int = 0
    digest: str = ""
    page: bool = True


class KeptMap(msgspec.Struct, frozen=True, array_like=True):
    """Where the map is kept that goes with a letter: with the public report of a turn, made when the log had this head."""

    match: str
    turn: int
    seq: int


class Arrival(msgspec.Struct, frozen=True, array_like=True):
    """A letter that came, and how many seconds after its own date; None where it had none."""

    at: datetime
    seconds: int | None


class News(msgspec.Struct, frozen=True):
    """One thing that happened, as the letter would have told it at once."""

    title: str
    sentences: tuple[str, ...]
    at: datetime
    text: str = ""
    """A text by a player."""


class HouseRules(msgspec.Struct, frozen=True):
    """The decisions of a match's game master. `allow` empty: anybody who is not on `deny`.

    With a `muster` START first asks everybody whether he is still there. After `abandon_after` turns in a row that were rolled
    out (0: never) a seat is abandoned: the next on the "standby" list has it, the bots have it ("dummy"), or the game master
    decides ("ask"). Without anybody on the list "standby" asks too.

    A player on time in fewer than `reliable` of a hundred slots is not admitted. The `comment` stands beside the match wherever
    it is listed; one that is not `listed` is told of to its members alone. A match `called_off` before it began takes nobody
    any more.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    muster: bool = False
    abandon_after: int = 0
    abandoned: Literal["standby", "dummy", "ask"] = "standby"
    reliable: int = 0
    comment: str = ""
    listed: bool = True
    called_off: bool = False


class Bot(msgspec.Struct, frozen=True):
    """A bot that joined a match before it began."""

    name: str
    strength: Literal["novice", "steady", "strong", "patient"]


class Comings(msgspec.Struct, frozen=True):
    """The people of whom a match's game masters were told since then that they came or went, before it began."""

    since: datetime
    people: tuple[Person, ...] = ()


class Said(msgspec.Struct, frozen=True):
    """The gists of letters without a usable word since then, each by its digest."""

    since: datetime
    gists: tuple[str, ...] = ()


class KeptAlarm(msgspec.Struct, frozen=True):
    """The rest of an alarm, in seconds, when the match was paused, its load, and when it was due."""

    kind: str
    key: str
    seat: str
    seconds: float
    payload: str = ""
    due: str = ""


class Proposal(msgspec.Struct, frozen=True):
    """The wish of a game master who plays, and the seats that said yes and no. It lapses after seven days."""

    number: int
    player: Person
    by: str
    line: str
    at: str
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()


class Treaty(msgspec.Struct, frozen=True):
    """A treaty on file: who offered it to whom, and who accepted it. `ended` names the seat that declined or left it."""

    number: int
    by: str
    to: tuple[str, ...]
    text: str
    at: datetime
    accepted: tuple[str, ...] = ()
    ended: str = ""

    @property
    def parties(self) -> tuple[str, ...]:
        return (self.by, *self.to)

    @property
    def stands(self) -> bool:
        """Whether everybody it was offered to accepted it, and nobody left it."""
        return not self.ended and set(self.accepted) >= set(self.to)

    def state(self) -> str:
        """Its outcome."""
        if self.ended:
            return f"ended by {self.ended}"
        if self.stands:
            return "in force"
        return f"open: {in_a_row([s for s in self.to if s not in self.accepted])} must still accept"


class Motion(msgspec.Struct, frozen=True):
    """Something put to the vote. `seconds` is how long to pause or to extend, `text` what a petition asks.

    `state`: open, carried, lost, lapsed.
    """

    number: int
    kind: str
    by: str
    at: datetime
    seconds: float = 0
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    state: str = "open"
    text: str = ""

    @property
    def what(self) -> str:
        """The decision, in words."""
        span = length(timedelta(seconds=self.seconds)) if self.seconds else ""
        match self.kind:
            case "pause":
                return f"to pause the match{f' for {span}' if span else ' until it is resumed'}"
            case "extend":
                return f"to move every running deadline by {span}"
            case "resume":
                return "to let the clock run again"
            case "clarification" | "change":
                return f'to ask the game master for a {self.kind} of the rules: "{self.text}"'
            case _:
                return "to end the match without a winner"


class Written(msgspec.Struct, frozen=True):
    """A text that was taken. `kind`: press, broadcast, diary, offer; `by` is a seat, "" for a game master.

    `to` are seats, perhaps with the game master; empty for what is meant for all or for nobody else. `answers` is the number
    of the press letter that it was a reply to, 0 for none.
    """

    number: int
    kind: str
    by: str
    to: tuple[str, ...]
    text: str
    at: datetime
    grey: bool = False
    player: Person = 0
    answers: int = 0


class Tenure(msgspec.Struct, frozen=True, array_like=True):
    """A person who played a seat, and the last entry of the log in his time."""

    player: Person
    until: int


class Away(msgspec.Struct, frozen=True):
    """An absence a player announced: granted, or asked of the game master because it is long. `back` is not included."""

    number: int
    away: datetime
    back: datetime
    state: Literal["granted", "asked"] = "granted"


class DateTold(msgspec.Struct, frozen=True, array_like=True):
    """A deadline as the reader's calendar has it."""

    at: datetime
    sequence: int


class Corrections(msgspec.Struct, frozen=True):
    """A letter of a turn with its refused lines corrected, as a YES takes it; or one that a YES sends `on` to a game master."""

    turn: int
    text: str
    on: bool = False


class Line(msgspec.Struct, frozen=True):
    """A line of a letter with orders, and whether it stands or was refused."""

    text: str
    stands: bool


class Unfinished(msgspec.Struct, frozen=True):
    """The lines of the letter on file for the question `key`, in their order, where some of them were refused."""

    key: str
    lines: tuple[Line, ...]


class Newest(msgspec.Struct, frozen=True):
    """When the letter was written whose orders stand for a seat in a turn."""

    turn: int
    written: datetime


class Asked(msgspec.Struct, frozen=True):
    """The player to whom a seat's last question of a phase went, and how many events of that phase he had been told then.

    `course` tells a phase that is played anew from what it was before.
    """

    player: Person
    phase: str
    course: int
    events: int


class Stalls(msgspec.Struct, frozen=True):
    """How often the store gave one alarm of a match up; `what` is its kind and key."""

    what: str
    times: int


class Failing(msgspec.Struct, frozen=True):
    """A duty of the desk that fails again and again: since when, and by what kind of error."""

    since: datetime
    why: str


class Verified(msgspec.Struct, frozen=True):
    """The outcome of playing a finished match again; `by` is the head of its log and the fingerprint of the rules then."""

    by: str
    sentences: tuple[str, ...]


class Tries(msgspec.Struct, frozen=True):
    """How often something was done on a day."""

    day: date
    count: int

    def on(self, today: date) -> int:
        """How often it was done today."""
        return self.count if self.day == today else 0


class WantedAddress(msgspec.Struct, frozen=True):
    """An address that a player wants known as his."""

    player: Person
    address: str


class Invitation(msgspec.Struct, frozen=True):
    """A question to an address by the word of another, the person `by`, and its `why`: whether it wants a seat of a match, to be
    its game master, or is an address of his. It `waits` for an answer, by the `token` of this digest, or was declined; `until`.
    """

    match: str
    wants: Literal["seat", "master", "address"]
    by: Person
    seat: str = ""
    why: str = ""
    until: datetime = datetime.max.replace(tzinfo=UTC)
    token: str = ""
    state: Literal["waits", "declined"] = "waits"


class Witness(msgspec.Struct, frozen=True):
    """A witness named for a match: another referee, or a program, that signs each head of its log.

    `token` is the digest of the reply address in letters to it, `key` the one it signs with, kept of its first answer. `note` is
    the last head it signed, of `size` entries, at the `moment` that its signature names. It was `asked` last about a head of so
    many entries; so many letters are `unanswered` since its last answer. `refused`: what it found wrong. `on` ends with
    NO WITNESS.
    """

    address: str
    token: str
    on: bool = True
    key: str = ""
    size: int = 0
    note: str = ""
    moment: datetime | None = None
    asked: int = 0
    asked_at: datetime | None = None
    unanswered: int = 0
    refused: str = ""
    refused_at: datetime | None = None


class Consent(msgspec.Struct, frozen=True):
    """Whether an address wants to be a witness: when it was first asked, and what came of that."""

    asked: datetime
    state: Literal["asked", "agreed", "declined"] = "asked"


class LogSeen(msgspec.Struct, frozen=True):
    """Another's log that we witness: the key that signs its heads, and the last head that we signed, in a note with our signature.

    So many `heads` of it were signed, the last one `at`; it was sent `again` when it was asked for once more. `wrong` is what
    was last found wrong, and `warned` when; `fork` a head that proves that there are two logs.
    """

    key: str
    note: str
    at: datetime
    heads: int = 1
    again: datetime | None = None
    wrong: str = ""
    warned: datetime | None = None
    fork: str = ""
