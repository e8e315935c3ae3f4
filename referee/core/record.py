"""The parts of a match's log: records, their codec, the hash chain, and which stretch of it is alive."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Container, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any, TypeVar

import msgspec

from referee.core.event import CORE_EVENTS, Event
from referee.core.names import Seat
from referee.core.older_data import Reader
from referee.core.order import Condition, Intent
from referee.core.question import Source


class Tampered(Exception):
    """The log is not what was written. `seq` is the first entry that does not fit."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"entry {seq}: {why}")
        self.seq = seq
        self.why = why


class Given(msgspec.Struct, frozen=True, tag="given"):
    """One accepted line of an order sheet: canonical text, the intent it stands for, what it means."""

    text: str
    intent: msgspec.Raw
    meaning: str = ""


class If(msgspec.Struct, frozen=True, tag="if"):
    """A conditional block of an order sheet; the condition is judged when the sheet is closed."""

    text: str
    condition: Condition
    then: tuple[Given | If, ...]
    otherwise: tuple[Given | If, ...] = ()


Sheet = tuple[Given | If, ...]


class Created(msgspec.Struct, frozen=True, tag_field="kind", tag="created"):
    """The first record: game, seats in the order of play, options, and the commitment to the dice secret."""

    game: str
    seats: tuple[Seat, ...]
    options: dict[str, str]
    commitment: str
    wishes: tuple[tuple[str, ...], ...] | None = None
    """The wishes for seats of those who joined, in their order: the seats follow from them and from lots. None: not noted."""
    beacon: str = ""
    """The name of the public beacon whose rounds have a share in its dice; "" for none."""


class Happened(msgspec.Struct, frozen=True, tag_field="kind", tag="event"):
    """An event of the game, encoded by its codec."""

    event: msgspec.Raw


BOT = "a dummy"
"""The name in the log for the end of a slot that a bot played."""


