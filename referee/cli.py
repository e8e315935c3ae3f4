"""The command line: the same words as by mail, for whoever keeps the machine."""

from __future__ import annotations

import importlib.metadata
import json
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee import rulebook_cases
from referee.adapters import pipe
from referee.adapters.site import Site
from referee.bootstrap import Service, opened, publish, take_letter
from referee.cli_examine import examine_app
from referee.cli_simulate import simulate_app
from referee.config import Config, ConfigError, load
from referee.core.game import Tabulates
from referee.core.page import Block, Grid, Heading, Paragraph
from referee.doctor import examine
from referee.games import GAMES
from referee.service.archive import verify_archive
from referee.service.counter import (
    at_the_counter,
    create_at_the_counter,
    document_at_the_counter,
    join_at_the_counter,
    player_at_the_counter,
    replay_at_the_counter,
)
from referee.service.digest import concerns
from referee.service.exporting import exported, stem_of
from referee.service.letters import Documents, Frame
from referee.service.library import Missing
from referee.service.lobby import Said
from referee.service.reliability import reliability
from referee.service.words import FORMS

__all__ = ["As", "Json", "Settings", "To", "Turn", "app", "desk_app", "main", "show_app"]

app = typer.Typer(
    name="referee",
    help="A play-by-email referee for long strategy games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
show_app = typer.Typer(help="Look at matches, reports and letters.", no_args_is_help=True)
app.add_typer(show_app, name="show")
desk_app = typer.Typer(help="Letters that broke us and wait for a person.", no_args_is_help=True)
app.add_typer(desk_app, name="desk")
app.add_typer(examine_app, name="examine")
app.add_typer(simulate_app, name="simulate")

Json = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]
Settings = Annotated[Path | None, typer.Option("--config", help="The settings file; config.toml or none by default.")]
_out = Console(soft_wrap=True)


def _config(path: Path | None) -> Config:
    try:
        return load(path)
    except ConfigError as error:
        _fail(str(error))


def _fail(sentence: str) -> NoReturn:
    Console(stderr=True, soft_wrap=True).print(f"[bold red]{escape(sentence)}[/]")
    raise typer.Exit(1)


def _print(data: Any, as_json: bool, columns: tuple[str, ...]) -> None:
    """Rows as a table, or as JSON."""
    rows = msgspec.to_builtins(data)
    if as_json:
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    table = Table(*columns)
    for row in rows:
        table.add_row(*(escape(str(row[column])) for column in columns))
    _out.print(table)


@app.callback(invoke_without_command=True)
def about(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """A play-by-email referee for long strategy games."""
    if version:
        typer.echo(importlib.metadata.version("referee"))
        raise typer.Exit


@app.command()
def serve(config: Settings = None) -> None:
    """Run the service: take letters, play turns, keep deadlines, send letters. Ends on Ctrl-C or SIGTERM."""
    settings = _config(config)
    service = Service(settings)
    ending = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ending.set())
    try:
        port = service.start()
    except OSError as error:
        _fail(f"Port {settings.receive.port} on {settings.receive.host} cannot be used: {error.strerror}.")
    _out.print(f"{escape(settings.referee.address)} takes letters on {settings.receive.host}:{port}", highlight=False)
    sys.stdout.flush()
    ending.wait()
    _leave_in_time()
    service.stop()


_LEAVE = 15.0
"""Seconds a service that was asked to end may take; all it did is committed, so that nothing is lost by going then."""


def _leave_in_time() -> None:
    """Go at the latest after a while, whatever a thread still waits for; the desk goes with its service."""
    last = threading.Timer(_LEAVE, os._exit, (0,))
    last.daemon = True
    last.start()


@app.command()
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


@app.command()
def rules(game: str, as_json: Json = False) -> None:
    """Print every rule and ruling of a game with the number of its cases."""
    found = next((g for g in GAMES if g.name == game), None)
    if found is None:
        _fail(f"I know no game {game}; I know {', '.join(g.name for g in GAMES)}.")
    cases = rulebook_cases.count(game)
    rows = [
        {"id": rule.id, "mark": rule.mark, "text": rule.text, "citation": rule.citation, "cases": cases.get(rule.id, 0)}
        for rule in found.rules
    ]
    _print(rows, as_json, ("id", "mark", "cases", "citation", "text"))
    if isinstance(found, Tabulates) and not as_json:
        _tables(found.rule_tables(None))
    without = [str(row["id"]) for row in rows if not row["cases"]]
    if without:
        Console(stderr=True).print(f"{len(without)} without a case: {', '.join(without)}")


