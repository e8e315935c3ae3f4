"""What stands in the place of a game that cannot be loaded: its matches stand still, and those of the others go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from referee.core.event import Event
from referee.core.game import AnyGame, Options
from referee.core.names import Reader, Seat
from referee.core.page import Sheet, Tally
from referee.core.vocabulary import Vocabulary
from referee.kit.declared import Book
from referee.kit.game import BaseGame


class NotLoaded(Exception):
    """What was asked needs the rules, which are not there."""


class Missing(BaseGame[Any]):
    """No rules, no events, no orders. What only tells is empty; what would play raises."""

    book = Book[Any]((), {})
    build = "missing"
    why: ClassVar[str]

    def refuse_options(self, options: Options, players: int) -> str:
        return f"{self.why}."

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return ()

    def setup(self, sides: tuple[Seat, ...], options: Options) -> None:
        return None

    def next_phase(self, state: Any) -> Any:
        raise NotLoaded(self.why)

    def evolve(self, state: Any, event: Event) -> Any:
        raise NotLoaded(self.why)

    def living(self, state: Any) -> tuple[Seat, ...]:
        return ()

    def score(self, state: Any) -> Tally:
        raise NotLoaded(self.why)

    def vocabulary(self, state: Any) -> Vocabulary:
        return Vocabulary((), ())

    def sheets(self, history: Sequence[Event], state: Any, reader: Reader) -> tuple[Sheet, ...]:
        return ()


def missing(name: str, problem: Exception) -> AnyGame:
    """The stand-in for the game of this name, which could not be loaded for this reason."""
    why = (
        f"{name} cannot be loaded ({type(problem).__name__}: {problem}), so it is not played now; "
        "it is as soon as a mended version of the referee runs"
    )
    made: AnyGame = type("Missing", (Missing,), {"name": name, "title": name, "about": f"{why}.", "why": why})()
    return made


def why_missing(game: AnyGame) -> str:
    """Why a game cannot be played at all, without a full stop; "" as a rule."""
    return game.why if isinstance(game, Missing) else ""
