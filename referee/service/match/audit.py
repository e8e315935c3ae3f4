"""The audit: a match checked from its log, phase by phase, and all that ever counted of it.

A phase that these rules began must come out again to the byte. One that other rules began is played by these too; where they
give something else, it is checked by what holds under any rules: chain, dice, fold and ledgers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import IntEnum
from functools import partial
from itertools import groupby
from typing import Any

import msgspec

from referee.core.chance import LINKS, commitment, link
from referee.core.event import Amended, Drawn, Event, PhaseBegan, PhaseEnded, Rolled, Ruled
from referee.core.game import Charges, Game, Phase
from referee.core.names import Role, Seat
from referee.core.position import Diverged, Position, Unfoldable, closing_sheet, fold_on, played_otherwise, start
from referee.core.question import Answer, Question
from referee.core.record import (
    BOT,
    Answered,
    Codec,
    Created,
    Entry,
    Filed,
    Forwarded,
    Happened,
    Live,
    Luck,
    Opened,
    Overrode,
    Pledged,
    Record,
    Renewed,
    Rewound,
    Sealed,
    Sheet,
    Tampered,
    check_chain,
    is_from_outside,
    live,
    salt_of,
)
from referee.core.stage import Ended, Outcome, resume
from referee.kit.rulebook import released_rules
from referee.kit.wording import in_number
from referee.service.base.ports import MatchRow
from referee.service.match.history import Again
from referee.service.match.members import LETTER, tells_late
from referee.service.match.playing import ReadLog, codec_of
from referee.service.match.sealing import Seals, Writing, lots

_CHAIN_AND_DICE = "chain and dice alone; these rules cannot take in what happened"
_TO_THE_FOLD = "chain, dice and fold"
_TO_THE_LEDGERS = "chain, dice, fold and ledgers"


class Verdict(IntEnum):
    """The result of a check; its value is the exit code."""

    SOUND = 0
    UNSOUND = 1
    PARTLY = 3
    """Sound as far as checked: of the rest it is said what it is, and why."""
    OLDER = 4
    """The files are older than the letters, or of two moments: nothing is proved."""
    ELSEWHERE = 5
    """All letters are another house's: nothing is proved."""

    @property
    def words(self) -> str:
        return _WORDS[self]


_WORDS = {
    Verdict.SOUND: "Sound",
    Verdict.UNSOUND: "Not sound",
    Verdict.PARTLY: "Sound as far as checked",
    Verdict.OLDER: "Older than your letters",
    Verdict.ELSEWHERE: "Another house's letters",
}


class Older(msgspec.Struct, frozen=True):
    """Phases in a row that other rules began, of which these give something else.

    `checked` says by what, in words. The rest names who can re-adjudicate them; `revision` 0 and `version` "" are of a log that
    named neither. `released`: a release of the referee has those rules; of others nobody knows that they ever were any.
    """

    first: str
    last: str
    phases: int
    revision: int
    build: str
    version: str
    checked: str = _TO_THE_LEDGERS
    released: bool = True


class Course(msgspec.Struct, frozen=True):
    """A phase of the log and what was found of it. `ended` is what these rules give, None where that is something else.

    `turn` is 0 where these rules cannot take in what came before.
    """

    began: PhaseBegan
    turn: int
    events: tuple[Event, ...]
    same: bool
    """Whether these very rules began it."""
    position: Position[Any] | None
    over: bool
    ended: Ended[Any] | None = None
    checked: str = ""
    """The means of its check, in words, where these rules give something else; "" where it was played again."""


