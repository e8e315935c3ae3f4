"""The service's needs from the world: clock, secrets, renderer, which adapters fulfil; and the values that the store keeps.

The methods of a `Step` of the `Store` are explained part by part in `adapters/store/sql`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from referee.core.page import Grid, Sheet

if TYPE_CHECKING:
    from referee.adapters.store.store import Step as Step
    from referee.adapters.store.store import Store as Store
    from referee.mail import Answerable
else:
    Step = Store = (
        Any  # names alone while it runs: the service is typed by the one store there is, and loads nothing of it
    )

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
    """The key of a signer, under his name; only its public half is ever seen."""

    @property
    def name(self) -> str:
        """The owner of the key: no blank in it, and no plus."""
        ...

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes (Ed25519)."""
        ...

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        ...


class Rendered(msgspec.Struct, frozen=True):
    """A letter in both forms. The text is complete in itself."""

    text: str
    html: str


class Renderer(Protocol):
    """Templates."""

    def render(
        self,
        kind: str,
        letter: Any,
        answered: Answerable | None = None,
        pictures: Sequence[str] = (),
        brief: bool = False,
    ) -> Rendered:
        """The letter of this kind (a struct of service.base.letter_facts) as text and HTML, whose taps answer it.

        It shows those `pictures` that lie with it, by their Content-IDs. `brief`: its HTML is in few bytes.
        """
        ...

    @property
    def version(self) -> str:
        """Changes whenever a template changes: letters of another version cannot be written again word for word."""
        ...

    def drawn(self, grid: Grid) -> str:
        """A table as letters in plain text have it."""
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
        """A page of the site by its name, of the struct of service.house.pages or site that is of this name."""
        ...

    def dress(self) -> Mapping[str, bytes]:
        """The style sheet and the program that go with the pages of the site, by the names that they have in a folder."""
        ...

    def verifier(self) -> Mapping[str, bytes]:
        """The page by which a browser checks the match that lies beside it, and what it needs, by their names in its folder."""
        ...

    def table(self) -> Mapping[str, bytes]:
        """The page on which one plays, a match beside it or none, and what it needs, by their names in a folder."""
        ...


class Left(msgspec.Struct, frozen=True):
    """A letter that was in hand when a desk ended. `where`: it computed too long, and there; "" for any other end."""

    letter: int
    where: str = ""


class InHand(Protocol):
    """The letter that the desk has in hand, noted where the desk's sudden end is survived."""

    def on(self, letter: int) -> AbstractContextManager[None]:
        """The desk is at this letter. If that takes too much it is ended; then the note stays."""
        ...

    def left(self) -> Left | None:
        """The letter that the desk before this one had in hand when it ended, until that is settled."""
        ...

    def settled(self) -> None:
        """It is known in the store what became of that letter."""
        ...


class Player(msgspec.Struct, frozen=True):
    """A person. `addresses` in order; the first is the one written to. `id` 0: not stored yet."""

    id: int
    name: str
    addresses: tuple[str, ...]
    zone: str = "UTC"


class MatchRow(msgspec.Struct, frozen=True):
    """A match as the service keeps it. `status`: forming, running, paused, over, shunted.

    `settings` are the clock's: see base.match_settings. `secret` keys the dice.
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

    Its kind is one of `service.match.slot_life.AlarmKind`.
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


class Spare(msgspec.Struct, frozen=True):
    """A letter that did nothing and does not show who wrote it, with the digest and the number of its bytes."""

    id: int
    received_at: datetime
    digest: str
    size: int


TRIED_OFTEN = 3
"""After so many attempts in vain a letter out keeps no later ones to its reader waiting: it may be at fault itself."""


class LetterOut(msgspec.Struct, frozen=True):
    """A letter to be sent, its words and Message-ID fixed once. `status`: queued, sent, failed.

    `said` is what a receipt or a report says, and None where a letter was queued in its bytes (service.post.tray). Where it is
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
    """An answer that counts against a purse (service.post.answer_limits); `purse` "kept": one that was not written.

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
    JSON (core.page.Drawing), kept with the public report alone; None where there is none. `told` are the digests of its words
    in a letter, without record sheets and with them; "" where it goes in none.
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
    told: str = ""


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