class Answered(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    """A question was answered. `value` is encoded by the question's menu; `by` names who ended a slot for its player: `BOT`, where
    a bot plays the seat.

    `at` is when, in seconds since 1970; 0 where no desk keeps the time.
    """

    key: str
    seat: Seat
    value: msgspec.Raw
    source: Source
    late_by: int = 0
    by: str = ""
    at: int = 0


class Filed(msgspec.Struct, frozen=True, tag_field="kind", tag="filed"):
    """An order sheet was laid into a seat's drawer, replacing what was there.

    Drawers: "orders:KEY" (draft answering the question KEY), "standing", "late", "turn:N". An empty sheet
    clears the drawer. `letter` is the Message-ID it came with, `digest` the SHA-256 of the text as received.
    """

    seat: Seat
    drawer: str
    sheet: Sheet
    letter: str = ""
    digest: str = ""


class Acted(msgspec.Struct, frozen=True, tag_field="kind", tag="aside"):
    """A seat did something that is allowed at any time, at a moment as in Answered; the events it caused follow."""

    seat: Seat
    intent: msgspec.Raw
    at: int = 0


RESTORED = "RESTORED "
"""How the action of a restore begins."""


class Overrode(msgspec.Struct, frozen=True, tag_field="kind", tag="override"):
    """A game master overrode the clock or the seating; published with its reason. So is that the host restored a backup."""

    action: str
    by: str
    reason: str = ""

    @property
    def restores(self) -> bool:
        """Whether it says that this is the log of a backup: a new chain of secrets is committed to right after it."""
        return self.action.startswith(RESTORED)


class Rewound(msgspec.Struct, frozen=True, tag_field="kind", tag="rewound"):
    """All records after `to` are dead from here on; a new chain of secrets is committed to, so no die is thrown again."""

    to: int
    by: str
    reason: str


class Renewed(msgspec.Struct, frozen=True, tag_field="kind", tag="renewed"):
    """The rules were mended while a phase was open: all records after `to` are dead, and the phase is played anew below.

    Its dice keep their epoch. `version` of the referee has this revision of the rules, whose fingerprint is `build`.
    """

    to: int
    revision: int
    build: str
    version: str


class Forwarded(msgspec.Struct, frozen=True, tag_field="kind", tag="forwarded"):
    """The rewind at entry `undoes` is undone: what it killed lives again."""

    undoes: int
    by: str
    reason: str


class Pledged(msgspec.Struct, frozen=True, tag_field="kind", tag="pledged"):
    """A chain of secrets is committed to, of `links`: `anchor`, in hex, is what hashing each of them leads to in the end.

    The first follows the creation, another every rewind, roll-forward and use of a last link. `opens` is the last link in use of
    the chain before, in hex; "" where none was used.
    """

    chain: int
    anchor: str
    links: int
    opens: str = ""


class Sealed(msgspec.Struct, frozen=True, tag_field="kind", tag="sealed"):
    """Here the log was fixed before dice were thrown: their key comes of the hash of this entry and of a secret link.

    `number` counts seals. `opens` is the link before this one, in hex, which is used no more. `round` of the beacon has a share
    in the key; 0: none. A `hidden` seal is of throws that not everybody is told, has no link, and is secret itself.

    `again` is the number of an earlier seal whose key this one has: nothing came from outside since that or another seal with
    it, or one stood in the same phase before mended rules played it anew. Its `round` is named once more where that is still
    waited for.
    """

    number: int
    chain: int = 0
    link: int = 0
    opens: str = ""
    round: int = 0
    hidden: bool = False
    again: int = 0


class Opened(msgspec.Struct, frozen=True, tag_field="kind", tag="opened"):
    """The round that a seal waited for, by the `number` of the first of those that have its key: its signature in hex, or `why`
    the dice are thrown without it.
    """

    number: int
    signature: str = ""
    why: str = ""


class Luck(msgspec.Struct, frozen=True, tag_field="kind", tag="luck"):
    """A seat put a word of its own into the log, and so into the keys of all dice to come."""

    seat: Seat
    word: str


Record = (
    Created
    | Happened
    | Answered
    | Filed
    | Acted
    | Overrode
    | Rewound
    | Renewed
    | Forwarded
    | Pledged
    | Sealed
    | Opened
    | Luck
)


_INTENTS_KNOWN = 4_096


class Codec:
    """Events, intents and records of one game to canonical JSON and back."""

    def __init__(self, events: Sequence[type[Event]], intents: Sequence[type[Intent]]) -> None:
        self.intent_union: Any = reduce(or_, intents) if intents else Intent
        known = (*CORE_EVENTS, *events)
        self._events = Reader(reduce(or_, known), known)
        self._intents = Reader(self.intent_union, intents)
        self._records: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Record)
        self._encoder = msgspec.json.Encoder(order="deterministic")
        self._known: dict[bytes, Intent] = {}

    def raw(self, value: Event | Intent) -> msgspec.Raw:
        """An event or intent as canonical JSON."""
        return msgspec.Raw(self._encoder.encode(value))

    def event(self, raw: msgspec.Raw) -> Event:
        """The event, decoded. Raises msgspec.ValidationError when it is none of this game's."""
        decoded: Event = self._events.decode(raw)
        return decoded

    def intent(self, raw: msgspec.Raw) -> Intent:
        """The intent, decoded. Raises msgspec.ValidationError when it is none of this game's."""
        text = bytes(raw)
        known = self._known.get(text)
        if known is None:
            # A line on file is looked at again and again, and many players write the same one.
            if len(self._known) >= _INTENTS_KNOWN:
                self._known.clear()
            known = self._known[text] = self._intents.decode(raw)
        return known

    def dump(self, record: Record) -> str:
        """A record as the text that the log keeps."""
        return self._encoder.encode(record).decode()

    def load(self, payload: str) -> Record:
        """The record, decoded. Raises msgspec.DecodeError when the text is no record."""
        decoded: Record = self._records.decode(payload)
        return decoded


class Entry(msgspec.Struct, frozen=True):
    """A record in its place in the chain.

    `digest` covers the payload, blinded so that a secret payload cannot be guessed from it; `hash` covers the
    digest, the place and the entry before. So the chain can be checked with payloads withheld.
    """

    match: str
    seq: int
    at: str
    kind: str
    payload: str
    cause: str
    previous: str
    digest: str
    hash: str


