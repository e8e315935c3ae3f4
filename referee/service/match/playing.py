"""A match as it stands: its log played up to now, what a game aids with, and the hand on it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from html import escape
from importlib import metadata
from typing import Any, NamedTuple, TypeVar

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from referee.core.choices import Asking, Nothing, Unknown
from referee.core.event import Event, PhaseBegan, PhaseEnded
from referee.core.game import AnyGame, Game, Recounts
from referee.core.hash_tree import Tree
from referee.core.names import Reader, Role, Seat
from referee.core.order import Doubt, Intent
from referee.core.page import Bullets, Drawing, Note, Page, Sheet
from referee.core.position import Folded, Position, Unfoldable, completed, fold, fold_on, told
from referee.core.question import Pace, Question
from referee.core.record import (
    RESTORED,
    Acted,
    Answered,
    Codec,
    Created,
    Entry,
    Filed,
    Forwarded,
    Happened,
    Live,
    Opened,
    Overrode,
    Pledged,
    Record,
    Renewed,
    Rewound,
    Sealed,
    kind_of,
    live,
    seal,
)
from referee.core.stage import Anew, Ended, Outcome, halted, play_anew, resume
from referee.kit.game import why_missing
from referee.service.base.match_settings import ClockSettings, settings_of
from referee.service.base.office import At, Office, fault_kind, log_failure
from referee.service.base.ports import MatchRow, Step
from referee.service.base.times import second
from referee.service.match.sealing import Round, Seals, Writing, pledge

# ---------------------------------------------------------------- aids of a game
# Parts of a game that only tell. One that breaks is left out, with a sentence in its place, and play goes on without it.
#
# The rules themselves are no aids: a match whose phase breaks stands still.


T = TypeVar("T")

_log = logging.getLogger(__name__)


_AIDED: dict[int, AnyGame] = {}
"""By what they were made from, and by themselves."""


def aided(game: AnyGame) -> AnyGame:
    """The same game, whose aids never raise."""
    if id(game) not in _AIDED:
        made = copy(game)
        for name in _INSTEAD:
            if hasattr(game, name):
                setattr(made, name, _asking(game) if name == "asking" else _guarded(game, name))
        _AIDED[id(game)] = _AIDED[id(made)] = made
    return _AIDED[id(game)]


def left_out(what: str) -> str:
    """The sentence in the place of what could not be made."""
    return f"{what} could not be made, by a fault of the program that its keeper finds in the log; all else is as it should be."


UNFILLED = (
    "# This sheet could not be filled in, by a fault of the program that its",
    "# keeper can read of in the log. Write your orders below; HELP lists them.",
)


def tried(make: Callable[[], T], instead: Callable[[], T], what: str, of: str = "a match") -> T:
    """A thing made of a game; if that raises, the words instead, and a line in the log."""
    try:
        return make()
    except Exception as problem:
        log_failure(_log, problem, "%s of %s is left out", what, of)
        return instead()


def sentences(events: Iterable[Event]) -> Iterator[str]:
    """The events, a sentence each; without those that have none."""
    for event in events:
        if said := tried(event.sentence, lambda: left_out("A sentence"), "a sentence", type(event).__name__):
            yield said


def _report(game: AnyGame, before: Any, events: Sequence[Event], after: Any, reader: Reader) -> Page:
    phase = game.next_phase(before)
    said = left_out("The report")
    blocks = (Note(said, "warning"), Bullets(tuple(sentences(events))))
    return Page(phase.title if phase else game.title, "This is what happened, a line each.", blocks)


def _sheet(game: AnyGame, *_: Any) -> tuple[Sheet, ...]:
    return (Sheet("left-out", "Record sheets", (), notes=(left_out("The record sheets"),)),)


def _chart(game: AnyGame, *_: Any) -> Drawing:
    said = left_out("The map")
    text = f'<text x="8" y="24" font-size="14">{escape(said)}</text>'
    return Drawing(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 40">{text}</svg>', said)


def _line(game: AnyGame, state: Any, intent: Intent, *_: Any) -> str:
    return game.line(state, intent)


_INSTEAD: Mapping[str, Callable[..., Any]] = {
    "report": _report,
    "sheets": _sheet,
    "logs": _sheet,
    "chart": _chart,
    "order_form": lambda *_: UNFILLED,
    "examples": lambda *_: {},
    "doubts": lambda *_: (Doubt(left_out("The look ahead at these orders")),),
    "asking": lambda *_: None,
    "line": _line,
    "nearest": lambda *_: (),
    "preview": lambda *_: (left_out("The forecast"),),
    "odds": lambda *_: (),
    "phrase": lambda game, state, intent: intent.meaning(),
    "recount": lambda game, events, state: tuple(sentences(events)),
    "at_once": lambda game, event: "".join(sentences((event,))),
    "rule_tables": lambda *_: (Note(left_out("The tables"), "warning"),),
}
"""By the name of an aid what is told in its place."""


def _guarded(game: AnyGame, name: str) -> Callable[..., Any]:
    def aid(*given: Any, **named: Any) -> Any:
        return tried(
            lambda: getattr(game, name)(*given, **named), lambda: _INSTEAD[name](game, *given), name, game.name
        )

    return aid


def _asking(game: AnyGame) -> Callable[..., Asking[Intent]]:
    """Its choices of an order; where they break, picking goes no further."""

    def asking(state: Any, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Intent]:
        try:
            return (yield from game.asking(state, seat, verb, sheet))
        except (Nothing, Unknown):
            raise
        except Exception as problem:
            log_failure(_log, problem, "asking of %s is left out", game.name)
            raise Unknown(left_out(f"The choices of {verb}")) from problem

    return asking


class Stuck(Exception):
    """The phase under way cannot be played as the log has it, so nothing can be taken; a mended program or a rewind helps."""


class StillSealed(Exception):
    """A record was to be taken while a match waits for its dice. A caller that takes records asks before (`Outcome.sealed`)."""


class Playing(msgspec.Struct, frozen=True, dict=True):
    """A match as its log leaves it. `outcome` is where its scripts wait; `head` the log's last entry, `told` the last one
    of something that everybody was told: what letters quote of the log, so that it tells nobody what others have filed.
    `boundary` is the entry with which the last phase ended, at first that of the beginning: what happened before it is in the
    log, and `history` reads it there.

    `tree` is that of all entries, `told_tree` that of those up to `told`. `seals` are the keys of its dice; `course` counts how
    often it was rewound or rolled forward. `open_information`: everything so far was told to everybody, so that knowledge
    and state are the same. `news` is what has happened since it was loaded.
    """

    row: MatchRow
    game: Game[Any]
    codec: Codec
    created: Created
    position: Position[Any]
    tail: tuple[Record, ...]
    boundary: Entry
    open_information: bool
    seals: Seals
    course: int
    head: Entry
    told: Entry
    tree: Tree
    told_tree: Tree
    outcome: Outcome[Any]
    news: tuple[Event, ...] = ()

    @cached_property
    def settings(self) -> ClockSettings:
        """The match's own clock, read once: every letter asks for it again and again."""
        return settings_of(self.row.settings)

    @property
    def fault(self) -> str:
        """Why the phase under way cannot be played; "" as a rule."""
        return self.outcome.fault

    @property
    def turn(self) -> int:
        """The turn that waits, or the last one when the game is over."""
        return self.outcome.phase.turn if self.outcome.phase else self.row.turn


