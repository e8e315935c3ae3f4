"""The command line: every command answers in JSON too, by one set of exit codes, and the machine does what letters do."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import typer.main
from msgspec.structs import replace
from typer.testing import CliRunner

from referee.__main__ import main as start
from referee.adapters.store.store import Store
from referee.cli.program import called
from referee.games import BY_NAME
from referee.service.house.documents import ANYBODY, DOCUMENTS
from referee.service.intake.keepers_digest import TO_DO, Concern
from tests.commands import app

RUN = CliRunner()
SILENT = {
    "setup": "asks and tells a person; what it wrote is looked at by doctor",
    "receive": "takes a letter on standard input and prints nothing",
    "play": "is for the person at the screen; it prints the address of the page and serves it until it is ended",
    "lesson from": "prints a lesson, which is to be written on",
    "demo": "tells a story; what it leaves behind is looked at with the other commands",
}
"""Commands that print no data, and why."""


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command with the words that call it."""
    below = getattr(command, "commands", None)
    if below is None:
        yield " ".join(words), command
    else:
        for name, one in below.items():
            yield from commands(one, (*words, name))


FREE = {"setup", "play", "demo", "bench", "rules", "verify", "restore", "examine", "ladder", "simulate"}
"""What works without settings."""

COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_prints_json_or_says_here_why_not(words: str) -> None:
    options = {option for parameter in COMMANDS[words].params for option in parameter.opts}
    assert ("--json" in options) != (words in SILENT)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_says_in_one_sentence_what_it_does_and_what_its_words_are(words: str) -> None:
    command = COMMANDS[words]
    assert command.help is not None
    first = command.help.split("\n\n")[0]
    assert 10 < len(first) <= 130 and first[0].isupper() and first.rstrip("'\"").endswith("."), first
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{words}: {parameter.name} is not explained"


def test_the_digest_explains_every_kind_of_concern_by_commands_there_are() -> None:
    kinds = (Concern.__doc__ or "").partition("`kind`: ")[2].partition(".")[0]
    said = " ".join(re.sub(r" \([^)]*\)", "", kinds).replace(" or ", ", ").split())
    assert set(said.split(", ")) == set(TO_DO)
    named = [words for text in TO_DO.values() for words in re.findall(r"referee ((?:[a-z-]+ ?)+)", text)]
    assert len(named) > 8
    assert [words for words in named if not any(f"{words} ".startswith(f"{command} ") for command in COMMANDS)] == []


def test_the_start_page_names_the_exit_codes_and_every_command() -> None:
    told = RUN.invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    assert (
        "0 done; 1 refused, not found or not sound; 2 not understood; 3 nothing is proved (verify); 75 try again later"
        in told
    )
    assert all(f" {words.split()[0]} " in told for words in COMMANDS)


# ---------------------------------------------------------------- a match at the machine


class Machine:
    """The command line with its settings in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "config.toml").write_text('[referee]\naddress = "referee@games.example"\n', "utf-8")

    def __call__(self, *words: str, text: str | None = None) -> Any:
        configured = [*words, "--config", str(self.folder / "config.toml")]
        with chdir(self.folder):  # where files are laid that are asked for without a folder
            return RUN.invoke(app, configured, input=text, env={"COLUMNS": "200"})

    def json(self, *words: str) -> Any:
        """What a command that succeeds prints as JSON."""
        ran = self(*words, "--json")
        assert ran.exit_code == 0, ran.output
        return json.loads(ran.stdout)

    def on_turn(self) -> str:
        """The seat that owes orders in nw1."""
        return str(self.json("show", "deadlines", "nw1")[0]["seat"])


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(scope="module")
def house_begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The match nw1, opened, joined and started at the machine: a folder to copy."""
    machine = Machine(tmp_path_factory.mktemp("begun"))
    assert machine.json("create", "newworld", "nw1", "--gm", "gina@example.org")["granted"]
    machine.json("join", "nw1", "Anna <anna@example.org>", "--as", "England")
    machine.json("join", "nw1", "ben@example.org", "--as", "France")
    machine.json("gm", "nw1", "START")
    return machine.folder


