"""The thirty-six points once more, each followed by the answer that nobody hoped for.

In each situation the referee tells or asks somebody something. Whoever gets such a letter answers "no", as a person would who
denies, who mistakes, or who is a machine; and he answers the answer in the same way. Nothing may come of it: no order is
filed, no turn runs, no letter that was kept goes, nobody is made or unmade, and nobody is written to who did not write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from referee.mail import verp
from tests.gateway.conftest import Gateway
from tests.letters.test_corpus import letter as from_corpus
from tests.service.conftest import GINA
from tests.world import ADDRESS, Mail

NOES = (
    "no",
    "NO! I did not write that letter",
    "STOP",
    "HELP!! what is this?",
    "Je suis absent jusqu'au 3 janvier.",
    "> YES\n\nnever",
    "TERMINATE nothing, please",
)
"""A denial, a mistake, holiday notes: what people and machines answer to a letter they did not expect."""

_STRANGER = "eve@elsewhere.example"
_NOBODY = "referee+nw1.aaaaaaaaaaaaaaaa@games.example"


def at(gateway: Gateway, recipient: str, raw: bytes) -> list[Mail]:
    """A letter to another address than the reply address."""
    gateway.desk = recipient
    return gateway.send(raw)


def twice(gateway: Gateway, raw: bytes, *transports: str) -> list[Mail]:
    for transport in transports:
        gateway.world.put(raw, gateway.player, gateway.desk, transport=transport)
    return gateway.world.work()


def to_the_door(gateway: Gateway, *headers: str, body: str = "RESEARCH any", sender: str = "") -> list[Mail]:
    gateway.desk = ADDRESS
    return gateway.send(gateway.letter(*headers, body=body, sender=sender))


def from_the_corpus(name: str) -> Callable[[Gateway], list[Mail]]:
    """A letter of the corpus, sent as the player on turn."""

    def sent(gateway: Gateway) -> list[Mail]:
        head = f"From: {gateway.player}\r\nTo: {gateway.desk}\r\nMIME-Version"
        return gateway.send(head.encode() + from_corpus(name).split(b"MIME-Version", 1)[1])

    return sent


def bounced(gateway: Gateway) -> list[Mail]:
    with gateway.world.store.look() as step:
        out = step.outgoing("nw1")[-1]
    gateway.desk = verp(ADDRESS, out.id)
    return gateway.send(from_corpus("bounce-dsn"), envelope="")


def poison(gateway: Gateway) -> list[Mail]:
    """A letter on which the service fails three times, here by a log that was spoiled under it."""
    gateway.world.corrupt("nw1")
    return gateway.send(gateway.letter())


def at_the_deadline(gateway: Gateway) -> list[Mail]:
    return gateway.world.wait(hours=23)


def moved(gateway: Gateway) -> list[Mail]:
    return gateway.world.reply(GINA, f"DEADLINE +6h FOR {gateway.seat}")


def header(text: str) -> Callable[[Gateway], list[Mail]]:
    return lambda gateway: gateway.send(gateway.letter(text))


POINTS: dict[int, Callable[[Gateway], list[Mail]]] = {
    1: lambda g: g.send(g.letter()),
    2: lambda g: g.send(g.letter("Message-ID: <one@x>")) + g.send(g.letter("Message-ID: <one@x>")),
    3: lambda g: twice(g, g.letter("Message-ID: <one@x>"), "imap:box:7:1", "imap:box:8:1"),
    4: lambda g: twice(g, g.letter(), "a", "b"),
    5: lambda g: twice(g, g.letter("Message-ID: <one@x>"), "imap:box:INBOX:100:1", "imap:box:INBOX:107:2"),
    6: lambda g: g.send(g.letter("Subject: sent again after a 451")),
    7: lambda g: g.send(g.letter()) + to_the_door(g),
    8: poison,
    9: lambda g: at(g, _NOBODY, g.letter()),
    10: header("Auto-Submitted: auto-replied"),
    11: header("X-Auto-Response-Suppress: All"),
    12: lambda g: g.send(g.letter("Precedence: bulk", body="gibberish")),
    13: lambda g: g.world.reply(g.player, "I am away until Monday."),
    14: lambda g: [*at(g, _NOBODY, g.letter()), *at(g, _NOBODY, g.letter("Subject: again"))],
    15: lambda g: g.send(g.world.last(g.player).raw),
    16: bounced,
    17: lambda g: at(g, g.desk.replace("nw1.", "nw1.a"), g.letter()),
    18: lambda g: g.send(b"Delivered-To: somebody@else.example\r\n" + g.letter()),
    19: lambda g: to_the_door(g, "Authentication-Results: mx.evil.example; dmarc=pass header.from=players.example"),
    20: lambda g: g.send(g.letter(sender=f"{g.player}, {_STRANGER}")),
    21: lambda g: g.send(g.letter(sender=_STRANGER), envelope=_STRANGER),
    22: header("Message-ID: <[x]@[y].OUTLOOK.COM>"),
    23: header("Reply-To: =?utf-8?q?a=0Ab?= <a@b.example>"),
    24: header("Cc: (c):"),
    25: header("Content-Type: text/plain; name*"),
    26: from_the_corpus("koi8-r"),
    27: from_the_corpus("html-only"),
    28: from_the_corpus("interleaved"),
    29: from_the_corpus("one-bad-line"),
    30: lambda g: g.send(g.letter(body="RESEARCH any\r\n" * 3_000)),
    31: from_the_corpus("base64-broken"),
    32: lambda g: to_the_door(g, body='TERMINATE nw1 BECAUSE "tired"', sender=GINA),
    33: lambda g: to_the_door(g, body="RESIGN\r\nROLL OUT"),
    34: lambda g: to_the_door(g, body=f'REPLACE {g.seat} BY {_STRANGER} BECAUSE "late"', sender=GINA),
    35: at_the_deadline,
    36: moved,
}
"""What happens in each point; 32 to 34, which are about letters out, have the worst of them: forgeries that are asked about."""


def position(gateway: Gateway) -> tuple[object, ...]:
    """All that an answer may not move: log, orders, people, kept letters that went."""
    world = gateway.world
    with world.store.look() as step:
        members = [(m.player, m.role, m.status, m.seat) for m in step.members("nw1")]
        row = step.match("nw1")
        assert row is not None
        return len(step.entries("nw1")), members, row.status, row.turn, row.settings, len(step.matches())


def answered(gateway: Gateway, mails: Sequence[Mail], said: str) -> list[Mail]:
    """What the referee writes when everybody who got these letters answers them all so."""
    came: list[Mail] = []
    for mail in mails:
        came += gateway.world.write(mail.to, said, mail.reply_to, f"Re: {mail.subject}", In_Reply_To=mail.message_id)
    return came


@pytest.mark.parametrize("number", POINTS)
def test_nothing_comes_of_it_when_whoever_is_asked_answers_no(gateway: Gateway, number: int) -> None:
    mails = POINTS[number](gateway) or [gateway.world.last(gateway.player)]
    before, written_to = position(gateway), {mail.to for mail in mails}
    for said in (NOES[0], *(NOES[1:] * 2)[number % 6 :][:2]):
        answers = answered(gateway, mails, said)
        assert len(answers) <= len(mails) + 1, "an answer each, and a word to the game master at most"
        assert {mail.to for mail in answers} <= written_to | {GINA}
        again = answered(gateway, answers, said)
        assert len(again) <= len(answers) + 1
    assert position(gateway) == before


@pytest.mark.parametrize("number", [1, 9, 13, 19, 21, 32])
def test_nothing_comes_of_it_when_a_machine_answers_everything(gateway: Gateway, number: int) -> None:
    """A holiday note without any mark, to each letter and to the answers: it falls silent."""
    world = gateway.world
    mails = POINTS[number](gateway) or [world.last(gateway.player)]
    answers: list[Mail] = []
    for number in range(30):
        mails = answered(gateway, mails, f"Urlopem jestem do poniedziałku ({number})")
        answers += mails
        world.clock.advance(timedelta(minutes=5))
    assert mails == [], "it falls silent"
    for address in {mail.to for mail in answers}:
        assert len([mail for mail in answers if mail.to == address]) <= 30, address
    assert world.status() == "running"


def test_every_point_of_the_table_has_its_adversary() -> None:
    table = (Path(__file__).parents[2] / "docs" / "gateway.md").read_text(encoding="utf-8")
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == list(POINTS)