def _tables(blocks: Iterable[Block]) -> None:
    """Tables that belong to the rules, with the headings they stand under."""
    for block in blocks:
        if isinstance(block, Grid):
            table = Table(*block.columns)
            for row in block.rows:
                table.add_row(*(escape(str(cell)) for cell in row))
            _out.print(table)
        elif isinstance(block, Heading | Paragraph):
            _out.print(escape(block.text))


@app.command()
def gm(
    match: str,
    words: Annotated[list[str], typer.Argument(help='As by mail: DEADLINE +12h FOR France BECAUSE "travelling"')],
    config: Settings = None,
    by: Annotated[str, typer.Option(help="Who you are, as it is published.")] = "the keeper",
    as_json: Json = False,
) -> None:
    """Do one game master's word in a match, as if it had come by mail."""
    with opened(_config(config)) as office:
        said = at_the_counter(office, match, " ".join(words), by)
    _tell(said, as_json)


@app.command()
def player(
    match: str,
    seat: str,
    words: Annotated[list[str], typer.Argument(help="As by mail: WAIT, or a line of orders")],
    config: Settings = None,
    as_json: Json = False,
) -> None:
    """Write for a player at the machine, as if his letter had come by mail; he is sent what the referee answers."""
    with opened(_config(config)) as office:
        said = player_at_the_counter(office, match, seat, " ".join(words))
    _tell(said, as_json)


def _tell(said: Said, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"granted": said.granted, "sentences": said.sentences}, indent=2, ensure_ascii=False))
    else:
        for line in said.sentences:
            _out.print(escape(line))
    if not said.granted:
        raise typer.Exit(1)


@app.command()
def create(
    game: str,
    match: str,
    master: Annotated[str, typer.Option("--gm", help="The game master's address.")],
    options: Annotated[str, typer.Option("--with", help="Options: nationalities yes, coal metal")] = "",
    config: Settings = None,
) -> None:
    """Open a match."""
    with opened(_config(config)) as office:
        said = create_at_the_counter(office, game, match, master, options)
    _say(said.granted, said.sentences)


@app.command()
def join(
    match: str,
    address: str,
    wishes: Annotated[str, typer.Option("--as", help="Seats wished for, best first, with commas between.")] = "",
    name: Annotated[str, typer.Option(help="The player's name.")] = "",
    config: Settings = None,
) -> None:
    """Enter a player."""
    with opened(_config(config)) as office:
        said = join_at_the_counter(office, match, address, wishes, name)
    _say(said.granted, said.sentences)


def _say(granted: bool, sentences: tuple[str, ...]) -> None:
    for line in sentences:
        _out.print(escape(line))
    if not granted:
        raise typer.Exit(1)


@app.command()
def replay(match: str, as_json: Json = False, config: Settings = None) -> None:
    """Re-adjudicate a match from its log: every event, die, report and letter must come out the same."""
    with opened(_config(config)) as office:
        found = replay_at_the_counter(office, match)
    if found is None:
        _fail(f"I know no match {match} that has begun.")
    _audited(found, as_json)


@app.command()
def verify(folder: Path, as_json: Json = False) -> None:
    """Verify a finished match from its archive folder alone: the chain, every die, every event, every report."""
    try:
        parts = [(folder / name).read_bytes() for name in ("match.json", "log.jsonl", "reports.jsonl")]
    except OSError as error:
        _fail(f"{folder} is no archive of a match: {error.strerror} ({error.filename}).")
    _audited(verify_archive({game.name: game for game in GAMES}, *parts), as_json)


def _audited(found: Any, as_json: bool) -> None:
    facts = {name: getattr(found, name) for name in found.__struct_fields__ if name != "ended"}
    if as_json:
        typer.echo(json.dumps({**facts, "sound": found.sound}, indent=2))
    elif found.sound:
        counted = (
            (found.entries, "entr", "ies", "y"),
            (found.events, "event", "s", ""),
            (found.dice, "di", "ce", "e"),
            (found.draws, "card", "s drawn", " drawn"),
            (found.phases, "phase", "s", ""),
            (found.rewinds, "rewind", "s", ""),
            (found.letters, "letter", "s", ""),
        )
        parts = [f"{number} {stem}{one if number == 1 else many}" for number, stem, many, one in counted if number]
        _out.print(f"Sound: {', '.join(parts)}; head {found.head}.")
    else:
        _out.print(f"[bold red]Not sound:[/] {escape(found.trouble)}")
    if found.note and not as_json:
        _out.print(f"Note: {escape(found.note)}.")
    if not found.sound:
        raise typer.Exit(1)


