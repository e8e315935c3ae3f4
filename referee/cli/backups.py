"""referee backup, restore: all that is kept, copied while the service runs, and brought back with every match proved."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.adapters.backup.manifest import Manifest
from referee.bootstrap.backups import back_up, nightly_name
from referee.bootstrap.offices import clock_of
from referee.bootstrap.restoring import proved, settings_for
from referee.bootstrap.restoring import restore as lay_in_place
from referee.cli.speaking import Json, Settings, fail, say, say_json, say_path, settings_of
from referee.config import VARIABLE, Config
from referee.kit.wording import counted, in_a_row


def backup(
    folder: Annotated[
        Path | None, typer.Argument(help="The folder to make; by default a new one under [backup] folder.")
    ] = None,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Copy database, mailbag, keys, boards and settings into a folder, whole or not at all, while the service runs or not."""
    settings = settings_of(config)
    if folder is None and not settings.backup.folder:
        fail("Name the folder to make, or set [backup] folder.")
    made = back_up(settings, folder or _in_the_folder_of_nights(settings))
    facts = made.manifest
    if as_json:
        say_json({"folder": str(made.folder), "began": facts.began, "bytes": facts.size, "matches": facts.matches})
    else:
        say_path(
            f"{made.folder} has everything up to {_moment(facts.began)}: {_matches(len(facts.matches))}, "
            f"{facts.size / 1_000_000:.1f} MB. Keys and passwords are in it: let nobody else read it."
        )


def _in_the_folder_of_nights(config: Config) -> Path:
    return config.home / config.backup.folder / nightly_name(clock_of(config).now())


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def restore(
    folder: Annotated[Path, typer.Argument(help="The backup.", show_default=False)],
    to: Annotated[
        Path | None,
        typer.Option(help="Lay all of it into this data folder, and nothing anywhere else: to look at a backup."),
    ] = None,
    nothing_lost: Annotated[
        bool,
        typer.Option(
            "--nothing-lost", help="The service has not run since the backup was made, so players need not be told."
        ),
    ] = False,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Bring a backup back into an empty data folder, and play every match again from its log before saying that it may serve.

    Settings, and the files they name, are laid in place where there are none. Exits 1 with what is wrong otherwise.
    """
    file = config or Path(os.environ.get(VARIABLE) or "config.toml")
    settings = settings_for(folder, file, to)
    manifest, left = lay_in_place(folder, settings, to is not None)
    found = []
    for each in proved(settings, manifest, not nothing_lost):
        found.append(each)
        if not as_json:
            verdict = f"[bold red]not sound[/]: {escape(each.trouble)}" if each.trouble else "sound"
            say(f"{escape(each.name)}: {counted(each.entries, 'entries')}, {verdict}")
    unsound = [each.name for each in found if each.trouble]
    lines = _unsound(unsound) if unsound else _may_serve(settings, manifest, left, nothing_lost, to)
    if as_json:
        matches = [{"match": each.name, "entries": each.entries, "trouble": each.trouble} for each in found]
        say_json({"began": manifest.began, "matches": matches, "sound": not unsound, "sentences": lines})
    else:
        for line in lines:
            say_path(line)
    if unsound:
        raise typer.Exit(1)


def _unsound(names: Sequence[str]) -> list[str]:
    them = "it" if len(names) == 1 else "them"
    return [
        f"{in_a_row(list(names))} cannot be played again from the log, so I do not say that this may serve. All else is in place. "
        f"An earlier backup may have {them} whole: empty the data folder and restore that; or serve, and {them} alone stands still."
    ]


def _may_serve(
    config: Config, manifest: Manifest, left: Sequence[str], nothing_lost: bool, to: Path | None
) -> list[str]:
    begun = sum(bool(match.entries) for match in manifest.matches)
    lines = [
        f"Restored as of {_moment(manifest.began)}; {_matches(begun)} played again from the log and sound. It may serve."
    ]
    lines += [f"{path} is another one than in the backup, and was left as it is." for path in left]
    if not nothing_lost:
        lines += _what_is_missing(config, manifest)
    where = f", with [referee] data = {str(config.data_folder)!r}" if to else ""
    return [*lines, f"Then: referee doctor, and referee serve{where}."]


def _what_is_missing(config: Config, manifest: Manifest) -> list[str]:
    """What the host should know, and do, of the time since the backup."""
    since = _moment(manifest.began)
    boxes = [f"the mailbox of {config.imap.user} at {config.imap.host}"] if config.imap.host else []
    boxes += [f"the Maildir {config.home / config.maildir.path}"] if config.maildir.path else []
    lines = [f"What came after {since} is not in it:"]
    if boxes:
        lines.append(
            f"- Letters that still lie in {in_a_row(boxes)} are read again when the service starts; each counts once."
        )
    lines += [
        f"- Letters that came by SMTP, LMTP or a pipe since {since} are gone. The log of your mail server names them: senders "
        "and times of what it delivered to the referee since then.",
        "- Players of matches that run are told when the service starts, and asked to write again what was not answered; their "
        "deadlines move. Who answers a letter that I sent since is told the same.",
    ]
    forming = [match.name for match in manifest.matches if match.status == "forming"]
    if forming:
        lines.append(
            f"- Who joined {in_a_row(forming)} since, or opened a match, is unknown: tell people to write once more."
        )
    return lines