_CODECS: dict[tuple[str, bool], Codec] = {}
"""By the name of the game, and whether it is missing."""
_KEPT = 50_000
"""So many kilobytes are kept in memory, or some 400 matches. One that is not kept is read from its log for every letter."""
_BESIDES = 120
"""The weight of a match beside the records of its open phase: its position and its questions."""


def _weight(playing: Playing) -> int:
    return min(_BESIDES + sum(_SHEET if isinstance(record, Filed) else 1 for record in playing.tail), _KEPT)


_SHEET = 20
"""The weight of a sheet of forty lines."""


_CACHE: LRUCache[str, Playing] = LRUCache(_KEPT, _weight)
"""The latest state of each match; the one used longest ago goes first."""


def codec_of(game: Game[Any]) -> Codec:
    """The codec of a game, built once."""
    key = game.name, bool(why_missing(game))
    if key not in _CODECS:
        _CODECS[key] = Codec(game.events, game.intents)
    return _CODECS[key]


def _waits(settings: ClockSettings) -> Callable[[Question[Any]], bool]:
    return lambda question: settings.waits or question.pace is not Pace.REPLY


class ReadLog(NamedTuple):
    """The log of a match, read once for all who look into it: its entries, and the record of each."""

    entries: Sequence[Entry]
    records: Sequence[Record]

    def alive(self) -> list[Live]:
        """The records that count after all rewinds."""
        return live((entry.seq, record) for entry, record in zip(self.entries, self.records, strict=True))


