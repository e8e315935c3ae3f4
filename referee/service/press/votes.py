"""VOTE, SUSPEND, PETITION: where the game has none of its own, its players decide together.

On a pause, more time or the end, which are then carried out; and on what to ask of the game master, who answers by RULING.
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from referee.service import notes
from referee.service.clock.slot_life import TOLD
from referee.service.match.result import Denied, Done, Result
from referee.service.overrides import moderate
from referee.service.overrides.base import THE_PLAYERS, TOO_FAR, is_too_far, log, notify
from referee.service.ports import Step
from referee.service.remembered import Motion
from referee.service.sheets.visit import Visit

KINDS = ("pause", "resume", "extend", "over")
PETITIONS = ("clarification", "change")
"""What players may ask of the game master: how a rule is meant, or another rule."""
_LAPSES = timedelta(days=7)


def motions_of(step: Step, match: str) -> tuple[Motion, ...]:
    """All motions of a match, oldest first."""
    return notes.MOTIONS.of(match).read(step) or ()


def _keep(step: Step, match: str, motion: Motion) -> None:
    every = {m.number: m for m in motions_of(step, match)} | {motion.number: motion}
    notes.MOTIONS.of(match).keep(step, tuple(every.values()))


def _open(visit: Visit) -> list[Motion]:
    now = visit.office.clock.now()
    return [m for m in motions_of(visit.step, visit.match) if m.state == "open" and now - m.at < _LAPSES]


def _voters(visit: Visit) -> list[str]:
    """The seats that have a vote: living, held by somebody, and not resigned."""
    playing, step = visit.playing, visit.step
    held = {m.seat for m in step.members(visit.match) if m.status == "playing" and m.seat}
    gone = notes.RESIGNED.every(step, visit.match)
    living = set(playing.game.living(playing.outcome.state))
    return [seat for seat in playing.created.seats if seat in held & living and seat not in gone]


def _needed(visit: Visit, voters: int) -> int:
    match visit.playing.settings.manners.votes:
        case "majority":
            return voters // 2 + 1
        case "two thirds":
            return -(-2 * voters // 3)
        case _:
            return voters


def move(visit: Visit, kind: str, seconds: float, source: str, text: str = "") -> None:
    """Put something to the vote; its mover votes for it. A motion of the same kind that is open is voted for instead."""
    status, more = visit.playing.row.status, timedelta(seconds=seconds)
    later = (alarm.due_at + more for alarm in visit.step.alarms(visit.match) if alarm.kind in TOLD)
    wrong = (
        "Say by how much: VOTE EXTEND BY 24h." if kind == "extend" and not seconds
        else f"The match is {status}, so there is nothing to pause or to extend."
        if kind in ("pause", "extend") and status != "running"
        else f"The match is {status}; only a paused one is resumed." if kind == "resume" and status != "paused"
        else "The match is over." if status == "over"
        else TOO_FAR if kind == "extend" and is_too_far(later, visit.office.clock.now()) else ""
    )  # fmt: skip
    same = next((m for m in _open(visit) if (m.kind, m.text) == (kind, text)), None)
    if wrong or visit.seat not in _voters(visit):
        visit.deny(source, wrong or f"{visit.seat} has no vote any more.")
    elif same is not None and (not seconds or same.seconds == seconds):
        cast(visit, same.number, True, source)
    elif any(m.by == visit.seat for m in _open(visit)):
        visit.deny(source, "A motion of yours is open already; wait until it is decided.")
    else:
        number = 1 + len(motions_of(visit.step, visit.match))
        motion = Motion(number, kind, visit.seat, visit.office.clock.now(), seconds, (visit.seat,), text=text)
        _keep(visit.step, visit.match, motion)
        visit.done.append(f"Motion {number}, {motion.what}, is put to the vote; you vote yes.")
        if not _decided(visit, motion):
            said = (
                f"{visit.seat} moves {motion.what}.",
                f"Reply VOTE yes ON {number} or VOTE no ON {number}. It is carried by {_needed(visit, len(_voters(visit)))} "
                f"of {len(_voters(visit))} votes, and lapses after {_LAPSES.days} days.",
            )
            notify(visit.office, visit.step, visit.playing, f"motion {number} is put to the vote", said, visit.seat)


def cast(visit: Visit, number: int, yes: bool, source: str) -> None:
    """Vote on an open motion; a vote can be changed as long as the motion is open."""
    motion = next((m for m in _open(visit) if m.number == number or (not number and len(_open(visit)) == 1)), None)
    if motion is None or visit.seat not in _voters(visit):
        numbers = ", ".join(str(m.number) for m in _open(visit))
        visit.deny(source, f"There is no such motion; open are: {numbers}." if numbers else "No motion is open now.")
        return
    ayes = tuple(s for s in motion.yes if s != visit.seat) + ((visit.seat,) if yes else ())
    noes = tuple(s for s in motion.no if s != visit.seat) + (() if yes else (visit.seat,))
    motion = replace(motion, yes=ayes, no=noes)
    _keep(visit.step, visit.match, motion)
    visit.done.append(f"Your vote on motion {motion.number} is {'yes' if yes else 'no'}.")
    _decided(visit, motion)


def _decided(visit: Visit, motion: Motion) -> bool:
    """Carry out a motion that has its votes; close one that cannot get them any more. Whether it is decided."""
    voters = _voters(visit)
    ayes, noes = len(set(motion.yes) & set(voters)), len(set(motion.no) & set(voters))
    needed = _needed(visit, len(voters))
    if ayes < needed and len(voters) - noes >= needed:
        return False
    counted = f"{ayes} to {noes} of {len(voters)} votes"
    if ayes < needed:
        _keep(visit.step, visit.match, replace(motion, state="lost"))
        said = (f"Motion {motion.number}, {motion.what}, is lost: {counted}.",)
        notify(visit.office, visit.step, visit.playing, f"motion {motion.number} is lost", said, THE_PLAYERS)
        visit.done += said
        return True
    _keep(visit.step, visit.match, replace(motion, state="carried"))
    outcome = _carry_out(visit, motion, f"motion {motion.number}, carried by {counted}")
    if isinstance(outcome, Denied):
        said = (f"Motion {motion.number} is carried, but it changes nothing now: {outcome.sentence}",)
        notify(visit.office, visit.step, visit.playing, f"motion {motion.number} changes nothing", said, THE_PLAYERS)
        visit.doubts += said
    else:
        visit.playing = outcome.after(visit.playing)
        visit.done += [f"Motion {motion.number} is carried: {counted}.", *outcome.sentences]
    return True


def _carry_out(visit: Visit, motion: Motion, reason: str) -> Result:
    office, step, playing = visit.office, visit.step, visit.playing
    span = timedelta(seconds=motion.seconds) if motion.seconds else None
    match motion.kind:
        case "pause":
            return moderate.pause(office, step, playing, THE_PLAYERS, reason, span)
        case "resume":
            return moderate.resume_match(office, step, playing, THE_PLAYERS, reason)
        case "extend":
            return moderate.move_deadline(office, step, playing, THE_PLAYERS, reason, later=span)
        case "clarification" | "change":
            return _asked(visit, motion, reason)
        case _:
            return moderate.terminate(office, step, playing, THE_PLAYERS, reason)


def _asked(visit: Visit, motion: Motion, reason: str) -> Done:
    """Lay a petition before the game master: it stands in the log, and everybody is told that an answer is awaited."""
    said = (
        f"The players ask for a {motion.kind} of the rules: {motion.text}",
        "The game master answers by RULING, which everybody is sent; until then the rules stand as they are.",
    )
    action = f'PETITION FOR {motion.kind} "{motion.text}"'
    playing = log(visit.office, visit.step, visit.playing, action, THE_PLAYERS, reason)
    notify(visit.office, visit.step, playing, "a petition is carried", said, THE_PLAYERS, reason)
    return Done(said, playing)


def motion_sentences(visit: Visit) -> tuple[str, ...]:
    """The open motions as STATUS lists them; how a seat voted only it is told."""
    said = []
    for m in _open(visit):
        own = " You voted yes." if visit.seat in m.yes else " You voted no." if visit.seat in m.no else ""
        owing = f" VOTE yes ON {m.number}, or VOTE no." if visit.seat and not own else own
        said.append(f"Motion {m.number} of {m.by}, {m.what}: {len(m.yes)} for, {len(m.no)} against.{owing}")
    return tuple(said)
