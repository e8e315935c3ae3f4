"""referee backup, restore, move, keys: all that is kept, copied and brought back; a match moved; the keys that sign."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.adapters.backup import Manifest
from referee.adapters.dkim import STAYS, DkimKeys, Later, dkim_keys, not_published, zone_line
from referee.adapters.signing_key import kept_key, key_changes, rotate
from referee.bootstrap.backups_and_moves import back_up, bring_in, nightly_name, send_out
from referee.bootstrap.offices import accept, clock_of, opened, signing_key
from referee.bootstrap.restoration import proved, settings_for
from referee.bootstrap.restoration import restore as lay_in_place
from referee.cli.dialogue import Json, Settings, fail, say, say_json, say_path, settings_of, when
from referee.config import VARIABLE, Config
from referee.core.signed_note import Key, read_change
from referee.kit.wording import counted, in_a_row, in_number
from referee.service.intake.matches_in import NotTaken
from referee.service.match.result import Denial

# ---------------------------------------------------------------- referee backup, restore


def backup(
    folder: Annotated[
        Path | None, typer.Argument(help="The folder to make; by default a new one where the settings have backups.")
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
            f"{made.folder} has everything up to {_moment(facts.began)}: {counted(len(facts.matches), 'matches')}, "
            f"{facts.size / 1_000_000:.1f} MB. Keys and passwords are in it: let nobody else read it."
        )


def _in_the_folder_of_nights(config: Config) -> Path:
    return config.home / config.backup.folder / nightly_name(clock_of(config).now())


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
            verdict = f"[bold red]not sound[/]: {escape(each.trouble)}" if each.trouble else each.verdict.words.lower()
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
    them = in_number(len(names), "them")
    return [
        f"{in_a_row(list(names))} cannot be played again from the log, so I do not say that this may serve. All else is in place. "
        f"An earlier backup may have {them} whole: empty the data folder and restore that; or serve without {them}."
    ]


def _may_serve(
    config: Config, manifest: Manifest, left: Sequence[str], nothing_lost: bool, to: Path | None
) -> list[str]:
    begun = sum(bool(match.entries) for match in manifest.matches)
    lines = [
        f"Restored as of {_moment(manifest.began)}; {counted(begun, 'matches')} played again from the log, and none is unsound. "
        "It may serve."
    ]
    lines += [f"{path} is another one than in the backup, and was left as it is." for path in left]
    if not nothing_lost:
        lines += _what_is_missing(config, manifest)
    where = f", with [referee] data = {str(config.data_folder)!r}" if to else ""
    return [*lines, f"Then: referee doctor, and referee serve{where}."]


def _what_is_missing(config: Config, manifest: Manifest) -> list[str]:
    """Advice for the host on the time since the backup."""
    since = _moment(manifest.began)
    boxes = [f"the mailbox of {config.imap.user} at {config.imap.host}"] if config.imap.host else []
    boxes += [f"the Maildir {config.home / config.maildir.path}"] if config.maildir.path else []
    lines = [f"Nothing that came after {since} is in it:"]
    if boxes:
        lines.append(
            f"- Letters that still lie in {in_a_row(boxes)} are read again when the service starts; each counts once."
        )
    lines += [
        f"- Letters that came by SMTP, LMTP or a pipe since {since} are gone. The log of your mail server names them: senders "
        "and times of what it delivered to the referee since then.",
        "- Players of matches that run are told when the service starts, and asked to write unanswered letters again; their "
        "deadlines move. Anybody who answers a letter that I sent since is told the same.",
    ]
    forming = [match.name for match in manifest.matches if match.status == "forming"]
    if forming:
        lines.append(
            f"- People who joined {in_a_row(forming)} since, or opened a match, are unknown: tell them to write once more."
        )
    return lines


# ---------------------------------------------------------------- referee move


def move(
    match: Annotated[str, typer.Argument(help="The name of the match that leaves.")] = "",
    to: Annotated[Path | None, typer.Option("--to", help="The file to write it into.")] = None,
    house: Annotated[str, typer.Option(help="The address of the referee that takes it in.")] = "",
    source: Annotated[
        Path | None, typer.Option("--from", help="The file of a match that comes from another house.")
    ] = None,
    never_taken: Annotated[
        bool, typer.Option(help="With --from: the file is this house's own, and no other house has taken it in.")
    ] = False,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Move a match to another house: referee move nw1 --to nw1.match --house referee@club.example, and there --from nw1.match.

    From then on nothing of it is done here; a writer is told where it is played. There it is verified before it goes on.
    It comes back in the same way; a file that no other house took in, with --never-taken.
    """
    settings, granted = settings_of(config), True
    try:
        if source is not None and not match and to is None:
            told = bring_in(settings, source, never_taken)
        elif match and to is not None and house and source is None:
            told = send_out(settings, match, house, to)
        else:
            fail("Name a match with --to FILE and --house ADDRESS, or --from FILE alone.")
    except NotTaken as why:
        fail(str(why))
    except Denial as denial:
        granted, told = False, (str(denial),)
    if as_json:
        say_json({"granted": granted, "sentences": told})
    else:
        for sentence in told:
            say(escape(sentence))
    if not granted:
        raise typer.Exit(1)


# ---------------------------------------------------------------- referee keys


