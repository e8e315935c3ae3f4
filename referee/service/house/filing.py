"""Where the orders of a letter go: the draft of the open question, or a drawer for later, where they come too early; and what that
does to the slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec

from referee.core.names import Seat
from referee.core.position import parted
from referee.core.question import Question, slot_of
from referee.core.record import Filed, Given, If, Record
from referee.core.record import Sheet as OrderSheet
from referee.kit.wording import counted
from referee.mail import digest
from referee.orders import Branch, Mistake, Node
from referee.service.base import notes
from referee.service.base.note_values import Corrections, Line, Unfinished
from referee.service.match.clocks import start_delay, stop_delay
from referee.service.match.history import known_to
from referee.service.match.playing import Playing
from referee.service.match.result import NOTHING, Came, denied
from referee.service.match.sheets import (
    Bound,
    debts,
    draft_of,
    ends_slot,
    how_it_stands,
    in_block,
    sheet_owed,
    until_when,
)
from referee.service.match.slot_life import Happening
from referee.service.turn.preview import look_ahead
from referee.service.turn.writer import Hand

_NAMED = 12
"""So many lines that a letter took off the file are named; the others are counted."""

_ALIKE = 0.6
"""From this likeness on, of the lines or of their first words, a line is taken to stand for a refused one."""

STAND, INSTEAD, WITHDRAWN = "on file stand", "stands in the place of", "Withdrawn"
ADDED_TO = "orders on file, which stand"
KEPT = (STAND, ADDED_TO, INSTEAD, WITHDRAWN)
"""The words of a receipt by which lines of letters before stay on file: who checks sent letters reads them in it."""

_RULE = "A letter with all your orders, or with CLEAR at its head, begins afresh."


class Drawn(msgspec.Struct, frozen=True):
    """The lines of a letter that go on file, and the outcome; `mends`: they were put among those that stand, or added."""

    records: tuple[Record, ...] = ()
    came: Came = NOTHING
    mends: bool = False


def filing(hand: Hand, bound: Bound, adds: bool, afresh: bool, text: str) -> Drawn:
    """Where orders go: the draft of the open question, or the drawer for what is asked next.

    Lines that the open question does not ask for wait in that drawer too. A short letter after an incomplete one mends it,
    unless it begins `afresh`. A writer of nothing but ROLL OUT ends the slot with the orders on file; out of turn there is nothing
    to end, and it must not end the next slot before it has begun.
    """
    question = sheet_owed(hand.playing, hand.seat)
    ends = all(ends_slot(hand.playing, item) for item in bound.sheet)
    if question is None and ends:
        return Drawn(came=Came(rolls_out=True))
    adds = adds or (ends and not afresh)
    if question is None:
        asked = "You are asked for a decision now, not for orders" if debts(hand.playing, hand.seat) else ""
        why = asked or f"It is not {hand.seat}'s turn"
        said = f"{why}: these orders are kept until {hand.seat} is next asked for such orders."
        return Drawn((_drawn_up(hand, "next", bound.sheet, adds, text),), Came(later=(said,), filed=True))
    now, later = parted(hand.playing.codec, bound.sheet, question)
    mending = None if adds or afresh else mended(hand, question, now, len(bound.mistakes))
    now, before, came = (now, adds, NOTHING) if mending is None else (mending.sheet, False, mending.came)
    mends, came = mending is not None, came + Came(filed=True)
    draft = _drawn_up(hand, f"orders:{question.key}", now, before, text)
    if not later:
        return Drawn((draft,), came, mends)
    lines = "; ".join(item.text.replace("\n", " ") for item in later)
    kept = _drawn_up(hand, "next", later, adds or mends, text)
    came += Came(later=(f"Not asked for now, and kept for later sheets: {lines}.",))
    return Drawn((draft, kept) if now else (kept,), came, mends)


def _drawn_up(hand: Hand, drawer: str, sheet: OrderSheet, adds: bool, text: str) -> Filed:
    """A drawer with these lines, or with these lines added before which nothing ends the slot."""
    old = hand.playing.outcome.drawers.get((Seat(hand.seat), drawer), ()) if adds else ()
    while old and ends_slot(hand.playing, old[-1]):
        old = old[:-1]
    return filed_sheet(hand, drawer, (*old, *sheet), text)


def filed_sheet(hand: Hand, drawer: str, sheet: OrderSheet, text: str) -> Filed:
    """The record for a drawer that takes these lines from a letter."""
    return Filed(Seat(hand.seat), drawer, sheet, hand.message_id, digest(text))


def off_the_file(playing: Playing, taken: Iterable[Record]) -> tuple[str, ...]:
    """The lines on file that these records leave out: a letter takes the place of the one before it."""
    filed = [record for record in taken if isinstance(record, Filed)]
    old = [item for record in filed for item in playing.outcome.drawers.get((record.seat, record.drawer), ())]
    if not old:
        return ()
    kept = {_as_text(item) for record in filed for item in record.sheet}
    gone = {text: item for item in old if (text := _as_text(item)) not in kept}
    lines = [text.partition("\n")[0] for text, item in gone.items() if not ends_slot(playing, item)]
    more = len(lines) - _NAMED
    return (*lines[:_NAMED], *((f"and {counted(more, 'more lines')}",) if more > 0 else ()))


def _as_text(item: Given | If) -> str:
    """A line as it was written; an IF with all that hangs on it, its condition in the first line."""
    if isinstance(item, Given):
        return item.text
    return "\n".join((f"IF {item.text}", *map(_as_text, item.then), "ELSE", *map(_as_text, item.otherwise)))


# ---------------------------------------------------------------- mending


class Mended(msgspec.Struct, frozen=True):
    """The file with the lines of a short letter in their places, and the words on it."""

    sheet: OrderSheet
    came: Came


def mended(hand: Hand, question: Question[Any], sheet: OrderSheet, refused: int) -> Mended | None:
    """The file with these lines in their places; None if the letter takes the place of all that is there.

    It does where it is as long as the one that was incomplete, or repeats half of what is on file. `refused` of its lines were.
    """
    last, old, fresh = _unfinished(hand), _on_file(hand, question), _orders_of(hand, sheet)
    known = {text_of(item) for item in old}
    if last is None or not _mends(last, question, old, fresh, refused):
        return None
    whole = _put_in(hand, last, old, [item for item in fresh if text_of(item) not in known])
    return Mended((*whole.sheet, *sheet[len(fresh) :]), whole.came)


def _mends(
    last: Unfinished, question: Question[Any], old: OrderSheet, fresh: Sequence[Given | If], refused: int
) -> bool:
    known = {text_of(item) for item in old}
    repeated = sum(text_of(item) in known for item in fresh)
    return last.key == question.key and bool(old) and len(fresh) + refused < len(last.lines) and 2 * repeated < len(old)


def displaced(hand: Hand, sheet: OrderSheet) -> tuple[str, ...]:
    """The lines on file whose place these lines would take, if they were filed now."""
    question, last = sheet_owed(hand.playing, hand.seat), _unfinished(hand)
    if question is None or (last and _mends(last, question, _on_file(hand, question), _orders_of(hand, sheet), 0)):
        return ()
    now, _ = parted(hand.playing.codec, sheet, question)
    return off_the_file(hand.playing, (_drawn_up(hand, f"orders:{question.key}", now, False, ""),))


def _put_in(hand: Hand, last: Unfinished, old: OrderSheet, fresh: Sequence[Given | If]) -> Mended:
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
    _keep(hand, last.key, _lines_after(last, stands_for, added))
    return Mended((*placed, *left, *added), _mending_told(last, stands_for, added))


def _matched(refused: Sequence[str], fresh: Sequence[Given | If]) -> dict[str, Given | If]:
    """The fresh line for each refused one: the most alike first, each once."""
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


def _mending_told(last: Unfinished, stands_for: dict[str, Given | If], added: Sequence[Given | If]) -> Came:
    """The outcome of the letter, in the receipt: which line stands for which, what was added, what is still missing."""
    placed = [f"{text_of(item)} {INSTEAD} {text}." for text, item in stands_for.items()]
    if added:
        said = f"{counted(len(added), 'lines')} added to the {ADDED_TO}. {_RULE}"
    else:
        said = f"The orders {STAND}{'' if stands_for else ', these lines among them'}. {_RULE}"
    missing = [line.text for line in last.lines if not line.stands and line.text not in stands_for]
    doubts = (f"Still not on file, of your letter before: {'; '.join(missing)}.",) if missing else ()
    return Came(done=(*placed, said), doubts=doubts)


def _lines_after(last: Unfinished, stands_for: dict[str, Given | If], added: Iterable[Given | If]) -> tuple[Line, ...]:
    lines = [
        Line(text_of(stands_for[line.text]), True) if line.text in stands_for and not line.stands else line
        for line in last.lines
    ]
    return (*lines, *(Line(text_of(item), True) for item in added))


# ---------------------------------------------------------------- remembered from one letter to the next


def note_refused(
    hand: Hand, question: Question[Any] | None, nodes: Sequence[Node], mistakes: Sequence[Mistake]
) -> None:
    """Keep which lines of a letter were refused, for a letter that mends them; nothing where one stood in a block.

    It is not asked of a letter of which nothing was taken, which leaves what is kept as it is.
    """
    if question is None:
        return
    if not mistakes or any(in_block(node, mistake.line) for node in nodes for mistake in mistakes):
        _slip(hand).forget(hand.step)
        return
    stand = {text_of(item) for item in _on_file(hand, question)}
    lines = {node.line: Line(text, True) for node in nodes if (text := _written(node)) in stand}
    lines |= {mistake.line: Line(mistake.stands or mistake.source.strip(), False) for mistake in mistakes}
    _keep(hand, question.key, tuple(line for _, line in sorted(lines.items())))


def _written(node: Node) -> str:
    return f"IF {node.text}" if isinstance(node, Branch) else node.text


def text_of(item: Given | If) -> str:
    """A line of a sheet as it was written; of a block its heading."""
    return item.text if isinstance(item, Given) else f"IF {item.text}"


def _on_file(hand: Hand, question: Question[Any]) -> OrderSheet:
    return _orders_of(hand, hand.playing.outcome.drawers.get((Seat(hand.seat), f"orders:{question.key}"), ()))


def _orders_of(hand: Hand, sheet: OrderSheet) -> OrderSheet:
    """A sheet without the lines behind that end the slot."""
    return tuple(item for item in sheet if not ends_slot(hand.playing, item))


def can_mend(hand: Hand) -> bool:
    """Whether lines of his letter on file were refused, so that a short letter may put others in their places."""
    return _unfinished(hand) is not None


def _unfinished(hand: Hand) -> Unfinished | None:
    return _slip(hand).read(hand.step)


def _keep(hand: Hand, key: str, lines: tuple[Line, ...]) -> None:
    missing = any(not line.stands for line in lines)
    _slip(hand).keep(hand.step, Unfinished(key, lines) if missing else None)


def _slip(hand: Hand) -> notes.Slip[Unfinished]:
    return notes.UNFINISHED.of(hand.match, hand.seat)


# ---------------------------------------------------------------- what a letter does to the slot of its writer
# Its turn is run, held or starts its delay; what loses something waits for a YES.


_RESIGNS = "RESIGN"


def set_going(hand: Hand, came: Came, missed: str) -> Came:
    """Start, hold or skip the change-of-mind delay of the draft now on file; `came`: what of the letter came before.

    `missed` says what keeps the letter from being done whole: lines were refused, or passed over; "" for nothing.
    """
    question = sheet_owed(hand.playing, hand.seat)
    if question is None:
        return denied("ROLL OUT", _why_no_roll_out(hand)) if came.rolls_out else NOTHING
    at_once = came.rolls_out or (came.filed and _closes(hand.playing, question))
    more = NOTHING
    if at_once and hand.status != "running":
        more = denied("ROLL OUT", _why_no_roll_out(hand))
    elif at_once and missed:
        more = denied(
            "ROLL OUT",
            f"Some of your lines were {missed}, so your turn waits for you: correct them, or send ROLL OUT alone.",
        )
    elif at_once:
        more = whether_sure(hand, question, came)
        if not more.sure:
            hand.close((question.key,), Happening.ENDED, hand.cause)
            return more + Came(_how_far(hand.playing, question.key, hand.seat), ended=True)
    came += more
    if came.grave:  # the receipt tells what would be lost: who then says ROLL OUT is sure
        notes.WARNED.of(hand.match, hand.seat).keep(hand.step, _now(hand, question))
    if came.filed or at_once:
        if draft_of(hand.playing, question) is not None and missed != "refused" and not came.sure:
            start_delay(hand, question.key, hand.seat, hand.now)
        else:
            stop_delay(hand, question.key)
    return more


def _closes(playing: Playing, question: Question[Any]) -> bool:
    """Whether the draft of a question ends with an order that runs it as soon as it is read."""
    draft = draft_of(playing, question) or ()
    return bool(draft) and ends_slot(playing, draft[-1])


def _how_far(playing: Playing, key: str, seat: str) -> tuple[str, ...]:
    """The sentence that the turn of an orders question waits for its writer, another's decision or sheet, or ran to its end."""
    phase = playing.outcome.phase
    if playing.outcome.sealed:
        return ("Your slot is ended. The outcome follows when the dice have fallen.",)
    if phase is None or not key.startswith(f"{phase.key}/"):
        return ("Your slot is ended.",)
    if any(slot_of(question.key) == slot_of(key) for question in playing.outcome.open):
        return ("Your orders are carried out and stand. Your slot goes on; its deadline is the same.",)
    if debts(playing, seat):
        return ("Your slot is ended.",)
    decisions = [question for question in playing.outcome.open if not question.wants_orders]
    waits = "somebody's decision" if decisions else "the other players' sheets"
    return (f"Your slot is ended. The report follows as soon as everything is settled; it waits for {waits}.",)


