"""The game master's overrides. Each is logged, published with its reason, and told to everybody concerned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import msgspec

from referee.core.event import PhaseBegan, Ruled
from referee.core.question import Source
from referee.core.record import Answered, Filed, Forwarded, Happened, Overrode, Record, Rewound, live
from referee.service.advance import (
    close,
    everybody,
    form_for,
    owner_of,
    run,
    set_alarms,
    set_deadline,
)
from referee.service.delay import Kept, keep_clock, kept_clock
from referee.service.frames import debts, frame
from referee.service.letters import Notice
from referee.service.office import Office
from referee.service.playing import Playing, play_on, rewrite
from referee.service.ports import Alarm, Conflict, Member, Player, Step
from referee.service.post import post
from referee.service.times import both_stamps, stamp

__all__ = [
    "Deed",
    "Denied",
    "announce",
    "excuse",
    "forward",
    "move_deadline",
    "notify",
    "pause",
    "process",
    "replace_player",
    "resume_match",
    "rewind",
    "roll_out",
    "rule",
    "terminate",
]


InZone = Callable[[str], Sequence[str]]
"""Sentences for a reader in a time zone."""


class Deed(msgspec.Struct, frozen=True):
    """An override that was carried out: the match after it and what was done."""

    playing: Playing
    sentences: tuple[str, ...]


class Denied(msgspec.Struct, frozen=True):
    """An override that cannot be: what is wrong and what would be right."""

    sentence: str


def notify(
    office: Office,
    step: Step,
    playing: Playing,
    title: str,
    sentences: Sequence[str] | InZone,
    by: str,
    reason: str = "",
    forms: bool = False,
) -> None:
    """Tell everybody in the match, with the reason and each reader's own deadline; `forms` adds order sheets.

    Sentences with times in them are given as a function of the reader's zone.
    """
    for member, player in everybody(step, playing.row.name):
        framed = frame(office, step, playing, member, player)
        form = form_for(playing, member.seat) if forms and member.status == "playing" else None
        said = sentences(player.zone) if callable(sentences) else sentences
        letter = Notice(framed, title, tuple(said), reason, by, form)
        unique = f"{playing.head.seq}.{title}"
        post(office, step, player, "notice", title, letter, unique, playing, member)


def _log(office: Office, step: Step, playing: Playing, action: str, by: str, reason: str) -> Playing:
    return play_on(office, step, playing, [Overrode(action, by, reason)], f"game master {by}")


def move_deadline(
    office: Office,
    step: Step,
    playing: Playing,
    by: str,
    reason: str,
    seat: str = "",
    later: timedelta | None = None,
    until: datetime | None = None,
) -> Deed | Denied:
    """Move the deadline of one seat or of all who owe something. Never earlier than a player was told."""
    match, now = playing.row.name, office.clock.now()
    alarms = [a for a in step.alarms(match) if a.kind == "deadline" and (not seat or a.seat == seat)]
    if not alarms:
        who = seat or "anybody"
        return Denied(f"No deadline is running for {who}, so there is none to move.")
    moved = [(a, until if until is not None else a.due_at + (later or timedelta())) for a in alarms]
    for alarm, due in moved:
        if due < alarm.due_at:
            promised = stamp(alarm.due_at, "UTC")
            return Denied(
                f"{alarm.seat} was told {promised}, and a deadline never moves earlier than that; "
                "name a later time, or an amount such as +12h."
            )
    for alarm, due in moved:
        set_deadline(step, playing, alarm.key, alarm.seat, due, now)

    def told(zone: str) -> tuple[str, ...]:
        return tuple(
            f"{a.seat} now has until {both_stamps(due, zone)}; it was {stamp(a.due_at, zone)}." for a, due in moved
        )

    sentences = told("UTC")
    playing = _log(office, step, playing, f"DEADLINE: {' '.join(sentences)}", by, reason)
    notify(office, step, playing, "a deadline was moved", told, by, reason)
    return Deed(playing, sentences)


def pause(
    office: Office, step: Step, playing: Playing, by: str, reason: str, span: timedelta | None = None
) -> Deed | Denied:
    """Stop the clock; everybody keeps the time he had left. With a span it resumes by itself."""
    if playing.row.status != "running":
        return Denied(f"{playing.row.name} is {playing.row.status}; only a running match can be paused.")
    match, now = playing.row.name, office.clock.now()
    kept = [
        Kept(a.kind, a.key, a.seat, (a.due_at - now).total_seconds())
        for a in step.alarms(match)
        if a.kind in ("deadline", "mind")
    ]
    keep_clock(step, match, kept)
    step.clear_alarms(match)
    row = msgspec.structs.replace(playing.row, status="paused")
    step.save_match(row)
    if span:
        step.set_alarm(Alarm(match, "resume", "pause", now + span))

    def told(zone: str) -> tuple[str, ...]:
        stands = "The clock stands still. Orders are still taken and answered; no turn runs."
        if span is None:
            return (stands, "It goes on when the game master resumes it.")
        return (stands, f"It goes on by itself at {both_stamps(now + span, zone)}, or earlier when resumed.")

    playing = _log(office, step, replace(playing, row=row), "PAUSE", by, reason)
    notify(office, step, playing, "the match is paused", told, by, reason)
    return Deed(playing, told("UTC"))


def resume_match(office: Office, step: Step, playing: Playing, by: str, reason: str) -> Deed | Denied:
    """Let the clock run again with the time everybody had left."""
    if playing.row.status != "paused":
        return Denied(f"{playing.row.name} is {playing.row.status}; only a paused match can be resumed.")
    match, now = playing.row.name, office.clock.now()
    row = msgspec.structs.replace(playing.row, status="running")
    step.save_match(row)
    step.clear_alarms(match)
    playing = _log(office, step, replace(playing, row=row), "RESUME", by, reason)
    open_keys = {question.key for question in playing.outcome.open}
    for kept in kept_clock(step, match):
        due = now + timedelta(seconds=max(kept.seconds, 0))
        if kept.key not in open_keys:
            continue
        if kept.kind == "deadline":
            set_deadline(step, playing, kept.key, kept.seat, due, now)
        else:
            step.set_alarm(Alarm(match, kept.kind, kept.key, due, kept.seat))
    keep_clock(step, match, None)
    set_alarms(office, step, playing)
    sentences = ("The clock runs again. Everybody has the time he had left when the match was paused.",)
    notify(office, step, playing, "the match goes on", sentences, by, reason, forms=True)
    return Deed(playing, sentences)


def roll_out(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Deed | Denied:
    """Play a seat's turn at once from draft, late instruction, standing orders, default."""
    mine = debts(playing, seat)
    if not mine:
        return Denied(f"{seat} owes nothing now; we wait for {_waiting(playing)}.")
    if playing.row.status != "running":
        return Denied(f"{playing.row.name} is {playing.row.status}; RESUME it first.")
    playing = _log(office, step, playing, f"ROLL OUT {seat}", by, reason)
    notify(
        office, step, playing, f"{seat} is rolled out", (f"{seat}'s turn is played from what is on file.",), by, reason
    )
    ran = close(office, step, playing, [q.key for q in mine], True, f"rolled out by {by}")
    return Deed(ran.playing, (f"{seat} was rolled out.",))


