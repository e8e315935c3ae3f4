"""The heads of a match go to its witnesses, with the proof that the log went on from the head they signed last.

Nothing waits for a witness. Who was named gets one letter, and no other before an answer to that; then one at a time, and after a
day without an answer the next head; after a week of letters without an answer none.
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from referee.core.proof.tree import Tree, consistency
from referee.core.proof.witnessing import ask_text
from referee.mail import reply_address, token_digest
from referee.service import notes
from referee.service.match.hand import BareHand
from referee.service.match.playing import leaf
from referee.service.match.result import Denial
from referee.service.match.witnesses import MOST, keep_witness, named, witnesses
from referee.service.office import At
from referee.service.outgoing.post import witness_token
from referee.service.outgoing.proof import key_text, origin, signed_head
from referee.service.remembered import Consent, Witness
from referee.service.witness.letters import to_a_program

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
