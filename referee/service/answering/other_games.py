"""Words of other games: a line that begins with one is told which game has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.order import Illegal, Invalid, Order
from referee.kit.wording import in_a_row
from referee.orders import Mistake, understand
from referee.service.commands.words import beginnings, every_word, words_at_first
from referee.service.sheets.visit import Visit

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


def of_another_game(visit: Visit, mistake: Mistake) -> Mistake:
    """A line with a verb that only other games have, told so; any other as it is.

    One that is an order there is none of the remarks before and after the orders of a letter, whatever it begins with.
    """
    if not isinstance(mistake.refusal, Invalid) or mistake.column or mistake.refusal.instead:
        return mistake
    source, here = mistake.source.upper().split(), visit.playing.game
    found = _with_it(source, {game.title: first_words(game) for game in visit.office.games.values() if game != here})
    if not found or _with_it(source, {here.title: first_words(here), "the desk": _words_of_the_desk()}):
        return mistake
    word, titles = found
    games = [game for game in visit.office.games.values() if game.title in titles]
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
