"""A letter to a member, posted once: its address, thread, Message-ID; and the daily letter in its stead."""

from __future__ import annotations

import base64
import hmac
import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from referee.core.page import Drawing, Page, Paragraph, Quotation
from referee.kit.wording import counted, in_a_row
from referee.mail import Attachment, Outgoing, compose, message_id, reply_address, spelt, token_digest
from referee.service.base import notes
from referee.service.base.letter_facts import Documents, Frame, Receipt, RefusalLetter, TurnReport
from referee.service.base.note_values import KeptMap, News, Restored, Wishes
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterOut, MatchRow, Member, Player, Token
from referee.service.base.times import iso, stamp
from referee.service.match.playing import Playing, load
from referee.service.post.answer_limits import UNPROVEN, WAITED_FOR, Answering, Purse, as_said, keep_back, pay, room
from referee.service.post.calendar import CARRIERS, calendar_files
from referee.service.post.delivery import gather, taken_out, waiting, waits_for_digest, wishes_of
from referee.service.post.subjects import of_letter
from referee.service.post.tray import Draft, answered_by, map_files, rendered, report_said, said, together

# ---------------------------------------------------------------- the post room
# Addresses, tokens, subjects and threads of letters out, queued in the transaction that caused them.


_log = logging.getLogger(__name__)

_TEMPLATES = {
    "undelivered": "notice",
    "unreachable": "notice",
    "answer": "notice",
    "silence": "refusal",
    "added": "refusal",
    "address": "entry",
    "guess": "entry",
    "dropped": "refusal",
    "trouble": "refusal",
    "muster": "refusal",
    "forming": "notice",
    "passed on": "notice",
    "digest": "notice",
    "gathered": "documents",
    "forwarded": "press",
}
"""The template of a kind of letter that has none of its own name."""

_ASKING = frozenset({"report", "question", "started"})
"""The kinds of letter that ask for something for the first time."""

_LAST: dict[Purse, str] = {
    "stranger": "This is my last answer for {silence} to letters from your address that do not prove who wrote them. "
    "Replies to the letters of a match are answered as ever.",
    "refusal": "This is my last answer for {silence} to letters of yours that say the same as this one. Anything else you write "
    "is read and answered as ever.",
    "request": "This is my last answer for {silence} to letters of yours that leave no orders on file. Your orders are "
    "taken all the same, and answered.",
}
_SILENT = {
    "stranger": "Letters in the name of {address} come again and again that do not prove who wrote them, so I ask there no "
    "more for now. They are kept. Letters to a reply address of his, or with his key, are taken and answered as ever.",
    "proven": "{address} writes the same again and again without orders, perhaps a machine that answers mine, so I answer that no "
    "more for now; I told it so in my last answer. Orders from it, and other letters, are taken all the same, and answered.",
}


class Thread(msgspec.Struct, frozen=True):
    """The letter an answer belongs to."""

    message_id: str = ""
    references: tuple[str, ...] = ()


_NO_THREAD = Thread()


def _nothing_kept(_: Any) -> bytes:
    return b""


@dataclass(frozen=True)
class Mail:
    """A letter out: its kind, its subject, what its template is handed, and what goes with it.

    `unique` tells letters of one kind to one person apart; the rest is derived. A `chart` goes with it twice: as SVG, which can
    be enlarged, and as a picture that the HTML shows; where a drawing to be `shown` is given, the picture is made of that: one
    picture of what is public serves a whole table.

    A chart that is `kept` with a report is laid in by the postman. `files` go with it. `source` is what is kept of the letter
    as it was written then. A receipt of more than `most` bytes goes in plain text alone.
    """

    kind: str
    subject: str
    letter: Any
    unique: str
    source: Callable[[Any], bytes] = _nothing_kept
    chart: Drawing | None = None
    shown: Drawing | None = None
    kept: KeptMap | None = None
    files: tuple[Attachment, ...] = ()
    most: int = 0


