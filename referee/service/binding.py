"""From sentences to a sheet on file: every line is bound alone, so that one bad line never changes another."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent, Refusal
from referee.core.record import Given, If, Sheet
from referee.mail import Stripped
from referee.orders import Branch, Mistake, Node, Sentence, place_refusal
from referee.service.letters import Refused
from referee.service.playing import Playing

__all__ = ["Bound", "bind", "refused", "text_to_read"]

_KINDS = {"Invalid": "not understood", "Illegal": "not allowed", "Ambiguous": "ambiguous"}
_REMEMBERED = 4_096
_MEANINGS: dict[tuple[str, bytes], str] = {}


class Bound(msgspec.Struct, frozen=True):
    """Lines that stand, what acts at once (and in which lines it stood), and lines that were refused."""

    sheet: Sheet = ()
    asides: tuple[Intent, ...] = ()
    aside_lines: tuple[int, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


def bind(
    playing: Playing, seat: str, nodes: Iterable[Node], asides_allowed: bool = True, later: bool = False
) -> Bound:
    """Bind lines for a seat against the position as it is now; those of an IF, or of a `later` turn, for form only."""
    game, state, binder = playing.game, playing.outcome.state, Seat(seat)
    meant = game.bind_later if later else game.bind
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
        bound = meant(state, binder, node.order)
        if isinstance(bound, Refusal):
            mistakes.append(place_refusal(node, bound))
        elif game.is_aside(bound):
            if asides_allowed:
                asides.append((node.line, bound))
            else:
                mistakes.append(_not_in_a_block(node))
        else:
            raw = playing.codec.raw(bound)
            sheet.append(Given(node.text, raw, _meaning(game.name, bytes(raw), bound)))
    lines, intents = tuple(line for line, _ in asides), tuple(intent for _, intent in asides)
    return Bound(tuple(sheet), intents, lines, tuple(mistakes))


def _meaning(game: str, raw: bytes, intent: Intent) -> str:
    """What the intent means; equal intents of one game mean the same, so a bounded number is remembered."""
    meaning = _MEANINGS.get((game, raw))
    if meaning is None:
        if len(_MEANINGS) >= _REMEMBERED:
            _MEANINGS.clear()
        meaning = _MEANINGS[game, raw] = intent.meaning()
    return meaning


def _not_in_a_block(node: Sentence) -> Mistake:
    sentence = (
        f"{node.order.verb} acts as soon as it is read, so it cannot stand in a block; write it on a line by itself."
    )
    return place_refusal(node, Refusal(sentence, "language.blocks", node.order.verb))


def refused(mistake: Mistake) -> Refused:
    """A mistake as the receipt shows it."""
    refusal = mistake.refusal
    kind = _KINDS.get(type(refusal).__name__, "not allowed")
    return msgspec.convert(
        {
            "number": mistake.line,
            "text": mistake.source,
            "caret": mistake.caret(),
            "kind": kind,
            "sentence": refusal.sentence,
            "rule": refusal.rule,
            "instead": refusal.instead,
        },
        Refused,
    )


def text_to_read(stripped: Stripped) -> str:
    """What is to be read of a letter; lines not read stay as empty lines, so that line numbers stay true."""
    last = max((line.number for line in stripped.lines), default=0)
    lines = [""] * last
    for line in stripped.lines:
        lines[line.number - 1] = line.text
    return "\n".join(lines)
