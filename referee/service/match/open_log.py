"""The log that everybody may read, the witnesses who signed its heads, and what a letter brings to check the dice by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.chance import LINKS, Chance, Keyed, key_of
from referee.core.event import Amended, Drawn, Event, PhaseBegan, Rolled, Ruled
from referee.core.game import Game
from referee.core.hash_tree import Tree
from referee.core.record import (
    Entry,
    Forwarded,
    Happened,
    Luck,
    Opened,
    Overrode,
    Pledged,
    Record,
    Rewound,
    Sealed,
    Tampered,
    blinded,
    check_chain,
)
from referee.core.signed_note import Checkpoint, Key, Note, read_key, read_note, signed
from referee.core.signed_note import note as head_note
from referee.core.signed_note import note as written
from referee.service.base import notes
from referee.service.base.letter_facts import DiceProof, Witnessed
from referee.service.base.note_values import Witness
from referee.service.base.office import At, Office
from referee.service.base.ports import Step
from referee.service.base.times import stamp
from referee.service.match.audit import Audited, sizes_of
from referee.service.match.history import Again
from referee.service.match.playing import BareHand, codec_of
from referee.service.match.sealing import Seals, anchor_of


class Told(msgspec.Struct, frozen=True):
    """The last secret of the dice that was told, in hex: which link it is of which chain."""

    chain: int = -1
    link: int = 0
    secret: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A line of the public log: an entry with what is secret of it left out, and the salt of a payload that is shown."""

    match: str
    seq: int
    at: str
    previous: str
    digest: str
    hash: str
    kind: str | None = None
    payload: str | None = None
    cause: str | None = None
    salt: str = ""

    def entry(self) -> Entry:
        """As an entry, for the chain."""
        kind, payload, cause = self.kind or "", self.payload or "", self.cause or ""
        return Entry(self.match, self.seq, self.at, kind, payload, cause, self.previous, self.digest, self.hash)


def check_open(game: Game[Any], shown: Sequence[Shown], told: Told) -> Audited:
    """Check it. Raises Tampered, msgspec.DecodeError, ValueError for what cannot be read."""
    withheld = {line.seq for line in shown if line.kind is None or line.cause is None}
    head = check_chain([line.entry() for line in shown], withheld=withheld)
    dice = _Dice(told)
    thrown = drawn = 0
    for line, record in _records(game, shown):
        if record is None:
            dice.pass_over(line)
            continue
        event = codec_of(game).event(record.event) if isinstance(record, Happened) else None
        dice.hear(line, record, event)
        if isinstance(event, Rolled | Drawn) and event.seen_by is None and dice.pledged:
            dice.check(line.seq, event)
            thrown += len(event.faces) if isinstance(event, Rolled) else 0
            drawn += len(event.items) if isinstance(event, Drawn) else 0
    dice.end()
    note = (
        f"the match is not over: {thrown} dice and {drawn} draws that everybody was told were checked, no secret ones"
    )
    if withheld:
        note += f"; of {len(withheld)} entries that would tell who was late only the place in the chain was checked"
    return Audited(len(shown), dice=thrown, draws=drawn, head=head, note=note, seals=dice.seals)


def _records(game: Game[Any], shown: Sequence[Shown]) -> Iterator[tuple[Shown, Record | None]]:
    """The records that everybody may read, each found to be what its digest says; None for one that is secret."""
    for line in shown:
        if line.payload is None:
            yield line, None
        else:
            if blinded(bytes.fromhex(line.salt), line.payload) != line.digest:
                raise Tampered(line.seq, "its payload is not what its digest says")
            yield line, codec_of(game).load(line.payload)


class _Held(msgspec.Struct):
    """A seal, the hash of its entry, the signature of its round; `waits` while that is not there."""

    seal: Sealed
    head: str
    waits: bool
    signature: str = ""


class _Phase(msgspec.Struct):
    """A phase by its key, and how many dice of each purpose were thrown in it; `veiled` where others may have been."""

    key: str = ""
    used: dict[str, int] = {}
    veiled: bool = False

    def count(self, seq: int, event: Rolled | Drawn) -> None:
        """No die is thrown twice in a phase, or for another one. Raises Tampered."""
        before = self.used.get(event.purpose, 0)
        wrong = event.first < before if self.veiled else event.first != before
        if wrong or not event.purpose.startswith(f"{self.key}/"):
            raise Tampered(seq, f"{event.purpose} is rolled for twice, or in another phase")
        self.used[event.purpose] = event.first + len(sizes_of(event))


