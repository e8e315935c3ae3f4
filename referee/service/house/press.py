"""Press: what a player writes to others is relayed, what he writes to himself is kept; and both as pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from datetime import timedelta

import msgspec

from referee.core.names import Reader, Role
from referee.core.page import Block as PageBlock
from referee.core.page import Grid, Heading, Page, Quotation
from referee.kit.wording import counted, in_a_row
from referee.service.base import notes
from referee.service.base.letter_facts import PressLetter
from referee.service.base.match_settings import settings_of
from referee.service.base.note_values import Written
from referee.service.base.ports import MatchRow, Member, Player, Step
from referee.service.base.times import stamp
from referee.service.house.press_blocks import GAME_MASTER, Addressed, Block, addressed, every_text, keep, kept
from referee.service.house.treaties_and_votes import offer, treaties_of, treaties_page, treaty_sentences
from referee.service.match.clocks import is_late
from referee.service.match.members import everybody, gives_away, hides_names, named_in, owner_of, who_played
from referee.service.match.playing import Playing
from referee.service.match.result import NOTHING, Came, Denial, Told, denied, heed, need
from referee.service.match.sheets import debts, draft_of
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.reports import reader_of
from referee.service.turn.writer import Hand

_DAY = timedelta(days=1)
_BEGINS = 80
"""So many characters of a text are shown to its writer when it is sent."""


def do_blocks(hand: Hand, blocks: Iterable[Block], answers: int = 0) -> Came:
    """Relay or keep each block of a letter, or say why not; `answers` is the press letter to which they are the reply."""
    came = NOTHING
    for block in blocks:
        try:
            heed(_why_not(hand, block, answers))
            came += Came(_done(hand, block, answers))
        except Denial as denial:
            came += denied(block.heading, str(denial))
    return came


def _done(hand: Hand, block: Block, answers: int) -> Told:
    match block.kind:
        case "diary":
            keep(hand.step, hand.match, notes.DIARY, _written(hand, block, ()))
            return ("Your diary has it; nobody reads it before the match is over, then the archive shows it.",)
        case "offer":
            return _offer(hand, block)
        case _:
            return _relay(hand, block, answers)


def _why_not(hand: Hand, block: Block, answers: int) -> str:
    """Why a block is not taken; "" if nothing is wrong with it."""
    if not hand.seat and not hand.game_master:
        return "Only players and game masters write press; those who watch may read it: SEND press."
    if not hand.seat and block.kind in ("diary", "offer"):
        return f"Only a player with a seat can write {block.kind.upper()}; PRESS TO and BROADCAST are yours too."
    if hand.playing.outcome.over or hand.playing.row.status == "over":
        return "The match is over; its press is closed."
    return _why_not_this(hand, block) or (_why_not_now(hand, block, answers) if hand.seat else "")


def _why_not_this(hand: Hand, block: Block) -> str:
    manners = hand.playing.settings.manners
    if not block.text.strip():
        return f"There is no text between {block.kind.upper()} and END."
    if len(block.text) > manners.size:
        return f"The text has {len(block.text):,} characters and may have {manners.size:,}; shorten it or send two."
    if block.kind == "diary":
        return ""
    if block.tone == "grey" and (not hand.seat or block.kind == "offer"):
        return "Only press of a player can be grey; leave out GREY."
    if block.tone == "grey" and manners.press != "grey":
        return "Press is signed in this match; leave out GREY."
    if hides_names(hand.playing):
        away = gives_away(block.text, hand.player) if hand.seat else named_in(hand, [block.text])
        if away:
            return f"This match is anonymous, and the text has {away} in it; leave that out and send it again."
    return ""


def _why_not_now(hand: Hand, block: Block, answers: int) -> str:
    """The objection of the match's manners, lateness or earlier letters to a player's press."""
    manners, to_master = hand.playing.settings.manners, block.kind == "press" and _to(hand, block) == (GAME_MASTER,)
    earlier = kept(hand.step, hand.match, notes.DIARY if block.kind == "diary" else notes.PRESS, hand.seat)
    today = [w for w in earlier if w.at > hand.now - _DAY]
    if len(today) >= manners.letters_a_day:
        return f"You have sent {len(today)} in a day, as many as a seat may; write again tomorrow."
    if block.kind == "diary":
        return ""
    if manners.press == "none" and not to_master:
        return "This match has no press; only PRESS TO game master is relayed."
    if not manners.late_press and not to_master and _is_late(hand):
        return "You are late, and a late player sends no press here before he has played; send your orders first."
    if manners.ordered_press and not to_master and _owes_a_sheet(hand):
        return "A player who owes orders sends no press here before they are on file; send your orders first, PRESS after them."
    same = (w for w in today if w.text == block.text and w.answers == answers)
    if any(w.kind == block.kind and w.to == _to(hand, block) for w in same):
        return "You have sent this very text already; it is not relayed twice."
    return ""


def _to(hand: Hand, block: Block) -> tuple[str, ...]:
    return _listed(hand, block).to if block.kind != "broadcast" else ()


def _listed(hand: Hand, block: Block) -> Addressed:
    return addressed(block.to, hand.playing.created.seats, hand.seat, _people(hand))


def _people(hand: Hand) -> dict[str, str]:
    """Names by which players and game masters may be written to: whole names, and first names that only one of them has."""
    if hides_names(hand.playing):
        return {}
    every = [
        (player.name.casefold(), member.seat if member.status == "playing" else GAME_MASTER)
        for member, player in everybody(hand.step, hand.match)
        if member.role == "gm" or member.status == "playing"
    ]
    firsts = [(name.partition(" ")[0], seat) for name, seat in every]
    return {name: seat for name, seat in firsts if sum(name == other for other, _ in firsts) == 1} | dict(every)


def _is_late(hand: Hand) -> bool:
    alarms = hand.step.alarms(hand.match)
    return any(is_late(hand.playing.row, alarms, question.key) for question in debts(hand.playing, hand.seat))


def _owes_a_sheet(hand: Hand) -> bool:
    return any(q.wants_orders and draft_of(hand.playing, q) is None for q in debts(hand.playing, hand.seat))


def _written(hand: Hand, block: Block, to: tuple[str, ...], answers: int = 0) -> Written:
    drawer = notes.DIARY if block.kind == "diary" else notes.PRESS
    number = 1 + len(every_text(hand.step, hand.match, drawer))
    now, grey = hand.now, block.tone == "grey"
    return Written(number, block.kind, hand.seat, to, block.text, now, grey, hand.player.id, answers)


def _offer(hand: Hand, block: Block) -> Told:
    listed = _listed(hand, block)
    need(not listed.wrong, listed.wrong)
    need(GAME_MASTER not in listed.to, "A treaty is between players; leave out the game master.")
    keep(hand.step, hand.match, notes.PRESS, _written(hand, block, listed.to))
    return offer(hand, listed.to, block.text)


def _relay(hand: Hand, block: Block, answers: int) -> Told:
    """One letter to each addressee; the copy that is kept is the proof of what was sent."""
    listed = _listed(hand, block)
    need(block.kind != "press" or not listed.wrong, listed.wrong)
    written = _written(hand, block, _to(hand, block), answers)
    keep(hand.step, hand.match, notes.PRESS, written)
    readers = [
        (m, p) for m, p in everybody(hand.step, hand.match) if p.id != hand.player.id and _reads(hand, written, m)
    ]
    for member, player in readers:
        _post(hand, written, member, player)
    last = ("That was your last press letter for a day.",) if _was_last(hand, written) else ()
    if answers:
        return (*last, f"Sent to {_to_whom(hand, written, len(readers))}: “{shortened(written.text)}”")
    return (_sent(written), *last)


def _was_last(hand: Hand, written: Written) -> bool:
    today = [w for w in kept(hand.step, hand.match, notes.PRESS, hand.seat) if w.at > written.at - _DAY]
    return bool(hand.seat) and len(today) == hand.playing.settings.manners.letters_a_day


def _reads(hand: Hand, written: Written, member: Member) -> bool:
    """Whether a member is sent a text."""
    if written.kind == "broadcast":
        return member.role != "observer" or hand.playing.settings.manners.observed
    seat = member.seat if member.status == "playing" else ""
    masters = {m.player for m in hand.step.members(hand.match) if m.role == "gm"}
    return seat in written.to or (GAME_MASTER in written.to and member.player in masters)


def _sent(written: Written) -> str:
    what = "grey press" if written.grey else "press"
    whom = in_a_row(written.to) if written.to else "everybody"
    return f"Your {what} went to {whom} as number {written.number}."


def _to_whom(hand: Hand, written: Written, readers: int) -> str:
    """The readers of an answer: the seat, whoever plays it now."""
    whom = in_a_row(written.to) if written.to else "everybody"
    if not readers:
        return f"{whom}, which nobody plays now; its next player finds it by SEND press"
    before = next((w for w in every_text(hand.step, hand.match, notes.PRESS) if w.number == written.answers), None)
    owner = owner_of(hand.step, hand.match, before.by) if before and before.by else None
    moved = before is not None and owner is not None and before.by in written.to and owner[1].id != before.player
    return f"{whom}, which somebody else plays now" if moved and len(written.to) == 1 else whom


def shortened(text: str) -> str:
    """How a text begins, in one line."""
    return textwrap.shorten(text, _BEGINS, placeholder=" ...")


def _post(hand: Hand, written: Written, member: Member, player: Player) -> None:
    """A letter of the referee's own: nothing of the writer's letter but its text goes on."""
    who = "" if written.grey else (written.by or f"{hand.player.name}, the game master")
    if written.grey and member.role == "gm" and not member.seat:
        who = f"{written.by}, which you alone are told"
    whom = in_a_row(written.to) if written.to else "everybody"
    what = "grey press" if written.grey else f"press from {written.by or 'the game master'}"
    if written.kind == "broadcast":
        what = what.replace("press", "broadcast")
    letter = PressLetter(
        frame=frame(hand, member, player),
        title=what,
        sender=who or "somebody who does not sign",
        to=whom,
        text=written.text,
        answer=_answer(written, member),
        heading=_heading(written, member),
    )
    unique = f"press.{written.number}"
    about = About(hand.playing, member, press=written.number)
    post(hand, player, Mail("press", what, letter, unique), about)


def _heading(written: Written, member: Member) -> str:
    """The line under which an addressee answers; "" if he may not."""
    if not member.seat and member.role != "gm":
        return ""
    return f"PRESS TO {written.by or 'game master'}" if not written.grey else "BROADCAST"


def _answer(written: Written, member: Member) -> str:
    """How to answer; "" for a reader who may not."""
    if not member.seat and member.role != "gm":
        return ""
    if written.grey:
        return "Nobody signed it, so a reply goes to nobody; BROADCAST, your text and a line END reach everybody."
    back = f"Just reply: your words go to {written.by or 'the game master'} as press"
    others = [seat for seat in written.to if seat != (member.seat or GAME_MASTER)]
    if written.kind == "broadcast" or others:
        whom = "everybody" if written.kind == "broadcast" else in_a_row(others)
        return f"{back}; begun with a line ALL it goes to {whom} too. Orders in it are taken as orders."
    return f"{back}. Orders in it are taken as orders."


# ---------------------------------------------------------------- press and diaries as pages


def _title_of(written: Written, reader: Reader, zone: str) -> str:
    mine = written.by == str(reader) and not isinstance(reader, Role)
    grey = "grey, by you" if mine else "grey"
    who = grey if written.grey else (written.by or "the game master")
    whom = f" to {in_a_row(written.to)}" if written.to else " to all" if written.kind == "broadcast" else ""
    return f"{written.number}. {who}{whom}, {stamp(written.at, zone)}"


def _page(title: str, none: str, texts: Iterable[Written], reader: Reader, zone: str) -> Page:
    blocks: list[PageBlock] = []
    for written in texts:
        blocks.append(Heading(_title_of(written, reader, zone)))
        blocks.append(Quotation(written.text))
    count = sum(isinstance(block, Heading) for block in blocks)
    return Page(title, f"{counted(count, 'texts')}." if count else none, tuple(blocks))


def press_page(step: Step, match: str, reader: Reader, zone: str = "UTC") -> Page:
    """The press of a match that a reader may read: broadcasts, and for a seat what it sent and was sent."""
    public = isinstance(reader, Role)
    every = [w for w in every_text(step, match, notes.PRESS) if w.kind != "offer"]
    mine = [w for w in every if w.kind == "broadcast" or (not public and (w.by == reader or reader in w.to))]
    return _page(f"Press of {match}", "Nobody has written any press yet.", mine, reader, zone)


def diary_page(step: Step, match: str, seat: str, zone: str = "UTC", player: int = 0) -> Page:
    """The diary of a seat; of one `player` of it, if named."""
    mine = [w for w in kept(step, match, notes.DIARY, seat) if not player or w.player == player]
    return _page(f"The diary of {seat}", "The diary is empty.", mine, Role.REFEREE, zone)


class Paper(msgspec.Struct, frozen=True):
    """A page of the archive that is no turn report, under its file name."""

    name: str
    page: Page


def press_for(step: Step, playing: Playing, member: Member | None, player: Player) -> Page:
    """The press a member wrote and was sent, and what all may read."""
    closed = member and member.role == "observer" and not playing.settings.manners.observed
    need(not closed, "Observers read no press in this match before it is over.")
    reader = reader_of(member) if member else Role.OBSERVER
    return press_page(step, playing.row.name, reader, player.zone)


def diary_of(step: Step, playing: Playing, reader: Reader, player: Player) -> Page:
    """A player's notes to himself."""
    return diary_page(step, playing.row.name, str(reader), player.zone, player.id)


