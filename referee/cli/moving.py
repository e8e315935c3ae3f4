"""referee move: a match out of this house, or into it, with all its proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.bootstrap.backups import bring_in, send_out
from referee.cli.speaking import Json, Settings, fail, say, say_json, settings_of
from referee.service.intake.arrivals import NotTaken
from referee.service.match.result import Denial


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

    From then on nothing of it is done here; whoever writes is told where it is played. There it is verified before it goes on.
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
