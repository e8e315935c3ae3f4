"""referee create, gm, player, join, observe, standby: what a letter does, done at the machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.bootstrap.offices import opened
from referee.cli.speaking import Json, Match, Settings, say, say_json, say_letter, settings_of
from referee.service.base.letters import Documents, Frame
from referee.service.intake.counter import (
    Answer,
    at_the_counter,
    create_at_the_counter,
    join_at_the_counter,
    observe_at_the_counter,
    player_at_the_counter,
    stand_by_at_the_counter,
)

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
    by: Annotated[str, typer.Option(help="Who you are, as it is published.")] = "the keeper",
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
    """What came of it; exit 1 when something was refused."""
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