def read_log(game: Game[Any], entries: Sequence[Entry]) -> ReadLog:
    """The entries of a match of a game, read."""
    codec = codec_of(game)
    return ReadLog(entries, [record_of(codec, entry) for entry in entries])


def alive_in(at: At, row: MatchRow, *kinds: type[Record]) -> list[Live]:
    """The records of a match that count; those of some `kinds` alone where any are named, as most of a log is order sheets."""
    entries = at.step.entries_of(row.name, *kinds) if kinds else at.step.entries(row.name)
    return read_log(at.office.games[row.game], entries).alive()


def load(at: At, row: MatchRow, log: ReadLog | None = None) -> Playing:
    """The match as its log leaves it, from memory and what others have written since; its `log`, where it has been read.

    Where its phase under way cannot be played, the match has a `fault`, and nobody is asked anything.
    """
    last = at.step.last_entry(row.name)
    if last is None:
        raise LookupError(f"match {row.name} has no log yet")
    known = _CACHE.get(row.name)
    if known is not None and known.head.hash == last.hash:
        return replace(known, row=row)
    game = at.office.games[row.game]
    if known is not None and known.game is aided(game) and log is None:
        carried_on = _carried_on(known, row, at.step.entries(row.name, known.head.seq))
        if carried_on is not None:
            return carried_on
    return _rebuild(game, row, log or read_log(game, at.step.entries(row.name)))


def _carried_on(known: Playing, row: MatchRow, entries: Sequence[Entry]) -> Playing | None:
    """The match with its log's entries from the head that is known; None where they change what counts of those before."""
    if not entries or entries[0].hash != known.head.hash:
        return None
    game, codec = known.game, known.codec
    fresh = [(entry, record_of(codec, entry)) for entry in entries[1:]]
    if any(isinstance(record, (Rewound, Renewed, Forwarded)) for _, record in fresh):
        return None
    since = (*known.tail, *(record for _, record in fresh if not isinstance(record, Pledged)))
    try:
        found = fold_on(game, codec, known.position, since)
    except Unfoldable:
        return None
    seals, heads = known.seals.followed(fresh), _grown(known, fresh)
    return replace(
        known,
        row=row,
        position=found.position,
        tail=found.tail,
        boundary=_boundary(known, fresh, found.position.count),
        open_information=known.open_information and _all_told(found.events),
        seals=seals,
        head=heads.head,
        told=heads.told,
        tree=heads.tree,
        told_tree=heads.told_tree,
        outcome=_resumed(game, row, found, seals, heads.head),
    )


def as_of(playing: Playing, entries: Sequence[Entry]) -> Playing:
    """The match as it was when its log had only these entries."""
    return _rebuild(playing.game, playing.row, read_log(playing.game, entries))


def when_asked(playing: Playing) -> Playing:
    """The match as it was when that was asked which is open now: nothing that came in since is in it."""
    before = playing.tail[: playing.outcome.asked - playing.position.count]
    if not playing.outcome.open or len(before) == len(playing.tail):
        return playing
    found = Folded(playing.position, before, ())
    outcome = _resumed(playing.game, playing.row, found, playing.seals, playing.head)
    return replace(playing, tail=before, outcome=outcome)


def _rebuild(game: Game[Any], row: MatchRow, log: ReadLog) -> Playing:
    codec, entries, alive = codec_of(game), log.entries, log.alive()
    records = [entry.record for entry in alive]
    seals = Seals().followed(zip(entries, log.records, strict=True))
    fault = why_missing(game)
    try:
        found = fold(game, codec, records)
    except Unfoldable as problem:
        found, fault = problem.reached, fault or str(problem)
    created = records[0]
    assert isinstance(created, Created)  # fold has checked it
    created = completed(game, created)
    outcome = (
        _resumed(game, row, found, seals, entries[-1]) if not fault else halted(game, found.position, found.tail, fault)
    )
    course = sum(entry.kind in ("rewound", "forwarded") for entry in entries)
    heads = entries[-1], told_head(codec, entries)
    trees = Tree.of(map(leaf, entries)), Tree.of(map(leaf, entries[: heads[1].seq + 1]))
    boundary = entries[alive[found.position.count - 1].seq]
    stands = found.position, found.tail, boundary, _all_told(found.events)
    return Playing(row, aided(game), codec, created, *stands, seals, course, *heads, *trees, outcome)


def _all_told(events: Iterable[Event]) -> bool:
    """Whether everybody was told all of some events."""
    return all(event.told_to(Role.OBSERVER) is event for event in events)


