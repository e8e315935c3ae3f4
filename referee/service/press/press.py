"""Press: what a player writes to others is relayed as a letter of its own; what he writes to himself is kept."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from datetime import timedelta

from referee.kit.wording import in_a_row
from referee.service import notes
from referee.service.clock.slot_life import is_late
from referee.service.letters import PressLetter
from referee.service.match.anonymity import gives_away, hides_names, named_in
from referee.service.match.drafts import draft_of
from referee.service.match.members import everybody, owner_of
from referee.service.outgoing.frames import debts, frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import Member, Player
from referee.service.press.blocks import GAME_MASTER, Addressed, Block, addressed
from referee.service.press.kept import every_text, keep, kept
from referee.service.press.treaties import offer
from referee.service.remembered import Written
from referee.service.sheets.visit import Sent, Visit

_DAY = timedelta(days=1)
_BEGINS = 80
"""So many characters of a text are shown to its writer when it is sent."""


def do_blocks(visit: Visit, blocks: Iterable[Block], answers: int = 0) -> None:
    """Relay or keep each block of a letter, or say why not; `answers` is the press letter to which they are the reply."""
    for block in blocks:
        wrong = _why_not(visit, block, answers)
        if wrong:
            visit.deny(block.heading, wrong)
        elif block.kind == "diary":
            written = _written(visit, block, ())
            keep(visit.step, visit.match, notes.DIARY, written)
            visit.done.append("Your diary has it; nobody reads it before the match is over, then the archive shows it.")
        elif block.kind == "offer":
            _offer(visit, block)
        else:
            _relay(visit, block, answers)


def _why_not(visit: Visit, block: Block, answers: int) -> str:
    """Why a block is not taken; "" if nothing is wrong with it."""
    if not visit.seat and not visit.game_master:
        return "Only players and game masters write press; those who watch may read it: SEND press."
    if not visit.seat and block.kind in ("diary", "offer"):
        return f"Only who holds a seat can write {block.kind.upper()}; PRESS TO and BROADCAST are yours too."
    if visit.playing.outcome.over or visit.playing.row.status == "over":
        return "The match is over; its press is closed."
    return _why_not_this(visit, block) or (_why_not_now(visit, block, answers) if visit.seat else "")


def _why_not_this(visit: Visit, block: Block) -> str:
    manners = visit.playing.settings.manners
    if not block.text.strip():
        return f"There is no text between {block.kind.upper()} and END."
    if len(block.text) > manners.size:
        return f"The text has {len(block.text):,} characters and may have {manners.size:,}; shorten it or send two."
    if block.kind == "diary":
        return ""
    if block.tone == "grey" and (not visit.seat or block.kind == "offer"):
        return "Only press of a player can be grey; leave out GREY."
    if block.tone == "grey" and manners.press != "grey":
        return "Press is signed in this match; leave out GREY."
    if hides_names(visit.playing):
        away = gives_away(block.text, visit.player) if visit.seat else named_in(visit.step, visit.playing, [block.text])
        if away:
            return f"This match is anonymous, and the text has {away} in it; leave that out and send it again."
    return ""


def _why_not_now(visit: Visit, block: Block, answers: int) -> str:
    """What the manners of the match, lateness or earlier letters say against a player's press."""
    manners, to_master = visit.playing.settings.manners, block.kind == "press" and _to(visit, block) == (GAME_MASTER,)
    earlier = kept(visit.step, visit.match, notes.DIARY if block.kind == "diary" else notes.PRESS, visit.seat)
    today = [w for w in earlier if w.at > visit.office.clock.now() - _DAY]
    if len(today) >= manners.letters_a_day:
        return f"You have sent {len(today)} in a day, as many as a seat may; write again tomorrow."
    if block.kind == "diary":
        return ""
    if manners.press == "none" and not to_master:
        return "This match has no press; only PRESS TO game master is relayed."
    if not manners.late_press and not to_master and _is_late(visit):
        return "You are late, and who is late sends no press here before he has played; send your orders first."
    if manners.ordered_press and not to_master and _owes_a_sheet(visit):
        return "Who owes orders sends no press here before they are on file; send your orders first, PRESS after them."
    same = (w for w in today if w.text == block.text and w.answers == answers)
    if any(w.kind == block.kind and w.to == _to(visit, block) for w in same):
        return "You have sent this very text already; it is not relayed twice."
    return ""


def _to(visit: Visit, block: Block) -> tuple[str, ...]:
    return _listed(visit, block).to if block.kind != "broadcast" else ()


def _listed(visit: Visit, block: Block) -> Addressed:
    return addressed(block.to, visit.playing.created.seats, visit.seat, _people(visit))


def _people(visit: Visit) -> dict[str, str]:
    """Names by which players and game masters may be written to: whole names, and first names that only one of them has."""
    if hides_names(visit.playing):
        return {}
    every = [
        (player.name.casefold(), member.seat if member.status == "playing" else GAME_MASTER)
        for member, player in everybody(visit.step, visit.match)
        if member.role == "gm" or member.status == "playing"
    ]
    firsts = [(name.partition(" ")[0], seat) for name, seat in every]
    return {name: seat for name, seat in firsts if sum(name == other for other, _ in firsts) == 1} | dict(every)


def _is_late(visit: Visit) -> bool:
    alarms = visit.step.alarms(visit.match)
    return any(is_late(visit.playing.row, alarms, question.key) for question in debts(visit.playing, visit.seat))


