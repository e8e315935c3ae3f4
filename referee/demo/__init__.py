"""A whole match by real e-mail on this machine: the service as a process, players who are mail clients, a fake clock.

Read in this order: client, service_process, table, match. Matches that follow a script lie in `tests.demo.scripts`.
"""

from __future__ import annotations

import smtplib
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from referee.core.game import AnyGame
from referee.demo import match
from referee.demo.client import Letter, NoLetter
from referee.demo.match import final_standings, prove
from referee.demo.service_process import House, HouseTrouble, run_referee
from referee.demo.table import Show, Table, Unexpected
from referee.games import GAMES
from referee.kit.wording import in_a_row


@dataclass(frozen=True)
class Scenario:
    """The demo of a game: how many turns it has at most, and the match itself from CREATE to the farewell."""

    most_turns: int
    play_match: Callable[[House, Show], tuple[Table, Letter]]


def scripted() -> Mapping[str, Scenario]:
    """The matches in which players do what is to be shown; none where the source is not at hand."""
    try:
        found: Mapping[str, Scenario] = import_module("tests.demo.scripts").SCENARIOS
    except ModuleNotFoundError:
        return {}
    return found


def play(game: str, keep: Path | None, main: Callable[[], None], choices: bool = False) -> int:
    """Play the demo of a game in the folder `keep`, or in a fresh temporary one; 0 if everything went as it should.

    `main` is the program. With `choices`, or where no script is at hand, players choose from what they are told is lawful.
    """
    show, scenarios = Show(), {found.name: _by_choices(found) for found in GAMES}
    if not choices:
        scenarios |= scripted()
    scenario = scenarios.get(game)
    if scenario is None:
        known = in_a_row(sorted(scenarios))
        show.bad(f"There is no demo of {game}; there is one of {known}.")
        return 1
    if keep is not None and keep.exists() and any(keep.iterdir()):
        show.bad(f"{keep} is not empty; name a new folder, so that nothing of yours is touched.")
        return 1
    folder = (keep or Path(tempfile.mkdtemp(prefix="referee-demo-"))).resolve()
    try:
        began = time.monotonic()
        with run_referee(folder, main) as house:
            show.say(
                f"The referee runs as a process of its own and takes letters on {house.server.host}:{house.server.port}."
            )
            show.begin(scenario.most_turns)
            try:
                table, farewell = scenario.play_match(house, show)
            finally:
                show.end()
            final_standings(table, farewell)
            index = prove(table, farewell)
        letters = sum(len(client.letters) for client in table.everybody)
        show.say(f"{letters} letters were read, in {time.monotonic() - began:.0f} seconds.")
        show.say(f"The archive's first page: {index}")
    except (HouseTrouble, NoLetter, Unexpected, smtplib.SMTPException, OSError) as trouble:
        show.bad(f"The demo failed. {trouble}")
        show.say(f"Everything it did lies in {folder}; the words of the service are in {folder / 'service.log'}.")
        return 1
    return 0


def _by_choices(game: AnyGame) -> Scenario:
    return Scenario(match.MOST_TURNS, partial(match.play_match, game=game))
