"""A small house with its site, for a browser to look at and for pictures: real matches, played by letters."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish, publish_home
from referee.service.base.ports import Secrets
from tests.played.playing import kept, letters_sent
from tests.world import World

_NAMES = ("Anna Bell", "Ben Osei", "Carla Ruiz", "Dan Novak")
_GINA = "gina@club.example"
_PLAYED = Path(__file__).parent / "played"


class _Dice:
    """The Secrets port: the dice of a kept game, the tokens of a world."""

    def __init__(self, text: str, world: Secrets) -> None:
        self._secret = hashlib.sha256(text.encode()).digest()
        self.token = world.token

    def secret(self) -> bytes:
        """What its dice come of."""
        return self._secret


def _kept(world: World, game: str) -> None:
    """A game of tests/played, to its end."""
    office = world.office
    world.office = replace(office, secrets=_Dice(kept(_PLAYED / game).dice, office.secrets))
    letters_sent(world, _PLAYED / game)
    world.office = office


def _new(world: World, match: str, game: str, players: Sequence[str]) -> None:
    world.write(f"Gina Moss <{_GINA}>", f"CREATE {game} AS {match}")
    for name in players:
        world.write(f"{name} <{name.split()[0].lower()}@club.example>", f"JOIN {match}")


def small_site(place: Path, games: Sequence[str] = ("war27",)) -> Path:
    """The site of a house where "friday" is played, "autumn" waits for players, and kept games of these names are over."""
    world = World(place, name="The Friday Club", site="https://club.example/matches")
    for game in games:
        _kept(world, game)
    _new(world, "friday", "newworld", _NAMES)
    world.reply(_GINA, "START friday", kind="receipt")
    for _ in range(6):
        world.wait(hours=25)
    _new(world, "autumn", "war27", _NAMES[:2])
    site = Site(place / "www")
    matches = ("friday", *games)
    for match in matches:
        publish(world.office, site, match)
    publish_home(world.office, site, matches)
    world.close()
    return site.root
