"""The audit, and VERIFY by letter: a match replays to the same events, reports and letters, and no changed byte escapes it."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text

from referee.bootstrap.offices import opened
from referee.config import read
from referee.core.chance import commitment
from referee.core.record import Entry
from referee.games import GAMES
from referee.service.base.office import At
from referee.service.house.proofs import verified
from referee.service.house.verification import verify_archive
from referee.service.intake.counter import replay_at_the_counter
from referee.service.match.audit import audit
from referee.service.post.tray import written
from tests.service.conftest import ANNA, GINA, OTTO, begin
from tests.world import Mail, World, data_of


def sound(world: World, match: str = "nw1") -> None:
    found = replay_at_the_counter(world.office, match)
    assert found is not None
    assert found.sound, found.trouble
    assert found.letters > 0


def rest(world: World, turns: int, match: str = "nw1") -> None:
    """Some turns, some by letter and some by the clock."""
    for number in range(turns):
        if number % 3 == 2:
            world.wait(hours=24)
        else:
            world.reply(world.on_turn(match), "RESEARCH any\nHIRE 1 worker\nCOLONIZE any\nROLL OUT")


def keep_in_bytes(world: World, match: str = "nw1") -> None:
    """The outbox has the first report in its bytes, as those are kept whose postman tried in vain."""
    with world.store.look() as step:
        letter = next(letter for letter in step.outgoing(match) if letter.kind == "report")
    kept = {"raw": written(world.office, letter).raw, "letter": letter.id}
    with world.store.engine.begin() as db:
        db.execute(text("UPDATE letter_out_raw SET raw = :raw, said = NULL WHERE letter = :letter"), kept)


def with_drawers(world: World) -> None:
    for player in (ANNA, world.on_turn()):
        world.reply(player, "STANDING\nRESEARCH any\nEND\nIF LATE\nCOLONIZE any\nEND\nFOR TURN 6\nHIRE 1 worker\nEND")
    rest(world, 9)


def with_asides(world: World) -> None:
    one, two, three = world.playing().outcome.state.living[:3]
    world.reply(world.player(two), f"OFFER 3 gold TO {three} FOR 3 food")
    world.reply(world.player(three), f"ACCEPT 1\nOFFER 1 food TO {one}")
    rest(world, 7)


def with_overrides(world: World) -> None:
    rest(world, 2)
    world.reply(GINA, 'DEADLINE +2h BECAUSE "x"\nPAUSE\nRESUME\nRULING "So be it."\nANNOUNCE "Hello."')
    world.reply(GINA, f"REPLACE {world.waits_for()} BY {OTTO}")
    rest(world, 4)


def with_rewinds(world: World) -> None:
    rest(world, 4)
    world.reply(GINA, "REWIND TO TURN 2")
    rest(world, 4)
    world.reply(GINA, "REWIND TO TURN 3")
    rest(world, 2)
    world.reply(GINA, "REWIND TO TURN 1")
    rest(world, 3)


def with_a_rewind_taken_back(world: World) -> None:
    for _ in range(3):
        world.wait(hours=24)
    world.reply(GINA, "REWIND TO TURN 2")
    for _ in range(3):
        world.wait(hours=24)
    world.reply(GINA, "FORWARD")
    rest(world, 4)


def with_an_offer_before_a_rewind(world: World) -> None:
    one, two = world.playing().outcome.state.living[:2]
    world.reply(world.player(two), f"OFFER 3 gold TO {one}")
    rest(world, 2)
    world.reply(GINA, "REWIND TO TURN 1")
    world.reply(world.player(two), f"OFFER 2 gold TO {one}")
    rest(world, 3)


@pytest.mark.parametrize(
    "played",
    [with_drawers, with_asides, with_overrides, with_rewinds, with_a_rewind_taken_back, with_an_offer_before_a_rewind],
)
def test_a_match_played_by_letter_replays(match: World, played: Callable[[World], None]) -> None:
    played(match)
    assert match.letters("shunted") == []
    sound(match)


@pytest.mark.parametrize(
    "options",
    [
        "nationalities yes, coal metal",
        "coal nothing, finish_round yes",
        "mode two_step",
        "mode two_step, nationalities yes",
    ],
)
def test_every_option_replays(world: World, options: str) -> None:
    begin(world, f"WITH {options}")
    for number in range(6):
        if number % 2:
            world.wait(hours=24)
        else:
            world.reply(world.on_turn(), "RESEARCH any\nCOLONIZE any\nROLL OUT")
    assert world.letters("shunted") == []
    sound(world)


def test_a_two_step_match_with_chosen_answers_replays(world: World) -> None:
    begin(world, "WITH mode two_step")
    for _ in range(12):
        (question,) = world.playing().outcome.open
        if question.wants_orders:
            world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
            continue
        words = question.menu.words()
        world.reply(world.on_turn(), f"CHOOSE {words[0].partition(':')[0]}" if words else "CHOOSE none", "question")
    assert world.letters("shunted") == []
    world.wait(hours=24)
    world.wait(hours=24)
    sound(world)


def test_every_changed_byte_of_the_log_is_found_and_named(match: World) -> None:
    with_drawers(match)
    entries = match.entries()
    playing = match.playing()
    chosen = random.Random(1627)
    for _ in range(200):
        at = chosen.randrange(len(entries))
        spoilt = _with_another_byte(entries[at], chosen)
        changed = [*entries[:at], spoilt, *entries[at + 1 :]]
        found = audit(playing.game, playing.row.secret, changed)
        assert not found.sound
        assert (found.at, f"entry {at}:" in found.trouble) == (at, True)


def _with_another_byte(entry: Entry, chosen: random.Random) -> Entry:
    place = chosen.randrange(len(entry.payload))
    letter = chr((ord(entry.payload[place]) + 1 + chosen.randrange(90)) % 127)
    payload = entry.payload[:place] + (letter if letter != entry.payload[place] else "~") + entry.payload[place + 1 :]
    return msgspec.structs.replace(entry, payload=payload)


@pytest.mark.parametrize("field", ["at", "cause", "kind", "previous", "digest", "hash", "match"])
def test_every_other_field_of_an_entry_is_guarded(match: World, field: str) -> None:
    entries, playing = match.entries(), match.playing()
    spoilt = msgspec.structs.replace(entries[5], **{field: getattr(entries[5], field) + "x"})
    found = audit(playing.game, playing.row.secret, [*entries[:5], spoilt, *entries[6:]])
    assert not found.sound
    assert found.at in (5, 6)


@pytest.mark.parametrize("cut", ["missing", "twice", "swapped"])
def test_entries_that_are_missing_or_moved_are_found(match: World, cut: str) -> None:
    entries, playing = match.entries(), match.playing()
    middle = {"missing": [], "twice": [entries[5], entries[5]], "swapped": [entries[6], entries[5]]}[cut]
    found = audit(playing.game, playing.row.secret, [*entries[:5], *middle, *entries[6 + (cut == "swapped") :]])
    assert not found.sound


@pytest.mark.parametrize("kept", ["raw", "said"])
def test_a_letter_that_was_changed_after_sending_is_found(match: World, kept: str) -> None:
    rest(match, 2)
    keep_in_bytes(match)
    with match.store.engine.begin() as db:
        db.execute(text(f"UPDATE letter_out_raw SET {kept} = CAST(replace({kept}, 'Spain', 'Spine') AS BLOB)"))
    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None
    assert not found.sound


def test_a_wrong_secret_is_found(match: World) -> None:
    playing = match.playing()
    assert not audit(playing.game, bytes(32), match.entries()).sound


def test_letters_of_other_templates_are_counted_apart(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those whose bytes are kept; what the others say can be compared whatever words it was put in."""
    match.reply(match.on_turn(), "COLONIZE any\nROLL OUT")
    keep_in_bytes(match)
    monkeypatch.setattr(match.office.renderer, "version", "another")
    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None and found.sound
    assert found.letters > 2 and "of 1 letters, which were written with other templates" in found.unchecked[0]


