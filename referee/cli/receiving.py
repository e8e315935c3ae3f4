"""referee receive: a letter on standard input, for mail servers that hand letters to a program."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from referee.adapters.incoming import maildir
from referee.bootstrap.ways import take_letter
from referee.cli.speaking import Settings
from referee.config import load


def receive(
    recipient: Annotated[str, typer.Option(help="The envelope recipient, where the mail server does not say.")] = "",
    sender: Annotated[str | None, typer.Option(help="The envelope sender, empty for a bounce.")] = None,
    config: Settings = None,
) -> None:
    """Store the letter on standard input: for .forward, procmail and the like.

    Exits 75 when it could not be stored, so that the mail server keeps the letter and tries again.
    """
    try:
        take_letter(load(config), sys.stdin.buffer, maildir.envelope(os.environ, sender, recipient))
    except Exception as error:
        # Whatever is wrong here, the letter must not be bounced to its writer.
        typer.echo(f"The letter was not stored: {error}", err=True)
        raise typer.Exit(maildir.EX_TEMPFAIL) from error
