"""referee create, gm, player, join, observe, standby, show: what a letter does, and what it is answered, at the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import ValidationError
from rich.markup import escape

from referee.bootstrap.offices import opened
from referee.cli.dialogue import (
    Json,
    Match,
    Settings,
    fail,
    say,
    say_json,
    say_letter,
    say_path,
    say_rows,
    settings_of,
    when,
)
from referee.cli.receive_and_desk import show_health
from referee.core.position import Diverged
from referee.kit.wording import in_a_row
from referee.service.base import notes
from referee.service.base.letter_facts import Documents, Frame
from referee.service.base.office import At, Office
from referee.service.base.ports import MatchRow
from referee.service.house.choices import Choices, Decided, choices_page
from referee.service.house.documents import ANYBODY, DOCUMENTS, Document, Files, Wanted
from referee.service.house.match_lists import stands_at
from referee.service.house.reliability import reliability
from referee.service.intake.counter import (
    Answer,
    at_the_counter,
    choices_at_the_counter,
    create_at_the_counter,
    decided_at_the_counter,
    document_at_the_counter,
    games_at_the_counter,
    help_at_the_counter,
    join_at_the_counter,
    observe_at_the_counter,
    player_at_the_counter,
    stand_by_at_the_counter,
    who_at_the_counter,
)
from referee.service.match.result import Denial
from referee.service.turn.knowledge import Found

_Words = Annotated[
    list[str],
    typer.Argument(help="The line as by mail, or - for a whole letter on standard input.", show_default=False),
]
_Address = Annotated[str, typer.Argument(help="His address.", show_default=False)]
_Name = Annotated[str, typer.Option(help="His name; by default what stands before the @.", show_default=False)]


def create(
    game: Annotated[str, typer.Argument(help="The game; referee show games lists them.", show_default=False)],
    match: Match,
    master: Annotated[str, typer.Option("--gm", help="The game master's address.", show_default=False)],
    options: Annotated[str, typer.Option("--with", help="As after WITH by mail: nationalities yes, slot 48h")] = "",
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Open a match for a game master, as CREATE does."""
    with opened(settings_of(config)) as office:
        _tell(create_at_the_counter(office, game, match, master, options), as_json)


def join(
    match: Match,
    address: _Address,
    wishes: Annotated[str, typer.Option("--as", help="Seats wished for, best first, with commas between.")] = "",
    name: _Name = "",
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Enter a player, as JOIN does."""
    with opened(settings_of(config)) as office:
        _tell(join_at_the_counter(office, match, address, wishes, name), as_json)


def observe(match: Match, address: _Address, name: _Name = "", as_json: Json = False, config: Settings = None) -> None:
    """Enter somebody who is sent the public reports, as OBSERVE does."""
    with opened(settings_of(config)) as office:
        _tell(observe_at_the_counter(office, match, address, name), as_json)


def standby(match: Match, address: _Address, name: _Name = "", as_json: Json = False, config: Settings = None) -> None:
    """Enter somebody who takes a seat that falls free, as STANDBY does."""
    with opened(settings_of(config)) as office:
        _tell(stand_by_at_the_counter(office, match, address, name), as_json)


def gm(
    match: Match,
    words: _Words,
    by: Annotated[str, typer.Option(help="Your name, as it is published.")] = "the keeper",
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Do a game master's words in a match: gm nw1 'DEADLINE +12h FOR France BECAUSE "travelling"'."""
    with opened(settings_of(config)) as office:
        _tell(at_the_counter(office, match, _letter(words), by), as_json)


def player(
    match: Match,
    seat: Annotated[str, typer.Argument(help="The seat he plays.", show_default=False)],
    words: _Words,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Write for a player, as if his letter had come by mail; the referee's answer is sent to him too."""
    with opened(settings_of(config)) as office:
        _tell(player_at_the_counter(office, match, seat, _letter(words)), as_json)


def _letter(words: list[str]) -> str:
    return sys.stdin.read() if words == ["-"] else " ".join(words)


def _tell(answer: Answer, as_json: bool) -> None:
    """The outcome; exit 1 when something was refused."""
    if as_json:
        say_json(answer)
    else:
        for line in answer.sentences:
            say(escape(line))
        _show(answer)
    if not answer.granted:
        raise typer.Exit(1)


def _show(answer: Answer) -> None:
    if answer.pages or answer.sheets or answer.map:
        shown = Documents(Frame("", "", "", ""), "", answer.pages, answer.sheets, (), answer.map)
        say_letter("documents", shown)
    if answer.help is not None:
        say_letter("help", answer.help)
    for file in answer.files:
        Path(file.name).write_bytes(file.data)
        say(escape(f"Written: {file.name}"))


# ---------------------------------------------------------------- referee show


show_app = typer.Typer(help="Look at matches, reports and letters.", no_args_is_help=True)

_Of = Annotated[str, typer.Option(help="Of which seat; by default of all.", show_default=False)]
_Seat = Annotated[str, typer.Argument(help="The seat.")]
_As = Annotated[str, typer.Option("--as", help="Write files for a spreadsheet program: csv or xlsx.")]
_To = Annotated[Path, typer.Option("--to", help="The folder for the files.")]
_Turn = Annotated[
    int | None,
    typer.Option(help="Of which turn, the latest by default; of a history, from which on.", show_default=False),
]
_Since = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="From which day on.", show_default=False)]
_Lines = Annotated[int, typer.Option(help="The last so many; 0 for all.")]


