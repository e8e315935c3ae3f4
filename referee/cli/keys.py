"""referee keys: the keys that sign, and new ones in their place."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape

from referee.adapters.dkim_keys import STAYS, DkimKeys, Later, not_published, zone_line
from referee.adapters.signing import kept_key, key_changes, rotate
from referee.bootstrap.offices import accept, opened, signing_key
from referee.bootstrap.signatures import dkim_keys
from referee.cli.speaking import Json, Settings, fail, say, say_json, say_path, settings_of, when
from referee.config import Config
from referee.core.proof.signed_note import Key, read_change

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
