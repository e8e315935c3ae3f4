"""A new key for the heads of logs: everybody is told by the next report, and letters and archives from before still fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.adapters.signing_key import SigningKey, verify
from referee.core.signed_note import Key, change_note, read_changes
from referee.games import GAMES
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from referee.service.house.saved_letters import saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.match.audit import Audited
from referee.service.match.open_log import key_text
from tests.service.conftest import ANNA, GINA, OTTO, begin
from tests.world import ADDRESS, Mail, World

pytestmark = pytest.mark.usefixtures("sealed_dice")

KNOWN = {game.name: game for game in GAMES}
PARTS = ("match.json", "log.jsonl", "reports.jsonl")


def signer(number: int) -> SigningKey:
    return SigningKey(ADDRESS, hashlib.sha256(bytes([number])).digest())


def key(number: int) -> Key:
    return Key(ADDRESS, signer(number).public)


def change(old: int, new: int, by: int | None = None) -> str:
    return change_note(key(old), signer(by or old).sign, key(new), signer(new).sign)


def signed_by(world: World, number: int, *changes: str) -> World:
    """From now on this key signs, to which these changes led."""
    world.office = replace(world.office, signer=signer(number), verify=verify, key_changes=changes)
    return world


@pytest.fixture
def match(world: World) -> World:
    """The match nw1 has begun, signed by key 1."""
    return begin(signed_by(world, 1))


def archived(world: World) -> dict[str, bytes]:
    with world.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        files = archive_of(At(world.office, step), row).files
    return {name: files[name] for name in PARTS}


def held(parts: dict[str, bytes], letters: Sequence[Mail] = ()) -> Audited:
    checks = Checks(verify, letters=tuple(saved(mail.raw) for mail in letters))
    return verify_archive(KNOWN, *(parts[name] for name in PARTS), checks=checks)


def stated(parts: dict[str, bytes], **fields: object) -> dict[str, bytes]:
    return parts | {"match.json": json.dumps(json.loads(parts["match.json"]) | fields).encode()}


def turn(world: World) -> list[Mail]:
    return world.reply(world.on_turn(), "ROLL OUT")


def letters_to(world: World, address: str) -> list[Mail]:
    return [mail for mail in world.all_mail() if mail.to == address]


def test_everybody_is_told_of_the_new_key_by_the_next_report_and_once(match: World) -> None:
    match.write(OTTO, "OBSERVE nw1")
    before = turn(match)
    assert all("Key that signs" not in mail.flat for mail in before if mail.kind == "report")
    signed_by(match, 2, change(1, 2))
    reports = [mail for mail in turn(match) if mail.kind == "report"]
    assert {mail.to for mail in reports} >= {ANNA, GINA, OTTO}
    for mail in reports:
        assert "A new key signs from now on, and the one before it has signed that." in mail.flat
        assert f"Keythatsigns:{key(2).text()}" in mail.flat.replace(" ", "")
        (told,) = read_changes(mail.text)
        assert (told.old, told.new) == (key(1), key(2)) and told.is_true(verify)
    assert not any("Key that signs" in mail.flat for mail in turn(match) if mail.kind == "report")


def test_a_match_that_begins_later_is_told_of_the_new_key_alone(world: World) -> None:
    begin(signed_by(world, 2, change(1, 2)))
    assert f"Keythatsigns:{key(2).text()}" in letters_to(world, ANNA)[-1].flat.replace(" ", "")
    assert not any("A new key signs" in mail.flat for mail in (*world.all_mail(), *turn(world)))


def test_letters_from_before_and_after_fit_the_archive(match: World) -> None:
    turn(match)
    signed_by(match, 2, change(1, 2))
    turn(match)
    signed_by(match, 3, change(1, 2), change(2, 3))
    turn(match)
    parts = archived(match)
    about = json.loads(parts["match.json"])
    assert about["key"] == key(3).text() == key_text(match.office) and len(about["key_changes"]) == 2
    found = held(parts, letters_to(match, ANNA))
    assert (found.sound, found.trouble) == (True, "")
    match.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    match.reply(GINA, "YES")
    assert held(archived(match), letters_to(match, ANNA)).sound


def test_a_key_that_the_old_one_did_not_sign_is_found_by_archive_and_letters(match: World) -> None:
    turn(match)
    signed_by(match, 2, change(1, 2))
    turn(match)
    parts, letters = archived(match), letters_to(match, ANNA)
    assert held(parts, letters).sound
    assert "do not lead from one to the next" in held(stated(parts, key_changes=[change(1, 2, by=9)])).trouble
    assert "do not lead from one to the next" in held(stated(parts, key_changes=[change(1, 3)])).trouble
    assert "do not lead from one to the next" in held(stated(parts, key_changes=["nonsense"])).trouble
    assert "the archive names another key than the first letter" in held(stated(parts, key_changes=[]), letters).trouble
    other = stated(parts, key_changes=[change(8, 2)])
    assert held(other).sound  # whoever has no letter cannot know
    assert "the archive names another key than the first letter" in held(other, letters).trouble


def test_keys_before_the_one_that_letters_tell_of_sign_nothing_for_their_reader(match: World) -> None:
    """A host that makes up a key before the first one can have nothing signed by it that a player's letters have."""
    turn(match)
    parts, first = archived(match), letters_to(match, ANNA)
    signed_by(match, 1, change(9, 1))
    longer = archived(match)
    assert held(longer, first).sound
    signed_by(match, 9)
    forged = [mail for mail in turn(match) if mail.to == ANNA]
    signed_by(match, 1, change(9, 1))
    assert "do not bear the signature" in held(archived(match), [*first, *forged]).trouble
    assert held(parts, first).sound


def test_a_replayed_letter_that_told_of_a_key_is_the_same(match: World) -> None:
    signed_by(match, 2, change(1, 2))
    turn(match)
    from referee.service.intake.counter import replay_at_the_counter

    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None and found.sound and found.letters
