"""A rule stands once: changed at one place, it is followed by whatever offers, refuses, foresees, does and prints it.

The changes stand in `NAME/one_place.toml`. Each is tried in a copy of the package, at the positions of random players and at
scenes; `shows` names the views that must change: choices, lines, preview, deed, form, printed.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from functools import cache
from itertools import groupby
from pathlib import Path

import msgspec
import pytest

import referee
from referee.games import GAMES, game_named
from tests.games.one_place import Disagreement, Found, Mutation, Position, listed, looked_at, played_anew, positions

PACKAGE = Path(referee.__file__).parent
ROOT = PACKAGE.parent


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package and all it is run with."""
    folder = tmp_path_factory.mktemp("program")
    shutil.copytree(PACKAGE, folder / "referee")
    for name in ("tests", "templates", "grammar", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@cache
def positions_of(name: str) -> dict[str, list[Position]]:
    """Those of each verb."""
    return {verb: list(found) for verb, found in groupby(sorted(positions(game_named(name)), key=_verb), key=_verb)}


def _verb(position: Position) -> str:
    return position.verb


@cache
def as_it_is(name: str, verb: str) -> Found:
    """What is seen under the rules as they are."""
    return looked_at(game_named(name), positions_of(name).get(verb, ()))


@cache
def bots_as_they_are(name: str) -> tuple[list[Disagreement], float]:
    """What bots, form and HELP have wrong under the rules as they are, and how many orders of bots fall short."""
    return played_anew(game_named(name))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mutation"),
    [
        pytest.param(game.name, each, id=f"{game.name}: {each.name}")
        for game in GAMES
        for each in listed(game.name).mutation
    ],
)
def test_a_rule_changed_at_one_place_is_followed(name: str, mutation: Mutation, program: Path, tmp_path: Path) -> None:
    at = [position for verb in mutation.verbs for position in positions_of(name)[verb]]
    before, (known, short) = [as_it_is(name, verb) for verb in mutation.verbs], bots_as_they_are(name)
    views = {view: seen for found in before for view, seen in found.views.items()}
    source, changed = PACKAGE / "games" / mutation.file, program / "referee" / "games" / mutation.file
    (tmp_path / "positions").write_bytes(pickle.dumps(at))
    changed.write_text(mutation.applied(source.read_text(encoding="utf-8")), encoding="utf-8")
    try:
        around = os.environ | {"PYTHONPATH": str(program), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "tests.games.one_place", name, str(tmp_path)]
        done = subprocess.run(command, cwd=program, env=around, capture_output=True, text=True, timeout=600)
    finally:
        shutil.copy2(source, changed)
    assert done.returncode == 0, done.stderr[-2000:]
    found = msgspec.json.decode((tmp_path / "found.json").read_bytes(), type=Found)
    differ = {view.rpartition(" ")[2] for view, seen in found.views.items() if views.get(view) != seen}
    print(f"\n{len(at)} positions; it shows in {sorted(differ)}")
    print(f"{short:.1%} of the orders of bots fell short, {found.short:.1%} do")
    known = [*known, *(said for found in before for said in found.wrong)]
    wrong = (said for said in found.wrong if not any(said.is_like(other) for other in known))
    assert [f"{said.line}: {said.why} {said.told}" for said in wrong] == []
    assert set(mutation.shows) - differ == set(), f"it shows only in {sorted(differ)}"
    assert found.short <= 1.5 * short + 0.05
