"""Letters out before they are bytes: the tray in which they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from referee.core.page import Drawing
from referee.kit.wording import are, counted
from referee.mail import Answerable, Attachment, Outgoing, bodies, bounce_mark, compose
from referee.service.base.letter_facts import Farewell, Frame, Notice, QuestionLetter, Receipt, Started, TurnReport
from referee.service.base.note_values import KeptMap, Wishes
from referee.service.base.office import Office
from referee.service.base.ports import LetterOut, Player
from referee.service.post.answer_limits import UNPROVEN, Answering
from referee.service.post.delivery import fitting, left_out
from referee.service.post.subjects import owed, whole

# ---------------------------------------------------------------- writing
# Receipts and reports are queued as what they say and written out when they go, by their postman.
#
# The desk makes orders safe before it words answers: in the last hour before a deadline orders come faster than answers are
# written, and templates, MIME and signature of a receipt cost as much as half of everything else about its letter (decision
# 012). It makes turns safe before it words their reports: these cost a third of a turn (decision 039).


class Unwritten(msgspec.Struct, frozen=True):
    """A receipt and what goes round it; text and HTML of the envelope are empty.

    A receipt that would have more than `most` bytes goes in plain text alone; 0: any.
    """

    receipt: Receipt
    envelope: Outgoing
    most: int = 0


class UnwrittenReport(msgspec.Struct, frozen=True):
    """The report of a turn and what goes round it, for a reader who has these wishes.

    `map`: where the map is kept that goes with it; None where the envelope has it, or there is none.
    """

    report: TurnReport
    envelope: Outgoing
    wishes: Wishes
    map: KeptMap | None = None


_decoder = msgspec.json.Decoder(Unwritten)
_reports = msgspec.json.Decoder(UnwrittenReport)


def said(receipt: Receipt, envelope: Outgoing, most: int = 0) -> bytes:
    """A receipt in the outbox: JSON."""
    return msgspec.json.encode(Unwritten(receipt, envelope, most))


def unwritten(letter: LetterOut) -> Unwritten:
    """The facts of a receipt. Raises msgspec.DecodeError for a letter that says nothing a receipt could say."""
    return _decoder.decode(letter.said or b"")


def report_said(report: TurnReport, envelope: Outgoing, wishes: Wishes, map: KeptMap | None = None) -> bytes:
    """A report in the outbox that is not written out: JSON."""
    return msgspec.json.encode(UnwrittenReport(report, envelope, wishes, map))


def unwritten_report(letter: LetterOut) -> UnwrittenReport:
    """The facts of a report. Raises msgspec.DecodeError for a letter that says nothing a report could say."""
    return _reports.decode(letter.said or b"")


def written(office: Office, letter: LetterOut) -> LetterOut:
    """The letter with its bytes; one that has them is left as it is.

    Equal words give equal bytes with the same templates and, but for the time in a signature, the same key.
    Raises msgspec.DecodeError for what is neither receipt nor report.
    """
    if letter.raw:
        return letter
    raw = _report(office, unwritten_report(letter)) if letter.kind == "report" else _receipt(office, unwritten(letter))
    return msgspec.structs.replace(letter, raw=office.sign(raw))


def _receipt(office: Office, what: Unwritten) -> bytes:
    files = what.envelope.attachments
    form = office.renderer.render("receipt", what.receipt, answered_by(what.envelope), _pictures(files))
    raw = compose(msgspec.structs.replace(what.envelope, text=form.text, html=form.html))
    if what.most and len(raw) > what.most:
        raw = compose(msgspec.structs.replace(what.envelope, text=form.text))
    return raw


def _report(office: Office, what: UnwrittenReport) -> bytes:
    envelope = what.envelope
    if what.map:
        files = (*_kept_map(office, what.map, what.wishes), *envelope.attachments)
        envelope = msgspec.structs.replace(envelope, attachments=files)
    _, envelope = rendered(office, what.wishes, "report", what.report, envelope, answered_by(envelope))
    return compose(envelope)


def _kept_map(office: Office, kept: KeptMap, wishes: Wishes) -> tuple[Attachment, ...]:
    """The map of the very report that was kept; none if that is gone."""
    with office.store.look() as step:
        report = step.report(kept.match, kept.turn, "")
        if report is None or report.seq != kept.seq:
            listed = step.listed_reports(kept.match)
            epoch = next((one.epoch for one in listed if (one.turn, one.seq) == (kept.turn, kept.seq)), None)
            report = None if epoch is None else step.report(kept.match, kept.turn, "", epoch)
    if report is None or report.chart is None:
        return ()
    drawing = msgspec.json.decode(report.chart, type=Drawing)
    return map_files(office, drawing, drawing, wishes)


def map_files(office: Office, chart: Drawing, shown: Drawing, wishes: Wishes) -> tuple[Attachment, ...]:
    """A map as the picture that the HTML shows by its id, or as its halves, and as what can be enlarged."""
    pictures: Iterable[tuple[str, bytes]]
    if shown.seam and wishes.form == "html":
        pictures = zip(("map-west", "map-east"), office.renderer.halves(shown.svg, shown.seam), strict=True)
    else:
        pictures = (("map", office.renderer.picture(shown.svg)),)
    files = (Attachment(f"{name}.png", "image/png", data, f"{name}@letter") for name, data in pictures)
    return (*files, Attachment("map.svg", "image/svg+xml", chart.svg.encode()))


def _pictures(files: Iterable[Attachment]) -> list[str]:
    return [file.cid for file in files if file.cid]


def rendered(
    office: Office,
    wishes: Wishes,
    template: str,
    letter: Any,
    envelope: Outgoing,
    answered: Answerable,
    brief: bool = False,
) -> tuple[Any, Outgoing]:
    """The letter, which names the files that are left out as too large, and the envelope with both forms, or `brief` ones."""
    files = envelope.attachments
    form = office.renderer.render(template, letter, answered, _pictures(files), brief)
    body = len(form.text.encode()) + (len(form.html.encode()) if wishes.form == "html" else 0)
    kept = fitting(wishes, body, files)
    without = left_out(wishes, files, kept)
    if without and hasattr(letter, "frame"):
        letter = msgspec.structs.replace(letter, frame=msgspec.structs.replace(letter.frame, left_out=without))
        form = office.renderer.render(template, letter, answered, _pictures(kept), brief)
    if wishes.form != "html":
        return letter, msgspec.structs.replace(envelope, text=form.text, attachments=_beside(kept))
    return letter, msgspec.structs.replace(envelope, text=form.text, html=form.html, attachments=kept)


def _beside(files: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
    """A letter of text alone has no HTML that could show a picture: it lies beside the text."""
    return tuple(msgspec.structs.replace(file, cid="") for file in files)


def answered_by(envelope: Outgoing) -> Answerable:
    """The address and subject that the taps of a letter answer."""
    return Answerable(envelope.reply_to, envelope.subject, envelope.message_id)


def words_of(office: Office, letter: LetterOut) -> tuple[str, str]:
    """Text and HTML of a letter, without its map and its files. Raises as `written` does."""
    if letter.raw:
        return bodies(letter.raw)
    if letter.kind == "report":
        report = unwritten_report(letter)
        form = office.renderer.render("report", report.report, answered_by(report.envelope), ())
    else:
        receipt = unwritten(letter)  # whatever its kind is called, such as "refusal"
        form = office.renderer.render("receipt", receipt.receipt, answered_by(receipt.envelope), ())
    return form.text, form.html


def mark_of(letter: LetterOut) -> str:
    """The mark in the letter's own address for bounces, the same before and after it is written out."""
    return bounce_mark(letter.raw if letter.said is None else letter.said)


# ---------------------------------------------------------------- the tray
# Letters that one letter in brings about lie there until all of it is done, and its writer gets them as one.
#
# His receipt stands in the first lines of the report, question, first letter or farewell that his letter brought him, which
# answers it then; and the news to everybody of his own deeds stands in his receipt. Others get the same as before.


@dataclass(frozen=True)
class Draft:
    """A letter out that is not written yet: what it says, what goes round it, and who pays for it where it counts.

    Its `taps` answer to that address, "" for its reply address. One that was put together of several has these for its `parts`.
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
    """The letters in a tray, with the answer to the letter put together with the others that its writer gets.

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
    """Whether a letter goes to the person who is answered, about the same match."""
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
