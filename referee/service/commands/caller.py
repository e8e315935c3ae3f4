"""A caller at the front door: who writes, what has shown who he is, and which match his letter is about."""

from __future__ import annotations

from dataclasses import dataclass

from referee.mail import Letter
from referee.service.lobby.lapsing import keep_open
from referee.service.match.naming import call_otherwise
from referee.service.match.result import Told
from referee.service.office import At
from referee.service.ports import MatchRow, Player

TOOK_OUT = "Your letter had a reply address of mine in it. It is a secret, and I took it out."


@dataclass
class Caller(At):
    """Somebody at the door, `proven` by a token, his key, his mail server or his YES; the hand of a letter that is in no match.

    Who is not may be anybody in another's name: he is told little (service.strangers), and nothing is done for him. The
    answer's reply address belongs to the `match` that his letter was about.
    """

    letter: Letter
    player: Player
    proven: bool
    match: str = ""

    def stored(self) -> Player:
        """The caller as a person we know from now on; nobody is who has proved nothing."""
        assert self.proven
        if not self.player.id:
            self.player = self.step.save_player(self.player)
        return self.player

    def forming(self, role: str, status: str) -> dict[str, MatchRow]:
        """The matches that have not begun in which he has this part."""
        mine = (m.match for m in self.step.memberships(self.stored().id) if (m.role, m.status) == (role, status))
        return {match: row for match in mine if (row := self.step.match(match)) and row.status == "forming"}

    def becomes(self, player: Player) -> None:
        """He is known otherwise from now on."""
        self.player = player

    def means(self, match: str) -> None:
        """His letter is about a match."""
        self.match = match

    def served(self, match: str) -> Told:
        """What was asked of a match is done: if it has not begun its time begins anew, and he passes for nobody else there."""
        self.match, told = match or self.match, ""
        if match and self.player.id:
            self.player, told = call_otherwise(self, match, self.player)
        keep_open(self, match)
        return tuple(filter(None, (told,)))
