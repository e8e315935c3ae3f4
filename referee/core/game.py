"""The protocol every game fulfils, one value per rulebook edition; and what it may offer so that PREVIEW can tell chances."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from referee.core.chance import Chance
from referee.core.choices import Asking, Pick
from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.order import Condition, Doubt, Illegal, Intent, Order, Setting, Vocabulary
from referee.core.page import Block, Drawing, Page, Sheet, Tally
from referee.core.table import Script, Table

S = TypeVar("S")

Options = Mapping[str, str]
"""The settings of a match, every one of the game's settings named."""


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule or ruling. `mark` is TEXT (the rulebook says so) or HOUSE (our ruling of a gap).

    `stands_for` are rules of another edition, or the beginnings of their ids, that what both editions share cites.
    """

    id: str
    text: str
    citation: str
    mark: str
    stands_for: tuple[str, ...] = ()


class Guide(msgspec.Struct, frozen=True):
    """The guide for a newcomer, beside the aim: when a match ends and how long it lasts, how a turn goes, what begins well, and the
    words that letters use. `ends` names settings in braces; `bots` says how its bots play, by their strength."""

    ends: str = ""
    lasts: str = ""
    turn: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    words: dict[str, str] = {}
    bots: dict[str, str] = {}


class Revision(msgspec.Struct, frozen=True):
    """A state of a game's rules as players meet them: since which version of the referee, and what changed for them."""

    number: int
    since: str
    date: str
    changed: tuple[str, ...]


class Phase(Generic[S]):
    """A stretch of play: its key ("T7/France"), its turn number, its title, and the script that plays it.

    A report goes out when a phase with `reports` set ends; `turn` numbers those reports from 1 (0: set-up).
    """

    def __init__(
        self, key: str, turn: int, title: str, script: Callable[[Table[S]], Script[None]], reports: bool = True
    ) -> None:
        self.key = key
        self.turn = turn
        self.title = title
        self.script = script
        self.reports = reports


