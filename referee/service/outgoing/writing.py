"""Receipts are queued as what they say and written out when they go: the desk makes orders safe before it words answers.

In the last hour before a deadline orders come faster than answers are written. Templates, MIME and signature of a
receipt cost as much as half of everything else about its letter, and its postman does that work (decision 012).
"""

from __future__ import annotations

import msgspec

from referee.mail import Answerable, Outgoing, bounce_mark, compose
from referee.service.letters import Receipt
from referee.service.office import Office
from referee.service.ports import LetterOut


class Unwritten(msgspec.Struct, frozen=True):
    """A receipt and what goes round it; text and HTML of the envelope are empty.

    A receipt that would have more than `most` bytes goes in plain text alone; 0: any.
    """

    receipt: Receipt
    envelope: Outgoing
    most: int = 0


_decoder = msgspec.json.Decoder(Unwritten)


def said(receipt: Receipt, envelope: Outgoing, most: int = 0) -> bytes:
    """What the outbox keeps of a receipt: JSON."""
    return msgspec.json.encode(Unwritten(receipt, envelope, most))


def unwritten(letter: LetterOut) -> Unwritten:
    """What a receipt says. Raises msgspec.DecodeError for a letter that says nothing a receipt could say."""
    return _decoder.decode(letter.said or b"")


def written(office: Office, letter: LetterOut) -> LetterOut:
    """The letter with its bytes; one that has them is left as it is.

    Equal words give equal bytes with the same templates and, but for the time in a signature, the same key.
    Raises msgspec.DecodeError for what is no receipt.
    """
    if letter.raw:
        return letter
    what = unwritten(letter)
    form = office.renderer.render("receipt", what.receipt, answered_by(what.envelope))
    raw = compose(msgspec.structs.replace(what.envelope, text=form.text, html=form.html))
    if what.most and len(raw) > what.most:
        raw = compose(msgspec.structs.replace(what.envelope, text=form.text))
    return msgspec.structs.replace(letter, raw=office.sign(raw))


def answered_by(envelope: Outgoing) -> Answerable:
    """What the taps of a letter answer."""
    return Answerable(envelope.reply_to, envelope.subject, envelope.message_id)


def mark_of(letter: LetterOut) -> str:
    """The mark in the letter's own address for bounces, the same before and after it is written out."""
    return bounce_mark(letter.raw if letter.said is None else letter.said)