@dataclass(frozen=True)
class About:
    """The matter of a letter: a match in play or before its start, and its reader's part in it.

    Its reply address bears the `token`; without one, that of the reader's part, which for a letter that brings `press` is
    known by its number.
    """

    match: Playing | MatchRow | None = None
    member: Member | None = None
    token: str = ""
    press: int = 0

    @property
    def playing(self) -> Playing | None:
        """The match, if it is in play."""
        return self.match if isinstance(self.match, Playing) else None

    @property
    def row(self) -> MatchRow | None:
        """The match as the service keeps it."""
        return self.match.row if isinstance(self.match, Playing) else self.match


@dataclass(frozen=True)
class Reply:
    """The letter that another answers: the `thread` it belongs to, and the payer if it is one that counts."""

    thread: Thread = _NO_THREAD
    answering: Answering | None = None


NOTHING, UNASKED = About(), Reply()
"""About no match; in answer to no letter."""


def _server_secret(at: At) -> bytes:
    kept = notes.TOKEN_SECRET.of().read(at.step)
    if kept is None:
        kept = at.office.secrets.secret()
        notes.TOKEN_SECRET.of().keep(at.step, kept)
    return kept


def letter_id(at: At, kind: str, unique: str, match: str, turn: int, reader: str) -> str:
    """The Message-ID of a letter: the same whenever it is written, and it counts nothing for its reader."""
    secret = hmac.digest(_server_secret(at), b"letters", "sha256")
    return message_id(secret, kind, unique, match or "desk", turn, reader, at.office.numbered, at.office.host)


def turn_secret(at: At, match: str, turn: int) -> bytes:
    """The value derived for a turn from the secret of this house, which is told to nobody."""
    return token_secret(at.office.restores, _server_secret(at), match, turn)


def token_secret(restores: Sequence[Restored], secret: bytes, match: str, turn: int) -> bytes:
    """The secret from which reply addresses of a turn are derived.

    For turns to which a match came after a restore it is another secret than it was before: players may hold letters about
    turns of that number which are lost, and whoever answers one must not be taken to answer what is asked now.
    """
    for restored in reversed(restores):
        if turn > restored.turns.get(match, -1):
            return hmac.digest(secret, f"restored {restored.at.isoformat()}".encode(), "sha256")
    return secret


def reply_token(at: At, match: str, turn: int, epoch: int, player: Player, seat: str, press: int = 0) -> str:
    """The token of this person for this turn, the same in every letter of the turn; kept only by its digest.

    Each letter of `press` has one of its own, by which a reply is known to answer it, also when the turn is long closed.
    """
    token, known = _living_token(at, match, turn, epoch, player, seat, press)
    if not known:
        digest = token_digest(token)
        at.step.save_token(Token(digest, match, player.id, seat, turn))
        if press:
            notes.PRESS_ANSWERED.of(match, digest).keep(at.step, press)
    return token


def _living_token(
    at: At, match: str, turn: int, epoch: int, player: Player, seat: str, press: int = 0
) -> tuple[str, bool]:
    """The token that is good now, and whether it is kept already."""
    secret = turn_secret(at, match, turn)
    for generation in itertools.count():
        token = derived_token(secret, match, turn, epoch, player.id, seat, generation, press)
        known = at.step.token(token_digest(token))
        if known is None or known.alive:
            return token, known is not None
        # It died in this very turn (REPLACE and back, REWIND and FORWARD): a dead one never lives again.
    raise AssertionError("generations do not end")


def address_for(at: At, playing: Playing, member: Member, player: Player) -> str:
    """The reply address that letters to this member bear now; the letter that names it keeps its token."""
    if member.status != "playing" or not player.id:
        return at.office.address
    token, _ = _living_token(at, playing.row.name, _turn_of(playing), playing.course, player, member.seat)
    return reply_address(at.office.address, playing.row.name, token)


def _turn_of(playing: Playing) -> int:
    """The answer to a letter from between a seal and its dice comes after them, perhaps with the next turn open."""
    return playing.turn + (playing.outcome.sealed is not None)


def derived_token(
    secret: bytes, match: str, turn: int, epoch: int, player: int, seat: str, generation: int, press: int = 0
) -> str:
    """The token that a secret gives for a person, a turn and a course of a match, and for a letter of press."""
    purpose = f"{match}/{turn}/{epoch}/{player}/{seat}/{generation}{f'/press {press}' if press else ''}"
    return base64.b32encode(hmac.digest(secret, purpose.encode(), "sha256")[:10]).decode().lower()