def _boundary(playing: Playing, fresh: Iterable[tuple[Entry, Record]], count: int) -> Entry:
    """The entry with which the last phase ended, `count` records that count being before the next one, some of them `fresh`."""
    since = [entry for entry, record in fresh if not isinstance(record, Pledged)]
    ended = count - playing.position.count - len(playing.tail)
    return since[ended - 1] if ended > 0 else playing.boundary


def record_of(codec: Codec, entry: Entry) -> Record:
    """The record of an entry; one that cannot be read is an event that no rules know, so that a rewind can leave it behind."""
    try:
        return codec.load(entry.payload)
    except msgspec.DecodeError:
        return Happened(msgspec.Raw(entry.payload.encode()))


def _resumed(game: Game[Any], row: MatchRow, found: Folded[Any], seals: Seals, head: Entry) -> Outcome[Any]:
    codec, waits = codec_of(game), _waits(settings_of(row.settings))
    dice = Writing(row, codec, head, seals, "", "")
    try:
        return resume(game, codec, found.position, found.tail, (), dice, waits)
    except Exception as problem:  # rules that were mended, or a log that was changed: of this match alone
        _log.warning("%s cannot be played as its log has it: %s", row.name, fault_kind(problem))
        return halted(game, found.position, found.tail, f"{type(problem).__name__}: {problem}")


def play_on(at: At, playing: Playing, inputs: Sequence[Record], cause: str, moment: datetime | None = None) -> Playing:
    """Take new records, run until somebody must answer, append everything written to the log, at this moment or now.

    The outcome's `ended` lists what ended in this run. Raises Conflict, StillSealed, and Stuck where the match has
    a fault and more than a word of the game master is to be written; then nothing is.
    """
    if playing.fault:
        return _noted(at, playing, inputs, cause)
    if playing.outcome.sealed and inputs and not isinstance(inputs[0], Opened):
        raise StillSealed(f"{playing.row.name} waits for its dice; nothing may come between a seal and them")
    now = moment or at.now
    writing = Writing(
        playing.row, playing.codec, playing.head, playing.seals, second(now), cause, _round(at.office, playing.row)
    )
    outcome = resume(
        playing.game,
        playing.codec,
        playing.position,
        playing.tail,
        inputs if playing.head.kind == "renewed" else _dated(inputs, int(now.timestamp())),
        writing,
        _waits(playing.settings),
    )
    fresh = writing.finished(outcome.written)
    heads = _append(at.step, playing, fresh)
    since = (*playing.tail, *outcome.written)
    tail = since[outcome.position.count - playing.position.count :]
    news = _new_events(playing, outcome)
    return replace(
        playing,
        position=outcome.position,
        tail=tail,
        boundary=_boundary(playing, fresh, outcome.position.count),
        open_information=playing.open_information and _all_told(news),
        seals=writing.seals,
        head=heads.head,
        told=heads.told,
        tree=heads.tree,
        told_tree=heads.told_tree,
        outcome=outcome,
        news=(*playing.news, *news),
    )


def _round(office: Office, row: MatchRow) -> Round:
    """The round of the beacon that a seal waits for: the first that is made when the letters that tell of it have left.

    None where the match does not ask for it, or its clock stands still by a game master's word: nobody would look for it.
    """
    chosen = office.randomness if settings_of(row.settings).beacon == "drand" and row.status != "paused" else None
    return lambda: chosen.beacon.round_after(office.clock.now() + chosen.lead) if chosen else 0


def _noted(at: At, playing: Playing, inputs: Sequence[Record], cause: str) -> Playing:
    """A game master's word to a match that stands still for a fault goes into its log; no script hears of it."""
    if not all(isinstance(record, Overrode) for record in inputs):
        raise Stuck(playing.fault)
    if not inputs:
        return playing
    writing = Writing(playing.row, playing.codec, playing.head, playing.seals, second(at.now), cause)
    heads = _append(at.step, playing, writing.finished(inputs))
    tail = (*playing.tail, *inputs)
    return replace(playing, tail=tail, head=heads.head, told=heads.told, tree=heads.tree, told_tree=heads.told_tree)


def _dated(records: Sequence[Record], at: int) -> tuple[Record, ...]:
    """Answers and acts of players, with the time that goes into the records of the game.

    Not for what is taken again by mended rules: that has its time, and what has none followed from what was on file.
    """
    return tuple(
        msgspec.structs.replace(record, at=at) if isinstance(record, (Answered, Acted)) and not record.at else record
        for record in records
    )


