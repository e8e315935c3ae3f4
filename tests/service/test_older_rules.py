"""Rules are mended after phases ended: an honest log stays sound, and it is said what was checked; a forged one is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.core.record import Entry, seal
from referee.games.newworld import phases
from referee.games.newworld.game import NewWorld
from referee.kit.rulebook import Released
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from referee.service.house.verification import verify_archive
from referee.service.intake.counter import replay_at_the_counter
from referee.service.match.audit import Audited, Verdict, audit, how_checked
from tests.commands import app
from tests.mended import mend, upgrade
from tests.service.conftest import ANNA, GINA
from tests.world import World

HARSHER = ("is_quiet", "check < TABLES.figures.event", "check < 6")


@pytest.fixture
def played(match: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Eight slots by the rules "old"; then events come more rarely, by the rules "new", and two slots more are played."""
    upgrade(monkeypatch, "old")
    play(match, 8)
    mend(monkeypatch, phases, *HARSHER)
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
    assert (
        "played by other rules" in said
        and f"revision {NewWorld.revisions[-1].number}, rules old); whoever names" in said
    )
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
    assert not found.sound and "dice are not what its seal gives" in found.trouble


def test_a_die_that_the_host_changed_in_a_phase_of_these_rules_is_found(match: World) -> None:
    play(match, 4)
    found = audited(match, forged(match, another_face))
    assert not found.sound and "the rules do not give what the log says" in found.trouble and found.at == -1


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
    assert "NOT CHECKED: no release of the referee has the rules that the log names (version 9.9.9" in said
    assert found.verdict is Verdict.PARTLY and found.verdict.words == "Sound as far as checked"


