"""The reports of ended phases, archived and mailed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from referee.core.names import Reader, Role
from referee.core.page import Drawing, Page, Sheet
from referee.core.question import Source
from referee.core.record import Answered
from referee.core.stage import Ended
from referee.service.letters import DiceProof, TurnReport
from referee.service.match.hand import BareHand
from referee.service.match.hidden_lateness import keeps_quiet, masters_of
from referee.service.match.history import earlier_in
from referee.service.match.members import everybody
from referee.service.match.playing import Playing
from referee.service.outgoing.deliveries import late_delivery
from referee.service.outgoing.forms import form_for
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.outgoing.proof import key_is_told, proof_of, with_new_key
from referee.service.outgoing.subjects import reported
from referee.service.outgoing.wishes import wishes_of
from referee.service.ports import Member, Player, Report
from referee.service.remembered import KeptMap
from referee.service.turns.exporting import in_forms
from referee.service.turns.hearing import Hearing, Table
from referee.service.turns.library import Found, sheets_of
from referee.service.turns.told_pages import (
    Shown,
    Written,
    changed,
    mailed,
    map_in_words,
    pages_and_sheets,
    reader_of,
)
from referee.service.witness.heads import send_heads


def automatic_sentences(
    answers: Iterable[Answered],
    asked: Mapping[str, str],
    reader: Reader,
    hidden: bool = False,
    sheets: Container[str] = (),
) -> tuple[str, ...]:
    """Which answers nobody gave, and by which rule they were chosen. Other seats' decisions inside a turn stay theirs.

    Where lateness is `hidden`, so does this of their whole turns. Who ended his own of these `sheets` knows what was on it.
    """
    lines = []
    for answer in answers:
        own = answer.key in sheets and answer.source is Source.STANDING and not answer.late_by and not answer.by
        if own or answer.source in (Source.PLAYER, Source.ORDERS):
            continue
        whole = answer.key.rpartition("/")[2].startswith("orders")
        if whole and hidden and reader != answer.seat:
            continue
        if not whole and (reader != answer.seat or not asked[answer.key]):
            continue
        what = f"{_of_turn(answer.key)}: played" if whole else f'"{asked[answer.key]}" was decided'
        late = " after the deadline" if answer.late_by else ""
        ended = f", ended by {answer.by}" if answer.by else ""
        lines.append(f"{answer.seat}, {what} by {answer.source.value}{late}{ended}.")
    return tuple(lines)


def _of_turn(key: str) -> str:
    """What an order sheet is of its turn: one of several that are asked for after another is numbered from the second on."""
    return "the rest of the turn" if key.rpartition("/")[2].startswith("orders ") else "the whole turn"


def publish(hand: BareHand, before: Playing, ended: Sequence[Ended[Any]], mails: bool) -> None:
    """Archive the reports of phases that have ended since `before`, and mail them to everybody; the last one carries the next
    order sheet."""
    people = everybody(hand.step, hand.match)
    readers: list[Reader] = list(dict.fromkeys((Role.OBSERVER, *(reader_of(member) for member, _ in people))))
    proof = DiceProof()
    if mails:
        proof = proof_of(hand, [record for phase in ended for record in phase.chance])
        proof = with_new_key(hand, hand.match, proof)
    created = hand.playing.created
    table = Table(hand.playing.game, created.seats, created.options)
    hearing = Hearing(table, earlier_in(hand.step, before), readers, hand.match)
    for number, phase in enumerate(ended):
        made = pages_and_sheets(hearing, phase)
        encoded = {id(written): _encoded(written) for written in {id(one): one for one in made.values()}.values()}
        for reader, written in made.items():
            hand.step.keep_report(_kept(hand, phase, reader, encoded[id(written)]))
        if mails and phase.phase.reports:
            for member, player in people:
                written = made[reader_of(member)]
                public, last = made[Role.OBSERVER].chart, number == len(ended) - 1
                _mail_report(hand, phase, member, player, written, public, proof if last else None)
    hearing.leave(hand.playing.boundary)
    if mails:
        if proof.key and ended[-1].phase.reports:
            key_is_told(hand, hand.match)
        send_heads(hand)


def _reader_name(reader: Reader) -> str:
    return "" if isinstance(reader, Role) else str(reader)


class _Encoded(NamedTuple):
    """What a reader is given, as it is kept."""

    page: bytes
    sheets: bytes
    chart: bytes | None


def _encoded(written: Written) -> _Encoded:
    chart = None if written.chart is None else msgspec.json.encode(written.chart)
    return _Encoded(msgspec.json.encode(written.page), msgspec.json.encode(written.sheets), chart)


def _kept(hand: BareHand, ended: Ended[Any], reader: Reader, encoded: _Encoded) -> Report:
    """The report as it is kept; the map only of the public one, for the archive."""
    return Report(
        match=hand.match,
        turn=ended.phase.turn,
        epoch=hand.playing.course,
        reader=_reader_name(reader),
        title=ended.phase.title,
        at=hand.now,
        seq=hand.playing.head.seq,
        head=hand.playing.head.hash,
        page=encoded.page,
        sheets=encoded.sheets,
        chart=encoded.chart if isinstance(reader, Role) else None,
    )


def _mail_report(
    hand: BareHand,
    ended: Ended[Any],
    member: Member,
    player: Player,
    written: Written,
    public: Drawing | None,
    proof: DiceProof | None,
) -> None:
    """`proof` is of the last of several phases; the others' letters end without, and without an order sheet."""
    reader, (page, sheets, chart) = reader_of(member), written
    framed = frame(hand, member, player)
    form = form_for(hand.playing, member.seat) if proof is not None and member.status == "playing" else None
    hidden = keeps_quiet(hand.playing) and player.id not in masters_of(hand.step, hand.match)
    automatic = automatic_sentences(ended.answers, ended.asked, reader, hidden, ended.sheets)
    wishes, sentence = wishes_of(hand.step, player), map_in_words(chart, public)
    shown = Shown()
    if wishes.sheets:
        shown = changed(mailed(sheets, reader), _last_time(hand, ended, reader))
    delivery = late_delivery(hand.step, player) if member.status == "playing" else ""
    letter = TurnReport(
        framed,
        page,
        shown.sheets,
        form,
        automatic,
        map=sentence,
        sheetless=not wishes.sheets,
        unchanged=shown.same,
        part=shown.part,
        delivery=delivery,
        proof=proof or DiceProof(),
    )
    # What a replay cannot know is kept with the letter, so that it can be written again and compared.
    mark = f"{hand.playing.head.seq}|{ended.phase.turn}|{_reader_name(reader)}|{hand.office.renderer.version}|".encode()
    subject = reported(framed, ended.phase.title, page.summary, hand.playing.created.seats)
    unique = f"{hand.playing.head.seq}.{ended.phase.turn}"
    stem = f"{hand.match}-turn-{ended.phase.turn}"

    def source(written: TurnReport) -> bytes:
        return mark + msgspec.json.encode(_frameless(written))

    files = in_forms(hand.office.renderer, Found((page,), sheets), wishes.files, stem)
    alike = chart is not None and public is not None and (chart is public or chart.svg == public.svg)
    kept = KeptMap(hand.match, ended.phase.turn, hand.playing.head.seq) if alike else None
    mail = Mail("report", subject, letter, unique, source, chart, public, kept, files)
    post(hand, player, mail, About(hand.playing, member))


def _last_time(hand: BareHand, ended: Ended[Any], reader: Reader) -> tuple[Sheet, ...]:
    """The record sheets that the letter before this one could bring a reader."""
    before = hand.step.report(hand.match, ended.phase.turn - 1, _reader_name(reader))
    return mailed(sheets_of(before), reader) if before else ()


def _frameless(letter: TurnReport) -> TurnReport:
    return msgspec.structs.replace(letter, page=Page("", "", ()), sheets=())