def witness_token(at: At, match: str, address: str) -> str:
    """The token in letters to a witness of a match, always the same; it is nobody's else, and opens nothing but this."""
    token = derived_token(_server_secret(at), match, 0, 0, 0, f"witness {address}", 0)
    if at.step.token(token_digest(token)) is None:
        at.step.save_token(Token(token_digest(token), match, 0, "", 0))
    return token


def post(at: At, player: Player, mail: Mail, about: About = NOTHING, reply: Reply = UNASKED) -> None:
    """Queue a letter to a person: a receipt and a report as what they say, others written out.

    Its reader's wishes about his letters are heeded in all that he has not just asked for. While a letter that came in is
    handled it waits in the tray of the office, and may go with others as one.
    """
    draft = _drafted(at, player, mail, about, reply)
    if draft is None:
        return
    if at.office.tray is None:
        _queue(at, draft)
    else:
        at.office.tray.append(draft)


def send(at: At, drafts: Sequence[Draft]) -> None:
    """Queue what lay in a tray, as few letters: what belongs together is one, unless it cannot be written so."""
    for draft in together(drafts):
        if not draft.parts or not _queued_together(at, draft):
            for part in draft.parts or (draft,):
                _queue(at, part)


def _queued_together(at: At, draft: Draft) -> bool:
    """Queue several letters as one; False, and nothing is queued, if that fails."""
    try:
        written = _written(at.office, draft, draft.letter, unproven=False)
    except Exception:  # each of them is a letter that can be written; none may be lost because they are put together
        _log.exception("%s goes in %d letters", draft.envelope.message_id, len(draft.parts))
        return False
    return at.step.post(written)


def _drafted(at: At, player: Player, mail: Mail, about: About, reply: Reply) -> Draft | None:
    """A letter with all that goes round it; None for news that waits for its reader's daily letter, or has no address to go to."""
    if not player.addresses or spelt(player.addresses[0]) is None:
        return None
    kind, letter, chart = mail.kind, mail.letter, mail.chart
    row, playing, member = about.row, about.playing, about.member
    now, to, match = at.now, player.addresses[0], row.name if row else ""
    unproven = reply.answering is not None and reply.answering.purse in UNPROVEN
    wishes = Wishes() if isinstance(letter, Receipt) else wishes_of(at.step, player)
    if wishes.digest and match and kind in ("press", "notice") and waits_for_digest(letter):
        gather(at.step, match, player, wishes.digest, letter, now)
        return None
    if not wishes.map and chart is not None:
        letter, chart = msgspec.structs.replace(letter, map=""), None
    files = _turn_file(at, mail, about, player, wishes)
    if files:
        framed = msgspec.structs.replace(letter.frame, enclosed=files[0].name)
        letter = msgspec.structs.replace(letter, frame=framed)
    kept = mail.kept if chart is not None else None
    carries = kind in CARRIERS and playing and member
    days = calendar_files(at, playing, member, player) if carries and playing and member else ()
    turn = playing.turn if playing else 0
    reply_to = _reply_to(at, about, player)
    envelope = Outgoing(
        sender=at.office.address,
        sender_name=at.office.name,
        to=to,
        to_name=player.name if player.id or not unproven else "",
        reply_to=reply_to,
        subject=of_letter(match, mail.subject, getattr(letter, "frame", None) or getattr(letter, "about", None)),
        dated=now,
        message_id=letter_id(at, kind, mail.unique, match, turn, str(player.id or to)),
        host=at.office.host,
        text="",
        match=match,
        answers=reply.thread.message_id,
        references=_references(at.office, match, turn, reply.thread),
        unsubscribe=reply_to if match and reply_to != at.office.address else "",
        attachments=(*(() if kept else _map_files(at.office, chart, mail.shown, wishes)), *mail.files, *files, *days),
    )
    # A button is no press: what a program writes below it, a signature say, must not be sent on.
    taps = _reply_to(at, replace(about, press=0), player) if about.press else ""
    return Draft(player, kind, letter, envelope, wishes, mail.source, taps, reply.answering, mail.most, map=kept)


