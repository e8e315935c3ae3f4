"""A writer to a match: who he is, by what right he writes, and the hand with which he acts on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from referee.core.record import Acted, Forwarded, Record, Rewound
from referee.kit.wording import in_a_row
from referee.mail import Letter
from referee.service.base.letter_facts import Notice
from referee.service.base.ports import Member, Player
from referee.service.match.members import cause_of, everybody, masters_of, may_know
from referee.service.match.playing import BareHand, rewrite
from referee.service.match.result import Told
from referee.service.match.slot_life import Happening
from referee.service.match.suspension import set_aside
from referee.service.post import subjects
from referee.service.post.frames import form_for, frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.advance import close, run

# ---------------------------------------------------------------- who writes, and by what right


class Weight(msgspec.Struct, frozen=True):
    """The grave words of a letter, and all its words that only game masters write, each once, as they stand in it."""

    grave: tuple[str, ...] = ()
    masters: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """The words in a sentence."""
        return in_a_row(self.grave or self.masters)


class Writer(msgspec.Struct, frozen=True):
    """The writer, his part, and his right. `letter` is None for words at the counter.

    `asks` says why words of a weight wait for their writer's YES, "" where they need none; `keeps`: what he writes can be kept
    until the match goes on. `replies_to` is the press letter that this is a reply to, `closed` the turn of a reply address that
    brings press and nothing else.

    `confirmed`: he has said YES to this very letter, and `agreed` to these lines for its plain words; `keyed`: a second key was
    turned; `became`: why a game master writes for him. `answered`: he gets a receipt.
    """

    player: Player
    member: Member
    letter: Letter | None = None
    unique: str = ""
    game_master: bool = False
    asks: Callable[[Weight], str] = lambda _: ""
    keeps: bool = False
    replies_to: int = 0
    closed: int = 0
    confirmed: bool = False
    agreed: tuple[str, ...] = ()
    keyed: bool = False
    became: str = ""
    answered: bool = True


THE_CLOCK = "the clock"
"""The name for deeds that nobody writes."""

NOBODY = Writer(Player(0, "", ()), Member(0, "", 0, "observer", "watching"))
"""The writer where the clock, a newer program or the keeper does something to a match."""


# ---------------------------------------------------------------- a hand on a match

InZone = Callable[[str], Sequence[str]]
"""Sentences for a reader in a time zone."""


@dataclass
class Hand(BareHand):
    """A hand on a match: the match as it stands by now, whose hand it is, in whose name and why it does what it does.

    `line` is what was written. The phase that waited when the letter came is what its receipt is about, also when the letter
    ended it.
    """

    writer: Writer = NOBODY
    line: str = ""

    def __post_init__(self) -> None:
        phase = self.playing.outcome.phase
        self.subject, self.came_in = (phase.title, phase.key) if phase else ("The match is over", "")

    # ---- what it is on, and whose

    @property
    def over(self) -> bool:
        return bool(self.playing.outcome.over) or self.status == "over"

    @property
    def ran(self) -> bool:
        """Whether the phase in which the letter came has ended with it."""
        phase = self.playing.outcome.phase
        return self.came_in != (phase.key if phase else "")

    @property
    def member(self) -> Member:
        return self.writer.member

    @property
    def player(self) -> Player:
        return self.writer.player

    @property
    def seat(self) -> str:
        """The seat of the writer, "" for those who hold none."""
        return self.member.seat if self.member.status == "playing" else ""

    @property
    def game_master(self) -> bool:
        return self.writer.game_master

    @property
    def letter(self) -> Letter | None:
        return self.writer.letter

    @property
    def unique(self) -> str:
        return self.writer.unique

    @property
    def message_id(self) -> str:
        """The letter's, as the log names it; "" where there is none."""
        return self.letter.message_id if self.letter else ""

    @property
    def cause(self) -> str:
        """The cause that the log names for entries that come from this letter."""
        return cause_of(self.playing, self.message_id or self.unique)

    # ---- what it does

    @contextmanager
    def signing(self, by: str, reason: str = "", line: str = "") -> Iterator[Hand]:
        """Deeds meanwhile are done in this name and for this reason."""
        before = self.by, self.reason, self.line
        self.by, self.reason, self.line = by, reason, line
        try:
            yield self
        finally:
            self.by, self.reason, self.line = before

    def becomes(self, player: Player | None = None, member: Member | None = None, why: str = "") -> None:
        """Its writer is known otherwise from now on, or writes for another for this reason."""
        who = self.writer
        self.writer = replace(who, player=player or who.player, member=member or who.member, became=why or who.became)

    @contextmanager
    def lent(self, writer: Writer) -> Iterator[Hand]:
        """Deeds meanwhile are done by somebody else, whose word it was."""
        before, self.writer = self.writer, writer
        try:
            yield self
        finally:
            self.writer = before

    def tell(
        self,
        title: str,
        told: Sequence[str] | InZone,
        forms: bool = False,
        about: str = "",
        others: Sequence[str] | InZone | None = None,
        zone: str = "UTC",
        but: int = 0,
    ) -> Told:
        """Tell everybody in the match, with the reason and each reader's own deadline; returns the sentences as they are in a zone.

        `forms` adds order sheets. Sentences with times in them are given as a function of the reader's zone. Where lateness is
        hidden, what is `about` the time of one seat goes to its player and the game masters alone; `others` is what the rest
        read instead. One person, `but`, gets a letter of his own about it.
        """
        masters = masters_of(self.step, self.match)
        for member, player in everybody(self.step, self.match):
            knows = not (about or others) or may_know(self.playing, masters, member, player, about)
            shown = told if knows else others or None
            if player.id == but or shown is None:
                continue
            framed = frame(self, member, player)
            form = form_for(self.step, self.playing, member.seat) if forms and member.status == "playing" else None
            letter = Notice(framed, title, tuple(_in_zone(shown, player.zone)), self.reason, self.by, form)
            own = form is not None or about == member.seat or "deadline" in title
            subject = subjects.told(framed, title) if own else title
            mail = Mail("notice", subject, letter, f"{self.playing.head.seq}.{title}")
            post(self, player, mail, About(self.playing, member))
        return tuple(_in_zone(told, zone))

    def add(self, records: Sequence[Record], cause: str = "") -> None:
        """Put records into the log; what they bring about is played."""
        self.play(records, cause or self.cause)

    def rewrite(self, change: Rewound | Forwarded, **changed: object) -> None:
        """Put the match on another course; deadlines and reply addresses of the one that is left are no more. Raises Stuck."""
        before = self.playing.row
        row = replace(before, status="running", **changed)
        self.playing = rewrite(self, replace(self.playing, row=row), change, f"game master {self.by}")
        self.step.save_match(row)
        set_aside(self.step, before, self.now)
        self.step.retire_tokens(row.name, 1_000_000_000)

    def close(self, keys: Sequence[str], what: Happening, how: str, by: str = "") -> None:
        """End slots; their turn runs."""
        close(self, keys, what, how, by)

    def run(self, inputs: Sequence[Record], cause: str = "") -> None:
        """Run the match on with records."""
        if inputs or cause:
            run(self, inputs, cause or self.cause)

    def take(self, inputs: Sequence[Record]) -> int:
        """Run the match on with records that this letter causes; how many acts of it were not done.

        Where dice come of a beacon, sheets are filed first and acts are done one by one: each has a round of its own then, and
        when its dice are waited for, those that follow are not done.
        """
        acts = [record for record in inputs if isinstance(record, Acted)]
        if self.playing.settings.beacon == "letters" or not acts:
            self.run(inputs)
            return 0
        self.run([record for record in inputs if not isinstance(record, Acted)])
        for done, act in enumerate(acts):
            if self.playing.outcome.sealed:
                return len(acts) - done
            self.run([act])
        return 0


def _in_zone(told: Sequence[str] | InZone, zone: str) -> Sequence[str]:
    return told(zone) if callable(told) else told
