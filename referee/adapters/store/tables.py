"""The tables, and how their columns keep values."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, ClassVar

import msgspec
from sqlalchemy import (
    BigInteger,
    Dialect,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

# ---------------------------------------------------------------- column types
# Aware moments as microseconds, values as JSON text, long bytes packed.


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Moment(TypeDecorator[datetime]):
    """An aware datetime, kept as whole microseconds since 1970 UTC: exact, sortable, the same in every database.

    A naive datetime is refused with TypeError, since nobody could say which moment it means.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + timedelta(microseconds=value)


class JsonText(TypeDecorator[Any]):
    """A value of one declared type as canonical JSON text; reading checks it against the type again."""

    impl = String
    cache_ok = True

    def __init__(self, of: Any) -> None:
        super().__init__()
        self.of = of
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(of)
        self._encoder = msgspec.json.Encoder(order="deterministic")

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else self._encoder.encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else self._decoder.decode(value)


_MAP = 30_000
"""So many bytes are a map, which repeats itself: packed less hard it takes a quarter more room, in less than half the time."""


@lru_cache(maxsize=16)
def _packed(value: bytes) -> bytes:
    return zlib.compress(value, 1 if len(value) > _MAP else 6)


unpacked = lru_cache(maxsize=16)(zlib.decompress)
"""Many readers of a turn have the same report: equal bytes one after the other are packed and unpacked once."""


class Packed(TypeDecorator[bytes]):
    """Long bytes that are written once and read seldom, zlib-compressed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else _packed(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else unpacked(value)


metadata: MetaData = SQLModel.metadata
"""Every table of the referee."""

metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def _belongs_to(column: str, target: str) -> ForeignKeyConstraint:
    """A foreign key judged at the end of the step, so that a step may write in any order."""
    return ForeignKeyConstraint([column], [target], deferrable=True, initially="DEFERRED")


def _index_of(name: str, *columns: str, where: str) -> Index:
    """An index of some rows alone: those that are done are many, and nobody looks for them."""
    index = Index(name, *columns, sqlite_where=text(where))
    _OF_SOME_ROWS[index] = where
    return index


_OF_SOME_ROWS: dict[Index, str] = {}


def complete() -> None:
    """Say the same of them to PostgreSQL, for a program that makes tables: its dialect takes a twentieth of a second to load."""
    for index, where in _OF_SOME_ROWS.items():
        index.dialect_options["postgresql"]["where"] = text(where)


class LetterBodyRow(SQLModel, table=True):
    """The bytes of a letter that came, by their SHA-256: many recipients, or many copies, share them."""

    __tablename__ = "letter_body"
    digest: str = Field(primary_key=True)
    raw: bytes = Field(sa_type=LargeBinary)


class LetterInRow(SQLModel, table=True):
    """A letter as it came. `logical` is set when it is handled, so equal letters are handled once.

    A letter is `spare` that did nothing and does not show who wrote it; `body` is empty once its bytes are dropped.
    """

    __tablename__ = "letter_in"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("transport"),
        UniqueConstraint("logical"),
        _belongs_to("body", "letter_body.digest"),
        _index_of("ix_letter_in_waiting", "status", "id", where="status IN ('new', 'held', 'shunted')"),
        Index(None, "body"),
        _index_of("ix_letter_in_spare", "id", where="spare"),
    )
    id: int | None = Field(default=None, primary_key=True)
    transport: str
    received_at: datetime = Field(sa_type=Moment)
    sender: str
    recipient: str
    status: str
    verdict: str
    match: str
    attempts: int
    logical: str | None = None
    body: str | None = None
    spare: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class LetterOutRow(SQLModel, table=True):
    """A letter to be sent. While a postman holds it, `leased_until` keeps it from the others."""

    __tablename__ = "letter_out"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("message_id"),
        _index_of("ix_letter_out_queued", "due_at", "id", where="status = 'queued'"),
        Index(None, "match"),
    )
    id: int | None = Field(default=None, primary_key=True)
    message_id: str
    match: str
    kind: str
    sender: str
    recipient: str
    created_at: datetime = Field(sa_type=Moment)
    due_at: datetime = Field(sa_type=Moment)
    status: str
    attempts: int
    error: str
    leased_until: datetime | None = Field(default=None, sa_type=Moment)
    sent_at: datetime | None = Field(default=None, sa_type=Moment)


class LetterOutRawRow(SQLModel, table=True):
    """The bytes of a letter to be sent, or what it says: apart, so that claiming and marking rewrites a short row."""

    __tablename__ = "letter_out_raw"
    __table_args__: ClassVar[Any] = (_belongs_to("letter", "letter_out.id"),)
    letter: int = Field(primary_key=True)
    raw: bytes = Field(sa_type=LargeBinary)
    source: bytes = Field(sa_type=LargeBinary)
    said: bytes | None = Field(default=None, sa_type=LargeBinary)


class PlayerRow(SQLModel, table=True):
    """A person."""

    __tablename__ = "player"
    id: int | None = Field(default=None, primary_key=True)
    name: str
    zone: str


class AddressRow(SQLModel, table=True):
    """A person's address in the order preferred. `address` is in small letters, `written` as he writes it."""

    __tablename__ = "address"
    __table_args__: ClassVar[Any] = (_belongs_to("player", "player.id"), Index(None, "player", "place"))
    address: str = Field(primary_key=True)
    written: str
    player: int
    place: int


