"""referee rules, replay, verify, archive, forget: the rules of a game, and what is kept of a match and of a person."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.request import urlopen

import typer
from rich.console import Console
from rich.markup import escape

from referee import rulebook_cases
from referee.adapters.beacon.drand import chain_of, verifier
from referee.adapters.files import Unusable
from referee.adapters.outgoing.postman import mailbox
from referee.adapters.pages import text_table
from referee.adapters.pages.archive_folder import Site
from referee.adapters.pages.render import engine_folder
from referee.adapters.signing_key import verify as signature
from referee.bootstrap.mail_ways import publish, publish_heads, publish_home
from referee.bootstrap.offices import opened
from referee.cli.dialogue import Json, Match, Settings, fail, say, say_json, say_path, say_rows, settings_of, table
from referee.config import Config
from referee.core.game import Tabulates
from referee.core.page import Block, Grid, Heading, Paragraph, Quotation
from referee.games import GAMES
from referee.kit.wording import counted, in_a_row
from referee.mail import address_in
from referee.service.base.note_values import TooNew
from referee.service.base.office import Office
from referee.service.base.ports import Player
from referee.service.house import forgetting
from referee.service.house.forgetting import Kept, known_of, takes_part_in
from referee.service.house.proofs import NAME as WITNESSED
from referee.service.house.proofs import SIGNED
from referee.service.house.saved_letters import Letter, saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.intake.counter import replay_at_the_counter
from referee.service.intake.sent_letters import read_sent
from referee.service.match.audit import Audited, Verdict, how_checked
from referee.service.match.open_log import LISTED, LOG


def rules(game: Annotated[str, typer.Argument(help="The game.", show_default=False)], as_json: Json = False) -> None:
    """Print every rule and ruling of a game with the number of its cases."""
    found = next((g for g in GAMES if g.name == game), None)
    if found is None:
        fail(f"I know no game {game}; I know {', '.join(g.name for g in GAMES)}.")
    cases = rulebook_cases.count(found)
    rows = [
        {"id": rule.id, "mark": rule.mark, "text": rule.text, "citation": rule.citation, "cases": cases.get(rule.id, 0)}
        for rule in found.rules
    ]
    say_rows(rows, as_json, ("id", "mark", "cases", "citation", "text"))
    if isinstance(found, Tabulates) and not as_json:
        _tables(found.rule_tables(None))
    without = [str(row["id"]) for row in rows if not row["cases"]]
    if without:
        Console(stderr=True).print(f"{len(without)} without a case: {', '.join(without)}")


def _tables(blocks: Iterable[Block]) -> None:
    """Tables that belong to the rules, with the headings they stand under."""
    for block in blocks:
        if isinstance(block, Grid):
            table(block.columns, block.rows)
        elif isinstance(block, Heading | Paragraph | Quotation):
            say(escape(block.text))


def replay(match: Match, as_json: Json = False, config: Settings = None) -> None:
    """Play a match again from its log; exit 1 unless every event, die, report and letter of these rules comes out the same."""
    with opened(settings_of(config)) as office:
        found = replay_at_the_counter(office, match)
    if found is None:
        fail(f"I know no match {match} that has begun.")
    _audited(found, as_json)


def verify(
    folder: Annotated[Path, typer.Argument(help="The archive folder of a match.", show_default=False)],
    letters: Annotated[
        list[Path] | None,
        typer.Option(help="Letters that you saved (.eml), or folders of them; may be given several times."),
    ] = None,
    witness: Annotated[
        list[str] | None,
        typer.Option(help="The heads that a witness tells itself: its heads.txt, as a file, a folder or an address."),
    ] = None,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Check a match from its archive folder alone: chain, dice, events, reports, signatures; and your letters against it.

    Of a match that is not over the public log and the dice that everybody was told are checked. Rounds of a beacon are
    those of the settings' chain; by default drand's quicknet.

    Exit 0: sound. 1: not sound. 3: sound as far as checked; it says what was not, and why. 4: the folder is older than your
    letters, or its files are of two moments; fetch it anew. 5: all your letters are another house's. By 4 and 5 nothing is
    proved.
    """
    try:
        (*parts, witnessed, listed), digests = of_one_moment(folder)
    except OSError as error:
        fail(f"{folder} is no archive of a match: {error.strerror} ({error.filename}).")
    try:
        games = {game.name: game for game in GAMES}
        made = chain_of(settings_of(config, needed=False).chance).time_of
        checks = Checks(
            signature,
            _verifier(config),
            made,
            tuple(_saved(letters or ())),
            witnessed.decode("utf-8", "replace"),
            tuple(map(_told_by, witness or ())),
            datetime.now(UTC),
            text_table.table,
            listed,
            digests,
            lambda name: _page(folder / name, digests[name]),
            partial(read_sent, games=games),
        )
        found = verify_archive(games, *parts, checks=checks)
    except TooNew as why:
        fail(str(why))
    except OSError as error:
        fail(f"{error.filename} cannot be read: {error.strerror}.")
    _audited(found, as_json)


