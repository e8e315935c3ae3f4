"""Letters stored are sent down the chain, one transaction each; what breaks us waits for a person."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from referee.mail import Letter, addressed, parse_recipient, spelt, strip, token_digest, without_tokens
from referee.mail.reading.sender import Keys
from referee.service.base import notes
from referee.service.base.letter_facts import RefusalLetter
from referee.service.base.note_values import KeptLetter
from referee.service.base.office import At, Office, fault_kind, in_spite
from referee.service.base.ports import (
    Conflict,
    Left,
    LetterIn,
    MatchRow,
    Member,
    NotNow,
    Overtaken,
    Pending,
    Player,
    Stalled,
    Token,
)
from referee.service.base.times import stamp
from referee.service.house.invitations import accept, asked_by, decline
from referee.service.house.membership import keep_open
from referee.service.house.people import is_from, is_on, judge_key, open_letter, set_key
from referee.service.intake import confirmations
from referee.service.intake.commands.caller import TOOK_OUT
from referee.service.intake.confirmations import why_ask
from referee.service.intake.deadlines import ring_overdue
from referee.service.intake.desk import attend, attend_closed, masters_words_in
from referee.service.intake.forgotten_letters import answer_forgotten
from referee.service.intake.front_door import Proof, at_the_door, meant, says_something_new
from referee.service.intake.letter_case import Case, Verdict
from referee.service.intake.letter_rules import BEFORE, judge, note_newest, overtaken, told_apart
from referee.service.intake.plain_words import says
from referee.service.intake.undelivered import count_bounce, heard_from, warn_of
from referee.service.intake.witnesses import hear_witness
from referee.service.match.members import member_of, name_from
from referee.service.match.playing import Playing, load, remember
from referee.service.match.result import NOTHING, Came, Told, denied
from referee.service.match.sheets import text_to_read
from referee.service.post.answer_limits import Answering, gist_of
from referee.service.post.delivery import arrived
from referee.service.post.post import About, Mail, Reply, Thread, post, send
from referee.service.post.refusals import forward, proof_of, refuse_letter, report_shunted, seat_of
from referee.service.post.tray import Draft
from referee.service.turn.advance import GOES_ON, HELD, SEALED
from referee.service.turn.knowledge import MOVED, where_it_went
from referee.service.turn.mended_rules import ready
from referee.service.turn.signed_heads import head_in, serve
from referee.service.turn.writer import Hand, Weight, Writer

# ---------------------------------------------------------------- a letter that ended the desk
# Found out by the note of what was in hand, counted, and laid aside without being opened.


_log = logging.getLogger(__name__)


def charge(office: Office) -> None:
    """Count an attempt of the letter that the desk before this one had in hand when it ended.

    One that computed too long is laid aside at once, for nothing but itself was counted; any other when it has ended
    the desk as often as a letter may fail, for a desk may also end by the machine's fault. Raises NotNow.
    """
    left = office.in_hand.left()
    if left is None:
        return
    why = "it computed too long" if left.where else "the desk ended over it"
    with office.step() as at:
        row = at.step.letter(left.letter) if at.step.claim_new([left.letter]) else None
        attempts = at.step.retry_letter(left.letter, why) if row is not None else 0
        if row is not None and (left.where or attempts >= office.limits.attempts):
            at.step.finish_letter(row.id, "shunted", why)
            _tell(at, row, why)
    office.in_hand.settled()
    _log_it(left, attempts, why)


def _log_it(left: Left, attempts: int, why: str) -> None:
    if left.where:
        _log.error("letter %d is shunted: %s. It was here:\n%s", left.letter, why, left.where.rstrip())
    elif attempts:
        _log.error("letter %d was in hand when the desk ended, for the %d. time", left.letter, attempts)


def _tell(at: At, row: LetterIn, why: str) -> None:
    """Tell the keeper, and whoever it came from if its reply address says who that is: nobody opens it for that."""
    report_shunted(at, row.id, why)
    route = parse_recipient(row.recipient, at.office.address)
    token = at.step.token(token_digest(route.token)) if route is not None and route.token else None
    player = at.step.player(token.player) if token is not None else None
    if token is None or player is None:
        return
    sentence = (
        f"The letter to this match that came from you at {stamp(row.received_at, player.zone)} broke me when I read it, so "
        "nothing of it was done; it is kept, and a person looks at it."
    )
    instead = (
        "Your orders on file before it stand.",
        "Write what you want once more, in a short letter of plain text; the very same letter would not be read either.",
    )
    body = RefusalLetter("Your letter could not be read", sentence, instead, None, token.match, player.name)
    post(
        at,
        player,
        Mail("refusal", "your letter could not be read", body, str(row.id)),
        About(at.step.match(token.match)),
    )


# ---------------------------------------------------------------- the inbox
# Each letter that came is sent down the chain, and what it does is done in one transaction.
#
# One letter is one transaction, unless several wait: a commit costs a disk write however many letters it holds.


_MY_FAULT = (
    "Something of mine broke on your letter, so nothing of it was done; it is kept and a person looks at it. It is tried "
    "again as soon as a mended version of me runs."
)
TOGETHER = 16
"""So many letters are a heap, and one commit."""
_BYTES_TOGETHER = 128 * 1024
_STATUS = {
    "ignore": "ignored",
    "bounce": "ignored",
    "duplicate": "duplicate",
    "head": "done",
    "witness": "done",
    "keeper": "done",
}
"""The fates of a letter that another one may be a copy of; of witnesses and for the keeper each copy does the same."""


def handle_new(office: Office, limit: int = 200) -> int:
    """Handle letters that came in, oldest first; returns how many were new still when it came to them.

    Deadlines before a letter came are kept before it is read, so that no letter gains by a service that was busy or down. The
    letters of a match that another desk has are left to it.
    """
    charge(office)
    with office.store.look() as step:
        waiting = step.waiting(limit)
    left = set[str]()
    first, then = office.share.parted("letters", waiting, partial(_about, office), TOGETHER)
    return _handle_all(office, first, left) or _handle_all(office, then, left)


def _handle_all(office: Office, waiting: Sequence[Pending], left: set[str]) -> int:
    """Handle letters heap by heap; how many were new still. `left` are those whose letters are left to another desk."""
    done = 0
    for heap in _heaps(waiting):
        found = {_about(office, letter) for letter in heap} - left
        with office.store.hold(sorted(found)) as mine:
            # Not its later letters either, should it be free again by then: they would be done before the earlier ones.
            left |= found - mine
            done += _handle_heap(office, [letter.id for letter in heap if _about(office, letter) in mine], left)
    return done


def _about(office: Office, letter: Pending | LetterIn) -> str:
    """The queue in which letters are handled in order: those to a match, and those of one sender to the plain address."""
    return addressed(letter.recipient, office.address) or letter.sender.lower()


def _handle_heap(office: Office, ids: Sequence[int], left: set[str]) -> int:
    """Handle a heap at once where that goes, else one by one; how many letters were new still.

    Where a letter has to wait, so do those that came after it to the same: `left` is told whose they are.
    """
    with office.store.look() as step:
        heap, due = step.still_new(ids), step.next_alarm()
    overdue = {row.id for row in heap if due is not None and due < row.received_at}
    together = None if overdue else _handle_together(office, heap)
    if together is not None:
        return together
    done = 0
    for row in heap:
        if _about(office, row) in left:
            continue
        handled = handle_safely(office, row, row.id in overdue)
        if not handled:
            left.add(_about(office, row))
        done += handled
    return done


def _concerned(office: Office, row: LetterIn) -> set[str]:
    """The matches that a letter may speak to: that of its address; else those of its writer, and all that wait for players."""
    match = addressed(row.recipient, office.address)
    if match:
        return {match}
    sender = _opened(office, row)[0].sender
    with office.store.look() as step:
        player = step.player_at(sender) if sender else None
        own = {member.match for member in step.memberships(player.id)} if player is not None else set[str]()
        return own | {match.name for match in step.matches("forming")}


def _heaps(waiting: Sequence[Pending]) -> Iterator[list[Pending]]:
    """A backlog in heaps: each is one commit, and bounds how long others wait to write.

    A letter that has failed before is handled alone.
    """
    heap: list[Pending] = []
    size = 0
    for letter in waiting:
        full = len(heap) >= TOGETHER or size + letter.size > _BYTES_TOGETHER
        if heap and (full or letter.attempts or heap[-1].attempts):
            yield heap
            heap, size = [], 0
        heap.append(letter)
        size += letter.size
    if heap:
        yield heap


def _handle_together(office: Office, rows: Sequence[LetterIn]) -> int | None:
    """Handle letters in one transaction; None, and nothing was done, when one of them breaks us or there is only one."""
    if len(rows) < 2:
        return None
    try:
        return in_spite(lambda: handle(office, *rows), Overtaken)
    except Exception as problem:  # the letters are handled one by one then, and only the poison one is laid aside
        _log.warning("%d letters are handled one by one: %s", len(rows), fault_kind(problem))
        return None


def handle_safely(office: Office, row: LetterIn, overdue: bool = False) -> int:
    """Handle a letter, after what was `overdue` when it came; 0 when it was not new.

    One that breaks us is tried again and then shunted to a person, never lost.

    A letter that met another's write is tried again at once; and what the store could not do now is no attempt. Raises NotNow.
    """
    try:
        if overdue and not ring_overdue(office, row.received_at, _concerned(office, row)):
            return 0
        return in_spite(lambda: handle(office, row), Conflict, Overtaken)
    except Overtaken:  # it is new still
        return 0
    except Stalled as problem:  # it may be the letter that takes so long
        return _failed(office, row, problem)
    except NotNow:
        raise
    except Exception as problem:  # a poison letter must not stop the post
        return _failed(office, row, problem)


def _failed(office: Office, row: LetterIn, problem: Exception) -> int:
    """Count a failed attempt; after the last one the letter waits for a person."""
    why = f"{type(problem).__name__}: {problem}"
    with office.step() as at:
        if not at.step.claim_new([row.id]):
            return 0
        shunted = at.step.retry_letter(row.id, why) >= office.limits.attempts
        if shunted:
            at.step.finish_letter(row.id, "shunted", why)
            if _token_of(at, row) is None:
                at.step.spare_letter(row.id)
    if shunted:
        _log.error("letter %d is shunted: %s", row.id, fault_kind(problem), exc_info=problem)
        _say_it_is_kept(office, row)
    return 1


def _say_it_is_kept(office: Office, row: LetterIn) -> None:
    """Tell the writer of a shunted letter; he may not be told where the very reading of his letter fails."""
    try:
        with office.step() as at, office.in_hand.on(row.id):
            letter, _ = open_letter(row)
            if letter.sender and not letter.by_machine and not letter.loop:
                token, again = _token_of(at, row), ("You need not send it again.",)
                _refuse_as(at, row, letter, _MY_FAULT, again, token, standing=False)
    except Exception:
        _log.exception("the writer of letter %d could not be told", row.id)


def handle(office: Office, *rows: LetterIn) -> int:
    """Handle letters in one transaction: what they do, their receipts, and the marks that they are done.

    Only those that are still new, and held by nobody else; how many that were.
    """
    opened = [(row, *_opened(office, row)) for row in rows]
    changed: list[str] = []
    with office.step() as at:
        mine = at.step.claim_new([row.id for row in rows])
        for row, letter, keys in opened:
            if row.id not in mine:
                continue
            with office.in_hand.on(row.id):
                route = parse_recipient(row.recipient, office.address)
                playing = _handle_one(Case(at.office, at.step, row, letter, keys, route))
            if playing is not None:
                remember(playing)
                changed.append(playing.row.name)
        changed += at.step.grown  # one that began at the door, too
    for match in dict.fromkeys(changed):
        office.ran(match)
    return len(mine)


def _opened(office: Office, row: LetterIn) -> tuple[Letter, Keys]:
    """The letter, read outside of any transaction: nobody who writes waits for it."""
    with office.in_hand.on(row.id):
        return open_letter(row)


def _handle_one(case: Case) -> Playing | None:
    """Send a letter down the chain and mark it done; the match if it may have changed."""
    verdict = judge(case)
    if case.token is None and _token_of(case, case.row) is None:
        case.step.spare_letter(case.row.id)  # unless the letter itself proves its writer
    changed = _answered_at_once(case, verdict)
    if verdict.why == BEFORE:
        aside = notes.LAID_ASIDE.of()
        aside.keep(case.step, (aside.read(case.step) or 0) + 1)
    hits = "; ".join(case.hits) + (f" ({verdict.why})" if verdict.why else "")
    logical = None if case.held or verdict.then in _STATUS else case.logical
    status = HELD if case.held else _STATUS.get(verdict.then, "done")
    if status == "done" and case.step.kept(case.row.id):
        status = "unanswered"
    case.step.finish_letter(case.row.id, status, hits, case.token.match if case.token else "", logical)
    return changed


def _answered_at_once(case: Case, verdict: Verdict) -> Playing | None:
    """Carry out a verdict and tell the letter's writer in one letter; gives the match if it may have changed."""
    tray: list[Draft] = []
    office, case.office = case.office, replace(case.office, tray=tray)
    changed = _do(case, verdict)
    send(At(office, case.step), tray)
    return changed


