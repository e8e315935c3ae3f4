"""Who only pressed a button wrote no letter: reactions, receipts of reading and answers of calendars do nothing at all."""

from __future__ import annotations

import pytest

from referee.service.intake.plain_words import reacts
from tests.service.conftest import PLAYERS
from tests.world import ADDRESS, World

ICS = "BEGIN:VCALENDAR\nMETHOD:{}\nBEGIN:VEVENT\nUID:x@y\nDESCRIPTION:RESEARCH any\nEND:VEVENT\nEND:VCALENDAR"
SENT = "________________________________\nFrom: Referee <referee@games.example>\nSubject: your turn\n\nRESEARCH any"
ACCEPTED = "ben has accepted this invitation.\n\nRESEARCH any"


def parts(*each: tuple[str, str], of: str = "alternative", subject: str = "Re: [nw1] Your turn") -> str:
    body = "".join(f"--b\nContent-Type: {kind}\n\n{text}\n" for kind, text in each)
    return f"Subject: {subject}\nContent-Type: multipart/{of}; boundary=b\n\n{body}--b--\n"


def plain(text: str, subject: str = "Re: [nw1] Your turn", kind: str = "text/plain; charset=utf-8") -> str:
    return f"Subject: {subject}\nContent-Type: {kind}\n\n{text}\n"


BY_MACHINES = (
    parts(("text/plain; charset=utf-8", "👍"), ("text/vnd.google.email-reaction+json", '{"emoji":"👍","version":1}')),
    parts(("text/plain", "A receipt"), ("message/disposition-notification", "Disposition: displayed"), of="report"),
    parts(("text/plain", ACCEPTED), ("text/calendar; method=REPLY", ICS.format("REPLY"))),
    parts(("text/plain", ACCEPTED), ("text/calendar", ICS.format("REPLY")), subject="Accepted: [nw1] your deadline"),
    parts(("text/plain", ACCEPTED), ("application/ics; name=invite.ics", ICS.format("DECLINECOUNTER")), of="mixed"),
    parts(("text/plain", ""), ("text/calendar; charset=utf-8", ICS.format("CANCEL")), subject="Cancelled: game night"),
    plain(ICS.format("COUNTER"), kind="text/calendar"),
)
WRITTEN_OUT = (
    plain("👍"),
    plain("👍🏽\n\nSent from my iPhone"),
    plain("❤️🎉 ✔️"),
    plain("👨‍👩‍👧"),
    plain(":thumbsup:"),
    plain("+1"),
    plain(":-)"),
    plain(
        "👍 ben reacted via Gmail\n\nOn Sat, 21 Nov 2026 at 13:00, Referee <referee@games.example> wrote:\n> RESEARCH any"
    ),
    plain(f"👍 ben reacted to your message:\n{SENT}"),
    plain("", subject="ben reacted to your message"),
    plain("ben hat mit 👍 auf deine Nachricht reagiert"),
    plain("Liked “[nw1] Your turn, Spain”"),
    plain(
        "Your message\n\nTo: ben\nSent: Saturday\n\nwas read on Saturday, 21 November 2026 13:00.",
        subject="Read: [nw1] Your turn",
    ),
    plain("Ihre Nachricht\n\nAn: ben\n\nwurde am Samstag, 21. November 2026 gelesen.", subject="Re: [nw1]"),
    plain("This is a Return Receipt for the mail that you sent to ben@players.example.", subject="Fwd: mail"),
    plain("", subject="Tentatively Accepted: [nw1] Your turn"),
    plain("ben hat zugesagt.\nRESEARCH any", subject="Zugesagt: [nw1] Your turn"),
    plain(ACCEPTED),
)


def test_nothing_comes_of_a_letter_that_only_says_that_a_button_was_pressed(match: World) -> None:
    me = match.on_turn()
    joined, turn = (mail.reply_to for mail in match.all_mail() if mail.to == me and "[nw1]" in mail.subject)
    other = next(player for player in PLAYERS if player != me)
    match.reply(other, f"PRESS TO {match.seat(me)}\nHello there\nEND")
    press, before = match.last(me, "press").reply_to, match.entries()
    match.new_mail()
    for number, text in enumerate((*BY_MACHINES, *WRITTEN_OUT)):
        for way, to in enumerate((turn, press, joined, ADDRESS)):
            match.put(f"From: {me}\nTo: {to}\nMessage-ID: <{number}-{way}@x>\n{text}".encode(), me, to)
            mails = match.work()
            first = text is WRITTEN_OUT[0] and to == turn  # after that the same is said tomorrow, as it tells
            assert [mail.to for mail in mails] == [me] * first, text
            if first:
                assert "reads like a reaction, a receipt or a calendar's answer" in mails[0].flat
    assert match.entries() == before
    (answer,) = match.write(me, "STATUS", turn)
    assert "] DONE" in answer.subject


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Re: [nw1] Your turn", "RESEARCH any :-)"),
        ("Re: [nw1] press", "👍 I accept"),
        ("Re: [nw1] press", "England has declined your invitation, and so do I."),
        ("Re: [nw1] press", "Your message was received, thanks. I read it on the 3rd."),
        ("Re: [nw1] press", "Loved your plan! Liked it, too."),
        ("Re: [nw1] press", "France reacted badly to my message"),
        ("Re: [nw1] press", "+1 fleet to Spain?"),
        ("Re: [nw1] press", "?"),
        ("Re: accepted: our treaty", "Let us do it so"),
        ("Ready: my orders", "RESEARCH any"),
        ("Read this", "RESEARCH any"),
        ("", ""),
    ],
)
def test_what_somebody_says_in_words_is_a_letter(subject: str, text: str) -> None:
    assert not reacts(subject, text)
