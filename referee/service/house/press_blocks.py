"""Press and notes in a letter: blocks cut out of it, replies to press, and where they are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import msgspec

from referee.orders import Branch, Mistake, Node, Reading, did_you_mean
from referee.service.base import notes
from referee.service.base.note_values import Written
from referee.service.base.ports import Step

if TYPE_CHECKING:  # a page reads blocks too, and holds no hand
    from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- blocks of free text in a letter
# PRESS TO list, BROADCAST, DIARY, OFFER TO list, each up to a line END.
#
# They are taken out before the orders are read, so that nothing a player writes to another is ever read as an order.


Tone = Literal["", "signed", "grey"]

EVERYBODY = ("all", "everybody", "everyone")
GAME_MASTER = "game master"
NOBODY: Mapping[str, str] = MappingProxyType({})
_MASTERS = ("game master", "gm", "master", "referee")

_HEAD = re.compile(
    r"\s*(?P<kind>PRESS|BROADCAST|DIARY|OFFER)(?:\s+(?P<tone>GREY|GRAY|SIGNED))?(?:\s+TO\b(?P<to>[^:]*))?\s*:?\s*", re.I
)
_END = re.compile(r"\s*END[\s.!:]*", re.I)
_OPENS = re.compile(r"\s*(STANDING|IF|PREVIEW|FOR\s+TURN)\b", re.I)


class Block(msgspec.Struct, frozen=True):
    """A block as written. `kind`: press, broadcast, diary, offer; `number` and `heading` are those of its first line."""

    kind: str
    tone: Tone
    to: str
    text: str
    number: int
    heading: str
    closed: bool


class Addressed(msgspec.Struct, frozen=True):
    """The readers that a list names: seats in the order of play, perhaps with the game master; or what is `wrong` with it."""

    to: tuple[str, ...] = ()
    wrong: str = ""


def _head(line: str, kinds: Collection[str]) -> tuple[str, Tone, str] | None:
    """Kind, tone and addressees of a heading; None for any other line, which is left to the reader of orders."""
    found = _HEAD.fullmatch(line)
    kind = found["kind"].lower() if found else ""
    if found is None or kind not in kinds or (kind in ("press", "offer")) != (found["to"] is not None):
        return None
    written = (found["tone"] or "").lower()
    tone: Tone = "" if not written else "signed" if written == "signed" else "grey"
    return kind, tone, (found["to"] or "").strip()


def blocks_apart(text: str, kinds: Collection[str]) -> tuple[tuple[Block, ...], str]:
    """The blocks of these kinds, and the rest of the text with their lines emptied, so that line numbers stay true.

    A block that no END closes goes on to the end of the letter: nothing of it is carried out unasked.
    After the END that ends the letter there are none.
    """
    small = text.lower()
    if not any(kind in small for kind in kinds):
        return (), text
    lines, found, rest = text.split("\n"), [], []
    depth = at = 0
    while at < len(lines):
        head = _head(lines[at], kinds) if depth >= 0 else None
        if head is None:
            depth += bool(_OPENS.match(lines[at])) - bool(_END.fullmatch(lines[at]))
            rest.append(lines[at])
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if _END.fullmatch(lines[n])), len(lines))
        body = "\n".join(line.rstrip() for line in lines[at + 1 : end]).strip("\n")
        found.append(Block(*head, body, at + 1, lines[at].strip(), end < len(lines)))
        rest += [""] * (min(end + 1, len(lines)) - at)
        at = end + 1
    return tuple(found), "\n".join(rest)


def addressed(written: str, seats: Collection[str], own: str, people: Mapping[str, str] = NOBODY) -> Addressed:
    """The readers that a list of seats, ALL or the game master means; shortened names while they stay unique.

    `people` are names of persons that may be used for their seats.
    """
    others = [seat for seat in seats if seat != own]
    chosen: set[str] = set()
    for name in filter(None, (" ".join(part.split()) for part in re.split(r",|;|\band\b", written, flags=re.I))):
        if name.casefold() in EVERYBODY:
            chosen |= set(others)
        elif name.casefold() in _MASTERS:
            chosen.add(GAME_MASTER)
        else:
            near = [s for s in seats if s.casefold() == name.casefold()] or [
                s for s in seats if s.casefold().startswith(name.casefold())
            ]
            near = [people[name.casefold()]] if len(near) != 1 and name.casefold() in people else near
            if len(near) != 1:
                return Addressed((), _unknown(name, near, seats))
            if near[0] == own:
                return Addressed((), f"{own} is your own seat; name another, or write DIARY for a note to yourself.")
            chosen.add(near[0])
    if not chosen:
        return Addressed((), f"Name whom it is for after TO: {', '.join(others)}, ALL or game master.")
    return Addressed(tuple(s for s in (*seats, GAME_MASTER) if s in chosen))


def _unknown(name: str, near: list[str], seats: Collection[str]) -> str:
    if near:
        return f"{name} may mean {' or '.join(near)}; write the name out."
    guess = did_you_mean(name, list(seats))
    hint = f"Did you mean {' or '.join(guess)}?" if guess else f"The seats are {', '.join(seats)}."
    return f"{name} is no seat of this match. {hint} ALL and game master are known too."


# ---------------------------------------------------------------- a reply to a letter of press
# Press for its writer, and words meant for the referee.


Reads = Callable[[str], Reading]

_TO_ALL = re.compile(r"\W*(?:(?:reply|to|an|a|à)\s+)*(?:all|everybody|everyone|alle|tous|todos)\W*", re.I)


def answered(hand: Hand) -> Written | None:
    """The letter of press that this is a reply to."""
    texts = every_text(hand.step, hand.match, notes.PRESS) if hand.writer.replies_to else ()
    return next((written for written in texts if written.number == hand.writer.replies_to), None)


def as_press(hand: Hand, before: Written, text: str) -> Block:
    """A reply as a block: for its writer, or for all whom that letter went to where its first line says so."""
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


# ---------------------------------------------------------------- texts as they are kept beside the log


Drawer = notes.Note[[str, str], tuple[Written, ...]]
"""Where the texts of each seat are kept: PRESS or DIARY."""


def kept(step: Step, match: str, drawer: Drawer, seat: str) -> tuple[Written, ...]:
    """A seat's letters in a drawer, oldest first."""
    return drawer.of(match, seat).read(step) or ()


def keep(step: Step, match: str, drawer: Drawer, written: Written) -> None:
    """Lay one more text into its writer's drawer."""
    drawer.of(match, written.by).keep(step, (*kept(step, match, drawer, written.by), written))


def every_text(step: Step, match: str, drawer: Drawer) -> tuple[Written, ...]:
    """The texts of all seats in this drawer, oldest first."""
    return tuple(sorted((w for texts in drawer.every(step, match).values() for w in texts), key=_age))


def _age(written: Written) -> tuple[int, datetime, str]:
    return written.number, written.at, written.by