def treaties_for(step: Step, playing: Playing, reader: Reader) -> Page:
    """The treaties of a seat, with their texts."""
    match = playing.row.name
    said = treaty_sentences(step, match, str(reader))
    texts = {t.number: t.text for t in treaties_of(step, match) if reader in t.parties}
    blocks = tuple(b for number, text in texts.items() for b in (Heading(f"Treaty {number}"), Quotation(text)))
    return Page(f"Treaties of {reader}", " ".join(said) or "You have no treaties.", blocks)


def archive_papers(step: Step, row: MatchRow) -> tuple[Paper, ...]:
    """The papers the archive shows: broadcasts that observers may read; at the end all of them, diaries and treaties.

    Press to single seats stays between those who wrote and read it.
    """
    over, manners = row.status == "over", settings_of(row.settings).manners
    found = []
    press = press_page(step, row.name, Role.OBSERVER)
    if press.blocks and (over or manners.observed):
        found.append(Paper("press.html", press))
    if over:
        found += [Paper("diaries.html", diaries)] if (diaries := diaries_page(step, row.name)).blocks else []
        found += [Paper("treaties.html", treaties_page(step, row.name))] if treaties_of(step, row.name) else []
        found += [Paper("players.html", _players(step, row.name))] if manners.anonymous else []
    return tuple(found)


def diaries_page(step: Step, match: str) -> Page:
    """Everybody's notes to himself, opened when the match is over."""
    seats = dict.fromkeys(written.by for written in every_text(step, match, notes.DIARY))
    pages = [diary_page(step, match, seat) for seat in sorted(seats)]
    blocks = tuple(block for page in pages for block in (Heading(page.title), *page.blocks))
    return Page(f"Diaries of {match}", f"{len(pages)} opened now that the match is over.", blocks)


def _players(step: Step, match: str) -> Page:
    grid = Grid(("seat", "played by"), who_played(step, match))
    return Page(f"The players of {match}", "The match was anonymous until its end.", (grid,))
