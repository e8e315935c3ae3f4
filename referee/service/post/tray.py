"""Letters out before they are bytes: subjects, calendars, and the tray in which they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from textwrap import shorten
from typing import Any

import msgspec

from referee.core.page import Drawing
from referee.kit.wording import are, counted
from referee.mail import Answerable, Attachment, Outgoing, bodies, bounce_mark, compose
from referee.mail.writing.compose import Due, deadline_uid, ics
from referee.service.base import notes
from referee.service.base.letter_facts import Farewell, Frame, Notice, QuestionLetter, Receipt, Started, TurnReport
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterOut, Member, Player
from referee.service.base.remembered import DateTold, KeptMap, Wishes
from referee.service.match.playing import Playing
from referee.service.match.sheets import debts
from referee.service.match.slot_life import TOLD
from referee.service.post.wishes import UNPROVEN, Answering, fitting, left_out

# ---------------------------------------------------------------- the subjects of letters
# A reader who owes something reads that first, and its deadline; one who owes nothing reads the news.
#
# The words of a subject are taken from the letter itself, so it says nothing that its reader may not know.


LONGEST = 78
"""Characters of a whole subject; mail programs show about as many."""

_WORTH = 12
"""Of what happened fewer characters than these tell nothing."""

_DUTY = {"orders": "turn", "answer": "decision"}


def whole(match: str, words: str) -> str:
    """A subject with the match in front of it, cut at a word where it is too long."""
    return _cut(f"[{match}] {words}" if match else words, LONGEST)


_SAID = re.compile(r"\byour (turn|decision)\b", re.IGNORECASE)


def of_letter(match: str, words: str, frame: Frame | None) -> str:
    """The subject of a letter: its words, in brackets after what its reader owes where they do not say that themselves."""
    return whole(match, words if frame is None or _SAID.search(words) else told(frame, words))


_MORE = "\N{HORIZONTAL ELLIPSIS}"


@lru_cache(maxsize=256)
def _cut(text: str, room: int) -> str:
    """A text's beginning that fits: whole sentences where they are most of it, else whole words and a sign that there is more."""
    short = shorten(text, max(room, 1), placeholder=_MORE)
    if not short.endswith(_MORE):
        return short
    sentences, stop, _ = short.rpartition(". ")
    return sentences if stop and len(sentences) > room // 3 else f"{short.rstrip(f' ,;:.{_MORE}')}{_MORE}"


def _room(frame: Frame) -> int:
    return LONGEST - len(f"[{frame.match}] ")


def owed(frame: Frame) -> str:
    """The reader's debt and deadline, "" if he owes nothing: `Your turn, Spain, by Mon 18:00`."""
    if frame.duty not in _DUTY:
        return ""
    by = f", by {frame.deadline.short}" if frame.deadline else ""
    return f"Your {_DUTY[frame.duty]}, {frame.seat}{by}"


def told(frame: Frame, news: str) -> str:
    """The events; for a reader who owes something his debt first, and then the events."""
    owes, news = owed(frame), news.rstrip(".")
    if not owes:
        return news
    happened = _cut(news, _room(frame) - len(owes) - len(" ()"))
    return f"{owes} ({happened})" if len(happened) >= min(_WORTH, len(news)) else owes


def reported(frame: Frame, title: str, summary: str, seats: Iterable[str]) -> str:
    """The subject of a report: its turn and events, with the seat that its title names where the summary does not."""
    turn, _, rest = title.partition(": ")
    who = next((seat for seat in seats if seat in rest), "")
    actor = f"{who}: " if who and who not in summary else ""
    rest = f"{rest}: " if rest and not who else ""
    return told(frame, f"{actor}{summary}") if owed(frame) else f"{turn}: {rest}{actor}{summary}".rstrip(".")


def asked(frame: Frame, question: str) -> str:
    """The question in the middle of a turn."""
    return f"{owed(frame) or f'For {frame.seat}'}: {question.removeprefix('Your orders for ').rstrip('.')}"


