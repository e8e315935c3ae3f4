"""Data of an older program, read in the form of this one: each class says itself how it was written formerly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

Fields = dict[str, Any]
Upcaster = Callable[[Fields], Fields]
"""From the old fields of an event or order, without its type, to the present ones."""


class Reader:
    """A decoder of events or orders, of which some may stand there as they were written formerly.

    Text that this program wrote is read as fast as without: the former forms are looked at where the text is in none of today's.
    `decode` gives what stands there, and raises msgspec.ValidationError for what is in no form that is known.
    """

    def __init__(self, what: Any, kinds: Iterable[type[msgspec.Struct]]) -> None:
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(what)
        self._formerly: dict[str, tuple[str, Upcaster, msgspec.json.Decoder[Any]]] = {}
        for kind in kinds:
            own: Mapping[str, Upcaster] = vars(kind).get("formerly", {})
            for tag, upcaster in own.items():
                self._formerly[tag] = (str(kind.__struct_config__.tag), upcaster, msgspec.json.Decoder(kind))
        self.decode: Callable[[bytes | msgspec.Raw], Any] = (
            self._in_any_form if self._formerly else self._decoder.decode
        )

    def _in_any_form(self, raw: bytes | msgspec.Raw) -> Any:
        try:
            return self._decoder.decode(raw)
        except msgspec.ValidationError:
            return self._decoder.decode(msgspec.json.encode(self._today(msgspec.json.decode(raw))))

    def _today(self, value: Any) -> Any:
        """The value, with all in it that is in a former form."""
        if isinstance(value, list):
            return [self._today(item) for item in value]
        if not isinstance(value, dict):
            return value
        whole = {name: self._today(item) for name, item in value.items()}
        tag = whole.get("type")
        if tag not in self._formerly:
            return whole
        today, upcaster, decoder = self._formerly[tag]
        if tag == today and _reads(decoder, whole):
            return whole
        return {**upcaster({name: item for name, item in whole.items() if name != "type"}), "type": today}


def _reads(decoder: msgspec.json.Decoder[Any], value: Fields) -> bool:
    try:
        decoder.decode(msgspec.json.encode(value))
    except msgspec.ValidationError:
        return False
    return True
