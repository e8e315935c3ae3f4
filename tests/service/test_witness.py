"""Witnesses by mail: two referees that write to each other, the forks that are found, and what strangers cannot do with it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from referee.adapters.signing import SigningKey, verify
from referee.core.proof.signed_note import (
    COSIGNATURE,
    Checkpoint,
    Key,
    Note,
    forks,
    is_signed,
    note,
    read_keys,
    read_notes,
    read_signatures,
    signed,
)
from referee.core.proof.tree import Tree, consistency
from referee.core.proof.witnessing import ask_text, read_ask
from referee.service import notes
from referee.service.alarms.digest import concerns
from referee.service.incoming.inbox import handle_new
from referee.service.match.playing import leaf
from referee.service.match.witnesses import named
from referee.service.office import Witnessing
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import ADDRESS, Mail, World

OTHER = "referee@club.example"
VICTIM = "victim@home.example"


def as_house(world: World, address: str) -> World:
    """A referee that signs and verifies, at this address."""
    key = SigningKey(address, address.encode().ljust(32, b"."))
    world.office = replace(world.office, address=address, signer=key, verify=verify)
    return world


@pytest.fixture
def host(match: World) -> World:
    """The referee of the match nw1."""
    return as_house(match, ADDRESS)


@pytest.fixture
def witness(tmp_path: Path, databases: Path) -> Iterator[World]:
    """Another referee."""
    yield from another(tmp_path / "witness", databases, OTHER)


def another(folder: Path, databases: Path, address: str) -> Iterator[World]:
    folder.mkdir()
    shutil.copy(databases / "empty.sqlite", folder / "referee.sqlite")
    world = as_house(World(folder, address), address)
    yield world
    world.close()


def carry(mails: Sequence[Mail], to: World, kinds: Sequence[str] = ("head", "witness")) -> list[Mail]:
    """Bring letters between referees to one of them; what it sends."""
    for mail in mails:
        if mail.kind in kinds:
            to.put(mail.raw, str(mail.message["From"].addresses[0].addr_spec), mail.to)
    return to.work()


def roll_out(world: World) -> list[Mail]:
    """A turn is played."""
    return world.reply(world.on_turn(), "ROLL OUT")


def heads(mails: Sequence[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.kind == "head"]


def of_witnesses(mails: Sequence[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.kind == "witness"]


def witnessed(host: World, witness: World) -> list[Mail]:
    """The match is named and the first head signed; what the host sent on hearing that."""
    asked = heads(host.reply(GINA, f"WITNESS {OTHER}"))
    return carry(carry(asked, witness), host)


def the_witness(host: World) -> notes.Witness:
    with host.store.look() as step:
        (found,) = named(step, "nw1")
    return found


def report(mails: Sequence[Mail], to: str) -> Mail:
    return next(mail for mail in mails if mail.to == to and mail.kind == "report")


# ---------------------------------------------------------------- the whole round


def test_a_match_is_witnessed_from_naming_to_the_next_report(host: World, witness: World) -> None:
    mails = host.reply(GINA, f'WITNESS {OTHER} BECAUSE "we do not know each other"')
    (asked,) = heads(mails)
    assert asked.to == OTHER and asked.subject.startswith(f"[{ADDRESS}/nw1] head ")
    assert {mail.to for mail in mails if mail.is_a("notice") and OTHER in mail.flat} >= {ANNA, BEN}
    assert any("WITNESS" in one.action for one in overrides(host))
    (answer,) = of_witnesses(carry([asked], witness))
    assert answer.to == asked.reply_to and answer.subject == f"Re: {asked.subject}"
    assert carry([answer], host) == []
    after = roll_out(host)
    told = report(after, ANNA)
    size = the_witness(host).size
    assert f"Witnessed: {size} entries by {OTHER}," in told.flat
    both = [each for each in read_notes(told.text) if len(each.signatures) == 2]
    assert [head_of(each).size for each in both] == [size]
    (next_asked,) = heads(after)
    assert read_ask(next_asked.text).old == size  # type: ignore[union-attr]
    carry(carry([next_asked], witness), host)
    assert the_witness(host).size > size and the_witness(host).unanswered == 0


def test_a_witness_learns_sizes_and_hashes_and_nothing_of_players(host: World) -> None:
    (asked,) = heads(host.reply(GINA, f"WITNESS {OTHER}"))
    text = f"{asked.subject}\n{asked.text}".lower()
    seats = [seat.lower() for seat in host.playing().created.seats]
    assert not [word for word in ("anna", "ben", "gina", "new world", *seats) if word in text]
    assert asked.html == "" and "list-id" not in asked.raw.decode().lower()


def test_status_and_who_name_the_witness(host: World, witness: World) -> None:
    host.reply(GINA, f"WITNESS {OTHER}")
    assert f"Asked to be a witness, without an answer so far: {OTHER}." in host.reply(ANNA, "STATUS")[0].flat
    carry(carry(host.all_mail(), witness), host)
    assert f"entries by {OTHER}" in host.reply(ANNA, "STATUS")[0].flat
    assert f"Its log is witnessed by {OTHER}." in host.reply(ANNA, "WHO")[0].flat


def overrides(host: World) -> list[object]:
    from referee.core.record import Overrode

    return list(host.log(Overrode))


def head_of(each: Note) -> Checkpoint:
    found = each.checkpoint()
    assert found is not None
    return found
