"""Rules are mended after phases ended: an honest log stays sound, and it is said what was checked; a forged one is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from referee.core.record import Entry, seal
from referee.games.newworld.phases import event as event_module
from referee.service.answering.counter import replay_at_the_counter
from referee.service.match.audit import Audited, audit, how_checked
from referee.service.records.archive import archive_of, verify_archive
from tests.mended import mend, upgrade
from tests.service.conftest import ANNA, GINA
from tests.world import World

HARSHER = ("event_phase", "if check < 4:", "if check < 6:")


@pytest.fixture
def played(match: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Eight slots by the rules "old"; then events come more rarely, by the rules "new", and two slots more are played."""
    upgrade(monkeypatch, "old")
    play(match, 8)
    mend(monkeypatch, event_module, *HARSHER)
    upgrade(monkeypatch, "new")
    play(match, 2)
    return match


def play(world: World, slots: int) -> None:
    for _ in range(slots):
        world.reply(world.on_turn(), "RESEARCH any\nHIRE 1 worker\nROLL OUT")


def audited(world: World, entries: Sequence[Entry] = ()) -> Audited:
    playing = world.playing()
    return audit(playing.game, playing.row.secret, entries or world.entries())


def forged(world: World, *changes: Callable[[Any], bool], everywhere: Callable[[Any], object] = id) -> list[Entry]:
    """The log as a host with the secret can write it: each change is made to the first record it fits, and all hashes fit."""
    secret, left, head = world.playing().row.secret, list(changes), None
    entries: list[Entry] = []
    for entry in world.entries():
        said = json.loads(entry.payload)
        everywhere(said)
        left = [change for change in left if not change(said)]
        payload = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
        head = seal(secret, entry.match, head, entry.at, entry.kind, payload, entry.cause)
        entries.append(head)
    assert left == []
    return entries


def another_face(said: Any) -> bool:
    event = said.get("event", {})
    if event.get("type") == "Rolled":
        event["faces"][0] = event["faces"][0] % event["sides"] + 1
    return bool(event.get("type") == "Rolled")


def rolled_again(said: Any) -> bool:
    event = said.get("event", {})
    if event.get("type") == "Rolled":
        event["first"] += 1
    return bool(event.get("type") == "Rolled")


def by_others(said: Any) -> None:
    event = said.get("event", {})
    if event.get("type") == "PhaseBegan":
        event["build"], event["version"] = "0123456789abcdef", "9.9.9"


def another_name(said: Any) -> bool:
    event = said.get("event", {})
    if event.get("type") == "EventCame":
        event["name"] = "Piracy"
    return bool(event.get("type") == "EventCame")


def more(said: Any) -> bool:
    event = said.get("event", {})
    if "amount" in event:
        event["amount"] += 1
    return "amount" in event


def test_an_honest_log_is_sound_and_it_is_said_which_rules_played_what(played: World) -> None:
    found = audited(played)
    assert found.sound, found.trouble
    assert found.older and {older.build for older in found.older} == {"old"}
    said = " ".join(how_checked(found))
    assert "played by other rules" in said and "plays them again (revision 1, rules old)" in said
    assert 0 < sum(older.phases for older in found.older) < found.phases


def test_phases_that_mended_rules_give_again_count_as_played_again(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(monkeypatch, "old")
    play(match, 4)
    upgrade(monkeypatch, "new")
    found = audited(match)
    assert found.sound and found.older == () and how_checked(found) == ()


def test_an_unchanged_log_forged_by_the_host_is_still_sound(played: World) -> None:
    """The forger of these cases changes nothing else."""
    assert audited(played, forged(played)).sound


def test_a_die_that_the_host_changed_in_a_phase_of_other_rules_is_found(played: World) -> None:
    found = audited(played, forged(played, another_face))
    assert not found.sound and "dice are not what the secret gives" in found.trouble


def test_a_die_that_the_host_changed_in_a_phase_of_these_rules_is_found(match: World) -> None:
    play(match, 4)
    found = audited(match, forged(match, another_face))
    assert not found.sound and "the rules do not give what the log says" in found.trouble


def test_a_purpose_that_is_rolled_for_twice_is_found(played: World) -> None:
    """A host who does not like a die cannot have it rolled again under other rules."""
    found = audited(played, forged(played, rolled_again))
    assert not found.sound and "rolled for twice" in found.trouble


def test_what_the_ledgers_know_is_found_also_under_other_rules(match: World) -> None:
    """A worker is hired that nobody paid for."""
    play(match, 1)
    found = audited(match, forged(match, more, everywhere=by_others))
    assert not found.sound and "ledgers of Turn 1: Spain (round 1) do not balance" in found.trouble


def test_who_names_other_rules_to_hide_a_change_is_told_of_by_them(match: World) -> None:
    """An event without dice is changed, and its phase is said to be by rules that nobody has: nobody can play it again."""
    play(match, 1)
    assert not audited(match, forged(match, another_name)).sound
    found = audited(match, forged(match, another_name, everywhere=by_others))
    said = " ".join(how_checked(found))
    assert "version 9.9.9 plays them again (revision 1, rules 0123456789abcdef)" in said


def test_a_finished_match_is_verified_by_letter_at_the_machine_and_from_its_archive(played: World) -> None:
    played.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    (said,) = played.reply(ANNA, "VERIFY")
    assert "Sound: the chain of" in said.flat and "were played by other rules than these" in said.flat
    at_machine = replay_at_the_counter(played.office, "nw1")
    assert at_machine is not None and at_machine.sound and at_machine.older
    assert "written by other rules and not compared" in at_machine.note
    with played.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        files, _ = archive_of(played.office, step, row)
    parts = [files[name] for name in ("match.json", "log.jsonl", "reports.jsonl")]
    found = verify_archive(dict(played.office.games), *parts)
    assert found.sound and found.older == at_machine.older and found.note


def test_what_verify_said_is_not_said_again_by_other_rules(played: World, monkeypatch: pytest.MonkeyPatch) -> None:
    played.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    before = played.reply(ANNA, "VERIFY")[0].flat
    upgrade(monkeypatch, "newest")
    after = played.reply(ANNA, "VERIFY")[0].flat
    assert "rules old" in before and "rules old" in after and "Sound" in after