class Game(Protocol[S]):
    """The rules of one rulebook edition. Every method is deterministic and has no effect but the table's."""

    @property
    def name(self) -> str:
        """One lower-case word, as in CREATE name."""
        ...

    @property
    def title(self) -> str: ...

    @property
    def about(self) -> str:
        """Its character, in two or three sentences for people who have never heard of it: taste, length, for whom it is."""
        ...

    @property
    def aim(self) -> str:
        """How it is won, in a sentence or two."""
        ...

    @property
    def guide(self) -> Guide:
        """How it is played, for newcomers; true with all options."""
        ...

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The options of a match."""
        ...

    @property
    def events(self) -> tuple[type[Event], ...]:
        """Every event class the game itself can emit, the core's excluded."""
        ...

    @property
    def one_report(self) -> bool:
        """Whether readers who were told the same read the same: `report` and `sheets` make nothing of their reader."""
        ...

    @property
    def intents(self) -> tuple[type[Intent], ...]:
        """Every intent class that `bind` can return."""
        ...

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every numbered rule and ruling."""
        ...

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """The states of its rules since the first that was kept, the one in force last."""
        ...

    @property
    def version(self) -> str:
        """The version of the referee that plays it."""
        ...

    @property
    def build(self) -> str:
        """The fingerprint of the rules in force: where it is equal, a phase played again gives the same events."""
        ...

    def refuse_options(self, options: Options, players: int, /) -> str | None:
        """One sentence that says why a match with these options and so many players cannot be, or None."""
        ...

    def seat_names(self, options: Options, /) -> tuple[str, ...]:
        """The seats that applicants may wish for, as many as there can be players."""
        ...

    def seat_players(self, wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance, /) -> tuple[Seat, ...]:
        """The seat of each applicant, given what each wished for, best first."""
        ...

    def setup(self, sides: tuple[Seat, ...], options: Options, /) -> S:
        """The position before the first phase. Chance belongs into the set-up phase, not here."""
        ...

    def next_phase(self, state: S, /) -> Phase[S] | None:
        """The phase to play now; None when the game is over."""
        ...

    def evolve(self, state: S, event: Event) -> S:
        """The state after an event. Total and silent: takes redacted events too, never refuses."""
        ...

    def vocabulary(self, state: S, /) -> Vocabulary:
        """The words that can be used now. Equal states may return the same object."""
        ...

    def examples(self, state: S, seat: Seat, /) -> Mapping[str, str]:
        """Lines from this seat's own position by the word they are of, for HELP; others keep the vocabulary's example."""
        ...

    def bind(self, state: S, seat: Seat, order: Order, /) -> Intent | Illegal:
        """The meaning of an order for this seat now, or why it is not allowed."""
        ...

    def bind_later(self, state: S, seat: Seat, order: Order) -> Intent | Illegal:
        """The meaning of an order in an IF or FOR TURN, whose position nobody knows yet: judged by its form alone."""
        ...

    def is_aside(self, intent: Intent) -> bool:
        """Whether the intent acts at once at any time (offers, treaties, petitions) instead of waiting for the turn."""
        ...

    def doubts(self, state: S, seat: Seat, sheet: Sequence[Intent], /) -> tuple[Doubt, ...]:
        """Lines of this sheet that are lawful but will probably disappoint."""
        ...

    def declared(self) -> tuple[str, ...]:
        """Every verb of the game, those of optional rules too."""
        ...

    def aside_verbs(self) -> tuple[str, ...]:
        """The verbs that act at once instead of waiting for a turn."""
        ...

    def standing_verbs(self) -> tuple[str, ...]:
        """The verbs that answer questions of a turn, may stand in any sheet and are asked for in none."""
        ...

    def asking(self, state: S, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Intent]:
        """The script that asks for an order of a verb, to come after those of the sheet; Nothing where it cannot be given now."""
        ...

    def line(self, state: S, intent: Intent, seat: Seat | None = None, sheet: Sequence[Intent] = ()) -> str:
        """An order as a player writes it; with his seat and sheet, one that comes after that sheet and may name what it brings."""
        ...

    def nearest(self, state: S, seat: Seat, order: Order, sheet: Sequence[Intent] = ()) -> tuple[str, ...]:
        """Lawful lines most like an order that was refused."""
        ...

    def holds(self, state: S, seat: Seat, condition: Condition, /) -> bool:
        """Whether a condition of an IF block is true now."""
        ...

    def aside(self, table: Table[S], seat: Seat, intent: Intent) -> None:
        """Do an intent that is allowed at any time."""
        ...

    def order_form(self, state: S, seat: Seat, /) -> tuple[str, ...]:
        """The next order sheet, half filled in; comment lines begin with '#'."""
        ...

    def report(self, before: S, events: Sequence[Event], after: S, reader: Reader, /) -> Page:
        """The report of a phase. It is handed only events that the reader was told, so it cannot leak."""
        ...

    def sheets(self, history: Sequence[Event], state: S, reader: Reader, /) -> tuple[Sheet, ...]:
        """All record sheets that the reader may see, from all events he was told and the state they fold to.

        The events are read only where a game looks at them.
        """
        ...

    def logs(self, history: Sequence[Event], reader: Reader, /) -> tuple[Sheet, ...]:
        """Sheets that grow with the match, such as every event and every die; made only when somebody asks."""
        ...

    def chart(self, state: S, reader: Reader, happened: Sequence[Event] = (), /) -> Drawing | None:
        """The map or chart, where the game has one, with what the reader was told of the phase that led to it."""
        ...

    def score(self, state: S, /) -> Tally:
        """The places of the seats."""
        ...

    def living(self, state: S, /) -> tuple[Seat, ...]:
        """Seats still in play, in order of play."""
        ...

    def audit(self, before: S, events: Sequence[Event], after: S, /) -> tuple[str, ...]:
        """One sentence for each ledger that does not balance: had + produced - used = now. Empty when all do."""
        ...


@runtime_checkable
class Foretells(Protocol):
    """Optional: PREVIEW shows where orders would lead."""

    def preview(self, state: Any, seat: Seat, sheet: Sequence[Intent]) -> tuple[str, ...]:
        """The position after a sheet as far as it can be known, one sentence a line."""
        ...


@runtime_checkable
class Charges(Protocol):
    """Optional: by the rules a thing costs everybody the same, always; events say how much."""

    def charged(self, events: Iterable[Event]) -> tuple[str, ...]:
        """One sentence for each thing that had more than one price in all that the same rules played."""
        ...


@runtime_checkable
class JudgesInTime(Protocol):
    """Optional: the game judges each IF when the order under it is carried out, so it is handed both."""

    judges_in_time: bool


@runtime_checkable
class Suspends(Protocol):
    """Optional: the players can vote the clock to stand still."""

    def suspends(self, event: Event) -> int:
        """For how many hours from now an event suspends all deadlines; 0 for any other event."""
        ...


@runtime_checkable
class Coloured(Protocol):
    """Optional: each seat has a colour of its own, the same on maps, in letters and in charts."""

    @property
    def colours(self) -> Mapping[str, str]:
        """The colour of every seat there can be as #RRGGBB, in the order of the seats."""
        ...


