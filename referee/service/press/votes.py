"""VOTE, SUSPEND, PETITION: where the game has none of its own, its players decide together.

On a pause, more time or the end, which are then carried out; and on what to ask of the game master, who answers by RULING.
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from referee.service import notes
from referee.service.clock.clocks import too_far
from referee.service.clock.slot_life import TOLD
from referee.service.match.hand import THE_PLAYERS
from referee.service.match.result import NOTHING, Came, Denial, Told, need
from referee.service.overrides import moderate
from referee.service.overrides.hand import Hand
from referee.service.ports import Step
from referee.service.remembered import Motion

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


def _open(hand: Hand) -> list[Motion]:
    now = hand.now
    return [m for m in motions_of(hand.step, hand.match) if m.state == "open" and now - m.at < _LAPSES]


def _voters(hand: Hand) -> list[str]:
    """The seats that have a vote: living, held by somebody, and not resigned."""
    playing, step = hand.playing, hand.step
    held = {m.seat for m in step.members(hand.match) if m.status == "playing" and m.seat}
    gone = notes.RESIGNED.every(step, hand.match)
    living = set(playing.game.living(playing.outcome.state))
    return [seat for seat in playing.created.seats if seat in held & living and seat not in gone]


def _needed(hand: Hand, voters: int) -> int:
    match hand.playing.settings.manners.votes:
        case "majority":
            return voters // 2 + 1
        case "two thirds":
            return -(-2 * voters // 3)
        case _:
            return voters


def move(hand: Hand, kind: str, seconds: float, text: str = "") -> Came:
    """Put something to the vote; its mover votes for it. A motion of the same kind that is open is voted for instead."""
    status, more = hand.status, timedelta(seconds=seconds)
    later = (alarm.due_at + more for alarm in hand.step.alarms(hand.match) if alarm.kind in TOLD)
    wrong = (
        "Say by how much: VOTE EXTEND BY 24h." if kind == "extend" and not seconds
        else f"The match is {status}, so there is nothing to pause or to extend."
        if kind in ("pause", "extend") and status != "running"
        else f"The match is {status}; only a paused one is resumed." if kind == "resume" and status != "paused"
        else "The match is over." if status == "over"
        else too_far(later, hand.now) if kind == "extend" else ""
    )  # fmt: skip
    need(not wrong, wrong)
    need(hand.seat in _voters(hand), f"{hand.seat} has no vote any more.")
    same = next((m for m in _open(hand) if (m.kind, m.text) == (kind, text)), None)
    if same is not None and (not seconds or same.seconds == seconds):
        return cast(hand, same.number, True)
    need(
        not any(m.by == hand.seat for m in _open(hand)), "A motion of yours is open already; wait until it is decided."
    )
    number = 1 + len(motions_of(hand.step, hand.match))
    motion = Motion(number, kind, hand.seat, hand.now, seconds, (hand.seat,), text=text)
    _keep(hand.step, hand.match, motion)
    came = Came((f"Motion {number}, {motion.what}, is put to the vote; you vote yes.",))
    if decided := _decided(hand, motion):
        return came + decided
    said = (
        f"{hand.seat} moves {motion.what}.",
        f"Reply VOTE yes ON {number} or VOTE no ON {number}. It is carried by {_needed(hand, len(_voters(hand)))} "
        f"of {len(_voters(hand))} votes, and lapses after {_LAPSES.days} days.",
    )
    with hand.signing(hand.seat):
        hand.tell(f"motion {number} is put to the vote", said)
    return came


def cast(hand: Hand, number: int, yes: bool) -> Came:
    """Vote on an open motion; a vote can be changed as long as the motion is open."""
    motion = next((m for m in _open(hand) if m.number == number or (not number and len(_open(hand)) == 1)), None)
    if motion is None or hand.seat not in _voters(hand):
        numbers = ", ".join(str(m.number) for m in _open(hand))
        raise Denial(f"There is no such motion; open are: {numbers}." if numbers else "No motion is open now.")
    ayes = tuple(s for s in motion.yes if s != hand.seat) + ((hand.seat,) if yes else ())
    noes = tuple(s for s in motion.no if s != hand.seat) + (() if yes else (hand.seat,))
    motion = replace(motion, yes=ayes, no=noes)
    _keep(hand.step, hand.match, motion)
    came = Came((f"Your vote on motion {motion.number} is {'yes' if yes else 'no'}.",))
    return came + (_decided(hand, motion) or NOTHING)


def _decided(hand: Hand, motion: Motion) -> Came | None:
    """Carry out a motion that has its votes; close one that cannot get them any more. None where neither is so."""
    voters = _voters(hand)
    ayes, noes = len(set(motion.yes) & set(voters)), len(set(motion.no) & set(voters))
    needed = _needed(hand, len(voters))
    if ayes < needed and len(voters) - noes >= needed:
        return None
    counted = f"{ayes} to {noes} of {len(voters)} votes"
    if ayes < needed:
        _keep(hand.step, hand.match, replace(motion, state="lost"))
        said = (f"Motion {motion.number}, {motion.what}, is lost: {counted}.",)
        with hand.signing(THE_PLAYERS):
            return Came(hand.tell(f"motion {motion.number} is lost", said))
    _keep(hand.step, hand.match, replace(motion, state="carried"))
    try:
        with hand.signing(THE_PLAYERS, f"motion {motion.number}, carried by {counted}"):
            return Came((f"Motion {motion.number} is carried: {counted}.", *_carried_out(hand, motion)))
    except Denial as denial:
        said = (f"Motion {motion.number} is carried, but it changes nothing now: {denial}",)
        with hand.signing(THE_PLAYERS):
            return Came(doubts=hand.tell(f"motion {motion.number} changes nothing", said))


def _carried_out(hand: Hand, motion: Motion) -> Told:
    span = timedelta(seconds=motion.seconds) if motion.seconds else None
    match motion.kind:
        case "pause":
            return moderate.pause(hand, span)
        case "resume":
            return moderate.resume_match(hand)
        case "extend":
            return moderate.move_deadline(hand, later=span)
        case "clarification" | "change":
            return _asked(hand, motion)
        case _:
            return moderate.terminate(hand)


def _asked(hand: Hand, motion: Motion) -> Told:
    """Lay a petition before the game master: it stands in the log, and everybody is told that an answer is awaited."""
    said = (
        f"The players ask for a {motion.kind} of the rules: {motion.text}",
        "The game master answers by RULING, which everybody is sent; until then the rules stand as they are.",
    )
    hand.log(f'PETITION FOR {motion.kind} "{motion.text}"')
    return hand.tell("a petition is carried", said)


def motion_sentences(hand: Hand) -> tuple[str, ...]:
    """The open motions as STATUS lists them; how a seat voted only it is told."""
    said = []
    for m in _open(hand):
        own = " You voted yes." if hand.seat in m.yes else " You voted no." if hand.seat in m.no else ""
        owing = f" VOTE yes ON {m.number}, or VOTE no." if hand.seat and not own else own
        said.append(f"Motion {m.number} of {m.by}, {m.what}: {len(m.yes)} for, {len(m.no)} against.{owing}")
    return tuple(said)
