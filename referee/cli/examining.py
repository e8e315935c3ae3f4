"""referee doctor: everything that the service needs is looked at."""

from __future__ import annotations

from collections.abc import Iterable

import typer
from rich.markup import escape

from referee.cli.speaking import Json, Settings, say, say_json, settings_of
from referee.doctor import Finding, examine


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
