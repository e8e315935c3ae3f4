"""A command: one word of the desk, with all that HELP tells of it, who may write it, and all that it does.

Each stands once in the tuple `COMMANDS` of a module of this room; `commands` is the table of all. A command may do something
in a match (`here`), outside of one (`door`), and for its game master before it begins (`before`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.game import AnyGame, Game
from referee.core.order import Noun, Order, Thing, Verb, Vocabulary
from referee.kit.rulebook import Tongues, tongues
from referee.orders import Held

if TYPE_CHECKING:
    from referee.service.base.office import At
    from referee.service.base.ports import MatchRow, Player
    from referee.service.intake.commands.caller import Caller
    from referee.service.match.result import Came, Told
    from referee.service.turn.writer import Hand

Here: TypeAlias = "Callable[[Hand, Order], Came | Told]"
"""The act of a word in a match by the hand of its writer: gives the outcome, or sentences that tell it; raises Denial."""

AtTheDoor: TypeAlias = "Callable[[Caller, Order], Came | Told]"
"""The same outside of one, or for a member of one that has not begun."""

Before: TypeAlias = "Callable[[At, MatchRow, Player, Order], Told]"
"""Its act for the game master of a match that has not begun."""


class By(Enum):
    """The writers of a command."""

    ANYONE = "anyone"
    PLAYERS = "players"
    WRITERS = "players and game masters"
    KEY_HOLDERS = "those who have a part in the second key"
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

    `proof`: at the door it is done only for a writer who has shown who he is; `long`: it brings pages, which no stranger is
    sent; `enters`: somebody who is in no match yet may ask for it. `grave`: it cannot be undone, or lets somebody in for good.
    `key` says whether it waits for a second key where its writer masters the match and plays in it.

    `public`: everybody is told its own words. `example` is one from the moment, "" where it has nothing to do, and `note` says
    why. `text` is an example of what may stand in the block that it begins. `instead` is what a player may write where this is
    a game master's word. `family`: those that stand back together in a game that has one of them for itself.
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
    takes: str = "",
    needs: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    ways: tuple[str, ...] = (),
) -> Verb:
    """The word of a command as HELP tells and the grammar reads it; see Verb for the parts.

    It `takes` what a line has: how many things of what kinds, then the kinds behind each preposition. "1..2 seat match; BY address"
    is one or two things, seats or matches, and addresses behind BY; without a number there may be any number of them.
    """
    first, *clauses = (part.split() for part in takes.split(";"))
    least, _, most = next((part for part in first if ".." in part), "..").partition("..")
    prepositions = {
        " ".join(part for part in clause if part.isupper()): tuple(part for part in clause if not part.isupper())
        for clause in clauses
    }
    kinds = tuple(part for part in first if ".." not in part)
    number = (int(least or 0), int(most) if most else None)
    return Verb(word, meaning, example, "", kinds, *number, prepositions, needs, aliases, ways=ways)


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
    """The reason that a game master gave."""
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


# ---------------------------------------------------------------- the table of all


_MODULES = (
    "inquiries",
    "membership",
    "personal",
    "sheet",
    "clock",
    "talk",
    "caller",
    "course",
    "seats_and_admission",
    "lessons",
)
"""Where commands stand, in the order in which HELP lists them. They are read when they are first asked for, not before: HELP is
one of them, and tells of all."""

FORMS = ("csv", "xlsx", "json")
"""The forms of sheets and logs that SEND makes, as files; of reports JSON alone."""


@cache
def commands() -> tuple[Command, ...]:
    """Every command there is."""
    modules = (import_module(f"referee.service.intake.commands.{name}") for name in _MODULES)
    return tuple(command for module in modules for command in module.COMMANDS)


@cache
def _by_word() -> dict[str, Command]:
    return {command.word: command for command in commands()}


def command(word: str) -> Command:
    """The command of this word; ROLL OUT, which players and game masters have, is that of game masters."""
    return _by_word()[word]


class Read(msgspec.Struct, frozen=True):
    """The facts on commands for the reading of a letter: the word and writers of each, which begin free text and
    which stand back together, and what SET and SEND know."""

    verbs: tuple[tuple[By, Verb], ...]
    texts: frozenset[str]
    families: tuple[frozenset[str], ...]
    settings: tuple[str, ...]
    documents: tuple[str, ...]


KEPT = ("_data", "words.json")
"""Where that is kept for a page, which has no commands."""


@cache
def reading_words() -> Read:
    """The facts on commands for reading; in a page it was kept when the page was made."""
    kept = files("referee").joinpath(*KEPT)
    return msgspec.json.decode(kept.read_bytes(), type=Read) if kept.is_file() else _read()


def _read() -> Read:
    from referee.service.house.documents import DOCUMENTS
    from referee.service.intake.commands.personal import SETTINGS

    every = commands()
    names = dict.fromkeys(command.family for command in every if command.family)
    families = tuple(frozenset(c.word for c in every if c.family == name) for name in names)
    texts = frozenset(command.word for command in every if command.text)
    return Read(tuple((c.by, c.verb) for c in every), texts, families, SETTINGS, tuple(DOCUMENTS))


@cache
def verbs_of(*who: By) -> tuple[Verb, ...]:
    """The words that these may write."""
    return tuple(verb for by, verb in reading_words().verbs if by in who)


def for_anyone() -> tuple[Verb, ...]:
    """The words that anyone may write."""
    return verbs_of(By.ANYONE)


def for_players() -> tuple[Verb, ...]:
    """The words that who holds a seat may write, too."""
    return verbs_of(By.PLAYERS, By.WRITERS, By.KEY_HOLDERS)


def for_game_masters() -> tuple[Verb, ...]:
    """The words that a game master may write, too."""
    return verbs_of(By.MASTERS, By.KEY_HOLDERS)


@cache
def masters_words() -> frozenset[str]:
    """The same, as they stand in a sentence."""
    return frozenset(verb.word for verb in for_game_masters())


@cache
def _may_clash() -> frozenset[str]:
    return frozenset({"WITHDRAW", "STRIKE"}).union(*reading_words().families)


_AT_FIRST: dict[str, Vocabulary] = {}
"""Those looked up before, by game: setting a match up takes a while, and its words are always the same."""


def words_at_first(game: Game[Any]) -> Vocabulary:
    """The words of a game as at the start of a match with its usual options."""
    if game.name not in _AT_FIRST:
        options = {setting.name: setting.default for setting in game.settings}
        seats = game.seat_players(((), ()), options, Keyed(b"help", 0))
        _AT_FIRST[game.name] = game.vocabulary(game.setup(seats, options))
    return _AT_FIRST[game.name]


def group_of(verb: Verb) -> str:
    """The group of a word in HELP, by its writers; ROLL OUT is one thing for players and another for game masters."""
    for group, verbs in (("anyone", for_anyone()), ("players", for_players())):
        if any((known.word, known.meaning) == (verb.word, verb.meaning) for known in verbs):
            return group
    return "game masters"


@cache
def every_word() -> Vocabulary:
    """All words of the desk, whoever may write them, for HELP."""
    known = {(verb.word, verb.meaning): verb for verb in (*for_anyone(), *for_players(), *for_game_masters())}
    return Vocabulary(tuple(known.values()), ())


def _without(verb: Verb, own: frozenset[str]) -> Verb:
    """A verb without the aliases that a game has for itself."""
    kept = tuple(alias for alias in verb.aliases if alias not in own)
    return verb if kept == verb.aliases else replace(verb, aliases=kept)


def block_kinds(desk: Vocabulary) -> tuple[str, ...]:
    """The kinds of free text that these words of the desk begin."""
    return _block_kinds(Held(desk))


@lru_cache(maxsize=256)
def _block_kinds(desk: Held[Vocabulary]) -> tuple[str, ...]:
    words = (verb.word for vocabulary in desk.things for verb in vocabulary.verbs)
    return tuple(word.lower() for word in words if word in reading_words().texts)


def desk_words(
    games: Mapping[str, AnyGame] | Sequence[str],
    matches: Sequence[str],
    seats: Sequence[str],
    player: bool,
    game_master: bool,
    game: Vocabulary | None = None,
) -> Vocabulary:
    """The desk's vocabulary for one letter writer, without what a `game` has for itself; the same object for the same words."""
    own = _clashing(Held(game)) if game else frozenset()
    return _desk_words(_called(games), tuple(matches), tuple(seats), player, game_master, own)


