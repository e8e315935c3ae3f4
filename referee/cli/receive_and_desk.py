"""referee receive, show health, desk: called for each letter or each minute, and so they load little."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Set
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.adapters.incoming import maildir
from referee.adapters.processes.supervisor import at_hand
from referee.bootstrap.health import health_at_the_counter
from referee.bootstrap.offices import clock_of, mailbag, stored
from referee.cli.dialogue import Json, Settings, fail, say, say_json, say_path, say_rows, settings_of, when
from referee.config import Config, load
from referee.service.base.ports import Pending, Step
from referee.service.base.times import length
from referee.service.intake.health import as_data

# ---------------------------------------------------------------- referee receive


def receive(
    recipient: Annotated[str, typer.Option(help="The envelope recipient, where the mail server does not say.")] = "",
    sender: Annotated[str | None, typer.Option(help="The envelope sender, empty for a bounce.")] = None,
    config: Settings = None,
) -> None:
    """Store the letter on standard input: for .forward, procmail and the like.

    Exits 75 when it could not be stored, so that the mail server keeps the letter and tries again.
    """
    try:
        from referee.bootstrap.mail_ways import take_letter  # which loads mail servers and mailboxes

        take_letter(load(config), sys.stdin.buffer, maildir.envelope(os.environ, sender, recipient))
    except Exception as error:
        # After any fault here the letter must not be bounced to its writer.
        typer.echo(f"The letter was not stored: {error}", err=True)
        raise typer.Exit(maildir.EX_TEMPFAIL) from error


# ---------------------------------------------------------------- referee show health


show_app = typer.Typer(help="Look at matches, reports and letters.", no_args_is_help=True)


@show_app.callback()
def _show() -> None:
    """Look at matches, reports and letters."""


@show_app.command("health")
def show_health(as_json: Json = False, config: Settings = None) -> None:
    """Say whether all is well, without the names of anybody; exit 1 when something is wrong."""
    found = health_at_the_counter(settings_of(config))
    if as_json:
        say_json(as_data(found))
    else:
        for sentence in found.wrong or ("All is well.",):
            say(escape(sentence))
    if not found.well:
        raise typer.Exit(1)


# ---------------------------------------------------------------- referee desk


_CONTROLS = re.compile(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]")

desk_app = typer.Typer(help="Letters that broke us, and others that are not done.", no_args_is_help=True)

_Number = Annotated[int, typer.Argument(help="The letter's number; referee desk list shows it.", show_default=False)]


@desk_app.command("list")
def desk_list(as_json: Json = False, config: Settings = None) -> None:
    """List the letters that wait for a person, and new ones that are in hand, were tried, or wait for over a minute."""
    settings = settings_of(config)
    in_hand = {at.letter for at in map(at_hand, settings.hand_files) if at is not None}
    with stored(settings) as store, store.look() as step:
        now, pending = clock_of(settings).now(), [*step.pending(), *_in_the_bag(settings, step)]
    told = partial(when, zone=settings.referee.zone, as_json=as_json)
    rows = [_row(row, now, in_hand, told) for row in pending if row.id in in_hand or not _soon_done(row, now)]
    say_rows(rows, as_json, _COLUMNS)


def _in_the_bag(config: Config, step: Step) -> list[Pending]:
    """Letters that were acknowledged and that the desk has not taken into the database."""
    bag = mailbag(config)
    if bag is None:
        return []
    with closing(bag):
        return [*bag.waiting(step), *bag.aside()]


_SOON = timedelta(minutes=1)
_COLUMNS = ("id", "received", "waits", "status", "attempts", "size", "sender", "verdict")


def _soon_done(row: Pending, now: datetime) -> bool:
    return row.status in ("new", "in the mailbag") and not row.attempts and now - row.received_at < _SOON


def _age(span: timedelta) -> str:
    return length(span) if span >= timedelta(minutes=1) else f"{span.total_seconds():.0f} s"


def _row(row: Pending, now: datetime, in_hand: Set[int], told: Callable[[datetime], str]) -> dict[str, object]:
    status = "in hand" if row.id in in_hand else row.status
    said = (told(row.received_at), _age(now - row.received_at), status, row.attempts, row.size, row.sender)
    return dict(zip(_COLUMNS, (row.id, *said, row.verdict), strict=True))


@desk_app.command("show")
def desk_show(id: _Number, as_json: Json = False, config: Settings = None) -> None:
    """Print a letter as it came, byte for byte; with --json, its text and what is known of it.

    A terminal is shown no signs of control, as a stranger may have written them: they stand as \\x1b.
    """
    with stored(settings_of(config)) as store, store.look() as step:
        row = step.letter(id)
    if row is None:
        fail(f"There is no letter {id}; referee desk list names those that wait.")
    if as_json:
        facts = {name: getattr(row, name) for name in ("id", "sender", "recipient", "status", "verdict", "attempts")}
        received = row.received_at.isoformat()
        say_json({**facts, "received": received, "text": row.raw.decode("utf-8", "replace")})
    elif not row.raw:
        fail(f"Of letter {id} only this is known: {row.verdict}.")
    elif sys.stdout.isatty():
        say_path(
            _CONTROLS.sub(
                lambda sign: f"\\x{ord(sign[0]):02x}", row.raw.decode("utf-8", "replace").replace("\r\n", "\n")
            )
        )
    else:
        sys.stdout.buffer.write(row.raw)


def _decide(id: int, of: tuple[str, ...], status: str, said: str, as_json: bool, config: Path | None) -> None:
    with stored(settings_of(config)) as store, store.step() as step:
        row = step.letter(id)
        waits = row is not None and row.status in of
        if row is not None and waits:
            step.finish_letter(id, status, said, was=row.status)
            if status == "discarded":
                step.drop_bytes(id, digest := sha256(row.raw).hexdigest(), f", SHA-256 {digest}")
    if not waits:
        fail(f"Letter {id} is not one that waits for this; referee desk list names those that are not done.")
    if as_json:
        say_json({"id": id, "status": status, "said": said})
    else:
        say(f"Letter {id}: {said}.")


@desk_app.command("retry")
def desk_retry(id: _Number, as_json: Json = False, config: Settings = None) -> None:
    """Put a letter back into the inbox; the running service handles it at its next look."""
    _decide(id, ("held", "shunted"), "new", "put back by the keeper", as_json, config)


@desk_app.command("discard")
def desk_discard(id: _Number, as_json: Json = False, config: Settings = None) -> None:
    """Lay a letter that is not done aside for good, be it new, held or shunted; its bytes go, and that it came stays."""
    _decide(id, ("new", "held", "shunted"), "discarded", "laid aside by the keeper", as_json, config)
