"""The wheel carries everything: installed in a fresh environment, in another folder, without the source tree."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.games import GAMES
from tests.house.sources import ROOT, tracked_files
from tests.table.conftest import engine

__all__ = ["engine"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once from the tree as it is, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that holds the wheel, and sees the libraries it depends on here."""
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home, with_pip=False)
    site = next((home / "lib").glob("python*")) / "site-packages"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    # Appended after the fresh site-packages, so the installed wheel comes first and no editable hook runs.
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return home / "bin" / "python"


@pytest.mark.slow
def test_a_release_carries_the_rules_for_the_page_and_lays_them_beside_the_matches(
    tmp_path: Path, engine: Path
) -> None:
    """`make table`, then `python -m build`, which makes the wheel from what the source archive holds."""
    tree = tmp_path / "tree"
    for path in tracked_files():
        (tree / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tree / path.relative_to(ROOT))
    put = tree / "templates" / "table" / "engine"
    shutil.copytree(engine, put, dirs_exist_ok=True)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(tree)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = tmp_path.glob("*.whl")
    wanted = {path.name for path in engine.iterdir()}
    assert {f"referee/_data/templates/table/engine/{name}" for name in wanted} <= names(made)
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path / "installed")
    site = Site(tmp_path / "site")
    site.lay_engine(tmp_path / "installed" / "referee" / "_data" / "templates" / "table" / "engine")
    assert {path.name: path.read_bytes() for path in (site.root / "engine").iterdir()} == {
        path.name: path.read_bytes() for path in engine.iterdir()
    }


def run(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, "-I", *arguments], cwd=folder, capture_output=True, text=True)


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def carried(folder: str, under: str) -> set[str]:
    """The files of a folder of the tree, as the wheel must name them."""
    paths = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {f"referee/_data/{under}/{path.relative_to(ROOT / folder).as_posix()}" for path in paths}


def test_the_wheel_carries_grammar_templates_and_the_sample_settings(wheel: Path) -> None:
    found = names(wheel)
    assert {"referee/_data/grammar/orders.lark", "referee/_data/config.example.toml"} <= found
    assert {name for name in carried("templates", "templates") if name.endswith((".jinja", ".j2", ".html"))} <= found


def test_the_wheel_carries_every_module_and_the_games_data(wheel: Path) -> None:
    package = ROOT / "referee"
    wanted = [
        p for p in package.rglob("*") if p.is_file() and p.suffix in (".py", ".toml", ".mako", ".csv", ".svg", ".case")
    ]
    assert {f"referee/{path.relative_to(package).as_posix()}" for path in wanted} <= names(wheel)
    war = {
        f"referee/games/war/{name}"
        for name in ("rulebook/map.toml", "rulebook/units.toml", "rules.toml", "telling/drawing/coast.json")
    }
    assert war <= names(wheel)


def test_installed_elsewhere_it_finds_what_it_needs(python: Path, tmp_path: Path) -> None:
    script = (
        "import json, referee; from pathlib import Path; from referee.orders import grammar_text;"
        "data = Path(referee.__file__).parent / '_data';"
        "print(json.dumps([referee.__file__, grammar_text()[:1] != '', (data / 'config.example.toml').is_file(),"
        " len(list((data / 'templates').rglob('*.jinja')))]))"
    )
    done = run(python, tmp_path, "-c", script)
    assert done.returncode == 0, done.stderr
    place, grammar, settings, templates = json.loads(done.stdout)
    assert not Path(place).is_relative_to(ROOT)
    assert grammar and settings and templates


def test_installed_elsewhere_the_command_knows_its_version(python: Path, tmp_path: Path) -> None:
    assert run(python, tmp_path, "-m", "referee", "--version").stdout.strip() == version("referee")


def test_installed_elsewhere_the_command_knows_a_games_rules_and_their_cases(python: Path, tmp_path: Path) -> None:
    """Of one game: that the wheel has the rules and cases of all is looked at above."""
    done = run(python, tmp_path, "-m", "referee", "rules", "war17", "--json")
    assert done.returncode == 0, done.stderr
    rules = json.loads(done.stdout)
    assert rules and all(rule["cases"] > 0 for rule in rules)


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_installed_elsewhere_it_plays_a_game(game: str, python: Path, tmp_path: Path) -> None:
    done = run(python, tmp_path, "-c", PLAY, game)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, True, True]


PLAY = """
import json, sys
from referee.core.chance import Keyed
from referee.core.names import Role
from referee.core.record import Codec, Created
from referee.core.position import start
from referee.core.stage import Unsealed, resume
from referee.games import game_named
game = game_named(sys.argv[1])
options = {setting.name: setting.default for setting in game.settings}
seats = game.seat_players(((),) * 3, options, Keyed(bytes(32), 0))
created = Created(game.name, seats, options, "")
out = resume(game, Codec(game.events, game.intents), start(game, created), (), (), Unsealed(Keyed(bytes(32), 0)), bool)
drawn = game.chart(out.state, Role.OBSERVER)
print(json.dumps([bool(out.open), bool(game.order_form(out.state, out.open[0].seat)), drawn is None or "<svg" in drawn.svg]))
"""
