"""Whether a line that is lawful can be chosen step by step: what is lawful is offered."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from referee.core.choices import Choice, Picked, Step, after
from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order, bare
from referee.kit.declared import once_a_position
from referee.kit.game import BaseGame
from referee.orders import understand

ORDERS = tuple(os.environ["ORDERS"].split(",")) if "ORDERS" in os.environ else ()
"""Lawful lines and choices of these orders alone are tried, the same as among all: ORDERS=MOVE,SAIL."""

_LOOKS = 4_000


def wants(lines: Iterable[str]) -> bool:
    """Whether a line of these is of an order that is tried."""
    return not ORDERS or any(f"{line} ".startswith(f"{verb} ") for line in lines for verb in ORDERS)


def lawful(game: AnyGame, state: Any, seat: Seat, line: str, sheet: Sequence[Intent] = ()) -> Intent | None:
    """What a line means, where it is allowed and would be carried out after those of a sheet."""
    order = understand(line, game.vocabulary(state))
    if not isinstance(order, Order):
        return None
    bound = game.bind(state, seat, order)
    if isinstance(bound, Illegal) or any(doubt.undone for doubt in game.doubts(state, seat, (*sheet, bound))):
        return None
    return bound


Scene = tuple[Any, Iterator[str], int]
"""A position, lines made at random for it, and how many of them are drawn."""


def out_of_reach(
    game: AnyGame,
    seat: Seat,
    scenes: Iterable[Scene],
    verbs: Collection[str],
    number: int,
    over: int = 1,
    reached: Callable[[Any, Intent], bool] | None = None,
) -> list[str]:
    """Lawful lines that cannot be chosen, where of each verb so many were lawful, drawn `over` so many scenes or more.

    A line that comes again in a scene counts again, and is tried there once. In one scene all that is drawn is tried; over
    many, no more lines of a verb than are wanted.
    """
    assert isinstance(game, BaseGame)
    made, different, missing = Counter[str](), Counter[str](), list[str]()
    wanted = [verb for verb in verbs if verb in (ORDERS or verbs)]
    for state, lines, draws in scenes:
        known, here = dict[str, str](), Counter[str]()
        for line in islice(lines, draws):
            if line not in known:
                begins = max((verb for verb in verbs if f"{line} ".startswith(f"{verb} ")), key=len, default="")
                enough = over > 1 and (made[begins] >= number or here[begins] * over >= number)
                needless = begins and (enough or begins not in wanted)
                intent = None if needless else lawful(game, state, seat, line)
                known[line] = "" if intent is None else game.book.verb_of(intent)
                if intent is not None and known[line] in wanted:
                    different[known[line]] += 1
                    able = reached(state, intent) if reached else can_be_chosen(game, state, seat, intent)
                    missing += [] if able else [line]
            here[known[line]] += 1
        done = [verb for verb in wanted if made[verb] >= number]
        made += Counter({verb: min(here[verb], -(-number // over) if over > 1 else draws) for verb in wanted})
        for verb in (verb for verb in wanted if made[verb] >= number and verb not in done):
            told = f"{made[verb]} lawful lines, {different[verb]} different; {len(missing)} of all out of reach"
            print(f"\n{game.name}, {verb}: {told}", end="", flush=True)
        if all(made[verb] >= number for verb in wanted):
            break
    assert {verb: made[verb] for verb in wanted if made[verb] < number} == {}
    print(f"\n{game.name}: {made.total()} lawful lines of {len(wanted)} orders, {different.total()} of them different")
    return missing


def can_be_chosen(game: AnyGame, state: Any, seat: Seat, intent: Intent, sheet: Sequence[Intent] = ()) -> bool:
    """Whether some answers to the steps of its verb make this very order, by the words that stand in its line."""
    assert isinstance(game, BaseGame)
    line, verb = game.line(state, intent), game.book.verb_of(bare(intent))
    ways, looks = [tuple[tuple[str, Picked], ...]()], 0
    while ways and looks < _LOOKS:
        so_far, looks = ways.pop(), looks + 1
        found = _after(game, state, seat, verb, sheet, tuple(picked for _, picked in so_far))
        if isinstance(found, Step):
            picks = [p for p in dict.fromkeys(_picks(found, line)) if not _too_often(found, p, so_far, line)]
            ways += ((*so_far, (found.field, picked)) for picked in reversed(picks))
        elif found is not None and game.line(state, found) == line:
            return True
    return False


def _after(
    game: AnyGame, state: Any, seat: Seat, verb: str, sheet: Sequence[Intent], so_far: tuple[Picked, ...]
) -> Any:
    """The step after these answers, or the order; lines of one position begin alike, so what was asked there is kept."""
    kept, where = _kept(state), (game.name, seat, tuple(sheet), verb, so_far)
    if where not in kept:
        kept[where] = after(game.asking(state, seat, verb, sheet), so_far)
    return kept[where]


@once_a_position()
def _kept(state: Any) -> dict[Any, Any]:
    return {}


def _picks(step: Step, line: str) -> Iterator[Picked]:
    """Answers made of what stands in the line, in the order in which it stands there."""
    spans = [(m.start(), m.end(), choice.word) for choice in step.choices for m in _said(choice, line)]
    whole = [
        (a, b, word) for a, b, word in spans if not any(c <= a and b <= d and (c, d) != (a, b) for c, d, _ in spans)
    ]
    spoken = [word for _, _, word in sorted(whole)]  # a word that stands twice is meant where it stands first, or last
    words, again = tuple(dict.fromkeys(spoken)), tuple(reversed(dict.fromkeys(reversed(spoken))))
    if step.counts:
        of_it = re.findall(rf"(\d+) {re.escape(step.counts[:3])}", line, re.IGNORECASE)
        said = [number for number in map(int, of_it or re.findall(r"\d+", line)) if step.least <= number <= step.most]
        few = range(step.least, min(step.most, step.least + 2) + 1)  # `coolie 14, coolie 15` are two without a number
        yield from ((str(number),) for number in dict.fromkeys((*said, *(few[:1] if of_it else few))))
        yield from ((choice.word,) for choice in step.choices)
    else:
        numbered = tuple(word for word in words if re.search(rf"\d+ {re.escape(word)}", line))
        if step.least <= len(numbered) <= step.most:
            yield numbered
        for most in range(min(step.most, len(words)), step.least - 1, -1):
            yield from (row[first : first + most] for row in (words, again) for first in range(len(words) - most + 1))
    yield step.usual
    if not words and step.least == step.most == 1:
        yield from ((choice.word,) for choice in step.choices)


def _said(choice: Choice[Any], line: str) -> Iterator[re.Match[str]]:
    """By its word or its value: `explorers`, of which the line names 1 explorer."""
    words = {choice.word, choice.word.removesuffix("s")}
    words |= {choice.value} if isinstance(choice.value, str) and choice.value else set()
    return re.finditer(rf"(?<!\w)({'|'.join(map(re.escape, words))})(?!\w)", line, re.IGNORECASE)


def _too_often(step: Step, picked: Picked, so_far: Sequence[tuple[str, Picked]], line: str) -> bool:
    """Whether a step that comes again picks something once more than the line has it: lists without an end are asked for so.

    Not `all` where a number might stand: that is not in the line.
    """
    before = Counter(word for field, words in so_far if field == step.field for word in words)
    again = [choice for choice in step.choices if choice.word in picked and before[choice.word]]
    return not step.counts and any(before[choice.word] >= sum(1 for _ in _said(choice, line)) for choice in again)
