"""Every command that a page names is run: in a club with a match, or by the test that stands beside it here."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from http.server import ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner, Result

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.dkim import new_dkim_key
from referee.adapters.pages.archive_folder import ENGINE
from referee.adapters.signing_key import kept_key, verify
from referee.cli import trials
from tests.commands import app
from tests.house.sources import ROOT
from tests.world import World

RUN = CliRunner()
PAGES = [path for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))) if path.name != "cli.md"]
"""All but the one that is printed from the commands."""

CODE = re.compile(
    r"^```(?!letter|reply|answer)[^\n]*\n(.*?)^```$|^    (\S[^\n]*)$|`([^`\n]+)`", re.MULTILINE | re.DOTALL
)
CALL = re.compile(r"(?:^(?:\$ )?(?:\.venv/bin/)?|-- | referee )referee (?=[a-z-])([^|\n#>]*)", re.MULTILINE)
MAKE = re.compile(r"^make ([a-z][a-z-]+)", re.MULTILINE)


def named(kind: re.Pattern[str]) -> list[str]:
    """Everything of this kind in the code of pages, without remarks beside it."""
    code = ("\n".join("".join(each) for each in CODE.findall(page.read_text("utf-8"))) for page in PAGES)
    return sorted({re.split(r"\s{2,}", line.strip())[0] for text in code for line in kind.findall(text)})


LINES = named(CALL)


def test_the_pages_name_many_commands() -> None:
    assert len(LINES) > 70


# ---------------------------------------------------------------- commands that other tests run

ELSEWHERE = {
    "bench": "bench/test_verdicts.py::test_a_run_prints_writes_and_compares",
    "demo": "demo/test_demo.py::test_the_demo_shows_what_it_is_for",
    "examine board": "test_boards_guide.py::test_the_board_is_examined_and_drawn",
    "ladder war27 --one strong": "test_ladder.py::test_the_command_prints_the_figures",
    "serve": "backup/test_backup.py::test_what_was_acknowledged_is_in_a_backup_of_the_running_service",
    "setup --answers": "setup/test_settings.py::test_a_config_that_is_there_stays_and_so_do_the_keys",
    "setup --unit": "setup/test_unit.py::test_the_command_prints_it_for_the_folder_and_says_what_is_missing",
    "setup": "test_guides.py::test_its_conversation_is_held",
    "simulate": "balance/test_balance.py::test_two_games_are_played_to_their_end_and_told_as_data",
    "verify FOLDER --witness": "service/test_witness.py::"
    "test_the_folder_of_a_match_is_verified_with_what_its_witnesses_signed_and_tell",
}
"""Commands that take long, ask a person, or run until they are ended: how the line begins, and the test that runs it."""


def beside(line: str) -> str:
    """The test that runs a line elsewhere; "" where it is run here."""
    return next((test for begins, test in ELSEWHERE.items() if f"{line} ".startswith(f"{begins} ")), "")


@pytest.mark.parametrize("line", [line for line in LINES if beside(line)])
def test_a_command_that_another_test_runs_is_understood_and_the_test_is_there(line: str) -> None:
    file, _, test = beside(line).partition("::")
    assert re.search(rf"^def {test}\(", (ROOT / "tests" / file).read_text("utf-8"), re.MULTILINE)
    command: Any = typer.main.get_command(app)
    words = [*shlex.split(line), *["empire"] * (line == "simulate")]
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    command.make_context(line, words)  # fails on an option or a value that it does not know


# ---------------------------------------------------------------- commands in a club

SETTINGS = """[referee]
address = "referee@{host}.example"
[receive]
port = 0
[dkim]
selector = "post"
key_file = "dkim.pem"
[backup]
folder = "backups"
[clock]
file = "clock"
"""
GIVE, TAKE = "move nw1 --to nw1.match --house referee@club.example", "move --from nw1.match"

HOUSES = {
    "restore": "bare",
    "verify": "over",
    "doctor": "today",
    f"{TAKE} --never-taken": "given",
    TAKE: "other",
    "move nw1 --to back.match": "taken",
    "move --from back.match": "back",
    "": "club",
}
"""The house in which a line is run, by its beginning."""

WHOLE = {
    "archive": "archive nw1",
    "create": "create newworld nw2 --gm gina@club.example",
    "desk show": "desk show 17",
    "gm": "gm nw1 STATUS",
    "gm MATCH WORD ...": "gm nw1 STATUS",
    "keys rotate": "keys rotate signing",
    "ladder": "ladder newworld",
    "lesson from": "lesson from nw1 --turn 4 --seat France",
    "replay": "replay nw1",
    "restore": "restore /mnt/usb/referee-today",
    "show": "show games",
    "show choices": "show choices nw1 France",
    "verify": "verify FOLDER",
    "verify --letters": "verify FOLDER --letters LETTERS",
    "verify FOLDER --letters": "verify FOLDER --letters LETTERS",
}
"""Commands that a sentence names without all of their words: what is run for each."""

MEANT = {  # names that stand for another, and figures that would take minutes
    r"\bfriday\b|\bMATCH\b": "nw1",
    r"\bFOLDER\b": "www/nw1",
    r"\bLETTERS\b": "saved",
    r"\bADDRESS\b": "anna@players.example",
    r"\bGAME\b": "newworld",
    r"/(?=mnt/|srv/)": "",
    r"--games \d+": "--games 1",
    r"last_turn=\d+": "last_turn=1",
    r"^ladder.*": r"\g<0> --seats 2",
    r"^ladder newworld.*": r"\g<0> --games 1 --with last_round=1",
}


def run(folder: Path, line: str, text: str = "") -> Result:
    """A command in a folder."""
    with chdir(folder):
        return RUN.invoke(app, shlex.split(line), input=text, env={"COLUMNS": "200"})


def done(folder: Path, *lines: str) -> None:
    """Commands that succeed in a folder."""
    for line in lines:
        ran = run(folder, line)
        assert ran.exit_code == 0, (line, ran.output, ran.exception)


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The houses by their names: one with a match, one that took it over, one where it is over, and others."""
    root = tmp_path_factory.mktemp("houses")
    club = root / "club"
    (club / "var").mkdir(parents=True)
    key = kept_key(club / "var" / "signing.key", "referee@games.example")
    world = World(club / "var", signer=key, verify=verify)
    world.write("gina@club.example", "CREATE newworld AS nw1")
    for name, seat in (("ben", "England"), ("carla", "France")):
        world.write(f"{name}@players.example", f"JOIN nw1 AS {seat}")
    world.reply("gina@club.example", "START nw1", kind="receipt")
    while world.playing().turn < 6 or world.on_turn() != "carla@players.example":
        world.reply(world.on_turn(), "ROLL OUT")
    world.write("anna@players.example", "SET name Anna")
    world.put(b"From: a@b.example\r\n\r\nHELP\r\n", "a@b.example", "referee@games.example")
    (held,) = world.letters("new")
    with world.store.step() as step:
        step.finish_letter(held.id, "shunted", "it broke us")
    (club / "letter").write_text(str(held.id))
    (club / "config.toml").write_text(SETTINGS.format(host="games"))
    (club / "dkim.pem").write_bytes(new_dkim_key())
    (club / "saved").mkdir()
    for number, mail in enumerate(world.all_mail()):
        if mail.to == "carla@players.example":
            (club / "saved" / f"{number}.eml").write_bytes(mail.raw)
    FileClock(club / "clock").set(world.clock.now())
    world.close()
    (club / "09-my-lesson.toml").write_text(run(club, WHOLE["lesson from"]).stdout)
    shutil.copytree(club, root / "over")
    done(root / "over", "gm nw1 'TERMINATE BECAUSE \"enough\"'", "archive nw1 --to www")
    for name in ("bare", "other", "today/srv/referee"):
        (root / name).mkdir(parents=True)
        shutil.copy(club / "clock", root / name)
    for place in ("backup/referee/referee-2026-11-25T020000Z", "usb/referee-today"):
        done(club, f"backup {root}/bare/mnt/{place}")
    shutil.copytree(club, root / "given")
    done(root / "given", GIVE)
    (root / "other" / "config.toml").write_text(SETTINGS.format(host="club"))
    shutil.copy(club / "dkim.pem", root / "other")
    shutil.copy(root / "given" / "nw1.match", root / "other")
    shutil.copytree(root / "other", root / "taken")
    done(root / "taken", TAKE)
    shutil.copytree(root / "taken", root / "gives back")
    done(root / "gives back", "move nw1 --to back.match --house referee@games.example")
    shutil.copytree(root / "given", root / "back")
    shutil.copy(root / "gives back" / "back.match", root / "back")
    today = root / "today"
    (today / "config.toml").write_text(SETTINGS.format(host="games").partition("[clock]")[0])
    shutil.copy(club / "dkim.pem", today)
    for secret in today.iterdir():
        if secret.is_file():
            secret.chmod(0o600)
    done(today, "create newworld nw1 --gm gina@club.example", "backup")
    shutil.rmtree(today / "srv")
    shutil.copytree(today, today / "srv" / "referee")
    return root