def _turn_file(at: At, mail: Mail, about: About, player: Player, wishes: Wishes) -> tuple[Attachment, ...]:
    """The turn of a player who is asked for something new, if no link leads to it and he wishes the page."""
    make, framed = at.office.table, getattr(mail.letter, "frame", None)
    if make is None or mail.kind not in _ASKING or not wishes.page or not (about.playing and about.member):
        return ()
    asks = framed is not None and framed.duty in ("orders", "answer") and not framed.play
    return make(at, about.playing, about.member, player) if asks else ()


def _queue(at: At, draft: Draft) -> None:
    """Queue one letter.

    A letter that is an `answering` is paid for by a purse. Where that is empty it is not written: two machines that
    answer each other fall silent, and who writes in another's name cannot flood him. Orders are taken all the same. The
    last letter that a purse pays for says so. Letters to unproven writers are of a bounded size; the first answer of an hour
    alone has HTML.
    """
    player, letter = draft.reader, draft.letter
    answering = as_said(at, player, draft.answering) if draft.answering else None
    left = room(at, player, answering.purse) if answering else None
    if answering and left:
        if left.answers <= 1 and answering.purse == "request" and _is_waited_for(at, player):
            left = room(at, player, answering.purse, WAITED_FOR)
        if left.answers < 1 or left.size < 1:
            _fall_silent(at, player, answering)
            return
        if left.answers == 1 and hasattr(letter, "last"):
            letter = msgspec.structs.replace(letter, last=_last(at, player, answering.purse, left.silence))
    unproven = answering is not None and answering.purse in UNPROVEN
    queued, most = _written(at.office, draft, letter, unproven), at.office.limits.answer_bytes
    too_large = left and len(queued.raw) > min(left.size, most)
    if unproven and left and (too_large or not left.first) and draft.wishes.form == "html":
        plain = replace(draft, wishes=msgspec.structs.replace(draft.wishes, form="text"))
        queued = _written(at.office, plain, letter, unproven)
    if answering and left and unproven and len(queued.raw) > min(left.size, most):
        _fall_silent(at, player, answering)
        return
    at.step.post(queued)
    if answering:
        pay(at, player, answering, len(queued.raw))


def _written(office: Office, draft: Draft, letter: Any, unproven: bool) -> LetterOut:
    """The letter as the outbox keeps it."""
    kind, envelope = draft.kind, draft.envelope
    refuses = kind in ("refusal", "welcome", "lesson") or (
        isinstance(letter, Receipt) and letter.verdict in ("NOTHING USABLE", "NOTHING WAITS", "NOT DONE")
    )
    bounces_to, now = "" if refuses else office.address, envelope.dated
    queued = LetterOut(
        0, envelope.message_id, envelope.match, "refusal" if refuses else kind, bounces_to, envelope.to, b"", now, now
    )
    if isinstance(letter, Receipt) and not unproven:
        return msgspec.structs.replace(queued, said=said(letter, envelope, draft.most))
    if isinstance(letter, TurnReport) and (draft.map or not draft.parts):
        if draft.parts:
            office.renderer.render(
                "report", letter, answered_by(envelope)
            )  # raises while its parts can still go by themselves
        words = report_said(letter, envelope, draft.wishes, draft.map)
        return msgspec.structs.replace(queued, said=words, source=draft.source(letter))
    answered = answered_by(envelope)
    if draft.taps:
        answered = msgspec.structs.replace(answered, address=draft.taps)
    template = _TEMPLATES.get(kind, kind)
    letter, envelope = rendered(office, draft.wishes, template, letter, envelope, answered, brief=unproven)
    return msgspec.structs.replace(queued, raw=office.sign(compose(envelope)), source=draft.source(letter))


def _map_files(office: Office, chart: Drawing | None, shown: Drawing | None, wishes: Wishes) -> tuple[Attachment, ...]:
    """The picture has the id by which the templates show it."""
    if chart is None:
        return ()
    return map_files(office, chart, shown or chart, wishes)


def _fall_silent(at: At, player: Player, answering: Answering) -> None:
    """Write nothing. The keeper's digest counts it; the game masters of somebody who is known are told, once a day."""
    keep_back(at, player, answering)
    address = player.addresses[0]
    sentence = _SILENT["stranger" if answering.purse in UNPROVEN else "proven"].format(address=address)
    for master in _masters_of(at, player):
        if address not in master.addresses:
            body = RefusalLetter("I have fallen silent", sentence, (), None, "", master.name)
            unique = f"{address}.{answering.purse}.{at.now:%Y-%m-%d}"
            post(at, master, Mail("silence", f"no more answers to {address}", body, unique))


