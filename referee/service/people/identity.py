"""Who wrote a letter when its address does not say: keys, which only their hash is kept of."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from referee.mail import Letter
from referee.mail import read as read_letter
from referee.mail.reading.keys import LEAST, Keys, hash_key, is_key, take_keys
from referee.service import notes
from referee.service.office import At
from referee.service.ports import LetterIn, Player
from referee.service.remembered import Tries

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
