"""What is said to who writes orders in a match without holding a seat: they are understood, and are not his."""

from __future__ import annotations

import msgspec

from referee.core.order import Illegal
from referee.orders import Mistake, Reading
from referee.service.sheets.visit import Visit


def for_onlookers(visit: Visit, reading: Reading) -> Reading:
    """What a letter says without its orders, each refused for the right reason; who holds a seat keeps them all."""
    if visit.seat:
        return reading
    blocks = (reading.standing, reading.late, reading.preview, reading.turns or None)
    if any(block is not None for block in blocks):
        visit.deny("", f"Blocks of orders are for who holds a seat. {_instead(visit)}")
    verbs = visit.playing.game.vocabulary(visit.playing.outcome.state).verbs
    words = tuple(f"{word} " for verb in verbs for word in (verb.word, *verb.aliases))
    mistakes = tuple(_for_players(visit, mistake, words) for mistake in reading.mistakes)
    desk, ignored = reading.desk, reading.ignored
    return Reading(desk=desk, mistakes=mistakes, ignored=ignored, adds=reading.adds, yes=reading.yes)


def _for_players(visit: Visit, mistake: Mistake, words: tuple[str, ...]) -> Mistake:
    source = f"{' '.join(mistake.source.upper().split())} "
    if mistake.column or not source.startswith(words):
        return mistake
    word = max((word for word in words if source.startswith(word)), key=len).strip()
    refusal = Illegal(f"{word} is an order of the game, for who holds a seat. {_instead(visit)}", "", word)
    return msgspec.structs.replace(mistake, refusal=refusal)


def _instead(visit: Visit) -> str:
    if visit.game_master:
        return "BECOME and a seat writes for its player; PREVIEW TURN shows what the turn would give."
    return "TAKEOVER gives you a seat that is free."
