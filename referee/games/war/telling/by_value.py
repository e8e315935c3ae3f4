"""Values that cannot be hashed, such as regions with mappings in them, as keys of what is kept."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class ByValue(Generic[T]):
    """A struct that equals others of its type that consist of the same, the order of mappings included.

    Of what lies inside it only the fields count, not the type.
    """

    __slots__ = ("_key", "value")

    def __init__(self, value: T) -> None:
        self.value = value
        self._key = type(value), msgspec.msgpack.encode(value)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self._key == other._key
