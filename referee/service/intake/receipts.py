"""The receipt of a letter: what of it stands, what was refused, and what is owed; at a length that the letter itself bears."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from referee.core.order import Vocabulary, beginnings
from referee.core.page import Form
from referee.kit.wording import capital, counted
from referee.mail.reading.own_lines import ARMOUR, MARKED, OURS, QUOTED, SEALED
from referee.service.base.letter_facts import Ignored, Notice, Receipt, Refused, SentOn
from referee.service.base.times import stamp
from referee.service.house.filing import STAND, can_mend
from referee.service.intake.corrections import CUT, SENTENCE, cut, said_once
from referee.service.match.clocks import is_held
from referee.service.match.result import Came
from referee.service.match.sheets import debts, draft_of, drawers_of, how_it_stands, sheet_owed, until_when
from referee.service.match.slot_life import MIND
from referee.service.post import subjects
from referee.service.post.answer_limits import Answering, Purse, gist_of
from referee.service.post.frames import form_for, frame
from referee.service.post.post import About, Mail, Reply, Thread, post
from referee.service.post.refusals import proof_of
from referee.service.post.turn_link import TABLE, link_for
from referee.service.turn.writer import Hand

_Verdict = Literal["COMPLETE", "LOOK AGAIN", "INCOMPLETE", "NOTHING USABLE", "NOTHING WAITS", "DONE"]


def says_something(hand: Hand, came: Came) -> bool:
    """Whether anything came of a letter, be it a refusal."""
    return bool(came.filed or came.refused or _did(hand, came))


def _did(hand: Hand, came: Came) -> bool:
    return (came.rolls_out and hand.ran) or not came.nothing


def _verdict(
    hand: Hand, came: Came, unread: Sequence[str], nothing_waits: bool, passed_over: Collection[int]
) -> tuple[_Verdict, str]:
    did, like = _did(hand, came), _like_orders(came)
    if came.sure:
        return "LOOK AGAIN", _are_you_sure(hand, came)
    if nothing_waits and not (came.refused or did):
        return "NOTHING WAITS", _what_stands_anyway(hand)
    if came.filed and not came.refused:
        verdict, why = _of_what_stands(hand, came)
        return verdict, f"{like.strip()} {capital(why)}" if passed_over else f"{why.rstrip()}{like}"
    lines = counted(_wrong(came), "lines")
    if came.filed:
        others = (
            f"of the others, as things stand, {_undone(came)}"
            if came.undone
            else "the rest stands"
            if _how_far_taken(came) != "not be taken"
            else "the others stand"
        )
        mend = f" {_how_to_mend(came)}" if can_mend(hand) else ""
        return "INCOMPLETE", f"{lines} could {_how_far_taken(came)}; {others}.{mend}{like}"
    filed = f"the orders {STAND}" if hand.seat and drawers_of(hand.playing, hand.seat) else "nothing is on file"
    if did and came.refused:
        return "INCOMPLETE", f"{lines} could not be taken; the rest of your letter is done, and {filed}."
    if did:
        return "DONE", "your turn was played." if came.rolls_out and hand.ran else "everything you asked for is done."
    if came.refused and not any(line.text or line.number for line in came.refused):
        return "NOTHING USABLE", came.refused[
            0
        ].sentence if hand.over else f"{came.refused[0].sentence} {capital(filed)}."
    if came.refused:
        return "NOTHING USABLE", f"no line of your letter could be taken; {filed}.{like}"
    return "NOTHING USABLE", f"{_nothing(hand, unread)}; {filed}.{like}"


def _what_stands_anyway(hand: Hand) -> str:
    """To a YES that nothing waits for: that nothing was lost by it, and what is on file."""
    why = "no question of mine waits for your YES, so nothing was changed"
    if not hand.seat:
        return f"{why}."
    filed = "your orders stand as they are on file" if drawers_of(hand.playing, hand.seat) else "nothing is on file"
    return f"{why}; {filed}. {_when_it_runs(hand)}".rstrip()


def _wrong(came: Came) -> int:
    """How many lines are to be mended: a ROLL OUT that waits for them is none of them."""
    return sum(line.text != "ROLL OUT" for line in came.refused) or len(came.refused)


def _how_far_taken(came: Came) -> str:
    return "be taken in part only" if all(line.kind == "taken in part" for line in came.refused) else "not be taken"


def _how_to_mend(came: Came) -> str:
    """The shortest letter that sets it right."""
    if _wrong(came) == 1:
        return "Reply with just that line, mended, and it takes its place."
    return "Reply with just those lines, mended, and they take their places."


def _are_you_sure(hand: Hand, came: Came) -> str:
    """The thing that waits for a YES, and the fate of the orders without one."""
    if came.sure != "ROLL OUT":
        return f"{came.sure} waits for your YES."
    filed, phase = drawers_of(hand.playing, hand.seat), hand.playing.outcome.phase
    told = (
        "ROLL OUT waits for your YES; look below at what you would lose. Without it your turn waits for the deadline."
    )
    if filed and phase and _still_owes(hand):
        return f"nothing is on file for {phase.title}; what you sent is kept for later. {told}"
    return f"{'your orders are on file' if filed else 'nothing is on file'}, and {told}"


def _of_what_stands(hand: Hand, came: Came) -> tuple[_Verdict, str]:
    """Of orders that were all taken: COMPLETE is said of them only where they will be done as far as can be seen."""
    if hand.ran and came.undone:
        return "DONE", "your orders were carried out, as far as they could be; your report tells what was not done."
    if hand.ran:
        return "COMPLETE", "your orders were carried out."
    if came.ended and _still_owes(hand):
        if came.undone:
            return "DONE", "your orders were carried out, as far as they could be; you owe the next ones."
        return "COMPLETE", "your orders were carried out; you owe the next ones."
    if _still_owes(hand):
        return "DONE", "the orders you filed stand; those for this turn are still owed."
    if came.undone:
        return "LOOK AGAIN", f"your orders are on file, but as things stand {_undone(came)}. {_when_it_runs(hand)}"
    return "LOOK AGAIN" if came.like_orders else "COMPLETE", f"your orders stand. {_when_it_runs(hand)}"


def _like_orders(came: Came) -> str:
    """The sentence that some lines taken for remarks may have been meant for orders; "" if none may."""
    number = came.like_orders
    if not number:
        return ""
    lines = f"{counted(number, 'lines')} {'reads like an order' if number == 1 else 'read like orders'}"
    return f" {lines} and could not be taken: look under “Not read”."


def _undone(came: Came) -> str:
    """How many are not known: two doubts may be about one order."""
    return "one will not be done, or not wholly" if came.undone == 1 else "not all will be done, or not wholly"


def _nothing(hand: Hand, unread: Sequence[str]) -> str:
    """The sentence that a letter said nothing, if that is true: not of one that was encrypted, cut off or attached."""
    if unread:
        return "in what I could read of your letter there was no order and no word for the desk"
    empty = hand.letter is not None and not hand.letter.text.strip()
    return "your letter was empty" if empty else "your letter had no orders and no word for the desk"


def _still_owes(hand: Hand) -> bool:
    """Whether an order sheet is owed and none is on file."""
    return any(q.wants_orders and draft_of(hand.playing, q) is None for q in debts(hand.playing, hand.seat))


def _when_it_runs(hand: Hand) -> str:
    asked = sheet_owed(hand.playing, hand.seat)
    key = asked.key if asked else ""
    for alarm in hand.step.alarms(hand.match):
        if alarm.kind == MIND and alarm.key == key:
            at = stamp(alarm.due_at, hand.player.zone)
            return f"Your turn runs at {at} unless you write again; ROLL OUT runs it at once, WAIT holds it."
    if stands := how_it_stands(hand.playing.row):
        return f"The match {stands}; your turn does not run {until_when(hand.playing.row)}."
    if key and is_held(hand, key, hand.seat):
        return "WAIT holds your turn until the deadline."
    return ""


def tell_what_was_sent(hand: Hand, came: Came, unread: Sequence[str]) -> bool:
    """Answer a letter that was press and nothing else by one line; False, and nothing is, where more is to be said."""
    sent = next((line for line in came.done if line.startswith(_SENT)), "")
    if came.refused or came.doubts or unread or not sent:
        return False
    whom = sent.removeprefix(_SENT).partition(": “")[0].partition(", which")[0]
    framed = frame(hand, hand.member, hand.player)
    answer(hand, "sent", SentOn(f"Sent to {whom}", came.done, about=framed))
    return True


_SENT = "Sent to "


def _form(hand: Hand, came: Came) -> Form | None:
    """The sheet to fill in, if nothing is on file; else the line to mend is enough, or the YES that mends it."""
    stands = came.yes_takes or not _still_owes(hand)
    return None if stands and sheet_owed(hand.playing, hand.seat) else form_for(hand.step, hand.playing, hand.seat)


def answer(hand: Hand, kind: str, letter: SentOn | Notice, purse: Purse = "request") -> None:
    """Answer a letter that filed nothing by one of its own, which is no receipt; `purse` pays for it."""
    wrote, number = hand.letter, int(hand.unique) if hand.unique.isdecimal() else 0
    thread = Thread(wrote.message_id, wrote.references) if wrote else Thread()
    about, reply = (
        About(hand.playing, hand.member),
        Reply(thread, Answering(number, purse, gist_of(wrote.text) if wrote else "")),
    )
    post(hand, hand.player, Mail(kind, letter.title, letter, hand.unique), about, reply)


def post_receipt(
    hand: Hand,
    came: Came,
    text: str,
    words: Callable[[], Sequence[Vocabulary]],
    unread: tuple[str, ...] = (),
    nothing_waits: bool = False,
    passed_over: Collection[int] = (),
) -> None:
    """Answer a letter: one receipt for all of it. `words` tells those that its writer could use, where somebody must know."""
    (verdict, why), went = _verdict(hand, came, unread, nothing_waits, passed_over), came.enclosed
    framed = frame(hand, hand.member, hand.player)
    if hand.member and not framed.play and any(file.name.endswith(TABLE) for file in went.files):
        framed = replace(framed, play=link_for(hand, hand.member, hand.player, None))
    filed = drawers_of(hand.playing, hand.seat) if hand.seat else ()
    usable = verdict in ("COMPLETE", "LOOK AGAIN", "DONE")
    letter = Receipt(
        frame=framed,
        verdict=verdict,
        verdict_why=why,
        on_file=filed,
        refused=came.refused if any(line.text or line.number for line in came.refused) else (),
        doubts=came.doubts,
        done=came.done,
        ignored=tuple(sorted(came.ignored, key=lambda line: (line.number not in passed_over, line.number))),
        proof=proof_of(hand.office, hand.letter, text, hand.player.zone),
        unread=unread,
        yes_takes=came.yes_takes,
        sure=came.sure,
        form=None if usable or (verdict == "NOTHING WAITS" and filed) else _form(hand, came),
        documents=went.pages,
        sheets=went.sheets,
        help=went.help,
        map=went.chart.instead if went.chart else "",
        dropped=came.dropped,
        later=came.later,
        ran=hand.ran,
    )
    letter = brief(letter, words)
    asked = letter.documents or letter.sheets or letter.help or went.files or went.chart
    asks = not came.filed and not came.rolls_out
    purse: Purse = "refusal" if verdict in ("NOTHING USABLE", "NOTHING WAITS") else "request"
    wrote, number = hand.letter, int(hand.unique) if hand.unique.isdecimal() else 0
    thread, size = (Thread(wrote.message_id, wrote.references), wrote.size) if wrote else (Thread(), len(text))
    subject = subjects.receipt(framed, verdict, hand.subject, hand.ran)
    most = 0 if asked else room_for(size)
    mail = Mail("receipt", subject, letter, hand.unique, chart=went.chart, files=went.files, most=most)
    reply = Reply(thread, Answering(number, purse, gist_of(text)) if asks else None)
    post(hand, hand.player, mail, About(hand.playing, hand.member), reply)


# ---------------------------------------------------------------- how long it is
# A receipt is never larger than twice its letter and a constant (docs/mail.md), whatever the letter holds: quoted lines are
# cut, long lists end with how many more there are and where, and what was said once is not said again.


LEAST_ROOM = 100_000
"""Bytes that a receipt may have, and twice its letter's more."""

