"""The receipt of a letter: what of it stands, what was refused, and what is owed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from referee.core.vocabulary import Vocabulary
from referee.kit.wording import capital, counted
from referee.service.answering.brevity import brief, room_for
from referee.service.clock.delay import is_held
from referee.service.clock.slot_life import MIND, how_it_stands, until_when
from referee.service.letters import Notice, Receipt, SentOn
from referee.service.match.drafts import draft_of
from referee.service.outgoing import subjects
from referee.service.outgoing.budgets import Answering, Purse, gist_of
from referee.service.outgoing.challenge import proof_of
from referee.service.outgoing.forms import form_for
from referee.service.outgoing.frames import debts, drawers_of, frame
from referee.service.outgoing.post import About, Mail, Reply, Thread, post
from referee.service.sheets.filing import orders_question
from referee.service.sheets.mending import can_mend
from referee.service.sheets.visit import Visit
from referee.service.times import stamp

_Verdict = Literal["COMPLETE", "LOOK AGAIN", "INCOMPLETE", "NOTHING USABLE", "NOTHING WAITS", "DONE"]


def says_something(visit: Visit) -> bool:
    """Whether anything came of a letter, be it a refusal."""
    return bool(visit.filed or visit.refused or visit.nothing_waits or _did(visit))


def _did(visit: Visit) -> bool:
    rolled = visit.roll_out and visit.ran
    return bool(rolled or visit.done or visit.later or visit.pages or visit.sheets or visit.chart or visit.help)


def _verdict(visit: Visit) -> tuple[_Verdict, str]:
    did = _did(visit)
    if visit.sure:
        return "LOOK AGAIN", _are_you_sure(visit)
    if visit.nothing_waits and not (visit.refused or did):
        return "NOTHING WAITS", _what_stands_anyway(visit)
    if visit.filed and not visit.refused:
        verdict, why = _of_what_stands(visit)
        like = _like_orders(visit)
        return verdict, f"{like.strip()} {capital(why)}" if visit.passed_over else f"{why.rstrip()}{like}"
    lines = counted(_wrong(visit), "lines")
    if visit.filed:
        others = (
            f"of the others, as things stand, {_undone(visit)}"
            if visit.undone
            else "the rest stands"
            if _how_far_taken(visit) != "not be taken"
            else "the others stand"
        )
        mend = f" {_how_to_mend(visit)}" if can_mend(visit) else ""
        return "INCOMPLETE", f"{lines} could {_how_far_taken(visit)}; {others}.{mend}{_like_orders(visit)}"
    filed = "what was on file stands" if visit.seat and drawers_of(visit.playing, visit.seat) else "nothing is on file"
    if did and visit.refused:
        return "INCOMPLETE", f"{lines} could not be taken; what else you asked for is done, and {filed}."
    if did:
        return "DONE", "your turn was played." if visit.roll_out and visit.ran else "what you asked for is done."
    if visit.refused and not any(line.text or line.number for line in visit.refused):
        return "NOTHING USABLE", f"{visit.refused[0].sentence} {capital(filed)}."
    if visit.refused:
        return "NOTHING USABLE", f"no line of your letter could be taken; {filed}.{_like_orders(visit)}"
    return "NOTHING USABLE", f"{_nothing(visit)}; {filed}.{_like_orders(visit)}"


def _what_stands_anyway(visit: Visit) -> str:
    """To a YES that nothing waits for: that nothing was lost by it, and what is on file."""
    why = "no question of mine waits for your YES, so nothing was changed"
    if not visit.seat:
        return f"{why}."
    filed = "your orders stand as they are on file" if drawers_of(visit.playing, visit.seat) else "nothing is on file"
    return f"{why}; {filed}. {_when_it_runs(visit)}".rstrip()


def _wrong(visit: Visit) -> int:
    """How many lines are to be mended: a ROLL OUT that waits for them is none of them."""
    return sum(line.text != "ROLL OUT" for line in visit.refused) or len(visit.refused)


def _how_far_taken(visit: Visit) -> str:
    return "be taken in part only" if all(line.kind == "taken in part" for line in visit.refused) else "not be taken"


def _how_to_mend(visit: Visit) -> str:
    """What the shortest letter is that sets it right."""
    if _wrong(visit) == 1:
        return "Reply with just that line, mended, and it takes its place."
    return "Reply with just those lines, mended, and they take their places."


def _are_you_sure(visit: Visit) -> str:
    """What waits for a YES, and what becomes of the orders without one."""
    if visit.sure != "ROLL OUT":
        return f"{visit.sure} waits for your YES."
    filed = "your orders are on file" if drawers_of(visit.playing, visit.seat) else "nothing is on file"
    told = (
        "ROLL OUT waits for your YES; look below at what you would lose. Without it your turn waits for the deadline."
    )
    return f"{filed}, and {told}"


def _of_what_stands(visit: Visit) -> tuple[_Verdict, str]:
    """Of orders that were all taken: COMPLETE is said of them only where they will be done as far as can be seen."""
    if visit.ran and visit.undone:
        return "DONE", "your orders were carried out, as far as they could be; your report tells what was not done."
    if visit.ran:
        return "COMPLETE", "your orders were carried out."
    if visit.ended and _still_owes(visit):
        if visit.undone:
            return "DONE", "your orders were carried out, as far as they could be; you owe the next ones."
        return "COMPLETE", "your orders were carried out; you owe the next ones."
    if _still_owes(visit):
        return "DONE", "what you filed stands; orders for this turn are still owed."
    if visit.undone:
        return "LOOK AGAIN", f"your orders are on file, but as things stand {_undone(visit)}. {_when_it_runs(visit)}"
    return "LOOK AGAIN" if visit.like_orders else "COMPLETE", f"your orders stand. {_when_it_runs(visit)}"


def _like_orders(visit: Visit) -> str:
    """That among the lines taken for remarks some may have been meant for orders; "" where none may."""
    number = visit.like_orders
    if not number:
        return ""
    lines = f"{counted(number, 'lines')} {'reads like an order' if number == 1 else 'read like orders'}"
    return f" {lines} and could not be taken: look under “Not read”."


def _undone(visit: Visit) -> str:
    """How many are not known: two doubts may be about one order."""
    return "one will not be done, or not wholly" if visit.undone == 1 else "not all will be done, or not wholly"


def _nothing(visit: Visit) -> str:
    """That a letter said nothing: what is not true of a letter that was encrypted, cut off or attached is not said of it."""
    if visit.unread:
        return "in what I could read of your letter there was no order and no word for the desk"
    empty = visit.letter is not None and not visit.letter.text.strip()
    return "your letter was empty" if empty else "your letter had no orders and no word for the desk"


def _still_owes(visit: Visit) -> bool:
    """Whether an order sheet is owed and none is on file."""
    return any(q.wants_orders and draft_of(visit.playing, q) is None for q in debts(visit.playing, visit.seat))


def _when_it_runs(visit: Visit) -> str:
    asked = orders_question(visit)
    key = asked.key if asked else ""
    for alarm in visit.step.alarms(visit.match):
        if alarm.kind == MIND and alarm.key == key:
            at = stamp(alarm.due_at, visit.player.zone)
            return f"Your turn runs at {at} unless you write again; ROLL OUT runs it at once, WAIT holds it."
    if stands := how_it_stands(visit.playing.row):
        return f"The match {stands}; your turn does not run {until_when(visit.playing.row)}."
    if key and is_held(visit.step, visit.playing, key, visit.seat):
        return "WAIT holds your turn until the deadline."
    return ""


def tell_what_was_sent(visit: Visit, words: Callable[[], Sequence[Vocabulary]], text: str) -> None:
    """Answer a letter that was press and nothing else: one line, if nothing else is to be said."""
    visit.done += [f"Sent to {sent.to}: “{sent.begins}”" for sent in visit.sent]
    if visit.refused or visit.doubts or visit.unread or not visit.sent:
        post_receipt(visit, text, words)
        return
    whom = visit.sent[0].to.partition(", which")[0]
    framed = frame(visit.office, visit.step, visit.playing, visit.member, visit.player)
    answer(visit, "sent", SentOn(f"Sent to {whom}", tuple(visit.done), about=framed))


def answer(visit: Visit, kind: str, letter: SentOn | Notice, purse: Purse = "request") -> None:
    """Answer a letter that filed nothing by one of its own, which is no receipt; `purse` pays for it."""
    came, number = visit.letter, int(visit.unique) if visit.unique.isdecimal() else 0
    thread = Thread(came.message_id, came.references) if came else Thread()
    about, reply = (
        About(visit.playing, visit.member),
        Reply(thread, Answering(number, purse, gist_of(came.text) if came else "")),
    )
    post(visit.office, visit.step, visit.player, Mail(kind, letter.title, letter, visit.unique), about, reply)


def post_receipt(visit: Visit, text: str, words: Callable[[], Sequence[Vocabulary]]) -> None:
    """Answer a letter: one receipt for all of it. `words` tells those that its writer could use, where somebody must know."""
    verdict, why = _verdict(visit)
    framed = frame(visit.office, visit.step, visit.playing, visit.member, visit.player)
    filed = drawers_of(visit.playing, visit.seat) if visit.seat else ()
    usable = verdict in ("COMPLETE", "LOOK AGAIN", "DONE")
    letter = Receipt(
        frame=framed,
        verdict=verdict,
        verdict_why=why,
        on_file=filed,
        refused=tuple(visit.refused) if any(line.text or line.number for line in visit.refused) else (),
        doubts=tuple(visit.doubts),
        done=tuple(visit.done),
        ignored=tuple(sorted(visit.ignored, key=lambda line: (line.number not in visit.passed_over, line.number))),
        proof=proof_of(visit.office, visit.letter, text, visit.player.zone),
        unread=visit.unread,
        yes_takes=visit.yes_takes,
        sure=visit.sure,
        form=None if usable or (verdict == "NOTHING WAITS" and filed) else form_for(visit.playing, visit.seat),
        documents=tuple(visit.pages),
        sheets=tuple(visit.sheets),
        help=visit.help,
        map=visit.chart.instead if visit.chart else "",
        dropped=visit.dropped,
        later=tuple(visit.later),
        ran=visit.ran,
    )
    letter = brief(letter, words)
    asked = letter.documents or letter.sheets or letter.help or visit.files or visit.chart
    asks = not visit.filed and not visit.roll_out
    purse: Purse = "refusal" if verdict in ("NOTHING USABLE", "NOTHING WAITS") else "request"
    came, number = visit.letter, int(visit.unique) if visit.unique.isdecimal() else 0
    thread, size = (Thread(came.message_id, came.references), came.size) if came else (Thread(), len(text))
    subject = subjects.receipt(framed, verdict, visit.subject, visit.ran)
    most = 0 if asked else room_for(size)
    mail = Mail("receipt", subject, letter, visit.unique, chart=visit.chart, files=tuple(visit.files), most=most)
    reply = Reply(thread, Answering(number, purse, gist_of(text)) if asks else None)
    post(visit.office, visit.step, visit.player, mail, About(visit.playing, visit.member), reply)
