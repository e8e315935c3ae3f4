"""Letters to postmaster@ and abuse@ of the referee's domain (RFC 5321, 4.5.1): a person reads them, and no machine answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from referee.adapters.incoming.maildir import Desk
from referee.bootstrap.mail_ways import accepts
from referee.service.base.office import At
from referee.service.intake.keepers_digest import concerns
from tests.service.conftest import ANNA
from tests.world import ADDRESS, World

KEEPER = "kim@club.example"
POSTMASTER = "postmaster@games.example"


@pytest.fixture
def kept(world: World) -> Iterator[World]:
    """A house that somebody keeps."""
    world.office = replace(world.office, keeper=KEEPER)
    yield world


@pytest.mark.parametrize("to", [POSTMASTER, "Abuse@GAMES.example", "postmaster"])
def test_what_is_written_there_goes_to_the_keeper_and_nobody_is_answered(kept: World, to: str) -> None:
    assert accepts(kept.office, to) == "yes"
    head = "X-Referee-Fake: 1\r\n" if to == POSTMASTER else "Return-Path: <>\r\nAuto-Submitted: auto-generated\r\n"
    raw = f"From: Lee <lee@else.example>\r\nSubject: HELP\r\n{head}\r\nHELP\r\nTERMINATE nw1\r\n"
    kept.put(raw.encode(), "", to)
    kept.put(raw.encode(), "", to)  # the same again
    (mail,) = kept.work()
    assert mail.to == KEEPER and "lee@else.example" in mail.flat and "  | TERMINATE nw1" in mail.text
    assert "referee desk show 1" in mail.flat


@pytest.mark.parametrize(
    "to", ["postmaster@elsewhere.example", "webmaster@games.example", "abuse", "x+abuse@games.example"]
)
def test_other_addresses_are_nobodys(kept: World, to: str) -> None:
    assert accepts(kept.office, to) == "unknown"


def test_they_are_bounded_as_strangers_are_and_the_rest_is_kept_and_told_of(kept: World) -> None:
    sent = [mail for n in range(20) for mail in kept.write("lee@else.example", f"spam {n} " + "x" * 40_000, POSTMASTER)]
    assert {mail.to for mail in sent} == {KEEPER} and 3 <= len(sent) <= 10
    assert max(len(mail.raw) for mail in sent) < 20_000
    assert len(kept.letters("unanswered")) == 20 - len(sent)


@pytest.mark.parametrize("keeper", ["", POSTMASTER])
def test_where_nobody_keeps_the_house_they_are_kept_and_told_of(world: World, keeper: str) -> None:
    world.office = replace(world.office, keeper=keeper)
    assert [mail.kind for mail in world.write("lee@else.example", "You send spam.", POSTMASTER)] in ([], ["digest"])
    with world.store.look() as step:
        (concern,) = concerns(At(world.office, step))
    assert "lee@else.example (1)" in concern.sentence


def test_a_bounce_from_a_postmaster_is_still_one(match: World) -> None:
    """It is to him that letters go, not from him that they are ours."""
    raw = f"From: {POSTMASTER}\r\nSubject: hi\r\n\r\nHELP\r\n"
    match.put(raw.encode(), POSTMASTER, match.last(match.on_turn()).reply_to)
    assert match.work() == [] and "sender postmaster" in match.letters("ignored")[0].verdict


@pytest.mark.parametrize(
    ("head", "recipient"),
    [
        (f"Delivered-To: {ADDRESS}\r\nTo: {POSTMASTER}\r\n", POSTMASTER),
        (f"X-Original-To: {POSTMASTER}\r\nTo: all@x.example\r\n", POSTMASTER),
        (
            f"Delivered-To: referee+nw1.aaaaaaaa@games.example\r\nCc: {POSTMASTER}\r\n",
            "referee+nw1.aaaaaaaa@games.example",
        ),
        (f"To: {ADDRESS}\r\n", ADDRESS),
    ],
)
def test_a_mailbox_that_several_addresses_share_knows_them_apart(head: str, recipient: str) -> None:
    raw = f"{head}From: {ANNA}\r\n\r\nHELP\r\n".encode()
    assert Desk(ADDRESS).row("imap:1", raw, datetime.now(UTC)).recipient == recipient
