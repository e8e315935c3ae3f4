"""The words of the desk: what anyone, a player and a game master may write beside orders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.game import Game
from referee.core.vocabulary import Noun, Verb, Vocabulary
from referee.orders import Held
from referee.service.commands.anyone_words import BY_ANYBODY
from referee.service.commands.master_words import BY_ANYONE, BY_KEY_HOLDERS, FOR_GAME_MASTERS
from referee.service.commands.player_words import BETWEEN_PLAYERS, BY_PLAYERS, PRESS
from referee.service.records.documents import DOCUMENTS

FORMS = ("csv", "xlsx", "json")
"""What SEND can make of sheets and logs, as files; of reports JSON alone."""

FOR_ANYONE = BY_ANYBODY + BY_ANYONE
FOR_PLAYERS = BY_PLAYERS + PRESS + BETWEEN_PLAYERS + BY_KEY_HOLDERS

_GIVING_WAY = (("OFFER", "ACCEPT", "DECLINE"), ("VOTE", "PETITION", "SUSPEND"), ("PRESS",), ("BROADCAST",), ("DIARY",))
"""Words of the desk that stand back, as a family, in a game that has one of them for itself."""
_MAY_CLASH = frozenset({"WITHDRAW", "STRIKE", *(word for family in _GIVING_WAY for word in family)})


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
    for group, verbs in (("anyone", FOR_ANYONE), ("players", FOR_PLAYERS)):
        if any((known.word, known.meaning) == (verb.word, verb.meaning) for known in verbs):
            return group
    return "game masters"


def beginnings(*words: Vocabulary) -> frozenset[str]:
    """Everything that an order may begin with, as the vocabularies write it."""
    return frozenset(name for vocabulary in words for verb in vocabulary.verbs for name in (verb.word, *verb.aliases))


@cache
def every_word() -> Vocabulary:
    """All words of the desk, whoever may write them, for HELP."""
    known = {(verb.word, verb.meaning): verb for verb in (*FOR_ANYONE, *FOR_PLAYERS, *FOR_GAME_MASTERS)}
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
    return tuple(word.lower() for word in words if word in ("PRESS", "BROADCAST", "DIARY", "OFFER"))


def desk_words(
    games: Sequence[str],
    matches: Sequence[str],
    seats: Sequence[str],
    player: bool,
    game_master: bool,
    game: Vocabulary | None = None,
) -> Vocabulary:
    """The desk's vocabulary for one letter writer, without what a `game` has for itself; the same object for the same words."""
    own = _clashing(Held(game)) if game else frozenset()
    return _desk_words(tuple(games), tuple(matches), tuple(seats), player, game_master, own)


@lru_cache(maxsize=256)
def _clashing(game: Held[Vocabulary]) -> frozenset[str]:
    """Which words of the desk a game has for itself."""
    verbs = (verb for vocabulary in game.things for verb in vocabulary.verbs)
    return _MAY_CLASH.intersection(word for verb in verbs for word in (verb.word, *verb.aliases))


@lru_cache(maxsize=256)
def _desk_words(
    games: tuple[str, ...],
    matches: tuple[str, ...],
    seats: tuple[str, ...],
    player: bool,
    game_master: bool,
    own: frozenset[str],
) -> Vocabulary:
    nouns = [Noun(name, "game") for name in games] + [Noun(name, "match") for name in matches]
    nouns += [Noun(name, "seat") for name in seats] + [Noun(name, "document") for name in DOCUMENTS]
    nouns += [Noun(name, "form") for name in FORMS]
    return Vocabulary(_verbs(player, game_master, own), tuple(nouns))


@lru_cache(maxsize=64)
def _verbs(player: bool, game_master: bool, own: frozenset[str]) -> tuple[Verb, ...]:
    """The same objects for all matches of a game, so that they are made ready for reading once."""
    verbs = FOR_ANYONE + (FOR_PLAYERS if player else ())
    if game_master:
        verbs += () if player else PRESS
        taken = {verb.word for verb in FOR_GAME_MASTERS}
        verbs = tuple(verb for verb in verbs if verb.word not in taken) + FOR_GAME_MASTERS
    gone = {word for family in _GIVING_WAY if own & set(family) for word in family}
    return tuple(_without(verb, own) for verb in verbs if verb.word not in gone)