@lru_cache(maxsize=256)
def _clashing(game: Held[Vocabulary]) -> frozenset[str]:
    """The words of the desk that a game has for itself."""
    verbs = (verb for vocabulary in game.things for verb in vocabulary.verbs)
    return _may_clash().intersection(word for verb in verbs for word in (verb.word, *verb.aliases))


def _called(games: Mapping[str, AnyGame] | Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The names of games, each with its title where that can stand in an order: CREATE New World AS friday."""
    titles = (
        {name: game.title for name, game in games.items()} if isinstance(games, Mapping) else dict.fromkeys(games, "")
    )
    return tuple((name, title if title.replace(" ", "").isalpha() else "") for name, title in titles.items())


@lru_cache(maxsize=256)
def _desk_words(
    games: tuple[tuple[str, str], ...],
    matches: tuple[str, ...],
    seats: tuple[str, ...],
    player: bool,
    game_master: bool,
    own: frozenset[str],
) -> Vocabulary:
    spoken = _spoken()
    nouns = [Noun(name, "game", (title,) if title and title.casefold() != name else ()) for name, title in games]
    nouns += [Noun(name, "match") for name in matches]
    nouns += [Noun(name, "seat") for name in seats]
    nouns += spoken.nouns(Noun(name, "document") for name in reading_words().documents)
    nouns += [Noun(name, "form") for name in FORMS]
    return Vocabulary(_verbs(player, game_master, own), tuple(nouns))


@cache
def _spoken() -> Tongues:
    """The names of the common words in other languages."""
    return tongues("referee.service.intake.commands/tongues.toml")


@lru_cache(maxsize=64)
def _verbs(player: bool, game_master: bool, own: frozenset[str]) -> tuple[Verb, ...]:
    """The same objects for all matches of a game, so that they are made ready for reading once."""
    verbs = for_anyone() + (for_players() if player else ())
    if game_master:
        verbs += () if player else verbs_of(By.WRITERS)
        verbs = tuple(verb for verb in verbs if verb.word not in masters_words()) + for_game_masters()
    gone = {word for family in reading_words().families if own & family for word in family}
    return _spoken().verbs(_without(verb, own) for verb in verbs if verb.word not in gone)
