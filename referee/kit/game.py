"""A game from its table of orders: what most games say alike is said here; and what stands for one that is not found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module, metadata
from pkgutil import walk_packages
from typing import Any, ClassVar, Generic, TypeVar

from referee.core.chance import Chance
from referee.core.choices import Asking
from referee.core.event import Event
from referee.core.game import AnyGame, Guide, Odds, Options, Phase, Revision, Rule
from referee.core.names import Reader, Seat
from referee.core.order import Condition, Doubt, Illegal, Intent, Noun, Order, Predicate, Setting, Verb, Vocabulary
from referee.core.page import Bullets, Drawing, Page, Sheet, Tally
from referee.core.table import Table
from referee.kit.conditions import satisfied
from referee.kit.declared import AT_ONCE, Ahead, Book, Declared
from referee.kit.rulebook import fingerprint
from referee.kit.seats_and_ranks import first_come

S = TypeVar("S")
T = TypeVar("T")


class Change(Event, frozen=True):
    """An event that knows how it changes the position."""

    def change(self, state: Any) -> Any:
        """The position after it; the same by default. Total: a redacted event changes what it tells of."""
        return state


def evolve(state: S, event: Event) -> S:
    """The position after an event; those of the core change nothing."""
    changed: S = event.change(state) if isinstance(event, Change) else state
    return changed


def events_in(room: str) -> tuple[type[Event], ...]:
    """Every event class that a file defines, or the files of a folder; a class that names no rule is what others share."""
    folder = getattr(import_module(room), "__path__", None)
    names = [module.name for module in walk_packages(folder, f"{room}.")] if folder else [room]
    found = (vars(import_module(name)) for name in names)
    return tuple(
        kind
        for names in found
        for kind in names.values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == names["__name__"]
        if kind.rule or "by_rule" in kind.__struct_fields__ or kind.cites is not Event.cites
    )


class BaseGame(ABC, Generic[S]):
    """A game must say its name, title, rules, events and book, and all that is abstract here; `true` where it has tests of IF."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: str = ""
    aim: str = ""
    guide: Guide = Guide()
    book: ClassVar[Book[Any]]
    rules: tuple[Rule, ...] = ()
    events: tuple[type[Event], ...] = ()
    one_report: bool = False
    revisions: tuple[Revision, ...] = ()
    version: str = metadata.version("referee")

    @property
    def build(self) -> str:
        """Over its own sources, those of the games it is made from, and what all games stand on."""
        return fingerprint(*self.made_of)

    @cached_property
    def made_of(self) -> tuple[str, ...]:
        """The packages in which its rules stand."""
        own = (kind.__module__.rpartition(".")[0] for kind in type(self).__mro__ if issubclass(kind, BaseGame))
        return tuple(dict.fromkeys((*own, "referee.core")))

    @property
    def settings(self) -> tuple[Setting, ...]:
        return ()

    @property
    def intents(self) -> tuple[type[Intent], ...]:
        return self.book.intents

    # -------------------------------------------------------- the match

    def refuse_options(self, options: Options, players: int, /) -> str | None:
        names = self.seat_names(options)
        return None if 2 <= players <= len(names) else f"{self.title} is for 2 to {len(names)} players, not {players}."

    @abstractmethod
    def seat_names(self, options: Options, /) -> tuple[str, ...]: ...

    def seat_players(self, wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance, /) -> tuple[Seat, ...]:
        return first_come(self.seat_names(options), wishes)

    @abstractmethod
    def setup(self, sides: tuple[Seat, ...], options: Options, /) -> S: ...

    @abstractmethod
    def next_phase(self, state: S, /) -> Phase[S] | None: ...

    def evolve(self, state: S, event: Event, /) -> S:
        return evolve(state, event)

    @abstractmethod
    def living(self, state: S, /) -> tuple[Seat, ...]: ...

    @abstractmethod
    def score(self, state: S, /) -> Tally: ...

    def audit(self, before: S, events: Sequence[Event], after: S, /) -> tuple[str, ...]:
        return ()

    # -------------------------------------------------------- words and orders

    def vocabulary(self, state: S, /) -> Vocabulary:
        return Vocabulary(self.book.verbs(other=self.living(state)[-1]), self.nouns(state), self.predicates(state))

    def nouns(self, state: S) -> tuple[Noun, ...]:
        """The names players may write: at least the seats."""
        return tuple(Noun(seat, "side") for seat in self.living(state))

    def predicates(self, state: S) -> tuple[Verb, ...]:
        """The tests of IF; `true` answers them."""
        return ()

    def true(self, state: S, seat: Seat, test: Predicate) -> bool:
        """Whether a single test of the position holds for a seat."""
        raise NotImplementedError

    def holds(self, state: S, seat: Seat, condition: Condition, /) -> bool:
        return satisfied(condition, lambda test: self.true(state, seat, test))

    def bind(self, state: S, seat: Seat, order: Order, /) -> Intent | Illegal:
        return self.book.bind(state, seat, order)

    def bind_later(self, state: S, seat: Seat, order: Order, /) -> Intent | Illegal:
        return self.bind(state, seat, order)

    def is_aside(self, intent: Intent) -> bool:
        return isinstance(intent, Declared) and intent.phase == AT_ONCE

    def aside(self, table: Table[S], seat: Seat, intent: Intent) -> None:
        if isinstance(intent, Declared):
            intent.do_at_once(table, seat)

    def doubts(self, state: S, seat: Seat, sheet: Sequence[Intent], /) -> tuple[Doubt, ...]:
        return ()

    # -------------------------------------------------------- what may be ordered now

    def declared(self) -> tuple[str, ...]:
        return tuple(self.book.orders)

    def ahead(self, state: S, seat: Seat, sheet: Sequence[Intent] = (), /) -> Ahead[S]:
        """The position in which an order of a verb is carried out after this sheet: by default the present one."""
        return lambda _: state

    def aside_verbs(self) -> tuple[str, ...]:
        return self.book.verbs_of(AT_ONCE)

    def standing_verbs(self) -> tuple[str, ...]:
        return ()

    def as_if_at(self, state: S, piece: str, place: str, /) -> S | None:
        """The position if a piece of a player's stood at a place and he had no other; None where that cannot be said."""
        return None

    def asking(self, state: S, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Declared[S]]:
        return self.book.asking(self.ahead(state, seat, sheet), seat, verb)

    def line(self, state: S, intent: Intent, seat: Seat | None = None, sheet: Sequence[Intent] = ()) -> str:
        return self.book.line(self.ahead(state, seat, sheet)(self.book.verb_of(intent)) if seat else state, intent)

    def nearest(self, state: S, seat: Seat, order: Order, sheet: Sequence[Intent] = ()) -> tuple[str, ...]:
        return self.book.nearest(self.ahead(state, seat, sheet), seat, order)

    def examples(self, state: S, seat: Seat, /) -> Mapping[str, str]:
        return self.book.examples(self.ahead(state, seat), seat)

    def order_form(self, state: S, seat: Seat, /) -> tuple[str, ...]:
        verbs = (verb for verb in self.book.orders if verb not in self.aside_verbs())
        return tuple(self.book.form(self.ahead(state, seat), seat, verbs))

    def holdings(self, state: S, seat: Seat, /) -> Mapping[str, int]:
        return {}

    def odds(self, state: S, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent], /) -> tuple[Odds, ...]:
        return ()

    # -------------------------------------------------------- what readers get

    def report(self, before: S, events: Sequence[Event], after: S, reader: Reader, /) -> Page:
        told = tuple(filter(None, (event.sentence() for event in events)))
        phase = self.next_phase(before)
        return Page(phase.title if phase else self.title, told[-1] if told else "Nothing happened.", (Bullets(told),))

    @abstractmethod
    def sheets(self, history: Sequence[Event], state: S, reader: Reader, /) -> tuple[Sheet, ...]: ...

    def logs(self, history: Sequence[Event], reader: Reader, /) -> tuple[Sheet, ...]:
        return ()

    def chart(self, state: S, reader: Reader, happened: Sequence[Event] = (), /) -> Drawing | None:
        return None


# ---------------------------------------------------------------- missing
# The stand-in for a game that cannot be loaded: its matches stand still, and those of the others go on.


class NotLoaded(Exception):
    """A request that needs the rules, which are not there."""


class Missing(BaseGame[Any]):
    """No rules, no events, no orders. Methods that only tell give nothing; those that would play raise."""

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
