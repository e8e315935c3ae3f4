"""Greetings, signatures and remarks: lines of a letter that were never meant as orders, and a YES that is signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from referee.core.order import Invalid
from referee.core.vocabulary import Vocabulary
from referee.orders import Mistake, Node, Reading, orders_something
from referee.service.answering.plain import says
from referee.service.letters import Ignored

_WHY = "it begins with no word I know, so I took it for a remark"
_LIKE_AN_ORDER = "it reads like an order and begins with no word I know; nothing of it was done"


def remarks_aside(mistakes: Sequence[Mistake], reading: Reading) -> tuple[list[Mistake], list[Ignored]]:
    """Greetings before the first order and remarks after the last: lines that begin with no word near one of ours.

    They are listed as not read, and do not make the letter incomplete. Between orders nothing is taken for prose.
    Where no order stands, the lines that were meant for orders are the first and the last of them.
    """
    lines = [node.line for node in nodes_of(reading)] or [m.line for m in mistakes if not is_prose(m)]
    first, last = (min(lines), max(lines)) if lines else (0, 0)
    kept: list[Mistake] = []
    prose: list[Ignored] = []
    for mistake in mistakes:
        outside = bool(lines) and not first < mistake.line < last
        if outside and is_prose(mistake):
            prose.append(_remark(mistake))
        else:
            kept.append(mistake)
    return kept, prose


def like_orders(prose: Sequence[Ignored], game: Vocabulary) -> tuple[list[Ignored], int]:
    """The remarks, with those that read like orders named as such, and how many these are: they may have been meant."""
    alike = [orders_something(line.text, game) for line in prose]
    named = [
        structs.replace(line, why=_LIKE_AN_ORDER) if like else line for line, like in zip(prose, alike, strict=True)
    ]
    return named, sum(alike)


def says_yes(reading: Reading, waits: bool = False) -> tuple[Ignored, ...] | None:
    """The remarks after a YES that stands first and means the whole letter; None when the letter says no such YES.

    While corrections of one's own orders wait it may be said in other words too; nothing else goes by less than YES.
    """
    if reading.yes:
        return ()
    first, *rest = sorted(reading.mistakes, key=lambda mistake: mistake.line) or (None,)
    if first is None or any(nodes_of(reading)):
        return None
    if first.source.strip(" .!,").casefold() != "yes" and not (waits and says(first.source) == "yes"):
        return None
    return tuple(map(_remark, rest)) if all(map(is_prose, rest)) else None


def understood(reading: Reading) -> bool:
    """Whether any line was."""
    return any(nodes_of(reading))


def nodes_of(reading: Reading) -> Iterator[Node]:
    """Every line of a letter that was understood, whatever part of it it stands in."""
    blocks: Iterable[Iterable[Node] | None] = (reading.standing, reading.late, reading.preview)
    turns: Iterable[Iterable[Node]] = (block.nodes for block in reading.turns)
    for nodes in (reading.sheet, reading.desk, *blocks, *turns):
        yield from nodes or ()


def is_prose(mistake: Mistake) -> bool:
    """Whether a line begins with no word near one of ours, or with one and no number: "Bye now" is not meant for BUY."""
    no_verb = isinstance(mistake.refusal, Invalid) and mistake.column == 0 and not mistake.refusal.instead
    return no_verb and not mistake.meant and mistake.source[: mistake.width].strip() == mistake.refusal.at


def _remark(mistake: Mistake) -> Ignored:
    return Ignored(mistake.line, mistake.source, _WHY, True)
