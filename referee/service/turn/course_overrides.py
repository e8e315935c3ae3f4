"""Overrides of the course by a game master: positions amended, turns foreseen, taken back and taken up again."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.event import Amended, Edit, PhaseBegan, Ruled
from referee.core.names import Role
from referee.core.page import Bullets, Heading, Page, Paragraph
from referee.core.position import evolved, figures, named
from referee.core.question import Question, Source
from referee.core.record import Answered, Filed, Forwarded, Happened, Opened, Record, Rewound, Sealed, live
from referee.core.stage import Ended, resume
from referee.kit.wording import in_a_row
from referee.service.base.ports import Report
from referee.service.match.bots import steady_for
from referee.service.match.playing import BareHand, Playing, Stuck, record_of
from referee.service.match.result import Denial, Told, need
from referee.service.match.sheets import closing, draft_of
from referee.service.turn.advance import release
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- RULING … SETTING figures
# The difference is shown first, and a YES to exactly that carries it out.


_ONE = re.compile(r"(.+?)\s*(?:=|\bto\b|\s)\s*(-?\d{1,9})", re.IGNORECASE)


def edits_of(playing: Playing, written: str) -> tuple[Edit, ...]:
    """`Spain gold 12, France gold 3` as edits of the position now."""
    need(not playing.outcome.over, "The match is over; nothing is left to rule on.")
    found = figures(playing.outcome.state, tuple(playing.created.seats))
    edits = []
    for part in filter(None, map(str.strip, re.split(r"[,;]", written))):
        match = _ONE.fullmatch(part)
        if match is None:
            raise Denial(f'{part} names no figure and number; write SETTING "Spain gold 12".')
        paths = named(found, match[1])
        if len(paths) != 1:
            some = "; ".join(" ".join(path) for path in (paths or list(found))[:6])
            many = "more than one figure" if paths else "no figure of a seat"
            raise Denial(f"{match[1]} names {many}; there are {some or 'none in this game, so REWIND is the way'}.")
        edits.append(Edit(paths[0], found[paths[0]], int(match[2])))
    need(all(edit.after >= 0 for edit in edits), "No figure of a seat goes below 0.")
    need(len({edit.path for edit in edits}) == len(edits), "Each figure can be set once.")
    need(edits, 'Say which figure and to what: SETTING "Spain gold 12".')
    return tuple(edits)


def fingerprint(playing: Playing, edits: tuple[Edit, ...]) -> str:
    """Stands for this difference and for no other: what was agreed to is what is done, or nothing is."""
    shown = f"{playing.row.name}/{playing.course}/{'; '.join(edit.sentence() for edit in edits)}"
    return hashlib.sha256(shown.encode()).hexdigest()[:8]


def amend(hand: Hand, text: str, citing: str, edits: tuple[Edit, ...]) -> Told:
    """Publish a ruling and set its figures."""
    events = (Ruled(text, hand.by, citing), Amended(hand.by, edits))
    records = [Happened(hand.playing.codec.raw(event)) for event in events]
    hand.add(records, f"game master {hand.by}")
    cites = (f"It cites {citing}.",) if citing else ()
    hand.tell("a ruling", (text, *cites, *(f"{edit.sentence()}." for edit in edits)))
    return ("The ruling was published and the figures are set.",)


# ---------------------------------------------------------------- PREVIEW TURN
# The results of the turn with the orders on file, for a game master who does not play.
#
# Nothing is stored or published. The dice are not those of the match but others, from a secret of their own: who saw the real
# ones before the turn is published could use them, by a ruling or a word to a friend, and nobody could tell.


_DICE = (
    "The dice here are not the match's: they are thrown for this preview alone, and the turn itself will throw others. "
    "Nothing of this is stored, and nobody else was told."
)
_SOON = 1
"""Answers that have a time end the seal before them, as they will in the turn: none of its dice is thrown here."""

_ROUNDS = 500


def foresee(hand: BareHand) -> Page:
    """The report of the phase that waits, as if every slot were closed now with what is on file, or what a bot would play."""
    playing = hand.playing
    if playing.outcome.phase is None or playing.row.status == "over":
        raise Denial(f"{playing.row.name} is over, so no turn is ahead.")
    ended, automatic = _played(hand)
    if ended is None:
        raise Denial("The turn asks for more decisions than a preview follows.")
    page = playing.game.report(ended.before, ended.events, ended.after, Role.REFEREE)
    on_file = sorted({q.seat for q in playing.outcome.open if q.wants_orders and draft_of(playing, q) is not None})
    nothing = sorted({q.seat for q in playing.outcome.open if q.wants_orders} - set(on_file))
    facts = [
        f"On file: {in_a_row(on_file) or 'nothing'}. Nothing on file: {in_a_row(nothing) or 'nobody'}.",
        *automatic,
    ]
    head = (Paragraph(_DICE), Bullets(tuple(facts)), Heading("The report as it would be"))
    return Page(f"Preview of {ended.phase.title}", page.summary, (*head, *page.blocks))


def _played(hand: BareHand) -> tuple[Ended[Any] | None, list[str]]:
    """The phase that waits, run to its end in memory, and which answers nobody gave."""
    playing = hand.playing
    codec, position, tail = playing.codec, playing.position, list(playing.tail)
    dice, outcome = _Foreseen(playing), playing.outcome
    automatic: list[str] = []
    known = {q.key for q in playing.outcome.open}

    def instead(question: Question[Any]) -> Any:
        return steady_for(hand, question) if question.key in known else None

    for _ in range(_ROUNDS):
        inputs = [replace(closing(playing, question, True, 0, instead=instead), at=_SOON) for question in outcome.open]
        automatic += [f"{a.seat}: {a.source.value}." for a in inputs if a.key in known and a.source.value != "player"]
        outcome = resume(playing.game, codec, position, tail, inputs, dice, lambda _: True, 1)
        if outcome.ended:
            return outcome.ended[0], automatic
        tail += outcome.written
    return None, automatic


class _Foreseen:
    """The match's own dice where they are thrown and published already, others from there on (core.stage.Dice)."""

    def __init__(self, playing: Playing) -> None:
        self._keys, self._secret = playing.seals.keys, playing.row.secret
        self._others = Keyed(hmac.digest(playing.row.secret, b"preview", hashlib.sha256))

    def seal(self, written: Sequence[Record], hidden: bool, held: Sealed | None, more: bool) -> Sealed:
        """A seal that is no number of the log's."""
        return Sealed(-1, hidden=hidden)

    def under(self, seal: Sealed | None, opened: Opened | None) -> Chance | None:
        """Dice of the match under a seal of its log, others under any other."""
        key = self._keys.get(seal.number) if seal is not None else None
        return key.chance(self._secret) if key is not None and not key.waits else self._others