def _new_events(playing: Playing, outcome: Outcome[Any]) -> tuple[Event, ...]:
    flat = [event for ended in outcome.ended for event in ended.events]
    known = sum(isinstance(record, Happened) for record in playing.tail)
    return tuple((*flat, *outcome.events)[known:])


class _Heads(msgspec.Struct):
    """The log's last entry, the last of something that everybody was told, and the trees up to them."""

    head: Entry
    told: Entry
    tree: Tree
    told_tree: Tree


def _append(step: Step, playing: Playing, fresh: Sequence[tuple[Entry, Record]]) -> _Heads:
    step.append([entry for entry, _ in fresh])
    return _grown(playing, fresh)


def _grown(playing: Playing, fresh: Sequence[tuple[Entry, Record]]) -> _Heads:
    """The heads of the match's log with these entries more."""
    heads = _Heads(playing.head, playing.told, playing.tree, playing.told_tree)
    for entry, record in fresh:
        heads.head, heads.tree = entry, heads.tree.grown(leaf(entry))
        if _is_told(playing.codec, record):
            heads.told, heads.told_tree = entry, heads.tree
    return heads


def leaf(entry: Entry) -> bytes:
    """An entry as a leaf of the tree over its log; of one whose hash was changed to none, of which an audit tells, nothing."""
    try:
        return bytes.fromhex(entry.hash)
    except ValueError:
        return b""


def told_head(codec: Codec, entries: Sequence[Entry]) -> Entry:
    """The last entry of something that everybody was told."""
    return next(entry for entry in reversed(entries) if _is_told(codec, record_of(codec, entry)))


def _is_told(codec: Codec, record: Record) -> bool:
    """Whether a record is of something that everybody was told; orders, answers and what only some were told are not."""
    if isinstance(record, Happened):
        try:
            event = codec.event(record.event)
        except msgspec.DecodeError:  # these rules do not know it, nor to whom it was told
            return False
        return event.told_to(Role.OBSERVER) is event
    if isinstance(record, Sealed):
        return not record.hidden
    return isinstance(record, (Created, Overrode, Rewound, Renewed, Forwarded, Pledged))


_ENDED = msgspec.json.Decoder(PhaseEnded)


class OpenPhase(msgspec.Struct, frozen=True):
    """The phase under way as the log has it, whatever the rules make of it now; `to` is the last entry before it."""

    entries: tuple[Entry, ...]
    position: Position[Any]
    tail: tuple[Record, ...]
    seals: Seals
    to: int


def open_phase(step: Step, row: MatchRow, game: Game[Any]) -> OpenPhase:
    """The phase under way, by folding alone. Raises Unfoldable where an event of a phase that ended cannot be taken in."""
    codec, entries = codec_of(game), tuple(step.entries(row.name))
    every = [record_of(codec, entry) for entry in entries]
    alive, seals = live(enumerate(every)), Seals().followed(zip(entries, every, strict=True))
    try:
        found = fold(game, codec, [entry.record for entry in alive])
    except Unfoldable as problem:
        found = problem.reached
        if any(_ends(record) for record in found.tail):
            raise
    return OpenPhase(entries, found.position, found.tail, seals, alive[found.position.count - 1].seq)


def _ends(record: Record) -> bool:
    """Whether a record is the end of a phase, for a reader who cannot read all events around it."""
    try:
        return isinstance(record, Happened) and bool(_ENDED.decode(record.event))
    except msgspec.DecodeError:
        return False


def play_open_phase_anew(office: Office, row: MatchRow, phase: OpenPhase, change: Entry) -> Anew[Any]:
    """The phase under way by the rules as they are, once the log has the entry that says so."""
    game = office.games[row.game]
    codec = codec_of(game)
    writing = Writing(row, codec, change, phase.seals, change.at, change.cause, _round(office, row))
    return play_anew(game, codec, phase.position, phase.tail, writing, _waits(settings_of(row.settings)))


def entry_after(office: Office, row: MatchRow, head: Entry, change: Record, cause: str) -> Entry:
    """A record of the log's own course as its next entry."""
    codec = codec_of(office.games[row.game])
    return seal(row.secret, row.name, head, second(office.clock.now()), kind_of(change), codec.dump(change), cause)


def renew(at: At, row: MatchRow, phase: OpenPhase, entry: Entry) -> Playing:
    """Append that the phase under way is played anew, and the match at its beginning: nothing of it is written yet."""
    at.step.append([entry])
    game = at.office.games[row.game]
    return _rebuild(game, row, read_log(game, (*phase.entries, entry)))


