"""Going back to a turn, and taking that back: nothing is erased, dead stretches stay readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.amend import evolved
from referee.core.event import PhaseBegan
from referee.core.question import Source
from referee.core.record import Answered, Filed, Forwarded, Happened, Record, Rewound, live
from referee.service.match.playing import Playing, Stuck, record_of
from referee.service.match.result import Denial, Told, need
from referee.service.overrides.hand import Hand
from referee.service.ports import Report
from referee.service.turns.halting import release


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
        f"The match went back to the beginning of turn {turn}. What happened after it no longer counts and stays readable.",
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
    return hand.tell("rolled forward", ("The last rewind is undone: what it set aside counts again.",), forms=True)


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
