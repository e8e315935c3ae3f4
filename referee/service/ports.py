"""What the service needs from the world: clock, secrets, store, renderer. Adapters fulfil these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from referee.core.page import Sheet
from referee.core.record import Entry, Record

if TYPE_CHECKING:
    from referee.mail import Answerable

LETTER_SIZE = b"X-Referee-Letter-Size:"
"""Begins the first line of a letter of which only the headers were kept, because it was too large; the size follows."""


class Conflict(Exception):
    """A unique key is taken: somebody else wrote first, or the letter is a duplicate. Nothing was written."""


class NotNow(Exception):
    """The store could not do it now: it is not reached, or somebody else is in the way. Nothing was written.

    The same work will do later, so this is nobody's failed attempt.
    """


class Overtaken(NotNow):
    """Somebody else wrote what the step had read, or both waited for each other: done anew it is done on what stands now."""


class Stalled(NotNow):
    """The store gave the step up, since nothing was heard of it for too long: this machine stood still, or it reckons on."""


class Torn(NotNow):
    """The database is damaged: nothing can be done until a person restores it."""


class Clock(Protocol):
    """Time is a port."""

    def now(self) -> datetime:
        """The present moment, UTC, aware."""
        ...


class Uptime(msgspec.Struct, frozen=True):
    """For how many seconds a machine has run since a start, as it counts them itself, whatever its clock is set to."""

    boot: str
    seconds: float


class Beacon(Protocol):
    """Public randomness that nobody can know beforehand, in numbered rounds.

    Nothing here waits for the network: whoever wants a round seeks it, goes on with other things, and asks whether it is found.
    """

    name: str
    """As letters name it, such as "drand quicknet"."""

    def round_after(self, moment: datetime) -> int:
        """The first round whose time lies after a moment."""
        ...

    def time_of(self, round: int) -> datetime:
        """When a round is made, UTC."""
        ...

    def seek(self, round: int) -> None:
        """Begin to look for a round's signature, beside whatever else goes on; nothing new if it is sought already."""
        ...

    def found(self, round: int) -> bytes | None:
        """Its signature, verified; None while there is none."""
        ...


class Secrets(Protocol):
    """Unguessable values."""

    def token(self) -> str:
        """A reply token: 16 lower-case base32 characters."""
        ...

    def secret(self) -> bytes:
        """32 random bytes."""
        ...