def rewrite(at: At, playing: Playing, change: Rewound | Forwarded, cause: str) -> Playing:
    """Append a rewind or a roll-forward, with a commitment to new secrets, and load the match as it then is, run on to where
    somebody must answer.

    Raises Stuck, and nothing is written, where the match cannot be played from there either.
    """
    row = playing.row
    entry = entry_after(at.office, row, playing.head, change, cause)
    pledged = entry_after(at.office, row, entry, pledge(row.secret, playing.seals), cause)
    log = read_log(playing.game, (*at.step.entries(row.name), entry, pledged))
    rebuilt = _rebuild(playing.game, row, log)
    if rebuilt.fault:
        raise Stuck(rebuilt.fault)
    at.step.append([entry, pledged])
    return play_on(at, rebuilt, (), cause)


def restored(at: At, playing: Playing, action: str) -> Playing:
    """Append that the log is that of a backup, with a commitment to new secrets: those of the chain in use may have been told
    with dice that are lost. A match that waits for its dice stays as it is, since nothing may come between a seal and them."""
    if playing.outcome.sealed:
        return playing
    row, cause = playing.row, "a restored backup"
    entry = entry_after(at.office, row, playing.head, Overrode(f"{RESTORED}{action}", at.office.name), cause)
    fresh = [entry]
    if playing.seals.chain >= 0:
        fresh.append(entry_after(at.office, row, entry, pledge(row.secret, playing.seals), cause))
    log = read_log(playing.game, (*at.step.entries(row.name), *fresh))
    at.step.append(fresh)
    return _rebuild(playing.game, row, log)


def remember(playing: Playing) -> None:
    """Keep a match in memory, in place of what was kept of it before.

    The hash of the head says what the whole log is, so a match of a transaction that was undone does no harm: no log
    will ever have that head, or it is this very log.
    """
    outcome = replace(playing.outcome, written=(), ended=())
    _CACHE[playing.row.name] = replace(playing, outcome=outcome, news=())


def so_far(playing: Playing, seat: Seat, since: int) -> tuple[str, ...]:
    """The words to a seat on the phase under way after so many events of it; that it began goes without saying."""
    heard, game = told(playing.outcome.events, seat)[since:], playing.game
    if isinstance(game, Recounts):
        return game.recount(heard, playing.outcome.state)
    return tuple(sentence for e in heard if not isinstance(e, PhaseBegan) and (sentence := e.sentence()))


def running_version() -> str:
    """The sentence that tells which version of the referee runs."""
    return f"This is version {metadata.version('referee')} of the referee."


def mark(entry: Entry) -> str:
    """How letters quote an entry of the log: its number and the first 16 characters of its hash."""
    return f"{entry.seq}:{entry.hash[:16]}"


# ---------------------------------------------------------------- a hand on a match
# All that a transaction does to a match is done by one value, which is the match as it stands by then.


THE_PLAYERS = "the players"
"""The name in the log for acts that the players voted for."""


@dataclass
class BareHand(At):
    """A match as it stands by now, in whose name and why something is done to it. Nothing but the hand changes."""

    playing: Playing
    by: str = ""
    reason: str = ""
    moment: datetime | None = None

    @property
    def match(self) -> str:
        return self.playing.row.name

    @property
    def status(self) -> str:
        return self.playing.row.status

    @property
    def waits(self) -> bool:
        """Whether the match waits for its dice."""
        return self.playing.outcome.sealed is not None

    def date(self, moment: datetime | None) -> None:
        """Have this moment stand in the log for what is played from here on; None: the time it is."""
        self.moment = moment

    def play(self, records: Sequence[Record], cause: str) -> Sequence[Ended[Any]]:
        """Take records into the log, and run the rules on as far as they go; the phases that ended."""
        self.playing = play_on(self, self.playing, records, cause, self.moment)
        return self.playing.outcome.ended

    def log(self, action: str, cause: str = "") -> None:
        """Put into the log what is done; its cause is the game master's letter unless another is named."""
        cause = cause or (self.by if self.by == THE_PLAYERS else f"game master {self.by}")
        self.play([Overrode(action, self.by, self.reason)], cause)

    def save(self, **changed: object) -> None:
        """Keep the row of the match with these parts changed."""
        self.playing = replace(self.playing, row=replace(self.playing.row, **changed))
        self.step.save_match(self.playing.row)