class MatchTable(SQLModel, table=True):
    """A match: its game, options, clock settings and dice secret."""

    __tablename__ = "match"
    __table_args__: ClassVar[Any] = (Index(None, "status"),)
    name: str = Field(primary_key=True)
    game: str
    status: str
    secret: bytes = Field(sa_type=LargeBinary)
    options: dict[str, str] = Field(sa_type=JsonText(dict[str, str]))
    settings: dict[str, Any] = Field(sa_type=JsonText(dict[str, Any]))
    created_at: datetime = Field(sa_type=Moment)
    turn: int
    trouble: str


class MemberRow(SQLModel, table=True):
    """A person's part in a match."""

    __tablename__ = "member"
    __table_args__: ClassVar[Any] = (
        _belongs_to("match", "match.name"),
        _belongs_to("player", "player.id"),
        Index(None, "match", "number"),
        Index(None, "player"),
    )
    id: int | None = Field(default=None, primary_key=True)
    match: str
    player: int
    role: str
    status: str
    seat: str
    wishes: tuple[str, ...] = Field(sa_type=JsonText(tuple[str, ...]))
    number: int


class EntryRow(SQLModel, table=True):
    """An entry of a match's log. The key (match, seq) is the lock: two writers cannot both append."""

    __tablename__ = "entry"
    __table_args__: ClassVar[Any] = (_belongs_to("match", "match.name"),)
    match: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    at: str
    kind: str
    payload: str
    cause: str
    previous: str
    digest: str
    hash: str


class TokenRow(SQLModel, table=True):
    """A reply token, known only by its SHA-256."""

    __tablename__ = "token"
    __table_args__: ClassVar[Any] = (Index(None, "match", "turn"),)
    digest: str = Field(primary_key=True)
    match: str
    player: int
    seat: str
    turn: int
    alive: bool


class AlarmRow(SQLModel, table=True):
    """Something due at a time."""

    __tablename__ = "alarm"
    __table_args__: ClassVar[Any] = (Index(None, "due_at"),)
    match: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    due_at: datetime = Field(sa_type=Moment)
    seat: str
    payload: str


class AnswerRow(SQLModel, table=True):
    """An answer that was counted, or one that was not written (purse "kept"); gone after some days.

    `domain` is "" for people who are known: they are bounded one by one. `letter` is the one that was answered.
    """

    __tablename__ = "answer"
    __table_args__: ClassVar[Any] = (
        Index(None, "address", "purse", "at"),
        Index(None, "domain", "purse", "at"),
        Index(None, "purse", "at"),
        Index(None, "letter"),
        Index(None, "at"),
    )
    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=Moment)
    purse: str
    address: str
    domain: str
    size: int
    letter: int


class ReportRow(SQLModel, table=True):
    """A report as it was sent, kept for ever."""

    __tablename__ = "report"
    __table_args__: ClassVar[Any] = (_belongs_to("match", "match.name"),)
    match: str = Field(primary_key=True)
    turn: int = Field(primary_key=True)
    reader: str = Field(primary_key=True)
    epoch: int = Field(primary_key=True)
    title: str
    at: datetime = Field(sa_type=Moment)
    seq: int
    head: str
    page: bytes = Field(sa_type=Packed)
    sheets: bytes = Field(sa_type=Packed)
    chart: bytes | None = Field(default=None, sa_type=Packed)
    told: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class NoteRow(SQLModel, table=True):
    """A small fact kept beside the log."""

    __tablename__ = "note"
    match: str = Field(primary_key=True)
    seat: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    value: str
