"""Agreements of players: treaties and votes."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from referee.core.page import Block, Heading, Page, Quotation
from referee.kit.wording import in_a_row
from referee.service.base import notes
from referee.service.base.letter_facts import PressLetter
from referee.service.base.note_values import Motion, Treaty
from referee.service.base.ports import Step
from referee.service.base.times import stamp
from referee.service.match.clocks import too_far
from referee.service.match.members import owner_of
from referee.service.match.playing import THE_PLAYERS
from referee.service.match.result import NOTHING, Came, Denial, Told, need
from referee.service.match.slot_life import TOLD
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn import clock_overrides
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- treaties between players as text
# OFFER TO list, ACCEPT n, DECLINE n. The referee keeps them; he does not enforce them.


def treaties_of(step: Step, match: str) -> tuple[Treaty, ...]:
    """All treaties of a match, oldest first."""
    return notes.TREATIES.of(match).read(step) or ()


def _keep_treaty(step: Step, match: str, treaty: Treaty) -> None:
    every = {t.number: t for t in treaties_of(step, match)} | {treaty.number: treaty}
    notes.TREATIES.of(match).keep(step, tuple(every.values()))


def offer(hand: Hand, to: tuple[str, ...], text: str) -> Told:
    """Lay a treaty before other seats."""
    number = 1 + len(treaties_of(hand.step, hand.match))
    treaty = Treaty(number, hand.seat, to, text, hand.now)
    _keep_treaty(hand.step, hand.match, treaty)
    answer = f"Reply ACCEPT {number} or DECLINE {number}; it is in force when all it is offered to have accepted it."
    lines = (f"ACCEPT {number}", f"DECLINE {number}")
    _tell(hand, treaty, f"treaty {number}, offered by {hand.seat}", answer, lines)
    return (f"Treaty {number} is offered to {in_a_row(to)}; DECLINE {number} takes it back.",)


def accept(hand: Hand, number: int) -> Told:
    """Accept a treaty that was offered to the writer's seat."""
    treaty = _mine(hand, number)
    if treaty is None or treaty.ended or hand.seat not in treaty.to or hand.seat in treaty.accepted:
        raise Denial(_none_to(hand, "accept"))
    treaty = replace(treaty, accepted=(*treaty.accepted, hand.seat))
    _keep_treaty(hand.step, hand.match, treaty)
    _tell(hand, treaty, f"{hand.seat} accepts treaty {number}", f"The treaty is {treaty.state()}.")
    return (f"You accepted treaty {number}; it is {treaty.state()}.",)


def decline(hand: Hand, number: int) -> Told:
    """Decline a treaty, take back one's own offer, or leave one that is in force."""
    treaty = _mine(hand, number)
    if treaty is None or treaty.ended:
        raise Denial(_none_to(hand, "decline"))
    did = "leaves" if treaty.stands else "takes back" if hand.seat == treaty.by else "declines"
    treaty = replace(treaty, ended=hand.seat)
    _keep_treaty(hand.step, hand.match, treaty)
    _tell(hand, treaty, f"{hand.seat} {did} treaty {number}", "The treaty is ended.")
    return (f"Treaty {number} is ended.",)


def _mine(hand: Hand, number: int) -> Treaty | None:
    every = treaties_of(hand.step, hand.match)
    return next((t for t in every if t.number == number and hand.seat in t.parties), None)


def _none_to(hand: Hand, verb: str) -> str:
    mine = [t for t in treaties_of(hand.step, hand.match) if hand.seat in t.parties and not t.ended]
    if verb == "accept":
        mine = [t for t in mine if hand.seat in t.to and hand.seat not in t.accepted]
    numbers = in_a_row([str(t.number) for t in mine])
    return f"You have no such treaty to {verb}; you can {verb} {numbers or 'none now'}."


def _tell(hand: Hand, treaty: Treaty, title: str, answer: str, lines: tuple[str, ...] = ()) -> None:
    """A letter to all other parties."""
    for seat in treaty.parties:
        found = owner_of(hand.step, hand.match, seat)
        if found is None or seat == hand.seat:
            continue
        member, player = found
        letter = PressLetter(
            frame=frame(hand, member, player),
            title=title,
            sender=hand.seat,
            to=in_a_row([s for s in treaty.parties if s != hand.seat]),
            text=treaty.text,
            answer=answer,
            lines=lines,
        )
        unique = f"treaty.{treaty.number}.{hand.seat}.{len(treaty.accepted)}.{treaty.ended}"
        post(hand, player, Mail("press", title, letter, unique), About(hand.playing, member))


def treaty_sentences(step: Step, match: str, seat: str) -> tuple[str, ...]:
    """The treaties of a seat as STATUS lists them."""
    mine = [t for t in treaties_of(step, match) if seat in t.parties] if seat else []
    return tuple(
        f"Treaty {t.number} of {t.by} with {in_a_row(t.to)} is {t.state()}: {' '.join(t.text.split())[:80]}"
        for t in mine
    )


def treaties_page(step: Step, match: str) -> Page:
    """All treaties of a match, for its archive when it is over."""
    blocks: list[Block] = []
    for t in treaties_of(step, match):
        blocks.append(Heading(f"{t.number}. {t.by} with {in_a_row(t.to)}, {stamp(t.at, 'UTC')}: {t.state()}"))
        blocks.append(Quotation(t.text))
    return Page(
        f"Treaties of {match}", "Agreements of players in writing; nobody but they enforced them.", tuple(blocks)
    )


# ---------------------------------------------------------------- VOTE, SUSPEND, PETITION
# Where the game has none of its own, its players decide together.
#
# On a pause, more time or the end, which are then carried out; and on what to ask of the game master, who answers by RULING.


KINDS = ("pause", "resume", "extend", "over")
PETITIONS = ("clarification", "change")
"""Petitions of players to the game master: how a rule is meant, or another rule."""
_LAPSES = timedelta(days=7)


def motions_of(step: Step, match: str) -> tuple[Motion, ...]:
    """All motions of a match, oldest first."""
    return notes.MOTIONS.of(match).read(step) or ()


def _keep_motion(step: Step, match: str, motion: Motion) -> None:
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
    _keep_motion(hand.step, hand.match, motion)
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
    _keep_motion(hand.step, hand.match, motion)
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
        _keep_motion(hand.step, hand.match, replace(motion, state="lost"))
        said = (f"Motion {motion.number}, {motion.what}, is lost: {counted}.",)
        with hand.signing(THE_PLAYERS):
            return Came(hand.tell(f"motion {motion.number} is lost", said))
    _keep_motion(hand.step, hand.match, replace(motion, state="carried"))
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
            return clock_overrides.pause(hand, span)
        case "resume":
            return clock_overrides.resume_match(hand)
        case "extend":
            return clock_overrides.move_deadline(hand, later=span)
        case "clarification" | "change":
            return _asked(hand, motion)
        case _:
            return clock_overrides.terminate(hand)


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
