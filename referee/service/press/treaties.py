"""Treaties between players as text: OFFER TO list, ACCEPT n, DECLINE n. The referee keeps them; he does not enforce them."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.page import Block, Heading, Page, Quotation
from referee.kit.wording import in_a_row
from referee.service import notes
from referee.service.letters import PressLetter
from referee.service.match.members import owner_of
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import Step
from referee.service.remembered import Treaty
from referee.service.sheets.visit import Visit
from referee.service.times import stamp


def treaties_of(step: Step, match: str) -> tuple[Treaty, ...]:
    """All treaties of a match, oldest first."""
    return notes.TREATIES.of(match).read(step) or ()


def _keep(step: Step, match: str, treaty: Treaty) -> None:
    every = {t.number: t for t in treaties_of(step, match)} | {treaty.number: treaty}
    notes.TREATIES.of(match).keep(step, tuple(every.values()))


def offer(visit: Visit, to: tuple[str, ...], text: str) -> None:
    """Lay a treaty before other seats."""
    number = 1 + len(treaties_of(visit.step, visit.match))
    treaty = Treaty(number, visit.seat, to, text, visit.office.clock.now())
    _keep(visit.step, visit.match, treaty)
    answer = f"Reply ACCEPT {number} or DECLINE {number}; it is in force when all it is offered to have accepted it."
    lines = (f"ACCEPT {number}", f"DECLINE {number}")
    _tell(visit, treaty, f"treaty {number}, offered by {visit.seat}", answer, lines)
    visit.done.append(f"Treaty {number} is offered to {in_a_row(to)}; DECLINE {number} takes it back.")


def accept(visit: Visit, number: int, source: str) -> None:
    """Accept a treaty that was offered to the writer's seat."""
    treaty = _mine(visit, number)
    if treaty is None or treaty.ended or visit.seat not in treaty.to or visit.seat in treaty.accepted:
        visit.deny(source, _none_to(visit, "accept"))
        return
    treaty = replace(treaty, accepted=(*treaty.accepted, visit.seat))
    _keep(visit.step, visit.match, treaty)
    _tell(visit, treaty, f"{visit.seat} accepts treaty {number}", f"The treaty is {treaty.state()}.")
    visit.done.append(f"You accepted treaty {number}; it is {treaty.state()}.")


def decline(visit: Visit, number: int, source: str) -> None:
    """Decline a treaty, take back one's own offer, or leave one that is in force."""
    treaty = _mine(visit, number)
    if treaty is None or treaty.ended:
        visit.deny(source, _none_to(visit, "decline"))
        return
    did = "leaves" if treaty.stands else "takes back" if visit.seat == treaty.by else "declines"
    treaty = replace(treaty, ended=visit.seat)
    _keep(visit.step, visit.match, treaty)
    _tell(visit, treaty, f"{visit.seat} {did} treaty {number}", "The treaty is ended.")
    visit.done.append(f"Treaty {number} is ended.")


def _mine(visit: Visit, number: int) -> Treaty | None:
    every = treaties_of(visit.step, visit.match)
    return next((t for t in every if t.number == number and visit.seat in t.parties), None)


def _none_to(visit: Visit, verb: str) -> str:
    mine = [t for t in treaties_of(visit.step, visit.match) if visit.seat in t.parties and not t.ended]
    if verb == "accept":
        mine = [t for t in mine if visit.seat in t.to and visit.seat not in t.accepted]
    numbers = in_a_row([str(t.number) for t in mine])
    return f"You have no such treaty to {verb}; you can {verb} {numbers or 'none now'}."


def _tell(visit: Visit, treaty: Treaty, title: str, answer: str, lines: tuple[str, ...] = ()) -> None:
    """A letter to all other parties."""
    for seat in treaty.parties:
        found = owner_of(visit.step, visit.match, seat)
        if found is None or seat == visit.seat:
            continue
        member, player = found
        letter = PressLetter(
            frame=frame(visit.office, visit.step, visit.playing, member, player),
            title=title,
            sender=visit.seat,
            to=in_a_row([s for s in treaty.parties if s != visit.seat]),
            text=treaty.text,
            answer=answer,
            lines=lines,
        )
        unique = f"treaty.{treaty.number}.{visit.seat}.{len(treaty.accepted)}.{treaty.ended}"
        post(visit.office, visit.step, player, Mail("press", title, letter, unique), About(visit.playing, member))


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
