"""The tray: letters that one letter in brings about lie there until all of it is done, and its writer gets them as one.

His receipt stands in the first lines of the report, question, first letter or farewell that his letter brought him, which
answers it then; and what everybody is told, of what he did himself, stands in his receipt. What others get is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from referee.kit.wording import are, counted
from referee.mail import Outgoing
from referee.service.letters import Farewell, Frame, Notice, QuestionLetter, Receipt, Started, TurnReport
from referee.service.outgoing.budgets import UNPROVEN, Answering
from referee.service.outgoing.subjects import owed, whole
from referee.service.ports import Player
from referee.service.remembered import KeptMap, Wishes


@dataclass(frozen=True)
class Draft:
    """A letter out that is not written yet: what it says, what goes round it, and who pays for it where it counts.

    Its `taps` answer to that address, "" for its reply address. What was put together of several has these for its `parts`.
    The map of a kept report is laid in by its postman.
    """

    reader: Player
    kind: str
    letter: Any
    envelope: Outgoing
    wishes: Wishes
    source: Callable[[Any], bytes]
    taps: str = ""
    answering: Answering | None = None
    most: int = 0
    parts: tuple[Draft, ...] = ()
    map: KeptMap | None = None


def together(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """What lies in a tray, with the answer to the letter put together with what else its writer gets of it.

    The last of his larger letters bears the answer; one that brings what was asked for with SEND or HELP goes by itself.
    """
    answer = next((draft for draft in drafts if isinstance(draft.letter, Receipt)), None)
    if answer is None or (answer.answering and answer.answering.purse in UNPROVEN):
        return tuple(drafts)
    news = [
        draft
        for draft in drafts
        if isinstance(draft.letter, Notice) and not draft.letter.lines and _goes_with(draft, answer)
    ]
    bearer = next((draft for draft in reversed(drafts) if _can_bear(draft, answer)), None)
    told = _with_news(answer, news, drafts) if news else answer
    last = bearer or answer
    whole = _bearing(bearer, told) if bearer else told
    return tuple(whole if draft is last else draft for draft in drafts if draft is last or draft not in (answer, *news))


def _goes_with(draft: Draft, answer: Draft) -> bool:
    """Whether a letter goes to who is answered, about the same match."""
    return draft.envelope.to == answer.envelope.to and draft.envelope.match == answer.envelope.match


def _can_bear(draft: Draft, answer: Draft) -> bool:
    large = isinstance(draft.letter, TurnReport | QuestionLetter | Farewell | Started)
    return large and _goes_with(draft, answer) and not _brings(answer)


def _brings(answer: Draft) -> bool:
    """Whether an answer has pages, sheets or files with it, which nobody should look for below a report."""
    receipt = answer.letter
    return bool(receipt.documents or receipt.sheets or receipt.help or receipt.map or answer.envelope.attachments)


# ---------------------------------------------------------------- news in the answer


_MOMENT = re.compile(r"\w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d [^\s,;.]+(?: \([^)]*\))?")


def _with_news(answer: Draft, news: Sequence[Draft], drafts: Sequence[Draft]) -> Draft:
    """The answer with what its writer did as everybody is told of it, each moment in his own zone."""
    sentences = tuple(dict.fromkeys(sentence for draft in news for sentence in draft.letter.sentences))
    alike = {_MOMENT.sub("", sentence) for sentence in sentences}
    rest = tuple(sentence for sentence in answer.letter.done if _MOMENT.sub("", sentence) not in alike)
    form = next((draft.letter.form for draft in reversed(news) if draft.letter.form), answer.letter.form)
    files = {file.name: file for draft in news for file in draft.envelope.attachments}
    letter = msgspec.structs.replace(answer.letter, done=(*sentences, *rest, *_who_else(news, drafts)), form=form)
    subject = answer.envelope.subject if owed(letter.frame) else _of_news(letter.verdict, news)
    attached = (*answer.envelope.attachments, *files.values())
    envelope = msgspec.structs.replace(answer.envelope, subject=subject, attachments=attached)
    return replace(answer, letter=letter, envelope=envelope, answering=None, parts=(*news, answer))


def _of_news(verdict: str, news: Sequence[Draft]) -> str:
    """A subject that says what was done: `[nw1] DONE: the match is paused`."""
    titles = dict.fromkeys(draft.letter.title for draft in news)
    return whole(news[0].envelope.match, f"{verdict}: {', '.join(titles)}")


def _who_else(news: Sequence[Draft], drafts: Sequence[Draft]) -> tuple[str, ...]:
    """How many others get a letter about it now, and which reason they read there."""
    titles, reasons = ({getattr(draft.letter, name) for draft in news} for name in ("title", "reason"))
    alike = (draft for draft in drafts if isinstance(draft.letter, Notice) and draft.letter.title in titles)
    others = len({draft.envelope.to for draft in alike} - {draft.envelope.to for draft in news})
    why = f", with the reason given: {reasons.pop().rstrip('.')}." if len(reasons) == 1 and "" not in reasons else "."
    return (f"{counted(others, 'others')} {are(others)} told{why}",) if others else ()


# ---------------------------------------------------------------- the answer in another letter


def _bearing(bearer: Draft, answer: Draft) -> Draft:
    """A letter that bears the answer in its first lines, and in its subject where something was refused."""
    receipt = msgspec.structs.replace(answer.letter, frame=Frame("", "", "", ""), form=None)
    letter = msgspec.structs.replace(bearer.letter, frame=msgspec.structs.replace(bearer.letter.frame, answer=receipt))
    granted = receipt.verdict in ("COMPLETE", "DONE") and not receipt.refused
    envelope = msgspec.structs.replace(
        bearer.envelope,
        subject=(bearer if granted else answer).envelope.subject,
        answers=answer.envelope.answers,
        references=(*bearer.envelope.references, *answer.envelope.references),
    )
    return replace(bearer, letter=letter, envelope=envelope, parts=(*(answer.parts or (answer,)), bearer))
