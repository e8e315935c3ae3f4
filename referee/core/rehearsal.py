"""What a game may offer so that PREVIEW can tell chances: its orders played out alone, and what came of it in words.

Whoever rehearses hands the game a table with dice of its own and a position as one seat knows it, so neither the dice
of the match nor anything hidden can show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from referee.core.chance import Chance
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table

S = TypeVar("S")


class Fortune(msgspec.Struct, frozen=True):
    """Something that one rehearsal brought: what it is about ("Battle of Egypt") and what came of it ("you win").

    `said` is the sentence that tells the same: where every rehearsal has it, it is no matter of chance.
    """

    about: str
    what: str
    said: str = ""


class Odds(msgspec.Struct, frozen=True):
    """How likely a fortune is: `chance` of 1."""

    about: str
    what: str
    chance: Fraction


@runtime_checkable
class Imagines(Protocol):
    """What a game may offer besides: a position that may be the one of which a seat knows only a part, to play on from."""

    def imagined(self, state: Any, seat: Seat, chance: Chance) -> Any:
        """The position with what this seat does not know drawn from what it may be."""
        ...


def imagined(game: object, known: S, seat: Seat, chance: Chance) -> S:
    """A position that may be the one of which a seat knows this; the same where the game hides nothing."""
    found: S = game.imagined(known, seat, chance) if isinstance(game, Imagines) else known
    return found


@runtime_checkable
class Rehearses(Protocol):
    """What a game may offer besides: a sheet can be played out alone, time after time, with other dice."""

    def rehearse(self, table: Table[Any], seat: Seat, sheet: Sequence[Intent], /) -> Script[None]:
        """Play a seat's sheet as far as its own turn goes, in the open slot or in its next; nobody else orders anything.

        The state at the table is what the seat knows; what it does not know is drawn from what it may still be.
        """
        ...

    def fortunes(self, seat: Seat, before: Any, events: Sequence[Event], after: Any, /) -> Iterable[Fortune]:
        """What a rehearsal brought the seat by dice, in the order of play."""
        ...

    def holdings(self, state: Any, seat: Seat, /) -> Mapping[str, int]:
        """What the seat has in a position, in figures, by plural name."""
        ...

    def odds(self, state: Any, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent], /) -> tuple[Odds, ...]:
        """Chances that can be calculated; they stand in place of rehearsals about the same."""
        ...
