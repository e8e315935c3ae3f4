"""Whether a line that is lawful can be chosen step by step: what is lawful is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from referee.core.choices import Picked, Step, after
from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order, bare
from referee.kit.game import BaseGame
from referee.orders import understand

_LOOKS = 4_000


def lawful(game: AnyGame, state: Any, seat: Seat, line: str) -> Intent | None:
    """What a line means, where it is allowed and would be carried out."""
    order = understand(line, game.vocabulary(state))
    if not isinstance(order, Order):
        return None
    bound = game.bind(state, seat, order)
    if isinstance(bound, Illegal) or any(doubt.undone for doubt in game.doubts(state, seat, (bound,))):
        return None
    return bound


def can_be_chosen(game: AnyGame, state: Any, seat: Seat, intent: Intent, sheet: Sequence[Intent] = ()) -> bool:
    """Whether some answers to the steps of its verb make this very order, by the words that stand in its line."""
    assert isinstance(game, BaseGame)
    line, verb = game.line(state, intent), game.book.verb_of(bare(intent))
    ways, looks = [tuple[Picked, ...]()], 0
    while ways and looks < _LOOKS:
        so_far, looks = ways.pop(), looks + 1
        found = after(game.asking(state, seat, verb, sheet), so_far)
        if isinstance(found, Step):
            ways += ((*so_far, picked) for picked in reversed(list(dict.fromkeys(_picks(found, line)))))
        elif found is not None and game.line(state, found) == line:
            return True
    return False


def _picks(step: Step, line: str) -> Iterator[Picked]:
    """Answers made of what stands in the line, in the order in which it stands there."""
    spans = [(m.start(), m.end(), choice.word) for choice in step.choices for m in _said(choice.word, line)]
    whole = [
        (a, b, word) for a, b, word in spans if not any(c <= a and b <= d and (c, d) != (a, b) for c, d, _ in spans)
    ]
    words = tuple(dict.fromkeys(word for _, _, word in sorted(whole)))
    if step.counts:
        of_it = re.findall(rf"(\d+) {re.escape(step.counts[:3])}", line, re.IGNORECASE)
        said = [number for number in map(int, of_it or re.findall(r"\d+", line)) if step.least <= number <= step.most]
        few = range(step.least, min(step.most, step.least + 2) + 1)  # `coolie 14, coolie 15` are two without a number
        yield from ((str(number),) for number in (said or few))
        yield from ((choice.word,) for choice in step.choices)
    else:
        for most in range(min(step.most, len(words)), step.least - 1, -1):
            yield from (words[first : first + most] for first in range(len(words) - most + 1))
    yield step.usual
    if not words and step.least == step.most == 1:
        yield from ((choice.word,) for choice in step.choices)


def _said(word: str, line: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line, re.IGNORECASE)
