"""The people of a match: members and how they are called, which names are too much alike, names and lateness as others see them
where players are hidden.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator

import msgspec

from referee.core.game import AnyGame, CountsLateness
from referee.core.normal_text import fold
from referee.core.record import Overrode, Record
from referee.mail.characters import one_line
from referee.service.base import notes
from referee.service.base.match_settings import ClockSettings, settings_of
from referee.service.base.note_values import HouseRules, Tenure
from referee.service.base.office import At, Office
from referee.service.base.ports import MatchRow, Member, Player, Step, Token
from referee.service.match.bots import bots, names_of_bots, plays_steadily
from referee.service.match.playing import BareHand, Playing


def persons(step: Step, match: str) -> set[int]:
    """The players who hold a seat of a match, by number; bots are none."""
    return {member.player for member in step.members(match) if member.status == "playing"}


def everybody(step: Step, match: str) -> list[tuple[Member, Player]]:
    """Everybody who is written to, once each: players, game masters, observers."""
    found: dict[int, tuple[Member, Player]] = {}
    rank = {"playing": 0, "out": 1}
    members = sorted(step.members(match), key=lambda m: (rank.get(m.status, 2), m.role != "gm", m.number))
    for member in members:
        player = step.player(member.player)
        if (
            player
            and player.addresses
            and player.id not in found
            and member.status in ("playing", "out", "watching", "applied")
        ):
            found[player.id] = (member, player)
    return list(found.values())


def owner_of(step: Step, match: str, seat: str) -> tuple[Member, Player] | None:
    """The present player of a seat."""
    for member in step.members(match):
        if member.seat == seat and member.status == "playing":
            player = step.player(member.player)
            return (member, player) if player else None
    return None


def end_tenure(step: Step, match: str, seat: str, player: int, head: int) -> None:
    """A person has the seat no longer from after an entry of the log on; 0 for a dummy.

    Kept beside the log, for a seat's orders count for the record of its player then.
    """
    before = notes.TENURES.of(match, seat).read(step) or []
    notes.TENURES.of(match, seat).keep(step, [*before, Tenure(player, head)])


def holders(step: Step, match: str, seat: str) -> tuple[tuple[int, int], ...]:
    """Those who played a seat before its present player: each with the last entry in his time."""
    return tuple((tenure.player, tenure.until) for tenure in notes.TENURES.of(match, seat).read(step) or [])


def member_of(step: Step, token: Token) -> Member | None:
    """The part in which the bearer of a token writes: the seat it was made for, else one that he plays, else any part he still has.

    A game master who plays thus orders for his seat in reply to any letter; what he may do as the game master he may always.
    """
    mine = [m for m in step.members(token.match) if m.player == token.player and m.status in ("playing", "watching")]
    playing = [member for member in mine if member.status == "playing"]
    exact = [member for member in playing if member.seat == token.seat]
    return next(iter(exact or playing or mine), None)


# ---------------------------------------------------------------- what somebody is called
# By the name he writes, where it passes for nobody else's.


_LONGEST = 60
_LINK = re.compile(r"://|\bwww\.|@|\w\.(?:[a-z]{2,}|[A-Z]{2,})\b")
_OFFICES = ("referee", "game master", "gm")
_SHORT = 6
"""The least length: a shorter one may be part of an honest name, as the house "Ann" is of "Annemarie"."""

_PAIRS = (
    ("αβεικνορτυχωϲ", "abeikvoptuxwc"),
    ("авгеікмнопрстухьѕјһԁԛԝӏ", "abreikmhonpctyxbsjhdqwl"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɡɑ", "abcdefghijklmnoprstuvwyzga"),
    ("01345|!i", "oleasll" + "l"),
)
_ALIKE = str.maketrans({a: b for these, those in _PAIRS for a, b in zip(these, those, strict=True)})
"""Letters that look like others, once case, accents and styles are folded; "i" and "l" are one, as "I" and "l" are."""


def name_from(written: str, address: str) -> str:
    """The name of somebody new, as it may stand in letters to others: one line, cut on a word, no link.

    By default the part of his address before the @.
    """
    name = one_line(written)
    return _cut(name) if name and not _LINK.search(name) else _cut(address.partition("@")[0])


def _cut(name: str) -> str:
    return textwrap.shorten(name, _LONGEST, placeholder="") or name[:_LONGEST]


def _looks(name: str) -> str:
    """The common form of names that a hurried reader takes for the same."""
    plain = fold(name).translate(_ALIKE).replace("rn", "m").replace("vv", "w")
    return "".join(letter for letter in plain if letter.isalnum()) or plain


def _pretends(office: Office, name: str) -> bool:
    """Whether a name could be taken for the referee's or for a game master's office."""
    looks = _looks(name)
    known = [_looks(each) for each in (office.name, *_OFFICES)]
    return any(each == looks or (len(each) >= _SHORT and each in looks) for each in known)


def _others(step: Step, match: str, player: int) -> Iterator[Player]:
    """Those of a match whose names others read; players of an anonymous one are known to nobody."""
    row = step.match(match)
    hidden = row is not None and row.status != "over" and settings_of(row.settings).manners.anonymous
    for member in step.members(match):
        if (
            member.player != player
            and member.status not in ("left", "replaced")
            and (member.role == "gm" or not hidden)
        ):
            found = step.player(member.player)
            if found is not None:
                yield found


def _mistaken(at: At, player: int, name: str, matches: Iterator[str]) -> str:
    """Why a name is not taken, as half a sentence; "" where it is."""
    if _pretends(at.office, name):
        return f'"{name}" could be taken for the referee or a game master'
    for match in matches:
        others = (*(other.name for other in _others(at.step, match, player)), *names_of_bots(at.step, match))
        if any(_looks(other) == _looks(name) for other in others):
            return f'"{name}" could be taken for another member of {match}'
    return ""


def refuse_name(at: At, player: Player, name: str) -> str:
    """Why somebody cannot be called so in his matches; "" where he can."""
    if not name or _LINK.search(name):
        return "A name is words alone, without an address; write SET name Anna Smith."
    mine = (member.match for member in at.step.memberships(player.id) if member.status not in ("left", "replaced"))
    why = _mistaken(at, player.id, name, mine)
    return why and f"You are still called {player.name}, for {why}; SET name and another one changes that."


def call_otherwise(at: At, match: str, player: Player) -> tuple[Player, str]:
    """Somebody who takes part in a match now, under a name that passes for nobody else's; the sentence that tells him."""
    why = _mistaken(at, player.id, player.name, iter((match,)))
    if not why:
        return player, ""
    local = _cut(player.addresses[0].partition("@")[0])
    base = "player" if _pretends(at.office, local) else local
    names = itertools.chain((local,), (f"{base} {number}" for number in itertools.count(2)))
    name = next(name for name in names if not _mistaken(at, player.id, name, iter((match,))))
    named = at.step.save_player(msgspec.structs.replace(player, name=name))
    return named, f"You are called {name} here, for {why}; SET name and another one changes that."


