"""Treaties between players as text: OFFER TO list, ACCEPT n, DECLINE n. The referee keeps them; he does not enforce them."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.page import Block, Heading, Page, Quotation
from referee.kit.wording import in_a_row
from referee.service import notes
from referee.service.letters import PressLetter
from referee.service.match.members import owner_of
from referee.service.match.result import Denial, Told
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.overrides.hand import Hand
from referee.service.ports import Step
from referee.service.remembered import Treaty
from referee.service.times import stamp


def treaties_of(step: Step, match: str) -> tuple[Treaty, ...]:
    """All treaties of a match, oldest first."""
    return notes.TREATIES.of(match).read(step) or ()


def _keep(step: Step, match: str, treaty: Treaty) -> None:
    every = {t.number: t for t in treaties_of(step, match)} | {treaty.number: treaty}
    notes.TREATIES.of(match).keep(step, tuple(every.values()))


def offer(hand: Hand, to: tuple[str, ...], text: str) -> Told:
    """Lay a treaty before other seats."""
    number = 1 + len(treaties_of(hand.step, hand.match))
    treaty = Treaty(number, hand.seat, to, text, hand.now)
    _keep(hand.step, hand.match, treaty)
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
    _keep(hand.step, hand.match, treaty)
    _tell(hand, treaty, f"{hand.seat} accepts treaty {number}", f"The treaty is {treaty.state()}.")
    return (f"You accepted treaty {number}; it is {treaty.state()}.",)


def decline(hand: Hand, number: int) -> Told:
    """Decline a treaty, take back one's own offer, or leave one that is in force."""
    treaty = _mine(hand, number)
    if treaty is None or treaty.ended:
        raise Denial(_none_to(hand, "decline"))
    did = "leaves" if treaty.stands else "takes back" if hand.seat == treaty.by else "declines"
    treaty = replace(treaty, ended=hand.seat)
    _keep(hand.step, hand.match, treaty)
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
    return Page(f"Treaties of {match}", "What players agreed in writing; nobody enforced it but they.", tuple(blocks))