def _do(case: Case, verdict: Verdict) -> Playing | None:
    """Carry out a verdict; gives the match if it may have changed."""
    if verdict.then in ("door", "desk"):
        heard_from(case.step, case.letter.sender)
    match verdict.then:
        case "refuse":
            token = case.token or _token_of(case, case.row)
            _refuse_as(case, case.row, case.letter, verdict.why, verdict.instead, token)
        case "once":
            _refuse_as(case, case.row, case.letter, verdict.why, verdict.instead, None)
        case "forgotten" if case.token is not None:
            answer_forgotten(case, case.row, case.letter, case.token)
        case "bounce":
            for bounce in verdict.bounces:
                if count_bounce(case, bounce):
                    warn_of(case, bounce)
        case "confirm":
            _confirm(case, verdict)
        case "head":
            _witness(case)
        case "keeper":
            forward(case, case.row, case.letter)
        case "witness":
            case.hits.append(hear_witness(case, case.route, case.letter))
        case "answer":
            return _answered(case)
        case "invitation":
            return _invited(case, verdict.why == "yes")
        case "desk":
            return _to_the_desk(case)
        case "closed":
            _to_a_closed_turn(case, verdict)
        case "door":
            return _to_the_door(case)
    return None


def _witness(case: Case) -> None:
    """Sign a head of another's log, or refuse it; nothing in the name of somebody who did not write."""
    head = head_in(case.office, case.letter)
    if head is None or case.authentication.verdict == "forged" or is_on(case.office.deny, case.letter.sender):
        return
    case.hits.append(serve(case, case.row, case.letter, head))