@pytest.fixture
def begun(machine: Machine, house_begun: Path) -> Machine:
    """The match nw1, begun."""
    shutil.copytree(house_begun, machine.folder, dirs_exist_ok=True)
    return machine


def test_the_digest_at_the_machine_says_what_to_do_about_each_kind(begun: Machine) -> None:
    (database,) = begun.folder.rglob("*.sqlite")
    store = Store(f"sqlite:///{database}")
    with store.step() as step:
        (row,) = step.matches()
        step.save_match(replace(row, status="shunted", trouble="a fault of the program"))
    store.close()
    said = " ".join(begun("show", "digest").output.split())
    assert [kind for kind, todo in TO_DO.items() if f"{kind}: {todo}" in said] == ["stuck"]
    (concern,) = begun.json("show", "digest")
    assert concern["kind"] == "stuck" and concern["sentence"] in said


def test_a_match_is_made_at_the_machine_and_every_list_shows_it(begun: Machine) -> None:
    told = f"Turn 1: {begun.on_turn()} (round 1)"
    assert begun.json("show", "matches") == [
        {"match": "nw1", "game": "newworld", "status": "running", "stands at": told}
    ]
    assert told in begun("show", "matches").output
    assert (
        " UTC" in begun("show", "deadlines", "nw1").output and "+00:00" not in begun("show", "deadlines", "nw1").output
    )
    members = begun.json("show", "members", "nw1")
    assert {(m["name"], m["role"], m["seat"]) for m in members} == {
        ("gina", "gm", ""),
        ("Anna", "player", "England"),
        ("ben", "player", "France"),
    }
    assert {alarm["seat"] for alarm in begun.json("show", "deadlines", "nw1")} == {begun.on_turn()}
    assert begun.json("show", "letters") == [] == begun.json("desk", "list")
    assert begun.json("show", "digest") == []
    (who,) = begun.json("show", "who", "nw1")["pages"]
    assert who["title"] == "nw1: New World" and "England" in begun("show", "who", "nw1").output
    (hours,) = begun.json("show", "hours")["pages"]
    assert hours["title"] == "Hours" and hours["summary"].split()[0] in begun("show", "hours").output
    assert begun("show", "who", "nw9").exit_code == 1
    assert begun.json("show", "record", "anna@example.org")[0]["late"] == 0


@pytest.mark.parametrize("document", sorted(set(DOCUMENTS) - {"map", "choices", "table", "record", "archive"}))
def test_what_send_sends_is_shown_at_the_machine(begun: Machine, document: str) -> None:
    begun("player", "nw1", begun.on_turn(), "RESEARCH any; ROLL OUT")
    declared = DOCUMENTS[document]
    asked = ["nw1"] * declared.of_match + ["England"] * (declared.who != ANYBODY)
    found = begun.json("show", document, *asked)
    assert found["pages"] or found["sheets"]
    assert begun("show", document, *asked).output.strip()


def test_a_turn_as_a_file_is_shown_at_the_machine(begun: Machine) -> None:
    found = begun.json("show", "table", "nw1", begun.on_turn())
    (file,) = found["files"]
    assert file == f"nw1-1-{begun.on_turn()}.table.json" and (begun.folder / file).exists()


def test_every_document_is_shown_at_the_machine() -> None:
    shown = {f"show {document}" for document in DOCUMENTS}
    assert shown - set(COMMANDS) == {"show archive"} and "archive" in COMMANDS


def test_a_command_has_the_options_of_its_document(begun: Machine) -> None:
    options = {option for parameter in COMMANDS["show history"].params for option in parameter.opts}
    assert {"--turn", "--since", "--lines"} <= options and not {"--as", "--of", "--to"} & options
    (page,) = begun.json("show", "history", "nw1", "--turn", "2")["pages"]
    assert page["summary"].startswith("0 reports")
    assert begun("show", "diary", "nw1", "Atlantis").exit_code == 1


