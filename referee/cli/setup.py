"""referee setup, doctor: a few questions, and letters come in and go out; and whether all is there that the service needs."""

from __future__ import annotations

import os
import pwd
import shlex
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.markup import escape

from referee.adapters.files import exposed
from referee.cli.dialogue import Json, Settings, fail, say, say_json, say_path, settings_of
from referee.config import Config, load
from referee.doctor import Finding, examine, reaches_beacon
from referee.kit.wording import counted
from referee.setup.instructions import ACCOUNT, as_a_service, before_letters_come, every_night
from referee.setup.instructions import unit as systemd_unit
from referee.setup.interview import CONFIG, Answers, Here, ask, from_file, furnish, here, interview, write
from referee.setup.questions import Question, Wrong
from referee.setup.roundtrip import goes_round, lying

# ---------------------------------------------------------------- referee doctor


def doctor(as_json: Json = False, config: Settings = None) -> None:
    """Check settings, disk, clock, database, relay and mailbox, and say what to mend; exit 1 if there is something."""
    findings = examine(settings_of(config))
    if as_json:
        say_json(findings)
    else:
        say_findings(findings)
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


def say_findings(findings: Iterable[Finding]) -> None:
    """The findings, a line each."""
    for finding in findings:
        mark = "[green]well[/]" if finding.well else "[bold red]mend[/]"
        say(f"{mark}  {finding.what}: {escape(finding.sentence)}")


def setup(
    folder: Annotated[Path, typer.Argument(help="Where the referee is to live.")] = Path(),
    answers: Annotated[Path | None, typer.Option(help="Take the answers from this file (docs/hosting.md).")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Ask anew though there is a config.toml.")] = False,
    wait: Annotated[
        float, typer.Option(help="How many seconds to wait for the letter to come back; 0: send none.")
    ] = 60,
    unit: Annotated[
        bool, typer.Option("--unit", help="Print the systemd unit for the referee in this folder.")
    ] = False,
) -> None:
    """Set a referee up: ask, write settings and keys, try both logins, send a letter to itself, say what is left to do.

    Where there is a config.toml it stays as it is, and all is tried again. Exits 1 when something is to be mended.
    """
    if unit:
        typer.echo(_unit(folder), nl=False)
        return
    asked = overwrite or not (folder / CONFIG).exists()
    config, machine = _settled(folder, answers, asked)
    told = list(before_letters_come(config, machine, _program()))
    for paragraph in told:
        say_path(f"\n{paragraph}")
    sends = wait > 0 and _ready(bool(told) and asked and answers is None)
    say_path("")
    if faults := _tried(config, wait if sends else 0):
        again = shlex.join((*_program(), "setup", str(folder)))
        say_path(
            f"\n{counted(faults, 'things')} to mend, as the lines above say. Mend them, then run it again: {again}"
        )
        raise typer.Exit(1)
    say_path(f"\n{as_a_service(config, _program())}\n\n{every_night(config, _program())}")
    say_path(f"\nThen write HELP to {config.referee.address}.")


def _settled(folder: Path, answers: Path | None, asked: bool) -> tuple[Config, str]:
    """The settings, `asked` for or found, with keys and folder; and the machine that takes the domain's mail."""
    file = folder / CONFIG
    if asked:
        found = _answers(answers, folder)
        config = write(folder, found)
        say_path(f"Written: {file} and what it names, for this account's eyes only.")
        say_path(_DICE[config.chance.beacon])
        return config, found.machine
    if answers is not None:
        fail(f"{file} is there and stays as it is: name another folder, or add --overwrite to have it written anew.")
    say_path(f"{file} is there and stays as it is; --overwrite asks anew.")
    return furnish(load(file)), here().name


_DICE = {
    "drand": "Dice have a round of a public beacon in them (drand): nobody, not even you, can know one before its turn is sealed.",
    "letters": (
        "Dice have no round of a public beacon in them: you could know them once the letters of a turn are in, and players are "
        "told so. pip install 'referee[beacon]', a way to https://api.drand.sh and [chance] beacon = \"drand\" change that."
    ),
}


def _answers(file: Path | None, folder: Path) -> Answers:
    if file is None:
        return ask(interview(_machine(), partial(lying, folder)), _asked, say_path)
    try:
        text = file.read_text("utf-8")
        if exposed(file) and "password" in text:
            say_path(
                f"Others of this machine can read {file} and the password in it: close it (chmod 600), and delete it after this."
            )
        return from_file(text, _machine())
    except (OSError, UnicodeDecodeError) as error:
        fail(f"The answers in {file} cannot be read: {error}.")
    except Wrong as problem:
        fail(f"{file}: {problem}")


def _machine() -> Here:
    return msgspec.structs.replace(here(), beacon=reaches_beacon())


def _asked(question: Question) -> str:
    """The answer of a person at the terminal."""
    say_path(f"\n{question.text}{' Your typing is not shown.' if question.secret else ''}")
    for number, (word, meaning) in enumerate(question.choices, start=1):
        say_path(f"  {number:2}  {word:12} {meaning}")
    if question.example:
        say_path(f"  For example: {question.example}")
    offered = f" [{question.default}]" if question.default else ""
    return str(
        typer.prompt(f"{offered.strip()}", "", hide_input=question.secret, show_default=False, prompt_suffix="> ")
    )


def _ready(to_be_done: bool) -> bool:
    """Whether to send the letter now: a person at the terminal is asked where he had something to do first."""
    if not to_be_done:
        return True
    say_path("\nWhen that is done, press Enter: a letter is sent, and should come back. Write skip to do it later.")
    return str(typer.prompt("", "", show_default=False, prompt_suffix="> ")).strip().lower() != "skip"


def _tried(config: Config, seconds: float) -> int:
    """Look at everything as the doctor does, then send the letter; how many things are to be mended."""
    findings = list(examine(config))
    if seconds and not any(finding.what in ("relay", "mailbox") and not finding.well for finding in findings):
        findings.append(goes_round(config, seconds))
    elif not seconds:
        sentence = "None was sent. referee setup, once more, sends one and waits for it."
        findings.append(Finding("letter", True, sentence))
    say_findings(findings)
    return sum(not finding.well for finding in findings)


def _unit(folder: Path) -> str:
    if not (folder / CONFIG).exists():
        fail(f"There is no {folder / CONFIG}; run first: referee setup {folder}")
    owner = folder.stat().st_uid
    return systemd_unit(load(folder / CONFIG), _program(), pwd.getpwuid(owner).pw_name if owner else ACCOUNT)


def _program() -> tuple[str, ...]:
    """The command by which we were called, so that systemd and mail servers can call it."""
    called = Path(sys.argv[0])
    if called.name == "referee" and os.access(called, os.X_OK):
        return (str(called.absolute()),)
    return (sys.executable, "-m", "referee")
