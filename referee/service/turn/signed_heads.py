"""Signed heads of a log: sent to witnesses, signed for others."""

from __future__ import annotations

import re
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from referee.core.hash_tree import Ask, Found, Tree, ask_text, consistency, find, read_ask
from referee.core.signed_note import (
    COSIGNATURE,
    ED25519,
    Key,
    KeyChange,
    Note,
    followers,
    is_signed,
    note,
    read_changes,
    read_key,
    read_keys,
    read_note,
    read_notes,
    signed,
)
from referee.mail import Letter, Outgoing, compose, parse_recipient, reply_address, token_digest
from referee.service.base import notes
from referee.service.base.note_values import Consent, LogSeen, Witness
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, LetterOut, Player
from referee.service.match.open_log import MOST, WRONG, keep_witness, key_text, named, origin, signed_head, witnesses
from referee.service.match.playing import BareHand, leaf
from referee.service.match.result import Denial
from referee.service.post.answer_limits import Answering, Purse, keep_back, pay, room
from referee.service.post.post import letter_id, witness_token

# ---------------------------------------------------------------- letters between referees
# Plain text whose lines are never broken, since programs read them.


def to_a_program(
    at: At,
    kind: str,
    match: str,
    to: str,
    subject: str,
    text: str,
    unique: str,
    reply_to: str = "",
    answers: str = "",
) -> LetterOut:
    """A letter that a program reads, to be queued. It belongs to no list, or it would be taken for one of those."""
    now = at.now
    id = letter_id(at, kind, unique, "", 0, to)
    envelope = Outgoing(
        sender=at.office.address,
        sender_name=at.office.name,
        to=to,
        reply_to=reply_to or at.office.address,
        subject=subject,
        dated=now,
        message_id=id,
        host=at.office.host,
        text=text,
        answers=answers,
    )
    return LetterOut(0, id, match, kind, at.office.address, to, at.office.sign(compose(envelope)), now, now)


# ---------------------------------------------------------------- heads
# The heads of a match go to its witnesses, with the proof that the log went on from the head they signed last.
#
# Nothing waits for a witness. A named witness gets one letter, and no other before an answer to that; then one at a time, and
# after a day without an answer the next head; after a week of letters without an answer none.


_AGAIN = timedelta(days=30)
"""So long an address that did not answer is not asked again, whoever names it."""

_PATIENCE = timedelta(days=1)
_UNANSWERED = 7

_SAYS = """\
This is the head of the log of a match that is played by mail here, for
a witness: it checks that the log only went on from the head before, and
answers with its signature, as a program does (c2sp.org/tlog-witness).

If you are no such program, reply NO or do nothing: then no letter like
this comes again.
"""


def name_witness(at: At, match: str, address: str) -> None:
    """Name a witness of a match; it is asked with the next head."""
    before = {witness.address: witness for witness in named(at.step, match)}
    known = before.get(address)
    if known is not None and known.on:
        raise Denial(f"{address} is a witness of {match} already.")
    if len(witnesses(at.step, match)) >= MOST:
        raise Denial(f"{match} has {MOST} witnesses, and that is the most; NO WITNESS and an address makes room.")
    consent = notes.CONSENT.of(address).read(at.step)
    if consent is not None and consent.state == "declined":
        raise Denial(f"{address} has answered that it does not want to be a witness.")
    if consent is not None and consent.state == "asked":
        if at.now - consent.asked < _AGAIN:
            raise Denial(f"{address} was asked to be a witness and has not answered; it is asked once in thirty days.")
        notes.CONSENT.of(address).forget(at.step)
    token = token_digest(witness_token(at, match, address))
    witness = Witness(address, token)
    if known is not None:
        witness = replace(known, on=True, asked=known.size, asked_at=None, unanswered=0, refused="", refused_at=None)
    keep_witness(at.step, match, witness)


def send_heads(hand: BareHand) -> None:
    """Ask every witness that is to be asked now to sign the head that everybody was told."""
    match, tree = hand.match, hand.playing.told_tree
    due = [witness for witness in witnesses(hand.step, match) if _is_due(hand, witness, tree)]
    if not due or hand.office.signer is None:
        return
    leaves = [leaf(entry) for entry in hand.step.entries(match)[: tree.size]]
    note = signed_head(hand.office, match, tree)
    for witness in due:
        proof = consistency(leaves, witness.size, tree.size)
        echo = f"\nThis is what you signed last:\n\n{witness.note}" if witness.note else ""
        asks = ask_text(witness.size, proof, note)
        changes = "".join(f"{change}\n" for change in hand.office.key_changes)
        text = f"{_SAYS}\nKey of the log: {key_text(hand.office)}\n\n{changes}{asks}{echo}"
        where = reply_address(hand.office.address, match, witness_token(hand, match, witness.address))
        subject = f"[{origin(hand.office, match)}] head {tree.size}"
        unique = f"{match}.{tree.size}"
        hand.step.post(to_a_program(hand, "head", match, witness.address, subject, text, unique, where))
        size = tree.size
        now, slip = hand.now, notes.CONSENT.of(witness.address)
        consent = slip.read(hand.step)
        if consent is None or consent.state == "asked":
            slip.keep(hand.step, Consent(now))
        keep_witness(hand.step, match, replace(witness, asked=size, asked_at=now, unanswered=witness.unanswered + 1))