@pytest.mark.parametrize("line", [line for line in LINES if not beside(line)])
def test_a_command_of_a_page_does_what_it_is_for(line: str, houses: Path, tmp_path: Path) -> None:
    house = next(house for begins, house in HOUSES.items() if line.startswith(begins))
    home = shutil.copytree(houses / house, tmp_path / "home")
    words = WHOLE.get(line, line)
    for name, meant in MEANT.items():
        words = re.sub(name, meant, words)
    if " 17" in words:
        words = words.replace("17", (home / "letter").read_text())
    ran = run(home, words, "From: ben@players.example\n\nHELP\n" * (line == "receive"))
    assert ran.exit_code == 0, f"{words}: {ran.output} {ran.exception}"
    assert ran.output.strip() or line == "receive"


# ---------------------------------------------------------------- make


def test_play_lays_the_page_and_serves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first command of README; its rules for the browser are put together by `make table`."""
    (tmp_path / ENGINE).write_bytes(b"")
    monkeypatch.setattr(trials, "engine_folder", lambda: tmp_path)
    got: list[str] = []

    def serve_one(server: ThreadingHTTPServer) -> None:
        with ThreadPoolExecutor() as pool:
            page = pool.submit(urllib.request.urlopen, f"http://127.0.0.1:{server.server_port}/table.html", None, 10)
            server.handle_request()
            got.append(page.result().read().decode())
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", serve_one)
    ran = RUN.invoke(app, ["play", "newworld", "--port", "0", "--no-open"])
    assert ran.exit_code == 0 and "/table.html#play=newworld" in ran.output and "end this with Ctrl-C" in ran.output
    assert "<title>" in got[0] and "table-page.js" in got[0]


@pytest.mark.parametrize("target", named(MAKE))
def test_make_knows_what_a_page_has_it_do(target: str) -> None:
    """Looked at and not run: what it would call is there. .ci/run runs lint, test, oldest and short."""
    ran = subprocess.run(["make", "-n", "-B", target], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    command: Any = typer.main.get_command(app)
    for called in re.findall(r"^\S*bin/referee (\w+)", ran.stdout, re.MULTILINE):
        assert called in command.commands
    for module in re.findall(r"bin/python -m (tests\.[\w.]+)", ran.stdout):
        assert find_spec(module), module