def test_a_map_is_drawn_and_said(machine: Machine) -> None:
    machine.json("create", "war27", "w1", "--gm", "gina@example.org")
    for name in ("anna", "ben"):
        machine.json("join", "w1", f"{name}@example.org")
    machine.json("gm", "w1", "START")
    drawn = machine.folder / "map.svg"
    assert machine("show", "map", "w1", "--to", str(drawn)).output == f"Drawn: {drawn}\n"
    assert machine("show", "map", "w1").output.startswith("The map shows whose the regions are: ")
    assert drawn.read_text("utf-8") == machine.json("show", "map", "w1")["svg"]
    assert machine("show", "map", "w1", "--to", "map.gif").exit_code == 1


def test_the_board_of_new_world_is_shown_as_well(begun: Machine) -> None:
    assert begun.json("show", "map", "nw1")["svg"].startswith("<svg")


def test_the_game_masters_words_before_the_start_and_after(machine: Machine) -> None:
    machine.json("create", "newworld", "nw1", "--gm", "gina@example.org")
    assert "Kept out are spam.example" in machine.json("gm", "nw1", "DENY spam.example")["sentences"][0]
    early = machine("gm", "nw1", "DEADLINE +12h")
    assert early.exit_code == 1 and "the words for now are START, START NOW, CLOCK, DAYS" in early.output
    wrong = machine("gm", "nw1", "STRAT")
    assert wrong.exit_code == 1 and "START" in wrong.output
    for name in ("anna", "ben"):
        machine.json("join", "nw1", f"{name}@example.org")
    machine.json("gm", "nw1", "START")
    later = machine.json("gm", "nw1", 'DEADLINE +12h BECAUSE "Anna travels"')
    assert later["granted"] and later["sentences"]
    assert "PREVIEW TURN" in machine("gm", "nw1", "HELP PREVIEW TURN").output
    assert machine.json("gm", "nw1", "PREVIEW TURN")["pages"]


def test_the_keeper_has_no_settings_and_no_seat_of_his_own(begun: Machine) -> None:
    for words in ("SET zone Europe/Berlin", "STANDBY nw1"):
        ran = begun("gm", "nw1", words)
        assert ran.exit_code == 1 and "people who write by mail" in ran.output
    assert "keeper@localhost" not in begun("show", "members", "nw1").output


def test_a_players_whole_letter_comes_on_standard_input(begun: Machine) -> None:
    ran = begun("player", "nw1", begun.on_turn(), "-", text="RESERCH any\nHIRE 1 worker\n")
    assert ran.exit_code == 1 and "RESERCH any" in ran.output and "Instead: RESEARCH any" in ran.output
    assert begun("player", "nw1", begun.on_turn(), "YES").exit_code == 0
    assert begun("player", "nw1", begun.on_turn(), "ROLL OUT").exit_code == 0
    assert begun.json("show", "matches")[0]["stands at"].startswith("Turn 2")


def test_who_watches_and_who_stands_by_is_entered(begun: Machine) -> None:
    begun.json("observe", "nw1", "otto@example.org")
    begun.json("standby", "nw1", "carla@example.org", "--name", "Carla")
    found = {m["name"]: (m["role"], m["status"]) for m in begun.json("show", "members", "nw1")}
    assert found["otto"] == ("observer", "watching") and found["Carla"] == ("player", "standby")
    assert begun("observe", "nw9", "otto@example.org").exit_code == 1
    assert begun("standby", "nw1", "anna@example.org").exit_code == 1