def _why_no_roll_out(hand: Hand) -> str:
    if stands := how_it_stands(hand.playing.row):
        return f"The match {stands}: no turn runs {until_when(hand.playing.row)}."
    if hand.over:
        return "The match is over."
    whose = f"{hand.seat}'s" if hand.seat else "your"
    return f"It is not {whose} turn, so there is no slot of yours to end."


# ---------------------------------------------------------------- are you sure?


def whether_sure(hand: Hand, question: Question[Any], came: Came) -> Came:
    """The sentence that a slot is not ended yet, if its player has not been told what he would lose by the sheet as it stands."""
    if hand.writer.became or hand.letter is None or _goes_on(hand, question, came):
        return NOTHING
    if notes.WARNED.of(hand.match, hand.seat).read(hand.step) == _now(hand, question):
        return NOTHING
    ahead = NOTHING
    if not came.filed:
        known = known_to(hand.step, hand.playing, Seat(hand.seat))
        ahead = look_ahead(hand.playing, Seat(hand.seat), _played(hand, question), known)
    grave = came.grave if came.filed else ahead.grave
    return ahead + asked(hand, "ROLL OUT") if grave else ahead


def sure_of_resigning(hand: Hand) -> Came:
    """The sentence that a resignation waits: it is the end of a match for its player, and a slip of the pen is easily made."""
    warned = notes.WARNED.of(hand.match, hand.seat)
    if hand.writer.confirmed or hand.letter is None or warned.read(hand.step) == _RESIGNS:
        return NOTHING
    warned.keep(hand.step, _RESIGNS)
    told = f"RESIGN gives up {hand.seat} for good: another player, bots or nobody plays it from then on."
    return Came(doubts=(told,)) + asked(hand, hand.line)


