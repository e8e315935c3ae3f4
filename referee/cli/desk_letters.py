"""referee desk: letters that broke us and wait for a person."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.bootstrap import opened
from referee.cli.showing import letters_of
from referee.cli.speaking import Json, Settings, fail, say, say_json, settings_of

__all__ = ["desk_app"]

desk_app = typer.Typer(help="Letters that broke us and wait for a person.", no_args_is_help=True)

_Number = Annotated[int, typer.Argument(help="The letter's number; referee desk list shows it.", show_default=False)]


@desk_app.command("list")
def desk_list(as_json: Json = False, config: Settings = None) -> None:
    """List the letters that wait for a person."""
    letters_of("shunted", as_json, config)


@desk_app.command("show")
def desk_show(id: _Number, as_json: Json = False, config: Settings = None) -> None:
    """Print a letter as it came, byte for byte; with --json, its text and what is known of it."""
    with opened(settings_of(config)) as office, office.store.look() as step:
        row = step.letter(id)
    if row is None:
        fail(f"There is no letter {id}; referee desk list names those that wait.")
    if as_json:
        facts = {name: getattr(row, name) for name in ("id", "sender", "recipient", "status", "verdict", "attempts")}
        received = row.received_at.isoformat()
        say_json({**facts, "received": received, "text": row.raw.decode("utf-8", "replace")})
    else:
        sys.stdout.buffer.write(row.raw)


def _decide(id: int, status: str, said: str, as_json: bool, config: Path | None) -> None:
    with opened(settings_of(config)) as office, office.store.step() as step:
        row = step.letter(id)
        waits = row is not None and row.status == "shunted"
        if waits:
            step.finish_letter(id, status, said, was="shunted")
    if not waits:
        fail(f"Letter {id} does not wait for a person; referee desk list names those that do.")
    if as_json:
        say_json({"id": id, "status": status, "said": said})
    else:
        say(f"Letter {id}: {said}.")


@desk_app.command("retry")
def desk_retry(id: _Number, as_json: Json = False, config: Settings = None) -> None:
    """Put a letter back into the inbox; the running service handles it at its next look."""
    _decide(id, "new", "put back by the keeper", as_json, config)


@desk_app.command("discard")
def desk_discard(id: _Number, as_json: Json = False, config: Settings = None) -> None:
    """Lay a letter aside for good; it stays in the database."""
    _decide(id, "discarded", "laid aside by the keeper", as_json, config)
