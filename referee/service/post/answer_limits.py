"""The limits of answers: how much is answered, and to whom; the purses that pay for it.

Nobody can have the referee write without end, or make it silent towards another.

A letter's proof decides who pays for its answer. Writers who prove nothing share a small purse with all who may write in
their name; a letter proved by a token, a key or a trusted server is never paid from that one. Of these only letters that say
the same again and again, as machines do, pay from the small purse; a writer of something else is answered.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Literal

import msgspec

from referee.mail import digest, strip
from referee.service.base import notes
from referee.service.base.note_values import Said
from referee.service.base.office import At, Limits
from referee.service.base.ports import Player, Spent, Step

Purse = Literal["stranger", "question", "refusal", "request"]
"""The payer: an address that proved nothing; the question whether it wrote, which it is asked once a day (confirmations) and
nobody else can use up; a proven writer without a usable word who says the same again; one who left no orders on file."""
UNPROVEN = frozenset(("stranger", "question"))

_KEPT = "kept"
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


class Answering(msgspec.Struct, frozen=True):
    """The letter in (its id) that a letter out answers, what pays for it, and the `gist` of what its writer said."""

    letter: int
    purse: Purse
    gist: str = ""


_ORDER = re.compile(r"[A-Z]{2,}\b")


def gist_of(text: str) -> str:
    """The gist, which two letters that say the same have in common: no numbers of tickets, unless it reads like an order."""
    own = " ".join(" ".join(line.text.split()) for line in strip(text).lines)
    return digest(own.casefold() if _ORDER.match(own) else re.sub(r"\d+", "", own.casefold()))[:16]


def as_said(at: At, player: Player, answering: Answering) -> Answering:
    """The payer in the end: only a letter without a usable word that says what another of that day said is held for a machine's."""
    if answering.purse != "refusal":
        return answering
    slip, now = notes.SAID.of(_mailbox(player)), at.now
    said = slip.read(at.step)
    if said is None or now - said.since >= _DAY:
        said = Said(now)
    if answering.gist in said.gists:
        return answering
    slip.keep(at.step, msgspec.structs.replace(said, gists=(*said.gists, answering.gist)[-_GISTS:]))
    return msgspec.structs.replace(answering, purse="request")


_GISTS = 300
WAITED_FOR = 5
"""So many times as many answers a day has a game master, or who owes something: no hand writes as many letters."""


class Room(msgspec.Struct, frozen=True):
    """How many answers, and bytes, a purse still pays for; with the last one it is silent for `silence`.

    `first`: it has paid for none in this hour.
    """

    answers: int
    size: int
    silence: str = "an hour"
    first: bool = True


def room(at: At, player: Player, purse: Purse, times: int = 1) -> Room:
    """The answers left for an address now: in this hour and this day, for itself, for its domain, for all who are unknown.

    `times`: so many times what its purse usually holds.
    """
    limits, domain = at.office.limits, _domain(at.step, player)
    found = _left(at, purse, times * _a_day(limits, purse), address=_mailbox(player))
    if purse not in UNPROVEN or not domain:
        return found
    others = (
        _left(at, purse, limits.domain_answers_a_day, domain=domain),
        _left(at, purse, limits.stranger_answers_a_day),
    )
    least = min(found, *others, key=lambda left: (min(left.answers, left.size), left.silence))
    return msgspec.structs.replace(least, first=found.first)


def _left(at: At, purse: Purse, a_day: int, address: str = "", domain: str = "") -> Room:
    now, most = at.now, at.office.limits.answer_bytes
    an_hour = (a_day + 1) // 2
    hour, in_hour = at.step.spent(purse, now - _HOUR, address, domain)
    day, in_day = at.step.spent(purse, now - _DAY, address, domain)
    size = min(an_hour * most - in_hour, a_day * most - in_day) if purse == "stranger" else most * a_day
    silence = "a day" if a_day - day <= an_hour - hour else "an hour"
    return Room(min(an_hour - hour, a_day - day), size, silence, not hour)


def _a_day(limits: Limits, purse: Purse) -> int:
    return {
        "stranger": limits.answers_a_day,
        "question": limits.requests_a_day,
        "refusal": limits.refusals_a_day,
        "request": limits.requests_a_day,
    }[purse]


def pay(at: At, player: Player, answering: Answering, size: int) -> None:
    """Count an answer."""
    _note(at, player, answering.purse, answering.letter, size)


def keep_back(at: At, player: Player, answering: Answering) -> None:
    """Note that a letter is not answered: it stays where letters are kept, and the keeper is told how many there are."""
    _note(at, player, _KEPT, answering.letter, 0)


def _note(at: At, player: Player, purse: str, letter: int, size: int) -> None:
    at.step.spend(Spent(at.now, purse, _mailbox(player), _domain(at.step, player), size, letter))


def _mailbox(player: Player) -> str:
    """His address without what follows a plus sign: anna+1@ and anna+2@ are one mailbox."""
    local, _, host = player.addresses[0].lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def _domain(step: Step, player: Player) -> str:
    """The domain of an address that is no member's; members are so few that each is bounded by himself.

    So nobody silences a player by writing in the names of others of his mail provider.
    """
    if player.id and any(m.status in ("playing", "watching", "applied") for m in step.memberships(player.id)):
        return ""
    return player.addresses[0].lower().rpartition("@")[2]