def of_one_moment(folder: Path) -> tuple[list[bytes], dict[str, str]]:
    """The files of a folder by which it is verified, and the digests of all, read again where another is laid in its place.

    Raises OSError as reading does.
    """
    while True:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            digests = dict(_digests(here))
            parts = [_file(name, here) for name in ("match.json", LOG, "reports.jsonl")]
            parts += [_file(name, here) if name in digests else b"" for name in (WITNESSED, LISTED)]
            if os.path.samestat(os.fstat(here), folder.stat()):
                return parts, digests
        except FileNotFoundError:
            if os.path.samestat(os.fstat(here), folder.stat()):
                raise
        finally:
            os.close(here)


def _page(file: Path, digest: str) -> str:
    """A page of a folder as it was when its digest was taken. Raises OSError."""
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        raise OSError(errno.EAGAIN, "was laid anew meanwhile; verify once more", file.name)
    return data.decode("utf-8", "replace")


def _digests(folder: int) -> Iterator[tuple[str, str]]:
    """Of each plain file its path and digest."""
    for place, _, names, at in os.fwalk(".", dir_fd=folder):
        for name in names:
            if stat.S_ISREG(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
                yield (Path(place) / name).as_posix(), hashlib.sha256(_file(name, at)).hexdigest()


def _file(name: str, folder: int) -> bytes:
    """A plain file, whole. Raises OSError for what never ends, such as a device."""
    with os.fdopen(os.open(name, os.O_RDONLY | os.O_NONBLOCK, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "is no plain file", name)
        return file.read()


_MOST = 10_000_000
"""So many bytes of a witness's file are read."""


def _told_by(witness: str) -> str:
    """The heads that a witness tells. Raises OSError."""
    if not witness.startswith(("http://", "https://")):
        path = Path(witness)
        return (path / SIGNED if path.is_dir() else path).read_text("utf-8", "replace")
    address = witness if witness.endswith(".txt") else f"{witness.rstrip('/')}/{SIGNED}"
    try:
        with urlopen(address, timeout=30) as answer:
            return bytes(answer.read(_MOST)).decode("utf-8", "replace")
    except OSError as error:
        raise OSError(errno.EHOSTUNREACH, str(getattr(error, "reason", error)), address) from error


def _saved(given: Iterable[Path]) -> Iterator[Letter]:
    """The letters in these files, and in all files of these folders; a mailbox file gives all of its letters."""
    for path in given:
        if not path.exists():
            fail(f"There are no letters at {path}.")
        for file in sorted(path.rglob("*")) if path.is_dir() else (path,):
            if file.is_file():
                data = file.read_bytes()
                yield from (map(saved, _MAILBOX.split(data)[1:]) if data.startswith(b"From ") else (saved(data),))


_MAILBOX = re.compile(rb"^From [^\n]*\n", re.MULTILINE)


def _verifier(config: Path | None) -> Callable[[int, bytes], bool] | None:
    """The verifier of rounds; None if the extra for it is not installed, which is no fault of an archive."""
    try:
        return verifier(settings_of(config, needed=False).chance)
    except Unusable:
        return None


def _audited(found: Audited, as_json: bool) -> None:
    if as_json:
        facts = {name: getattr(found, name) for name in found.__struct_fields__ if name not in ("courses", "asides")}
        say_json({**facts, "sound": found.sound, "verdict": found.verdict.words})
    elif found.sound:
        say(f"{found.verdict.words}: {', '.join(_counted(found))}; head {found.head}.")
        for sentence in how_checked(found):
            say(escape(sentence))
    else:
        say(
            f"[bold]{found.verdict.words}:[/] {escape(found.trouble)}.{_NOTHING if found.why is not Verdict.UNSOUND else ''}"
        )
    if found.note and not as_json:
        say(f"Note: {escape(found.note)}.")
    if found.verdict:
        raise typer.Exit(found.verdict)


_NOTHING = " Nothing is proved by that."


def _counted(found: Any) -> list[str]:
    facts = (
        (found.entries, "entries", ""),
        (found.events, "events", ""),
        (found.dice, "dice", ""),
        (found.draws, "cards", " drawn"),
        (found.again, "phases", " played again"),
        (found.rewinds, "rewinds", ""),
        (found.renewals, "renewals", ""),
        (found.letters, "letters", ""),
    )
    return [f"{counted(number, noun)}{done}" for number, noun, done in facts if number]


def archive(
    match: Match,
    to: Annotated[Path | None, typer.Option(help="The folder; by default the archive of the settings.")] = None,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Write the folder of static pages of a match and the pages of the house beside it, and print the path of its index."""
    settings = settings_of(config)
    with opened(settings) as office:
        site = Site(to or settings.archive_folder, public=to is not None or settings.archive_is_public)
        index = publish(office, site, match)
        if index is not None:
            publish_home(office, site, (match,))
            publish_heads(office, site)
            site.lay_engine(engine_folder())
    if index is None:
        fail(f"I know no match {match} that has begun.")
    if as_json:
        say_json({"index": str(index)})
    else:
        say_path(str(index))


# ---------------------------------------------------------------- referee forget


_Yes = Annotated[bool, typer.Option("--yes", help="Do it; without this it is only said what would be done.")]


def forget(
    address: Annotated[str, typer.Argument(help="An address of his.", show_default=False)],
    yes: _Yes = False,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Say what is kept of a person and what would become of it; with --yes he is forgotten, for good.

    His seats stay in the logs of his matches under their own names; pages are written anew. docs/privacy.md tells all of it.
    """
    settings, address = settings_of(config), address_in(address) or address
    with opened(settings) as office:
        with office.store.look() as step:
            player = step.player_at(address) or Player(0, "", (address,))
            busy, kept = takes_part_in(step, player), known_of(step, player)
        if busy and yes:
            fail(
                f"{address} takes part in {in_a_row(busy)}: let him RESIGN or leave, or give his seat away (referee gm "
                f"{busy[0]} 'REPLACE SEAT BY ADDRESS'), then forget him."
            )
        if not kept:
            fail(f"Nothing is kept of {address}.")
        if yes:
            _forget(settings, office, player)
    _tell(address, kept, busy, yes, as_json)


def _forget(settings: Config, office: Office, player: Player) -> None:
    with office.step() as at:
        matches = forgetting.forget(at, player)
    site = Site(settings.archive_folder, public=settings.archive_is_public)
    begun = [match for match in matches if publish(office, site, match) is not None]
    publish_home(office, site, begun)
    (settings.archive_folder / "p" / f"{player.id}.html").unlink(missing_ok=True)
    for address in player.addresses:
        shutil.rmtree(mailbox(settings.mail_folder, address), ignore_errors=True)


def _tell(address: str, kept: tuple[Kept, ...], busy: tuple[str, ...], done: bool, as_json: bool) -> None:
    if as_json:
        say_json({"address": address, "forgotten": done, "takes_part_in": busy, "kept": kept})
        return
    table(("what", "how much", "was" if done else "would be"), ((k.what, k.count, k.then) for k in kept))
    if done:
        say(escape(f"{address} is forgotten. {_ELSEWHERE}"))
    elif busy:
        say(escape(f"Nothing was changed. He takes part in {in_a_row(busy)} and must have left before."))
    else:
        say(escape(f"Nothing was changed. referee forget {address} --yes does it, and there is no way back."))


_ELSEWHERE = (
    "Backups have him until they are thinned out, and so has your mailbox at a provider, if letters stay there; pages that lie "
    "elsewhere are yours to fetch anew."
)
