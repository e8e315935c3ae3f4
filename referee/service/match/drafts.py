"""What is on file for a question, and the answer that closes it."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.core.position import intents_in, parted
from referee.core.question import Question, Source
from referee.core.record import Answered, Filed, Given, If
from referee.core.record import Sheet as OrderSheet
from referee.service.match.playing import Playing


def draft_of(playing: Playing, question: Question[Any]) -> OrderSheet | None:
    """The order sheet on file that answers a question, or None."""
    return playing.outcome.drawers.get((question.seat, f"orders:{question.key}"))


def ends_slot(playing: Playing, item: Given | If) -> bool:
    """Whether a line of a sheet runs it as soon as it is read."""
    return isinstance(item, Given) and playing.codec.intent(item.intent).closes


def filed_ahead(playing: Playing, before: set[str]) -> list[Filed]:
    """Sheets filed for this turn or for the next one become the draft when the orders question opens.

    Lines that it does not ask for stay on file for a later question.
    """
    records: list[Filed] = []
    for question in playing.outcome.open:
        if question.key in before or not question.wants_orders or playing.outcome.phase is None:
            continue
        for drawer in (f"turn:{playing.outcome.phase.turn}", "next"):
            filed = playing.outcome.drawers.get((question.seat, drawer), ())
            sheet, rest = parted(playing.codec, filed, question)
            if sheet:
                records += [
                    Filed(question.seat, f"orders:{question.key}", sheet, "filed ahead"),
                    Filed(question.seat, drawer, rest),
                ]
                break
    return records


def closing(
    playing: Playing, question: Question[Any], at_deadline: bool, late: int, rings: bool = False, by: str = ""
) -> Answered:
    """The answer that closes a question now: the draft, the late instruction, standing orders, the default."""
    value, source = _closing_value(playing, question, at_deadline)
    raw = msgspec.Raw(question.menu.encode(value))
    return Answered(question.key, question.seat, raw, source, late + (rings and source is not Source.PLAYER), by)


def _closing_value(playing: Playing, question: Question[Any], at_deadline: bool) -> tuple[Any, Source]:
    seat, state = question.seat, playing.outcome.state
    if not question.wants_orders:
        return question.menu.default, Source.DEFAULT
    draft = draft_of(playing, question)
    if draft is not None:
        return intents_in(playing.game, playing.codec, state, seat, _fitting(playing, question, draft)), Source.PLAYER
    late = (("late", Source.LATE_INSTRUCTION),) if at_deadline else ()
    for drawer, source in (*late, ("standing", Source.STANDING)):
        sheet = _fitting(playing, question, playing.outcome.drawers.get((seat, drawer), ()))
        if sheet:
            return intents_in(playing.game, playing.codec, state, seat, sheet), source
    return question.menu.default, Source.DEFAULT if at_deadline else Source.PLAYER


def _fitting(playing: Playing, question: Question[Any], sheet: OrderSheet) -> OrderSheet:
    """The lines that this question asks for; a sheet on file may hold others, meant for another phase."""
    return parted(playing.codec, sheet, question)[0]


def default_words(question: Question[Any]) -> str:
    """The default of a plain question, as one would write it."""
    decoded = msgspec.json.decode(question.menu.encode(question.menu.default))
    if isinstance(decoded, list):
        return ", ".join(map(str, decoded)) or "none"
    if isinstance(decoded, dict):  # so many of each kind
        return ", ".join(f"{number} {kind}" for kind, number in decoded.items()) or "none"
    return str(decoded)