# ---------------------------------------------------------------- VERIFY and SEND archive by letter


_GAMES = {game.name: game for game in GAMES}


def played(world: World) -> World:
    """Some slots by default, then the end."""
    for _ in range(3):
        world.wait(hours=25)
    world.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    assert world.status() == "over"
    return world


def secret(world: World) -> bytes:
    return world.playing().row.secret


def archived(mail: Mail) -> dict[str, bytes]:
    (file,) = [part for part in mail.message.iter_attachments() if part.get_filename() == "nw1-archive.zip"]
    with zipfile.ZipFile(io.BytesIO(data_of(file))) as archive:
        assert archive.testzip() is None
        return {name.removeprefix("nw1/"): archive.read(name) for name in archive.namelist()}


def test_verify_checks_the_chain_of_a_running_match_and_keeps_its_secret(match: World) -> None:
    for answers in (match.reply(ANNA, "VERIFY"), match.reply(ANNA, "VERIFY nw1"), match.write(OTTO, "VERIFY nw1")):
        told = answers[-1].flat
        assert "Its chain is whole: each entry covers the one before it." in told
        assert commitment(secret(match)) in told and secret(match).hex() not in told


def test_verify_plays_a_finished_match_again_and_checks_every_die(match: World) -> None:
    played(match)
    first, again = (match.write(OTTO, "VERIFY nw1")[-1].flat for _ in range(2))
    assert "Sound: the chain of" in first and secret(match).hex() in first
    assert "entries is whole, and the match played again from it gave the same " in first
    assert first.partition("DONE")[2].partition("Proof")[0] == again.partition("DONE")[2].partition("Proof")[0]