class Audited(msgspec.Struct, frozen=True):
    """The findings of an audit. `trouble` is "" when everything is as it should be."""

    entries: int = 0
    events: int = 0
    dice: int = 0
    draws: int = 0
    phases: int = 0
    rewinds: int = 0
    head: str = ""
    letters: int = 0
    trouble: str = ""
    why: Verdict = Verdict.UNSOUND
    """The kind of trouble."""
    unchecked: tuple[str, ...] = ()
    """The parts that were not checked beside phases of other rules, and the reasons, in sentences."""
    at: int = -1
    note: str = ""
    again: int = 0
    """How many phases were re-adjudicated, of all that ever counted."""
    older: tuple[Older, ...] = ()
    """All others of them."""
    forwards: int = 0
    """How often a rewind was undone."""
    renewals: int = 0
    """How often an open phase was played anew by mended rules."""
    seals: int = 0
    """How often the log was sealed before dice were thrown."""
    rounds: tuple[tuple[int, str], ...] = ()
    """The rounds of the beacon that had a share in them, with their signatures, for who can check those."""
    unopened: tuple[str, ...] = ()
    """Why others of its throws had no round, in words."""
    unsealed: int = 0
    """How many throws are of a time in which dice were not sealed: nothing but the chain speaks for them."""
    courses: tuple[Course, ...] = ()
    """The phases that count and ended."""
    asides: tuple[tuple[Course, ...], ...] = ()
    """Those that counted before each rewind, roll-forward and change of rules."""

    @property
    def sound(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.trouble

    @property
    def verdict(self) -> Verdict:
        """The verdict on all of it."""
        if self.trouble:
            return self.why
        return Verdict.PARTLY if self.older or self.unchecked or self.unsealed else Verdict.SOUND


def audit(game: Game[Any], secret: bytes, entries: Sequence[Entry]) -> Audited:
    """Check the chain with the secret, then every phase that ever counted, those that were set aside too."""
    try:
        head = check_chain(entries, secret)
        return _Audit(game, secret, entries).made(head)
    except Tampered as found:
        trouble, at = str(found), found.seq
    except Diverged as found:
        trouble, at = f"the rules do not give what the log says: {found}", -1
    return Audited(len(entries), head=entries[-1].hash if entries else "", trouble=trouble, at=at)


class _Audit:
    def __init__(self, game: Game[Any], secret: bytes, entries: Sequence[Entry]) -> None:
        self._game, self._secret, self._entries = game, secret, entries
        self._row = MatchRow(entries[0].match, game.name, "", secret, {}, {}, datetime.min.replace(tzinfo=UTC))
        self._codec = codec_of(game)
        self._records = _records(self._codec, entries)
        self._events = dict(self._decoded())
        self._known: dict[tuple[int, int, int], Course] = {}
        self._seals = Seals().followed(
            (entry, record) for entry, (_, record) in zip(entries, self._records, strict=True)
        )
        self._anew = {seq + 1 for seq, record in self._records if isinstance(record, Renewed)}
        """Where phases of other rules begin again, with what was played in them."""
        self._sealed_from = next((seq for seq, record in self._records if isinstance(record, Pledged)), len(entries))

    def _decoded(self) -> Iterator[tuple[int, Event | None]]:
        """Every event by the number of its entry; None for one that these rules do not know."""
        for seq, record in self._records:
            if isinstance(record, Happened):
                try:
                    yield seq, self._codec.event(record.event)
                except msgspec.DecodeError:
                    yield seq, None

    def made(self, head: str) -> Audited:
        """All of it checked. Raises Tampered, Diverged."""
        _check_pledges(self._secret, self._records, self._events)
        courses = self._checked(live(self._records))
        aside, asides = 0, list[tuple[Course, ...]]()
        for index, (seq, record) in enumerate(self._records):
            if isinstance(record, Rewound | Renewed | Forwarded):
                before = live(self._records[:index])
                if not isinstance(record, Forwarded):
                    _at_a_boundary(seq, record, before, self._events)
                asides.append(tuple(course for course in self._checked(before) if course.over))
                aside += isinstance(record, Rewound)
        longest: dict[int, Course] = {}
        for (first, *_), course in sorted(self._known.items()):  # one that was open in one stretch went on in another
            longest[first] = course
        self._check_charges(longest)
        events = [event for event in self._events.values() if event is not None]
        released = {(known.revision, known.build, known.version) for known in released_rules(self._game.name)}
        return Audited(
            entries=len(self._entries),
            events=len(self._events),
            dice=sum(len(event.faces) for event in events if isinstance(event, Rolled)),
            draws=sum(len(event.items) for event in events if isinstance(event, Drawn)),
            phases=sum(course.over for course in courses),
            rewinds=aside,
            head=head,
            again=sum(not course.checked for course in longest.values()),
            older=tuple(_gathered(longest.values(), released)),
            forwards=sum(isinstance(record, Forwarded) for _, record in self._records),
            renewals=sum(isinstance(record, Renewed) for _, record in self._records),
            seals=sum(isinstance(record, Sealed) for _, record in self._records),
            rounds=tuple(self._rounds()),
            unopened=tuple(record.why for _, record in self._records if isinstance(record, Opened) and record.why),
            unsealed=sum(
                isinstance(event, Rolled | Drawn) and seq < self._sealed_from for seq, event in self._events.items()
            ),
            courses=tuple(course for course in courses if course.over),
            asides=tuple(asides),
        )

    def _check_charges(self, courses: Mapping[int, Course]) -> None:
        """Other rules may have had other prices, but one state of them had one for a thing. Raises Tampered."""
        if not isinstance(self._game, Charges):
            return
        played = defaultdict[str, list[int]](list)
        for first, course in courses.items():
            if not course.same:
                played[course.began.build].append(first)
        for build, phases in played.items():
            wrong = self._game.charged(event for first in phases for event in courses[first].events)
            if wrong:
                raise Tampered(phases[0], f"what the rules {build} charged from here on does not agree: {wrong[0]}")

    def _rounds(self) -> Iterator[tuple[int, str]]:
        """The rounds that opened seals. Raises Tampered for one that another seal, or none, waited for."""
        waits = {
            record.number: record.round for _, record in self._records if isinstance(record, Sealed) and record.round
        }
        for seq, record in self._records:
            if isinstance(record, Opened):
                if record.number not in waits:
                    raise Tampered(seq, "opens a seal that waits for no round, or a second time")
                round = waits.pop(record.number)
                if record.signature:
                    yield round, record.signature

    def _checked(self, alive: Sequence[Live]) -> list[Course]:
        """Every phase of some live records. Raises Tampered, Diverged."""
        created = alive[0].record
        if not isinstance(created, Created):
            raise Diverged("the log does not begin with the creation of the match")
        if created.commitment != commitment(self._secret):
            raise Diverged("the secret is not the one that was committed to in the first letter")
        self._check_seats(created)
        position: Position[Any] | None = start(self._game, created)
        courses: list[Course] = []
        for phase in self._phases(alive[1:]):
            began = self._events.get(phase[0].seq)
            if not isinstance(began, PhaseBegan):
                # After the end, as these rules have it or others had, only sheets nobody will play and overrides may follow.
                over = position is None or self._waiting(position) is None or self._taken_up_by_others(phase[0].seq)
                if not over or not all(isinstance(entry.record, Filed | Overrode | Luck) for entry in phase):
                    raise Diverged(f"the log has {phase[0].record!r} where a phase should begin")
                continue
            place = (phase[0].seq, phase[-1].seq, len(phase))
            if place not in self._known:
                self._known[place] = self._of_phase(position, began, phase)
            courses.append(self._known[place])
            position = courses[-1].position
        return courses

    def _check_seats(self, created: Created) -> None:
        """Seats are what wishes and lots give, where the log has the wishes. Raises Tampered."""
        if created.wishes is None:
            return
        dice = lots(self._secret, self._row.name, self._entries[0].at, created.wishes)
        if tuple(self._game.seat_players(created.wishes, created.options, dice)) != created.seats:
            raise Tampered(0, "the seats are not what wishes and lots give")

    def _phases(self, alive: Sequence[Live]) -> Iterator[Sequence[Live]]:
        """Live records by phases; what follows the end of the last comes by itself."""
        first = 0
        for index, entry in enumerate(alive):
            if isinstance(self._events.get(entry.seq), PhaseEnded):
                yield alive[first : index + 1]
                first = index + 1
        if first < len(alive):
            yield alive[first:]

    def _of_phase(self, position: Position[Any] | None, began: PhaseBegan, phase: Sequence[Live]) -> Course:
        same = began.build == self._game.build
        events = tuple(event for entry in phase if (event := self._events.get(entry.seq)) is not None)
        over = isinstance(events[-1], PhaseEnded)
        if position is not None:
            try:
                own = same and began.version == self._game.version and phase[0].seq not in self._anew
                outcome = self._again(position, phase, over, own)
            except Exception as problem:  # rules that were mended since may break on what was played by others
                if same:
                    raise Diverged(f"{began.title}: {problem}") from problem
            else:
                ended = outcome.ended[0] if over else None
                turn = ended.phase.turn if ended else 0
                return Course(began, turn, events, same, outcome.position, over, ended)
        elif same:
            raise Diverged(f"{began.title} was begun by these rules, and they cannot take in what came before it")
        self._check_dice(began, phase)
        return self._by_facts(position, began, phase, events, over)

    def _again(self, position: Position[Any], phase: Sequence[Live], over: bool, own: bool) -> Outcome[Any]:
        """The phase as these rules play it. Raises Diverged where that is not what the log has, and what a script raises.

        This program's `own` phases play the sheets that are on file; how others took a sheet from the file nobody knows.
        """
        tail = [entry.record for entry in phase]
        dice = Writing(self._row, self._codec, self._entries[-1], self._seals, "", "")
        outcome = resume(
            self._game,
            self._codec,
            position,
            tail,
            (),
            dice,
            lambda _: True,
            1 if over else None,
            partial(self._of_the_file, frozenset(self._ended_by_players(phase))) if own else None,
        )
        if outcome.written:
            raise Diverged(f"the rules go on where the log stops, with {outcome.written[0]!r}")
        if over and outcome.position.count != position.count + len(tail):
            raise Diverged("the rules end it before the log does")
        return outcome

    def _ended_by_players(self, phase: Sequence[Live]) -> Iterator[str]:
        """The slots that, by the log, letters ended and no deadline; those too of which it does not say why they ended."""
        for entry in phase:
            cause = self._entries[entry.seq].cause
            if isinstance(entry.record, Answered) and (not cause or cause.startswith(LETTER)):
                yield entry.record.key

    def _of_the_file(
        self,
        ended_by_players: Container[str],
        question: Question[Any],
        answer: Answer[Any],
        state: Any,
        drawers: Mapping[tuple[Seat, str], Sheet],
    ) -> None:
        """A dummy's sheet is its own; any other was on file. Raises Diverged."""
        if answer.by == BOT:
            return
        ends = (True, False) if question.key in ended_by_players else (True,)
        may_be = [closing_sheet(self._game, self._codec, state, drawers, question, at_deadline) for at_deadline in ends]
        if wrong := played_otherwise(question, answer, may_be):
            raise Diverged(wrong)

    def _by_facts(
        self,
        position: Position[Any] | None,
        began: PhaseBegan,
        phase: Sequence[Live],
        events: tuple[Event, ...],
        over: bool,
    ) -> Course:
        """The checks that hold under any rules: its events can be folded, and the ledgers balance. Raises Tampered."""
        if position is None:
            return Course(began, 0, events, False, None, over, checked=_CHAIN_AND_DICE)
        waiting = self._waiting(position)
        turn = waiting.turn if waiting else 0
        try:
            after = fold_on(self._game, self._codec, position, [entry.record for entry in phase]).position
        except Unfoldable:  # known to the rules that wrote it, and to no later ones
            return Course(began, turn, events, False, None, over, checked=_CHAIN_AND_DICE)
        if not over:
            return Course(began, turn, events, False, after, over, checked=_TO_THE_FOLD)
        try:
            wrong = self._game.audit(position.state, events, after.state)
        except Exception:  # these rules cannot reckon what others gave
            return Course(began, turn, events, False, after, over, checked=_TO_THE_FOLD)
        if wrong:
            raise Tampered(phase[0].seq, f"the ledgers of {began.title} do not balance: {wrong[0]}")
        return Course(began, turn, events, False, after, over, checked=_TO_THE_LEDGERS)

    def _waiting(self, position: Position[Any]) -> Phase[Any] | None:
        """The phase that comes next there; None too where these rules cannot tell."""
        try:
            return self._game.next_phase(position.state)
        except Exception:  # a position that other rules led to
            return None

    def _taken_up_by_others(self, seq: int) -> bool:
        """Whether the last rules that took the match up before an entry were others, to which it may have been over."""
        builds = [record.build for at, record in self._records if at < seq and isinstance(record, Renewed)]
        return bool(builds) and builds[-1] != self._game.build

    def _check_dice(self, began: PhaseBegan, phase: Sequence[Live]) -> None:
        """Every face is what its seal gives for its purpose, and no purpose is rolled for twice. Raises Tampered."""
        used, force = dict[str, int](), dict[bool, Sealed]()
        for entry in phase:
            if isinstance(entry.record, Sealed):
                force[entry.record.hidden] = entry.record
            rolled = self._events.get(entry.seq)
            if _is_from_outside(entry.record, rolled):
                force.clear()
            if not isinstance(rolled, Rolled | Drawn):
                continue
            purpose, first, faces = rolled.purpose, rolled.first, rolled.faces
            if first != used.get(purpose, 0) or not purpose.startswith(f"{began.key}/"):
                raise Tampered(entry.seq, f"{purpose} is rolled for twice, or in another phase")
            sizes = sizes_of(rolled)
            used[purpose] = first + len(sizes)
            if entry.seq < self._sealed_from:
                continue  # of before dice were sealed
            seal = force.get(rolled.seen_by is not None)
            key = self._seals.keys.get(seal.number) if seal else None
            if key is None or key.waits:
                raise Tampered(entry.seq, f"its dice for {purpose} were thrown under no seal")
            dice = key.chance(self._secret)
            if faces != tuple(dice.face(purpose, first + i, size) for i, size in enumerate(sizes)):
                raise Tampered(entry.seq, f"its dice are not what its seal gives for {purpose}")


def _check_pledges(secret: bytes, records: Sequence[tuple[int, Record]], events: Mapping[int, Event | None]) -> None:
    """Chains of secrets are committed to before they are used, links are used in turn and never twice. Raises Tampered."""
    chain, at, number, due = -1, 0, 0, False
    again, first = Again(), dict[int, Sealed]()
    for seq, record in records:
        if not isinstance(record, Pledged) and _is_from_outside(record, events.get(seq)):
            again.broken()
        again.passed(seq, record)
        match record:
            case Pledged():
                last = link(secret, chain, at).hex() if at else ""
                if record != Pledged(chain + 1, link(secret, chain + 1, 0).hex(), LINKS, last):
                    raise Tampered(seq, "commits to another chain of secrets than the one that follows")
                chain, at, due = record.chain, 0, False
            case Rewound() | Forwarded() if chain >= 0:
                due = True
            case Overrode() if chain >= 0 and record.restores:
                due = True
            case Sealed():
                number += 1
                if due or record.number != number:
                    raise Tampered(seq, "is a seal out of turn")
                if record.again:
                    _check_again(seq, record, first.get(record.again), again)
                else:
                    first[number] = record
                    if not record.hidden:
                        # It uses the link after this one.
                        opens = link(secret, chain, at).hex() if chain >= 0 and at < LINKS else ""
                        if (record.chain, record.link, record.opens) != (chain, at + 1, opens):
                            raise Tampered(seq, "uses another secret than the next one of its chain")
                        at += 1
                again.sealed(seq, record)


def _check_again(seq: int, record: Sealed, first: Sealed | None, again: Again) -> None:
    """A key serves again only where nothing came from outside since, or for mended rules in the same phase. Raises Tampered."""
    if first is None or first.hidden != record.hidden:
        raise Tampered(seq, "has the key of a seal that there is not")
    if not again.allows(record.again):
        raise Tampered(seq, "has the key of a seal that is broken")


def _is_from_outside(record: Record, event: Event | None) -> bool:
    return is_from_outside(record) or isinstance(event, Ruled | Amended)


def sizes_of(rolled: Rolled | Drawn) -> tuple[int, ...]:
    """Among how many each face was chosen; a log that was forged may say of none."""
    if isinstance(rolled, Rolled):
        return (max(rolled.sides, 1),) * len(rolled.faces)
    return tuple(max(rolled.held - i, 1) for i in range(len(rolled.items)))


def _records(codec: Codec, entries: Sequence[Entry]) -> list[tuple[int, Record]]:
    records: list[tuple[int, Record]] = []
    for entry in entries:
        try:
            records.append((entry.seq, codec.load(entry.payload)))
        except msgspec.DecodeError as problem:
            raise Tampered(entry.seq, f"its payload cannot be read ({problem})") from problem
    return records


def _at_a_boundary(
    seq: int, change: Rewound | Renewed, before: Sequence[Live], events: Mapping[int, Event | None]
) -> None:
    """A phase is begun again from its beginning, never from its middle. Raises Tampered."""
    kept = [entry for entry in before if entry.seq <= change.to]
    last = kept[-1] if kept else None
    if last is None or last.seq != change.to or (len(kept) > 1 and not isinstance(events.get(last.seq), PhaseEnded)):
        raise Tampered(seq, f"it goes back to entry {change.to}, where no phase begins")


def _gathered(courses: Iterable[Course], released: Container[tuple[int, str, str]]) -> Iterator[Older]:
    """The phases that were not re-adjudicated, those in a row of the same rules as one."""
    for (checked, revision, build, version), group in groupby(courses, key=_rules_of):
        found = tuple(group)
        if checked:
            known = (revision, build, version) in released
            yield Older(
                found[0].began.title, found[-1].began.title, len(found), revision, build, version, checked, known
            )


def _rules_of(course: Course) -> tuple[str, int, str, str]:
    return course.checked, course.began.revision, course.began.build, course.began.version


def how_checked(found: Audited) -> tuple[str, ...]:
    """The checks of a sound match, in sentences: the phases that were not played again, and who can do it."""
    older = sum(each.phases for each in found.older)
    unsealed = (
        f"Not checked: {found.unsealed} throws of before dice were sealed; nothing but the chain speaks for them."
    )
    others = (*((unsealed,) if found.unsealed else ()), *(f"Not checked: {each}." for each in found.unchecked))
    if not older:
        return others
    these = "One phase was" if older == 1 else f"{older} phases were"
    return (
        f"{these} played by other rules than these, which give something else. No event of that was derived again; it was "
        "checked by what holds under any rules:",
        *(_in_words(each) for each in found.older),
        *others,
    )


def _in_words(older: Older) -> str:
    which = f"{span(older.first, older.last, older.phases)}, by {older.checked}"
    if not older.version:
        return f"{which}. Its log names no rules."
    them = in_number(older.phases, "them")
    if not older.released:
        return (
            f"{which}. NOT CHECKED: no release of the referee has the rules that the log names (version {older.version}, revision "
            f"{older.revision}, rules {older.build}); whoever names such rules may have written what he liked."
        )
    return f"{which}. Version {older.version} plays {them} again (revision {older.revision}, rules {older.build})."


def span(first: str, last: str, phases: int) -> str:
    """Phases in a row, by their titles."""
    return first if phases == 1 else f"{first} to {last} ({phases} phases)"


def public_entry(
    game: Game[Any], secret: bytes, entry: Entry, record: Record, over: bool, discreet: bool = False
) -> dict[str, Any]:
    """An entry as the archive shows it: secret payloads are withheld until the match is over, others shown with their salt.

    Where lateness is hidden (`discreet`) so is what would tell of it: causes, which name deadlines and letters, the kind
    of what is secret, for whose sheets came in, and overrides of one player's time.
    """
    shown = msgspec.structs.asdict(entry)
    if over:
        return shown
    public = _is_public(game, entry, record, discreet)
    shown["payload"] = shown["payload"] if public else None
    if public:
        shown["salt"] = salt_of(secret, entry.seq).hex()
    if discreet:
        shown |= {"cause": None, "kind": shown["kind"] if public else None}
    return shown


_PUBLIC = ("created", "override", "rewound", "renewed", "forwarded", "pledged", "sealed", "opened")


def _is_public(game: Game[Any], entry: Entry, record: Record, discreet: bool) -> bool:
    if entry.kind not in (*_PUBLIC, "event"):
        return False
    try:
        event = codec_of(game).event(record.event) if isinstance(record, Happened) else None
    except msgspec.DecodeError:  # these rules do not know to whom it was told
        return False
    if discreet and tells_late(record):
        return False
    if isinstance(record, Sealed):
        return not record.hidden
    return entry.kind != "event" or (event is not None and event.told_to(Role.OBSERVER) is event)


def public_log(game: Game[Any], secret: bytes, log: ReadLog, over: bool, discreet: bool = False) -> bytes:
    """The log for the archive, a JSON object a line."""
    shown = (public_entry(game, secret, *known, over, discreet) for known in zip(*log, strict=True))
    return b"".join(msgspec.json.encode(each) + b"\n" for each in shown)
