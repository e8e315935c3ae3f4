"""Words of other games: a line that begins with one is told which game has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.order import Illegal, Invalid, Order
from referee.kit.wording import in_a_row
from referee.orders import Mistake, understand
from referee.service.visit import Visit
from referee.service.words import every_word, words_at_first

__all__ = ["first_words", "of_another_game"]


def first_words(game: Game[Any]) -> frozenset[str]:
    """The words with which the orders of a game begin, as at the start of a match with its usual options."""
    return frozenset(word for verb in words_at_first(game).verbs for word in (verb.word, *verb.aliases))


def of_another_game(visit: Visit, mistake: Mistake) -> Mistake:
    """A line with a verb that only other games have, told so; any other as it is.

    One that is an order there is none of the remarks before and after the orders of a letter, whatever it begins with.
    """
    if not isinstance(mistake.refusal, Invalid) or mistake.column or mistake.refusal.instead:
        return mistake
    source, here = f"{' '.join(mistake.source.upper().split())} ", visit.playing.game
    found = _with_it(source, {game.title: first_words(game) for game in visit.office.games.values() if game != here})
    desk = frozenset(word for verb in every_word().verbs for word in (verb.word, *verb.aliases))
    if not found or _with_it(source, {here.title: first_words(here) | desk}):
        return mistake
    word, titles = found
    games = [game for game in visit.office.games.values() if game.title in titles]
    own = next(verb.word for verb in words_at_first(games[0]).verbs if word in (verb.word, *verb.aliases))
    said = f"{own} is an order of {in_a_row(titles)}; {here.title} has none of that name."
    meant = any(isinstance(understand(mistake.source, words_at_first(game)), Order) for game in games)
    refusal = mistake.refusal
    told = Illegal(said, refusal.rule, refusal.at) if meant else msgspec.structs.replace(refusal, sentence=said)
    return msgspec.structs.replace(mistake, refusal=told)


def _with_it(source: str, games: Mapping[str, frozenset[str]]) -> tuple[str, list[str]] | None:
    """The longest first word of a line, and the games that have it."""
    known = {word for words in games.values() for word in words if source.startswith(f"{word} ")}
    word = max(sorted(known), key=len, default="")
    return (word, [title for title, words in games.items() if word in words]) if word else None