@app.command()
def archive(
    match: str, to: Annotated[Path | None, typer.Option(help="The folder.")] = None, config: Settings = None
) -> None:
    """Write the archive folder of a match."""
    settings = _config(config)
    with opened(settings) as office:
        index = publish(office, Site(to or settings.archive_folder), match)
    if index is None:
        _fail(f"I know no match {match} that has begun.")
    _out.print(str(index), highlight=False)


def _files(match: str, document: str, turn: int | None, seat: str, form: str, to: Path, config: Path | None) -> None:
    if form not in FORMS:
        _fail(f"I cannot make {form}; I make {' and '.join(FORMS)}.")
    with opened(_config(config)) as office:
        found = document_at_the_counter(office, match, document, turn, seat)
        made = exported(office.renderer, found, form, stem_of(match, document, turn, seat))
    if isinstance(made, Missing):
        _fail(made.sentence)
    to.mkdir(parents=True, exist_ok=True)
    for file in made:
        (to / file.name).write_bytes(file.data)
        _out.print(str(to / file.name), highlight=False)


def _document(match: str, document: str, turn: int | None, seat: str, as_json: bool, config: Path | None) -> None:
    with opened(_config(config)) as office:
        found = document_at_the_counter(office, match, document, turn, seat)
        if isinstance(found, Missing):
            _fail(found.sentence)
        if as_json:
            typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
            return
        letter = Documents(Frame("", office.name, "", ""), "", found.pages, found.sheets)
        typer.echo(office.renderer.render("documents", letter).text)


As = Annotated[str, typer.Option("--as", help="Write files for a spreadsheet program: csv or xlsx.")]
To = Annotated[Path, typer.Option("--to", help="The folder for the files.")]
Turn = Annotated[int | None, typer.Option(help="Of which turn; the latest by default.")]


@show_app.command("report")
def show_report(match: str, turn: Turn = None, as_json: Json = False, config: Settings = None) -> None:
    """Print the public report of a turn."""
    _document(match, "report", turn, "", as_json, config)


