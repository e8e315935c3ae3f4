"""A visit to the desk as commands know it that are not returned from yet: they write into it what came of them.

It goes when the last of them returns what it did (`hand.Came`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from referee.core.page import Drawing, Page, Sheet
from referee.mail import Attachment
from referee.service.letters import HelpPage, Refused
from referee.service.match.result import Came, Denied, Enclosed, Result
from referee.service.overrides.hand import Hand
from referee.service.ports import Member, Player


@dataclass
class Visit(Hand):
    """A hand on a match, and what it has done so far."""

    done: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    chart: Drawing | None = None
    files: list[Attachment] = field(default_factory=list)
    yes_takes: tuple[str, ...] = ()
    help: HelpPage | None = None
    sure: str = ""

    def becomes(self, player: Player | None = None, member: Member | None = None) -> None:
        """Its writer is known otherwise from now on."""
        self.writer = replace(self.writer, player=player or self.player, member=member or self.member)

    def deny(self, text: str, sentence: str, rule: str = "") -> None:
        """Refuse a line of the letter for the desk's own reasons."""
        self.refused.append(Refused(0, text, "", "not allowed", sentence, rule))

    def settle(self, text: str, result: Result) -> None:
        """Note what a line of the letter did, or why it could not."""
        if isinstance(result, Denied):
            self.deny(text, result.sentence)
        else:
            self.playing = result.after(self.playing)
            self.done += result.sentences


def visited(hand: Hand, act: Callable[[Visit], object]) -> Came:
    """What came of an act that writes it into a visit."""
    visit = Visit(hand.office, hand.step, hand.playing, hand.writer, hand.by, hand.reason, hand.line)
    visit.subject, visit.came_in = hand.subject, hand.came_in
    act(visit)
    hand.playing, hand.writer = visit.playing, visit.writer
    went = Enclosed(tuple(visit.pages), tuple(visit.sheets), tuple(visit.files), visit.chart, visit.help)
    done, refused, doubts = tuple(visit.done), tuple(visit.refused), tuple(visit.doubts)
    return Came(done, refused, doubts, yes_takes=visit.yes_takes, sure=visit.sure, enclosed=went)