@runtime_checkable
class Completes(Protocol):
    """Optional: an option may stand for something that has to be kept with the match."""

    def complete(self, options: Options) -> dict[str, str] | str:
        """The options of a new match with all they stand for, such as the text of a drawn board; or why it cannot be.

        Additions go by names that no setting has; with the options they stand in the first entry of the log.
        """
        ...


@runtime_checkable
class Announces(Protocol):
    """Optional: some events in the middle of a turn are told to everybody by letter at once."""

    def at_once(self, event: Event) -> str:
        """The sentences that tell everybody at once of an event that all may know; empty for any other event."""
        ...


@runtime_checkable
class Recounts(Protocol):
    """Optional: the turn so far in fewer lines than one an event."""

    def recount(self, events: Sequence[Event], state: Any, /) -> tuple[str, ...]:
        """The events of the phase under way that a reader was told, which led to this position, a line each or together."""
        ...


@runtime_checkable
class Phrases(Protocol):
    """Optional: an order in words that say more than the order itself knows, such as kinds of units."""

    def phrase(self, state: Any, intent: Intent) -> str:
        """One sentence, as `Intent.meaning`, for the position in which the order was written."""
        ...


@runtime_checkable
class KeepsTime(Protocol):
    """Optional: the rulebook says how long a slot lasts and what becomes of one that is over."""

    def clock(self, options: Options) -> Mapping[str, float | str]:
        """Clock settings of a new match that go before the house's: `slot_hours`, and `late` "auto" or "on call"."""
        ...


@runtime_checkable
class CountsLateness(Protocol):
    """Optional: the rules tell everybody who was late, so that no match of it can hide that."""

    def lateness_rule(self) -> str:
        """The rule by which they do."""
        ...


@runtime_checkable
class Tabulates(Protocol):
    """Optional: tables that belong to the rules, such as recipes and house rules to choose from."""

    def rule_tables(self, state: Any) -> tuple[Block, ...]:
        """The tables of RULES after the numbered rules; `state` None where it is asked for outside a match."""
        ...


@runtime_checkable
class BindsAlike(Protocol):
    """Optional: the game says when an order that was bound before need not be bound again."""

    def bound_by(self, state: Any, seat: Seat) -> Hashable:
        """All that `bind` and `bind_later` look at besides the order: where it is equal, so is what they answer."""
        ...


class Reasoned(msgspec.Struct, frozen=True):
    """An order, and why a steady player gives it: one sentence."""

    order: Intent
    why: str


@runtime_checkable
class PlaysSteadily(Protocol):
    """Optional: a player who knows the rules and looks a turn ahead, of whom nobody need be ashamed."""

    def steady(self, seen: Any, seat: Seat, /) -> tuple[Reasoned, ...]:
        """The sheet that this seat is asked for next, of what it sees of the position: each order can follow those before it."""
        ...


