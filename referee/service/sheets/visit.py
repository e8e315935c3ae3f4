"""A visit to the desk: one letter of one member, what has come of it so far, and what its receipt will say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from referee.core.page import Drawing, Page, Sheet
from referee.core.record import Acted, Record
from referee.kit.wording import in_a_row
from referee.mail import Attachment, Letter
from referee.service.letters import HelpPage, Ignored, Refused
from referee.service.match.anonymity import cause_of
from referee.service.match.playing import Playing
from referee.service.match.result import Denied, Result
from referee.service.office import Office
from referee.service.ports import Member, Player, Step
from referee.service.turns.advance import run


class Weight(msgspec.Struct, frozen=True):
    """The grave words of a letter, and all its words that only game masters write, each once, as they stand in it."""

    grave: tuple[str, ...] = ()
    masters: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """The words in a sentence."""
        return in_a_row(self.grave or self.masters)


class Sent(msgspec.Struct, frozen=True):
    """A text that went to others: to whom, and how it begins."""

    to: str
    begins: str


@dataclass
class Visit:
    """One letter at the desk, or what was said at the counter: who wrote, what stands so far, what the receipt will say."""

    office: Office
    step: Step
    playing: Playing
    member: Member
    player: Player
    letter: Letter | None
    """None for what is said at the counter."""
    unique: str
    game_master: bool
    receipt: bool = True
    asks: Callable[[Weight], bool] = lambda _: False
    """Whether words of this weight wait for their writer's YES; then nothing of the letter is done."""
    hold: Callable[[], None] | None = None
    """Keeps the letter until its match goes on, and says so; None for what is no letter."""
    replies_to: int = 0
    """The number of the press letter that this is a reply to; 0 for none."""
    closed: int = 0
    """The turn of a reply address that is closed: such a letter brings press and nothing else."""
    done: list[str] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    """What went to others of a reply to press."""
    held: dict[int, str] = field(default_factory=dict)
    """Lines of press without an END that read like orders, by their numbers."""
    passed_over: dict[int, str] = field(default_factory=dict)
    """Lines that were not read, as a signature or a quote, and read as orders, by their numbers."""
    refused: list[Refused] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    chart: Drawing | None = None
    files: list[Attachment] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    unread: tuple[str, ...] = ()
    """What of the letter was not read, beside its lines."""
    yes_takes: tuple[str, ...] = ()
    help: HelpPage | None = None
    later: list[str] = field(default_factory=list)
    """What waits on file for another sheet than the one that is asked for now."""
    dropped: tuple[str, ...] = ()
    """Lines that were on file and are no longer, since this letter takes their place."""
    undone: int = 0
    """How many doubts are about orders on file that will not be done, or not wholly, as things stand."""
    grave: int = 0
    """How many doubts are about those, or about losses that follow from what is on file."""
    sure: str = ""
    """The line that waits for its writer's YES, since something would be lost by it."""
    confirmed: bool = False
    """Whether its writer has said YES to this very letter."""
    like_orders: int = 0
    """How many of the lines taken for remarks read like orders."""
    filed: bool = False
    afresh: bool = False
    """Whether CLEAR stands before its orders, so that they mend nothing."""
    mends: bool = False
    """Whether its orders took the places of refused ones, or were added to what stands."""
    roll_out: bool = False
    ended: bool = False
    """Whether it ended a slot of its writer's."""
    nothing_waits: bool = False
    """Whether it says YES where no question of ours is open."""
    complete: bool = True
    keyed: bool = False
    """Whether a second key was turned, or none is wanted."""
    became: str = ""
    """Why a game master writes for a player; "" where nobody writes for another."""
    subject: str = field(init=False)
    """The phase that waited when the letter came: what its receipt is about, also when the letter ended it."""

    came_in: str = field(init=False)
    """The key of that phase."""

    def __post_init__(self) -> None:
        phase = self.playing.outcome.phase
        self.subject = phase.title if phase else "The match is over"
        self.came_in = phase.key if phase else ""

    @property
    def ran(self) -> bool:
        """Whether that phase has ended with this letter."""
        phase = self.playing.outcome.phase
        return self.came_in != (phase.key if phase else "")

    @property
    def seat(self) -> str:
        """The seat of the writer, "" for those who hold none."""
        return self.member.seat if self.member.status == "playing" else ""

    @property
    def match(self) -> str:
        return self.playing.row.name

    @property
    def message_id(self) -> str:
        """The letter's, as the log names it; "" where there is none."""
        return self.letter.message_id if self.letter else ""

    @property
    def cause(self) -> str:
        """What the log names as the cause of entries that come from this letter."""
        return cause_of(self.playing, self.message_id or self.unique)

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

    def take(self, inputs: Sequence[Record]) -> int:
        """Run the match on with records that this letter causes; how many acts of it were not done.

        Where dice come of a beacon, sheets are filed first and acts are done one by one: each has a round of its own then, and
        when its dice are waited for, those that follow are not done.
        """
        acts = [record for record in inputs if isinstance(record, Acted)]
        if self.playing.settings.beacon == "letters" or not acts:
            self._run(inputs)
            return 0
        self._run([record for record in inputs if not isinstance(record, Acted)])
        for done, act in enumerate(acts):
            if self.playing.outcome.sealed:
                return len(acts) - done
            self._run([act])
        return 0

    def _run(self, inputs: Sequence[Record]) -> None:
        if inputs:
            self.playing = run(self.office, self.step, self.playing, inputs, self.cause).playing