def test_verify_says_what_is_not_sound(match: World) -> None:
    match.corrupt("nw1")
    with match.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        running = " ".join(verified(At(match.office, step), row))
    assert "NOT SOUND: " in running
    with match.store.step() as step:
        over = " ".join(verified(At(match.office, step), msgspec.structs.replace(row, status="over")))
    assert "NOT SOUND: " in over and "Tell the game master." in over


def test_verify_of_a_match_that_has_not_begun_says_so(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    assert "nw1 has not begun, so there is no log of it." in world.write(OTTO, "VERIFY nw1")[0].flat


def test_the_archive_goes_with_a_letter_and_verifies_by_itself(match: World) -> None:
    played(match)
    ((one,), (other,)) = (match.vouched(OTTO, "SEND archive OF nw1"), match.reply(ANNA, "SEND archive"))
    files = archived(one)
    assert files == archived(other) and {"index.html", "verify.html", "verify.js", "verify-page.js"} <= set(files)
    found = verify_archive(_GAMES, files["match.json"], files["log.jsonl"], files["reports.jsonl"])
    assert found.sound and found.entries == len(match.entries())


def test_the_archive_of_a_running_match_holds_no_secret(match: World) -> None:
    files = archived(match.reply(ANNA, "SEND archive")[-1])
    assert all(secret(match).hex().encode() not in data for data in files.values())


def test_the_host_says_how_large_an_archive_may_go_with_a_letter(tmp_path: Path) -> None:
    with opened(read("[limits]\narchive_mb = 12\n", tmp_path)) as office:
        assert office.limits.archive_bytes == 12_000_000


def test_an_archive_that_is_too_large_for_a_letter_is_not_sent(match: World) -> None:
    object.__setattr__(match.office, "limits", replace(match.office.limits, archive_bytes=1_000))
    for answers in (match.reply(ANNA, "SEND archive"), match.vouched(OTTO, "SEND archive OF nw1")):
        assert "0.001 MB go with a letter" in answers[-1].flat
        assert not any("zip" in str(part.get_filename()) for part in answers[-1].message.iter_attachments())


def test_an_archive_without_an_entry_is_not_sound(match: World) -> None:
    files = archived(match.reply(ANNA, "SEND archive")[-1])
    about = msgspec.json.decode(files["match.json"]) | {"entries": 0, "head": ""}
    found = verify_archive(_GAMES, msgspec.json.encode(about), b"", b"")
    assert not found.sound and found.trouble == "log.jsonl shows no entry"