def asked(hand: Hand, line: str) -> Came:
    """A line of the letter is done when its writer says YES."""
    slip = notes.CORRECTIONS.of(hand.match, hand.seat, hand.player.id)
    slip.keep(hand.step, Corrections(hand.playing.turn, line))
    return Came(sure=line)


def _played(hand: Hand, question: Question[Any]) -> OrderSheet:
    """The sheet that is played when the slot is ended: the draft, or else the standing orders."""
    draft = draft_of(hand.playing, question)
    return draft if draft is not None else hand.playing.outcome.drawers.get((Seat(hand.seat), "standing"), ())


def _goes_on(hand: Hand, question: Question[Any], came: Came) -> bool:
    """Whether what is on file is but a part of the slot: what it leaves undone may still be ordered."""
    last = (draft_of(hand.playing, question) or (None,))[-1]
    return isinstance(last, Given) and not came.rolls_out and hand.playing.codec.intent(last.intent).goes_on


def _now(hand: Hand, question: Question[Any]) -> str:
    """The mark of the sheet that would lose something."""
    lines = [item for item in _played(hand, question) if not ends_slot(hand.playing, item)]
    return f"{question.key} {digest('; '.join(map(_text, lines)))}"


def _text(item: Any) -> str:
    if isinstance(item, Given):
        return item.text
    return f"IF {item.text}: {'; '.join(map(_text, item.then))} ELSE {'; '.join(map(_text, item.otherwise))}"