def _waiting(playing: Playing) -> str:
    return ", ".join(sorted({q.seat for q in playing.outcome.open})) or "nobody"


def process(office: Office, step: Step, playing: Playing, by: str, reason: str, phase: str) -> Deed | Denied:
    """Run the phase that waits, naming it, so that the order cannot race the clock."""
    now_waiting = playing.outcome.phase
    if now_waiting is None:
        return Denied("The match is over; there is nothing to process.")
    if phase.casefold() not in (now_waiting.key.casefold(), now_waiting.title.casefold()):
        return Denied(
            f'The phase that waits is {now_waiting.key} ({now_waiting.title}); write PROCESS "{now_waiting.key}".'
        )
    if playing.row.status != "running":
        return Denied(f"{playing.row.name} is {playing.row.status}; RESUME it first.")
    playing = _log(office, step, playing, f"PROCESS {now_waiting.key}", by, reason)
    ran = close(office, step, playing, [q.key for q in playing.outcome.open], True, f"processed by {by}")
    return Deed(ran.playing, (f"{now_waiting.title} was run.",))


def excuse(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Deed | Denied:
    """Put on record that a seat's lateness was not its player's fault."""
    if seat not in playing.created.seats:
        return Denied(f"{seat} is no seat of {playing.row.name}; the seats are {', '.join(playing.created.seats)}.")
    playing = _log(office, step, playing, f"EXCUSE {seat}", by, reason)
    sentence = f"{seat}'s lateness in {playing.row.name} is excused and does not count against its player."
    notify(office, step, playing, f"{seat} is excused", (sentence,), by, reason)
    return Deed(playing, (sentence,))


def rewind(office: Office, step: Step, playing: Playing, by: str, reason: str, turn: int) -> Deed | Denied:
    """Go back to the beginning of a turn. Dead stretches stay readable; orders sent for that turn are on file again."""
    if playing.row.status == "over":
        return Denied(
            f"{playing.row.name} is over and its dice secret is published, so dice rolled again could be foreseen."
        )
    alive, _, highest = live([(e.seq, playing.codec.load(e.payload)) for e in step.entries(playing.row.name)])
    starts = _turn_starts(playing, [(entry.seq, entry.record) for entry in alive])
    if turn not in starts:
        known = f"{min(starts)} to {max(starts)}" if starts else "none"
        return Denied(f"Turn {turn} has not begun; turns that can be rewound to: {known}.")
    to = starts[turn]
    change = Rewound(to, highest + 1, by, reason)
    kept = _sheets_to_keep(playing, [entry.record for entry in alive if entry.seq > to], turn)
    row = msgspec.structs.replace(playing.row, status="running", turn=turn)
    step.save_match(row)
    step.clear_alarms(row.name)
    keep_clock(step, row.name, None)
    step.retire_tokens(row.name, 1_000_000_000)
    again = rewrite(office, step, replace(playing, row=row), change, f"game master {by}")
    ran = run(office, step, again, _refile(again, kept), "sheets kept over the rewind")
    sentences = (
        f"The match went back to the beginning of turn {turn}. What happened after it no longer counts and stays readable.",
        "Dice are rolled anew from here on. Standing orders, late orders and the orders sent for this turn are on file again.",
    )
    notify(office, step, ran.playing, f"rewound to turn {turn}", sentences, by, reason, forms=True)
    return Deed(ran.playing, sentences)


def _turn_starts(playing: Playing, records: Sequence[tuple[int, Record]]) -> dict[int, int]:
    """For each turn the number of the last live entry before its first phase began."""
    starts: dict[int, int] = {}
    state = playing.game.setup(playing.created.seats, playing.created.options)
    last = 0
    for seq, record in records:
        if isinstance(record, Happened):
            event = playing.codec.event(record.event)
            if isinstance(event, PhaseBegan):
                phase = playing.game.next_phase(state)
                if phase is not None:
                    starts.setdefault(phase.turn, last)
            state = playing.game.evolve(state, event)
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


def forward(office: Office, step: Step, playing: Playing, by: str, reason: str) -> Deed | Denied:
    """Undo the last rewind, if no player has moved since."""
    entries = step.entries(playing.row.name)
    records = [(entry.seq, playing.codec.load(entry.payload)) for entry in entries]
    undone = {r.undoes for _, r in records if isinstance(r, Forwarded)}
    rewinds = [seq for seq, r in records if isinstance(r, Rewound) and seq not in undone]
    if not rewinds:
        return Denied("No rewind is in force, so there is nothing to undo.")
    last = rewinds[-1]
    if any(isinstance(r, Answered) and r.source is Source.PLAYER for seq, r in records if seq > last):
        return Denied("Players have moved since the rewind; rewind to the turn you want instead.")
    step.clear_alarms(playing.row.name)
    step.retire_tokens(playing.row.name, 1_000_000_000)
    row = msgspec.structs.replace(playing.row, status="running")
    step.save_match(row)
    again = rewrite(office, step, replace(playing, row=row), Forwarded(last, by, reason), f"game master {by}")
    ran = run(office, step, again, (), "rolled forward")
    sentences = ("The last rewind is undone: what it set aside counts again.",)
    notify(office, step, ran.playing, "rolled forward", sentences, by, reason, forms=True)
    return Deed(ran.playing, sentences)


def replace_player(
    office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str, address: str
) -> Deed | Denied:
    """Give a seat to another person; the old reply addresses of the seat die at once."""
    found = owner_of(step, playing.row.name, seat)
    if found is None:
        return Denied(f"{seat} is no seat of {playing.row.name}; the seats are {', '.join(playing.created.seats)}.")
    old_member, old_player = found
    newcomer = step.player_at(address) or _stranger(step, address)
    if newcomer is None:
        return Denied(f"{address} is not an e-mail address; write REPLACE {seat} BY name@host.")
    if newcomer.id == old_player.id:
        return Denied(f"{address} plays {seat} already.")
    other = [m.seat for m in step.members(playing.row.name) if m.player == newcomer.id and m.status == "playing"]
    if other:
        return Denied(f"{address} plays {other[0]} in {playing.row.name}; a person plays one seat of a match.")
    step.save_member(msgspec.structs.replace(old_member, status="replaced"))
    step.save_member(Member(0, playing.row.name, newcomer.id, "player", "playing", seat, (), old_member.number))
    step.retire_tokens(playing.row.name, 1_000_000_000, seat)
    playing = _log(office, step, playing, f"REPLACE {seat}", by, reason)
    sentences = (f"{seat} is now played by {newcomer.name}.",)
    notify(office, step, playing, f"{seat} has a new player", sentences, by, reason, forms=True)
    _take_leave(office, step, playing, old_member, old_player, seat, by, reason)
    return Deed(playing, sentences)


def _stranger(step: Step, address: str) -> Player | None:
    local, at, host = address.partition("@")
    if not (local and at and host) or " " in address:
        return None
    try:
        return step.save_player(Player(0, local, (address.lower(),)))
    except Conflict:
        return None


def _take_leave(
    office: Office, step: Step, playing: Playing, member: Member, player: Player, seat: str, by: str, reason: str
) -> None:
    gone = msgspec.structs.replace(member, status="replaced")
    framed = frame(office, step, playing, gone, player)
    letter = Notice(framed, "you are replaced", (f"{seat} is played by somebody else from now on.",), reason, by)
    post(office, step, player, "notice", "you are replaced", letter, f"{playing.head.seq}.leave", playing)


def rule(office: Office, step: Step, playing: Playing, by: str, text: str, citing: str = "") -> Deed | Denied:
    """Publish a ruling; it stands in the log and in the next report."""
    if playing.outcome.over:
        return Denied("The match is over; nothing is left to rule on.")
    record = Happened(playing.codec.raw(Ruled(text, by, citing)))
    playing = play_on(office, step, playing, [record], f"game master {by}")
    notify(office, step, playing, "a ruling", (text, *((f"It cites {citing}.",) if citing else ())), by)
    return Deed(playing, ("The ruling was published.",))


def announce(office: Office, step: Step, playing: Playing, by: str, text: str) -> Deed | Denied:
    """Send a message to everybody in the match."""
    playing = _log(office, step, playing, f"ANNOUNCE: {text}", by, "")
    notify(office, step, playing, "an announcement", (text,), by)
    return Deed(playing, ("Your message went to everybody.",))


def terminate(office: Office, step: Step, playing: Playing, by: str, reason: str) -> Deed | Denied:
    """End the match without a winner; its archive stays."""
    if playing.row.status == "over":
        return Denied("The match is over already.")
    row = msgspec.structs.replace(playing.row, status="over")
    step.save_match(row)
    step.clear_alarms(row.name)
    playing = _log(office, step, replace(playing, row=row), "TERMINATE", by, reason)
    sentences = (
        "The game master ended the match; nobody won.",
        f"The dice secret is {row.secret.hex()}; with it everybody can check every die.",
    )
    notify(office, step, playing, "the match is ended", sentences, by, reason)
    return Deed(playing, sentences)