class Signer(Protocol):
    """The key of who signs, under his name; only its public half is ever seen."""

    @property
    def name(self) -> str:
        """Whose key it is: no blank in it, and no plus."""
        ...

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes (Ed25519)."""
        ...

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        ...


class Player(msgspec.Struct, frozen=True):
    """A person. `addresses` in order; the first is the one written to. `id` 0: not stored yet."""

    id: int
    name: str
    addresses: tuple[str, ...]
    zone: str = "UTC"


class MatchRow(msgspec.Struct, frozen=True):
    """A match as the service keeps it. `status`: forming, running, paused, over, shunted.

    `settings` are the clock's: see service.settings. `secret` keys the dice.
    """

    name: str
    game: str
    status: str
    secret: bytes
    options: dict[str, str]
    settings: dict[str, Any]
    created_at: datetime
    turn: int = 0
    trouble: str = ""


class Member(msgspec.Struct, frozen=True):
    """A person's part in a match. `role`: player, gm, observer. `status`: applied, playing, replaced, out, left.

    `wishes` are the seats asked for at JOIN; `number` gives the order of joining.
    """

    id: int
    match: str
    player: int
    role: str
    status: str
    seat: str = ""
    wishes: tuple[str, ...] = ()
    number: int = 0


class Token(msgspec.Struct, frozen=True):
    """A reply token by its SHA-256. `turn` is the slot it was made for; `alive` ends when that turn runs."""

    digest: str
    match: str
    player: int
    seat: str
    turn: int
    alive: bool = True


class Alarm(msgspec.Struct, frozen=True):
    """Something due at a time: a row, never a timer. Unique by (match, kind, key).

    Its kind is one of `service.clock.slot_life.AlarmKind`.
    """

    match: str
    kind: str
    key: str
    due_at: datetime
    seat: str = ""
    payload: str = ""


class LetterIn(msgspec.Struct, frozen=True):
    """A letter as it came, raw bytes first. `status`: new, done, unanswered, duplicate, ignored, held until its match goes on,
    shunted until a person or a mended version looks at it, discarded.

    `raw` is empty once its bytes are dropped, as they are of letters that did nothing. `transport` is unique where it came
    in; `logical` is unique among handled letters.
    """

    id: int
    transport: str
    received_at: datetime
    sender: str
    recipient: str
    raw: bytes
    status: str = "new"
    verdict: str = ""
    match: str = ""
    attempts: int = 0


TRIED_OFTEN = 3
"""After so many attempts in vain a letter out keeps no later ones to its reader waiting: it may be at fault itself."""


class LetterOut(msgspec.Struct, frozen=True):
    """A letter to be sent, its words and Message-ID fixed once. `status`: queued, sent, failed.

    `said` is what a receipt or a report says, and None where a letter was queued in its bytes (service.writing). Where it is
    not None `raw` is empty until an attempt to send it has failed. `source` keeps what a turn letter says beside its report,
    so that a replay can write it again; else b"".
    """

    id: int
    message_id: str
    match: str
    kind: str
    sender: str
    recipient: str
    raw: bytes
    created_at: datetime
    due_at: datetime
    status: str = "queued"
    attempts: int = 0
    error: str = ""
    source: bytes = b""
    said: bytes | None = None


class Unsent(msgspec.Struct, frozen=True):
    """A letter out that is given up, or fails again and again, without what it says."""

    match: str
    kind: str
    recipient: str
    status: str
    attempts: int
    error: str


class Spent(msgspec.Struct, frozen=True):
    """An answer that counts against a purse (service.budgets); `purse` "kept": one that was not written.

    `domain` is "" for an address that is known. `letter` is the letter in that was answered, `size` in bytes.
    """

    at: datetime
    purse: str
    address: str
    domain: str
    size: int
    letter: int


class Report(msgspec.Struct, frozen=True):
    """A turn report or record sheet as it was sent, kept for ever. `reader` "" is the public one.

    `page` is JSON (core.page.Page), `sheets` JSON (a list of core.page.Sheet); `seq` is the log's head then. `chart` is
    JSON (core.page.Drawing), kept with the public report alone; None where there is none.
    """

    match: str
    turn: int
    epoch: int
    reader: str
    title: str
    at: datetime
    seq: int
    head: str
    page: bytes
    sheets: bytes
    chart: bytes | None = None


class Listed(msgspec.Struct, frozen=True):
    """A public report as lists tell of it, without what it shows: of its page the summary is `said`; `drawn`: it has a chart."""

    turn: int
    epoch: int
    title: str
    at: datetime
    seq: int
    head: str
    said: str
    drawn: bool


class Grown(msgspec.Struct, frozen=True):
    """How far the files of a match's folder go that only get longer: its log up to an entry, and its public reports.

    `discreet`: the log is told as that of a match that hides lateness. `last` is the last report by seq, turn and epoch; `sizes`
    are the bytes of each file.
    """

    entries: int
    head: str
    discreet: bool
    reports: int
    last: tuple[int, int, int]
    sizes: Mapping[str, int]


class Rendered(msgspec.Struct, frozen=True):
    """A letter in both forms. The text is complete in itself."""

    text: str
    html: str


class Tally(msgspec.Struct, frozen=True):
    """How much of everything there is: letters in and matches by status, letters out by kind and then status.

    `first_in` is when the oldest letter came that is new, `first_out` when the oldest queued one was written and `due_out`
    since when the one that waits longest is due; so many of those `failed` before.
    """

    letters_in: dict[str, int]
    letters_out: dict[str, dict[str, int]]
    matches: dict[str, int]
    first_in: datetime | None = None
    first_out: datetime | None = None
    due_out: datetime | None = None
    failed: int = 0


class Renderer(Protocol):
    """Templates."""

    def render(
        self, kind: str, letter: Any, answered: Answerable | None = None, pictures: Sequence[str] = ()
    ) -> Rendered:
        """The letter of this kind (a struct of service.letters) as text and HTML, whose taps answer the letter that is told.

        It shows those `pictures` that lie with it, by their Content-IDs.
        """
        ...

    @property
    def version(self) -> str:
        """Changes whenever a template changes: letters of another version cannot be written again word for word."""
        ...

    def picture(self, svg: str) -> bytes:
        """A drawing as PNG. Raises ValueError for what is no SVG."""
        ...

    def halves(self, svg: str, seam: int) -> tuple[bytes, bytes]:
        """A drawing as PNG, cut in two so many pixels from the left. Raises ValueError for what is no SVG."""
        ...

    def workbook(self, sheets: Sequence[Sheet]) -> bytes:
        """Record sheets as an XLSX file, a worksheet for each; equal sheets give equal bytes."""
        ...

    def render_site(self, name: str, context: Any) -> str:
        """A page of the site by its name, of the struct of service.site that is of this name."""
        ...

    def dress(self) -> Mapping[str, bytes]:
        """The style sheet and the program that go with the pages of the site, by the names that they have in a folder."""
        ...

    def verifier(self) -> Mapping[str, bytes]:
        """The pages by which a browser checks a match and plays in it, and what they need, by their names in its folder."""
        ...


class Step(Protocol):
    """One transaction. Everything in it is written together or not at all."""

    # letters in
    def receive(self, letters: Sequence[LetterIn]) -> list[int]:
        """Store letters; the ids of those whose transport key was new, 0 for the others."""
        ...

    def waiting(self, limit: int) -> list[Pending]:
        """Letters that are new, oldest first."""
        ...

    def claim_new(self, ids: Sequence[int]) -> set[int]:
        """Those of these letters that are still new, held against everybody else until the step ends.

        What somebody else holds is left out, and not waited for.
        """
        ...

    def still_new(self, ids: Sequence[int]) -> list[LetterIn]:
        """Those of these letters that are new, the oldest first."""
        ...

    def letter(self, id: int) -> LetterIn | None: ...

    def letters(self, status: str, limit: int = 100) -> list[LetterIn]: ...

    def pending(self, limit: int = 1000) -> list[Pending]:
        """Letters that are new or wait for a person, oldest first."""
        ...

    def arrived(self, transports: Sequence[str]) -> set[str]:
        """Those of these transport keys whose letters were stored."""
        ...

    def finish_letter(
        self, id: int, status: str, verdict: str, match: str = "", logical: str | None = None, was: str = "new"
    ) -> None:
        """Mark a letter handled. Raises Conflict when it `was` not of that status any more, so that none is handled twice,
        and when another handled letter has the same logical key."""
        ...

    def spare_letter(self, id: int, is_spare: bool = True) -> None:
        """Mark a letter as one whose bytes may be dropped in time, or as one that is kept for ever after all."""
        ...

    def spare_letters(self) -> list[Spare]:
        """The letters whose bytes may be dropped and are still there, the newest first."""
        ...

    def drop_bytes(self, id: int, digest: str, said: str) -> None:
        """Drop the bytes of a letter, unless another one has the same; `said` is added to its verdict."""
        ...

    def retry_letter(self, id: int, verdict: str) -> int:
        """Count a failed attempt; returns the number of attempts so far."""
        ...

    def handled(self, logical: str) -> LetterIn | None:
        """The handled letter with this logical key."""
        ...

    # letters out
    def post(self, letter: LetterOut) -> bool:
        """Queue a letter; False when its Message-ID is already there (then nothing changes)."""
        ...

    def claim_outgoing(self, now: datetime, limit: int, lease_seconds: int) -> list[LetterOut]:
        """Take queued letters that are due, leased so that nobody else takes them meanwhile."""
        ...

    def keep_claimed(self, ids: Iterable[int], until: datetime) -> None:
        """Hold claimed letters until then: their postman is alive and has not come to them yet."""
        ...

    def sent(self, id: int, at: datetime) -> None: ...

    def not_sent(self, id: int, error: str, again_at: datetime | None) -> None:
        """Record a failure; None gives up visibly (status failed)."""
        ...

    def keep_bytes(self, id: int, raw: bytes) -> None:
        """Every attempt from now on sends these bytes: somebody may have them already."""
        ...

    def hasten(self, now: datetime) -> None:
        """Queued letters that failed before are due now: what kept them is over."""
        ...

    # answers that count
    def spend(self, spent: Spent) -> None:
        """Note an answer, and forget those that are so old that they count nowhere."""
        ...

    def spent(self, purse: str, since: datetime, address: str = "", domain: str = "") -> tuple[int, int]:
        """How many answers a purse has paid for since then, and their bytes: of an address, of a domain, of all domains."""
        ...

    def unspend(self, letter: int) -> None:
        """What was answered to this letter counts no more."""
        ...

    def kept(self, letter: int) -> bool:
        """Whether in this step the answer to this letter was kept back."""
        ...

    def kept_since(self, since: datetime) -> list[tuple[str, int]]:
        """The addresses whose letters were not answered since then, and how many those were, the most first."""
        ...

    def posted(self, id: int) -> LetterOut | None:
        """The letter out with this id."""
        ...

    def outgoing(self, match: str) -> list[LetterOut]: ...

    def latest_out(self, match: str, most: int) -> list[tuple[int, str, str]]:
        """Id, Message-ID and recipient of the last letters out of a match, the newest first."""
        ...

    def unsent(self, since: datetime, tries: int) -> list[Unsent]:
        """Letters that were queued since then and are given up, and those still queued after so many tries, in the order queued."""
        ...

    # people
    def player(self, id: int) -> Player | None: ...

    def player_at(self, address: str) -> Player | None: ...

    def save_player(self, player: Player) -> Player:
        """Insert (id 0) or replace; returns it with its id. Raises Conflict when an address is another's."""
        ...

    # matches
    def match(self, name: str) -> MatchRow | None: ...

    def matches(self, status: str = "") -> list[MatchRow]: ...

    def save_match(self, match: MatchRow) -> None: ...

    def members(self, match: str) -> list[Member]: ...

    def memberships(self, player: int) -> list[Member]: ...

    def save_member(self, member: Member) -> Member:
        """Insert (id 0) or replace; returns it with its id."""
        ...

    # the log
    def entries(self, match: str, since: int = 0) -> list[Entry]:
        """Entries with seq >= since, in order."""
        ...

    def entries_of(self, match: str, *kinds: type[Record]) -> list[Entry]:
        """Entries of these kinds and all that change which entries count, in order."""
        ...

    def happenings(self, match: str, since: int, until: int) -> Iterator[Entry]:
        """The first of a stretch of entries that stands in the log, and after it all that are events or change which count.

        They are read piece by piece.
        """
        ...

    def last_entry(self, match: str) -> Entry | None: ...

    def append(self, entries: Sequence[Entry]) -> None:
        """Append to the log. Raises Conflict when a (match, seq) is taken."""
        ...

    def withdraw(self, match: str, since: int) -> None:
        """Take the entries with seq >= since out: they are of a course that another house has played on from before them."""
        ...

    # tokens
    def save_token(self, token: Token) -> None: ...

    def token(self, digest: str) -> Token | None: ...

    def retire_tokens(self, match: str, before_turn: int, seat: str = "") -> None:
        """Tokens of turns before this one (of one seat, or all) are dead."""
        ...

    # alarms
    def set_alarm(self, alarm: Alarm) -> None:
        """Insert or replace by (match, kind, key)."""
        ...

    def clear_alarms(self, match: str, kind: str = "", key: str = "") -> None: ...

    def take_alarm(self, alarm: Alarm) -> bool:
        """Remove exactly this alarm; False when it stands no longer, or somebody else took it first."""
        ...

    def alarms(self, match: str) -> list[Alarm]: ...

    def due_alarms(self, now: datetime, limit: int, kind: str = "") -> list[Alarm]:
        """Alarms due by now (of one kind), the oldest first."""
        ...

    def next_alarm(self) -> datetime | None: ...

    def overdue(self, until: datetime) -> tuple[int, datetime | None]:
        """How many alarms were due by then, and when the first of them was."""
        ...

    # what goes for good
    def letters_from(self, address: str) -> list[int]:
        """The letters in whose envelope names this sender."""
        ...

    def letters_of_match(self, match: str) -> list[int]:
        """The letters in of a match whose bytes are there."""
        ...

    def letters_to(self, address: str) -> list[int]:
        """The letters out to this address."""
        ...

    def forget_letters_in(self, ids: Sequence[int], said: str) -> None:
        """Nothing stays of letters in but that they came, and when; `said` stands in the place of their verdict."""
        ...

    def forget_letters_out(self, ids: Sequence[int], host: str) -> None:
        """Nothing stays of letters out but that they went, and when; one that waits is sent no more."""
        ...

    def answers_to(self, address: str) -> int:
        """How many answers are counted for an address."""
        ...

    def forget_answers(self, address: str) -> None:
        """No answer is counted for an address any more."""
        ...

    def old_letters_in(self, before: str, limit: int) -> list[Spare]:
        """Letters in of matches that ended before a moment, in ISO 8601, and whose bytes are there."""
        ...

    def old_letters_out(self, before: str, limit: int) -> list[int]:
        """Letters out of such matches that say something still."""
        ...

    def drop_words(self, ids: Sequence[int]) -> None:
        """Drop what letters out say; that they went stays."""
        ...

    # all of it
    def tally(self) -> Tally:
        """How much of everything there is. It looks at every letter that ever came or went, so not to be asked all the time."""
        ...

    # reports
    def keep_report(self, report: Report) -> None: ...

    def report(self, match: str, turn: int, reader: str, epoch: int | None = None) -> Report | None:
        """The one of that turn for that reader, of this epoch or else of the highest."""
        ...

    def listed_reports(self, match: str) -> list[Listed]:
        """The reports that everybody may read, in the order of the log."""
        ...

    def reports(self, match: str) -> list[Report]: ...

    # small facts
    def note(self, match: str, seat: str, name: str) -> str | None:
        """A small fact kept beside the log, such as pending corrections."""
        ...

    def put_note(self, match: str, seat: str, name: str, value: str | None) -> None:
        """Keep a small fact; None removes it."""
        ...

    def notes(self, match: str, name: str) -> dict[str, str]:
        """The fact of that name of every seat."""
        ...