_OUTSIDE = ("filed", "aside", "luck", "override", "rewound", "renewed", "forwarded")
"""Kinds of what comes from people or the clock. Of a secret answer nobody can tell whether it does."""


class _Dice:
    """Secrets as they are told one after the other, and the seal in force."""

    def __init__(self, told: Told) -> None:
        self.pledged, self.seals = False, 0
        self._told = told
        self._chain, self._link, self._opened, self._due = -1, 0, "", False
        self._secrets: dict[tuple[int, int], str] = {}
        self._held: dict[int, _Held] = {}
        self._again = Again()
        self._force: int | None = None
        self._number = self._unknown = 0
        self._phase = _Phase()
        self._before: dict[int, _Phase] = {}
        self._later: list[tuple[int, Rolled | Drawn, _Held]] = []

    def pass_over(self, line: Shown) -> None:
        """A record that is secret: of what kind it is may be told."""
        self._number += line.kind == "sealed"
        self._unknown += line.kind is None
        self._phase.veiled |= line.kind in ("event", None)
        if line.kind in _OUTSIDE:
            self._break()

    def _break(self) -> None:
        """Something came from outside."""
        self._force = None
        self._again.broken()

    def hear(self, line: Shown, record: Record, event: Event | None) -> None:
        """A record that everybody may read."""
        if isinstance(event, PhaseBegan):
            self._force = None
            self._phase = _Phase(event.key)
        if isinstance(event, Rolled | Drawn):
            self._phase.count(line.seq, event)
        if isinstance(event, Ruled | Amended) or line.kind in _OUTSIDE:
            self._break()
        self._again.passed(line.seq, record)
        match record:
            case Rewound():
                self._due, self._before[line.seq] = self.pledged, self._phase
            case Forwarded(undoes=undone):
                before = self._before[undone]
                self._due, self._phase = self.pledged, _Phase(before.key, dict(before.used), before.veiled)
            case Overrode() if record.restores:
                self._due = self.pledged
            case Pledged():
                if (record.chain, record.links) != (self._chain + 1, LINKS) or bool(record.opens) != bool(self._link):
                    raise Tampered(line.seq, "commits to a chain of secrets out of turn")
                if self._link:
                    self._tell(line.seq, record.opens)
                self.pledged, self._chain, self._link, self._opened = True, record.chain, 0, record.anchor
                self._due = False
            case Sealed():
                self._seal(line, record)
            case Opened(number=number):
                held = self._held.get(number)
                if held is not None and not held.waits:
                    raise Tampered(line.seq, "opens a seal that waits for no round, or a second time")
                if held is not None:
                    held.waits, held.signature = False, record.signature

    def _seal(self, line: Shown, seal: Sealed) -> None:
        next_one = self._number + 1
        if self._due or not next_one <= seal.number <= next_one + self._unknown:  # any that is withheld may be a seal
            raise Tampered(line.seq, "is a seal out of turn")
        self._number, self._unknown = seal.number, 0
        if seal.again:
            if seal.link or seal.opens:
                raise Tampered(line.seq, "uses a secret of its chain beside the key that it has again")
            if seal.again not in self._held:
                raise Tampered(line.seq, "has the key of a seal that there is not")
            if not self._again.allows(seal.again):
                raise Tampered(line.seq, "has the key of a seal that is broken")
            self._held[seal.number] = self._held[seal.again]
        else:
            if (seal.chain, seal.link) != (self._chain, self._link + 1):
                raise Tampered(line.seq, "uses another secret than the next one of its chain")
            self._tell(line.seq, seal.opens)
            self._link = seal.link
            self._held[seal.number] = _Held(seal, line.hash, bool(seal.round))
            self.seals += 1
        self._again.sealed(line.seq, seal)
        self._force = seal.number

    def _tell(self, seq: int, opens: str) -> None:
        """The last secret in use is told: it must hash to the one before it."""
        before = hashlib.sha256(bytes.fromhex(opens)).hexdigest() if self._link else opens
        if before != self._opened:
            raise Tampered(seq, "tells a secret that is none of its chain")
        self._secrets[self._chain, self._link] = self._opened = opens

    def check(self, seq: int, event: Rolled | Drawn) -> None:
        """A throw that everybody was told; looked at when its secret is known."""
        if self._force is None:
            raise Tampered(seq, f"its dice for {event.purpose} were thrown under no seal")
        held = self._held[self._force]
        if held.waits:
            raise Tampered(seq, f"its dice for {event.purpose} did not wait for their round")
        self._later.append((seq, event, held))

    def end(self) -> None:
        """The last secret is that of the folder; then every throw is looked at. Raises Tampered."""
        told = self._told
        if told.secret and (told.chain, told.link) == (self._chain, self._link):
            if hashlib.sha256(bytes.fromhex(told.secret)).hexdigest() != self._opened:
                raise Tampered(-1, "the last secret that is told is none of its chain")
            self._secrets[told.chain, told.link] = told.secret
        for seq, event, held in self._later:
            secret = self._secrets.get((held.seal.chain, held.seal.link))
            if secret is None:
                raise Tampered(seq, f"the secret of its dice for {event.purpose} is not told")
            _check_faces(seq, event, Keyed(key_of(bytes.fromhex(secret), held.head, bytes.fromhex(held.signature))))