def _token_of(at: At, row: LetterIn) -> Token | None:
    """The token in the address a letter was written to, dead or alive."""
    route = parse_recipient(row.recipient, at.office.address)
    return at.step.token(token_digest(route.token)) if route and route.token else None


def _refuse_as(
    at: At,
    came: LetterIn,
    letter: Letter,
    why: str,
    instead: tuple[str, ...],
    token: Token | None,
    standing: bool = True,
) -> None:
    """Tell the writer why his letter could not be used; one who bears a token of his own also what stands all the same.

    Not where the match itself may be what is broken (`standing` False).
    """
    match, owner = token.match if token else "", at.step.player(token.player) if token else None
    if spelt(letter.sender) is None:  # who bore the token is told, at his own address
        if owner is not None:
            refuse_letter(at, owner, why, instead, letter, Answering(came.id, "stranger"), match)
        return
    known = at.step.player_at(letter.sender)
    if token is None or known is None or token.player != known.id or not is_from(letter, known):
        player = known or Player(0, name_from("", letter.sender), (letter.sender,), at.office.zone)
        refuse_letter(at, player, why, instead, letter, Answering(came.id, "stranger"), match)
        return
    row, member = at.step.match(match), member_of(at.step, token)
    here = standing and row is not None and row.status != MOVED
    begun = here and row is not None and member is not None and at.step.last_entry(match) is not None
    playing = load(at, row) if begun and row else None
    part = member if begun else None
    refuse_letter(
        at,
        known,
        why,
        instead,
        letter,
        Answering(came.id, "refusal", gist_of(letter.text)),
        match,
        playing,
        part,
    )


