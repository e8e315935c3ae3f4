"""Questions a script puts to a seat, the menus of lawful answers, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from typing import Any, Generic, Protocol, TypeVar, get_args

import msgspec

from referee.core.choices import Choice, Pick
from referee.core.names import Seat
from referee.core.older_data import Reader
from referee.core.order import Intent, Under, bare

T = TypeVar("T")
M = TypeVar("M", covariant=True)


class Pace(Enum):
    """How long a seat has to answer; AUTO: no letter is sent, what orders leave open is the default."""

    SLOT = "slot"
    REPLY = "reply"
    WINDOW = "window"
    AUTO = "auto"


class Source(Enum):
    """The source of an answer."""

    PLAYER = "player"
    ORDERS = "orders"
    STANDING = "standing orders"
    LATE_INSTRUCTION = "late instruction"
    DEFAULT = "default"
    MODERATOR = "game master"
    BOT = "a steady bot"


class Answer(msgspec.Struct, Generic[T], frozen=True):
    """An answer, who gave it, and by how many full periods of 24 hours it was late, the deadline ending the first.

    `by` names who ended a slot for its player, a seat or a game master; empty where nobody did.
    """

    value: T
    source: Source = Source.PLAYER
    late_by: int = 0
    by: str = ""


class Menu(Protocol[M]):
    """The lawful answers to a question: words for the letter, reader of the reply, choices for bots, default."""

    @property
    def default(self) -> M:
        """The choice that is taken when nobody answers."""
        ...

    def words(self) -> tuple[str, ...]:
        """The choices as a player may type them, one a line of the letter."""
        ...

    def read(self, text: str) -> M | None:
        """The answer a typed reply means, or None when it is not on the menu."""
        ...

    def encode(self, value: Any) -> bytes:
        """The answer as canonical JSON for the log. Raises ValueError when it is not on the menu."""
        ...

    def decode(self, raw: bytes) -> M:
        """The answer from the log. Raises ValueError when it is not on the menu."""
        ...

    def sample(self, pick: Pick) -> M:
        """A lawful answer chosen by `pick`, for bots."""
        ...


def _encode(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


class OneOf(Generic[T]):
    """Exactly one of several options. The log keeps the option's word."""

    def __init__(self, options: Sequence[Choice[T]], default: T) -> None:
        self.options = tuple(options)
        self._default = default
        if all(option.value != default for option in self.options):
            raise ValueError("the default is not among the options")

    @property
    def default(self) -> T:
        return self._default

    def words(self) -> tuple[str, ...]:
        return tuple(f"{o.word}: {o.meaning}" if o.meaning else o.word for o in self.options)

    def read(self, text: str) -> T | None:
        wanted = _fold(text)
        exact = [o for o in self.options if _fold(o.word) == wanted]
        near = exact or [o for o in self.options if wanted and _fold(o.word).startswith(wanted)]
        return near[0].value if len(near) == 1 else None

    def encode(self, value: Any) -> bytes:
        for option in self.options:
            if option.value == value:
                return _encode(option.word)
        raise ValueError(f"{value!r} is not on the menu")

    def decode(self, raw: bytes) -> T:
        word = msgspec.json.decode(raw, type=str)
        for option in self.options:
            if option.word == word:
                return option.value
        raise ValueError(f"{word!r} is not on the menu")

    def sample(self, pick: Pick) -> T:
        return self.options[pick(len(self.options))].value


class Several(Generic[T]):
    """Up to `at_most` of several options, in the order of preference; each option once."""

    def __init__(self, options: Sequence[Choice[T]], at_most: int, default: Sequence[T] = ()) -> None:
        self.options = tuple(options)
        self.at_most = at_most
        self._default = tuple(default)
        self.encode(self._default)

    @property
    def default(self) -> tuple[T, ...]:
        return self._default

    def words(self) -> tuple[str, ...]:
        return tuple(f"{o.word}: {o.meaning}" if o.meaning else o.word for o in self.options)

    def read(self, text: str) -> tuple[T, ...] | None:
        parts = [p for p in (_fold(part) for part in text.replace(";", ",").split(",")) if p]
        if parts in ([], ["none"], ["nothing"]):
            return ()
        single = OneOf(self.options, self.options[0].value) if self.options else None
        found = [single.read(part) if single else None for part in parts]
        values = tuple(value for value in found if value is not None)
        distinct = all(v not in values[:i] for i, v in enumerate(values))
        return values if len(values) == len(parts) <= self.at_most and distinct else None

    def encode(self, value: Any) -> bytes:
        if len(value) > self.at_most or any(v in value[:i] for i, v in enumerate(value)):
            raise ValueError(f"{value!r} takes more than the menu allows")
        words = []
        for chosen in value:
            word = next((o.word for o in self.options if o.value == chosen), None)
            if word is None:
                raise ValueError(f"{chosen!r} is not on the menu")
            words.append(word)
        return _encode(words)

    def decode(self, raw: bytes) -> tuple[T, ...]:
        by_word = {o.word: o.value for o in self.options}
        words = msgspec.json.decode(raw, type=list[str])
        if any(word not in by_word for word in words) or len(words) > self.at_most or len(set(words)) < len(words):
            raise ValueError(f"{words!r} is not on the menu")
        return tuple(by_word[word] for word in words)

    def sample(self, pick: Pick) -> tuple[T, ...]:
        left = list(self.options)
        size = pick(min(self.at_most, len(left)) + 1)
        return tuple(left.pop(pick(len(left))).value for _ in range(size))


