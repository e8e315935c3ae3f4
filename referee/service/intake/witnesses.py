"""The answers of witnesses: a head of one of our matches signed, something found wrong, or a wish to be no witness.

The first answer must come by the reply address that only the letter to the witness had; the key in it is kept. Later ones count
by that key, however they come. Nothing that a witness writes is answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product

from msgspec.structs import replace

from referee.core.hash_tree import Tree, is_head
from referee.core.signed_note import (
    COSIGNATURE,
    Key,
    Note,
    Signature,
    cosigned_at,
    followers,
    is_signed,
    read_changes,
    read_key,
    read_keys,
    read_note,
    read_notes,
    read_signatures,
)
from referee.core.signed_note import note as written
from referee.mail import Letter, Route, strip, token_digest
from referee.service.base import notes
from referee.service.base.note_values import Consent, Witness
from referee.service.base.office import At, Office
from referee.service.match.open_log import (
    WRONG,
    called,
    keep_witness,
    origin,
    our_key,
    signed_by,
    signed_head,
    witnesses,
)
from referee.service.match.playing import leaf, load
from referee.service.turn.signed_heads import is_by_a_program
from referee.service.turn.writer import Hand

_AHEAD = timedelta(days=1)
_HEADS = 4
_NAME = re.compile(r"[A-Za-z0-9@._/:-]{1,100}")
_REFUSED = re.compile(rf"(?m)^[ \t]*Refused \(({'|'.join(WRONG)})\)")
_NO = re.compile(r"(no|stop|unsubscribe)\b", re.IGNORECASE)


def witness_in(at: At, route: Route | None, letter: Letter) -> tuple[str, Witness, bool] | None:
    """The witness and the match of a letter, and whether it came by its own reply address; None for another letter."""
    if route is not None and route.token and route.match:
        digest = token_digest(route.token)
        found = (each for each in notes.WITNESSES.of(route.match).read(at.step) or () if each.token == digest)
        return next(((route.match, witness, True) for witness in found), None)
    if not is_by_a_program(letter):
        return None
    for head in read_notes(letter.text):
        checkpoint = head.checkpoint()
        ours, _, match = checkpoint.origin.rpartition("/") if checkpoint else ("", "", "")
        if ours == at.office.address:
            for witness in witnesses(at.step, match):
                key = read_key(witness.key)
                if key is not None and any((line.name, line.id) == (key.name, key.id()) for line in head.signatures):
                    return match, witness, False
    return None


def hear_witness(at: At, route: Route | None, letter: Letter) -> str:
    """Take what a witness answers; what was done, for the log."""
    found = witness_in(at, route, letter)
    row = at.step.match(found[0]) if found else None
    if found is None or row is None or at.step.last_entry(row.name) is None or not is_by_a_program(letter):
        return "nothing of it is read"
    _, witness, own = found
    if not witness.on:
        return "it is a witness no more"
    hand = Hand(at.office, at.step, load(at, row), by=at.office.name)
    signed = _signed(hand, witness, letter, own)
    if signed is not None:
        return _keep(hand, witness, signed)
    wrong = _of_another_log(hand, witness, letter)
    if wrong:
        return _refused(hand, witness, wrong)
    if not own:
        return "no signature of the witness that can be verified"
    refused = _REFUSED.search(letter.text)
    if refused is not None:
        return _refused(hand, witness, refused[1])
    if not letter.by_machine and _says_no(letter):
        return _declined(hand, witness)
    return "no signature of the witness that can be verified"


def _signed(hand: Hand, witness: Witness, letter: Letter, own: bool) -> Witness | None:
    """The witness with the largest head of our log that it signed in this letter; None where it signed none."""
    lines, keys = read_signatures(letter.text), _keys(hand.office, witness, letter, own)
    for head in _heads(hand, witness, letter):
        for line, key in product(lines, keys):
            moment = _moment(hand.office, head.text, line, key)
            checkpoint = head.checkpoint()
            if moment is not None and checkpoint is not None:
                both = written(head.text, [*head.signatures, line])
                return replace(witness, key=key.text(), size=checkpoint.size, note=both, moment=moment)
    return None


def _keys(office: Office, witness: Witness, letter: Letter, own: bool) -> tuple[Key, ...]:
    """The key of a witness, and those that it says came in its place; before its first answer those that stand in it."""
    known = read_key(witness.key)
    if known is not None:
        return followers(known, read_changes(letter.text), office.verify)
    return tuple(
        key for key in (read_keys(letter.text) if own else ()) if key.kind == COSIGNATURE and _NAME.fullmatch(key.name)
    )


def _moment(office: Office, text: str, line: Signature, key: Key) -> datetime | None:
    """When this key signed this head, by this line; None where it did not, or says that it will."""
    at = cosigned_at(line)
    if at is None or at > (office.clock.now() + _AHEAD).timestamp():
        return None
    return datetime.fromtimestamp(at, UTC) if is_signed(Note(text, (line,)), key, office.verify) else None


def _heads(hand: Hand, witness: Witness, letter: Letter) -> Iterator[Note]:
    """The heads of our log that a letter may have signed, with our signature: those in it, and the one it was asked about."""
    leaves = [leaf(entry) for entry in hand.step.entries(hand.match)]
    sizes = [head.size for each in read_notes(letter.text)[:_HEADS] if (head := each.checkpoint()) is not None]
    for size in sorted({witness.asked, *sizes}, reverse=True):
        note = read_note(signed_head(hand.office, hand.match, Tree.of(leaves[:size]))) if size <= len(leaves) else None
        if size and note is not None:
            yield note


def _keep(hand: Hand, before: Witness, signed: Witness) -> str:
    """Keep what a witness signed, if it is later than what it signed before."""
    match = hand.match
    notes.CONSENT.of(signed.address).keep(hand.step, Consent(hand.now, "agreed"))
    if before.key and signed.size <= before.size:
        keep_witness(hand.step, match, replace(before, asked_at=None, unanswered=0))
        return f"a witness has signed {signed.size} entries, as is known"
    keep_witness(hand.step, match, replace(signed, asked_at=None, unanswered=0))
    return f"a witness has signed {signed.size} entries"


def _of_another_log(hand: Hand, witness: Witness, letter: Letter) -> str:
    """The fault where a witness sends a head that it signed, and we, and that is none of this log; "" for none."""
    known, own = read_key(witness.key), our_key(hand.office)
    leaves = [leaf(entry) for entry in hand.step.entries(hand.match)]
    for each in read_notes(letter.text)[:_HEADS]:
        head = each.checkpoint()
        if head is None or known is None or own is None or head.origin != origin(hand.office, hand.match):
            continue
        if is_signed(each, known, hand.office.verify) and is_signed(each, own, hand.office.verify):
            if head.size > len(leaves):
                return "size"
            return "" if is_head(leaves, head.size, head.root) else "root"
    return ""


def _refused(hand: Hand, witness: Witness, wrong: str) -> str:
    """A witness signs no more: everybody in the match is told, once."""
    if witness.refused == wrong:
        return f"a witness has refused, as is known: {wrong}"
    match = hand.match
    keep_witness(hand.step, match, replace(witness, refused=wrong, refused_at=hand.now, unanswered=0))
    said = (
        f"{called(witness)} signs no later head of the log of {match}: {WRONG[wrong]}.",
        signed_by(witness),
        f"Ask it, and the host of this match, what happened: {witness.address} is not answerable to this host.",
    )
    hand.tell("a witness refuses the log", said)
    return f"a witness has refused: {wrong}"


def _says_no(letter: Letter) -> bool:
    said = next((line.text.strip() for line in strip(letter.text).lines if line.text.strip()), "")
    return _NO.match(said) is not None or letter.subject.strip().lower() == "unsubscribe"


def _declined(hand: Hand, witness: Witness) -> str:
    """A program that does not want to be a witness is none, and nobody asks there again."""
    match = hand.match
    notes.CONSENT.of(witness.address).keep(hand.step, Consent(hand.now, "declined"))
    keep_witness(hand.step, match, replace(witness, on=False))
    said = (f"{witness.address} does not want to be a witness of {match}.", "WITNESS names another one.")
    hand.tell("a witness declines", said)
    return "it does not want to be a witness"
