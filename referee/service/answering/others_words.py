"""Words of others: of another game, of game masters, and of who holds a seat. They are understood, and told whose they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.order import Illegal, Invalid, Order
from referee.core.vocabulary import beginnings
from referee.kit.wording import in_a_row
from referee.orders import Mistake, Reading, understand
from referee.service.commands.words import (
    command,
    every_word,
    for_anyone,
    for_players,
    masters_words,
    words_at_first,
)
from referee.service.match.result import NOTHING, Came, denied
from referee.service.overrides.hand import Hand

_MOST_WORDS = 6
"""So many words a verb has at the most, as PUT TO SEA has three."""


_FIRST: dict[str, frozenset[str]] = {}
"""What was looked up before, by game."""


def first_words(game: Game[Any]) -> frozenset[str]:
    """The words with which the orders of a game begin, as at the start of a match with its usual options."""
    if game.name not in _FIRST:
        _FIRST[game.name] = beginnings(words_at_first(game))
    return _FIRST[game.name]


@cache
def _words_of_the_desk() -> frozenset[str]:
    return beginnings(every_word())


@cache
def _of_everybody() -> frozenset[str]:
    return frozenset(verb.word for verb in (*for_anyone(), *for_players()))


def of_others(hand: Hand, mistake: Mistake) -> Mistake:
    """A line with a verb that its writer has not but somebody else, told so; any other as it is."""
    if not isinstance(mistake.refusal, Invalid) or mistake.column:
        return mistake
    return _of_game_masters(hand, mistake) or _of_another_game(hand, mistake)


def _of_game_masters(hand: Hand, mistake: Mistake) -> Mistake | None:
    """What a player is told who writes a word of his game master, and what he may write instead."""
    found = _with_it(mistake.source.upper().split(), {"": masters_words() - _of_everybody()})
    if found is None or hand.game_master or _with_it([found[0]], {"": first_words(hand.playing.game)}):
        return None
    word = found[0]
    instead = (
        hand.seat and command(word).instead
    ) or "PRESS TO game master, and what you wish in the lines below, asks yours"
    said = Illegal(f"{word} is a word of game masters; {instead}.", mistake.refusal.rule, mistake.refusal.at)
    return msgspec.structs.replace(mistake, refusal=said)


def _of_another_game(hand: Hand, mistake: Mistake) -> Mistake:
    """A line with a verb that only other games have.

    One that is an order there is none of the remarks before and after the orders of a letter, whatever it begins with.
    """
    if not isinstance(mistake.refusal, Invalid) or mistake.refusal.instead:
        return mistake
    source, here = mistake.source.upper().split(), hand.playing.game
    found = _with_it(source, {game.title: first_words(game) for game in hand.office.games.values() if game != here})
    if not found or _with_it(source, {here.title: first_words(here), "the desk": _words_of_the_desk()}):
        return mistake
    word, titles = found
    games = [game for game in hand.office.games.values() if game.title in titles]
    own = next(verb.word for verb in words_at_first(games[0]).verbs if word in (verb.word, *verb.aliases))
    said = f"{own} is an order of {in_a_row(titles)}; {here.title} has none of that name."
    meant = any(isinstance(understand(mistake.source, words_at_first(game)), Order) for game in games)
    refusal = mistake.refusal
    told = Illegal(said, refusal.rule, refusal.at) if meant else msgspec.structs.replace(refusal, sentence=said)
    return msgspec.structs.replace(mistake, refusal=told)


def _with_it(source: Sequence[str], games: Mapping[str, frozenset[str]]) -> tuple[str, list[str]] | None:
    """The longest first word of a line, and the games that have it."""
    for number in range(min(len(source), _MOST_WORDS), 0, -1):
        word = " ".join(source[:number])
        titles = [title for title, words in games.items() if word in words]
        if titles:
            return word, titles
    return None


def for_onlookers(hand: Hand, reading: Reading) -> tuple[Reading, Came]:
    """What a letter says without its orders, each refused for the right reason; who holds a seat keeps them all."""
    if hand.seat:
        return reading, NOTHING
    blocks = (reading.standing, reading.late, reading.preview, reading.turns or None)
    blocked = any(block is not None for block in blocks)
    came = denied("", f"Blocks of orders are for who holds a seat. {_instead(hand)}") if blocked else NOTHING
    verbs = hand.playing.game.vocabulary(hand.playing.outcome.state).verbs
    words = tuple(f"{word} " for verb in verbs for word in (verb.word, *verb.aliases))
    mistakes = tuple(_for_players(hand, mistake, words) for mistake in reading.mistakes)
    desk, ignored = reading.desk, reading.ignored
    return Reading(desk=desk, mistakes=mistakes, ignored=ignored, adds=reading.adds, yes=reading.yes), came


def _for_players(hand: Hand, mistake: Mistake, words: tuple[str, ...]) -> Mistake:
    source = f"{' '.join(mistake.source.upper().split())} "
    if mistake.column or not source.startswith(words):
        return mistake
    word = max((word for word in words if source.startswith(word)), key=len).strip()
    refusal = Illegal(f"{word} is an order of the game, for who holds a seat. {_instead(hand)}", "", word)
    return msgspec.structs.replace(mistake, refusal=refusal)


def _instead(hand: Hand) -> str:
    if hand.game_master:
        return "BECOME and a seat writes for its player; PREVIEW TURN shows what the turn would give."
    return "TAKEOVER gives you a seat that is free."
