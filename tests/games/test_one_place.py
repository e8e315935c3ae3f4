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
from pathlib import Path

import msgspec
import pytest

import referee
from referee.games import GAMES, game_named
from tests.games.one_place import Found, Mutation, Position, found_in, listed, positions

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
def positions_of(name: str) -> list[Position]:
    return positions(game_named(name))


@cache
def as_it_is(name: str, verbs: tuple[str, ...]) -> Found:
    """What is seen under the rules as they are."""
    return found_in(game_named(name), positions_of(name), verbs)


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
    before = as_it_is(name, mutation.verbs)
    source, changed = PACKAGE / "games" / mutation.file, program / "referee" / "games" / mutation.file
    (tmp_path / "positions").write_bytes(pickle.dumps(positions_of(name)))
    (tmp_path / "verbs").write_text("\n".join(mutation.verbs), encoding="utf-8")
    changed.write_text(mutation.applied(source.read_text(encoding="utf-8")), encoding="utf-8")
    try:
        around = os.environ | {"PYTHONPATH": str(program), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "tests.games.one_place", name, str(tmp_path)]
        done = subprocess.run(command, cwd=program, env=around, capture_output=True, text=True, timeout=600)
    finally:
        shutil.copy2(source, changed)
    assert done.returncode == 0, done.stderr[-2000:]
    found = msgspec.json.decode((tmp_path / "found.json").read_bytes(), type=Found)
    differ = {view.rpartition(" ")[2] for view, seen in found.views.items() if before.views.get(view) != seen}
    print(f"\nshows in {sorted(differ)}; {before.short:.1%} of the orders of bots fell short, {found.short:.1%} do")
    wrong = (said for said in found.wrong if not any(said.is_like(known) for known in before.wrong))
    assert [f"{said.line}: {said.why} {said.told}" for said in wrong] == []
    assert set(mutation.shows) - differ == set(), f"it shows only in {sorted(differ)}"
    assert found.short <= 1.5 * before.short + 0.05
