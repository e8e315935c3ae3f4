"""The case of a letter: what the chain of rules knows of it on its way down."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Literal

import msgspec

from referee.mail import Letter, Route, digest
from referee.mail.reading.bounces import Bounce
from referee.mail.reading.sender import Authentication, Keys, authentication
from referee.service.base.office import At
from referee.service.base.ports import LetterIn, Member, Player, Token
from referee.service.house.people import is_from, judge_key
from referee.service.match.members import member_of

# A letter before the chain of rules, what they found out of it so far, and what can become of it.


class Fact(Enum):
    """A fact known of a letter when it has passed a rule. The first two are values of the case, the others are so."""

    TWIN = "the letter of which it is a copy, if any"
    TOKEN = "the token it bears, if any"
    NOT_OURS = "we did not write it"
    NO_BOUNCE = "it is no bounce"
    NO_MACHINE = "no machine wrote it"
    SOMEBODY = "there is somebody to answer"
    NEW = "it was not handled before"
    WHOLE = "all of it is here to be read"
    GIVEN = "its token was given out, and is known"
    NO_ANSWER = "it answers no question of ours"
    WORDS = "it says something in words"
    ALIVE = "the turn of its token is not closed, or it answers press"
    PLAYERS = "its token is a player's"
    NOT_FORGED = "no mail server says that its From is forged"
    SIGNED = "its sender can be read, or it proves its writer"
    HIS = "its From is no other member's, or it proves its writer"
    LIGHT = "nothing in it weighs more than its proof"
    LATEST = "no later letter for the same seat was taken"
    NO_TOKEN = "it bears no token"


class Verdict(msgspec.Struct, frozen=True):
    """The fate of a letter. `why` is said to the sender where `then` is refuse, once, closed or confirm."""

    then: Literal[
        "ignore",
        "duplicate",
        "refuse",
        "once",
        "forgotten",
        "confirm",
        "answer",
        "invitation",
        "bounce",
        "door",
        "desk",
        "closed",
        "head",
        "witness",
        "keeper",
    ]
    why: str = ""
    instead: tuple[str, ...] = ()
    bounces: tuple[Bounce, ...] = ()


class Copy(msgspec.Struct, frozen=True):
    """Found: the handled letter of which one is a copy; or that it is none, though another had its Message-ID."""

    twin: LetterIn | None
    reused_id: bool = False


class Bears(msgspec.Struct, frozen=True):
    """Found: the token a letter bears; without digest where the database has forgotten it."""

    token: Token | None


@dataclass
class Case(At):
    """A letter before the chain, with what the rules found out so far."""

    row: LetterIn
    letter: Letter
    keys: Keys
    route: Route | None
    token: Token | None = None
    twin: LetterIn | None = None
    original: LetterIn | None = None
    agreed: tuple[str, ...] = ()
    """The lines that its writer has said YES to, for its plain words."""
    held: bool = False
    """Whether it waits until its match goes on."""
    reused_id: bool = False
    hits: list[str] = field(default_factory=list)
    _member: tuple[Token | None, Member | None] | None = None

    def learn(self, found: Copy | Bears) -> None:
        """Keep what a rule found out, for the rules after it."""
        match found:
            case Copy():
                self.twin, self.reused_id = found.twin, found.reused_id
            case Bears():
                self.token = found.token

    @property
    def member(self) -> Member | None:
        """The part in which the bearer of its token writes."""
        if self._member is None or self._member[0] is not self.token:
            self._member = self.token, member_of(self.step, self.token) if self.token else None
        return self._member[1]

    @property
    def logical(self) -> str:
        """The key by which two copies of a letter are the same letter."""
        return self.logical_if(self.reused_id)

    def logical_if(self, reused_id: bool) -> str:
        """The same, where its Message-ID is that of another letter or is not."""
        ident = self.letter.message_id or hashlib.sha256(self.row.raw).hexdigest()
        other = f"|{digest(self.letter.text)}" if reused_id else ""
        return f"{self.row.recipient.lower()}|{ident}|{self.letter.sender}{other}"

    @cached_property
    def authentication(self) -> Authentication:
        """The word of trusted mail servers on its From."""
        return authentication(self.row.raw, self.office.trusts(self.row.transport))

    @cached_property
    def certain(self) -> bool:
        """Whether the letter itself proves that the owner of its token wrote it: by his key, or a trusted server's word."""
        who, key = self.owner, self.keys.given
        if who is None or self.authentication.verdict == "forged":
            return False
        if self.authentication.verdict == "proven" and is_from(self.letter, who):
            return True
        return bool(key) and judge_key(self, who, key) == "right"

    @property
    def owner(self) -> Player | None:
        """The owner of the token that it bears."""
        return self.step.player(self.token.player) if self.token else None