def _is_due(at: At, witness: Witness, tree: Tree) -> bool:
    """Whether a letter goes to a witness now."""
    now, consent = at.now, notes.CONSENT.of(witness.address).read(at.step)
    if witness.refused or tree.size <= max(witness.size, witness.asked):
        return False
    if consent is None or consent.state != "agreed":
        return consent is None
    answered = witness.asked <= witness.size
    waited = witness.asked_at is None or now - witness.asked_at >= _PATIENCE
    return witness.unanswered < _UNANSWERED and (answered or waited)


# ---------------------------------------------------------------- we sign heads of others' logs that come by letter
# Each that goes on from the last one we signed, and no other.
#
# The first to ask is believed about the log and its key; from then on another key, fewer entries, other entries or a
# proof that does not hold are refused, the host of that log is told so in one letter a day, and our keeper in his digest. Only
# a letter with a signed head is answered, once for each new head, and only to the address that the log itself is named after,
# from the purse of letters that prove nothing, until a head comes back with our signature under the one before: then somebody
# reads there.


_LARGEST = 64_000
_OF_ONE_HOST = 20
_DAY, _ONCE, _LONG = timedelta(days=1), timedelta(days=7), timedelta(days=365)
_ORIGIN = re.compile(r"(?P<address>[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,100})/[A-Za-z0-9-]{1,40}")
_SELF = ("Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied")


class Head(msgspec.Struct, frozen=True):
    """A letter that asks us to sign a head: of which log, by which key, to whom we answer, and by which changes of its keys."""

    ask: Ask
    key: Key
    to: str
    changes: tuple[KeyChange, ...] = ()


def is_by_a_program(letter: Letter) -> bool:
    """Whether a letter says no more of a machine than that one wrote it: a bounce, or a list, says more."""
    return letter.size <= _LARGEST and set(letter.automatic) <= set(_SELF)


def head_in(office: Office, letter: Letter) -> Head | None:
    """The signed head in a letter that asks us to be its witness; None for any other letter.

    The log is named after an address, which is that of the letter's sender, and of nobody here; the head bears the signature
    of a key that stands in the letter.
    """
    if office.signer is None or not office.witnessing.serve or not is_by_a_program(letter):
        return None
    ask = read_ask(letter.text)
    named = _ORIGIN.fullmatch(ask.head.origin) if ask else None
    if ask is None or named is None or ask.head.extensions or parse_recipient(named["address"], office.address):
        return None
    to = _answered_to(letter, named["address"])
    names = (named["address"].replace("+", "-"), ask.head.origin)  # nothing else of its own goes into our answer
    keys = [key for key in read_keys(letter.text) if key.kind == ED25519 and key.name in names]
    key = next((key for key in keys if is_signed(ask.note, key, office.verify)), None)
    return Head(ask, key, to, read_changes(letter.text)) if to and key else None


def _answered_to(letter: Letter, address: str) -> str:
    """Where the answer goes: to the address of the log itself, with whatever it adds; "" where the letter is not from there."""
    if letter.from_count != 1 or parse_recipient(letter.sender, address) is None:
        return ""
    wanted = letter.reply_to or letter.sender
    return wanted if parse_recipient(wanted, address) is not None else ""


def serve(at: At, row: LetterIn, letter: Letter, head: Head) -> str:
    """Sign a head or refuse it, and answer; what was done, for the log."""
    origin = head.ask.head.origin
    seen = notes.LOG_SEEN.of(origin).read(at.step)
    if seen is None and room(at, _host(at.office, head), "stranger").answers < 1:
        keep_back(at, _host(at.office, head), Answering(row.id, "stranger"))
        return "a first head, and no answer: too many were sent"
    if seen is None and not _has_room(at, origin):
        return "no room for another log"
    last = read_note(seen.note) if seen else None
    found = _found(at.office, seen, last, head)
    purse: Purse = "request" if last and _brings_back(letter, last) else "stranger"
    if found in WRONG and seen is not None:
        return _refuse(at, row, letter, head, seen, found, purse)
    now = at.now
    if found == "known" and seen is not None:
        if seen.again is not None and now - seen.again < _DAY:
            return "the head that was signed last was sent a day ago"
        notes.LOG_SEEN.of(origin).keep(at.step, replace(seen, again=now))
        said = "I know the head below, and sign nothing else without a proof that goes on from it."
        return _answer(at, row, letter, head, _signed_text(at.office, said, seen.note), purse)
    signed_now = _sign(at.office, head)
    heads = seen.heads + 1 if seen else 1
    kept = LogSeen(head.key.text(), signed_now, now, heads)
    notes.LOG_SEEN.of(origin).keep(at.step, kept)
    said = (
        "This log only went on from the head that I signed before." if seen else "I sign heads of this log from now on."
    )
    return _answer(at, row, letter, head, _signed_text(at.office, said, signed_now), purse)