# ---------------------------------------------------------------- going back to a turn, and taking that back
# Nothing is erased, dead stretches stay readable.


def rewind(hand: Hand, turn: int) -> Told:
    """Go back to the beginning of a turn. Dead stretches stay readable; orders sent for that turn are on file again."""
    playing, step = hand.playing, hand.step
    over = f"{hand.match} is over and its dice secret is published, so dice rolled again could be foreseen."
    need(hand.status != "over", over)
    alive = live([(e.seq, record_of(playing.codec, e)) for e in step.entries(hand.match)])
    starts = _turn_starts(playing, [(entry.seq, entry.record) for entry in alive])
    if turn not in starts:
        why = "cannot be reached" if playing.fault else "has not begun"
        raise Denial(f"Turn {turn} {why}; turns that can be rewound to: {_span(starts)}.")
    kept = _sheets_to_keep(playing, [entry.record for entry in alive if entry.seq > starts[turn]], turn)
    try:
        hand.rewrite(Rewound(starts[turn], hand.by, hand.reason), turn=turn, trouble="")
    except Stuck as problem:
        said = f"Turn {turn} cannot be played either ({problem}); turns that have begun: {_span(starts)}."
        raise Denial(said) from problem
    release(step, hand.match)
    hand.run(_refile(hand.playing, kept), "sheets kept over the rewind")
    sentences = (
        f"The match went back to the beginning of turn {turn}. Everything after it no longer counts, and stays readable.",
        "Dice are rolled anew from here on. Standing orders, late orders and the orders sent for this turn are on file again.",
    )
    return hand.tell(f"rewound to turn {turn}", sentences, forms=True)


