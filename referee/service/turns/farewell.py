"""The last letter of a match: who won, how it went, the last map, honours, the secret of the dice, another match."""

from __future__ import annotations

import msgspec

from referee.core.names import Role
from referee.core.page import Drawing, Page, Paragraph, Tally
from referee.kit.wording import capital, in_a_row
from referee.mail import Attachment
from referee.service import notes
from referee.service.clock.standing_still import end_clock
from referee.service.letters import Farewell, Frame
from referee.service.match.anonymity import who_played
from referee.service.match.hand import BareHand
from referee.service.match.members import everybody
from referee.service.match.playing import alive_in
from referee.service.office import Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.outgoing.proof import proof_of, with_new_key
from referee.service.turns.retrospect import course_of, curve_of, honours, turning_points
from referee.service.turns.told_pages import chart_now, map_in_words, reader_of


def farewell(hand: BareHand, ended: str = "") -> None:
    """Tell everybody how the match went. All that was hidden in it may be told now.

    One that somebody `ended` before its game was over has no winner, and the hand has his reason.
    """
    tally = hand.playing.game.score(hand.playing.outcome.state)
    played = who_played(hand.step, hand.match)
    said = ended or f"{capital(_outcome(tally, played))}."
    why = (Paragraph(f"The reason given: {hand.reason}"),) if ended and hand.reason else ()
    proof = proof_of(hand, hand.playing.outcome.ended[-1].chance if hand.playing.outcome.ended else ())
    moments = course_of(hand.step, hand.playing)
    chart = curve_of(hand.playing, moments, tally.unit)
    told = Farewell(
        frame=Frame("", "", "", ""),
        page=Page(f"{hand.playing.game.title}: the end", said, why),
        tally=tally,
        secret=hand.playing.row.secret.hex(),
        verify=_VERIFY,
        players=played,
        turns=turning_points(moments, tally.unit),
        honours=honours(hand.step, hand.playing, moments, alive_in(hand, hand.playing.row)),
        curve=chart.instead if chart else "",
        diaries=len(notes.DIARY.every(hand.step, hand.match)),
        rematch="REMATCH",
        proof=with_new_key(hand, hand.match, proof),
    )
    subject = "the match is ended" if ended else f"the end: {_outcome(tally, ())}"
    public, files = chart_now(hand.step, hand.playing, Role.OBSERVER), _picture(hand.office, chart)
    for member, player in everybody(hand.step, hand.match):
        framed, seen = frame(hand, member, player), chart_now(hand.step, hand.playing, reader_of(member))
        letter = msgspec.structs.replace(told, frame=framed, map=map_in_words(seen, public))
        mail = Mail("farewell", subject, letter, f"end.{hand.playing.head.seq}", chart=seen, shown=public, files=files)
        post(hand, player, mail, About(hand.playing, member))
    end_clock(hand.step, hand.playing.row)


_VERIFY = (
    "SEND archive brings the whole log; the command 'referee verify FOLDER' checks every entry, die and report in it.",
    "Any SHA-256 program tells that the fingerprint is that of the secret.",
)


def _outcome(tally: Tally, played: tuple[tuple[str, str], ...]) -> str:
    """Who won, with the names of the persons if they are given."""
    persons = dict(played)
    winners = [f"{seat} ({persons[seat]})" if seat in persons else str(seat) for seat in tally.winners()]
    return f"{in_a_row(winners)} won" if winners else "nobody is ranked"


def _picture(office: Office, chart: Drawing | None) -> tuple[Attachment, ...]:
    if chart is None:
        return ()
    return (Attachment("curve.png", "image/png", office.renderer.picture(chart.svg), "curve@letter"),)
