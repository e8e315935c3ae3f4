"""referee forget: what is kept of a person, and how it is taken away."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer
from rich.markup import escape

from referee.adapters.outgoing.sender import mailbox
from referee.adapters.pages.site import Site
from referee.bootstrap.offices import opened
from referee.bootstrap.ways import publish, publish_home
from referee.cli.speaking import Json, Settings, fail, say, say_json, settings_of, table
from referee.config import Config
from referee.kit.wording import in_a_row
from referee.mail import address_in
from referee.service.base.office import Office
from referee.service.base.ports import Player
from referee.service.house import people
from referee.service.house.people import Kept, known_of, takes_part_in

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
        matches = people.forget(at, player)
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
