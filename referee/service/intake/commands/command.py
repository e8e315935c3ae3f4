"""A command: one word of the desk, with all that HELP tells of it, who may write it, and all that it does.

Each stands once in the tuple `COMMANDS` of a module of this room; `words.commands` is the table of all. A command may do something
in a match (`here`), outside of one (`door`), and for its game master before it begins (`before`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from referee.core.order import Order, Thing, Verb

if TYPE_CHECKING:
    from referee.service.base.office import At
    from referee.service.base.ports import MatchRow, Player
    from referee.service.intake.commands.caller import Caller
    from referee.service.match.result import Came, Told
    from referee.service.turn.hand import Hand

Here: TypeAlias = "Callable[[Hand, Order], Came | Told]"
"""What a word does in a match by the hand of its writer: what came of it, or sentences that say so; raises Denial."""

AtTheDoor: TypeAlias = "Callable[[Caller, Order], Came | Told]"
"""The same outside of one, or for who has joined one that has not begun."""

Before: TypeAlias = "Callable[[At, MatchRow, Player, Order], Told]"
"""What it does for the game master of a match that has not begun."""

REASON = ("words", "text")
"""What may stand after BECAUSE."""


class By(Enum):
    """Who may write a command."""

    ANYONE = "anyone"
    PLAYERS = "players"
    WRITERS = "players and game masters"
    KEY_HOLDERS = "whoever has a part in the second key"
    MASTERS = "game masters"


def never(hand: Hand, order: Order) -> bool:
    """No second key is asked for."""
    return False


def always(hand: Hand, order: Order) -> bool:
    """A second key is asked for where its writer plays, too."""
    return True


def as_ever(hand: Hand) -> str | None:
    """The example is the usual one, in the names of the match."""
    return None


@dataclass(frozen=True, kw_only=True)
class Command:
    """One word of the desk.

    `proof`: at the door it is done only for who has shown who he is; `long`: it brings pages, which nobody unknown is sent;
    `enters`: somebody who is in no match yet may ask for it. `grave`: it cannot be undone, or lets somebody in for good.
    `key` says whether it waits for a second key where its writer masters the match and plays in it. `public`: everybody is
    told its own words. `example` is one from the moment, "" where it has nothing to do, and `note` says why. `text` is an
    example of what may stand in the block that it begins. `instead` is what a player may write where this is a game master's
    word. `family`: those that stand back together in a game that has one
    of them for itself.
    """

    verb: Verb
    by: By
    here: Here | None = None
    door: AtTheDoor | None = None
    before: Before | None = None
    proof: bool = True
    long: bool = False
    enters: bool = False
    grave: bool = False
    key: Callable[[Any, Order], bool] = never
    public: bool = False
    example: Callable[[Any], str | None] = as_ever
    note: Callable[[Any], str] = lambda _: ""
    text: str = ""
    instead: str = ""
    family: str = ""

    @property
    def word(self) -> str:
        return self.verb.word


def word(
    word: str,
    meaning: str,
    example: str,
    takes: tuple[str, ...] = (),
    least: int = 0,
    most: int | None = None,
    prepositions: dict[str, tuple[str, ...]] | None = None,
    needs: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    ways: tuple[str, ...] = (),
) -> Verb:
    """The word of a command as HELP tells and the grammar reads it; see Verb for the parts."""
    return Verb(word, meaning, example, "", takes, least, most, prepositions or {}, needs, aliases, ways=ways)


# ---------------------------------------------------------------- reading a sentence


def first(things: tuple[Thing, ...], *kinds: str) -> Thing | None:
    """The first of these things that is of one of the kinds, or of any where none is named."""
    return next((thing for thing in things if not kinds or thing.kind in kinds), None)


def named(order: Order, *kinds: str) -> str:
    """The name of the first thing of these kinds that a sentence is about, "" without one."""
    found = first(order.things, *kinds)
    return found.name if found else ""


def number_in(things: tuple[Thing, ...]) -> int:
    """The first number among these things, 0 without one."""
    found = first(things, "number")
    return found.count() if found else 0


def span_in(things: tuple[Thing, ...]) -> timedelta | None:
    """The first length of time among these things."""
    found = first(things, "duration")
    return timedelta(seconds=found.count(0)) if found else None


def listed(order: Order) -> str:
    """All that a sentence is about, with commas between."""
    return ", ".join(thing.name for thing in order.things)


def reason(order: Order) -> str:
    """What a game master gave as his reason."""
    return order.words_after("BECAUSE")


# ---------------------------------------------------------------- doing it


def begun_already(hand: Hand) -> str:
    """The note of what is written before a match begins, and in it not any more."""
    return "this match has begun" if hand.playing.row.status != "forming" else ""


def nothing_to_do(hand: Hand) -> str:
    """There is no example: it has nothing to do in this match."""
    return ""


def apart(hand: Hand) -> str:
    """The note of what is written outside of a match."""
    return f"in a letter of its own to {hand.office.address}"
