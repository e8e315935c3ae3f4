"""A person: who wrote a letter, by which key and after how many wrong ones; whether he may come into a match, who counts as new,
and whether he is ready.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from referee.mail import Letter, domain_of, spelt
from referee.mail import read as read_letter
from referee.mail.reading.sender import LEAST, Keys, hash_key, is_key, take_keys
from referee.service.base import notes
from referee.service.base.letter_facts import RefusalLetter
from referee.service.base.note_values import HouseRules, Tries
from referee.service.base.office import At
from referee.service.base.ports import LetterIn, MatchRow, Member, Player, Step
from referee.service.house.reliability import reliability
from referee.service.match.members import house_rules
from referee.service.post.post import About, Mail, post, reply_token

# ---------------------------------------------------------------- who wrote a letter when its address does not say
# Keys, which only their hash is kept of.


KeyFound = Literal["right", "wrong", "guessed"]

_GUESSES_A_DAY = 20
_LOOKS_A_DAY = 2_000


def open_letter(row: LetterIn) -> tuple[Letter, Keys]:
    """The letter as everything else may read it, without the keys in it, and the keys."""
    return _opened(row.raw, row.sender)


@lru_cache(maxsize=1)  # a letter to many recipients comes once for each, one after the other
def _opened(raw: bytes, sender: str) -> tuple[Letter, Keys]:
    letter = read_letter(raw, sender)
    keys = take_keys(letter.text)
    return msgspec.structs.replace(letter, text=keys.text), keys


def is_from(letter: Letter, player: Player) -> bool:
    """Whether the one mailbox in From is an address of this player. Anybody can write that."""
    return letter.from_count == 1 and letter.sender in {address.lower() for address in player.addresses}


# ---------------------------------------------------------------- keys


def set_key(at: At, player: Player, key: str) -> str:
    """Keep the hash of a player's new key in place of the old one; what is wrong with the key, "" for nothing."""
    if len(key) < LEAST:
        return f"A key needs at least {LEAST} characters; write SET key and a longer word."
    notes.KEY.of(player.id).keep(at.step, hash_key(key, at.office.secrets.secret()[:16]))
    return ""


def judge_key(at: At, player: Player, key: str) -> KeyFound:
    """Whether this is the player's key.

    A right one is always found to be his, however many wrong ones a forger wrote in his name; but after many of them that
    day it may have been guessed, and he is asked.
    """
    kept = notes.KEY.of(player.id).read(at.step)
    if kept is None or len(key) < LEAST or not _may_look(at):
        return "wrong"
    today, tries = at.now.date(), notes.KEY_GUESSES.of(player.id).read(at.step)
    guesses = tries.on(today) if tries else 0
    if not is_key(key, kept):
        notes.KEY_GUESSES.of(player.id).keep(at.step, Tries(today, guesses + 1))
        return "wrong"
    return "right" if guesses < _GUESSES_A_DAY else "guessed"


def _may_look(at: At) -> bool:
    """Whether there is time for one more key today: each costs some hundredths of a second, whoever writes it."""
    today, tries = at.now.date(), notes.KEYS_TRIED.of().read(at.step)
    looks = tries.on(today) if tries else 0
    if looks < _LOOKS_A_DAY:
        notes.KEYS_TRIED.of().keep(at.step, Tries(today, looks + 1))
    return looks < _LOOKS_A_DAY


# ---------------------------------------------------------------- whom a match and its host admit
# Lists of addresses and domains.


_NEW = 5
"""With so few slots that count somebody is new, and nobody's record keeps him out."""


def is_on(names: Iterable[str], address: str) -> bool:
    """Whether an address is on a list, by itself or by its domain or a domain above it."""
    bare = spelt(address) or address.casefold()
    host = bare.rpartition("@")[2]
    return any(bare == name if "@" in name else (f".{host}").endswith(f".{name}") for name in map(_spelling, names))


def _spelling(name: str) -> str:
    """An address or a domain as it is compared."""
    return (spelt(name) if "@" in name else domain_of(name)) or name.casefold()


def refuse_entry(at: At, match: str, addresses: Sequence[str], whom: str = "you") -> str:
    """Why somebody with these addresses may not take part in a match, or open one (""); "" where he may.

    Every word that lets somebody in asks this. Any address of his that is denied keeps him out; where there is a list of
    those allowed, one of his must be on it. The host's lists go before the match's. `whom` names him to another.
    """
    rules = house_rules(at.step, match) if match else HouseRules()
    for who, of, allow, deny in (
        ("This host", "the host", at.office.allow, at.office.deny),
        (f"The game master of {match}", "the game master", rules.allow, rules.deny),
    ):
        if any(is_on(deny, address) for address in addresses):
            return f"{who} does not admit {whom}; ask {of} if you think that this is a mistake."
        if allow and not any(is_on(allow, address) for address in addresses):
            there = "you are" if whom == "you" else f"{whom} is"
            return f"{who} admits only those on a list, and {there} not on it; ask {of} to put the address there."
    return ""


def refuse_unreliable(at: At, match: str, player: Player) -> str:
    """Why somebody may not play in a match that asks for a record he does not have; "" if he may, and for a newcomer."""
    wanted = house_rules(at.step, match).reliable
    record = reliability(at, player.id) if wanted and player.id else None
    if record is None or record.counted < _NEW or 100 * record.on_time >= wanted * record.counted:
        return ""
    return f"{match} takes players who are on time in {wanted} of 100 slots; your record: {record.sentence()}"


# ---------------------------------------------------------------- readiness
# Are you still there? Asked of everybody who joined before a match starts, where its game master wants that.


def muster(at: At, row: MatchRow, by: Player, applicants: Sequence[Member]) -> list[str]:
    """Ask those who have not answered yet; their names. Nobody, where the match does not muster its players."""
    if not house_rules(at.step, row.name).muster:
        return []
    notes.MUSTER.of(row.name).keep(at.step, by.id)
    missing = [player for member in applicants if (player := _unheard(at.step, row.name, member))]
    for player in missing:
        _ask(at, row, player)
    return [player.name for player in missing]


def _unheard(step: Step, match: str, member: Member) -> Player | None:
    player = step.player(member.player)
    if player is None or not player.addresses or notes.HERE.of(match, player.id).read(step):
        return None
    return player


def _ask(at: At, row: MatchRow, player: Player) -> None:
    sentence = f"{row.name} is about to start, and you asked for a seat. Are you still there?"
    how = ("Reply I AM HERE to this letter and you play; a player who does not answer may be left out.",)
    token = reply_token(at, row.name, row.turn, 0, player, "")
    body = RefusalLetter("Are you still there?", sentence, how, None, row.name, player.name, lines=("I AM HERE",))
    unique = f"muster.{at.now:%Y-%m-%dT%H:%M}"
    post(at, player, Mail("muster", "are you still there?", body, unique), About(row, token=token))


def answer_muster(step: Step, match: str, player: Player) -> Player | None:
    """Somebody is there; gives the person who wanted to start the match, if now all are there and he did."""
    notes.HERE.of(match, player.id).keep(step, True)
    began = notes.MUSTER.of(match).read(step)
    waiting = [m for m in step.members(match) if m.status == "applied" and _unheard(step, match, m)]
    if began is None or waiting:
        return None
    return step.player(began) or Player(0, "the keeper", ())