# ---------------------------------------------------------------- who is named how
# In an anonymous match a seat stands for its player until the match is over.


def hides_names(playing: Playing) -> bool:
    """Whether nobody but the game master may learn now who plays which seat."""
    return playing.settings.manners.anonymous and playing.row.status != "over" and not playing.outcome.over


def called(playing: Playing, player: Player, seat: str) -> str:
    """How a member is named to all: a player of an anonymous match by his seat, everybody else by his name."""
    return seat if seat and playing.settings.manners.anonymous else player.name


LETTER = "letter "
"""Causes in the log begin so where a letter is the cause."""


def cause_of(playing: Playing, letter: str) -> str:
    """How the public log names a letter. A Message-ID tells of its writer's mail server: where names are hidden, its digest."""
    if not playing.settings.manners.anonymous:
        return f"{LETTER}{letter}"
    return f"{LETTER}with the SHA-256 {hashlib.sha256(letter.encode()).hexdigest()[:16]}"


def _says(text: str, word: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def gives_away(text: str, player: Player) -> str:
    """The words in a text that tell who a player is: his name or one of his addresses; "" for none."""
    return next((word for word in (*player.addresses, player.name) if _says(text, word)), "")


def named_in(hand: BareHand, texts: Iterable[str]) -> str:
    """The name or address in texts for everybody that tells who plays in an anonymous match; "" for none."""
    if not hides_names(hand.playing):
        return ""
    whole = "\n".join(texts)
    members = (m for m in hand.step.members(hand.match) if m.role == "player")
    players = (hand.step.player(member.player) for member in members)
    return next((found for player in players if player and (found := gives_away(whole, player))), "")


def who_played(step: Step, match: str) -> tuple[tuple[str, str], ...]:
    """Seats and the names of those who played them, in the order of joining; a seat played by several has several rows.

    Bots stand last. For somebody who was forgotten stands his seat.
    """
    members = sorted((m for m in step.members(match) if m.role == "player" and m.seat), key=lambda m: (m.number, m.id))
    people = (m for m in members if m.status != "dummy")
    seats = ((m.seat, player.name or m.seat) for m in people if (player := step.player(m.player)))
    return (*seats, *bots(step, match).items())


def without_addresses(playing: Playing, text: str) -> str:
    """A text for everybody; where names are hidden, "somebody" stands for every address in it."""
    return re.sub(r"[^\s<>\"]+@[^\s<>\"]+", "somebody", text) if hides_names(playing) else text


# ---------------------------------------------------------------- discretion
# Where lateness is hidden, what tells whose time ran out is for that player and the game masters alone.
#
# It stands in the log like everything else, and everybody can read it when the match is over.


_TELLING = ("ABSENCE ", "DEADLINE", "EXCUSE ", "EXTEND ", "PROPOSED ", "REFUSE ABSENCE ", "ROLL OUT ")
"""How the log calls what tells who was late, or who may be so without harm."""

YOURS = "yours is below if you have one."
"""The words on his own deadline for a player who may not know of the others'."""


def hides_late(row: MatchRow) -> bool:
    """Whether who is late is to be told to nobody else now."""
    return row.status != "over" and settings_of(row.settings).hides_late


def keeps_quiet(playing: Playing) -> bool:
    """Whether who is late is to be told to nobody else now, also in the step that ends the match."""
    return playing.row.status != "over" and not playing.outcome.over and playing.settings.hides_late


def masters_of(step: Step, match: str) -> frozenset[int]:
    """The persons who are game masters of a match."""
    return frozenset(member.player for member in step.members(match) if member.role == "gm")


def may_know(playing: Playing, masters: frozenset[int], member: Member, player: Player, seat: str) -> bool:
    """Whether somebody may be told of what concerns the time of a seat; "" for that of several."""
    own = bool(seat) and member.seat == seat and member.status == "playing"
    return own or player.id in masters or not keeps_quiet(playing)


def refuse_clock(game: AnyGame, settings: ClockSettings) -> str:
    """Why a match of a game cannot have these settings: lateness hidden, or a sound sheet for late players; "" when it can."""
    counts: object = game
    if settings.late_sheet == "sound" and not plays_steadily(game):
        return f"{game.title} has no steady bot yet, so late sheet is empty in it."
    if not settings.hides_late or not isinstance(counts, CountsLateness):
        return ""
    rule = counts.lateness_rule()
    return f"The rules of {game.title} tell everybody who was late ({rule}), so lateness cannot be hidden in it."


def tells_late(record: Record) -> bool:
    """Whether a record names somebody whose time was moved, spent or over."""
    return isinstance(record, Overrode) and record.action.startswith(_TELLING)


# ---------------------------------------------------------------- house rules
# House rules of a match that its game master sets by letter: whom it admits, its muster, and the seats of players who drop out.
#
# And what the house must have for it: a beacon, where dice are to come of one.


def house_rules(step: Step, match: str) -> HouseRules:
    """The house rules of a match."""
    return notes.HOUSE_RULES.of(match).read(step) or HouseRules()


def keep_house_rules(step: Step, match: str, rules: HouseRules) -> None:
    """Keep them from now on."""
    notes.HOUSE_RULES.of(match).keep(step, rules)
    unlisted = unlisted_matches(step) - {match} | ({match} if rules.called_off or not rules.listed else set())
    notes.UNLISTED.of().keep(step, tuple(sorted(unlisted)) or None)


def unlisted_matches(step: Step) -> frozenset[str]:
    """The matches that are told of to their members alone, or to nobody."""
    return frozenset(notes.UNLISTED.of().read(step) or ())


def refuse_beacon(office: Office, settings: ClockSettings, before: ClockSettings | None = None) -> str:
    """Why the dice of a match cannot come of a beacon as its settings would; "" where they can, or shall not.

    A match whose dice did so `before` is changed in other things all the same.
    """
    had = before is not None and before.beacon == settings.beacon
    if settings.beacon == "letters" or had or office.randomness is not None:
        return ""
    return (
        "No beacon of public randomness is set up here, so beacon drand cannot be had; with beacon letters the dice come of "
        "the secret and of all that was written."
    )
