"""The verbs of a turn's sheet and of what is done at once, in the order of play."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.vocabulary import Verb
from referee.games.war.orders import BOOK, OPTIONAL_VERBS


def sheet_verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs but those of optional rules; the examples speak of `other`."""
    return tuple(
        BOOK.verb(word, other=other)
        for word in BOOK.orders
        if word not in OPTIONAL_VERBS
    )