def _confirm(case: Case, verdict: Verdict) -> None:
    """Keep a letter until the player whose token it bears confirms it."""
    owner, row = case.owner, case.step.match(case.token.match) if case.token else None
    if owner is None or row is None:
        return
    if not confirmations.keep(case, case.row, owner, verdict.why, row):
        case.hits.append("too many letters wait for that address")


def _answered(case: Case) -> Playing | None:
    """YES, NO or neither to the question about a kept letter; the match if it may have changed."""
    token = case.token
    assert token is not None  # the chain gives this verdict only with one
    kept, unique = confirmations.kept_for(case.step, token), str(case.row.id)
    if kept is not None and kept.welcome:
        _welcome_answered(case, kept)
        return None
    if kept is None and says_something_new(case, case.letter, Player(0, "", (case.letter.sender,), case.office.zone)):
        at_the_door(case, case.row, case.letter)
        return None
    if kept is None or not confirmations.waits(case.office, kept):
        _refuse_as(case, case.row, case.letter, confirmations.why_gone(kept), (), token)
        return None
    answer = confirmations.answer_in(case.letter)
    if not confirmations.is_his(case, kept, case.letter):
        why = f"An answer came from {case.letter.sender or 'nobody'}, which is none of your addresses, so it counts for nothing."
        confirmations.ask_again(case, kept, _raw_token(case), why)
    elif answer == "yes":
        return _take(case, kept)
    elif answer:
        confirmations.drop(case, kept, unique, every=answer == "none")
    elif (
        not kept.match
        and says_something_new(case, case.letter, confirmations.asker(case, kept))
        and confirmations.may_go_on(case, kept)
    ):
        at_the_door(case, case.row, case.letter, confirmations.asker(case, kept), "token")
    else:
        why = "Your answer began neither with YES nor with NO, and nothing else of it was read."
        if says(confirmations.letter_text(case.letter)) == "thanks":
            why = "You thank me, and I cannot tell whether you mean YES."
        confirmations.ask_again(case, kept, _raw_token(case), why)
    return None


