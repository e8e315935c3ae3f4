"""referee play: a match against bots in the browser of this machine, without settings and without a letter."""

from __future__ import annotations

import http.server
import tempfile
import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.adapters.pages.render import TemplateRenderer, engine_folder
from referee.adapters.pages.site import ENGINE, Site
from referee.cli.speaking import fail, say_path
from referee.core.game import colours_of
from referee.games import GAMES


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Files for one browser, of whose requests nobody need hear."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _served(port: int, handler: partial[_Quiet]) -> http.server.ThreadingHTTPServer:
    """A server of this machine alone, at this port or else at any that is free."""
    try:
        return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        return http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)


def play(
    game: Annotated[str, typer.Argument(help="newworld, war27, war17 or empire.")] = "newworld",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where the page is; 0 takes any port that is free.")
    ] = 4280,
    open_it: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Play a match against bots, or with friends at one screen, in the browser of this machine. Ends on Ctrl-C.

    The browser keeps a match by the address of its page, so the port is the same each time unless another program has it.
    """
    if game not in (known := [one.name for one in GAMES]):
        fail(f"There is no game {game}; there are {', '.join(known)}.")
    engine = engine_folder()
    if not engine.joinpath(ENGINE).is_file():
        fail(
            "The rules for the browser are not beside the templates: run make play in a checkout, which puts them there."
        )
    with tempfile.TemporaryDirectory(prefix="referee-play-") as folder:
        renderer, site = TemplateRenderer(colours={one.title: colours_of(one) for one in GAMES}), Site(Path(folder))
        site.publish_home({**renderer.dress(), **renderer.verifier()})
        site.lay_engine(engine)
        handler = partial(_Quiet, directory=folder)
        with _served(port, handler) as server:
            address = f"http://127.0.0.1:{server.server_port}/table.html#play={game}"
            say_path(address)
            if open_it:
                webbrowser.open(address)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                typer.echo("")