def _owes_a_sheet(visit: Visit) -> bool:
    return any(q.wants_orders and draft_of(visit.playing, q) is None for q in debts(visit.playing, visit.seat))


def _written(visit: Visit, block: Block, to: tuple[str, ...], answers: int = 0) -> Written:
    drawer = notes.DIARY if block.kind == "diary" else notes.PRESS
    number = 1 + len(every_text(visit.step, visit.match, drawer))
    now, grey = visit.office.clock.now(), block.tone == "grey"
    return Written(number, block.kind, visit.seat, to, block.text, now, grey, visit.player.id, answers)


def _offer(visit: Visit, block: Block) -> None:
    listed = _listed(visit, block)
    if listed.wrong or GAME_MASTER in listed.to:
        visit.deny(block.heading, listed.wrong or "A treaty is between players; leave out the game master.")
        return
    keep(visit.step, visit.match, notes.PRESS, _written(visit, block, listed.to))
    offer(visit, listed.to, block.text)


def _relay(visit: Visit, block: Block, answers: int) -> None:
    """One letter to each addressee; the copy that is kept is the proof of what was sent."""
    listed = _listed(visit, block)
    if block.kind == "press" and listed.wrong:
        visit.deny(block.heading, listed.wrong)
        return
    written = _written(visit, block, _to(visit, block), answers)
    keep(visit.step, visit.match, notes.PRESS, written)
    readers = [
        (m, p) for m, p in everybody(visit.step, visit.match) if p.id != visit.player.id and _reads(visit, written, m)
    ]
    for member, player in readers:
        _post(visit, written, member, player)
    if answers:
        visit.sent.append(Sent(_to_whom(visit, written, len(readers)), shortened(written.text)))
    else:
        visit.done.append(_sent(written))
    if not visit.seat:
        return
    manners = visit.playing.settings.manners
    today = [w for w in kept(visit.step, visit.match, notes.PRESS, visit.seat) if w.at > written.at - _DAY]
    if len(today) == manners.letters_a_day:
        visit.done.append("That was your last press letter for a day.")


def _reads(visit: Visit, written: Written, member: Member) -> bool:
    """Whether a member is sent a text."""
    if written.kind == "broadcast":
        return member.role != "observer" or visit.playing.settings.manners.observed
    seat = member.seat if member.status == "playing" else ""
    masters = {m.player for m in visit.step.members(visit.match) if m.role == "gm"}
    return seat in written.to or (GAME_MASTER in written.to and member.player in masters)


def _sent(written: Written) -> str:
    what = "grey press" if written.grey else "press"
    whom = in_a_row(written.to) if written.to else "everybody"
    return f"Your {what} went to {whom} as number {written.number}."


def _to_whom(visit: Visit, written: Written, readers: int) -> str:
    """To whom an answer went: the seat, whoever plays it now."""
    whom = in_a_row(written.to) if written.to else "everybody"
    if not readers:
        return f"{whom}, which nobody plays now; who takes it over finds it by SEND press"
    before = next((w for w in every_text(visit.step, visit.match, notes.PRESS) if w.number == written.answers), None)
    owner = owner_of(visit.step, visit.match, before.by) if before and before.by else None
    moved = before is not None and owner is not None and before.by in written.to and owner[1].id != before.player
    return f"{whom}, which somebody else plays now" if moved and len(written.to) == 1 else whom


def shortened(text: str) -> str:
    """How a text begins, in one line."""
    return textwrap.shorten(text, _BEGINS, placeholder=" ...")


def _post(visit: Visit, written: Written, member: Member, player: Player) -> None:
    """A letter of the referee's own: nothing of the writer's letter but its text goes on."""
    who = "" if written.grey else (written.by or f"{visit.player.name}, the game master")
    if written.grey and member.role == "gm" and not member.seat:
        who = f"{written.by}, which you alone are told"
    whom = in_a_row(written.to) if written.to else "everybody"
    what = "grey press" if written.grey else f"press from {written.by or 'the game master'}"
    if written.kind == "broadcast":
        what = what.replace("press", "broadcast")
    letter = PressLetter(
        frame=frame(visit.office, visit.step, visit.playing, member, player),
        title=what,
        sender=who or "somebody who does not sign",
        to=whom,
        text=written.text,
        answer=_answer(written, member),
        heading=_heading(written, member),
    )
    unique = f"press.{written.number}"
    about = About(visit.playing, member, press=written.number)
    post(visit.office, visit.step, player, Mail("press", what, letter, unique), about)


def _heading(written: Written, member: Member) -> str:
    """The line under which an addressee answers; "" for who may not."""
    if not member.seat and member.role != "gm":
        return ""
    return f"PRESS TO {written.by or 'game master'}" if not written.grey else "BROADCAST"


def _answer(written: Written, member: Member) -> str:
    """How to answer; "" for who may not."""
    if not member.seat and member.role != "gm":
        return ""
    if written.grey:
        return "Nobody signed it, so a reply goes to nobody; BROADCAST, your text and a line END reach everybody."
    back = f"Just reply: what you write goes to {written.by or 'the game master'} as press"
    others = [seat for seat in written.to if seat != (member.seat or GAME_MASTER)]
    if written.kind == "broadcast" or others:
        whom = "everybody" if written.kind == "broadcast" else in_a_row(others)
        return f"{back}; begun with a line ALL it goes to {whom} too. Orders in it are taken as orders."
    return f"{back}. Orders in it are taken as orders."
