"""The witnesses of a match: who was named to sign the heads of its log, and what they signed."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.proof.signed_note import Note, read_key, read_note
from referee.core.proof.signed_note import note as written
from referee.service import notes
from referee.service.letters import Witnessed
from referee.service.ports import Step
from referee.service.remembered import Witness
from referee.service.times import stamp

MOST = 3
"""So many witnesses a match has at most."""

WRONG = {
    "key": "the head is signed by another key than the heads before",
    "size": "the head has fewer entries than one that was signed before",
    "root": "another head with as many entries was signed before: there are two logs",
    "proof": "it is not shown that the log goes on from the head that was signed before",
}
"""What a witness may find wrong with a head."""


def named(step: Step, match: str) -> tuple[Witness, ...]:
    """All that were ever named, in that order; what they signed is kept when they are witnesses no more."""
    return notes.WITNESSES.of(match).read(step) or ()


def witnesses(step: Step, match: str) -> tuple[Witness, ...]:
    """Those that are witnesses now."""
    return tuple(witness for witness in named(step, match) if witness.on)


def keep_witness(step: Step, match: str, witness: Witness) -> None:
    """Keep what is known of a witness now."""
    every = {each.address: each for each in named(step, match)} | {witness.address: witness}
    notes.WITNESSES.of(match).keep(step, tuple(every.values()))


def called(witness: Witness) -> str:
    """The name that a witness signs with; before its first answer its address."""
    key = read_key(witness.key)
    return key.name if key else witness.address


def signed_by(witness: Witness) -> str:
    """The last head that a witness signed, with its size and when, in a sentence; or that there is none."""
    if witness.moment is None:
        asked = "Asked to be a witness, without an answer so far" if witness.asked else "Named as a witness"
        return f"{asked}: {witness.address}."
    return f"Witnessed: {witness.size} entries by {called(witness)}, {stamp(witness.moment, 'UTC')}."


def _refusal(witness: Witness) -> str:
    return f"{called(witness)} signs no later head: {WRONG[witness.refused]}."


def sentences(step: Step, match: str) -> Iterator[str]:
    """What each witness signed last, and what it found wrong since."""
    for witness in witnesses(step, match):
        yield signed_by(witness)
        if witness.refused:
            yield _refusal(witness)


def witnessed(step: Step, match: str) -> tuple[Witnessed, ...]:
    """The same for a letter, with the notes; witnesses of one head stand in one note."""
    found: dict[str, Note] = {}
    for note in filter(None, (read_note(witness.note) for witness in witnesses(step, match))):
        before = found.get(note.text, note)
        found[note.text] = Note(note.text, tuple(dict.fromkeys((*before.signatures, *note.signatures))))
    told: list[Witnessed] = []
    for witness in witnesses(step, match):
        own = read_note(witness.note)
        both = found.pop(own.text, None) if own else None
        told.append(Witnessed(signed_by(witness), written(both.text, both.signatures) if both else ""))
        if witness.refused:
            told.append(Witnessed(_refusal(witness)))
    return tuple(told)
