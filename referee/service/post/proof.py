"""What a letter gives its reader to check the dice by: the secret that is opened, rounds, words, and the signed head of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from referee.core.proof.signed_note import Checkpoint, Key, note, signed
from referee.core.proof.tree import Tree
from referee.core.record import Luck, Opened, Sealed
from referee.service.base import notes
from referee.service.base.letters import DiceProof
from referee.service.base.office import At, Office
from referee.service.match.open_log import witnessed
from referee.service.match.playing import BareHand
from referee.service.match.sealing import Seals

Chance = Sealed | Opened | Luck


def proof_of(hand: BareHand, chance: Iterable[Chance] = ()) -> DiceProof:
    """The proof of the dice so far; `chance` are the seals, rounds and words of the phases that a letter reports."""
    seals, facts = hand.playing.seals, list[tuple[str, str]]()
    if seals.link and not hand.playing.outcome.sealed:
        facts.append((f"Secret {seals.link} of chain {seals.chain}", seals.opens(hand.playing.row.secret)))
    facts += _of(chance, seals, bool(hand.playing.created.beacon))
    head = signed_head(hand.office, hand.match, hand.playing.told_tree)
    return DiceProof(tuple(facts), head, witnessed(hand.step, hand.match))


def _of(chance: Iterable[Chance], seals: Seals, by_rounds: bool) -> Iterator[tuple[str, str]]:
    """Rounds, each once, those that were opened before mended rules threw again too; and words.

    Where dice were to come of rounds (`by_rounds`), that some came of none is said openly.
    """
    told: set[tuple[str, str]] = set()
    records = tuple(chance)
    why = {record.number: record.why for record in records if isinstance(record, Opened)}
    for record in records:
        if isinstance(record, Luck):
            yield f"{record.seat}'s word", record.word
        if isinstance(record, Sealed):
            key = seals.keys[record.number]
            name = f"Round {key.round} of the beacon" if key.round else "Round of the beacon"
            fact = name, key.signature or f"none{_since(why.get(record.again or record.number, ''))}"
            if (key.round or by_rounds) and fact not in told:
                told.add(fact)
                yield fact


def _since(why: str) -> str:
    return f", since {why}" if why else ""


def origin(office: Office, match: str) -> str:
    """By what name the log of a match is known to whoever compares heads."""
    return f"{office.address}/{match}"


def signed_head(office: Office, match: str, tree: Tree) -> str:
    """The head of a log as a signed note, in its lines; "" where nothing is signed."""
    if office.signer is None:
        return ""
    text = Checkpoint(origin(office, match), tree.size, tree.root()).text()
    key = Key(office.signer.name, office.signer.public)
    return note(text, [signed(text, key, office.signer.sign)])


def with_new_key(at: At, match: str, proof: DiceProof) -> DiceProof:
    """The proof, with the key that signs now and how it follows from the one that everybody in the match was told of last."""
    if not at.office.key_changes or notes.KEY_TOLD.of(match).read(at.step) == key_text(at.office):
        return proof
    return replace(proof, key=key_text(at.office), changes=at.office.key_changes)


def key_is_told(at: At, match: str) -> None:
    """Everybody in a match is told of the key that signs now."""
    if at.office.key_changes:
        notes.KEY_TOLD.of(match).keep(at.step, key_text(at.office))


def our_key(office: Office) -> Key | None:
    """The key that signs the heads of our logs; None where nothing is signed."""
    return Key(office.signer.name, office.signer.public) if office.signer else None


def key_text(office: Office) -> str:
    """The key that signs, as verifiers take it; "" where nothing is signed."""
    key = our_key(office)
    return key.text() if key else ""
