"""Facts. An event says what happened, in the past tense, and to whom it may be told."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

import msgspec

from referee.core.names import Reader, Role, Seat
from referee.core.older_data import Upcaster


class Audience(Enum):
    """The readers who are told of an event by default."""

    REFEREE = "referee"
    OWNER = "owner"
    EVERYONE = "everyone"


class Event(msgspec.Struct, frozen=True, tag=True):
    """A fact, past tense. Secret unless the class says otherwise.

    `says` is its sentence, with what it knows as blanks: `{seat} buys {dp} DP.` It stands in logs for ever: `formerly` has,
    by each name under which it was written in another form, how that is read.
    """

    audience: ClassVar[Audience] = Audience.REFEREE
    rule: ClassVar[str] = ""
    says: ClassVar[str]
    formerly: ClassVar[Mapping[str, Upcaster]] = {}

    def told_to(self, reader: Reader) -> Event | None:
        """This reader's knowledge of it: the event whole, a redacted public event, or nothing."""
        if reader is Role.REFEREE or self.audience is Audience.EVERYONE:
            return self
        if self.audience is Audience.OWNER and getattr(self, "seat", None) == reader:
            return self
        return None

    def sentence(self) -> str:
        """The event in one plain sentence, for reports and logs; empty when nothing need be said."""
        return self.says.format_map(_Known(self))

    def cited(self) -> str:
        """Its sentence with its rule: `Red picks Egypt. [27.setup.2]`."""
        return f"{self.sentence()} [{self.cites()}]"

    def cites(self) -> str:
        """The rule this event applies: its `by_rule`, where it has one; else the class's own, unless it knows better."""
        return getattr(self, "by_rule", "") or self.rule


class _Known(dict[str, object]):
    """The fields of an event, by name."""

    def __init__(self, event: Event) -> None:
        self.event = event

    def __missing__(self, name: str) -> object:
        return getattr(self.event, name)


class PhaseBegan(Event, frozen=True):
    """A phase of the game began, played by this revision of the rules, of which `build` is the fingerprint.

    `version` is a version of the referee that has them.
    """

    audience = Audience.EVERYONE
    rule = "core.phase"
    says = "{title} began."
    key: str
    title: str
    revision: int = 0
    build: str = ""
    version: str = ""


class PhaseEnded(Event, frozen=True):
    """A phase of the game ended."""

    audience = Audience.EVERYONE
    rule = "core.phase"
    says = "{title} ended."
    key: str
    title: str


class Rolled(Event, frozen=True):
    """Dice were rolled for a stated purpose. `purpose` and `first` find the faces in the keyed stream."""

    audience = Audience.EVERYONE
    rule = "core.dice"
    purpose: str
    why: str
    by_rule: str
    sides: int
    faces: tuple[int, ...]
    first: int = 0
    seen_by: tuple[Seat, ...] | None = None

    def told_to(self, reader: Reader) -> Event | None:
        if reader is Role.REFEREE or self.seen_by is None or reader in self.seen_by:
            return self
        return None

    def sentence(self) -> str:
        dice = f"{len(self.faces)}d{self.sides}"
        return f"{self.why}: {dice} = {' '.join(map(str, self.faces))}."


class Drawn(Event, frozen=True):
    """Cards, chits or markers were drawn at random from a bag whose order does not exist until drawn.

    `faces` of the keyed stream chose them: the first among as many as the bag `held`, each further one among one fewer.
    """

    audience = Audience.EVERYONE
    rule = "core.draw"
    purpose: str
    why: str
    by_rule: str
    bag: str
    items: tuple[str, ...]
    first: int = 0
    seen_by: tuple[Seat, ...] | None = None
    held: int = 0
    faces: tuple[int, ...] = ()

    def told_to(self, reader: Reader) -> Event | None:
        if reader is Role.REFEREE or self.seen_by is None or reader in self.seen_by:
            return self
        return None

    def sentence(self) -> str:
        return f"{self.why}: drew {', '.join(self.items) or 'nothing'} from {self.bag}."


class Ruled(Event, frozen=True):
    """A game master ruled; the text is published to everybody."""

    audience = Audience.EVERYONE
    rule = "core.ruling"
    text: str
    by: str
    citing: str = ""

    def sentence(self) -> str:
        cited = f" (citing {self.citing})" if self.citing else ""
        return f"The game master {self.by} ruled{cited}: {self.text}"


class Edit(msgspec.Struct, frozen=True):
    """A figure of the position that a ruling sets: the path to it, what it was and what it is."""

    path: tuple[str, ...]
    before: int
    after: int

    def sentence(self) -> str:
        """`powers, Spain, stock, gold: 9 becomes 12`."""
        return f"{', '.join(self.path)}: {self.before} becomes {self.after}"


class Amended(Event, frozen=True):
    """A ruling set figures of the position; it is published to everybody with the ruling."""

    audience = Audience.EVERYONE
    rule = "core.ruling"
    by: str
    edits: tuple[Edit, ...]

    def sentence(self) -> str:
        return f"By that ruling {'; '.join(edit.sentence() for edit in self.edits)}."


CORE_EVENTS: tuple[type[Event], ...] = (PhaseBegan, PhaseEnded, Rolled, Drawn, Ruled, Amended)
"""Events that belong to every game."""
