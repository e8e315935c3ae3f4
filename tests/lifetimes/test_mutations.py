"""Rules changed at random under open matches: none is wedged, no letter lost, and whatever differs is told to whom it concerns.

MUTATIONS=200 tries so many, MUTATIONS_SEED=7 others; each is printed with what came of it (-s).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

import referee
from referee.games import GAMES, game_named
from referee.service.match.audit import audit
from tests.lifetimes.kept import QUICK, KeptMatch, KeptSet, kept_logs, kept_set, unpacked, versions
from tests.lifetimes.lines_hit import lines_hit
from tests.lifetimes.mutated import MENDED, Came
from tests.lifetimes.mutations import Mutation, chosen

NUMBER = int(os.environ.get("MUTATIONS", "50"))
SEED = int(os.environ.get("MUTATIONS_SEED", "1"))
PACKAGE = Path(referee.__file__).parent
ROOT = PACKAGE.parent
SECONDS = 240
_MOST = 3
"""So many matches of a database in which a change shows are gone on with, and one in which it does not."""

Hit = dict[tuple[str, str], set[tuple[str, int]]]
"""By database and match, the lines that its open phase came by."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package and all it is run with."""
    folder = tmp_path_factory.mktemp("program")
    shutil.copytree(PACKAGE, folder / "referee")
    for name in ("tests", "templates", "grammar", "pyproject.toml", "config.example.toml"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture(scope="module")
def hit() -> Hit:
    games, found = {game.name: game for game in GAMES}, Hit()
    for file in (QUICK, "rest"):
        logs = kept_logs(versions()[-1], file)
        for match in kept_set(versions()[-1], file).matches:
            found[file, match.name] = lines_hit(PACKAGE, games[match.game], *logs[match.name])
    return found


def concerned(file: str, mutation: Mutation, hit: Hit) -> list[str]:
    """Matches of a database in whose open phase the change shows, and one of the same game in which it does not."""
    names = [match.name for match in kept_set(versions()[-1], file).matches if match.game == mutation.game]
    shows = [name for name in names if (mutation.file, mutation.line) in hit[file, name]]
    others = [name for name in names if name not in shows]
    return [*shows[:_MOST], *others[:1]] if shows else []


def run(program: Path, folder: Path, kept: KeptSet, build: str) -> Came | str:
    """What comes of a program that is laid over the database in a folder; or why it did not come to an end."""
    (folder / "kept.json").write_bytes(msgspec.json.encode(kept))
    command = [sys.executable, "-m", "tests.lifetimes.mutated", str(folder), "kept.json", build]
    around = os.environ | {"PYTHONPATH": str(program), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=program, env=around, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "endless"
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        where = [line.strip() for line in done.stderr.splitlines() if line.strip().startswith("File ")][-1:]
        return f"broke: {' '.join((*last, *where))[:400]}"
    return msgspec.json.decode((folder / f"{build}.json").read_bytes(), type=Came)


def wrong_while_changed(kept: KeptSet, came: Came) -> Iterator[str]:
    """What must not come of a changed program."""
    for match in kept.matches:
        if came.status[match.name] not in ("running", "over", "shunted"):
            yield f"{match.name} is {came.status[match.name]}"
        if came.status[match.name] == "shunted" and not came.trouble[match.name]:
            yield f"{match.name} stands still and nobody knows why"
    yield from (f"{name} is wedged: a question stays open and it is called running" for name in came.stuck)
    for wrote in came.wrote:
        if not wrote.answers:
            yield f"{wrote.match}: {wrote.seat or 'the game master'} wrote {wrote.body[:30]!r} and was not answered"
    yield from _untold(came)
    yield from (f"{name}: audit: {trouble}" for name, trouble in came.audits.items() if trouble)
    if came.waiting["new"]:
        yield f"{len(came.waiting['new'])} letters were not looked at"


def _untold(came: Came) -> Iterator[str]:
    for told in came.told:
        who = f"{told.seat or 'the game master'} of {told.match}"
        if told.before is not None and told.after is not None and told.before != told.after:
            only_more = told.after[: len(told.before)] == told.before
            if not told.letters or not (only_more or any(MENDED in subject for subject in told.letters)):
                yield f"what {who} was told differs, and no letter says so: {told.letters}"
        gone, mended = set(told.asked) - set(told.asks), any(MENDED in subject for subject in told.letters)
        if told.asks != told.asked and came.status[told.match] != "shunted" and not (mended if gone else told.letters):
            yield f"what {who} is asked differs, and no letter says so: {told.asked} {told.asks}"


@cache
def older_before(file: str, name: str) -> int:
    """How many phases of a match other rules than these had played, with another result, when it was kept."""
    game, (secret, entries) = name.rpartition("-")[0], kept_logs(versions()[-1], file)[name]
    return sum(older.phases for older in audit(game_named(game), secret, entries).older)


def wrong_afterwards(file: str, kept: KeptSet, changed: Came | None, came: Came) -> Iterator[str]:
    """What must not be left over when the program is as it was again."""
    for name, status in came.status.items():
        if status not in ("running", "over"):
            yield f"{name} is still {status}: {came.trouble[name]}"
    yield from (f"{name}: its open phase does not end" for name in came.stuck)
    yield from (f"{len(ids)} letters are still {status}" for status, ids in came.waiting.items() if ids)
    unsound = {name: trouble for name, trouble in came.audits.items() if trouble}
    yield from (f"{name}: audit: {said}" for name, said in unsound.items() if not _is_rightly_said(changed, name, said))
    yield from (f"{w.match}: {w.seat} wrote {w.body[:30]!r} and was not answered" for w in came.wrote if not w.answers)
    if changed is None:
        return
    for status in ("held", "shunted"):
        lost = set(changed.waiting[status]) - set(came.answered)
        yield from (f"a letter that was {status} was not answered when it went on: {name}" for name in lost)
    yield from (
        f"{match.name}: no rules were changed, and its audit names some"
        for match in kept.matches
        if match.name not in changed.renewed and came.older.get(match.name, 0) > older_before(file, match.name)
    )
    for name in _played_otherwise(changed):
        if came.older.get(name) == older_before(file, name) and name not in unsound:
            yield f"{name}: changed rules gave something else, and its audit names none"


def _is_rightly_said(changed: Came | None, name: str, trouble: str) -> bool:
    """Whether changed rules gave what the ledgers of a game find under any: units that stand where nobody may."""
    return changed is not None and name in changed.renewed and "the ledgers of " in trouble


def _played_otherwise(changed: Came) -> set[str]:
    """Matches of which changed rules told somebody what was not told before.

    Not those that only stand earlier now, where an answer has gone: with what was given then any rules may come to the same.
    """
    found = set()
    for told in changed.told:
        if told.before is None or told.after is None or told.before[: len(told.after)] == told.after:
            continue
        if not set(told.before) <= set(told.after):
            found.add(told.match)
    return {name for name in found if changed.status[name] == "running"}


def tried(program: Path, folder: Path, file: str, names: list[str]) -> tuple[str, list[str]]:
    """A changed program goes on with these matches, then the one as it was: a word of what came of it, and what is wrong."""
    folder.mkdir()
    whole = kept_set(versions()[-1], file)
    kept = KeptSet(whole.at, tuple(match for match in whole.matches if match.name in names))
    unpacked(versions()[-1], file, folder, [match.name for match in kept.matches])
    changed = run(program, folder, kept, "changed")
    again = run(ROOT, folder, KeptSet(kept.at if isinstance(changed, str) else changed.at, kept.matches), "as-it-was")
    wrong = [] if isinstance(changed, str) else [f"changed: {said}" for said in wrong_while_changed(kept, changed)]
    if isinstance(again, str):
        return "the program as it was does not go on", [*wrong, f"again: {again}"]
    before = None if isinstance(changed, str) else changed
    wrong += [f"again: {said}" for said in wrong_afterwards(file, kept, before, again)]
    return changed if isinstance(changed, str) else _word(kept.matches, changed), wrong


def _word(matches: tuple[KeptMatch, ...], came: Came) -> str:
    halted = sum(status == "shunted" for status in came.status.values())
    differs = {told.match for told in came.told if told.before != told.after}
    why = next((f": {trouble[:150]}" for name, trouble in came.trouble.items() if came.status[name] == "shunted"), "")
    return (
        f"of {len(matches)} matches {len(came.renewed)} played anew, {len(differs)} differ, {halted} stand still{why}"
    )


@pytest.mark.slow
def test_no_change_of_rules_wedges_a_match(program: Path, hit: Hit, tmp_path: Path) -> None:
    lines: dict[str, set[tuple[str, int]]] = {game.name: set() for game in GAMES}
    for (_, name), those in hit.items():
        lines[name.rpartition("-")[0]] |= those
    wrong: list[str] = []
    for number, mutation in enumerate(chosen(PACKAGE, NUMBER, SEED, lines), 1):
        source = (PACKAGE / mutation.file).read_bytes()
        (program / "referee" / mutation.file).write_bytes(mutation.applied(source))
        print(f"{number}. {mutation.game}: {mutation.told(source)}", flush=True)
        file = max(("rest", QUICK), key=lambda file: len(concerned(file, mutation, hit)))
        folder = tmp_path / str(number)
        word, found = tried(program, folder, file, concerned(file, mutation, hit))
        print("\n".join([f"    {word}", *(f"    WRONG {said}" for said in found)]), flush=True)
        wrong += [f"{number}. {mutation.told(source)}: {said}" for said in found]
        if not found:
            shutil.rmtree(folder)
        shutil.copy2(PACKAGE / mutation.file, program / "referee" / mutation.file)
    assert wrong == []
