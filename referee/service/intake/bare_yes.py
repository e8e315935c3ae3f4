"""A YES and nothing else, written to the plain address: it answers the one question that waits for its writer, if he is proven.

Anybody can write a YES in his name, and a YES is all that a forger lacks: who proves nothing is told at his own address what waits.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.kit.wording import counted, in_a_row
from referee.mail import Letter
from referee.service.base import notes
from referee.service.base.office import At
from referee.service.base.ports import LetterIn, MatchRow, Player
from referee.service.base.remembered import Corrections, KeptLetter
from referee.service.intake.confirming import ask_again, asked_of, keep, letter_text
from referee.service.intake.remarks import says
from referee.service.match.playing import load
from referee.service.post.refusals import refuse_letter, seat_of
from referee.service.post.wishes import Answering

_REPLY = "Reply with YES to the letter that asks."


class Waits(msgspec.Struct, frozen=True):
    """What waits for somebody's YES: of which match, what would be done, and the letter that is kept for it, if one is."""

    what: str
    match: MatchRow | None = None
    kept: KeptLetter | None = None


def says_just_yes(letter: Letter) -> bool:
    """Whether a letter says YES, in whatever words, and nothing else."""
    return says(letter_text(letter)) == "yes"


def answered(at: At, came: LetterIn, letter: Letter, who: Player, rows: list[MatchRow], proven: bool) -> Waits | None:
    """The question that a YES answers; None where he was told why it answers none. `rows` are the matches it may be about."""
    found = list(_waiting(at, who, rows))
    if proven and not found and len(rows) == 1:
        return Waits("", rows[0])  # its desk says what stands there all the same
    if len(found) != 1:
        _tell(at, came, letter, who, found, proven)
        return None
    (one,) = found
    if proven:
        return one
    if one.kept is not None:
        why = "A YES in your name came to my plain address, where anybody could have written it, so it counts for nothing."
        ask_again(at, one.kept, "", why)
    else:
        why = (
            "A YES in your name came to my plain address, where anybody could have written it. "
            f"What waits for it in {one.match.name if one.match else 'your match'}: {one.what}."
        )
        keep(at, came, who, why, one.match)
    return None


def _waiting(at: At, who: Player, rows: list[MatchRow]) -> Iterator[Waits]:
    """Every question that waits for his YES: of his matches, then of letters that came in his name."""
    for row in rows:
        kept = notes.CORRECTIONS.of(row.name, seat_of(at.step, row.name, who), who.id).read(at.step)
        if kept is not None and (kept.on or kept.turn == load(at, row).turn):
            yield Waits(_would_do(kept), row)
    for asked in asked_of(at, who):
        if not asked.match or asked.match in {row.name for row in rows}:
            yield Waits("a letter that came in your name", at.step.match(asked.match) if asked.match else None, asked)


def _would_do(kept: Corrections) -> str:
    if kept.on:
        return "your question, to go to your game master"
    line = kept.text.strip()
    alone = "\n" not in line and line.startswith(("ROLL OUT", "RESIGN"))
    return line if alone else "my corrections of your last letter"


def _tell(at: At, came: LetterIn, letter: Letter, who: Player, found: list[Waits], proven: bool) -> None:
    """That nothing waits for a YES, or what does and how each is answered."""
    why = "No question of mine waits for your YES, so nothing was done."
    if found:
        each = in_a_row([f"{one.what} ({one.match.name})" if one.match else one.what for one in found])
        number = counted(len(found), "questions")
        why = f"{number} wait for your YES, so nothing was done: {each}. {_REPLY}"
    refuse_letter(at, who, why, (), letter, Answering(came.id, "refusal" if proven else "stranger"))