def _last(at: At, player: Player, purse: Purse, silence: str) -> str:
    """The sentence that this is the last answer, for how long, and whom to ask meanwhile."""
    said = _LAST[purse].format(silence=silence)
    names = [master.name for master in _masters_of(at, player) if master.id != player.id]
    if at.office.keeper:
        return f"{said} To reach a person meanwhile, write to {at.office.keeper}."
    if names and purse not in UNPROVEN:
        return f"{said} Meanwhile ask {in_a_row(names)}: a line PRESS TO game master, your text, and a line END."
    return said


def _is_waited_for(at: At, player: Player) -> bool:
    """Whether somebody masters a match or owes something in one: he is never left without an answer."""
    if not player.id:
        return False
    for member in at.step.memberships(player.id):
        row = at.step.match(member.match)
        if row is None or row.status == "over" or member.status not in ("playing", "watching"):
            continue
        if member.role == "gm":
            return True
        if row.status != "forming" and any(q.seat == member.seat for q in load(at, row).outcome.open):
            return True
    return False


def _masters_of(at: At, player: Player) -> list[Player]:
    """The game masters of a person's matches, each once."""
    matches = (
        {m.match for m in at.step.memberships(player.id) if m.status in ("playing", "watching")} if player.id else set()
    )
    ids = {m.player for match in sorted(matches) for m in at.step.members(match) if m.role == "gm"}
    return [master for id in sorted(ids) if (master := at.step.player(id))]


def _reply_to(at: At, about: About, player: Player) -> str:
    token, playing, member = about.token, about.playing, about.member
    match = about.row.name if about.row else ""
    if not token and playing is not None and member is not None and member.status != "replaced" and player.id:
        seat = member.seat if member.status == "playing" else ""
        token = reply_token(at, match, _turn_of(playing), playing.course, player, seat, about.press)
    return reply_address(at.office.address, match or "desk", token) if token else at.office.address


def _references(office: Office, match: str, turn: int, thread: Thread) -> tuple[str, ...]:
    """One thread a turn: a pseudo id of the turn holds it together even when a reply loses its headers."""
    root = (f"<{match}.turn{turn}@{office.host}>",) if match else ()
    return (*root, *thread.references)


# ---------------------------------------------------------------- the daily letter
# The events of a match, in one letter at the hour its reader wished.


def send_gathered(office: Office) -> int:
    """Write the daily letters whose hour has come, each in a transaction of its own; how many."""
    now = office.clock.now()
    with office.store.look() as step:
        due = [key for key, at in waiting(step).items() if at <= now]
    for key in due:
        match, _, player = key.rpartition("|")
        with office.step() as at:
            _send(at, match, int(player))
    return len(due)


def _send(at: At, match: str, id: int) -> None:
    items, row, player = taken_out(at.step, match, id), at.step.match(match), at.step.player(id)
    member = next((m for m in at.step.members(match) if m.player == id and m.status != "left"), None)
    if items and row is not None and player is not None and member is not None:
        _write(at, row, member, player, items)


def _write(at: At, row: MatchRow, member: Member, player: Player, items: list[News]) -> None:
    seat = member.seat if member.status == "playing" else ""
    title = f"{counted(len(items), 'pieces')} of news"
    framed = Frame(row.name, at.office.games[row.game].title, title, player.name, seat)
    letter = Documents(framed, f"The day in {row.name}", tuple(_page(item, player.zone) for item in items), ())
    token = reply_token(at, row.name, row.turn, 0, player, seat)
    unique = f"day.{iso(at.now)}"
    post(at, player, Mail("gathered", f"the day: {title}", letter, unique), About(row, token=token))


def _page(item: News, zone: str) -> Page:
    title = f"{item.title[:1].upper()}{item.title[1:]}"
    first, rest = item.sentences[:1], item.sentences[1:]
    written = (Quotation(item.text),) if item.text else ()
    return Page(title, stamp(item.at, zone), (*map(Paragraph, first), *written, *map(Paragraph, rest)))