def _check_faces(seq: int, event: Rolled | Drawn, dice: Chance) -> None:
    faces = (dice.face(event.purpose, event.first + i, size) for i, size in enumerate(sizes_of(event)))
    if tuple(faces) != event.faces:
        raise Tampered(seq, f"its dice are not what its seal gives for {event.purpose}")


# ---------------------------------------------------------------- the witnesses of a match
# Those named to sign the heads of its log, and the heads they signed.


MOST = 3
"""So many witnesses a match has at most."""

WRONG = {
    "key": "the head is signed by another key than the heads before",
    "size": "the head has fewer entries than one that was signed before",
    "root": "another head with as many entries was signed before: there are two logs",
    "proof": "it is not shown that the log goes on from the head that was signed before",
}
"""Faults that a witness may find with a head."""


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
    """The last head that each witness signed, and the faults it found since."""
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


# ---------------------------------------------------------------- what a letter gives its reader to check the dice by
# The secret that is opened, rounds, words, and the signed head of the log.


ChanceTold = Sealed | Opened | Luck


def proof_of(hand: BareHand, chance: Iterable[ChanceTold] = ()) -> DiceProof:
    """The proof of the dice so far; `chance` are the seals, rounds and words of the phases that a letter reports."""
    seals, secret, facts = hand.playing.seals, hand.playing.row.secret, list[tuple[str, str]]()
    if seals.link and not hand.playing.outcome.sealed:
        facts.append((f"Secret {seals.link} of chain {seals.chain}", seals.opens(secret)))
        facts += [("End of the chain", anchor_of(secret, seals))] if seals.later else []
    facts += _of(chance, seals, bool(hand.playing.created.beacon))
    head = signed_head(hand.office, hand.match, hand.playing.told_tree)
    return DiceProof(tuple(facts), head, witnessed(hand.step, hand.match))


def _of(chance: Iterable[ChanceTold], seals: Seals, by_rounds: bool) -> Iterator[tuple[str, str]]:
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
    """The name of a match's log for everybody who compares heads."""
    return f"{office.address}/{match}"


def signed_head(office: Office, match: str, tree: Tree) -> str:
    """The head of a log as a signed note, in its lines; "" where nothing is signed."""
    if office.signer is None:
        return ""
    text = Checkpoint(origin(office, match), tree.size, tree.root()).text()
    key = Key(office.signer.name, office.signer.public)
    return head_note(text, [signed(text, key, office.signer.sign)])


# ---------------------------------------------------------------- the list of a folder's files
# Every file by its digest, below a note that the key of the heads signed; log.jsonl is under the head itself.


LISTED, LOG = "files.txt", "log.jsonl"

Listing = Callable[[Mapping[str, str]], bytes]
"""Writes the list of files by their digests."""


def listed(office: Office, match: str, size: int, digests: Mapping[str, str]) -> bytes:
    """The list, under a note that says of which log it is, and of how many entries."""
    if office.signer is None:
        return b""
    lines = "".join(f"{digest} {path}\n" for path, digest in sorted(digests.items()))
    text = f"files/v1\n{origin(office, match)} {size}\n{hashlib.sha256(lines.encode()).hexdigest()}\n"
    key = Key(office.signer.name, office.signer.public)
    return (head_note(text, [signed(text, key, office.signer.sign)]) + "\n" + lines).encode()


def read_listed(written: bytes) -> tuple[Note | None, dict[str, str], str]:
    """The note of a list, its files by their digests, and the digest of them all."""
    head, _, lines = written.decode("utf-8", "replace").rpartition("\n\n")
    listed = [(path, digest) for digest, blank, path in (line.partition(" ") for line in lines.split("\n")) if blank]
    note = read_note(f"{head}\n") if len(dict(listed)) == len(listed) else None  # none of a path that has two digests
    return note, dict(listed), hashlib.sha256(lines.encode()).hexdigest()


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
