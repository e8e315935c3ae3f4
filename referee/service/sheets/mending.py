"""Mending: after an INCOMPLETE a short letter puts lines in the places of those that were refused, and the others stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from referee.core.names import Seat
from referee.core.question import Question
from referee.core.record import Given, If
from referee.core.record import Sheet as OrderSheet
from referee.kit.wording import counted
from referee.orders import Branch, Mistake, Node
from referee.service import notes
from referee.service.match.drafts import ends_slot
from referee.service.remembered import Line, Unfinished
from referee.service.sheets.visit import Visit

_ALIKE = 0.6
"""From this likeness on, of the lines or of their first words, a line is taken to stand for a refused one."""

_RULE = "A letter with all your orders, or with CLEAR at its head, begins afresh."


def mended(visit: Visit, question: Question[Any], sheet: OrderSheet, refused: int) -> OrderSheet | None:
    """What is on file with these lines in their places; None where the letter takes the place of all that is there.

    It does where it is as long as the one that was incomplete, or repeats half of what is on file. `refused` of its lines were.
    """
    last, old = _unfinished(visit), _on_file(visit, question)
    if last is None or last.key != question.key or not old or visit.afresh:
        return None
    fresh = _orders_of(visit, sheet)
    known = {text_of(item) for item in old}
    repeated = sum(text_of(item) in known for item in fresh)
    if len(fresh) + refused >= len(last.lines) or 2 * repeated >= len(old):
        return None
    visit.mends = True
    whole = _put_in(visit, last, old, [item for item in fresh if text_of(item) not in known])
    return (*whole, *sheet[len(fresh) :])


def _put_in(visit: Visit, last: Unfinished, old: OrderSheet, fresh: Sequence[Given | If]) -> OrderSheet:
    """The lines on file, those that stand for refused ones in their places, all others behind."""
    left, stands_for = list(old), _matched([line.text for line in last.lines if not line.stands], fresh)
    placed: list[Given | If] = []
    for line in last.lines:
        if not line.stands and line.text in stands_for:
            placed.append(stands_for[line.text])
            left = [item for item in left if text_of(item) != line.text]  # what was taken of it in part
        elif at := next((at for at, item in enumerate(left, 1) if text_of(item) == line.text), 0):
            placed.append(left.pop(at - 1))
    added = [item for item in fresh if item not in stands_for.values()]
    _tell(visit, last, stands_for, added)
    _keep(visit, last.key, _lines_after(last, stands_for, added))
    return (*placed, *left, *added)


def _matched(refused: Sequence[str], fresh: Sequence[Given | If]) -> dict[str, Given | If]:
    """Which fresh line stands for which refused one: the most alike first, each once."""
    pairs = sorted(
        ((_likeness(text, text_of(item)), -at, text, item) for text in refused for at, item in enumerate(fresh)),
        key=lambda pair: pair[:2],
        reverse=True,
    )
    found: dict[str, Given | If] = {}
    for likeness, _, text, item in pairs:
        if likeness >= _ALIKE and text not in found and item not in found.values():
            found[text] = item
    return found


def _likeness(refused: str, fresh: str) -> float:
    """Of two lines, from 0 to 1; lines of one verb are alike even where all else differs."""
    one, other = refused.casefold().split(), fresh.casefold().split()
    if not one or not other:
        return 0.0
    verbs = SequenceMatcher(None, one[0], other[0]).ratio()
    whole = SequenceMatcher(None, one, other).ratio()
    return max(_ALIKE * (verbs > 0.7) + (1 - _ALIKE) * whole, whole)


def _tell(visit: Visit, last: Unfinished, stands_for: dict[str, Given | If], added: Sequence[Given | If]) -> None:
    """What became of the letter, in the receipt: which line stands for which, what was added, what is still missing."""
    for text, item in stands_for.items():
        visit.done.append(f"{text_of(item)} stands in the place of {text}.")
    if added:
        visit.done.append(f"{counted(len(added), 'lines')} added to what was on file, which stands. {_RULE}")
    else:
        visit.done.append(f"What was on file stands{'' if stands_for else ', these lines among it'}. {_RULE}")
    missing = [line.text for line in last.lines if not line.stands and line.text not in stands_for]
    if missing:
        visit.doubts.append(f"Still not on file, of your letter before: {'; '.join(missing)}.")


def _lines_after(last: Unfinished, stands_for: dict[str, Given | If], added: Iterable[Given | If]) -> tuple[Line, ...]:
    lines = [
        Line(text_of(stands_for[line.text]), True) if line.text in stands_for and not line.stands else line
        for line in last.lines
    ]
    return (*lines, *(Line(text_of(item), True) for item in added))


# ---------------------------------------------------------------- remembered from one letter to the next


def note_refused(
    visit: Visit, question: Question[Any] | None, nodes: Sequence[Node], mistakes: Sequence[Mistake]
) -> None:
    """Keep which lines of a letter were refused, for a letter that mends them; nothing where one stood in a block.

    A letter of which nothing was taken leaves what is kept as it is.
    """
    if question is None or not visit.filed or visit.mends:
        return
    if not mistakes or any(in_block(node, mistake.line) for node in nodes for mistake in mistakes):
        _slip(visit).forget(visit.step)
        return
    stand = {text_of(item) for item in _on_file(visit, question)}
    lines = {node.line: Line(text, True) for node in nodes if (text := _written(node)) in stand}
    lines |= {mistake.line: Line(mistake.stands or mistake.source.strip(), False) for mistake in mistakes}
    _keep(visit, question.key, tuple(line for _, line in sorted(lines.items())))


def _written(node: Node) -> str:
    return f"IF {node.text}" if isinstance(node, Branch) else node.text


def in_block(node: Node, line: int) -> bool:
    """Whether a line of the letter stands in a block, where what is done hangs on its condition."""
    return isinstance(node, Branch) and node.line <= line <= _end(node)


def _end(node: Node) -> int:
    """The last line of a sheet's item."""
    if not isinstance(node, Branch):
        return node.line
    return max((_end(inner) for inner in (*node.then, *node.otherwise)), default=node.line) + 1


def text_of(item: Given | If) -> str:
    """A line of a sheet as it was written; of a block its heading."""
    return item.text if isinstance(item, Given) else f"IF {item.text}"


def _on_file(visit: Visit, question: Question[Any]) -> OrderSheet:
    return _orders_of(visit, visit.playing.outcome.drawers.get((Seat(visit.seat), f"orders:{question.key}"), ()))


def _orders_of(visit: Visit, sheet: OrderSheet) -> OrderSheet:
    """A sheet without the lines behind that end the slot."""
    return tuple(item for item in sheet if not ends_slot(visit.playing, item))


def can_mend(visit: Visit) -> bool:
    """Whether lines of his letter on file were refused, so that a short letter may put others in their places."""
    return _unfinished(visit) is not None


def _unfinished(visit: Visit) -> Unfinished | None:
    return _slip(visit).read(visit.step)


def _keep(visit: Visit, key: str, lines: tuple[Line, ...]) -> None:
    missing = any(not line.stands for line in lines)
    _slip(visit).keep(visit.step, Unfinished(key, lines) if missing else None)


def _slip(visit: Visit) -> notes.Slip[Unfinished]:
    return notes.UNFINISHED.of(visit.match, visit.seat)