def _welcome_answered(case: Case, kept: KeptLetter) -> None:
    """An answer to a welcome is a letter to the front door; a few times it proves that its writer is who was welcomed."""
    proves = confirmations.waits(case.office, kept) and confirmations.is_his(case, kept, case.letter)
    proof: Proof = "token" if proves and (kept.lesson or confirmations.may_go_on(case, kept)) else "none"
    who = confirmations.asker(case, kept) if proves else None
    at_the_door(case, case.row, case.letter, who, proof, lesson=kept.lesson and proves)


def _invited(case: Case, yes: bool) -> Playing | None:
    """YES or NO of an address that was asked by another's word; a YES waits while its match stands still."""
    token = case.token
    asked = asked_by(case.step, token) if token else None
    if asked is None:
        return None
    address, kept = asked
    if not yes:
        decline(case, address, kept)
        return None
    row = case.step.match(kept.match)
    begun = row is not None and row.status != "forming" and kept.wants != "address"
    playing = ready(case, row) if begun and row else None
    if playing is not None and (playing.fault or playing.outcome.sealed):
        person = case.step.player_at(address) or Player(0, "", (address,), case.office.zone)
        member = next((m for m in case.step.members(kept.match) if person.id and m.player == person.id), None)
        _hold(case, playing, member, person)
        return None
    return accept(case, address, kept, case.letter, playing)