def _span(starts: Mapping[int, int]) -> str:
    return f"{min(starts)} to {max(starts)}" if starts else "none"


def _turn_starts(playing: Playing, records: Sequence[tuple[int, Record]]) -> dict[int, int]:
    """For each turn the number of the last live entry before its first phase began, as far as these rules take the log in."""
    starts: dict[int, int] = {}
    state = playing.game.setup(playing.created.seats, playing.created.options)
    last = 0
    for seq, record in records:
        if isinstance(record, Happened):
            try:
                event = playing.codec.event(record.event)
                phase = playing.game.next_phase(state) if isinstance(event, PhaseBegan) else None
                state = evolved(playing.game, state, event)
            except Exception:  # what lies behind can be reached by no rewind: it has to be folded first
                break
            if phase is not None:
                starts.setdefault(phase.turn, last)
        last = seq
    return starts


def _sheets_to_keep(playing: Playing, dead: Sequence[Record], turn: int) -> list[Filed]:
    """Standing, late and future sheets as they stand now, and the latest orders given for the turn gone back to."""
    kept = [
        Filed(seat, drawer, sheet, "kept over a rewind")
        for (seat, drawer), sheet in sorted(playing.outcome.drawers.items())
        if not drawer.startswith("orders:") and _still_ahead(drawer, turn)
    ]
    drafts = {
        (r.seat, r.drawer): r for r in dead if isinstance(r, Filed) and r.drawer.startswith("orders:") and r.sheet
    }
    return kept + list(drafts.values())


def _still_ahead(drawer: str, turn: int) -> bool:
    kind, _, number = drawer.partition(":")
    return kind != "turn" or int(number) >= turn


def _refile(again: Playing, kept: Sequence[Filed]) -> list[Record]:
    keys = {f"orders:{question.key}" for question in again.outcome.open}
    return [sheet for sheet in kept if not sheet.drawer.startswith("orders:") or sheet.drawer in keys]


def forward(hand: Hand) -> Told:
    """Undo the last rewind, if no player has moved since."""
    need(hand.status != "over", f"{hand.match} is over and its dice secret is published, so it cannot go on.")
    codec = hand.playing.codec
    records = [(entry.seq, codec.load(entry.payload)) for entry in hand.step.entries(hand.match)]
    undone = {r.undoes for _, r in records if isinstance(r, Forwarded)}
    rewinds = [seq for seq, r in records if isinstance(r, Rewound) and seq not in undone]
    need(rewinds, "No rewind is in force, so there is nothing to undo.")
    last = rewinds[-1]
    moved = any(isinstance(r, Answered) and r.source is Source.PLAYER for seq, r in records if seq > last)
    need(not moved, "Players have moved since the rewind; rewind to the turn you want instead.")
    hand.rewrite(Forwarded(last, hand.by, hand.reason))
    _revive_reports(hand, last)
    hand.run((), "rolled forward")
    return hand.tell(
        "rolled forward", ("The last rewind is undone: everything it set aside counts again.",), forms=True
    )


def _revive_reports(hand: Hand, rewound_at: int) -> None:
    """Reports of the course taken up again are kept once more, so that the latest of a turn is always the one that counts."""
    then: dict[tuple[int, str], Report] = {}
    now: dict[tuple[int, str], Report] = {}
    for report in sorted(hand.step.reports(hand.match), key=lambda report: report.epoch):
        place = (report.turn, report.reader)
        now[place] = report
        if report.seq < rewound_at:
            then[place] = report
    for place, report in then.items():
        if now[place] is not report:
            hand.step.keep_report(replace(report, epoch=hand.playing.course))
