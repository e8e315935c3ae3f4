"""Letters of machines: those that come back, and the answers of witnesses.

One that comes back speaks of an address; here is how much that counts against it, and whom it is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import product

from msgspec.structs import replace

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
from referee.core.tree import Tree, is_head
from referee.mail import Letter, Route, strip, token_digest
from referee.mail.address import unmasked
from referee.mail.reading.bounces import Bounce, bounce_in
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, LetterOut, Step
from referee.service.base.remembered import Consent, Failures, Witness
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
from referee.service.match.playing import BareHand, leaf, load
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.post.tray import mark_of
from referee.service.turn.hand import Hand
from referee.service.turn.heads import is_by_a_program

_HARD, _SOFT = 1.0, 0.25
_LIMIT = 1.0
_REMEMBERED = timedelta(days=14)


def bounces_of(step: Step, row: LetterIn, letter: Letter, route: Route | None) -> tuple[Bounce, ...]:
    """The failure, if this letter is a bounce of ours.

    The address it came to names the letter, and the mark shows that its writer has seen it; the failure then counts
    for whom we wrote to, whatever address the bounce names. Other bounces count for addresses of people we know.
    """
    if not letter.automatic:
        return ()
    reported = bounce_in(row.raw)
    if route is None or route.bounce is None:
        return tuple(bounce for bounce in reported if step.player_at(bounce.address))
    number = route.bounce
    if route.masked:
        number = unmasked(number, route.mark or "", notes.TOKEN_SECRET.of().read(step) or b"")
    sent = step.posted(number)
    if sent is None or route.mark != mark_of(sent):
        return ()
    address = sent.recipient.lower()
    if reported:
        worst = max(reported, key=lambda bounce: bounce.hard)
        return (Bounce(address, worst.hard, worst.why),)
    return (Bounce(address, False, letter.subject[:200]),) if _by_a_server(letter) else ()


def _by_a_server(letter: Letter) -> bool:
    """Whether a letter without a report comes from a mail server, not from a reader who is away."""
    away = any(sign.startswith("Auto-Submitted: auto-replied") for sign in letter.automatic)
    return not away and letter.sender.partition("@")[0] in ("mailer-daemon", "postmaster")


def count_bounce(at: At, bounce: Bounce) -> bool:
    """Count a failure against its address, at most one a day; True when the address is out of reach from now on."""
    now = at.now
    before = notes.BOUNCES.of(bounce.address).read(at.step)
    days = _counting(before, now) if before else {}
    was, today = sum(days.values()), f"{now:%Y-%m-%d}"
    days[today] = max(days.get(today, 0.0), _HARD if bounce.hard else _SOFT)
    notes.BOUNCES.of(bounce.address).keep(at.step, Failures(days, bounce.why))
    return was < _LIMIT <= sum(days.values())


def heard_from(step: Step, address: str) -> None:
    """A writer can mostly be written to: a letter from an address halves the count against it."""
    before = notes.BOUNCES.of(address).read(step)
    if before is not None:
        halved = {day: weight / 2 for day, weight in before.days.items() if weight > _SOFT / 2}
        notes.BOUNCES.of(address).keep(step, Failures(halved, before.why) if halved else None)


def out_of_reach(at: At, address: str) -> str:
    """The last words of a server if letters to this address come back, "" while they arrive."""
    record = notes.BOUNCES.of(address.lower()).read(at.step)
    if record is None or sum(_counting(record, at.now).values()) < _LIMIT:
        return ""
    return record.why or "they came back"


def _counting(record: Failures, now: datetime) -> dict[str, float]:
    """The days that still count."""
    first = f"{now - _REMEMBERED:%Y-%m-%d}"
    return {day: weight for day, weight in record.days.items() if day >= first}


# ---------------------------------------------------------------- letters that could not be delivered
# The game masters are told, so that a silent player is not taken for a lazy one.


_MENDS = "REPLACE gives his seat to somebody else; DEADLINE gives him more time."
_NO_WITNESS = "It asked that address to witness the log. NO WITNESS takes it off, and WITNESS names another; nothing waits for it."


def report_undelivered(office: Office, letter: LetterOut, reason: str) -> None:
    """Tell the game masters of a match that one of its letters is given up; never about such a notice itself."""
    if letter.kind in ("undelivered", "unreachable"):
        return
    with office.step() as at:
        count_bounce(at, Bounce(letter.recipient.lower(), True, reason))
        sentences = (
            f"My letter to {letter.recipient} could not be delivered and is given up; it was a {letter.kind}.",
            _NO_WITNESS if letter.kind == "head" else f"He may not know what he owes. {_MENDS}",
        )
        subject = f"no way to {letter.recipient}"
        title = "a letter could not be delivered"
        tell_masters(
            at,
            letter.match,
            letter.recipient,
            "undelivered",
            title,
            subject,
            sentences,
            reason,
            str(letter.id),
        )


def warn_of(at: At, bounce: Bounce) -> None:
    """Tell the game masters of everybody's matches who has this address that letters to it come back."""
    player = at.step.player_at(bounce.address)
    if player is None:
        return
    sentences = (f"Letters to {player.name} at {bounce.address} come back. {_MENDS}",)
    unique = f"{bounce.address}.{at.now:%Y-%m-%d}"
    for match in sorted({m.match for m in at.step.memberships(player.id) if m.status == "playing"}):
        title, subject = "a player cannot be reached", f"{player.name} cannot be reached"
        tell_masters(at, match, bounce.address, "unreachable", title, subject, sentences, bounce.why, unique)


def tell_masters(
    at: At,
    match: str,
    address: str,
    kind: str,
    title: str,
    subject: str,
    sentences: Sequence[str],
    reason: str,
    unique: str,
) -> None:
    """Write to the game masters of a match about an address, but not to that address itself."""
    row = at.step.match(match) if match else None
    if row is None or at.step.last_entry(match) is None:
        return
    hand = BareHand(at.office, at.step, load(at, row))
    for member in at.step.members(match):
        player = at.step.player(member.player)
        if member.role != "gm" or player is None or address in player.addresses:
            continue
        framed = frame(hand, member, player)
        notice = Notice(framed, title, tuple(sentences), reason, at.office.name)
        post(hand, player, Mail(kind, subject, notice, unique), About(hand.playing, member))


# ---------------------------------------------------------------- the answer of a witness
# It signed a head of one of our matches, or found something wrong, or wants to be no witness.
#
# The first answer must come by the reply address that only the letter to the witness had; the key in it is kept. Later ones count
# by that key, however they come. Nothing that a witness writes is answered.


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