keys_app = typer.Typer(help="The keys that sign, and new ones in their place.", no_args_is_help=True)
rotate_app = typer.Typer(help="Put a new key in the place of the one that signs.", no_args_is_help=True)
keys_app.add_typer(rotate_app, name="rotate")

_Checked = Annotated[
    bool, typer.Option("--publish-checked", help="Do not look into DNS: you know that the record is there.")
]


@rotate_app.command("dkim")
def rotate_dkim(checked: _Checked = False, as_json: Json = False, config: Settings = None) -> None:
    """Make a new key for letters and print its DNS record; said again once that is published, it has the new key sign.

    Until then the old one signs. Exit 1 where the record is not in DNS yet.
    """
    settings = settings_of(config)
    keys = _dkim(settings)
    key = keys.waiting()
    if key is None:
        key = keys.make(datetime.now(UTC))
        _tell_new(keys, key, as_json)
        return
    name, record = keys.record(key)
    if not checked and (why := not_published(name, record)):
        fail(
            f"{why} Nothing has changed: {keys.signer().selector} signs. referee keys show prints the record to publish."
        )
    now = datetime.now(UTC)
    before = keys.begin(key, now)
    if as_json:
        say_json({"signs": key.selector, "old": before, "old_until": (now + STAYS).isoformat()})
        return
    say(escape(f"Letters are signed by {key.selector} from now on, also by a service that runs."))
    until = when(now + STAYS, settings.referee.zone, False)
    say(escape(f"Leave the record of {before} in DNS until {until}: letters that it has signed are still under way."))


@rotate_app.command("signing")
def rotate_signing(as_json: Json = False, config: Settings = None) -> None:
    """Make a new key for the heads of logs, signed by the old one; the next start of the service signs with it.

    Every match is told by its next report, and archives name both.
    """
    old, new = rotate(*signing_key(settings_of(config)))
    if as_json:
        say_json({"signs": new.text(), "old": old.text()})
        return
    say("A new key signs the heads of logs, and the old one has signed that:")
    say_path(f"\n{new.text()}\n")
    say(
        "A service that runs takes it up at its next start. Each match is told by its next report, and its archive names both."
    )
    say("Make a backup: signing.key and signing.changes belong together. On several machines copy both to all of them.")


@keys_app.command("accept")
def keys_accept(as_json: Json = False, config: Settings = None) -> None:
    """Have the address and the keys of these settings be those of the house, where its database knows others.

    Only for a change that is meant: players take letters of another key or address for a stranger's.
    """
    settings = settings_of(config)
    with opened(settings) as office:
        here = accept(settings, office)
    if as_json:
        say_json(here)
        return
    say(escape(f"This house is {here.address} from now on. Other machines start with the same address and keys alone."))


def _dkim(settings: Config) -> DkimKeys:
    keys = dkim_keys(settings)
    if keys is None:
        fail(
            'No letter is signed here: [dkim] names no selector. docs/mail.md tells how it is set up, under "The way out".'
        )
    return keys


def _tell_new(keys: DkimKeys, key: Later, as_json: bool) -> None:
    name, record = keys.record(key)
    if as_json:
        say_json({"waits": key.selector, "name": name, "record": record, "signs": keys.signer().selector})
        return
    say("Publish this in DNS, beside the record that is there:")
    say_path(f"\n{zone_line(name, record)}\n")
    say(escape(f"Then say referee keys rotate dkim again. Until then {keys.signer().selector} signs as before."))


def _signing(settings: Config) -> tuple[str, list[str]]:
    """The key that signs heads, and those before it, as they are published; "" where none was made yet."""
    file, name = signing_key(settings)
    if not file.exists():
        return "", []
    key = kept_key(file, name)
    changes = [change for written in key_changes(file, key) if (change := read_change(written))]
    return Key(name, key.public).text(), [change.old.text() for change in changes]


@keys_app.command("show")
def keys_show(as_json: Json = False, config: Settings = None) -> None:
    """Print which keys sign letters and heads of logs, which one waits for its DNS record, and which records may go."""
    settings = settings_of(config)
    keys = dkim_keys(settings)
    waits = keys.waiting() if keys else None
    old = keys.old() if keys else {}
    key_now, former = _signing(settings)
    if as_json:
        signs = keys.signer().selector if keys else ""
        record = list(keys.record(waits)) if keys and waits else []
        until_then = {selector: until.isoformat() for selector, until in old.items()}
        dkim = {"signs": signs, "waits": record, "old_until": until_then}
        say_json({"dkim": dkim, "signing": {"signs": key_now, "old": former}})
        return
    say(escape(f"Heads of logs are signed by {key_now or 'a key that the first start makes'}."))
    for text in former:
        say(escape(f"Before it signed {text}."))
    if keys is None:
        say("No letter is signed (DKIM).")
        return
    say(escape(f"Letters are signed by {keys.signer().selector} of {keys.domain} (DKIM)."))
    for selector, until in old.items():
        gone = until < datetime.now(UTC)
        said = "may go now" if gone else f"stays in DNS until {when(until, settings.referee.zone, False)}"
        say(escape(f"The record of {selector} {said}."))
    if waits is not None:
        say("This key waits for its record; once it is published, say referee keys rotate dkim:")
        say_path(f"\n{zone_line(*keys.record(waits))}")