class Amount:
    """A whole number from `low` to `high`."""

    def __init__(self, low: int, high: int, default: int) -> None:
        if not low <= default <= high:
            raise ValueError("the default is outside the range")
        self.low, self.high, self._default = low, high, default

    @property
    def default(self) -> int:
        return self._default

    def words(self) -> tuple[str, ...]:
        return (f"a whole number from {self.low} to {self.high}",)

    def read(self, text: str) -> int | None:
        digits = text.strip()
        value = int(digits) if digits.removeprefix("-").isdecimal() and len(digits) < 20 else None
        return value if value is not None and self.low <= value <= self.high else None

    def encode(self, value: Any) -> bytes:
        if type(value) is not int or not self.low <= value <= self.high:
            raise ValueError(f"{value!r} is not on the menu")
        return _encode(value)

    def decode(self, raw: bytes) -> int:
        value = msgspec.json.decode(raw, type=int)
        self.encode(value)
        return value

    def sample(self, pick: Pick) -> int:
        return self.low + pick(self.high - self.low + 1)


@cache
def _sheet_decoder(intents: Any) -> Reader:
    """The reader of a sheet of these intents, made once: a question is asked again each time its phase is played again."""
    sheet: Any = tuple
    return Reader(sheet[intents | Under[intents], ...], get_args(intents) or (intents,))


class Orders:
    """An order sheet: any number of lawful orders whose verbs are on the menu. Its draft stays open until closed.

    A player who sends none plays the `default`: the orders proposed to him, or, where that is his `own`, those he gave before.
    """

    def __init__(
        self,
        verbs: Sequence[str],
        intents: Any,
        suggest: Callable[[Pick], tuple[Intent, ...]],
        default: tuple[Intent, ...] = (),
        own: bool = False,
    ) -> None:
        self.verbs = tuple(verbs)
        self._kinds: tuple[type[Intent], ...] = get_args(intents) or (intents,)
        self._decoder = _sheet_decoder(intents)
        self._suggest = suggest
        self._default, self.own = default, own

    @property
    def default(self) -> tuple[Intent, ...]:
        return self._default

    def words(self) -> tuple[str, ...]:
        return self.verbs

    def read(self, text: str) -> tuple[Intent, ...] | None:
        """Always None: order sheets are read by the desk with the grammar, not by the menu."""
        return None

    def takes(self, intent: Intent) -> bool:
        """Whether such an order is on the menu; others belong to other sheets."""
        return isinstance(bare(intent), self._kinds)

    def encode(self, value: Any) -> bytes:
        strange = [intent for intent in value if not self.takes(intent)]
        if strange:
            raise ValueError(f"{strange[0]!r} is not on the menu")
        return _encode(value)

    def decode(self, raw: bytes) -> tuple[Intent, ...]:
        sheet: tuple[Intent, ...] = self._decoder.decode(raw)
        return sheet

    def sample(self, pick: Pick) -> tuple[Intent, ...]:
        return self._suggest(pick)


def _silent(_: Sequence[Intent]) -> None:
    return None


def slot_of(key: str) -> str:
    """The slot of an orders question: further parts of a sheet have its key with a number, `T3/Arcadia/orders 2`."""
    slot, _, part = key.rpartition(" ")
    return slot if slot and part.isdecimal() else key


class Question(Generic[T]):
    """A script's question to a seat.

    `key` is stable and unique in the match ("T3/France/casualties/Egypt"). `recognise` finds the answer in a sheet of
    intents, the seat's orders or its standing orders, as the menu reads it from the log (None: the sheet says nothing).
    `text` is "" where nobody is to be told how it was answered, for lack of interest.
    """

    def __init__(
        self,
        key: str,
        seat: Seat,
        text: str,
        menu: Menu[T],
        pace: Pace,
        rule: str,
        recognise: Callable[[Sequence[Intent]], T | None] = _silent,
    ) -> None:
        self.key = key
        self.seat = seat
        self.text = text
        self.menu = menu
        self.pace = pace
        self.rule = rule
        self.recognise = recognise

    @property
    def wants_orders(self) -> bool:
        """Whether the answer is an order sheet."""
        return isinstance(self.menu, Orders)

    def takes(self, intent: Intent) -> bool:
        """Whether an order may stand in the sheet that is asked for."""
        menu: Any = self.menu
        return isinstance(menu, Orders) and menu.takes(intent)