def _raw_token(case: Case) -> str:
    return (case.route.token if case.route else None) or ""


def _take(case: Case, kept: KeptLetter) -> Playing | None:
    """A YES: the kept letter goes where it was going, unless its match stands still: then the YES waits."""
    if _waits_for_the_match(case, kept):
        return None
    case.original = confirmations.take(case, kept)
    if case.original is None:
        _refuse_as(case, case.row, case.letter, confirmations.why_gone(None), (), case.token)
        return None
    letter, _ = open_letter(case.original)
    if kept.match and confirmations.is_late(case, kept, case.token, letter):
        _refuse_as(case, case.row, case.letter, *_too_late(kept), case.token)
        return None
    if kept.match:
        case.agreed = kept.shown if kept.guessed else ()
        return _to_the_desk(case)
    at_the_door(case, case.row, letter, confirmations.asker(case, kept), "yes", kept.shown)
    return None


def _waits_for_the_match(case: Case, kept: KeptLetter) -> bool:
    """Keep a YES to a letter that nothing can be done of until its match goes on; a game master may mend one that is broken."""
    row, member = case.step.match(kept.match) if kept.match else None, case.member
    if row is None or row.status == "forming" or member is None or case.owner is None:
        return False
    if member.role == "gm" and row.status != SEALED:
        return False
    playing = ready(case, row)
    waits = bool(playing.fault or playing.outcome.sealed)
    if waits:
        _hold(case, playing, member, case.owner)
    return waits


def _hold(case: Case, playing: Playing, member: Member | None, player: Player) -> None:
    """Keep a letter until its match goes on; where that may take long its writer is told so, and need do nothing more."""
    case.held = True
    if playing.row.status == SEALED:
        return
    match, proof = playing.row.name, proof_of(case.office, case.letter, case.letter.text, player.zone)
    said = f"{match} cannot be run on at the moment: the fault is mine, not your letter's. {GOES_ON}"
    kept = (
        "Your letter is kept and will be done then; you need not send it again, and no time of yours runs until then."
    )
    letter = RefusalLetter("Your letter is kept", said, (kept,), proof, match, player.name)
    mail = Mail("refusal", "your letter is kept", letter, str(case.row.id))
    reply = Reply(Thread(case.letter.message_id, case.letter.references), Answering(case.row.id, "refusal"))
    post(case, player, mail, About(playing if member else playing.row, member), reply)


def _too_late(kept: KeptLetter) -> tuple[str, tuple[str, ...]]:
    """The answer to a YES to a letter with orders for a turn that was played meanwhile."""
    why = f"The letter that you confirmed has orders for a turn of {kept.match} that was played meanwhile; nothing was taken."
    return why, ("Write your orders again in a reply to the latest letter of the match.",)


