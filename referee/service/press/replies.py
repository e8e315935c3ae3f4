"""A reply to a letter of press: what in it is press for its writer, and what was meant for the referee."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from referee.orders import Branch, Mistake, Node, Reading
from referee.service import notes
from referee.service.overrides.hand import Hand
from referee.service.press.blocks import GAME_MASTER, Block
from referee.service.press.kept import every_text
from referee.service.remembered import Written

Reads = Callable[[str], Reading]

_TO_ALL = re.compile(r"\W*(?:(?:reply|to|an|a|à)\s+)*(?:all|everybody|everyone|alle|tous|todos)\W*", re.I)
_OPENS = re.compile(r"\s*(STANDING|IF|PREVIEW|FOR\s+TURN)\b", re.I)
_END = re.compile(r"\s*END[\s.!:]*", re.I)


def answered(hand: Hand) -> Written | None:
    """The letter of press that this is a reply to."""
    texts = every_text(hand.step, hand.match, notes.PRESS) if hand.writer.replies_to else ()
    return next((written for written in texts if written.number == hand.writer.replies_to), None)


def as_press(hand: Hand, before: Written, text: str) -> Block:
    """What a reply says as a block: for its writer, or for all whom that letter went to where its first line says so."""
    first, _, rest = text.partition("\n")
    to_all = bool(_TO_ALL.fullmatch(first) and rest.strip())
    said = (rest if to_all else text).strip("\n")
    if to_all and before.kind == "broadcast":
        return Block("broadcast", "", "", said, 0, "", True)
    own = hand.seat or GAME_MASTER
    whom = {before.by or GAME_MASTER, *(before.to if to_all else ())} - {own}
    return Block("press", "", ", ".join(sorted(whom)), said, 0, "", True)


def parted(text: str, unmarked: str, reads: Reads) -> tuple[str, str]:
    """The lines of a reply that are press, and the rest with their lines emptied; read are those without marks, row for row.

    A line that can be read as an order is one, unless it stands amid the lines of a paragraph, or is a single word beside
    others; so is one beside it, or in capitals, that was meant for one. All else is press.
    """
    lines, plain = text.split("\n"), unmarked.split("\n")
    end = _end_of_press(plain, reads)
    if end is not None:
        return _only(lines, range(end)), "\n".join([""] * (end + 1) + lines[end + 1 :])
    meant = _meant_as_orders(plain, reads(unmarked))
    press = [at for at in range(len(lines)) if at not in meant]
    said = _only(lines, press)
    return (said, _only(lines, meant, whole=True)) if said else ("", text)


def like_orders(text: str, reads: Reads) -> list[int]:
    """The lines of a text, from 0, that can be read as orders, blocks with all that is in them."""
    lines = text.split("\n")
    return sorted(at for at in _meant_as_orders(lines, reads(text)) if lines[at].strip())


def _end_of_press(lines: list[str], reads: Reads) -> int | None:
    """Where a line END closes what was meant for press: before it nothing is an order."""
    end = next((at for at, line in enumerate(lines) if _END.fullmatch(line)), None)
    if end is None or _meant_as_orders(lines[:end], reads("\n".join(lines[:end]))):
        return None
    return end if any(map(str.strip, lines[:end])) else None


def _only(lines: list[str], numbers: Iterable[int], whole: bool = False) -> str:
    """These lines: as a text of its own without heaps of empty ones, or `whole`, each in its place."""
    chosen = set(numbers)
    if whole:
        return "\n".join(line if at in chosen else "" for at, line in enumerate(lines))
    kept = [lines[at].rstrip() for at in sorted(chosen)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _meant_as_orders(lines: list[str], reading: Reading) -> set[int]:
    blocks = set(_in_blocks(lines))
    understood = {line - 1 for line in _understood(reading)} | blocks
    tried = {m.line - 1 for m in reading.mistakes if _begins_like_an_order(m)}
    found: set[int] = set()
    for _, group in groupby(range(len(lines)), lambda at: bool(lines[at].strip()) or at in blocks):
        found |= _of_paragraph(lines, list(group), understood, tried, blocks)
    return found


def _of_paragraph(
    lines: list[str], numbers: list[int], understood: set[int], tried: set[int], blocks: set[int]
) -> set[int]:
    """The lines of a paragraph that are orders, or were meant for some."""
    notes_too = {at for at in numbers if lines[at].lstrip().startswith("#") or (at and lines[at - 1].endswith("\\"))}
    shouted = {at for at in tried if _in_capitals(lines[at])}
    orders = {at for at in numbers if at in understood or at in shouted}
    prose = [at for at in numbers if at not in orders | tried | notes_too]
    if prose:
        orders = {at for at in orders if at in blocks or not _amid(at, prose, lines)}
    elif orders:
        orders |= {at for at in numbers if at in tried}
    return orders | (notes_too if orders else set())


def _amid(at: int, prose: list[int], lines: list[str]) -> bool:
    """Whether a line belongs to sentences: they go on before and after it, or it is a single word."""
    return (prose[0] < at < prose[-1]) or len(lines[at].split()) < 2


def _begins_like_an_order(mistake: Mistake) -> bool:
    """Whether a line that could not be read begins with a word that orders begin with."""
    return (
        mistake.column > 0
        or mistake.source[: mistake.width].strip() != mistake.refusal.at
        or bool(mistake.refusal.instead)
    )


def _in_capitals(line: str) -> bool:
    words = line.split()
    return bool(words) and len(words[0]) > 1 and words[0].isupper() and len(words) > 1


def _in_blocks(lines: list[str]) -> Iterator[int]:
    """The lines of STANDING, IF and the like, from their headings to their ENDs."""
    depth = 0
    for at, line in enumerate(lines):
        opens = bool(_OPENS.match(line)) and line.split()[0].isupper()
        if depth or opens:
            yield at
        depth = max(0, depth + opens - bool(_END.fullmatch(line)))


def _understood(reading: Reading) -> Iterator[int]:
    sheets = (reading.sheet, reading.desk, reading.standing, reading.late, reading.preview)
    for nodes in (*sheets, *(turn.nodes for turn in reading.turns)):
        for node in nodes or ():
            yield from _lines_of(node)


def _lines_of(node: Node) -> Iterator[int]:
    yield node.line
    if isinstance(node, Branch):
        for inner in (*node.then, *node.otherwise):
            yield from _lines_of(inner)