def reminder(frame: Frame) -> str:
    """The sentence that time runs out: for a turn still owed, or for changes of the orders on file."""
    left = f"{frame.deadline.left} left" if frame.deadline and frame.deadline.left != "now" else "no time left"
    by = f" (by {frame.deadline.short})" if frame.deadline else ""
    if frame.duty in _DUTY:
        return f"Still your {_DUTY[frame.duty]}, {frame.seat}: {left}{by}"
    return f"Your orders are on file, {frame.seat}: {left} to change them{by}"


def late(frame: Frame) -> str:
    """The sentence that the reader is late and can still play."""
    until = f" (until {frame.deadline.short})" if frame.deadline and frame.deadline.left != "now" else ""
    return f"Still your {_DUTY.get(frame.duty, 'turn')}, {frame.seat}: you are late{until}"


def receipt(frame: Frame, verdict: str, about: str, ran: bool) -> str:
    """The outcome of a letter, and the debt after it, or the letter's matter."""
    owes = owed(frame)
    if owes:
        return f"{verdict}: {owes[:1].lower()}{owes[1:]}"
    by = f", by {frame.deadline.short}" if frame.deadline and not ran else ""
    return f"{verdict}: {about}{by}"


# ---------------------------------------------------------------- calendar files
# Each letter to a seat that owes carries its deadlines, and takes back those that are past.


CARRIERS = frozenset({"report", "question", "started", "reminder", "notice", "farewell"})
"""The kinds of letter that carry calendar files."""


def calendar_files(at: At, playing: Playing, member: Member, player: Player) -> tuple[Attachment, ...]:
    """`deadline.ics` with what this reader owes now, `deadline-over.ics` for what he was told and owes no more.

    SEQUENCE begins at the half minutes of the clock, so that a turn played again, or after a restore, begins higher than it ended
    and nobody reads from it what others have filed, and grows with every change.
    """
    now, calendar = at.now, notes.CALENDAR.of(playing.row.name, member.seat, player.id)
    head = int(now.timestamp()) // 30
    told = calendar.read(at.step) or {}
    # The questions a seat has to answer, each with its deadline.
    seat = member.seat if member.status == "playing" else ""
    mine = {question.key for question in debts(playing, seat)} if seat else set()
    alarms = at.step.alarms(playing.row.name) if mine else []
    due = {alarm.key: alarm.due_at for alarm in alarms if alarm.kind in TOLD and alarm.key in mine}
    owed = {key: _next(told.get(key), ends, head) for key, ends in due.items()}
    if owed != told:
        calendar.keep(at.step, owed or None)
    over = {key: DateTold(was.at, max(was.sequence + 1, head)) for key, was in told.items() if key not in owed}
    files = []
    if owed:
        entries = ics("PUBLISH", _dues(at.office, playing, member.seat, player, owed), now)
        files.append(Attachment("deadline.ics", "text/calendar; method=PUBLISH; charset=utf-8", entries))
    if over:
        entries = ics("CANCEL", _dues(at.office, playing, member.seat, player, over), now)
        files.append(Attachment("deadline-over.ics", "text/calendar; method=CANCEL; charset=utf-8", entries))
    return tuple(files)


def _next(was: DateTold | None, at: datetime, head: int) -> DateTold:
    if was is None:
        return DateTold(at, head)
    return was if was.at == at else DateTold(at, max(was.sequence + 1, head))


def _dues(office: Office, playing: Playing, seat: str, player: Player, told: dict[str, DateTold]) -> tuple[Due, ...]:
    match, phase = playing.row.name, playing.outcome.phase
    title = phase.title if phase else "the match is over"
    return tuple(
        Due(
            uid=deadline_uid(match, key, seat, str(player.id), office.host),
            sequence=was.sequence,
            at=was.at,
            summary=f"[{match}] {seat}: deadline",
            description=f"{playing.game.title}, {title}. Reply to the referee's last letter.",
        )
        for key, was in sorted(told.items())
    )


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


def words_of(office: Office, letter: LetterOut) -> str:
    """The text form of a letter, without its map and its files. Raises as `written` does."""
    if letter.raw:
        return bodies(letter.raw)[0]
    if letter.kind == "report":
        report = unwritten_report(letter)
        return office.renderer.render("report", report.report, answered_by(report.envelope), ()).text
    receipt = unwritten(letter)  # whatever its kind is called, such as "refusal"
    return office.renderer.render("receipt", receipt.receipt, answered_by(receipt.envelope), ()).text


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
