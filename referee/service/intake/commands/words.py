"""The words of the desk: the table of all commands, and which of them somebody may write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.game import AnyGame, Game
from referee.core.order import Noun, Verb, Vocabulary
from referee.kit.rulebook import Tongues, tongues
from referee.orders import Held
from referee.service.intake.commands.command import By, Command

_MODULES = ("asking", "joining", "oneself", "sheet", "clock", "talk", "caller", "course", "house")
"""Where commands stand, in the order in which HELP lists them. They are read when they are first asked for, not before: HELP is
one of them, and tells of all."""

FORMS = ("csv", "xlsx", "json")
"""What SEND can make of sheets and logs, as files; of reports JSON alone."""


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
    """What reading a letter needs to know of the commands: the word of each and who may write it, which begin free text and
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
    """What reading needs to know of the commands; in a page it was kept when the page was made."""
    kept = files("referee").joinpath(*KEPT)
    return msgspec.json.decode(kept.read_bytes(), type=Read) if kept.is_file() else _read()


def _read() -> Read:
    from referee.service.house.documents import DOCUMENTS
    from referee.service.intake.commands.oneself import SETTINGS

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
"""What was looked up before, by game: setting a match up takes a while, and its words are always the same."""


def words_at_first(game: Game[Any]) -> Vocabulary:
    """The words of a game as at the start of a match with its usual options."""
    if game.name not in _AT_FIRST:
        options = {setting.name: setting.default for setting in game.settings}
        seats = game.seat_players(((), ()), options, Keyed(b"help", 0))
        _AT_FIRST[game.name] = game.vocabulary(game.setup(seats, options))
    return _AT_FIRST[game.name]


def group_of(verb: Verb) -> str:
    """For whom a word is, as HELP groups it; ROLL OUT is one thing for players and another for game masters."""
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
    """Which words of the desk a game has for itself."""
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
    """What the common words are called in other languages."""
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
