"""Receipts and reports are queued as what they say and written out when they go, by their postman.

The desk makes orders safe before it words answers: in the last hour before a deadline orders come faster than answers are
written, and templates, MIME and signature of a receipt cost as much as half of everything else about its letter (decision
012). It makes turns safe before it words their reports: these cost a third of a turn (decision 039).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from referee.core.page import Drawing
from referee.mail import Answerable, Attachment, Outgoing, bodies, bounce_mark, compose
from referee.service.letters import Receipt, TurnReport
from referee.service.office import Office
from referee.service.outgoing.wishes import fitting, left_out
from referee.service.ports import LetterOut
from referee.service.remembered import KeptMap, Wishes


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
    """What the outbox keeps of a receipt: JSON."""
    return msgspec.json.encode(Unwritten(receipt, envelope, most))


def unwritten(letter: LetterOut) -> Unwritten:
    """What a receipt says. Raises msgspec.DecodeError for a letter that says nothing a receipt could say."""
    return _decoder.decode(letter.said or b"")


def report_said(report: TurnReport, envelope: Outgoing, wishes: Wishes, map: KeptMap | None = None) -> bytes:
    """What the outbox keeps of a report that is not written out: JSON."""
    return msgspec.json.encode(UnwrittenReport(report, envelope, wishes, map))


def unwritten_report(letter: LetterOut) -> UnwrittenReport:
    """What a report says. Raises msgspec.DecodeError for a letter that says nothing a report could say."""
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
    office: Office, wishes: Wishes, template: str, letter: Any, envelope: Outgoing, answered: Answerable
) -> tuple[Any, Outgoing]:
    """The letter, which names the files that are left out as too large, and the envelope with both forms of it."""
    files = envelope.attachments
    form = office.renderer.render(template, letter, answered, _pictures(files))
    body = len(form.text.encode()) + (len(form.html.encode()) if wishes.form == "html" else 0)
    kept = fitting(wishes, body, files)
    without = left_out(wishes, files, kept)
    if without and hasattr(letter, "frame"):
        letter = msgspec.structs.replace(letter, frame=msgspec.structs.replace(letter.frame, left_out=without))
        form = office.renderer.render(template, letter, answered, _pictures(kept))
    if wishes.form != "html":
        return letter, msgspec.structs.replace(envelope, text=form.text, attachments=_beside(kept))
    return letter, msgspec.structs.replace(envelope, text=form.text, html=form.html, attachments=kept)


def _beside(files: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
    """A letter of text alone has no HTML that could show a picture: it lies beside the text."""
    return tuple(msgspec.structs.replace(file, cid="") for file in files)


def answered_by(envelope: Outgoing) -> Answerable:
    """What the taps of a letter answer."""
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
