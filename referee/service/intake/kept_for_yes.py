"""Corrections of a letter, or a question to pass on, kept until their writer says YES."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.orders import Mistake
from referee.service.base import notes
from referee.service.base.note_values import Corrections
from referee.service.turn.writer import Hand


def waiting(hand: Hand) -> str:
    """The letter of this turn that waits, corrected, for a YES; "" where none does."""
    kept = _slip(hand).read(hand.step)
    return kept.text if kept is not None and kept.turn == hand.playing.turn and not kept.on else ""


def to_pass_on(hand: Hand) -> str:
    """The question that waits for a YES to go to the game master; "" where none does."""
    kept = _slip(hand).read(hand.step)
    return kept.text if kept is not None and kept.on else ""


def offer_to_pass_on(hand: Hand, text: str) -> None:
    """Keep a question for the game master until its writer says YES; "" forgets it."""
    _slip(hand).keep(hand.step, Corrections(hand.playing.turn, text, True) if text else None)


def _slip(hand: Hand) -> notes.Slip[Corrections]:
    return notes.CORRECTIONS.of(hand.match, hand.seat, hand.player.id)


def remember(
    hand: Hand, text: str, done_lines: Iterable[int], mistakes: Sequence[Mistake], held: Mapping[int, str]
) -> tuple[str, ...]:
    """Keep the letter with its refused lines corrected, for a YES; the lines that it takes.

    Lines done at once are not done again.
    """
    known = [mistake for mistake in mistakes if mistake.refusal.instead]
    if not known and not held:
        _slip(hand).forget(hand.step)
        return ()
    lines = text.split("\n")
    for number in done_lines:
        if 0 < number <= len(lines):
            lines[number - 1] = ""
    for mistake in known:
        if 0 < mistake.line <= len(lines):
            line, right = lines[mistake.line - 1], mistake.refusal.instead[0]
            lines[mistake.line - 1] = (
                line.replace(mistake.source, right, 1) if mistake.source in line else f"{line}; {right}"
            )
    for number, line in held.items():
        lines += [""] * (number - len(lines))
        lines[number - 1] = line
    corrected = "\n".join(lines)
    if corrected == text:
        return ()
    _slip(hand).keep(hand.step, Corrections(hand.playing.turn, corrected))
    return (*(mistake.refusal.instead[0] for mistake in known), *map(str.strip, held.values()))