def test_replay_archive_and_verify_agree(begun: Machine) -> None:
    begun("player", "nw1", begun.on_turn(), "RESEARCH any; ROLL OUT")
    begun.json("gm", "nw1", 'TERMINATE BECAUSE "that was all"')
    assert begun.json("replay", "nw1")["sound"]
    index = Path(begun.json("archive", "nw1", "--to", str(begun.folder / "www"))["index"])
    ran = RUN.invoke(app, ["verify", str(index.parent), "--json"])
    assert ran.exit_code == 0 and json.loads(ran.stdout)["sound"]
    log = index.parent / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"worker", b"wonder", 1).replace(b"England", b"Engeland", 1))
    assert RUN.invoke(app, ["verify", str(index.parent)]).exit_code == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "report", "nw9"), 1),
        (("gm", "nw9", "START"), 1),
        (("replay", "nw9"), 1),
        (("archive", "nw9"), 1),
        (("create", "chess", "c1", "--gm", "gina@example.org"), 1),
        (("desk", "retry", "7"), 1),
        (("show", "record", "nobody@example.org"), 1),
        (("shew", "report"), 2),
        (("gm",), 2),
    ],
)
def test_exit_codes(machine: Machine, words: tuple[str, ...], code: int) -> None:
    ran = machine(*words)
    assert ran.exit_code == code and ran.output.strip()


def test_a_letter_that_cannot_be_stored_goes_back_to_the_mail_server(tmp_path: Path) -> None:
    ran = RUN.invoke(app, ["receive", "--config", str(tmp_path / "none.toml")], input="Subject: x\n\nHELP\n")
    assert ran.exit_code == 75


def test_games_and_help_are_shown_without_a_match(machine: Machine) -> None:
    games = {row["game"]: row for row in machine.json("show", "games")}
    assert set(games) == {"newworld", "war27", "war17", "empire"} and "nationalities" in games["newworld"]["options"]
    assert "DEADLINE +12h" in machine("show", "help", "DEADLINE").output
    titles = [title for title, _ in machine.json("show", "help", "newworld")["groups"]]
    assert titles == [
        "Orders of the game",
        "Conditions for IF",
        "Blocks and single words",
        "Options at CREATE, after WITH",
    ]


def test_the_rules_of_a_game_are_listed_with_the_number_of_their_cases() -> None:
    told = RUN.invoke(app, ["rules", "newworld", "--json"])
    assert told.exit_code == 0
    assert {row["id"]: row["cases"] > 0 for row in json.loads(told.stdout)} == dict.fromkeys(
        (rule.id for rule in BY_NAME["newworld"].rules), True
    )
    missing = RUN.invoke(app, ["rules", "chess"])
    assert missing.exit_code == 1 and "I know no game chess; I know " in missing.output


def test_help_knows_the_orders_of_the_games(machine: Machine) -> None:
    told = machine("show", "help", "COLONIZE").output
    assert "Help on COLONIZE" in told and "An order of New World" in told and "I know no word" not in told
    assert "An order of War! Age of Imperialism" in machine("show", "help", "embark").output
    assert "An order of" not in machine("show", "help", "DEADLINE").output


def test_an_option_misspelt_is_told_the_nearest(machine: Machine) -> None:
    ran = machine("create", "newworld", "nw1", "--gm", "gina@example.org", "--with", "nationalites yes")
    assert ran.exit_code == 1 and "nationalites is no option of newworld. Did you mean nationalities?" in ran.output


def test_nobody_is_called_like_the_referee_or_another_at_the_machine_either(begun: Machine) -> None:
    observed = begun.json("observe", "nw1", "otto@example.org", "--name", "The Referee")
    assert "could be taken for another's here, so he is called otto." in observed["sentences"][-1]
    stands = begun.json("standby", "nw1", "nora@example.org", "--name", "Anna")
    assert "so he is called nora." in stands["sentences"][-1]
    assert begun.json("observe", "nw1", "olga@example.org", "--name", "see http://x.example")["granted"]
    assert {m["name"] for m in begun.json("show", "members", "nw1")} >= {"otto", "nora", "olga"}


@pytest.mark.parametrize("words", [words for words in COMMANDS if words.partition(" ")[0] not in FREE])
def test_a_command_in_another_folder_says_so_and_makes_no_house_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    needed = [p for p in COMMANDS[words].params if getattr(p, "required", False)]
    given = [
        word for parameter in needed for word in (*parameter.opts[:1] * (parameter.param_type_name == "option"), "1")
    ]
    ran = RUN.invoke(app, [*words.split(), *given, *("--from x" if words == "move" else "").split()])
    assert ran.exit_code in (1, 75) and "There is no config.toml in" in ran.output and "--config" in ran.output
    assert [*tmp_path.iterdir()] == []