def _to_the_door(case: Case) -> Playing | None:
    """A letter without a token; if it proves its writer by itself, it goes on to the desk of the match it means."""
    who = case.step.player_at(case.letter.sender)
    proof = _proof(case, who)
    if proof == "letter":
        case.step.spare_letter(case.row.id, False)
    if proof in ("none", "letter") and confirmations.says_just_yes(case.letter):
        writer = who or Player(0, "", (case.letter.sender,), case.office.zone)
        rows = meant(case.step, who, case.letter) if who else []
        if rows or confirmations.asked_at_the_door(case, writer):
            return _plain_yes(case, writer, rows, proof == "letter")
    row = at_the_door(case, case.row, case.letter, who, proof)
    if row is None or who is None:
        return None
    return _as_if_with_a_token(case, who, row)


def _plain_yes(case: Case, who: Player, rows: list[MatchRow], proven: bool) -> Playing | None:
    """A YES to the plain address, to the question that waits for him; the match if it may have changed."""
    waits = confirmations.answered(case, case.row, case.letter, who, rows, proven)
    if waits is None:
        return None
    if waits.kept is not None:
        case.token = Token("", waits.kept.match, who.id, waits.kept.seat, waits.kept.turn)
        return _take(case, waits.kept)
    return _as_if_with_a_token(case, who, waits.match) if waits.match else None


def _as_if_with_a_token(case: Case, who: Player, row: MatchRow) -> Playing | None:
    """A letter whose writer is proven goes to the desk of the match it means, unless a newer one of his was taken."""
    case.token = Token("", row.name, who.id, seat_of(case.step, row.name, who), row.turn)
    late = overtaken(case)
    if late is not None:
        case.hits.append("overtaken by a newer letter")
        _confirm(case, late)
        return None
    return _to_the_desk(case)


def _proof(case: Case, who: Player | None) -> Proof:
    """How far a letter without a token shows who wrote it; of somebody unknown, whether his address did."""
    if case.authentication.verdict == "forged":
        return "forged"
    if who is None:
        return "letter" if case.authentication.verdict == "proven" and case.letter.from_count == 1 else "none"
    key = judge_key(case, who, case.keys.given) if case.keys.given else "wrong"
    if key == "right":
        case.hits.append("his key")
        return "letter"
    if case.authentication.verdict == "proven" and is_from(case.letter, who):
        case.hits.append(case.authentication.why)
        return "letter"
    if case.keys.given:
        return "wrong key" if key == "wrong" else "guessed key"
    return "wanted" if case.keys.new else "none"


def _to_the_desk(case: Case) -> Playing | None:
    """Hand a letter whose writer is proven to the desk of its match."""
    token = case.token
    assert token is not None  # the chain gives this verdict only with one
    row, player = case.step.match(token.match), case.step.player(token.player)
    if row is None or player is None:
        return None
    why, instead = where_it_went(case.step, row)
    if why:
        _refuse_as(case, case.row, case.letter, why, (instead,), token)
        return None
    letter, keys = case.letter, case.keys
    if case.original is not None:
        letter, keys = open_letter(case.original)
    # List-Unsubscribe makes a mail program write that subject; the text is empty, or a sentence of the program.
    if letter.subject.strip().casefold() == "unsubscribe":
        letter = msgspec.structs.replace(letter, text="UNSUBSCRIBE")
    arrived(case.step, player, letter.dated, (case.original or case.row).received_at)
    member = case.member
    if row.status == "forming" or member is None:
        keep_open(case, row.name)
        at_the_door(case, case.row, letter, player, "token")
        return None
    game_master = any(m.role == "gm" and m.player == player.id for m in case.step.members(row.name))
    if keys.new and _asks(case, Weight(("SET key",))):
        return None
    playing = ready(case, row)
    writer = Writer(player, member, letter, str(case.row.id), game_master, partial(why_ask, case))
    writer = msgspec.structs.replace(
        writer,
        agreed=case.agreed,
        confirmed=case.original is not None,
        keeps=case.original is None or bool(playing.outcome.sealed),
    )
    hand = Hand(case.office, case.step, playing, writer=_answers_press(case, writer, row))
    came = _note_writer(case, hand, keys.new)
    stripped = strip(letter.text)
    whole = text_to_read(stripped)
    text = without_tokens(whole, case.office.address)
    if text != whole:
        came += Came(doubts=(TOOK_OUT,))
    answer = attend(hand, text, stripped, came)
    if answer.by == "keep":
        _hold(case, playing, member, player)
    elif answer.shown:
        confirmations.keep(case, case.row, player, "", row, shown=answer.shown, at_once=True, guessed=True)
    elif answer.by == "ask":
        _asks(case, answer.weight)
    if answer.came.filed:
        note_newest(case, member, hand.playing.turn)
    return hand.playing