def test_rules_that_were_released_are_known_by_their_version_revision_and_fingerprint(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = next(older for older in audited(played).older if not older.released)
    known = Released(began.version, "newworld", began.revision, began.build)
    monkeypatch.setattr("referee.service.match.audit.released_rules", lambda game: (known,))
    found = audited(played)
    assert all(older.released for older in found.older) and found.verdict is Verdict.PARTLY
    said = " ".join(how_checked(found))
    assert f"Version {began.version} plays" in said and "NOT CHECKED" not in said


def test_a_finished_match_is_verified_by_letter_at_the_machine_and_from_its_archive(played: World) -> None:
    played.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    (said,) = played.reply(ANNA, "VERIFY")
    assert "Sound: the chain of" in said.flat and "played by other rules than these" in said.flat
    at_machine = replay_at_the_counter(played.office, "nw1")
    assert at_machine is not None and at_machine.sound and at_machine.older
    assert "written by other rules and not compared" in at_machine.unchecked[0]
    with played.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        files = archive_of(At(played.office, step), row).files
    parts = [files[name] for name in ("match.json", "log.jsonl", "reports.jsonl")]
    found = verify_archive(dict(played.office.games), *parts)
    assert found.sound and found.older == at_machine.older and found.unchecked


def test_what_verify_said_is_not_said_again_by_other_rules(played: World, monkeypatch: pytest.MonkeyPatch) -> None:
    played.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    before = played.reply(ANNA, "VERIFY")[0].flat
    upgrade(monkeypatch, "newest")
    after = played.reply(ANNA, "VERIFY")[0].flat
    assert "rules old" in before and "rules old" in after and "Sound" in after


def by_default(world: World, slots: int) -> None:
    """Nobody writes, so FORWARD stays open to the game master."""
    for _ in range(slots):
        world.wait(hours=24)


def taken_back(world: World, turn: int, slots: int) -> int:
    """A rewind, some slots, and FORWARD: the number of the rewind's entry."""
    world.reply(GINA, f"REWIND TO TURN {turn}")
    (rewound,) = (entry.seq for entry in world.entries() if entry.kind == "rewound")
    by_default(world, slots)
    world.reply(GINA, "FORWARD")
    assert any(entry.kind == "forwarded" for entry in world.entries())
    return rewound


def test_what_was_played_between_a_rewind_and_forward_is_played_again_too(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(monkeypatch, "old")
    by_default(match, 8)
    mend(monkeypatch, phases, *HARSHER)
    upgrade(monkeypatch, "new")
    by_default(match, 1)
    before = audited(match)
    taken_back(match, 2, 2)
    found = audited(match)
    assert found.sound, found.trouble
    assert before.older and (found.phases, found.older) == (before.phases, before.older)
    assert found.again > before.again


def test_a_die_that_the_host_changed_in_what_forward_set_aside_is_found(match: World) -> None:
    by_default(match, 3)
    rewound = taken_back(match, 1, 2)
    assert audited(match).sound
    seen = 0

    def later_face(said: Any) -> bool:
        nonlocal seen
        seen += 1
        return seen > rewound + 1 and another_face(said)

    found = audited(match, forged(match, later_face))
    assert not found.sound and "the rules do not give what the log says" in found.trouble


def broken(*_: object) -> tuple[str, ...]:
    raise KeyError("these rules never met that")


def test_ledgers_that_these_rules_cannot_reckon_are_not_said_to_balance(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NewWorld, "audit", broken)
    found = audited(played)
    said = " ".join(how_checked(found))
    assert found.sound and ", by chain, dice and fold. NOT CHECKED" in said and "ledgers" not in said


def test_an_impossible_die_of_other_rules_is_found_and_breaks_nothing(played: World) -> None:
    def without_sides(said: Any) -> bool:
        event = said.get("event", {})
        if event.get("type") == "Rolled":
            event["sides"] = 0
        return bool(event.get("type") == "Rolled")

    found = audited(played, forged(played, without_sides))
    assert not found.sound and "dice are not what its seal gives" in found.trouble


def written(world: World, folder: Path) -> Path:
    """The archive of a match that is over."""
    world.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    with world.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        files = archive_of(At(world.office, step), row).files
    for name in ("match.json", "log.jsonl", "reports.jsonl"):
        (folder / name).write_bytes(files[name])
    return folder


def told(folder: Path) -> tuple[int, str]:
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    return ran.exit_code, " ".join(ran.output.split())


def test_referee_verify_says_what_it_played_again_and_what_not(played: World, tmp_path: Path) -> None:
    code, said = told(written(played, tmp_path))
    found = audited(played)
    assert code == 3 and f"Sound as far as checked: {found.entries} entries" in said
    assert f"{found.again} phases played again" in said
    assert "by chain, dice, fold and ledgers. NOT CHECKED" in said
    assert "were written by other rules and not compared (version" in said


def alter(folder: Path, number: int) -> None:
    """Another title for the page of a report."""
    lines = [json.loads(line) for line in (folder / "reports.jsonl").read_text("utf-8").splitlines()]
    lines[number]["page"]["title"] += "!"
    (folder / "reports.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


def test_a_report_page_of_these_rules_that_was_altered_is_found(played: World, tmp_path: Path) -> None:
    written(played, tmp_path)
    alter(tmp_path, -1)
    code, said = told(tmp_path)
    assert code == 1 and "is not what the rules give" in said


def test_a_report_page_that_other_rules_told_otherwise_is_named_and_no_trouble(
    match: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    upgrade(monkeypatch, "old")
    play(match, 2)
    upgrade(monkeypatch, "new")
    written(match, tmp_path)
    before = told(tmp_path)
    alter(tmp_path, 0)
    after = told(tmp_path)
    assert (before[0], after[0]) == (0, 3)
    assert "not compared" not in before[1] and "were written by other rules and not compared" in after[1]


def test_an_entry_that_was_cut_out_of_an_archive_is_found(played: World, tmp_path: Path) -> None:
    log = written(played, tmp_path) / "log.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:9] + lines[10:]))
    code, said = told(tmp_path)
    assert code == 1 and "entry 9: is missing" in said
