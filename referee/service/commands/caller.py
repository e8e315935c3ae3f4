"""A caller at the front door: who writes, what has come of it so far, and what the answer will say."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.core.page import Drawing, Page, Sheet
from referee.mail import Attachment, Letter
from referee.service.letters import HelpPage, Refused
from referee.service.lobby.lapsing import keep_open
from referee.service.match.naming import call_otherwise
from referee.service.match.result import Done, Result
from referee.service.office import Office
from referee.service.ports import Player, Step

TOOK_OUT = "Your letter had a reply address of mine in it. It is a secret, and I took it out."


@dataclass
class Caller:
    """Somebody at the door, `proven` by a token, his key, his mail server or his YES.

    Who is not may be anybody in another's name: he is told little (service.strangers), and nothing is done for him.
    """

    office: Office
    step: Step
    letter: Letter
    player: Player
    proven: bool
    match: str = ""
    done: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    chart: Drawing | None = None
    files: list[Attachment] = field(default_factory=list)
    help: HelpPage | None = None

    def stored(self) -> Player:
        """The caller as a person we know from now on; nobody is who has proved nothing."""
        assert self.proven
        if not self.player.id:
            self.player = self.step.save_player(self.player)
        return self.player

    def say(self, source: str, said: Result, match: str = "") -> None:
        """Note what came of a request; the answer's reply address then belongs to the match it was about."""
        if isinstance(said, Done):
            self.done += said.sentences
            self.match = match or self.match
            if match and self.player.id:
                self.player, told = call_otherwise(self.office, self.step, match, self.player)
                self.done += filter(None, (told,))
            keep_open(self.office, self.step, match)
        else:
            self.deny(source, said.sentence)

    def deny(self, source: str, sentence: str) -> None:
        """Refuse a line of the letter."""
        self.refused.append(Refused(0, source, "", "not allowed", sentence))