def _host(office: Office, head: Head) -> Player:
    """The reader at the address of a log; whether he wrote is not known."""
    return Player(0, "", (head.to,), office.zone)


def _found(office: Office, seen: LogSeen | None, last: Note | None, head: Head) -> Found:
    if seen is None or last is None:
        return "goes on"
    before = read_key(seen.key)
    if before is None or head.key not in followers(before, head.changes, office.verify):
        return "key"
    return "root" if seen.fork else find(last.checkpoint(), head.ask)


def _sign(office: Office, head: Head) -> str:
    """The head with the signature of its log and our own; what others signed is left out."""
    assert office.signer is not None  # else no letter is taken for one that asks
    text, key = head.ask.note.text, witness_key(office)
    theirs = [each for each in head.ask.note.signatures if (each.name, each.id) == (head.key.name, head.key.id())]
    return note(text, [theirs[0], signed(text, key, office.signer.sign, int(office.clock.now().timestamp()))])


def witness_key(office: Office) -> Key:
    """The key that we sign with as a witness."""
    assert office.signer is not None  # asked for only where we sign
    return Key(office.signer.name, office.signer.public, COSIGNATURE)


def _signed_text(office: Office, said: str, written: str) -> str:
    changes = "".join(f"\n{change}" for change in office.key_changes)
    return f"{said}\n\n{written}\nKey of the witness: {witness_key(office).text()}\n{changes}"


def _brings_back(letter: Letter, last: Note) -> bool:
    """Whether a letter has what only our last answer had: our signature. So somebody reads where we answer."""
    return any(
        found.text == last.text and set(last.signatures) <= set(found.signatures) for found in read_notes(letter.text)
    )


def _refuse(at: At, row: LetterIn, letter: Letter, head: Head, seen: LogSeen, found: Found, purse: Purse) -> str:
    """Sign nothing, remember what is wrong, and say so once a day."""
    now, size = at.now, head.ask.head.size
    warned = seen.warned is not None and now - seen.warned < _DAY and seen.wrong == found
    fork = note(head.ask.note.text, head.ask.note.signatures) if found == "root" else ""
    kept = replace(seen, wrong=found, warned=seen.warned if warned else now, fork=seen.fork or fork)
    notes.LOG_SEEN.of(head.ask.head.origin).keep(at.step, kept)
    if warned:
        return f"refused, and told so today: {found}"
    text = f"Refused ({found}): the head of {size} entries is not signed, since {WRONG[found]}.\n"
    _answer(at, row, letter, head, text, purse)
    return f"refused: {found}"


def _answer(at: At, row: LetterIn, letter: Letter, head: Head, text: str, purse: Purse) -> str:
    """Write to the host of a log, if a purse pays for it; what was done, for the log."""
    asks, origin = _host(at.office, head), head.ask.head.origin
    subject = f"Re: [{origin}] head {head.ask.head.size}"
    queued = to_a_program(at, "witness", "", head.to, subject, text, str(row.id), answers=letter.message_id)
    left = room(at, asks, purse)
    if left.answers < 1 or left.size < len(queued.raw):
        keep_back(at, asks, Answering(row.id, purse))
        return "a head, and no answer: too many were sent"
    at.step.post(queued)
    pay(at, asks, Answering(row.id, purse), len(queued.raw))
    return "a head, answered"


def _has_room(at: At, origin: str) -> bool:
    """Whether another log can be known here. Where all room is taken, one makes room that came once only, or not for a year."""
    seen = notes.LOG_SEEN.every(at.step)
    host = origin.rpartition("/")[0].lower()
    if sum(known.rpartition("/")[0].lower() == host for known in seen) >= _OF_ONE_HOST:
        return False
    if len(seen) < at.office.witnessing.logs:
        return True
    now = at.now
    idle = [(log.at, known) for known, log in seen.items() if now - log.at >= (_LONG if log.heads > 1 else _ONCE)]
    if idle:
        notes.LOG_SEEN.of(min(idle)[1]).forget(at.step)
    return bool(idle)
