"""Are you sure? What loses something, and cannot be taken back, waits for its writer's YES, unless he was told of it before."""

from __future__ import annotations

from typing import Any

from referee.core.names import Seat
from referee.core.position import intents_in
from referee.core.question import Question
from referee.core.record import Given
from referee.core.record import Sheet as OrderSheet
from referee.mail import digest
from referee.service import notes
from referee.service.match.drafts import draft_of, ends_slot
from referee.service.remembered import Corrections
from referee.service.sheets.visit import Visit

_RESIGNS = "RESIGN"


def look_ahead(visit: Visit, sheet: OrderSheet) -> None:
    """What may disappoint in a sheet, as things stand, is told in the receipt; what of it is grave is counted."""
    playing, seat = visit.playing, Seat(visit.seat)
    state = playing.outcome.state
    intents = intents_in(playing.game, playing.codec, state, seat, sheet)
    found = playing.game.doubts(state, seat, intents)
    visit.doubts += [f"{doubt.told} ({doubt.rule})" if doubt.rule else doubt.told for doubt in found]
    visit.undone = sum(doubt.undone for doubt in found)
    visit.grave = sum(doubt.undone or doubt.loss for doubt in found)


def asks_whether_sure(visit: Visit, question: Question[Any]) -> bool:
    """Whether a slot is not ended yet, since its player has not been told what he would lose by the sheet as it stands."""
    if visit.became or visit.letter is None or _goes_on(visit, question):
        return False
    if notes.WARNED.of(visit.match, visit.seat).read(visit.step) == _now(visit, question):
        return False
    if not visit.filed:
        look_ahead(visit, _played(visit, question))
    if visit.grave:
        ask(visit, "ROLL OUT")
    return bool(visit.grave)


def asks_before_resigning(visit: Visit, line: str) -> bool:
    """Whether a resignation waits: it is the end of a match for its player, and a slip of the pen is easily made."""
    warned = notes.WARNED.of(visit.match, visit.seat)
    if visit.confirmed or visit.letter is None or warned.read(visit.step) == _RESIGNS:
        return False
    warned.keep(visit.step, _RESIGNS)
    visit.doubts.append(f"RESIGN gives up {visit.seat} for good: another player, bots or nobody plays it from then on.")
    ask(visit, line)
    return True


def ask(visit: Visit, line: str) -> None:
    """A line of the letter is done when its writer says YES."""
    visit.sure = line
    notes.CORRECTIONS.of(visit.match, visit.seat, visit.player.id).keep(
        visit.step, Corrections(visit.playing.turn, line)
    )


def note_warned(visit: Visit, question: Question[Any]) -> None:
    """The receipt tells what would be lost: who then says ROLL OUT is sure."""
    if visit.grave:
        notes.WARNED.of(visit.match, visit.seat).keep(visit.step, _now(visit, question))


def _played(visit: Visit, question: Question[Any]) -> OrderSheet:
    """What is played when the slot is ended: the draft, or else the standing orders."""
    draft = draft_of(visit.playing, question)
    return draft if draft is not None else visit.playing.outcome.drawers.get((Seat(visit.seat), "standing"), ())


def _goes_on(visit: Visit, question: Question[Any]) -> bool:
    """Whether what is on file is but a part of the slot: what it leaves undone may still be ordered."""
    last = (draft_of(visit.playing, question) or (None,))[-1]
    return isinstance(last, Given) and not visit.roll_out and visit.playing.codec.intent(last.intent).goes_on


def _now(visit: Visit, question: Question[Any]) -> str:
    """Which sheet it is that something would be lost by."""
    lines = [item for item in _played(visit, question) if not ends_slot(visit.playing, item)]
    return f"{question.key} {digest('; '.join(map(_text, lines)))}"


def _text(item: Any) -> str:
    if isinstance(item, Given):
        return item.text
    return f"IF {item.text}: {'; '.join(map(_text, item.then))} ELSE {'; '.join(map(_text, item.otherwise))}"