_REFUSED = 25
_UNREAD = 40
_CERTAIN = (QUOTED, OURS, MARKED, ARMOUR, SEALED)
"""Of lines that are somebody else's by a certain sign the ends are enough."""
_HEAP = 12


def room_for(letter: int) -> int:
    """How large the answer to a letter of so many bytes may be."""
    return 2 * letter + LEAST_ROOM


def brief(receipt: Receipt, words: Callable[[], Sequence[Vocabulary]]) -> Receipt:
    """The receipt with its lists cut to what a reader looks at. `words` tell which unread lines look like orders."""
    if _is_brief(receipt):
        return receipt
    ignored, unseen = _unread(receipt.ignored, cache(lambda: _first_words(words())))
    more = (_more(receipt.refused[_REFUSED:], "could not be taken either"), _more(unseen, "were not read either"))
    return replace(
        receipt,
        refused=said_once(receipt.refused[:_REFUSED]),
        done=_few(receipt.done),
        doubts=_few(receipt.doubts),
        ignored=tuple(ignored),
        more=tuple(filter(None, more)),
    )


def _is_brief(receipt: Receipt) -> bool:
    """Whether nothing is to be cut, as in most receipts: no line was refused, few were not read, nothing is said twice."""
    said = (*receipt.done, *receipt.doubts)
    return not (
        receipt.refused
        or len(receipt.ignored) > _HEAP
        or len(said) > len(set(said))
        or len(said) > 2 * _UNREAD
        or any(len(sentence) > 2 * SENTENCE for sentence in said)
        or any(
            line.why in _CERTAIN or not 0 < len(line.text.strip()) <= len(line.text) <= CUT for line in receipt.ignored
        )
    )


