"""From sentences to a sheet on file: every line is bound alone, so that one bad line never changes another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import Any, TypeGuard

import msgspec

from referee.core.game import BindsAlike, Game, Phrases
from referee.core.names import Seat
from referee.core.order import Intent, Order, Refusal
from referee.core.record import Given, If, Sheet
from referee.kit.wording import capital
from referee.mail import Stripped
from referee.orders import Branch, Mistake, Node, Sentence, place_refusal
from referee.service.letters import Refused
from referee.service.match.playing import Playing

_KINDS = {"Invalid": "not understood", "Illegal": "not allowed", "Ambiguous": "ambiguous"}
_REMEMBERED = 1_024
"""Lines, for each of the circumstances remembered."""


class Bound(msgspec.Struct, frozen=True):
    """Lines that stand, what acts at once (and in which lines it stood), and lines that were refused."""

    sheet: Sheet = ()
    asides: tuple[Intent, ...] = ()
    aside_lines: tuple[int, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


class _Line(msgspec.Struct, frozen=True):
    """An order and what it was bound to; `given` is the line of a sheet it makes, None for one that makes none."""

    order: Order
    bound: Intent | Refusal
    given: Given | None


def bind(playing: Playing, seat: str, nodes: Iterable[Node], asides_allowed: bool = True, later: bool = False) -> Bound:
    """Bind lines for a seat against the position as it is now; those of an IF, or of a `later` turn, for form only."""
    before = _bound_before(playing, Seat(seat), later)
    sheet: list[Given | If] = []
    asides: list[tuple[int, Intent]] = []
    mistakes: list[Mistake] = []
    for node in nodes:
        if isinstance(node, Branch):
            then = bind(playing, seat, node.then, asides_allowed=False, later=True)
            otherwise = bind(playing, seat, node.otherwise, asides_allowed=False, later=True)
            mistakes += [*then.mistakes, *otherwise.mistakes]
            if then.sheet or otherwise.sheet:
                sheet.append(If(node.text, node.condition, then.sheet, otherwise.sheet))
            continue
        line = before.get(node.text)
        if line is None or line.order != node.order:
            line = before[node.text] = _line(playing, Seat(seat), node, later)
        if line.given is not None:
            sheet.append(line.given)
        elif isinstance(line.bound, Refusal):
            mistakes.append(place_refusal(node, line.bound))
        elif asides_allowed:
            asides.append((node.line, line.bound))
        else:
            mistakes.append(_not_in_a_block(node))
    lines, intents = tuple(line for line, _ in asides), tuple(intent for _, intent in asides)
    return Bound(tuple(sheet), intents, lines, tuple(mistakes))


def meaning_of(game: Game[Any], state: Any, intent: Intent) -> str:
    """What an order means, in the game's words for a position where it has such."""
    return game.phrase(state, intent) if _phrases(game) else intent.meaning()


def _line(playing: Playing, seat: Seat, node: Sentence, later: bool) -> _Line:
    game, state = playing.game, playing.outcome.state
    bound = (game.bind_later if later else game.bind)(state, seat, node.order)
    if isinstance(bound, Refusal) or game.is_aside(bound):
        return _Line(node.order, bound, None)
    return _Line(node.order, bound, Given(node.text, playing.codec.raw(bound), meaning_of(game, state, bound)))


def _bound_before(playing: Playing, seat: Seat, later: bool) -> dict[str, _Line]:
    """By their canonical text the lines that were bound when nothing stood otherwise that binding looks at.

    Players write the same lines again and again. A game that cannot say what its binding looks at begins anew.
    """
    game = playing.game
    if not _binds_alike(game):
        return {}
    known = _remembered(playing.game.name, later, game.bound_by(playing.outcome.state, seat))
    if len(known) >= _REMEMBERED:
        known.clear()
    return known


def _binds_alike(game: Game[Any]) -> TypeGuard[BindsAlike]:
    """Asked of its class, which remembers the answer; an object is looked through anew each time."""
    return issubclass(type(game), BindsAlike)


def _phrases(game: Game[Any]) -> TypeGuard[Phrases]:
    """Asked of its class, as above: this is asked for every line."""
    return issubclass(type(game), Phrases)


@lru_cache(maxsize=64)
def _remembered(game: str, later: bool, bound_by: Hashable) -> dict[str, _Line]:
    """Filled by whoever asks."""
    return {}


def _not_in_a_block(node: Sentence) -> Mistake:
    sentence = (
        f"{node.order.verb} acts as soon as it is read, so it cannot stand in a block; write it on a line by itself."
    )
    return place_refusal(node, Refusal(sentence, "language.blocks", node.order.verb))


def refused(mistake: Mistake) -> Refused:
    """A mistake as the receipt shows it."""
    refusal = mistake.refusal
    kind = "taken in part" if mistake.stands else _KINDS.get(type(refusal).__name__, "not allowed")
    taken = f" Taken is: {mistake.stands}." if mistake.stands else ""
    return msgspec.convert(
        {
            "number": mistake.line,
            "text": mistake.source,
            "caret": mistake.caret(),
            "kind": kind,
            "sentence": capital(refusal.sentence) + taken,
            "rule": refusal.rule,
            "instead": refusal.instead,
        },
        Refused,
    )


def at_line(number: int, refusals: Iterable[Refused]) -> list[Refused]:
    """Refusals of a word for the desk, which knows of no lines, with the line of the letter it stood in."""
    return [msgspec.structs.replace(refusal, number=refusal.number or number) for refusal in refusals]


def text_to_read(stripped: Stripped) -> str:
    """What is to be read of a letter; lines not read stay as empty lines, so that line numbers stay true."""
    lines = [""] * (stripped.lines[-1].number if stripped.lines else 0)
    for line in stripped.lines:
        lines[line.number - 1] = line.text
    return "\n".join(lines)


def in_block(node: Node, line: int) -> bool:
    """Whether a line of the letter stands in a block, where what is done hangs on its condition."""
    return isinstance(node, Branch) and node.line <= line <= last_line(node)


def last_line(node: Node) -> int:
    """The last line of a sheet's item."""
    if not isinstance(node, Branch):
        return node.line
    return max((last_line(inner) for inner in (*node.then, *node.otherwise)), default=node.line) + 1
