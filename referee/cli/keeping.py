"""referee serve, receive, doctor, demo, bench: running the service and looking after it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.adapters.incoming import pipe
from referee.adapters.logs import write_log
from referee.adapters.processes.memory import keep_together
from referee.adapters.processes.supervisor import Supervisor
from referee.adapters.unusable import told
from referee.bootstrap import Service, take_letter
from referee.cli.serving import asked_by, see_through
from referee.cli.speaking import Json, Settings, say, say_json, say_path, settings_of
from referee.config import load
from referee.doctor import Finding, examine


def serve(as_json: Json = False, config: Settings = None) -> None:
    """Run the service: take letters, play turns, keep deadlines, send letters. Ends on Ctrl-C or SIGTERM."""
    settings, supervisor = settings_of(config), Supervisor()
    write_log(settings.log.format)
    keep_together()
    with told(settings.database_url):
        service = Service(settings, branches=True)
        asked = asked_by(supervisor)
        port = service.start()
    if as_json:
        say_json({"address": settings.referee.address, "host": settings.receive.host, "port": port})
    else:
        say_path(f"{settings.referee.address} takes letters on {settings.receive.host}:{port}")
        if settings.source is None:
            say_path(_TO_BEGIN.format(address=settings.referee.address, port=port, folder=settings.data_folder))
    sys.stdout.flush()
    see_through(service, asked, supervisor, lambda: load(config))


_TO_BEGIN = """\
There is no config.toml, so nothing is sent anywhere: what I write lies in {folder}/mail, a folder for each reader.
Write to me:  swaks --server 127.0.0.1:{port} --from you@localhost --to {address} --body HELP
Ctrl-C ends me, and nothing is lost. docs/mail.md tells how I get a mailbox and a relay; referee doctor tries them."""
"""What whoever tries the program for the first time is told."""


def receive(
    recipient: Annotated[str, typer.Option(help="The envelope recipient, where the mail server does not say.")] = "",
    sender: Annotated[str | None, typer.Option(help="The envelope sender, empty for a bounce.")] = None,
    config: Settings = None,
) -> None:
    """Store the letter on standard input: for .forward, procmail and the like.

    Exits 75 when it could not be stored, so that the mail server keeps the letter and tries again.
    """
    try:
        take_letter(load(config), sys.stdin.buffer, pipe.envelope(os.environ, sender, recipient))
    except Exception as error:
        # Whatever is wrong here, the letter must not be bounced to its writer.
        typer.echo(f"The letter was not stored: {error}", err=True)
        raise typer.Exit(pipe.EX_TEMPFAIL) from error


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
    """What was found, a line each."""
    for finding in findings:
        mark = "[green]well[/]" if finding.well else "[bold red]mend[/]"
        say(f"{mark}  {finding.what}: {escape(finding.sentence)}")


def demo(
    game: Annotated[str, typer.Argument(help="newworld, war27, war17, empire or empire-war.")] = "newworld",
    keep: Annotated[Path | None, typer.Option(help="Keep everything in this folder.")] = None,
    choices: Annotated[
        bool, typer.Option("--choices", help="Players who know nothing of the game choose from SEND choices AS json.")
    ] = False,
) -> None:
    """Play a whole match by real e-mail on this machine, with everything that can happen on the way."""
    from referee.demo import play

    raise typer.Exit(play(game, keep, choices))


def bench(
    group: Annotated[str, typer.Argument(help="What to measure.")] = "quick",
    runs: Annotated[int, typer.Option(help="How often each case is measured.")] = 5,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures into this file, as JSON.")] = None,
    compare: Annotated[Path | None, typer.Option(help="Figures of an earlier run.")] = None,
    floor: Annotated[bool, typer.Option("--floor", help="Exit 1 when a ratio is under its floor.")] = False,
    database: Annotated[
        str | None, typer.Option(help="Measure on this PostgreSQL server, in databases made for it, not on SQLite.")
    ] = None,
    matches: Annotated[int | None, typer.Option(min=1, help="How many matches are due at noon (N1, N2).")] = None,
    days: Annotated[int | None, typer.Option(min=9, help="How many days a soak lasts (S1).")] = None,
) -> None:
    """Measure the referee as ratios beside baselines in the same run; from a checkout, where the baselines are."""
    try:
        measured = import_module("tests.bench").run
    except ModuleNotFoundError:
        say(
            "The benchmark lies beside the package: run referee bench in a checkout of the source, with its [dev] packages."
        )
        raise typer.Exit(1) from None
    raise typer.Exit(measured(group, runs, json_file, compare, floor, database, matches, days))