def _first_words(words: Sequence[Vocabulary]) -> frozenset[str]:
    return frozenset(name.casefold().split()[0] for name in beginnings(*words))


def _few(sentences: Sequence[str]) -> tuple[str, ...]:
    unlike = list(dict.fromkeys([cut(sentence, 2 * SENTENCE) for sentence in sentences]))
    left = len(unlike) - 2 * _UNREAD
    return (*unlike[: 2 * _UNREAD], *((f"And {left} more like these.",) if left > 0 else ()))


def _more(lines: Sequence[Refused | Ignored], what: str) -> str:
    """How many more lines there are of which this holds, and where."""
    numbers = sorted(line.number for line in lines if line.number)
    if not numbers:
        return ""
    where = f"line {numbers[0]}" if numbers[0] == numbers[-1] else f"lines {numbers[0]} to {numbers[-1]}"
    was = what.replace("were", "was") if len(lines) == 1 else what
    return f"{counted(len(lines), 'more lines')} ({where}) {was}."


_Begins = Callable[[], frozenset[str]]
"""The words that orders begin with: made for those letters that have a long heap of lines not read, once."""


def _unread(lines: Sequence[Ignored], begins: _Begins) -> tuple[list[Ignored], list[Ignored]]:
    """Lines that were not read, a heap of them by its ends and what looks like an order; and those there is no room for."""
    shown: list[Ignored] = []
    unseen: list[Ignored] = []
    said = (line for line in lines if line.text.strip())
    for _, group in groupby(said, key=lambda line: (line.why, line.alone and line.number)):
        heap = _of_heap([*group], begins)
        (shown if len(shown) + len(heap) <= _UNREAD else unseen).extend(heap)
    return shown, unseen


def _of_heap(heap: list[Ignored], begins: _Begins) -> list[Ignored]:
    """The lines of a heap that are shown; each says how many stand between it and the next that are not."""
    last = len(heap) - 1
    places = _places(heap, begins)
    return [
        replace(heap[n], text=cut(heap[n].text), hidden=after - n - 1)
        for n, after in zip(places, [*places[1:], last + 1], strict=True)
    ]


def _places(heap: list[Ignored], begins: _Begins) -> list[int]:
    """Where the lines of a heap stand that are shown."""
    last = len(heap) - 1
    if heap[0].why in _CERTAIN:
        return [0, last] if last else [0]
    if len(heap) <= _HEAP:
        return list(range(len(heap)))
    first = begins()
    places = [n for n, line in enumerate(heap) if n in (0, last) or _looks_like_one(line, first)]
    return [*places[: _HEAP - 1], *places[-1:]] if len(places) > _HEAP else places


def _looks_like_one(line: Ignored, begins: frozenset[str]) -> bool:
    words = line.text.lstrip(" \t>|*").split(None, 1)
    return bool(words) and words[0].casefold() in begins