HEAVY = (
    *("PIL", "aiosmtpd", "alembic", "authres", "cryptography", "dkim", "flufl", "fontpkg", "holidays", "imapclient"),
    *("jinja2", "lark", "prometheus_client", "rapidfuzz", "resvg_py", "xlsxwriter"),
)
"""Libraries that most commands do without."""
PLAYED = "referee.games.{}.phases"
LOADED = """
import sys
from referee.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("\\nloaded:", *sys.modules)
"""


def loaded(folder: Path, *words: str) -> set[str]:
    """The modules that a command has loaded when it ends, in a process of its own."""
    command = [sys.executable, "-c", LOADED, *words]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"})
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.rpartition("loaded:")[2].split())


@pytest.mark.parametrize("words", [("--help",), ("desk", "list"), ("show", "health", "--json")])
def test_a_command_that_only_looks_loads_no_game_and_no_library_it_does_without(begun: Machine, words: Any) -> None:
    found = loaded(begun.folder, *words)
    assert [name for name in HEAVY if name in found] == []
    assert [name for name in found if name.startswith("referee.games.") and name.count(".") > 2] == []
    assert ("sqlalchemy" in found) != (words == ("--help",))


@pytest.mark.parametrize("words", [("map", "nw1"), ("digest",), ("standings", "nw1")])
def test_a_match_that_is_looked_at_loads_its_game_alone(begun: Machine, words: tuple[str, ...]) -> None:
    found = loaded(begun.folder, "show", *words)
    assert [name for name in HEAVY if name in found] == (["jinja2"] if words[0] == "standings" else [])
    assert ("referee.service.intake.confirmations" in found) == (words[0] == "digest")
    games = [name for name in BY_NAME if PLAYED.format("war" if name == "war27" else name) in found]
    assert games == ([] if words[0] == "digest" else ["newworld"])


def test_a_lesson_is_cut_out_and_looked_over(begun: Machine) -> None:
    file = begun.folder / "09.toml"
    seat = begun.on_turn()
    file.write_text(begun("lesson", "from", "nw1", "--turn", "1", "--seat", seat).stdout, "utf-8")
    ran = RUN.invoke(app, ["examine", "lesson", "newworld", str(file)])
    assert ran.exit_code == 0 and "It passes." in ran.output and f"# {seat}: 10 gold and 10 food on hand." in ran.output
    letter = begun.folder / "try.txt"
    letter.write_text("HIER 1 worker", "utf-8")
    ran = RUN.invoke(app, ["examine", "lesson", "newworld", str(file), "--letter", str(letter)])
    assert ran.exit_code == 1 and "Did you mean HIRE?" in ran.output
    file.write_text(file.read_text("utf-8").replace("theme =", "thema ="), "utf-8")
    ran = RUN.invoke(app, ["examine", "lesson", "newworld", str(file)])
    assert ran.exit_code == 1 and "09.toml, line 2: " in ran.stderr
    assert "no orders in turn 9" in begun("lesson", "from", "nw1", "--turn", "9", "--seat", seat).stderr
    assert begun.json("show", "lessons") == []


def test_the_list_of_commands_says_the_same_whether_they_are_loaded_or_not() -> None:
    wide = {"COLUMNS": "200"}
    assert RUN.invoke(called(["--help"]), ["--help"], env=wide).output == RUN.invoke(app, ["--help"], env=wide).output
    alone = RUN.invoke(called(["show", "health"]), ["show", "health", "--help"], env=wide)
    assert alone.exit_code == 0 and alone.output == RUN.invoke(app, ["show", "health", "--help"], env=wide).output


def test_the_version_is_told_without_loading_the_program(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.argv", ["referee", "--version"])
    start()
    assert capsys.readouterr().out.strip() == importlib.metadata.version("referee")
