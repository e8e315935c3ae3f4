"""Column types: aware moments as microseconds, values as JSON text, long bytes packed."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Dialect, LargeBinary, String
from sqlalchemy.types import TypeDecorator

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