@show_app.command("sheets")
def show_sheets(
    match: str,
    turn: Turn = None,
    of: Annotated[str, typer.Option(help="Of which seat.")] = "",
    form: As = "",
    to: To = Path(),
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Print the record sheets, as they stand or as they stood after a turn; or write them to files."""
    if form:
        _files(match, "sheets", turn, of, form, to, config)
    else:
        _document(match, "sheets", turn, of, as_json, config)


@show_app.command("history")
def show_history(match: str, as_json: Json = False, config: Settings = None) -> None:
    """List every report of a match."""
    _document(match, "history", None, "", as_json, config)


@show_app.command("standings")
def show_standings(match: str, as_json: Json = False, config: Settings = None) -> None:
    """Print who stands where."""
    _document(match, "standings", None, "", as_json, config)


@show_app.command("log")
def show_log(match: str, form: As = "", to: To = Path(), as_json: Json = False, config: Settings = None) -> None:
    """Print everything that happened, with every die; or write it to files."""
    if form:
        _files(match, "log", None, "", form, to, config)
    else:
        _document(match, "log", None, "", as_json, config)


@show_app.command("matches")
def show_matches(as_json: Json = False, config: Settings = None) -> None:
    """List all matches."""
    with opened(_config(config)) as office, office.store.look() as step:
        rows = [{"match": r.name, "game": r.game, "status": r.status, "turn": r.turn} for r in step.matches()]
    _print(rows, as_json, ("match", "game", "status", "turn"))


@show_app.command("members")
def show_members(match: str, as_json: Json = False, config: Settings = None) -> None:
    """Who takes part in a match."""
    with opened(_config(config)) as office, office.store.look() as step:
        rows = [
            {"role": m.role, "seat": m.seat, "status": m.status, "name": p.name, "address": p.addresses[0]}
            for m in step.members(match)
            if (p := step.player(m.player))
        ]
    _print(rows, as_json, ("role", "seat", "status", "name", "address"))


@show_app.command("letters")
def show_letters(status: str = "shunted", as_json: Json = False, config: Settings = None) -> None:
    """Letters that came in, by status: new, done, duplicate, ignored, shunted."""
    with opened(_config(config)) as office, office.store.look() as step:
        rows = [
            {
                "id": r.id,
                "received": r.received_at.isoformat(),
                "sender": r.sender,
                "status": r.status,
                "verdict": r.verdict,
            }
            for r in step.letters(status)
        ]
    _print(rows, as_json, ("id", "received", "sender", "status", "verdict"))


@show_app.command("deadlines")
def show_deadlines(match: str, as_json: Json = False, config: Settings = None) -> None:
    """What falls due in a match."""
    with opened(_config(config)) as office, office.store.look() as step:
        rows = [{"kind": a.kind, "seat": a.seat, "key": a.key, "due": a.due_at.isoformat()} for a in step.alarms(match)]
    _print(rows, as_json, ("kind", "seat", "key", "due"))


@show_app.command("digest")
def show_digest(as_json: Json = False, config: Settings = None) -> None:
    """What a keeper should look at now: stuck matches, unreachable players, shunted and undelivered letters."""
    with opened(_config(config)) as office, office.store.look() as step:
        found = concerns(office, step)
    _print(found, as_json, ("kind", "about", "sentence"))


@show_app.command("record")
def show_record(address: str, as_json: Json = False, config: Settings = None) -> None:
    """How reliably somebody has played over all his matches."""
    with opened(_config(config)) as office, office.store.look() as step:
        known = step.player_at(address.lower())
        found = reliability(office, step, known.id) if known else None
    if found is None:
        _fail(f"I know nobody at {address}.")
    _print([found], as_json, found.__struct_fields__)


@desk_app.command("list")
def desk_list(as_json: Json = False, config: Settings = None) -> None:
    """List the letters that wait for a person."""
    show_letters("shunted", as_json, config)


@desk_app.command("show")
def desk_show(id: int, config: Settings = None) -> None:
    """Print a letter as it came, byte for byte."""
    with opened(_config(config)) as office, office.store.look() as step:
        row = step.letter(id)
    if row is None:
        _fail(f"There is no letter {id}; referee desk list names those that wait.")
    sys.stdout.buffer.write(row.raw)


def _decide(id: int, status: str, said: str, config: Path | None) -> None:
    with opened(_config(config)) as office, office.store.step() as step:
        row = step.letter(id)
        waits = row is not None and row.status == "shunted"
        if waits:
            step.finish_letter(id, status, said)
    if not waits:
        _fail(f"Letter {id} does not wait for a person; referee desk list names those that do.")
    _out.print(f"Letter {id}: {said}.")


@desk_app.command("retry")
def desk_retry(id: int, config: Settings = None) -> None:
    """Put a letter back into the inbox; the running service handles it at its next look."""
    _decide(id, "new", "put back by the keeper", config)


@desk_app.command("discard")
def desk_discard(id: int, config: Settings = None) -> None:
    """Lay a letter aside for good; it stays in the database."""
    _decide(id, "discarded", "laid aside by the keeper", config)


@app.command()
def doctor(as_json: Json = False, config: Settings = None) -> None:
    """Check settings, disk, clock, database, relay and mailbox, and say what to mend; exit 1 if there is something."""
    findings = examine(_config(config))
    if as_json:
        typer.echo(json.dumps(msgspec.to_builtins(findings), indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            _out.print(
                f"{'[green]well[/]' if finding.well else '[bold red]mend[/]'}  {finding.what}: {escape(finding.sentence)}"
            )
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


@app.command()
def demo(
    game: Annotated[str, typer.Argument(help="The game.")] = "newworld",
    keep: Annotated[Path | None, typer.Option(help="Keep everything in this folder.")] = None,
) -> None:
    """Play a whole match by real e-mail on this machine, with everything that can happen on the way."""
    from referee.demo import play

    raise typer.Exit(play(game, keep))


@app.command()
def bench(
    group: Annotated[str, typer.Argument(help="What to measure.")] = "quick",
    runs: int = 5,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
    compare: Annotated[Path | None, typer.Option(help="Figures of an earlier run.")] = None,
    floor: Annotated[bool, typer.Option("--floor", help="Exit 1 when a ratio is under its floor.")] = False,
) -> None:
    """Measure the referee as ratios beside baselines in the same run."""
    from referee.bench import run

    raise typer.Exit(run(group, runs, json_file, compare, floor))


def main() -> None:
    """The entry point. A setting that turns out to be wrong only when it is used is told in its one sentence too."""
    try:
        app()
    except ConfigError as error:
        typer.echo(str(error), err=True)
        sys.exit(1)