def _to_a_closed_turn(case: Case, verdict: Verdict) -> None:
    """Answer what a letter to a closed turn asks, and offer its orders where they are lawful now; refuse any other.

    Of a game master's words, which are of no turn, he is asked whether they are meant still: bots may have played meanwhile.
    """
    member, player = case.member, case.owner
    row = case.step.match(member.match) if member else None
    playing = ready(case, row) if row and case.step.last_entry(row.name) is not None else None
    if playing and member and player and not (playing.fault or playing.outcome.sealed):
        writer = Writer(player, member, case.letter, str(case.row.id), member.role == "gm")
        text = without_tokens(text_to_read(strip(case.letter.text)), case.office.address)
        hand = Hand(case.office, case.step, playing, writer=writer)
        if words := masters_words_in(hand, text):
            closed = verdict.why.removesuffix(", so nothing was taken.")
            return _confirm(case, Verdict("confirm", f"{closed}, and {words} may be meant all the same."))
        if attend_closed(hand, text, verdict.why):
            return None
    return _refuse_as(case, case.row, case.letter, verdict.why, verdict.instead, case.token)


def _answers_press(case: Case, writer: Writer, row: MatchRow) -> Writer:
    """The writer with the letter of press that he answers, by the address that he wrote to, and whether that brings press alone."""
    token = _token_of(case, case.original or case.row)
    answers = notes.PRESS_ANSWERED.of(token.match, token.digest).read(case.step) if token else None
    if token is None or answers is None or token.match != row.name:
        return writer
    return msgspec.structs.replace(writer, replies_to=answers, closed=0 if token.alive else token.turn)


def _asks(case: Case, weight: Weight) -> bool:
    """Keep a letter whose words weigh more than what it proves of its writer."""
    why = why_ask(case, weight)
    if why:
        case.hits.append(f"asked about {weight.named}")
        _confirm(case, Verdict("confirm", why))
    return bool(why)


def _note_writer(case: Case, hand: Hand, key: str) -> Came:
    """A new key, and a letter that came from elsewhere, as the receipt tells of them."""
    came = NOTHING
    if key and not (case.token and case.token.digest):
        came += denied("SET key", "A key is set only by a reply to a letter of mine, to its reply address.")
    elif key and (wrong := set_key(case, hand.player, key)):
        came += denied("SET key", wrong)
    elif key:
        came += Came(("Your key is set: KEY and that word, on a line of its own, prove a letter to be yours.",))
    if case.original is None and not is_from(case.letter, hand.player):
        came += Came(doubts=_told_of_sender(case, hand.player))
    return came


_SENDERS_TOLD = 50


def _told_of_sender(case: Case, player: Player) -> Told:
    """The sentence that a letter came from none of his addresses; of each address once."""
    sender = case.letter.sender if case.letter.from_count == 1 else ""
    slip = notes.SENDERS_TOLD.of(player.id)
    told = slip.read(case.step) or ()
    if sender in told:
        return ()
    if sender:
        slip.keep(case.step, (*told, sender)[-_SENDERS_TOLD:])
    own = f"if it was, SET address {sender} makes it yours, too" if spelt(sender) else "if it was, all is well"
    once = " I say this once of an address." if sender else ""
    return (
        f"{told_apart(case.letter)}; the answer goes to yours. If it was not you, tell your game master at once; {own}.{once}",
    )