class Rigour(msgspec.Struct, frozen=True):
    """How much a player who tries his sheet ahead looks at before he is sure."""

    rollouts: int = 100
    """So many for a sheet, until no more challengers begin."""
    heats: tuple[int, ...] = (2, 6, 18)
    """After so many rollouts a challenger that does not lead is given up; after the last it is the best."""
    sure: int = 2
    """By so many standard errors it must lead in the last heat, by a quarter of that before: of sixty some lead by luck."""
    ahead: int | None = 3
    """So many further sheets of the seat are played before the position is judged: nearer by, what stands there tells little.
    A match that ends before is judged by its score. None: each is played to its end, and its prospects then judge it."""
    sheets: int = 10_000
    """So many sheets of the seat in all rollouts together, until no more challengers begin."""
    silent: bool = False
    """Nobody else orders anything in a rollout: that is cheap, and good enough where seats hardly meet."""
    stale: int = 60
    """So many challengers in a row that were there before, and he looks no further."""
    plans: int = 0
    """So many challengers of a hundred are plans: other habits, not for this sheet alone but for all that follow it in a trial."""


@runtime_checkable
class PlaysStrongly(PlaysSteadily, Protocol):
    """Optional: sheets beside the steady one, and the worth of a position, for a player who tries them ahead."""

    rigours: Mapping[str, Rigour]
    """The strengths above a steady player's that the game has, each with how much it looks at."""

    def prospects(self, state: Any, /) -> Mapping[Seat, int]:
        """The points that each seat will probably have at the end of the match, in hundredths of a point."""
        ...

    def challenger(self, seen: Any, seat: Seat, best: tuple[Intent, ...], pick: Pick, /) -> tuple[Intent, ...]:
        """Another sheet for the open question: a steady one of other habits, or the best so far with a whim in it."""
        ...


@runtime_checkable
class PlaysByPlan(PlaysStrongly, Protocol):
    """Optional: a steady player of other habits, for who tries them for a whole match."""

    habits: Any
    """Those of the steady player."""

    other_habits: Mapping[str, Sequence[Any]]
    """The other values of each habit."""

    def steady(self, seen: Any, seat: Seat, habits: Any = ..., /) -> tuple[Reasoned, ...]:
        """The sheet of a steady player with these habits."""
        ...


AnyGame = Game[Any]


def colours_of(game: AnyGame) -> Mapping[str, str]:
    """The colour of every seat of a game; none where it gives none."""
    return game.colours if isinstance(game, Coloured) else {}


# ---------------------------------------------------------------- rehearsal
# The aid by which PREVIEW tells chances: a game plays its orders out alone, and tells the result in words.
#
# The caller hands the game a table with dice of its own and a position as one seat knows it, so neither the dice of the match nor
# anything hidden can show.


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
    """Optional: a position that may be the one of which a seat knows only a part, to play on from."""

    def imagined(self, state: Any, seat: Seat, chance: Chance) -> Any:
        """The position with what this seat does not know drawn from what it may be."""
        ...


def imagined(game: object, known: S, seat: Seat, chance: Chance) -> S:
    """A position that may be the one of which a seat knows this; the same where the game hides nothing."""
    found: S = game.imagined(known, seat, chance) if isinstance(game, Imagines) else known
    return found


@runtime_checkable
class Rehearses(Protocol):
    """Optional: a sheet can be played out alone, time after time, with other dice."""

    def rehearse(self, table: Table[Any], seat: Seat, sheet: Sequence[Intent], /) -> Script[None]:
        """Play a seat's sheet as far as its own turn goes, in the open slot or in its next; nobody else orders anything.

        The state at the table is what the seat knows; what it does not know is drawn from what it may still be.
        """
        ...

    def fortunes(self, seat: Seat, before: Any, events: Sequence[Event], after: Any, /) -> Iterable[Fortune]:
        """The outcomes that dice gave the seat in a rehearsal, in the order of play."""
        ...

    def holdings(self, state: Any, seat: Seat, /) -> Mapping[str, int]:
        """The seat's holdings in a position, in figures, by plural name."""
        ...

    def odds(self, state: Any, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent], /) -> tuple[Odds, ...]:
        """Chances that can be calculated; they stand in place of rehearsals about the same."""
        ...
