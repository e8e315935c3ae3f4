"""A whole match by real e-mail on this machine: the service as a process, players who are mail clients, a fake clock.

Read in this order: client, running, orders, table, acts, scenario, show.
"""

from __future__ import annotations

import smtplib
import tempfile
import time
from pathlib import Path

from referee.demo.client import NoLetter
from referee.demo.running import HouseTrouble, run_referee
from referee.demo.scenario import MOST_TURNS, final_standings, people, play_match, prove
from referee.demo.show import Show
from referee.demo.table import Unexpected

__all__ = ["play"]


def play(game: str, keep: Path | None) -> int:
    """Play the demo of a game in the folder `keep`, or in a fresh temporary one; 0 if everything went as it should."""
    show = Show()
    if game != "newworld":
        show.bad(f"There is no demo of {game}; there is one of newworld.")
        return 1
    if keep is not None and keep.exists() and any(keep.iterdir()):
        show.bad(f"{keep} is not empty; name a new folder, so that nothing of yours is touched.")
        return 1
    folder = (keep or Path(tempfile.mkdtemp(prefix="referee-demo-"))).resolve()
    try:
        _play_in(folder, show)
    except (HouseTrouble, NoLetter, Unexpected, smtplib.SMTPException, OSError) as trouble:
        show.bad(f"The demo failed. {trouble}")
        show.say(f"Everything it did lies in {folder}; what the service said is in {folder / 'service.log'}.")
        return 1
    return 0


def _play_in(folder: Path, show: Show) -> None:
    began = time.monotonic()
    with run_referee(folder) as house:
        show.say(f"The referee runs as a process of its own and takes letters on {house.server.host}:{house.server.port}.")
        table = people(house, show)
        show.begin(MOST_TURNS)
        try:
            farewell = play_match(table)
        finally:
            show.end()
        final_standings(table, farewell)
        index = prove(table, farewell)
    letters = sum(len(client.letters) for client in (*table.players, table.master, table.watcher))
    show.say(f"{letters} letters were read, in {time.monotonic() - began:.0f} seconds.")
    show.say(f"The archive's first page: {index}")