class Left(msgspec.Struct, frozen=True):
    """A letter that was in hand when a desk ended. `where`: it computed too long, and there; "" for any other end."""

    letter: int
    where: str = ""


class Hand(Protocol):
    """The letter that the desk has in hand, noted where the desk's sudden end is survived."""

    def on(self, letter: int) -> AbstractContextManager[None]:
        """The desk is at this letter. If that takes too much it is ended; then the note stays."""
        ...

    def left(self) -> Left | None:
        """What the desk before this one had in hand when it ended, until that is settled."""
        ...

    def settled(self) -> None:
        """It is known in the store what became of that letter."""
        ...


class Spare(msgspec.Struct, frozen=True):
    """A letter that did nothing and does not show who wrote it, with the digest and the number of its bytes."""

    id: int
    received_at: datetime
    digest: str
    size: int


class Pending(msgspec.Struct, frozen=True):
    """A letter that is not done, as far as it is known without opening it."""

    id: int
    received_at: datetime
    sender: str
    recipient: str
    size: int
    status: str
    verdict: str
    attempts: int


class Store(Protocol):
    """Where everything is kept."""

    def step(self) -> AbstractContextManager[Step]:
        """A write transaction: committed durably at the end, rolled back on an exception."""
        ...

    def look(self) -> AbstractContextManager[Step]:
        """A read transaction."""
        ...

    def hold(self, names: Sequence[str]) -> AbstractContextManager[Set[str]]:
        """Have these matches to oneself among the desks; gives those that no other desk has at this moment.

        It spares desks from reckoning the same twice; what is written is guarded by the steps themselves. For one thread.
        """
        ...

    def tidy(self) -> None:
        """There is nothing else to do just now: do what was put off. What was committed is durable without it."""
        ...