def _command(word: str, document: Document) -> Callable[..., None]:
    """The command that shows a document, with the options that it knows."""

    def show(
        match: str = "",
        seat: str = "",
        turn: int | None = None,
        of: str = "",
        since: datetime | None = None,
        lines: int = 0,
        form: str = "",
        to: Path = Path(),
        as_json: bool = False,
        config: Path | None = None,
    ) -> None:
        if form and form not in document.forms:
            fail(f"I cannot make {form}; I make {in_a_row(document.forms)}.")
        want = Wanted(word, turn, of, since.date() if since else None, lines, form)
        with _asked(config) as office:
            _tell_made(office, document_at_the_counter(office, match, want, seat), to, as_json)

    options = _options(document)
    show.__doc__ = f"Print what SEND {word} brings: {document.phrase}."
    show.__annotations__ = {name: kind for name, kind, _ in options}
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=usual) for name, kind, usual in options
    ]
    show.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return show


def _options(document: Document) -> list[tuple[str, Any, Any]]:
    """Name, kind and default of each argument and option."""
    knows = document.clauses
    every = (
        (document.of_match, ("match", Match, Parameter.empty)),
        (document.who != ANYBODY, ("seat", _Seat, Parameter.empty)),
        ("TURN" in knows, ("turn", _Turn, None)),
        ("OF" in knows, ("of", _Of, "")),
        ("SINCE" in knows, ("since", _Since, None)),
        ("LINES" in knows, ("lines", _Lines, 0)),
        ("csv" in document.forms, ("form", _As, "")),
        ("csv" in document.forms, ("to", _To, Path())),
        (True, ("as_json", Json, False)),
        (True, ("config", Settings, None)),
    )
    return [option for there, option in every if there]


@contextmanager
def _asked(config: Path | None) -> Iterator[Office]:
    """The house of these settings; what it denies is said, and ends the command."""
    with opened(settings_of(config)) as office:
        try:
            yield office
        except Denial as denial:
            fail(str(denial))


def _tell_made(office: Office, made: Found | Files, to: Path, as_json: bool) -> None:
    """Documents on the terminal; files into their folder."""
    if isinstance(made, Found):
        _print(office, made, as_json)
        return
    to.mkdir(parents=True, exist_ok=True)
    for file in made:
        (to / file.name).write_bytes(file.data)
    written = [str(to / file.name) for file in made]
    if as_json:
        say_json({"files": written})
    else:
        for path in written:
            say_path(path)