def kind_of(record: Record) -> str:
    """The log's word for the kind of a record."""
    return word_of(type(record))


def word_of(kind: type[Record]) -> str:
    """The log's word for a kind of record."""
    return str(kind.__struct_config__.tag)


def salt_of(secret: bytes, seq: int) -> bytes:
    """The value that blinds the digest of an entry: told with a payload that everybody may read, it betrays no other."""
    return hmac.digest(secret, f"salt/{seq}".encode(), "sha256")


def blinded(salt: bytes, payload: str) -> str:
    """The digest of a payload."""
    return hashlib.sha256(salt + payload.encode()).hexdigest()


def _digest(secret: bytes, seq: int, payload: str) -> str:
    return blinded(salt_of(secret, seq), payload)


def _hash(entry: tuple[str, int, str, str, str, str, str]) -> str:
    return hashlib.sha256(msgspec.json.encode(entry)).hexdigest()


def seal(secret: bytes, match: str, last: Entry | None, at: str, kind: str, payload: str, cause: str) -> Entry:
    """The entry that follows `last` in the chain. `at` is UTC in ISO 8601."""
    seq, previous = (last.seq + 1, last.hash) if last else (0, "")
    digest = _digest(secret, seq, payload)
    chained = _hash((match, seq, at, kind, cause, previous, digest))
    return Entry(match, seq, at, kind, payload, cause, previous, digest, chained)


def check_chain(entries: Iterable[Entry], secret: bytes | None = None, withheld: Container[int] = ()) -> str:
    """The head hash of an unbroken chain; with the secret every payload is checked too. Raises Tampered.

    Of entries whose kind or cause are `withheld`, by their numbers, the place in the chain alone is checked.
    """
    previous = ""
    for seq, entry in enumerate(entries):
        if entry.seq != seq:
            raise Tampered(seq, f"is missing; entry {entry.seq} stands in its place")
        if entry.previous != previous:
            raise Tampered(seq, "does not name the entry before it")
        if secret is not None and _digest(secret, seq, entry.payload) != entry.digest:
            raise Tampered(seq, f"its {entry.kind} payload was changed")
        sealed = _hash((entry.match, seq, entry.at, entry.kind, entry.cause, previous, entry.digest))
        if seq not in withheld and sealed != entry.hash:
            raise Tampered(seq, "its place, time, kind, cause or digest was changed")
        previous = entry.hash
    return previous


T = TypeVar("T")


class Live(msgspec.Struct, frozen=True):
    """A record that still counts, and its number in the log."""

    seq: int
    record: Record


def live(records: Iterable[tuple[int, Record]]) -> list[Live]:
    """The records that count after all rewinds; commitments to secrets are of the log, not of the game, and left out.

    Raises Tampered when a roll-forward names no rewind before it.
    """
    return [Live(seq, record) for seq, record in counting((seq, record, record) for seq, record in records)]


def counting(records: Iterable[tuple[int, Record, T]]) -> list[tuple[int, T]]:
    """The result for each of the records that count, as `live` says, with the number of its record in the log."""
    alive: list[tuple[int, T]] = []
    before: dict[int, list[tuple[int, T]]] = {}
    for seq, record, made in records:
        match record:
            case Rewound(to=to):
                before[seq] = alive
                alive = [entry for entry in alive if entry[0] <= to]
            case Renewed(to=to):
                alive = [entry for entry in alive if entry[0] <= to]
            case Forwarded(undoes=undone):
                if undone not in before:
                    raise Tampered(seq, f"undoes entry {undone}, which is no rewind")
                alive = list(before[undone])
            case Pledged():
                pass
            case _:
                alive.append((seq, made))
    return alive


def is_from_outside(record: Record) -> bool:
    """Whether a record came from people or the clock, and so ends the seal before it.

    Events follow from the rules, and answers without a time from what was on file.
    """
    if isinstance(record, Answered):
        return bool(record.at)
    return not isinstance(record, (Happened, Sealed, Opened))