def _print(office: Office, found: Found, as_json: bool) -> None:
    if as_json:
        say_json(found)
        return
    letter = Documents(Frame("", office.name, "", ""), "", found.pages, found.sheets)
    say_letter("documents", letter)


def letters_of(status: str, as_json: bool, config: Path | None) -> None:
    """The letters that came in and have this status."""
    columns = ("id", "received", "sender", "status", "verdict")
    with opened(settings_of(config)) as office, office.store.look() as step:
        rows = [
            dict(
                zip(
                    columns,
                    (r.id, when(r.received_at, office.zone, as_json), r.sender, r.status, r.verdict),
                    strict=True,
                )
            )
            for r in step.letters(status)
        ]
    say_rows(rows, as_json, columns)


@show_app.command("map")
def show_map(
    match: Match,
    to: Annotated[Path | None, typer.Option("--to", help="Draw it into this file: .svg or .png.")] = None,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Draw the map or chart as it stands, or say it in words."""
    with _asked(config) as office:
        found = document_at_the_counter(office, match, Wanted("map"))
    drawing = found.chart if isinstance(found, Found) else None
    if drawing is None:
        fail("There is no map.")
    if to is not None and to.suffix not in (".svg", ".png"):
        fail(f"{to.name} is no name for a drawing; let it end in .svg or .png.")
    if to is not None:
        from referee.adapters.pages.picture import png

        to.write_bytes(png(drawing.svg) if to.suffix == ".png" else drawing.svg.encode())
    if as_json:
        say_json(drawing)
    else:
        say_path(f"Drawn: {to}" if to else drawing.instead)


@show_app.command("choices")
def show_choices(
    match: Match,
    seat: _Seat,
    order: Annotated[str, typer.Option(help="One order, decided step by step.", show_default=False)] = "",
    pick: Annotated[
        list[str] | None,
        typer.Option(
            help="The answer to a step, in the order asked; several things with commas between; empty for none."
        ),
    ] = None,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """The orders a seat may give now; of one order, the next step after some answers (docs/choices.md)."""
    picked = [tuple(filter(None, (part.strip() for part in answer.split(",")))) for answer in pick or ()]
    with _asked(config) as office:
        if order:
            _say(office, decided_at_the_counter(office, match, seat, order, picked))
            return
        found = choices_at_the_counter(office, match, seat)
        _say(office, Found((choices_page(found),)) if isinstance(found, Choices) and not as_json else found)


def _say(office: Office, found: Choices | Decided | Found) -> None:
    """Documents as text, data as JSON."""
    if isinstance(found, Found):
        _print(office, found, False)
    else:
        say_json(found)


@show_app.command("games")
def show_games(as_json: Json = False, config: Settings = None) -> None:
    """List the games played here and the options of each, as CREATE takes them."""
    with opened(settings_of(config)) as office:
        rows = games_at_the_counter(office)
    say_rows(rows, as_json, ("game", "title", "options"))


@show_app.command("help")
def show_help(
    word: Annotated[
        list[str] | None, typer.Argument(help="A word or a game, such as DEADLINE or newworld.", show_default=False)
    ] = None,
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Print what HELP answers by mail: what each word does, and an example."""
    with opened(settings_of(config)) as office:
        page = help_at_the_counter(office, " ".join(word or ()))
        if as_json:
            say_json(page)
        else:
            say_letter("help", page)


@show_app.command("matches")
def show_matches(as_json: Json = False, config: Settings = None) -> None:
    """List all matches."""
    with opened(settings_of(config)) as office, office.look() as at:
        rows = [
            {"match": r.name, "game": r.game, "status": r.status, "stands at": _stands_at(at, r)}
            for r in at.step.matches()
        ]
    say_rows(rows, as_json, ("match", "game", "status", "stands at"))


def _stands_at(at: At, row: MatchRow) -> str:
    """One match whose log is damaged hides no other."""
    try:
        return stands_at(at, row)
    except (Diverged, ValidationError):
        return f"its log cannot be read: referee replay {row.name}"


@show_app.command("members")
def show_members(match: Match, as_json: Json = False, config: Settings = None) -> None:
    """List who takes part in a match."""
    with opened(settings_of(config)) as office, office.store.look() as step:
        rows = [
            {"role": m.role, "seat": m.seat, "status": m.status, "name": p.name, "address": next(iter(p.addresses), "")}
            for m in step.members(match)
            if (p := step.player(m.player))
        ]
    say_rows(rows, as_json, ("role", "seat", "status", "name", "address"))


@show_app.command("who")
def show_who(match: Match, as_json: Json = False, config: Settings = None) -> None:
    """Print who plays in a match, and by what rules and clock, as WHO tells anybody."""
    with _asked(config) as office:
        _print(office, who_at_the_counter(office, match), as_json)


@show_app.command("letters")
def show_letters(
    status: Annotated[
        str, typer.Option(help="new, done, unanswered, duplicate, ignored, held or shunted.")
    ] = "shunted",
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """List letters that came in, by what became of them."""
    letters_of(status, as_json, config)


@show_app.command("deadlines")
def show_deadlines(match: Match, as_json: Json = False, config: Settings = None) -> None:
    """List what falls due in a match."""
    with opened(settings_of(config)) as office, office.store.look() as step:
        rows = [
            {"kind": a.kind, "seat": a.seat, "key": a.key, "due": when(a.due_at, office.zone, as_json)}
            for a in step.alarms(match)
        ]
    say_rows(rows, as_json, ("kind", "seat", "key", "due"))


@show_app.command("digest")
def show_digest(as_json: Json = False, config: Settings = None) -> None:
    """List what a keeper should look at: stuck matches, unreachable players, shunted and undelivered letters."""
    from referee.service.intake.keepers_digest import TO_DO, concerns

    with opened(settings_of(config)) as office, office.look() as at:
        found = concerns(at)
    if found or as_json:
        say_rows(found, as_json, ("kind", "about", "sentence"))
        for kind in [kind for kind in TO_DO if not as_json and any(concern.kind == kind for concern in found)]:
            say(escape(f"{kind}: {TO_DO[kind]}"))
    else:
        say(escape("Nothing waits for a keeper."))


show_app.command("health")(show_health)


@show_app.command("lessons")
def show_lessons(as_json: Json = False, config: Settings = None) -> None:
    """Count how many came to each lesson by letter, did it, left it out, and stopped there or are at it."""
    with opened(settings_of(config)) as office, office.store.look() as step:
        counted = {tuple(under.split()): found for under, found in notes.LESSON_COUNT.every(step).items()}
    rows = [
        {"game": game, "lesson": int(number), "begun": found.begun, "passed": found.passed, "skipped": found.skipped}
        | {"stopped": max(0, found.begun - found.passed - found.skipped)}
        for (game, number), found in counted.items()
    ]
    say_rows(rows, as_json, ("game", "lesson", "begun", "passed", "skipped", "stopped"))


@show_app.command("record")
def show_record(
    address: Annotated[str, typer.Argument(help="His address.", show_default=False)],
    as_json: Json = False,
    config: Settings = None,
) -> None:
    """Print how reliably somebody has played over all his matches."""
    with opened(settings_of(config)) as office, office.look() as at:
        known = at.step.player_at(address)
        found = reliability(at, known.id) if known else None
    if found is None:
        fail(f"I know nobody at {address}.")
    say_rows([found], as_json, found.__struct_fields__)


for _word, _document in DOCUMENTS.items():
    if _word not in {command.name for command in show_app.registered_commands} | {"archive"}:
        show_app.command(_word)(_command(_word, _document))
